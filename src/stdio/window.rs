//! Straight from the stream's own buffer.

use core::ops::ControlFlow;
use core::ptr::NonNull;
use std::io;

use super::stream::Locked;
use crate::gather::{Gatherer, Piece};
use crate::line::Line;
use crate::scan::Scanner;
use crate::window::Window;

/// Appends up to `most` bytes of a line to `line`: those that are there, or if there are none, after reading.
pub(super) fn take(
    stream: &mut Locked<'_>,
    scanner: Scanner,
    line: &mut Vec<u8>,
    most: usize,
) -> io::Result<Piece> {
    if stream.window().is_empty() && !stream.refill()? {
        return Ok(Piece::Last);
    }
    let window = stream.window();
    let window = &window[..window.len().min(most)];
    let end = scanner.find(window);
    let taken = &window[..end.unwrap_or(window.len())];
    line.extend_from_slice(taken);
    let (taken, piece) = (taken.len(), Piece::found(window, end, scanner.needle()));
    stream.consume(taken);
    Ok(piece)
}

/// The lines in the buffer of a stream that nobody else reads from. They are found many at a time, and taken without
/// telling the stream, until something is to be done to it.
pub(super) struct Ahead {
    lines: Window<'static>,
    /// Where they are, as long as nothing is done to the stream; empty otherwise.
    bytes: NonNull<[u8]>,
    /// Where the bytes stand.
    offset: u64,
}

// SAFETY: the bytes belong to a stream, which may be sent, and to be shared there is nothing but numbers.
unsafe impl Send for Ahead {}
// SAFETY: as above.
unsafe impl Sync for Ahead {}

impl Ahead {
    pub(super) fn new(gatherer: &Gatherer) -> Self {
        Self { lines: gatherer.window(), bytes: NonNull::from(&[]), offset: 0 }
    }

    /// Looks for lines in what a stream has buffered. [`close`](Self::close) has to come before anything is done to
    /// the stream.
    pub(super) fn open(&mut self, stream: &Locked<'_>, gatherer: &Gatherer) -> bool {
        self.bytes = NonNull::from(stream.window());
        self.offset = gatherer.offset();
        self.lines.restart(0, gatherer.number());
        self.find_line()
    }

    /// Tells the stream what was taken.
    pub(super) fn close(&mut self, stream: &mut Locked<'_>, gatherer: &mut Gatherer) {
        let taken = self.lines.position();
        gatherer.pass_lines(self.bytes(), taken, self.line_number());
        // All of them are there still; but a C library may let fflush(NULL) drop what input streams hold.
        stream.consume(taken.min(stream.window().len()));
        self.bytes = NonNull::from(&[]);
        self.lines.restart(0, 1);
    }

    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        // SAFETY: between `open` and `close` nothing is done to the stream, so they stay as they are.
        unsafe { self.bytes.as_ref() }
    }

    pub(super) fn is_open(&self) -> bool {
        !self.bytes().is_empty()
    }

    pub(super) fn offset(&self) -> u64 {
        self.offset + self.lines.position() as u64
    }

    pub(super) fn line_number(&self) -> u64 {
        self.lines.number()
    }

    /// Finds lines to pop. False if none that is not too long is there as a whole.
    pub(super) fn find_line(&mut self) -> bool {
        // SAFETY: as in `bytes`.
        self.lines.find_line(unsafe { self.bytes.as_ref() })
    }

    /// Whether there is a line to [`pop`](Self::pop).
    #[inline(always)]
    pub(super) fn is_popping(&self) -> bool {
        self.lines.is_popping()
    }

    /// Takes a line that was found.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Line<'_> {
        // SAFETY: as in `bytes`; and we are borrowed for as long as the line is.
        self.lines.pop(unsafe { self.bytes.as_ref() }, self.offset)
    }

    /// Whether there is one that may end with more than one byte.
    pub(super) fn is_popping_odd(&self) -> bool {
        self.lines.is_popping_odd()
    }

    /// Takes a line of either kind.
    pub(super) fn pop_any(&mut self) -> Line<'_> {
        if self.is_popping() {
            return self.pop();
        }
        // SAFETY: as in `pop`.
        self.lines.pop_odd(unsafe { self.bytes.as_ref() }, self.offset)
    }

    /// Takes every line that was found, until `each` breaks.
    #[inline(always)]
    pub(super) fn drain<B>(&mut self, each: impl FnMut(Line<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        // SAFETY: as in `pop`.
        self.lines.drain(unsafe { self.bytes.as_ref() }, self.offset, each)
    }
}
