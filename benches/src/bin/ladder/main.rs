//! git's ladder, rung by rung, and the rungs above: all in one process, once with one thread and then with a second
//! one alive, which makes the C library lock its streams in earnest.

use std::io;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::thread;

use wholeline_benches::bars::{self, Bar, Faster};
use wholeline_benches::options::{self, Options};
use wholeline_benches::race::race;
use wholeline_benches::{Input, contestants, inputs, table};

const INPUTS: &[&str] = &["words", "packages", "mixed", "packed-refs"];

const BARS: &[Bar] = &[
    (INPUTS, &["getdelim"], Faster(0.95), &["C getdelim"]),
    (INPUTS, &["getdelim"], Faster(0.95), &["C getdelim, errors told"]),
    (INPUTS, &["window"], Faster(1.0), &["getdelim"]),
    (&["packed-refs"], &["window"], Faster(1.4), &["getdelim"]),
    (&["packages", "mixed", "packed-refs"], &["window, for_each"], Faster(1.5), &["getdelim"]),
    (INPUTS, &["window, shared"], Faster(1.0), &["getdelim"]),
    (INPUTS, &["window, shared, for_each"], Faster(1.0), &["getdelim"]),
];

fn main() -> ExitCode {
    options::main("ladder", Options::parse("ladder", std::env::args().skip(1)), run)
}

fn run(options: &Options) -> io::Result<()> {
    println!("One thread");
    bars::print(climb(options)?);
    // Parked until we are done.
    let (done, wait) = channel::<()>();
    let second = thread::spawn(move || wait.recv());
    println!("\nA second thread alive");
    bars::print(climb(options)?);
    drop(done);
    drop(second.join());
    Ok(())
}

fn climb(options: &Options) -> io::Result<Vec<bars::Row>> {
    let mut rows = Vec::new();
    for name in inputs::names().into_iter().filter(|name| INPUTS.contains(name) && options.wants(name)) {
        let input = Input::load(name, options.size)?;
        println!("{input}");
        let results = race(&input, &contestants::ladder(), options.rounds)?;
        table::print(&input, &results, "C getc");
        rows.extend(bars::rows(BARS, &input, &results));
    }
    Ok(rows)
}
