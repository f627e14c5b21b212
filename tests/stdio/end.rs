//! The end of a stream: reported once, and asked for again.

use std::io::Write;

use wholeline::Ending;

use crate::stdio::Cookie;
use crate::stream::Stream;
use crate::support::script::Act::{D, Z};
use crate::support::script::Source;
use crate::{each, gives, next};

/// No read is made that could wait, and no byte more than asked is taken.
#[test]
fn one_read_a_refill() {
    each(|backend| {
        let acts = [D(b"a\nb\nc"), Z, D(b"d\n"), Z, Z];
        let cookie = Cookie::new(Source::play(&acts), 4096);
        let mut reader = cookie.reader().with_backend(backend).unwrap();
        gives(&mut reader, "a", 0, 1);
        assert_eq!(cookie.trace.len(), 1, "P13");
        gives(&mut reader, "b", 2, 2);
        assert_eq!(cookie.trace.len(), 1);
        // The rest, once; then the end, without another read.
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!((line.as_bytes(), line.ending()), (&b"c"[..], Ending::Eof));
        assert_eq!(cookie.trace.len(), 2);
        assert_eq!(next(&mut reader), None);
        assert_eq!(cookie.trace.len(), 2);
        // It is not remembered: a terminal goes on after its end, and a file grows.
        gives(&mut reader, "d", 5, 4);
        assert_eq!(next(&mut reader), None);
        assert_eq!(next(&mut reader), None);
        assert_eq!(cookie.trace.len(), 5);
    });
}

#[test]
fn a_file_that_grows() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    each(|backend| {
        file.as_file().set_len(0).unwrap();
        let stream = Stream::of(file.reopen().unwrap(), c"r");
        let mut reader = stream.reader(backend);
        assert_eq!(next(&mut reader), None);
        let mut writer = std::fs::OpenOptions::new().append(true).open(file.path()).unwrap();
        writer.write_all(b"one\n").unwrap();
        gives(&mut reader, "one", 0, 1);
        assert_eq!(next(&mut reader), None);
        writer.write_all(b"two\n").unwrap();
        gives(&mut reader, "two", 4, 2);
    });
    drop(file.flush());
}

/// An end that C code has met is one for us, once.
#[test]
fn an_end_that_somebody_else_has_met() {
    each(|backend| {
        let cookie = Cookie::new(Source::play(&[D(b"a"), Z, D(b"b\n"), Z]), 4096);
        // SAFETY: the stream is open.
        unsafe {
            assert_eq!(libc::fgetc(cookie.file), i32::from(b'a'));
            assert_eq!(libc::fgetc(cookie.file), libc::EOF);
        }
        let mut reader = cookie.reader().with_backend(backend).unwrap();
        assert_eq!(next(&mut reader), None);
        assert_eq!(cookie.trace.len(), 2);
        gives(&mut reader, "b", 0, 1);
    });
}

/// An end that was undone before it was reported is none.
#[test]
fn rewound_behind_the_last_line() {
    each(|backend| {
        let stream = Stream::file(b"x\ny");
        let mut reader = stream.reader(backend);
        gives(&mut reader, "x", 0, 1);
        gives(&mut reader, "y", 2, 2);
        stream.rewind();
        gives(&mut reader, "x", 3, 3);
        gives(&mut reader, "y", 5, 4);
        assert!(stream.is_at_end());
        assert_eq!(next(&mut reader), None);
    });
}

/// A last line that is too long is an error, and then comes the end, of which the stream's flag tells.
#[test]
fn behind_a_last_line_that_is_too_long() {
    each(|backend| {
        let stream = Stream::file(b"abcdefghijk");
        let mut reader = stream.reader(backend).max_line_len(10);
        assert!(reader.next_line().is_err());
        assert_eq!(next(&mut reader), None);
        assert!(stream.is_at_end());
    });
    // Skipped, it leaves nothing but the end to report.
    let file = tempfile::NamedTempFile::new().unwrap();
    each(|backend| {
        std::fs::write(file.path(), "x\nlong").unwrap();
        let stream = Stream::of(file.reopen().unwrap(), c"r");
        let mut reader = stream.reader(backend).max_line_len(3).over_long(wholeline::OverLong::Skip);
        gives(&mut reader, "x", 0, 1);
        assert_eq!(next(&mut reader), None);
        let mut writer = std::fs::OpenOptions::new().append(true).open(file.path()).unwrap();
        writer.write_all(b"ok\n").unwrap();
        assert!(next(&mut reader).is_some());
    });
}
