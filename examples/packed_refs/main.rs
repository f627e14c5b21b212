//! Shows `FileBytes`, `SortedLines` and `SortedFile` on git's packed-refs files: a file read, mapped or neither,
//! listed whole or by prefix, searched, and checked line by line.
//!
//! ```text
//! cargo run --release --features mmap --example packed_refs -- list .git/packed-refs refs/tags/
//! ```
//!
//! The rules are git's, and so are the messages about broken files. Where it differs, on files that git
//! never writes:
//!
//! - A NUL in a name is an error, as it is for git since 2.50.
//! - An id with nothing behind it is an unexpected line; git takes the next line for the name.
//! - Of several refs of the same name, `get` finds the first; git finds any of them.
//! - Where the header says `sorted` and that is not so, a look-up (`get`, `list` with a prefix) may find nothing
//!   where git's happens to find the ref, or the other way round; `check` tells.
//! - A repository says which hash it uses; here a first record with 64 digits means SHA-256.

mod args;
mod check;
mod fault;
mod get;
mod list;
mod make;
mod open;
mod record;
mod refname;
mod snapshot;
mod sought;
mod walk;

use std::env;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use wholeline::{LineRead, LineReader, Lines, Terminator};

use args::{Command, Mode};
use fault::Trouble;
use get::Found;
use list::Listing;
use snapshot::Snapshot;
use sought::Sought;

fn main() -> ExitCode {
    let (line, status) = match run() {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Fatal(message)) => (fault::line("fatal: ", &message), 128),
        Err(Failure::Own(message)) => (fault::line("packed_refs: ", message.as_bytes()), 1),
    };
    // Nobody is left to tell if standard error is gone too.
    let _ = io::stderr().write_all(&line);
    ExitCode::from(status)
}

enum Failure {
    /// What git says of such a file.
    Fatal(Vec<u8>),
    /// What git says otherwise, or has no words for.
    Own(String),
}

/// How to list, if nobody says: what is fastest.
const LISTS: Mode = if cfg!(feature = "mmap") { Mode::Map } else { Mode::Read };

fn run() -> Result<(), Failure> {
    let (command, mode) = args::parse(env::args_os().skip(1)).map_err(Failure::Own)?;
    match command {
        Command::Help => print(args::USAGE.as_bytes()),
        Command::List { file, prefix } => {
            list(&file, prefix.as_deref(), mode.unwrap_or(LISTS)).or_else(|trouble| failure(trouble, &file))
        }
        Command::Get { file, name } => {
            // Nobody can seek in a pipe.
            let seekable = file.metadata().is_ok_and(|meta| meta.is_file());
            let mode = mode.unwrap_or(if seekable { Mode::Seek } else { Mode::Read });
            let found = get(&file, &name, mode).or_else(|trouble| failure(trouble, &file))?;
            let (file, name) = (file.display(), String::from_utf8_lossy(&name));
            let Found { mut id, ambiguous } =
                found.ok_or_else(|| Failure::Own(format!("{file}: there is no ref {name:?}")))?;
            if ambiguous {
                warn(&fault::line("warning: ", format!("refname '{name}' is ambiguous.").as_bytes()));
            }
            id.push(b'\n');
            print(&id)
        }
        Command::Check { file } => {
            let faults =
                check(&file, mode.unwrap_or(Mode::Seek)).or_else(|trouble| failure(trouble, &file))?;
            match faults {
                0 => Ok(()),
                1 => Err(Failure::Own(format!("{}: 1 fault", file.display()))),
                _ => Err(Failure::Own(format!("{}: {faults} faults", file.display()))),
            }
        }
        Command::Make { file, count } => match make(&file, count) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => failure(Trouble::Read(error), &file),
            _ => Ok(()),
        },
    }
}

fn list(path: &Path, prefix: Option<&[u8]>, mode: Mode) -> Result<(), Trouble> {
    let mut warnings = Vec::new();
    if mode == Mode::Seek {
        if let Some(mut file) = Sought::new(File::open(path)?)? {
            let digits = file.digits;
            let checked = list::check_stream(file.from(prefix)?, digits, prefix, &mut warnings);
            if !matches!(checked, Ok(false)) {
                warn(&warnings);
            }
            if checked? {
                return list::print_stream(file.from(prefix)?, digits, prefix, io::stdout().lock());
            }
            warnings.clear();
        }
        // What is not in order has to be put in order, and that takes all of it.
    }
    let bytes = open::bytes(path, mode)?;
    let snapshot = Snapshot::new(&bytes)?;
    let listing = Listing::new(&snapshot, prefix, &mut warnings);
    warn(&warnings);
    listing?.print(&snapshot, io::stdout().lock()).map_err(Trouble::Print)
}

fn get(path: &Path, name: &[u8], mode: Mode) -> Result<Option<Found>, Trouble> {
    if mode == Mode::Seek {
        if let Some(mut file) = Sought::new(File::open(path)?)? {
            let digits = file.digits;
            let mut search = file.search()?;
            return get::get(name, digits, |key| {
                Ok(search.find(key)?.map(|record| record.as_bytes().to_vec()))
            });
        }
    }
    let bytes = open::bytes(path, mode)?;
    let snapshot = Snapshot::new(&bytes)?;
    let search = snapshot.search();
    get::get(name, snapshot.digits, |key| Ok(search.find(key).map(|record| record.as_bytes().to_vec())))
}

/// How many faults there are.
fn check(path: &Path, mode: Mode) -> Result<u64, Trouble> {
    if mode == Mode::Seek {
        return faults(path, LineReader::open(path)?);
    }
    let bytes = open::bytes(path, mode)?;
    faults(path, Lines::new(&bytes, Terminator::LF))
}

fn faults(path: &Path, lines: impl LineRead) -> Result<u64, Trouble> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut faults = 0;
    check::check(lines, |number, fault| {
        faults += 1;
        writeln!(out, "{}:{number}: {fault}", path.display()).map_err(Trouble::Print)
    })?;
    out.flush().map_err(Trouble::Print)?;
    Ok(faults)
}

fn make(path: &Path, count: u64) -> io::Result<()> {
    const OFTEN: Duration = Duration::from_millis(250);
    let file = File::create(path)?;
    let terminal = io::stderr().is_terminal();
    let mut shown = Instant::now();
    let made = make::make(count, file, |done| {
        if terminal && shown.elapsed() >= OFTEN {
            shown = Instant::now();
            warn(format!("\r\x1b[Kpacked_refs: {done} of {count} refs").as_bytes());
        }
    });
    if terminal {
        warn(b"\r\x1b[K");
    }
    made
}

/// What to say of it. Who listened to the output may have heard enough, as `head` has: that is no failure.
fn failure<T: Default>(trouble: Trouble, file: &Path) -> Result<T, Failure> {
    let name = file.display();
    match trouble {
        Trouble::Fault(fault) => Err(Failure::Fatal(fault.message(file.as_os_str().as_encoded_bytes()))),
        Trouble::Read(error) => Err(Failure::Own(format!("{name}: {error}"))),
        Trouble::Print(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(T::default()),
        Trouble::Print(error) => Err(Failure::Own(format!("standard output: {error}"))),
    }
}

fn print(text: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let printed = out.write_all(text).and_then(|()| out.flush());
    printed.or_else(|error| failure(Trouble::Print(error), Path::new("")))
}

/// Says something on standard error; that it may be closed is no reason to stop.
fn warn(text: &[u8]) {
    let _ = io::stderr().write_all(text);
}
