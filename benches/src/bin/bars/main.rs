//! Ratios, not times: every contestant in one process, in interleaved rounds, then PERFORMANCE's bars and
//! how far they were met.

mod allocator;
mod bars;
mod memory;
mod options;
mod table;

use std::io;
use std::process::ExitCode;

use wholeline_benches::race::race;
use wholeline_benches::{Input, contestants, inputs};

use options::Options;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("bars: {e}");
            ExitCode::FAILURE
        }
    }
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
            rows.extend(bars::rows(&input, &results));
        }
        rows.extend(memory::rows(&input)?);
    }
    bars::print(rows);
    Ok(())
}
