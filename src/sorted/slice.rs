//! Sorted lines in memory.

use core::fmt;
use core::iter::FusedIterator;

use bstr::BStr;

use super::order::{Order, OutOfOrder};
use super::record::Record;
use super::search::{Search, Span};
use super::shape::Shape;
use crate::line::{Line, Terminator};
use crate::lines::Lines;
use crate::window::Window;

/// Sorted lines in memory, a file that was read or mapped, to look things up in.
///
/// Nothing is parsed beforehand and nothing allocated: a look-up among a million lines looks at twenty of
/// them.
///
/// ```
/// use wholeline::SortedLines;
///
/// let words = SortedLines::new(b"apple\nbanana\nblueberry\ncherry\n");
/// assert!(words.find(b"banana").is_some());
/// assert!(words.find(b"ban").is_none());
/// let b: Vec<_> = words.prefix(b"b").map(|record| record.as_bytes()).collect();
/// assert_eq!(b, [&b"banana"[..], b"blueberry"]);
/// ```
///
/// git's packed-refs, with a header, a key behind the object's name, and "peeled" lines that belong to the
/// line before:
///
/// ```
/// use wholeline::SortedLines;
///
/// let file = b"# pack-refs with: peeled fully-peeled sorted \n\
///     11aa refs/heads/main\n\
///     22bb refs/tags/v1\n\
///     ^33cc\n\
///     44dd refs/tags/v2\n";
/// let refs = SortedLines::new(file)
///     .key(|line| line.get(5..).unwrap_or_default())
///     .continuation(|line| line.starts_with(b"^"))
///     .header(|line| line.starts_with(b"#"));
/// assert_eq!(refs.find(b"refs/tags/v1").unwrap().continuation(), b"^33cc\n");
/// assert_eq!(refs.prefix(b"refs/tags/").count(), 2);
/// ```
///
/// # What sorted means
///
/// Lines have keys: the whole content, or what a [`key`](Self::key) function takes out of it. Sorted means
/// that no key is less than the one before, compared as unsigned bytes, a key before every longer one that
/// starts with it: what `LC_ALL=C sort` does, and not what `sort` does in most other locales. Equal keys
/// may follow each other; of them the first is found.
///
/// Nobody checks that, unless [`check_sorted`](Self::check_sorted) is called, which reads everything. A lie
/// about the order can hide records, but not make up any: whatever is returned stands in the input where it
/// says it does, whole, and really has the key or the prefix that was asked for.
///
/// A record is a line, and the [`continuation`](Self::continuation) lines behind it. A continuation line
/// that has no line before it is a record, so that none is lost. [`header`](Self::header) lines are those
/// at the start, up to the first that is none.
///
/// The functions are given a line's content, without terminator. They are called for each probe, on any
/// line but a header's, so they must not panic on lines that are not as expected. The continuation function
/// is asked about the line behind a record too.
///
/// # References
///
/// `look(1)`, 4.4BSD: the same search for lines by prefix. gitformat-pack-refs and git's
/// `refs/packed-backend.c`: records of several lines, and why the probe walks back to the first.
#[derive(Clone, Copy)]
pub struct SortedLines<'a> {
    bytes: &'a [u8],
    shape: Shape,
    /// Where the header ends.
    start: usize,
}

/// The options.
impl<'a> SortedLines<'a> {
    /// Looks things up in `bytes`: lines that end at LF, each its own key, no header.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, shape: Shape::new(), start: 0 }
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
    /// They are passed over here and now, and whenever the terminator changes.
    pub fn header(mut self, is: fn(&[u8]) -> bool) -> Self {
        self.shape.header = Some(is);
        self.pass_header()
    }

    /// What ends a line. LF at first.
    pub fn terminator(mut self, terminator: Terminator) -> Self {
        self.shape = self.shape.terminator(terminator);
        self.pass_header()
    }

    fn pass_header(mut self) -> Self {
        let mut text = self.bytes;
        let Ok(start) = Search { shape: &self.shape, text: &mut text }.header_end();
        self.start = start as usize;
        self
    }
}

/// Looking things up.
impl<'a> SortedLines<'a> {
    /// The first record whose key is `key`, or `None` if there is none.
    pub fn find(&self, key: &[u8]) -> Option<Record<'a>> {
        self.record(self.lower_bound(key)).filter(|record| record.key() == key)
    }

    /// Where the first record starts whose key is not less than `key`, in bytes from the start of the
    /// slice; the slice's length if all are less.
    ///
    /// If the lines are not sorted it is where some record starts, or the length.
    ///
    /// ```
    /// use wholeline::SortedLines;
    ///
    /// let bytes = b"1990 a\n1995 b\n2001 c\n";
    /// let years = SortedLines::new(bytes).key(|line| &line[..4]);
    /// assert_eq!(&bytes[years.lower_bound(b"1991")..], b"1995 b\n2001 c\n");
    /// assert_eq!(years.lower_bound(b"2002"), bytes.len());
    /// ```
    pub fn lower_bound(&self, key: &[u8]) -> usize {
        let mut text = self.bytes;
        let mut search = Search { shape: &self.shape, text: &mut text };
        let Ok(at) = search.bisect(self.start as u64, |other| other < key);
        at as usize
    }

    /// The records whose key starts with `prefix`.
    ///
    /// If the lines are not sorted: some of them, which follow each other.
    pub fn prefix(&self, prefix: &[u8]) -> Records<'a> {
        let at = self.lower_bound(prefix);
        // The iterator needs the prefix for longer than it is lent here; but the bytes have it too.
        match self.record(at).and_then(|record| record.key().get(..prefix.len())) {
            Some(found) if found == prefix => self.records_from(at, found),
            _ => Records { bytes: self.bytes, shape: self.shape, prefix: b"", lines: None, next: None },
        }
    }

    /// All records, those behind the header.
    pub fn records(&self) -> Records<'a> {
        self.records_from(self.start, b"")
    }

    fn records_from(&self, at: usize, prefix: &'a [u8]) -> Records<'a> {
        let window = Window::new(self.shape.scanner, self.shape.terminator, 1, usize::MAX);
        let lines = Lines::with_window(&self.bytes[at..], window, at as u64);
        Records { bytes: self.bytes, shape: self.shape, prefix, lines: Some(lines), next: None }
    }

    fn record(&self, at: usize) -> Option<Record<'a>> {
        let mut text = self.bytes;
        let Ok(found) = Search { shape: &self.shape, text: &mut text }.record(Span::unknown(at as u64));
        found.map(|found| found.record(&self.shape, (0, self.bytes)))
    }

    /// Looks at every line.
    ///
    /// # Errors
    ///
    /// [`OutOfOrder`], for the first line whose key is less than that of the record before.
    pub fn check_sorted(&self) -> Result<(), OutOfOrder> {
        let mut order = Order::new(&self.shape);
        Lines::new(self.bytes, self.shape.terminator).try_for_each(|line| order.line(line))
    }
}

impl fmt::Debug for SortedLines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SortedLines")
            .field("bytes", &format_args!("{}", self.bytes.len()))
            .field("header", &self.start)
            .field("terminator", &self.shape.terminator)
            .finish_non_exhaustive()
    }
}

/// An iterator over [`Record`]s: what [`SortedLines::prefix`] and [`SortedLines::records`] return.
#[derive(Clone)]
pub struct Records<'a> {
    /// All, also what stands before the first record.
    bytes: &'a [u8],
    shape: Shape,
    prefix: &'a [u8],
    /// None once it has ended.
    lines: Option<Lines<'a>>,
    /// A line that was seen not to belong to the record before.
    next: Option<Line<'a>>,
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    #[inline]
    fn next(&mut self) -> Option<Record<'a>> {
        let lines = self.lines.as_mut()?;
        let first = self.next.take().or_else(|| lines.next());
        let key = first.map(|first| (self.shape.key)(first.as_bytes()));
        let (Some(first), Some(key)) = (first, key.filter(|key| key.starts_with(self.prefix))) else {
            self.lines = None;
            return None;
        };
        let start = first.offset() as usize;
        let first_end = first.with_terminator().len();
        let mut end = start + first_end;
        if self.shape.continuation.is_some() {
            self.next = lines.by_ref().find(|line| {
                let belongs = self.shape.is_continuation(line.as_bytes());
                end += if belongs { line.with_terminator().len() } else { 0 };
                !belongs
            });
        }
        Some(Record::new(&self.bytes[start..end], first.as_bytes(), key, first_end, first.offset()))
    }
}

impl FusedIterator for Records<'_> {}

impl fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("prefix", &BStr::new(self.prefix)).finish_non_exhaustive()
    }
}
