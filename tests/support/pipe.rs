//! A real pipe. (`std::io::pipe` is younger than this crate's MSRV.)

use std::fs::File;
use std::os::fd::{FromRawFd, OwnedFd};

/// The end to read from and the end to write to.
pub(crate) fn pipe() -> (File, File) {
    let mut ends = [-1; 2];
    // SAFETY: `ends` has room for the two descriptors that pipe(2) writes.
    let status = unsafe { libc::pipe(ends.as_mut_ptr()) };
    assert_eq!(status, 0, "pipe: {}", std::io::Error::last_os_error());
    // SAFETY: pipe(2) succeeded, so both are open, and nobody else owns them.
    let [read, write] = ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) });
    (read.into(), write.into())
}
