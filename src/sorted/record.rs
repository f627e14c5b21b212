//! What a search finds.

use core::fmt;

use bstr::BStr;

/// A line with a key, and the continuation lines behind it: what [`SortedLines`](crate::SortedLines) and
/// [`SortedFile`](crate::SortedFile) find.
///
/// ```
/// use wholeline::SortedLines;
///
/// let refs = b"17 refs/heads/main\n23 refs/tags/v1\n^42\n";
/// let refs = SortedLines::new(refs).key(|line| &line[3..]).continuation(|line| line.starts_with(b"^"));
/// let tag = refs.find(b"refs/tags/v1").unwrap();
/// assert_eq!(tag.as_bytes(), b"23 refs/tags/v1");
/// assert_eq!(tag.key(), b"refs/tags/v1");
/// assert_eq!(tag.continuation(), b"^42\n");
/// assert_eq!(tag.with_terminators(), b"23 refs/tags/v1\n^42\n");
/// assert_eq!(tag.offset(), 19);
/// ```
#[derive(Clone, Copy)]
pub struct Record<'a> {
    /// All its lines.
    bytes: &'a [u8],
    /// Of its first line.
    content: &'a [u8],
    key: &'a [u8],
    /// Where its first line ends in `bytes`.
    first: usize,
    offset: u64,
}

impl<'a> Record<'a> {
    #[inline]
    pub(super) fn new(bytes: &'a [u8], content: &'a [u8], key: &'a [u8], first: usize, offset: u64) -> Self {
        Self { bytes, content, key, first, offset }
    }

    /// The content of its first line, without the terminator.
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.content
    }

    /// What the key function made of [`as_bytes`](Self::as_bytes).
    #[inline]
    pub fn key(&self) -> &'a [u8] {
        self.key
    }

    /// Its continuation lines as they stand in the input, terminators too; empty if it has none.
    #[inline]
    pub fn continuation(&self) -> &'a [u8] {
        &self.bytes[self.first..]
    }

    /// The whole record as it stands in the input: all its lines and their terminators.
    ///
    /// Only a record at the very end can lack the last of them.
    #[inline]
    pub fn with_terminators(&self) -> &'a [u8] {
        self.bytes
    }

    /// Where its first byte stands, in bytes from the start of the slice or file.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record")
            .field("key", &BStr::new(self.key))
            .field("content", &BStr::new(self.content))
            .field("continuation", &BStr::new(self.continuation()))
            .field("offset", &self.offset)
            .finish()
    }
}
