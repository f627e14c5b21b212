//! What a reader promises, one file a promise: each of these tests fails without it.

mod support;

#[path = "contract/bytes.rs"]
mod bytes;
#[path = "contract/distrust.rs"]
mod distrust;
#[path = "contract/end.rs"]
mod end;
#[path = "contract/errors.rs"]
mod errors;
#[path = "contract/into_lines.rs"]
mod into_lines;
#[path = "contract/limits.rs"]
mod limits;
#[path = "contract/panics.rs"]
mod panics;
#[path = "contract/refill.rs"]
mod refill;
#[path = "contract/reset.rs"]
mod reset;
#[path = "contract/seek.rs"]
mod seek;
#[path = "contract/values.rs"]
mod values;

use std::io::{self, BufRead, Read};

use wholeline::{Ending, LineReader};

use support::model::{Policy, Rules};
use support::naive::Terminator;
use support::script::{Act, Source};

const LF: Rules = Rules::plain(Terminator::LF);
const CRLF: Rules = Rules::plain(Terminator::CrLf);
const UNIVERSAL: Rules = Rules::plain(Terminator::Universal);
const FOLLOW: Rules = Rules { follow: true, ..LF };

fn at_most(limit: usize, policy: Policy) -> Rules {
    Rules { limit: Some(limit), policy, ..LF }
}

/// A reader that plays a schedule through a buffer of 4096 bytes.
fn play(rules: Rules, acts: &[Act<'_>]) -> LineReader<Source> {
    rules.builder(4096).build(Source::play(acts))
}

fn reads(reader: &LineReader<Source>) -> usize {
    reader.get_ref().trace().len()
}

/// The next line must be this one.
#[track_caller]
fn gives<R: Read>(reader: &mut LineReader<R>, content: impl AsRef<[u8]>, offset: u64, number: u64) -> Ending {
    let line = reader.next_line().expect("a line, not an error").expect("a line, not the end");
    assert_eq!((line.as_bytes(), line.offset(), line.number()), (content.as_ref(), offset, number));
    line.ending()
}

#[track_caller]
fn ends<R: Read>(reader: &mut LineReader<R>) {
    assert!(reader.next_line().expect("the end, not an error").is_none(), "the end, not a line");
}

/// Each call that may read, without what it gives.
type Asks = fn(&mut LineReader<Source>) -> io::Result<()>;

const CALLS_FOR_LINES: [(&str, Asks); 6] = [
    ("next_line", |reader| reader.next_line().map(drop)),
    ("next_batch", |reader| reader.next_batch().map(drop)),
    ("for_each_line", |reader| reader.for_each_line(|_| {})),
    ("try_for_each_line", |reader| {
        reader.try_for_each_line(|_| Ok::<_, io::Error>(std::ops::ControlFlow::Break(())))
    }),
    ("read_line_into", |reader| wholeline::LineRead::read_line_into(reader, &mut Vec::new()).map(drop)),
    ("skip_lines", |reader| reader.skip_lines(1).map(drop)),
];

const CALLS_FOR_BYTES: [(&str, Asks); 4] = [
    ("peek_byte", |reader| reader.peek_byte().map(drop)),
    ("next_byte", |reader| reader.next_byte().map(drop)),
    ("fill_buf", |reader| reader.fill_buf().map(drop)),
    ("read", |reader| reader.read(&mut [0; 8]).map(drop)),
];

fn calls_that_read() -> impl Iterator<Item = (&'static str, Asks)> {
    CALLS_FOR_LINES.into_iter().chain(CALLS_FOR_BYTES)
}
