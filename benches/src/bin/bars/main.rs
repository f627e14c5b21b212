//! Ratios, not times: every contestant in one process, in interleaved rounds, then PERFORMANCE's bars and
//! how far they were met.

mod allocator;
mod memory;

use std::io;
use std::process::ExitCode;

use wholeline_benches::bars::{self, Bar, Faster, Slower};
use wholeline_benches::options::{self, Options};
use wholeline_benches::race::race;
use wholeline_benches::{Input, contestants, inputs, table};

/// The peers that read, of which the fastest counts.
const PEERS: &[&str] = &["bstr", "linereader", "ripline"];
/// The peers that walk a slice, likewise.
const SLICES: &[&str] = &["bstr lines", "memchr_iter", "stringzilla"];
const MAPPED: &[&str] = &["bstr lines, mapped", "memchr_iter, mapped", "stringzilla, mapped"];

/// Every input that lines can be slow on.
const ALL: &[&str] = &["words", "packages", "mixed", "packed-refs", "64k", "empty", "file"];
const NEXT_LINE: &[&str] = &["next_line"];
const INNER: &[&str] = &["for_each_line", "next_batch"];

const BARS: &[Bar] = &[
    (&["words", "packages"], NEXT_LINE, Faster(2.0), PEERS),
    (&["mixed"], NEXT_LINE, Faster(2.3), PEERS),
    (&["packed-refs"], NEXT_LINE, Faster(1.2), PEERS),
    (&["64k"], NEXT_LINE, Faster(0.97), PEERS),
    (&["empty"], NEXT_LINE, Faster(2.5), PEERS),
    (&["words", "mixed"], NEXT_LINE, Faster(4.5), &["std read_until"]),
    (&["packages"], NEXT_LINE, Faster(4.0), &["std read_until"]),
    (&["packed-refs"], NEXT_LINE, Faster(2.2), &["std read_until"]),
    (&["words", "packages", "mixed"], NEXT_LINE, Faster(7.0), &["std lines"]),
    (&["words", "packages"], INNER, Faster(2.3), PEERS),
    (&["mixed"], INNER, Faster(2.6), PEERS),
    (&["packed-refs"], INNER, Faster(1.3), PEERS),
    (ALL, INNER, Faster(1.0), NEXT_LINE),
    (ALL, &["LineRange next_line"], Faster(0.97), NEXT_LINE),
    (ALL, &["LineRange for_each_line"], Faster(0.97), &["for_each_line"]),
    (&["mixed"], &["for_each_line"], Slower(1.3), &["read + count"]),
    (&["packed-refs"], &["for_each_line"], Slower(1.15), &["read + count"]),
    (&["packages"], &["for_each_line"], Slower(1.65), &["read + count"]),
    (&["words", "mixed"], &["Lines"], Faster(2.0), SLICES),
    (&["packages"], &["Lines"], Faster(1.8), SLICES),
    (&["words", "mixed"], &["Lines, mapped"], Faster(2.0), MAPPED),
    (&["packages"], &["Lines, mapped"], Faster(1.8), MAPPED),
    (ALL, &["next_line, SSE2"], Faster(0.85), &["next_line"]),
    (ALL, &["for_each_line, SSE2"], Faster(0.85), &["for_each_line"]),
    (ALL, &["next_batch, SSE2"], Faster(0.85), &["next_batch"]),
    (ALL, &["Lines, SSE2"], Faster(0.85), &["Lines"]),
];

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

fn main() -> ExitCode {
    options::main("bars", Options::parse("bars", std::env::args().skip(1)), run)
}

fn run(options: &Options) -> io::Result<()> {
    let mut rows = Vec::new();
    for name in inputs::names() {
        if !options.wants(name) {
            continue;
        }
        let input = Input::load(name, options.size)?;
        println!("{input}");
        for (contestants, base) in [
            (contestants::readers(), "std read_until"),
            (contestants::slices(), "memchr_iter"),
            (contestants::mapped(), "memchr_iter, mapped"),
        ] {
            let results = race(&input, &contestants, options.rounds)?;
            table::print(&input, &results, base);
            rows.extend(bars::rows(BARS, &input, &results));
        }
        rows.extend(memory::rows(&input)?);
    }
    bars::print(rows);
    Ok(())
}
