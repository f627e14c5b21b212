//! Lines longer than what a pipe, a socket or a look holds.

use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::thread;

use wholeline::{ExactLineReader, LineTooLong, Method, OverLong};

use crate::PIPE;
use crate::descriptors::{Descriptor, KINDS, Kind};
use crate::time::within_a_minute;

/// No two places look alike, and no LF.
fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|at| b' ' + (at * at / 89 % 89) as u8).collect()
}

/// Has somebody write lines of these lengths, takes them all but the last, and that one is what is left.
fn takes_lines(mut descriptor: Descriptor, lengths: &'static [usize], method: Method) {
    within_a_minute(move || {
        let mut input = descriptor.take_input();
        let text = |len| [pattern(len), b"\n".to_vec()].concat();
        let write = move || lengths.iter().for_each(|&len| input.write_all(&text(len)).expect("writing"));
        let (lines, last) = lengths.split_at(lengths.len() - 1);
        let writer = thread::spawn(write);
        let mut reader = ExactLineReader::new(descriptor.as_fd());
        let mut offset = 0;
        for &len in lines {
            let line = loop {
                // A file that is still being written has ends before the end.
                match reader.next_line().unwrap() {
                    Some(line) => break line,
                    None => thread::yield_now(),
                }
            };
            assert!(line.with_terminator() == text(len), "{} bytes for {len}", line.len());
            assert_eq!(line.offset(), offset);
            offset += text(len).len() as u64;
        }
        assert_eq!(reader.method(), method);
        let mut rest = Vec::new();
        std::fs::File::from(descriptor.as_fd().try_clone_to_owned().unwrap()).read_to_end(&mut rest).unwrap();
        assert!(rest == text(last[0]), "the rest is the last line");
        writer.join().unwrap();
    });
}

const LENGTHS: &[usize] =
    &[10, 200_000, 0, 65_535, 65_536, 65_537, 1, 1_000_000, 4095, 4096, 4097, 131_072, 5, 3];

#[test]
fn longer_than_a_pipe() {
    takes_lines(Descriptor::new(Kind::Pipe), LENGTHS, PIPE);
}

#[cfg(target_os = "linux")]
#[test]
fn longer_than_a_small_pipe_and_shorter_than_a_large_one() {
    use std::os::fd::AsRawFd;
    for size in [4096, 1 << 20] {
        let descriptor = Descriptor::new(Kind::Pipe);
        // SAFETY: no memory is involved.
        let status = unsafe { libc::fcntl(descriptor.as_fd().as_raw_fd(), libc::F_SETPIPE_SZ, size) };
        assert_eq!(status, size, "{}", std::io::Error::last_os_error());
        takes_lines(descriptor, LENGTHS, Method::Tee);
    }
}

#[test]
fn longer_than_a_socket() {
    takes_lines(Descriptor::new(Kind::Socket), LENGTHS, Method::Peek);
}

#[test]
fn a_file() {
    let mut descriptor = Descriptor::new(Kind::File);
    let text = |len| [pattern(len), b"\n".to_vec()].concat();
    LENGTHS.iter().for_each(|&len| descriptor.write(&text(len)));
    let mut reader = ExactLineReader::new(descriptor.as_fd());
    for (at, &len) in LENGTHS.iter().enumerate() {
        assert!(reader.next_line().unwrap().unwrap().with_terminator() == text(len));
        assert_eq!(descriptor.left(), LENGTHS[at + 1..].iter().map(|len| len + 1).sum::<usize>());
    }
    assert_eq!(reader.method(), Method::Seek);
}

/// With a limit it is said as soon as it is known, and the rest is dropped, exactly.
#[test]
fn longer_than_the_limit() {
    for kind in KINDS {
        for policy in [OverLong::Error, OverLong::Skip, OverLong::Truncate] {
            let text = [pattern(20_000), b"\nok\nrest".to_vec()].concat();
            let mut descriptor = Descriptor::holding(kind, &text);
            let mut reader = ExactLineReader::new(descriptor.as_fd()).max_line_len(100).over_long(policy);
            match policy {
                OverLong::Error => {
                    let error = reader.next_line().unwrap_err();
                    let error = error.get_ref().unwrap().downcast_ref::<LineTooLong>().unwrap();
                    assert_eq!((error.offset(), error.number(), error.limit()), (0, 1, 100));
                    assert!(descriptor.left() > 10_000, "said before all of it was read");
                }
                OverLong::Truncate => {
                    let line = reader.next_line().unwrap().unwrap();
                    assert_eq!((line.as_bytes(), line.is_terminated()), (&pattern(100)[..], false));
                }
                _ => {}
            }
            let line = reader.next_line().unwrap().unwrap();
            assert_eq!((line.as_bytes(), line.offset(), line.number()), (&b"ok"[..], 20_001, 2));
            assert_eq!(reader.skipped(), u64::from(policy == OverLong::Skip));
            assert_eq!(descriptor.rest(), b"rest");
        }
    }
}

/// How many calls of `read` this thread has made.
#[cfg(target_os = "linux")]
fn reads() -> usize {
    let text = std::fs::read_to_string("/proc/thread-self/io").expect("the kernel counts them");
    let calls = text.lines().find_map(|line| line.strip_prefix("syscr: ")).expect("a count of reads");
    calls.parse().expect("a number")
}

/// What a limit drops costs no more calls than a long line that is wanted.
#[cfg(target_os = "linux")]
#[test]
fn dropping_a_long_line_takes_few_calls() {
    let bytes = [&vec![b'x'; 1 << 20][..], b"\nok\n"].concat();
    for limit in [0, 2, 80, 10_000] {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let mut reader = ExactLineReader::new(file.reopen().unwrap());
        reader = reader.max_line_len(limit).over_long(OverLong::Truncate);
        let before = reads();
        assert_eq!(reader.next_line().unwrap().unwrap().len(), limit);
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!(line.offset(), (1 << 20) + 1);
        assert!(reads() - before < 600, "{} reads, with a limit of {limit}", reads() - before);
    }
}
