//! Cuts an input into ranges and pieces, and holds what each gives against what a naive splitter finds in it.

use std::io::ErrorKind;
use std::ops::{ControlFlow, Range};

use wholeline::{LineRange, split};

use super::model::{Failure, Policy, Rules};
use super::naive::{Ending, Line, Terminator, split as naive_split};
use super::script::{Answer, Source, Step};

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) bytes: Vec<u8>,
    /// How the bytes of each range arrive. An end counts only where the rules say that the input may grow.
    pub(crate) plan: Vec<Step>,
    pub(crate) capacity: usize,
    pub(crate) rules: Rules,
    /// Where the input is cut, in any order, some of them more than once or behind its end.
    pub(crate) cuts: Vec<u64>,
    /// How many pieces it is cut into as a slice.
    pub(crate) pieces: usize,
}

/// What a call is to give, other than the end.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Line(Line),
    TooLong(Failure),
}

/// Fails where a line comes out of another range than the one that it begins in, comes twice, or not at all.
pub(crate) fn run(case: &Case) {
    let lines = naive_split(case.rules.terminator, &case.bytes);
    let mut cuts = case.cuts.clone();
    cuts.extend([0, u64::MAX]);
    cuts.sort_unstable();
    let mut found = 0;
    for (index, ends) in cuts.windows(2).enumerate() {
        let range = ends[0]..ends[1];
        let lines: Vec<&Line> = lines.iter().filter(|line| range.contains(&line.offset)).collect();
        found += lines.len();
        check_range(case, range, index, &lines);
    }
    assert_eq!(found, lines.len(), "the test's own ranges leave something out");
    check_pieces(case, &lines);
}

fn check_range(case: &Case, range: Range<u64>, way: usize, lines: &[&Line]) {
    let (expected, skipped) = expected(case.rules, lines);
    let plan: Vec<Step> =
        case.plan.iter().copied().filter(|step| case.rules.follow || *step != Step::End).collect();
    let ends = plan.iter().filter(|step| **step == Step::End).count();
    let errors = plan.iter().filter(|step| matches!(step, Step::Fail(_) | Step::Lie(_))).count();
    let source = Source::new(case.bytes.clone(), plan);
    let trace = source.trace();
    let mut reader = case.rules.builder(case.capacity).build_range(source, range.clone()).expect("a source");

    let mut items = Vec::new();
    let (mut failed, mut ended) = (0, 0);
    // An end within the schedule is not the input's, and is to be asked past.
    while ended < ends + 2 {
        match take_some(&mut reader, way, &mut items) {
            Ok(()) => ended += 1,
            Err(Failure::Io(_)) => failed += 1,
            Err(too_long) => items.push(Item::TooLong(too_long)),
        }
        assert!(failed <= errors, "more errors than the source has given");
        assert!(items.len() <= expected.len(), "{range:?}: {:?} is no line of it", items.last());
    }
    assert_eq!(items.len(), expected.len(), "lines of {range:?}: {items:?}");
    for (item, expected) in items.iter().zip(&expected) {
        assert!(same(item, expected, case.rules.terminator), "{range:?}: {item:?}, not {expected:?}");
    }
    assert_eq!(reader.skipped(), skipped, "skipped in {range:?}");

    // No read begins further to the front than at the byte before the range, nor behind its last line, which may
    // end behind it.
    let needed = lines.last().map_or(0, |line| line.offset + line.whole.len() as u64).max(range.end);
    for event in trace.since(0) {
        assert!(!range.is_empty(), "{range:?} was read");
        if let Answer::Data { from, .. } = event.answer {
            let from = from as u64;
            assert!(from + 1 >= range.start && from < needed, "{range:?}, up to {needed}, read from {from}");
        }
    }
}

/// The lines of a range, as the rules want them, and how many they drop.
fn expected(rules: Rules, lines: &[&Line]) -> (Vec<Item>, u64) {
    let limit = rules.limit.unwrap_or(usize::MAX);
    let (mut items, mut skipped) = (Vec::new(), 0);
    for (line, number) in lines.iter().zip(1..) {
        let mut line = Line { number, ..(*line).clone() };
        if line.ending == Ending::Eof && rules.follow {
            // A CR may turn out to be half a terminator.
            let maybe_terminator = rules.terminator == Terminator::CrLf && line.content.ends_with(b"\r");
            if line.content.len() - usize::from(maybe_terminator) <= limit {
                continue;
            }
        }
        if line.content.len() <= limit {
            items.push(Item::Line(line));
            continue;
        }
        match rules.policy {
            Policy::Error => {
                items.push(Item::TooLong(Failure::TooLong { offset: line.offset, number, limit }))
            }
            Policy::Skip => skipped += 1,
            Policy::Truncate => {
                line.content.truncate(limit);
                line.whole = line.content.clone();
                line.ending = Ending::Limit;
                items.push(Item::Line(line));
            }
        }
    }
    (items, skipped)
}

/// As many lines as come before an error or the end, in one of the ways to read them.
fn take_some(reader: &mut LineRange<Source>, way: usize, items: &mut Vec<Item>) -> Result<(), Failure> {
    let mut push = |line: wholeline::Line<'_>| items.push(Item::Line(line.into()));
    let result = match way % 3 {
        0 => loop {
            match reader.next_line() {
                Ok(Some(line)) => push(line),
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        },
        1 => reader.for_each_line(push),
        _ => loop {
            // Stops and comes back at each third line.
            let mut lines = 0;
            let result = reader.try_for_each_line(|line| {
                push(line);
                lines += 1;
                let flow = if lines == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
                Ok::<_, std::io::Error>(flow)
            });
            if result.is_err() || lines < 3 {
                break result;
            }
        },
    };
    result.map_err(|error| {
        assert_ne!(error.kind(), ErrorKind::Interrupted);
        (&error).into()
    })
}

/// Whether they are the same. Where a lone CR ends lines, reads decide whether the LF after it comes with it.
fn same(item: &Item, expected: &Item, terminator: Terminator) -> bool {
    match (item, expected) {
        (Item::Line(a), Item::Line(b)) if terminator == Terminator::Universal => {
            let cut = |line: &Line| matches!(line.ending, Ending::Eof | Ending::Limit).then_some(line.ending);
            (&a.content, a.offset, a.number, cut(a)) == (&b.content, b.offset, b.number, cut(b))
        }
        _ => item == expected,
    }
}

fn check_pieces(case: &Case, lines: &[Line]) {
    let terminator = case.rules.terminator;
    let pieces = split::at_lines(&case.bytes, case.pieces).terminator(terminator.of_the_crate());
    let (least, most) = pieces.size_hint();
    let pieces: Vec<_> = pieces.collect();
    assert!(pieces.len() <= case.pieces.max(1), "{} pieces", pieces.len());
    assert!((least..=most.expect("a bound")).contains(&pieces.len()));
    let mut offset = 0;
    let mut left = lines.iter();
    for piece in &pieces {
        assert!(!piece.is_empty(), "an empty piece");
        assert_eq!(piece.offset(), offset);
        assert_eq!(piece.as_bytes().as_ptr(), case.bytes[offset..].as_ptr(), "not where it is said to stand");
        offset += piece.len();
        for (line, number) in piece.lines().zip(1..) {
            let expected = left.next().expect("no line more than there are");
            assert_eq!(Line::from(line), Line { number, ..expected.clone() });
        }
    }
    assert_eq!(offset, case.bytes.len(), "the pieces are not all of it");
    assert!(left.next().is_none(), "a line is missing");

    // Each takes its share of what is left, and no more than ends the line that it lies in.
    let longest = lines.iter().map(|line| line.whole.len()).max().unwrap_or(0);
    let mut rest = case.bytes.len();
    for (piece, pieces_left) in pieces.iter().zip((1..=case.pieces.max(1)).rev()) {
        let share = rest.div_ceil(pieces_left);
        assert!((share..share + longest).contains(&piece.len()), "{} of {rest}", piece.len());
        rest -= piece.len();
    }
}
