//! Pieces of a slice that end where lines do: how several threads share what is in memory, or mapped.
//!
//! For a file that is read by ranges there is [`LineReader::range`](crate::LineReader::range).

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Deref;

use bstr::BStr;

use crate::line::Terminator;
use crate::lines::Lines;
use crate::scan::Scanner;

/// Cuts `bytes` behind ends of lines into at most `pieces` pieces of about equal size, none of them empty.
///
/// Joined they are `bytes`. There are fewer where lines are so long that they leave nothing for a piece,
/// and none of no bytes. 0 pieces are taken as 1. Lines end at LF; [`Pieces::terminator`] makes it another.
///
/// Nothing is allocated, and of the bytes only those about the cuts are looked at.
///
/// ```
/// use std::thread;
/// use wholeline::split;
///
/// let bytes = b"some\nlines\nof\na file\n".repeat(1000);
/// let lines: usize = thread::scope(|scope| {
///     let counts: Vec<_> =
///         split::at_lines(&bytes, 4).map(|piece| scope.spawn(move || piece.lines().count())).collect();
///     counts.into_iter().map(|count| count.join().unwrap()).sum()
/// });
/// assert_eq!(lines, 4000);
/// ```
pub fn at_lines(bytes: &[u8], pieces: usize) -> Pieces<'_> {
    Pieces { rest: bytes, offset: 0, pieces: pieces.max(1), terminator: Terminator::LF }
}

/// An iterator over the pieces of a slice, made by [`at_lines`].
#[derive(Clone)]
pub struct Pieces<'a> {
    rest: &'a [u8],
    /// Where `rest` stands in the whole.
    offset: usize,
    /// How many pieces `rest` is to be cut into, at least 1.
    pieces: usize,
    terminator: Terminator,
}

impl Pieces<'_> {
    /// The same with another terminator: what is left is cut behind that.
    ///
    /// ```
    /// use wholeline::{Terminator, split};
    ///
    /// let pieces = split::at_lines(b"a\0b\0c\0d", 2).terminator(Terminator::NUL);
    /// assert_eq!(pieces.map(|piece| piece.as_bytes()).collect::<Vec<_>>(), [b"a\0b\0", &b"c\0d"[..]]);
    /// ```
    #[must_use]
    pub fn terminator(mut self, terminator: Terminator) -> Self {
        self.terminator = terminator;
        self
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        // What a long line takes from the others is shared by all of them.
        let before_end = self.rest.len().div_ceil(self.pieces) - 1;
        let end = Scanner::new(self.terminator.needle()).find(&self.rest[before_end..]);
        let (bytes, rest) = self.rest.split_at(end.map_or(self.rest.len(), |end| before_end + end));
        let piece = Piece { bytes, offset: self.offset, terminator: self.terminator };
        self.rest = rest;
        self.offset += bytes.len();
        self.pieces = (self.pieces - 1).max(1);
        Some(piece)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(!self.rest.is_empty()), Some(self.pieces.min(self.rest.len())))
    }
}

impl FusedIterator for Pieces<'_> {}

impl fmt::Debug for Pieces<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pieces")
            .field("rest", &BStr::new(self.rest))
            .field("offset", &self.offset)
            .field("pieces", &self.pieces)
            .field("terminator", &self.terminator)
            .finish()
    }
}

/// A piece of a slice: whole lines, of which only the slice's last may lack its terminator.
#[derive(Clone, Copy)]
pub struct Piece<'a> {
    bytes: &'a [u8],
    offset: usize,
    terminator: Terminator,
}

impl<'a> Piece<'a> {
    /// Its bytes.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Where its first byte stands in the whole slice.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Its lines. Their offsets count from the start of the whole slice, their numbers from 1 in this
    /// piece.
    ///
    /// ```
    /// use wholeline::split;
    ///
    /// let last = split::at_lines(b"one\ntwo\nthree\n", 2).last().unwrap();
    /// let line = last.lines().next().unwrap();
    /// assert_eq!((line.as_bytes(), line.offset(), line.number()), (&b"three"[..], 8, 1));
    /// ```
    pub fn lines(&self) -> Lines<'a> {
        Lines::new(self.bytes, self.terminator).at(self.offset as u64)
    }
}

impl Deref for Piece<'_> {
    type Target = [u8];

    /// Its bytes.
    fn deref(&self) -> &[u8] {
        self.bytes
    }
}

impl AsRef<[u8]> for Piece<'_> {
    /// Its bytes.
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}

impl fmt::Debug for Piece<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Piece")
            .field("bytes", &BStr::new(self.bytes))
            .field("offset", &self.offset)
            .field("terminator", &self.terminator)
            .finish()
    }
}
