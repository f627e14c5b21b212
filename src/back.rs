//! The ends of lines, found from the back a window at a time. The counterpart of
//! [`Window`](crate::window::Window), with less to do: it counts no lines, and has nothing to resume.

use crate::line::{Ending, Line, Terminator};
use crate::scan::{Density, Needle, Scanner};
use crate::window::{Index, Window, new_index};

/// Where the last lines of some bytes start. Its holder has the bytes, and takes off them what was found.
#[derive(Clone)]
pub(crate) struct BackWindow {
    /// `at[..found]`: the ends of lines in the window, from `origin`, that no line found so far starts at.
    at: Box<Index>,
    found: u32,
    /// Where the window starts: everything behind has been scanned.
    origin: usize,
    density: Density,
    scanner: Scanner,
    terminator: Terminator,
}

impl BackWindow {
    /// With nothing scanned of bytes that end at `end`.
    pub(crate) fn new(scanner: Scanner, terminator: Terminator, end: usize) -> Self {
        Self { at: new_index(), found: 0, origin: end, density: Density::Dense, scanner, terminator }
    }

    /// Where the last line of `bytes` starts, as far as the end of a line behind `floor` tells; `None` if
    /// no other line ends there.
    ///
    /// A start that was told is not told again: with it, the line must be taken off `bytes`.
    #[inline]
    pub(crate) fn last_start(&mut self, bytes: &[u8], floor: usize) -> Option<usize> {
        if self.found == 0 {
            self.scan(bytes, floor);
        }
        self.found = self.found.checked_sub(1)?;
        Some(self.origin + self.at[self.found as usize] as usize)
    }

    /// Makes the window one further to the front in which a line ends, if there is one.
    #[cold]
    #[inline(never)]
    fn scan(&mut self, bytes: &[u8], floor: usize) {
        while self.found == 0 && floor < self.origin {
            let end = self.origin;
            if self.density == Density::Single {
                // The index is then only its last byte's.
                let found = self.rfind(bytes, floor);
                self.origin = found.map_or(floor, |end| end - 1);
                self.at[0] = 1;
                self.found = found.is_some().into();
            } else {
                self.origin = end.saturating_sub(Window::BYTES).max(floor);
                let len = end - self.origin;
                self.found =
                    self.scanner.index(&bytes[self.origin..], len, self.density, &mut self.at[..]) as u32;
            }
            self.density = Density::of(self.found as usize, end - self.origin);
            // Where the last line itself ends no other starts. (Only the first window sees that.)
            let last = self.at[..self.found as usize].last();
            self.found -= u32::from(last.is_some_and(|&last| self.origin + last as usize == bytes.len()));
        }
    }

    /// The last end of a line before what was scanned.
    fn rfind(&self, bytes: &[u8], floor: usize) -> Option<usize> {
        let unscanned = &bytes[floor..self.origin];
        let end = self.scanner.rfind(unscanned)?;
        let torn = self.scanner.needle() == Needle::CrOrLf
            && end == unscanned.len()
            && unscanned.ends_with(b"\r")
            && bytes.get(self.origin) == Some(&b'\n');
        let end = if torn { self.scanner.rfind(&unscanned[..end - 1])? } else { end };
        Some(floor + end)
    }

    /// Follows bytes that their holder has moved: what was scanned now starts at `origin`. The index must be
    /// empty.
    pub(crate) fn moved(&mut self, origin: usize) {
        debug_assert_eq!(self.found, 0);
        self.origin = origin;
    }

    /// The line that these bytes are, with a terminator or, the very last, maybe without.
    #[inline]
    pub(crate) fn line<'a>(&self, bytes: &'a [u8], offset: u64, number: u64) -> Line<'a> {
        if bytes.last().is_some_and(|&last| self.scanner.needle().matches(last)) {
            Line::terminated(bytes, self.terminator, offset, number)
        } else {
            Line::unterminated(bytes, Ending::Eof, offset, number)
        }
    }
}
