//! Lines, bytes, batches, `Read` and `BufRead` on one buffer.

use std::io::{BufRead, Read};

use wholeline::{Ending, LineRead, LineReader, LineReaderBuilder, Terminator};

use super::{CRLF, LF, Rules, UNIVERSAL, ends, gives, play, reads};
use crate::support::naive;
use crate::support::script::Act::{Block, D, Z};
use crate::support::script::{Source, Step};

/// Header lines, a binary body of stated length, lines again.
#[test]
fn a_body_between_lines() {
    let input = b"Content-Length: 8\r\n\r\n\r\n\0\n\xffab\rnext\r\nlast";
    for capacity in [1, 2, 3, 7, 16, 4096] {
        for piece in [1, 5, 100] {
            let plan = vec![Step::Give(piece); input.len()];
            let mut reader = CRLF.builder(capacity).build(Source::new(&input[..], plan));
            let mut length = 0;
            while let Some(line) = reader.next_line().unwrap() {
                match line.strip_prefix(b"Content-Length: ") {
                    Some(value) => length = String::from_utf8_lossy(value).parse().unwrap(),
                    None => break,
                }
            }
            assert_eq!((reader.offset(), reader.line_number()), (21, 3));
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            assert_eq!(body, b"\r\n\0\n\xffab\r");
            // Two LFs went by.
            gives(&mut reader, "next", 29, 5);
            let mut rest = Vec::new();
            reader.read_to_end(&mut rest).unwrap();
            assert_eq!(rest, b"last");
            assert_eq!((reader.offset(), reader.line_number()), (39, 6));
        }
    }
}

#[test]
fn bytes_count_lines() {
    for (terminator, input, number) in [
        (Terminator::LF, &b"a\n\r\n\r"[..], 3),
        (Terminator::CRLF, b"a\n\r\n\r", 3),
        (Terminator::NUL, b"a\n\0\0", 3),
        (Terminator::byte(b'a'), b"a\naa", 4),
        (Terminator::UNIVERSAL, b"a\n\r\n\r", 4),
        (Terminator::UNIVERSAL, b"\r\r\n\n\r", 5),
    ] {
        let reader =
            |capacity| LineReaderBuilder::new().capacity(capacity).terminator(terminator).build(input);
        for capacity in [1, 2, 64] {
            let mut by_byte = reader(capacity);
            for &byte in input {
                assert_eq!(by_byte.next_byte().unwrap(), Some(byte));
            }
            assert_eq!((by_byte.line_number(), by_byte.offset()), (number, input.len() as u64));

            let mut by_consume = reader(capacity);
            loop {
                let len = by_consume.fill_buf().unwrap().len();
                if len == 0 {
                    break;
                }
                by_consume.consume(len);
            }
            assert_eq!(by_consume.line_number(), number);

            for size in [1, 2, 3, 100] {
                let mut by_read = reader(capacity);
                while by_read.read(&mut vec![0; size]).unwrap() > 0 {}
                assert_eq!(by_read.line_number(), number);
            }
        }
    }
}

#[test]
fn the_rest_of_a_line_begun_by_bytes() {
    let mut reader = play(LF, &[D(b"abc\ndef\n")]);
    assert_eq!(reader.peek_byte().unwrap(), Some(b'a'));
    assert_eq!(reader.offset(), 0, "peeking takes nothing");
    assert_eq!(reader.next_byte().unwrap(), Some(b'a'));
    gives(&mut reader, "bc", 1, 1);
    reader.read_exact(&mut [0; 3]).unwrap();
    // Nothing is left of it but its terminator.
    assert_eq!(gives(&mut reader, "", 7, 2), Ending::Delimiter);
    ends(&mut reader);

    let mut reader = play(CRLF, &[D(b"a\r\nb\r\n")]);
    reader.read_exact(&mut [0; 2]).unwrap();
    assert_eq!(gives(&mut reader, "", 2, 1), Ending::Delimiter, "the CR is gone");
    assert_eq!(gives(&mut reader, "b", 3, 2), Ending::CrLf);
}

#[test]
fn peeking_any_number_of_times_reads_once() {
    let mut reader = play(LF, &[D(b"\xff"), Block]);
    for _ in 0..3 {
        assert_eq!(reader.peek_byte().unwrap(), Some(0xFF));
    }
    assert_eq!(reader.fill_buf().unwrap(), b"\xff");
    assert_eq!(reads(&reader), 1);
}

/// A CR taken as a byte ends the line; its LF is one more byte, or nothing to a call for lines.
#[test]
fn a_cr_taken_as_a_byte() {
    for acts in
        [vec![D(b"a\r\nb\n")], vec![D(b"a\r"), D(b"\nb\n")], vec![D(b"a"), D(b"\r"), D(b"\n"), D(b"b\n")]]
    {
        let begun = || {
            let mut reader = play(UNIVERSAL, &acts);
            assert_eq!(reader.next_byte().unwrap(), Some(b'a'));
            assert_eq!(reader.next_byte().unwrap(), Some(b'\r'));
            assert_eq!((reader.offset(), reader.line_number()), (2, 2), "the CR ended its line");
            reader
        };
        let mut reader = begun();
        assert_eq!(reader.next_byte().unwrap(), Some(b'\n'));
        assert_eq!((reader.offset(), reader.line_number()), (3, 2), "and its LF no other");
        gives(&mut reader, "b", 3, 2);

        gives(&mut begun(), "b", 3, 2);
        assert_eq!(begun().next_batch().unwrap().unwrap().next().unwrap().as_bytes(), b"b");
        assert_eq!(begun().skip_lines(2).unwrap(), 1);
    }
    // Only the LF directly after it.
    let mut reader = play(UNIVERSAL, &[D(b"\r\n\nb")]);
    assert_eq!(reader.next_byte().unwrap(), Some(b'\r'));
    gives(&mut reader, "", 2, 2);
    gives(&mut reader, "b", 3, 3);
}

/// A CR that ended a line that was handed out: nobody gets to see its LF.
#[test]
fn a_late_lf_is_dropped_from_bytes_too() {
    let handed_out = |then: &'static [u8]| {
        let mut reader = play(UNIVERSAL, &[D(b"a\r"), D(b"\n"), D(then)]);
        gives(&mut reader, "a", 0, 1);
        reader
    };
    assert_eq!(handed_out(b"b").next_byte().unwrap(), Some(b'b'));
    assert_eq!(handed_out(b"b").peek_byte().unwrap(), Some(b'b'));
    assert_eq!(handed_out(b"b").fill_buf().unwrap(), b"b");
    assert_eq!(handed_out(b"b").read(&mut [0; 4]).unwrap(), 1);
    assert_eq!(handed_out(b"b").read(&mut [0; 8000]).unwrap(), 1);
    // The next LF is a line again.
    let mut reader = handed_out(b"\n");
    assert_eq!(reader.next_byte().unwrap(), Some(b'\n'));
    assert_eq!((reader.offset(), reader.line_number()), (4, 3));

    // Nor where the caller's slice is larger than the buffer, and might have been read into as it is.
    let mut reader = UNIVERSAL.builder(2).build(Source::new(*b"a\r\nbc", [Step::Give(2), Step::Give(3)]));
    gives(&mut reader, "a", 0, 1);
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, b"bc");
    assert_eq!((reader.offset(), reader.line_number()), (5, 2));
}

#[test]
fn std_s_own_ways_to_read() {
    let mut reader = play(LF, &[D(b"first\nse"), D(b"cond\nthird\nfo"), D(b"urth")]);
    gives(&mut reader, "first", 0, 1);
    let mut second = String::new();
    assert_eq!(reader.read_line(&mut second).unwrap(), 7);
    assert_eq!(second, "second\n");
    assert_eq!(reader.line_number(), 3);
    let mut third = Vec::new();
    assert_eq!((&mut reader).take(5).read_to_end(&mut third).unwrap(), 5);
    assert_eq!(third, b"third");
    let mut to = Vec::new();
    reader.read_until(b'u', &mut to).unwrap();
    assert_eq!(to, b"\nfou");
    let mut rest = String::new();
    reader.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "rth");
    assert_eq!(reader.line_number(), 4);

    let lines: Result<Vec<String>, _> = BufRead::lines(play(LF, &[D(b"a\nb"), D(b"c")])).collect();
    assert_eq!(lines.unwrap(), ["a", "bc"]);
    let mut reader = play(LF, &[D(b"ab")]);
    assert!(reader.read_exact(&mut [0; 3]).is_err());
}

#[test]
fn a_batch_is_every_whole_line_that_is_buffered() {
    let mut reader = play(LF, &[D(b"a\n\nccc\nbeg"), D(b"un\n"), Z]);
    let batch = reader.next_batch().unwrap().unwrap();
    assert_eq!(batch.as_bytes(), b"a\n\nccc\n");
    let lines: Vec<_> = batch.map(|line| (line.to_string(), line.offset(), line.number())).collect();
    assert_eq!(lines, [("a".into(), 0, 1), ("".into(), 2, 2), ("ccc".into(), 3, 3)]);
    assert_eq!(reads(&reader), 1);
    assert_eq!(reader.partial(), b"beg");
    let batch = reader.next_batch().unwrap().unwrap();
    let lines: Vec<_> = batch.map(|line| (line.to_string(), line.offset(), line.number())).collect();
    assert_eq!(lines, [("begun".into(), 7, 4)]);
    assert!(reader.next_batch().unwrap().is_none());
}

#[test]
fn a_batch_is_consumed_whether_it_is_looked_at_or_not() {
    for looked_at in 0..4 {
        let mut reader = play(LF, &[D(b"a\nb\nc\nd"), D(b"\n")]);
        let batch = reader.next_batch().unwrap().unwrap();
        assert_eq!(batch.take(looked_at).count(), looked_at.min(3));
        assert_eq!((reader.offset(), reader.line_number(), reader.buffer()), (6, 4, &b"d"[..]));
        gives(&mut reader, "d", 6, 4);
    }
}

#[test]
fn a_batch_after_lines_and_bytes() {
    let mut reader = play(UNIVERSAL, &[D(b"a\rb\r\ncc\nd\r"), D(b"\ne\n"), Block]);
    gives(&mut reader, "a", 0, 1);
    assert_eq!(reader.next_byte().unwrap(), Some(b'b'));
    let batch = reader.next_batch().unwrap().unwrap();
    let lines: Vec<_> = batch.map(|line| (line.to_string(), line.offset(), line.number())).collect();
    assert_eq!(lines, [("".into(), 3, 2), ("cc".into(), 5, 3), ("d".into(), 8, 4)]);
    assert_eq!((reader.offset(), reader.line_number()), (10, 5));
    gives(&mut reader, "e", 11, 5);
}

#[test]
fn skipping_lines() {
    for capacity in [1, 3, 4096] {
        let mut reader = LineReader::with_capacity(capacity, &b"a\n\nc\nd"[..]);
        assert_eq!(reader.skip_lines(0).unwrap(), 0);
        assert_eq!(reader.skip_lines(2).unwrap(), 2);
        assert_eq!((reader.offset(), reader.line_number()), (3, 3));
        gives(&mut reader, "c", 3, 3);
        assert_eq!(reader.skip_lines(u64::MAX).unwrap(), 1, "the last line is one, as it is to next_line");
        assert_eq!((reader.offset(), reader.line_number()), (6, 5));
    }
}

#[test]
fn has_line_asks_nobody() {
    let mut reader = play(LF, &[D(b"a\nb\nc"), Block]);
    assert!(!reader.has_line());
    assert_eq!(reader.next_byte().unwrap(), Some(b'a'));
    assert!(reader.has_line(), "the rest of a line is one");
    assert_eq!(reader.partial(), b"c");
    gives(&mut reader, "", 1, 1);
    assert!(reader.has_line());
    gives(&mut reader, "b", 2, 2);
    assert!(!reader.has_line());

    // A CR alone is a line where it ends one, and where it may be half a terminator it is not.
    let buffered = |rules: Rules| {
        let mut reader = play(rules, &[D(b"a\r"), Block]);
        reader.peek_byte().unwrap();
        reader
    };
    assert!(buffered(UNIVERSAL).has_line());
    assert!(!buffered(CRLF).has_line());
}

/// No BOM, no CR, no NUL, no byte at all is special.
#[test]
fn joining_the_lines_gives_the_input_back() {
    let mut input = b"\xef\xbb\xbfbom\r\n\0\xff\r\r\n\n".to_vec();
    for round in 0..3u8 {
        input.extend((0..=255u8).map(|byte| byte.wrapping_mul(2 * round + 1)));
    }
    for terminator in [naive::Terminator::LF, naive::Terminator::CrLf]
        .into_iter()
        .chain((0..=255).map(naive::Terminator::Byte))
    {
        for capacity in [1, 7, 4096] {
            let mut reader = Rules::plain(terminator).builder(capacity).build(&input[..]);
            let mut joined = Vec::new();
            let mut lines = 0;
            while reader.read_line_into(&mut joined).unwrap() > 0 {
                lines += 1;
            }
            assert_eq!(joined, input);
            assert_eq!(lines, naive::split(terminator, &input).len(), "{terminator:?}");
        }
    }
}
