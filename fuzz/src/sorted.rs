//! The target `sorted`.

use std::io::Cursor;

use arbitrary::{Arbitrary, Unstructured};
use wholeline::__internals::sorted_file;

use crate::format::{Decoder, encode, pack, unpack};
use crate::seeds::Seed;
use crate::support::naive::Terminator;
use crate::support::sorted::{CONTINUATIONS, HEADERS, KEYS, Linear, Options, check};

/// Powers of two; the last is what users get.
const BLOCKS: [usize; 6] = [1, 2, 8, 32, 256, 4096];

/// Lines, whether they are put in order first, and how they are searched.
#[derive(Clone, Debug)]
pub struct Sorted {
    terminator: Terminator,
    /// Indices of functions.
    key: usize,
    continuation: usize,
    header: usize,
    block: usize,
    sort: bool,
    /// What is looked up beside the keys that are there.
    wanted: Vec<u8>,
    bytes: Vec<u8>,
}

impl<'a> Arbitrary<'a> for Sorted {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let input = unpack(input.bytes(input.len())?);
        let mut input = Decoder(&input);
        let terminator = input.terminator();
        let [key, continuation, header, block] =
            [KEYS.len(), CONTINUATIONS.len(), HEADERS.len(), BLOCKS.len()].map(|n| index(&mut input, n));
        let sort = index(&mut input, 2) == 1;
        let wanted = index(&mut input, 8);
        let (wanted, bytes) = input.0.split_at(wanted.min(input.0.len()));
        let (wanted, bytes) = (wanted.to_vec(), bytes.to_vec());
        Ok(Sorted { terminator, key, continuation, header, block, sort, wanted, bytes })
    }
}

fn index(input: &mut Decoder<'_>, len: usize) -> usize {
    usize::from(input.byte()) % len
}

impl Sorted {
    fn input(&self) -> Vec<u8> {
        let indices =
            [self.key, self.continuation, self.header, self.block, self.sort.into(), self.wanted.len()];
        let header =
            [encode(&self.terminator, |input| input.terminator()), indices.map(|i| i as u8).to_vec()];
        pack(&[&header.concat(), &self.wanted[..], &self.bytes].concat())
    }

    /// Panics where a search gives something else than the linear one, or something that is not there.
    pub fn check(&self) {
        let options = Options {
            terminator: self.terminator,
            key: KEYS[self.key],
            continuation: CONTINUATIONS[self.continuation],
            header: HEADERS[self.header],
        };
        let bytes = if self.sort { in_order(options, &self.bytes) } else { self.bytes.clone() };
        let file = sorted_file(Cursor::new(&bytes[..]), BLOCKS[self.block]).expect("a size");
        let wanted = [Vec::new(), self.wanted.clone(), vec![0xFF]];
        check(options, &bytes, &wanted, file);
    }
}

/// The same records, sorted as far as that can be: a last line without terminator may be one with the next now.
fn in_order(options: Options, bytes: &[u8]) -> Vec<u8> {
    let mut records = Linear::new(options, bytes).records;
    let header = records.first().map_or(bytes.len(), |first| first.offset as usize);
    records.sort_by(|a, b| a.key.cmp(&b.key));
    let records: Vec<u8> = records.into_iter().flat_map(|record| record.whole).collect();
    [&bytes[..header], &records].concat()
}

/// What other searches trip over, each in blocks of two sizes.
pub(crate) fn seeds() -> Vec<Seed> {
    let plain = Sorted {
        terminator: Terminator::LF,
        key: 0,
        continuation: 0,
        header: 0,
        block: 0,
        sort: false,
        wanted: b"b".to_vec(),
        bytes: Vec::new(),
    };
    let refs = || Sorted { key: 1, continuation: 1, header: 1, wanted: b"refs/a".to_vec(), ..plain.clone() };
    let with = |case: Sorted, bytes: &[u8]| Sorted { bytes: bytes.to_vec(), ..case };
    let long = [b"a\n", &[b'b'; 4100][..], b"\nc\n"].concat();
    let cases = [
        ("empty", plain.clone()),
        ("one", with(plain.clone(), b"b")),
        ("words", with(plain.clone(), b"a\nb\nba\nc\n")),
        ("equal", with(plain.clone(), &b"b\n".repeat(200))),
        ("empty-lines", with(plain.clone(), b"\n\n\n\nb\n")),
        ("long-line", with(plain.clone(), &long)),
        ("unsorted", with(plain.clone(), b"c\nb\na\nd\nb\n")),
        ("to-be-sorted", Sorted { sort: true, ..with(plain.clone(), b"c\nb\na\nd\nb") }),
        ("refs", with(refs(), b"# h\n1 refs/a\n2 refs/b\n^3\n4 refs/c\n")),
        ("refs-no-end", with(refs(), b"1 refs/a\n2 refs/b\n^3")),
        ("refs-header", with(refs(), b"# h\n# i")),
        ("refs-peeled-only", with(refs(), b"^1\n^2\n^3\n")),
        (
            "refs-long-peeled",
            with(refs(), &[b"1 refs/a\n", &b"^3\n".repeat(600)[..], b"4 refs/c\n"].concat()),
        ),
        ("nul", Sorted { terminator: Terminator::Byte(0), ..with(plain.clone(), b"a\n\0b\0c") }),
        ("crlf", Sorted { terminator: Terminator::CrLf, ..with(plain.clone(), b"a\r\nb\r\r\nb\nc\r") }),
        (
            "any",
            Sorted { terminator: Terminator::Universal, ..with(plain.clone(), b"\r\n\ra\r\nb\rc\n\r\n") },
        ),
        (
            "no-key",
            Sorted { key: 3, continuation: 2, header: 3, ..with(plain.clone(), b"a\nbbbb\n c\n\ndddd\n") },
        ),
    ];
    let named = cases.into_iter().flat_map(|(name, case)| {
        let large = Sorted { block: BLOCKS.len() - 1, ..case.clone() };
        [(format!("{name}-bytewise"), case), (name.to_owned(), large)]
    });
    named.map(|(name, case)| Seed::new("sorted", name, case.input())).collect()
}
