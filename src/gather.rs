//! Lines put together from pieces that a source gives up one after another, and never more than up to the
//! end of a line. No I/O in it: for sources that somebody else goes on reading from.

use std::io;

use crate::builder::OverLong;
use crate::line::{Ending, Line, Terminator};
use crate::scan::{Needle, Scanner};
#[cfg(has_stdio_window)]
use crate::window::Window;

/// How the piece that a source has just given up ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// With the line's terminator.
    Terminated,
    /// With a CR that ends the line, and behind which nothing could be seen: an LF that comes next is part of the
    /// terminator.
    Torn,
    /// Before the line's terminator.
    Open,
    /// Before that, and there is no more.
    Last,
}

impl Piece {
    /// Of a piece that was looked for in `seen`, and ends at `end` if the line ends there.
    pub(crate) fn found(seen: &[u8], end: Option<usize>, needle: Needle) -> Self {
        match end {
            None => Self::Open,
            Some(end) if needle == Needle::CrOrLf && end == seen.len() && seen[end - 1] == b'\r' => {
                Self::Torn
            }
            Some(_) => Self::Terminated,
        }
    }
}

/// How a line that was put together ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Gathered {
    Whole,
    Cut(Ending),
}

/// A line that is being put together, and the options and counts that lines have.
pub(crate) struct Gatherer {
    /// What has come of a line; once that was handed out, what it was.
    line: Vec<u8>,
    handed_out: bool,
    scanner: Scanner,
    terminator: Terminator,
    limit: usize,
    over_long: OverLong,
    /// Where what has not been handed out starts in the stream.
    offset: u64,
    /// The number of the line it belongs to.
    number: u64,
    skipped: u64,
    /// The rest of a line that was too long is still to be dropped.
    discarding: bool,
    /// The source's end was seen when the last line was handed out, and is still to be reported.
    ended: bool,
    /// An LF that comes next belongs to the line before.
    after_cr: bool,
    /// The last call gave a line, none of these is the case, and nothing has come of another: the next may be
    /// handed out as it stands.
    idle: bool,
}

impl Gatherer {
    /// Room for a line is made for so many bytes at least, where lines may be as long.
    const LEAST: usize = 4 << 10;

    /// With the usual options: LF, no limit.
    pub(crate) fn new() -> Self {
        let terminator = Terminator::LF;
        Self {
            line: Vec::new(),
            handed_out: false,
            scanner: Scanner::new(terminator.needle()),
            terminator,
            limit: usize::MAX,
            over_long: OverLong::Error,
            offset: 0,
            number: 1,
            skipped: 0,
            discarding: false,
            ended: false,
            after_cr: false,
            idle: false,
        }
    }

    pub(crate) fn set_terminator(&mut self, terminator: Terminator) {
        self.terminator = terminator;
        self.scanner = Scanner::new(terminator.needle());
        self.after_cr = false;
    }

    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    pub(crate) fn set_over_long(&mut self, policy: OverLong) {
        self.over_long = policy;
    }

    #[inline]
    pub(crate) fn scanner(&self) -> Scanner {
        self.scanner
    }

    #[inline]
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    #[inline]
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn skipped(&self) -> u64 {
        self.skipped
    }

    /// What has come of a line whose end has not.
    pub(crate) fn partial(&self) -> &[u8] {
        if self.handed_out { &[] } else { &self.line }
    }

    /// Puts the next line together from what `take` appends: up to the first terminator, and at most as many
    /// bytes as it is told, for which there is room. `None` at the end of the source.
    ///
    /// An error of `take` is handed on; what it has appended stays.
    pub(crate) fn gather(
        &mut self,
        mut take: impl FnMut(&mut Vec<u8>, usize) -> io::Result<Piece>,
    ) -> io::Result<Option<Gathered>> {
        self.idle = false;
        if core::mem::take(&mut self.handed_out) {
            self.line.clear();
        }
        if core::mem::take(&mut self.ended) {
            return Ok(None);
        }
        loop {
            let most = self.room()?;
            let piece = take(&mut self.line, most);
            if self.after_cr && !self.line.is_empty() {
                self.after_cr = false;
                if self.line[0] == b'\n' {
                    // It ended the piece too.
                    self.pass_over();
                    piece?;
                    continue;
                }
            }
            let gathered = match piece? {
                Piece::Terminated => self.terminated(false)?,
                Piece::Torn => self.terminated(true)?,
                Piece::Open => self.open()?,
                Piece::Last => return self.last(),
            };
            if gathered.is_some() {
                return Ok(gathered);
            }
        }
    }

    /// Makes room for more of a line, and says for how much: for as much again as has come of it, but with a limit only
    /// for what it takes to see that the line is longer.
    fn room(&mut self) -> io::Result<usize> {
        let len = self.line.len();
        let needed = if self.discarding {
            // As many as are worth a call.
            Self::LEAST
        } else {
            self.limit.saturating_add(3).saturating_sub(len).max(1)
        };
        // Not for the last few bytes of what there is, or lines a little longer than others would grow it each time.
        let least = if self.discarding { Self::LEAST } else { Self::LEAST / 16 };
        if self.line.capacity() - len < needed.min(least) {
            self.line.try_reserve_exact(len.max(Self::LEAST).min(needed))?;
        }
        let room = self.line.capacity() - len;
        Ok(if self.discarding { room } else { room.min(needed) })
    }

    /// A line whose terminator has come.
    fn terminated(&mut self, after_cr: bool) -> io::Result<Option<Gathered>> {
        self.after_cr = after_cr;
        if core::mem::take(&mut self.discarding) {
            self.pass_over();
            return Ok(None);
        }
        if Line::terminated(&self.line, self.terminator, 0, 0).len() > self.limit {
            return self.cut();
        }
        self.idle = !after_cr;
        Ok(Some(self.take_out(Gathered::Whole)))
    }

    /// What has come of a line, and may be enough to see that it is too long.
    fn open(&mut self) -> io::Result<Option<Gathered>> {
        if self.discarding {
            self.pass_over();
            return Ok(None);
        }
        let maybe_terminator = self.terminator == Terminator::CRLF && self.line.last() == Some(&b'\r');
        if self.line.len() - usize::from(maybe_terminator) <= self.limit {
            return Ok(None);
        }
        self.discarding = true;
        self.cut()
    }

    /// What is left at the end of the source.
    fn last(&mut self) -> io::Result<Option<Gathered>> {
        if core::mem::take(&mut self.discarding) || self.line.is_empty() {
            self.pass_over();
            return Ok(None);
        }
        self.ended = true;
        if self.line.len() <= self.limit {
            return Ok(Some(self.take_out(Gathered::Cut(Ending::Eof))));
        }
        let start = self.cut()?;
        // With nothing to hand out, this call is the one that reports the end.
        self.ended = start.is_some();
        Ok(start)
    }

    /// What the policy leaves of a line that is too long.
    fn cut(&mut self) -> io::Result<Option<Gathered>> {
        let (offset, number) = (self.offset, self.number);
        let gathered = self.take_out(Gathered::Cut(Ending::Limit));
        let keeps_start = self.over_long.keeps_start(offset, number, self.limit, &mut self.skipped)?;
        if !keeps_start {
            self.line.clear();
            self.handed_out = false;
        }
        Ok(keeps_start.then_some(gathered))
    }

    /// Counts the line as handed out.
    fn take_out(&mut self, gathered: Gathered) -> Gathered {
        self.offset += self.line.len() as u64;
        self.number += 1;
        self.handed_out = true;
        gathered
    }

    /// Drops what has come: it belongs to a line that was counted already.
    fn pass_over(&mut self) {
        self.offset += self.line.len() as u64;
        self.line.clear();
    }

    /// The line that was put together last.
    pub(crate) fn line(&self, gathered: Gathered) -> Line<'_> {
        let bytes = &self.line[..];
        let (offset, number) = (self.offset - bytes.len() as u64, self.number - 1);
        match gathered {
            Gathered::Whole => Line::terminated(bytes, self.terminator, offset, number),
            Gathered::Cut(Ending::Limit) => {
                Line::unterminated(&bytes[..self.limit], Ending::Limit, offset, number)
            }
            Gathered::Cut(ending) => Line::unterminated(bytes, ending, offset, number),
        }
    }
}

#[cfg(feature = "stdio")]
impl Gatherer {
    /// Whether the next call is to report the end.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Makes it so that the source is asked again instead.
    pub(crate) fn go_on(&mut self) {
        self.ended = false;
    }

    /// Whether the rest of a line is to be dropped.
    pub(crate) fn is_discarding(&self) -> bool {
        self.discarding
    }

    /// Counts the line that has begun, and has been lost in part, as one that was too long: its rest is dropped.
    #[cfg(has_getdelim)]
    pub(crate) fn give_up(&mut self) {
        self.pass_over();
        self.number += u64::from(!self.discarding);
        self.discarding = true;
    }

    /// Forgets that an LF may come which belongs to the line before: somebody else may have read that.
    pub(crate) fn forget_cr(&mut self) {
        self.after_cr = false;
    }

    pub(crate) fn terminator(&self) -> Terminator {
        self.terminator
    }

    #[inline]
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }
}

/// For sources that may give a whole line at once.
#[cfg(any(has_stdio_window, has_getdelim))]
impl Gatherer {
    /// Whether a line of which nothing has come before may be [handed out](Self::hand_out) as it stands.
    #[inline(always)]
    pub(crate) fn is_idle(&self) -> bool {
        self.idle
    }

    /// Hands out a line that ends with its terminator and is not too long, without taking it in.
    #[cfg(has_getdelim)]
    #[inline(always)]
    pub(crate) fn hand_out<'a>(&mut self, bytes: &'a [u8]) -> Line<'a> {
        let (offset, number) = (self.offset, self.number);
        self.pass(bytes);
        Line::terminated(bytes, self.terminator, offset, number)
    }

    /// Counts a line that is handed out.
    #[inline(always)]
    fn pass(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        self.number += 1;
    }
}

/// For sources that show many lines at once.
#[cfg(has_stdio_window)]
impl Gatherer {
    /// The line at the start of `bytes`, if its end is there for sure, and it is not too long, or almost.
    #[inline]
    pub(crate) fn find_line<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let end = self.scanner.find_near(bytes)?;
        let whole = self.scanner.needle() != Needle::CrOrLf || end < bytes.len();
        (whole && end <= self.limit).then(|| &bytes[..end])
    }

    /// Takes in a line that ends with its terminator and is not too long, to be handed out from here. Not where
    /// there is no room for it.
    #[inline]
    pub(crate) fn copy(&mut self, bytes: &[u8]) -> bool {
        self.line.clear();
        if self.line.capacity() < bytes.len()
            && self.line.try_reserve_exact(bytes.len().max(Self::LEAST)).is_err()
        {
            return false;
        }
        self.line.extend_from_slice(bytes);
        self.handed_out = true;
        self.pass(bytes);
        true
    }

    /// What looks for many lines at once, by the same rules.
    pub(crate) fn window(&self) -> Window<'static> {
        Window::new(self.scanner, self.terminator, self.number, self.limit)
    }

    /// Counts lines that such a window has handed out, up to line `number`: the first so many of these bytes.
    pub(crate) fn pass_lines(&mut self, bytes: &[u8], taken: usize, number: u64) {
        self.offset += taken as u64;
        self.number = number;
        if taken > 0 && Piece::found(bytes, Some(taken), self.scanner.needle()) == Piece::Torn {
            self.after_cr = true;
            self.idle = false;
        }
    }
}
