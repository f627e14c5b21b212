//! The lines of bytes that are all in memory.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::io;

use crate::back::BackWindow;
use crate::line::{Ending, Line, Terminator};
use crate::line_read::LineRead;
use crate::scan::Scanner;
use crate::window::Window;

/// An iterator over the lines of a byte slice: a file that was read or mapped, or what a
/// [`LineReader`](crate::LineReader) has buffered.
///
/// The last line need not have a terminator; an empty slice has no lines, and what a terminator ends is
/// not followed by an empty line. So joining [`with_terminator`](Line::with_terminator) of all lines gives
/// the slice back, whatever the terminator.
///
/// ```
/// use wholeline::{Lines, Terminator};
///
/// let mut lines = Lines::new(b"one\ntwo\n\nfour", Terminator::LF);
/// assert_eq!(lines.next().unwrap().as_bytes(), b"one");
/// assert_eq!(lines.as_bytes(), b"two\n\nfour");
/// let rest: Vec<_> = lines.map(|line| (line.number(), line.offset(), line.is_terminated())).collect();
/// assert_eq!(rest, [(2, 4, true), (3, 8, true), (4, 9, false)]);
/// ```
///
/// # From the end
///
/// Lines can be taken from both ends, so `rev()` gives the last lines first. They are the same lines, with
/// the same numbers: for these, the first [`next_back`](DoubleEndedIterator::next_back) counts the lines that
/// are left, which is one pass over them at the speed of memory, and allocates another 16 KiB. Where the
/// last lines of a large file are all that is wanted, [`RevLineReader`](crate::RevLineReader) does without.
///
/// ```
/// use wholeline::{Lines, Terminator};
///
/// let mut lines = Lines::new(b"one\ntwo\nthree\nfour", Terminator::LF);
/// assert_eq!(lines.next().unwrap().as_bytes(), b"one");
/// let last = lines.next_back().unwrap();
/// assert_eq!((last.as_bytes(), last.number(), last.offset()), (&b"four"[..], 4, 14));
/// assert_eq!(lines.as_bytes(), b"two\nthree\n");
/// ```
#[derive(Clone)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    window: Window<'a>,
    /// Of the first byte.
    offset: u64,
    /// How the rest ends, if something is known of that: it is a line then, even an empty one.
    cut: Option<Ending>,
    /// Where somebody waits to be told how many lines there are, and the first one's number.
    total: Option<(&'a AtomicUsize, u64)>,
    /// The lines from the end, once they are asked for.
    back: Option<Back>,
}

#[derive(Clone)]
struct Back {
    window: BackWindow,
    /// The number of the last line that is left, if one is.
    number: u64,
}

impl<'a> Lines<'a> {
    /// The lines of `bytes`. Offsets count from its start, numbers from 1.
    ///
    /// This allocates 16 KiB for an index, once: for slices of a few lines each,
    /// [`bstr::ByteSlice::lines_with_terminator`] is the better choice.
    pub fn new(bytes: &'a [u8], terminator: Terminator) -> Self {
        let scanner = Scanner::new(terminator.needle());
        Self::with_window(bytes, Window::new(scanner, terminator, 1, usize::MAX), 0)
    }

    /// The lines of bytes that stand at `offset` in a stream.
    pub(crate) fn with_window(bytes: &'a [u8], window: Window<'a>, offset: u64) -> Self {
        Self { bytes, window, offset, cut: None, total: None, back: None }
    }

    /// With the first byte standing at `offset` in something larger.
    pub(crate) fn at(mut self, offset: u64) -> Self {
        self.offset = offset;
        self
    }

    /// With the bytes not a whole number of lines, but the start of one that ended in another way.
    pub(crate) fn cut(mut self, ending: Ending) -> Self {
        self.cut = Some(ending);
        self
    }

    /// Once all lines have been handed out, or counted, `total` holds how many there were. Until then it is
    /// left alone.
    pub(crate) fn report(mut self, total: &'a AtomicUsize) -> Self {
        self.total = Some((total, self.window.number()));
        self
    }

    /// The bytes of the lines not yet handed out.
    pub fn as_bytes(&self) -> &'a [u8] {
        &self.bytes[self.window.position()..]
    }

    /// All lines, a window's at a time.
    #[inline(always)]
    fn each(&mut self, mut f: impl FnMut(Line<'a>)) {
        loop {
            let _: ControlFlow<()> = self.window.drain(self.bytes, self.offset, |line| {
                f(line);
                ControlFlow::Continue(())
            });
            if !self.scan() {
                return;
            }
        }
    }

    /// Finds lines to pop. False if there are no more.
    #[cold]
    #[inline(never)]
    fn scan(&mut self) -> bool {
        if self.window.find_end(self.bytes).is_some() {
            self.window.resume();
            return true;
        }
        if let Some(ending) = self.cut.take().or((!self.as_bytes().is_empty()).then_some(Ending::Eof)) {
            let rest = self.window.take_rest(self.bytes);
            self.window.offer(rest.range, ending);
            return true;
        }
        self.tell(self.window.number());
        false
    }

    /// With the number that a line behind the last would have.
    fn tell(&mut self, number: u64) {
        if let Some((total, first)) = self.total.take() {
            total.store((number - first) as usize, Ordering::Relaxed);
        }
    }

    /// Counts the lines that are left, and gets ready to take them from the end.
    #[cold]
    #[inline(never)]
    fn turn(&mut self) -> Back {
        let (rest, scanner) = (self.as_bytes(), self.window.scanner());
        let ended = self.cut.is_none() && rest.last().is_none_or(|&last| scanner.needle().matches(last));
        let lines = scanner.count(rest, rest.len()) as u64 + u64::from(!ended);
        let number = self.window.number() + lines;
        self.tell(number);
        let window = BackWindow::new(scanner, self.window.terminator(), self.bytes.len());
        Back { window, number: number - 1 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Line<'a>> {
        if !self.window.is_popping() {
            if !self.window.is_popping_odd() && !self.scan() {
                return None;
            }
            if !self.window.is_popping() {
                return Some(self.window.pop_odd(self.bytes, self.offset));
            }
        }
        Some(self.window.pop(self.bytes, self.offset))
    }

    #[inline]
    fn fold<B, F: FnMut(B, Line<'a>) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = Some(init);
        self.each(|line| folded = folded.take().map(|so_far| f(so_far, line)));
        folded.unwrap()
    }
}

impl<'a> DoubleEndedIterator for Lines<'a> {
    #[inline]
    fn next_back(&mut self) -> Option<Line<'a>> {
        if self.back.is_none() {
            self.back = Some(self.turn());
        }
        let back = self.back.as_mut()?;
        let front = self.window.position();
        if front == self.bytes.len() && self.cut.is_none() {
            return None;
        }
        // Where the front stands a line ends too, so that no start is told before it.
        let start = back.window.last_start(self.bytes, front).unwrap_or(front);
        let (rest, line) = self.bytes.split_at(start);
        self.bytes = rest;
        self.window.cut_off(start);
        let (offset, number) = (self.offset + start as u64, back.number);
        back.number = number - 1;
        Some(match self.cut.take() {
            Some(ending) => Line::unterminated(line, ending, offset, number),
            None => back.window.line(line, offset, number),
        })
    }
}

impl FusedIterator for Lines<'_> {}

impl LineRead for Lines<'_> {
    #[inline]
    fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        Ok(self.next())
    }

    #[inline]
    fn for_each_line(&mut self, f: impl FnMut(Line<'_>)) -> io::Result<()> {
        self.each(f);
        Ok(())
    }
}

impl fmt::Debug for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines")
            .field("as_bytes", &bstr::BStr::new(self.as_bytes()))
            .field("terminator", &self.window.terminator())
            .finish()
    }
}
