//! Looking things up line by line, and holding both searches against that.

use std::io::{Read, Seek};

use wholeline::{OutOfOrder, SortedFile, SortedLines};

use super::naive::{Line, Terminator, split};

pub(crate) type Key = fn(&[u8]) -> &[u8];
pub(crate) type Is = fn(&[u8]) -> bool;

/// The options of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) terminator: Terminator,
    pub(crate) key: Key,
    pub(crate) continuation: Option<Is>,
    pub(crate) header: Option<Is>,
}

/// Functions that take a key out of a line: all of it, what follows the first space, two bytes at most,
/// nothing.
pub(crate) const KEYS: [Key; 4] = [
    |line| line,
    |line| line.iter().position(|&byte| byte == b' ').map_or(line, |at| &line[at + 1..]),
    |line| &line[..line.len().min(2)],
    |_| b"",
];

/// Functions that tell continuation lines: as in packed-refs, by an indent or nothing at all.
pub(crate) const CONTINUATIONS: [Option<Is>; 3] =
    [None, Some(|line| line.starts_with(b"^")), Some(|line| line.is_empty() || line[0] == b' ')];

/// Functions that tell header lines; the second does not mind continuation lines, the third almost anything.
pub(crate) const HEADERS: [Option<Is>; 4] = [
    None,
    Some(|line| line.starts_with(b"#")),
    Some(|line| line.starts_with(b"#") || line.starts_with(b"^")),
    Some(|line| line.len() < 4),
];

/// One of each kind.
pub(crate) const TERMINATORS: [Terminator; 4] =
    [Terminator::LF, Terminator::CrLf, Terminator::Universal, Terminator::Byte(0)];

impl Options {
    pub(crate) const PLAIN: Options =
        Options { terminator: Terminator::LF, key: KEYS[0], continuation: None, header: None };

    /// As git writes packed-refs, but for the length of the object's name.
    pub(crate) const REFS: Options = Options {
        terminator: Terminator::LF,
        key: KEYS[1],
        continuation: CONTINUATIONS[1],
        header: HEADERS[1],
    };

    /// In whatever order: it must not matter.
    pub(crate) fn lines(self, bytes: &[u8]) -> SortedLines<'_> {
        let mut lines = SortedLines::new(bytes).key(self.key);
        if let Some(is) = self.header {
            lines = lines.header(is);
        }
        if let Some(is) = self.continuation {
            lines = lines.continuation(is);
        }
        lines.terminator(self.terminator.of_the_crate())
    }

    pub(crate) fn file<R: Read + Seek>(self, file: SortedFile<R>) -> SortedFile<R> {
        let mut file = file.terminator(self.terminator.of_the_crate()).key(self.key);
        if let Some(is) = self.header {
            file = file.header(is);
        }
        if let Some(is) = self.continuation {
            file = file.continuation(is);
        }
        file
    }
}

/// A record, copied out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) content: Vec<u8>,
    pub(crate) key: Vec<u8>,
    pub(crate) continuation: Vec<u8>,
    pub(crate) whole: Vec<u8>,
    pub(crate) offset: u64,
}

impl From<wholeline::Record<'_>> for Record {
    fn from(record: wholeline::Record<'_>) -> Record {
        Record {
            content: record.as_bytes().to_vec(),
            key: record.key().to_vec(),
            continuation: record.continuation().to_vec(),
            whole: record.with_terminators().to_vec(),
            offset: record.offset(),
        }
    }
}

/// All records, and the first line that is out of order.
pub(crate) struct Linear {
    pub(crate) records: Vec<Record>,
    /// Offset and number.
    pub(crate) out_of_order: Option<(u64, u64)>,
    size: usize,
}

impl Linear {
    pub(crate) fn new(options: Options, bytes: &[u8]) -> Linear {
        let says = |is: Option<Is>, line: &Line| is.is_some_and(|is| is(&line.content));
        let mut linear = Linear { records: Vec::new(), out_of_order: None, size: bytes.len() };
        let lines = split(options.terminator, bytes);
        for line in lines.into_iter().skip_while(|line| says(options.header, line)) {
            if let Some(record) = linear.records.last_mut().filter(|_| says(options.continuation, &line)) {
                record.continuation.extend(&line.whole);
                record.whole.extend(line.whole);
                continue;
            }
            let key = (options.key)(&line.content).to_vec();
            if linear.out_of_order.is_none() && linear.records.last().is_some_and(|last| key < last.key) {
                linear.out_of_order = Some((line.offset, line.number));
            }
            linear.records.push(Record {
                content: line.content,
                key,
                continuation: Vec::new(),
                whole: line.whole,
                offset: line.offset,
            });
        }
        linear
    }

    pub(crate) fn find(&self, key: &[u8]) -> Option<Record> {
        self.records.iter().find(|record| record.key == key).cloned()
    }

    pub(crate) fn lower_bound(&self, key: &[u8]) -> u64 {
        let record = self.records.iter().find(|record| record.key[..] >= *key);
        record.map_or(self.size as u64, |record| record.offset)
    }

    pub(crate) fn prefix(&self, prefix: &[u8]) -> Vec<Record> {
        self.records.iter().filter(|record| record.key.starts_with(prefix)).cloned().collect()
    }
}

/// What a look-up gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) find: Option<Record>,
    pub(crate) lower_bound: u64,
    pub(crate) prefix: Vec<Record>,
}

pub(crate) fn in_memory(lines: &SortedLines<'_>, key: &[u8]) -> Found {
    Found {
        find: lines.find(key).map(Record::from),
        lower_bound: lines.lower_bound(key) as u64,
        prefix: lines.prefix(key).map(Record::from).collect(),
    }
}

pub(crate) fn in_file<R: Read + Seek>(file: &mut SortedFile<R>, key: &[u8]) -> std::io::Result<Found> {
    let find = file.find(key)?.map(Record::from);
    let lower_bound = file.lower_bound(key)?;
    let mut records = file.prefix(key)?;
    let mut prefix = Vec::new();
    while let Some(record) = records.next_record()? {
        prefix.push(record.into());
    }
    assert!(records.next_record()?.is_none(), "a record after the end");
    Ok(Found { find, lower_bound, prefix })
}

/// Fails where a search gives something else than the linear one, or, where the lines are not sorted,
/// something that is not there.
pub(crate) fn check<R: Read + Seek>(options: Options, bytes: &[u8], keys: &[Vec<u8>], file: SortedFile<R>) {
    let linear = Linear::new(options, bytes);
    let lines = options.lines(bytes);
    let mut file = options.file(file);

    let all: Vec<_> = lines.records().map(Record::from).collect();
    assert_eq!(all, linear.records, "records");
    let place = |error: OutOfOrder| (error.offset(), error.number());
    assert_eq!(lines.check_sorted().err().map(place), linear.out_of_order, "check_sorted in memory");
    let error = file.check_sorted().err().map(|error| {
        let error = error.get_ref().and_then(|inner| inner.downcast_ref::<OutOfOrder>().copied());
        place(error.expect("an error of order"))
    });
    assert_eq!(error, linear.out_of_order, "check_sorted in the file");

    // Of many records some must do: each look-up here takes time in proportion to their number.
    let taken = linear.records.iter().map(|record| &record.key).step_by(1 + linear.records.len() / 32);
    for key in keys.iter().chain(taken) {
        let found = in_memory(&lines, key);
        assert_eq!(in_file(&mut file, key).expect("nothing fails"), found, "in the file, in memory: {key:?}");
        if linear.out_of_order.is_none() {
            assert_eq!(found.find, linear.find(key), "find {key:?}");
            assert_eq!(found.lower_bound, linear.lower_bound(key), "lower_bound of {key:?}");
            assert_eq!(found.prefix, linear.prefix(key), "prefix {key:?}");
        } else {
            no_lie(&linear, key, &found);
        }
    }
}

/// Whatever was found is there.
pub(crate) fn no_lie(linear: &Linear, key: &[u8], found: &Found) {
    let records = &linear.records;
    if let Some(record) = &found.find {
        assert!(record.key == key && records.contains(record), "{key:?} found at {record:?}");
    }
    let at = found.lower_bound;
    assert!(
        at == linear.size as u64 || records.iter().any(|record| record.offset == at),
        "lower_bound of {key:?} at {at}"
    );
    if let Some(first) = found.prefix.first() {
        let start = records.iter().position(|record| record == first).expect("a record that is there");
        let run = &records[start..start + found.prefix.len()];
        assert_eq!(found.prefix, run, "prefix {key:?}");
        assert!(run.iter().all(|record| record.key.starts_with(key)), "prefix {key:?}: {run:?}");
    }
}
