//! One read per refill, of a buffer of exactly the capacity that was asked for.

use wholeline::{LineReader, LineReaderBuilder};

use super::{LF, UNIVERSAL, calls_that_read, ends, gives, play, reads};
use crate::support::script::Act::{Block, D, Z};
use crate::support::script::{Source, Step};

#[test]
fn a_buffered_line_costs_no_read() {
    let mut reader = play(LF, &[D(b"a\nb\nc\nd"), Block]);
    for (index, content) in ["a", "b", "c"].into_iter().enumerate() {
        gives(&mut reader, content, 2 * index as u64, index as u64 + 1);
        assert_eq!(reads(&reader), 1);
    }
}

#[test]
fn a_line_costs_the_reads_that_it_takes() {
    let mut reader = play(LF, &[D(b"a"), D(b"b"), D(b"\nc"), D(b"\nd"), Block]);
    gives(&mut reader, "ab", 0, 1);
    assert_eq!(reads(&reader), 3);
    gives(&mut reader, "c", 3, 2);
    assert_eq!(reads(&reader), 4);
}

/// Whichever call it is: it reads once, and not again to see whether there is more.
#[test]
fn no_call_reads_when_it_has_what_it_needs() {
    for (name, call) in calls_that_read().filter(|(name, _)| *name != "for_each_line") {
        let mut reader = play(LF, &[D(b"a\nb"), Block]);
        call(&mut reader).unwrap();
        assert_eq!(reads(&reader), 1, "{name}");
    }
}

#[test]
fn nothing_is_read_before_it_is_asked_for() {
    let mut reader = play(LF, &[Block]);
    assert!(!reader.has_line());
    assert_eq!((reader.offset(), reader.line_number(), reader.skipped()), (0, 1, 0));
    assert_eq!((reader.buffer(), reader.partial()), (&b""[..], &b""[..]));
    assert_eq!(reader.skip_lines(0).unwrap(), 0);
    assert_eq!(std::io::Read::read(&mut reader, &mut []).unwrap(), 0);
    let (_, unread) = reader.into_parts();
    assert!(unread.is_empty());
}

#[test]
fn a_read_asks_for_the_whole_capacity() {
    for capacity in [1, 2, 3, 5, 64, 1000, 4096, 65536] {
        for reader in [LineReader::with_capacity(capacity, Source::whole(b"")), {
            LineReaderBuilder::new().capacity(capacity).build(Source::whole(b""))
        }] {
            let mut reader = reader;
            assert_eq!(reader.capacity(), capacity);
            ends(&mut reader);
            assert_eq!(reader.get_ref().trace().asked(), [capacity]);
            assert_eq!(reader.capacity(), capacity);
        }
    }
}

#[test]
fn no_capacity_is_one_byte() {
    let mut reader = LineReader::with_capacity(0, Source::whole(b"\n\n"));
    assert_eq!(reader.capacity(), 1);
    gives(&mut reader, "", 0, 1);
    gives(&mut reader, "", 1, 2);
    ends(&mut reader);
    assert_eq!(reader.get_ref().trace().asked(), [1, 1, 1]);
    assert_eq!(LineReaderBuilder::new().capacity(0).build(&b""[..]).capacity(), 1);
}

#[test]
fn the_default_is_64_kib() {
    assert_eq!(LineReader::new(&b""[..]).capacity(), 65536);
    assert_eq!(LineReaderBuilder::new().build(&b""[..]).capacity(), 65536);
}

#[test]
fn unread_bytes_leave_the_rest_of_the_capacity_to_a_read() {
    let mut reader = LineReader::with_capacity(8, Source::new(*b"a\nbcdef\nxyz", vec![Step::Give(4); 9]));
    gives(&mut reader, "a", 0, 1);
    // `bc` is unread.
    gives(&mut reader, "bcdef", 2, 2);
    // Nothing is: what was handed out counts no more.
    gives(&mut reader, "xyz", 8, 3);
    assert_eq!(reader.get_ref().trace().asked(), [8, 6, 8, 5]);
    assert_eq!(reader.capacity(), 8);
}

#[test]
fn a_full_buffer_doubles() {
    let mut reader = LineReader::with_capacity(4, Source::whole(b"abcdefghij\nk\n"));
    gives(&mut reader, "abcdefghij", 0, 1);
    assert_eq!(reader.get_ref().trace().asked(), [4, 4, 8]);
    assert_eq!(reader.capacity(), 16);
    gives(&mut reader, "k", 11, 2);
    ends(&mut reader);
    // What has grown stays, until it is asked to shrink.
    assert_eq!(reader.get_ref().trace().asked(), [4, 4, 8, 16]);
}

/// The LF of a CR whose line is out is no data: a read that brings only that is followed by another.
#[test]
fn the_late_lf_of_a_cr_is_not_a_refill() {
    let mut reader = play(UNIVERSAL, &[D(b"a\r"), D(b"\n"), D(b"b\r"), Z, D(b"\n"), D(b"c\n"), Block]);
    gives(&mut reader, "a", 0, 1);
    assert_eq!(reads(&reader), 1);
    gives(&mut reader, "b", 3, 2);
    assert_eq!(reads(&reader), 3);
    // Nor does an end of input between the two make it a line.
    ends(&mut reader);
    gives(&mut reader, "c", 6, 3);
    assert_eq!(reads(&reader), 6);
}

#[test]
fn shrink_to_gives_back_what_grew() {
    let mut reader = LineReader::with_capacity(4, Source::whole(b"abcdefghij\nklm\nno"));
    gives(&mut reader, "abcdefghij", 0, 1);
    assert_eq!((reader.capacity(), reader.buffer()), (16, &b"klm\nn"[..]));
    reader.shrink_to(100);
    assert_eq!(reader.capacity(), 16, "shrinking never grows");
    reader.shrink_to(10);
    assert_eq!(reader.capacity(), 10);
    reader.shrink_to(0);
    assert_eq!((reader.capacity(), reader.buffer()), (5, &b"klm\nn"[..]), "nothing unread is dropped");
    gives(&mut reader, "klm", 11, 2);
    gives(&mut reader, "no", 15, 3);
    ends(&mut reader);
    reader.shrink_to(0);
    assert_eq!(reader.capacity(), 1);
    ends(&mut reader);
}

#[test]
fn shrink_to_before_the_first_read() {
    let mut reader = LineReader::with_capacity(usize::MAX, Source::whole(b"abc\nd"));
    reader.shrink_to(3);
    assert_eq!(reader.capacity(), 3);
    gives(&mut reader, "abc", 0, 1);
    assert_eq!(reader.get_ref().trace().asked(), [3, 3]);
}
