//! The length limit, and what becomes of a line that is longer.

use std::io::{BufRead, ErrorKind, Read};

use wholeline::{Ending, LineReader, LineReaderBuilder, LineTooLong, OverLong};

use super::{FOLLOW, Rules, at_most, ends, gives, play, reads};
use crate::support::model::Failure;
use crate::support::model::Policy::{Error, Skip, Truncate};
use crate::support::script::Act::{Block, D, E, Z};
use crate::support::script::Source;

#[track_caller]
fn fails_as_too_long<R: Read>(reader: &mut LineReader<R>, offset: u64, number: u64, limit: usize) {
    let error = reader.next_line().expect_err("the line is too long");
    assert_eq!(Failure::from(&error), Failure::TooLong { offset, number, limit });
}

#[test]
fn the_error_says_which_line_and_what_limit() {
    let mut reader = play(at_most(3, Error), &[D(b"abc\nabcd\nx\n")]);
    gives(&mut reader, "abc", 0, 1);
    let error = reader.next_line().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    let too_long: &LineTooLong = error.get_ref().and_then(|inner| inner.downcast_ref()).unwrap();
    assert_eq!((too_long.offset(), too_long.number(), too_long.limit()), (4, 2, 3));
    let said = error.to_string();
    assert!(said.contains('2') && said.contains('3'), "{said:?} names the line and the limit");
    gives(&mut reader, "x", 9, 3);
    ends(&mut reader);
    assert_eq!(reader.skipped(), 0);
}

#[test]
fn error_is_the_default_when_a_limit_is_set() {
    let mut reader = LineReaderBuilder::new().max_line_len(1).build(Source::whole(b"ab\nc\n"));
    fails_as_too_long(&mut reader, 0, 1, 1);
    gives(&mut reader, "c", 3, 2);
    assert_eq!(OverLong::default(), OverLong::Error);
}

/// A peer that never ends its line must not make the reader wait for the end of it.
#[test]
fn an_over_long_line_is_dealt_with_at_once() {
    let mut reader = play(at_most(3, Error), &[D(b"abcd"), Block]);
    fails_as_too_long(&mut reader, 0, 1, 3);
    let mut reader = play(at_most(3, Truncate), &[D(b"ab"), D(b"cd"), Block]);
    let line = reader.next_line().unwrap().unwrap();
    assert_eq!((line.as_bytes(), line.with_terminator()), (&b"abc"[..], &b"abc"[..]));
    assert_eq!((line.ending(), line.is_terminated()), (Ending::Limit, false));
    assert_eq!((line.offset(), line.number()), (0, 1));
    // Not before it is over-long, though.
    let mut reader = play(at_most(3, Error), &[D(b"abc"), D(b"\n"), Block]);
    gives(&mut reader, "abc", 0, 1);
}

/// Said once however many pieces it comes in, and no piece is ever taken for a line.
#[test]
fn the_rest_of_an_over_long_line_is_dropped() {
    let pieces = [D(b"1234"), D(b"5678"), D(b"9"), D(b"0\nok"), D(b"\nabcde\n\n")];
    let mut reader = play(at_most(3, Error), &pieces);
    fails_as_too_long(&mut reader, 0, 1, 3);
    gives(&mut reader, "ok", 11, 2);
    fails_as_too_long(&mut reader, 14, 3, 3);
    gives(&mut reader, "", 20, 4);
    ends(&mut reader);

    let mut reader = play(at_most(3, Skip), &pieces);
    gives(&mut reader, "ok", 11, 2);
    assert_eq!(reader.skipped(), 1);
    gives(&mut reader, "", 20, 4);
    assert_eq!(reader.skipped(), 2);
    ends(&mut reader);

    let mut reader = play(at_most(3, Truncate), &pieces);
    assert_eq!(gives(&mut reader, "123", 0, 1), Ending::Limit);
    assert_eq!(gives(&mut reader, "ok", 11, 2), Ending::Delimiter);
    assert_eq!(gives(&mut reader, "abc", 14, 3), Ending::Limit);
    assert_eq!(gives(&mut reader, "", 20, 4), Ending::Delimiter);
    ends(&mut reader);
    assert_eq!(reader.skipped(), 0);
}

#[test]
fn state_while_the_rest_is_dropped() {
    for policy in [Error, Truncate] {
        let mut reader = play(at_most(3, policy), &[D(b"12345"), D(b"678\nok\n")]);
        let _ = reader.next_line();
        assert_eq!((reader.buffer(), reader.partial()), (&b""[..], &b""[..]));
        assert!(!reader.has_line());
        assert_eq!(reader.offset(), 5, "as far as the source stands");
        assert_eq!(reader.line_number(), 2, "the over-long line has had its number");
        gives(&mut reader, "ok", 9, 2);
    }
}

#[test]
fn errors_while_the_rest_is_dropped() {
    let acts = [D(b"1234"), E(ErrorKind::WouldBlock), D(b"567"), E(ErrorKind::Other), D(b"8\nok\n")];
    for policy in [Error, Skip, Truncate] {
        let mut reader = play(at_most(3, policy), &acts);
        if policy != Skip {
            let _ = reader.next_line();
        }
        assert_eq!(reader.next_line().unwrap_err().kind(), ErrorKind::WouldBlock);
        assert_eq!(reader.next_line().unwrap_err().kind(), ErrorKind::Other);
        gives(&mut reader, "ok", 9, 2);
    }
}

#[test]
fn the_end_while_the_rest_is_dropped() {
    for policy in [Error, Truncate] {
        let rules = at_most(3, policy);
        // The input is over, and so is the line.
        let mut reader = play(rules, &[D(b"1234"), Z, D(b"new\n")]);
        let _ = reader.next_line();
        ends(&mut reader);
        gives(&mut reader, "new", 4, 2);
        // A followed input may go on with it.
        let mut reader = play(Rules { follow: true, ..rules }, &[D(b"1234"), Z, Z, D(b"567\nnew\n")]);
        let _ = reader.next_line();
        ends(&mut reader);
        ends(&mut reader);
        gives(&mut reader, "new", 8, 2);
    }
}

#[test]
fn an_over_long_last_line() {
    let mut reader = play(at_most(3, Error), &[D(b"a\n1234"), Z, Z]);
    gives(&mut reader, "a", 0, 1);
    fails_as_too_long(&mut reader, 2, 2, 3);
    ends(&mut reader);
    let mut reader = play(at_most(3, Skip), &[D(b"a\n1234"), Z, Z]);
    gives(&mut reader, "a", 0, 1);
    ends(&mut reader);
    assert_eq!(reader.skipped(), 1);
    // The CR that could have been half of a terminator makes it over-long only at the end.
    let crlf = |policy| Rules { terminator: super::CRLF.terminator, ..at_most(3, policy) };
    for policy in [Error, Skip, Truncate] {
        let mut reader = play(crlf(policy), &[D(b"123\r"), Z, D(b"new\n")]);
        match policy {
            Error => fails_as_too_long(&mut reader, 0, 1, 3),
            Skip => {}
            Truncate => assert_eq!(gives(&mut reader, "123", 0, 1), Ending::Limit),
        }
        ends(&mut reader);
        assert_eq!(reads(&reader), 2);
        gives(&mut reader, "new", 4, 2);
    }
    let mut reader = play(Rules { follow: true, ..crlf(Error) }, &[D(b"123\r"), Z, D(b"\n")]);
    ends(&mut reader);
    assert_eq!(gives(&mut reader, "123", 0, 1), Ending::CrLf);
}

#[test]
fn bytes_after_an_over_long_line_are_those_of_the_next() {
    for policy in [Error, Truncate] {
        let over_long = || {
            let mut reader = play(at_most(3, policy), &[D(b"1234"), D(b"5\n"), D(b"ab\n")]);
            let _ = reader.next_line();
            reader
        };
        assert_eq!(over_long().peek_byte().unwrap(), Some(b'a'));
        assert_eq!(over_long().next_byte().unwrap(), Some(b'a'));
        assert_eq!(over_long().fill_buf().unwrap(), b"ab\n");
        for len in [2, 8000] {
            let mut reader = over_long();
            let mut dst = vec![0; len];
            let count = reader.read(&mut dst).unwrap();
            assert_eq!(&dst[..count], &b"ab\n"[..len.min(3)]);
            assert_eq!(reader.offset(), 6 + count as u64);
        }
    }
    // Bytes have no length limit of their own.
    let mut reader = play(at_most(3, Error), &[D(b"12345\nok\n")]);
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line).unwrap();
    assert_eq!(line, b"12345\n");
    gives(&mut reader, "ok", 6, 2);
    // The limit goes by what is handed out, here the rest of the line.
    let mut reader = play(at_most(3, Error), &[D(b"12345\n")]);
    reader.read_exact(&mut [0; 2]).unwrap();
    gives(&mut reader, "345", 2, 1);
}

#[test]
fn a_batch_stops_before_an_over_long_line() {
    for policy in [Error, Skip, Truncate] {
        let mut reader = play(at_most(3, policy), &[D(b"a\nb\n1234\nc\nd\n"), Block]);
        let mut batch = || -> Result<Vec<(String, u64)>, Failure> {
            let batch = reader.next_batch().map_err(|error| Failure::from(&error))?;
            Ok(batch.expect("a batch").map(|line| (line.to_string(), line.number())).collect())
        };
        let lines = |lines: &[(&str, u64)]| {
            Ok(lines.iter().map(|(line, n)| (line.to_string(), *n)).collect::<Vec<_>>())
        };
        assert_eq!(batch(), lines(&[("a", 1), ("b", 2)]));
        match policy {
            Error => assert_eq!(batch(), Err(Failure::TooLong { offset: 4, number: 3, limit: 3 })),
            Skip => {}
            Truncate => assert_eq!(batch(), lines(&[("123", 3)])),
        }
        assert_eq!(batch(), lines(&[("c", 4), ("d", 5)]));
    }
}

#[test]
fn has_line_knows_the_policy() {
    let buffered = |policy, rest: &'static [u8]| {
        let mut reader = play(at_most(3, policy), &[D(b"a\n"), D(rest), Block]);
        gives(&mut reader, "a", 0, 1);
        // Brings the rest in and takes nothing of it.
        reader.peek_byte().unwrap();
        reader
    };
    for policy in [Error, Truncate] {
        assert!(buffered(policy, b"1234\n").has_line());
    }
    assert!(!buffered(Skip, b"1234\n").has_line());
    assert!(!buffered(Skip, b"1234\nb").has_line());
    assert!(buffered(Skip, b"1234\nb\n").has_line());
    // Its beginning is to be had without a read.
    assert!(buffered(Truncate, b"1234").has_line());
    assert!(!buffered(Skip, b"1234").has_line());
    assert!(!buffered(Truncate, b"123").has_line());
}

#[test]
fn over_long_lines_among_those_to_skip() {
    let input = [D(b"a\n1234\nb\n5678\nc\n")];
    let mut reader = play(at_most(3, Error), &input);
    assert!(reader.skip_lines(3).is_err());
    assert_eq!(reader.line_number(), 3);
    let mut reader = play(at_most(3, Truncate), &input);
    assert_eq!(reader.skip_lines(3).unwrap(), 3);
    assert_eq!(reader.line_number(), 4);
    let mut reader = play(at_most(3, Skip), &input);
    assert_eq!(reader.skip_lines(3).unwrap(), 3);
    assert_eq!((reader.line_number(), reader.skipped()), (6, 2));
}

#[test]
fn a_limit_of_nothing_lets_empty_lines_through() {
    let mut reader = play(at_most(0, Skip), &[D(b"a\n\nbb\n\n")]);
    gives(&mut reader, "", 2, 2);
    gives(&mut reader, "", 6, 4);
    ends(&mut reader);
    let mut reader = play(at_most(0, Truncate), &[D(b"a\n\n")]);
    assert_eq!(gives(&mut reader, "", 0, 1), Ending::Limit);
    assert_eq!(gives(&mut reader, "", 2, 2), Ending::Delimiter);
    ends(&mut reader);
}

/// No arithmetic on the limit may overflow.
#[test]
fn a_limit_beyond_memory_is_no_limit() {
    for limit in [usize::MAX, usize::MAX - 1, usize::MAX - 2, usize::MAX / 2] {
        for rules in [super::LF, super::CRLF, super::UNIVERSAL, FOLLOW] {
            let rules = Rules { limit: Some(limit), ..rules };
            let mut reader = rules.builder(2).build(&b"abcdefghijklmnop\nx\n"[..]);
            gives(&mut reader, "abcdefghijklmnop", 0, 1);
            gives(&mut reader, "x", 17, 2);
        }
    }
}
