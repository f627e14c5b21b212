//! What the generated inputs look like: each shape appends one record to a text.

use crate::dice::Dice;
use crate::facts::Facts;

/// Bytes, and the facts about the lines in them.
#[derive(Debug, Default)]
pub struct Text {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// What is in them.
    pub facts: Facts,
}

impl Text {
    /// Appends a line made of `parts`, and an LF.
    fn line(&mut self, parts: &[&[u8]]) {
        let start = self.bytes.len();
        parts.iter().for_each(|part| self.bytes.extend_from_slice(part));
        self.bytes.push(b'\n');
        self.facts.add(&self.bytes[start..]);
    }
}

/// A shape of input: appends one record.
pub type Shape = fn(&mut Text, &mut Dice);

/// A word list: 10 bytes a line, lengths spread as an English word list's are.
pub fn word(text: &mut Text, dice: &mut Dice) {
    /// Of a thousand words, how many have 1, 2, 3, ... letters.
    const LENGTHS: [usize; 20] =
        [1, 4, 14, 36, 64, 100, 127, 139, 136, 120, 93, 66, 43, 26, 15, 8, 4, 2, 1, 1];
    let mut roll = dice.below(LENGTHS.iter().sum());
    let mut len = 1;
    for share in LENGTHS {
        if roll < share {
            break;
        }
        roll -= share;
        len += 1;
    }
    text.line(&[dice.letters(len)]);
}

/// A stanza of a Debian package index: 43 bytes a line, a line in twenty empty, a few of many KiB.
pub fn stanza(text: &mut Text, dice: &mut Dice) {
    /// The fields of bookworm's index: in how many percent of the stanzas, and how long the line is: its
    /// mean, and a spread in bytes or, for lists of packages, that of a log-normal's logarithm.
    const FIELDS: [(&str, f64, f64, Spread); 21] = [
        ("Package", 100.0, 27.0, Bytes(6.0)),
        ("Source", 72.0, 24.0, Bytes(6.0)),
        ("Version", 100.0, 20.0, Bytes(4.0)),
        ("Installed-Size", 100.0, 19.0, Bytes(1.0)),
        ("Maintainer", 100.0, 70.0, Bytes(12.0)),
        ("Architecture", 100.0, 18.0, Bytes(0.8)),
        ("Multi-Arch", 36.0, 18.0, Bytes(1.0)),
        ("Provides", 15.0, 160.0, Log(1.6)),
        ("Depends", 88.0, 131.0, Log(1.0)),
        ("Recommends", 16.0, 62.0, Log(0.8)),
        ("Suggests", 18.0, 50.0, Log(0.7)),
        ("Breaks", 22.0, 62.0, Log(0.8)),
        ("Description", 100.0, 60.0, Bytes(10.0)),
        ("Homepage", 93.0, 46.0, Bytes(10.0)),
        ("Description-md5", 100.0, 49.0, Bytes(0.0)),
        ("Tag", 48.0, 47.0, Bytes(9.0)),
        ("Section", 100.0, 14.0, Bytes(2.0)),
        ("Priority", 100.0, 18.0, Bytes(0.0)),
        ("Filename", 100.0, 74.0, Bytes(14.0)),
        ("Size", 100.0, 11.0, Bytes(1.0)),
        ("MD5sum", 100.0, 40.0, Bytes(0.0)),
    ];
    enum Spread {
        Bytes(f64),
        Log(f64),
    }
    use Spread::{Bytes, Log};

    for (name, percent, mean, spread) in FIELDS {
        if !dice.chance(percent) {
            continue;
        }
        let len = match spread {
            Bytes(bytes) => mean + bytes * dice.normal(),
            Log(sigma) => dice.log_normal(mean, sigma),
        };
        let value = (len.round() as usize).saturating_sub(name.len() + 2).clamp(1, 75 << 10);
        text.line(&[name.as_bytes(), b": ", dice.letters(value)]);
    }
    // A virtual package that a thousand others provide.
    if dice.chance(0.02) {
        let value = (1024.0 * 75_f64.powf(dice.unit())) as usize;
        text.line(&[b"Provides: ", dice.letters(value)]);
    }
    text.line(&[b"SHA256: ", dice.hex(64)]);
    text.line(&[]);
}

/// Uneven lines: 75 bytes on average, log-normal.
pub fn uneven(text: &mut Text, dice: &mut Dice) {
    let len = dice.log_normal(74.0, 1.0).round() as usize;
    text.line(&[dice.letters(len.min(Dice::LONGEST))]);
}

/// git's packed-refs: 129 bytes a line, a tag in three annotated.
pub fn reference(text: &mut Text, dice: &mut Dice) {
    if text.bytes.is_empty() {
        text.line(&[b"# pack-refs with: peeled fully-peeled sorted "]);
    }
    let id = dice.hex(40).to_vec();
    let package = 20 + dice.below(51);
    let package = dice.letters(package).to_vec();
    let version = 28 + dice.below(51);
    let version = dice.letters(version);
    text.line(&[&id, b" refs/tags/debian/", &package, b"/", version]);
    if text.facts.lines().is_multiple_of(4) {
        text.line(&[b"^", dice.hex(40)]);
    }
}

/// A line of 64 KiB, and its LF: one byte more than every reader's buffer.
pub fn long(text: &mut Text, dice: &mut Dice) {
    text.line(&[dice.letters(64 << 10)]);
}

/// An empty line.
pub fn empty(text: &mut Text, _: &mut Dice) {
    text.line(&[]);
}
