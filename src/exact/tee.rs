//! A pipe to look at what is in another pipe.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use crate::fd::retried;

/// Both ends of a pipe that is empty but for the time of a [`look`].
#[derive(Debug)]
pub(super) struct Scratch {
    output: File,
    input: OwnedFd,
}

/// Shows in `room` what `pipe` holds next, and takes nothing. Returns how many bytes: 0 at the end.
///
/// It waits if `pipe` is empty, unless that is non-blocking. (Before Linux 5.1 it waits even then.)
pub(super) fn look(
    scratch: &mut Option<Scratch>,
    pipe: BorrowedFd<'_>,
    room: &mut [u8],
) -> io::Result<usize> {
    let Scratch { output, input } = match scratch {
        Some(scratch) => scratch,
        None => scratch.insert(Scratch::new()?),
    };
    let n = tee(pipe, input, room.len())?;
    let drained = output.read_exact(&mut room[..n]);
    if drained.is_err() {
        // What is left in it must not be taken for something of the next look.
        *scratch = None;
    }
    drained.map(|()| n)
}

impl Scratch {
    /// Not non-blocking: `tee` would then not wait for the other pipe either.
    fn new() -> io::Result<Self> {
        let mut ends = [-1; 2];
        // SAFETY: `ends` has room for the two descriptors that pipe2 writes.
        if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: pipe2 has opened both, and nobody else knows them.
        let [output, input] = ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) });
        Ok(Self { output: output.into(), input })
    }
}

/// Copies up to `most` bytes from one pipe to the other.
fn tee(from: BorrowedFd<'_>, to: &OwnedFd, most: usize) -> io::Result<usize> {
    // SAFETY: the kernel checks what the descriptors are, and no memory of this process is involved.
    retried(|| unsafe { libc::tee(from.as_raw_fd(), to.as_raw_fd(), most, 0) })
}
