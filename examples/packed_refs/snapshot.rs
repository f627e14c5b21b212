//! A file's bytes, made ready: what git does when it opens one.

use std::borrow::Cow;

use bstr::ByteSlice;
use wholeline::SortedLines;

use super::fault::Fault;
use super::record::{self, Digits};

/// The first line, if it is a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// In bytes, LF too; 0 if there is none.
    pub(crate) len: usize,
    /// Whether it says that the records are in order.
    pub(crate) sorted: bool,
}

impl Header {
    /// From the start of a file.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        if !record::is_comment(bytes) {
            return Ok(Self { len: 0, sorted: false });
        }
        let end = bytes.find_byte(b'\n').ok_or_else(|| Fault::line(bytes))?;
        let traits = bytes[..end].strip_prefix(b"# pack-refs with:").ok_or_else(|| Fault::line(bytes))?;
        let mut traits = traits.split(|&byte| byte == 0).next().unwrap_or_default().split_str(" ");
        Ok(Self { len: end + 1, sorted: traits.any(|name| name == b"sorted") })
    }
}

/// Records that can be searched.
#[derive(Debug)]
pub(crate) struct Snapshot<'a> {
    pub(crate) digits: Digits,
    /// All behind the header, in order.
    pub(crate) records: Cow<'a, [u8]>,
}

impl<'a> Snapshot<'a> {
    /// From all bytes of a file.
    ///
    /// If the header does not say that they are in order, the records are put in order, unless they are.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, Fault> {
        let header = Header::parse(bytes)?;
        let records = &bytes[header.len..];
        let digits = Digits::of(records);
        check_end(records, digits)?;
        if header.sorted {
            return Ok(Self { digits, records: Cow::Borrowed(records) });
        }
        let records = in_order(records, digits)?;
        // Another record is the last one now.
        check_end(&records, digits)?;
        Ok(Self { digits, records })
    }

    pub(crate) fn search(&self) -> SortedLines<'_> {
        let records = SortedLines::new(&self.records).key(record::key(self.digits));
        records.continuation(record::is_continuation).header(record::is_comment)
    }
}

/// What git checks before anything else: that the last record ends with an LF, and is long enough for its
/// look-ups not to run over the end.
pub(crate) fn check_end(records: &[u8], digits: Digits) -> Result<(), Fault> {
    if records.is_empty() {
        return Ok(());
    }
    let mut last = records.len();
    loop {
        last = records[..last - 1].rfind_byte(b'\n').map_or(0, |end| end + 1);
        if last == 0 || !record::is_continuation(&records[last..]) {
            break;
        }
    }
    let last = &records[last..];
    if last.ends_with(b"\n") && last.len() >= digits as usize + 2 { Ok(()) } else { Err(Fault::line(last)) }
}

/// The records in the order of their names, each with its peel line beside it.
fn in_order(bytes: &[u8], digits: Digits) -> Result<Cow<'_, [u8]>, Fault> {
    let key = record::key(digits);
    let mut records = Vec::new();
    let mut rest = bytes;
    while let Some(end) = rest.find_byte(b'\n') {
        if end < digits as usize + 2 {
            return Err(Fault::line(rest));
        }
        let name = key(&rest[..end]);
        let behind = &rest[end + 1..];
        let peel = match record::is_continuation(behind) {
            true => behind.find_byte(b'\n').map_or(behind.len(), |end| end + 1),
            false => 0,
        };
        let (record, others) = rest.split_at(end + 1 + peel);
        records.push((name, record));
        rest = others;
    }
    if records.is_sorted_by(|(a, _), (b, _)| a < b) {
        return Ok(Cow::Borrowed(bytes));
    }
    records.sort_by_key(|&(name, _)| name);
    Ok(Cow::Owned(records.iter().flat_map(|(_, record)| *record).copied().collect()))
}
