//! Pseudo-random numbers with a fixed seed: the same bytes on every machine.

/// SplitMix64, and letters to fill lines with.
#[derive(Debug)]
pub struct Dice {
    state: u64,
    letters: Vec<u8>,
    digits: Vec<u8>,
}

impl Dice {
    /// The longest text that [`letters`](Self::letters) gives.
    pub const LONGEST: usize = 128 << 10;

    /// Dice that always fall the same way.
    pub fn new(seed: u64) -> Self {
        let mut dice = Self { state: seed, letters: Vec::new(), digits: Vec::new() };
        dice.letters = (0..2 * Self::LONGEST).map(|_| b'a' + dice.below(26) as u8).collect();
        dice.digits = (0..4096).map(|_| b"0123456789abcdef"[dice.below(16)]).collect();
        dice
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// In `0..1`.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// In `0..end`.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// In another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            let at = self.below(end + 1);
            items.swap(at, end);
        }
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: f64) -> bool {
        self.unit() * 100.0 < percent
    }

    /// Standard normal, near enough: the sum of twelve.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// Log-normal with this mean; `sigma` is that of the logarithm.
    pub fn log_normal(&mut self, mean: f64, sigma: f64) -> f64 {
        (mean.ln() - sigma * sigma / 2.0 + sigma * self.normal()).exp()
    }

    /// Lower-case letters.
    pub fn letters(&mut self, len: usize) -> &[u8] {
        let start = self.below(self.letters.len() - len);
        &self.letters[start..][..len]
    }

    /// Hexadecimal digits.
    pub fn hex(&mut self, len: usize) -> &[u8] {
        let start = self.below(self.digits.len() - len);
        &self.digits[start..][..len]
    }
}
