//! C streams: one that plays a schedule, and readers of them by the rules of a test. (glibc's and musl's
//! `fopencookie`; the BSDs have `funopen` for it.)

// Each test crate uses a part of it.
#![allow(dead_code)]

use std::ffi::{c_char, c_int, c_void};
use std::io::{ErrorKind, Read};

use wholeline::OverLong;
use wholeline::stdio::{Backend, StdioReader};

use crate::support::model::{Policy, Rules};
use crate::support::script::{Source, Trace};

/// A reader that goes by these rules.
pub(crate) fn by(rules: &Rules, backend: Backend, reader: StdioReader) -> StdioReader {
    assert!(!rules.follow, "a C stream is not followed");
    let reader = reader
        .with_backend(backend)
        .expect("a backend that is available")
        .terminator(rules.terminator.of_the_crate())
        .over_long(match rules.policy {
            Policy::Error => OverLong::Error,
            Policy::Skip => OverLong::Skip,
            Policy::Truncate => OverLong::Truncate,
        });
    match rules.limit {
        Some(limit) => reader.max_line_len(limit),
        None => reader,
    }
}

/// A `FILE*`, closed when this is dropped.
pub(crate) struct Cookie {
    pub(crate) file: *mut libc::FILE,
    /// What was read, call by call.
    pub(crate) trace: Trace,
    /// The stream's own.
    buffer: *mut [u8],
}

#[repr(C)]
struct Functions {
    read: unsafe extern "C" fn(*mut c_void, *mut c_char, usize) -> isize,
    write: Option<unsafe extern "C" fn(*mut c_void, *const c_char, usize) -> isize>,
    seek: Option<unsafe extern "C" fn(*mut c_void, *mut i64, c_int) -> c_int>,
    close: unsafe extern "C" fn(*mut c_void) -> c_int,
}

unsafe extern "C" {
    fn fopencookie(cookie: *mut c_void, mode: *const c_char, functions: Functions) -> *mut libc::FILE;
}

/// The `errno` of an error, where there is one.
pub(crate) fn errno(kind: ErrorKind) -> Option<c_int> {
    Some(match kind {
        ErrorKind::Interrupted => libc::EINTR,
        ErrorKind::WouldBlock => libc::EAGAIN,
        ErrorKind::TimedOut => libc::ETIMEDOUT,
        ErrorKind::ConnectionReset => libc::ECONNRESET,
        ErrorKind::IsADirectory => libc::EISDIR,
        ErrorKind::StorageFull => libc::ENOSPC,
        _ => return None,
    })
}

unsafe extern "C" fn read(cookie: *mut c_void, to: *mut c_char, len: usize) -> isize {
    // SAFETY: the cookie is the source, which nobody else uses.
    let source = unsafe { &mut *cookie.cast::<Source>() };
    // SAFETY: stdio gives so much room. It is zeroed here, for a source may look at it.
    let to = unsafe {
        to.write_bytes(0, len);
        std::slice::from_raw_parts_mut(to.cast::<u8>(), len)
    };
    match source.read(to) {
        Ok(n) => n as isize,
        Err(error) => {
            let code = errno(error.kind()).unwrap_or(0);
            // SAFETY: the thread's own.
            unsafe { *libc::__errno_location() = code };
            -1
        }
    }
}

unsafe extern "C" fn close(cookie: *mut c_void) -> c_int {
    // SAFETY: it was made by Box::into_raw, and is closed once.
    drop(unsafe { Box::from_raw(cookie.cast::<Source>()) });
    0
}

impl Cookie {
    /// To be dropped before this is.
    pub(crate) fn reader(&self) -> StdioReader {
        // SAFETY: the stream is open, and every test keeps to that.
        unsafe { StdioReader::from_file_ptr(self.file) }
    }

    /// Reads this many bytes at a time.
    pub(crate) fn new(source: Source, capacity: usize) -> Cookie {
        let trace = source.trace();
        let functions = Functions { read, write: None, seek: None, close };
        let buffer = Box::into_raw(vec![0u8; capacity.max(1)].into_boxed_slice());
        // SAFETY: the functions fit the cookie; nothing was done to the stream before it gets its buffer, which is
        // freed after the stream.
        let file = unsafe {
            let file = fopencookie(Box::into_raw(Box::new(source)).cast(), c"r".as_ptr(), functions);
            assert!(!file.is_null(), "fopencookie");
            assert_eq!(libc::setvbuf(file, buffer.cast(), libc::_IOFBF, capacity.max(1)), 0);
            file
        };
        Cookie { file, trace, buffer }
    }
}

impl Drop for Cookie {
    fn drop(&mut self) {
        // SAFETY: both are ours.
        unsafe {
            libc::fclose(self.file);
            drop(Box::from_raw(self.buffer));
        }
    }
}
