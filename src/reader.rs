//! `Read` in, whole lines out.

use core::fmt;
use core::ops::{ControlFlow, Range};
use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
#[cfg(unix)]
use std::os::fd::BorrowedFd;
use std::path::Path;

use crate::buffer::Buffer;
use crate::builder::{LineReaderBuilder, OverLong};
#[cfg(unix)]
use crate::fd::Fd;
use crate::line::{Ending, Line, Terminator};
use crate::line_read::{LineRead, as_inherent};
use crate::lines::Lines;
use crate::window::Span;

/// Reads lines from any [`Read`].
///
/// A line is borrowed from the reader's buffer until the next call. It is complete: it had its
/// terminator, or the input ended, or it says that it was cut at the limit
/// ([`Line::ending`] tells which). Bytes and lines can be taken in any order, by
/// [`next_byte`](Self::next_byte), [`Read`] and [`BufRead`]: nothing is lost between them.
///
/// ```
/// use wholeline::LineReader;
///
/// let mut reader = LineReader::new(&b"one\ntwo \0 zwei\nthree"[..]);
/// while let Some(line) = reader.next_line()? {
///     println!("{}: {line} at {}", line.number(), line.offset());
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Reads
///
/// A call reads only if it cannot do without, and then once: what a pipe or a terminal delivers is handed
/// out before more is asked for. [`Interrupted`](io::ErrorKind::Interrupted) is retried, whatever else a
/// read reports is handed on once and loses nothing.
///
/// # The end of the input
///
/// When the source says that it has no more, what is left is the last line, with [`Ending::Eof`]; then
/// comes one `None`. That is not remembered: a further call asks the source again.
/// [`LineReaderBuilder::follow`] keeps an unfinished line back instead.
///
/// # Lines and binary data
///
/// [`Read`] goes on behind the last line, and lines go on behind the last byte read. A body in chunks, as
/// HTTP has it: a line with the size, so many bytes that may be anything, the end of a line, and lines again
/// after the chunk of size 0.
///
/// ```
/// use std::io::{ErrorKind, Read};
/// use bstr::ByteSlice;
/// use wholeline::{LineReaderBuilder, Terminator};
///
/// let input = &b"5;note=x\r\n0\r\n\r\n\r\nB\r\n\0 and more\n\r\n0\r\nExpires: never\r\n\r\nnext"[..];
/// let mut reader = LineReaderBuilder::new().terminator(Terminator::CRLF).build(input);
/// let mut body = Vec::new();
/// loop {
///     let line = reader.next_line()?.ok_or(ErrorKind::UnexpectedEof)?;
///     let digits = line.split_str(";").next().and_then(|digits| digits.to_str().ok());
///     let size = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
///     match size.ok_or(ErrorKind::InvalidData)? {
///         0 => break,
///         size => reader.by_ref().take(size).read_to_end(&mut body)?,
///     };
///     // Also where the chunk was cut short: nothing follows it then.
///     let end = reader.next_line()?.ok_or(ErrorKind::UnexpectedEof)?;
///     assert!(end.is_empty() && end.is_terminated());
/// }
/// assert_eq!(body, b"0\r\n\r\n\0 and more\n");
/// let trailer = reader.next_line()?.unwrap();
/// assert_eq!((trailer.as_bytes(), trailer.offset()), (&b"Expires: never"[..], 36));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct LineReader<R> {
    buffer: Buffer,
    source: R,
    over_long: OverLong,
    follow: bool,
    skipped: u64,
    /// The source's end was seen when the last line was handed out, and is still to be reported.
    ended: bool,
    /// The rest of a line that was too long, or that begins before the range, is still to be dropped.
    discarding: bool,
    /// Where a line has to begin to be handed out. An end of `u64::MAX` is none.
    range: Range<u64>,
}

/// What was found for a call that wants lines.
enum Found<T> {
    /// Complete ones.
    Whole(T),
    /// One without terminator.
    Cut(Span, Ending),
}

impl<R> LineReader<R> {
    /// Reads from `source` with the usual options: a buffer of 64 KiB, lines that end at LF, of any
    /// length. See [`LineReaderBuilder`] for others.
    pub fn new(source: R) -> Self {
        LineReaderBuilder::new().build(source)
    }

    /// Reads from `source` with a buffer of `capacity` bytes.
    ///
    /// It is allocated at the first read, and grows for a line that does not fit. 0 is taken as 1.
    pub fn with_capacity(capacity: usize, source: R) -> Self {
        LineReaderBuilder::new().capacity(capacity).build(source)
    }

    pub(crate) fn with_parts(source: R, buffer: Buffer, over_long: OverLong, follow: bool) -> Self {
        Self {
            buffer,
            source,
            over_long,
            follow,
            skipped: 0,
            ended: false,
            discarding: false,
            range: 0..u64::MAX,
        }
    }

    /// Where the next unread byte stands, in bytes from where the reader began.
    ///
    /// After a [`seek`](Seek::seek) it is the position in the source. While the rest of a line that was
    /// too long is still to be dropped, it is how far that has come.
    pub fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// The number of the line that the next unread byte belongs to: 1 at first, and after the line with
    /// number `n` has been handed out, `n + 1`.
    pub fn line_number(&self) -> u64 {
        self.buffer.number()
    }

    /// How many lines were dropped because they were longer than the limit
    /// ([`OverLong::Skip`]).
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// What ends a line.
    pub fn terminator(&self) -> Terminator {
        self.buffer.terminator()
    }

    /// Whether [`next_line`](Self::next_line) would hand out a line from the buffer, without a read: what
    /// to ask before waiting for the source in `poll` or `select`. Where a line is longer than the limit
    /// and that is an error, also whether it would give that.
    pub fn has_line(&self) -> bool {
        let skip = self.over_long == OverLong::Skip;
        let wanted = |line: Line<'_>| !skip || line.len() <= self.buffer.limit();
        !self.discarding && (self.buffer.has_line(wanted) || !skip && self.rest_is_too_long())
    }

    /// Whether what is unread, of a line whose end is not here, is more than a line may have.
    fn rest_is_too_long(&self) -> bool {
        let rest = self.buffer.unread_of_lines();
        let maybe_terminator = self.terminator() == Terminator::CRLF && rest.last() == Some(&b'\r');
        rest.len() - usize::from(maybe_terminator) > self.buffer.limit()
    }

    /// What has been read of a line whose end has not: the unread bytes behind the last complete line.
    pub fn partial(&self) -> &[u8] {
        self.buffer.partial()
    }

    /// All unread bytes that are in the buffer.
    pub fn buffer(&self) -> &[u8] {
        self.buffer.unread()
    }

    /// How many bytes the buffer has, or will have once it is allocated.
    pub fn capacity(&self) -> usize {
        self.buffer.capacity()
    }

    /// The source.
    pub fn get_ref(&self) -> &R {
        &self.source
    }

    /// The source. What is read from it directly is missing here, and what is in the buffer is missing
    /// there.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.source
    }

    /// The source, and the bytes that were read from it but not handed out: what the next reader has to
    /// see first.
    ///
    /// If the last line handed out was longer than the limit, what is left of it may still be in the source
    /// ([`line_number`](Self::line_number) has gone on, [`has_line`](Self::has_line) is false); so may be
    /// the LF of a CR LF, with [`Terminator::UNIVERSAL`].
    ///
    /// ```
    /// use std::io::Read;
    /// use wholeline::LineReader;
    ///
    /// let mut reader = LineReader::new(&b"header\nbody\n"[..]);
    /// reader.next_line()?;
    /// let (source, unread) = reader.into_parts();
    /// let mut rest = LineReader::new(unread.chain(source));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_parts(self) -> (R, Vec<u8>) {
        (self.source, self.buffer.into_unread())
    }

    /// Goes on with another source, and returns the one before. All that is kept is the buffer's memory
    /// and the options: offsets, numbers and counts begin anew, unread bytes are gone.
    pub fn reset(&mut self, source: R) -> R {
        self.start_anew(0);
        self.skipped = 0;
        core::mem::replace(&mut self.source, source)
    }

    /// Forgets what was read; the next byte will be the one at `offset`.
    fn start_anew(&mut self, offset: u64) {
        self.buffer.restart(offset);
        self.ended = false;
        self.discarding = false;
    }

    /// Gives back memory that a long line has made the buffer take: its capacity becomes `capacity` if it
    /// was larger, but no less than the unread bytes need, and at least 1.
    pub fn shrink_to(&mut self, capacity: usize) {
        self.buffer.shrink_to(capacity);
    }
}

impl LineReader<File> {
    /// Opens a file and reads from it.
    ///
    /// # Errors
    ///
    /// If it cannot be opened. A directory can be, on unix; reading from it is then an error.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        File::open(path).map(Self::new)
    }
}

#[cfg(unix)]
impl<'fd> LineReader<Fd<'fd>> {
    /// Reads from a descriptor that somebody else owns, and does not close it.
    ///
    /// ```
    /// use std::os::fd::AsFd;
    /// use wholeline::LineReader;
    ///
    /// let stdin = std::io::stdin();
    /// let mut reader = LineReader::from_fd(stdin.as_fd());
    /// ```
    pub fn from_fd(fd: BorrowedFd<'fd>) -> Self {
        Self::new(Fd::new(fd))
    }
}

/// Lines.
impl<R: Read> LineReader<R> {
    /// The next line, or `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// - What the source reports, other than [`Interrupted`](io::ErrorKind::Interrupted).
    /// - [`LineTooLong`](crate::LineTooLong), in an error of kind [`InvalidData`](io::ErrorKind::InvalidData), where a limit
    ///   is set with [`OverLong::Error`]; as soon as the line is seen to be too long.
    /// - [`OutOfMemory`](io::ErrorKind::OutOfMemory) if the buffer cannot be allocated or cannot grow.
    /// - [`Other`](io::ErrorKind::Other) if the source claims to have read more than it was asked for.
    ///
    /// # Resumption
    ///
    /// An error loses nothing: the bytes already read are kept ([`partial`](Self::partial) shows them),
    /// and the next call goes on with the same line. After [`LineTooLong`](crate::LineTooLong) it goes on with the next. After
    /// `None` it asks the source again.
    #[inline(always)]
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        if !self.buffer.is_popping() {
            if !self.buffer.is_popping_odd() && !self.search()? {
                return Ok(None);
            }
            if !self.buffer.is_popping() {
                return Ok(Some(self.buffer.pop_odd()));
            }
        }
        Ok(Some(self.buffer.pop()))
    }

    /// Calls `f` with each line up to the end of the input: the fastest way through it.
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
            let _: ControlFlow<()> = self.buffer.drain(|line| {
                f(line);
                ControlFlow::Continue(())
            });
            if !self.search()? {
                return Ok(());
            }
        }
    }

    /// Calls `f` with each line until it breaks, fails, or the input ends.
    ///
    /// # Errors
    ///
    /// What `f` returns; else as [`next_line`](Self::next_line), at the first error.
    ///
    /// # Resumption
    ///
    /// The lines that `f` has seen, the last one too, are consumed; the next call goes on behind them.
    ///
    /// ```
    /// use std::io;
    /// use std::ops::ControlFlow;
    /// use wholeline::LineReader;
    ///
    /// let mut reader = LineReader::new(&b"name: x\n\nbody\n"[..]);
    /// reader.try_for_each_line(|line| {
    ///     Ok::<_, io::Error>(if line.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    /// })?;
    /// assert_eq!(reader.next_line()?.unwrap().as_bytes(), b"body");
    /// # Ok::<(), io::Error>(())
    /// ```
    #[inline]
    pub fn try_for_each_line<E: From<io::Error>>(
        &mut self,
        mut f: impl FnMut(Line<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let mut each = |line: Line<'_>| match f(line) {
            Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
            Ok(ControlFlow::Break(())) => ControlFlow::Break(Ok(())),
            Err(error) => ControlFlow::Break(Err(error)),
        };
        loop {
            if let ControlFlow::Break(result) = self.buffer.drain(&mut each) {
                return result;
            }
            if !self.search()? {
                return Ok(());
            }
        }
    }

    /// Every line that is complete in the buffer, at least one, or `None` at the end of the input.
    ///
    /// They are consumed as a whole, whether the iterator is used up or not. A last line without
    /// terminator, and a line cut at the limit, is a batch by itself.
    ///
    /// # Errors
    ///
    /// As [`next_line`](Self::next_line).
    ///
    /// # Resumption
    ///
    /// As [`next_line`](Self::next_line).
    ///
    /// ```
    /// use wholeline::LineReader;
    ///
    /// let mut reader = LineReader::new(&b"a\nbb\nccc"[..]);
    /// let mut lengths = Vec::new();
    /// while let Some(lines) = reader.next_batch()? {
    ///     lengths.extend(lines.map(|line| line.len()));
    /// }
    /// assert_eq!(lengths, [1, 2, 3]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    pub fn next_batch(&mut self) -> io::Result<Option<Lines<'_>>> {
        let found = self.find(Buffer::take_batch)?;
        Ok(found.map(|found| match found {
            Found::Whole(batch) => self.buffer.batch(batch),
            Found::Cut(line, ending) => self.buffer.cut_line(line, ending),
        }))
    }

    /// Takes up to `n` lines and drops them. Returns how many there were: fewer than `n` at the end of
    /// the input.
    ///
    /// # Errors
    ///
    /// As [`next_line`](Self::next_line).
    ///
    /// # Resumption
    ///
    /// The lines dropped before an error stay dropped; [`line_number`](Self::line_number) tells how far it
    /// came.
    pub fn skip_lines(&mut self, n: u64) -> io::Result<u64> {
        for skipped in 0..n {
            if self.next_line()?.is_none() {
                return Ok(skipped);
            }
        }
        Ok(n)
    }

    /// Finds lines to pop. False at the end of the input.
    #[cold]
    #[inline(never)]
    fn search(&mut self) -> io::Result<bool> {
        let found = self.find(|buffer| buffer.find_line().then_some(()))?;
        if let Some(Found::Cut(line, ending)) = &found {
            self.buffer.offer(line.range.clone(), *ending);
        }
        self.buffer.pop_before(self.range.end);
        Ok(found.is_some())
    }

    /// Has `whole` look for complete lines in the buffer, none longer than the limit, and reads as often
    /// as it has to for that. What it found, or a line that was cut; `None` at the end of the input or of
    /// the range.
    fn find<T>(&mut self, whole: impl Fn(&mut Buffer) -> Option<T>) -> io::Result<Option<Found<T>>> {
        if core::mem::take(&mut self.ended) {
            return Ok(None);
        }
        loop {
            if !self.discard()? || self.is_past_range() {
                return Ok(None);
            }
            if let Some(found) = whole(&mut self.buffer) {
                return Ok(Some(Found::Whole(found)));
            }
            let too_long = if let Some(line) = self.buffer.take_line() {
                line
            } else if self.rest_is_too_long() {
                self.discarding = true;
                self.buffer.take_rest()
            } else if self.fill()? == 0 {
                return self.take_last();
            } else {
                continue;
            };
            if let Some(cut) = self.cut(too_long)? {
                return Ok(Some(cut));
            }
        }
    }

    /// What is left at the end of the input.
    fn take_last<T>(&mut self) -> io::Result<Option<Found<T>>> {
        if self.buffer.is_empty() || self.follow {
            return Ok(None);
        }
        let rest = self.buffer.take_rest();
        self.ended = true;
        if rest.range.len() <= self.buffer.limit() {
            return Ok(Some(Found::Cut(rest, Ending::Eof)));
        }
        let start = self.cut(rest)?;
        // With nothing to hand out, this call is the one that reports the end.
        self.ended = start.is_some();
        Ok(start)
    }

    /// What the policy leaves of a line that is too long, and has been taken.
    fn cut<T>(&mut self, line: Span) -> io::Result<Option<Found<T>>> {
        let (start, limit) = (line.range.start, self.buffer.limit());
        let offset = self.buffer.offset_of(&line);
        let keeps_start = self.over_long.keeps_start(offset, line.number, limit, &mut self.skipped)?;
        let start = Span { range: start..start + limit, ..line };
        Ok(keeps_start.then_some(Found::Cut(start, Ending::Limit)))
    }

    /// Whether no line that begins at the next unread byte or behind it is wanted.
    fn is_past_range(&self) -> bool {
        self.range.end < u64::MAX && self.range.end <= self.offset()
    }

    /// Drops what is left of a line that was too long, or that begins before the range. False if the input
    /// ended before that was done, or no line behind it is wanted.
    fn discard(&mut self) -> io::Result<bool> {
        self.discarding |= self.offset() < self.range.start;
        while self.discarding {
            self.discarding = !self.buffer.drop_line();
            if self.discarding && self.is_past_range() {
                return Ok(false);
            }
            if self.discarding && self.fill()? == 0 {
                self.discarding = self.follow;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// One read.
    fn fill(&mut self) -> io::Result<usize> {
        let room = self.buffer.room()?;
        let n = read(&mut self.source, room)?;
        self.buffer.fill(n);
        Ok(n)
    }
}

/// One read that is not interrupted.
pub(crate) fn read(source: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(room) {
            Ok(n) if n > room.len() => {
                let message = format!("the source claims {n} bytes of a read of {}", room.len());
                return Err(io::Error::other(message));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// A seek that is not interrupted.
pub(crate) fn seek(source: &mut impl Seek, to: SeekFrom) -> io::Result<u64> {
    loop {
        match source.seek(to) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// How many bytes a source has. It is left anywhere.
///
/// If it says none, it is read from, so that one that cannot be (a directory) or lies does not pass for empty.
pub(crate) fn size(source: &mut (impl Read + Seek)) -> io::Result<u64> {
    let size = seek(source, SeekFrom::End(0))?;
    if size == 0 && read(source, &mut [0])? > 0 {
        return Err(io::Error::other("the source says that it is empty, and is not"));
    }
    Ok(size)
}

/// Bytes.
impl<R: Read> LineReader<R> {
    /// The next byte, or `None` at the end of the input. It is not taken.
    ///
    /// # Errors
    ///
    /// As [`next_line`](Self::next_line), but for [`LineTooLong`](crate::LineTooLong).
    ///
    /// # Resumption
    ///
    /// As [`next_line`](Self::next_line).
    #[inline(always)]
    pub fn peek_byte(&mut self) -> io::Result<Option<u8>> {
        if !self.buffer.is_stepping() && !self.search_byte()? {
            return Ok(None);
        }
        Ok(Some(self.buffer.peek_step()))
    }

    /// Takes the next byte; `None` at the end of the input.
    ///
    /// What is left of its line is the next line.
    ///
    /// # Errors
    ///
    /// As [`next_line`](Self::next_line), but for [`LineTooLong`](crate::LineTooLong).
    ///
    /// # Resumption
    ///
    /// As [`next_line`](Self::next_line).
    ///
    /// ```
    /// use wholeline::LineReader;
    ///
    /// let mut reader = LineReader::new(&b"-removed\n+added\n"[..]);
    /// assert_eq!(reader.next_byte()?, Some(b'-'));
    /// let line = reader.next_line()?.unwrap();
    /// assert_eq!((line.as_bytes(), line.offset(), line.number()), (&b"removed"[..], 1, 1));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline(always)]
    pub fn next_byte(&mut self) -> io::Result<Option<u8>> {
        // As in `next_line`: whatever was searched for is taken in the same way. Then a loop over bytes
        // keeps the cursor in a register.
        if !self.buffer.is_stepping() && !self.search_byte()? {
            return Ok(None);
        }
        Ok(Some(self.buffer.step()))
    }

    /// Makes bytes ready to be taken one by one. False at the end of the input.
    #[cold]
    #[inline(never)]
    fn search_byte(&mut self) -> io::Result<bool> {
        let found = self.fill_if_empty()?;
        if found {
            self.buffer.prepare_steps();
        }
        Ok(found)
    }

    /// Makes sure that there are unread bytes. False at the end of the input.
    fn fill_if_empty(&mut self) -> io::Result<bool> {
        if core::mem::take(&mut self.ended) || !self.discard()? {
            return Ok(false);
        }
        while self.buffer.is_empty() {
            if self.fill()? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl<R: Read> Read for LineReader<R> {
    /// Takes unread bytes from the buffer, or reads if there are none.
    ///
    /// The lines among them are counted. An end of the input is reported once, as
    /// [`next_line`](LineReader::next_line) does. With [`Terminator::UNIVERSAL`], an LF directly behind a
    /// line that ended with CR belongs to that line: binary data that may start with LF wants another
    /// terminator before it.
    ///
    /// # Errors
    ///
    /// As [`next_byte`](LineReader::next_byte), and with nothing taken.
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let direct = out.len() >= self.capacity() && self.buffer.is_empty() && !self.buffer.awaits_lf();
        if direct && !self.ended && !self.discarding {
            let n = read(&mut self.source, out)?;
            self.buffer.pass(&out[..n]);
            return Ok(n);
        }
        if !self.fill_if_empty()? {
            return Ok(0);
        }
        let unread = self.buffer.unread();
        let n = unread.len().min(out.len());
        out[..n].copy_from_slice(&unread[..n]);
        self.buffer.take_bytes(n);
        Ok(n)
    }
}

impl<R: Read> BufRead for LineReader<R> {
    /// The unread bytes; a read only if there are none.
    ///
    /// # Errors
    ///
    /// As [`next_byte`](LineReader::next_byte).
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.fill_if_empty()?;
        Ok(self.buffer.unread())
    }

    /// Takes the first `n` of the unread bytes, and counts the lines among them.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    fn consume(&mut self, n: usize) {
        self.buffer.take_bytes(n);
    }
}

impl<R: Read + Seek> LineReader<R> {
    /// Gives the source back positioned at the next unread byte, and empties the buffer, so that somebody
    /// else (a child that inherits the descriptor, another reader) can go on there.
    ///
    /// Offset and line number stay as they are. What belongs to a line that was handed out (the rest of
    /// one longer than the limit, or with [`Terminator::UNIVERSAL`] the LF of a CR LF) is read first. For a
    /// source that cannot seek there is [`into_parts`](Self::into_parts).
    ///
    /// # Errors
    ///
    /// What the source reports, of seeking and of reading.
    ///
    /// # Resumption
    ///
    /// After an error nothing is lost: what was unread still is, and the call can be repeated.
    ///
    /// ```
    /// use std::io::{Cursor, Read};
    /// use wholeline::LineReader;
    ///
    /// let mut reader = LineReader::new(Cursor::new(b"ours\ntheirs\n"));
    /// reader.next_line()?;
    /// reader.sync()?;
    /// let mut rest = String::new();
    /// reader.get_mut().read_to_string(&mut rest)?;
    /// assert_eq!(rest, "theirs\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn sync(&mut self) -> io::Result<()> {
        self.seek_by(0).map(drop)
    }

    /// Moves from the next unread byte, or to it.
    fn seek_by(&mut self, by: i64) -> io::Result<u64> {
        self.finish_line()?;
        // No allocation is larger than an i64 can say.
        let unread = self.buffer.unread().len() as i64;
        // What is too far back for that is too far back for any source.
        let from_source = by.checked_sub(unread).ok_or(io::ErrorKind::InvalidInput)?;
        let position = seek(&mut self.source, SeekFrom::Current(from_source))?;
        if by == 0 {
            self.buffer.drop_unread();
        } else {
            self.start_anew(position);
        }
        Ok(position)
    }

    /// Goes to the lines that begin in `range`, and hands out only those.
    ///
    /// Whether a line begins at the range's start shows in the byte before it. So what that byte belongs to
    /// is the first to be dropped, be it the rest of a line or a terminator alone.
    pub(crate) fn confine(&mut self, range: Range<u64>) -> io::Result<()> {
        if range.is_empty() {
            self.range = 0..0;
            return Ok(());
        }
        let start = range.start.saturating_sub(1);
        seek(&mut self.source, SeekFrom::Start(start))?;
        self.start_anew(start);
        self.range = range;
        Ok(())
    }

    /// Reads what belongs to lines that have been handed out already, from a source that can seek.
    fn finish_line(&mut self) -> io::Result<()> {
        if self.discarding || self.buffer.awaits_lf() {
            // Before anything is read from one that cannot, and maybe waited for.
            self.source.stream_position()?;
        }
        self.discard()?;
        if self.buffer.awaits_lf() {
            self.fill()?;
        }
        Ok(())
    }
}

impl<R: Read + Seek> Seek for LineReader<R> {
    /// Moves to a position in the source; [`SeekFrom::Current`] counts from the next unread byte.
    ///
    /// What was buffered is dropped. [`offset`](LineReader::offset) is then the position in the source,
    /// and lines are numbered from 1 again: how many lie before it cannot be known. To seek by 0 changes
    /// neither.
    ///
    /// # Errors
    ///
    /// As [`sync`](LineReader::sync).
    ///
    /// # Resumption
    ///
    /// After an error nothing is lost, and the reader is where it was.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if let SeekFrom::Current(by) = to {
            return self.seek_by(by);
        }
        let position = seek(&mut self.source, to)?;
        self.start_anew(position);
        Ok(position)
    }

    /// The position in the source of the next unread byte. What is buffered stays.
    ///
    /// # Errors
    ///
    /// As [`sync`](LineReader::sync); and if the source was moved, so that the answer would be negative.
    fn stream_position(&mut self) -> io::Result<u64> {
        self.finish_line()?;
        let position = self.source.stream_position()?;
        let moved = || io::Error::other("the source was moved while bytes from it were buffered");
        position.checked_sub(self.buffer.unread().len() as u64).ok_or_else(moved)
    }
}

impl<R: Read> LineRead for LineReader<R> {
    as_inherent!();

    /// As [`LineRead::read_line_into`]; the line is taken only once there is room for it in `out`.
    fn read_line_into(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        if !self.buffer.is_popping() && !self.buffer.is_popping_odd() && !self.search()? {
            return Ok(0);
        }
        out.try_reserve(self.buffer.next_len())?;
        Ok(self.next_line()?.map_or(0, |line| line.append_to(out)))
    }
}

impl<R: fmt::Debug> fmt::Debug for LineReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineReader")
            .field("source", &self.source)
            .field("buffer", &format_args!("{}/{}", self.buffer().len(), self.capacity()))
            .field("offset", &self.offset())
            .field("line_number", &self.line_number())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
