//! The loops that are measured, each in a function of its own, as in the library.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use wholeline::{FileBytes, LineReader, Lines, Terminator};
use wholeline_benches::{CAPACITY, Fold};

// One reader for all files, or one a file.

#[inline(never)]
pub(crate) fn reset(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    let mut reader = None;
    for path in paths {
        let file = File::open(path)?;
        let reader = match &mut reader {
            None => reader.insert(LineReader::new(file)),
            Some(reader) => {
                reader.reset(file);
                reader
            }
        };
        while let Some(line) = reader.next_line()? {
            fold.line(line.as_bytes());
        }
    }
    Ok(fold)
}

#[inline(never)]
pub(crate) fn line_reader(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for path in paths {
        let mut reader = LineReader::open(path)?;
        while let Some(line) = reader.next_line()? {
            fold.line(line.as_bytes());
        }
    }
    Ok(fold)
}

#[inline(never)]
pub(crate) fn read_until(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    let mut line = Vec::new();
    for path in paths {
        let mut reader = BufReader::new(File::open(path)?);
        while reader.read_until(b'\n', &mut line)? > 0 {
            fold.line(&line);
            line.clear();
        }
    }
    Ok(fold)
}

// Whole files.

#[inline(never)]
pub(crate) fn file_bytes_read(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for path in paths {
        fold_lines(&FileBytes::read(path)?, &mut fold);
    }
    Ok(fold)
}

#[inline(never)]
pub(crate) fn file_bytes_map(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for path in paths {
        // SAFETY: the files are ours and nobody writes to them any more.
        fold_lines(&unsafe { FileBytes::map(path)? }, &mut fold);
    }
    Ok(fold)
}

#[inline(never)]
pub(crate) fn mapped_lines(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for path in paths {
        fold_lines(&map(path)?, &mut fold);
    }
    Ok(fold)
}

#[inline(never)]
pub(crate) fn mapped_memchr(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for path in paths {
        fold_hits(&map(path)?, &mut fold);
    }
    Ok(fold)
}

#[inline(never)]
pub(crate) fn read_memchr(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for path in paths {
        fold_hits(&fs::read(path)?, &mut fold);
    }
    Ok(fold)
}

fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the files are ours and nobody writes to them any more.
    unsafe { Mmap::map(&file) }
}

fn fold_lines(bytes: &[u8], fold: &mut Fold) {
    for line in Lines::new(bytes, Terminator::LF) {
        fold.line(line.as_bytes());
    }
}

fn fold_hits(bytes: &[u8], fold: &mut Fold) {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        fold.line(&bytes[start..end]);
        start = end + 1;
    }
    if start < bytes.len() {
        fold.line(&bytes[start..]);
    }
}

// The floor, and bytes without lines.

#[inline(never)]
pub(crate) fn stat(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for path in paths {
        fold.sum += File::open(path)?.metadata()?.len();
    }
    Ok(fold)
}

#[inline(never)]
pub(crate) fn read(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    let mut buffer = vec![0; CAPACITY];
    for path in paths {
        let mut file = File::open(path)?;
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                n => fold.sum += n as u64,
            }
        }
    }
    Ok(fold)
}

#[inline(never)]
pub(crate) fn look_at_read(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for path in paths {
        look(&FileBytes::read(path)?, usize::MAX, &mut fold);
    }
    Ok(fold)
}

#[inline(never)]
pub(crate) fn look_at_mapped(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for path in paths {
        look(&map(path)?, usize::MAX, &mut fold);
    }
    Ok(fold)
}

#[inline(never)]
pub(crate) fn each_page_mapped(paths: &[PathBuf]) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for path in paths {
        look(&map(path)?, 4096, &mut fold);
    }
    Ok(fold)
}

/// Looks at one byte of each `step`, the first in the middle of that or of all.
fn look(bytes: &[u8], step: usize, fold: &mut Fold) {
    let seen = bytes.chunks(step).filter(|piece| piece[piece.len() / 2] != 0).count();
    assert_eq!(seen, bytes.len().div_ceil(step));
    fold.sum += bytes.len() as u64;
}
