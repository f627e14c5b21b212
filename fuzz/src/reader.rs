//! The target `reader`.

use std::io::{ErrorKind, SeekFrom};

use arbitrary::{Arbitrary, Unstructured};

use crate::format::{Decoder, encode, encode_list, pack, unpack};
use crate::support::driver::{Call, Case, run};
use crate::support::model::{Policy, Rules};
use crate::support::script::Step;

/// More calls than this tell nothing new, and take their time.
const CALLS: usize = 64;
pub(crate) const STEPS: usize = 2048;

/// A stream, how it arrives, a reader's options, and what its caller does.
#[derive(Debug)]
pub struct Reader(pub(crate) Case);

impl<'a> Arbitrary<'a> for Reader {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let input = unpack(input.bytes(input.len())?);
        let mut input = Decoder(&input);
        let rules = rules(&mut input);
        let capacity = input.size();
        let mut plan = input.list(STEPS, step);
        // Without it nothing more would come once the plan is over.
        plan.push(Step::Rest);
        let calls = input.list(CALLS, call);
        Ok(Reader(Case { bytes: input.0.to_vec(), plan, capacity, rules, calls }))
    }
}

impl Reader {
    pub(crate) fn input(&self) -> Vec<u8> {
        let Reader(Case { bytes, plan, capacity, rules, calls }) = self;
        let steps = plan.strip_suffix(&[Step::Rest]).expect("a plan that ends with the rest");
        assert!(calls.len() <= CALLS && steps.len() <= STEPS);
        let parts = [
            encode(&rules.terminator, |input| input.terminator()),
            encode(&(rules.policy, rules.follow), policy),
            encode(&rules.limit, limit),
            encode(capacity, |input| input.size()),
            encode_list(steps, step),
            encode_list(calls, call),
            bytes.clone(),
        ];
        pack(&parts.concat())
    }

    /// Panics where the reader does something else than the model.
    pub fn check(&self) {
        run(&self.0);
    }
}

fn rules(input: &mut Decoder<'_>) -> Rules {
    let terminator = input.terminator();
    let (policy, follow) = policy(input);
    Rules { terminator, policy, follow, limit: limit(input) }
}

fn policy(input: &mut Decoder<'_>) -> (Policy, bool) {
    use Policy::{Error, Skip, Truncate};
    input.pick(&[
        (Error, false),
        (Skip, false),
        (Truncate, false),
        (Error, true),
        (Skip, true),
        (Truncate, true),
    ])
}

pub(crate) fn limit(input: &mut Decoder<'_>) -> Option<usize> {
    // With 0 for none, as where the input has ended.
    input.any_size().checked_sub(1)
}

fn step(input: &mut Decoder<'_>) -> Step {
    use ErrorKind::{Interrupted, InvalidData, IsADirectory, Other, TimedOut, UnexpectedEof, WouldBlock};
    match input.byte() % 8 {
        0 => Step::Give(1),
        1..=3 => Step::Give(input.size().max(1)),
        4 => Step::Fail(WouldBlock),
        5 => {
            Step::Fail(input.pick(&[Interrupted, TimedOut, Other, IsADirectory, UnexpectedEof, InvalidData]))
        }
        6 => Step::End,
        _ => Step::Lie(input.any_size().max(1)),
    }
}

fn call(input: &mut Decoder<'_>) -> Call {
    let ahead = |input: &mut Decoder<'_>| i64::try_from(input.any_size()).unwrap_or(i64::MAX);
    let back =
        |input: &mut Decoder<'_>| 0i64.checked_sub_unsigned(input.any_size() as u64).unwrap_or(i64::MIN);
    match input.byte() % 24 {
        0 => Call::NextLine,
        1 => Call::NextBatch,
        2 => Call::NextByte,
        3 => Call::ForEachLine,
        4 => Call::TryForEachLine { stop: input.size(), fail: false },
        5 => Call::TryForEachLine { stop: input.size(), fail: true },
        6 => Call::ReadLineInto,
        7 => Call::IntoLines(usize::from(input.byte())),
        8 => Call::SkipLines(input.any_size() as u64),
        9 => Call::PeekByte,
        10 => Call::FillBuf,
        11 => Call::Consume(input.any_size()),
        12 => Call::Read(input.size()),
        13 => Call::ReadUntil(input.byte()),
        14 => Call::StreamPosition,
        15 => Call::Seek(SeekFrom::Current(0)),
        16 => Call::Seek(SeekFrom::Start(input.any_size() as u64)),
        17 => Call::Seek(SeekFrom::Current(ahead(input))),
        18 => Call::Seek(SeekFrom::Current(back(input))),
        19 => Call::Seek(SeekFrom::End(ahead(input))),
        20 => Call::Seek(SeekFrom::End(back(input))),
        21 => Call::Sync,
        22 => Call::ShrinkTo(input.any_size()),
        _ => Call::Reset,
    }
}
