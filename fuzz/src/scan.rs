//! The target `scan`.

use arbitrary::{Arbitrary, Unstructured};
use wholeline::__internals::Kernel;
use wholeline::Lines;

use crate::format::{Decoder, encode, pack, unpack};
use crate::support::naive::{Ending, Line, Terminator, split};

/// Bytes to be searched, and where.
#[derive(Debug)]
pub struct Scan {
    pub(crate) terminator: Terminator,
    /// So many bytes stand before them.
    pub(crate) shift: usize,
    /// So many lines are taken one by one before the iterator is cloned.
    pub(crate) taken: usize,
    pub(crate) bytes: Vec<u8>,
}

impl<'a> Arbitrary<'a> for Scan {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let input = unpack(input.bytes(input.len())?);
        let mut input = Decoder(&input);
        Ok(Scan {
            terminator: input.terminator(),
            shift: usize::from(input.byte() % 64),
            taken: input.size(),
            bytes: input.0.to_vec(),
        })
    }
}

impl Scan {
    pub(crate) fn input(&self) -> Vec<u8> {
        let header = [
            encode(&self.terminator, |input| input.terminator()),
            encode(&self.shift, |input| input.size()),
            encode(&self.taken, |input| input.size()),
        ];
        pack(&[header.concat(), self.bytes.clone()].concat())
    }

    /// Panics where something is found that is not there, or the other way round.
    pub fn check(&self) {
        // What stands before the bytes is what a search that began too early would find; what stands behind
        // them is the allocation's end.
        let before = match self.terminator {
            Terminator::Byte(byte) => byte,
            Terminator::CrLf | Terminator::Universal => b'\r',
        };
        let mut memory = vec![before; self.shift];
        memory.extend_from_slice(&self.bytes);
        let memory = memory.into_boxed_slice();
        let hay = &memory[self.shift..];

        let expected = split(self.terminator, hay);
        let ends: Vec<usize> = expected
            .iter()
            .filter(|line| line.ending != Ending::Eof)
            .map(|line| line.offset as usize + line.whole.len())
            .collect();
        let terminator = self.terminator.of_the_crate();
        for kernel in Kernel::all() {
            assert_eq!(kernel.index(hay, terminator), ends, "{kernel:?}, index");
            assert_eq!(kernel.count(hay, terminator), ends.len(), "{kernel:?}, count");
            self.check_lines(kernel.lines(hay, terminator), &expected, &format!("{kernel:?}"));
        }
        self.check_lines(Lines::new(hay, terminator), &expected, "Lines");
    }

    fn check_lines(&self, mut lines: Lines<'_>, expected: &[Line], whose: &str) {
        let (first, rest) = expected.split_at(self.taken.min(expected.len()));
        let next = |lines: &mut Lines<'_>, expected: &Line| {
            let left = lines.as_bytes();
            let line = lines.next().unwrap_or_else(|| panic!("{whose}: {expected:?} is missing"));
            same(line, expected, whose);
            let left = &left[line.with_terminator().len()..];
            assert_eq!(left.as_ptr_range(), lines.as_bytes().as_ptr_range(), "{whose}, as_bytes");
        };
        first.iter().for_each(|expected| next(&mut lines, expected));

        // All at once, which is another loop than one by one.
        let mut left = rest.iter();
        lines.clone().for_each(|line| same(line, left.next().expect("a line too many"), whose));
        assert!(left.next().is_none(), "{whose}, for_each: a line is missing");

        rest.iter().for_each(|expected| next(&mut lines, expected));
        for _ in 0..2 {
            assert!(lines.next().is_none(), "{whose}: a line too many");
            assert!(lines.as_bytes().is_empty(), "{whose}: bytes are left");
        }
    }
}

fn same(line: wholeline::Line<'_>, expected: &Line, whose: &str) {
    assert_eq!(line.as_bytes(), expected.content, "{whose}: {expected:?}");
    assert_eq!(line.with_terminator(), expected.whole, "{whose}: {expected:?}");
    assert_eq!(Ending::from(line.ending()), expected.ending, "{whose}: {expected:?}");
    assert_eq!(line.offset(), expected.offset, "{whose}: {expected:?}");
    assert_eq!(line.number(), expected.number, "{whose}: {expected:?}");
}
