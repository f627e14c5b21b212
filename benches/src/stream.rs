//! A C stream.

use std::fs::File;
use std::io;
use std::os::fd::IntoRawFd;
use std::ptr::NonNull;

use libc::{FILE, c_int};

use crate::CAPACITY;

unsafe extern "C" {
    // POSIX, <stdio.h>.
    fn getc(stream: *mut FILE) -> c_int;
    fn getc_unlocked(stream: *mut FILE) -> c_int;
}

/// An open stream with the buffer that every reader gets. Nobody else has it.
pub(crate) struct Stream {
    stream: NonNull<FILE>,
    /// The stream's, for as long as it is open.
    _buffer: Vec<u8>,
}

impl Stream {
    pub(crate) fn new(file: File) -> io::Result<Self> {
        let fd = file.into_raw_fd();
        // SAFETY: the descriptor is ours, and goes to the stream; the mode is a C string.
        let stream = unsafe { libc::fdopen(fd, c"r".as_ptr()) };
        let Some(stream) = NonNull::new(stream) else {
            let error = io::Error::last_os_error();
            // SAFETY: no stream has taken it, and nothing else knows of it.
            unsafe { libc::close(fd) };
            return Err(error);
        };
        let mut buffer = vec![0_u8; CAPACITY];
        // Without one of ours, the size would be ignored.
        // SAFETY: nothing has been read yet; the buffer lives longer than the stream, and nobody else uses it.
        unsafe { libc::setvbuf(stream.as_ptr(), buffer.as_mut_ptr().cast(), libc::_IOFBF, buffer.len()) };
        Ok(Self { stream, _buffer: buffer })
    }

    /// For C code. The stream is open as long as this exists.
    pub(crate) fn as_ptr(&self) -> *mut FILE {
        self.stream.as_ptr()
    }

    #[inline(always)]
    pub(crate) fn getc(&mut self) -> Option<u8> {
        // SAFETY: the stream is open until it is dropped.
        let c = unsafe { getc(self.stream.as_ptr()) };
        // EOF is negative, and no byte is.
        u8::try_from(c).ok()
    }

    #[inline(always)]
    pub(crate) fn getc_unlocked(&mut self) -> Option<u8> {
        // SAFETY: the stream is open until it is dropped, and ours alone: no lock is missed.
        let c = unsafe { getc_unlocked(self.stream.as_ptr()) };
        u8::try_from(c).ok()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: it is closed once, and not used after that.
        unsafe { libc::fclose(self.stream.as_ptr()) };
    }
}
