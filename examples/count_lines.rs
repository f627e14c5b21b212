//! Shows `LineReader::range`: the lines of files counted over all cores, each task with a range of bytes
//! and the file opened anew, as a distributed engine would drive it.
//!
//! ```text
//! cargo run --release --example count_lines -- FILE...
//! ```
//!
//! No task knows anything of the others: wherever the ranges are cut, each line is counted in the one that
//! its first byte lies in.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use wholeline::LineReader;

const USAGE: &str = "\
usage: cargo run --release --example count_lines -- [--threads N] FILE...

Prints how many lines each FILE has, and the total of several. A last line without
its newline counts too. What cannot be cut into ranges (a pipe, a file of /proc) is
read by one thread.

--threads N  how many threads share the work; one for each core without it
";

/// The bytes of a task: many tasks a core even in files that are read within a second, and few enough that
/// opening the file for each costs nothing.
const RANGE: u64 = 4 << 20;

fn main() -> ExitCode {
    let done = Options::parse(env::args_os().skip(1)).and_then(|options| match options {
        Some(options) => run(&options),
        None => say(USAGE).map(|()| ExitCode::SUCCESS),
    });
    done.unwrap_or_else(|why| {
        complain(&why);
        ExitCode::FAILURE
    })
}

struct Options {
    /// 0 is rayon's word for one a core.
    threads: usize,
    files: Vec<OsString>,
}

impl Options {
    /// `None` where help was asked for.
    fn parse(mut args: impl Iterator<Item = OsString>) -> Result<Option<Options>, String> {
        let mut options = Options { threads: 0, files: Vec::new() };
        while let Some(arg) = args.next() {
            match arg.to_str() {
                Some("--help" | "-h") => return Ok(None),
                Some("--threads") => options.threads = number(args.next().as_deref())?,
                Some("--") => options.files.extend(args.by_ref()),
                Some(option) if option.starts_with('-') => {
                    return Err(format!("{option}: no such option (--help tells which there are)"));
                }
                _ => options.files.push(arg),
            }
        }
        if options.files.is_empty() {
            return Err("no FILE was named (--help tells more)".to_owned());
        }
        Ok(Some(options))
    }
}

fn number(value: Option<&OsStr>) -> Result<usize, String> {
    match value.and_then(OsStr::to_str).map(str::parse) {
        Some(Ok(threads @ 1..=1024)) => Ok(threads),
        _ => Err("--threads takes a number from 1 to 1024".to_owned()),
    }
}

/// Counts each file, and goes on behind one that cannot be read.
fn run(options: &Options) -> Result<ExitCode, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|e| format!("{} threads: {e}", options.threads))?;
    let (mut total, mut status) = (0, ExitCode::SUCCESS);
    for file in &options.files {
        match pool.install(|| count(Path::new(file))) {
            Ok(lines) => {
                total += lines;
                say(&format!("{lines} {}\n", shown(file)))?;
            }
            Err(e) => {
                complain(&format!("{}: {e}", shown(file)));
                status = ExitCode::FAILURE;
            }
        }
    }
    if options.files.len() > 1 {
        say(&format!("{total} total\n"))?;
    }
    Ok(status)
}

fn count(file: &Path) -> io::Result<u64> {
    let meta = file.metadata()?;
    // A size of 0 says nothing: the files of /proc have it too.
    if !meta.is_file() || meta.len() == 0 {
        let mut lines = 0;
        LineReader::open(file)?.for_each_line(|_| lines += 1)?;
        return Ok(lines);
    }
    let progress = Progress::new(meta.len());
    // What the file grows by meanwhile is of no range, but for the rest of a line that began before.
    let ranges = (0..meta.len().div_ceil(RANGE)).into_par_iter();
    ranges
        .map(|index| {
            let range = index * RANGE..meta.len().min((index + 1) * RANGE);
            let lines = count_range(file, range.clone())?;
            progress.add(range.end - range.start);
            Ok(lines)
        })
        .try_reduce(|| 0, |some, more| Ok(some + more))
}

/// What a worker does that was sent a file's name and a range: it needs to know no more.
fn count_range(file: &Path, range: Range<u64>) -> io::Result<u64> {
    let mut lines = 0;
    LineReader::range(File::open(file)?, range)?.for_each_line(|_| lines += 1)?;
    Ok(lines)
}

// ---- What is said.

/// Prints to standard output; one who has seen enough (`| head -1`) ends the program, and is no error.
fn say(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(e) => Err(format!("standard output: {e}")),
        Ok(()) => Ok(()),
    }
}

fn complain(why: &str) {
    // Nobody is left to tell if standard error is gone too.
    let _ = writeln!(io::stderr(), "count_lines: {why}");
}

/// A file's name on one line, whatever is in it.
fn shown(name: &OsStr) -> String {
    let plain = name.to_string_lossy();
    if plain.is_empty() || plain.contains(char::is_control) {
        format!("{name:?}")
    } else {
        plain.into_owned()
    }
}

/// One line on a terminal for those who wait, wiped away at the end.
struct Progress {
    terminal: bool,
    all: u64,
    /// How many bytes are done with, and when that was last said.
    state: Mutex<(u64, Instant)>,
}

impl Progress {
    /// How long a line stands, so that it can be read; what takes less time has none.
    const STANDS: Duration = Duration::from_millis(250);

    fn new(all: u64) -> Progress {
        Progress { terminal: io::stderr().is_terminal(), all, state: Mutex::new((0, Instant::now())) }
    }

    fn add(&self, bytes: u64) {
        if !self.terminal {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (done, said) = &mut *state;
        *done += bytes;
        if said.elapsed() >= Self::STANDS {
            *said = Instant::now();
            let (done, all) = (*done >> 20, self.all >> 20);
            let _ = write!(io::stderr(), "\r\x1b[Kcount_lines: {done} of {all} MiB");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
