//! Shows that a reply can go out before the next line is read: `next_line` hands out a line as soon as it is
//! there, so this program can be the other side of a dialogue over two pipes. It answers as
//! `git hash-object --stdin-paths` does:
//!
//! ```text
//! printf 'Cargo.toml\n"README.md"\n' | cargo run --example object_paths
//! ```

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::process::ExitCode;

use bstr::ByteSlice;
use sha1::{Digest, Sha1};
use wholeline::{LineReaderBuilder, Terminator};

const USAGE: &str = "\
usage: object_paths [-z] < PATHS

Reads paths from standard input, one a line, and prints for each the id that git
gives to a blob with the content of that file. Each id is out before the next
path is read. No file is changed by filters, and none is stored.

A line that starts with a double quote is a path as git quotes it: \"caf\\303\\251\".
The first path that cannot be opened, read or understood ends the program, with
status 128.

-z  a NUL ends a path, and every other byte is part of it; nothing is quoted
";

/// git's status where it says `fatal:`.
const FATAL: u8 = 128;
const CHUNK: usize = 64 * 1024;

fn main() -> ExitCode {
    match run(env::args_os().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Fatal(why)) => {
            // In one piece; and nobody is left to tell if standard error is gone too.
            let _ = io::stderr().write_all(&[b"fatal: ", &why[..], b"\n"].concat());
            ExitCode::from(FATAL)
        }
    }
}

fn run(args: impl Iterator<Item = OsString>) -> Result<(), Fatal> {
    let mut quoting = true;
    for arg in args {
        match arg.to_str() {
            Some("--help" | "-h") => return say(USAGE.as_bytes()).map(drop),
            Some("-z") => quoting = false,
            _ => {
                return Err(fatal([
                    &*arg.to_string_lossy(),
                    ": no such option (--help tells which there are)",
                ]));
            }
        }
    }
    answer(io::stdin().lock(), quoting)
}

/// A reply for each path.
fn answer(paths: impl Read, quoting: bool) -> Result<(), Fatal> {
    // git drops a CR before LF. A last line that is not terminated keeps its CR, in both.
    let terminator = if quoting { Terminator::CRLF } else { Terminator::NUL };
    let mut paths = LineReaderBuilder::new().terminator(terminator).build(paths);
    let mut chunk = vec![0; CHUNK];
    let (mut unquoted, mut reply) = (Vec::new(), Vec::new());
    while let Some(line) = paths.next_line().map_err(|e| fatal(["standard input: ", &reason(&e)]))? {
        let mut path = line.as_bytes();
        if quoting && path.starts_with(b"\"") {
            unquoted.clear();
            unquote(path, &mut unquoted).ok_or_else(|| fatal([&b"line is badly quoted: "[..], path]))?;
            path = &unquoted;
        }
        let id = object_id(path, &mut chunk)?;
        reply.clear();
        for byte in id {
            // Nothing goes wrong when a Vec is written to.
            let _ = write!(reply, "{byte:02x}");
        }
        reply.push(b'\n');
        if !say(&reply)? {
            break;
        }
    }
    Ok(())
}

// ---- Quoted paths.

/// Appends the path that git has quoted in this way. `None` if it is not how git does it.
fn unquote(quoted: &[u8], path: &mut Vec<u8>) -> Option<()> {
    let mut bytes = quoted.strip_prefix(b"\"")?.iter().copied();
    loop {
        match bytes.next()? {
            // git does not look at what is behind it.
            b'"' => return Some(()),
            b'\\' => path.push(escaped(&mut bytes)?),
            byte => path.push(byte),
        }
    }
}

/// The byte that an escape stands for, its backslash already taken.
fn escaped(bytes: &mut impl Iterator<Item = u8>) -> Option<u8> {
    Some(match bytes.next()? {
        byte @ (b'"' | b'\\') => byte,
        b'a' => 0x07,
        b'b' => 0x08,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 0x0b,
        b'f' => 0x0c,
        b'r' => b'\r',
        // Always three digits, and \377 is the largest.
        first @ b'0'..=b'3' => {
            let mut value = first - b'0';
            for _ in 0..2 {
                let digit = bytes.next().filter(|digit| matches!(digit, b'0'..=b'7'))?;
                value = value << 3 | (digit - b'0');
            }
            value
        }
        _ => return None,
    })
}

// ---- Object ids.

type Id = sha1::digest::Output<Sha1>;

/// The id of the file's content as a blob.
fn object_id(path: &[u8], chunk: &mut [u8]) -> Result<Id, Fatal> {
    let unopened = |why: &str| fatal([&b"could not open '"[..], path, b"' for reading: ", why.as_bytes()]);
    let unread = |e: io::Error| fatal([&b"Unable to hash "[..], path, b": ", reason(&e).as_bytes()]);
    // On unix every path is one; elsewhere it has to be UTF-8.
    let name = path.to_path().map_err(|e| unopened(&e.to_string()))?;
    let file = File::open(name).map_err(|e| unopened(&reason(&e)))?;
    blob(file, chunk).map_err(unread)
}

fn blob(mut file: File, chunk: &mut [u8]) -> io::Result<Id> {
    let meta = file.metadata()?;
    if meta.is_file() && meta.len() > 0 {
        if let Some(id) = blob_of_size(meta.len(), &file, chunk)? {
            return Ok(id);
        }
        file.rewind()?;
    }
    // What has no size, or not the one it claims, as in /proc and /sys: the size is hashed first, so all of it
    // has to be here before. (git takes such a file in /proc for an empty one.)
    let mut content = Vec::new();
    file.read_to_end(&mut content)?;
    Ok(header(content.len() as u64).chain_update(&content).finalize())
}

/// Hashes while it reads, so that the file may be larger than memory. `None` if there is less than `size`.
/// What was appended since the size was asked for does not count.
fn blob_of_size(size: u64, file: &File, chunk: &mut [u8]) -> io::Result<Option<Id>> {
    let mut hash = header(size);
    let mut rest = file.take(size);
    loop {
        match rest.read(chunk) {
            Ok(0) => break,
            Ok(n) => hash.update(&chunk[..n]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok((rest.limit() == 0).then(|| hash.finalize()))
}

fn header(size: u64) -> Sha1 {
    Sha1::new_with_prefix(format!("blob {size}\0"))
}

// ---- What is said.

/// What follows `fatal: `, one line.
struct Fatal(Vec<u8>);

/// Pieces of a message, of which a path may be any bytes: what would end the line or move the cursor is shown
/// as `?`, as git does.
fn fatal<const N: usize>(pieces: [impl AsRef<[u8]>; N]) -> Fatal {
    let mut message = Vec::new();
    for piece in &pieces {
        message.extend(piece.as_ref().iter().map(|&byte| match byte {
            b'\t' => byte,
            _ if byte.is_ascii_control() => b'?',
            _ => byte,
        }));
    }
    Fatal(message)
}

/// The C library's words, without the number that std puts behind them.
fn reason(e: &io::Error) -> String {
    let mut said = e.to_string();
    if let Some(number) = e.raw_os_error() {
        said.truncate(said.trim_end_matches(&format!(" (os error {number})")).len());
    }
    said
}

/// Prints to standard output, at once. False if nobody reads there any more, which is no error.
fn say(text: &[u8]) -> Result<bool, Fatal> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(e) => Err(fatal(["standard output: ", &reason(&e)])),
    }
}
