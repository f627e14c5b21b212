//! Lines from the end of a source.

use core::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::back::BackWindow;
use crate::line::{Line, Terminator};
use crate::line_read::LineRead;
use crate::reader::{read, seek, size};
use crate::scan::Scanner;

/// Reads lines from anything that can be read and sought, the last one first, and no more of it than is
/// asked for: what `tail` does.
///
/// Offsets are those of the source. A line's [number](Line::number) counts **from the end**: the last line
/// has number 1, for how many come before it is not known until all of them were read. Where all bytes are
/// in memory, [`Lines`](crate::Lines) goes both ways, and knows the numbers.
///
/// ```
/// use std::io::Cursor;
/// use wholeline::RevLineReader;
///
/// let mut reader = RevLineReader::new(Cursor::new("one\ntwo\nthree"))?;
/// let last = reader.next_line()?.unwrap();
/// assert_eq!((last.as_bytes(), last.offset(), last.number()), (&b"three"[..], 8, 1));
/// assert!(!last.is_terminated());
/// assert_eq!(reader.next_line()?.unwrap().with_terminator(), b"two\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Reads
///
/// Blocks of 64 KiB that start at a multiple of that, from the last to the first, each read once. Where the
/// source ends is asked once, by [`new`](Self::new): what is appended afterwards is not seen.
///
/// # Memory
///
/// One buffer: up to two blocks, more for a line that is longer, and an index of 16 KiB.
pub struct RevLineReader<R> {
    source: R,
    /// Where the first byte that was read stands in the source.
    position: u64,
    /// `bytes[start..end]` were read and not handed out. All of it initialised.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    back: BackWindow,
    /// How many lines have been handed out.
    lines: u64,
    /// How many bytes a read asks for at most.
    block: usize,
}

impl<R: Read + Seek> RevLineReader<R> {
    /// Reads from the end of `source`, wherever it is positioned, lines that end at LF.
    ///
    /// # Errors
    ///
    /// If the source cannot be sought, as a pipe and most files of /proc, or says that it is empty and cannot be read, as
    /// some directories.
    pub fn new(mut source: R) -> io::Result<Self> {
        let position = size(&mut source)?;
        let back = back(Terminator::LF, 0);
        Ok(Self { source, position, bytes: Vec::new(), start: 0, end: 0, back, lines: 0, block: 64 << 10 })
    }

    /// With lines that end otherwise.
    #[must_use]
    pub fn terminator(mut self, terminator: Terminator) -> Self {
        self.back = back(terminator, self.end);
        self
    }

    /// The line before the one last handed out, at first the last one; `None` before the first.
    ///
    /// # Errors
    ///
    /// What the source reports, other than [`Interrupted`](io::ErrorKind::Interrupted);
    /// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if it has become shorter, or was never as long as it
    /// claimed to be (files of /sys);
    /// [`OutOfMemory`](io::ErrorKind::OutOfMemory) if the buffer cannot grow.
    ///
    /// # Resumption
    ///
    /// An error loses nothing: the next call reads the same block again.
    #[inline]
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let start = loop {
            if let Some(start) = self.back.last_start(&self.bytes[..self.end], self.start) {
                break start;
            }
            if !self.fill()? {
                break self.start;
            }
        };
        if start == self.end {
            return Ok(None);
        }
        let line = &self.bytes[start..self.end];
        self.end = start;
        self.lines += 1;
        Ok(Some(self.back.line(line, self.position + (start - self.start) as u64, self.lines)))
    }

    /// Reads the block before. False if there is none.
    #[cold]
    #[inline(never)]
    fn fill(&mut self) -> io::Result<bool> {
        let block = self.block as u64;
        let len = match self.position % block {
            0 => block.min(self.position),
            rest => rest,
        };
        if len == 0 {
            return Ok(false);
        }
        let before = self.position - len;
        let len = len as usize;
        self.make_room(len)?;
        seek(&mut self.source, SeekFrom::Start(before))?;
        let mut room = &mut self.bytes[self.start - len..self.start];
        while !room.is_empty() {
            match read(&mut self.source, room)? {
                0 => {
                    return Err(io::Error::new(
                        io::ErrorKind::UnexpectedEof,
                        "the source is shorter than it was",
                    ));
                }
                n => room = &mut room[n..],
            }
        }
        self.start -= len;
        self.position = before;
        Ok(true)
    }

    /// Makes room for `len` bytes before those that were read.
    fn make_room(&mut self, len: usize) -> io::Result<()> {
        if self.start >= len {
            return Ok(());
        }
        let size = self.bytes.len();
        let kept = self.start..self.end;
        // What is moved is at most as much as the room it makes, so that no byte of a long line is moved more
        // than a few times.
        let start = if kept.len() <= size / 2 && len <= size - kept.len() {
            let start = size - kept.len();
            self.bytes.copy_within(kept, start);
            start
        } else {
            let larger = size.saturating_mul(2).max(kept.len() + len);
            let start = larger - kept.len();
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(larger)?;
            bytes.resize(start, 0);
            bytes.extend_from_slice(&self.bytes[kept]);
            self.bytes = bytes;
            start
        };
        (self.start, self.end) = (start, self.bytes.len());
        self.back.moved(start);
        Ok(())
    }
}

fn back(terminator: Terminator, end: usize) -> BackWindow {
    BackWindow::new(Scanner::new(terminator.needle()), terminator, end)
}

impl RevLineReader<File> {
    /// Opens a file and reads it from its end.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or sought.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        File::open(path).and_then(Self::new)
    }
}

impl<R> RevLineReader<R> {
    /// The source.
    pub fn get_ref(&self) -> &R {
        &self.source
    }

    /// The source, positioned wherever the last read has left it.
    pub fn into_inner(self) -> R {
        self.source
    }
}

impl<R: Read + Seek> LineRead for RevLineReader<R> {
    #[inline]
    fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        RevLineReader::next_line(self)
    }
}

impl<R: fmt::Debug> fmt::Debug for RevLineReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RevLineReader")
            .field("source", &self.source)
            .field("buffer", &format_args!("{}/{}", self.end - self.start, self.bytes.len()))
            .field("offset", &(self.position + (self.end - self.start) as u64))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
