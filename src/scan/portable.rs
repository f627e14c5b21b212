//! The mask of a block with nothing but 64-bit integers, eight bytes at a time.

use super::index::{BLOCK, Block};

/// Needs nothing.
pub(super) struct Portable;

/// A byte in each of a word's eight places.
const fn splat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

impl Block for Portable {
    #[inline(always)]
    unsafe fn eq(block: &[u8; BLOCK], byte: u8) -> u64 {
        let mut mask = 0;
        for (i, word) in block.chunks_exact(8).enumerate() {
            let differing = u64::from_le_bytes(word.try_into().unwrap()) ^ splat(byte);
            // The top bit of each byte that is not zero. Exact: the sum of the low seven bits never
            // carries into the next byte (Warren, "Hacker's Delight", 6-1).
            let nonzero = ((differing & splat(0x7f)) + splat(0x7f)) | differing;
            let equal = (!nonzero & splat(0x80)) >> 7;
            // Eight bits 8 apart, gathered in the top byte: bit 8i times 2^(56-7i) is bit 56+i, and no
            // two of the other products fall on the same place.
            mask |= (equal.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
        }
        mask
    }
}
