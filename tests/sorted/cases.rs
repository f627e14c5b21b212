//! What every search must get right, one line a case; and every short file there is.

use std::io::Cursor;

use wholeline::{FileRecords, OutOfOrder, Record, Records, SortedFile, SortedLines, Terminator as T};

use crate::support::naive::Terminator;
use crate::support::sorted::{CONTINUATIONS, HEADERS, KEYS, Options, check};

fn file(bytes: &[u8]) -> SortedFile<Cursor<&[u8]>> {
    SortedFile::new(Cursor::new(bytes)).expect("a source that cannot fail")
}

/// Content, continuation and offset of what is found.
#[track_caller]
fn finds(options: Options, bytes: &[u8], key: &[u8], expected: Option<(&[u8], &[u8], u64)>) {
    let parts =
        |record: Record<'_>| (record.as_bytes().to_vec(), record.continuation().to_vec(), record.offset());
    let expected = expected.map(|(content, more, at)| (content.to_vec(), more.to_vec(), at));
    assert_eq!(options.lines(bytes).find(key).map(parts), expected, "in memory");
    let mut file = options.file(file(bytes));
    assert_eq!(file.find(key).unwrap().map(parts), expected, "in a file");
}

const PLAIN: Options = Options::PLAIN;
const REFS: Options = Options::REFS;

#[test]
fn plain_lines() {
    finds(PLAIN, b"", b"", None);
    finds(PLAIN, b"", b"a", None);
    finds(PLAIN, b"\n", b"", Some((b"", b"", 0)));
    finds(PLAIN, b"\n\n\n", b"", Some((b"", b"", 0)));
    finds(PLAIN, b"a", b"a", Some((b"a", b"", 0)));
    finds(PLAIN, b"a\n", b"a", Some((b"a", b"", 0)));
    finds(PLAIN, b"a\n", b"", None);
    finds(PLAIN, b"a\nb", b"b", Some((b"b", b"", 2)));
    finds(PLAIN, b"\na\n", b"", Some((b"", b"", 0)));
    finds(PLAIN, b"\na\n", b"a", Some((b"a", b"", 1)));
    finds(PLAIN, b"a\na\na\n", b"a", Some((b"a", b"", 0)));
    finds(PLAIN, b"a\nb\nb\nb\nc\n", b"b", Some((b"b", b"", 2)));
    // Unsigned bytes, and the shorter first.
    finds(PLAIN, b"a\nab\n\x7f\n\x80\n\xff", b"\x80", Some((b"\x80", b"", 7)));
    finds(PLAIN, b"a\0\na\x01\n", b"a\x01", Some((b"a\x01", b"", 3)));
}

#[test]
fn a_thousand_equal_lines() {
    let bytes = b"same\n".repeat(20_000);
    finds(PLAIN, &bytes, b"same", Some((b"same", b"", 0)));
    finds(PLAIN, &bytes, b"sam", None);
    assert_eq!(PLAIN.lines(&bytes).lower_bound(b"t"), 100_000);
    assert_eq!(PLAIN.lines(&bytes).prefix(b"s").count(), 20_000);
    let mut file = file(&bytes);
    let mut records = file.prefix(b"s").unwrap();
    let mut count = 0;
    while records.next_record().unwrap().is_some() {
        count += 1;
    }
    assert_eq!(count, 20_000);
}

#[test]
fn packed_refs() {
    const FILE: &[u8] = b"# pack-refs with: sorted \n1 refs/heads/m\n2 refs/tags/v1\n^3\n4 refs/tags/v2\n";
    finds(REFS, FILE, b"refs/heads/m", Some((b"1 refs/heads/m", b"", 26)));
    finds(REFS, FILE, b"refs/tags/v1", Some((b"2 refs/tags/v1", b"^3\n", 41)));
    finds(REFS, FILE, b"refs/tags/v2", Some((b"4 refs/tags/v2", b"", 59)));
    finds(REFS, FILE, b"refs/tags/v", None);
    finds(REFS, FILE, b"^3", None);
    finds(REFS, FILE, b"pack-refs with: sorted ", None);
    // No header, no LF at the end, nothing else.
    finds(REFS, b"1 a\n2 b\n^3", b"b", Some((b"2 b", b"^3", 4)));
    finds(REFS, b"# h\n", b"a", None);
    finds(REFS, b"# h", b"h", None);
    finds(REFS, b"# h\n# i\n1 a", b"a", Some((b"1 a", b"", 8)));
    // A later # is none.
    finds(REFS, b"1 a\n# b\n", b"b", Some((b"# b", b"", 4)));
}

/// What belongs to nothing stands for itself.
#[test]
fn continuation_lines_alone() {
    finds(REFS, b"^1\n^2\n^3", b"^1", Some((b"^1", b"^2\n^3", 0)));
    finds(REFS, b"^1\n^2\n^3", b"^2", None);
    finds(REFS, b"# h\n^1\n", b"^1", Some((b"^1", b"", 4)));
    finds(REFS, b"# h\n^1\n2 b\n^\n", b"b", Some((b"2 b", b"^\n", 7)));
}

/// A record whose continuation is many blocks long, where almost every probe lands.
#[test]
fn a_long_continuation() {
    let more = b"^0123456789\n".repeat(10_000);
    let bytes = [b"1 a\n2 b\n", &more[..], b"3 c\n^x\n4 d"].concat();
    finds(REFS, &bytes, b"a", Some((b"1 a", b"", 0)));
    finds(REFS, &bytes, b"b", Some((b"2 b", &more, 4)));
    finds(REFS, &bytes, b"c", Some((b"3 c", b"^x\n", 120_008)));
    finds(REFS, &bytes, b"d", Some((b"4 d", b"", 120_015)));
    finds(REFS, &bytes, b"bb", None);
}

#[test]
fn other_terminators() {
    let nul = Options { terminator: Terminator::Byte(0), ..PLAIN };
    finds(nul, b"a\nb\0c\0", b"a\nb", Some((b"a\nb", b"", 0)));
    finds(nul, b"a\nb\0c\0", b"c", Some((b"c", b"", 4)));
    let crlf = Options { terminator: Terminator::CrLf, ..PLAIN };
    finds(crlf, b"a\r\nb\r\r\nc\nd\r", b"b\r", Some((b"b\r", b"", 3)));
    finds(crlf, b"a\r\nb\r\r\nc\nd\r", b"c", Some((b"c", b"", 7)));
    finds(crlf, b"a\r\nb\r\r\nc\nd\r", b"d\r", Some((b"d\r", b"", 9)));
    let universal = Options { terminator: Terminator::Universal, ..PLAIN };
    for (at, key) in [(0, b"a"), (2, b"b"), (5, b"c"), (7, b"d")] {
        finds(universal, b"a\rb\r\nc\nd\r\n", key, Some((key, b"", at)));
    }
    finds(universal, b"\r\n\r\n\r\na", b"", Some((b"", b"", 0)));
    finds(universal, b"\r\n\r\n\r\na", b"a", Some((b"a", b"", 6)));
}

/// Every file of up to six bytes, with every combination of options, looked up in for what is in it and not.
#[test]
fn every_short_file() {
    for terminator in [Terminator::LF, Terminator::CrLf, Terminator::Universal] {
        let alphabet: &[u8] = if terminator == Terminator::LF { b"a^\n" } else { b"a\r\n" };
        for (key, continuation, header) in [
            (KEYS[0], CONTINUATIONS[0], HEADERS[0]),
            (KEYS[0], CONTINUATIONS[1], HEADERS[0]),
            (KEYS[2], CONTINUATIONS[2], HEADERS[2]),
        ] {
            let options = Options { terminator, key, continuation, header };
            for len in 0..=6 {
                for code in 0..alphabet.len().pow(len) {
                    let byte = |at| alphabet[code / alphabet.len().pow(at) % alphabet.len()];
                    let bytes: Vec<u8> = (0..len).map(byte).collect();
                    check(options, &bytes, &[b"".to_vec(), b"b".to_vec()], file(&bytes));
                }
            }
        }
    }
}

#[test]
fn check_sorted_says_where() {
    let number = |bytes: &[u8]| {
        let error = REFS.lines(bytes).check_sorted().err();
        error.map(|error| (error.offset(), error.number()))
    };
    assert_eq!(number(b""), None);
    assert_eq!(number(b"1 b\n2 b\n3 b"), None);
    assert_eq!(number(b"# z\n# y\n1 b\n^2\n^1\n3 a\n4 a\n"), Some((18, 6)));
    assert_eq!(number(b"1 b\n\n"), Some((4, 2)));
    let text = "line 2, at byte 2, is out of order";
    let error = SortedLines::new(b"b\na\n").check_sorted().unwrap_err();
    assert_eq!(error.to_string(), text);
    assert_eq!(std::io::Error::from(error).kind(), std::io::ErrorKind::InvalidData);
    assert_eq!(file(b"b\na\n").check_sorted().unwrap_err().to_string(), text);
}

/// Copies share nothing, and options set later count.
#[test]
fn options_are_values() {
    let plain = SortedLines::new(b"#\0b\0");
    let nul = plain.terminator(T::NUL).header(|line| line == b"#");
    assert!(plain.find(b"#\0b\0").is_some() && plain.find(b"b").is_none());
    assert_eq!(nul.find(b"b").unwrap().offset(), 2);
    assert_eq!(nul.terminator(T::LF).find(b"#\0b\0").unwrap().offset(), 0);
    let mut file = file(b"#\0b\0").header(|line| line == b"#");
    assert_eq!(file.find(b"#\0b\0").unwrap().unwrap().offset(), 0);
    assert_eq!(file.terminator(T::NUL).find(b"b").unwrap().unwrap().offset(), 2);
}

#[test]
fn they_can_be_sent_and_shown() {
    fn is<T: Send + Sync + std::fmt::Debug>(_: &T) {}
    fn type_is<T: Send + Sync + std::fmt::Debug>() {}
    let lines = SortedLines::new(b"a\n");
    is(&lines);
    is(&file(b"a\n"));
    type_is::<Record<'_>>();
    type_is::<Records<'_>>();
    type_is::<FileRecords<'_, std::fs::File>>();
    type_is::<OutOfOrder>();
    let shown = format!("{:?}", lines.find(b"a").unwrap());
    assert_eq!(shown, r#"Record { key: "a", content: "a", continuation: "", offset: 0 }"#);
}
