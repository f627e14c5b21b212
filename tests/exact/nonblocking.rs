//! A descriptor that has nothing now is an error that loses nothing.

use std::io::ErrorKind;
use std::os::fd::AsFd;

use wholeline::{ExactLineReader, LineRead, Method};

use crate::PIPE;
use crate::descriptors::{Descriptor, Kind};

fn resumes(kind: Kind, method: Method) {
    let mut descriptor = Descriptor::new(kind);
    descriptor.set_nonblocking();
    let output = descriptor.as_fd().try_clone_to_owned().unwrap();
    let mut reader = ExactLineReader::new(output);

    let blocks = |reader: &mut ExactLineReader<_>, partial: &[u8]| {
        for _ in 0..2 {
            assert_eq!(reader.next_line().unwrap_err().kind(), ErrorKind::WouldBlock);
            assert_eq!(reader.partial(), partial);
        }
    };
    blocks(&mut reader, b"");
    descriptor.write(b"first\nCop");
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"first");
    assert_eq!(reader.partial(), b"");
    assert_eq!(descriptor.left(), 3);
    blocks(&mut reader, b"Cop");
    assert_eq!(descriptor.left(), 0);
    descriptor.write(b"y\nK3\nrest");
    let line = reader.next_line().unwrap().unwrap();
    assert_eq!((line.as_bytes(), line.offset(), line.number()), (&b"Copy"[..], 6, 2));
    assert_eq!(descriptor.left(), 7);

    let mut lines = (&mut reader as &mut dyn LineRead).into_lines();
    assert_eq!(lines.next().unwrap().unwrap(), "K3");
    for _ in 0..2 {
        assert_eq!(lines.next().unwrap().unwrap_err().kind(), ErrorKind::WouldBlock);
    }
    descriptor.close();
    assert_eq!(lines.next().unwrap().unwrap(), "rest");
    assert!(lines.next().is_none());
    assert_eq!(reader.method(), method);
}

#[test]
fn a_pipe() {
    resumes(Kind::Pipe, PIPE);
}

#[test]
fn a_socket() {
    resumes(Kind::Socket, Method::Peek);
}

#[cfg(target_os = "linux")]
#[test]
fn a_byte_a_call() {
    crate::refuse::refusing(libc::SYS_tee, libc::ENOSYS, || resumes(Kind::Pipe, Method::Byte));
}
