//! A line, how it ended, and what ends lines.

use core::fmt;
use core::ops::Deref;

use bstr::BStr;

use crate::scan::Needle;

/// What ended a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// The delimiter: one byte, LF unless another [`Terminator`] was chosen; with
    /// [`Terminator::UNIVERSAL`] an LF or a lone CR.
    Delimiter,
    /// CR LF, both of them not content. Only with [`Terminator::CRLF`] and [`Terminator::UNIVERSAL`].
    CrLf,
    /// The end of the input: the last line had no terminator.
    Eof,
    /// The length limit: what follows in the input up to the next terminator was dropped. Only with
    /// [`OverLong::Truncate`](crate::OverLong::Truncate).
    Limit,
}

/// A line, borrowed from the buffer or slice it was found in.
///
/// Derefs to [`BStr`], the content without its terminator, so everything that [`bstr::ByteSlice`] does to
/// bytes can be done to a line.
///
/// ```
/// use bstr::ByteSlice;
/// use wholeline::{Ending, Lines, Terminator};
///
/// let line = Lines::new(b"caf\xe9 \0 bar\r\n", Terminator::CRLF).next().unwrap();
/// assert_eq!(line.as_bytes(), b"caf\xe9 \0 bar");
/// assert_eq!(line.with_terminator(), b"caf\xe9 \0 bar\r\n");
/// assert_eq!(line.ending(), Ending::CrLf);
/// assert_eq!((line.offset(), line.number()), (0, 1));
/// assert!(line.ends_with_str("bar"));
/// ```
#[derive(Clone, Copy)]
pub struct Line<'a> {
    content: &'a [u8],
    /// Content and terminator.
    bytes: &'a [u8],
    offset: u64,
    number: u64,
    ending: Ending,
}

impl<'a> Line<'a> {
    /// A line that a delimiter of one byte ends.
    #[inline(always)]
    pub(crate) fn delimited(bytes: &'a [u8], offset: u64, number: u64) -> Self {
        let content = bytes.split_last().map_or(bytes, |(_, content)| content);
        Self { content, bytes, offset, number, ending: Ending::Delimiter }
    }

    /// A line that a delimiter of one byte ends, or else CR LF.
    #[inline(always)]
    pub(crate) fn lf_or_crlf(bytes: &'a [u8], offset: u64, number: u64) -> Self {
        match bytes.strip_suffix(b"\r\n") {
            Some(content) => Self { content, bytes, offset, number, ending: Ending::CrLf },
            None => Self::delimited(bytes, offset, number),
        }
    }

    /// A line that `terminator` ends.
    pub(crate) fn terminated(bytes: &'a [u8], terminator: Terminator, offset: u64, number: u64) -> Self {
        if terminator.strips_cr() {
            Self::lf_or_crlf(bytes, offset, number)
        } else {
            Self::delimited(bytes, offset, number)
        }
    }

    /// A line that ended without a terminator.
    #[inline(always)]
    pub(crate) fn unterminated(bytes: &'a [u8], ending: Ending, offset: u64, number: u64) -> Self {
        Self { content: bytes, bytes, offset, number, ending }
    }

    /// Appends the line, terminator too, and returns how many bytes that are.
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) -> usize {
        out.extend_from_slice(self.bytes);
        self.bytes.len()
    }

    /// The content: the line without its terminator.
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.content
    }

    /// The line as it stood in the input: its content and, if it had one, its terminator.
    ///
    /// With [`Terminator::LF`], [`NUL`](Terminator::NUL), [`byte`](Terminator::byte) and
    /// [`CRLF`](Terminator::CRLF), joining these gives the input back. With
    /// [`Terminator::UNIVERSAL`] a CR that came last in what a read delivered is handed out at once, and
    /// an LF that belongs to it and arrives later is dropped.
    #[inline]
    pub fn with_terminator(&self) -> &'a [u8] {
        self.bytes
    }

    /// What ended the line.
    #[inline]
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// Whether the line had its terminator: false for a last line without one, and for a line cut at the
    /// length limit.
    #[inline]
    pub fn is_terminated(&self) -> bool {
        matches!(self.ending, Ending::Delimiter | Ending::CrLf)
    }

    /// Where the line's first byte stands, in bytes from the start of the stream or slice.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The line's number; the first has number 1.
    #[inline]
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl Deref for Line<'_> {
    type Target = BStr;

    /// The content.
    #[inline]
    fn deref(&self) -> &BStr {
        BStr::new(self.as_bytes())
    }
}

impl AsRef<[u8]> for Line<'_> {
    /// The content.
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl fmt::Debug for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line")
            .field("content", &&**self)
            .field("ending", &self.ending)
            .field("offset", &self.offset)
            .field("number", &self.number)
            .finish()
    }
}

impl fmt::Display for Line<'_> {
    /// The content; what is not UTF-8 in it is shown as U+FFFD.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

/// What ends a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Terminator(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Byte(u8),
    Crlf,
    Universal,
}

impl Terminator {
    /// LF. A CR before it is content. The default.
    pub const LF: Self = Self::byte(b'\n');

    /// LF or CR LF: a line ends at LF, and one CR directly before it is not content.
    pub const CRLF: Self = Self(Kind::Crlf);

    /// NUL, as `find -print0` and `git -z` write it. LF and CR are content.
    pub const NUL: Self = Self::byte(0);

    /// LF, CR LF or a lone CR: progress bars, old Macs, and mixtures of all three.
    ///
    /// A CR that comes last in what a read delivered ends its line at once, without waiting for the LF
    /// that may belong to it; if one arrives later it is dropped. So a line's content, offset and number
    /// never depend on how the input arrived, but its [`ending`](Line::ending) and
    /// [`with_terminator`](Line::with_terminator) may.
    pub const UNIVERSAL: Self = Self(Kind::Universal);

    /// Any one byte.
    pub const fn byte(byte: u8) -> Self {
        Self(Kind::Byte(byte))
    }

    /// What to look for.
    pub(crate) fn needle(self) -> Needle {
        match self.0 {
            Kind::Byte(byte) => Needle::Byte(byte),
            Kind::Crlf => Needle::Byte(b'\n'),
            Kind::Universal => Needle::CrOrLf,
        }
    }

    /// Whether a CR LF at the end of a line is two bytes of terminator.
    #[inline]
    pub(crate) fn strips_cr(self) -> bool {
        !matches!(self.0, Kind::Byte(_))
    }
}

impl Default for Terminator {
    /// [`Terminator::LF`].
    fn default() -> Self {
        Self::LF
    }
}

impl fmt::Debug for Terminator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::LF => f.write_str("Terminator::LF"),
            Self::NUL => f.write_str("Terminator::NUL"),
            Self(Kind::Crlf) => f.write_str("Terminator::CRLF"),
            Self(Kind::Universal) => f.write_str("Terminator::UNIVERSAL"),
            Self(Kind::Byte(byte)) => write!(f, "Terminator::byte({byte:#04x})"),
        }
    }
}
