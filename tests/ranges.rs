//! Cut anywhere, an input still gives each of its lines once: ranges of a source, pieces of a slice.

mod support;

use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use wholeline::{LineRange, LineReader, LineReaderBuilder, LineTooLong, OverLong, split};

use support::model::{Policy, Rules};
use support::naive::Terminator;
use support::ranges::{Case, run};
use support::script::{Source, Step};

fn byte() -> impl Strategy<Value = u8> {
    select(b"aab\n\n\n\r\r\r\0".to_vec())
}

/// Runs of one byte, some longer than the windows that a search goes through.
fn long_input() -> impl Strategy<Value = Vec<u8>> {
    let run = (prop_oneof![5 => 0..12usize, 3 => 0..150usize, 1 => 0..9000usize], byte(), byte())
        .prop_map(|(len, filler, last)| [vec![filler; len], vec![last]].concat());
    vec(run, 0..60).prop_map(|runs| runs.concat())
}

fn rules(limits: std::ops::Range<usize>) -> impl Strategy<Value = Rules> {
    let terminator = prop_oneof![
        2 => Just(Terminator::LF),
        2 => Just(Terminator::CrLf),
        3 => Just(Terminator::Universal),
        1 => select(vec![0, b'\r', b'a']).prop_map(Terminator::Byte),
    ];
    let policy = select(vec![Policy::Error, Policy::Skip, Policy::Truncate]);
    (terminator, proptest::option::weighted(0.4, limits), policy, proptest::bool::weighted(0.2))
        .prop_map(|(terminator, limit, policy, follow)| Rules { terminator, limit, policy, follow })
}

fn plan(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let error = select(vec![ErrorKind::Interrupted, ErrorKind::WouldBlock, ErrorKind::Other]);
    let step = prop_oneof![
        3 => Just(Step::Give(1)),
        5 => (1..=most).prop_map(Step::Give),
        2 => error.prop_map(Step::Fail),
        1 => Just(Step::End),
        1 => Just(Step::Lie(1)),
    ];
    vec(step, 0..12).prop_map(|mut plan| {
        plan.push(Step::Rest);
        plan
    })
}

fn cases(cases: u32) -> ProptestConfig {
    // A failure is printed, smallest first; no file is left behind.
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn every_line_comes_from_the_range_it_begins_in(
        bytes in vec(byte(), 0..60),
        plan in plan(20),
        capacity in prop_oneof![1..12usize, Just(4096)],
        rules in rules(0..8),
        cuts in vec(0..70u64, 0..12),
        pieces in 0..12usize,
    ) {
        run(&Case { bytes, plan, capacity, rules, cuts, pieces });
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// Inputs longer than the windows that the search goes through, and lines longer than ranges.
    #[test]
    fn every_line_of_a_long_input_comes_from_the_range_it_begins_in(
        bytes in long_input(),
        plan in plan(9000),
        capacity in select(vec![1, 100, 4096, 65536]),
        rules in rules(0..3000),
        cuts in vec(0..40_000u64, 0..12),
        pieces in prop_oneof![0..12usize, Just(usize::MAX)],
    ) {
        run(&Case { bytes, plan, capacity, rules, cuts, pieces });
    }
}

/// Every string of up to five of the bytes that matter, in ranges of one byte and in every two, byte by byte
/// and at once.
#[test]
fn every_small_input_in_every_cut() {
    for len in 0..=5u32 {
        for code in 0..3usize.pow(len) {
            let bytes: Vec<u8> = (0..len).map(|at| b"a\r\n"[code / 3usize.pow(at) % 3]).collect();
            let bytewise = vec![Step::Give(1); bytes.len()];
            for terminator in [Terminator::LF, Terminator::CrLf, Terminator::Universal] {
                for plan in [bytewise.clone(), vec![Step::Rest]] {
                    let each = (0..=u64::from(len) + 1).collect();
                    for cuts in (0..=u64::from(len)).map(|cut| vec![cut]).chain([each]) {
                        let (bytes, plan) = (bytes.clone(), plan.clone());
                        let (rules, pieces) = (Rules::plain(terminator), cuts.len() + 1);
                        run(&Case { bytes, plan, capacity: 16, rules, cuts, pieces });
                    }
                }
            }
        }
    }
}

/// What a range gives: content, offset, number.
fn lines_of(source: Source, range: std::ops::Range<u64>) -> Vec<(String, u64, u64)> {
    let mut reader = LineReader::range(source, range).expect("a range");
    let mut lines = Vec::new();
    reader.for_each_line(|line| lines.push((line.to_string(), line.offset(), line.number()))).expect("lines");
    lines
}

/// Four lines, whose first bytes stand at 0, 4, 8 and 9.
const FILE: &[u8] = b"one\ntwo\n\nfour";

#[test]
fn a_line_belongs_to_where_its_first_byte_is() {
    let of = |range| lines_of(Source::whole(FILE), range);
    let line = |content: &str, offset, number| (content.to_owned(), offset, number);
    assert_eq!(of(0..1), [line("one", 0, 1)]);
    assert_eq!(of(0..4), [line("one", 0, 1)]);
    assert_eq!(of(0..5), [line("one", 0, 1), line("two", 4, 2)]);
    assert_eq!(of(1..4), []);
    assert_eq!(of(3..4), []);
    assert_eq!(of(3..5), [line("two", 4, 1)]);
    assert_eq!(of(4..5), [line("two", 4, 1)]);
    assert_eq!(of(5..9), [line("", 8, 1)]);
    assert_eq!(of(9..10), [line("four", 9, 1)]);
    assert_eq!(of(9..u64::MAX), [line("four", 9, 1)]);
    assert_eq!(of(10..13), []);
    assert_eq!(of(13..99), []);
    assert_eq!(of(u64::MAX - 1..u64::MAX), []);
}

#[test]
fn an_empty_range_has_no_lines_and_is_not_read() {
    for at in [0, 3, 4, 99, u64::MAX] {
        for range in [at..at, at..at / 2] {
            let source = Source::new(FILE, [Step::MustNotBeCalled]);
            assert_eq!(lines_of(source, range), []);
        }
    }
}

#[test]
fn a_range_counts_from_the_start_of_the_source_wherever_that_stands() {
    let mut source = Cursor::new(FILE);
    source.set_position(6);
    let mut reader = LineReader::range(source, 0..4).unwrap();
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"one");
    assert!(reader.next_line().unwrap().is_none());
    assert_eq!(reader.into_inner().position(), FILE.len() as u64);
}

/// The next line must be this one.
#[track_caller]
fn gives<R: Read>(reader: &mut LineRange<R>, content: &str, offset: u64, number: u64) {
    let line = reader.next_line().expect("a line, not an error").expect("a line, not the end");
    assert_eq!((line.as_bytes(), line.offset(), line.number()), (content.as_bytes(), offset, number));
}

#[test]
fn an_error_before_the_range_loses_nothing() {
    let plan = [
        Step::Fail(ErrorKind::TimedOut),
        Step::Give(1),
        Step::Fail(ErrorKind::Other),
        Step::Give(2),
        Step::Fail(ErrorKind::WouldBlock),
        Step::Rest,
    ];
    // The range begins in the middle of "two".
    let mut reader = LineReader::range(Source::new(FILE, plan), 5..10).unwrap();
    for kind in [ErrorKind::TimedOut, ErrorKind::Other, ErrorKind::WouldBlock] {
        assert_eq!(reader.next_line().unwrap_err().kind(), kind);
    }
    gives(&mut reader, "", 8, 1);
    gives(&mut reader, "four", 9, 2);
    assert!(reader.next_line().unwrap().is_none());
}

#[test]
fn a_source_that_cannot_be_moved_there_is_an_error() {
    #[derive(Debug)]
    struct Stuck;
    impl Read for Stuck {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Ok(0)
        }
    }
    impl Seek for Stuck {
        fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
            Err(ErrorKind::NotSeekable.into())
        }
    }
    assert_eq!(LineReader::range(Stuck, 4..8).unwrap_err().kind(), ErrorKind::NotSeekable);
}

/// The range's end says that there is no more, and needs no read for it.
#[test]
fn nothing_is_read_that_no_line_of_the_range_needs() {
    let source = Source::new(FILE, [Step::Give(4), Step::MustNotBeCalled]);
    assert_eq!(lines_of(source, 0..4), [("one".to_owned(), 0, 1)]);
    // From byte 3 on.
    let source = Source::new(FILE, [Step::Give(5), Step::MustNotBeCalled]);
    assert_eq!(lines_of(source, 4..8), [("two".to_owned(), 4, 1)]);
    // Where the first line begins is not known before its end.
    let source = Source::new(FILE, [Step::Give(2), Step::MustNotBeCalled]);
    assert_eq!(lines_of(source, 1..2), []);
}

/// What comes after an end belongs to where it stands.
#[test]
fn an_input_may_grow_into_the_range() {
    let grown = |plan: &[Step], follow| {
        let builder = LineReaderBuilder::new().follow(follow);
        let source = Source::new(FILE, plan.iter().copied());
        let mut reader = builder.build_range(source, 5..9).unwrap();
        assert!(reader.next_line().unwrap().is_none());
        reader
    };
    for follow in [false, true] {
        // It ended before the range, so that what came then is still of the line before it.
        let mut reader = grown(&[Step::End, Step::Rest], follow);
        gives(&mut reader, "", 8, 1);
        assert!(reader.next_line().unwrap().is_none());
    }
    let within = [Step::Give(2), Step::End, Step::Rest];
    gives(&mut grown(&within, true), "", 8, 1);
    // Not followed, the line before the range ended with the input: this is another.
    let mut reader = grown(&within, false);
    gives(&mut reader, "o", 6, 1);
    gives(&mut reader, "", 8, 2);
}

#[test]
fn a_limit_does_not_mind_the_lines_of_other_ranges() {
    let bytes = b"far too long\nshort\nalso too long\nx\n";
    for policy in [OverLong::Error, OverLong::Skip, OverLong::Truncate] {
        let builder = LineReaderBuilder::new().max_line_len(5).over_long(policy);
        let range = |range| builder.clone().build_range(Cursor::new(bytes), range).unwrap();
        let mut reader = range(3..19);
        gives(&mut reader, "short", 13, 1);
        assert!(reader.next_line().unwrap().is_none());
        assert_eq!(reader.skipped(), 0);
    }
    let builder = LineReaderBuilder::new().max_line_len(5);
    let mut reader = builder.build_range(Cursor::new(bytes), 3..34).unwrap();
    gives(&mut reader, "short", 13, 1);
    let error = reader.next_line().unwrap_err();
    let too_long = error.get_ref().and_then(|inner| inner.downcast_ref::<LineTooLong>()).expect("of ours");
    assert_eq!((too_long.offset(), too_long.number(), too_long.limit()), (19, 2, 5));
    gives(&mut reader, "x", 33, 3);
}

/// One line of a GiB, then a short one, and a note of how it was read.
#[derive(Default)]
struct Giant {
    position: u64,
    read: u64,
    largest: usize,
}

impl Giant {
    const LINE: u64 = 1 << 30;
    const LAST: &[u8] = b"\nlast\n";
}

impl Read for Giant {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.largest = self.largest.max(out.len());
        let n = match Self::LINE.checked_sub(self.position) {
            Some(left @ 1..) => {
                let n = out.len().min(left.try_into().unwrap_or(usize::MAX));
                out[..n].fill(b'z');
                n
            }
            _ => (&Self::LAST[(self.position - Self::LINE) as usize..]).read(out)?,
        };
        self.position += n as u64;
        self.read += n as u64;
        Ok(n)
    }
}

impl Seek for Giant {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(position) = to else { unreachable!("a range knows where it begins") };
        self.position = position;
        Ok(position)
    }
}

#[test]
fn a_range_in_the_middle_of_a_line_of_a_gib_costs_its_own_length() {
    const MIB: u64 = 1 << 20;
    for start in [1, 512 * MIB, Giant::LINE - 2 * MIB] {
        let mut reader = LineReader::range(Giant::default(), start..start + MIB).unwrap();
        assert!(reader.next_line().unwrap().is_none());
        assert!(reader.next_line().unwrap().is_none());
        let Giant { read, largest, .. } = *reader.get_ref();
        assert!(read <= MIB + (64 << 10), "{read} bytes were read");
        assert!(largest <= 64 << 10, "a buffer of {largest} bytes");
    }
    // The last MiB of it and the line behind.
    let start = Giant::LINE - MIB;
    let mut reader = LineReader::range(Giant::default(), start..u64::MAX).unwrap();
    gives(&mut reader, "last", Giant::LINE + 1, 1);
    assert!(reader.next_line().unwrap().is_none());
    let Giant { read, largest, .. } = *reader.get_ref();
    assert_eq!(read, 1 + MIB + Giant::LAST.len() as u64);
    assert!(largest <= 64 << 10, "a buffer of {largest} bytes");
}

#[test]
fn pieces_are_about_equal_where_lines_are_short() {
    let bytes = b"some\nlines\n\nof a few bytes\n".repeat(10_000);
    for count in [1, 2, 3, 7, 64, 1000] {
        let pieces: Vec<_> = split::at_lines(&bytes, count).collect();
        assert_eq!(pieces.len(), count);
        for piece in pieces {
            assert!(piece.len().abs_diff(bytes.len() / count) <= 16, "{} of {count}", piece.len());
            assert!(piece.ends_with(b"\n"));
        }
    }
}

#[test]
fn pieces_that_cannot_be_equal() {
    let pieces = |bytes, count| -> Vec<&[u8]> {
        split::at_lines(bytes, count).map(|piece| piece.as_bytes()).collect()
    };
    let none: [&[u8]; 0] = [];
    assert_eq!(pieces(b"", 4), none);
    assert_eq!(pieces(b"", 0), none);
    assert_eq!(pieces(b"a\nb\n", 0), [b"a\nb\n"]);
    assert_eq!(pieces(b"a\nb\n", 1), [b"a\nb\n"]);
    assert_eq!(pieces(b"no line's end", 4), [b"no line's end"]);
    assert_eq!(pieces(b"a\nb\nc", usize::MAX), [&b"a\n"[..], b"b\n", b"c"]);
    assert_eq!(pieces(b"a long one at first\nb\nc\n", 3), [&b"a long one at first\n"[..], b"b\n", b"c\n"]);
}

#[test]
fn pieces_do_not_cut_a_crlf() {
    // The share of the first ends with the CR.
    let pieces = split::at_lines(b"aa\r\nb\r", 2).terminator(wholeline::Terminator::UNIVERSAL);
    assert_eq!(pieces.map(|piece| piece.as_bytes()).collect::<Vec<_>>(), [&b"aa\r\n"[..], b"b\r"]);
}
