//! Shows `next_byte` and `peek_byte`, a byte at a time and mixed with whole lines: a parser of git's config
//! files that reads them as git does.
//!
//! ```text
//! cargo run --release --example git_config -- [-z] FILE
//! ```
//!
//! Prints what `git config -f FILE --list` prints, byte for byte.

mod parser;

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use wholeline::LineReader;

use parser::{Entry, Error, Parser};

const USAGE: &str = "\
usage: cargo run --release --example git_config -- [-z] FILE

Lists what a config file of git sets, a line for each variable, as
git config -f FILE --list does. Files it includes are not read.

FILE  - for standard input
-z    ends each name with a newline and each value with a NUL
";

/// What a run comes to when it does not end well, in one line.
enum Failure {
    Said(String),
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

fn main() -> ExitCode {
    let why = match run(env::args_os().skip(1)) {
        Ok(()) => return ExitCode::SUCCESS,
        // A reader that has seen enough (`| head -1`).
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(Failure::Output(error)) => format!("git_config: standard output: {error}"),
        Err(Failure::Said(why)) => why,
    };
    // Nobody is left to tell if standard error is gone too.
    let _ = writeln!(io::stderr(), "{why}");
    ExitCode::FAILURE
}

fn run(args: impl Iterator<Item = OsString>) -> Result<(), Failure> {
    let said = |why: &str| Err(Failure::Said(format!("git_config: {why} (--help tells more)")));
    let (mut file, mut format) = (None, Format::LINES);
    for arg in args {
        match arg.as_encoded_bytes() {
            b"-h" | b"--help" => return Ok(io::stdout().write_all(USAGE.as_bytes())?),
            b"-z" => format = Format::NULS,
            [b'-', _, ..] => return said(&format!("{}: no such option", shown(arg.as_ref()))),
            _ if file.is_some() => return said("one FILE at a time, please"),
            _ => file = Some(arg),
        }
    }
    let Some(file) = file else { return said("which FILE?") };
    if file == "-" {
        return list("standard input", io::stdin().lock(), format);
    }
    let name = shown(file.as_ref());
    match File::open(&file) {
        Ok(file) => list(&name, file, format),
        Err(error) => Err(Failure::Said(format!("git_config: {name}: {error}"))),
    }
}

/// A file's name, on one line whatever is in it.
fn shown(path: &Path) -> String {
    let name = path.display().to_string();
    if name.is_empty() || name.contains(char::is_control) { format!("{path:?}") } else { name }
}

/// How entries are written.
#[derive(Clone, Copy)]
struct Format {
    /// Between a name and its value.
    between: &'static [u8],
    end: &'static [u8],
}

impl Format {
    const LINES: Self = Self { between: b"=", end: b"\n" };
    const NULS: Self = Self { between: b"\n", end: b"\0" };

    fn write(self, entry: Entry<'_>, out: &mut impl Write) -> io::Result<()> {
        out.write_all(entry.name)?;
        if let Some(value) = entry.value {
            out.write_all(self.between)?;
            out.write_all(value)?;
        }
        out.write_all(self.end)
    }
}

/// Prints the entries; all those before an error, if there is one.
fn list(name: &str, source: impl Read, format: Format) -> Result<(), Failure> {
    let mut parser = Parser::new(LineReader::new(source));
    let mut out = BufWriter::with_capacity(64 << 10, io::stdout().lock());
    let end = loop {
        match parser.next_entry() {
            Ok(Some(entry)) => format.write(entry, &mut out)?,
            Ok(None) => break Ok(()),
            Err(error @ Error::Syntax { .. }) => break Err(Failure::Said(format!("{name}:{error}"))),
            Err(Error::Read(error)) => break Err(Failure::Said(format!("git_config: {name}: {error}"))),
        }
    };
    out.flush()?;
    end
}
