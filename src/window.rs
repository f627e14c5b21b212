//! A cursor over the lines of some bytes, whose ends it finds a window at a time. No I/O in it, and not
//! the bytes either: its holder has them, and shows them at each call.

use core::ops::{ControlFlow, Deref, DerefMut, Range};

use crate::line::{Ending, Line, Terminator};
use crate::scan::{BLOCK, Density, End, SLACK, Scanner};

/// A line, or lines, that were taken: where they stand in the bytes, and the first one's number.
pub(crate) struct Span {
    pub(crate) range: Range<usize>,
    pub(crate) number: u64,
}

/// The entries of an index.
const N: usize = 4096;

/// The memory of an index: 16 KiB.
pub(crate) type Index = [End; N];

/// Memory for an index, made without passing through the stack.
pub(crate) fn new_index() -> Box<Index> {
    vec![0; N].into_boxed_slice().try_into().expect("that many")
}

/// An index of one's own, or that of somebody who has no use for it meanwhile.
enum At<'a> {
    Own(Box<Index>),
    Lent(&'a mut Index),
}

impl Deref for At<'_> {
    type Target = Index;

    #[inline(always)]
    fn deref(&self) -> &Index {
        match self {
            Self::Own(at) => at,
            Self::Lent(at) => at,
        }
    }
}

impl DerefMut for At<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Index {
        match self {
            Self::Own(at) => at,
            Self::Lent(at) => at,
        }
    }
}

impl Clone for At<'_> {
    fn clone(&self) -> Self {
        Self::Own(Box::new(**self))
    }
}

/// The ends of the lines in a window, and where the first byte not handed out stands.
///
/// While lines are *popped*, the cursor and one counter are all that changes. Whatever else moves the
/// cursor stops the popping, until a line has been found from the cursor; the index keeps what it knows.
#[derive(Clone)]
pub(crate) struct Window<'a> {
    /// `at[..found]`: one past the last byte of each line that ends in the window, from `origin`.
    at: At<'a>,
    found: u32,
    /// How many of them lie before what has not been handed out, as far as is known. Always less than
    /// what [`At`] has room for.
    next: u32,
    /// Up to where lines may be popped that end with a delimiter of one byte: `next` is then exact.
    ready: u32,
    /// The same for lines that may end with something else. At most one of the two is not 0.
    ready_odd: u32,
    /// Up to where lines may be popped at all: 0 where some line in the window may be too long.
    poppable: u32,
    cursor: usize,
    /// Where the window starts, and where it ends: everything before that has been scanned.
    origin: usize,
    scanned: usize,
    /// `scanned` while bytes are taken one by one, else 0.
    steps: usize,
    /// The number of the line that ends first in the window.
    number: u64,
    scanner: Scanner,
    terminator: Terminator,
    density: Density,
    /// Lines with more bytes of content than this are not popped before somebody looked at them.
    limit: usize,
    /// What is to be handed out of the line at the cursor, if no terminator ends that.
    offered: Option<Offer>,
}

/// A line without terminator.
#[derive(Clone, Copy)]
struct Offer {
    /// Where what comes after it starts: some of it may be dropped.
    end: usize,
    len: usize,
    ending: Ending,
}

impl<'w> Window<'w> {
    /// How many bytes are scanned at a time: few enough for them to be in the first-level cache still
    /// when their lines are handed out, and whole blocks.
    pub(crate) const BYTES: usize = (N - SLACK) / BLOCK * BLOCK;

    /// At the start of the bytes, in line `number`. Lines with more than `limit` bytes of content are not
    /// popped before they were looked at.
    pub(crate) fn new(scanner: Scanner, terminator: Terminator, number: u64, limit: usize) -> Self {
        Self::with_index(At::Own(new_index()), scanner, terminator, number, limit)
    }

    /// At the start of other bytes, with the memory of this one, which forgets what it has found.
    pub(crate) fn lend(&mut self, number: u64) -> Window<'_> {
        self.restart(self.cursor, self.number());
        Window::with_index(At::Lent(&mut self.at), self.scanner, self.terminator, number, usize::MAX)
    }

    /// At the start of other bytes, with other memory.
    pub(crate) fn beside<'a>(&self, at: &'a mut Index, number: u64) -> Window<'a> {
        Window::with_index(At::Lent(at), self.scanner, self.terminator, number, usize::MAX)
    }

    fn with_index(at: At<'w>, scanner: Scanner, terminator: Terminator, number: u64, limit: usize) -> Self {
        Self {
            at,
            found: 0,
            next: 0,
            ready: 0,
            ready_odd: 0,
            poppable: 0,
            cursor: 0,
            origin: 0,
            scanned: 0,
            steps: 0,
            number,
            scanner,
            terminator,
            density: Density::Dense,
            limit,
            offered: None,
        }
    }

    /// At `position`, in line `number`, with nothing scanned beyond that.
    pub(crate) fn restart(&mut self, position: usize, number: u64) {
        self.stop();
        self.forget();
        self.number = number;
        self.cursor = position;
        self.scanned = position;
    }

    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    pub(crate) fn scanner(&self) -> Scanner {
        self.scanner
    }

    pub(crate) fn terminator(&self) -> Terminator {
        self.terminator
    }

    // Popping lines.

    /// Whether there is a line to [`pop`](Self::pop).
    #[inline(always)]
    pub(crate) fn is_popping(&self) -> bool {
        self.next < self.ready
    }

    /// Takes a line whose end is in the index; `offset` is where `bytes` stand in the stream.
    #[inline(always)]
    pub(crate) fn pop<'a>(&mut self, bytes: &'a [u8], offset: u64) -> Line<'a> {
        let end = self.next_end();
        // Every line here has a terminator. Said once, it need not be checked for the content's end.
        assert!(self.cursor < end);
        let (line, offset, number) = self.take_to(end, bytes, offset);
        Line::delimited(line, offset, number)
    }

    /// Whether there is a line to [`pop_odd`](Self::pop_odd).
    #[inline(always)]
    pub(crate) fn is_popping_odd(&self) -> bool {
        self.next < self.ready_odd
    }

    /// Takes a line that may have ended with something else than a delimiter of one byte.
    ///
    /// As in [`pop`](Self::pop), nothing is called, and the cursor and the counter are both changed: a
    /// compiler then keeps them in registers for a loop over lines, and does not load what it has just
    /// stored.
    #[inline(always)]
    pub(crate) fn pop_odd<'a>(&mut self, bytes: &'a [u8], offset: u64) -> Line<'a> {
        if let Some(Offer { end, len, ending }) = self.offered.take() {
            let (line, offset, number) = self.take_to(end, bytes, offset);
            Line::unterminated(&line[..len], ending, offset, number)
        } else {
            let end = self.next_end();
            let (line, offset, number) = self.take_to(end, bytes, offset);
            Line::lf_or_crlf(line, offset, number)
        }
    }

    #[inline(always)]
    fn next_end(&self) -> usize {
        self.origin + self.at[self.next as usize] as usize
    }

    /// How long the next line to pop is, terminator included; there must be one.
    pub(crate) fn next_len(&self) -> usize {
        self.offered.map_or_else(|| self.next_end() - self.cursor, |offer| offer.len)
    }

    /// Takes the line from the cursor to `end`. Also returns its offset and its number.
    #[inline(always)]
    fn take_to<'a>(&mut self, end: usize, bytes: &'a [u8], offset: u64) -> (&'a [u8], u64, u64) {
        let (start, next) = (self.cursor, self.next);
        self.cursor = end;
        self.next = next + 1;
        (&bytes[start..end], offset + start as u64, self.number + u64::from(next))
    }

    /// Pops every line that can be, until `each` breaks. A line counts as taken before `each` sees it.
    #[inline(always)]
    pub(crate) fn drain<'a, B>(
        &mut self,
        bytes: &'a [u8],
        offset: u64,
        mut each: impl FnMut(Line<'a>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.offered.is_some() {
            each(self.pop_odd(bytes, offset))?;
        }
        while self.is_popping() {
            each(self.pop(bytes, offset))?;
        }
        while self.is_popping_odd() {
            each(self.pop_odd(bytes, offset))?;
        }
        ControlFlow::Continue(())
    }

    // The cursor.

    /// Where the first byte not handed out stands.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.cursor
    }

    /// The number of the line that it belongs to.
    pub(crate) fn number(&self) -> u64 {
        let passed = self.ends().partition_point(|&end| self.origin + end as usize <= self.cursor);
        self.number + u64::from(self.next) + passed as u64
    }

    /// The ends behind it that are in the index, and maybe some that it has passed.
    fn ends(&self) -> &[End] {
        &self.at[self.next as usize..self.found as usize]
    }

    /// Whether a line is known to end at `position`.
    pub(crate) fn ends_at(&self, position: usize) -> bool {
        self.ends().iter().any(|&end| self.origin + end as usize == position)
    }

    /// Stops popping lines and stepping through bytes.
    fn stop(&mut self) {
        self.ready = 0;
        self.ready_odd = 0;
        self.steps = 0;
    }

    /// Finds the next line's end, if it stands in `bytes`.
    #[inline]
    pub(crate) fn find_end(&mut self, bytes: &[u8]) -> Option<usize> {
        self.stop();
        loop {
            while let Some(&end) = self.ends().first() {
                let end = self.origin + end as usize;
                if end > self.cursor {
                    return Some(end);
                }
                self.next += 1;
            }
            if self.scanned == bytes.len() {
                return None;
            }
            self.scan(bytes);
        }
    }

    /// Makes the next line, if all of it stands in `bytes` and it is not too long, the one to pop.
    #[inline]
    pub(crate) fn find_line(&mut self, bytes: &[u8]) -> bool {
        let Some(end) = self.find_end(bytes) else { return false };
        let line = &bytes[self.cursor..end];
        if line.len() > self.limit && Line::terminated(line, self.terminator, 0, 0).len() > self.limit {
            return false;
        }
        self.resume();
        true
    }

    /// Takes the line whose end [`find_end`](Self::find_end) has just found.
    #[inline]
    pub(crate) fn take_found(&mut self, end: usize) -> Span {
        let span = Span { range: self.cursor..end, number: self.number + u64::from(self.next) };
        self.next += 1;
        self.cursor = end;
        span
    }

    /// Takes everything up to the end of `bytes` as a line, whose end does not stand in them.
    pub(crate) fn take_rest(&mut self, bytes: &[u8]) -> Span {
        let span = Span { range: self.cursor..bytes.len(), number: self.number() };
        self.restart(bytes.len(), span.number);
        // A window of one line, which has been taken.
        self.origin = bytes.len();
        self.at[0] = 0;
        self.found = 1;
        self.next = 1;
        span
    }

    /// Makes the line whose end [`find_end`](Self::find_end) has just found the one to pop, and then those
    /// behind it that are in the index.
    #[inline]
    pub(crate) fn resume(&mut self) {
        let ready = self.poppable.max(self.next + 1);
        (self.ready, self.ready_odd) = if self.terminator.strips_cr() { (0, ready) } else { (ready, 0) };
    }

    /// Makes it so that no line is popped that begins at `position` or behind it, other than the next one.
    #[inline]
    pub(crate) fn pop_before(&mut self, position: usize) {
        if position < self.scanned {
            // A line begins where the one before it ends.
            let more = self.ends().partition_point(|&end| self.origin + (end as usize) < position);
            let most = self.next + 1 + more as u32;
            self.ready = self.ready.min(most);
            self.ready_odd = self.ready_odd.min(most);
        }
    }

    /// Makes the line last taken, or as much of it as `range` says, the one to pop, as one without
    /// terminator.
    pub(crate) fn offer(&mut self, range: Range<usize>, ending: Ending) {
        self.offered = Some(Offer { end: self.cursor, len: range.len(), ending });
        self.cursor = range.start;
        self.next -= 1;
        self.ready_odd = self.next + 1;
    }

    /// Makes it so that the line last taken was not counted.
    pub(crate) fn uncount(&mut self) {
        self.number = self.number.wrapping_sub(1);
    }

    /// The end of the last line that ends in `bytes`, if that is behind the cursor.
    pub(crate) fn last_end(&self, bytes: &[u8]) -> Option<usize> {
        let last = match self.scanner.rfind(&bytes[self.scanned..]) {
            Some(end) => self.scanned + end,
            None => self.origin + *self.ends().last()? as usize,
        };
        (last > self.cursor).then_some(last)
    }

    /// Whether a line ends in `bytes` behind the cursor.
    pub(crate) fn has_end(&self, bytes: &[u8]) -> bool {
        self.ends().last().is_some_and(|&end| self.origin + end as usize > self.cursor)
            || self.scanner.find(&bytes[self.scanned..]).is_some()
    }

    /// Notes that no line ends between what was scanned and the end of `bytes`.
    pub(crate) fn note_scanned(&mut self, bytes: &[u8]) {
        self.scanned = bytes.len();
    }

    /// Moves the cursor forward. What it passes that has not been scanned is scanned for lines to count.
    pub(crate) fn move_to(&mut self, position: usize, bytes: &[u8]) {
        self.stop();
        debug_assert!(self.cursor <= position);
        self.cursor = position;
        if self.scanned < position {
            self.forget();
            self.number += self.scanner.count(&bytes[self.scanned..position], position - self.scanned) as u64;
            self.scanned = position;
        }
    }

    /// Follows bytes that are now only those up to `end`, where a line ends that was not handed out, or else
    /// the cursor stands.
    #[inline]
    pub(crate) fn cut_off(&mut self, end: usize) {
        if end < self.scanned {
            self.scanned = end;
            let gone = self.ends().iter().rev().take_while(|&&at| self.origin + at as usize > end).count();
            self.found -= gone as u32;
            for ready in [&mut self.ready, &mut self.ready_odd, &mut self.poppable] {
                *ready = self.found.min(*ready);
            }
        }
    }

    /// Leaves a byte at the end of what was scanned out of the scan: it ends no line.
    pub(crate) fn pass_over(&mut self, position: usize) {
        if self.scanned == position {
            self.scanned += 1;
        }
    }

    /// Makes it so that everything up to the end of `bytes` counts as scanned, as no line ends in it.
    /// Moves the cursor there.
    pub(crate) fn pass_all(&mut self, bytes: &[u8]) {
        let number = self.number();
        self.restart(bytes.len(), number);
    }

    /// Adds lines that were taken without being found here.
    pub(crate) fn count(&mut self, lines: u64) {
        self.number += lines;
    }

    /// Makes the index that of the next window.
    fn scan(&mut self, bytes: &[u8]) {
        self.forget();
        let start = self.scanned;
        let mut most = Self::BYTES;
        if self.density == Density::Single {
            // The index is then only its last byte's, which ends the line whether a CR before it is seen
            // or not.
            let end = self.scanner.find(&bytes[start..]);
            self.scanned = end.map_or(bytes.len(), |end| start + end - 1);
            most = 1;
        }
        self.origin = self.scanned;
        let rest = &bytes[self.scanned..];
        let mut len = rest.len().min(most);
        if len > 1 && len < rest.len() && rest[len - 1] == b'\r' {
            // A window does not end between CR and LF: all ends up to `scanned` are in the index.
            len -= 1;
        }
        if len > 0 {
            let found = self.scanner.index(rest, len, self.density, &mut self.at[..]);
            self.found = found as u32;
            self.scanned += len;
            let within = |ends: &[End]| (ends[1] - ends[0]) as usize <= self.limit.saturating_add(1);
            let short = self.limit >= len || self.at[..found].windows(2).all(within);
            self.poppable = if short { self.found } else { 0 };
        }
        self.density = Density::of(self.found as usize, self.scanned - start);
    }

    /// Empties the index, all of whose ends have been passed.
    #[inline]
    fn forget(&mut self) {
        self.number = self.number.wrapping_add(self.found as u64);
        self.found = 0;
        self.next = 0;
        self.poppable = 0;
    }

    /// Follows bytes that their holder has moved `by` towards the front; the first not handed out belongs
    /// to line `number`.
    pub(crate) fn moved(&mut self, by: usize, number: u64) {
        let passed = number == self.number + u64::from(self.found);
        let scanned = self.scanned - by;
        self.restart(self.cursor - by, number);
        if passed {
            self.scanned = scanned;
        }
    }

    // Stepping through bytes.

    /// Whether there is a byte to [`step`](Self::step) over.
    #[inline(always)]
    pub(crate) fn is_stepping(&self) -> bool {
        self.cursor < self.steps
    }

    /// Takes a byte. Returns where it stands.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> usize {
        let at = self.cursor;
        self.cursor = at + 1;
        at
    }

    /// Makes it so that bytes can be taken one by one, scanning further where the cursor has come to the
    /// end of what was scanned.
    pub(crate) fn prepare_steps(&mut self, bytes: &[u8]) {
        self.stop();
        if self.cursor == self.scanned {
            self.scan(bytes);
        }
        self.steps = self.scanned;
    }
}
