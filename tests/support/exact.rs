//! Reads exactly from a descriptor that is written to by a schedule, and asks the descriptor itself after each
//! line whether a byte too many was taken.

// Each test crate uses a part of it.
#![allow(dead_code)]

use std::io::ErrorKind;

use wholeline::{ExactLineReader, OverLong};

use crate::descriptors::{Descriptor, Kind};
use crate::support::model::{Failure, Policy, Rules};
use crate::support::naive::{Ending, Line, Terminator, split};

/// What a pipe or a socket takes for sure.
const FITS: usize = 16 << 10;

/// What is read, and how.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) bytes: Vec<u8>,
    /// How many bytes are written at a time, always after all before them were asked for; the rest in pieces
    /// that fit. A file has all bytes from the start.
    pub(crate) pieces: Vec<usize>,
    pub(crate) rules: Rules,
    /// After so many lines or errors for a line's length, somebody else reads the rest.
    pub(crate) most: usize,
}

/// What a call is to give: the line with the terminator it stands with, and where its first byte and the first
/// byte of the next line stand.
struct Expected {
    line: Line,
    result: Result<(), Failure>,
    next: usize,
}

/// What the naive splitter finds, by the rules for long lines.
fn expected(case: &Case) -> Vec<Expected> {
    let Rules { terminator, limit, policy, .. } = case.rules;
    let mut all = Vec::new();
    for mut line in split(terminator, &case.bytes) {
        let next = line.offset as usize + line.whole.len();
        let mut result = Ok(());
        if let Some(limit) = limit.filter(|limit| line.content.len() > *limit) {
            match policy {
                Policy::Skip => continue,
                Policy::Error => {
                    result = Err(Failure::TooLong { offset: line.offset, number: line.number, limit });
                }
                Policy::Truncate => {
                    line.content.truncate(limit);
                    line.whole.truncate(limit);
                    line.ending = Ending::Limit;
                }
            }
        }
        all.push(Expected { line, result, next });
    }
    all
}

pub(crate) fn reader<F: std::os::fd::AsFd>(fd: F, rules: &Rules) -> ExactLineReader<F> {
    ExactLineReader::new(fd)
        .terminator(rules.terminator.of_the_crate())
        .max_line_len(rules.limit.unwrap_or(usize::MAX))
        .over_long(match rules.policy {
            Policy::Error => OverLong::Error,
            Policy::Skip => OverLong::Skip,
            Policy::Truncate => OverLong::Truncate,
        })
}

/// Panics where a line is not what it should be, or the descriptor does not hold exactly what is behind it.
pub(crate) fn check(kind: Kind, case: &Case) {
    let mut descriptor = Descriptor::new(kind);
    descriptor.set_nonblocking();
    let output =
        std::os::fd::AsFd::as_fd(&descriptor).try_clone_to_owned().expect("another descriptor for it");
    let mut reader = reader(output, &case.rules);

    let mut written = 0;
    let mut pieces = case.pieces.iter();
    if kind == Kind::File {
        descriptor.write(&case.bytes);
        written = case.bytes.len();
    }
    let mut expected = expected(case).into_iter();
    let mut count = 0;
    while count < case.most {
        // Where the line that was given may have ended.
        let ends = match reader.next_line() {
            Ok(Some(line)) => {
                let line = Line::from(line);
                let Some(Expected { line: right, result: Ok(()), next }) = expected.next() else {
                    panic!("{line:?} is not expected");
                };
                same(&line, &right, case.rules.terminator);
                let end = line.offset as usize + line.whole.len();
                end..=if line.ending == Ending::Limit { next } else { end }
            }
            Ok(None) => {
                assert!(written == case.bytes.len() && expected.next().is_none(), "an end too early");
                assert_eq!(descriptor.left(), 0, "an end that is not the end");
                break;
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock && written < case.bytes.len() => {
                assert_eq!(descriptor.left(), 0, "not all was asked for");
                assert!(case.bytes[..written].ends_with(reader.partial()), "what was taken is kept");
                let piece = *pieces.next().unwrap_or(&usize::MAX);
                let next = case.bytes.len().min(written + piece.clamp(1, FITS));
                descriptor.write(&case.bytes[written..next]);
                written = next;
                continue;
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                descriptor.close();
                continue;
            }
            Err(error) => {
                let failure = Failure::from(&error);
                let Some(Expected { line, result, next }) = expected.next() else {
                    panic!("{failure:?} is not expected");
                };
                assert_eq!(result, Err(failure));
                line.offset as usize..=next
            }
        };
        count += 1;
        assert!(reader.partial().is_empty(), "a whole line leaves nothing behind");
        let taken = written - descriptor.left();
        assert!(ends.contains(&taken), "{taken} bytes were taken for lines up to {ends:?}");
    }
    let taken = written - descriptor.left();
    let rest = descriptor.rest();
    assert_eq!(rest, case.bytes[taken..written], "what is left is what was not taken");
}

fn same(line: &Line, right: &Line, terminator: Terminator) {
    assert_eq!(
        (&line.content, line.offset, line.number),
        (&right.content, right.offset, right.number),
        "{line:?} {right:?}"
    );
    // Where a lone CR ends lines, it may be handed out before its LF is there.
    let without_lf = terminator == Terminator::Universal
        && right.ending == Ending::CrLf
        && line.ending == Ending::Delimiter
        && line.whole == right.whole[..right.whole.len() - 1];
    assert!(without_lf || (&line.whole, line.ending) == (&right.whole, right.ending), "{line:?} {right:?}");
}
