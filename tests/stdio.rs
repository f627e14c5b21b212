//! C streams: what they share with C code, with other threads and with a terminal, and what they report. What they
//! read is the matter of tests/conformance.rs.
#![cfg(all(target_os = "linux", feature = "stdio"))]

#[path = "stdio/end.rs"]
mod end;
#[path = "stdio/errors.rs"]
mod errors;
#[path = "stdio/interleaving.rs"]
mod interleaving;
#[path = "stdio/options.rs"]
mod options;
#[path = "support/pipe.rs"]
mod pipe;
#[path = "support/signals.rs"]
mod signals;
#[path = "support/stdio.rs"]
mod stdio;
#[path = "stdio/stream.rs"]
mod stream;
mod support;
#[path = "stdio/terminal.rs"]
mod terminal;
#[path = "stdio/threads.rs"]
mod threads;

use wholeline::stdio::{Backend, StdioReader};

/// Each way that this build has.
fn each(test: impl Fn(Backend)) {
    for &backend in Backend::available() {
        println!("{backend:?}");
        test(backend);
    }
}

/// The content of the next line.
#[track_caller]
fn next(reader: &mut StdioReader) -> Option<Vec<u8>> {
    reader.next_line().expect("a line or the end").map(|line| line.to_vec())
}

#[track_caller]
fn gives(reader: &mut StdioReader, content: impl AsRef<[u8]>, offset: u64, number: u64) {
    let line = reader.next_line().expect("a line").expect("not the end");
    assert_eq!((line.as_bytes(), line.offset(), line.number()), (content.as_ref(), offset, number));
}

#[track_caller]
fn fails(reader: &mut StdioReader, code: i32) {
    let error = reader.next_line().expect_err("an error");
    assert_eq!(error.raw_os_error(), Some(code), "{error:?}");
}
