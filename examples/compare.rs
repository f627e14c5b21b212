//! Shows the three ways to take lines from a `LineReader` (`next_line`, `for_each_line`, `next_batch`),
//! timed side by side with the readers of std and bstr on the same bytes:
//!
//! ```text
//! cargo run --release --example compare -- [FILE]
//! ```
//!
//! Every reader gets the same 64 KiB of buffer and folds each line into the same checksum; the table
//! is printed only if all of them found the same lines.

use std::env;
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bstr::io::BufReadExt;
use wholeline::LineReader;

const USAGE: &str = "\
usage: cargo run --release --example compare -- [FILE]

Reads FILE with wholeline and with the line readers of std and bstr, checks that
all of them find the same lines, and prints how fast each one was.

FILE  is read as it is. What can be read only once (a pipe, or - for standard
      input) is first copied to a temporary file. Without FILE: a packed-refs
      file of 64 MiB, made here.
";

/// One buffer size for all: what differs is how lines are found, not how much a read brings.
const BUFFER: usize = 64 * 1024;
const MADE: u64 = 64 << 20;
/// Small files are read several times in a row, so that the clock has something to measure.
const LEAST_TIMED: u64 = 16 << 20;
const MOST_PASSES: u64 = 1000;
/// The best of so many rounds counts, or of as many as fit into `PATIENCE`.
const ROUNDS: u32 = 9;
const PATIENCE: Duration = Duration::from_secs(20);
/// `/dev/zero` never ends: past this, what cannot be read twice is refused.
const MOST_COPIED: u64 = 1 << 30;

fn main() -> ExitCode {
    match run(env::args_os().skip(1).map(PathBuf::from).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // Nobody is left to tell if standard error is gone too.
            let _ = writeln!(io::stderr(), "compare: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: Vec<PathBuf>) -> Result<(), String> {
    if args.iter().any(|arg| arg.as_os_str() == "--help" || arg.as_os_str() == "-h") {
        return say(USAGE);
    }
    if let [_, second, ..] = &args[..] {
        return Err(format!("{}: one FILE at a time, please (--help tells more)", second.display()));
    }
    let progress = Progress::new();
    let input = match args.first() {
        None => Input::made(&progress)?,
        Some(file) => Input::open(file, &progress)?,
    };
    let table = measure(&input, &progress).map_err(|why| format!("{}: {why}", input.name))?;
    drop(progress);
    say(&table)
}

// ---- What is measured: each loop in a function of its own, so that none is optimised for another's sake.

/// What a reader found. `sum` folds in each line's length and first byte, and minds their order.
#[derive(Clone, Copy, Default, PartialEq)]
struct Tally {
    lines: u64,
    bytes: u64,
    sum: u64,
}

impl Tally {
    #[inline(always)]
    fn add(&mut self, line: &[u8]) {
        let first = line.first().copied().unwrap_or(0);
        self.lines += 1;
        self.bytes += line.len() as u64;
        self.sum = self.sum.rotate_left(5).wrapping_add((line.len() as u64) << 8 | u64::from(first));
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { lines, bytes, sum } = self;
        write!(f, "{lines} lines, {bytes} bytes without their ends, checksum {sum:016x}")
    }
}

#[inline(never)]
fn next_line(file: &File) -> io::Result<Tally> {
    let mut reader = LineReader::with_capacity(BUFFER, file);
    let mut tally = Tally::default();
    while let Some(line) = reader.next_line()? {
        tally.add(line.as_bytes());
    }
    Ok(tally)
}

#[inline(never)]
fn for_each_line(file: &File) -> io::Result<Tally> {
    let mut reader = LineReader::with_capacity(BUFFER, file);
    let mut tally = Tally::default();
    reader.for_each_line(|line| tally.add(line.as_bytes()))?;
    Ok(tally)
}

#[inline(never)]
fn next_batch(file: &File) -> io::Result<Tally> {
    let mut reader = LineReader::with_capacity(BUFFER, file);
    let mut tally = Tally::default();
    while let Some(lines) = reader.next_batch()? {
        for line in lines {
            tally.add(line.as_bytes());
        }
    }
    Ok(tally)
}

#[inline(never)]
fn read_until(file: &File) -> io::Result<Tally> {
    let mut reader = BufReader::with_capacity(BUFFER, file);
    let mut tally = Tally::default();
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? != 0 {
        tally.add(line.strip_suffix(b"\n").unwrap_or(&line));
        line.clear();
    }
    Ok(tally)
}

#[inline(never)]
fn lines(file: &File) -> io::Result<Tally> {
    let mut tally = Tally::default();
    for line in BufReader::with_capacity(BUFFER, file).lines() {
        tally.add(line?.as_bytes());
    }
    Ok(tally)
}

#[inline(never)]
fn split(file: &File) -> io::Result<Tally> {
    let mut tally = Tally::default();
    for line in BufReader::with_capacity(BUFFER, file).split(b'\n') {
        tally.add(&line?);
    }
    Ok(tally)
}

#[inline(never)]
fn for_byte_line(file: &File) -> io::Result<Tally> {
    let mut tally = Tally::default();
    BufReader::with_capacity(BUFFER, file).for_byte_line(|line| {
        tally.add(line);
        Ok(true)
    })?;
    Ok(tally)
}

/// Stands in for `for_byte_line` where that one would drop a CR.
#[inline(never)]
fn for_byte_record(file: &File) -> io::Result<Tally> {
    let mut tally = Tally::default();
    BufReader::with_capacity(BUFFER, file).for_byte_record(b'\n', |line| {
        tally.add(line);
        Ok(true)
    })?;
    Ok(tally)
}

// ---- The table.

type Loop = fn(&File) -> io::Result<Tally>;

struct Row {
    name: &'static str,
    /// What is timed, or why it would not be the same work on this input.
    what: Result<Loop, &'static str>,
    best: Duration,
}

impl Row {
    fn new(name: &'static str, what: Result<Loop, &'static str>) -> Row {
        Row { name, what, best: Duration::MAX }
    }
}

/// Every ratio is to this row.
const BASE: &str = "std read_until, one Vec";

fn rows(survey: &Survey) -> Vec<Row> {
    let std_lines: Result<Loop, _> = match survey {
        Survey { utf8: false, .. } => Err("n/a: not UTF-8"),
        Survey { crlf: true, .. } => Err("n/a: drops the CR of CRLF"),
        _ => Ok(lines),
    };
    let bstr = match survey.crlf {
        true => Row::new("bstr for_byte_record", Ok(for_byte_record)),
        false => Row::new("bstr for_byte_line", Ok(for_byte_line)),
    };
    vec![
        Row::new("wholeline next_line", Ok(next_line)),
        Row::new("wholeline for_each_line", Ok(for_each_line)),
        Row::new("wholeline next_batch", Ok(next_batch)),
        Row::new(BASE, Ok(read_until)),
        Row::new("std lines", std_lines),
        Row::new("std split", Ok(split)),
        bstr,
    ]
}

fn measure(input: &Input, progress: &Progress) -> Result<String, String> {
    progress.note("a first look");
    let survey = Survey::of(input).map_err(|e| e.to_string())?;
    let size = survey.size;
    let passes = LEAST_TIMED.checked_div(size).unwrap_or(MOST_PASSES).clamp(1, MOST_PASSES);
    let mut rows = rows(&survey);

    let start = Instant::now();
    let mut rounds = 0;
    // Round by round, not reader by reader: a slow moment of the machine then falls on all of them.
    while rounds < ROUNDS && (rounds == 0 || start.elapsed() < PATIENCE) {
        for row in &mut rows {
            let Ok(run) = row.what else { continue };
            progress.note(format_args!("round {} of {ROUNDS}, {}", rounds + 1, row.name));
            let start = Instant::now();
            for _ in 0..passes {
                let tally = rewound(input).and_then(run).map_err(|e| format!("{}: {e}", row.name))?;
                if tally != survey.tally {
                    let (name, want) = (row.name, survey.tally);
                    return Err(format!("{name} found {tally}, not {want}: is the file changing?"));
                }
            }
            row.best = row.best.min(start.elapsed());
        }
        rounds += 1;
    }

    let rates = Rates { size: size * passes, lines: survey.tally.lines * passes, rows: &rows };
    let mut table = format!(
        "{}: {size} bytes\n\
         {} in every reader\n\
         best of {rounds}, {} KiB buffers\n\n",
        input.name,
        survey.tally,
        BUFFER / 1024
    );
    if cfg!(debug_assertions) {
        table.insert_str(0, "This is a debug build, the figures mean nothing: cargo run --release ...\n");
    }
    let _ = write!(table, "{rates}");
    if survey.crlf {
        table.push_str(
            "\nLines end in CRLF: bstr's for_byte_line would drop the CR, for_byte_record keeps it.\n",
        );
    }
    Ok(table)
}

struct Rates<'a> {
    size: u64,
    lines: u64,
    rows: &'a [Row],
}

impl fmt::Display for Rates<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = self.rows.iter().find(|row| row.name == BASE).map_or(0.0, |row| row.best.as_secs_f64());
        writeln!(f, "{:<26}{:>14}{:>9}{:>14}", "reader", "lines/s", "GB/s", "x read_until")?;
        for row in self.rows {
            write!(f, "{:<26}", row.name)?;
            let seconds = row.best.as_secs_f64();
            match row.what {
                Err(why) => writeln!(f, "  {why}")?,
                // Nothing was read, or faster than the clock ticks: there is no rate to give.
                Ok(_) if self.size == 0 || seconds == 0.0 => writeln!(f, "{:>14}{:>9}{:>14}", "-", "-", "-")?,
                Ok(_) => {
                    let (lines, bytes) =
                        (self.lines as f64 / seconds / 1e6, self.size as f64 / seconds / 1e9);
                    writeln!(f, "{lines:>12.2} M{bytes:>9.3}{:>14.2}", base / seconds)?;
                }
            }
        }
        Ok(())
    }
}

fn rewound(input: &Input) -> io::Result<&File> {
    (&input.file).rewind()?;
    Ok(&input.file)
}

// ---- The input.

struct Input {
    name: String,
    file: File,
}

/// What there is to find, and what decides which readers are doing the same work.
struct Survey {
    size: u64,
    tally: Tally,
    utf8: bool,
    crlf: bool,
}

impl Survey {
    /// Reads it all once, which also brings the file into memory before anything is timed.
    fn of(input: &Input) -> io::Result<Survey> {
        let mut reader = BufReader::with_capacity(BUFFER, rewound(input)?);
        let mut survey = Survey { size: 0, tally: Tally::default(), utf8: true, crlf: false };
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? != 0 {
            survey.size += line.len() as u64;
            survey.crlf |= line.ends_with(b"\r\n");
            // No UTF-8 sequence has a LF in it: the file is valid if each of its lines is.
            survey.utf8 = survey.utf8 && std::str::from_utf8(&line).is_ok();
            survey.tally.add(line.strip_suffix(b"\n").unwrap_or(&line));
            line.clear();
        }
        Ok(survey)
    }
}

impl Input {
    fn open(path: &Path, progress: &Progress) -> Result<Input, String> {
        let mut name = path.display().to_string();
        if name.is_empty() || name.contains(char::is_control) {
            // Still one line, and still to be seen.
            name = format!("{path:?}");
        }
        let said = |e: io::Error| format!("{name}: {e}");
        if name == "-" {
            let file = copied(io::stdin().lock(), "standard input", progress)?;
            return Ok(Input { name: "standard input".to_owned(), file });
        }
        if name.starts_with('-') {
            return Err(format!("{name}: no such option (--help tells which there are)"));
        }
        let file = File::open(path).map_err(said)?;
        let meta = file.metadata().map_err(said)?;
        if meta.is_dir() {
            return Err(format!("{name}: is a directory"));
        }
        // A size of 0 says nothing: what /proc shows has it too, and is made anew for each reader.
        let file = if meta.is_file() && meta.len() > 0 { file } else { copied(file, &name, progress)? };
        Ok(Input { name, file })
    }

    /// A file as `git pack-refs` writes it: sorted names, every third one a tag with what it points to,
    /// and 129 bytes a line, `^` lines and all.
    fn made(progress: &Progress) -> Result<Input, String> {
        progress.note("making a packed-refs file");
        let file = write_packed_refs().map_err(|e| format!("temporary file: {e}"))?;
        Ok(Input { name: "a packed-refs file made here".to_owned(), file })
    }
}

/// What can be read only once, in a file that can be read again and again.
fn copied(source: impl Read, name: &str, progress: &Progress) -> Result<File, String> {
    progress.note("copying to a temporary file");
    let mut file = tempfile::tempfile().map_err(|e| format!("temporary file: {e}"))?;
    let size = io::copy(&mut source.take(MOST_COPIED + 1), &mut file)
        .map_err(|e| format!("{name}: cannot be copied to a temporary file: {e}"))?;
    if size > MOST_COPIED {
        return Err(format!("{name}: does not end within 1 GiB: save what you need to a file first"));
    }
    Ok(file)
}

const HEADER: &str = "# pack-refs with: peeled fully-peeled sorted \n";
const WORDS: [&str; 16] = [
    "lib", "perl", "python3", "golang", "github", "ruby", "node", "haskell", "common", "utils", "data",
    "plugin", "fonts", "gnome", "ocaml", "dev",
];

fn write_packed_refs() -> io::Result<File> {
    let mut random = Random(2015);
    let mut names = Vec::new();
    let mut size = HEADER.len();
    while (size as u64) < MADE {
        let name = ref_name(&mut random);
        let peeled = if names.len() % 3 == 2 { "^\n".len() + 40 } else { 0 };
        size += 40 + " \n".len() + name.len() + peeled;
        names.push(name);
    }
    names.sort_unstable();

    let mut file = tempfile::tempfile()?;
    let mut out = BufWriter::new(&mut file);
    out.write_all(HEADER.as_bytes())?;
    for (i, name) in names.iter().enumerate() {
        writeln!(out, "{} {name}", random.object_id())?;
        if i % 3 == 2 {
            writeln!(out, "^{}", random.object_id())?;
        }
    }
    out.flush()?;
    drop(out);
    Ok(file)
}

/// `refs/tags/debian/PACKAGE/VERSION`, of very uneven length, as names are.
fn ref_name(random: &mut Random) -> String {
    let mut name = String::from("refs/tags/debian/");
    for i in 0..2 + random.below(13) {
        let dash = if i > 0 { "-" } else { "" };
        let _ = write!(name, "{dash}{}", WORDS[random.below(16) as usize]);
    }
    let _ = write!(name, "{:x}/{}.{}", random.below(1 << 24), random.below(30), random.below(300));
    let _ = write!(name, "+git{}.{:x}", 20_100_000 + random.below(140_000), random.next());
    let _ = write!(name, "-{}+deb{}u{}", random.below(10), 8 + random.below(6), random.below(20));
    name
}

/// splitmix64: the same file everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// 40 hex digits.
    fn object_id(&mut self) -> String {
        format!("{:016x}{:016x}{:08x}", self.next(), self.next(), self.next() >> 32)
    }
}

// ---- What is said.

/// Prints to standard output. A reader that has seen enough (`| head -1`) is no error.
fn say(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {e}")),
        _ => Ok(()),
    }
}

/// One line on a terminal for those who wait, wiped away at the end.
struct Progress {
    terminal: bool,
}

impl Progress {
    fn new() -> Progress {
        Progress { terminal: io::stderr().is_terminal() }
    }

    fn note(&self, what: impl fmt::Display) {
        if self.terminal {
            let _ = write!(io::stderr(), "\r\x1b[Kcompare: {what}");
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
