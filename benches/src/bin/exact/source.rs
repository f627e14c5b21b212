//! Descriptors to read lines from.

use std::fs::File;
use std::io::{self, PipeWriter, Seek, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use wholeline::Method;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Pipe,
    Socket,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::File, Kind::Pipe, Kind::Socket];

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Pipe => "pipe",
            Self::Socket => "socket",
        }
    }

    /// How lines are taken from it.
    pub(crate) fn method(self) -> Method {
        match self {
            Self::File => Method::Seek,
            Self::Pipe => Method::Tee,
            Self::Socket => Method::Peek,
        }
    }
}

/// The end to read from, and the end to write to.
pub(crate) struct Source {
    output: OwnedFd,
    input: Input,
}

enum Input {
    File(File),
    Pipe(PipeWriter),
    Socket(UnixStream),
}

impl Source {
    pub(crate) fn new(kind: Kind) -> io::Result<Self> {
        let (output, input) = match kind {
            Kind::File => {
                let file = tempfile::tempfile()?;
                (OwnedFd::from(file.try_clone()?), Input::File(file))
            }
            Kind::Pipe => {
                let (output, input) = io::pipe()?;
                (output.into(), Input::Pipe(input))
            }
            Kind::Socket => {
                let (output, input) = UnixStream::pair()?;
                (output.into(), Input::Socket(input))
            }
        };
        Ok(Self { output, input })
    }

    /// Puts these bytes in; those before must have been taken.
    pub(crate) fn fill(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.input {
            Input::File(file) => {
                // Both descriptors share one position.
                file.rewind()?;
                file.write_all(bytes)?;
                file.rewind()
            }
            Input::Pipe(pipe) => pipe.write_all(bytes),
            Input::Socket(socket) => socket.write_all(bytes),
        }
    }

    pub(crate) fn output(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }
}
