//! That the work stays in proportion to the input, however the input arrives: what cannot be seen from
//! outside.

use std::io::{self, BufRead, Read};

use super::LineReader;
use crate::builder::{LineReaderBuilder, OverLong};
use crate::line::Terminator;
use crate::scan;

/// Gives a long line, then a short one, at most so many bytes a read.
struct Trickle {
    line: usize,
    rest: &'static [u8],
    most: usize,
}

impl Read for Trickle {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = out.len().min(self.most);
        if self.line > 0 {
            let n = n.min(self.line);
            out[..n].fill(b'z');
            self.line -= n;
            return Ok(n);
        }
        self.rest.read(&mut out[..n])
    }
}

/// Reads all lines with `read`, and returns how many bytes were scanned and moved, a byte of input.
fn work(
    line: usize,
    most: usize,
    builder: LineReaderBuilder,
    read: fn(&mut LineReader<Trickle>) -> usize,
) -> (f64, f64) {
    let before = scan::examined();
    let mut reader = builder.build(Trickle { line, rest: b"\nend\n", most });
    assert_eq!(read(&mut reader), line + 3, "content bytes");
    let scanned = scan::examined() - before;
    let all = line as f64 + 5.0;
    (scanned as f64 / all, reader.buffer.moved as f64 / all)
}

fn by_line(reader: &mut LineReader<Trickle>) -> usize {
    let mut bytes = 0;
    while let Some(line) = reader.next_line().unwrap() {
        bytes += line.len();
    }
    bytes
}

fn by_batch(reader: &mut LineReader<Trickle>) -> usize {
    let mut bytes = 0;
    while let Some(batch) = reader.next_batch().unwrap() {
        bytes += batch.map(|line| line.len()).sum::<usize>();
    }
    bytes
}

/// Asks before each line what a program that polls would ask.
fn polling(reader: &mut LineReader<Trickle>) -> usize {
    let mut bytes = 0;
    while let Some(line) = reader.next_line().unwrap() {
        bytes += line.len();
        while reader.has_line() {
            bytes += reader.next_line().unwrap().unwrap().len();
        }
    }
    bytes
}

#[test]
fn p09_a_long_line_is_scanned_and_moved_in_proportion() {
    for megabytes in [2, 4, 8] {
        for (most, capacity) in [(1460, 8192), (65536, 8192), (65536, 65536), (1460, 1)] {
            for terminator in [Terminator::LF, Terminator::CRLF, Terminator::UNIVERSAL] {
                for read in [by_line, by_batch, polling] {
                    let builder = LineReaderBuilder::new().capacity(capacity).terminator(terminator);
                    let (scanned, moved) = work(megabytes << 20, most, builder, read);
                    let context = format!("{megabytes} MiB by {most} in {capacity}: {terminator:?}");
                    assert!(scanned <= 2.0, "{context}: {scanned} scanned");
                    assert!(moved <= 4.0, "{context}: {moved} moved");
                }
            }
        }
    }
}

#[test]
fn short_lines_are_scanned_and_moved_in_proportion() {
    let input = b"some words\nand more\n\nof all lengths\n".repeat(20_000);
    for capacity in [64, 100, 4096, 65536] {
        for most in [7, 100, 65536] {
            let before = scan::examined();
            let mut reader = LineReader::with_capacity(capacity, Bounded(&input, most));
            let mut lines = 0;
            while reader.next_line().unwrap().is_some() {
                lines += 1;
            }
            assert_eq!(lines, 80_000);
            let scanned = scan::examined() - before;
            assert!(scanned <= 2 * input.len(), "{capacity}, {most}: {scanned} of {}", input.len());
            assert!(reader.buffer.moved <= 2 * input.len(), "{capacity}, {most}: {}", reader.buffer.moved);
        }
    }
}

#[test]
fn bytes_are_scanned_once_for_their_lines() {
    let input = b"key = value\n".repeat(50_000);
    let before = scan::examined();
    let mut reader = LineReader::new(Bounded(&input, 65536));
    while reader.next_byte().unwrap().is_some() {}
    assert_eq!(reader.line_number(), 50_001);
    assert!(scan::examined() - before <= input.len() + input.len() / 10);

    let before = scan::examined();
    let mut reader = LineReader::new(Bounded(&input, 65536));
    while let n @ 1.. = reader.fill_buf().unwrap().len() {
        reader.consume(n);
    }
    assert_eq!(reader.line_number(), 50_001);
    assert!(scan::examined() - before <= input.len());
}

#[test]
fn batches_with_a_limit_are_scanned_in_proportion() {
    for policy in [OverLong::Skip, OverLong::Truncate, OverLong::Error] {
        for half in [16 << 10, 64 << 10, 256 << 10] {
            let mut input = b"a\nxxx\n".repeat(half / 6);
            input.resize(2 * half, b'y');
            for (capacity, most) in [(2 * half, usize::MAX), (4096, usize::MAX), (4096, 100)] {
                let before = scan::examined();
                let builder = LineReaderBuilder::new().capacity(capacity).max_line_len(1).over_long(policy);
                let mut reader = builder.build(Bounded(&input, most));
                let mut lines = 0;
                loop {
                    match reader.next_batch() {
                        Ok(Some(batch)) => lines += batch.count(),
                        Ok(None) => break,
                        Err(_) => {}
                    }
                }
                assert!(lines >= half / 6, "{lines}");
                let scanned = scan::examined() - before;
                assert!(scanned <= 4 * input.len(), "{policy:?} {capacity}: {scanned} of {}", input.len());
            }
        }
    }
}

/// A program that polls before each read, and a source that gives a byte at a time.
#[test]
fn asking_for_a_line_before_each_read_does_not_search_again() {
    struct Drip(usize, bool);
    impl Read for Drip {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            self.0 = self.0.saturating_sub(1);
            out[0] = if self.0 > 0 { b'x' } else { b'\n' };
            Ok(1)
        }
    }
    for policy in [OverLong::Skip, OverLong::Truncate] {
        let before = scan::examined();
        let builder = LineReaderBuilder::new().max_line_len(20_000).over_long(policy);
        let mut reader = builder.build(Drip(10_000, false));
        loop {
            assert!(!reader.has_line());
            assert!(reader.partial().len() < 10_000);
            match reader.next_line() {
                Ok(line) => break assert_eq!(line.unwrap().len(), 9_999),
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
            }
        }
        let scanned = scan::examined() - before;
        assert!(scanned <= 2 * 10_000, "{policy:?}: {scanned}");
    }
}

#[test]
fn a_batch_is_counted_at_most_once() {
    let input = b"key = value\n".repeat(5_000);
    let mut reader = LineReader::new(Bounded(&input, 65536));
    reader.next_batch().unwrap();
    let before = scan::examined();
    for _ in 0..10 {
        assert_eq!(reader.line_number(), 5_001);
    }
    assert!(scan::examined() - before <= input.len());
}

/// A window that ends between CR and LF would count the CR as a line's end for one who takes bytes, or not,
/// depending on where it lies.
#[test]
fn a_cr_at_the_end_of_a_window_counts_as_any_other() {
    for before in 4000..4100 {
        let mut input = vec![b'x'; before];
        input.extend(b"\r\nb\n");
        let builder = LineReaderBuilder::new().terminator(Terminator::UNIVERSAL);
        let mut reader = builder.build(&input[..]);
        for _ in 0..before {
            assert_eq!(reader.next_byte().unwrap(), Some(b'x'));
            assert_eq!(reader.line_number(), 1);
        }
        assert_eq!(reader.next_byte().unwrap(), Some(b'\r'));
        assert_eq!(reader.line_number(), 2, "{before}");
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!((line.as_bytes(), line.number()), (&b"b"[..], 2));
    }
}

/// Found by fuzzing: to look at the LF leaves it what it is, the end of a line that was counted.
#[test]
fn a_torn_lf_that_was_looked_at_is_no_partial_line() {
    let builder = LineReaderBuilder::new().terminator(Terminator::UNIVERSAL).capacity(2);
    let mut reader = builder.build(&b"a\r\nb"[..]);
    assert_eq!(reader.next_byte().unwrap(), Some(b'a'));
    assert_eq!(reader.next_byte().unwrap(), Some(b'\r'));
    assert_eq!(reader.peek_byte().unwrap(), Some(b'\n'));
    assert_eq!((reader.buffer(), reader.partial()), (&b"\nb"[..], &b"b"[..]));
    assert_eq!(reader.line_number(), 2);
}

/// A slice that gives at most so many bytes a read.
struct Bounded<'a>(&'a [u8], usize);

impl Read for Bounded<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(self.1);
        self.0.read(&mut out[..most])
    }
}
