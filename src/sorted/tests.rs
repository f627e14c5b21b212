//! Blocks of a few bytes, so that everything lies across their borders; against the search in memory, which
//! tests/sorted.rs holds against a linear one.

use std::io::Cursor;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{Record, SortedFile, SortedLines};
use crate::line::Terminator;

fn file(bytes: &[u8], block: usize) -> SortedFile<Cursor<&[u8]>> {
    SortedFile::with_block(Cursor::new(bytes), block).expect("a source that cannot fail")
}

fn terminator() -> impl Strategy<Value = Terminator> {
    select(vec![Terminator::LF, Terminator::CRLF, Terminator::UNIVERSAL, Terminator::NUL])
}

/// Whole records.
fn parts(record: Record<'_>) -> (Vec<u8>, usize, usize, u64) {
    let whole = record.with_terminators().to_vec();
    (whole, record.as_bytes().len(), record.continuation().len(), record.offset())
}

/// Probes are the same bytes, so what is found is the same, in order or not.
fn same(bytes: &[u8], block: usize, terminator: Terminator, keys: &[Vec<u8>]) {
    let is_more = |line: &[u8]| line.starts_with(b"^");
    let is_header = |line: &[u8]| line.starts_with(b"#");
    let lines = SortedLines::new(bytes).terminator(terminator).continuation(is_more).header(is_header);
    let mut file = file(bytes, block).terminator(terminator).continuation(is_more).header(is_header);
    for key in keys {
        let found = lines.find(key).map(parts);
        assert_eq!(file.find(key).unwrap().map(parts), found, "find {key:?}");
        assert_eq!(file.lower_bound(key).unwrap(), lines.lower_bound(key) as u64, "lower_bound of {key:?}");
        let mut records = file.prefix(key).unwrap();
        for record in lines.prefix(key) {
            let found = records.next_record().unwrap().map(parts);
            assert_eq!(found, Some(parts(record)), "prefix {key:?}");
        }
        assert!(records.next_record().unwrap().is_none(), "prefix {key:?}: one too many");
    }
    assert_eq!(file.check_sorted().is_ok(), lines.check_sorted().is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn small_blocks(
        bytes in vec(select(&b"aab^^#\r\r\n\n\0"[..]), 0..120),
        block in select(vec![1, 2, 4, 8, 16, 32]),
        terminator in terminator(),
        key in vec(select(&b"ab^\r"[..]), 0..3),
    ) {
        same(&bytes, block, terminator, &[key, Vec::new()]);
    }

    #[test]
    fn small_blocks_in_order(
        mut lines in vec((vec(select(&b"abc"[..]), 0..6), 0..4usize), 0..60),
        block in select(vec![1, 2, 4, 8, 16, 32]),
        end in select(vec!["\n", "\r\n"]),
        cut in any::<bool>(),
    ) {
        lines.sort();
        let mut bytes = Vec::new();
        for (line, more) in &lines {
            bytes.extend([line, end.as_bytes()].concat());
            bytes.extend(format!("^{end}").repeat(*more).bytes());
        }
        if cut {
            bytes.pop();
        }
        let keys: Vec<_> = lines.into_iter().map(|(line, _)| line).chain([b"b".to_vec()]).collect();
        for terminator in [Terminator::CRLF, Terminator::UNIVERSAL] {
            same(&bytes, block, terminator, &keys);
        }
    }
}

/// However the file is read, memory is in proportion to the longest record.
#[test]
fn memory_is_bounded() {
    let bytes = b"0123456789\n".repeat(10_000);
    let mut file = file(&bytes, 16);
    let mut records = file.prefix(b"").unwrap();
    let mut count = 0;
    while records.next_record().unwrap().is_some() {
        count += 1;
    }
    assert_eq!(count, 10_000);
    let memory = file.blocks.memory.len();
    assert!(memory <= 3 * 16 * 16, "{memory} bytes for blocks of 16");
}
