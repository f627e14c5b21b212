//! The one error of our own.

use core::error::Error;
use core::fmt;
use std::io;

/// A line was longer than the limit, and the policy was
/// [`OverLong::Error`](crate::OverLong::Error).
///
/// It is what an [`io::Error`] of kind [`InvalidData`](io::ErrorKind::InvalidData) wraps:
///
/// ```
/// use wholeline::{LineReaderBuilder, LineTooLong};
///
/// let mut reader = LineReaderBuilder::new().max_line_len(3).build(&b"abcd\nef\n"[..]);
/// let error = reader.next_line().unwrap_err();
/// let too_long = error.get_ref().and_then(|inner| inner.downcast_ref::<LineTooLong>()).unwrap();
/// assert_eq!((too_long.offset(), too_long.number(), too_long.limit()), (0, 1, 3));
/// assert_eq!(error.to_string(), "line 1, at byte 0, is longer than 3 bytes");
/// assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"ef");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineTooLong {
    offset: u64,
    number: u64,
    limit: usize,
}

impl LineTooLong {
    pub(crate) fn new(offset: u64, number: u64, limit: usize) -> Self {
        Self { offset, number, limit }
    }

    /// Where the line's first byte stands, in bytes from the start of the stream.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The line's number; the first has number 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The most bytes of content that were allowed.
    pub fn limit(&self) -> usize {
        self.limit
    }
}

impl fmt::Display for LineTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, number, limit } = self;
        write!(f, "line {number}, at byte {offset}, is longer than {limit} bytes")
    }
}

impl Error for LineTooLong {}

impl From<LineTooLong> for io::Error {
    fn from(error: LineTooLong) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}
