//! What a reader allocates.

use std::fs::File;
use std::io;
use std::mem::size_of;

use wholeline::LineReader;
use wholeline_benches::{Fold, Input, loops};

use crate::allocator::{Usage, counted, usage};
use wholeline_benches::bars::Row;

/// The buffer, the index, and a little for the fields of the reader itself.
const MOST: usize = (64 << 10) + (16 << 10) + FIELDS;
const FIELDS: usize = 512;

type Loop = fn(LineReader<File>) -> io::Result<Fold>;

/// A reader as it comes, on an input whose lines fit its buffer.
pub(crate) fn rows(input: &Input) -> io::Result<Vec<Row>> {
    let loops: [(&str, Loop); 3] = [
        ("next_line", loops::next_line),
        ("for_each_line", loops::for_each_line),
        ("next_batch", loops::next_batch),
    ];
    let mut rows = Vec::new();
    if input.name() == "words" {
        for (name, measured) in loops {
            let (first, all) = allocations(input.open()?, measured)?;
            rows.extend(judged(input.name(), name, first, all));
        }
    }
    Ok(rows)
}

/// After the first line, and after the last.
fn allocations(file: File, measured: Loop) -> io::Result<(Usage, Usage)> {
    counted(|| {
        let mut reader = LineReader::new(file);
        reader.next_line()?;
        let first = usage();
        measured(reader)?;
        Ok((first, usage()))
    })
}

fn judged(input: &'static str, name: &str, first: Usage, all: Usage) -> [Row; 2] {
    let bytes = all.peak + size_of::<LineReader<File>>();
    let calls = all.calls - first.calls;
    [
        Row {
            input,
            what: format!("{name}, memory"),
            wanted: format!("≤ 64 KiB + 16 KiB + {FIELDS} bytes of fields"),
            measured: format!("{bytes} B"),
            missed: bytes as f64 / MOST as f64 - 1.0,
        },
        Row {
            input,
            what: format!("{name}, memory"),
            wanted: "no allocation after the first line".to_owned(),
            measured: calls.to_string(),
            missed: calls as f64,
        },
    ]
}
