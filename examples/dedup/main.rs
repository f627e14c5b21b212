//! Shows `next_batch`, `reset` and lines used as keys: prints each different line once, in the order in which
//! they were first seen. The set of lines is in set.rs.
//!
//! ```text
//! cargo run --release --example dedup -- [-cz] [FILE]...
//! ```

mod set;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use bumpalo::Bump;
use wholeline::{LineReader, LineReaderBuilder, Terminator};

use set::LineSet;

const USAGE: &str = "\
usage: dedup [-cz] [FILE]...

Prints each different line of the FILEs once, in the order in which they are
first seen. Without FILE, or where FILE is -, reads standard input.

Lines are bytes, whatever they mean, and are the same if all their bytes are. A
last line that nothing ends is a line like any other, and printed with an end.

-c  counts: at the end prints how often each line was seen, and the line
-z  a NUL ends a line, and an LF is a byte like any other
";

const BUFFER: usize = 64 * 1024;

fn main() -> ExitCode {
    match run(env::args_os().skip(1)) {
        Ok(()) | Err(Stop::NobodyReads) => ExitCode::SUCCESS,
        Err(Stop::Failed(why)) => {
            // Nobody is left to tell if standard error is gone too.
            let _ = writeln!(io::stderr(), "dedup: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Why the work ends before the input does.
enum Stop {
    /// A closed standard output (`| head -1`) is no error.
    NobodyReads,
    Failed(String),
}

impl Stop {
    fn unwritten(e: io::Error) -> Stop {
        match e.kind() {
            io::ErrorKind::BrokenPipe => Stop::NobodyReads,
            _ => Stop::Failed(format!("standard output: {e}")),
        }
    }
}

struct Options {
    terminator: u8,
    count: bool,
}

fn run(args: impl Iterator<Item = OsString>) -> Result<(), Stop> {
    let mut options = Options { terminator: b'\n', count: false };
    let mut files = Vec::new();
    let mut only_files = false;
    for arg in args {
        match arg.as_encoded_bytes() {
            [b'-', _, ..] if only_files => files.push(arg),
            b"--" => only_files = true,
            b"--help" | b"-h" => {
                let mut out = io::stdout().lock();
                return out.write_all(USAGE.as_bytes()).and_then(|()| out.flush()).map_err(Stop::unwritten);
            }
            [b'-', letters @ ..] if !letters.is_empty() => {
                for letter in letters {
                    match letter {
                        b'c' => options.count = true,
                        b'z' => options.terminator = 0,
                        _ => {
                            let why = "no such option (--help tells which there are)";
                            return Err(Stop::Failed(format!("{}: {why}", shown(&arg))));
                        }
                    }
                }
            }
            _ => files.push(arg),
        }
    }
    if files.is_empty() {
        files.push("-".into());
    }
    let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    dedup(&files, &options, &mut out)
}

fn dedup(files: &[OsString], options: &Options, out: &mut impl Write) -> Result<(), Stop> {
    let arena = Bump::new();
    let mut seen = LineSet::new(&arena);
    // One buffer for all files.
    let mut reader = LineReaderBuilder::new()
        .capacity(BUFFER)
        .terminator(Terminator::byte(options.terminator))
        .build(Box::new(io::empty()) as Box<dyn Read>);
    for file in files {
        let failed = |e: io::Error| Stop::Failed(format!("{}: {e}", shown(file)));
        reader.reset(open(file).map_err(failed)?);
        add(&mut reader, &mut seen, failed, options, out)?;
    }
    if options.count {
        for seen in seen.lines() {
            write!(out, "{:>7} ", seen.count)
                .and_then(|()| print(seen.line, options, out))
                .map_err(Stop::unwritten)?;
        }
    }
    out.flush().map_err(Stop::unwritten)
}

/// The lines of one file, those printed that were not seen before.
#[inline(never)]
fn add(
    reader: &mut LineReader<impl Read>,
    seen: &mut LineSet<'_>,
    failed: impl Fn(io::Error) -> Stop,
    options: &Options,
    out: &mut impl Write,
) -> Result<(), Stop> {
    while let Some(lines) = reader.next_batch().map_err(&failed)? {
        for line in lines {
            let first =
                seen.insert(&line).map_err(|_| Stop::Failed("too many different lines".to_owned()))?;
            if first && !options.count {
                print(&line, options, out).map_err(Stop::unwritten)?;
            }
        }
        // The next batch may take its time: whoever follows the output sees what there is to see.
        out.flush().map_err(Stop::unwritten)?;
    }
    Ok(())
}

fn print(line: &[u8], options: &Options, out: &mut impl Write) -> io::Result<()> {
    out.write_all(line)?;
    out.write_all(&[options.terminator])
}

fn open(file: &OsStr) -> io::Result<Box<dyn Read>> {
    match file.to_str() {
        // Not locked: it may be named twice.
        Some("-") => Ok(Box::new(io::stdin())),
        _ => Ok(Box::new(File::open(file)?)),
    }
}

/// A name in a message of one line.
fn shown(name: &OsStr) -> String {
    match name.to_str() {
        Some("-") => "standard input".to_owned(),
        Some(name) if !name.is_empty() && !name.contains(char::is_control) => name.to_owned(),
        _ => format!("{:?}", Path::new(name)),
    }
}
