//! The inputs: one table, each made when it is asked for.

use std::env;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use memmap2::Mmap;
use tempfile::NamedTempFile;

use crate::dice::Dice;
use crate::facts::Facts;
use crate::shapes::{self, Shape, Text};

/// Larger than the caches of the machines this runs on.
pub const SIZE: usize = 64 << 20;

/// Enough to check every loop on.
pub const SMALL: usize = 1 << 20;

/// Where an input comes from.
#[derive(Clone, Copy)]
enum Origin {
    /// Made here; a divisor makes an input smaller that would take too long.
    Made { shape: Shape, divisor: usize },
    /// The file that an environment variable names.
    Named(&'static str),
}

const ORIGINS: [(&str, Origin); 8] = [
    ("words", made(shapes::word)),
    ("packages", Origin::Named("WHOLELINE_BENCH_PACKAGES")),
    ("packages", made(shapes::stanza)),
    ("mixed", made(shapes::uneven)),
    ("packed-refs", made(shapes::reference)),
    ("64k", made(shapes::long)),
    ("empty", Origin::Made { shape: shapes::empty, divisor: 4 }),
    ("file", Origin::Named("WHOLELINE_BENCH_FILE")),
];

const fn made(shape: Shape) -> Origin {
    Origin::Made { shape, divisor: 1 }
}

/// The names of the inputs that can be loaded.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<_> =
        ORIGINS.iter().filter(|(_, origin)| origin.exists()).map(|&(name, _)| name).collect();
    names.dedup();
    names
}

impl Origin {
    fn exists(&self) -> bool {
        match self {
            Self::Made { .. } => true,
            Self::Named(variable) => env::var_os(variable).is_some_and(|path| !path.is_empty()),
        }
    }

    fn text(&self, size: usize) -> io::Result<Text> {
        match *self {
            Self::Made { shape, divisor } => {
                let (mut text, mut dice) = (Text::default(), Dice::new(42));
                while text.bytes.len() < size / divisor {
                    shape(&mut text, &mut dice);
                }
                Ok(text)
            }
            Self::Named(variable) => {
                let path = env::var_os(variable).unwrap_or_default();
                let mut bytes = fs::read(&path)
                    .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", Path::new(&path).display())))?;
                // A whole file, unless a quick run was asked for.
                if size < SIZE {
                    bytes.truncate(size);
                }
                Ok(Text { facts: Facts::of(&bytes), bytes })
            }
        }
    }
}

/// An input: a file, the same bytes in memory, and what is in them.
#[derive(Debug)]
pub struct Input {
    name: &'static str,
    facts: Facts,
    is_utf8: bool,
    bytes: Vec<u8>,
    file: NamedTempFile,
}

impl Input {
    /// Makes or reads the input of this name, about `size` bytes of it.
    ///
    /// # Errors
    ///
    /// If there is no such input, or a file cannot be read or written.
    pub fn load(name: &str, size: usize) -> io::Result<Self> {
        let Some((name, origin)) = ORIGINS.iter().find(|(n, origin)| *n == name && origin.exists()) else {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("no input is called {name}")));
        };
        Self::new(name, origin.text(size)?)
    }

    /// An input of bytes given.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn new(name: &'static str, text: Text) -> io::Result<Self> {
        let Text { bytes, facts } = text;
        let mut file = NamedTempFile::new()?;
        file.write_all(&bytes)?;
        let is_utf8 = std::str::from_utf8(&bytes).is_ok();
        Ok(Self { name, facts, is_utf8, bytes, file })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What is in it.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Whether a reader of `String`s can read it.
    pub fn is_utf8(&self) -> bool {
        self.is_utf8
    }

    /// The bytes, in memory.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The file, opened anew.
    ///
    /// # Errors
    ///
    /// As [`File::open`].
    pub fn open(&self) -> io::Result<File> {
        File::open(self.file.path())
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The file, mapped anew.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or mapped.
    pub fn map(&self) -> io::Result<Mmap> {
        let file = self.open()?;
        // SAFETY: the file is ours and nobody writes to it any more.
        unsafe { Mmap::map(&file) }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, lines) = (self.facts.bytes(), self.facts.lines());
        let mean = bytes as f64 / lines.max(1) as f64;
        write!(f, "{}: {bytes} bytes, {lines} lines, {mean:.1} bytes a line", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shapes are what shared measurements call by these names.
    #[test]
    fn shapes_have_the_mean_that_their_names_promise() {
        for (name, mean) in
            [("words", 10.0), ("packages", 43.0), ("mixed", 75.0), ("packed-refs", 129.0), ("64k", 65537.0)]
        {
            let (_, origin) = ORIGINS.iter().rfind(|(n, _)| *n == name).unwrap();
            let text = origin.text(8 << 20).unwrap();
            let found = text.facts.bytes() as f64 / text.facts.lines() as f64;
            assert!((found / mean - 1.0).abs() < 0.03, "{name}: {found} bytes a line");
        }
    }
}
