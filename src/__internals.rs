//! For this crate's own benches and fuzz targets: the kernels one by one, and searches in small blocks. Not
//! part of the API.

use std::io::{self, Read, Seek};

pub use crate::scan::Kernel;

use crate::scan::{BLOCK, Density, SLACK, Scanner};
use crate::window::Window;
use crate::{LineReader, LineReaderBuilder, Lines, SortedFile, Terminator};

impl Kernel {
    /// Every kernel that this machine can run, the fastest first.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::available()
    }

    /// One past the last byte of every terminator, found by each way of writing an index; they must agree.
    pub fn index(self, hay: &[u8], terminator: Terminator) -> Vec<usize> {
        let scanner = Scanner::with_kernel(terminator.needle(), self);
        let [sparse, dense] = [Density::Sparse, Density::Dense].map(|density| {
            let mut out = vec![0; hay.len() + SLACK];
            let found = scanner.index(hay, hay.len(), density, &mut out);
            out.truncate(found);
            out
        });
        assert_eq!(sparse, dense, "in blocks of {BLOCK}");
        sparse.into_iter().map(|end| end as usize).collect()
    }

    /// How many terminators there are.
    pub fn count(self, hay: &[u8], terminator: Terminator) -> usize {
        Scanner::with_kernel(terminator.needle(), self).count(hay, hay.len())
    }

    /// A reader that scans with this kernel.
    pub fn reader<R>(self, builder: LineReaderBuilder, terminator: Terminator, source: R) -> LineReader<R> {
        let scanner = Scanner::with_kernel(terminator.needle(), self);
        builder.terminator(terminator).build_with_scanner(source, scanner)
    }

    /// An iterator that scans with this kernel.
    pub fn lines(self, bytes: &[u8], terminator: Terminator) -> Lines<'_> {
        let scanner = Scanner::with_kernel(terminator.needle(), self);
        Lines::with_window(bytes, Window::new(scanner, terminator, 1, usize::MAX), 0)
    }
}

/// A search that reads `block` bytes for a probe, a power of two.
pub fn sorted_file<R: Read + Seek>(source: R, block: usize) -> io::Result<SortedFile<R>> {
    SortedFile::with_block(source, block)
}
