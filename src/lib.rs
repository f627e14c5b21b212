//! Whole lines as bytes.
#![deny(unsafe_code)]

mod buffer;
mod builder;
mod error;
#[cfg(unix)]
#[expect(unsafe_code, reason = "the system calls")]
mod fd;
mod line;
mod line_read;
mod lines;
mod reader;
#[expect(unsafe_code, reason = "instructions that not every processor has")]
mod scan;
mod window;

pub use builder::{LineReaderBuilder, OverLong};
pub use error::LineTooLong;
#[cfg(unix)]
pub use fd::Fd;
pub use line::{Ending, Line, Terminator};
pub use line_read::{IntoLines, LineRead};
pub use lines::Lines;
pub use reader::LineReader;

#[cfg(feature = "__internals")]
#[doc(hidden)]
pub mod __internals;
