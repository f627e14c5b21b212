//! Sources that fail, end too early or claim nonsense: an error, and then all is as before.

use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};

use wholeline::SortedFile;

use crate::source::{Fault, Faulty};
use crate::support::sorted::{Found, Options, in_file, in_memory};

/// Three blocks and a half, with long and with short lines.
fn refs() -> Vec<u8> {
    let mut bytes = b"# header\n".to_vec();
    for index in 0..150 {
        bytes.extend(format!("{index:040} refs/{index:04}\n").bytes());
        if index % 3 == 0 {
            bytes.extend(format!("^{}\n", "p".repeat(40)).bytes());
        }
        if index == 75 {
            bytes.extend(format!("{index:040} refs/{index:04}{}\n", "x".repeat(5000)).bytes());
        }
    }
    bytes
}

const KEYS: [&[u8]; 7] =
    [b"refs/0000", b"refs/0001", b"refs/0075", b"refs/0100", b"refs/0149", b"refs/014", b"a"];

fn expected(bytes: &[u8], key: &[u8]) -> Found {
    in_memory(&Options::REFS.lines(bytes), key)
}

/// How many calls of the source a look-up makes when nothing goes wrong.
fn calls(bytes: &[u8], key: &[u8]) -> usize {
    let source = Faulty::new(bytes, Fault::Ends, usize::MAX, false);
    let calls = source.calls.clone();
    let mut file = Options::REFS.file(SortedFile::new(source).unwrap());
    assert_eq!(in_file(&mut file, key).unwrap(), expected(bytes, key));
    calls.get()
}

/// Whatever goes wrong at whichever call, it is said once and the next look-up is right.
#[test]
fn after_a_fault_all_is_as_before() {
    let bytes = refs();
    for key in KEYS {
        // The first call asks for the size.
        for at in 1..calls(&bytes, key) {
            for (fault, kind) in [
                (Fault::Fails(ErrorKind::WouldBlock), ErrorKind::WouldBlock),
                (Fault::Fails(ErrorKind::InvalidData), ErrorKind::InvalidData),
                (Fault::Ends, ErrorKind::UnexpectedEof),
                (Fault::Lies, ErrorKind::Other),
            ] {
                let source = Faulty::new(&bytes, fault, at, false);
                let mut file = Options::REFS.file(SortedFile::new(source).unwrap());
                match in_file(&mut file, key) {
                    // A seek that neither ends nor lies.
                    Ok(found) => {
                        assert!(matches!(fault, Fault::Ends | Fault::Lies), "{fault:?} at {at} was not said");
                        assert_eq!(found, expected(&bytes, key));
                    }
                    Err(error) => assert_eq!(error.kind(), kind, "{fault:?} at {at}: {error}"),
                }
                for key in KEYS {
                    assert_eq!(in_file(&mut file, key).unwrap(), expected(&bytes, key), "{fault:?} at {at}");
                }
            }
        }
    }
}

/// The record that a listing has failed at comes next.
#[test]
fn a_listing_goes_on_where_it_failed() {
    let bytes = refs();
    let expected: Vec<_> = Options::REFS.lines(&bytes).records().map(|record| record.offset()).collect();
    for at in 1..40 {
        let source = Faulty::new(&bytes, Fault::Fails(ErrorKind::TimedOut), at, false);
        let mut file = Options::REFS.file(SortedFile::new(source).unwrap());
        let Ok(mut records) = file.prefix(b"") else { continue };
        let mut seen = Vec::new();
        let mut errors = 0;
        loop {
            match records.next_record() {
                Ok(Some(record)) => seen.push(record.offset()),
                Ok(None) => break,
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::TimedOut);
                    errors += 1;
                }
            }
        }
        assert!(errors <= 1);
        assert_eq!(seen, expected, "a fault at {at}");
    }
}

#[test]
fn interruptions_and_short_reads_are_nobodys_business() {
    let bytes = refs();
    for key in KEYS {
        for at in 0..calls(&bytes, key) {
            let source = Faulty::new(&bytes, Fault::Fails(ErrorKind::Interrupted), at, false);
            let mut file = Options::REFS.file(SortedFile::new(source).unwrap());
            assert_eq!(in_file(&mut file, key).unwrap(), expected(&bytes, key), "interrupted at {at}");
            file.check_sorted().unwrap();
        }
        let source = Faulty::new(&bytes, Fault::Gives1, 0, true);
        let mut file = Options::REFS.file(SortedFile::new(source).unwrap());
        assert_eq!(in_file(&mut file, key).unwrap(), expected(&bytes, key), "a byte at a time");
    }
}

/// A source that is broken from some call on is an error each time, and no loop.
#[test]
fn faults_that_stay() {
    let bytes = refs();
    for fault in [Fault::Fails(ErrorKind::Other), Fault::Ends, Fault::Lies] {
        for at in 1..30 {
            let source = Faulty::new(&bytes, fault, at, true);
            let mut file = Options::REFS.file(SortedFile::new(source).unwrap());
            for key in KEYS {
                if let Ok(found) = in_file(&mut file, key) {
                    assert_eq!(found, expected(&bytes, key), "{fault:?} from {at} on");
                }
            }
            assert!(file.check_sorted().is_err(), "{fault:?} from {at} on");
        }
    }
}

/// Says another size than it has.
struct Boaster(Cursor<Vec<u8>>, u64);

impl Read for Boaster {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        self.0.read(dst)
    }
}

impl Seek for Boaster {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if to == SeekFrom::End(0) { Ok(self.1) } else { self.0.seek(to) }
    }
}

#[test]
fn a_size_that_is_not_true() {
    let bytes = b"a\nb\nc\n";
    for size in [7, 4096, 5000, 1 << 40, u64::MAX - 1, u64::MAX] {
        let mut file = SortedFile::new(Boaster(Cursor::new(bytes.to_vec()), size)).unwrap();
        for _ in 0..2 {
            assert_eq!(file.find(b"b").unwrap_err().kind(), ErrorKind::UnexpectedEof, "{size}");
            assert_eq!(file.check_sorted().unwrap_err().kind(), ErrorKind::UnexpectedEof, "{size}");
        }
    }
    // Less: what is behind is not seen, and nothing is made up.
    let mut file = SortedFile::new(Boaster(Cursor::new(bytes.to_vec()), 4)).unwrap();
    assert_eq!(file.find(b"b").unwrap().unwrap().with_terminators(), b"b\n");
    assert!(file.find(b"c").unwrap().is_none());
    file.check_sorted().unwrap();
    // None at all, as files of /proc have it: nothing would be found in them.
    let error = SortedFile::new(Boaster(Cursor::new(bytes.to_vec()), 0)).err().unwrap();
    assert_eq!(error.to_string(), "the source says that it is empty, and is not");
    // A directory may say so too.
    #[cfg(target_os = "linux")]
    assert_eq!(SortedFile::open("/proc").err().unwrap().kind(), ErrorKind::IsADirectory);
}

/// Bytes that are others at each read: whatever is found, it ends.
struct Restless(u64, u64);

impl Read for Restless {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        for byte in &mut *dst {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *byte = b"ab^\n\r"[(self.0 >> 33) as usize % 5];
        }
        Ok(dst.len())
    }
}

impl Seek for Restless {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        Ok(if let SeekFrom::Start(at) = to { at } else { self.1 })
    }
}

#[test]
fn bytes_that_change_meanwhile() {
    for seed in 0..40 {
        for options in [Options::PLAIN, Options::REFS] {
            for terminator in crate::support::sorted::TERMINATORS {
                let source = Restless(seed, 40_000 + seed);
                let options = Options { terminator, ..options };
                let mut file = options.file(SortedFile::new(source).unwrap());
                for key in [b"", &b"a"[..], b"ab", b"b", b"c"] {
                    let found = file.find(key).unwrap();
                    assert!(found.is_none_or(|record| record.key() == key));
                    let mut records = file.prefix(key).unwrap();
                    while let Some(record) = records.next_record().unwrap() {
                        assert!(record.key().starts_with(key));
                    }
                }
            }
        }
    }
}

#[test]
fn a_file_that_is_not_there_or_has_no_size() {
    assert_eq!(SortedFile::open("no/such/file").unwrap_err().kind(), ErrorKind::NotFound);
    let mut file = SortedFile::open("Cargo.toml").unwrap();
    assert_eq!(file.lower_bound(b"").unwrap(), 0);
    assert!(file.get_ref().metadata().unwrap().is_file());
    assert!(file.into_inner().metadata().unwrap().is_file());
}
