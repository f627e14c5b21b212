//! The target `exact`.

use arbitrary::{Arbitrary, Unstructured};

use crate::descriptors::KINDS;
use crate::exactly::{Case, check};
use crate::format::{Decoder, encode, encode_list, pack, unpack};
use crate::reader::limit;
use crate::seeds::Seed;
use crate::support::model::{Policy, Rules};
use crate::support::naive::Terminator;

/// More pieces than this tell nothing new, and take their time.
const PIECES: usize = 64;

/// A stream, how it is written, a reader's options, and when somebody else goes on.
#[derive(Debug)]
pub struct Exact(Case);

impl<'a> Arbitrary<'a> for Exact {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let input = unpack(input.bytes(input.len())?);
        let mut input = Decoder(&input);
        let terminator = input.terminator();
        let (policy, limit) = (policy(&mut input), limit(&mut input));
        let rules = Rules { policy, limit, ..Rules::plain(terminator) };
        let most = most(&mut input);
        let pieces = input.list(PIECES, |input| input.size());
        Ok(Exact(Case { bytes: input.0.to_vec(), pieces, rules, most }))
    }
}

impl Exact {
    fn input(&self) -> Vec<u8> {
        let Exact(Case { bytes, pieces, rules, most: lines }) = self;
        assert!(pieces.len() <= PIECES);
        let parts = [
            encode(&rules.terminator, |input| input.terminator()),
            encode(&rules.policy, policy),
            encode(&rules.limit, limit),
            encode(lines, most),
            encode_list(pieces, |input| input.size()),
            bytes.clone(),
        ];
        pack(&parts.concat())
    }

    /// Panics where a line is wrong, or what is left of the input is.
    pub fn check(&self) {
        for kind in KINDS {
            check(kind, &self.0);
        }
    }
}

fn policy(input: &mut Decoder<'_>) -> Policy {
    input.pick(&[Policy::Error, Policy::Skip, Policy::Truncate])
}

/// All lines where the input has ended.
fn most(input: &mut Decoder<'_>) -> usize {
    input.any_size().checked_sub(1).unwrap_or(usize::MAX)
}

pub(crate) fn seeds() -> Vec<Seed> {
    use Terminator::{CrLf, Universal};
    const LF: Terminator = Terminator::LF;
    let long = [&[b'z'; 8000][..], b"\n\nrest\n"].concat();
    let block = [&[b'z'; 4095][..], b"\n", &[b'z'; 4096], b"\r\n\rrest"].concat();
    let limited = |limit, policy| Rules::limited(limit, policy);
    let crlf = |limit, policy| Rules { terminator: CrLf, ..Rules::limited(limit, policy) };
    /// A name, the bytes, the pieces, the rules, and how many lines.
    type Short<'a> = (&'a str, &'a [u8], &'a [usize], Rules, usize);
    let cases: [Short<'_>; 22] = [
        ("empty", b"", &[], Rules::plain(LF), 9),
        ("lines", b"a\n\nbb\nlast", &[], Rules::plain(LF), usize::MAX),
        ("first", b"a\n\nbb\nlast", &[], Rules::plain(LF), 1),
        ("none", b"a\nb\n", &[], Rules::plain(LF), 0),
        ("bytewise", b"a\n\nbb\nlast", &[1; 10], Rules::plain(LF), 3),
        ("nul", b"\0\n\0\0\nx\n", &[2, 2], Rules::plain(LF), 2),
        ("nul-ends", b"a\nb\0\0c", &[3], Rules::plain(Terminator::Byte(0)), 2),
        ("0xff-ends", b"a\xff\xff\nb", &[2], Rules::plain(Terminator::Byte(0xFF)), 2),
        ("crlf", b"a\r\nb\r\r\n\r", &[2, 1, 2], Rules::plain(CrLf), 2),
        ("cr-lf-cut", b"a\r\nb\r\n\r\rc", &[2, 1, 2], Rules::plain(Universal), usize::MAX),
        ("cr-lf-cut-first", b"a\r\nb\r\n\r\rc", &[2, 1, 2], Rules::plain(Universal), 1),
        ("cr-last", b"a\r\n\nb\r", &[6], Rules::plain(Universal), 9),
        ("long", &long, &[], Rules::plain(LF), 1),
        ("long-in-pieces", &long, &[100, 4032, 64, 1, 4096], Rules::plain(LF), 2),
        ("block", &block, &[], Rules::plain(LF), 1),
        ("block-any", &block, &[], Rules::plain(Universal), 2),
        ("limit-error", b"12345678\n123456789\nx\n", &[], limited(8, Policy::Error), 2),
        ("limit-skip", b"123456789\n12345678\nx", &[5, 4], limited(8, Policy::Skip), 1),
        ("limit-truncate", b"123456789abcdef\nx\n", &[9, 3], limited(8, Policy::Truncate), 1),
        ("limit-last", b"x\n123456789", &[], limited(8, Policy::Truncate), usize::MAX),
        ("limit-cr", b"12345678\r\n12345678\r", &[9], crlf(8, Policy::Error), usize::MAX),
        ("limit-long", &long, &[4097], crlf(4095, Policy::Truncate), 2),
    ];
    let seed = |(name, bytes, pieces, rules, most): Short<'_>| {
        let case = Case { bytes: bytes.to_vec(), pieces: pieces.to_vec(), rules, most };
        Seed::new("exact", name, Exact(case).input())
    };
    cases.into_iter().map(seed).collect()
}
