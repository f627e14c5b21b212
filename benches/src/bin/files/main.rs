//! Many files of one size, each opened, gone through line by line and closed: reading against mapping, as in
//! the table that git's was measured by in 2010. From which size mapping is no slower, `FileBytes::map` maps.

mod fixture;
mod loops;
mod options;
mod table;

use std::hint::black_box;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use wholeline_benches::dice::Dice;
use wholeline_benches::{Fold, Hands, options as program};

use fixture::Files;
use options::Options;

/// Goes through every file, one after the other.
type Loop = fn(&[PathBuf]) -> io::Result<Fold>;

/// Who takes part: one table. The first is held against the bars.
const CONTESTANTS: &[(&str, Hands, Loop)] = &[
    ("LineReader, reset", Hands::Content, loops::reset),
    ("LineReader, one a file", Hands::Content, loops::line_reader),
    ("FileBytes::read", Hands::Content, loops::file_bytes_read),
    ("FileBytes::map", Hands::Content, loops::file_bytes_map),
    ("mapped, Lines", Hands::Content, loops::mapped_lines),
    ("mapped, memchr_iter", Hands::Content, loops::mapped_memchr),
    ("fs::read, memchr_iter", Hands::Content, loops::read_memchr),
    ("BufReader, read_until", Hands::Whole, loops::read_until),
    ("open and stat", Hands::Bytes, loops::stat),
    ("open and read", Hands::Bytes, loops::read),
];

/// Where the bytes are wanted and no lines. The threshold is where one look at a map costs no more than to
/// read the file: below that mapping pays for nobody.
const BYTES: &[(&str, Hands, Loop)] = &[
    ("FileBytes::read, a look", Hands::Bytes, loops::look_at_read),
    ("mapped, a look", Hands::Bytes, loops::look_at_mapped),
    ("mapped, each page", Hands::Bytes, loops::each_page_mapped),
];

fn main() -> ExitCode {
    program::main("files", Options::parse(std::env::args().skip(1)), run)
}

fn run(options: &Options) -> io::Result<()> {
    let names: Vec<_> = CONTESTANTS.iter().chain(BYTES).map(|&(name, ..)| name).collect();
    let mut columns = Vec::new();
    for kib in options.sizes() {
        let files = Files::new(kib << 10, options.total)?;
        columns.push((kib, race(&files, options.rounds)?));
    }
    table::print(&names, &columns);
    table::print_bars(&names, &columns);
    Ok(())
}

/// The best time a file of each contestant, from rounds in which each runs once, in another order each.
fn race(files: &Files, rounds: usize) -> io::Result<Vec<Duration>> {
    let contestants: Vec<_> = CONTESTANTS.iter().chain(BYTES).collect();
    let mut best = vec![Duration::MAX; contestants.len()];
    let mut order: Vec<_> = (0..contestants.len()).collect();
    let mut dice = Dice::new(0);
    for round in 0..=rounds {
        dice.shuffle(&mut order);
        for &at in &order {
            let &&(name, hands, run) = &contestants[at];
            let start = Instant::now();
            let fold = black_box(run(files.paths())?);
            let time = start.elapsed() / files.paths().len() as u32;
            files.check(name, hands, fold);
            if round > 0 {
                best[at] = best[at].min(time);
            }
        }
    }
    Ok(best)
}
