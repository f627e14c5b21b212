//! The kernel, written once over "the 64-bit mask of a 64-byte block".
//!
//! A search call a line costs more than the search itself, so line ends are found many at a time (the
//! idea of simdjson's first stage: Langdale and Lemire, "Parsing gigabytes of JSON per second", 2019):
//! each block becomes a mask with one bit a byte, and the positions of its set bits are written to an
//! index that the caller then pops.
//!
//! Real line lengths make "is there a hit in this block" a branch that nothing can predict, so neither
//! way of writing the index asks it. Where ends are few, the first two positions of each block are
//! stored always, the index grows by the number of bits, and only what is left over is looped for. Where
//! they are many, each byte of the mask is looked up in a table of the positions it stands for, and
//! eight are stored whatever it says.

use super::{Density, Needle};

/// A position in an index, counted from the start of the bytes that were scanned.
pub(crate) type End = u32;

/// Bytes in a block: one bit each in a mask.
pub(crate) const BLOCK: usize = 64;

/// How far the kernels write past the last end that they report.
pub(crate) const SLACK: usize = 8;

/// What an architecture offers: which bytes of a block equal a given one.
pub(super) trait Block {
    /// Bit `i` of the result is set if and only if `block[i] == byte`.
    ///
    /// # Safety
    ///
    /// The processor must have the instructions that the implementation is named after.
    unsafe fn eq(block: &[u8; BLOCK], byte: u8) -> u64;
}

/// What is looked for, known when a loop is compiled.
trait Ends: Copy {
    /// The line ends in a block, which ends in `hay` at `end`.
    ///
    /// # Safety
    ///
    /// As for [`Block::eq`].
    unsafe fn ends<B: Block>(self, block: &[u8; BLOCK], hay: &[u8], end: usize) -> u64;
}

/// Every occurrence of a byte.
#[derive(Clone, Copy)]
struct Byte(u8);

impl Ends for Byte {
    #[inline(always)]
    unsafe fn ends<B: Block>(self, block: &[u8; BLOCK], _: &[u8], _: usize) -> u64 {
        // SAFETY: passed on.
        unsafe { B::eq(block, self.0) }
    }
}

/// Every LF, and every CR that no LF follows.
#[derive(Clone, Copy)]
struct CrOrLf;

impl Ends for CrOrLf {
    #[inline(always)]
    unsafe fn ends<B: Block>(self, block: &[u8; BLOCK], hay: &[u8], end: usize) -> u64 {
        // SAFETY: passed on.
        let (cr, lf) = unsafe { (B::eq(block, b'\r'), B::eq(block, b'\n')) };
        let before_lf = lf >> 1 | u64::from(hay.get(end) == Some(&b'\n')) << (BLOCK - 1);
        lf | cr & !before_lf
    }
}

/// What becomes of the masks. Traits and not closures here: what they do has to be inlined into the
/// functions that are compiled for a set of instructions, and only a method can say so.
trait Sink {
    /// Takes the mask of the block whose first byte stands at `at`.
    fn block(&mut self, at: usize, mask: u64);
}

/// Positions written one after the other.
struct Positions<'a, const DENSE: bool> {
    out: &'a mut [End],
    len: usize,
}

impl<'a, const DENSE: bool> Positions<'a, DENSE> {
    /// Writes the positions that `ends` finds in the first `len` bytes of `hay`. Returns how many there are.
    ///
    /// # Safety
    ///
    /// As for [`Block::eq`], and `out` must have room for `len` and [`SLACK`] positions.
    #[inline(always)]
    unsafe fn write<B: Block>(hay: &[u8], len: usize, ends: impl Ends, out: &'a mut [End]) -> usize {
        let mut positions = Self { out, len: 0 };
        // SAFETY: passed on.
        unsafe { masks::<B>(hay, len, ends, &mut positions) };
        positions.len
    }

    /// Writes `positions` behind those that count already, to be overwritten if they never do.
    #[inline(always)]
    fn put<const K: usize>(&mut self, skip: usize, positions: [End; K]) {
        const { assert!(K <= SLACK) };
        // SAFETY: `write` is the only one to make this, and its caller vouches for the room: no more
        // positions count than bytes have been scanned, `SLACK` more fit, and `skip` is either less than
        // the number that the block at hand is going to add or, with `K`, within the slack.
        unsafe { self.out.as_mut_ptr().add(self.len + skip).cast::<[End; K]>().write_unaligned(positions) };
    }
}

/// One past the position of each set bit of a byte, in order.
static POSITIONS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut len) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][len] = bit as u8 + 1;
                len += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

impl<const DENSE: bool> Sink for Positions<'_, DENSE> {
    #[inline(always)]
    fn block(&mut self, at: usize, mut mask: u64) {
        if DENSE {
            let mut base = [at as End; 8];
            for byte in mask.to_le_bytes() {
                let mut positions = base;
                for ((to, base), &from) in
                    positions.iter_mut().zip(&mut base).zip(&POSITIONS[usize::from(byte)])
                {
                    *to += End::from(from);
                    *base += 8;
                }
                self.put(0, positions);
                self.len += byte.count_ones() as usize;
            }
        } else {
            let hits = mask.count_ones() as usize;
            let mut next = |positions: &mut Self, skip| {
                positions.put(skip, [at as End + 1 + mask.trailing_zeros() as End]);
                mask &= mask.wrapping_sub(1);
            };
            next(self, 0);
            next(self, 1);
            for skip in 2..hits {
                next(self, skip);
            }
            self.len += hits;
        }
    }
}

/// Positions only counted.
struct Count(usize);

impl Sink for Count {
    #[inline(always)]
    fn block(&mut self, _: usize, mask: u64) {
        self.0 += mask.count_ones() as usize;
    }
}

/// Gives `sink` the mask of every block of the first `len` bytes of `hay`.
///
/// # Safety
///
/// As for [`Block::eq`].
#[inline(always)]
unsafe fn masks<B: Block>(hay: &[u8], len: usize, ends: impl Ends, sink: &mut impl Sink) {
    let mut blocks = hay[..len].chunks_exact(BLOCK);
    let mut at = 0;
    for block in &mut blocks {
        let block = block.try_into().unwrap();
        // SAFETY: passed on.
        sink.block(at, unsafe { ends.ends::<B>(block, hay, at + BLOCK) });
        at += BLOCK;
    }
    let tail = blocks.remainder();
    if !tail.is_empty() {
        let mut block = [0; BLOCK];
        block[..tail.len()].copy_from_slice(tail);
        // What stands behind is not searched, but says whether a CR is followed by LF.
        if let Some(&follower) = hay.get(len) {
            block[tail.len()] = follower;
        }
        // SAFETY: passed on.
        let mask = unsafe { ends.ends::<B>(&block, &[], 0) };
        sink.block(at, mask & ((1 << tail.len()) - 1));
    }
}

/// Writes the end of every line that ends in the first `len` bytes of `hay` to `out`: one past its
/// terminator's last byte. Returns how many there are.
///
/// # Panics
///
/// If `hay` is shorter than `len`.
///
/// # Safety
///
/// As for [`Block::eq`], and `out` must have room for `len` and [`SLACK`] positions.
#[inline(always)]
pub(super) unsafe fn index<B: Block>(
    hay: &[u8],
    len: usize,
    needle: Needle,
    density: Density,
    out: &mut [End],
) -> usize {
    // SAFETY: passed on.
    unsafe {
        match needle {
            Needle::Byte(byte) if density == Density::Dense => {
                Positions::<true>::write::<B>(hay, len, Byte(byte), out)
            }
            Needle::Byte(byte) => Positions::<false>::write::<B>(hay, len, Byte(byte), out),
            Needle::CrOrLf => Positions::<true>::write::<B>(hay, len, CrOrLf, out),
        }
    }
}

/// How many lines end in the first `len` bytes of `hay`.
///
/// # Safety
///
/// As for [`Block::eq`].
#[inline(always)]
pub(super) unsafe fn count<B: Block>(hay: &[u8], len: usize, needle: Needle) -> usize {
    let mut count = Count(0);
    // SAFETY: passed on.
    unsafe {
        match needle {
            Needle::Byte(byte) => masks::<B>(hay, len, Byte(byte), &mut count),
            Needle::CrOrLf => masks::<B>(hay, len, CrOrLf, &mut count),
        }
    }
    count.0
}
