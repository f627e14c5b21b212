//! Whether lines are in order.

use core::error::Error;
use core::fmt;
use std::io;

use super::shape::Shape;
use crate::line::Line;

/// A line's key was less than the one before it: what `check_sorted` of
/// [`SortedLines`](crate::SortedLines::check_sorted) and [`SortedFile`](crate::SortedFile::check_sorted)
/// finds.
///
/// As an [`io::Error`] it is of kind [`InvalidData`](io::ErrorKind::InvalidData), and what that wraps.
///
/// ```
/// use wholeline::SortedLines;
///
/// let out_of_order = SortedLines::new(b"apple\ncherry\nbanana\n").check_sorted().unwrap_err();
/// assert_eq!((out_of_order.offset(), out_of_order.number()), (13, 3));
/// assert_eq!(out_of_order.to_string(), "line 3, at byte 13, is out of order");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfOrder {
    offset: u64,
    number: u64,
}

impl OutOfOrder {
    /// Where the line's first byte stands, in bytes from the start of the slice or file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The line's number; the first has number 1, header and continuation lines are counted.
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl fmt::Display for OutOfOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, number } = self;
        write!(f, "line {number}, at byte {offset}, is out of order")
    }
}

impl Error for OutOfOrder {}

impl From<OutOfOrder> for io::Error {
    fn from(error: OutOfOrder) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

/// Is shown all lines of a text, one after the other.
pub(super) struct Order<'s> {
    shape: &'s Shape,
    /// All lines so far were header lines.
    in_header: bool,
    /// Of the record before, once there was one. An empty key is not greater than any other.
    key: Vec<u8>,
}

impl<'s> Order<'s> {
    pub(super) fn new(shape: &'s Shape) -> Self {
        Self { shape, in_header: true, key: Vec::new() }
    }

    #[inline]
    pub(super) fn line(&mut self, line: Line<'_>) -> Result<(), OutOfOrder> {
        let content = line.as_bytes();
        let first = self.in_header;
        self.in_header = first && self.shape.is_header(content);
        // A continuation line that has no record before it is one.
        if self.in_header || !first && self.shape.is_continuation(content) {
            return Ok(());
        }
        let key = (self.shape.key)(content);
        if key < &self.key[..] {
            return Err(OutOfOrder { offset: line.offset(), number: line.number() });
        }
        self.key.clear();
        self.key.extend_from_slice(key);
        Ok(())
    }
}
