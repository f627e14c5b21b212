//! Streams on real files and pipes, closed when dropped.

use std::ffi::CStr;
use std::fs::File;
use std::io::Write;
use std::os::fd::IntoRawFd;

use wholeline::stdio::{Backend, StdioReader};

pub(crate) struct Stream(pub(crate) *mut libc::FILE);

// SAFETY: the C library locks it for each call.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

impl Stream {
    pub(crate) fn of(file: File, mode: &CStr) -> Stream {
        // SAFETY: the descriptor is open, and the stream's from now on.
        let stream = unsafe { libc::fdopen(file.into_raw_fd(), mode.as_ptr()) };
        assert!(!stream.is_null());
        Stream(stream)
    }

    /// A file that holds this.
    pub(crate) fn file(content: &[u8]) -> Stream {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(content).expect("writing it");
        Stream::of(file.reopen().expect("opening it"), c"r")
    }

    pub(crate) fn reader(&self, backend: Backend) -> StdioReader {
        // SAFETY: the stream is open; each test drops the reader first.
        let reader = unsafe { StdioReader::from_file_ptr(self.0) };
        reader.with_backend(backend).expect("it is available")
    }

    pub(crate) fn getc(&self) -> Option<u8> {
        // SAFETY: the stream is open.
        u8::try_from(unsafe { libc::fgetc(self.0) }).ok()
    }

    pub(crate) fn ungetc(&self, byte: u8) {
        // SAFETY: the stream is open.
        assert_eq!(unsafe { libc::ungetc(byte.into(), self.0) }, byte.into());
    }

    pub(crate) fn fread(&self, len: usize) -> Vec<u8> {
        let mut to = vec![0; len];
        // SAFETY: the stream is open, and there is so much room.
        let n = unsafe { libc::fread(to.as_mut_ptr().cast(), 1, len, self.0) };
        to.truncate(n);
        to
    }

    /// What `fgets` gives with so much room, if there is no NUL in it.
    pub(crate) fn fgets(&self, room: usize) -> Vec<u8> {
        let mut to = vec![0u8; room];
        // SAFETY: the stream is open, and there is so much room.
        let got = unsafe { libc::fgets(to.as_mut_ptr().cast(), room as i32, self.0) };
        let len = if got.is_null() { 0 } else { to.iter().position(|&byte| byte == 0).expect("a NUL") };
        to.truncate(len);
        to
    }

    pub(crate) fn rewind(&self) {
        // SAFETY: the stream is open.
        unsafe { libc::rewind(self.0) }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        // SAFETY: the stream is open.
        unsafe { libc::feof(self.0) != 0 }
    }

    pub(crate) fn has_failed(&self) -> bool {
        // SAFETY: the stream is open.
        unsafe { libc::ferror(self.0) != 0 }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream is open.
        unsafe { libc::fclose(self.0) };
    }
}
