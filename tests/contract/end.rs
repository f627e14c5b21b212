//! The end of input is reported, not remembered for ever.

use std::io::Read;

use wholeline::{Ending, LineRead};

use super::{CALLS_FOR_LINES, FOLLOW, LF, Rules, calls_that_read, ends, gives, play, reads};
use crate::support::naive::Terminator;
use crate::support::script::Act::{Block, D, Z};

#[test]
fn the_rest_comes_out_once_and_then_the_end_without_a_read() {
    let mut reader = play(LF, &[D(b"a\nrest"), Z, D(b"more\n"), Z]);
    gives(&mut reader, "a", 0, 1);
    assert_eq!(gives(&mut reader, "rest", 2, 2), Ending::Eof);
    assert_eq!(reads(&reader), 2);
    assert_eq!((reader.offset(), reader.line_number()), (6, 3));
    ends(&mut reader);
    assert_eq!(reads(&reader), 2, "the end was seen already");
    // The input went on.
    assert_eq!(gives(&mut reader, "more", 6, 3), Ending::Delimiter);
    ends(&mut reader);
}

/// Whichever call comes next, it says end, without a read; the one after that may read.
#[test]
fn after_the_rest_every_call_says_end() {
    let at_end = || {
        let mut reader = play(LF, &[D(b"rest"), Z, D(b"x\n"), Block]);
        gives(&mut reader, "rest", 0, 1);
        reader
    };
    assert!(at_end().next_line().unwrap().is_none());
    assert!(at_end().next_batch().unwrap().is_none());
    at_end().for_each_line(|line| panic!("{line:?}")).unwrap();
    assert_eq!(at_end().read_line_into(&mut Vec::new()).unwrap(), 0);
    assert_eq!(at_end().skip_lines(5).unwrap(), 0);
    assert_eq!(at_end().peek_byte().unwrap(), None);
    assert_eq!(at_end().next_byte().unwrap(), None);
    assert!(std::io::BufRead::fill_buf(&mut at_end()).unwrap().is_empty());
    assert_eq!(at_end().read(&mut [0; 5]).unwrap(), 0);
    assert_eq!(at_end().read(&mut [0; 5000]).unwrap(), 0);
    assert!(at_end().into_lines().next().is_none());

    for (name, call) in calls_that_read() {
        let mut reader = at_end();
        let before = reads(&reader);
        // These want no data, and leave the end to be said.
        assert_eq!(reader.skip_lines(0).unwrap(), 0);
        assert_eq!(reader.read(&mut []).unwrap(), 0);
        assert!(!reader.has_line());
        call(&mut reader).unwrap();
        assert_eq!(reads(&reader), before, "{name}");
        assert_eq!(reader.next_byte().unwrap(), Some(b'x'), "{name}: said once, then forgotten");
        assert_eq!(reads(&reader), before + 1, "{name}");
    }
}

#[test]
fn a_batch_and_a_skip_end_like_a_line() {
    let mut reader = play(LF, &[D(b"a\nrest"), Z, D(b"x\n")]);
    assert_eq!(reader.next_batch().unwrap().unwrap().count(), 1);
    let rest = reader.next_batch().unwrap().unwrap().next().unwrap();
    assert_eq!((rest.as_bytes(), rest.ending()), (&b"rest"[..], Ending::Eof));
    assert!(reader.next_batch().unwrap().is_none());
    assert_eq!(reads(&reader), 2);

    let mut reader = play(LF, &[D(b"a\nrest"), Z, D(b"x\n")]);
    assert_eq!(reader.skip_lines(2).unwrap(), 2);
    assert_eq!(reader.skip_lines(1).unwrap(), 0);
    assert_eq!(reads(&reader), 2);
    assert_eq!(reader.skip_lines(9).unwrap(), 1);
}

#[test]
fn without_a_rest_each_call_asks_again() {
    let mut reader = play(LF, &[D(b"a\n"), Z, Z, D(b"b\n"), Z]);
    gives(&mut reader, "a", 0, 1);
    ends(&mut reader);
    assert_eq!(reads(&reader), 2);
    ends(&mut reader);
    assert_eq!(reads(&reader), 3);
    gives(&mut reader, "b", 2, 2);
}

/// Taking bytes is no reason to remember the end either.
#[test]
fn the_end_between_bytes_is_asked_for_again() {
    let mut reader = play(LF, &[D(b"a"), Z, D(b"b"), Z, Z]);
    assert_eq!(reader.next_byte().unwrap(), Some(b'a'));
    assert_eq!(reader.next_byte().unwrap(), None);
    assert_eq!(reader.next_byte().unwrap(), Some(b'b'));
    assert_eq!(reader.next_byte().unwrap(), None);
    assert_eq!(reads(&reader), 4);
    assert_eq!((reader.offset(), reader.line_number()), (2, 1));
}

#[test]
fn a_followed_file_keeps_its_last_line_until_it_is_whole() {
    let mut reader = play(FOLLOW, &[D(b"one\ntw"), Z, Z, D(b"o"), Z, D(b"\nth"), Z]);
    gives(&mut reader, "one", 0, 1);
    ends(&mut reader);
    assert_eq!(reads(&reader), 2);
    assert_eq!((reader.partial(), reader.has_line()), (&b"tw"[..], false));
    ends(&mut reader);
    assert_eq!(reads(&reader), 3, "every call asks again");
    ends(&mut reader);
    assert_eq!(reader.partial(), b"two");
    assert_eq!((reader.offset(), reader.line_number()), (4, 2));
    assert_eq!(gives(&mut reader, "two", 4, 2), Ending::Delimiter);
    ends(&mut reader);
    assert_eq!(reader.into_parts().1, b"th");
}

#[test]
fn a_followed_file_keeps_its_last_line_from_every_call_for_lines() {
    for (name, call) in CALLS_FOR_LINES {
        let mut reader = play(FOLLOW, &[D(b"begun"), Z, D(b"\n")]);
        call(&mut reader).unwrap();
        assert_eq!(reader.buffer(), b"begun", "{name}");
        gives(&mut reader, "begun", 0, 1);
    }
    // Who wants bytes gets them.
    let mut reader = play(FOLLOW, &[D(b"be"), Z, D(b"gun\n")]);
    ends(&mut reader);
    assert_eq!(reader.next_byte().unwrap(), Some(b'b'));
    gives(&mut reader, "egun", 1, 1);
}

/// Under CRLF the CR that came last may be half of a terminator or content: only the end decides.
#[test]
fn a_cr_before_the_end() {
    let crlf = Rules::plain(Terminator::CrLf);
    let mut reader = play(crlf, &[D(b"a\r"), Z, D(b"\n")]);
    assert_eq!(gives(&mut reader, "a\r", 0, 1), Ending::Eof);
    ends(&mut reader);
    assert_eq!(gives(&mut reader, "", 2, 2), Ending::Delimiter);

    let mut reader = play(Rules { follow: true, ..crlf }, &[D(b"a\r"), Z, D(b"\n")]);
    ends(&mut reader);
    assert_eq!(gives(&mut reader, "a", 0, 1), Ending::CrLf);
}
