//! A sorted file that is neither read nor mapped.

use std::io::{self, Read, Seek, SeekFrom};

use wholeline::{LineRead, LineReader, RevLineReader, SortedFile};

use super::fault::Trouble;
use super::record::{self, Digits};
use super::snapshot::{self, Header};

/// A file whose header says that its records are in order, and whose end is as git wants it.
pub(crate) struct Sought<R> {
    file: R,
    pub(crate) digits: Digits,
    /// Where the records start.
    start: u64,
}

impl<R: Read + Seek> Sought<R> {
    /// Looks at the start and at the end of a file. `None` if it does not say that it is sorted.
    pub(crate) fn new(mut file: R) -> Result<Option<Self>, Trouble> {
        const ENOUGH: usize = 4 << 10;
        let mut reader = LineReader::with_capacity(ENOUGH, &mut file);
        let mut first = Vec::new();
        reader.read_line_into(&mut first)?;
        let header = Header::parse(&first)?;
        if !header.sorted {
            return Ok(None);
        }
        let mut record = Vec::new();
        reader.read_line_into(&mut record)?;
        let digits = Digits::of(&record);
        let start = header.len as u64;
        snapshot::check_end(&last_record(&mut file, start)?, digits)?;
        Ok(Some(Self { file, digits, start }))
    }

    /// The file, from where the names begin that start with the prefix.
    pub(crate) fn from(&mut self, prefix: Option<&[u8]>) -> io::Result<&mut R> {
        let start = match prefix {
            Some(prefix) => self.search()?.lower_bound(prefix)?,
            None => self.start,
        };
        self.file.seek(SeekFrom::Start(start))?;
        Ok(&mut self.file)
    }

    pub(crate) fn search(&mut self) -> io::Result<SortedFile<&mut R>> {
        let file = SortedFile::new(&mut self.file)?.key(record::key(self.digits));
        Ok(file.continuation(record::is_continuation).header(record::is_comment))
    }
}

/// The lines from the last that belongs to none before, with those that belong to it.
fn last_record<R: Read + Seek>(file: R, start: u64) -> io::Result<Vec<u8>> {
    let mut lines = RevLineReader::new(file)?;
    let mut record = Vec::new();
    while let Some(line) = lines.next_line()?.filter(|line| line.offset() >= start) {
        record.push(line.with_terminator().to_vec());
        if !record::is_continuation(&line) {
            break;
        }
    }
    record.reverse();
    Ok(record.concat())
}
