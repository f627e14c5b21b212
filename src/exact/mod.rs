//! Lines without reading ahead.

mod method;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod tee;
mod way;

use core::fmt;
use std::io;
use std::os::fd::AsFd;

use crate::builder::OverLong;
use crate::gather::{Gatherer, Piece};
use crate::line::{Line, Terminator};
use crate::line_read::LineRead;

pub use method::Method;
use way::Way;

/// How many bytes are looked at, while lines are not longer; and at most.
const BLOCK: usize = 4 << 10;
const MOST: usize = 64 << 10;

/// Reads lines from a descriptor and takes no byte past the line it returns, so that whoever shares the
/// descriptor (a child, what comes after an `exec`, C code) goes on at the very next one.
///
/// That usually costs a system call a byte. Here it is two or three a line, for whatever can be looked at
/// without being taken: see [`Method`]. Which it is, is chosen from what the descriptor is, and
/// [`method`](Self::method) tells. Where nobody else reads from the descriptor,
/// [`LineReader`](crate::LineReader) is faster by far; to give back a file once in the end,
/// [`LineReader::sync`](crate::LineReader::sync) is enough.
///
/// ```
/// use std::io::{Read, Write};
/// use std::os::unix::net::UnixStream;
/// use wholeline::ExactLineReader;
///
/// let (mut output, input) = UnixStream::pair()?;
/// output.write_all(b"ours\ntheirs\n")?;
/// drop(output);
///
/// let mut reader = ExactLineReader::new(&input);
/// assert_eq!(reader.next_line()?.unwrap().as_bytes(), b"ours");
/// let mut rest = String::new();
/// (&input).read_to_string(&mut rest)?;
/// assert_eq!(rest, "theirs\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # What may be left of a line
///
/// Two things are taken only when the next line is asked for, and a child would find them before that: what
/// is left of a line longer than the [limit](Self::max_line_len), and, with [`Terminator::UNIVERSAL`], the
/// LF of a CR LF that was not to be seen with its CR (a byte at a time it never is). If a child has taken that, what
/// comes next is dropped in its stead, the next line or an LF at its start.
///
/// From a pipe whose writer has asked for packets (`O_DIRECT`) the system drops what is left of a packet, which
/// cannot be seen from the other end: such a pipe is to be read by whole packets only.
///
/// # Others who read
///
/// They may read between two calls, not during one: then nobody could say whose a byte was. Others may write
/// at any time.
///
/// # References
///
/// `read(2)`, `lseek(2)`, `recv(2)`: POSIX.1-2017. `tee(2)`: Linux.
pub struct ExactLineReader<F> {
    fd: F,
    way: Way,
    gatherer: Gatherer,
    /// What was seen of the descriptor's bytes.
    seen: Vec<u8>,
    /// So many of them were taken, belong to nobody yet, and could not be given back.
    ahead: usize,
}

impl<F: AsFd> ExactLineReader<F> {
    /// Reads from `fd`: lines that end at LF, of any length.
    ///
    /// What the descriptor is, is asked here, and nothing is read.
    pub fn new(fd: F) -> Self {
        let way = Way::of(fd.as_fd());
        Self { fd, way, gatherer: Gatherer::new(), seen: Vec::new(), ahead: 0 }
    }
}

impl<F> ExactLineReader<F> {
    /// What ends a line.
    #[must_use]
    pub fn terminator(mut self, terminator: Terminator) -> Self {
        self.gatherer.set_terminator(terminator);
        self
    }

    /// How many bytes of content a line may have; its terminator is not counted. However the input looks,
    /// the reader's memory then stays below this many bytes and a constant.
    #[must_use]
    pub fn max_line_len(mut self, bytes: usize) -> Self {
        self.gatherer.set_limit(bytes);
        self
    }

    /// What becomes of a longer line.
    #[must_use]
    pub fn over_long(mut self, policy: OverLong) -> Self {
        self.gatherer.set_over_long(policy);
        self
    }

    /// How no byte too many is taken.
    ///
    /// It is chosen when the reader is made. If the system then refuses to let it look ahead, it becomes
    /// [`Method::Byte`] for good. (A file that can no longer be sought is an error at each call: what was read ahead of
    /// it belongs to nobody, and is handed out once it can be given back.)
    pub fn method(&self) -> Method {
        self.way.method()
    }

    /// How many lines were dropped because they were longer than the limit ([`OverLong::Skip`]).
    pub fn skipped(&self) -> u64 {
        self.gatherer.skipped()
    }

    /// What has been taken of a line whose end has not come: after an error, nobody else will see these
    /// bytes. What could not be given back of what was read ahead of a file is not among them.
    pub fn partial(&self) -> &[u8] {
        self.gatherer.partial()
    }

    /// The descriptor.
    pub fn get_ref(&self) -> &F {
        &self.fd
    }

    /// The descriptor. What [`partial`](Self::partial) shows is dropped.
    pub fn into_inner(self) -> F {
        self.fd
    }
}

impl<F: AsFd> ExactLineReader<F> {
    /// The next line, or `None` at the end of the input.
    ///
    /// Offsets count the bytes that were taken here: those that somebody else has taken in between are not
    /// among them, nor are their lines among the numbers.
    ///
    /// # Errors
    ///
    /// - What the system reports, other than [`Interrupted`](io::ErrorKind::Interrupted).
    /// - [`LineTooLong`](crate::LineTooLong), in an error of kind [`InvalidData`](io::ErrorKind::InvalidData), where a limit is
    ///   set with [`OverLong::Error`]; as soon as the line is seen to be too long.
    /// - [`OutOfMemory`](io::ErrorKind::OutOfMemory) if the buffer cannot be allocated or cannot grow.
    /// - [`Unsupported`](io::ErrorKind::Unsupported) for a socket that is no stream: what is not taken of a
    ///   datagram is lost, so nothing could be left of it for others.
    ///
    /// # Resumption
    ///
    /// An error loses nothing: the bytes already taken are kept ([`partial`](Self::partial) shows them), and
    /// the next call goes on with the same line. After [`LineTooLong`](crate::LineTooLong) it goes on with the next. After `None`
    /// it asks the system again.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let Self { fd, way, gatherer, seen, ahead } = self;
        let (fd, scanner) = (fd.as_fd(), gatherer.scanner());
        let gathered = gatherer.gather(|line, most| {
            // As much again as the line has already.
            let room = line.len().clamp(BLOCK, MOST);
            if *ahead == 0 {
                if seen.len() < room {
                    seen.try_reserve_exact(room - seen.len())?;
                    seen.resize(room, 0);
                }
                *ahead = way.look(fd, &mut seen[..room])?;
            }
            let shown = core::mem::take(ahead);
            if shown == 0 {
                return Ok(Piece::Last);
            }
            let first = &seen[..shown.min(most)];
            let end = scanner.find(first);
            let piece = Piece::found(first, end, scanner.needle());
            let wanted = end.unwrap_or(first.len());
            match way.take(fd, &mut seen[..shown], wanted) {
                Ok(taken) => {
                    line.extend_from_slice(&seen[..taken]);
                    Ok(if taken < wanted { Piece::Open } else { piece })
                }
                Err(error) => {
                    if way.method() == Method::Seek {
                        *ahead = shown;
                    }
                    Err(error)
                }
            }
        })?;
        Ok(gathered.map(|gathered| self.gatherer.line(gathered)))
    }
}

impl<F: AsFd> LineRead for ExactLineReader<F> {
    fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.next_line()
    }
}

impl<F: fmt::Debug> fmt::Debug for ExactLineReader<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExactLineReader")
            .field("fd", &self.fd)
            .field("method", &self.method())
            .field("offset", &self.gatherer.offset())
            .field("line_number", &self.gatherer.number())
            .finish_non_exhaustive()
    }
}
