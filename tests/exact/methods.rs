//! How a reader reads is chosen from what the descriptor is; and what cannot be read exactly is refused.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::net::UnixDatagram;

use wholeline::{Ending, ExactLineReader, LineRead, Method, Terminator};

use crate::PIPE;
use crate::descriptors::{Descriptor, KINDS, Kind};

#[test]
fn the_method_is_chosen_from_what_the_descriptor_is() {
    let of = |kind| ExactLineReader::new(Descriptor::new(kind)).method();
    assert_eq!(of(Kind::File), Method::Seek);
    assert_eq!(of(Kind::Pipe), PIPE);
    assert_eq!(of(Kind::Socket), Method::Peek);
    let of = |path| ExactLineReader::new(File::open(path).expect("it can be opened")).method();
    assert_eq!(of("Cargo.toml"), Method::Seek);
    // Says that it can seek, as many devices do; what was read there does not come again.
    assert_eq!(of("/dev/null"), Method::Byte);
    assert_eq!(of("/dev/random"), Method::Byte);
    assert_eq!(of("/"), Method::Byte);

    let names = [Method::Seek, Method::Peek, Method::Tee, Method::Byte].map(|method| method.to_string());
    assert_eq!(names, ["seek", "peek", "tee", "byte"]);
    assert_eq!(format!("{:>5}", Method::Tee), "  tee");
}

#[test]
fn a_device_and_a_directory() {
    let mut reader = ExactLineReader::new(File::open("/dev/null").unwrap());
    assert!(reader.next_line().unwrap().is_none());
    let mut reader = ExactLineReader::new(File::open("/").unwrap());
    assert_eq!(reader.next_line().unwrap_err().kind(), ErrorKind::IsADirectory);
    assert_eq!(reader.into_lines().filter_map(Result::ok).count(), 0);
    // Not a byte more than the line, although a block is there for the asking.
    let zeros = File::open("/dev/zero").unwrap();
    let mut reader = ExactLineReader::new(&zeros).terminator(Terminator::NUL);
    assert_eq!(reader.next_line().unwrap().unwrap().with_terminator(), b"\0");
}

/// A file in /proc has no length, and is made anew after each seek.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_made_up() {
    let path = "/proc/self/auxv";
    let bytes = std::fs::read(path).unwrap();
    let mut reader = ExactLineReader::new(File::open(path).unwrap()).terminator(Terminator::NUL);
    assert_eq!(reader.method(), Method::Byte);
    let mut seen = Vec::new();
    reader.for_each_line(|line| seen.extend_from_slice(line.with_terminator())).unwrap();
    assert!(!bytes.is_empty() && seen == bytes);
    // One that is merely empty still.
    assert_eq!(ExactLineReader::new(tempfile::tempfile().unwrap()).method(), Method::Seek);
}

/// A setting in /proc/sys gives all of it to a read at its start, and nothing to any other.
#[cfg(target_os = "linux")]
#[test]
fn a_setting_of_the_system() {
    for path in ["/proc/sys/kernel/pid_max", "/proc/sys/vm/swappiness", "/proc/sys/kernel/ostype"] {
        let bytes = std::fs::read(path).unwrap();
        let mut reader = ExactLineReader::new(File::open(path).unwrap());
        assert_eq!(reader.next_line().unwrap().unwrap().with_terminator(), bytes, "{path}");
        assert!(reader.next_line().unwrap().is_none());
    }
}

#[test]
fn a_datagram_is_refused_and_not_touched() {
    let (output, input) = UnixDatagram::pair().unwrap();
    input.send(b"one\ntwo\n").unwrap();
    let mut reader = ExactLineReader::new(&output);
    for _ in 0..2 {
        assert_eq!(reader.next_line().unwrap_err().kind(), ErrorKind::Unsupported);
    }
    let mut room = [0; 99];
    let n = output.recv(&mut room).unwrap();
    assert_eq!(&room[..n], b"one\ntwo\n");
}

/// The end to write to cannot be read from: an error, not the end.
#[test]
fn a_descriptor_that_cannot_be_read() {
    let (_output, input) = crate::pipe::pipe();
    let mut reader = ExactLineReader::new(&input);
    for _ in 0..2 {
        assert_eq!(reader.next_line().unwrap_err().raw_os_error(), Some(libc::EBADF));
    }
}

/// The end of the input is reported once, and not remembered.
#[test]
fn the_end_and_what_comes_after_it() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let mut reader = ExactLineReader::new(file.reopen().unwrap());
    assert!(reader.next_line().unwrap().is_none());
    file.write_all(b"one\ntw").unwrap();
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"one");
    let line = reader.next_line().unwrap().unwrap();
    assert_eq!((line.as_bytes(), line.ending(), line.offset()), (&b"tw"[..], Ending::Eof, 4));
    file.write_all(b"o\n").unwrap();
    assert!(reader.next_line().unwrap().is_none(), "the end that was seen");
    let line = reader.next_line().unwrap().unwrap();
    assert_eq!((line.as_bytes(), line.offset(), line.number()), (&b"o"[..], 6, 3));
}

/// A CR is not held back; its LF is dropped when it comes, unless somebody else is there first.
#[test]
fn a_cr_whose_lf_comes_later() {
    for kind in [Kind::Pipe, Kind::Socket] {
        for other_first in [false, true] {
            let mut descriptor = Descriptor::new(kind);
            let output = descriptor.as_fd().try_clone_to_owned().unwrap();
            let mut reader = ExactLineReader::new(output).terminator(Terminator::UNIVERSAL);
            descriptor.write(b"50 %\r");
            assert_eq!(reader.next_line().unwrap().unwrap().with_terminator(), b"50 %\r");
            descriptor.write(b"\nend\r\nrest");
            if other_first {
                assert_eq!(descriptor.rest(), b"\nend\r\nrest");
            } else {
                let line = reader.next_line().unwrap().unwrap();
                assert_eq!((line.with_terminator(), line.offset(), line.number()), (&b"end\r\n"[..], 6, 2));
                assert_eq!(descriptor.rest(), b"rest");
            }
        }
    }
}

/// What stands behind a CR was seen to be no LF: one that comes when somebody else has taken that is a line.
#[test]
fn an_lf_that_belongs_to_no_cr() {
    for kind in KINDS {
        let descriptor = Descriptor::holding(kind, b"50 %\rtheirs\n\nrest");
        let mut reader = ExactLineReader::new(descriptor.as_fd()).terminator(Terminator::UNIVERSAL);
        assert_eq!(reader.next_line().unwrap().unwrap().with_terminator(), b"50 %\r");
        let mut theirs = [0; 7];
        File::from(descriptor.as_fd().try_clone_to_owned().unwrap()).read_exact(&mut theirs).unwrap();
        assert_eq!(&theirs, b"theirs\n");
        assert_eq!(reader.next_line().unwrap().unwrap().with_terminator(), b"\n");
        assert_eq!(descriptor.left(), 4);
    }
}

/// Position, counts and the descriptor itself.
#[test]
fn what_can_be_asked() {
    for kind in KINDS {
        let descriptor = Descriptor::holding(kind, b"one\nlonger\nx\n");
        let fd = descriptor.as_fd().as_raw_fd();
        let mut reader =
            ExactLineReader::new(descriptor).max_line_len(3).over_long(wholeline::OverLong::Skip);
        assert_eq!((reader.skipped(), reader.partial()), (0, &b""[..]));
        assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"one");
        assert_eq!((reader.skipped(), reader.get_ref().left()), (0, 9));
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!((line.as_bytes(), line.offset(), line.number()), (&b"x"[..], 11, 3));
        assert_eq!((reader.skipped(), reader.get_ref().left()), (1, 0));
        assert!(format!("{:?}", ExactLineReader::new(reader.get_ref().as_fd())).contains("ExactLineReader"));
        assert_eq!(reader.into_inner().as_fd().as_raw_fd(), fd);
    }
    fn sendable<T: Send + Sync>() {}
    sendable::<ExactLineReader<File>>();
}
