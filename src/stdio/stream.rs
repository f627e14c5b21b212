//! A C stream, and what can be done to it while it is locked.

use core::ffi::c_int;
use core::ptr::NonNull;
use std::ffi::CStr;
use std::io;

use libc::FILE;

use super::sys;
#[cfg(not(has_flockfile))]
use super::turns;
use crate::gather::Piece;

/// A stream that is open as long as this exists.
pub(super) struct Stream {
    file: NonNull<FILE>,
    /// The buffer that was given to a stream of our own.
    own: Option<*mut [u8]>,
}

// SAFETY: the C library locks a stream for each call, and everything else here is done under that lock.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

/// What a stream of our own gets to buffer: as much as a `LineReader` has.
const BUFFER: usize = 64 << 10;

impl Stream {
    /// Somebody else's.
    ///
    /// # Safety
    ///
    /// `file` is an open stream, and stays so as long as this exists.
    ///
    /// # Panics
    ///
    /// If it is null.
    pub(super) unsafe fn shared(file: *mut FILE) -> Self {
        Self { file: NonNull::new(file).expect("a stream, not a null pointer"), own: None }
    }

    /// One of our own, to read from.
    pub(super) fn open(path: &CStr) -> io::Result<Self> {
        let mut buffer = Vec::new();
        buffer.try_reserve_exact(BUFFER)?;
        buffer.resize(BUFFER, 0);
        // SAFETY: both are strings that end with NUL.
        let file = unsafe { sys::fopen(path.as_ptr(), c"re".as_ptr()) };
        let file = NonNull::new(file).ok_or_else(io::Error::last_os_error)?;
        let buffer = Box::into_raw(buffer.into_boxed_slice());
        let stream = Self { file, own: Some(buffer) };
        // SAFETY: nothing has been done to the stream yet; the buffer is freed after the stream is closed.
        if unsafe { libc::setvbuf(stream.as_ptr(), buffer.cast(), libc::_IOFBF, BUFFER) } == 0 {
            Ok(stream)
        } else {
            Err(io::Error::other("setvbuf: the stream takes no buffer"))
        }
    }

    pub(super) fn as_ptr(&self) -> *mut FILE {
        self.file.as_ptr()
    }

    /// Makes sure that the stream can be one of bytes.
    pub(super) fn orient(&self) -> io::Result<()> {
        // SAFETY: the stream is open.
        if unsafe { sys::fwide(self.as_ptr(), -1) } > 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the stream is one of wide characters"));
        }
        Ok(())
    }

    /// Makes sure that the stream is not being written to.
    #[inline]
    pub(super) fn check_direction(&self) -> io::Result<()> {
        // SAFETY: the stream is open.
        if unsafe { sys::has_pending_output(self.as_ptr()) } {
            return Err(written());
        }
        Ok(())
    }

    /// Takes the stream's lock until what it returns is dropped; or where the system does not give us that, a lock of
    /// our own.
    #[inline(always)]
    pub(super) fn lock(&self) -> Locked<'_> {
        #[cfg(has_flockfile)]
        // SAFETY: the stream is open.
        unsafe {
            sys::flockfile(self.as_ptr());
        }
        #[cfg(not(has_flockfile))]
        turns::take(self.as_ptr().addr());
        Locked(self)
    }

    /// Whether the flag for the end of the file is set.
    pub(super) fn is_at_end(&self) -> bool {
        // SAFETY: the stream is open.
        unsafe { libc::feof(self.as_ptr()) != 0 }
    }

    /// Whether the flag for errors is set: now, or by somebody some time ago.
    pub(super) fn has_failed(&self) -> bool {
        // SAFETY: the stream is open.
        unsafe { libc::ferror(self.as_ptr()) != 0 }
    }

    /// Clears both flags.
    pub(super) fn clear_flags(&self) {
        // SAFETY: the stream is open.
        unsafe { libc::clearerr(self.as_ptr()) }
    }
}

#[cold]
fn written() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the stream holds output that was not flushed")
}

/// A C function has failed. `errno` was cleared before.
pub(super) fn failure() -> io::Error {
    let error = io::Error::last_os_error();
    if error.raw_os_error() == Some(0) {
        return io::Error::other("the stream failed, and does not say why");
    }
    error
}

/// Repeats what a signal has interrupted.
pub(super) fn uninterrupted(
    stream: &Stream,
    mut take: impl FnMut() -> io::Result<Piece>,
) -> io::Result<Piece> {
    loop {
        match take() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => stream.clear_flags(),
            result => return result,
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(buffer) = self.own {
            // SAFETY: we have opened it, and nobody uses it after us; then nobody uses the buffer.
            unsafe {
                libc::fclose(self.as_ptr());
                drop(Box::from_raw(buffer));
            }
        }
    }
}

/// A stream whose lock is held.
pub(super) struct Locked<'s>(&'s Stream);

impl Locked<'_> {
    /// Whether a call that gave no byte has come to the end; an error if it failed. `had_failed` is what
    /// [`Stream::has_failed`] said before, and `errno` was cleared then.
    fn is_end(&self, had_failed: bool) -> io::Result<()> {
        let failed = self.0.has_failed() && !had_failed;
        if self.0.is_at_end() && !failed { Ok(()) } else { Err(failure()) }
    }

    /// The next byte, or None at the end, from one of the functions that give a byte a call. They can be
    /// called until one gives None or fails.
    pub(super) fn bytes(&self, getc: unsafe extern "C" fn(*mut FILE) -> c_int) -> Bytes<'_> {
        let had_failed = self.0.has_failed();
        sys::clear_errno();
        Bytes { locked: self, getc, had_failed }
    }
}

/// What a stream gives byte by byte.
pub(super) struct Bytes<'l> {
    locked: &'l Locked<'l>,
    getc: unsafe extern "C" fn(*mut FILE) -> c_int,
    had_failed: bool,
}

impl Bytes<'_> {
    /// The next byte, or None at the end.
    #[inline]
    pub(super) fn next(&mut self) -> io::Result<Option<u8>> {
        // SAFETY: the stream is open, and locked.
        let byte = unsafe { (self.getc)(self.locked.0.as_ptr()) };
        match u8::try_from(byte) {
            Ok(byte) => Ok(Some(byte)),
            Err(_) => self.locked.is_end(self.had_failed).map(|()| None),
        }
    }
}

#[cfg(has_stdio_window)]
impl Locked<'_> {
    /// The bytes that the stream has read and nobody has taken.
    #[inline(always)]
    pub(super) fn window(&self) -> &[u8] {
        // SAFETY: the stream is open, and locked.
        let (ptr, len) = unsafe { sys::window::area(self.0.as_ptr()) };
        if len == 0 {
            return &[];
        }
        // SAFETY: the C library vouches for the bytes. They stay as they are until something is done to the
        // stream: not by another thread, for it is locked, and not by us while they are borrowed from here.
        unsafe { core::slice::from_raw_parts(ptr, len) }
    }

    /// Takes `n` of them.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    #[inline(always)]
    pub(super) fn consume(&mut self, n: usize) {
        assert!(n <= self.window().len(), "more bytes are taken than there are");
        // SAFETY: the stream is open, and locked, and that many are there.
        unsafe { sys::window::advance(self.0.as_ptr(), n) }
    }

    /// Reads more of them, where there are none. False at the end.
    #[cold]
    pub(super) fn refill(&mut self) -> io::Result<bool> {
        self.0.check_direction()?;
        if self.0.is_at_end() {
            return Ok(false);
        }
        let had_failed = self.0.has_failed();
        sys::clear_errno();
        // SAFETY: the stream is open, and locked.
        if unsafe { sys::window::refill(self.0.as_ptr()) } != libc::EOF {
            return Ok(true);
        }
        // With a failure before that nobody has cleared, and no end, it is a failure again.
        self.is_end(had_failed).map(|()| false)
    }
}

impl Drop for Locked<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(has_flockfile)]
        // SAFETY: the stream is open, and this thread has locked it.
        unsafe {
            sys::funlockfile(self.0.as_ptr());
        }
        #[cfg(not(has_flockfile))]
        turns::give(self.0.as_ptr().addr());
    }
}
