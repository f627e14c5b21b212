//! A borrowed raw descriptor as a source.

use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

// On 32-bit glibc the plain names are those for files below 2 GiB.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
use libc::{lseek, off_t};
#[cfg(all(target_os = "linux", target_env = "gnu"))]
use libc::{lseek64 as lseek, off64_t as off_t};

/// The most that one read may ask for: what Linux delivers at most, and below what macOS and the BSDs
/// refuse (`INT_MAX`).
pub(crate) const MOST: usize = 0x7fff_f000;

/// A descriptor that somebody else owns, to read from. It is never closed here.
///
/// ```
/// use std::os::fd::AsFd;
/// use wholeline::LineReader;
///
/// let file = std::fs::File::open("Cargo.toml")?;
/// let mut reader = LineReader::from_fd(file.as_fd());
/// assert_eq!(reader.next_line()?.unwrap().as_bytes(), b"[package]");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # References
///
/// `read(2)`, `lseek(2)`: POSIX.1-2017.
#[derive(Clone, Copy, Debug)]
pub struct Fd<'fd>(BorrowedFd<'fd>);

impl<'fd> Fd<'fd> {
    /// Reads from `fd`, for as long as it is borrowed.
    pub fn new(fd: BorrowedFd<'fd>) -> Self {
        Self(fd)
    }
}

impl Read for Fd<'_> {
    /// One `read(2)`, of at most 0x7ffff000 bytes, repeated while a signal interrupts it.
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let (to, len) = (buf.as_mut_ptr().cast(), buf.len().min(MOST));
        // SAFETY: `buf` is memory of ours that may be written to for the length given, and BorrowedFd
        // vouches that the descriptor is open.
        retried(|| unsafe { libc::read(self.0.as_raw_fd(), to, len) })
    }
}

/// What a call returned that a signal did not interrupt: a count, or −1 and an error.
pub(crate) fn retried(mut call: impl FnMut() -> isize) -> io::Result<usize> {
    loop {
        if let Ok(n) = usize::try_from(call()) {
            return Ok(n);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

impl Seek for Fd<'_> {
    /// One `lseek(2)`: the position is the descriptor's, which others may share.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        fn offset(n: impl TryInto<off_t>) -> io::Result<off_t> {
            n.try_into().map_err(|_| io::ErrorKind::InvalidInput.into())
        }
        let (offset, whence) = match to {
            SeekFrom::Start(n) => (offset(n)?, libc::SEEK_SET),
            SeekFrom::Current(n) => (offset(n)?, libc::SEEK_CUR),
            SeekFrom::End(n) => (offset(n)?, libc::SEEK_END),
        };
        // SAFETY: no memory is involved, and BorrowedFd vouches that the descriptor is open.
        let position = unsafe { lseek(self.0.as_raw_fd(), offset, whence) };
        u64::try_from(position).map_err(|_| io::Error::last_os_error())
    }
}

impl AsFd for Fd<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0
    }
}
