//! What the lines of a sorted file look like: the options that both searches share.

use core::fmt;

use crate::line::{Line, Terminator};
use crate::scan::{Needle, Scanner};

/// Takes the key out of a line's content.
pub(super) type Key = fn(&[u8]) -> &[u8];

/// Says something of a line from its content.
pub(super) type Is = fn(&[u8]) -> bool;

#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) key: Key,
    pub(super) continuation: Option<Is>,
    pub(super) header: Option<Is>,
    pub(super) terminator: Terminator,
    pub(super) scanner: Scanner,
}

impl Shape {
    pub(super) fn new() -> Self {
        let terminator = Terminator::LF;
        Self {
            key: |line| line,
            continuation: None,
            header: None,
            terminator,
            scanner: Scanner::new(terminator.needle()),
        }
    }

    pub(super) fn terminator(self, terminator: Terminator) -> Self {
        Self { terminator, scanner: Scanner::new(terminator.needle()), ..self }
    }

    /// The content of a whole line, which only at the end of the bytes may have no terminator.
    #[inline]
    pub(super) fn content<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        let is_terminated = line.last().is_some_and(|&last| match self.scanner.needle() {
            Needle::Byte(byte) => last == byte,
            Needle::CrOrLf => matches!(last, b'\r' | b'\n'),
        });
        if is_terminated { Line::terminated(line, self.terminator, 0, 0).as_bytes() } else { line }
    }

    #[inline]
    pub(super) fn is_header(&self, content: &[u8]) -> bool {
        self.header.is_some_and(|is| is(content))
    }

    #[inline]
    pub(super) fn is_continuation(&self, content: &[u8]) -> bool {
        self.continuation.is_some_and(|is| is(content))
    }
}

impl fmt::Debug for Shape {
    /// The addresses of functions would tell nobody anything.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shape").field("terminator", &self.terminator).finish_non_exhaustive()
    }
}
