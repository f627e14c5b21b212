//! Who is measured: one table.

use std::fs::File;
use std::io;
use std::path::Path;

use wholeline::__internals::Kernel;
use wholeline::{LineReader, LineReaderBuilder, Lines, Terminator};

use crate::{CAPACITY, Fold, Hands, Input, ladder, loops};

/// A loop, and where its lines come from.
#[derive(Clone, Copy, Debug)]
enum Loop {
    /// A peer's, from an open file.
    Read(fn(File) -> io::Result<Fold>),
    /// wholeline's, from an open file.
    Ours(fn(LineReader<File>) -> io::Result<Fold>),
    /// Anybody's, who opens the file as a C stream.
    Stream(fn(&Path) -> io::Result<Fold>),
    /// A peer's, over a slice.
    Slice(fn(&[u8]) -> Fold),
    /// wholeline's, over a slice.
    OurLines(fn(Lines<'_>) -> Fold),
}

/// What a contestant can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Utf8,
    Anything,
}

use Loop::{OurLines, Ours, Read, Slice, Stream};
use Takes::{Anything, Utf8};

type Entry = (&'static str, Hands, Takes, Loop);

const READERS: &[Entry] = &[
    ("read", Hands::Bytes, Anything, Read(loops::read)),
    ("read + count", Hands::Newlines, Anything, Read(loops::read_and_count)),
    ("next_line", Hands::Content, Anything, Ours(loops::next_line)),
    ("for_each_line", Hands::Content, Anything, Ours(loops::for_each_line)),
    ("next_batch", Hands::Content, Anything, Ours(loops::next_batch)),
    ("LineRange next_line", Hands::Content, Anything, Read(loops::range_next_line)),
    ("LineRange for_each_line", Hands::Content, Anything, Read(loops::range_for_each_line)),
    ("bstr", Hands::Stripped, Anything, Read(loops::bstr_for_byte_line)),
    ("linereader", Hands::Pieces, Anything, Read(loops::linereader_next_line)),
    ("ripline", Hands::Whole, Anything, Read(loops::ripline_line_iter)),
    ("std read_until", Hands::Whole, Anything, Read(loops::std_read_until)),
    ("std read_line", Hands::Whole, Utf8, Read(loops::std_read_line)),
    ("std split", Hands::Content, Anything, Read(loops::std_split)),
    ("std lines", Hands::Stripped, Utf8, Read(loops::std_lines)),
];

/// From the lowest rung up.
const LADDER: &[Entry] = &[
    ("C getc", Hands::Content, Anything, Stream(ladder::getc_in_c)),
    ("getc", Hands::Content, Anything, Stream(ladder::getc)),
    ("getc_unlocked", Hands::Content, Anything, Stream(ladder::getc_unlocked_backend)),
    ("by hand, growing a byte", Hands::Content, Anything, Stream(ladder::grow_a_byte)),
    ("by hand, room check", Hands::Content, Anything, Stream(ladder::room_check)),
    ("C getc_unlocked", Hands::Content, Anything, Stream(ladder::getc_unlocked_in_c)),
    ("C fgets (not NUL-clean)", Hands::Content, Anything, Stream(ladder::fgets_in_c)),
    ("C getdelim", Hands::Content, Anything, Stream(ladder::getdelim_in_c)),
    ("C getdelim, errors told", Hands::Content, Anything, Stream(ladder::checked_getdelim_in_c)),
    ("getdelim", Hands::Content, Anything, Stream(ladder::getdelim)),
    ("window, shared", Hands::Content, Anything, Stream(ladder::shared_window)),
    ("window, shared, for_each", Hands::Content, Anything, Stream(ladder::shared_window_for_each)),
    ("window", Hands::Content, Anything, Stream(ladder::window)),
    ("window, for_each", Hands::Content, Anything, Stream(ladder::window_for_each)),
    ("next_line", Hands::Content, Anything, Ours(loops::next_line)),
    ("for_each_line", Hands::Content, Anything, Ours(loops::for_each_line)),
    ("read + count", Hands::Newlines, Anything, Read(loops::read_and_count)),
];

const SLICES: &[Entry] = &[
    ("Lines", Hands::Content, Anything, OurLines(loops::lines)),
    ("bstr lines", Hands::Stripped, Anything, Slice(loops::bstr_lines)),
    ("memchr_iter", Hands::Content, Anything, Slice(loops::memchr_iter)),
    ("stringzilla", Hands::Content, Anything, Slice(loops::stringzilla_find)),
];

/// What a parser may take its characters from.
const BYTES: &[Entry] = &[
    ("next_byte", Hands::EachByte, Anything, Ours(loops::next_byte)),
    ("peek_byte, next_byte", Hands::EachByte, Anything, Ours(loops::peek_byte)),
    ("std bytes", Hands::EachByte, Anything, Read(loops::std_bytes)),
    ("std bytes, borrowed", Hands::EachByte, Anything, Read(loops::std_bytes_borrowed)),
    #[cfg(unix)]
    ("getc", Hands::EachByte, Anything, Read(loops::getc)),
    #[cfg(unix)]
    ("getc_unlocked", Hands::EachByte, Anything, Read(loops::getc_unlocked)),
];

/// One who takes part.
#[derive(Clone, Debug)]
pub struct Contestant {
    name: String,
    hands: Hands,
    takes: Takes,
    measured: Loop,
    /// Slices only: mapped, instead of in memory.
    mapped: bool,
    /// wholeline's only: this kernel, instead of the one it chooses.
    kernel: Option<Kernel>,
}

/// Everybody who reads a file.
pub fn readers() -> Vec<Contestant> {
    contestants(READERS)
}

/// Every rung of C's streams, and what stands above them.
pub fn ladder() -> Vec<Contestant> {
    LADDER.iter().map(|&entry| plain(entry)).collect()
}

/// Everybody who walks a slice in memory.
pub fn slices() -> Vec<Contestant> {
    contestants(SLICES)
}

/// Everybody who walks a slice, over a file mapped for the occasion.
pub fn mapped() -> Vec<Contestant> {
    let mapped = |c: Contestant| Contestant { name: format!("{}, mapped", c.name), mapped: true, ..c };
    slices().into_iter().map(mapped).collect()
}

fn plain((name, hands, takes, measured): Entry) -> Contestant {
    Contestant { name: name.to_owned(), hands, takes, measured, mapped: false, kernel: None }
}

/// Everybody who reads a file byte by byte.
pub fn bytes() -> Vec<Contestant> {
    // The search for line ends, which kernels differ in, is the least of it.
    contestants(BYTES).into_iter().filter(|c| c.kernel.is_none()).collect()
}

/// Those of a table, and what wholeline does with SSE2 alone where that is not what it does anyway.
fn contestants(table: &[Entry]) -> Vec<Contestant> {
    let sse2 = Kernel::all().skip(1).find(|kernel| format!("{kernel:?}") == "Sse2");
    let mut contestants = Vec::new();
    for &entry in table {
        let (name, _, _, measured) = entry;
        let plain = plain(entry);
        contestants.push(plain.clone());
        if sse2.is_some() && matches!(measured, Ours(_) | OurLines(_)) {
            contestants.push(Contestant { name: format!("{name}, SSE2"), kernel: sse2, ..plain });
        }
    }
    contestants
}

impl Contestant {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it can read the input at all.
    pub fn can_read(&self, input: &Input) -> bool {
        self.takes == Anything || input.is_utf8()
    }

    /// Reads the input once.
    ///
    /// # Errors
    ///
    /// What opening, mapping and reading report.
    ///
    /// # Panics
    ///
    /// If it does not find what is there.
    pub fn run(&self, input: &Input) -> io::Result<Fold> {
        let found = match self.measured {
            Read(measured) => measured(input.open()?)?,
            Ours(measured) => measured(self.line_reader(input.open()?))?,
            Stream(measured) => measured(input.path())?,
            Slice(_) | OurLines(_) if self.mapped => self.walk(&input.map()?),
            Slice(_) | OurLines(_) => self.walk(input.bytes()),
        };
        let expected = input.facts().expected(self.hands);
        assert_eq!(found, expected, "{} on {input}", self.name);
        Ok(found)
    }

    fn line_reader(&self, file: File) -> LineReader<File> {
        match self.kernel {
            None => LineReader::with_capacity(CAPACITY, file),
            Some(kernel) => kernel.reader(LineReaderBuilder::new().capacity(CAPACITY), Terminator::LF, file),
        }
    }

    fn walk(&self, bytes: &[u8]) -> Fold {
        match (self.measured, self.kernel) {
            (Slice(measured), _) => measured(bytes),
            (OurLines(measured), None) => measured(Lines::new(bytes, Terminator::LF)),
            (OurLines(measured), Some(kernel)) => measured(kernel.lines(bytes, Terminator::LF)),
            (Read(_) | Ours(_) | Stream(_), _) => unreachable!("not a slice"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs;
    use crate::shapes::Text;
    use crate::{Facts, Input};

    /// Everybody finds what is there, or `run` panics.
    fn all_agree(input: &Input) {
        for contestant in
            readers().iter().chain(&slices()).chain(&mapped()).chain(&bytes()).filter(|c| c.can_read(input))
        {
            contestant.run(input).unwrap();
        }
    }

    #[test]
    fn all_agree_on_every_input() {
        for name in inputs::names() {
            all_agree(&Input::load(name, inputs::SMALL).unwrap());
        }
    }

    /// What a file from elsewhere may hold.
    #[test]
    fn all_agree_on_odd_input() {
        let long = |n: usize| [vec![b'z'; n], b"\n".to_vec()].concat();
        let lengths = [1, 2, 3].map(|n| n * CAPACITY).into_iter().flat_map(|n| [n - 2, n - 1, n, n + 1]);
        for bytes in [
            b"".to_vec(),
            b"\n".to_vec(),
            b"no newline".to_vec(),
            b"a\r\n\r\nb\rc\r\r\nd\r".to_vec(),
            b"nul \0, not utf-8 \xff\n".to_vec(),
            lengths.map(long).collect::<Vec<_>>().concat(),
            vec![b'z'; 3 * CAPACITY + 1],
        ] {
            let facts = Facts::of(&bytes);
            all_agree(&Input::new("odd", Text { bytes, facts }).unwrap());
        }
    }
}
