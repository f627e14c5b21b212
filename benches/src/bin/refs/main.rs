//! git's packed-refs files, by the example `packed_refs` in each of its modes and by gix-ref; as whole processes
//! beside git too, if the example is named:
//!
//! ```text
//! cargo build --release --features mmap --example packed_refs
//! cargo run --release --manifest-path benches/Cargo.toml --bin refs -- target/release/examples/packed_refs
//! ```
//!
//! The files, of which the largest has 1.6 GB, are made in the temporary folder, and removed.

mod contest;
mod example;
mod file;
mod work;

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use example::snapshot::Snapshot;
use file::Refs;

fn main() -> ExitCode {
    let program = std::env::args_os().nth(1).map(PathBuf::from);
    match run(program.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("refs: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(program: Option<&Path>) -> io::Result<()> {
    for count in [110_000, 3_000_000] {
        let refs = Refs::make(count)?;
        println!("{count} refs, {} bytes", refs.bytes()?);
        list(&refs)?;
        list_prefix(&refs)?;
        find(&refs)?;
    }
    find_in_large_file()?;
    if let Some(program) = program {
        processes(&program.canonicalize()?)?;
    }
    Ok(())
}

fn list(refs: &Refs) -> io::Result<()> {
    let path = refs.path();
    let expected = work::list(&work::read(path)?, None)?;
    let rounds = if refs.count > 1_000_000 { 5 } else { 15 };
    let results = contest::run(
        rounds,
        expected,
        vec![
            ("read", Box::new(|| work::list(&work::read(path)?, None))),
            ("mapped", Box::new(|| work::list(&work::map(path)?, None))),
            ("neither", Box::new(|| work::list_sought(path, None))),
            ("gix-ref", Box::new(|| work::list_gix(&work::open_gix(path)?, None))),
        ],
    )?;
    results.print("all refs, opened, checked and listed", 1);
    results.bar("mapped", "gix-ref", 4.0);
    Ok(())
}

/// The refs of one package.
fn list_prefix(refs: &Refs) -> io::Result<()> {
    let (path, name) = (refs.path(), &refs.names[0]);
    let package = &name[..=name.rfind('/').unwrap_or(0)];
    let expected = work::list_gix(&work::open_gix(path)?, Some(package))?;
    let prefix = Some(package.as_bytes());
    let title = "the refs with one prefix, opened, checked and listed";
    // By itself: who comes after it finds the caches full of something else.
    let read =
        contest::run(5, expected, vec![("read", Box::new(|| work::list(&work::read(path)?, prefix)))])?;
    read.print(title, 1);
    let results = contest::run(
        20,
        expected,
        vec![
            ("mapped", Box::new(|| work::list(&work::map(path)?, prefix))),
            ("neither", Box::new(|| work::list_sought(path, prefix))),
            ("gix-ref", Box::new(|| work::list_gix(&work::open_gix(path)?, Some(package)))),
        ],
    )?;
    results.print(title, 1);
    Ok(())
}

fn find(refs: &Refs) -> io::Result<()> {
    let (path, names) = (refs.path(), &refs.names[..]);
    let all = names.len() as u64;
    let bytes = work::map(path)?;
    let snapshot = Snapshot::new(&bytes).map_err(|fault| io::Error::other(format!("{fault:?}")))?;
    let gix = work::open_gix(path)?;
    let results = contest::run(
        20,
        all,
        vec![
            ("mapped", Box::new(|| Ok(work::find(&snapshot, names)))),
            ("gix-ref", Box::new(|| Ok(work::find_gix(&gix, names)))),
        ],
    )?;
    results.print("one look-up in an open file", all);
    results.bar("mapped", "gix-ref", 1.0);
    let each = |find: &dyn Fn(&String) -> io::Result<u64>| names.iter().map(find).sum();
    let results = contest::run(
        5,
        all,
        vec![
            ("mapped", Box::new(|| each(&|name| work::open_and_find(&work::map(path)?, name)))),
            ("SortedFile", Box::new(|| each(&|name| work::find_in_file(File::open(path)?, name)))),
            (
                "gix-ref",
                Box::new(|| {
                    each(&|name| Ok(work::find_gix(&work::open_gix(path)?, std::slice::from_ref(name))))
                }),
            ),
        ],
    )?;
    results.print("open the file, and one look-up", all);
    results.bar("SortedFile", "gix-ref", 1.0);
    Ok(())
}

/// A source that counts what is read from it.
struct Counting {
    file: File,
    reads: u64,
    bytes: u64,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.reads += 1;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl Seek for Counting {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

fn find_in_large_file() -> io::Result<()> {
    let refs = Refs::make(13_000_000)?;
    println!("{} refs, {} bytes", refs.count, refs.bytes()?);
    let (mut worst, mut total, mut reads, mut bytes) = (Duration::ZERO, Duration::ZERO, 0, 0);
    for name in &refs.names {
        let start = Instant::now();
        let mut source = Counting { file: File::open(refs.path())?, reads: 0, bytes: 0 };
        assert_eq!(work::find_in_file(&mut source, name)?, 1, "{name}");
        let time = start.elapsed();
        (worst, total) = (worst.max(time), total + time);
        (reads, bytes) = (source.reads.max(reads), source.bytes.max(bytes));
    }
    let mean = total / refs.names.len() as u32;
    println!(
        "open the file, and one look-up by SortedFile: mean {mean:?}, worst {worst:?}, at most {reads} reads, {bytes} bytes"
    );
    let met = |is: bool| if is { "met" } else { "MISSED" };
    println!("  bar {}: under 1 ms", met(mean < Duration::from_millis(1)));
    println!("  bar {}: under 256 KiB", met(bytes < 256 << 10));
    Ok(())
}

/// The example's program and git, on the same file in a bare repository.
fn processes(program: &Path) -> io::Result<()> {
    let refs = Refs::make(1_000_000)?;
    let repository = tempfile::tempdir()?;
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C").arg(repository.path()).args(args);
        finished(&mut git)
    };
    git(&["init", "--quiet", "--bare"])?;
    let file = repository.path().join("packed-refs");
    fs::copy(refs.path(), &file)?;
    let name = &refs.names[0][..];
    let example = |mode: &[&str], args: &[&str]| {
        let [command, more @ ..] = args else { return Err(io::ErrorKind::InvalidInput.into()) };
        finished(Command::new(program).args(mode).arg(command).arg(&file).args(more))
    };
    println!("as whole processes, {} refs", refs.count);
    let results = contest::run(
        5,
        0,
        vec![
            ("packed_refs", Box::new(|| example(&[], &["list"]))),
            ("packed_refs --read", Box::new(|| example(&["--read"], &["list"]))),
            ("packed_refs --map", Box::new(|| example(&["--map"], &["list"]))),
            ("packed_refs --seek", Box::new(|| example(&["--seek"], &["list"]))),
            ("git", Box::new(|| git(&["for-each-ref", "--format=%(objectname) %(refname)"]))),
        ],
    )?;
    results.print("list, and git for-each-ref", 1);
    results.bar("packed_refs", "git", 6.0);
    let results = contest::run(
        50,
        0,
        vec![
            ("packed_refs", Box::new(|| example(&[], &["get", name]))),
            ("packed_refs --map", Box::new(|| example(&["--map"], &["get", name]))),
            ("git", Box::new(|| git(&["rev-parse", "--verify", name]))),
        ],
    )?;
    results.print("get, and git rev-parse", 1);
    results.bar("packed_refs", "git", 1.0);
    Ok(())
}

/// 0, its status.
fn finished(command: &mut Command) -> io::Result<u64> {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status()?;
    if status.success() { Ok(0) } else { Err(io::Error::other(format!("{command:?}: {status}"))) }
}
