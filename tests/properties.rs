//! Random inputs, schedules, options and scripts of calls, against a naive splitter and a model of the contract;
//! and every small input there is.

#[path = "properties/ends.rs"]
mod ends;
mod support;

use std::io::{BufRead, ErrorKind, Read, SeekFrom};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use wholeline::{LineReader, Lines};

use support::driver::{Call, Case, run};
use support::model::{Policy, Rules};
use support::naive::{Line, Terminator, split};
use support::script::{Source, Step};

/// Few different bytes, so that terminators are everywhere, and those that other readers tripped over; the
/// last two are one bit away from LF, where a sloppy search finds it too.
const BYTES: [u8; 20] = *b"aaaaab\n\n\n\n\n\r\r\r\r\0\0\xff\x0b\x8a";

fn byte() -> impl Strategy<Value = u8> {
    (0..BYTES.len()).prop_map(|index| BYTES[index])
}

/// Runs of one byte, some longer than the windows that a search goes through.
fn long_input() -> impl Strategy<Value = Vec<u8>> {
    let run = (prop_oneof![4 => 0..12usize, 3 => 0..150usize, 1 => 0..5000usize], byte(), byte())
        .prop_map(|(len, filler, last)| [vec![filler; len], vec![last]].concat());
    vec(run, 0..200).prop_map(|runs| runs.concat())
}

fn terminator() -> impl Strategy<Value = Terminator> {
    prop_oneof![
        2 => Just(Terminator::LF),
        2 => Just(Terminator::CrLf),
        3 => Just(Terminator::Universal),
        1 => select(vec![0, b'\r', b'a', 0xFF]).prop_map(Terminator::Byte),
    ]
}

fn rules(limits: std::ops::Range<usize>) -> impl Strategy<Value = Rules> {
    let policy = select(vec![Policy::Error, Policy::Skip, Policy::Truncate]);
    (terminator(), proptest::option::of(limits), policy, proptest::bool::weighted(0.25))
        .prop_map(|(terminator, limit, policy, follow)| Rules { terminator, limit, policy, follow })
}

fn error() -> impl Strategy<Value = ErrorKind> {
    select(vec![
        ErrorKind::Interrupted,
        ErrorKind::WouldBlock,
        ErrorKind::TimedOut,
        ErrorKind::Other,
        // Two kinds that a reader may take for something of its own.
        ErrorKind::UnexpectedEof,
        ErrorKind::InvalidData,
    ])
}

/// Data in pieces of up to `most` bytes, errors and ends; in the end everything that is left.
fn plan(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => Just(Step::Give(1)),
        6 => (1..=most).prop_map(Step::Give),
        3 => error().prop_map(Step::Fail),
        1 => Just(Step::End),
        1 => select(vec![1, 7, usize::MAX]).prop_map(Step::Lie),
    ];
    vec(step, 0..30).prop_map(|mut plan| {
        plan.push(Step::Rest);
        plan
    })
}

fn call(most: usize) -> impl Strategy<Value = Call> {
    let by = most as i64;
    prop_oneof![
        8 => Just(Call::NextLine),
        3 => Just(Call::NextBatch),
        1 => Just(Call::ForEachLine),
        2 => (0..4usize, any::<bool>()).prop_map(|(stop, fail)| Call::TryForEachLine { stop, fail }),
        2 => Just(Call::ReadLineInto),
        1 => (1..4usize).prop_map(Call::IntoLines),
        2 => (0..1 + most as u64 / 8).prop_map(Call::SkipLines),
        2 => Just(Call::PeekByte),
        4 => Just(Call::NextByte),
        2 => Just(Call::FillBuf),
        3 => (0..=most).prop_map(Call::Consume),
        3 => (0..=most).prop_map(Call::Read),
        1 => byte().prop_map(Call::ReadUntil),
        1 => (0..=most as u64).prop_map(|to| Call::Seek(SeekFrom::Start(to))),
        1 => (-by..=by).prop_map(|by| Call::Seek(SeekFrom::Current(by))),
        1 => (-by..=by).prop_map(|by| Call::Seek(SeekFrom::End(by))),
        1 => Just(Call::Seek(SeekFrom::Current(0))),
        1 => Just(Call::StreamPosition),
        1 => Just(Call::Sync),
        1 => (0..=most).prop_map(Call::ShrinkTo),
        1 => Just(Call::Reset),
    ]
}

fn small_case() -> impl Strategy<Value = Case> {
    let capacity = prop_oneof![0..20usize, select(vec![1, 2, 3, 64, 4096])];
    (vec(byte(), 0..80), plan(20), capacity, rules(0..12), vec(call(20), 0..30))
        .prop_map(|(bytes, plan, capacity, rules, calls)| Case { bytes, plan, capacity, rules, calls })
}

fn large_case() -> impl Strategy<Value = Case> {
    let capacity = select(vec![1, 100, 4096, 65536]);
    (long_input(), plan(9000), capacity, rules(0..3000), vec(call(3000), 0..30))
        .prop_map(|(bytes, plan, capacity, rules, calls)| Case { bytes, plan, capacity, rules, calls })
}

fn cases(cases: u32) -> ProptestConfig {
    // A failure is printed, smallest first; no file is left behind.
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

/// Content, offset and number, which must not depend on how the input arrived.
fn essence(line: &Line) -> (&[u8], u64, u64) {
    (&line.content, line.offset, line.number)
}

proptest! {
    #![proptest_config(cases(6000))]

    #[test]
    fn reader_agrees_with_the_model(case in small_case()) {
        run(&case);
    }

    #[test]
    fn lines_agree_with_the_naive_splitter(bytes in vec(byte(), 0..300), terminator in terminator()) {
        let lines: Vec<Line> = Lines::new(&bytes, terminator.of_the_crate()).map(Line::from).collect();
        prop_assert_eq!(lines, split(terminator, &bytes));
    }

    #[test]
    fn how_the_input_arrives_does_not_matter(
        bytes in vec(byte(), 0..100),
        pieces in vec(1..30usize, 0..30),
        capacity in 1..40usize,
        terminator in terminator(),
    ) {
        let plan = pieces.into_iter().map(Step::Give).chain([Step::Rest]);
        let mut reader = Rules::plain(terminator).builder(capacity).build(Source::new(bytes.clone(), plan));
        let mut lines = Vec::new();
        while let Some(line) = reader.next_line().unwrap() {
            lines.push(Line::from(line));
        }
        let expected = split(terminator, &bytes);
        prop_assert_eq!(
            lines.iter().map(essence).collect::<Vec<_>>(),
            expected.iter().map(essence).collect::<Vec<_>>()
        );
        if terminator != Terminator::Universal {
            prop_assert_eq!(lines, expected);
        }
    }

    /// No model here: what comes out by whatever mix of calls, put together, is what went in.
    #[test]
    fn a_mix_of_calls_loses_and_invents_nothing(
        bytes in vec(byte(), 0..100),
        plan in plan(20),
        capacity in 1..40usize,
        calls in vec((0..6u8, 1..20usize), 0..40),
    ) {
        let mut reader = LineReader::with_capacity(capacity, Source::new(bytes.clone(), plan));
        let mut out = Vec::new();
        for (call, most) in calls {
            take_some(&mut reader, call, most, &mut out);
        }
        // The plan has fewer errors and ends than this.
        for _ in 0..200 {
            take_some(&mut reader, 0, 0, &mut out);
        }
        prop_assert_eq!(out, bytes);
    }
}

/// Errors are left for the next call.
fn take_some(reader: &mut LineReader<Source>, call: u8, most: usize, out: &mut Vec<u8>) {
    match call {
        0 => {
            if let Ok(Some(line)) = reader.next_line() {
                out.extend_from_slice(line.with_terminator());
            }
        }
        1 => {
            if let Ok(Some(batch)) = reader.next_batch() {
                out.extend_from_slice(batch.as_bytes());
            }
        }
        2 => {
            if let Ok(Some(byte)) = reader.next_byte() {
                out.push(byte);
            }
        }
        3 => {
            let mut dst = vec![0; most];
            if let Ok(count) = reader.read(&mut dst) {
                out.extend_from_slice(&dst[..count]);
            }
        }
        4 => {
            let count = match reader.fill_buf() {
                Ok(bytes) => {
                    let count = most.min(bytes.len());
                    out.extend_from_slice(&bytes[..count]);
                    count
                }
                Err(_) => 0,
            };
            reader.consume(count);
        }
        // What it gives up with is kept in `out`.
        _ => drop(reader.for_each_line(|line| out.extend_from_slice(line.with_terminator()))),
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// Inputs longer than the windows that the search goes through.
    #[test]
    fn reader_agrees_with_the_model_on_long_inputs(case in large_case()) {
        run(&case);
    }

    #[test]
    fn lines_agree_with_the_naive_splitter_on_long_inputs(bytes in long_input(), terminator in terminator()) {
        let lines: Vec<Line> = Lines::new(&bytes, terminator.of_the_crate()).map(Line::from).collect();
        prop_assert_eq!(lines, split(terminator, &bytes));
    }
}

/// Every string of up to five of the bytes that matter, every way to cut it into reads, tiny buffers, every
/// terminator, and one byte or one line first.
#[test]
fn every_small_input_in_every_cut() {
    let beginnings: [&[Call]; 3] = [&[], &[Call::NextByte], &[Call::NextLine, Call::NextByte]];
    for len in 0..=5u32 {
        for code in 0..3usize.pow(len) {
            let bytes: Vec<u8> = (0..len).map(|at| b"a\r\n"[code / 3usize.pow(at) % 3]).collect();
            for cuts in 0..1usize << len.saturating_sub(1) {
                let plan = cut(bytes.len(), cuts);
                for terminator in [Terminator::LF, Terminator::CrLf, Terminator::Universal] {
                    for (capacity, calls) in [1, 3].iter().flat_map(|c| beginnings.map(|calls| (*c, calls))) {
                        let (bytes, plan, calls) = (bytes.clone(), plan.clone(), calls.to_vec());
                        run(&Case { bytes, plan, capacity, rules: Rules::plain(terminator), calls });
                    }
                }
            }
        }
    }
}

/// The same with a limit of one byte and each policy: where a line is over-long is where a limit errs.
#[test]
fn every_small_input_against_a_limit() {
    for code in 0..3usize.pow(5) {
        let bytes: Vec<u8> = (0..5).map(|at| b"a\r\n"[code / 3usize.pow(at) % 3]).collect();
        for cuts in 0..1usize << 4 {
            let plan = cut(bytes.len(), cuts);
            for terminator in [Terminator::LF, Terminator::CrLf, Terminator::Universal] {
                for policy in [Policy::Error, Policy::Skip, Policy::Truncate] {
                    let rules = Rules { terminator, ..Rules::limited(1, policy) };
                    let calls = vec![Call::NextLine, Call::PeekByte];
                    run(&Case { bytes: bytes.clone(), plan: plan.clone(), capacity: 3, rules, calls });
                }
            }
        }
    }
}

/// Pieces of a stream of `len` bytes, cut before byte n + 1 where bit n is set.
fn cut(len: usize, cuts: usize) -> Vec<Step> {
    let mut plan = Vec::new();
    let mut begin = 0;
    for at in 1..len {
        if cuts & 1 << (at - 1) != 0 {
            plan.push(Step::Give(at - begin));
            begin = at;
        }
    }
    plan.push(Step::Rest);
    plan
}
