//! The search, over whatever is a [`Text`].
//!
//! It halves a stretch of bytes, not of lines: the probe is the record that the byte in the middle belongs
//! to. The stretch always begins and ends where a record does, whatever the order of the records, so a lie
//! about that order can hide a record but never make one. Each record is looked through at most once in a
//! search, however long it is.

use super::record::Record;
use super::shape::Shape;
use super::text::Text;
use crate::line::Terminator;

/// A text, and what its lines look like.
pub(super) struct Search<'s, T> {
    pub(super) shape: &'s Shape,
    pub(super) text: &'s mut T,
}

/// Where a line stands. Nothing else is in here: it is passed on a lot, and fits in two registers.
#[derive(Clone, Copy)]
pub(super) struct Span {
    start: u64,
    end: u64,
}

impl Span {
    /// A line that was not looked at yet: only where it starts is known.
    pub(super) fn unknown(start: u64) -> Self {
        Self { start, end: start }
    }
}

/// A record: its first line, and the line behind its last.
#[derive(Clone, Copy)]
pub(super) struct Found {
    first: Span,
    pub(super) behind: Span,
}

impl<T: Text> Search<'_, T> {
    /// Where the header ends.
    pub(super) fn header_end(&mut self) -> Result<u64, T::Error> {
        let mut at = 0;
        if self.shape.header.is_none() {
            return Ok(at);
        }
        while at < self.text.size() {
            self.text.hold(at, at..self.text.size())?;
            let line = self.line(at, at, at)?;
            if !self.shape.is_header(self.content(line)) {
                break;
            }
            at = line.end;
        }
        Ok(at)
    }

    /// Where the first record starts of those, sorted, whose key is not `less`; else the size. The first
    /// record of all starts at `start`.
    #[inline]
    pub(super) fn bisect(&mut self, start: u64, less: impl Fn(&[u8]) -> bool) -> Result<u64, T::Error> {
        let (mut low, mut high) = (start, self.text.size());
        while low < high {
            let middle = low + (high - low) / 2;
            self.text.hold(middle, low..high)?;
            let first = self.first_line(low, middle)?;
            if less((self.shape.key)(self.content(first))) {
                low = self.behind(first)?.start;
            } else {
                high = first.start;
            }
        }
        Ok(low)
    }

    /// The record whose first line is this one, of which it is enough to know the start; `None` at the size.
    #[inline(always)]
    pub(super) fn record(&mut self, Span { start, end }: Span) -> Result<Option<Found>, T::Error> {
        if start >= self.text.size() {
            return Ok(None);
        }
        self.text.hold(start, start..self.text.size())?;
        let (origin, held) = self.text.held();
        let is_known = end > start && end - origin <= held.len() as u64;
        let first = if is_known { Span { start, end } } else { self.line(start, start, start)? };
        Ok(Some(Found { first, behind: self.behind(first)? }))
    }

    /// The first line of the record that the byte at `at` belongs to. A record starts at `floor`, which is
    /// no more than `at`.
    #[inline]
    fn first_line(&mut self, floor: u64, at: u64) -> Result<Span, T::Error> {
        let start = self.line_start(floor, at)?;
        let mut line = self.line(start, at, start)?;
        while line.start > floor && self.shape.is_continuation(self.content(line)) {
            let start = self.line_start(floor, line.start - 1)?;
            line = Span { start, end: line.start };
        }
        Ok(line)
    }

    /// The line behind the record with this first line: maybe only where it starts.
    #[inline(always)]
    fn behind(&mut self, first: Span) -> Result<Span, T::Error> {
        let mut behind = Span::unknown(first.end);
        if self.shape.continuation.is_none() {
            return Ok(behind);
        }
        while behind.start < self.text.size() {
            let line = self.line(behind.start, behind.start, first.start)?;
            if !self.shape.is_continuation(self.content(line)) {
                return Ok(line);
            }
            behind = Span::unknown(line.end);
        }
        Ok(behind)
    }

    /// Where the line starts that the byte at `at` belongs to, which is held, or the next one is. A line
    /// starts at `floor`, which is no more than `at`.
    #[inline]
    fn line_start(&mut self, floor: u64, at: u64) -> Result<u64, T::Error> {
        if at < self.text.held().0 {
            self.text.hold_before()?;
        }
        let mut unsearched = at;
        loop {
            let (origin, held) = self.text.held();
            let from = floor.max(origin);
            let hay = &held[(from - origin) as usize..(unsearched - origin) as usize];
            match self.shape.scanner.rfind(hay) {
                Some(end) if from + end as u64 == at && self.is_within_crlf(at) => unsearched = at - 1,
                Some(end) => return Ok(from + end as u64),
                None if from == floor => return Ok(floor),
                None => {
                    unsearched = from;
                    self.text.hold_before()?;
                }
            }
        }
    }

    /// Whether the byte at `at` is the LF of a CR LF whose CR, which is held, would end a line by itself.
    fn is_within_crlf(&self, at: u64) -> bool {
        let (origin, held) = self.text.held();
        let at = (at - origin) as usize;
        self.shape.terminator == Terminator::UNIVERSAL && held[at - 1..].starts_with(b"\r\n")
    }

    /// The line that starts at `start` and ends behind `at`. What stands before `keep` may be dropped.
    #[inline]
    fn line(&mut self, start: u64, at: u64, keep: u64) -> Result<Span, T::Error> {
        let mut unsearched = at;
        loop {
            let (origin, held) = self.text.held();
            let hay = &held[(unsearched - origin) as usize..];
            let searched = match self.shape.scanner.find(hay) {
                // Its LF may be what comes next.
                Some(end) if end == hay.len() && self.may_be_half(hay) => end - 1,
                Some(end) => return Ok(Span { start, end: unsearched + end as u64 }),
                None => hay.len(),
            };
            let end = unsearched + hay.len() as u64;
            if !self.text.hold_behind(keep)? {
                return Ok(Span { start, end });
            }
            unsearched += searched as u64;
        }
    }

    /// Whether the bytes end with a CR that ends a line, alone or with an LF behind it.
    fn may_be_half(&self, hay: &[u8]) -> bool {
        self.shape.terminator == Terminator::UNIVERSAL && hay.ends_with(b"\r")
    }

    /// The content of a line that is held.
    #[inline]
    fn content(&self, line: Span) -> &[u8] {
        self.shape.content(slice(self.text.held(), line.start, line.end))
    }
}

impl Found {
    /// The record, out of the bytes held.
    #[inline]
    pub(super) fn record<'a>(&self, shape: &Shape, held: (u64, &'a [u8])) -> Record<'a> {
        let Span { start, end } = self.first;
        let bytes = slice(held, start, self.behind.start);
        let first = (end - start) as usize;
        let content = shape.content(&bytes[..first]);
        Record::new(bytes, content, (shape.key)(content), first, start)
    }
}

#[inline]
fn slice((origin, held): (u64, &[u8]), start: u64, end: u64) -> &[u8] {
    &held[(start - origin) as usize..(end - origin) as usize]
}
