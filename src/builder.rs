//! The options of a reader.

use std::io;

use crate::error::LineTooLong;
use crate::line::Terminator;
use crate::reader::LineReader;
use crate::scan::Scanner;

/// What becomes of a line longer than [`LineReaderBuilder::max_line_len`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OverLong {
    /// One error, [`LineTooLong`](crate::LineTooLong), as soon as it is seen to be too long; then the next
    /// line.
    #[default]
    Error,
    /// It is dropped; [`LineReader::skipped`] counts it.
    Skip,
    /// Its first bytes, as many as are allowed, are handed out as a line that ends with
    /// [`Ending::Limit`](crate::Ending::Limit); the rest is dropped.
    Truncate,
}

impl OverLong {
    /// What becomes of a line that is too long: whether its start is to be handed out.
    pub(crate) fn keeps_start(
        self,
        offset: u64,
        number: u64,
        limit: usize,
        skipped: &mut u64,
    ) -> io::Result<bool> {
        match self {
            Self::Error => Err(LineTooLong::new(offset, number, limit).into()),
            Self::Skip => {
                *skipped += 1;
                Ok(false)
            }
            Self::Truncate => Ok(true),
        }
    }
}

/// Makes a [`LineReader`] with other than the usual options.
///
/// ```
/// use wholeline::{LineReaderBuilder, OverLong, Terminator};
///
/// let input = &b"short\0far too long\0x\0"[..];
/// let mut reader = LineReaderBuilder::new()
///     .terminator(Terminator::NUL)
///     .max_line_len(5)
///     .over_long(OverLong::Skip)
///     .build(input);
/// assert_eq!(reader.next_line()?.unwrap().as_bytes(), b"short");
/// assert_eq!(reader.next_line()?.unwrap().as_bytes(), b"x");
/// assert_eq!(reader.skipped(), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct LineReaderBuilder {
    capacity: usize,
    terminator: Terminator,
    limit: usize,
    over_long: OverLong,
    follow: bool,
}

impl LineReaderBuilder {
    /// The usual options: 64 KiB, LF, no limit, no following.
    pub fn new() -> Self {
        Self {
            capacity: 64 << 10,
            terminator: Terminator::LF,
            limit: usize::MAX,
            over_long: OverLong::Error,
            follow: false,
        }
    }

    /// How many bytes the buffer has, and so how many a read asks for at most. 0 is taken as 1. The
    /// buffer is allocated at the first read, and grows for a line that does not fit.
    pub fn capacity(mut self, bytes: usize) -> Self {
        self.capacity = bytes;
        self
    }

    /// What ends a line.
    pub fn terminator(mut self, terminator: Terminator) -> Self {
        self.terminator = terminator;
        self
    }

    /// How many bytes of content a line may have; its terminator is not counted. However the input looks,
    /// the reader's memory then stays below the capacity, this many bytes and a constant.
    pub fn max_line_len(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// What becomes of a longer line.
    pub fn over_long(mut self, policy: OverLong) -> Self {
        self.over_long = policy;
        self
    }

    /// Whether the input is one that grows, as a log file. If so, a last line without terminator is kept
    /// back at the end of the input: `None` then means that there is no complete line yet.
    pub fn follow(mut self, follow: bool) -> Self {
        self.follow = follow;
        self
    }

    /// A reader of `source` with these options.
    pub fn build<R>(self, source: R) -> LineReader<R> {
        let scanner = Scanner::new(self.terminator.needle());
        self.build_with_scanner(source, scanner)
    }

    /// A reader that scans with a given kernel.
    pub(crate) fn build_with_scanner<R>(self, source: R, scanner: Scanner) -> LineReader<R> {
        let Self { capacity, terminator, limit, over_long, follow } = self;
        let buffer = crate::buffer::Buffer::new(capacity, terminator, scanner, limit);
        LineReader::with_parts(source, buffer, over_long, follow)
    }
}

impl Default for LineReaderBuilder {
    fn default() -> Self {
        Self::new()
    }
}
