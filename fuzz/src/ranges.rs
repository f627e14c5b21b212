//! The target `ranges`.

use std::io::ErrorKind;

use arbitrary::{Arbitrary, Unstructured};

use crate::format::{Decoder, encode, encode_list, pack, unpack};
use crate::reader::{limit, policy, step};
use crate::seeds::Seed;
use crate::support::model::{Policy, Rules};
use crate::support::naive::Terminator::{self, Byte, CrLf, Universal};
use crate::support::ranges::{Case, run};
use crate::support::script::Step::{self, End, Fail, Give, Lie};

/// Each range reads the input, so there are few.
const CUTS: usize = 24;
const STEPS: usize = 64;

/// A stream, how it arrives, a reader's options, and where it is cut.
#[derive(Debug)]
pub struct Ranges(pub(crate) Case);

impl<'a> Arbitrary<'a> for Ranges {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let input = unpack(input.bytes(input.len())?);
        let mut input = Decoder(&input);
        let terminator = input.terminator();
        let (policy, follow) = policy(&mut input);
        let rules = Rules { terminator, policy, follow, limit: limit(&mut input) };
        let capacity = input.size();
        let pieces = input.any_size();
        let mut plan = input.list(STEPS, step);
        // Without it nothing more would come once the plan is over.
        plan.push(Step::Rest);
        // Each so much behind the one before, which makes every place in the input one that can be reached.
        let cuts = input.list(CUTS, |input| input.size()).into_iter();
        let cuts = cuts.scan(0, |at, by| {
            *at += by as u64;
            Some(*at)
        });
        Ok(Ranges(Case { cuts: cuts.collect(), bytes: input.0.to_vec(), plan, capacity, rules, pieces }))
    }
}

impl Ranges {
    fn input(&self) -> Vec<u8> {
        let Ranges(Case { bytes, plan, capacity, rules, cuts, pieces }) = self;
        let steps = plan.strip_suffix(&[Step::Rest]).expect("a plan that ends with the rest");
        assert!(cuts.len() <= CUTS && steps.len() <= STEPS);
        let mut last = 0;
        let distance = |&cut: &u64| (cut - std::mem::replace(&mut last, cut)) as usize;
        let distances: Vec<usize> = cuts.iter().map(distance).collect();
        let parts = [
            encode(&rules.terminator, |input| input.terminator()),
            encode(&(rules.policy, rules.follow), policy),
            encode(&rules.limit, limit),
            encode(capacity, |input| input.size()),
            encode(pieces, |input| input.any_size()),
            encode_list(steps, step),
            encode_list(&distances, |input| input.size()),
            bytes.clone(),
        ];
        pack(&parts.concat())
    }

    /// Panics where a line is missing, comes twice, or comes from a range it does not begin in.
    pub fn check(&self) {
        run(&self.0);
    }
}

/// The places where it is easy to be wrong.
pub(crate) fn seeds() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |name: &str, case: Case| seeds.push(Seed::new("ranges", name, Ranges(case).input()));
    let lines = b"one\ntwo\n\nfour";
    let each = |bytes: &[u8]| (0..=bytes.len() as u64).collect::<Vec<_>>();

    add("uncut", case(LF, lines, &[]));
    add("each-byte", case(LF, lines, &each(lines)));
    add("twice", case(LF, lines, &[0, 4, 4, 9, 9]));
    add("behind-the-end", case(LF, lines, &[13, 14, 200]));
    add("no-bytes", case(LF, b"", &[0, 1]));
    add("only-newlines", case(LF, b"\n\n\n\n", &[1, 2, 3]));
    add("bytewise", Case { plan: plan(&[Give(1); 14]), capacity: 1, ..case(LF, lines, &[3, 4, 8]) });
    add("nul", case(Byte(0), b"a\0\n\0\0b", &[1, 3, 4]));

    let crs = b"a\r\nb\r\rc\n\rd\r\n";
    for (name, terminator) in [("crlf", CrLf), ("universal", Universal)] {
        add(&format!("{name}-cut"), case(terminator, crs, &each(crs)));
        let torn = Case { plan: plan(&[Give(1); 14]), ..case(terminator, crs, &each(crs)) };
        add(&format!("{name}-torn"), torn.clone());
        let limited = Case { rules: Rules { limit: Some(0), policy: Policy::Skip, ..torn.rules }, ..torn };
        add(&format!("{name}-torn-skip"), limited);
    }

    let long = [&b"a\n"[..], &[b'z'; 5000], b"\nb\nc"].concat();
    let cuts = [1, 3, 1027, 3075, 4099, 4611, 4867, 5002, 5003];
    add("long-line", case(LF, &long, &cuts));
    add("long-line-grown", Case { capacity: 16, ..case(LF, &long, &cuts) });
    for policy in [Policy::Error, Policy::Skip, Policy::Truncate] {
        let rules = Rules { limit: Some(3), policy, ..Rules::plain(LF) };
        let name = format!("long-line-{policy:?}").to_lowercase();
        add(&name, Case { rules, capacity: 16, ..case(LF, &long, &cuts) });
    }
    let windows = b"some\nlines\n".repeat(800);
    add("windows", Case { pieces: 7, ..case(LF, &windows, &[4030, 4032, 4034, 8064, 8066]) });

    let errors = plan(&[Fail(ErrorKind::WouldBlock), Give(1), Lie(1), Give(2), Fail(ErrorKind::Other)]);
    add("errors-before-the-range", Case { plan: errors, ..case(LF, lines, &[5, 9]) });
    let grown = plan(&[End, Give(2), End]);
    let rules = Rules { follow: true, ..Rules::plain(LF) };
    add("grown", Case { plan: grown, rules, ..case(LF, lines, &[5, 9]) });
    seeds
}

const LF: Terminator = Terminator::LF;

fn plan(steps: &[Step]) -> Vec<Step> {
    [steps, &[Step::Rest]].concat()
}

/// These bytes at once, cut there and into three pieces.
fn case(terminator: Terminator, bytes: &[u8], cuts: &[u64]) -> Case {
    Case {
        bytes: bytes.to_vec(),
        plan: plan(&[]),
        capacity: 4096,
        rules: Rules::plain(terminator),
        cuts: cuts.to_vec(),
        pieces: 3,
    }
}
