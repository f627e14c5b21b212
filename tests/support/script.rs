//! A source that does what a schedule says, call by call, and keeps a record of what it did.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::rc::Rc;

/// What a call of `read` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Gives the next so many bytes. Where the caller's slice is smaller it gives what fits, and the rest comes
    /// on the next call, never merged with the next step. Says end where no byte is left.
    Give(usize),
    /// Gives whatever fits for as long as there is something, then says end for ever.
    Rest,
    Fail(ErrorKind),
    End,
    /// Claims that many bytes more than were asked for.
    Lie(usize),
    /// Fails the test.
    MustNotBeCalled,
}

/// The notation of the cases: data, error, end of input, must not be called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act<'a> {
    D(&'a [u8]),
    E(ErrorKind),
    Z,
    Block,
}

/// One call of `read` that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) asked: usize,
    pub(crate) answer: Answer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// So many bytes of the stream, from this position.
    Data {
        from: usize,
        len: usize,
    },
    Failed(ErrorKind),
    End,
    Lied,
}

/// The record of a source's calls; readable after the source was moved into a reader.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace(Rc<RefCell<Vec<Event>>>);

impl Trace {
    pub(crate) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    pub(crate) fn since(&self, mark: usize) -> Vec<Event> {
        self.0.borrow()[mark..].to_vec()
    }

    /// The sizes that were asked for, call by call.
    pub(crate) fn asked(&self) -> Vec<usize> {
        self.0.borrow().iter().map(|event| event.asked).collect()
    }
}

/// The bytes of a stream, a plan for giving them out, and the record. Seeking moves the place in the bytes and
/// leaves the plan where it is.
#[derive(Debug)]
pub(crate) struct Source {
    bytes: Rc<[u8]>,
    position: u64,
    plan: VecDeque<Step>,
    trace: Trace,
}

impl Source {
    /// After the plan: end of input for ever.
    pub(crate) fn new(bytes: impl Into<Rc<[u8]>>, plan: impl IntoIterator<Item = Step>) -> Source {
        // To give nothing would be to say end.
        let plan = plan.into_iter().filter(|step| *step != Step::Give(0)).collect();
        Source { bytes: bytes.into(), position: 0, plan, trace: Trace::default() }
    }

    /// All bytes, as many a read as are asked for.
    pub(crate) fn whole(bytes: &[u8]) -> Source {
        Source::new(bytes, [Step::Rest])
    }

    pub(crate) fn play(acts: &[Act<'_>]) -> Source {
        let mut bytes = Vec::new();
        let mut plan = Vec::new();
        for act in acts {
            plan.push(match *act {
                Act::D(data) => {
                    bytes.extend_from_slice(data);
                    Step::Give(data.len())
                }
                Act::E(kind) => Step::Fail(kind),
                Act::Z => Step::End,
                Act::Block => Step::MustNotBeCalled,
            });
        }
        Source::new(bytes, plan)
    }

    pub(crate) fn trace(&self) -> Trace {
        self.trace.clone()
    }

    /// Where a read would take its next byte from.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Gives up to `most` bytes, the step staying for what is left of it.
    fn give(&mut self, most: usize, dst: &mut [u8]) -> Answer {
        let from = self.position as usize;
        let left = self.bytes.get(from..).unwrap_or_default();
        let len = most.min(left.len()).min(dst.len());
        dst[..len].copy_from_slice(&left[..len]);
        self.position += len as u64;
        if len == 0 { Answer::End } else { Answer::Data { from, len } }
    }

    fn answer(&mut self, dst: &mut [u8]) -> Answer {
        let Some(step) = self.plan.pop_front() else { return Answer::End };
        match step {
            Step::Give(most) => {
                let answer = self.give(most, dst);
                match answer {
                    Answer::Data { len, .. } if len < most => self.plan.push_front(Step::Give(most - len)),
                    _ => {}
                }
                answer
            }
            Step::Rest => {
                self.plan.push_front(Step::Rest);
                self.give(usize::MAX, dst)
            }
            Step::Fail(kind) => Answer::Failed(kind),
            Step::End => Answer::End,
            Step::Lie(_) => Answer::Lied,
            Step::MustNotBeCalled => {
                // Stays, so that a reader that swallowed the panic is caught at its next call too.
                self.plan.push_front(Step::MustNotBeCalled);
                panic!("the source was read from where it must not be");
            }
        }
    }
}

impl Read for Source {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        assert!(!dst.is_empty(), "the source was asked for no bytes, which would look like the end of input");
        let lie = match self.plan.front() {
            Some(Step::Lie(more)) => dst.len().saturating_add(*more),
            _ => 0,
        };
        let answer = self.answer(dst);
        self.trace.0.borrow_mut().push(Event { asked: dst.len(), answer });
        match answer {
            Answer::Data { len, .. } => Ok(len),
            Answer::Failed(kind) => Err(kind.into()),
            Answer::End => Ok(0),
            Answer::Lied => Ok(lie),
        }
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => (self.bytes.len() as u64).checked_add_signed(by),
        };
        self.position = position.ok_or(ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}
