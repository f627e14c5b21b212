//! The mask of a block with NEON, which every aarch64 that std supports has.

use core::arch::aarch64::{
    vandq_u8, vceqq_u8, vdupq_n_u8, vgetq_lane_u64, vld1q_u8, vpaddq_u8, vreinterpretq_u64_u8,
};

use super::index::{BLOCK, Block};

/// Needs NEON.
pub(super) struct Neon;

/// The weight of a byte's bit among its eight neighbours: NEON has no movemask, so each matching byte
/// keeps its own bit and pairs are added until eight bytes have become one.
const WEIGHTS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

impl Block for Neon {
    #[inline(always)]
    unsafe fn eq(block: &[u8; BLOCK], byte: u8) -> u64 {
        let at = block.as_ptr();
        // SAFETY: four parts of 16 bytes lie in the 64 of the block, the weights are 16 bytes, loads need
        // no alignment; the caller vouches for NEON.
        unsafe {
            let needle = vdupq_n_u8(byte);
            let weights = vld1q_u8(WEIGHTS.as_ptr());
            let weighed = |part: usize| vandq_u8(vceqq_u8(vld1q_u8(at.add(16 * part)), needle), weights);
            let low = vpaddq_u8(weighed(0), weighed(1));
            let high = vpaddq_u8(weighed(2), weighed(3));
            let sums = vpaddq_u8(vpaddq_u8(low, high), vdupq_n_u8(0));
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(sums))
        }
    }
}
