//! The small types, and what can be done with all of them.

use std::collections::HashSet;
use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Write};
use std::iter::FusedIterator;

use bstr::{BStr, ByteSlice};
use wholeline::{
    Ending, IntoLines, Line, LineRead, LineReader, LineReaderBuilder, LineTooLong, Lines, OverLong,
    Terminator,
};

/// Everything can be sent and shared where what it holds can.
#[test]
fn send_and_sync() {
    fn both<T: Send + Sync + Unpin>() {}
    both::<Line<'_>>();
    both::<Lines<'_>>();
    both::<Ending>();
    both::<Terminator>();
    both::<OverLong>();
    both::<LineTooLong>();
    both::<LineReaderBuilder>();
    both::<LineReader<File>>();
    both::<IntoLines<LineReader<File>>>();
    #[cfg(unix)]
    both::<wholeline::Fd<'_>>();

    // And is, by a thread.
    let mut reader = LineReader::new(&b"a\nb\n"[..]);
    let first = reader.next_line().unwrap().unwrap().to_string();
    let second = std::thread::spawn(move || reader.next_line().unwrap().unwrap().to_string());
    assert_eq!((first, second.join().unwrap()), ("a".into(), "b".into()));
}

#[test]
fn traits() {
    fn debug<T: Debug>() {}
    fn small<T: Copy + Eq + std::hash::Hash + Debug>() {}
    small::<Ending>();
    small::<Terminator>();
    debug::<LineReader<File>>();
    debug::<IntoLines<LineReader<File>>>();
    debug::<Lines<'_>>();
    debug::<Line<'_>>();
    fn policy<T: Copy + Eq + Debug + Default>() {}
    policy::<OverLong>();
    fn builder<T: Clone + Debug + Default>() {}
    builder::<LineReaderBuilder>();
    fn iterator<'a, T: Iterator<Item = Line<'a>> + FusedIterator + Clone>() {}
    iterator::<Lines<'_>>();
    fn error<T: std::error::Error + 'static>() {}
    error::<LineTooLong>();
}

#[test]
fn a_line_is_its_content() {
    let input = b"caf\xe9 bar\r\nrest";
    // Longer lived than what they came from.
    let (line, rest) = {
        let mut lines = Lines::new(input, Terminator::CRLF);
        (lines.next().unwrap(), lines.next().unwrap())
    };
    let content: &BStr = &line;
    assert_eq!(content, b"caf\xe9 bar".as_bstr());
    assert_eq!(line.as_ref(), b"caf\xe9 bar");
    assert_eq!(line.len(), 8);
    assert!(line.ends_with_str("bar"));
    assert_eq!(line.to_string(), "caf\u{fffd} bar");
    assert!(format!("{line:?}").contains("bar"));
    assert_eq!(rest.as_bytes(), b"rest");
    assert!(line.is_terminated() && !rest.is_terminated());
    assert_eq!((line.ending(), rest.ending()), (Ending::CrLf, Ending::Eof));
    // The very bytes of the slice, not a copy of them.
    assert!(std::ptr::eq(line.as_bytes().as_ptr(), input.as_ptr()));
}

#[test]
fn terminators() {
    assert_eq!(Terminator::default(), Terminator::LF);
    assert_eq!(Terminator::byte(b'\n'), Terminator::LF);
    assert_eq!(Terminator::byte(0), Terminator::NUL);
    let all =
        [Terminator::LF, Terminator::CRLF, Terminator::NUL, Terminator::UNIVERSAL, Terminator::byte(13)];
    assert_eq!(HashSet::from(all).len(), all.len());
    const SEMICOLON: Terminator = Terminator::byte(b';');
    assert_eq!(Lines::new(b"a;b", SEMICOLON).map(|line| line.to_string()).collect::<Vec<_>>(), ["a", "b"]);
    for terminator in all {
        assert_eq!(
            LineReaderBuilder::new().terminator(terminator).build(io::empty()).terminator(),
            terminator
        );
    }
    assert_eq!(LineReader::new(io::empty()).terminator(), Terminator::LF);
}

#[test]
fn lines_of_a_slice() {
    let mut lines = Lines::new(b"a\nb\n\nc", Terminator::LF);
    assert_eq!(lines.as_bytes(), b"a\nb\n\nc");
    assert_eq!(lines.next().unwrap().as_bytes(), b"a");
    assert_eq!(lines.as_bytes(), b"b\n\nc");
    let again = lines.clone();
    assert_eq!(lines.by_ref().count(), 3);
    assert!(lines.next().is_none() && lines.next().is_none());
    assert_eq!(lines.as_bytes(), b"");
    let rest: Vec<_> = again.map(|line| (line.offset(), line.number(), line.to_string())).collect();
    assert_eq!(rest, [(2, 2, "b".into()), (4, 3, "".into()), (5, 4, "c".into())]);
    // What it says about how many are to come is true.
    for input in [&b""[..], b"a", b"\n", b"a\nb\n\nc"] {
        let lines = Lines::new(input, Terminator::LF);
        let (low, high) = lines.size_hint();
        let count = lines.count();
        assert!(low <= count && high.is_none_or(|high| count <= high));
    }
}

/// A parser that takes what reads lines without being generic over it.
#[test]
fn as_a_trait_object() {
    fn longest(lines: &mut dyn LineRead) -> io::Result<usize> {
        let mut longest = 0;
        while let Some(line) = lines.next_line()? {
            longest = longest.max(line.len());
        }
        Ok(longest)
    }
    assert_eq!(longest(&mut LineReader::new(&b"a\nbbb\ncc"[..])).unwrap(), 3);
    assert_eq!(longest(&mut Lines::new(b"a\nbb", Terminator::LF)).unwrap(), 2);

    let mut several: Vec<Box<dyn LineRead + Send>> =
        vec![Box::new(LineReader::new(&b"a\nb"[..])), Box::new(Lines::new(b"c\n", Terminator::LF))];
    let mut all = Vec::new();
    for lines in &mut several {
        while lines.read_line_into(&mut all).unwrap() > 0 {}
    }
    assert_eq!(all, b"a\nbc\n");

    // What asks for `Sized` works by reference.
    fn count<L: LineRead + ?Sized>(mut lines: &mut L) -> usize {
        let mut count = 0;
        // `lines.for_each_line` would be that of `L` itself.
        (&mut lines).for_each_line(|_| count += 1).unwrap();
        count
    }
    let lines: &mut dyn LineRead = &mut Lines::new(b"a\nbb", Terminator::LF);
    assert_eq!(count(lines), 2);
}

#[test]
fn one_builder_for_many_readers() {
    let builder = LineReaderBuilder::new().capacity(8).max_line_len(3).over_long(OverLong::Skip);
    for _ in 0..2 {
        let mut reader = builder.clone().build(&b"1234\nok\n"[..]);
        assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"ok");
    }
    assert!(format!("{builder:?}").contains('8'));
}

#[test]
fn opening_a_file() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"a\nb").unwrap();
    let mut reader = LineReader::open(file.path()).unwrap();
    let mut lines = Vec::new();
    reader.for_each_line(|line| lines.push(line.to_string())).unwrap();
    assert_eq!(lines, ["a", "b"]);
    let missing = file.path().with_extension("missing");
    assert_eq!(LineReader::open(missing).unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn debug_shows_no_megabytes() {
    let mut reader = LineReader::new(&b"first\nsecond\n"[..]);
    reader.next_line().unwrap();
    assert!(format!("{reader:?}").len() < 2000, "{reader:?}");
}
