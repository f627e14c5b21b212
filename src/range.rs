//! The lines that begin in a part of a source: how several readers share a file.

use core::fmt;
use core::ops::{ControlFlow, Range};
use std::io::{self, Read, Seek};

use crate::builder::LineReaderBuilder;
use crate::line::Line;
use crate::line_read::{LineRead, as_inherent};
use crate::reader::LineReader;

/// Reads the lines whose first byte lies in a range of a source.
///
/// The last of them is read to its end, wherever that is. So if a file is cut into ranges, anywhere and
/// into any number, each line comes out of exactly one of them, and whoever reads a range needs to know
/// nothing of the others: each on a thread, in a process or on a machine of its own, with the file opened
/// anew. A range that no line begins in has none.
///
/// It is made by [`LineReader::range`], or with other than the usual options by
/// [`LineReaderBuilder::build_range`], and is as fast as a [`LineReader`].
///
/// ```
/// use std::io::Cursor;
/// use wholeline::LineReader;
///
/// let file = b"one\ntwo\nthree\nfour\n";
/// let mut lines = Vec::new();
/// for range in [0..5, 5..6, 6..9, 9..19] {
///     let mut reader = LineReader::range(Cursor::new(file), range)?;
///     reader.for_each_line(|line| lines.push((line.offset(), line.to_string())))?;
/// }
/// let lines: Vec<_> = lines.iter().map(|(offset, line)| (*offset, &line[..])).collect();
/// assert_eq!(lines, [(0, "one"), (4, "two"), (8, "three"), (14, "four")]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Offsets and numbers
///
/// Offsets ([`Line::offset`], [`LineTooLong::offset`](crate::LineTooLong::offset)) are positions in the
/// source. Numbers count from 1 in each range: how many lines lie before it cannot be known.
///
/// # Reads
///
/// Reading begins at the byte before the range, which tells whether a line begins at its start, and ends
/// with the read that brought the end of the last line. Where the range begins in the middle of a line,
/// what is left of that is read and dropped, whatever the limit and without being kept in memory; if that
/// goes on behind the range, no read begins there. So even when all of the source is one line, a range of
/// it costs about its own length.
pub struct LineRange<R> {
    /// Confined to the range.
    reader: LineReader<R>,
}

impl<R: Read + Seek> LineReader<R> {
    /// The lines whose first byte lies in `range`, in bytes from the start of `source`, with the usual
    /// options: see [`LineRange`], and [`LineReaderBuilder::build_range`] for others.
    ///
    /// The end may lie behind that of the source: `0..u64::MAX` is all of it.
    ///
    /// # Errors
    ///
    /// If the source cannot be moved to where the range begins.
    ///
    /// ```no_run
    /// use std::fs::File;
    /// use wholeline::LineReader;
    ///
    /// // The second MiB.
    /// let mut reader = LineReader::range(File::open("access.log")?, 1 << 20..2 << 20)?;
    /// while let Some(line) = reader.next_line()? {
    ///     println!("{}: {line}", line.offset());
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn range(source: R, range: Range<u64>) -> io::Result<LineRange<R>> {
        LineReaderBuilder::new().build_range(source, range)
    }
}

impl LineReaderBuilder {
    /// A reader, with these options, of the lines of `source` whose first byte lies in `range`: see
    /// [`LineRange`].
    ///
    /// With [`Terminator::UNIVERSAL`](crate::Terminator::UNIVERSAL) a range may begin between the CR and
    /// the LF that end a line: no line begins there.
    ///
    /// # Errors
    ///
    /// As [`LineReader::range`].
    ///
    /// ```
    /// use std::io::Cursor;
    /// use wholeline::{LineReaderBuilder, Terminator};
    ///
    /// let builder = LineReaderBuilder::new().terminator(Terminator::NUL);
    /// let mut names = builder.build_range(Cursor::new(b"a.rs\0b.rs\0c.rs\0"), 3..8)?;
    /// assert_eq!(names.next_line()?.unwrap().as_bytes(), b"b.rs");
    /// assert!(names.next_line()?.is_none());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn build_range<R: Read + Seek>(self, source: R, range: Range<u64>) -> io::Result<LineRange<R>> {
        let mut reader = self.build(source);
        reader.confine(range)?;
        Ok(LineRange { reader })
    }
}

impl<R> LineRange<R> {
    /// How many lines of the range were dropped because they were longer than the limit
    /// ([`OverLong::Skip`](crate::OverLong::Skip)).
    pub fn skipped(&self) -> u64 {
        self.reader.skipped()
    }

    /// The source.
    pub fn get_ref(&self) -> &R {
        self.reader.get_ref()
    }

    /// The source, positioned behind whatever was read from it.
    pub fn into_inner(self) -> R {
        self.reader.into_parts().0
    }
}

impl<R: Read> LineRange<R> {
    /// The next line, or `None` where no more lines begin in the range.
    ///
    /// # Errors
    ///
    /// As [`LineReader::next_line`].
    ///
    /// # Resumption
    ///
    /// An error loses nothing, also one in what is read and dropped before the range: the next call goes
    /// on where this one stopped. After [`LineTooLong`](crate::LineTooLong) it goes on with the next line.
    /// After a `None` at the range's end it is `None` for ever; after one at the end of an input that ended
    /// within the range the next call asks the source again.
    #[inline(always)]
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.reader.next_line()
    }

    /// Calls `f` with each line of the range: the fastest way through it.
    ///
    /// # Errors
    ///
    /// As [`next_line`](Self::next_line), at the first error.
    ///
    /// # Resumption
    ///
    /// The lines that `f` has seen are consumed, also when `f` panics; the next call goes on behind them.
    #[inline]
    pub fn for_each_line(&mut self, f: impl FnMut(Line<'_>)) -> io::Result<()> {
        self.reader.for_each_line(f)
    }

    /// Calls `f` with each line until it breaks, fails, or the range ends.
    ///
    /// # Errors
    ///
    /// What `f` returns; else as [`next_line`](Self::next_line), at the first error.
    ///
    /// # Resumption
    ///
    /// The lines that `f` has seen, the last one too, are consumed; the next call goes on behind them.
    #[inline]
    pub fn try_for_each_line<E: From<io::Error>>(
        &mut self,
        f: impl FnMut(Line<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        self.reader.try_for_each_line(f)
    }
}

impl<R: Read> LineRead for LineRange<R> {
    as_inherent!();

    /// As [`LineRead::read_line_into`]; the line is taken only once there is room for it in `out`.
    fn read_line_into(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        self.reader.read_line_into(out)
    }
}

impl<R: fmt::Debug> fmt::Debug for LineRange<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineRange").field("reader", &self.reader).finish()
    }
}
