//! What it costs to take no byte too many: system calls and time a line, `ExactLineReader` against a byte a
//! call, on a file, a pipe and a socket.

mod calls;
mod source;

use std::io::{self, Read};
use std::os::fd::BorrowedFd;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use wholeline::{ExactLineReader, Fd};

use source::{KINDS, Kind, Source};

const USAGE: &str = "\
usage: exact [ROUNDS]

System calls and time a line, the best of ROUNDS (200).";

/// How many bytes the lines of a round have: what a pipe holds for sure.
const BYTES: usize = 48 << 10;

/// How many times as many calls a byte a call must need, on lines of 80 bytes over a pipe.
const BAR: f64 = 10.0;

fn main() -> ExitCode {
    let rounds = match std::env::args().nth(1).as_deref() {
        None => Ok(200),
        Some("--help" | "-h") => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Some(arg) => arg.parse().map_err(|_| format!("exact: {arg:?} is no number\n\n{USAGE}")),
    };
    match rounds.and_then(|rounds| run(rounds).map_err(|error| format!("exact: {error}"))) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the bar was met.
fn run(rounds: usize) -> io::Result<bool> {
    println!("bytes a line  from     method     calls a line     ns a line");
    let mut met = true;
    for len in [10, 80, 1000] {
        for kind in KINDS {
            let (bytewise, exact) =
                (measure(kind, len, rounds, bytewise)?, measure(kind, len, rounds, exact)?);
            let fewer = bytewise.calls / exact.calls;
            let faster = bytewise.nanos / exact.nanos;
            let name = kind.name();
            println!("{len:12}  {name:7}  byte    {:15.2}  {:12.0}", bytewise.calls, bytewise.nanos);
            println!(
                "{len:12}  {name:7}  {:7} {:15.2}  {:12.0}   {fewer:.1} × fewer calls, {faster:.1} × as fast",
                kind.method(),
                exact.calls,
                exact.nanos,
            );
            if (len, kind) == (80, Kind::Pipe) {
                met = fewer >= BAR;
            }
        }
    }
    println!("80 bytes a line over a pipe, ≥ {BAR} × fewer calls: {}", if met { "met" } else { "MISSED" });
    Ok(met)
}

/// Calls and time a line.
struct Cost {
    calls: f64,
    nanos: f64,
}

/// Takes so many lines, and returns how many bytes those had.
type Take = fn(BorrowedFd<'_>, usize) -> io::Result<usize>;

fn measure(kind: Kind, len: usize, rounds: usize, take: Take) -> io::Result<Cost> {
    let lines = BYTES / len;
    let text = [vec![b'x'; len - 1], vec![b'\n']].concat().repeat(lines);
    let mut source = Source::new(kind)?;
    let mut best = Duration::MAX;
    for _ in 0..rounds {
        source.fill(&text)?;
        let start = Instant::now();
        let taken = take(source.output(), lines)?;
        best = best.min(start.elapsed());
        assert_eq!(taken, text.len(), "every line, and nothing else");
    }
    source.fill(&text)?;
    let calls = calls::count(|| take(source.output(), lines).is_ok_and(|taken| taken == text.len()))?;
    let a_line = |n: f64| n / lines as f64;
    Ok(Cost { calls: a_line(calls as f64), nanos: a_line(best.as_nanos() as f64) })
}

#[inline(never)]
fn exact(fd: BorrowedFd<'_>, lines: usize) -> io::Result<usize> {
    let mut reader = ExactLineReader::new(fd);
    let mut taken = 0;
    for _ in 0..lines {
        taken += reader.next_line()?.map_or(0, |line| line.with_terminator().len());
    }
    Ok(taken)
}

/// What everybody else does.
#[inline(never)]
fn bytewise(fd: BorrowedFd<'_>, lines: usize) -> io::Result<usize> {
    let mut fd = Fd::new(fd);
    let mut line = Vec::new();
    let mut taken = 0;
    for _ in 0..lines {
        line.clear();
        let mut byte = [0];
        while fd.read(&mut byte)? == 1 {
            line.push(byte[0]);
            if byte[0] == b'\n' {
                break;
            }
        }
        taken += line.len();
    }
    Ok(taken)
}
