//! Lines without reading ahead.

mod method;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod tee;
mod way;

use core::fmt;
use core::mem::take;
use std::io;
use std::os::fd::AsFd;

use crate::builder::OverLong;
use crate::error::LineTooLong;
use crate::line::{Ending, Line, Terminator};
use crate::line_read::LineRead;
use crate::scan::{Needle, Scanner};

pub use method::Method;
use way::Way;

/// How many bytes are looked at, while lines are not longer.
const BLOCK: usize = 4 << 10;

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
/// LF of a CR LF that was not to be seen with its CR (a byte at a time it never is).
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
    terminator: Terminator,
    scanner: Scanner,
    limit: usize,
    over_long: OverLong,
    skipped: u64,
    bytes: Vec<u8>,
    /// `bytes[..kept]` were taken, and are the start of a line.
    kept: usize,
    /// So many bytes behind those were taken, belong to nobody yet, and could not be given back.
    ahead: usize,
    /// Of the next byte to take.
    offset: u64,
    /// Of the line that it belongs to.
    number: u64,
    /// The end was seen when the last line was handed out, and is still to be reported.
    ended: bool,
    /// The rest of a line that was too long is still to be dropped.
    discarding: bool,
    /// A CR has ended a line; an LF directly behind it is nobody's.
    awaits_lf: bool,
}

/// What one step towards the end of a line came to.
enum Step {
    /// Bytes were taken, and the line goes on.
    More,
    /// The line's last byte was taken.
    Line,
    End,
}

/// The first so many bytes of the buffer are a line, or the start of one.
struct Found {
    len: usize,
    /// None if it has its terminator.
    cut: Option<Ending>,
    offset: u64,
    number: u64,
}

impl<F: AsFd> ExactLineReader<F> {
    /// Reads from `fd`: lines that end at LF, of any length.
    ///
    /// What the descriptor is, is asked here, and nothing is read.
    pub fn new(fd: F) -> Self {
        let way = Way::of(fd.as_fd());
        let terminator = Terminator::LF;
        Self {
            fd,
            way,
            terminator,
            scanner: Scanner::new(terminator.needle()),
            limit: usize::MAX,
            over_long: OverLong::Error,
            skipped: 0,
            bytes: Vec::new(),
            kept: 0,
            ahead: 0,
            offset: 0,
            number: 1,
            ended: false,
            discarding: false,
            awaits_lf: false,
        }
    }
}

impl<F> ExactLineReader<F> {
    /// What ends a line.
    #[must_use]
    pub fn terminator(mut self, terminator: Terminator) -> Self {
        self.terminator = terminator;
        self.scanner = Scanner::new(terminator.needle());
        self
    }

    /// How many bytes of content a line may have; its terminator is not counted. However the input looks,
    /// the reader's memory then stays below this many bytes and a constant.
    #[must_use]
    pub fn max_line_len(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// What becomes of a longer line.
    #[must_use]
    pub fn over_long(mut self, policy: OverLong) -> Self {
        self.over_long = policy;
        self
    }

    /// How no byte too many is taken.
    ///
    /// It is chosen when the reader is made. If the system then refuses the call that it needs, it becomes
    /// [`Method::Byte`] for good.
    pub fn method(&self) -> Method {
        self.way.method()
    }

    /// How many lines were dropped because they were longer than the limit ([`OverLong::Skip`]).
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// What has been taken of a line whose end has not come: after an error, nobody else will see these
    /// bytes.
    pub fn partial(&self) -> &[u8] {
        &self.bytes[..self.kept]
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
    /// - [`LineTooLong`], in an error of kind [`InvalidData`](io::ErrorKind::InvalidData), where a limit is
    ///   set with [`OverLong::Error`]; as soon as the line is seen to be too long.
    /// - [`OutOfMemory`](io::ErrorKind::OutOfMemory) if the buffer cannot be allocated or cannot grow.
    /// - [`Unsupported`](io::ErrorKind::Unsupported) for a socket that is no stream: what is not taken of a
    ///   datagram is lost, so nothing could be left of it for others.
    ///
    /// # Resumption
    ///
    /// An error loses nothing: the bytes already taken are kept ([`partial`](Self::partial) shows them), and
    /// the next call goes on with the same line. After [`LineTooLong`] it goes on with the next. After `None`
    /// it asks the system again.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let found = self.find()?;
        Ok(found.map(|Found { len, cut, offset, number }| {
            let bytes = &self.bytes[..len];
            match cut {
                Some(ending) => Line::unterminated(bytes, ending, offset, number),
                None => Line::terminated(bytes, self.terminator, offset, number),
            }
        }))
    }

    fn find(&mut self) -> io::Result<Option<Found>> {
        if take(&mut self.ended) {
            return Ok(None);
        }
        loop {
            let step = self.step()?;
            if self.discarding {
                self.kept = 0;
                self.discarding = matches!(step, Step::More);
                if matches!(step, Step::End) {
                    return Ok(None);
                }
                continue;
            }
            let (too_long, cut) = match step {
                Step::More if !self.rest_is_too_long() => continue,
                Step::More => {
                    self.discarding = true;
                    (true, None)
                }
                Step::Line => (self.taken().len() > self.limit, None),
                Step::End if self.kept == 0 => return Ok(None),
                Step::End => {
                    self.ended = true;
                    (self.kept > self.limit, Some(Ending::Eof))
                }
            };
            let line = self.take_line(cut);
            if !too_long {
                return Ok(Some(line));
            }
            if let Some(start) = self.cut(line)? {
                return Ok(Some(start));
            }
            if take(&mut self.ended) {
                // With nothing to hand out, this call is the one that reports the end.
                return Ok(None);
            }
        }
    }

    /// Takes what there is to be seen, up to the end of the line.
    fn step(&mut self) -> io::Result<Step> {
        let seen = self.look()?;
        let ahead = &self.bytes[self.kept..][..seen];
        let Some(first) = ahead.first() else { return Ok(Step::End) };
        if self.awaits_lf {
            if *first == b'\n' {
                // Nothing was kept of a line behind it.
                if self.take(1, seen)? == 1 {
                    self.kept = 0;
                    self.awaits_lf = false;
                }
                return Ok(Step::More);
            }
            self.awaits_lf = false;
        }
        let end = self.scanner.find(ahead);
        let wanted = end.unwrap_or(seen);
        if self.take(wanted, seen)? < wanted || end.is_none() {
            return Ok(Step::More);
        }
        let is_cr = self.bytes[..self.kept].last() == Some(&b'\r');
        self.awaits_lf = is_cr && wanted == seen && self.scanner.needle() == Needle::CrOrLf;
        Ok(Step::Line)
    }

    /// Shows unread bytes in the buffer, behind those that are kept. Returns how many: 0 at the end.
    fn look(&mut self) -> io::Result<usize> {
        if self.ahead > 0 {
            return Ok(self.ahead);
        }
        // As much again as the line has already, but not far beyond what is too long.
        let needed = self.limit.saturating_add(2).saturating_sub(self.kept);
        let most = self.kept.min(needed).max(BLOCK);
        if self.bytes.len() == self.kept {
            self.bytes.try_reserve_exact(most)?;
            self.bytes.resize(self.kept + most, 0);
        }
        let end = self.bytes.len().min(self.kept + most);
        self.way.look(self.fd.as_fd(), &mut self.bytes[self.kept..end])
    }

    /// Takes the first `n` of the bytes seen. Returns how many that were.
    fn take(&mut self, n: usize, seen: usize) -> io::Result<usize> {
        let bytes = &mut self.bytes[self.kept..][..seen];
        let taken = self.way.take(self.fd.as_fd(), bytes, n);
        self.ahead = if taken.is_err() && self.method() == Method::Seek { seen } else { 0 };
        let taken = taken?;
        self.kept += taken;
        self.offset += taken as u64;
        Ok(taken)
    }
}

impl<F> ExactLineReader<F> {
    /// The line that was taken.
    fn taken(&self) -> Line<'_> {
        Line::terminated(&self.bytes[..self.kept], self.terminator, 0, 0)
    }

    /// Whether what was taken, of a line whose end has not come, is more than a line may have.
    fn rest_is_too_long(&self) -> bool {
        let maybe_terminator =
            self.terminator == Terminator::CRLF && self.bytes[..self.kept].last() == Some(&b'\r');
        self.kept - usize::from(maybe_terminator) > self.limit
    }

    /// What was taken becomes a line.
    fn take_line(&mut self, cut: Option<Ending>) -> Found {
        let len = take(&mut self.kept);
        let (offset, number) = (self.offset - len as u64, self.number);
        self.number += 1;
        Found { len, cut, offset, number }
    }

    /// What the policy leaves of a line that is too long.
    fn cut(&mut self, line: Found) -> io::Result<Option<Found>> {
        match self.over_long {
            OverLong::Error => Err(LineTooLong::new(line.offset, line.number, self.limit).into()),
            OverLong::Skip => {
                self.skipped += 1;
                Ok(None)
            }
            OverLong::Truncate => Ok(Some(Found { len: self.limit, cut: Some(Ending::Limit), ..line })),
        }
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
            .field("offset", &self.offset)
            .field("line_number", &self.number)
            .finish_non_exhaustive()
    }
}
