//! The ways to look at the unread bytes of a descriptor, and to take exactly so many of them.

use core::mem::{ManuallyDrop, size_of};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd};
use std::os::unix::fs::FileTypeExt;

use crate::fd::{Fd, MOST, retried};

use super::method::Method;
#[cfg(any(target_os = "linux", target_os = "android"))]
use super::tee;

/// See [`Method`].
#[derive(Debug)]
pub(super) enum Way {
    Seek,
    Peek,
    #[cfg(any(target_os = "linux", target_os = "android"))]
    Tee(Option<tee::Scratch>),
    Byte,
    /// None: of a datagram that is taken in part the rest is lost.
    Datagrams,
}

impl Way {
    /// The way for what `fd` is.
    pub(super) fn of(fd: BorrowedFd<'_>) -> Self {
        let Ok(it) = metadata(fd) else { return Self::Byte };
        let kind = it.file_type();
        if kind.is_file() && it.len() == 0 && is_made_up(fd) {
            return Self::Byte;
        }
        // Devices too may say that they can seek, and then give other bytes.
        if (kind.is_file() || kind.is_block_device()) && can_seek(fd) {
            return Self::Seek;
        }
        if kind.is_socket() {
            return if is_stream(fd) { Self::Peek } else { Self::Datagrams };
        }
        #[cfg(any(target_os = "linux", target_os = "android"))]
        if kind.is_fifo() {
            return Self::Tee(None);
        }
        Self::Byte
    }

    pub(super) fn method(&self) -> Method {
        match self {
            Self::Seek => Method::Seek,
            Self::Peek => Method::Peek,
            #[cfg(any(target_os = "linux", target_os = "android"))]
            Self::Tee(_) => Method::Tee,
            Self::Byte | Self::Datagrams => Method::Byte,
        }
    }

    /// Shows the next bytes in `room`. Returns how many: 0 at the end.
    ///
    /// Those that are not [taken](Self::take) then will be shown again. Where the system refuses to, this is
    /// [`Self::Byte`] from then on.
    pub(super) fn look(&mut self, fd: BorrowedFd<'_>, room: &mut [u8]) -> io::Result<usize> {
        let seen = match self {
            Self::Seek => return Fd::new(fd).read(room),
            Self::Peek => peek(fd, room),
            #[cfg(any(target_os = "linux", target_os = "android"))]
            Self::Tee(scratch) => tee::look(scratch, fd, room),
            // All that is seen will be taken.
            Self::Byte => return Fd::new(fd).read(&mut room[..1]),
            Self::Datagrams => {
                let message = "no part of a datagram can be left for others";
                return Err(io::Error::new(io::ErrorKind::Unsupported, message));
            }
        };
        match seen {
            Err(error) if is_refusal(&error) => {
                *self = Self::Byte;
                self.look(fd, room)
            }
            seen => seen,
        }
    }

    /// Takes the first `n` of the bytes that a look has just shown in `seen`. Returns how many there were:
    /// fewer if somebody else has taken some meanwhile.
    pub(super) fn take(&self, fd: BorrowedFd<'_>, seen: &mut [u8], n: usize) -> io::Result<usize> {
        match self {
            Self::Seek if n < seen.len() => {
                // No slice is longer than an i64 can say.
                Fd::new(fd).seek(SeekFrom::Current(n as i64 - seen.len() as i64)).map(|_| n)
            }
            Self::Seek | Self::Byte | Self::Datagrams => Ok(n),
            _ => Fd::new(fd).read(&mut seen[..n]),
        }
    }
}

/// Whether this error says that there is no such call here, or not for this descriptor, or none of the
/// descriptors that it needs.
fn is_refusal(error: &io::Error) -> bool {
    use libc::{EACCES, EINVAL, EMFILE, ENFILE, ENOSYS, ENOTSOCK, EOPNOTSUPP, EPERM};
    const REFUSALS: [i32; 8] = [EACCES, EINVAL, EMFILE, ENFILE, ENOSYS, ENOTSOCK, EOPNOTSUPP, EPERM];
    error.raw_os_error().is_some_and(|code| REFUSALS.contains(&code))
}

fn metadata(fd: BorrowedFd<'_>) -> io::Result<Metadata> {
    // SAFETY: BorrowedFd vouches that the descriptor is open, and ManuallyDrop keeps it so.
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(fd.as_raw_fd()) });
    file.metadata()
}

/// Whether this is a file that Linux makes up, from its start to where it is read, anew after each seek: it may have
/// become another. (The numbers of file systems: `linux/magic.h`.)
///
/// Not a setting of /proc/sys: that can only be read at once, from its start.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[allow(clippy::unnecessary_cast, reason = "each C library has its own types")]
fn is_made_up(fd: BorrowedFd<'_>) -> bool {
    const PROC: i64 = 0x9fa0;
    const CGROUP: i64 = 0x0027_e0eb;
    const CGROUP2: i64 = 0x6367_7270;
    const DEBUGFS: i64 = 0x6462_6720;
    const TRACEFS: i64 = 0x7472_6163;
    const SECURITYFS: i64 = 0x7363_6673;
    // SAFETY: zeros are a statfs, and fstatfs writes one.
    let (status, it) = unsafe {
        let mut it: libc::statfs = core::mem::zeroed();
        (libc::fstatfs(fd.as_raw_fd(), &raw mut it), it)
    };
    if status != 0 {
        return false;
    }
    match it.f_type as i64 & 0xffff_ffff {
        PROC => {
            let path = std::fs::read_link(format!("/proc/self/fd/{}", fd.as_raw_fd()));
            !path.is_ok_and(|path| path.starts_with("/proc/sys"))
        }
        CGROUP | CGROUP2 | DEBUGFS | TRACEFS | SECURITYFS => true,
        _ => false,
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn is_made_up(_: BorrowedFd<'_>) -> bool {
    false
}

fn can_seek(fd: BorrowedFd<'_>) -> bool {
    Fd::new(fd).stream_position().is_ok()
}

/// Whether this socket is known to be a stream of bytes.
fn is_stream(fd: BorrowedFd<'_>) -> bool {
    let mut kind: libc::c_int = 0;
    let mut len = size_of::<libc::c_int>() as libc::socklen_t;
    let kind_ptr = (&raw mut kind).cast();
    // SAFETY: `kind` has as many bytes as `len` says.
    let status =
        unsafe { libc::getsockopt(fd.as_raw_fd(), libc::SOL_SOCKET, libc::SO_TYPE, kind_ptr, &raw mut len) };
    status == 0 && kind == libc::SOCK_STREAM
}

/// The next bytes of a socket.
fn peek(fd: BorrowedFd<'_>, room: &mut [u8]) -> io::Result<usize> {
    let (to, len) = (room.as_mut_ptr().cast(), room.len().min(MOST));
    // SAFETY: `room` may be written to for its length.
    retried(|| unsafe { libc::recv(fd.as_raw_fd(), to, len, libc::MSG_PEEK) })
}
