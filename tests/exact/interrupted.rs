//! A signal that interrupts a wait is none of the caller's business.

use std::io::Write;
use std::os::fd::AsFd;
use std::thread;

use wholeline::{ExactLineReader, Method};

use crate::PIPE;
use crate::descriptors::{Descriptor, Kind};
use crate::signals::interrupt;

/// Signals a thread that waits for a line, before it has any of it and in the middle of it.
fn survives_signals(kind: Kind, refuse_tee: bool, method: Method) {
    let mut descriptor = Descriptor::new(kind);
    let mut input = descriptor.take_input();
    let mut read = move || {
        let mut reader = ExactLineReader::new(descriptor.as_fd());
        let line = reader.next_line().map(|line| line.map(|line| line.to_vec()));
        assert_eq!(reader.method(), method);
        (line, descriptor.rest())
    };
    let reader = thread::spawn(move || {
        #[cfg(target_os = "linux")]
        if refuse_tee {
            crate::refuse::refuse(libc::SYS_tee, libc::ENOSYS);
        }
        assert!(!refuse_tee || cfg!(target_os = "linux"));
        read()
    });
    for piece in ["to", "gether\nrest"] {
        interrupt(&reader);
        assert!(!reader.is_finished(), "it must wait for the line's end");
        input.write_all(piece.as_bytes()).unwrap();
    }
    drop(input);
    let (line, rest) = reader.join().expect("no panic");
    assert_eq!(line.expect("no error").expect("a line"), b"together");
    assert_eq!(rest, b"rest");
}

/// One test, for the handler and its count are the whole process's.
#[test]
fn signals() {
    survives_signals(Kind::Pipe, false, PIPE);
    survives_signals(Kind::Socket, false, Method::Peek);
    if cfg!(target_os = "linux") {
        survives_signals(Kind::Pipe, true, Method::Byte);
    }
}
