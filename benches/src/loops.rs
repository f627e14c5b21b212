//! The loops that are measured, each in a function of its own: what else stands in a function decides how
//! its loops are compiled.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use bstr::ByteSlice;
use bstr::io::BufReadExt;
use ripline::line_buffer::{LineBufferBuilder, LineBufferReader};
use ripline::lines::LineIter;
use stringzilla::sz;
use wholeline::{LineReader, LineReaderBuilder, Lines};

#[cfg(unix)]
use crate::stream::Stream;
use crate::{CAPACITY, Fold};

// The floor: nobody who copies out of the kernel can be faster.

/// `read`, and nothing else.
#[inline(never)]
pub fn read(mut file: File) -> io::Result<Fold> {
    let mut buffer = vec![0; CAPACITY];
    let mut fold = Fold::default();
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(fold),
            n => fold.sum += n as u64,
        }
    }
}

/// `read`, and the LFs counted.
#[inline(never)]
pub fn read_and_count(mut file: File) -> io::Result<Fold> {
    let mut buffer = vec![0; CAPACITY];
    let mut fold = Fold::default();
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(fold),
            n => {
                fold.sum += n as u64;
                fold.lines += memchr::memchr_iter(b'\n', &buffer[..n]).count() as u64;
            }
        }
    }
}

// wholeline, whatever its kernel.

/// `LineReader::next_line`.
#[inline(never)]
pub fn next_line(mut reader: LineReader<File>) -> io::Result<Fold> {
    let mut fold = Fold::default();
    while let Some(line) = reader.next_line()? {
        fold.line(line.as_bytes());
    }
    Ok(fold)
}

/// `LineReader::for_each_line`.
#[inline(never)]
pub fn for_each_line(mut reader: LineReader<File>) -> io::Result<Fold> {
    let mut fold = Fold::default();
    reader.for_each_line(|line| fold.line(line.as_bytes()))?;
    Ok(fold)
}

/// `LineReader::next_batch`.
#[inline(never)]
pub fn next_batch(mut reader: LineReader<File>) -> io::Result<Fold> {
    let mut fold = Fold::default();
    while let Some(lines) = reader.next_batch()? {
        lines.for_each(|line| fold.line(line.as_bytes()));
    }
    Ok(fold)
}

/// `LineRange::next_line` over the whole file.
#[inline(never)]
pub fn range_next_line(file: File) -> io::Result<Fold> {
    let len = file.metadata()?.len();
    let mut range = LineReaderBuilder::new().capacity(CAPACITY).build_range(file, 0..len)?;
    let mut fold = Fold::default();
    while let Some(line) = range.next_line()? {
        fold.line(line.as_bytes());
    }
    Ok(fold)
}

/// `LineRange::for_each_line` over the whole file.
#[inline(never)]
pub fn range_for_each_line(file: File) -> io::Result<Fold> {
    let len = file.metadata()?.len();
    let mut range = LineReaderBuilder::new().capacity(CAPACITY).build_range(file, 0..len)?;
    let mut fold = Fold::default();
    range.for_each_line(|line| fold.line(line.as_bytes()))?;
    Ok(fold)
}

/// `Lines` over a slice.
#[inline(never)]
pub fn lines(lines: Lines<'_>) -> Fold {
    let mut fold = Fold::default();
    for line in lines {
        fold.line(line.as_bytes());
    }
    fold
}

// Peers that read.

/// `bstr::io::BufReadExt::for_byte_line`.
#[inline(never)]
pub fn bstr_for_byte_line(file: File) -> io::Result<Fold> {
    let mut fold = Fold::default();
    BufReader::with_capacity(CAPACITY, file).for_byte_line(|line| {
        fold.line(line);
        Ok(true)
    })?;
    Ok(fold)
}

/// `linereader::LineReader::next_line`.
#[inline(never)]
pub fn linereader_next_line(file: File) -> io::Result<Fold> {
    let mut reader = linereader::LineReader::with_capacity(CAPACITY, file);
    let mut fold = Fold::default();
    while let Some(line) = reader.next_line() {
        fold.line(line?);
    }
    Ok(fold)
}

/// ripgrep's line buffer, walked as ripline's documentation does it.
#[inline(never)]
pub fn ripline_line_iter(file: File) -> io::Result<Fold> {
    let mut buffer = LineBufferBuilder::new().capacity(CAPACITY).build();
    let mut reader = LineBufferReader::new(file, &mut buffer);
    let mut fold = Fold::default();
    while reader.fill()? {
        for line in LineIter::new(b'\n', reader.buffer()) {
            fold.line(line);
        }
        reader.consume_all();
    }
    Ok(fold)
}

/// `BufRead::read_until` with one `Vec`.
#[inline(never)]
pub fn std_read_until(file: File) -> io::Result<Fold> {
    let mut reader = BufReader::with_capacity(CAPACITY, file);
    let mut line = Vec::new();
    let mut fold = Fold::default();
    while reader.read_until(b'\n', &mut line)? > 0 {
        fold.line(&line);
        line.clear();
    }
    Ok(fold)
}

/// `BufRead::read_line` with one `String`.
#[inline(never)]
pub fn std_read_line(file: File) -> io::Result<Fold> {
    let mut reader = BufReader::with_capacity(CAPACITY, file);
    let mut line = String::new();
    let mut fold = Fold::default();
    while reader.read_line(&mut line)? > 0 {
        fold.line(line.as_bytes());
        line.clear();
    }
    Ok(fold)
}

/// `BufRead::lines`.
#[inline(never)]
pub fn std_lines(file: File) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for line in BufReader::with_capacity(CAPACITY, file).lines() {
        fold.line(line?.as_bytes());
    }
    Ok(fold)
}

/// `BufRead::split`.
#[inline(never)]
pub fn std_split(file: File) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for line in BufReader::with_capacity(CAPACITY, file).split(b'\n') {
        fold.line(&line?);
    }
    Ok(fold)
}

// Byte by byte.

/// `LineReader::next_byte`.
#[inline(never)]
pub fn next_byte(mut reader: LineReader<File>) -> io::Result<Fold> {
    let mut fold = Fold::default();
    while let Some(byte) = reader.next_byte()? {
        fold.byte(byte);
    }
    Ok(fold)
}

/// `LineReader::peek_byte`, and then `next_byte`: what a parser does that looks before it takes.
#[inline(never)]
pub fn peek_byte(mut reader: LineReader<File>) -> io::Result<Fold> {
    let mut fold = Fold::default();
    while let Some(byte) = reader.peek_byte()? {
        fold.byte(byte);
        reader.next_byte()?;
    }
    Ok(fold)
}

/// `Read::bytes` on a `BufReader`.
#[inline(never)]
pub fn std_bytes(file: File) -> io::Result<Fold> {
    let mut fold = Fold::default();
    for byte in BufReader::with_capacity(CAPACITY, file).bytes() {
        fold.byte(byte?);
    }
    Ok(fold)
}

/// `Read::bytes` on a `BufReader` that somebody else has: then each byte is a `read`.
#[inline(never)]
pub fn std_bytes_borrowed(file: File) -> io::Result<Fold> {
    let mut reader = BufReader::with_capacity(CAPACITY, file);
    let mut fold = Fold::default();
    for byte in reader.by_ref().bytes() {
        fold.byte(byte?);
    }
    Ok(fold)
}

/// C's `getc`, which locks the stream for each byte.
#[cfg(unix)]
#[inline(never)]
pub fn getc(file: File) -> io::Result<Fold> {
    let mut stream = Stream::new(file)?;
    let mut fold = Fold::default();
    while let Some(byte) = stream.getc() {
        fold.byte(byte);
    }
    Ok(fold)
}

/// C's `getc_unlocked`. It is a macro there, and a call for everybody else.
#[cfg(unix)]
#[inline(never)]
pub fn getc_unlocked(file: File) -> io::Result<Fold> {
    let mut stream = Stream::new(file)?;
    let mut fold = Fold::default();
    while let Some(byte) = stream.getc_unlocked() {
        fold.byte(byte);
    }
    Ok(fold)
}

// Peers that walk a slice.

/// `bstr::ByteSlice::lines`.
#[inline(never)]
pub fn bstr_lines(bytes: &[u8]) -> Fold {
    let mut fold = Fold::default();
    for line in ByteSlice::lines(bytes) {
        fold.line(line);
    }
    fold
}

/// The lines between the hits of one `memchr_iter`.
#[inline(never)]
pub fn memchr_iter(bytes: &[u8]) -> Fold {
    let mut fold = Fold::default();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        fold.line(&bytes[start..end]);
        start = end + 1;
    }
    if start < bytes.len() {
        fold.line(&bytes[start..]);
    }
    fold
}

/// `stringzilla::find`, a line at a time.
#[inline(never)]
pub fn stringzilla_find(mut bytes: &[u8]) -> Fold {
    let mut fold = Fold::default();
    while let Some(end) = sz::find(bytes, b"\n") {
        fold.line(&bytes[..end]);
        bytes = &bytes[end + 1..];
    }
    if !bytes.is_empty() {
        fold.line(bytes);
    }
    fold
}
