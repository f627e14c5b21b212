//! Mapping a file, where that is worth it and works.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use memmap2::{Mmap, MmapOptions};

use crate::file::{Bytes, FileBytes};

/// Files smaller than this are read: up to here a copy costs less than setting up a map, its page faults
/// and taking it down, as benches/ measures.
pub(super) const THRESHOLD: usize = 32 << 10;

/// Maps by `map` if the file is one of at least `threshold` bytes, and reads it if it is not or `map` has
/// none to give.
pub(super) fn open(
    path: &Path,
    threshold: usize,
    map: impl FnOnce(&File, usize) -> Option<Mmap>,
) -> io::Result<FileBytes> {
    let mut file = File::open(path)?;
    let meta = file.metadata()?;
    // A device's size means nothing, and what mapping one does is its driver's affair.
    let len = if meta.is_file() { meta.len() } else { 0 };
    let mapped = usize::try_from(len).ok().filter(|&len| len >= threshold).and_then(|len| map(&file, len));
    if let Some(bytes) = mapped {
        return Ok(FileBytes(Bytes::Mapped(bytes)));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(FileBytes::from_vec(bytes))
}

/// A map of all `len` bytes; `None` if the file has fewer, whatever its size is said to be, or its file
/// system maps none.
///
/// # Safety
///
/// The file must not be changed or become shorter as long as the map lives.
pub(super) unsafe fn map(file: &File, len: usize) -> Option<Mmap> {
    // Reading the last byte in vain is cheap, a map of more than there is delivers NULs or SIGBUS.
    let last = file.read_at(&mut [0], len.checked_sub(1)? as u64);
    if !matches!(last, Ok(1)) {
        return None;
    }
    // SAFETY: the caller vouches that nobody changes it.
    unsafe { MmapOptions::new().len(len).map(file) }.ok()
}

/// A map of all `len` bytes, if nobody can change them.
pub(super) fn map_if_safe(file: &File, len: usize) -> Option<Mmap> {
    MmapOptions::new().len(len).map_if_safe(file).ok()
}
