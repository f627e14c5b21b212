//! Any bytes, in any pieces: lines, and then exactly the rest.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::descriptors::KINDS;
use crate::exact::{Case, check};
use crate::support::model::{Policy, Rules};
use crate::support::naive::{Terminator, split};

const LF: Rules = Rules::plain(Terminator::LF);
const CRLF: Rules = Rules::plain(Terminator::CrLf);
const UNIVERSAL: Rules = Rules::plain(Terminator::Universal);

/// Stops after each line in turn.
#[test]
fn after_every_line_the_rest_is_left() {
    let blocks = [4095, 4096, 4097, 8192, 9000].map(|len| [&vec![b'z'; len][..], b"\nrest\n"].concat());
    let many = "y\n".repeat(3000);
    let blocks = blocks.concat();
    let texts: [&[u8]; 9] = [
        b"",
        b"\n",
        b"last",
        b"one\ntwo\n\nfour",
        b"\0\n\0\0\nx\0y\n\0",
        b"\xff\n\xff\xff\r\n\r\n\xff",
        b"a\rb\r\nc\r\r\n\n\rd\r",
        many.as_bytes(),
        &blocks,
    ];
    for kind in KINDS {
        for bytes in texts {
            for rules in
                [LF, CRLF, UNIVERSAL, Rules::plain(Terminator::Byte(0)), Rules::plain(Terminator::Byte(0xFF))]
            {
                let lines = split(rules.terminator, bytes).len();
                for most in (0..=lines + 1).step_by(1 + lines / 7) {
                    check(kind, &Case { bytes: bytes.to_vec(), pieces: vec![], rules, most });
                }
            }
        }
    }
}

#[test]
fn every_short_mix_of_cr_and_lf_in_every_cut() {
    for code in 0..3usize.pow(4) {
        let bytes: Vec<u8> = (0..4).map(|at| b"a\r\n"[code / 3usize.pow(at) % 3]).collect();
        for cut in 1..4 {
            for rules in [
                LF,
                CRLF,
                UNIVERSAL,
                Rules { terminator: Terminator::CrLf, ..Rules::limited(1, Policy::Truncate) },
            ] {
                for kind in KINDS {
                    for most in [1, 9] {
                        check(kind, &Case { bytes: bytes.clone(), pieces: vec![cut], rules, most });
                    }
                }
            }
        }
    }
}

fn byte() -> impl Strategy<Value = u8> {
    select(b"aaaab\n\n\n\r\r\0\xff".to_vec())
}

fn input() -> impl Strategy<Value = Vec<u8>> {
    let run = (prop_oneof![8 => 0..12usize, 3 => 0..150usize, 1 => 0..9000usize], byte(), byte())
        .prop_map(|(len, filler, last)| [vec![filler; len], vec![last]].concat());
    vec(run, 0..20).prop_map(|runs| runs.concat())
}

fn rules() -> impl Strategy<Value = Rules> {
    let terminator = prop_oneof![
        2 => Just(Terminator::LF),
        2 => Just(Terminator::CrLf),
        3 => Just(Terminator::Universal),
        1 => select(vec![0, b'a', 0xFF]).prop_map(Terminator::Byte),
    ];
    let limit = proptest::option::of(prop_oneof![0..12usize, 0..6000usize]);
    let policy = select(vec![Policy::Error, Policy::Skip, Policy::Truncate]);
    (terminator, limit, policy).prop_map(|(terminator, limit, policy)| Rules {
        limit,
        policy,
        ..Rules::plain(terminator)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn lines_and_the_rest_are_the_input(
        bytes in input(),
        pieces in vec(prop_oneof![1..20usize, 1..9000usize], 0..20),
        rules in rules(),
        most in prop_oneof![0..20usize, Just(usize::MAX)],
        kind in select(KINDS.to_vec()),
    ) {
        check(kind, &Case { bytes, pieces, rules, most });
    }
}
