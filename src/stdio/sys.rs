//! The C library: every declaration that the `libc` crate does not have, each with its source.
//!
//! # References
//!
//! POSIX.1-2017: `flockfile`, `fwide`, `getc_unlocked`, `getdelim`. `stdio_ext(3)`: `__fpending`, which
//! Solaris had first. What a stream looks like inside: see [`window`].

use core::ffi::c_int;

use libc::FILE;

// On 32-bit glibc the plain name is that for files below 2 GiB.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) use libc::fopen;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) use libc::fopen64 as fopen;

unsafe extern "C" {
    /// C95 7.24.3.5, POSIX. With a negative `mode`: makes the stream one of bytes where it is not oriented
    /// yet. More than 0 if it is one of wide characters.
    pub(super) fn fwide(file: *mut FILE, mode: c_int) -> c_int;
}

#[cfg(has_flockfile)]
unsafe extern "C" {
    /// POSIX. The lock is the stream's, and recursive.
    pub(super) fn flockfile(file: *mut FILE);
    /// POSIX.
    pub(super) fn funlockfile(file: *mut FILE);
}

#[cfg(has_getc_unlocked)]
unsafe extern "C" {
    /// POSIX. The caller holds the stream's lock.
    pub(super) fn getc_unlocked(file: *mut FILE) -> c_int;
}

#[cfg(has_getdelim)]
unsafe extern "C" {
    /// POSIX. `line` is null or from `malloc`, and so it is afterwards.
    pub(super) fn getdelim(
        line: *mut *mut core::ffi::c_char,
        room: *mut libc::size_t,
        delimiter: c_int,
        file: *mut FILE,
    ) -> libc::ssize_t;
}

/// C's `stdin`: a variable, or, on the systems of the second kind, the first of an array.
pub(super) fn stdin() -> *mut FILE {
    #[cfg(not(any(
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "solaris",
        target_os = "illumos"
    )))]
    {
        unsafe extern "C" {
            // Apple's and FreeBSD's stdio.h define stdin as this; POSIX wants no more than a macro.
            #[cfg_attr(
                any(target_vendor = "apple", target_os = "freebsd", target_os = "dragonfly"),
                link_name = "__stdinp"
            )]
            static stdin: *mut FILE;
        }
        // SAFETY: the C library has set it before any of our code runs, and only a program that takes the
        // stream from itself changes it.
        unsafe { stdin }
    }
    #[cfg(any(target_os = "netbsd", target_os = "openbsd", target_os = "solaris", target_os = "illumos"))]
    {
        unsafe extern "C" {
            #[cfg_attr(any(target_os = "netbsd", target_os = "openbsd"), link_name = "__sF")]
            #[cfg_attr(any(target_os = "solaris", target_os = "illumos"), link_name = "__iob")]
            static mut STREAMS: [FILE; 3];
        }
        (&raw mut STREAMS).cast()
    }
}

/// Where the calling thread's `errno` is.
macro_rules! errno {
    ($($name:ident: $($system:meta),+;)*) => {
        $(
            #[cfg(any($($system),+))]
            use libc::$name as location;
        )*

        /// Nowhere: what is in `errno` there may be old.
        #[cfg(not(any($($($system),+),*)))]
        unsafe fn location() -> *mut c_int {
            thread_local! {
                static NOWHERE: core::cell::Cell<c_int> = const { core::cell::Cell::new(0) };
            }
            NOWHERE.with(core::cell::Cell::as_ptr)
        }
    };
}

errno! {
    __errno_location: target_os = "linux", target_os = "hurd";
    __errno: target_os = "android", target_os = "netbsd", target_os = "openbsd";
    __error: target_vendor = "apple", target_os = "freebsd";
    ___errno: target_os = "solaris", target_os = "illumos";
    _errnop: target_os = "haiku";
}

/// Makes `errno` 0, which no C function does: only so can be told whether one has set it.
pub(super) fn clear_errno() {
    // SAFETY: the C library vouches for the address, which is the thread's own.
    unsafe { *location() = 0 }
}

/// Whether bytes have been written to the stream that are not flushed yet: then it must not be read from.
///
/// # Safety
///
/// `file` is an open stream.
#[cfg(any(target_env = "gnu", target_os = "freebsd", target_os = "netbsd", target_vendor = "apple"))]
pub(super) use window::has_pending_output;

/// The same where `stdio_ext(3)` tells, or else nobody.
///
/// # Safety
///
/// `file` is an open stream.
#[cfg(not(any(target_env = "gnu", target_os = "freebsd", target_os = "netbsd", target_vendor = "apple")))]
pub(super) unsafe fn has_pending_output(file: *mut FILE) -> bool {
    #[cfg(has_fpending)]
    {
        unsafe extern "C" {
            fn __fpending(file: *mut FILE) -> libc::size_t;
        }
        // SAFETY: as the caller vouches.
        unsafe { __fpending(file) > 0 }
    }
    #[cfg(not(has_fpending))]
    {
        let _ = file;
        false
    }
}

/// The bytes of a stream that have been read and not taken, as glibc has them.
///
/// The first members of its `FILE` are what the macros `getc_unlocked` and `putc_unlocked` compiled into
/// programs for two decades (`struct _IO_FILE` in `bits/types/struct_FILE.h`; `__getc_unlocked_body` there):
/// they cannot change any more. `__underflow` is exported for old binaries; unlike `__uflow`, which the macro
/// calls, it takes no byte.
#[cfg(target_env = "gnu")]
pub(super) mod window {
    use core::ffi::c_int;
    use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

    use libc::FILE;

    #[repr(C)]
    struct Prefix {
        flags: c_int,
        read_ptr: *mut u8,
        read_end: *mut u8,
        read_base: *mut u8,
        write_base: *mut u8,
        write_ptr: *mut u8,
    }

    /// Without the lock too: the pointers are read one by one, as whole ones.
    ///
    /// # Safety
    ///
    /// `file` is an open stream.
    pub(in crate::stdio) unsafe fn has_pending_output(file: *mut FILE) -> bool {
        let prefix = file.cast::<Prefix>();
        // SAFETY: as the caller vouches; a stream starts with these members.
        let [base, ptr] = unsafe {
            [&raw mut (*prefix).write_base, &raw mut (*prefix).write_ptr].map(|at| AtomicPtr::from_ptr(at))
        };
        ptr.load(Relaxed) > base.load(Relaxed)
    }

    /// Where they are, and how many.
    ///
    /// # Safety
    ///
    /// `file` is an open stream, and locked.
    #[cfg(has_stdio_window)]
    #[inline(always)]
    pub(in crate::stdio) unsafe fn area(file: *mut FILE) -> (*const u8, usize) {
        let prefix = file.cast::<Prefix>();
        // SAFETY: as the caller vouches; a stream starts with these members.
        let (ptr, end) = unsafe { ((*prefix).read_ptr, (*prefix).read_end) };
        (ptr, end.addr().saturating_sub(ptr.addr()))
    }

    /// Takes `n` of them.
    ///
    /// # Safety
    ///
    /// `file` is an open stream, and locked, and `n` at most what [`area`] says.
    #[cfg(has_stdio_window)]
    #[inline(always)]
    pub(in crate::stdio) unsafe fn advance(file: *mut FILE, n: usize) {
        let prefix = file.cast::<Prefix>();
        // SAFETY: as the caller vouches; a stream starts with these members.
        unsafe { (*prefix).read_ptr = (*prefix).read_ptr.add(n) }
    }

    /// Reads more of them, where there are none. EOF if there are no more, or on an error.
    ///
    /// # Safety
    ///
    /// `file` is an open stream, and locked.
    #[cfg(has_stdio_window)]
    pub(in crate::stdio) unsafe fn refill(file: *mut FILE) -> c_int {
        unsafe extern "C" {
            fn __underflow(file: *mut FILE) -> c_int;
        }
        // SAFETY: as the caller vouches.
        unsafe { __underflow(file) }
    }
}

/// The bytes of a stream that have been read and not taken, as FreeBSD, NetBSD and Apple have them.
///
/// The members are public: the macro `__sgetc` in their `stdio.h` uses them (`struct __sFILE`).
#[cfg(any(target_os = "freebsd", target_os = "netbsd", target_vendor = "apple"))]
pub(super) mod window {
    use core::ffi::{c_int, c_short};

    use libc::FILE;

    #[repr(C)]
    struct Prefix {
        ptr: *mut u8,
        /// How many bytes there are to read.
        left: c_int,
        room: c_int,
        flags: c_short,
        fd: c_short,
        /// Where the buffer starts.
        base: *mut u8,
    }

    /// In `flags`: the stream is being written to.
    const SWR: c_short = 8;

    /// # Safety
    ///
    /// `file` is an open stream.
    pub(in crate::stdio) unsafe fn has_pending_output(file: *mut FILE) -> bool {
        let prefix = file.cast::<Prefix>();
        // SAFETY: as the caller vouches; a stream starts with these members.
        unsafe { (*prefix).flags & SWR != 0 && (*prefix).ptr > (*prefix).base }
    }

    /// Where they are, and how many.
    ///
    /// # Safety
    ///
    /// `file` is an open stream, and locked.
    #[cfg(has_stdio_window)]
    #[inline(always)]
    pub(in crate::stdio) unsafe fn area(file: *mut FILE) -> (*const u8, usize) {
        let prefix = file.cast::<Prefix>();
        // SAFETY: as the caller vouches; a stream starts with these members.
        let (ptr, left) = unsafe { ((*prefix).ptr, (*prefix).left) };
        // Below 0 in a stream that has not been read from.
        (ptr, usize::try_from(left).unwrap_or(0))
    }

    /// Takes `n` of them.
    ///
    /// # Safety
    ///
    /// `file` is an open stream, and locked, and `n` at most what [`area`] says.
    #[cfg(has_stdio_window)]
    #[inline(always)]
    pub(in crate::stdio) unsafe fn advance(file: *mut FILE, n: usize) {
        let prefix = file.cast::<Prefix>();
        // SAFETY: as the caller vouches; a stream starts with these members.
        unsafe {
            (*prefix).ptr = (*prefix).ptr.add(n);
            (*prefix).left -= n as c_int;
        }
    }

    /// Reads more of them, where there are none. EOF if there are no more, or on an error.
    ///
    /// # Safety
    ///
    /// `file` is an open stream, and locked.
    #[cfg(has_stdio_window)]
    pub(in crate::stdio) unsafe fn refill(file: *mut FILE) -> c_int {
        unsafe extern "C" {
            fn __srget(file: *mut FILE) -> c_int;
        }
        let prefix = file.cast::<Prefix>();
        // SAFETY: as the caller vouches. The byte that was taken is in the buffer, and can be put back there.
        unsafe {
            let byte = __srget(file);
            if byte != libc::EOF {
                (*prefix).ptr = (*prefix).ptr.sub(1);
                (*prefix).left += 1;
            }
            byte
        }
    }
}

/// The bytes of a stream that have been read and not taken, by the functions that gnulib's `freadptr` is a
/// wrapper of: in `stdio_ext.h` of musl, of OpenBSD since 7.6, and of Haiku.
#[cfg(all(
    has_stdio_window,
    not(any(target_env = "gnu", target_os = "freebsd", target_os = "netbsd", target_vendor = "apple"))
))]
pub(super) mod window {
    use core::ffi::{c_char, c_int};

    use libc::{FILE, size_t};

    unsafe extern "C" {
        /// Null if there are none; `len` is then left alone.
        fn __freadptr(file: *mut FILE, len: *mut size_t) -> *const c_char;
        fn __freadptrinc(file: *mut FILE, n: size_t);
    }

    /// Where they are, and how many.
    ///
    /// # Safety
    ///
    /// `file` is an open stream, and locked.
    #[inline]
    pub(in crate::stdio) unsafe fn area(file: *mut FILE) -> (*const u8, usize) {
        let mut len = 0;
        // SAFETY: as the caller vouches; `len` is ours.
        let ptr = unsafe { __freadptr(file, &mut len) };
        (ptr.cast(), if ptr.is_null() { 0 } else { len })
    }

    /// Takes `n` of them.
    ///
    /// # Safety
    ///
    /// `file` is an open stream, and locked, and `n` at most what [`area`] says.
    #[inline]
    pub(in crate::stdio) unsafe fn advance(file: *mut FILE, n: usize) {
        // SAFETY: as the caller vouches.
        unsafe { __freadptrinc(file, n) }
    }

    /// Reads more of them, where there are none. EOF if there are no more, or on an error.
    ///
    /// # Safety
    ///
    /// `file` is an open stream, and locked.
    pub(in crate::stdio) unsafe fn refill(file: *mut FILE) -> c_int {
        // SAFETY: as the caller vouches. One byte can always be put back.
        unsafe { libc::ungetc(libc::fgetc(file), file) }
    }
}
