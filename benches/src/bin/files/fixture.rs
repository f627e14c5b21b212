//! The files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use wholeline_benches::dice::Dice;
use wholeline_benches::shapes::{self, Text};
use wholeline_benches::{Facts, Fold, Hands};

/// Files of one size, and what is in them.
#[derive(Debug)]
pub(crate) struct Files {
    /// Removes them in the end.
    _directory: TempDir,
    paths: Vec<PathBuf>,
    facts: Facts,
}

impl Files {
    /// Files of `size` bytes, `total` bytes all told but not more than 128 of them, with lines of 75 bytes
    /// on average. (Few files, and many rounds: whatever else the machine does then spares some round.)
    pub(crate) fn new(size: usize, total: usize) -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let mut dice = Dice::new(42);
        let mut facts = Facts::default();
        let mut paths = Vec::new();
        for number in 0..(total / size).clamp(4, 128) {
            let path = directory.path().join(number.to_string());
            write(&path, size, &mut dice, &mut facts)?;
            paths.push(path);
        }
        Ok(Self { _directory: directory, paths, facts })
    }

    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Panics if that is not what a contestant must find.
    pub(crate) fn check(&self, name: &str, hands: Hands, fold: Fold) {
        assert_eq!(fold, self.facts.expected(hands), "{name} found something else");
    }
}

/// A file of exactly `size` bytes; `facts` gets its lines.
fn write(path: &Path, size: usize, dice: &mut Dice, facts: &mut Facts) -> io::Result<()> {
    let mut text = Text::default();
    while text.bytes.len() < size {
        shapes::uneven(&mut text, dice);
    }
    text.bytes.truncate(size - 1);
    text.bytes.push(b'\n');
    text.bytes.split_inclusive(|&byte| byte == b'\n').for_each(|line| facts.add(line));
    fs::write(path, &text.bytes)
}
