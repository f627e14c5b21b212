//! A byte at a time: every contestant in one process, in interleaved rounds, first with one thread and then
//! with a second one alive, from which on C's stdio takes its locks in earnest.

use std::io;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;

use wholeline_benches::race::{Results, race};
use wholeline_benches::{Input, contestants, inputs};

const USAGE: &str = "\
usage: bytes [--quick]

  --quick   3 rounds, 4 MiB: to see that everything runs, not to be quoted";

/// The contestant that the bars are for.
const OURS: &str = "next_byte";
/// The most nanoseconds a byte.
const NANOS: f64 = 1.3;
/// How many times as fast as these, with a second thread alive.
const RATIOS: [(&str, f64); 2] = [("std bytes", 5.0), ("getc", 10.0)];

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let (rounds, size) = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => (7, inputs::SIZE),
        ["--quick"] => (3, 4 << 20),
        ["--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    match run(rounds, size) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("bytes: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run(rounds: usize, size: usize) -> io::Result<()> {
    let input = Input::load("packages", size)?;
    println!("{input}");
    print("one thread", &input, &race(&input, &contestants::bytes(), rounds)?);

    let (end, wait) = mpsc::channel::<()>();
    let second = thread::spawn(move || wait.recv());
    let results = race(&input, &contestants::bytes(), rounds)?;
    drop(end);
    let _ = second.join();
    print("a second thread alive", &input, &results);
    bars(&input, &results);
    Ok(())
}

fn nanos(input: &Input, results: &Results, name: &str) -> f64 {
    let time = results.time(name).map_or(f64::NAN, |time| time.as_nanos() as f64);
    time / input.facts().bytes() as f64
}

fn print(title: &str, input: &Input, results: &Results) {
    println!("  {title:26} {:>9}  × {OURS}", "ns/byte");
    let ours = nanos(input, results, OURS);
    for (name, _) in results.iter() {
        let nanos = nanos(input, results, name);
        println!("  {name:26} {nanos:9.2}  {:.2}", nanos / ours);
    }
    println!();
}

fn bars(input: &Input, results: &Results) {
    let ours = nanos(input, results, OURS);
    let verdict = |met| if met { "met" } else { "missed" };
    println!("Bars");
    println!("  {OURS}: ≤ {NANOS} ns a byte: {ours:.2}, {}", verdict(ours <= NANOS));
    for (name, bar) in RATIOS {
        let ratio = nanos(input, results, name) / ours;
        println!("  {OURS}: ≥ {bar} × {name}: {ratio:.2}, {}", verdict(ratio >= bar));
    }
}
