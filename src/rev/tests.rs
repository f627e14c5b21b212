//! That no more is read, moved and scanned than has to be, and errors: with blocks of any size.

use std::cell::RefCell;
use std::io::Cursor;
use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::lines::Lines;
use crate::scan;

/// Notes every read, and fails when it is told to.
struct Noting<S> {
    source: S,
    /// Where each read began, and how many bytes it delivered.
    reads: Rc<RefCell<Vec<(u64, usize)>>>,
    /// A read delivers this at most.
    most: usize,
    /// Every read of this number fails, from 1.
    failing: usize,
}

impl<S> Noting<S> {
    fn new(source: S) -> Self {
        Self { source, reads: Rc::default(), most: usize::MAX, failing: usize::MAX }
    }
}

impl<S: Read + Seek> Read for Noting<S> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let at = self.source.stream_position()?;
        let mut reads = self.reads.borrow_mut();
        if (reads.len() + 1) % self.failing == 0 {
            reads.push((at, 0));
            return Err(io::Error::other("as told"));
        }
        let most = out.len().min(self.most);
        let n = self.source.read(&mut out[..most])?;
        reads.push((at, n));
        Ok(n)
    }
}

impl<S: Seek> Seek for Noting<S> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.source.seek(to)
    }
}

/// Zeros without end, but for what stands at it: a file too large to make.
struct Sparse {
    len: u64,
    at: u64,
    tail: &'static [u8],
}

impl Read for Sparse {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = out.len().min((self.len - self.at) as usize);
        for (byte, at) in out[..n].iter_mut().zip(self.at..) {
            let in_tail = at.checked_sub(self.len - self.tail.len() as u64);
            *byte = in_tail.map_or(0, |at| self.tail[at as usize]);
        }
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for Sparse {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.at.checked_add_signed(by).unwrap(),
            SeekFrom::End(by) => self.len.checked_add_signed(by).unwrap(),
        };
        Ok(self.at)
    }
}

type Seen = (Vec<u8>, bool, u64, u64);

fn seen(line: Line<'_>) -> Seen {
    (line.with_terminator().to_vec(), line.is_terminated(), line.offset(), line.number())
}

/// The lines as they are found from the front.
fn expected(bytes: &[u8], terminator: Terminator) -> Vec<Seen> {
    let mut lines: Vec<_> = Lines::new(bytes, terminator).map(seen).collect();
    lines.reverse();
    for (line, number) in lines.iter_mut().zip(1..) {
        line.3 = number;
    }
    lines
}

fn with_block<R: Read + Seek>(source: R, terminator: Terminator, block: usize) -> RevLineReader<R> {
    let mut reader = RevLineReader::new(source).unwrap().terminator(terminator);
    reader.block = block;
    reader
}

fn terminator() -> impl Strategy<Value = Terminator> {
    prop_oneof![
        Just(Terminator::LF),
        Just(Terminator::CRLF),
        Just(Terminator::UNIVERSAL),
        Just(Terminator::byte(b'a')),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    /// Any block size, reads that deliver less, and some that fail: each line comes once, as from the front.
    #[test]
    fn any_block_size(
        bytes in vec(proptest::sample::select(b"aab\n\n\r\r".to_vec()), 0..200),
        terminator in terminator(),
        block in 1..40usize,
        most in 1..40usize,
        failing in 2..9usize,
    ) {
        let source = Noting { most, failing, ..Noting::new(Cursor::new(&bytes)) };
        // A block of more reads than this can never be read whole.
        let most = most.max(block.div_ceil(failing - 1));
        let source = Noting { most, ..source };
        let mut reader = with_block(source, terminator, block);
        let mut lines = Vec::new();
        loop {
            match reader.next_line() {
                Ok(Some(line)) => lines.push(seen(line)),
                Ok(None) => break,
                Err(error) => assert_eq!(error.to_string(), "as told"),
            }
        }
        prop_assert_eq!(lines, expected(&bytes, terminator));
    }

    /// The terminator may change on the way.
    #[test]
    fn another_terminator_on_the_way(bytes in "[ab\n]{0,60}", block in 1..40usize, first in 0..9usize) {
        let bytes = bytes.as_bytes();
        let mut reader = with_block(Cursor::new(bytes), Terminator::LF, block);
        let mut left = bytes.len();
        for _ in 0..first {
            left = reader.next_line().unwrap().map_or(left, |line| line.offset() as usize);
        }
        let mut reader = reader.terminator(Terminator::byte(b'a'));
        let expected = expected(&bytes[..left], Terminator::byte(b'a'));
        for (content, terminated, offset, _) in expected {
            let line = reader.next_line().unwrap().map(seen).unwrap();
            prop_assert_eq!((line.0, line.1, line.2), (content, terminated, offset));
        }
        prop_assert!(reader.next_line().unwrap().is_none());
    }
}

/// The reads, with blocks of 64 KiB that start at multiples of that.
fn reads_for_lines(len: u64, tail: &'static [u8], lines: usize) -> Vec<(u64, usize)> {
    let source = Noting::new(Sparse { len, at: 0, tail });
    let reads = source.reads.clone();
    let mut reader = RevLineReader::new(source).unwrap();
    for _ in 0..lines {
        reader.next_line().unwrap().unwrap();
    }
    reads.take()
}

#[test]
fn the_last_line_of_a_large_file_takes_one_read_or_two() {
    const LEN: u64 = 10 << 30;
    assert_eq!(reads_for_lines(LEN, b"\nlast\n", 1), [(LEN - 65536, 65536)]);
    assert_eq!(reads_for_lines(LEN + 4, b"\nlast\n", 1), [(LEN, 4), (LEN - 65536, 65536)]);
    assert_eq!(reads_for_lines(LEN + 5, b"\nlast\n", 1), [(LEN, 5), (LEN - 65536, 65536)]);
    assert_eq!(reads_for_lines(LEN + 6, b"\nlast\n", 1), [(LEN, 6)]);
    assert_eq!(reads_for_lines(LEN + 100, b"\n1\n2\n3\n4\n5\n6\n7", 7), [(LEN, 100)]);
    assert_eq!(reads_for_lines(10, b"\nlast\n", 2), [(0, 10)]);
}

/// Nothing is read before a line is asked for, nor once all were handed out.
#[test]
fn no_read_in_vain() {
    let source = Noting::new(Cursor::new(b"a\nb\n"));
    let reads = source.reads.clone();
    let mut reader = RevLineReader::new(source).unwrap();
    assert!(reads.borrow().is_empty());
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"b");
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"a");
    for _ in 0..3 {
        assert!(reader.next_line().unwrap().is_none());
    }
    assert_eq!(*reads.borrow(), [(0, 4)]);
}

/// A line many blocks long: each byte is read and scanned once, and the buffer is at most about four times
/// as long.
#[test]
fn a_long_line_costs_in_proportion_to_its_length() {
    for len in [1 << 16, 1 << 20, 10 << 20] {
        let bytes = [b"first\n", &b"x".repeat(len)[..], b"\nlast"].concat();
        let source = Noting::new(Cursor::new(&bytes));
        let reads = source.reads.clone();
        let mut reader = with_block(source, Terminator::LF, 1 << 10);
        let before = scan::examined();
        assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"last");
        assert_eq!(reader.next_line().unwrap().unwrap().len(), len);
        assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"first");
        assert_eq!(scan::examined() - before, bytes.len());
        assert_eq!(reads.borrow().iter().map(|read| read.1).sum::<usize>(), bytes.len());
        assert!(reader.bytes.len() <= 4 * bytes.len(), "{} bytes", reader.bytes.len());
    }
}

/// Short lines: two blocks, however many there are.
#[test]
fn memory_for_short_lines() {
    let bytes = b"a line of some length\n".repeat(100_000);
    let mut reader = RevLineReader::new(Cursor::new(&bytes)).unwrap();
    let mut lines = 0;
    while reader.next_line().unwrap().is_some() {
        lines += 1;
    }
    assert_eq!(lines, 100_000);
    assert!(reader.bytes.len() <= 2 << 16, "{} bytes", reader.bytes.len());
}

#[test]
fn a_source_that_became_shorter() {
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(10).unwrap();
    let mut reader = RevLineReader::open(file.path()).unwrap();
    file.as_file().set_len(9).unwrap();
    for _ in 0..2 {
        assert_eq!(reader.next_line().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
    // Nothing is lost: once the bytes are there, so is the line.
    file.as_file().set_len(10).unwrap();
    assert_eq!(reader.next_line().unwrap().unwrap().len(), 10);
}

/// A `Read` that claims more than it was asked for.
#[test]
fn a_source_that_lies() {
    struct Lie;
    impl Read for Lie {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            Ok(out.len() + 1)
        }
    }
    impl Seek for Lie {
        fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
            Ok(100)
        }
    }
    let mut reader = RevLineReader::new(Lie).unwrap();
    assert_eq!(reader.next_line().unwrap_err().kind(), io::ErrorKind::Other);
}
