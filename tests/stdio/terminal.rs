//! A terminal: lines come as they are typed, and an end is not for ever.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::thread;

use crate::stream::Stream;
use crate::{each, gives, next};

/// The side of whoever types, and the terminal. It does not echo.
fn terminal() -> (File, File) {
    let (mut typist, mut terminal) = (-1, -1);
    // SAFETY: the descriptors are written to variables of ours, and are nobody else's.
    unsafe {
        let null = std::ptr::null_mut();
        assert_eq!(libc::openpty(&mut typist, &mut terminal, null, null.cast(), null.cast()), 0);
        let mut settings = std::mem::zeroed();
        assert_eq!(libc::tcgetattr(terminal, &mut settings), 0);
        settings.c_lflag &= !libc::ECHO;
        assert_eq!(libc::tcsetattr(terminal, libc::TCSANOW, &settings), 0);
        (OwnedFd::from_raw_fd(typist).into(), OwnedFd::from_raw_fd(terminal).into())
    }
}

const END: &[u8] = b"\x04";

/// Each line is answered before the next is typed: a reader that waits for more than a line hangs here.
#[test]
fn lines_come_as_they_are_typed() {
    each(|backend| {
        let (mut typist, terminal) = terminal();
        let mut answers = terminal.try_clone().unwrap();
        let reader = thread::spawn(move || {
            let stream = Stream::of(terminal, c"r");
            let mut reader = stream.reader(backend);
            let mut seen = Vec::new();
            while let Some(line) = reader.next_line().unwrap() {
                seen.push(line.to_vec());
                answers.write_all(b"!").unwrap();
            }
            // The end of a terminal's input is only one of many.
            gives(&mut reader, "more", 13, 4);
            assert!(!stream.is_at_end() && !stream.has_failed());
            seen
        });
        for line in [&b"first\n"[..], b"\n", b"third\n"] {
            typist.write_all(line).unwrap();
            let mut answer = [0];
            typist.read_exact(&mut answer).unwrap();
            assert_eq!(&answer, b"!");
        }
        typist.write_all(END).unwrap();
        typist.write_all(b"more\n").unwrap();
        assert_eq!(reader.join().expect("no panic"), [&b"first"[..], b"", b"third"]);
    });
}

/// An end in the middle of a line hands over what there is of it; a second one is the end.
#[test]
fn an_end_in_the_middle_of_a_line() {
    each(|backend| {
        let (mut typist, terminal) = terminal();
        typist.write_all(b"un").unwrap();
        typist.write_all(END).unwrap();
        typist.write_all(b"finished").unwrap();
        typist.write_all(END).unwrap();
        typist.write_all(END).unwrap();
        typist.write_all(b"next\n").unwrap();
        assert!(terminal.as_raw_fd() > 0);
        let stream = Stream::of(terminal, c"r");
        let mut reader = stream.reader(backend);
        gives(&mut reader, "unfinished", 0, 1);
        assert_eq!(next(&mut reader), None);
        gives(&mut reader, "next", 10, 2);
    });
}
