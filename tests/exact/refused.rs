//! What a sandbox may do: a call is refused, and the reader goes on without it.

use std::ffi::{c_int, c_long};
use std::os::fd::AsFd;

use wholeline::{ExactLineReader, Method};

use crate::descriptors::{Descriptor, Kind};
use crate::exact::{Case, check};
use crate::refuse::refusing;
use crate::support::model::Rules;
use crate::support::naive::Terminator;

const BYTES: &[u8] = b"one\n\0two\r\n\nlast";

/// The calls that each way needs, as it begins with them.
const CALLS: [(Kind, c_long); 4] = [
    (Kind::Pipe, libc::SYS_tee),
    (Kind::Pipe, libc::SYS_pipe2),
    (Kind::Socket, libc::SYS_recvfrom),
    (Kind::File, libc::SYS_lseek),
];

#[test]
fn without_the_call_it_takes_a_byte_a_call() {
    for (kind, call) in CALLS {
        for errno in [libc::EPERM, libc::ENOSYS, libc::EINVAL, libc::EACCES] {
            let descriptor = Descriptor::holding(kind, BYTES);
            refusing(call, errno, || {
                let mut reader = ExactLineReader::new(descriptor.as_fd());
                assert_eq!(reader.method() == Method::Byte, kind == Kind::File, "seeking is tried at once");
                assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"one");
                assert_eq!(reader.method(), Method::Byte);
                assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"\0two\r");
            });
            let mut descriptor = descriptor;
            assert_eq!(descriptor.rest(), b"\nlast", "{kind:?}");
        }
    }
}

/// No descriptor can be had for the scratch pipe.
#[test]
fn without_descriptors_it_takes_a_byte_a_call() {
    for errno in [libc::EMFILE, libc::ENFILE] {
        let mut descriptor = Descriptor::holding(Kind::Pipe, BYTES);
        refusing(libc::SYS_pipe2, errno, || {
            let mut reader = ExactLineReader::new(descriptor.as_fd());
            assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"one");
            assert_eq!(reader.method(), Method::Byte);
        });
        assert_eq!(descriptor.rest(), &BYTES[4..]);
    }
}

/// What is not said of the call as such is an error like any other.
#[test]
fn another_error_is_handed_on() {
    for (kind, call) in &CALLS[..3] {
        let errors: &[c_int] = &[libc::EIO, libc::ENOMEM];
        for &errno in errors {
            let mut descriptor = Descriptor::holding(*kind, BYTES);
            let (mut reader, error) = refusing(*call, errno, || {
                let mut reader = ExactLineReader::new(descriptor.as_fd());
                let error = reader.next_line().unwrap_err();
                (reader, error)
            });
            assert_eq!(error.raw_os_error(), Some(errno));
            assert_ne!(reader.method(), Method::Byte);
            // Where nothing is refused, nothing is lost.
            assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"one");
            assert_eq!(descriptor.rest(), &BYTES[4..]);
        }
    }
}

/// What cannot be given back is not handed out either, and not lost.
#[test]
fn a_file_that_can_no_longer_be_sought() {
    let mut descriptor = Descriptor::holding(Kind::File, BYTES);
    let mut reader = ExactLineReader::new(descriptor.as_fd());
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"one");
    let mut reader = refusing(libc::SYS_lseek, libc::EPERM, || {
        for _ in 0..2 {
            assert_eq!(reader.next_line().unwrap_err().raw_os_error(), Some(libc::EPERM));
            assert!(reader.partial().is_empty());
        }
        reader
    });
    let line = reader.next_line().unwrap().unwrap();
    assert_eq!((line.as_bytes(), line.offset(), line.number()), (&b"\0two\r"[..], 4, 2));
    assert_eq!(descriptor.rest(), b"\nlast");
}

#[test]
fn every_schedule_a_byte_a_call() {
    refusing(libc::SYS_tee, libc::EPERM, || {
        for code in 0..3usize.pow(4) {
            let bytes: Vec<u8> = (0..4).map(|at| b"a\r\n"[code / 3usize.pow(at) % 3]).collect();
            for terminator in [Terminator::LF, Terminator::CrLf, Terminator::Universal] {
                for most in [1, 2, 9] {
                    let rules = Rules::plain(terminator);
                    check(Kind::Pipe, &Case { bytes: bytes.clone(), pieces: vec![2], rules, most });
                }
            }
        }
    });
}
