//! Random lines, sorted and not, with all options.

use std::io::Cursor;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use wholeline::SortedFile;

use crate::support::naive::Terminator;
use crate::support::sorted::{CONTINUATIONS, HEADERS, KEYS, Linear, Options, check};

const BYTES: &[u8] = b"aaabbc  ^#\xff\x80";
const TERMINATORS: [(Terminator, &[&[u8]]); 5] = [
    (Terminator::LF, &[b"\n"]),
    (Terminator::Byte(0), &[b"\0"]),
    (Terminator::Byte(b'b'), &[b"b"]),
    (Terminator::CrLf, &[b"\r\n", b"\n"]),
    (Terminator::Universal, &[b"\r\n", b"\n", b"\r"]),
];

fn options() -> impl Strategy<Value = (Options, &'static [&'static [u8]])> {
    (
        select(TERMINATORS.to_vec()),
        select(KEYS.to_vec()),
        select(CONTINUATIONS.to_vec()),
        select(HEADERS.to_vec()),
    )
        .prop_map(|((terminator, ends), key, continuation, header)| {
            (Options { terminator, key, continuation, header }, ends)
        })
}

fn content(most: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(select(BYTES), 0..most)
}

/// Mostly short; some longer than a few blocks.
fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        40 => content(8),
        4 => content(90),
        1 => (content(4), 0..20_000usize).prop_map(|(start, len)| [start, vec![b'a'; len]].concat()),
    ]
}

/// A line, what ends it, and lines that want to go on with it.
type Item = (Vec<u8>, usize, Vec<Vec<u8>>);

fn item() -> impl Strategy<Value = Item> {
    let more = content(5).prop_map(|line| [b"^", &line[..]].concat());
    (line(), any::<usize>(), vec(prop_oneof![3 => more, 1 => Just(Vec::new())], 0..3))
}

#[derive(Debug)]
struct Case {
    options: Options,
    bytes: Vec<u8>,
    keys: Vec<Vec<u8>>,
}

fn case(most: usize) -> impl Strategy<Value = Case> {
    let header = vec(content(3).prop_map(|line| [b"#", &line[..]].concat()), 0..3);
    let parts =
        (options(), header, vec(item(), 0..most), vec(content(4), 0..4), any::<bool>(), any::<bool>());
    parts.prop_map(|((options, ends), header, mut items, keys, sort, cut)| {
        if sort {
            items.sort_by(|a, b| (options.key)(&a.0).cmp((options.key)(&b.0)));
        }
        let mut bytes = Vec::new();
        let mut push = |line: &[u8], end: usize| {
            bytes.extend_from_slice(line);
            bytes.extend_from_slice(ends[end % ends.len()]);
        };
        header.iter().for_each(|line| push(line, 0));
        for (line, end, more) in &items {
            push(line, *end);
            more.iter().enumerate().for_each(|(at, line)| push(line, end + at));
        }
        if cut {
            bytes.pop();
        }
        Case { options, bytes, keys }
    })
}

fn agrees(case: &Case) {
    let file = SortedFile::new(Cursor::new(&case.bytes[..])).expect("a source that cannot fail");
    check(case.options, &case.bytes, &case.keys, file);
}

proptest! {
    // A failure is printed, smallest first; no file is left behind.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(800) })]

    #[test]
    fn small_files(case in case(12)) {
        agrees(&case);
    }

    #[test]
    fn noise(bytes in vec(select(&b"aab ^#\r\n\n\0"[..]), 0..60), (options, _) in options()) {
        agrees(&Case { options, bytes, keys: vec![b"a".to_vec(), b"".to_vec(), b"\xff".to_vec()] });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    /// Files of several blocks.
    #[test]
    fn large_files(case in case(400)) {
        agrees(&case);
    }
}

/// What the properties are worth: sorted files with several records must be frequent.
#[test]
fn many_cases_are_sorted() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let sorted = (0..400).filter(|_| {
        let case = case(12).new_tree(&mut runner).expect("a case").current();
        let linear = Linear::new(case.options, &case.bytes);
        linear.out_of_order.is_none() && linear.records.len() > 2
    });
    let sorted = sorted.count();
    assert!(sorted > 60, "{sorted} of 400");
}
