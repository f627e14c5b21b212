//! Positions: where the reader is, going elsewhere, and giving the source back.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use wholeline::LineReader;

use super::{CRLF, LF, UNIVERSAL, at_most, ends, gives, reads};
use crate::support::model::Policy::{Error, Truncate};
use crate::support::script::{Source, Step};

const INPUT: &[u8] = b"a\nbb\nccc\nd";

/// Where it is; unlike `stream_position` it moves the source there.
const HERE: SeekFrom = SeekFrom::Current(0);

#[test]
fn sync_leaves_the_source_at_the_next_unread_byte() {
    for capacity in [1, 2, 3, 4096] {
        let mut reader = LineReader::with_capacity(capacity, Source::whole(INPUT));
        reader.sync().unwrap();
        assert_eq!(reader.get_ref().position(), 0);
        gives(&mut reader, "a", 0, 1);
        reader.sync().unwrap();
        assert_eq!(reader.get_ref().position(), 2);
        assert_eq!((reader.offset(), reader.line_number(), reader.buffer()), (2, 2, &b""[..]));
        // Nothing was lost, and the count goes on.
        gives(&mut reader, "bb", 2, 2);
        assert_eq!(reader.next_byte().unwrap(), Some(b'c'));
        reader.sync().unwrap();
        assert_eq!(reader.get_ref().position(), 6);
        gives(&mut reader, "cc", 6, 3);
        gives(&mut reader, "d", 9, 4);
        ends(&mut reader);
        reader.sync().unwrap();
        assert_eq!(reader.get_ref().position(), 10);
    }
}

/// Whoever goes on there is not to see the LF of a CR whose line is out, or the rest of an over-long line.
#[test]
fn sync_is_at_the_beginning_of_a_line() {
    let mut reader = UNIVERSAL.builder(2).build(Source::whole(b"a\r\nb\n"));
    gives(&mut reader, "a", 0, 1);
    reader.sync().unwrap();
    assert_eq!((reader.get_ref().position(), reader.offset()), (3, 3));
    gives(&mut reader, "b", 3, 2);

    for policy in [Error, Truncate] {
        let mut reader = at_most(3, policy).builder(4).build(Source::whole(b"1234567\nok\n"));
        let _ = reader.next_line();
        reader.sync().unwrap();
        assert_eq!((reader.get_ref().position(), reader.offset()), (8, 8));
        gives(&mut reader, "ok", 8, 2);
    }
}

#[test]
fn stream_position_keeps_the_buffer() {
    let mut reader = LineReader::new(Source::whole(INPUT));
    assert_eq!(reader.stream_position().unwrap(), 0);
    gives(&mut reader, "a", 0, 1);
    assert_eq!(reader.stream_position().unwrap(), 2);
    assert_eq!(reader.buffer(), b"bb\nccc\nd");
    gives(&mut reader, "bb", 2, 2);
    assert_eq!(reads(&reader), 1);
}

#[test]
fn seeking_from_the_start() {
    let mut reader = LineReader::new(Source::whole(INPUT));
    gives(&mut reader, "a", 0, 1);
    gives(&mut reader, "bb", 2, 2);
    assert_eq!(reader.seek(SeekFrom::Start(6)).unwrap(), 6);
    assert_eq!(reader.buffer(), b"");
    // How many lines were passed over nobody knows: the count begins anew.
    assert_eq!((reader.offset(), reader.line_number()), (6, 1));
    gives(&mut reader, "cc", 6, 1);
    reader.rewind().unwrap();
    gives(&mut reader, "a", 0, 1);
}

#[test]
fn seeking_from_here_goes_by_the_next_unread_byte() {
    for capacity in [1, 3, 4096] {
        let mut reader = LineReader::with_capacity(capacity, Source::whole(INPUT));
        gives(&mut reader, "a", 0, 1);
        assert_eq!(reader.seek(SeekFrom::Current(3)).unwrap(), 5);
        gives(&mut reader, "ccc", 5, 1);
        assert_eq!(reader.seek(SeekFrom::Current(-4)).unwrap(), 5);
        gives(&mut reader, "ccc", 5, 1);
        reader.seek_relative(-7).unwrap();
        gives(&mut reader, "bb", 2, 1);
    }
}

#[test]
fn seeking_to_here_keeps_the_count() {
    let mut reader = LineReader::new(Source::whole(INPUT));
    gives(&mut reader, "a", 0, 1);
    assert_eq!(reader.seek(HERE).unwrap(), 2);
    assert_eq!(reader.get_ref().position(), 2);
    gives(&mut reader, "bb", 2, 2);
}

#[test]
fn seeking_from_the_end() {
    let mut reader = LineReader::new(Source::whole(INPUT));
    gives(&mut reader, "a", 0, 1);
    assert_eq!(reader.seek(SeekFrom::End(-1)).unwrap(), 9);
    gives(&mut reader, "d", 9, 1);
    assert_eq!(reader.seek(SeekFrom::End(5)).unwrap(), 15);
    ends(&mut reader);
    assert_eq!(reader.offset(), 15);
}

/// Somewhere else nothing of what was before matters.
#[test]
fn seeking_forgets_where_it_was() {
    let mut reader = UNIVERSAL.builder(2).build(Source::whole(b"a\r\n\nb\n"));
    gives(&mut reader, "a", 0, 1);
    reader.seek(SeekFrom::Start(3)).unwrap();
    gives(&mut reader, "", 3, 1);

    let mut reader = at_most(3, Error).builder(4).build(Source::whole(b"ab\n1234567\nok\n"));
    gives(&mut reader, "ab", 0, 1);
    assert!(reader.next_line().is_err());
    reader.rewind().unwrap();
    gives(&mut reader, "ab", 0, 1);

    let mut reader = LineReader::new(Source::whole(b"x\nrest"));
    assert_eq!(reader.skip_lines(2).unwrap(), 2);
    reader.rewind().unwrap();
    gives(&mut reader, "x", 0, 1);
}

/// A source of which every seek fails.
struct Stuck<'a>(&'a [u8]);

impl Read for Stuck<'_> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        self.0.read(dst)
    }
}

impl Seek for Stuck<'_> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(ErrorKind::PermissionDenied.into())
    }
}

#[test]
fn a_seek_that_fails_changes_nothing() {
    for rules in [LF, CRLF, UNIVERSAL] {
        let mut reader = rules.builder(64).build(Stuck(INPUT));
        gives(&mut reader, "a", 0, 1);
        for to in [SeekFrom::Start(0), SeekFrom::Current(1), HERE, SeekFrom::End(0)] {
            assert_eq!(reader.seek(to).unwrap_err().kind(), ErrorKind::PermissionDenied);
        }
        assert_eq!(reader.sync().unwrap_err().kind(), ErrorKind::PermissionDenied);
        assert_eq!((reader.buffer(), reader.offset(), reader.line_number()), (&b"bb\nccc\nd"[..], 2, 2));
        gives(&mut reader, "bb", 2, 2);
    }
    let mut reader = LineReader::new(Source::whole(INPUT));
    gives(&mut reader, "a", 0, 1);
    for by in [-3, i64::MIN] {
        assert!(reader.seek(SeekFrom::Current(by)).is_err(), "before the beginning");
    }
    gives(&mut reader, "bb", 2, 2);
}

/// The source need not stand at its beginning: the reader counts from where it began.
#[test]
fn a_source_that_was_read_from_before() {
    let mut source = Source::new(INPUT, [Step::Rest]);
    source.seek(SeekFrom::Start(5)).unwrap();
    let mut reader = LineReader::new(source);
    gives(&mut reader, "ccc", 0, 1);
    assert_eq!(reader.stream_position().unwrap(), 9, "a position is the source's");
    assert_eq!(reader.seek(SeekFrom::Start(2)).unwrap(), 2);
    gives(&mut reader, "bb", 2, 1);
}
