//! The refillable window on a stream: unread bytes, and what of them has been scanned. No I/O in it.

use core::ops::{ControlFlow, Range};
use core::sync::atomic::{AtomicUsize, Ordering};
use std::io;

use crate::line::{Ending, Line, Terminator};
use crate::lines::Lines;
use crate::scan::{Needle, Scanner};
use crate::window::{Index, Span, Window, new_index};

/// A buffer of a size within these bounds becomes four times as large if it has to grow, any other twice:
/// with lines about as long as the buffer, most of the work would be to move what is unread of one to the
/// front.
const QUADRUPLED: Range<usize> = 32 << 10..1 << 20;

/// Bytes of a stream in the order they came: `bytes[position..filled]` are unread, what is before them is
/// done with, what is behind them is room.
pub(crate) struct Buffer {
    /// All of it initialised, none of it allocated before it is needed.
    bytes: Vec<u8>,
    filled: usize,
    window: Window<'static>,
    /// Where `bytes[0]` stands in the stream.
    offset: u64,
    /// How large `bytes` is to be at first, at least 1.
    capacity: usize,
    /// Whether the last byte handed out was handed out as a byte, and not with its line.
    bytewise: bool,
    /// Whether the byte before `bytes[0]` was a CR.
    after_cr: bool,
    /// Where the lines of the last batch stand whose number is not known yet.
    batch: Range<usize>,
    /// How many they are, once somebody has counted them; 0 until then.
    batched: AtomicUsize,
    /// Memory for the index of a batch, where the window has use for its own.
    spare: Option<Box<Index>>,
    /// How many bytes were moved, for the test that it stays in proportion.
    #[cfg(test)]
    pub(crate) moved: usize,
}

impl Buffer {
    /// A line may have `limit` bytes of content.
    pub(crate) fn new(capacity: usize, terminator: Terminator, scanner: Scanner, limit: usize) -> Self {
        Self {
            bytes: Vec::new(),
            filled: 0,
            window: Window::new(scanner, terminator, 1, limit),
            offset: 0,
            capacity: capacity.max(1),
            bytewise: false,
            after_cr: false,
            batch: 0..0,
            batched: AtomicUsize::new(0),
            spare: None,
            #[cfg(test)]
            moved: 0,
        }
    }

    /// Forgets everything but the allocation: the next byte will be the one at `offset`, in line 1.
    pub(crate) fn restart(&mut self, offset: u64) {
        self.batch = 0..0;
        *self.batched.get_mut() = 0;
        self.window.restart(0, 1);
        self.filled = 0;
        self.offset = offset;
        self.bytewise = false;
        self.after_cr = false;
    }

    /// Drops what is unread as if it had never come.
    pub(crate) fn drop_unread(&mut self) {
        self.settle();
        let (position, number) = (self.window.position(), self.number());
        self.window.restart(position, number);
        self.filled = position;
    }

    pub(crate) fn terminator(&self) -> Terminator {
        self.window.terminator()
    }

    /// The most bytes of content that a line may have.
    #[inline]
    pub(crate) fn limit(&self) -> usize {
        self.window.limit()
    }

    pub(crate) fn capacity(&self) -> usize {
        if self.bytes.is_empty() { self.capacity } else { self.bytes.len() }
    }

    /// The bytes not handed out.
    #[inline]
    pub(crate) fn unread(&self) -> &[u8] {
        &self.bytes[self.window.position()..self.filled]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.window.position() == self.filled
    }

    /// Where the first of them stands in the stream.
    pub(crate) fn offset(&self) -> u64 {
        self.offset + self.window.position() as u64
    }

    /// The number of the line it belongs to.
    pub(crate) fn number(&self) -> u64 {
        // The CR already ended the line, the LF behind it only has not been handed out yet.
        let torn = self.has_torn_lf() && self.window.ends_at(self.window.position() + 1);
        self.window.number() + u64::from(torn) + self.uncounted() as u64
    }

    /// How many lines of the last batch the window does not know of. Counted at most once.
    fn uncounted(&self) -> usize {
        let mut lines = self.batched.load(Ordering::Relaxed);
        if lines == 0 && !self.batch.is_empty() {
            lines = self.window.scanner().count(&self.bytes[self.batch.clone()], self.batch.len());
            self.batched.store(lines, Ordering::Relaxed);
        }
        lines
    }

    /// Makes up for the last batch, before anything else is done to the window or the bytes.
    #[inline]
    fn settle(&mut self) {
        if !self.batch.is_empty() {
            let lines = self.uncounted() as u64;
            self.batch = 0..0;
            *self.batched.get_mut() = 0;
            self.window.count(lines);
        }
    }

    /// Whether the first unread byte is an LF whose CR was handed out as a byte: part of a terminator that
    /// has been counted.
    #[inline]
    fn has_torn_lf(&self) -> bool {
        let position = self.window.position();
        self.bytewise
            && self.window.scanner().needle() == Needle::CrOrLf
            && self.unread().first() == Some(&b'\n')
            && position.checked_sub(1).map_or(self.after_cr, |before| self.bytes[before] == b'\r')
    }

    /// Before lines are looked for: the last batch is counted, and nobody gets an LF that belongs to the
    /// line before.
    #[inline]
    fn begin_line(&mut self) {
        self.settle();
        if self.has_torn_lf() {
            self.take_bytes(1);
        }
    }

    /// Before bytes are taken: that LF ends no line.
    fn begin_bytes(&mut self) {
        self.settle();
        if self.has_torn_lf() {
            self.window.pass_over(self.window.position());
        }
    }

    // Lines.

    /// Whether there is a line to [`pop`](Self::pop).
    #[inline(always)]
    pub(crate) fn is_popping(&self) -> bool {
        self.window.is_popping()
    }

    /// Takes a line that can be had without a search.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Line<'_> {
        self.window.pop(&self.bytes, self.offset)
    }

    /// Whether there is a line to [`pop_odd`](Self::pop_odd).
    #[inline(always)]
    pub(crate) fn is_popping_odd(&self) -> bool {
        self.window.is_popping_odd()
    }

    /// Takes a line that can be had without a search, but not as quickly.
    #[inline(always)]
    pub(crate) fn pop_odd(&mut self) -> Line<'_> {
        self.window.pop_odd(&self.bytes, self.offset)
    }

    /// How long the next line to pop is, terminator included.
    pub(crate) fn next_len(&self) -> usize {
        self.window.next_len()
    }

    /// Takes all lines that can be had without a search, until `each` breaks.
    #[inline(always)]
    pub(crate) fn drain<B>(&mut self, each: impl FnMut(Line<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        self.window.drain(&self.bytes, self.offset, each)
    }

    /// Makes the next line, if all of it is here and it is not too long, the next one to pop.
    #[inline]
    pub(crate) fn find_line(&mut self) -> bool {
        self.begin_line();
        let found = self.window.find_line(&self.bytes[..self.filled]);
        self.bytewise &= !found;
        found
    }

    /// Makes it so that no line is popped that begins at `offset` in the stream or behind it, other than
    /// the next one.
    #[inline]
    pub(crate) fn pop_before(&mut self, offset: u64) {
        let position = offset.saturating_sub(self.offset);
        self.window.pop_before(usize::try_from(position).unwrap_or(usize::MAX));
    }

    /// Makes the line last taken, or as much of it as `range` says, the next one to pop, as one without
    /// terminator.
    pub(crate) fn offer(&mut self, range: Range<usize>, ending: Ending) {
        self.window.offer(range, ending);
    }

    /// Takes the next line, if all of it is here.
    pub(crate) fn take_line(&mut self) -> Option<Span> {
        self.begin_line();
        let end = self.window.find_end(&self.bytes[..self.filled])?;
        self.bytewise = false;
        Some(self.window.take_found(end))
    }

    /// Takes everything unread as a line, whose end is not here.
    pub(crate) fn take_rest(&mut self) -> Span {
        self.bytewise = false;
        self.window.take_rest(&self.bytes[..self.filled])
    }

    /// Drops the rest of a line that has been counted already; everything, where its end is not here.
    /// Returns whether it is.
    pub(crate) fn drop_line(&mut self) -> bool {
        let found = self.take_line().is_some();
        if found {
            self.window.uncount();
        } else {
            self.window.pass_all(&self.bytes[..self.filled]);
        }
        self.bytewise = false;
        found
    }

    /// Takes all lines that are here, up to one that is too long.
    pub(crate) fn take_batch(&mut self) -> Option<Span> {
        self.begin_line();
        let (start, number) = (self.window.position(), self.window.number());
        if self.limit() < usize::MAX {
            while self.find_line() {
                self.take_line();
            }
        } else if let Some(end) = self.window.last_end(&self.bytes[..self.filled]) {
            // They are not counted before somebody asks for that, which is most often never.
            self.window.restart(end, number);
            self.batch = start..end;
            self.bytewise = false;
        } else {
            self.window.note_scanned(&self.bytes[..self.filled]);
        }
        let range = start..self.window.position();
        (!range.is_empty()).then_some(Span { range, number })
    }

    /// The complete lines of some bytes, looked for without changing anything.
    fn search<'a>(&self, bytes: &'a [u8]) -> impl Iterator<Item = Line<'a>> {
        let (scanner, terminator) = (self.window.scanner(), self.terminator());
        let mut start = 0;
        core::iter::from_fn(move || {
            let end = start + scanner.find(&bytes[start..])?;
            let line = Line::terminated(&bytes[start..end], terminator, start as u64, 0);
            start = end;
            Some(line)
        })
    }

    /// Where a line that was taken starts in the stream.
    pub(crate) fn offset_of(&self, line: &Span) -> u64 {
        self.offset + line.range.start as u64
    }

    /// The lines of the batch that was taken.
    pub(crate) fn batch(&mut self, batch: Span) -> Lines<'_> {
        let counted = self.batch.is_empty();
        let (lines, batched) = self.lines(batch);
        if counted { lines } else { lines.report(batched) }
    }

    /// A line without terminator that was taken, as a batch of one.
    pub(crate) fn cut_line(&mut self, line: Span, ending: Ending) -> Lines<'_> {
        self.lines(line).0.cut(ending)
    }

    /// Lines that were taken. They get the window's index, which has nothing in it: with a limit, there may
    /// be lines in it still.
    fn lines(&mut self, span: Span) -> (Lines<'_>, &AtomicUsize) {
        let offset = self.offset_of(&span);
        let window = if self.limit() < usize::MAX {
            self.window.beside(self.spare.get_or_insert_with(new_index), span.number)
        } else {
            self.window.lend(span.number)
        };
        (Lines::with_window(&self.bytes[span.range], window, offset), &self.batched)
    }

    /// Whether a line stands here as a whole that `wanted` says yes to. Does not search again what has
    /// been searched for lines and has none.
    pub(crate) fn has_line(&self, wanted: impl FnMut(Line<'_>) -> bool) -> bool {
        self.window.is_popping()
            || self.window.is_popping_odd()
            || self.window.has_end(&self.bytes[..self.filled])
                && self.search(self.unread_of_lines()).any(wanted)
    }

    /// The unread bytes, without an LF that belongs to the line before.
    pub(crate) fn unread_of_lines(&self) -> &[u8] {
        &self.unread()[usize::from(self.has_torn_lf())..]
    }

    /// What is unread of a line whose end is not here.
    pub(crate) fn partial(&self) -> &[u8] {
        match self.window.last_end(&self.bytes[..self.filled]) {
            Some(end) => &self.bytes[end..self.filled],
            None => self.unread_of_lines(),
        }
    }

    // Bytes.

    /// Whether there is a byte to [`step`](Self::step) over.
    #[inline(always)]
    pub(crate) fn is_stepping(&self) -> bool {
        self.window.is_stepping()
    }

    /// The byte that [`step`](Self::step) would take.
    #[inline(always)]
    pub(crate) fn peek_step(&self) -> u8 {
        self.bytes[self.window.position()]
    }

    /// Takes a byte that can be had without a search.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> u8 {
        self.bytes[self.window.step()]
    }

    /// Makes bytes ready to be taken one by one: scans what they are taken from for the lines to count.
    /// There must be unread ones.
    pub(crate) fn prepare_steps(&mut self) {
        self.begin_bytes();
        self.window.prepare_steps(&self.bytes[..self.filled]);
        // Said before the first is taken, so that a step is one addition. Until then it makes no
        // difference: no line ends between a CR and an LF that are both here.
        self.bytewise = true;
    }

    /// Takes the first `n` unread bytes.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub(crate) fn take_bytes(&mut self, n: usize) {
        let position = self.window.position();
        assert!(n <= self.filled - position, "more bytes are consumed than are buffered");
        if n > 0 {
            self.begin_bytes();
            self.window.move_to(position + n, &self.bytes[..self.filled]);
            self.bytewise = true;
        }
    }

    /// Accounts for bytes that were handed out without ever being here. There must be none unread.
    pub(crate) fn pass(&mut self, bytes: &[u8]) {
        debug_assert!(self.is_empty() && !self.awaits_lf());
        self.make_room();
        let cr_or_lf = self.window.scanner().needle() == Needle::CrOrLf;
        let torn = usize::from(cr_or_lf && self.after_cr && bytes.first() == Some(&b'\n'));
        self.window.count(self.window.scanner().count(&bytes[torn..], bytes.len() - torn) as u64);
        self.offset += bytes.len() as u64;
        self.after_cr = bytes.last().map_or(self.after_cr, |&last| last == b'\r');
        self.bytewise |= !bytes.is_empty();
    }

    /// Whether an LF that comes next belongs to a line that was handed out.
    pub(crate) fn awaits_lf(&self) -> bool {
        let after_cr = self.bytes[..self.filled].last().map_or(self.after_cr, |&last| last == b'\r');
        self.is_empty() && !self.bytewise && self.window.scanner().needle() == Needle::CrOrLf && after_cr
    }

    // Room.

    /// Room for the next bytes: all there is where nothing is unread, at least one byte otherwise. The
    /// buffer grows where a line has filled it, but never past what the longest line needs.
    pub(crate) fn room(&mut self) -> io::Result<&mut [u8]> {
        if self.window.position() == 0 && self.filled == self.bytes.len() {
            self.grow()?;
        }
        self.make_room();
        Ok(&mut self.bytes[self.filled..])
    }

    /// Moves what is unread to the front.
    fn make_room(&mut self) {
        self.settle();
        let position = self.window.position();
        if position > 0 {
            let number = self.number();
            self.after_cr = self.bytes[position - 1] == b'\r';
            self.bytes.copy_within(position..self.filled, 0);
            #[cfg(test)]
            {
                self.moved += self.filled - position;
            }
            self.window.moved(position, number);
            self.filled -= position;
            self.offset += position as u64;
        }
    }

    /// Makes the buffer larger, as long as that is not more than the longest line, its terminator and
    /// the byte that shows it is longer can fill.
    fn grow(&mut self) -> io::Result<()> {
        let limit = self.limit();
        let len = self.bytes.len();
        let larger = match len {
            0 => self.capacity,
            _ => {
                let times = if QUADRUPLED.contains(&len) { 4 } else { 2 };
                len.saturating_mul(times).min(self.capacity.max(limit.saturating_add(3))).max(len + 1)
            }
        };
        self.bytes.try_reserve_exact(larger - len)?;
        #[cfg(test)]
        {
            self.moved += len;
        }
        self.bytes.resize(larger, 0);
        Ok(())
    }

    /// Takes in the first `n` bytes of the room, which have been filled.
    pub(crate) fn fill(&mut self, n: usize) {
        let awaits_lf = self.awaits_lf();
        let start = self.filled;
        self.filled += n;
        if awaits_lf && self.bytes[start..self.filled].first() == Some(&b'\n') {
            self.window.pass_over(start);
            self.window.move_to(start + 1, &self.bytes[..self.filled]);
        }
    }

    /// Gives memory back: the buffer becomes as small as it can be, but no smaller than `capacity`.
    pub(crate) fn shrink_to(&mut self, capacity: usize) {
        self.make_room();
        self.capacity = self.capacity.min(capacity.max(1));
        let capacity = capacity.max(self.filled).max(1);
        if capacity < self.bytes.len() {
            self.bytes.truncate(capacity);
            self.bytes.shrink_to_fit();
        }
    }

    /// What is unread, in the buffer's own allocation.
    pub(crate) fn into_unread(mut self) -> Vec<u8> {
        self.make_room();
        self.bytes.truncate(self.filled);
        self.bytes
    }
}
