//! How often and how much of a file is read.

use std::io::{Cursor, Seek, SeekFrom, Write};

use wholeline::SortedFile;

use crate::source::{Computed, Counting, HEADER, LEN};
use crate::support::sorted::{Options, Record, in_file};

/// What DESIGN says of a look-up: 13 million records in 1.6 GB, and far above 4 GiB.
const COUNTS: [u64; 7] = [0, 1, 40, 1_000, 1_000_000, 13_000_000, 90_000_000_000];

fn record(index: u64) -> Record {
    let whole = Computed::record(index);
    let first = whole.iter().position(|&byte| byte == b'\n').expect("an LF") + 1;
    Record {
        content: whole[..first - 1].to_vec(),
        key: whole[41..first - 1].to_vec(),
        continuation: whole[first..].to_vec(),
        offset: HEADER.len() as u64 + index * LEN,
        whole,
    }
}

/// O(log n) reads of a block: one for each halving down to a block, one for the header, and some for records
/// that lie across two blocks.
#[test]
fn a_look_up_reads_a_few_blocks() {
    for count in COUNTS {
        let source = Computed::new(count);
        let size = source.size();
        let halvings = u64::from((size / 4096).max(1).ilog2());
        // Each of 123 bytes that must be there, and one more line to be looked at.
        let across = 2 + halvings / 3;
        let mut most = (0, 0);
        let places = (0..count).step_by((count / 50).max(1) as usize).chain(count.checked_sub(1));
        let mut look_up = |key: &[u8], expected: Option<Record>| {
            let source = Counting::new(Computed::new(count));
            let asked = source.asked.clone();
            let mut file = Options::REFS.file(SortedFile::new(source).unwrap());
            assert_eq!(file.find(key).unwrap().map(Record::from), expected, "{key:?} of {count}");
            let (reads, bytes) = asked.take();
            assert!(reads <= halvings + across + 3, "{reads} reads for {key:?} of {count}");
            most = (reads.max(most.0), bytes.max(most.1));
        };
        for index in places {
            let record = record(index);
            look_up(&record.key.clone(), Some(record));
            // Nothing is between two.
            look_up(&[&Computed::key(index)[..], b"!"].concat(), None);
        }
        look_up(b"", None);
        look_up(b"\xff", None);
        assert!(most.1 <= 256 << 10, "{} bytes read for one of {count}", most.1);
        println!("{count} records, {size} bytes: at most {most:?} reads and bytes");
    }
}

/// Where a search ends depends on the order only, not on what was in memory before.
#[test]
fn one_file_many_look_ups() {
    let source = Counting::new(Computed::new(13_000_000));
    let asked = source.asked.clone();
    let mut file = Options::REFS.file(SortedFile::new(source).unwrap());
    let mut random = 1_u64;
    for _ in 0..300 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let expected = record((random >> 33) % 13_000_000);
        assert_eq!(file.find(&expected.key).unwrap().map(Record::from), Some(expected));
    }
    let (reads, bytes) = asked.take();
    assert!(reads < 300 * 24 && bytes < 300 * 24 * 4096, "{reads} reads, {bytes} bytes");
}

/// The records of a prefix are read in larger pieces, and each once.
#[test]
fn a_prefix_is_read_once() {
    let source = Counting::new(Computed::new(13_000_000));
    let asked = source.asked.clone();
    let mut file = Options::REFS.file(SortedFile::new(source).unwrap());
    let mut records = file.prefix(b"refs/tags/00000000123").unwrap();
    asked.take();
    for index in 1_230_000..1_240_000 {
        let found = records.next_record().unwrap().map(Record::from);
        assert_eq!(found, Some(record(index)), "{index}");
    }
    assert!(records.next_record().unwrap().is_none());
    assert!(records.next_record().unwrap().is_none());
    let (reads, bytes) = asked.take();
    let size = 10_000 * LEN;
    assert!(reads < size / (64 << 10) + 8, "{reads} reads");
    assert!(bytes < size + (128 << 10), "{bytes} bytes for {size}");
}

/// Also where no record ever lies across two blocks.
#[test]
fn a_listing_of_aligned_records() {
    let bytes: Vec<u8> = (0..16_384).flat_map(|index| format!("{index:063}\n").into_bytes()).collect();
    let source = Counting::new(Cursor::new(&bytes));
    let asked = source.asked.clone();
    let mut file = SortedFile::new(source).unwrap();
    let mut records = file.prefix(b"").unwrap();
    let mut listed = Vec::new();
    while let Some(record) = records.next_record().unwrap() {
        listed.extend_from_slice(record.with_terminators());
    }
    assert!(listed == bytes);
    let (reads, read) = asked.take();
    assert!(reads < 16 + 20 && read < (1 << 20) + 20 * 4096, "{reads} reads, {read} bytes of 1 MiB");
}

/// What is searched after a listing is read in small pieces again.
#[test]
fn a_look_up_after_a_listing() {
    let source = Counting::new(Computed::new(13_000_000));
    let asked = source.asked.clone();
    let mut file = Options::REFS.file(SortedFile::new(source).unwrap());
    let mut records = file.prefix(b"").unwrap();
    for _ in 0..5000 {
        records.next_record().unwrap();
    }
    asked.take();
    file.find(b"refs/tags/000000007654321").unwrap();
    let (reads, bytes) = asked.take();
    assert!(reads < 28 && bytes < 28 * 4096, "{reads} reads, {bytes} bytes");
}

/// A real file whose lines lie behind 4 GiB of nothing.
#[test]
fn a_sparse_file() {
    let mut file = tempfile::tempfile().unwrap();
    let far = (4 << 30) + 4095;
    file.write_all(b"a\nb\n").unwrap();
    file.seek(SeekFrom::Start(far)).unwrap();
    file.write_all(b"\nx\ny\nz").unwrap();
    // NULs are the ends of empty lines, but for two. A key of nothing comes before all others.
    let mut lines =
        Options::PLAIN.file(SortedFile::new(&file).unwrap()).terminator(wholeline::Terminator::NUL);
    assert_eq!(lines.find(b"\nx\ny\nz").unwrap().unwrap().offset(), far);
    assert_eq!(lines.lower_bound(b"\n").unwrap(), far);
    assert_eq!(lines.lower_bound(b"a").unwrap(), far + 6);
}

/// A line of 70 KB, or 3 MB, in the middle of short ones.
#[test]
fn a_long_line() {
    for len in [4095, 4096, 4097, 8192, 70_000, 3_000_000] {
        let mut bytes = Vec::new();
        (0..2000).for_each(|index| bytes.extend(format!("a{index:06}\n").bytes()));
        let long = [b"m".repeat(len), b"\n".to_vec()].concat();
        bytes.extend(&long);
        (0..2000).for_each(|index| bytes.extend(format!("z{index:06}\n").bytes()));
        let source = Counting::new(Cursor::new(bytes));
        let asked = source.asked.clone();
        let mut file = SortedFile::new(source).unwrap();
        assert_eq!(file.find(&b"m".repeat(len)).unwrap().unwrap().with_terminators(), long);
        for index in [0, 1, 1000, 1998, 1999] {
            for letter in ["a", "z"] {
                let key = format!("{letter}{index:06}");
                assert_eq!(file.find(key.as_bytes()).unwrap().unwrap().key(), key.as_bytes());
            }
            assert!(file.find(format!("m{index:06}").as_bytes()).unwrap().is_none());
        }
        let found = in_file(&mut file, b"m").unwrap();
        assert_eq!((found.find, found.lower_bound, found.prefix.len()), (None, 16_000, 1));
        // Doubling: a line is read whole, and what is read beside it is in proportion.
        let (reads, bytes) = asked.take();
        assert!(reads < 16 * 40 && bytes < 16 * (5 * len as u64 + 20 * 4096), "{len}: {reads}, {bytes}");
    }
}
