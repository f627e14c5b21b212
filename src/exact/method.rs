//! What a reader that reads exactly can be asked for.

use core::fmt;

/// How an [`ExactLineReader`](crate::ExactLineReader) takes no byte too many.
///
/// The calls are those for a line that ends within 4 KiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// A regular file, or a disk: a block is read, and what is behind the line given back by `lseek(2)`. Two
    /// calls a line.
    Seek,
    /// A stream socket: a look with `MSG_PEEK`, then a read of the line. Two calls.
    Peek,
    /// A pipe or a FIFO on Linux: `tee(2)` copies what is in it to a pipe that nobody else knows, where it
    /// can be looked at, then comes a read of the line. Three calls.
    Tee,
    /// A terminal, a device, a file in /proc, a pipe on other systems, or where the system refuses what the
    /// other ways need: a call a byte.
    Byte,
}

impl fmt::Display for Method {
    /// One word: `seek`, `peek`, `tee` or `byte`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Seek => "seek",
            Self::Peek => "peek",
            Self::Tee => "tee",
            Self::Byte => "byte",
        })
    }
}
