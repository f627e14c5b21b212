//! Lines from both ends and from the end alone, against the naive splitter.

use std::collections::VecDeque;
use std::io::Cursor;

use proptest::collection::vec;
use proptest::prelude::*;
use wholeline::{LineRead, LineReader, Lines, RevLineReader};

use super::{byte, cases, long_input, terminator};
use crate::support::model::{Policy, Rules};
use crate::support::naive::{Ending, Line, Terminator, split};

/// Takes lines from the front and from the back as `turns` say, over and over, and then two more from each:
/// each must be the one expected, and what is left must be the bytes between them.
fn take_from_both_ends(mut lines: Lines<'_>, bytes: &[u8], mut expected: VecDeque<Line>, turns: &[bool]) {
    let mut left = 0..bytes.len();
    for (step, &back) in turns.iter().cycle().take(expected.len()).enumerate() {
        // Compared by where they are: this is done for each line.
        let rest = bytes[left.clone()].as_ptr_range();
        assert!(lines.as_bytes().as_ptr_range() == rest, "before step {step} of {turns:?}");
        let (line, wanted) = if back {
            (lines.next_back(), expected.pop_back())
        } else {
            (lines.next(), expected.pop_front())
        };
        assert_eq!(line.map(Line::from), wanted, "step {step} of {turns:?}, the back's: {back}");
        let len = wanted.map_or(0, |line| line.whole.len());
        if back {
            left.end -= len;
        } else {
            left.start += len;
        }
    }
    for _ in 0..2 {
        assert!(lines.next().is_none());
        assert!(lines.next_back().is_none());
    }
    assert!(lines.as_bytes().is_empty());
}

fn both_ends(bytes: &[u8], terminator: Terminator, turns: &[bool]) {
    let lines = Lines::new(bytes, terminator.of_the_crate());
    take_from_both_ends(lines, bytes, split(terminator, bytes).into(), turns);
}

/// Runs of calls at one end, so that windows are gone through from each.
fn turns() -> impl Strategy<Value = Vec<bool>> {
    let run = (any::<bool>(), prop_oneof![3 => 1..4usize, 1 => 1..300usize]);
    vec(run, 1..20).prop_map(|runs| runs.into_iter().flat_map(|(back, len)| vec![back; len]).collect())
}

/// As `rev` gives them.
fn reversed(terminator: Terminator, bytes: &[u8]) -> Vec<Line> {
    let mut lines = split(terminator, bytes);
    lines.reverse();
    lines
}

/// The same with numbers that count from the end.
fn numbered_from_the_end(terminator: Terminator, bytes: &[u8]) -> Vec<Line> {
    let lines = reversed(terminator, bytes).into_iter().zip(1..);
    lines.map(|(line, number)| Line { number, ..line }).collect()
}

fn all<L: LineRead>(mut reader: L) -> Vec<Line> {
    let mut lines = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        lines.push(line.into());
    }
    assert!(reader.next_line().unwrap().is_none());
    lines
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn from_both_ends(bytes in vec(byte(), 0..100), terminator in terminator(), turns in turns()) {
        both_ends(&bytes, terminator, &turns);
    }

    /// Every batch, as far as the turns go; the rest of it is consumed all the same, and counted.
    #[test]
    fn batches_from_both_ends(
        bytes in vec(byte(), 0..200),
        capacity in 1..80usize,
        rules in (terminator(), proptest::option::of(0..12usize)),
        turns in turns(),
        most in 0..40usize,
    ) {
        let (terminator, limit) = rules;
        let rules = Rules { terminator, limit, policy: Policy::Truncate, follow: false };
        let mut one_by_one = rules.builder(capacity).build(&bytes[..]);
        let mut reader = rules.builder(capacity).build(&bytes[..]);
        while let Some(mut batch) = reader.next_batch().unwrap() {
            let whole = batch.as_bytes();
            let mut expected = VecDeque::new();
            let mut len = 0;
            // Of an empty line that was cut there is not a byte in the batch.
            while expected.is_empty() || len < whole.len() {
                let line = Line::from(one_by_one.next_line().unwrap().unwrap());
                len += line.whole.len();
                expected.push_back(line);
            }
            if expected.len() <= most {
                take_from_both_ends(batch, whole, expected, &turns);
            } else {
                for &back in turns.iter().cycle().take(most) {
                    let (line, wanted) = if back {
                        (batch.next_back(), expected.pop_back())
                    } else {
                        (batch.next(), expected.pop_front())
                    };
                    prop_assert_eq!(line.map(Line::from), wanted);
                }
            }
            prop_assert_eq!(reader.line_number(), one_by_one.line_number());
            prop_assert_eq!(reader.offset(), one_by_one.offset());
        }
        prop_assert!(one_by_one.next_line().unwrap().is_none());
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn long_inputs_from_both_ends(bytes in long_input(), terminator in terminator(), turns in turns()) {
        both_ends(&bytes, terminator, &turns);
    }

    #[test]
    fn rev_is_the_lines_reversed(bytes in long_input(), terminator in terminator(), first in 0..5usize) {
        let mut lines = Lines::new(&bytes, terminator.of_the_crate());
        let mut expected = reversed(terminator, &bytes);
        for _ in 0..first.min(expected.len()) {
            prop_assert_eq!(lines.next().map(Line::from), expected.pop());
        }
        prop_assert_eq!(lines.clone().count(), expected.len());
        prop_assert_eq!(lines.rev().map(Line::from).collect::<Vec<_>>(), expected);
    }

    /// What the front has left is folded, whatever the back has taken.
    #[test]
    fn a_fold_ends_where_the_back_is(bytes in long_input(), terminator in terminator(), taken in 0..300usize) {
        let mut expected = split(terminator, &bytes);
        let mut lines = Lines::new(&bytes, terminator.of_the_crate());
        lines.next();
        for _ in 0..taken {
            lines.next_back();
        }
        expected.truncate(expected.len().saturating_sub(taken).max(1));
        let rest: Vec<Line> = lines.map(Line::from).collect();
        prop_assert_eq!(&rest[..], expected.get(1..).unwrap_or_default());
    }

    #[test]
    fn from_the_end_of_a_source(bytes in long_input(), terminator in terminator(), repeat in 1..4usize) {
        let bytes = bytes.repeat(repeat);
        let reader = RevLineReader::new(Cursor::new(&bytes)).unwrap().terminator(terminator.of_the_crate());
        prop_assert_eq!(all(reader), numbered_from_the_end(terminator, &bytes));
    }
}

/// Every string of up to five of the bytes that matter, and every way to take its lines.
#[test]
fn every_small_input_from_both_ends() {
    for len in 0..=5u32 {
        for code in 0..3usize.pow(len) {
            let bytes: Vec<u8> = (0..len).map(|at| b"a\r\n"[code / 3usize.pow(at) % 3]).collect();
            for terminator in [Terminator::LF, Terminator::CrLf, Terminator::Universal] {
                let lines = split(terminator, &bytes).len();
                for ways in 0..1usize << lines {
                    let turns: Vec<_> = (0..lines.max(1)).map(|step| ways >> step & 1 == 1).collect();
                    both_ends(&bytes, terminator, &turns);
                }
                let reader = RevLineReader::new(Cursor::new(&bytes)).unwrap();
                let reader = reader.terminator(terminator.of_the_crate());
                assert_eq!(all(reader), numbered_from_the_end(terminator, &bytes), "{bytes:?}");
            }
        }
    }
}

/// CR and LF on each side of where one window ends and the next begins, seen from either end; long lines and
/// short ones before it, so that each way to search comes to be used.
#[test]
fn terminators_across_windows() {
    for terminator in [Terminator::LF, Terminator::CrLf, Terminator::Universal] {
        for (front, back) in [(0, 0), (1, 2), (5, 1), (2, 5)] {
            // Every place in a block, and some more.
            for shift in 0..67 {
                for middle in [&b"\r\n"[..], b"\r", b"\n\r", b"\r\r\n", b"\n"] {
                    let bytes = [
                        &b"x".repeat(4000 * front + shift)[..],
                        middle,
                        b"y",
                        middle,
                        &b"z".repeat(4064 * back)[..],
                        middle,
                        &b"short\r\n".repeat(9 * shift)[..],
                        &b"z".repeat(shift)[..],
                    ]
                    .concat();
                    for turns in [&[true][..], &[true, true, false]] {
                        both_ends(&bytes, terminator, turns);
                    }
                }
            }
        }
    }
}

/// The start of a line that was too long has its own ending from the back too.
#[test]
fn a_cut_line_from_the_back() {
    let rules = Rules { limit: Some(2), policy: Policy::Truncate, ..Rules::plain(Terminator::LF) };
    let mut reader = rules.builder(64).build(&b"a\nlong\nb"[..]);
    let mut seen = Vec::new();
    while let Some(batch) = reader.next_batch().unwrap() {
        seen.extend(batch.rev().map(|line| (line.to_string(), Ending::from(line.ending()), line.number())));
    }
    let expected = [("a", Ending::Delimiter, 1), ("lo", Ending::Limit, 2), ("b", Ending::Eof, 3)]
        .map(|(c, e, n)| (c.to_owned(), e, n));
    assert_eq!(seen, expected);

    let none = Rules { limit: Some(0), policy: Policy::Truncate, ..Rules::plain(Terminator::LF) };
    let mut reader = none.builder(64).build(&b"long\n"[..]);
    let mut batch = reader.next_batch().unwrap().unwrap();
    let line = batch.next_back().unwrap();
    assert_eq!((line.as_bytes(), line.ending(), line.number()), (&b""[..], wholeline::Ending::Limit, 1));
    assert!(batch.next_back().is_none() && batch.next().is_none());
}

/// A batch that was gone through from the back need not be counted again, and is counted right.
#[test]
fn a_batch_from_the_back_is_counted() {
    let mut reader = LineReader::with_capacity(8, &b"a\nb\nc\nd\ne\nf\n"[..]);
    let mut numbers = Vec::new();
    while let Some(mut batch) = reader.next_batch().unwrap() {
        numbers.extend(batch.next_back().map(|line| line.number()));
        numbers.push(reader.line_number());
    }
    assert_eq!(numbers, [4, 5, 6, 7]);
}
