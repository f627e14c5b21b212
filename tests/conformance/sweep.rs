//! Runs one input through every backend, every way to read lines, and every way for the bytes to arrive.

use crate::backends::{Arrival, Backend, Seen, Setup, WAYS, Way, backends};
use crate::support::model::{Failure, Rules};
use crate::support::naive::{Ending, Line, Terminator, split};

pub(crate) use crate::backends::CAPACITIES;
/// Up to here an input is swept in full.
const SHORT: usize = 1100;

/// A longer one only with buffers of these sizes.
const LONG: [usize; 4] = [1, 16, 4096, 65536];

/// What one call is to give.
#[derive(Clone, Debug)]
pub(crate) struct Want {
    content: Vec<u8>,
    end: WantEnd,
    offset: u64,
    number: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WantEnd {
    Terminator,
    Eof,
    Limit,
    TooLong,
}

/// A line that has its terminator, at this offset, with this number.
pub(crate) fn line(content: impl AsRef<[u8]>, offset: u64, number: u64) -> Want {
    Want { content: content.as_ref().to_vec(), end: WantEnd::Terminator, offset, number }
}

/// A last line that has none.
pub(crate) fn last(content: impl AsRef<[u8]>, offset: u64, number: u64) -> Want {
    Want { end: WantEnd::Eof, ..line(content, offset, number) }
}

/// The beginning of a line longer than the limit.
pub(crate) fn cut(content: impl AsRef<[u8]>, offset: u64, number: u64) -> Want {
    Want { end: WantEnd::Limit, ..line(content, offset, number) }
}

/// The error for a line longer than the limit.
pub(crate) fn too_long(offset: u64, number: u64) -> Want {
    Want { end: WantEnd::TooLong, ..line("", offset, number) }
}

impl Want {
    pub(crate) fn is_too_long(&self) -> bool {
        self.end == WantEnd::TooLong
    }

    /// What is handed out of it if over-long lines are cut, and this is what is left of one.
    pub(crate) fn cut_to(&self, beginning: &str) -> Want {
        if self.is_too_long() { cut(beginning, self.offset, self.number) } else { self.clone() }
    }

    /// With the terminator that stands in the input.
    fn in_full(&self, bytes: &[u8], rules: &Rules) -> Expected {
        let (offset, number) = (self.offset, self.number);
        let here = &bytes[offset as usize..];
        assert!(here.starts_with(&self.content), "the test itself is wrong: {self:?}");
        let after = &here[self.content.len()..];
        let may_be_two = !matches!(rules.terminator, Terminator::Byte(_));
        let (len, ending) = match self.end {
            WantEnd::TooLong => {
                let limit = rules.limit.expect("a limit, for a line to be too long");
                return Expected::Failure(Failure::TooLong { offset, number, limit });
            }
            WantEnd::Eof => (0, Ending::Eof),
            WantEnd::Limit => (0, Ending::Limit),
            WantEnd::Terminator if may_be_two && after.starts_with(b"\r\n") => (2, Ending::CrLf),
            WantEnd::Terminator => (1, Ending::Delimiter),
        };
        let whole = here[..self.content.len() + len].to_vec();
        Expected::Line(Line { content: self.content.clone(), whole, ending, offset, number })
    }
}

/// All there is to say about what one call is to give.
#[derive(Debug)]
enum Expected {
    Line(Line),
    Failure(Failure),
}

/// What a naive splitter finds, for inputs that are made by a loop.
pub(crate) fn naive(bytes: &[u8], terminator: Terminator) -> Vec<Want> {
    let want = |line: Line| Want {
        end: if line.ending == Ending::Eof { WantEnd::Eof } else { WantEnd::Terminator },
        content: line.content,
        offset: line.offset,
        number: line.number,
    };
    split(terminator, bytes).into_iter().map(want).collect()
}

/// The schedule sweep: the same lines whatever reads them, and however the bytes arrive.
pub(crate) fn check(bytes: impl AsRef<[u8]>, rules: Rules, want: &[Want]) {
    check_capacities(bytes, rules, &[], want);
}

/// The same with buffers of some further sizes.
pub(crate) fn check_capacities(bytes: impl AsRef<[u8]>, rules: Rules, further: &[usize], want: &[Want]) {
    let bytes = bytes.as_ref();
    let expected = in_full(want, bytes, &rules);
    for backend in backends().filter(|backend| (backend.can)(&rules)) {
        let (of_it, short) = (backend.capacities, bytes.len() <= SHORT);
        let capacities = if of_it.is_empty() || !(short || backend.scripted) {
            vec![4096]
        } else {
            let few = |capacity: &&usize| short || LONG.contains(capacity);
            of_it.iter().filter(few).chain(further).copied().collect()
        };
        for capacity in capacities {
            for (arrival, ways) in arrivals(backend, bytes, rules.terminator, capacity) {
                let setup = Setup { bytes, rules, arrival, capacity };
                for way in ways {
                    let at = || format!("{} by {way:?}, {arrival:?}, capacity {capacity}", backend.name);
                    agree(&(backend.read)(&setup, way), &expected, &rules, &at);
                }
            }
        }
    }
}

/// At every cut by `next_line` and by one of the other ways in turn.
fn arrivals(
    backend: &Backend,
    bytes: &[u8],
    terminator: Terminator,
    capacity: usize,
) -> Vec<(Arrival, Vec<Way>)> {
    let mut arrivals = vec![(Arrival::Whole, WAYS.to_vec())];
    // With one byte of buffer every arrival is the same.
    if !backend.scripted || capacity == 1 {
        return arrivals;
    }
    let turn = |index: usize| WAYS[1 + index % (WAYS.len() - 1)];
    if bytes.len() <= SHORT {
        arrivals.push((Arrival::Each(1), WAYS.to_vec()));
        arrivals.push((Arrival::Each(3), WAYS.to_vec()));
    } else {
        arrivals.push((Arrival::Each(1), vec![Way::NextLine, turn(capacity)]));
    }
    // Of two buffers that hold all of the input one is enough.
    if capacity <= 4096 || bytes.len() > 4096 {
        let cuts = cuts(bytes, terminator).into_iter().enumerate();
        arrivals.extend(cuts.map(|(index, at)| (Arrival::CutAt(at), vec![Way::NextLine, turn(index)])));
    }
    arrivals
}

/// Every place to cut a short input in two; of a long one those around the first and last lines' ends, and
/// around what may be the end of somebody's block.
fn cuts(bytes: &[u8], terminator: Terminator) -> Vec<usize> {
    if bytes.len() <= SHORT {
        return (1..bytes.len()).collect();
    }
    let ends: Vec<usize> =
        split(terminator, bytes).iter().map(|line| line.offset as usize + line.whole.len()).collect();
    let near_ends = ends.iter().take(2).chain(ends.iter().rev().take(2)).copied();
    let blocks = (1..4).map(|block| block * 4096);
    let mut cuts: Vec<usize> = near_ends
        .chain(blocks)
        .flat_map(|at| at - 1..at + 2)
        .filter(|&at| 0 < at && at < bytes.len())
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

fn in_full(want: &[Want], bytes: &[u8], rules: &Rules) -> Vec<Expected> {
    want.iter().map(|want| want.in_full(bytes, rules)).collect()
}

/// What one drain of a reader saw, for schedules that the sweep does not make.
pub(crate) fn same(seen: &[Seen], bytes: &[u8], rules: Rules, want: &[Want]) {
    agree(seen, &in_full(want, bytes, &rules), &rules, &|| "here".to_owned());
}

fn agree(seen: &[Seen], expected: &[Expected], rules: &Rules, at: &dyn Fn() -> String) {
    let ends = seen.iter().rev().take_while(|seen| matches!(seen, Seen::End)).count();
    assert_eq!(ends, 3, "the end, and the end again: {}", at());
    let items = &seen[..seen.len() - ends];
    for (index, (seen, expected)) in items.iter().zip(expected).enumerate() {
        let is_it = match (expected, seen) {
            (Expected::Line(line), seen) => seen.is(line, rules.terminator),
            (Expected::Failure(failure), Seen::Failed(seen)) => seen == failure,
            (Expected::Failure(_), _) => false,
        };
        assert!(is_it, "item {index} is {seen:?}, not {expected:?}: {}, {rules:?}", at());
    }
    assert_eq!(items.len(), expected.len(), "how many came: {}, {rules:?}", at());
}
