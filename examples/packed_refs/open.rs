//! A file's bytes, read or mapped.

use std::io;
use std::path::Path;

use wholeline::FileBytes;

use super::args::Mode;

/// All bytes of a file.
pub(crate) fn bytes(path: &Path, mode: Mode) -> io::Result<FileBytes> {
    match mode {
        Mode::Map => map(path),
        Mode::Read | Mode::Seek => FileBytes::read(path),
    }
}

#[cfg(feature = "mmap")]
#[expect(unsafe_code, reason = "mapping a file is a promise about who writes to it")]
fn map(path: &Path) -> io::Result<FileBytes> {
    // SAFETY: git never changes a packed-refs file, it puts another one in its place; and who asks for --map
    // vouches for other programs.
    unsafe { FileBytes::map(path) }
}

#[cfg(not(feature = "mmap"))]
fn map(_: &Path) -> io::Result<FileBytes> {
    let message = "this build cannot map files: cargo build --features mmap --example packed_refs";
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}
