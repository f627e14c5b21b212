//! Sorted lines in a file that is not read whole.

use core::fmt;
use core::ops::ControlFlow;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use bstr::BStr;

use super::blocks::{BLOCK, Blocks};
use super::order::Order;
use super::record::Record;
use super::search::{Found, Search, Span};
use super::shape::Shape;
use super::text::Text;
use crate::line::Terminator;

/// Sorted lines in a file, or whatever else can [`Seek`], to look things up in without reading or mapping
/// it.
///
/// A look-up reads a block of 4 KiB for each probe, and few probes are enough: about twenty for a file of
/// 1.6 GB, 80 KiB in all. The blocks read last stay in memory, in one buffer, which grows for a record that
/// needs more. Like [`SortedLines`](crate::SortedLines), but any call may read, and what it returns is lent
/// until the next; what sorted means is said there.
///
/// ```
/// use std::io::Cursor;
/// use wholeline::SortedFile;
///
/// let mut words = SortedFile::new(Cursor::new("apple\nbanana\nblueberry\ncherry\n"))?;
/// assert_eq!(words.find(b"banana")?.unwrap().offset(), 6);
/// assert!(words.find(b"ban")?.is_none());
///
/// let mut b = words.prefix(b"b")?;
/// while let Some(record) = b.next_record()? {
///     println!("{}", record.key().escape_ascii());
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Files that change
///
/// The size is that when the search was made. What is appended later is not seen; a file that has become
/// smaller gives an error of kind [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) where bytes are missed. One
/// whose bytes change meanwhile may be searched in vain, and a record may be one that was read from old and
/// new bytes: replace such a file by renaming another to its name, as git does, instead of writing to it.
/// The same goes for files whose size is more than there is, as those in `/sys`.
///
/// The source's position is where the last read left it; it is set before each.
pub struct SortedFile<R> {
    pub(super) blocks: Blocks<R>,
    shape: Shape,
    /// Where the header ends, once that is known.
    start: Option<u64>,
}

impl SortedFile<File> {
    /// Opens a file to look things up in.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or has no size to be asked for: a pipe, a terminal. If it says that it is empty, and is
    /// not, or cannot be read: most of /proc, a directory.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::new(File::open(path)?)
    }
}

/// The options.
impl<R: Read + Seek> SortedFile<R> {
    /// Looks things up in `source`, from its start: lines that end at LF, each its own key, no header.
    ///
    /// # Errors
    ///
    /// What the source reports when it is asked for its size; and if it says that it is empty, and is not.
    pub fn new(source: R) -> io::Result<Self> {
        Self::with_block(source, BLOCK)
    }

    /// With reads of another size for a probe, a power of two.
    pub(crate) fn with_block(source: R, block: usize) -> io::Result<Self> {
        Ok(Self { blocks: Blocks::new(source, block)?, shape: Shape::new(), start: None })
    }

    /// What of a line's content is its key. All of it at first.
    pub fn key(mut self, key: fn(&[u8]) -> &[u8]) -> Self {
        self.shape.key = key;
        self
    }

    /// Which lines belong to the record before. None at first.
    pub fn continuation(mut self, is: fn(&[u8]) -> bool) -> Self {
        self.shape.continuation = Some(is);
        self
    }

    /// Which lines, as long as nothing else stands before them, are not records. None at first.
    ///
    /// They are passed over at the first look-up.
    pub fn header(mut self, is: fn(&[u8]) -> bool) -> Self {
        self.shape.header = Some(is);
        self.start = None;
        self
    }

    /// What ends a line. LF at first.
    pub fn terminator(mut self, terminator: Terminator) -> Self {
        self.shape = self.shape.terminator(terminator);
        self.start = None;
        self
    }
}

/// The source.
impl<R> SortedFile<R> {
    /// The source.
    pub fn get_ref(&self) -> &R {
        self.blocks.get_ref()
    }

    /// Gives the source back. Its position is anywhere.
    pub fn into_inner(self) -> R {
        self.blocks.into_inner()
    }
}

/// Looking things up.
impl<R: Read + Seek> SortedFile<R> {
    /// The first record whose key is `key`, or `None` if there is none.
    ///
    /// # Errors
    ///
    /// - What the source reports, other than [`Interrupted`](io::ErrorKind::Interrupted), which is retried.
    /// - [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if the source ends before the size it had at first.
    /// - [`OutOfMemory`](io::ErrorKind::OutOfMemory) if there is none for a long record.
    /// - [`Other`](io::ErrorKind::Other) if the source claims to have read more than it was asked for.
    ///
    /// # Resumption
    ///
    /// An error costs what was in memory, nothing else: the same call, or any other, can be made again.
    pub fn find(&mut self, key: &[u8]) -> io::Result<Option<Record<'_>>> {
        let at = self.lower_bound(key)?;
        let found = self.search().record(Span::unknown(at))?;
        Ok(found.map(|found| self.record(found)).filter(|record| record.key() == key))
    }

    /// Where the first record starts whose key is not less than `key`, in bytes from the start of the
    /// source; the source's size if all are less.
    ///
    /// If the lines are not sorted it is where some record starts, or the size.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    ///
    /// # Resumption
    ///
    /// As [`find`](Self::find).
    pub fn lower_bound(&mut self, key: &[u8]) -> io::Result<u64> {
        self.blocks.read_ahead(false);
        let start = match self.start {
            Some(start) => start,
            None => {
                let start = self.search().header_end()?;
                *self.start.insert(start)
            }
        };
        self.search().bisect(start, |other| other < key)
    }

    /// The records whose key starts with `prefix`; with an empty one, all.
    ///
    /// If the lines are not sorted: some of them, which follow each other.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    ///
    /// # Resumption
    ///
    /// As [`find`](Self::find).
    pub fn prefix<'f>(&'f mut self, prefix: &'f [u8]) -> io::Result<FileRecords<'f, R>> {
        let next = self.lower_bound(prefix)?;
        self.blocks.read_ahead(true);
        Ok(FileRecords { file: self, prefix, next: Some(Span::unknown(next)) })
    }

    /// Reads the whole source, from its start, and looks at every line.
    ///
    /// # Errors
    ///
    /// - [`OutOfOrder`](crate::OutOfOrder), in an error of kind [`InvalidData`](io::ErrorKind::InvalidData), for
    ///   the first line whose key is less than that of the record before.
    /// - As [`find`](Self::find).
    ///
    /// # Resumption
    ///
    /// After an error the next call starts again.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use wholeline::{OutOfOrder, SortedFile};
    ///
    /// let error = SortedFile::new(Cursor::new("b\na\n"))?.check_sorted().unwrap_err();
    /// let out_of_order = error.get_ref().and_then(|inner| inner.downcast_ref::<OutOfOrder>()).unwrap();
    /// assert_eq!((out_of_order.offset(), out_of_order.number()), (2, 2));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn check_sorted(&mut self) -> io::Result<()> {
        let Self { blocks, shape, .. } = self;
        let mut order = Order::new(shape);
        blocks.reader(shape.terminator)?.try_for_each_line(|line| {
            order.line(line)?;
            Ok(ControlFlow::Continue(()))
        })
    }

    #[inline]
    fn search(&mut self) -> Search<'_, Blocks<R>> {
        Search { shape: &self.shape, text: &mut self.blocks }
    }

    #[inline]
    fn record(&self, found: Found) -> Record<'_> {
        found.record(&self.shape, self.blocks.held())
    }
}

impl<R: fmt::Debug> fmt::Debug for SortedFile<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SortedFile")
            .field("source", self.get_ref())
            .field("header", &self.start)
            .field("terminator", &self.shape.terminator)
            .finish_non_exhaustive()
    }
}

/// Hands out one [`Record`] after the other: what [`SortedFile::prefix`] returns.
pub struct FileRecords<'f, R> {
    file: &'f mut SortedFile<R>,
    prefix: &'f [u8],
    /// Where the next record starts; none once it has ended.
    next: Option<Span>,
}

impl<R: Read + Seek> FileRecords<'_, R> {
    /// The next record, or `None` if the next one's key does not start with the prefix, or there is none.
    ///
    /// # Errors
    ///
    /// As [`SortedFile::find`].
    ///
    /// # Resumption
    ///
    /// An error loses nothing: the next call tries the same record again. After `None` comes `None`.
    #[inline]
    pub fn next_record(&mut self) -> io::Result<Option<Record<'_>>> {
        let Some(next) = self.next else { return Ok(None) };
        let found = self.file.search().record(next)?;
        self.next = found.map(|found| found.behind);
        let record = found.map(|found| self.file.record(found));
        let record = record.filter(|record| record.key().starts_with(self.prefix));
        if record.is_none() {
            self.next = None;
        }
        Ok(record)
    }
}

impl<R> fmt::Debug for FileRecords<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileRecords").field("prefix", &BStr::new(self.prefix)).finish_non_exhaustive()
    }
}
