//! A whole file's bytes, read or mapped.

#[cfg(all(feature = "mmap", unix))]
mod map;

use core::fmt;
use core::ops::Deref;
use std::fs;
use std::io;
use std::path::Path;

use crate::line::Terminator;
use crate::lines::Lines;

/// All bytes of a file, on the heap or mapped into memory.
///
/// Derefs to `[u8]`; [`lines`](Self::lines) goes through them from either end.
///
/// ```
/// use wholeline::{FileBytes, Terminator};
///
/// let bytes = FileBytes::read("Cargo.toml")?;
/// let first = bytes.lines(Terminator::LF).next().unwrap();
/// assert_eq!(first.as_bytes(), b"[package]");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Which to use
///
/// | | a file that others write to | cost |
/// |---|---|---|
/// | [`read`](Self::read) | is what it was when it was read | a copy, and memory for all of it |
/// | `map_if_safe` (feature `mmap`) | is read | as `map` where nobody can write to it, else as `read` |
/// | `map` (feature `mmap`, unsafe) | **must not happen** | a page fault for each piece that is looked at |
///
/// Mapping pays where a few pieces of a file are looked at, and for files that are much larger than caches. To
/// go through all lines of one of up to a MiB, reading is as fast or faster.
pub struct FileBytes(Bytes);

enum Bytes {
    Read(Vec<u8>),
    #[cfg(all(feature = "mmap", unix))]
    Mapped(memmap2::Mmap),
}

impl FileBytes {
    /// Reads all of a file.
    ///
    /// Whatever becomes of the file afterwards, these bytes stay what they are.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or read, as a directory, and [`OutOfMemory`](io::ErrorKind::OutOfMemory) if
    /// there is no room for it. A FIFO or a device is read up to its end, if it has one.
    pub fn read(path: impl AsRef<Path>) -> io::Result<Self> {
        fs::read(path).map(Self::from_vec)
    }

    fn from_vec(bytes: Vec<u8>) -> Self {
        Self(Bytes::Read(bytes))
    }

    /// Maps a file, or reads it where that is cheaper or mapping cannot work.
    ///
    /// Read are: small files (where the line is drawn was measured: 128 KiB), files that are not regular ones
    /// (a FIFO, a device), files whose size says nothing of their content (those of /proc have size 0, those
    /// of /sys more than they hold), files on a system that refuses to map them. On Windows every file is
    /// read, so that it can be replaced meanwhile. [`is_mapped`](Self::is_mapped) tells what was done.
    ///
    /// # Safety
    ///
    /// As long as the bytes are in use, nobody may change the file in place or make it shorter, be it this
    /// process or another. Where somebody does:
    ///
    /// - what is written shows up in these bytes, and the compiler was promised that they do not change:
    ///   this is undefined behaviour;
    /// - a look at what a shorter file no longer has raises `SIGBUS`, which ends the process unless it is
    ///   handled.
    ///
    /// A file that is *replaced*, by a rename over its name or by removing it and making another, is left
    /// alone by that: its bytes stay until they are unmapped. [`read`](Self::read) and
    /// [`map_if_safe`](Self::map_if_safe) suffer from none of this.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    ///
    /// ```
    /// use wholeline::{FileBytes, Terminator};
    ///
    /// // SAFETY: nobody writes to it while this runs.
    /// let bytes = unsafe { FileBytes::map("Cargo.toml")? };
    /// assert!(!bytes.is_mapped(), "it is small");
    /// assert_eq!(bytes.lines(Terminator::LF).next().unwrap().as_bytes(), b"[package]");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "mmap")]
    pub unsafe fn map(path: impl AsRef<Path>) -> io::Result<Self> {
        #[cfg(unix)]
        // SAFETY: passed on.
        return map::open(path.as_ref(), map::THRESHOLD, |file, len| unsafe { map::map(file, len) });
        #[cfg(not(unix))]
        Self::read(path)
    }

    /// Maps a file if the system vouches that nobody can change it or make it shorter, or else reads it.
    ///
    /// On Linux and Android that is a file with fs-verity, or a memfd sealed with `F_SEAL_SHRINK` and
    /// `F_SEAL_WRITE`; on FreeBSD such a memfd; elsewhere there is none. Small files are read, as by
    /// [`map`](Self::map).
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    ///
    /// ```
    /// use wholeline::FileBytes;
    ///
    /// assert!(FileBytes::map_if_safe("Cargo.toml")?.starts_with(b"[package]"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # References
    ///
    /// `memfd_create(2)`, `F_ADD_SEALS` in `fcntl(2)`: Linux, FreeBSD. `FS_IOC_MEASURE_VERITY`: fs-verity in
    /// the Linux kernel's documentation.
    #[cfg(feature = "mmap")]
    pub fn map_if_safe(path: impl AsRef<Path>) -> io::Result<Self> {
        #[cfg(unix)]
        return map::open(path.as_ref(), map::THRESHOLD, map::map_if_safe);
        #[cfg(not(unix))]
        Self::read(path)
    }

    /// Whether the bytes are the file's own, and not a copy.
    pub fn is_mapped(&self) -> bool {
        match self.0 {
            Bytes::Read(_) => false,
            #[cfg(all(feature = "mmap", unix))]
            Bytes::Mapped(_) => true,
        }
    }

    /// The lines, from either end. Offsets count from the file's start, numbers from 1.
    pub fn lines(&self, terminator: Terminator) -> Lines<'_> {
        Lines::new(self, terminator)
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Bytes::Read(bytes) => bytes,
            #[cfg(all(feature = "mmap", unix))]
            Bytes::Mapped(bytes) => bytes,
        }
    }
}

impl AsRef<[u8]> for FileBytes {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileBytes").field("len", &self.len()).field("is_mapped", &self.is_mapped()).finish()
    }
}
