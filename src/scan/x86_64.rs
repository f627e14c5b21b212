//! The mask of a block with SSE2 (every x86-64 has it) and with AVX2.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8, _mm256_cmpeq_epi8,
    _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8,
};

use super::index::{BLOCK, Block};

/// Needs SSE2.
pub(super) struct Sse2;

impl Block for Sse2 {
    #[inline(always)]
    unsafe fn eq(block: &[u8; BLOCK], byte: u8) -> u64 {
        let at = block.as_ptr().cast::<__m128i>();
        let mut mask = 0;
        for part in 0..4 {
            // SAFETY: four parts of 16 bytes lie in the 64 of the block, a load of them needs no alignment;
            // the caller vouches for SSE2.
            let bits = unsafe {
                _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(at.add(part)), _mm_set1_epi8(byte as i8)))
            };
            mask |= u64::from(bits as u16) << (16 * part);
        }
        mask
    }
}

/// Needs AVX2.
pub(super) struct Avx2;

impl Block for Avx2 {
    #[inline(always)]
    unsafe fn eq(block: &[u8; BLOCK], byte: u8) -> u64 {
        let at = block.as_ptr().cast::<__m256i>();
        let mut mask = 0;
        for part in 0..2 {
            // SAFETY: two parts of 32 bytes lie in the 64 of the block, a load of them needs no alignment;
            // the caller vouches for AVX2.
            let bits = unsafe {
                let needle = _mm256_set1_epi8(byte as i8);
                _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256(at.add(part)), needle))
            };
            mask |= u64::from(bits as u32) << (32 * part);
        }
        mask
    }
}
