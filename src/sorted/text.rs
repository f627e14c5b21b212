//! The bytes that are searched, as far as they are at hand.

use core::convert::Infallible;
use core::ops::Range;

/// Bytes of which a stretch is *held*: all of a slice, some blocks of a file.
pub(super) trait Text {
    type Error;

    /// How many bytes there are in all.
    fn size(&self) -> u64;

    /// The bytes held, and where the first of them stands.
    fn held(&self) -> (u64, &[u8]);

    /// Holds the byte at `at`, which is less than the size; whatever else was held may be dropped. From now
    /// on `within` is all that is of interest, until a line's end is looked for behind it.
    fn hold(&mut self, at: u64, within: Range<u64>) -> Result<(), Self::Error>;

    /// Holds more in front. There must be more.
    fn hold_before(&mut self) -> Result<(), Self::Error>;

    /// Holds more behind. What stands before `keep` may be dropped. False if there is no more.
    fn hold_behind(&mut self, keep: u64) -> Result<bool, Self::Error>;
}

impl Text for &[u8] {
    type Error = Infallible;

    #[inline(always)]
    fn size(&self) -> u64 {
        self.len() as u64
    }

    #[inline(always)]
    fn held(&self) -> (u64, &[u8]) {
        (0, self)
    }

    #[inline(always)]
    fn hold(&mut self, _: u64, _: Range<u64>) -> Result<(), Infallible> {
        Ok(())
    }

    #[inline(always)]
    fn hold_before(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    #[inline(always)]
    fn hold_behind(&mut self, _: u64) -> Result<bool, Infallible> {
        Ok(false)
    }
}
