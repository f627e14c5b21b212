//! `reset` forgets everything but the allocation and the options; `into_parts` forgets nothing.

use std::io::ErrorKind;

use wholeline::LineReader;

use super::{CRLF, LF, UNIVERSAL, at_most, ends, gives, play, reads};
use crate::support::model::Policy::{Error, Skip, Truncate};
use crate::support::model::Rules;
use crate::support::script::Act::{Block, D, E, Z};
use crate::support::script::Source;

/// Whatever the reader was in the middle of, the next source begins at the beginning.
#[track_caller]
fn begins_anew(mut reader: LineReader<Source>) {
    let before = reads(&reader);
    let old = reader.reset(Source::play(&[D(b"\na"), D(b"\nb"), Z]));
    assert_eq!(old.trace().len(), before, "the old source comes back");
    assert_eq!((reader.offset(), reader.line_number(), reader.skipped()), (0, 1, 0));
    assert_eq!((reader.buffer(), reader.partial(), reader.has_line()), (&b""[..], &b""[..], false));
    assert_eq!(reads(&reader), 0);
    gives(&mut reader, "", 0, 1);
    gives(&mut reader, "a", 1, 2);
    gives(&mut reader, "b", 3, 3);
    ends(&mut reader);
}

#[test]
fn before_the_first_read() {
    begins_anew(play(LF, &[Block]));
}

#[test]
fn with_lines_and_a_begun_line_buffered() {
    let mut reader = play(LF, &[D(b"1\n2\n3\nbegun")]);
    gives(&mut reader, "1", 0, 1);
    assert!(reader.has_line());
    begins_anew(reader);
}

#[test]
fn after_bytes() {
    let mut reader = play(LF, &[D(b"12\n3")]);
    reader.next_byte().unwrap();
    begins_anew(reader);
}

#[test]
fn after_an_error() {
    let mut reader = play(LF, &[D(b"begun"), E(ErrorKind::Other)]);
    assert!(reader.next_line().is_err());
    begins_anew(reader);
}

#[test]
fn when_the_end_was_still_to_be_said() {
    let mut reader = play(LF, &[D(b"rest")]);
    gives(&mut reader, "rest", 0, 1);
    begins_anew(reader);
}

#[test]
fn inside_an_over_long_line() {
    for policy in [Error, Truncate] {
        let mut reader = play(at_most(3, policy), &[D(b"1234")]);
        let _ = reader.next_line();
        begins_anew(reader);
    }
    let mut reader = play(at_most(3, Skip), &[D(b"1234"), E(ErrorKind::WouldBlock)]);
    assert!(reader.next_line().is_err());
    assert_eq!(reader.skipped(), 1);
    begins_anew(reader);
}

/// The first LF of the next source is not the second half of this one's last CR.
#[test]
fn after_a_cr() {
    let mut reader = play(UNIVERSAL, &[D(b"1\r")]);
    gives(&mut reader, "1", 0, 1);
    begins_anew(reader);
    let mut reader = play(UNIVERSAL, &[D(b"\r")]);
    reader.next_byte().unwrap();
    begins_anew(reader);
    let mut reader = play(CRLF, &[D(b"1\r"), E(ErrorKind::Other)]);
    assert!(reader.next_line().is_err());
    begins_anew(reader);
}

#[test]
fn the_allocation_and_the_options_stay() {
    let rules = Rules { terminator: CRLF.terminator, follow: true, ..at_most(9, Skip) };
    let mut reader = rules.builder(4).build(Source::play(&[D(b"12345678\r\n")]));
    gives(&mut reader, "12345678", 0, 1);
    let grown = reader.capacity();
    assert!(grown > 4);
    reader.reset(Source::play(&[D(b"1234567890\r\n"), D(b"ok\r\n"), D(b"begun"), Z]));
    assert_eq!(reader.capacity(), grown);
    assert_eq!(reader.terminator(), wholeline::Terminator::CRLF);
    gives(&mut reader, "ok", 12, 2);
    assert_eq!(reader.skipped(), 1);
    ends(&mut reader);
    assert_eq!(reader.partial(), b"begun", "it still follows");
}

#[test]
fn into_parts_gives_what_is_unread() {
    let mut reader = play(LF, &[D(b"1\n2\nbeg"), D(b"un\n")]);
    gives(&mut reader, "1", 0, 1);
    let (mut source, unread) = reader.into_parts();
    assert_eq!(unread, b"2\nbeg");
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut source, &mut rest).unwrap();
    assert_eq!(rest, b"un\n");

    let (_, unread) = play(LF, &[Block]).into_parts();
    assert!(unread.is_empty());
}

#[test]
fn the_source_can_be_got_at() {
    let mut reader = play(LF, &[D(b"1\n"), D(b"2\n"), D(b"3\n")]);
    gives(&mut reader, "1", 0, 1);
    assert_eq!(reader.get_ref().position(), 2);
    let mut two = [0; 2];
    std::io::Read::read_exact(reader.get_mut(), &mut two).unwrap();
    assert_eq!(&two, b"2\n");
    // What was taken from under it, it cannot know of.
    gives(&mut reader, "3", 2, 2);
}
