//! Descriptors of each kind that a test can write into, and ask how many bytes are left in them.

// Each test crate uses a part of it.
#![allow(dead_code)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use crate::pipe::pipe;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Pipe,
    Socket,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::File, Kind::Pipe, Kind::Socket];

/// The end to read from, and the end to write to, until that is closed.
pub(crate) struct Descriptor {
    kind: Kind,
    output: File,
    input: Option<File>,
}

impl Descriptor {
    pub(crate) fn new(kind: Kind) -> Descriptor {
        let (output, input) = match kind {
            Kind::File => {
                let file = tempfile::NamedTempFile::new().expect("a temporary file");
                (file.reopen().expect("opening it again"), file.into_file())
            }
            Kind::Pipe => pipe(),
            Kind::Socket => {
                let (output, input) = UnixStream::pair().expect("a pair of sockets");
                (OwnedFd::from(output).into(), OwnedFd::from(input).into())
            }
        };
        Descriptor { kind, output, input: Some(input) }
    }

    /// With these bytes in it, and nothing to follow. They have to fit.
    pub(crate) fn holding(kind: Kind, bytes: &[u8]) -> Descriptor {
        let mut descriptor = Descriptor::new(kind);
        descriptor.write(bytes);
        descriptor.close();
        descriptor
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("not closed").write_all(bytes).expect("writing");
    }

    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// The end to write to, for somebody else.
    pub(crate) fn take_input(&mut self) -> File {
        self.input.take().expect("not closed")
    }

    pub(crate) fn set_nonblocking(&self) {
        set_nonblocking(self.as_fd());
    }

    /// How many bytes were written and not taken.
    pub(crate) fn left(&self) -> usize {
        if self.kind == Kind::File {
            let position = std::io::Seek::stream_position(&mut &self.output).expect("seeking");
            return (self.output.metadata().expect("metadata").len() - position) as usize;
        }
        let mut left: libc::c_int = -1;
        // SAFETY: FIONREAD writes an int, and `left` is one.
        let status = unsafe { libc::ioctl(self.output.as_raw_fd(), libc::FIONREAD, &raw mut left) };
        assert_eq!(status, 0, "FIONREAD: {}", std::io::Error::last_os_error());
        left as usize
    }

    /// What the next reader finds.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        self.close();
        let mut rest = Vec::new();
        self.output.read_to_end(&mut rest).expect("reading the rest");
        rest
    }
}

impl AsFd for Descriptor {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }
}

pub(crate) fn set_nonblocking(fd: BorrowedFd<'_>) {
    // SAFETY: no memory is involved.
    let status = unsafe {
        let flags = libc::fcntl(fd.as_raw_fd(), libc::F_GETFL);
        libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK)
    };
    assert_ne!(status, -1, "F_SETFL: {}", std::io::Error::last_os_error());
}
