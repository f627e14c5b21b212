//! What can be chosen, and what that chooses.

use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use wholeline::stdio::{Backend, StdioReader};
use wholeline::{LineTooLong, OverLong, Terminator};

use crate::stream::Stream;
use crate::{each, gives, next};

#[test]
fn the_backends_that_there_are() {
    let available = Backend::available();
    assert_eq!(available.last(), Some(&Backend::Getc));
    assert!(available.contains(&Backend::DEFAULT));
    assert_eq!(available.contains(&Backend::Window), cfg!(has_stdio_window));
    assert_eq!(available.contains(&Backend::Getdelim), cfg!(has_getdelim));
    assert_eq!(available.contains(&Backend::GetcUnlocked), cfg!(has_getc_unlocked));
    for backend in [Backend::Window, Backend::Getdelim, Backend::GetcUnlocked, Backend::Getc] {
        let stream = Stream::file(b"");
        // SAFETY: the stream is open.
        let reader = unsafe { StdioReader::from_file_ptr(stream.0) };
        match reader.with_backend(backend) {
            Ok(reader) => {
                assert!(available.contains(&backend));
                assert_eq!(reader.backend(), backend);
            }
            Err(error) => {
                assert!(!available.contains(&backend));
                assert_eq!(error.kind(), ErrorKind::Unsupported);
                assert!(error.to_string().contains("Getc"), "{error} says what there is");
            }
        }
    }
}

/// musl's getdelim merges records where such a byte is the first of what it reads.
#[test]
fn delimiters_from_0x80_to_0xff() {
    let text =
        [vec![b'x'; 1024], b"\xff".to_vec(), vec![b'y'; 1023], b"\xff".to_vec(), vec![b'z'; 1023]].concat();
    for byte in [0x80, 0xa7, 0xff] {
        let text: Vec<u8> = text.iter().map(|&at| if at == 0xff { byte } else { at }).collect();
        each(|backend| {
            let stream = Stream::file(&text);
            let mut reader = stream.reader(backend).terminator(Terminator::byte(byte));
            assert_eq!(next(&mut reader).unwrap(), [b'x'; 1024]);
            assert_eq!(next(&mut reader).unwrap(), [b'y'; 1023]);
            assert_eq!(next(&mut reader).unwrap(), [b'z'; 1023]);
            assert_eq!(next(&mut reader), None);
        });
    }
}

/// The limit bounds what is taken from the stream, and so the memory, whoever does the reading.
#[test]
fn a_limit() {
    let long = "m".repeat(200_000);
    let text = format!("abcdefgh\n{long}\nok\n123456789");
    let too_long = |reader: &mut StdioReader| {
        let error = reader.next_line().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        let error = *error.get_ref().unwrap().downcast_ref::<LineTooLong>().unwrap();
        (error.offset(), error.number(), error.limit())
    };
    each(|backend| {
        let stream = Stream::file(text.as_bytes());
        let mut reader = stream.reader(backend).max_line_len(8);
        gives(&mut reader, "abcdefgh", 0, 1);
        assert_eq!(too_long(&mut reader), (9, 2, 8));
        assert!(reader.offset() < 9 + 20, "it says so as soon as it sees that");
        gives(&mut reader, "ok", 9 + 200_001, 3);
        assert_eq!(too_long(&mut reader), (200_013, 4, 8));
        assert_eq!(next(&mut reader), None);

        let stream = Stream::file(text.as_bytes());
        let mut reader = stream.reader(backend).max_line_len(8).over_long(OverLong::Skip);
        gives(&mut reader, "abcdefgh", 0, 1);
        gives(&mut reader, "ok", 9 + 200_001, 3);
        assert_eq!(next(&mut reader), None);
        assert_eq!(reader.skipped(), 2);
    });
}

#[test]
fn values() {
    fn assert<T: Send + Sync>() {}
    assert::<StdioReader>();
    let stream = Stream::file(b"a\nb\n");
    let mut reader = stream.reader(Backend::DEFAULT);
    next(&mut reader);
    let debug = format!("{reader:?}");
    for part in ["StdioReader", "LF", "offset: 2", "line_number: 2", &format!("{:?}", Backend::DEFAULT)] {
        assert!(debug.contains(part), "{debug}");
    }
    assert_eq!(reader.as_file_ptr(), stream.0);
}

#[test]
#[should_panic(expected = "null")]
fn a_null_pointer() {
    // SAFETY: it panics before it does anything.
    unsafe { StdioReader::from_file_ptr(std::ptr::null_mut()) };
}

/// What the tests below run again, in a process whose stdin is theirs.
#[test]
#[ignore = "the child of c_stdin"]
fn child_of_c_stdin() {
    let mut reader = StdioReader::stdin();
    assert_eq!(next(&mut reader).unwrap(), b"ours");
    unsafe extern "C" {
        fn getchar() -> i32;
    }
    // SAFETY: nothing to it.
    assert_eq!(unsafe { getchar() }, i32::from(b'C'));
    // Another reader goes on where this one stopped.
    assert_eq!(next(&mut StdioReader::stdin()).unwrap(), b"'s");
    assert_eq!(next(&mut reader).unwrap(), b"ours again");
    assert_eq!(next(&mut reader), None);
}

#[test]
fn c_stdin() {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "options::child_of_c_stdin", "--ignored", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"ours\nC's\nours again").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}
