//! A cursor over the lines of some bytes, whose ends it finds a window at a time. No I/O in it, and not
//! the bytes either: its holder has them, and shows them at each call.

use core::borrow::{Borrow, BorrowMut};
use core::ops::Range;

use crate::scan::{BLOCK, Density, End, SLACK, Scanner};

/// The ends of the lines in a window, and where the first byte not handed out stands.
///
/// While lines are popped, one counter is all that changes: a line starts where the one before it ended,
/// and both ends stand in the index. Everything else moves the *cursor*: the index keeps what it knows,
/// but popping stops (`ready` is 0) until a line has been found from the cursor.
#[derive(Clone)]
pub(crate) struct Window<A, const N: usize> {
    /// `at[..found]`: one past the last byte of each line that ends in the window, from `origin`.
    at: A,
    found: usize,
    /// The first end that does not lie before what is unread; the line it ends is the next one.
    next: usize,
    /// `found` while lines are popped, and then `at[next - 1]` is where the next one starts;
    /// 0 while `cursor` says where it starts.
    ready: usize,
    cursor: usize,
    /// Where the window starts, and where it ends: everything before that has been scanned.
    origin: usize,
    scanned: usize,
    /// The number of the line that `at[0]` ends.
    number: u64,
    density: Density,
    /// Lines longer than that are not popped, but taken from the cursor.
    limit: usize,
    /// `found`, or 0 where a line in the window may be longer than the limit.
    poppable: usize,
    /// `scanned` while bytes are taken one by one, else 0.
    steps: usize,
}

impl<A: Borrow<[End; N]> + BorrowMut<[End; N]>, const N: usize> Window<A, N> {
    /// How many bytes are scanned at a time: few enough for them to be in the first-level cache still
    /// when their lines are handed out, and whole blocks.
    const BYTES: usize = (N - SLACK) / BLOCK * BLOCK;

    /// At the start of the bytes, which are line `number`'s. Lines longer than `limit`, terminator not
    /// counted, are not popped.
    pub(crate) fn new(at: A, number: u64, limit: usize) -> Self {
        // Positions are masked instead of checked.
        const { assert!(N.is_power_of_two()) };
        Self {
            at,
            found: 0,
            next: 0,
            ready: 0,
            cursor: 0,
            origin: 0,
            scanned: 0,
            number,
            density: Density::Dense,
            limit,
            poppable: 0,
            steps: 0,
        }
    }

    /// At `position`, in line `number`, with nothing scanned beyond that.
    pub(crate) fn restart(&mut self, position: usize, number: u64) {
        self.stop();
        self.found = 0;
        self.forget(0);
        self.number = number;
        self.cursor = position;
        self.scanned = position;
    }

    /// Whether there is a line to [`pop`](Self::pop).
    #[inline(always)]
    pub(crate) fn is_popping(&self) -> bool {
        self.next < self.ready
    }

    /// Takes a line whose end is in the index, as the one before it was. Also returns its number.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> (Range<usize>, u64) {
        let next = self.next;
        self.next = next + 1;
        let at: &[End; N] = self.at.borrow();
        let start = self.origin + at[next.wrapping_sub(1) % N] as usize;
        let end = self.origin + at[next % N] as usize;
        (start..end, self.number + next as u64)
    }

    /// Pops every line in the index, until `each` breaks. A line counts as taken before `each` sees it.
    #[inline(always)]
    pub(crate) fn drain<B>(
        &mut self,
        mut each: impl FnMut(Range<usize>, u64) -> core::ops::ControlFlow<B>,
    ) -> core::ops::ControlFlow<B> {
        if self.next < self.ready {
            let at: &[End; N] = self.at.borrow();
            let mut start = self.origin + at[self.next - 1] as usize;
            let mut number = self.number + self.next as u64;
            for &end in &at[self.next..self.ready] {
                let end = self.origin + end as usize;
                self.next += 1;
                each(start..end, number)?;
                start = end;
                number += 1;
            }
        }
        core::ops::ControlFlow::Continue(())
    }

    /// Where the first byte not handed out stands.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        if self.ready == 0 {
            self.cursor
        } else {
            let at: &[End; N] = self.at.borrow();
            self.origin + at[self.next - 1] as usize
        }
    }

    /// Up to where the bytes have been scanned.
    pub(crate) fn scanned(&self) -> usize {
        self.scanned
    }

    /// The number of the line that the byte at the cursor belongs to.
    pub(crate) fn number(&self) -> u64 {
        let position = self.position();
        let at: &[End; N] = self.at.borrow();
        let passed = at[self.next..self.found].partition_point(|&end| self.origin + end as usize <= position);
        self.number + (self.next + passed) as u64
    }

    /// Whether a line ends at `position`, as far as the index reaches.
    pub(crate) fn ends_at(&self, position: usize) -> bool {
        let at: &[End; N] = self.at.borrow();
        at[self.next..self.found].iter().any(|&end| self.origin + end as usize == position)
    }

    /// The end of the last line that ends in `bytes`, if that is behind the cursor.
    pub(crate) fn last_end(&mut self, scanner: &Scanner, bytes: &[u8]) -> Option<usize> {
        let position = self.position();
        let at: &[End; N] = self.at.borrow();
        let scanned = self.found.checked_sub(1).map(|last| self.origin + at[last] as usize);
        let last = scanner.rfind(&bytes[self.scanned..]).map(|end| self.scanned + end).or(scanned);
        last.filter(|&end| end > position)
    }

    /// Where the next byte stands, if bytes are being taken one by one. Does not take it:
    /// [`step`](Self::step) does.
    #[inline(always)]
    pub(crate) fn peek_step(&self) -> Option<usize> {
        (self.cursor < self.steps).then_some(self.cursor)
    }

    /// Takes the byte that [`peek_step`](Self::peek_step) showed.
    #[inline(always)]
    pub(crate) fn step(&mut self) {
        self.cursor += 1;
    }

    /// Makes it so that bytes can be taken one by one, scanning further where the cursor has come to the
    /// end of what was scanned.
    pub(crate) fn prepare_steps(&mut self, scanner: &Scanner, bytes: &[u8]) {
        self.stop();
        if self.cursor == self.scanned {
            self.scan(scanner, bytes);
        }
        self.steps = self.scanned;
    }

    /// Stops popping lines or bytes: from here the cursor says where the next one starts.
    fn stop(&mut self) {
        self.cursor = self.position();
        self.ready = 0;
        self.steps = 0;
    }

    /// Finds the next line's end and takes the line, if its end stands in `bytes`. Lines behind it can be
    /// popped.
    pub(crate) fn take_line(&mut self, scanner: &Scanner, bytes: &[u8]) -> Option<(Range<usize>, u64)> {
        self.find_end(scanner, bytes).map(|end| self.take_found(end))
    }

    /// Takes the line whose end [`find_end`](Self::find_end) just found.
    pub(crate) fn take_found(&mut self, end: usize) -> (Range<usize>, u64) {
        let line = (self.cursor..end, self.number + self.next as u64);
        self.next += 1;
        self.cursor = end;
        self.ready = self.poppable;
        line
    }

    /// Finds the next line's end, if it stands in `bytes`.
    pub(crate) fn find_end(&mut self, scanner: &Scanner, bytes: &[u8]) -> Option<usize> {
        self.stop();
        loop {
            let at: &[End; N] = self.at.borrow();
            while self.next < self.found {
                let end = self.origin + at[self.next] as usize;
                if end > self.cursor {
                    return Some(end);
                }
                self.next += 1;
            }
            if self.scanned == bytes.len() {
                return None;
            }
            self.scan(scanner, bytes);
        }
    }

    /// Moves the cursor forward. What it passes that has not been scanned is scanned for lines to count.
    pub(crate) fn move_to(&mut self, position: usize, scanner: &Scanner, bytes: &[u8]) {
        self.stop();
        debug_assert!(self.cursor <= position);
        self.cursor = position;
        if self.scanned < position {
            let passed = scanner.count(&bytes[self.scanned..position], position - self.scanned);
            self.forget(passed);
            self.scanned = position;
        }
    }

    /// Moves the cursor forward to `position`, behind `lines` lines. None may end between that and
    /// `scanned`.
    pub(crate) fn jump(&mut self, position: usize, lines: u64) {
        let scanned = self.scanned.max(position);
        let number = self.number() + lines;
        self.restart(position, number);
        self.scanned = scanned;
    }

    /// Makes it so that the line last taken was not counted.
    pub(crate) fn uncount(&mut self) {
        self.number = self.number.wrapping_sub(1);
    }

    /// Leaves one byte at the end of what was scanned out of the scan: it ends no line.
    pub(crate) fn pass_over(&mut self, position: usize) {
        if self.scanned == position {
            self.scanned += 1;
        }
    }

    /// Makes the index that of the next window.
    pub(crate) fn scan(&mut self, scanner: &Scanner, bytes: &[u8]) {
        self.stop();
        self.forget(0);
        if self.density == Density::None {
            // One before the end: its last byte ends the line whether a CR before it is seen or not.
            self.scanned = scanner.find(&bytes[self.scanned..]).map_or(bytes.len(), |end| self.scanned + end - 1);
        }
        self.origin = self.scanned;
        let rest = &bytes[self.scanned..];
        let mut len = rest.len().min(Self::BYTES);
        if len < rest.len() && rest[len - 1] == b'\r' {
            // A window does not end between CR and LF: all ends up to `scanned` are in the index.
            len -= 1;
        }
        if len > 0 {
            let at = self.at.borrow_mut();
            self.found = scanner.index(rest, len, self.density, at);
            self.scanned += len;
            self.density = Density::of(self.found, len);
            let short = self.limit >= len
                || at[..self.found].windows(2).all(|ends| (ends[1] - ends[0]) as usize <= self.limit + 1);
            self.poppable = if short { self.found } else { 0 };
        }
    }

    /// Empties the index, whose ends have all been passed, and `more` besides.
    fn forget(&mut self, more: usize) {
        self.number = self.number.wrapping_add((self.found + more) as u64);
        self.found = 0;
        self.next = 0;
        self.poppable = 0;
    }

    /// Follows bytes that their holder has moved `by` towards the front.
    pub(crate) fn moved(&mut self, by: usize) {
        self.stop();
        self.forget(0);
        self.cursor -= by;
        self.scanned -= by;
    }
}
