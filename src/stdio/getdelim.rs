//! By `getdelim`, which fills a buffer from `malloc`.

use core::ffi::{c_char, c_int};
use core::ptr::null_mut;
use std::io;

use super::stream::{Stream, failure, uninterrupted};
use super::sys;
use crate::gather::{Gathered, Gatherer, Piece};
use crate::scan::Needle;

/// The buffer: grown by `getdelim`, kept from line to line.
pub(super) struct Buffer {
    line: *mut c_char,
    room: usize,
    /// How much of the line was taken last.
    len: usize,
    /// What came behind that, if it is to be taken again.
    put_back: Option<io::Result<Piece>>,
    /// The call before gave nothing that tells why, and this one is to.
    retried: bool,
}

// SAFETY: the memory is nobody else's.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Buffer {
    pub(super) const fn new() -> Self {
        Self { line: null_mut(), room: 0, len: 0, put_back: None, retried: false }
    }

    /// Takes the next line, if it is complete: [`bytes`](Self::bytes) then are the line. Otherwise
    /// [`take`](Self::take) has it, and must come next.
    #[inline(always)]
    pub(super) fn take_whole(&mut self, stream: &Stream, needle: Needle) -> bool {
        let Needle::Byte(delimiter) = needle else { return false };
        if stream.check_direction().is_err() {
            return false;
        }
        self.call(stream, delimiter);
        let whole = self.bytes().last() == Some(&delimiter);
        if whole {
            self.retried = false;
        } else {
            self.put_back = Some(incomplete(stream, &mut self.retried));
        }
        whole
    }

    /// Puts the next line together. The caller has the stream's lock.
    pub(super) fn gather(
        &mut self,
        stream: &Stream,
        gatherer: &mut Gatherer,
    ) -> io::Result<Option<Gathered>> {
        // Other needles are not for this.
        let Needle::Byte(delimiter) = gatherer.scanner().needle() else { return Ok(None) };
        let gathered =
            gatherer.gather(|line, _| uninterrupted(stream, || self.take(stream, delimiter, line)));
        if gathered.as_ref().is_err_and(has_lost) {
            gatherer.give_up();
        }
        gathered
    }

    /// Appends the next line, or what is left of it, to `line`; where there is no room, it can be taken again.
    ///
    /// The stream's flags are only looked at where the line is not complete: they say nothing about one that is.
    fn take(&mut self, stream: &Stream, delimiter: u8, line: &mut Vec<u8>) -> io::Result<Piece> {
        let piece = match self.put_back.take() {
            Some(piece) => piece,
            None if self.take_whole(stream, Needle::Byte(delimiter)) => Ok(Piece::Terminated),
            None => match self.put_back.take() {
                Some(piece) => piece,
                None => return stream.check_direction().map(|()| Piece::Open),
            },
        };
        if let Err(error) = line.try_reserve(self.len) {
            self.put_back = Some(piece);
            return Err(error.into());
        }
        line.extend_from_slice(self.bytes());
        piece
    }

    /// What was taken and could not be appended.
    pub(super) fn kept(&self) -> &[u8] {
        if self.put_back.is_some() { self.bytes() } else { &[] }
    }

    #[inline(always)]
    fn call(&mut self, stream: &Stream, delimiter: u8) {
        // The BSDs' drop a last line without delimiter where the error flag is set.
        #[cfg(not(any(target_env = "gnu", target_env = "musl")))]
        if stream.has_failed() && !stream.is_at_end() {
            stream.clear_flags();
        }
        sys::clear_errno();
        // SAFETY: the stream is open; the buffer is null or what an earlier call has left.
        let n =
            unsafe { sys::getdelim(&mut self.line, &mut self.room, c_int::from(delimiter), stream.as_ptr()) };
        // Below 0: nothing was read, and the contents of the buffer mean nothing.
        self.len = usize::try_from(n).unwrap_or(0);
    }

    /// What was taken.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the C library vouches for so many bytes in the buffer, until the next call, which wants it to
        // itself.
        unsafe { core::slice::from_raw_parts(self.line.cast::<u8>(), self.len) }
    }
}

/// Why a line is not complete.
#[cold]
fn incomplete(stream: &Stream, retried: &mut bool) -> io::Result<Piece> {
    let has_errno = io::Error::last_os_error().raw_os_error() != Some(0);
    let first = !core::mem::take(retried);
    match (stream.has_failed(), stream.is_at_end()) {
        (true, _) if has_errno => Err(lossy(failure())),
        (_, true) => Ok(Piece::Last),
        // An error flag without an errno may have been set long ago, by somebody else: glibc does not even begin
        // then. With neither flag, another thread has cleared them meanwhile. Either way, try again, once.
        (failed, false) if !has_errno && first => {
            *retried = true;
            if failed {
                stream.clear_flags();
            }
            Ok(Piece::Open)
        }
        _ => Err(lossy(failure())),
    }
}

/// Whether this says that a line had no room, in which case nobody knows how much of it was read.
fn has_lost(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOMEM | libc::EOVERFLOW))
}

/// Outside of glibc an interruption has lost bytes, and is not to be retried as if nothing had happened.
fn lossy(error: io::Error) -> io::Error {
    if !cfg!(target_env = "gnu") && error.kind() == io::ErrorKind::Interrupted {
        return io::Error::other("interrupted, and what was read of the line is lost");
    }
    error
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: null, or from the C library's malloc, and freed only here.
        unsafe { libc::free(self.line.cast()) }
    }
}
