//! Lines from a C stream, a `FILE*`: for a program that shares one with C code, or wants C's `stdin`.
//!
//! A [`StdioReader`] takes exactly the lines it hands out. Whoever reads from the same stream next, C code or
//! Rust, gets the very next byte; a byte that was put back by `ungetc` is the first of the next line. That sets it
//! apart from a [`LineReader`](crate::LineReader) on the same descriptor, which is faster, and has read ahead.
//!
//! ```
//! use wholeline::stdio::StdioReader;
//!
//! let mut reader = StdioReader::open("Cargo.toml")?;
//! assert_eq!(reader.next_line()?.unwrap().as_bytes(), b"[package]");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # How
//!
//! [`Backend`] lists the ways to get at a stream's bytes. The crate's build script asks the C library which of
//! them it has; the README names the environment variables that answer in its stead.
//!
//! # Threads
//!
//! The stream's lock (`flockfile`) is held while a line is taken, so threads that read lines from one stream
//! never share a line. [`for_each_line`](StdioReader::for_each_line) calls its function with the lock held, which
//! it takes once for each buffer of the stream ([`Backend::Window`]; not on a stream that nobody else knows): other
//! threads that want the stream wait meanwhile. The lock is recursive, so the function may use the stream itself. On a system without `flockfile` the readers here wait for
//! each other all the same; C code that reads at the same time may then get a part of a line.
//!
//! # `fork`, `exit`, and the descriptor beneath
//!
//! A stream has read ahead from its descriptor. What it holds is invisible to a child that inherits the
//! descriptor, and to a [`LineReader`](crate::LineReader) on it. After `fork` both processes hold a copy of what
//! was read ahead, on one shared file offset: both will hand it out. And `exit` in the child closes its copy of the
//! stream, which on a seekable file moves the *shared* offset back to where the child's copy stood (POSIX
//! requires that of `fclose` and `exit`), so the parent may read some bytes twice: let such a child end with
//! `_exit`. To hand the descriptor on at the right place, call `fflush` on the input stream, or let
//! [`LineReader::sync`](crate::LineReader::sync) do it for a reader of our own.
//!
//! Closing the descriptor, `freopen`, and `setvbuf` on a stream that a reader has are the caller's
//! business, between two calls.

mod backend;
mod getc;
#[cfg(has_getdelim)]
mod getdelim;
mod stream;
mod sys;
#[cfg(not(has_flockfile))]
mod turns;
#[cfg(has_stdio_window)]
mod window;

use core::fmt;
use core::ops::ControlFlow;
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use libc::FILE;

pub use backend::Backend;

use crate::builder::OverLong;
use crate::error::LineTooLong;
use crate::gather::{Gathered, Gatherer};
use crate::line::{Line, Terminator};
use crate::line_read::{LineRead, as_inherent};
use crate::scan::Needle;
use stream::{Stream, uninterrupted};

/// Reads lines from a C stream, and not a byte more.
///
/// ```
/// use std::io;
/// use wholeline::stdio::StdioReader;
/// use wholeline::Terminator;
///
/// // A header that C code reads, and lines behind it that we do.
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("file");
/// # std::fs::write(&path, "header\none\0two")?;
/// let mut reader = StdioReader::open(&path)?.terminator(Terminator::NUL);
/// let mut header = [0; 80];
/// // SAFETY: the stream is open, and the buffer as large as we say.
/// unsafe { libc::fgets(header.as_mut_ptr().cast(), 80, reader.as_file_ptr()) };
/// assert!(header.starts_with(b"header\n\0"));
/// assert_eq!(reader.next_line()?.unwrap().as_bytes(), b"one");
/// assert_eq!(reader.next_line()?.unwrap().as_bytes(), b"two");
/// assert!(reader.next_line()?.is_none());
/// # Ok::<(), io::Error>(())
/// ```
///
/// # What may be left of a line
///
/// Two things are taken only when the next line is asked for, and C code that reads before that finds them: what is
/// left of a line longer than the [limit](Self::max_line_len); and, with [`Terminator::UNIVERSAL`], the LF of a CR LF
/// that was not to be seen with its CR (by the backends that take bytes one by one it never is). If C code has taken
/// that, the next line, or an LF at its start, is dropped in its stead: call
/// [`as_file_ptr`](Self::as_file_ptr) before C code reads, and no LF is waited for.
///
/// # The stream's flags
///
/// An end or an error leaves the stream's flag set, for C code to see, until the next call here, which clears it and
/// asks again. An error flag that was there before is nobody's error here: it is ignored, and cleared where the C
/// library would stop at it. An end flag that was there before is an end, as for C code.
pub struct StdioReader {
    stream: Stream,
    /// What was asked for.
    backend: Backend,
    /// What is used: it can do what the options want.
    rung: Backend,
    gatherer: Gatherer,
    #[cfg(has_getdelim)]
    getdelim: getdelim::Buffer,
    /// Lines of a stream that nobody else knows.
    #[cfg(has_stdio_window)]
    ahead: Option<window::Ahead>,
    /// Nobody else knows the stream.
    is_secret: bool,
    /// The stream is known to be one of bytes.
    oriented: bool,
    /// What the stream's flags say has been reported.
    reported: bool,
}

impl StdioReader {
    /// Reads from a stream that somebody else has opened, and will close.
    ///
    /// # Safety
    ///
    /// `file` is a stream that stays open as long as the reader is used, and does not lie to stdio (a
    /// `fopencookie` stream whose function claims more bytes than it was asked for).
    ///
    /// # Panics
    ///
    /// If `file` is null.
    pub unsafe fn from_file_ptr(file: *mut FILE) -> Self {
        // SAFETY: as the caller vouches.
        Self::new(unsafe { Stream::shared(file) }, false)
    }

    /// C's standard input: what C code in the same process reads from, too.
    ///
    /// [`std::io::stdin`] has another buffer on the same descriptor: use one of them.
    ///
    /// ```no_run
    /// use wholeline::stdio::StdioReader;
    ///
    /// StdioReader::stdin().for_each_line(|line| println!("{line}"))?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn stdin() -> Self {
        // SAFETY: it is open when a program starts, and a program that closes it knows what it does.
        unsafe { Self::from_file_ptr(sys::stdin()) }
    }

    /// Opens a file as a stream, with a buffer of 64 KiB. It is closed when the reader is dropped.
    ///
    /// # Errors
    ///
    /// If it cannot be opened. A directory can be; reading from it is then an error.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = CString::new(path.as_ref().as_os_str().as_bytes())?;
        Stream::open(&path).map(|stream| Self::new(stream, true))
    }

    fn new(stream: Stream, is_secret: bool) -> Self {
        Self {
            stream,
            backend: Backend::DEFAULT,
            rung: Backend::DEFAULT,
            gatherer: Gatherer::new(),
            #[cfg(has_getdelim)]
            getdelim: getdelim::Buffer::new(),
            #[cfg(has_stdio_window)]
            ahead: None,
            is_secret,
            oriented: false,
            reported: false,
        }
    }

    /// Reads in this way from now on.
    ///
    /// # Errors
    ///
    /// [`Unsupported`](io::ErrorKind::Unsupported) if this build does not have it
    /// ([`Backend::available`]).
    pub fn with_backend(self, backend: Backend) -> io::Result<Self> {
        if !Backend::available().contains(&backend) {
            let message = format!("{backend:?} is not among what this build has: {:?}", Backend::available());
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        Ok(Self { backend, ..self }.settle())
    }

    /// What ends a line, from now on. LF until then. What has come of a line before ([`partial`](Self::partial)) is not
    /// searched again.
    #[must_use]
    pub fn terminator(mut self, terminator: Terminator) -> Self {
        #[cfg(has_stdio_window)]
        self.give_back();
        self.gatherer.set_terminator(terminator);
        self.settle()
    }

    /// How many bytes of content a line may have; its terminator is not counted. No limit until then.
    #[must_use]
    pub fn max_line_len(mut self, bytes: usize) -> Self {
        self.gatherer.set_limit(bytes);
        self.settle()
    }

    /// What becomes of a longer line.
    #[must_use]
    pub fn over_long(mut self, policy: OverLong) -> Self {
        self.gatherer.set_over_long(policy);
        self
    }

    /// After a change of options.
    fn settle(mut self) -> Self {
        #[cfg(has_stdio_window)]
        self.give_back();
        let delimiter = match self.gatherer.scanner().needle() {
            // musl takes a byte for a signed char in one place.
            Needle::Byte(byte) => byte < 0x80 || cfg!(not(target_env = "musl")),
            Needle::CrOrLf => false,
        };
        let can = delimiter && self.gatherer.limit() == usize::MAX;
        self.rung = if self.backend == Backend::Getdelim && !can { Backend::DEFAULT } else { self.backend };
        self
    }

    /// Makes it so that the stream is where our lines have come to.
    #[cfg(has_stdio_window)]
    fn give_back(&mut self) {
        if let Some(mut ahead) = self.ahead.take().filter(window::Ahead::is_open) {
            ahead.close(&mut self.stream.lock(), &mut self.gatherer);
        }
    }

    /// The way that was chosen to read from the stream.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The stream, for C code to read from between two calls. It must not be closed.
    ///
    /// From then on the reader takes into account that others read from it: a stream that it has
    /// [opened](Self::open) itself is read more slowly.
    pub fn as_file_ptr(&mut self) -> *mut FILE {
        #[cfg(has_stdio_window)]
        self.give_back();
        self.is_secret = false;
        self.gatherer.forget_cr();
        self.stream.as_ptr()
    }

    /// Where the next byte to take stands, in bytes from where the reader began. What others have taken from the
    /// stream is not counted.
    pub fn offset(&self) -> u64 {
        #[cfg(has_stdio_window)]
        if let Some(ahead) = self.ahead.as_ref().filter(|ahead| ahead.is_open()) {
            return ahead.offset();
        }
        self.gatherer.offset()
    }

    /// The number of the line that it belongs to: 1 at first. What others have taken is not counted.
    pub fn line_number(&self) -> u64 {
        #[cfg(has_stdio_window)]
        if let Some(ahead) = self.ahead.as_ref().filter(|ahead| ahead.is_open()) {
            return ahead.line_number();
        }
        self.gatherer.number()
    }

    /// How many lines were dropped because they were longer than the limit ([`OverLong::Skip`]).
    pub fn skipped(&self) -> u64 {
        self.gatherer.skipped()
    }

    /// What has been taken from the stream of a line whose end has not, when an error came in between: the next
    /// call goes on with it.
    pub fn partial(&self) -> &[u8] {
        let partial = self.gatherer.partial();
        #[cfg(has_getdelim)]
        if partial.is_empty() {
            return self.getdelim.kept();
        }
        partial
    }

    /// The next line, or `None` at the end of the stream.
    ///
    /// With [`Backend::Window`], a line in a stream that the reader has [opened](Self::open) itself is not
    /// copied, unless it crosses the end of the stream's buffer. One from a stream that others may read from is:
    /// they may overwrite it as soon as the lock is released.
    ///
    /// # Errors
    ///
    /// - What the C library reports, other than [`Interrupted`](io::ErrorKind::Interrupted), which is
    ///   retried.
    /// - [`InvalidInput`](io::ErrorKind::InvalidInput) if the stream is one of wide characters, or holds
    ///   output that was written to it and not flushed.
    /// - [`LineTooLong`], in an error of kind [`InvalidData`](io::ErrorKind::InvalidData), where
    ///   a limit is set with [`OverLong::Error`].
    /// - [`OutOfMemory`](io::ErrorKind::OutOfMemory) if there is no room for a line.
    ///
    /// # Resumption
    ///
    /// An error loses nothing: what was taken is kept ([`partial`](Self::partial)), and the next call goes on
    /// with the same line. [`Backend::Getdelim`] is the exception. After `None` the next call asks the stream again.
    #[inline(always)]
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        match self.rung {
            #[cfg(has_stdio_window)]
            Backend::Window => {
                if self.ahead.as_ref().is_some_and(window::Ahead::is_popping) {
                    return Ok(self.ahead.as_mut().map(window::Ahead::pop));
                }
                if !self.is_secret && self.gatherer.is_idle() {
                    let mut stream = self.stream.lock();
                    if Self::copy_line(&mut self.gatherer, &mut stream) {
                        return Ok(Some(self.gatherer.line(Gathered::Whole)));
                    }
                }
            }
            #[cfg(has_getdelim)]
            Backend::Getdelim if self.gatherer.is_idle() => {
                let needle = self.gatherer.scanner().needle();
                let gathered = {
                    // getdelim has a lock of its own, but lets go of it where a signal interrupts it.
                    let _locked = self.stream.lock();
                    if self.getdelim.take_whole(&self.stream, needle) {
                        None
                    } else {
                        Some(self.getdelim.gather(&self.stream, &mut self.gatherer))
                    }
                };
                let Some(gathered) = gathered else {
                    return Ok(Some(self.gatherer.hand_out(self.getdelim.bytes())));
                };
                let gathered = self.note(gathered)?;
                return Ok(gathered.map(|gathered| self.gatherer.line(gathered)));
            }
            _ => {}
        }
        self.take_line()
    }

    /// The next line, if it has not been found already.
    fn take_line(&mut self) -> io::Result<Option<Line<'_>>> {
        #[cfg(has_stdio_window)]
        if self.rung == Backend::Window && self.is_secret && self.look_ahead() {
            return Ok(self.ahead.as_mut().map(window::Ahead::pop_any));
        }
        let gathered = self.gather()?;
        Ok(gathered.map(|gathered| self.gatherer.line(gathered)))
    }

    /// Finds lines in the buffer of a stream that nobody else knows. False if there is no whole one, or it has to
    /// be [put together](Self::gather) for another reason; the stream is then where our lines have come to.
    #[cfg(has_stdio_window)]
    fn look_ahead(&mut self) -> bool {
        let Self { gatherer, stream, ahead, .. } = self;
        let ahead = ahead.get_or_insert_with(|| window::Ahead::new(gatherer));
        if ahead.is_open() {
            if ahead.is_popping() || ahead.is_popping_odd() || ahead.find_line() {
                return true;
            }
            ahead.close(&mut stream.lock(), gatherer);
            return false;
        }
        if !gatherer.is_idle() {
            return false;
        }
        let mut stream = stream.lock();
        let found = ahead.open(&stream, gatherer);
        if !found {
            ahead.close(&mut stream, gatherer);
        }
        found
    }

    /// Copies the next line from the stream's buffer, if all of it is there and it is not too long.
    #[cfg(has_stdio_window)]
    #[inline]
    fn copy_line(gatherer: &mut Gatherer, stream: &mut stream::Locked<'_>) -> bool {
        let Some(line) = gatherer.find_line(stream.window()) else { return false };
        let n = line.len();
        gatherer.copy(line) && {
            stream.consume(n);
            true
        }
    }

    /// Puts the next line together.
    fn gather(&mut self) -> io::Result<Option<Gathered>> {
        if !self.oriented {
            self.stream.orient()?;
            self.oriented = true;
        }
        if core::mem::take(&mut self.reported) {
            self.stream.clear_flags();
        }
        if self.gatherer.has_ended() && !self.stream.is_at_end() {
            // Somebody has made the stream go on, by `rewind` for one.
            self.gatherer.go_on();
        }
        let (stream, scanner) = (&self.stream, self.gatherer.scanner());
        let by_bytes = |gatherer: &mut Gatherer, getc: getc::Getc| {
            let locked = stream.lock();
            stream.check_direction()?;
            gatherer.gather(|line, most| {
                uninterrupted(stream, || getc::take(&locked, getc, scanner.needle(), line, most))
            })
        };
        // What is only dropped needs no room for all of it.
        let rung = if self.gatherer.is_discarding() { Backend::DEFAULT } else { self.rung };
        let gathered = match rung {
            #[cfg(has_stdio_window)]
            Backend::Window => {
                let mut locked = stream.lock();
                self.gatherer.gather(|line, most| {
                    uninterrupted(stream, || window::take(&mut locked, scanner, line, most))
                })
            }
            #[cfg(has_getdelim)]
            Backend::Getdelim => {
                let _locked = stream.lock();
                self.getdelim.gather(stream, &mut self.gatherer)
            }
            #[cfg(has_getc_unlocked)]
            Backend::GetcUnlocked => by_bytes(&mut self.gatherer, sys::getc_unlocked),
            _ => by_bytes(&mut self.gatherer, libc::fgetc),
        };
        self.note(gathered)
    }

    /// Notes whether what the stream's flags say is reported with this.
    fn note(&mut self, gathered: io::Result<Option<Gathered>>) -> io::Result<Option<Gathered>> {
        self.reported = match &gathered {
            Ok(gathered) => gathered.is_none(),
            Err(error) => !error.get_ref().is_some_and(|error| error.is::<LineTooLong>()),
        };
        gathered
    }

    /// Calls `f` with each line up to the end of the stream: the fastest way through it.
    ///
    /// With [`Backend::Window`], on a stream that others may read from, the lock is held while `f` has the lines that
    /// stand in the stream's buffer: see [Threads](self#threads).
    ///
    /// # Errors
    ///
    /// As [`next_line`](Self::next_line), at the first error.
    ///
    /// # Resumption
    ///
    /// The lines that `f` has seen are consumed, also when `f` panics; the next call goes on behind them.
    #[inline]
    pub fn for_each_line(&mut self, mut f: impl FnMut(Line<'_>)) -> io::Result<()> {
        loop {
            let _: ControlFlow<()> = self.drain(|line| {
                f(line);
                ControlFlow::Continue(())
            });
            match self.next_line()? {
                Some(line) => f(line),
                None => return Ok(()),
            }
        }
    }

    /// Calls `f` with each line until it breaks, fails, or the stream ends.
    ///
    /// The stream's lock is held as in [`for_each_line`](Self::for_each_line).
    ///
    /// # Errors
    ///
    /// What `f` returns; else as [`next_line`](Self::next_line), at the first error.
    ///
    /// # Resumption
    ///
    /// The lines that `f` has seen, the last one too, are consumed; the next call goes on behind them.
    #[inline]
    pub fn try_for_each_line<E: From<io::Error>>(
        &mut self,
        mut f: impl FnMut(Line<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        loop {
            let drained = self.drain(|line| match f(line) {
                Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                Ok(ControlFlow::Break(())) => ControlFlow::Break(Ok(())),
                Err(error) => ControlFlow::Break(Err(error)),
            });
            if let ControlFlow::Break(result) = drained {
                return result;
            }
            match self.next_line()? {
                Some(line) if f(line)?.is_continue() => {}
                _ => return Ok(()),
            }
        }
    }

    /// Takes the lines that stand as a whole in the stream's buffer, under one lock, until `each` breaks.
    #[cfg(has_stdio_window)]
    #[inline(always)]
    fn drain<B>(&mut self, mut each: impl FnMut(Line<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.rung != Backend::Window {
            return ControlFlow::Continue(());
        }
        if self.is_secret {
            while self.look_ahead() {
                self.ahead.as_mut().map_or(ControlFlow::Continue(()), |ahead| ahead.drain(&mut each))?;
            }
            return ControlFlow::Continue(());
        }
        // `each` may take from the stream, so what stands there is looked at anew for each line.
        let mut stream = self.stream.lock();
        while self.gatherer.is_idle() && Self::copy_line(&mut self.gatherer, &mut stream) {
            each(self.gatherer.line(Gathered::Whole))?;
        }
        ControlFlow::Continue(())
    }

    /// There is no buffer to look at.
    #[cfg(not(has_stdio_window))]
    fn drain<B>(&mut self, _: impl FnMut(Line<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        ControlFlow::Continue(())
    }
}

impl LineRead for StdioReader {
    as_inherent!();
}

impl fmt::Debug for StdioReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StdioReader")
            .field("stream", &self.stream.as_ptr())
            .field("backend", &self.backend)
            .field("terminator", &self.gatherer.terminator())
            .field("offset", &self.offset())
            .field("line_number", &self.line_number())
            .finish_non_exhaustive()
    }
}
