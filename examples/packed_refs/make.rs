//! `make`: a packed-refs file of any size, as git writes it, for those who want to measure.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::record;

/// Writes a file of so many refs, sorted, with a peel line for every third. `progress` hears now and then how
/// many are written.
pub(crate) fn make(count: u64, to: impl Write, mut progress: impl FnMut(u64)) -> io::Result<()> {
    const MANY: usize = 64 << 10;
    let mut to = to;
    let mut names = Names::new(count);
    let mut ids = Random(1);
    let mut text = String::with_capacity(2 * MANY);
    text.push_str(record::HEADER);
    for number in 0..count {
        ids.object_id(&mut text);
        text.push(' ');
        names.next(number, &mut text);
        text.push('\n');
        if number % 3 == 2 {
            text.push('^');
            ids.object_id(&mut text);
            text.push('\n');
        }
        if text.len() >= MANY {
            to.write_all(text.as_bytes())?;
            text.clear();
            progress(number + 1);
        }
    }
    to.write_all(text.as_bytes())?;
    to.flush()
}

/// In byte order, and none the start of another: so names made of so many of them are in the order of the
/// numbers that they stand for.
const WORDS: [&str; 16] = [
    "apt", "bind", "core", "dbus", "emacs", "font", "gtk", "http", "icu", "java", "kde", "lib", "mesa",
    "node", "perl", "qt",
];

/// Of each package.
const VERSIONS: u64 = 4;

/// `refs/tags/debian/PACKAGE/VERSION`, in order, of uneven length as names are, and never all in memory.
struct Names {
    /// How many words it takes to tell the packages apart.
    words: u32,
    package: String,
    random: Random,
}

impl Names {
    fn new(count: u64) -> Self {
        let last = count.saturating_sub(1) / VERSIONS;
        let words = last.checked_ilog2().unwrap_or(0) / WORDS.len().ilog2() + 1;
        Self { words, package: String::new(), random: Random(2) }
    }

    fn next(&mut self, number: u64, text: &mut String) {
        let version = number % VERSIONS;
        if version == 0 {
            self.package.clear();
            let digits = (0..self.words).rev().map(|at| (number / VERSIONS) >> (4 * at));
            let more = self.random.below(4);
            let digits: Vec<_> = digits.chain((0..more).map(|_| self.random.next())).collect();
            for digit in digits {
                let dash = if self.package.is_empty() { "" } else { "-" };
                self.package.push_str(dash);
                self.package.push_str(WORDS[(digit % 16) as usize]);
            }
        }
        let random = &mut self.random;
        let (major, minor) = (10 + 20 * version + random.below(20), random.below(300));
        let (release, update) = (8 + random.below(6), random.below(20));
        text.push_str("refs/tags/debian/");
        text.push_str(&self.package);
        // A String takes whatever is written.
        let _ = write!(text, "/{major}.{minor}+deb{release}u{update}");
    }
}

/// splitmix64: the same file everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn object_id(&mut self, text: &mut String) {
        let _ = write!(text, "{:016x}{:016x}{:08x}", self.next(), self.next(), self.next() >> 32);
    }
}
