//! Errors lose nothing.

use std::io::ErrorKind::{Interrupted, Other, TimedOut, WouldBlock};
use std::io::{BufRead, Read};

use wholeline::{Ending, LineRead};

use super::{CALLS_FOR_LINES, LF, calls_that_read, ends, gives, play, reads};
use crate::support::script::Act::{D, E};

#[test]
fn an_error_comes_once_for_each_read_that_failed() {
    for (name, call) in calls_that_read() {
        let mut reader = play(LF, &[E(WouldBlock), E(TimedOut), D(b"ab\nc\n")]);
        assert_eq!(call(&mut reader).unwrap_err().kind(), WouldBlock, "{name}");
        assert_eq!(reads(&reader), 1, "{name} must not try again by itself");
        assert_eq!(call(&mut reader).unwrap_err().kind(), TimedOut, "{name}");
        assert_eq!(reads(&reader), 2, "{name}");
        assert_eq!((reader.offset(), reader.line_number()), (0, 1), "{name}");
        gives(&mut reader, "ab", 0, 1);
        gives(&mut reader, "c", 3, 2);
        ends(&mut reader);
    }
}

#[test]
fn interrupted_is_tried_again_inside() {
    for (name, call) in calls_that_read() {
        let mut reader = play(LF, &[E(Interrupted), E(Interrupted), E(Interrupted), D(b"ab\n")]);
        call(&mut reader).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(reads(&reader) >= 4, "{name}");
    }
    let mut reader = play(LF, &[D(b"a"), E(Interrupted), D(b"b\n"), E(Interrupted)]);
    gives(&mut reader, "ab", 0, 1);
    ends(&mut reader);
}

#[test]
fn the_begun_line_stays_and_can_be_seen() {
    for (name, call) in CALLS_FOR_LINES {
        let mut reader = play(LF, &[D(b"one\nbeg"), E(Other), D(b"un"), E(Other), D(b"\n")]);
        gives(&mut reader, "one", 0, 1);
        for begun in ["beg", "begun"] {
            assert_eq!(call(&mut reader).unwrap_err().kind(), Other, "{name}");
            assert_eq!(reader.partial(), begun.as_bytes(), "{name}");
            assert_eq!(reader.buffer(), begun.as_bytes(), "{name}");
            assert!(!reader.has_line(), "{name}: a begun line is no line");
            assert_eq!((reader.offset(), reader.line_number()), (4, 2), "{name}");
        }
        assert_eq!(gives(&mut reader, "begun", 4, 2), Ending::Delimiter, "{name}");
    }
}

#[test]
fn a_caller_who_gives_up_gets_the_begun_line() {
    let mut reader = play(LF, &[D(b"beg"), E(Other)]);
    assert!(reader.next_line().is_err());
    assert_eq!(reader.into_parts().1, b"beg");
}

/// Also where the error falls before the end of input: what is handed out then is the last line, as ever.
#[test]
fn an_error_is_not_the_end() {
    let mut reader = play(LF, &[D(b"beg"), E(Other), D(b"un")]);
    assert_eq!(reader.next_line().unwrap_err().kind(), Other);
    assert_eq!(gives(&mut reader, "begun", 0, 1), Ending::Eof);
    ends(&mut reader);
}

#[test]
fn lines_before_the_error_are_out() {
    let mut reader = play(LF, &[D(b"a\nb\nc"), E(WouldBlock), D(b"c\nd\n")]);
    let mut seen = Vec::new();
    let error = reader.for_each_line(|line| seen.push(line.to_string())).unwrap_err();
    assert_eq!((error.kind(), &seen[..]), (WouldBlock, &["a".to_owned(), "b".to_owned()][..]));
    reader.for_each_line(|line| seen.push(line.to_string())).unwrap();
    assert_eq!(seen, ["a", "b", "cc", "d"]);
}

#[test]
fn lines_skipped_before_the_error_stay_skipped() {
    let mut reader = play(LF, &[D(b"a\nb\nc"), E(WouldBlock), D(b"c\nd\n")]);
    assert_eq!(reader.skip_lines(3).unwrap_err().kind(), WouldBlock);
    assert_eq!((reader.line_number(), reader.offset()), (3, 4));
    assert_eq!(reader.skip_lines(3).unwrap(), 2);
    ends(&mut reader);
}

#[test]
fn read_line_into_appends_nothing_on_an_error() {
    let mut reader = play(LF, &[D(b"beg"), E(WouldBlock), D(b"un\n")]);
    let mut out = b"kept ".to_vec();
    assert!(reader.read_line_into(&mut out).is_err());
    assert_eq!(out, b"kept ");
    assert_eq!(reader.read_line_into(&mut out).unwrap(), 6);
    assert_eq!(out, b"kept begun\n");
    assert_eq!(reader.read_line_into(&mut out).unwrap(), 0);
    assert_eq!(out, b"kept begun\n");
}

#[test]
fn bytes_before_the_error_are_out() {
    let mut reader = play(LF, &[D(b"ab"), E(WouldBlock), D(b"cd")]);
    let mut dst = [0; 8];
    assert_eq!(reader.read(&mut dst).unwrap(), 2);
    assert_eq!(reader.read(&mut dst).unwrap_err().kind(), WouldBlock);
    assert_eq!(reader.fill_buf().unwrap(), b"cd");
    // What is buffered is there although the source would fail.
    let mut reader = play(LF, &[D(b"ab"), E(Other)]);
    assert_eq!(reader.peek_byte().unwrap(), Some(b'a'));
    assert_eq!(reader.next_byte().unwrap(), Some(b'a'));
    assert_eq!(reader.next_byte().unwrap(), Some(b'b'));
    assert_eq!(reader.next_byte().unwrap_err().kind(), Other);
    assert_eq!(reader.next_byte().unwrap(), None);
}
