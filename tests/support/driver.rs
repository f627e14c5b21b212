//! Runs a `LineReader` and the model side by side through a script of calls, and compares them after each.

use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use wholeline::{LineRead, LineReader};

use super::model::{Failure, Model, Rules};
use super::naive::Line;
use super::script::{Source, Step, Trace};

/// What the caller does next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Call {
    NextLine,
    NextBatch,
    ForEachLine,
    /// Stops at the line with this index, by `Break` or by an error of the caller's own.
    TryForEachLine {
        stop: usize,
        fail: bool,
    },
    ReadLineInto,
    /// So many calls of `next` on a fresh iterator.
    IntoLines(usize),
    SkipLines(u64),
    PeekByte,
    NextByte,
    FillBuf,
    /// As much of what is buffered as this, in bytes.
    Consume(usize),
    Read(usize),
    ReadUntil(u8),
    Seek(SeekFrom),
    StreamPosition,
    Sync,
    ShrinkTo(usize),
    /// On to a new source with the same bytes and no more surprises.
    Reset,
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) bytes: Vec<u8>,
    pub(crate) plan: Vec<Step>,
    pub(crate) capacity: usize,
    pub(crate) rules: Rules,
    pub(crate) calls: Vec<Call>,
}

/// What a call gave, as far as it is compared.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Nothing,
    Line(Option<Line>),
    Batch(Option<Vec<Line>>),
    /// The lines a callback saw, and how the call ended.
    Lines(Vec<Line>, Stop),
    Contents(Vec<Option<Result<Vec<u8>, Failure>>>),
    Count(u64),
    Byte(Option<u8>),
    Bytes(Vec<u8>),
    /// The bytes that came before the error.
    Cut(Vec<u8>, Failure),
    Failed(Failure),
}

#[derive(Debug, PartialEq, Eq)]
enum Stop {
    End,
    Break,
    Own,
    Failed(Failure),
}

enum CallersError {
    Io(io::Error),
    Own,
}

impl From<io::Error> for CallersError {
    fn from(error: io::Error) -> CallersError {
        CallersError::Io(error)
    }
}

/// Fails where the reader and the model differ in a result, a state that can be asked for, or a read.
pub(crate) fn run(case: &Case) {
    let source = Source::new(case.bytes.clone(), case.plan.iter().copied());
    let mut side_by_side = SideBySide {
        bytes: &case.bytes,
        trace: source.trace(),
        reader: case.rules.builder(case.capacity).build(source),
        model: Model::new(case.rules, case.capacity, &case.bytes[..]),
    };
    side_by_side.compare("nothing yet");
    for (index, &call) in case.calls.iter().enumerate() {
        side_by_side.step(index, call);
    }
    // Whatever the script left must still be there.
    let mut ends = 0;
    while ends < 2 {
        let outcome = side_by_side.step(case.calls.len(), Call::ForEachLine);
        ends += usize::from(matches!(outcome, Outcome::Lines(_, Stop::End)));
    }
    let (_, left) = side_by_side.reader.into_parts();
    assert_eq!(left, side_by_side.model.buffer(), "into_parts");
}

struct SideBySide<'a> {
    bytes: &'a [u8],
    trace: Trace,
    reader: LineReader<Source>,
    model: Model,
}

impl SideBySide<'_> {
    fn step(&mut self, index: usize, call: Call) -> Outcome {
        let name = format!("call {index}, {call:?}");
        let _told = TellWhere(&name);
        let mark = self.trace.len();
        let outcome = self.ask_the_reader(call);
        self.model.replay(self.trace.since(mark));
        let expected = self.ask_the_model(call);
        assert_eq!(outcome, expected, "{name}: the reader's outcome (left) is not the model's (right)");
        self.model.all_reads_accounted_for();
        if let Call::Reset = call {
            self.trace = self.reader.get_ref().trace();
        }
        self.compare(&name);
        outcome
    }

    /// Everything that can be asked without a read.
    fn compare(&self, after: &str) {
        let (reader, model) = (&self.reader, &self.model);
        let mark = self.trace.len();
        assert_eq!(reader.offset(), model.offset(), "offset() after {after}");
        assert_eq!(reader.line_number(), model.line_number(), "line_number() after {after}");
        assert_eq!(reader.buffer(), model.buffer(), "buffer() after {after}");
        assert_eq!(reader.partial(), model.partial(), "partial() after {after}");
        assert_eq!(reader.has_line(), model.has_line(), "has_line() after {after}");
        assert_eq!(reader.skipped(), model.skipped(), "skipped() after {after}");
        assert_eq!(reader.capacity(), model.capacity(), "capacity() after {after}");
        assert_eq!(self.trace.len(), mark, "asking for the state after {after} made a read");
    }

    fn ask_the_reader(&mut self, call: Call) -> Outcome {
        let reader = &mut self.reader;
        match call {
            Call::NextLine => match reader.next_line() {
                Ok(line) => Outcome::Line(line.map(Line::from)),
                Err(error) => Outcome::Failed((&error).into()),
            },
            Call::NextBatch => match reader.next_batch() {
                Ok(batch) => Outcome::Batch(batch.map(taken_apart)),
                Err(error) => Outcome::Failed((&error).into()),
            },
            Call::ForEachLine => {
                let mut lines = Vec::new();
                let result = reader.for_each_line(|line| lines.push(line.into()));
                Outcome::Lines(
                    lines,
                    result.map_or_else(|error| Stop::Failed((&error).into()), |()| Stop::End),
                )
            }
            Call::TryForEachLine { stop, fail } => {
                let mut lines = Vec::new();
                let mut stopped = false;
                let result = reader.try_for_each_line(|line| {
                    lines.push(line.into());
                    stopped = lines.len() > stop;
                    match (stopped, fail) {
                        (false, _) => Ok(ControlFlow::Continue(())),
                        (true, false) => Ok(ControlFlow::Break(())),
                        (true, true) => Err(CallersError::Own),
                    }
                });
                let stop = match result {
                    Ok(()) if stopped => Stop::Break,
                    Ok(()) => Stop::End,
                    Err(CallersError::Own) => Stop::Own,
                    Err(CallersError::Io(error)) => Stop::Failed((&error).into()),
                };
                Outcome::Lines(lines, stop)
            }
            Call::ReadLineInto => {
                let mut out = b"kept".to_vec();
                let result = reader.read_line_into(&mut out);
                let appended = out.strip_prefix(b"kept").expect("what was in the Vec stays").to_vec();
                match result {
                    Ok(count) => {
                        assert_eq!(count, appended.len());
                        Outcome::Bytes(appended)
                    }
                    Err(error) => Outcome::Cut(appended, (&error).into()),
                }
            }
            Call::IntoLines(count) => {
                let mut lines = reader.into_lines();
                let mut next = || {
                    let line = lines.next()?;
                    Some(line.map(Vec::from).map_err(|error| (&error).into()))
                };
                Outcome::Contents((0..count).map(|_| next()).collect())
            }
            Call::SkipLines(lines) => counted(reader.skip_lines(lines)),
            Call::PeekByte => byte(reader.peek_byte()),
            Call::NextByte => byte(reader.next_byte()),
            Call::FillBuf => match reader.fill_buf() {
                Ok(bytes) => Outcome::Bytes(bytes.to_vec()),
                Err(error) => Outcome::Failed((&error).into()),
            },
            Call::Consume(count) => {
                reader.consume(count.min(reader.buffer().len()));
                Outcome::Nothing
            }
            Call::Read(most) => {
                let mut dst = vec![0; most];
                match reader.read(&mut dst) {
                    Ok(count) => Outcome::Bytes(dst[..count].to_vec()),
                    Err(error) => Outcome::Failed((&error).into()),
                }
            }
            Call::ReadUntil(delimiter) => {
                let mut out = Vec::new();
                match reader.read_until(delimiter, &mut out) {
                    Ok(count) => {
                        assert_eq!(count, out.len());
                        Outcome::Bytes(out)
                    }
                    Err(error) => Outcome::Cut(out, (&error).into()),
                }
            }
            Call::Seek(to) => counted(reader.seek(to)),
            Call::StreamPosition => counted(reader.stream_position()),
            Call::Sync => match reader.sync() {
                Ok(()) => {
                    assert_eq!(reader.get_ref().position(), reader.offset(), "where sync left the source");
                    Outcome::Nothing
                }
                Err(error) => Outcome::Failed((&error).into()),
            },
            Call::ShrinkTo(capacity) => {
                reader.shrink_to(capacity);
                Outcome::Nothing
            }
            Call::Reset => {
                let old = reader.reset(Source::whole(self.bytes));
                assert_eq!(old.trace().len(), self.trace.len(), "reset gives the old source back");
                Outcome::Nothing
            }
        }
    }

    fn ask_the_model(&mut self, call: Call) -> Outcome {
        let model = &mut self.model;
        match call {
            Call::NextLine => model.next_line().map_or_else(Outcome::Failed, Outcome::Line),
            Call::NextBatch => model.next_batch().map_or_else(Outcome::Failed, Outcome::Batch),
            Call::ForEachLine => lines_until(model, usize::MAX, Stop::End),
            Call::TryForEachLine { stop, fail } => {
                lines_until(model, stop, if fail { Stop::Own } else { Stop::Break })
            }
            Call::ReadLineInto => match model.next_line() {
                Ok(line) => Outcome::Bytes(line.map(|line| line.whole).unwrap_or_default()),
                Err(failure) => Outcome::Cut(Vec::new(), failure),
            },
            Call::IntoLines(count) => {
                let mut over = false;
                let mut next = || {
                    if over {
                        return None;
                    }
                    let line = model.next_line().map(|line| line.map(|line| line.content)).transpose()?;
                    over = line.as_ref().is_err_and(|failure| !retrying_helps(*failure));
                    Some(line)
                };
                Outcome::Contents((0..count).map(|_| next()).collect())
            }
            Call::SkipLines(lines) => model.skip_lines(lines).map_or_else(Outcome::Failed, Outcome::Count),
            Call::PeekByte => model.peek_byte().map_or_else(Outcome::Failed, Outcome::Byte),
            Call::NextByte => model.next_byte().map_or_else(Outcome::Failed, Outcome::Byte),
            Call::FillBuf => model.fill_buf().map_or_else(Outcome::Failed, Outcome::Bytes),
            Call::Consume(count) => {
                model.consume(count.min(model.buffer().len()));
                Outcome::Nothing
            }
            Call::Read(most) => model.read_bytes(most).map_or_else(Outcome::Failed, Outcome::Bytes),
            Call::ReadUntil(delimiter) => read_until(model, delimiter),
            Call::Seek(to) => {
                let target = |here: u64| match to {
                    SeekFrom::Start(offset) => Some(offset),
                    SeekFrom::Current(by) => here.checked_add_signed(by),
                    SeekFrom::End(by) => (self.bytes.len() as u64).checked_add_signed(by),
                };
                model.seek(to, target).map_or_else(Outcome::Failed, Outcome::Count)
            }
            Call::StreamPosition => model.stream_position().map_or_else(Outcome::Failed, Outcome::Count),
            Call::Sync => model.sync().map_or_else(Outcome::Failed, |()| Outcome::Nothing),
            Call::ShrinkTo(capacity) => {
                model.shrink_to(capacity);
                Outcome::Nothing
            }
            Call::Reset => {
                model.reset();
                Outcome::Nothing
            }
        }
    }
}

/// The lines of a batch; on the way `as_bytes()` must be what has not been handed out.
fn taken_apart(mut batch: wholeline::Lines<'_>) -> Vec<Line> {
    let mut left = batch.as_bytes();
    let mut lines = Vec::new();
    while let Some(line) = batch.next() {
        assert_eq!(line.with_terminator(), &left[..line.with_terminator().len()]);
        left = &left[line.with_terminator().len()..];
        assert_eq!(batch.as_bytes(), left);
        lines.push(line.into());
    }
    assert!(left.is_empty(), "a batch is made of its lines and nothing else");
    lines
}

fn counted(result: io::Result<u64>) -> Outcome {
    result.map_or_else(|error| Outcome::Failed((&error).into()), Outcome::Count)
}

fn byte(result: io::Result<Option<u8>>) -> Outcome {
    result.map_or_else(|error| Outcome::Failed((&error).into()), Outcome::Byte)
}

fn lines_until(model: &mut Model, stop: usize, stopped: Stop) -> Outcome {
    let mut lines = Vec::new();
    loop {
        match model.next_line() {
            Ok(Some(line)) => lines.push(line),
            Ok(None) => return Outcome::Lines(lines, Stop::End),
            Err(failure) => return Outcome::Lines(lines, Stop::Failed(failure)),
        }
        if lines.len() > stop {
            return Outcome::Lines(lines, stopped);
        }
    }
}

/// What std's `read_until` does with the two calls it is made of.
fn read_until(model: &mut Model, delimiter: u8) -> Outcome {
    let mut out = Vec::new();
    loop {
        let buffered = match model.fill_buf() {
            Ok(buffered) => buffered,
            Err(failure) => return Outcome::Cut(out, failure),
        };
        let found = buffered.iter().position(|&byte| byte == delimiter);
        let used = found.map_or(buffered.len(), |at| at + 1);
        out.extend(model.consume(used));
        if found.is_some() || used == 0 {
            return Outcome::Bytes(out);
        }
    }
}

fn retrying_helps(failure: Failure) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(failure, Failure::TooLong { .. } | Failure::Io(WouldBlock | TimedOut | Interrupted))
}

/// Says which call it was when the model or the source panics.
struct TellWhere<'a>(&'a str);

impl Drop for TellWhere<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("in {}", self.0);
        }
    }
}
