//! The owning iterator: over after an error that retrying cannot cure, and only then.

use std::io::{self, ErrorKind};

use wholeline::{Line, LineRead, LineReader, Lines, Terminator};

use super::{LF, at_most, gives, play};
use crate::support::model::Failure;
use crate::support::model::Policy::{Error, Skip, Truncate};
use crate::support::script::Act::{Block, D, E, Z};

#[test]
fn retrying_cures_these() {
    for kind in [ErrorKind::WouldBlock, ErrorKind::TimedOut] {
        let mut lines = play(LF, &[D(b"a\nb"), E(kind), E(kind), D(b"b\n")]).into_lines();
        assert_eq!(lines.next().unwrap().unwrap(), "a");
        assert_eq!(lines.next().unwrap().unwrap_err().kind(), kind);
        assert_eq!(lines.next().unwrap().unwrap_err().kind(), kind);
        assert_eq!(lines.next().unwrap().unwrap(), "bb");
        assert!(lines.next().is_none());
    }
}

#[test]
fn over_long_lines_do_not_end_it() {
    let acts = [D(b"a\n1234"), D(b"5\nb\n6789\nc\n")];
    let items = |policy| -> Vec<Result<String, Failure>> {
        let lines = play(at_most(3, policy), &acts).into_lines();
        lines.map(|line| line.map(|line| line.to_string()).map_err(|error| (&error).into())).collect()
    };
    let too_long = |offset, number| Err(Failure::TooLong { offset, number, limit: 3 });
    let ok = |line: &str| Ok(line.to_owned());
    assert_eq!(items(Error), [ok("a"), too_long(2, 2), ok("b"), too_long(10, 4), ok("c")]);
    assert_eq!(items(Skip), [ok("a"), ok("b"), ok("c")]);
    assert_eq!(items(Truncate), [ok("a"), ok("123"), ok("b"), ok("678"), ok("c")]);
}

#[test]
fn nothing_cures_the_others() {
    use ErrorKind::{BrokenPipe, InvalidData, IsADirectory, NotFound, Other, UnexpectedEof};
    for kind in [BrokenPipe, InvalidData, IsADirectory, NotFound, Other, UnexpectedEof] {
        let mut lines = play(LF, &[D(b"a\nb"), E(kind), Block]).into_lines();
        assert_eq!(lines.next().unwrap().unwrap(), "a");
        assert_eq!(lines.next().unwrap().unwrap_err().kind(), kind);
        for _ in 0..3 {
            assert!(lines.next().is_none());
        }
    }
    let out_of_memory = LineReader::with_capacity(usize::MAX, &b"a\n"[..]).into_lines();
    assert_eq!(
        out_of_memory.map(|line| line.unwrap_err().kind()).collect::<Vec<_>>(),
        [ErrorKind::OutOfMemory]
    );
}

/// Like std's `Lines`: a file may have grown.
#[test]
fn after_the_end_it_asks_again() {
    let mut lines = play(LF, &[D(b"a\n"), Z, D(b"b"), Z, Z, D(b"c\n")]).into_lines();
    assert_eq!(lines.next().unwrap().unwrap(), "a");
    assert!(lines.next().is_none());
    assert_eq!(lines.next().unwrap().unwrap(), "b");
    assert!(lines.next().is_none());
    assert!(lines.next().is_none());
    assert_eq!(lines.next().unwrap().unwrap(), "c");
}

#[test]
fn borrowed_it_leaves_the_rest() {
    let mut reader = play(LF, &[D(b"a\nb\nc\n")]);
    let first: Vec<_> = (&mut reader).into_lines().take(2).map(Result::unwrap).collect();
    assert_eq!(first, ["a", "b"]);
    gives(&mut reader, "c", 4, 3);
    // By way of a trait object, too.
    let mut reader = play(LF, &[D(b"a\nb\n")]);
    let dynamic: &mut dyn LineRead = &mut reader;
    assert_eq!(dynamic.into_lines().next().unwrap().unwrap(), "a");
    gives(&mut reader, "b", 2, 2);
}

#[test]
fn the_content_comes_without_its_terminator() {
    let lines: Vec<_> =
        Lines::new(b"a\r\n\r\nb\xff", Terminator::CRLF).into_lines().map(Result::unwrap).collect();
    assert_eq!(lines, [&b"a"[..], b"", b"b\xff"]);
}

/// A backend may pass `Interrupted` on; it is the first that retrying cures.
#[test]
fn over_another_backend() {
    struct Backend(Vec<io::Result<&'static [u8]>>);
    impl LineRead for Backend {
        fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
            let Some(bytes) = self.0.pop().transpose()? else { return Ok(None) };
            Ok(Lines::new(bytes, Terminator::LF).next())
        }
    }
    let backend = Backend(vec![
        Ok(b"never\n"),
        Err(ErrorKind::Other.into()),
        Ok(b"b\n"),
        Err(ErrorKind::Interrupted.into()),
        Ok(b"a\n"),
    ]);
    let mut lines = backend.into_lines();
    assert_eq!(lines.next().unwrap().unwrap(), "a");
    assert_eq!(lines.next().unwrap().unwrap_err().kind(), ErrorKind::Interrupted);
    assert_eq!(lines.next().unwrap().unwrap(), "b");
    assert_eq!(lines.next().unwrap().unwrap_err().kind(), ErrorKind::Other);
    assert!(lines.next().is_none());
}
