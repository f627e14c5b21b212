//! Errors, which lose nothing and are never taken for the end; and ends, which are never taken for errors.

use std::io::{ErrorKind, Write};
use std::os::fd::AsRawFd;

use wholeline::LineRead;
use wholeline::stdio::{Backend, StdioReader};

use crate::pipe::pipe;
use crate::signals::interrupt;
use crate::stdio::Cookie;
use crate::stream::Stream;
use crate::support::script::Act::{self, D, E, Z};
use crate::support::script::Source;
use crate::{each, fails, gives, next};

/// A stream that plays this, and a reader of it.
fn play(backend: Backend, acts: &[Act<'_>], test: impl FnOnce(&Cookie, StdioReader)) {
    let cookie = Cookie::new(Source::play(acts), 4096);
    test(&cookie, cookie.reader().with_backend(backend).expect("it is available"));
}

/// Whether this loses what it has read of a line when the stream fails: `what_getdelim_may_lose_the_window_does_not`
/// shows it.
fn loses(backend: Backend) -> bool {
    backend == Backend::Getdelim && !cfg!(target_env = "gnu")
}

/// P10, P11: what git took for the end of the file.
#[test]
fn an_error_in_the_middle_of_a_line_loses_nothing() {
    use ErrorKind::{ConnectionReset, StorageFull, WouldBlock};
    each(|backend| {
        if loses(backend) {
            return;
        }
        let acts = [
            D(b"first\nCop"),
            E(WouldBlock),
            E(ConnectionReset),
            D(b"y\nK3\nla"),
            E(StorageFull),
            D(b"st"),
            Z,
        ];
        play(backend, &acts, |cookie, mut reader| {
            gives(&mut reader, "first", 0, 1);
            fails(&mut reader, libc::EAGAIN);
            assert_eq!(reader.partial(), b"Cop");
            // The stream's own flag tells C code of it.
            // SAFETY: the stream is open.
            assert_ne!(unsafe { libc::ferror(cookie.file) }, 0);
            fails(&mut reader, libc::ECONNRESET);
            gives(&mut reader, "Copy", 6, 2);
            assert_eq!(reader.partial(), b"");
            gives(&mut reader, "K3", 11, 3);
            fails(&mut reader, libc::ENOSPC);
            assert_eq!(reader.partial(), b"la");
            gives(&mut reader, "last", 14, 4);
            assert_eq!(next(&mut reader), None);
        });
    });
}

/// What getdelim may lose elsewhere (musl, the BSDs): there this test is of the others only.
#[test]
fn each_error_is_reported_once_wherever_it_comes() {
    let text = b"ab\n\ncd\xff\nlast";
    each(|backend| {
        if loses(backend) {
            return;
        }
        for at in 0..=text.len() {
            for kind in [ErrorKind::Interrupted, ErrorKind::WouldBlock, ErrorKind::TimedOut] {
                let acts = [D(&text[..at]), E(kind), E(kind), D(&text[at..]), Z];
                play(backend, &acts, |_, mut reader| {
                    let (mut lines, mut errors) = (Vec::new(), 0);
                    loop {
                        match reader.next_line() {
                            Ok(Some(line)) => lines.push(line.with_terminator().to_vec()),
                            Ok(None) => break,
                            Err(error) => {
                                assert_eq!(error.kind(), kind);
                                errors += 1;
                            }
                        }
                    }
                    assert_eq!(errors, if kind == ErrorKind::Interrupted { 0 } else { 2 }, "at {at}");
                    assert_eq!(lines, [&b"ab\n"[..], b"\n", b"cd\xff\n", b"last"], "at {at}");
                });
            }
        }
    });
}

/// The window and the loops lose nothing there with any C library. What getdelim has read of the line is lost with
/// all but glibc; that the error is reported is the least.
#[test]
fn what_getdelim_may_lose_the_window_does_not() {
    each(|backend| {
        play(backend, &[D(b"one\ntw"), E(ErrorKind::TimedOut), D(b"o\nthree\n")], |_, mut reader| {
            gives(&mut reader, "one", 0, 1);
            fails(&mut reader, libc::ETIMEDOUT);
            let second = next(&mut reader).unwrap();
            if loses(backend) {
                assert_eq!(second, b"o");
            } else {
                assert_eq!(second, b"two");
            }
            assert_eq!(next(&mut reader).unwrap(), b"three");
        });
    });
}

#[test]
fn as_an_iterator_errors_come_to_an_end() {
    each(|backend| {
        play(backend, &[D(b"one\n"), E(ErrorKind::StorageFull)], |_, reader| {
            let mut lines = reader.into_lines();
            assert_eq!(lines.next().unwrap().unwrap(), "one");
            assert!(lines.next().unwrap().is_err());
            assert!(lines.next().is_none());
        });
    });
}

/// An error flag that somebody else's call has left, maybe long ago.
#[test]
fn a_stale_error_flag_is_nobodys_error() {
    each(|backend| {
        play(backend, &[E(ErrorKind::TimedOut), D(b"one\ntwo"), Z], |cookie, mut reader| {
            // SAFETY: the stream is open.
            unsafe {
                assert_eq!(libc::fgetc(cookie.file), libc::EOF);
                assert_ne!(libc::ferror(cookie.file), 0);
            }
            gives(&mut reader, "one", 0, 1);
            gives(&mut reader, "two", 4, 2);
            assert_eq!(next(&mut reader), None);
        });
        // With an error of our own behind it.
        play(
            backend,
            &[E(ErrorKind::TimedOut), E(ErrorKind::ConnectionReset), D(b"one\n")],
            |cookie, mut reader| {
                // SAFETY: the stream is open.
                assert_eq!(unsafe { libc::fgetc(cookie.file) }, libc::EOF);
                fails(&mut reader, libc::ECONNRESET);
                gives(&mut reader, "one", 0, 1);
            },
        );
    });
}

/// One each time, and one reader.
#[test]
fn a_stale_error_flag_again_and_again() {
    each(|backend| {
        let error = E(ErrorKind::WouldBlock);
        play(backend, &[error, D(b"1\n"), error, D(b"2\n"), error, D(b"3\n"), Z], |cookie, mut reader| {
            for line in ["1", "2", "3"] {
                // SAFETY: the stream is open.
                assert_eq!(unsafe { libc::fgetc(cookie.file) }, libc::EOF);
                assert_eq!(next(&mut reader).unwrap(), line.as_bytes());
            }
            assert_eq!(next(&mut reader), None);
        });
    });
}

/// The flag tells C code of an error until the next call here, and not of one that was retried.
#[test]
fn the_error_flag_afterwards() {
    each(|backend| {
        if loses(backend) {
            return;
        }
        let acts = [D(b"a"), E(ErrorKind::Interrupted), D(b"b\nc"), E(ErrorKind::TimedOut), D(b"d\n"), Z];
        play(backend, &acts, |cookie, mut reader| {
            // SAFETY: the stream is open.
            let failed = || unsafe { libc::ferror(cookie.file) != 0 };
            gives(&mut reader, "ab", 0, 1);
            assert!(!failed());
            fails(&mut reader, libc::ETIMEDOUT);
            assert!(failed());
            gives(&mut reader, "cd", 3, 2);
            assert!(!failed());
        });
    });
}

/// A stream whose function fails and leaves `errno` alone.
#[test]
fn an_error_without_a_reason_is_an_error() {
    each(|backend| {
        if loses(backend) {
            return;
        }
        play(
            backend,
            &[D(b"a\nb"), E(ErrorKind::Other), E(ErrorKind::Other), D(b"c\n"), Z],
            |_, mut reader| {
                gives(&mut reader, "a", 0, 1);
                let error = reader.next_line().unwrap_err();
                assert!(error.to_string().contains("does not say why"), "{error}");
                while reader.next_line().is_err_and(|error| error.raw_os_error().is_none()) {}
                assert_eq!(reader.offset(), 5);
                assert_eq!(next(&mut reader), None);
            },
        );
    });
}

/// P12.
#[test]
fn a_directory() {
    each(|backend| {
        let mut reader = StdioReader::open("/").expect("one can be opened").with_backend(backend).unwrap();
        for _ in 0..3 {
            fails(&mut reader, libc::EISDIR);
        }
        assert_eq!(reader.into_lines().count(), 1);
    });
}

#[test]
fn opening_fails() {
    assert_eq!(StdioReader::open("/nonexistent").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(StdioReader::open("a\0b").unwrap_err().kind(), ErrorKind::InvalidInput);
}

/// Not closed: another test would get its number.
#[test]
fn a_descriptor_that_has_become_unreadable_beneath() {
    each(|backend| {
        let (read, write) = pipe();
        let fd = read.as_raw_fd();
        let stream = Stream::of(read, c"r");
        // SAFETY: both are open.
        assert_eq!(unsafe { libc::dup2(write.as_raw_fd(), fd) }, fd);
        for _ in 0..2 {
            fails(&mut stream.reader(backend), libc::EBADF);
        }
    });
}

#[test]
fn a_stream_for_writing() {
    each(|backend| {
        let stream = Stream::of(tempfile::tempfile().unwrap(), c"w");
        let mut reader = stream.reader(backend);
        assert!(reader.next_line().is_err());
        assert!(reader.next_line().is_err(), "for ever");
    });
}

#[test]
fn a_stream_that_was_last_written_to() {
    each(|backend| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"one\ntwo\nthree\n").unwrap();
        let stream = Stream::of(file.reopen().unwrap(), c"r+");
        let file = std::fs::OpenOptions::new().read(true).write(true).open(file.path()).unwrap();
        drop(stream);
        let stream = Stream::of(file, c"r+");
        let mut reader = stream.reader(backend);
        gives(&mut reader, "one", 0, 1);
        // SAFETY: the stream is open; fseek comes between reading and writing.
        unsafe {
            assert_eq!(libc::fseek(stream.0, 4, libc::SEEK_SET), 0);
            assert!(libc::fputs(c"TWO".as_ptr(), stream.0) >= 0);
        }
        for _ in 0..2 {
            let error = reader.next_line().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            assert_eq!(error.to_string(), "the stream holds output that was not flushed");
        }
        // SAFETY: the stream is open.
        assert_eq!(unsafe { libc::fflush(stream.0) }, 0);
        gives(&mut reader, "", 4, 2);
        gives(&mut reader, "three", 5, 3);
    });
}

#[test]
fn a_stream_of_wide_characters() {
    unsafe extern "C" {
        fn fwide(file: *mut libc::FILE, mode: i32) -> i32;
        fn fgetwc(file: *mut libc::FILE) -> u32;
    }
    each(|backend| {
        let stream = Stream::file(b"one\ntwo\n");
        // SAFETY: the stream is open.
        unsafe {
            assert!(fwide(stream.0, 1) > 0);
            assert_eq!(fgetwc(stream.0), u32::from(b'o'));
        }
        let mut reader = stream.reader(backend);
        for _ in 0..2 {
            let error = reader.next_line().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            assert_eq!(error.to_string(), "the stream is one of wide characters");
        }
        // SAFETY: the stream is open. Nothing was taken.
        assert_eq!(unsafe { fgetwc(stream.0) }, u32::from(b'n'));
    });
}

/// Signals that interrupt the read beneath, for real.
#[test]
fn interrupted_by_signals() {
    each(|backend| {
        if loses(backend) {
            return;
        }
        let (read, mut write) = pipe();
        write.write_all(b"first\nsec").unwrap();
        let reader = std::thread::spawn(move || {
            let stream = Stream::of(read, c"r");
            let mut reader = stream.reader(backend);
            gives(&mut reader, "first", 0, 1);
            gives(&mut reader, "second", 6, 2);
        });
        interrupt(&reader);
        write.write_all(b"ond\n").unwrap();
        reader.join().expect("the right lines");
    });
}

/// What the test below runs again, in a process that has little memory.
#[test]
#[ignore = "the child of getdelim_without_memory"]
fn child_of_getdelim_without_memory() {
    let stream = Stream::file(&[&b"one\n"[..], &vec![b'x'; 64 << 20], b"\nthree\n"].concat());
    let mut reader = stream.reader(Backend::Getdelim);
    gives(&mut reader, "one", 0, 1);
    let used = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = used.split(' ').next().unwrap().parse().unwrap();
    let most = pages * 4096 + (40 << 20);
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: it only reads the limit.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) }, 0);
    fails(&mut reader, libc::ENOMEM);
    // No piece of it passes for a line.
    assert_eq!(next(&mut reader).unwrap(), b"three");
    assert_eq!(reader.line_number(), 4);
    assert_eq!(next(&mut reader), None);
}

/// Nobody says how much of the line is gone, so the rest goes too.
#[test]
fn getdelim_without_memory() {
    if !Backend::available().contains(&Backend::Getdelim) {
        return;
    }
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "errors::child_of_getdelim_without_memory", "--ignored", "--test-threads=1"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout).into_owned();
    assert!(child.status.success() && said.contains("1 passed"), "{said}");
}
