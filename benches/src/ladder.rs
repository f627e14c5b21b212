//! The rungs of the ladder that git's readers of lines climbed from 2010 to 2018, and the ones above: on C streams,
//! each with a buffer of [`CAPACITY`](crate::CAPACITY) bytes.

use std::fs::File;
use std::io;
use std::path::Path;

use libc::FILE;
use wholeline::stdio::{Backend, StdioReader};

use crate::Fold;
use crate::stream::Stream;

// In C.

unsafe extern "C" {
    fn c_getc(file: *mut FILE, fold: &mut CFold);
    fn c_getc_unlocked(file: *mut FILE, fold: &mut CFold);
    fn c_getdelim(file: *mut FILE, fold: &mut CFold);
    fn c_getdelim_checked(file: *mut FILE, fold: &mut CFold);
    fn c_fgets(file: *mut FILE, fold: &mut CFold);

    // The libc crate does not have these.
    fn flockfile(file: *mut FILE);
    fn funlockfile(file: *mut FILE);
}

/// `struct fold`.
#[repr(C)]
#[derive(Default)]
struct CFold {
    lines: u64,
    sum: u64,
}

fn in_c(path: &Path, measured: unsafe extern "C" fn(*mut FILE, &mut CFold)) -> io::Result<Fold> {
    let stream = Stream::new(File::open(path)?)?;
    let mut fold = CFold::default();
    // SAFETY: the stream is open.
    unsafe { measured(stream.as_ptr(), &mut fold) };
    Ok(Fold { lines: fold.lines, sum: fold.sum })
}

/// `getc` in C: a lock a byte.
pub fn getc_in_c(path: &Path) -> io::Result<Fold> {
    in_c(path, c_getc)
}

/// `getc_unlocked` in C: a lock a line, and the macro.
pub fn getc_unlocked_in_c(path: &Path) -> io::Result<Fold> {
    in_c(path, c_getc_unlocked)
}

/// `getdelim` in C.
pub fn getdelim_in_c(path: &Path) -> io::Result<Fold> {
    in_c(path, c_getdelim)
}

/// The same loop with `errno` cleared and looked at, as ours has to.
pub fn checked_getdelim_in_c(path: &Path) -> io::Result<Fold> {
    in_c(path, c_getdelim_checked)
}

/// `fgets` and `strlen` in C, which is not NUL-clean.
pub fn fgets_in_c(path: &Path) -> io::Result<Fold> {
    in_c(path, c_fgets)
}

// In Rust, by hand.

/// Asks for room before each byte, as git's `strbuf_grow` did.
#[inline(never)]
fn grow(line: &mut Vec<u8>) {
    line.reserve(1);
}

/// `getc_unlocked` called a byte, and what makes room for the byte.
#[inline(always)]
fn by_bytes(path: &Path, mut push: impl FnMut(&mut Vec<u8>, u8)) -> io::Result<Fold> {
    let mut stream = Stream::new(File::open(path)?)?;
    let (mut fold, mut line) = (Fold::default(), Vec::new());
    loop {
        line.clear();
        // SAFETY: the stream is open.
        unsafe { flockfile(stream.as_ptr()) };
        let last = loop {
            match stream.getc_unlocked() {
                Some(b'\n') => break false,
                Some(byte) => push(&mut line, byte),
                None => break true,
            }
        };
        // SAFETY: the stream is open, and locked by us.
        unsafe { funlockfile(stream.as_ptr()) };
        if !last || !line.is_empty() {
            fold.line(&line);
        }
        if last {
            return Ok(fold);
        }
    }
}

/// Without looking first whether there is room.
#[inline(never)]
pub fn grow_a_byte(path: &Path) -> io::Result<Fold> {
    by_bytes(path, |line, byte| {
        grow(line);
        line.push(byte);
    })
}

/// With a look first: what git's `strbuf_avail` brought.
#[inline(never)]
pub fn room_check(path: &Path) -> io::Result<Fold> {
    by_bytes(path, |line, byte| {
        if line.len() == line.capacity() {
            grow(line);
        }
        line.push(byte);
    })
}

// wholeline.

fn open(path: &Path, backend: Backend) -> io::Result<StdioReader> {
    StdioReader::open(path)?.with_backend(backend)
}

#[inline(never)]
fn next_line(mut reader: StdioReader) -> io::Result<Fold> {
    let mut fold = Fold::default();
    while let Some(line) = reader.next_line()? {
        fold.line(line.as_bytes());
    }
    Ok(fold)
}

#[inline(never)]
fn for_each_line(mut reader: StdioReader) -> io::Result<Fold> {
    let mut fold = Fold::default();
    reader.for_each_line(|line| fold.line(line.as_bytes()))?;
    Ok(fold)
}

/// `Backend::Getc`.
pub fn getc(path: &Path) -> io::Result<Fold> {
    next_line(open(path, Backend::Getc)?)
}

/// `Backend::GetcUnlocked`.
pub fn getc_unlocked_backend(path: &Path) -> io::Result<Fold> {
    next_line(open(path, Backend::GetcUnlocked)?)
}

/// `Backend::Getdelim`.
pub fn getdelim(path: &Path) -> io::Result<Fold> {
    next_line(open(path, Backend::Getdelim)?)
}

/// `Backend::Window`, one lock a line.
pub fn window(path: &Path) -> io::Result<Fold> {
    next_line(open(path, Backend::Window)?)
}

/// `Backend::Window`, one lock a window.
pub fn window_for_each(path: &Path) -> io::Result<Fold> {
    for_each_line(open(path, Backend::Window)?)
}

/// The same two on a stream that others may read from.
pub fn shared_window(path: &Path) -> io::Result<Fold> {
    let stream = Stream::new(File::open(path)?)?;
    // SAFETY: the stream is open.
    next_line(unsafe { StdioReader::from_file_ptr(stream.as_ptr()) }.with_backend(Backend::Window)?)
}

/// See [`shared_window`].
pub fn shared_window_for_each(path: &Path) -> io::Result<Fold> {
    let stream = Stream::new(File::open(path)?)?;
    // SAFETY: the stream is open.
    for_each_line(unsafe { StdioReader::from_file_ptr(stream.as_ptr()) }.with_backend(Backend::Window)?)
}
