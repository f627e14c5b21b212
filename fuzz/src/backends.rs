//! The target `backends`.

use std::io::ErrorKind;

use arbitrary::{Arbitrary, Unstructured};
use wholeline::stdio::Backend;
use wholeline::{LineRead, Lines};

use crate::format::{Decoder, encode, encode_list, pack, unpack};
use crate::reader::{STEPS, limit};
use crate::seeds::Seed;
use crate::stdio::{Cookie, by};
use crate::support::model::{Failure, Policy, Rules};
use crate::support::naive::{Ending, Terminator, split};
use crate::support::script::{Answer, Source, Step, Trace};

/// Bytes, how they arrive, and the rules for lines.
#[derive(Clone, Debug)]
pub struct Backends {
    rules: Rules,
    capacity: usize,
    plan: Vec<Step>,
    bytes: Vec<u8>,
}

/// What is the same whoever reads: how a line ended is not, where a CR may be half of a terminator.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Line { content: Vec<u8>, offset: u64, number: u64, is_terminated: bool },
    TooLong { offset: u64, number: u64 },
}

impl<'a> Arbitrary<'a> for Backends {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let input = unpack(input.bytes(input.len())?);
        let mut input = Decoder(&input);
        let (terminator, policy) = (input.terminator(), policy(&mut input));
        let rules = Rules { terminator, policy, follow: false, limit: limit(&mut input) };
        let capacity = input.size().max(1);
        let plan = input.list(STEPS, step);
        Ok(Backends { rules, capacity, plan, bytes: input.0.to_vec() })
    }
}

fn policy(input: &mut Decoder<'_>) -> Policy {
    input.pick(&[Policy::Error, Policy::Skip, Policy::Truncate])
}

/// Only errors that C has a number for.
fn step(input: &mut Decoder<'_>) -> Step {
    use ErrorKind::{ConnectionReset, Interrupted, StorageFull, TimedOut, WouldBlock};
    match input.byte() % 4 {
        0 => Step::Give(1),
        1 | 2 => Step::Give(input.size().max(1)),
        _ => Step::Fail(input.pick(&[WouldBlock, Interrupted, TimedOut, ConnectionReset, StorageFull])),
    }
}

impl Backends {
    fn input(&self) -> Vec<u8> {
        let Backends { rules, capacity, plan, bytes } = self;
        let parts = [
            encode(&rules.terminator, |input| input.terminator()),
            encode(&rules.policy, policy),
            encode(&rules.limit, limit),
            encode(capacity, |input| input.size().max(1)),
            encode_list(plan, step),
            bytes.clone(),
        ];
        pack(&parts.concat())
    }

    fn source(&self) -> Source {
        Source::new(&self.bytes[..], self.plan.iter().copied().chain([Step::Rest]))
    }

    /// Panics where somebody reads other lines than the model.
    pub fn check(&self) {
        let expected = self.expected();
        for &backend in Backend::available() {
            for in_a_loop in [false, true] {
                let cookie = Cookie::new(self.source(), self.capacity);
                let reader = by(&self.rules, backend, cookie.reader());
                self.same(reader, &cookie.trace, in_a_loop, &expected, &format!("{backend:?}"));
            }
        }
        for in_a_loop in [false, true] {
            let source = self.source();
            let trace = source.trace();
            let reader = self.rules.builder(self.capacity).build(source);
            self.same(reader, &trace, in_a_loop, &expected, "LineReader");
        }
        if self.rules.limit.is_none() {
            let lines = Lines::new(&self.bytes, self.rules.terminator.of_the_crate());
            self.same(lines, &Trace::default(), false, &expected, "Lines");
        }
    }

    /// A reader gives these items, and each error that its source has reported.
    fn same(&self, mut reader: impl LineRead, trace: &Trace, in_a_loop: bool, expected: &[Item], name: &str) {
        let (mut items, mut errors) = (Vec::new(), Vec::new());
        loop {
            let result = if in_a_loop {
                reader.for_each_line(|line| items.push(line.into())).map(|()| false)
            } else {
                reader.next_line().map(|line| line.map(|line| items.push(line.into())).is_some())
            };
            match result {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => match Failure::from(&error) {
                    Failure::Io(kind) => errors.push(kind),
                    Failure::TooLong { offset, number, .. } => items.push(Item::TooLong { offset, number }),
                },
            }
        }
        assert_eq!(items, expected, "{name}");
        let reported = trace.since(0).into_iter().filter_map(|event| match event.answer {
            Answer::Failed(kind) if kind != ErrorKind::Interrupted => Some(kind),
            _ => None,
        });
        assert_eq!(errors, reported.collect::<Vec<_>>(), "{name}");
    }

    /// By the naive splitter.
    fn expected(&self) -> Vec<Item> {
        let Rules { terminator, limit, policy, .. } = self.rules;
        let mut items = Vec::new();
        for line in split(terminator, &self.bytes) {
            let (offset, number) = (line.offset, line.number);
            let is_terminated = line.ending != Ending::Eof;
            match limit {
                Some(limit) if line.content.len() > limit => match policy {
                    Policy::Error => items.push(Item::TooLong { offset, number }),
                    Policy::Skip => {}
                    Policy::Truncate => {
                        let content = line.content[..limit].to_vec();
                        items.push(Item::Line { content, offset, number, is_terminated: false });
                    }
                },
                _ => items.push(Item::Line { content: line.content, offset, number, is_terminated }),
            }
        }
        items
    }
}

impl From<wholeline::Line<'_>> for Item {
    fn from(line: wholeline::Line<'_>) -> Item {
        Item::Line {
            content: line.to_vec(),
            offset: line.offset(),
            number: line.number(),
            is_terminated: line.is_terminated(),
        }
    }
}

pub(crate) fn seeds() -> Vec<Seed> {
    use Step::{Fail, Give};
    let lf = Rules::plain(Terminator::LF);
    let case = |rules: Rules, capacity, plan: &[Step], bytes: &[u8]| Backends {
        rules,
        capacity,
        plan: plan.to_vec(),
        bytes: bytes.to_vec(),
    };
    let long = [vec![b'x'; 5000], b"\ny".to_vec(), vec![b'z'; 4095], b"\n".to_vec()].concat();
    [
        ("lines", case(lf, 16, &[], b"one\ntwo\n\nthree")),
        ("nul", case(lf, 4, &[Give(1), Give(3)], b"\0\n\0\0\nx\n\xff\xff")),
        ("refills", case(lf, 255, &[], &long)),
        ("crlf", case(Rules::plain(Terminator::CrLf), 3, &[Give(2), Give(1)], b"a\r\nb\r\r\nc\r")),
        ("universal", case(Rules::plain(Terminator::Universal), 2, &[Give(2)], b"a\r\nb\r\rc\n\r\n")),
        ("high-delimiter", case(Rules::plain(Terminator::Byte(0xff)), 8, &[], b"1234567\xff1234567\xff\n")),
        (
            "errors",
            case(
                lf,
                16,
                &[
                    Give(2),
                    Fail(ErrorKind::WouldBlock),
                    Fail(ErrorKind::Interrupted),
                    Give(1),
                    Fail(ErrorKind::TimedOut),
                ],
                b"line\nanother\nlast",
            ),
        ),
        ("limit", case(Rules::limited(4, Policy::Error), 3, &[], b"1234\n12345\n\n123456789")),
        ("limit-skip", case(Rules::limited(4, Policy::Skip), 16, &[Give(5)], b"1234\n12345\n\n123456789")),
        ("limit-cut", case(Rules::limited(0, Policy::Truncate), 16, &[], b"1\n\n123456789")),
        (
            "limit-crlf",
            case(
                Rules { terminator: Terminator::CrLf, ..Rules::limited(4, Policy::Error) },
                16,
                &[Give(5)],
                b"1234\r\n1234\r\r\n1234\r",
            ),
        ),
    ]
    .map(|(name, case)| Seed::new("backends", name, case.input()))
    .into()
}
