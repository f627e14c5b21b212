//! A file, of which some blocks that follow each other are in memory.

use core::ops::Range;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use super::text::Text;
use crate::builder::LineReaderBuilder;
use crate::line::Terminator;
use crate::reader::{LineReader, read, seek, size};

/// How much is read for a probe.
pub(super) const BLOCK: usize = 4096;

/// How many blocks are read at a time, in the end, where one record after the other is wanted.
const AHEAD: usize = 16;

pub(super) struct Blocks<R> {
    source: R,
    size: u64,
    /// All of it initialised; the first `len` bytes stand at `origin` in the source.
    pub(super) memory: Vec<u8>,
    len: usize,
    origin: u64,
    /// A power of two: reads begin and end at its multiples.
    block: u64,
    /// How much is read at least when there is not enough; whole blocks.
    step: usize,
    /// Whether the step grows.
    ahead: bool,
}

impl<R: Read + Seek> Blocks<R> {
    /// With blocks of `block` bytes, a power of two.
    pub(super) fn new(mut source: R, block: usize) -> io::Result<Self> {
        let size = size(&mut source)?;
        let memory = Vec::new();
        Ok(Self { source, size, memory, len: 0, origin: 0, block: block as u64, step: block, ahead: false })
    }
}

impl<R> Blocks<R> {
    pub(super) fn get_ref(&self) -> &R {
        &self.source
    }

    pub(super) fn into_inner(self) -> R {
        self.source
    }

    /// Whether from now on one record after the other will be wanted, so that it is worth while to read more
    /// of them each time.
    pub(super) fn read_ahead(&mut self, ahead: bool) {
        self.step = self.block as usize;
        self.ahead = ahead;
    }

    fn end(&self) -> u64 {
        self.origin + self.len as u64
    }

    /// The start of the block that `at` is in.
    fn floor(&self, at: u64) -> u64 {
        at & !(self.block - 1)
    }

    /// The end of the block that the byte before `at` is in, or of the file.
    fn ceil(&self, at: u64) -> u64 {
        at.checked_next_multiple_of(self.block).unwrap_or(u64::MAX).min(self.size)
    }
}

impl<R: Read + Seek> Blocks<R> {
    /// Reads every line, from the start.
    pub(super) fn reader(&mut self, terminator: Terminator) -> io::Result<LineReader<impl Read>> {
        seek(&mut self.source, SeekFrom::Start(0))?;
        let source = Rest { source: &mut self.source, left: self.size };
        Ok(LineReaderBuilder::new().terminator(terminator).build(source))
    }

    /// Reads what stands at `range` to `memory[to..]`. Until that has succeeded nothing is held.
    fn read(&mut self, range: Range<u64>, to: usize) -> io::Result<()> {
        self.len = 0;
        let len = (range.end - range.start) as usize;
        seek(&mut self.source, SeekFrom::Start(range.start))?;
        read_exact(&mut self.source, &mut self.memory[to..to + len])?;
        if self.ahead {
            self.step = (2 * self.step).min(AHEAD * self.block as usize);
        }
        Ok(())
    }

    /// Holds the block that `at` is in, or all of `within` if that is little.
    #[cold]
    fn read_around(&mut self, at: u64, within: Range<u64>) -> io::Result<()> {
        // Two blocks at most are read as they are: what is left of the search needs no other.
        let last = within.end - within.start <= 2 * self.block;
        let start = self.floor(if last { within.start } else { at });
        let end = self.ceil(if last { within.end } else { start.saturating_add(self.step as u64) });
        self.make_room(end - start)?;
        self.read(start..end, 0)?;
        self.origin = start;
        self.len = (end - start) as usize;
        Ok(())
    }

    fn make_room(&mut self, len: u64) -> io::Result<()> {
        let len = usize::try_from(len).map_err(|_| ErrorKind::OutOfMemory)?;
        if let Some(more) = len.checked_sub(self.memory.len()) {
            self.memory.try_reserve(more)?;
            self.memory.resize(len, 0);
        }
        Ok(())
    }
}

impl<R: Read + Seek> Text for Blocks<R> {
    type Error = io::Error;

    #[inline]
    fn size(&self) -> u64 {
        self.size
    }

    #[inline]
    fn held(&self) -> (u64, &[u8]) {
        (self.origin, &self.memory[..self.len])
    }

    #[inline]
    fn hold(&mut self, at: u64, within: Range<u64>) -> io::Result<()> {
        if (self.origin..self.end()).contains(&at) { Ok(()) } else { self.read_around(at, within) }
    }

    fn hold_before(&mut self) -> io::Result<()> {
        let held = self.len;
        // As much as there is already, so that a long line is moved a few times only.
        let more = self.step.max(held) as u64;
        let start = self.floor(self.origin.saturating_sub(more));
        let more = self.origin - start;
        self.make_room(more + held as u64)?;
        self.memory.copy_within(..held, more as usize);
        self.read(start..self.origin, 0)?;
        self.origin = start;
        self.len = more as usize + held;
        Ok(())
    }

    fn hold_behind(&mut self, keep: u64) -> io::Result<bool> {
        let end = self.end();
        if end >= self.size {
            return Ok(false);
        }
        let drop = (keep.clamp(self.origin, end) - self.origin) as usize;
        // Moved only if there is no room otherwise, and then not for little.
        let full = self.memory.len() - self.len < self.step;
        if full && drop >= self.len / 2 {
            self.memory.copy_within(drop..self.len, 0);
            self.origin += drop as u64;
            self.len -= drop;
        }
        let held = self.len;
        // As in `hold_before`.
        let upto = self.ceil(end.saturating_add(self.step.max(held) as u64));
        self.make_room(held as u64 + (upto - end))?;
        self.read(end..upto, held)?;
        self.len = held + (upto - end) as usize;
        Ok(true)
    }
}

/// What is left of a source whose size is known: no more, and no less without an error.
struct Rest<R> {
    source: R,
    left: u64,
}

impl<R: Read> Read for Rest<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(to.len());
        let n = if most == 0 { 0 } else { read_some(&mut self.source, &mut to[..most])? };
        self.left -= n as u64;
        Ok(n)
    }
}

/// All of it.
fn read_exact(source: &mut impl Read, mut to: &mut [u8]) -> io::Result<()> {
    while !to.is_empty() {
        let n = read_some(source, to)?;
        to = &mut to[n..];
    }
    Ok(())
}

/// One read, where there must be something to read.
fn read_some(source: &mut impl Read, to: &mut [u8]) -> io::Result<usize> {
    match read(source, to)? {
        0 => Err(ErrorKind::UnexpectedEof.into()),
        n => Ok(n),
    }
}
