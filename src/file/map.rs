//! Mapping a file, where that is worth it and works.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use memmap2::{Mmap, MmapOptions};

use crate::file::{Bytes, FileBytes};

/// Files smaller than this are read. From here on one look at a map costs less than to read the file; below,
/// setting up a map and taking it down costs more than any copy. (Looking at every page, reading is about even
/// up to twice this.) The program `files` in benches/ measures it.
pub(super) const THRESHOLD: usize = 128 << 10;

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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    fn file(content: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(content).unwrap();
        file
    }

    /// With every file large enough to be mapped.
    fn open_any(path: &Path) -> FileBytes {
        // SAFETY: no test changes a file while it is mapped.
        open(path, 0, |file, len| unsafe { map(file, len) }).unwrap()
    }

    #[test]
    fn small_files_can_be_mapped_but_not_empty_ones() {
        for len in [1, 2, 4095, 4096, 4097, 8192] {
            let content = b"x".repeat(len);
            let file = file(&content);
            let bytes = open_any(file.path());
            assert!(bytes.is_mapped(), "{len}");
            assert!(*bytes == *content, "{len}");
        }
        let bytes = open_any(file(b"").path());
        assert!(!bytes.is_mapped() && bytes.is_empty());
    }

    /// As one of /sys would be that can be mapped.
    #[test]
    fn a_size_that_is_more_than_there_is() {
        let file = file(&b"x".repeat(4096));
        for len in [4097, 8192, usize::MAX] {
            // SAFETY: nobody changes the file.
            assert!(unsafe { map(file.as_file(), len) }.is_none(), "{len}");
        }
        // SAFETY: nobody changes the file.
        assert_eq!(unsafe { map(file.as_file(), 4096) }.map(|map| map.len()), Some(4096));
    }

    /// The last byte is there, but the file system maps nothing: files of /proc and of /sys, their sizes set
    /// right.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_system_that_refuses() {
        for path in ["/proc/self/status", "/proc/version", "/proc/filesystems"] {
            let content = fs::read(path).unwrap();
            let bytes = open(Path::new(path), 0, |file, _| {
                // SAFETY: nobody changes these.
                let refused = unsafe { map(file, content.len()) };
                assert!(refused.is_none(), "{path}");
                refused
            });
            let bytes = bytes.unwrap();
            assert!(!bytes.is_mapped() && bytes.len() >= content.len() / 2, "{path}");
        }
    }

    /// A map that failed costs nothing but the read: the file is read from its start.
    #[test]
    fn what_cannot_be_mapped_is_read() {
        let content = b"all of it\n".repeat(10_000);
        let bytes = open(file(&content).path(), 0, |_, _| None).unwrap();
        assert!(!bytes.is_mapped() && *bytes == *content);
    }

    #[test]
    fn the_threshold() {
        for (len, mapped) in [(THRESHOLD - 1, false), (THRESHOLD, true)] {
            let file = file(&b"x".repeat(len));
            // SAFETY: nobody changes the file.
            let bytes = open(file.path(), THRESHOLD, |file, len| unsafe { map(file, len) }).unwrap();
            assert_eq!((bytes.is_mapped(), bytes.len()), (mapped, len));
        }
    }
}
