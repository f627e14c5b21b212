//! The whole contract of `LineReader`, slowly.
//!
//! The model does not read. It is given the record of what the reads of one call returned, replays them in
//! order, and panics where it needs a read that was not made; reads that are left over are found by
//! [`Model::all_reads_accounted_for`]. So it states how many reads each call makes, and depends on no buffer.

use std::collections::VecDeque;
use std::io::{ErrorKind, SeekFrom};
use std::mem::take;
use std::rc::Rc;

use super::naive::{Ending, Line, Span, Terminator, first_line};
use super::script::{Answer, Event};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    Error,
    Skip,
    Truncate,
}

/// What the builder was told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) terminator: Terminator,
    pub(crate) limit: Option<usize>,
    pub(crate) policy: Policy,
    pub(crate) follow: bool,
}

impl Rules {
    pub(crate) const fn plain(terminator: Terminator) -> Rules {
        Rules { terminator, limit: None, policy: Policy::Error, follow: false }
    }

    pub(crate) fn limited(limit: usize, policy: Policy) -> Rules {
        Rules { limit: Some(limit), policy, ..Rules::plain(Terminator::LF) }
    }

    /// The same thing for the crate, over a buffer of `capacity` bytes.
    pub(crate) fn builder(&self, capacity: usize) -> wholeline::LineReaderBuilder {
        let builder = wholeline::LineReaderBuilder::new()
            .capacity(capacity)
            .terminator(self.terminator.of_the_crate())
            .follow(self.follow)
            .over_long(match self.policy {
                Policy::Error => wholeline::OverLong::Error,
                Policy::Skip => wholeline::OverLong::Skip,
                Policy::Truncate => wholeline::OverLong::Truncate,
            });
        match self.limit {
            Some(limit) => builder.max_line_len(limit),
            None => builder,
        }
    }
}

/// An error, as far as it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Io(ErrorKind),
    TooLong { offset: u64, number: u64, limit: usize },
}

impl From<&std::io::Error> for Failure {
    fn from(error: &std::io::Error) -> Failure {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<wholeline::LineTooLong>()) {
            Some(too_long) => {
                assert_eq!(error.kind(), ErrorKind::InvalidData);
                Failure::TooLong {
                    offset: too_long.offset(),
                    number: too_long.number(),
                    limit: too_long.limit(),
                }
            }
            None => Failure::Io(error.kind()),
        }
    }
}

/// Whether a CR was the last thing taken under `Universal`, its LF perhaps still to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AfterCr {
    No,
    /// The CR ended a line that was handed out or dropped: its LF is nobody's.
    OfALine,
    /// The CR was taken as a byte: its LF is a byte too, but no line.
    AsAByte,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Lines,
    Bytes,
}

/// Where a read goes.
#[derive(Clone, Copy)]
enum Room {
    Buffer,
    /// The slice of a caller who wants as much as the buffer holds: so many bytes.
    Caller(usize),
    Either(usize),
}

/// What one step towards the next line comes to.
enum Turn {
    Line(Line),
    End,
    Again,
}

#[derive(Clone, Debug)]
pub(crate) struct Model {
    rules: Rules,
    stream: Rc<[u8]>,
    reads: VecDeque<Event>,
    unread: Vec<u8>,
    offset: u64,
    number: u64,
    skipped: u64,
    capacity: usize,
    /// The rest was handed out at end of input: the next call says end without a read.
    ended: bool,
    /// Inside an over-long line that was already dealt with.
    discarding: bool,
    after_cr: AfterCr,
    /// The same, whatever has been seen to follow since.
    last_taken: AfterCr,
}

impl Model {
    /// `stream` is what the source's record refers to.
    pub(crate) fn new(rules: Rules, capacity: usize, stream: impl Into<Rc<[u8]>>) -> Model {
        Model {
            rules,
            stream: stream.into(),
            reads: VecDeque::new(),
            unread: Vec::new(),
            offset: 0,
            number: 1,
            skipped: 0,
            capacity: capacity.max(1),
            ended: false,
            discarding: false,
            after_cr: AfterCr::No,
            last_taken: AfterCr::No,
        }
    }

    /// The reads that the call about to be modelled made.
    pub(crate) fn replay(&mut self, reads: Vec<Event>) {
        self.reads.extend(reads);
    }

    pub(crate) fn all_reads_accounted_for(&self) {
        assert!(self.reads.is_empty(), "these reads were not due: {:?}", self.reads);
    }

    // What a caller can ask without a read.

    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    pub(crate) fn line_number(&self) -> u64 {
        self.number
    }

    pub(crate) fn skipped(&self) -> u64 {
        self.skipped
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(crate) fn buffer(&self) -> &[u8] {
        &self.unread
    }

    /// The unread bytes after the last complete line.
    pub(crate) fn partial(&self) -> Vec<u8> {
        let unread = self.as_lines_see_it().unread;
        let mut rest = &unread[..];
        while let Some(span) = first_line(self.rules.terminator, rest) {
            rest = &rest[span.whole..];
        }
        rest.to_vec()
    }

    pub(crate) fn has_line(&self) -> bool {
        let unread = self.as_lines_see_it().unread;
        let mut rest = &unread[..];
        while let Some(span) = first_line(self.rules.terminator, rest) {
            if !self.too_long(span.content) || self.rules.policy != Policy::Skip {
                return true;
            }
            rest = &rest[span.whole..];
        }
        self.rules.policy != Policy::Skip && self.surely_too_long(rest)
    }

    fn as_lines_see_it(&self) -> Model {
        let mut model = self.clone();
        model.settle(Level::Lines);
        model
    }

    // Lines.

    pub(crate) fn next_line(&mut self) -> Result<Option<Line>, Failure> {
        if take(&mut self.ended) {
            return Ok(None);
        }
        loop {
            match self.turn()? {
                Turn::Line(line) => return Ok(Some(line)),
                Turn::End => return Ok(None),
                Turn::Again => {}
            }
        }
    }

    pub(crate) fn next_batch(&mut self) -> Result<Option<Vec<Line>>, Failure> {
        if take(&mut self.ended) {
            return Ok(None);
        }
        loop {
            self.settle(Level::Lines);
            let mut lines = Vec::new();
            while let Some(span) = self.first_line() {
                if self.too_long(span.content) {
                    break;
                }
                lines.push(self.take_line(span));
            }
            if !lines.is_empty() {
                return Ok(Some(lines));
            }
            match self.turn()? {
                Turn::Line(line) => return Ok(Some(vec![line])),
                Turn::End => return Ok(None),
                Turn::Again => {}
            }
        }
    }

    pub(crate) fn skip_lines(&mut self, lines: u64) -> Result<u64, Failure> {
        for skipped in 0..lines {
            if self.next_line()?.is_none() {
                return Ok(skipped);
            }
        }
        Ok(lines)
    }

    /// One step of `next_line`: hands out what is buffered, or else makes exactly one read.
    fn turn(&mut self) -> Result<Turn, Failure> {
        self.settle(Level::Lines);
        if let Some(span) = self.first_line() {
            return if self.too_long(span.content) {
                self.over_long(Some(span), false)
            } else {
                Ok(Turn::Line(self.take_line(span)))
            };
        }
        if self.surely_too_long(&self.unread) {
            self.discarding = true;
            return self.over_long(None, false);
        }
        if self.read(Room::Buffer)? {
            return Ok(Turn::Again);
        }
        if !self.rules.follow {
            self.discarding = false;
        }
        if self.unread.is_empty() || self.rules.follow {
            return Ok(Turn::End);
        }
        if self.too_long(self.unread.len()) {
            return self.over_long(None, true);
        }
        self.ended = true;
        let whole = self.unread.len();
        Ok(Turn::Line(self.take_line(Span { content: whole, whole, ending: Ending::Eof })))
    }

    /// Drops a line that is too long, or what is buffered of it.
    fn over_long(&mut self, span: Option<Span>, at_end: bool) -> Result<Turn, Failure> {
        let limit = self.rules.limit.expect("a line can only be too long for a limit");
        let (offset, number) = (self.offset, self.number);
        let all = Span { content: self.unread.len(), whole: self.unread.len(), ending: Ending::Limit };
        let dropped = self.take_line(span.unwrap_or(all));
        self.ended = at_end && self.rules.policy != Policy::Skip;
        match self.rules.policy {
            Policy::Error => Err(Failure::TooLong { offset, number, limit }),
            Policy::Truncate => {
                let content = dropped.whole[..limit].to_vec();
                let whole = content.clone();
                Ok(Turn::Line(Line { content, whole, ending: Ending::Limit, offset, number }))
            }
            Policy::Skip => {
                self.skipped += 1;
                Ok(if at_end { Turn::End } else { Turn::Again })
            }
        }
    }

    fn too_long(&self, content: usize) -> bool {
        self.rules.limit.is_some_and(|limit| content > limit)
    }

    /// Whether a line that begins so is too long whatever follows.
    fn surely_too_long(&self, begun: &[u8]) -> bool {
        // This CR may turn out to be half of a terminator.
        let undecided = self.rules.terminator == Terminator::CrLf && begun.last() == Some(&b'\r');
        self.too_long(begun.len() - usize::from(undecided))
    }

    fn first_line(&self) -> Option<Span> {
        first_line(self.rules.terminator, &self.unread)
    }

    fn take_line(&mut self, span: Span) -> Line {
        let (offset, number) = (self.offset, self.number);
        let whole = self.drop_front(span.whole);
        self.number += 1;
        let is_cr = self.rules.terminator == Terminator::Universal && whole.last() == Some(&b'\r');
        self.last_taken = if is_cr { AfterCr::OfALine } else { AfterCr::No };
        self.after_cr = if self.unread.is_empty() { self.last_taken } else { AfterCr::No };
        Line { content: whole[..span.content].to_vec(), whole, ending: span.ending, offset, number }
    }

    // Bytes.

    pub(crate) fn peek_byte(&mut self) -> Result<Option<u8>, Failure> {
        self.fill(None)?;
        Ok(self.unread.first().copied())
    }

    pub(crate) fn next_byte(&mut self) -> Result<Option<u8>, Failure> {
        let byte = self.peek_byte()?;
        self.consume(usize::from(byte.is_some()));
        Ok(byte)
    }

    pub(crate) fn fill_buf(&mut self) -> Result<Vec<u8>, Failure> {
        self.fill(None)?;
        Ok(self.unread.clone())
    }

    pub(crate) fn read_bytes(&mut self, most: usize) -> Result<Vec<u8>, Failure> {
        if most == 0 {
            return Ok(Vec::new());
        }
        self.fill(Some(most))?;
        Ok(self.consume(most.min(self.unread.len())))
    }

    pub(crate) fn consume(&mut self, count: usize) -> Vec<u8> {
        let bytes = self.drop_front(count);
        for &byte in &bytes {
            let second_half = self.after_cr == AfterCr::AsAByte && byte == b'\n';
            let ends_a_line = match self.rules.terminator {
                Terminator::Byte(delimiter) => byte == delimiter,
                Terminator::CrLf => byte == b'\n',
                Terminator::Universal => byte == b'\r' || (byte == b'\n' && !second_half),
            };
            self.number += u64::from(ends_a_line);
            let is_cr = self.rules.terminator == Terminator::Universal && byte == b'\r';
            self.last_taken = if is_cr { AfterCr::AsAByte } else { AfterCr::No };
            self.after_cr = self.last_taken;
        }
        bytes
    }

    /// Gets at least one byte into the buffer, unless the input is at its end.
    fn fill(&mut self, wanted: Option<usize>) -> Result<(), Failure> {
        if take(&mut self.ended) {
            return Ok(());
        }
        let wanted = match wanted {
            Some(size) if size < self.capacity => Room::Buffer,
            // Where something may have to be dropped from what arrives, it may go through the buffer first.
            Some(size) if self.discarding || self.last_taken == AfterCr::OfALine => Room::Either(size),
            Some(size) => Room::Caller(size),
            None => Room::Buffer,
        };
        loop {
            self.settle(Level::Bytes);
            if !self.unread.is_empty() {
                return Ok(());
            }
            if !self.read(wanted)? {
                if !self.rules.follow {
                    self.discarding = false;
                }
                return Ok(());
            }
        }
    }

    // Position.

    /// Goes to where `target` says from the position in the stream, which may be nowhere.
    pub(crate) fn seek(
        &mut self,
        to: SeekFrom,
        target: impl FnOnce(u64) -> Option<u64>,
    ) -> Result<u64, Failure> {
        if let SeekFrom::Current(_) = to {
            self.finish_line()?;
        }
        let offset = target(self.offset).ok_or(Failure::Io(ErrorKind::InvalidInput))?;
        self.unread.clear();
        if to != SeekFrom::Current(0) {
            self.offset = offset;
            self.number = 1;
            self.ended = false;
            self.discarding = false;
            self.after_cr = AfterCr::No;
            self.last_taken = AfterCr::No;
        }
        Ok(offset)
    }

    pub(crate) fn stream_position(&mut self) -> Result<u64, Failure> {
        self.finish_line()?;
        Ok(self.offset)
    }

    pub(crate) fn sync(&mut self) -> Result<(), Failure> {
        self.finish_line()?;
        self.unread.clear();
        Ok(())
    }

    /// Reads what belongs to a line that was dealt with already: the next unread byte is the one after that.
    fn finish_line(&mut self) -> Result<(), Failure> {
        self.settle(Level::Bytes);
        while self.discarding {
            if !self.read(Room::Buffer)? {
                self.discarding = self.rules.follow;
                return Ok(());
            }
            self.settle(Level::Bytes);
        }
        // Whether an LF follows may be looked up again where it was seen once, and what was seen dropped.
        let again = self.last_taken == AfterCr::OfALine && self.unread.is_empty() && !self.reads.is_empty();
        if self.after_cr == AfterCr::OfALine || again {
            self.read(Room::Buffer)?;
            self.settle(Level::Bytes);
        }
        Ok(())
    }

    pub(crate) fn reset(&mut self) {
        *self = Model {
            reads: take(&mut self.reads),
            ..Model::new(self.rules, self.capacity, self.stream.clone())
        };
    }

    pub(crate) fn shrink_to(&mut self, capacity: usize) {
        self.capacity = self.capacity.min(capacity.max(self.unread.len()).max(1));
    }

    // Beneath.

    fn drop_front(&mut self, count: usize) -> Vec<u8> {
        self.offset += count as u64;
        self.unread.drain(..count).collect()
    }

    /// Drops what nobody is to see of what is buffered: the rest of an over-long line, and the LF of a CR that
    /// already ended its line.
    fn settle(&mut self, level: Level) {
        if self.discarding {
            match self.first_line() {
                Some(span) => {
                    // Its number was used up when it was found to be too long.
                    self.take_line(span);
                    self.number -= 1;
                    self.discarding = false;
                }
                None => {
                    self.drop_front(self.unread.len());
                }
            }
        }
        let nobodys_lf =
            self.after_cr == AfterCr::OfALine || (self.after_cr == AfterCr::AsAByte && level == Level::Lines);
        if nobodys_lf && !self.unread.is_empty() {
            if self.unread[0] == b'\n' {
                self.drop_front(1);
                self.last_taken = AfterCr::No;
            }
            self.after_cr = AfterCr::No;
        }
    }

    /// Replays one read; `Ok(false)` is end of input.
    fn read(&mut self, room: Room) -> Result<bool, Failure> {
        loop {
            let event = self.reads.pop_front().expect("a read is due here, and was not made");
            self.check_size(event.asked, room);
            match event.answer {
                Answer::Failed(ErrorKind::Interrupted) => {}
                Answer::Failed(kind) => return Err(Failure::Io(kind)),
                Answer::Lied => return Err(Failure::Io(ErrorKind::Other)),
                Answer::End => return Ok(false),
                Answer::Data { from, len } => {
                    self.unread.extend_from_slice(&self.stream[from..from + len]);
                    return Ok(true);
                }
            }
        }
    }

    /// A read asks for all the room there is beside the unread bytes, and room is only made where there is none.
    fn check_size(&mut self, asked: usize, room: Room) {
        match room {
            Room::Caller(size) => {
                return assert_eq!(asked, size, "the caller's own slice is what is read into");
            }
            Room::Either(size) if asked == size => return,
            _ => {}
        }
        let unread = self.unread.len();
        if unread < self.capacity {
            assert_eq!(asked, self.capacity - unread, "{unread} of {} bytes are unread", self.capacity);
        } else {
            let grown = unread + asked;
            // A small buffer doubles. How fast a large one grows is its own affair, within reason.
            let times = if self.capacity < 4096 { 2 } else { 4 };
            assert!(grown <= times * self.capacity, "grown from {} to {grown}", self.capacity);
            if let Some(limit) = self.rules.limit {
                assert!(grown <= self.capacity.max(limit.saturating_add(64)), "grown to {grown} for {limit}");
            }
            self.capacity = grown;
        }
    }
}
