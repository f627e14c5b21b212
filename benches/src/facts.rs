//! What is in an input, known from how it was made and not from any reader.

use crate::{CAPACITY, Fold};

/// What a contestant hands out, and so what it must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// No lines, only bytes: their number is in the checksum's place.
    Bytes,
    /// No lines, only LFs, counted.
    Newlines,
    /// No lines, only bytes, each added to the checksum.
    EachByte,
    /// Lines with their terminator.
    Whole,
    /// Lines without their LF.
    Content,
    /// Lines without their LF and one CR before it.
    Stripped,
    /// Lines with their terminator, those longer than [`CAPACITY`] in pieces of that size. (linereader,
    /// which documents it.)
    Pieces,
}

/// What is in an input.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    bytes: u64,
    newlines: u64,
    each_byte: Fold,
    whole: Fold,
    content: Fold,
    stripped: Fold,
    pieces: Fold,
}

impl Facts {
    /// From bytes that somebody else made: one naive pass.
    pub fn of(bytes: &[u8]) -> Self {
        let mut facts = Self::default();
        let mut start = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' {
                facts.add(&bytes[start..=at]);
                start = at + 1;
            }
        }
        if start < bytes.len() {
            facts.add(&bytes[start..]);
        }
        facts
    }

    /// Adds a line, with its terminator if it has one.
    pub fn add(&mut self, line: &[u8]) {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let stripped = line.strip_suffix(b"\r\n").unwrap_or(content);
        self.bytes += line.len() as u64;
        self.newlines += u64::from(line.ends_with(b"\n"));
        line.iter().for_each(|&byte| self.each_byte.byte(byte));
        self.whole.line(line);
        self.content.line(content);
        self.stripped.line(stripped);
        line.chunks(CAPACITY).for_each(|piece| self.pieces.line(piece));
    }

    /// How many bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many lines.
    pub fn lines(&self) -> u64 {
        self.whole.lines
    }

    /// What a contestant must find.
    pub fn expected(&self, hands: Hands) -> Fold {
        match hands {
            Hands::Bytes => Fold { lines: 0, sum: self.bytes },
            Hands::Newlines => Fold { lines: self.newlines, sum: self.bytes },
            Hands::EachByte => self.each_byte,
            Hands::Whole => self.whole,
            Hands::Content => self.content,
            Hands::Stripped => self.stripped,
            Hands::Pieces => self.pieces,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_has_its_own_count() {
        let long = [b"z".repeat(CAPACITY), b"\n".to_vec()].concat();
        let facts = Facts::of(&[b"a\r\n\n", &long[..], b"end"].concat());
        assert_eq!(facts.bytes(), 8 + long.len() as u64 - 1);
        assert_eq!(facts.lines(), 4);
        assert_eq!(facts.expected(Hands::Newlines).lines, 3);
        assert_eq!(facts.expected(Hands::Pieces).lines, 5);
        assert_ne!(facts.expected(Hands::Content), facts.expected(Hands::Stripped));
    }
}
