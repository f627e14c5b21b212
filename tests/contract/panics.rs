//! A panic in a callback: the line it was given is consumed, and the reader goes on with the next.

use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use wholeline::{LineRead, LineReader};

use super::{UNIVERSAL, at_most, ends, gives};
use crate::support::model::Policy::{Skip, Truncate};

const LINES: [&str; 4] = ["a", "", "ccc", "dd"];

/// Calls back until line `at`, which makes it panic.
fn panic_at(at: u64, call: impl FnOnce(&mut dyn FnMut(wholeline::Line<'_>))) {
    let mut last = 0;
    let caught = catch_unwind(AssertUnwindSafe(|| {
        call(&mut |line| {
            last = line.number();
            if last == at {
                // Unwinds without the message that a test run would show.
                std::panic::resume_unwind(Box::new(()));
            }
        });
    }));
    assert!(caught.is_err());
    assert_eq!(last, at);
}

fn input() -> String {
    LINES.join("\n") + "\n"
}

/// The lines after the one with number `at` are all there.
#[track_caller]
fn goes_on_after(at: u64, reader: &mut LineReader<&[u8]>) {
    let mut offset: u64 = LINES[..at as usize].iter().map(|line| line.len() as u64 + 1).sum();
    assert_eq!((reader.offset(), reader.line_number()), (offset, at + 1));
    for (number, line) in (1..).zip(LINES).skip(at as usize) {
        gives(reader, line, offset, number);
        offset += line.len() as u64 + 1;
    }
    ends(reader);
}

#[test]
fn in_for_each_line() {
    for at in 1..=4 {
        for capacity in [1, 3, 4096] {
            let input = input();
            let mut reader = LineReader::with_capacity(capacity, input.as_bytes());
            panic_at(at, |f| reader.for_each_line(f).unwrap());
            goes_on_after(at, &mut reader);
        }
    }
}

#[test]
fn in_try_for_each_line() {
    let input = input();
    for at in 1..=4 {
        for capacity in [1, 3, 4096] {
            let mut reader = LineReader::with_capacity(capacity, input.as_bytes());
            panic_at(at, |f| {
                let mut f = |line: wholeline::Line<'_>| {
                    f(line);
                    Ok::<_, io::Error>(ControlFlow::Continue(()))
                };
                reader.try_for_each_line(&mut f).unwrap();
            });
            goes_on_after(at, &mut reader);
        }
    }
}

#[test]
fn in_the_trait_s_own_way() {
    struct OnlyNextLine<'a>(LineReader<&'a [u8]>);
    impl LineRead for OnlyNextLine<'_> {
        fn next_line(&mut self) -> io::Result<Option<wholeline::Line<'_>>> {
            self.0.next_line()
        }
    }
    let input = input();
    for at in 1..=4 {
        let mut reader = OnlyNextLine(LineReader::new(input.as_bytes()));
        panic_at(at, |f| reader.for_each_line(f).unwrap());
        goes_on_after(at, &mut reader.0);
    }
}

#[test]
fn over_the_last_line() {
    let mut reader = LineReader::new(&b"a\nrest"[..]);
    panic_at(2, |f| reader.for_each_line(f).unwrap());
    assert_eq!((reader.offset(), reader.line_number(), reader.buffer()), (6, 3, &b""[..]));
    ends(&mut reader);
}

#[test]
fn over_a_line_that_is_cut() {
    let mut reader = at_most(3, Truncate).builder(4).build(&b"abcdefgh\nx\n"[..]);
    panic_at(1, |f| reader.for_each_line(f).unwrap());
    gives(&mut reader, "x", 9, 2);
}

#[test]
fn after_a_line_that_was_skipped() {
    let mut reader = at_most(3, Skip).builder(64).build(&b"abcdefgh\nx\ny\n"[..]);
    panic_at(2, |f| reader.for_each_line(f).unwrap());
    assert_eq!(reader.skipped(), 1);
    gives(&mut reader, "y", 11, 3);
}

#[test]
fn between_a_cr_and_its_lf() {
    for capacity in [1, 2, 64] {
        let mut reader = UNIVERSAL.builder(capacity).build(&b"a\r\nb\rc\n"[..]);
        panic_at(1, |f| reader.for_each_line(f).unwrap());
        gives(&mut reader, "b", 3, 2);
        panic_at(3, |f| reader.for_each_line(f).unwrap());
        ends(&mut reader);
    }
}

/// Leaving early without a panic consumes the line just the same.
#[test]
fn breaking_off_is_no_different() {
    let input = input();
    for at in 1..=4 {
        let mut reader = LineReader::with_capacity(3, input.as_bytes());
        let broke = reader.try_for_each_line(|line| {
            Ok::<_, io::Error>(if line.number() == at {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        });
        broke.unwrap();
        goes_on_after(at, &mut reader);
    }
}
