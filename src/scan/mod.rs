//! Where the delimiters are: pure functions over `&[u8]`.
//!
//! [`Scanner`] is the front: a [`Needle`] and the fastest [`Kernel`] that this machine has. It knows no
//! buffer, and nothing above it knows an instruction set.

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod index;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use index::{BLOCK, End, SLACK};

/// What ends a line, as the kernels see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Needle {
    /// This byte.
    Byte(u8),
    /// LF, CR LF or CR: one end each, and a CR with nothing behind it is one.
    CrOrLf,
}

impl Needle {
    /// Whether a line ends at this byte, with nothing behind it.
    #[inline]
    pub(crate) fn matches(self, last: u8) -> bool {
        match self {
            Self::Byte(byte) => last == byte,
            Self::CrOrLf => last == b'\r' || last == b'\n',
        }
    }
}

/// How close together line ends stand. A hint: results never depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Density {
    /// One in some thousand bytes, or none: look for the next one.
    Single,
    /// A few in a block of 64 bytes.
    Sparse,
    /// Many in a block.
    Dense,
}

impl Density {
    /// From the line ends found in some bytes.
    pub(crate) fn of(ends: usize, bytes: usize) -> Self {
        if ends * 2048 < bytes {
            Self::Single
        } else if ends * index::BLOCK < 5 * bytes {
            Self::Sparse
        } else {
            // A table look-up for every eight bytes is cheaper, as measured.
            Self::Dense
        }
    }
}

/// A set of instructions that masks can be had with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(unreachable_pub, reason = "public only with the feature __internals")]
#[non_exhaustive]
pub enum Kernel {
    /// 64-bit integers: runs anywhere.
    Portable,
    /// x86-64 with POPCNT, as all since 2008; without that it is not faster than the portable one.
    #[cfg(target_arch = "x86_64")]
    Sse2,
    /// x86-64 with AVX2, BMI1, BMI2 and POPCNT (x86-64-v3).
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// aarch64's baseline.
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Kernel {
    /// Every kernel that this machine can run, the fastest first.
    pub(crate) fn available() -> impl Iterator<Item = Self> {
        [
            #[cfg(target_arch = "x86_64")]
            (Self::Avx2, has_avx2()),
            #[cfg(target_arch = "x86_64")]
            (Self::Sse2, std::arch::is_x86_feature_detected!("popcnt")),
            #[cfg(target_arch = "aarch64")]
            (Self::Neon, true),
            (Self::Portable, true),
        ]
        .into_iter()
        .filter_map(|(kernel, available)| available.then_some(kernel))
    }
}

/// std asks the processor once and remembers.
#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
}

/// The two kernels of [`index`], compiled for a set of target features.
macro_rules! compiled_for {
    ($name:ident, $block:ty $(, $features:literal)?) => {
        mod $name {
            use super::{Density, End, Needle, index};

            /// See [`index::index`].
            ///
            /// # Safety
            ///
            /// The processor must have the features.
            $(#[target_feature(enable = $features)])?
            pub(super) unsafe fn index(
                hay: &[u8],
                len: usize,
                needle: Needle,
                density: Density,
                out: &mut [End],
            ) -> usize {
                // SAFETY: the caller vouches for the features.
                unsafe {
                    index::index::<$block>(hay, len, needle, density, out)
                }
            }

            /// See [`index::count`].
            ///
            /// # Safety
            ///
            /// The processor must have the features.
            $(#[target_feature(enable = $features)])?
            pub(super) unsafe fn count(hay: &[u8], len: usize, needle: Needle) -> usize {
                // SAFETY: the caller vouches for the features.
                unsafe { index::count::<$block>(hay, len, needle) }
            }
        }
    };
}

compiled_for!(portable_kernel, crate::scan::portable::Portable);
#[cfg(target_arch = "x86_64")]
compiled_for!(sse2_kernel, crate::scan::x86_64::Sse2, "popcnt");
#[cfg(target_arch = "x86_64")]
compiled_for!(avx2_kernel, crate::scan::x86_64::Avx2, "avx2,bmi1,bmi2,popcnt");
#[cfg(target_arch = "aarch64")]
compiled_for!(neon_kernel, crate::scan::aarch64::Neon, "neon");

/// A needle and the kernel that looks for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scanner {
    needle: Needle,
    kernel: Kernel,
}

impl Scanner {
    /// With the fastest kernel that this machine has.
    pub(crate) fn new(needle: Needle) -> Self {
        let kernel = Kernel::available().next().unwrap_or(Kernel::Portable);
        Self { needle, kernel }
    }

    /// With a given kernel.
    ///
    /// # Panics
    ///
    /// If this machine cannot run it: a [`Scanner`] that exists is one whose kernel may be called.
    #[cfg(any(test, feature = "__internals"))]
    pub(crate) fn with_kernel(needle: Needle, kernel: Kernel) -> Self {
        assert!(Kernel::available().any(|k| k == kernel), "this machine has no {kernel:?}");
        Self { needle, kernel }
    }

    pub(crate) fn needle(&self) -> Needle {
        self.needle
    }

    /// Writes the end of every line that ends in the first `len` bytes of `hay` to `out`: one past its
    /// terminator's last byte. Returns how many there are. A byte at `hay[len]` is looked at only to see
    /// whether it makes a CR LF of a CR.
    ///
    /// # Panics
    ///
    /// If `out` has no room for an end a byte and [`SLACK`], or `hay` is shorter than `len`.
    pub(crate) fn index(&self, hay: &[u8], len: usize, density: Density, out: &mut [End]) -> usize {
        let room = len <= End::MAX as usize && out.len() >= len + SLACK;
        assert!(room, "an index needs room for an end a byte, and more");
        note(len);
        // SAFETY: `new` and `with_kernel` let only a kernel in that this machine can run; there is room.
        unsafe {
            match self.kernel {
                Kernel::Portable => portable_kernel::index(hay, len, self.needle, density, out),
                #[cfg(target_arch = "x86_64")]
                Kernel::Sse2 => sse2_kernel::index(hay, len, self.needle, density, out),
                #[cfg(target_arch = "x86_64")]
                Kernel::Avx2 => avx2_kernel::index(hay, len, self.needle, density, out),
                #[cfg(target_arch = "aarch64")]
                Kernel::Neon => neon_kernel::index(hay, len, self.needle, density, out),
            }
        }
    }

    /// How many lines end in the first `len` bytes of `hay`; `hay[len]` as in [`index`](Self::index).
    pub(crate) fn count(&self, hay: &[u8], len: usize) -> usize {
        note(len);
        // SAFETY: as in `index`.
        unsafe {
            match self.kernel {
                Kernel::Portable => portable_kernel::count(hay, len, self.needle),
                #[cfg(target_arch = "x86_64")]
                Kernel::Sse2 => sse2_kernel::count(hay, len, self.needle),
                #[cfg(target_arch = "x86_64")]
                Kernel::Avx2 => avx2_kernel::count(hay, len, self.needle),
                #[cfg(target_arch = "aarch64")]
                Kernel::Neon => neon_kernel::count(hay, len, self.needle),
            }
        }
    }

    /// The end of the first line that ends in `hay`: for where ends are far apart.
    pub(crate) fn find(&self, hay: &[u8]) -> Option<usize> {
        let end = match self.needle {
            Needle::Byte(byte) => memchr::memchr(byte, hay).map(|at| at + 1),
            Needle::CrOrLf => memchr::memchr2(b'\r', b'\n', hay).map(|at| match hay[at..] {
                [b'\r', b'\n', ..] => at + 2,
                _ => at + 1,
            }),
        };
        note(end.unwrap_or(hay.len()));
        end
    }

    /// The same, for where ends are near: a line a call. No call is needed for it where the line is short.
    #[cfg(has_stdio_window)]
    #[inline]
    pub(crate) fn find_near(&self, hay: &[u8]) -> Option<usize> {
        #[cfg(target_arch = "aarch64")]
        use aarch64::Neon as Baseline;
        use index::Block;
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        use portable::Portable as Baseline;
        #[cfg(target_arch = "x86_64")]
        use x86_64::Sse2 as Baseline;

        const BLOCKS: usize = 4;
        let mut start = 0;
        if let Needle::Byte(byte) = self.needle {
            for block in hay.chunks_exact(BLOCK).take(BLOCKS) {
                let block = block.try_into().expect("a block of them");
                // SAFETY: every processor of the architecture has these instructions.
                let mask = unsafe { Baseline::eq(block, byte) };
                if mask != 0 {
                    let end = start + mask.trailing_zeros() as usize + 1;
                    note(end - start);
                    return Some(end);
                }
                note(BLOCK);
                start += BLOCK;
            }
        }
        self.find(&hay[start..]).map(|end| start + end)
    }

    /// The end of the last line that ends in `hay`.
    pub(crate) fn rfind(&self, hay: &[u8]) -> Option<usize> {
        let at = match self.needle {
            Needle::Byte(byte) => memchr::memrchr(byte, hay),
            Needle::CrOrLf => memchr::memrchr2(b'\r', b'\n', hay),
        };
        note(hay.len() - at.unwrap_or(0));
        at.map(|at| at + 1)
    }
}

/// Notes how many bytes were looked at, for the tests that each is once.
#[cfg(test)]
fn note(bytes: usize) {
    EXAMINED.with(|examined| examined.set(examined.get() + bytes));
}

#[cfg(not(test))]
#[inline(always)]
fn note(_: usize) {}

#[cfg(test)]
thread_local! {
    static EXAMINED: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// How many bytes this thread has looked at.
#[cfg(test)]
pub(crate) fn examined() -> usize {
    EXAMINED.with(core::cell::Cell::get)
}
