//! The lines of bytes that are all in memory.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::io;

use crate::line::{Ending, Line, Terminator};
use crate::line_read::LineRead;
use crate::scan::{End, Scanner};
use crate::window::Window;

/// Room in the index. It lies in the iterator itself, which is moved about: a small one.
const ROOM: usize = 512;

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
#[derive(Clone)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    window: Window<[End; ROOM], ROOM>,
    scanner: Scanner,
    terminator: Terminator,
    /// Of the first byte.
    offset: u64,
    /// How the rest ends, if something is known of that: it is a line then, even an empty one.
    cut: Option<Ending>,
    /// Where somebody waits to be told how many lines there are, and the first one's number.
    total: Option<(&'a AtomicUsize, u64)>,
}

impl<'a> Lines<'a> {
    /// The lines of `bytes`. Offsets count from its start, numbers from 1.
    pub fn new(bytes: &'a [u8], terminator: Terminator) -> Self {
        Self::with_scanner(bytes, terminator, Scanner::new(terminator.needle()), 0, 1)
    }

    /// The lines of bytes that stand at `offset` in a stream, the first of which has a given number.
    pub(crate) fn with_scanner(
        bytes: &'a [u8],
        terminator: Terminator,
        scanner: Scanner,
        offset: u64,
        number: u64,
    ) -> Self {
        let window = Window::new([0; ROOM], number, usize::MAX);
        Self { bytes, window, scanner, terminator, offset, cut: None, total: None }
    }

    /// With the bytes not a whole number of lines, but the start of one that ended in another way.
    pub(crate) fn cut(mut self, ending: Ending) -> Self {
        self.cut = Some(ending);
        self
    }

    /// Once all lines have been handed out, `total` holds how many there were. Until then it is left
    /// alone.
    pub(crate) fn report(mut self, total: &'a AtomicUsize) -> Self {
        self.total = Some((total, self.window.number()));
        self
    }

    /// The bytes of the lines not yet handed out.
    pub fn as_bytes(&self) -> &'a [u8] {
        &self.bytes[self.window.position()..]
    }

    /// All lines, a window's at a time.
    #[inline]
    fn each(&mut self, mut f: impl FnMut(Line<'a>)) {
        while let Some(line) = self.scan() {
            f(line);
            let _: ControlFlow<()> = self.window.drain(|range, number| {
                let offset = self.offset + range.start as u64;
                f(Line::terminated(&self.bytes[range], self.terminator, offset, number));
                ControlFlow::Continue(())
            });
        }
    }

    /// The next line when its end is not in the index.
    #[cold]
    #[inline(never)]
    fn scan(&mut self) -> Option<Line<'a>> {
        if let Some((range, number)) = self.window.take_line(&self.scanner, self.bytes) {
            let offset = self.offset + range.start as u64;
            return Some(Line::terminated(&self.bytes[range], self.terminator, offset, number));
        }
        let (position, number) = (self.window.position(), self.window.number());
        let rest = &self.bytes[position..];
        let cut = self.cut.take().or((!rest.is_empty()).then_some(Ending::Eof));
        if let Some(ending) = cut {
            self.window.jump(self.bytes.len(), 1);
            return Some(Line::unterminated(rest, ending, self.offset + position as u64, number));
        }
        if let Some((total, first)) = self.total {
            total.store((number - first) as usize, Ordering::Relaxed);
        }
        None
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        if !self.window.is_popping() {
            return self.scan();
        }
        let (range, number) = self.window.pop();
        let offset = self.offset + range.start as u64;
        Some(Line::terminated(&self.bytes[range], self.terminator, offset, number))
    }

    #[inline]
    fn fold<B, F: FnMut(B, Line<'a>) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = Some(init);
        self.each(|line| folded = folded.take().map(|so_far| f(so_far, line)));
        folded.unwrap()
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
            .field("terminator", &self.terminator)
            .finish()
    }
}
