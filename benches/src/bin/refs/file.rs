//! A packed-refs file to measure with, and what is in it.

use std::io;
use std::path::Path;

use bstr::ByteSlice;
use tempfile::NamedTempFile;
use wholeline::LineReader;

use crate::example::make;

/// Gone when it is dropped.
pub(crate) struct Refs {
    pub(crate) count: u64,
    file: NamedTempFile,
    /// Some of them, from all over the file.
    pub(crate) names: Vec<String>,
}

impl Refs {
    /// How many names are looked up.
    const NAMES: u64 = 200;

    pub(crate) fn make(count: u64) -> io::Result<Self> {
        let file = NamedTempFile::new()?;
        make::make(count, &file, |_| {})?;
        let mut names = Vec::new();
        let mut number = 0;
        LineReader::open(file.path())?.for_each_line(|line| {
            if !line.starts_with(b"#") && !line.starts_with(b"^") {
                if number % (count / Self::NAMES) == 7 {
                    names.push(line[41..].to_str_lossy().into_owned());
                }
                number += 1;
            }
        })?;
        assert_eq!(number, count, "refs in the file");
        // Not in the order of the file: no name profits from the one before.
        names
            .sort_by_key(|name| name.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31) ^ u32::from(byte)));
        Ok(Self { count, file, names })
    }

    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    pub(crate) fn bytes(&self) -> io::Result<u64> {
        Ok(self.path().metadata()?.len())
    }
}
