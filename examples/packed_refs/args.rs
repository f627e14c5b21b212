//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const USAGE: &str = "\
usage: packed_refs [--read | --map | --seek] COMMAND FILE ...

  list FILE [PREFIX]  prints the refs in FILE, a packed-refs file of git's, as
                      git for-each-ref --format='%(objectname) %(refname)' does
  get FILE REFNAME    prints the id of one, as git rev-parse --verify does;
                      status 1 if there is none
  check FILE          prints all that is wrong with FILE, line by line;
                      status 1 if something is
  make FILE COUNT     writes a FILE of COUNT refs, to measure with

  --read   reads all of FILE first
  --map    maps FILE into memory (needs the feature mmap)
  --seek   reads a block at a time, and only those that are needed

Without one of these: get and check seek; list maps where it can, else it reads.
A PREFIX is the whole name of a ref or of a folder of refs, without wildcards.
A FILE that git would refuse is refused in git's words, with git's status, 128.
";

/// What is to be done.
pub(crate) enum Command {
    Help,
    List { file: PathBuf, prefix: Option<Vec<u8>> },
    Get { file: PathBuf, name: Vec<u8> },
    Check { file: PathBuf },
    Make { file: PathBuf, count: u64 },
}

/// How the file gets into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Read,
    Map,
    Seek,
}

/// What the arguments behind the program's name ask for, or what is wrong with them.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<(Command, Option<Mode>), String> {
    let mut mode = None;
    let mut words = Vec::new();
    let mut options = true;
    for arg in args {
        match arg.to_str().filter(|arg| options && arg.starts_with('-')) {
            Some("--help" | "-h") => return Ok((Command::Help, None)),
            Some("--") => options = false,
            Some(option) => {
                let wanted = match option {
                    "--read" => Mode::Read,
                    "--map" => Mode::Map,
                    "--seek" => Mode::Seek,
                    _ => return Err(format!("{option}: no such option (--help tells which there are)")),
                };
                if mode.replace(wanted).is_some_and(|before| before != wanted) {
                    return Err("--read, --map and --seek: one of them, please".to_owned());
                }
            }
            None => words.push(arg),
        }
    }
    command(words).map(|command| (command, mode))
}

fn command(words: Vec<OsString>) -> Result<Command, String> {
    let mut words = words.into_iter();
    let name = words.next().ok_or("a command, please (--help tells which there are)")?;
    let name = name.to_string_lossy().into_owned();
    let words: Vec<OsString> = words.collect();
    let bytes = |word: &OsString| word.as_encoded_bytes().to_vec();
    match (&name[..], &words[..]) {
        ("list", [file]) => Ok(Command::List { file: file.into(), prefix: None }),
        ("list", [file, prefix]) => {
            let prefix = bytes(prefix);
            if prefix.iter().any(|byte| b"*?[\\".contains(byte)) {
                return Err("list: a PREFIX has no wildcards".to_owned());
            }
            Ok(Command::List { file: file.into(), prefix: Some(prefix) })
        }
        ("get", [file, name]) => Ok(Command::Get { file: file.into(), name: bytes(name) }),
        ("check", [file]) => Ok(Command::Check { file: file.into() }),
        ("make", [file, count]) => {
            let number = count.to_str().and_then(|count| count.parse().ok());
            let count = number.ok_or_else(|| format!("make: {} is no number", count.to_string_lossy()))?;
            Ok(Command::Make { file: file.into(), count })
        }
        ("list", _) => Err("list: a FILE, please, and at most one PREFIX".to_owned()),
        ("get", _) => Err("get: a FILE and a REFNAME, please".to_owned()),
        ("check", _) => Err("check: one FILE, please".to_owned()),
        ("make", _) => Err("make: a FILE and a COUNT, please".to_owned()),
        _ => Err(format!("{name:?}: no such command (--help tells which there are)")),
    }
}
