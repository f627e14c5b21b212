//! The work done on each line.

/// How many lines were found, and a checksum of their lengths and first bytes, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fold {
    /// How many lines.
    pub lines: u64,
    /// The checksum.
    pub sum: u64,
}

impl Fold {
    /// Folds a line in. A rotation and an addition: cheap enough that the reader is what gets measured.
    #[inline(always)]
    pub fn line(&mut self, line: &[u8]) {
        let first = line.first().copied().unwrap_or(0);
        let line = (line.len() as u64) << 8 | u64::from(first);
        self.lines += 1;
        self.sum = self.sum.rotate_left(5).wrapping_add(line);
    }

    /// Adds a byte: the least that can be done with it.
    #[inline(always)]
    pub fn byte(&mut self, byte: u8) {
        self.sum = self.sum.wrapping_add(u64::from(byte));
    }
}
