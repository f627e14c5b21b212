//! A source that lies, and memory that is not there.

use std::io::{BufRead, ErrorKind, Read};

use wholeline::LineReader;

use super::{CRLF, LF, UNIVERSAL, calls_that_read, gives, reads};
use crate::support::script::{Source, Step};

/// The lie is one error; what was true before and after it is all there.
#[test]
fn a_lie_changes_nothing() {
    for lie in [1, 2, 4096, usize::MAX] {
        for rules in [LF, CRLF, UNIVERSAL] {
            let plan = [Step::Give(4), Step::Lie(lie), Step::Lie(lie), Step::Rest];
            let mut reader = rules.builder(64).build(Source::new(*b"a\nbcd\ne", plan));
            gives(&mut reader, "a", 0, 1);
            for _ in 0..2 {
                assert_eq!(reader.next_line().unwrap_err().kind(), ErrorKind::Other);
                assert_eq!((reader.buffer(), reader.offset(), reader.line_number()), (&b"bc"[..], 2, 2));
            }
            gives(&mut reader, "bcd", 2, 2);
            gives(&mut reader, "e", 6, 3);
        }
    }
}

#[test]
fn a_lie_to_a_read_that_goes_past_the_buffer() {
    let mut reader = LineReader::with_capacity(4, Source::new(*b"abc", [Step::Lie(1), Step::Rest]));
    let mut dst = [0; 100];
    assert_eq!(reader.read(&mut dst).unwrap_err().kind(), ErrorKind::Other);
    assert_eq!((reader.offset(), reader.buffer()), (0, &b""[..]));
    assert_eq!(reader.read(&mut dst).unwrap(), 3);
}

/// A buffer that cannot be had costs nothing until it is needed, and then not a byte of the source.
#[test]
fn out_of_memory_is_an_error() {
    for capacity in [usize::MAX, usize::MAX / 2, usize::MAX / 4] {
        for (name, call) in calls_that_read() {
            for rules in [LF, CRLF, UNIVERSAL] {
                let mut reader = rules.builder(capacity).build(Source::whole(b"ab\n"));
                assert_eq!(reader.capacity(), capacity);
                for _ in 0..2 {
                    let error = call(&mut reader).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::OutOfMemory, "{name} with {capacity}");
                }
                assert_eq!(reads(&reader), 0, "{name} consumed something first");
                // The way out.
                reader.shrink_to(16);
                gives(&mut reader, "ab", 0, 1);
            }
        }
    }
}

/// A reader that is told of no limit takes a huge slice for the read as it is.
#[test]
fn a_read_as_large_as_the_buffer_goes_straight_through() {
    let mut reader = LineReader::with_capacity(4, Source::whole(b"abcdefgh\nx"));
    let mut dst = [0; 9];
    assert_eq!(reader.read(&mut dst).unwrap(), 9);
    assert_eq!(&dst, b"abcdefgh\n");
    assert_eq!(reader.get_ref().trace().asked(), [9], "one read, of the caller's size");
    assert_eq!((reader.offset(), reader.line_number(), reader.capacity()), (9, 2, 4));
    // With something unread, that comes first, alone.
    let mut reader = LineReader::with_capacity(4, Source::whole(b"abcdefgh\nx"));
    assert_eq!(reader.fill_buf().unwrap(), b"abcd");
    assert_eq!(reader.read(&mut dst).unwrap(), 4);
    assert_eq!(reader.get_ref().trace().asked(), [4]);
    // A smaller slice goes through the buffer.
    assert_eq!(reader.read(&mut dst[..3]).unwrap(), 3);
    assert_eq!(reader.get_ref().trace().asked(), [4, 4]);
    assert_eq!(reader.buffer(), b"h");
}
