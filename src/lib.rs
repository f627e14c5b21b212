//! Whole lines as bytes: fast, with NULs intact, lossless, without an allocation a line.
//!
//! This is the primitive under a parser or a command-line tool: [`LineReader`] takes anything that
//! implements [`Read`](std::io::Read) and lends each [`Line`] from its buffer; [`Lines`] does the same for
//! bytes that are all in memory. The name comes from git's `strbuf_getwholeline`, whose history is the
//! specification.
//!
//! # Overview
//!
//! | to | use |
//! |---|---|
//! | read lines, one by one | [`LineReader::next_line`] |
//! | read them all, fastest | [`LineReader::for_each_line`], [`LineReader::try_for_each_line`] |
//! | have an iterator | [`LineReader::next_batch`], or [`LineRead::into_lines`] to own the lines |
//! | read a file, a raw descriptor | [`LineReader::open`], [`LineReader::from_fd`] |
//! | read a slice's lines | [`Lines::new`] |
//! | read lines from the end | [`Lines`], which goes both ways; [`RevLineReader`] for what is too large to hold |
//! | have a whole file as bytes | [`FileBytes::read`], and with the feature `mmap` `FileBytes::map` |
//! | read other lines than LF's | [`Terminator`] |
//! | bound the length of a line, follow a log | [`LineReaderBuilder`] |
//! | look something up in sorted lines | [`SortedLines`] in memory, [`SortedFile`] without reading the file |
//! | read byte by byte, or a binary body after header lines | [`LineReader::next_byte`], and [`Read`](std::io::Read) and [`BufRead`](std::io::BufRead) on the same reader |
//! | read a part of a file, beside others who read the other parts | [`LineReader::range`] |
//! | share a slice's lines among threads | [`split::at_lines`] |
//! | share a C stream with C code | `stdio::StdioReader` (feature `stdio`, unix) |
//! | hand the source on | [`LineReader::sync`], [`LineReader::into_parts`] |
//! | leave what is behind a line to a child or to C code, after each line | [`ExactLineReader`] |
//! | be generic over where lines come from | [`LineRead`] |
//!
//! # Examples
//!
//! The common loop, which needs no import but the reader:
//!
//! ```
//! use wholeline::LineReader;
//!
//! let mut reader = LineReader::new(&b"alpha\nbe\0ta\ngamma"[..]);
//! let mut longest = 0;
//! while let Some(line) = reader.next_line()? {
//!     longest = longest.max(line.len());
//! }
//! assert_eq!(longest, 5);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Header lines and then a body of stated length, from one reader ([`LineReader`] has one in chunks):
//!
//! ```
//! use std::io::Read;
//! use bstr::ByteSlice;
//! use wholeline::{LineReaderBuilder, Terminator};
//!
//! let response = &b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\n\0\r\n"[..];
//! let mut reader = LineReaderBuilder::new().terminator(Terminator::CRLF).build(response);
//! let mut length = 0;
//! while let Some(line) = reader.next_line()?.filter(|line| !line.is_empty()) {
//!     if let Some(value) = line.strip_prefix(b"Content-Length: ") {
//!         length = value.to_str().ok().and_then(|value| value.parse().ok()).unwrap_or(0);
//!     }
//! }
//! let mut body = vec![0; length];
//! reader.read_exact(&mut body)?;
//! assert_eq!(body, b"\n\0\r\n");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Why this and not `BufRead`
//!
//! `read_until` copies each line, `lines` allocates for each and wants UTF-8; neither tells a last line
//! that is cut off from one that is complete, and after an error in the middle of a line what was read of
//! it has to be pieced together by the caller. All of them start a search for each line, which for lines
//! of usual length costs more than the search itself. Here line ends are found many at a time; the README
//! has measurements. What it costs: lines are borrowed until the next call, so they cannot be collected
//! without [a copy](LineRead::read_line_into), and a reader holds up to 16 KiB besides its buffer.
//!
//! # What a reader promises
//!
//! - One read a refill: a complete line in the buffer is handed out before more is asked for.
//! - Each byte is scanned once (twice in a batch) and moved at most a constant number of times, however it
//!   arrives.
//! - No byte is lost, invented or special. Errors lose nothing, and never make a piece look like a line.
//! - The end of the input is reported, not remembered for ever.
//! - With a limit on the length of lines memory is bounded, whatever the input.
//!
//! # Things this crate does not do
//!
//! It decodes no text (no UTF-16, no BOM is removed), does no asynchronous I/O, and never waits: a source
//! that would block says so through the reader.

#![deny(unsafe_code)]

#[cfg(feature = "__internals")]
#[doc(hidden)]
pub mod __internals;
mod back;
mod buffer;
mod builder;
mod error;
#[cfg(unix)]
#[expect(unsafe_code, reason = "system calls")]
mod exact;
#[cfg(unix)]
#[expect(unsafe_code, reason = "system calls")]
mod fd;
#[cfg_attr(feature = "mmap", expect(unsafe_code, reason = "maps of files that others may write to"))]
mod file;
#[cfg(unix)]
mod gather;
mod line;
mod line_read;
mod lines;
mod range;
mod reader;
mod rev;
#[expect(
    unsafe_code,
    reason = "instructions that not every processor has, and unchecked writes of the index"
)]
mod scan;
mod sorted;
pub mod split;
#[cfg(all(unix, feature = "stdio"))]
#[expect(unsafe_code, reason = "the C library's streams")]
pub mod stdio;
mod window;

pub use builder::{LineReaderBuilder, OverLong};
pub use error::LineTooLong;
#[cfg(unix)]
pub use exact::{ExactLineReader, Method};
#[cfg(unix)]
pub use fd::Fd;
pub use file::FileBytes;
pub use line::{Ending, Line, Terminator};
pub use line_read::{IntoLines, LineRead};
pub use lines::Lines;
pub use range::LineRange;
pub use reader::LineReader;
pub use rev::RevLineReader;
pub use sorted::{FileRecords, OutOfOrder, Record, Records, SortedFile, SortedLines};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
