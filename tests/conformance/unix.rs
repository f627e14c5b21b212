//! The cases that need a real descriptor.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::process::{Command, Stdio};
use std::thread;

use wholeline::{Fd, LineRead, LineReader};

use crate::pipe::pipe;
use crate::signals::interrupt;
use crate::time::within_a_minute;

#[test]
fn p12_reading_a_directory() {
    let mut reader = LineReader::open("/").expect("a directory can be opened");
    for _ in 0..3 {
        assert_eq!(reader.next_line().unwrap_err().kind(), ErrorKind::IsADirectory);
    }
    let mut lines = reader.into_lines();
    assert_eq!(lines.next().unwrap().unwrap_err().kind(), ErrorKind::IsADirectory);
    assert!(lines.next().is_none());
    assert!(lines.next().is_none());

    let lines = within_a_minute(|| {
        let directory = File::open("/").expect("a directory can be opened");
        LineReader::from_fd(directory.as_fd()).into_lines().filter_map(Result::ok).count()
    });
    assert_eq!(lines, 0);
}

#[test]
fn p13_a_pipe_whose_writer_waits_for_the_answer() {
    within_a_minute(|| {
        let (questions, mut ask) = pipe();
        let (answers, mut answer) = pipe();
        let peer = thread::spawn(move || {
            let mut answers = LineReader::from_fd(answers.as_fd());
            for question in ["[\"v\"]\n", "second\n", "third\n"] {
                ask.write_all(question.as_bytes()).unwrap();
                let line = answers.next_line().unwrap().unwrap();
                assert_eq!(line.with_terminator(), format!("re: {question}").as_bytes());
            }
        });
        let mut reader = LineReader::with_capacity(4096, questions);
        let mut seen = Vec::new();
        while let Some(line) = reader.next_line().unwrap() {
            seen.push(line.to_string());
            answer.write_all(&[b"re: ", line.with_terminator()].concat()).unwrap();
        }
        assert_eq!(seen, ["[\"v\"]", "second", "third"]);
        peer.join().unwrap();
    });
}

/// What a child that inherits the descriptor gets to read.
fn cat(input: File) -> Vec<u8> {
    let child = Command::new("cat").stdin(Stdio::from(input)).output().expect("cat");
    assert!(child.status.success());
    child.stdout
}

fn file(content: &[u8]) -> File {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    file.reopen().unwrap()
}

#[test]
fn p14_a_seekable_descriptor_is_given_back_where_reading_stopped() {
    let input = file(b"a\nb\nc\n");
    let mut reader = LineReader::new(&input);
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"a");
    reader.sync().unwrap();
    assert_eq!(cat(input.try_clone().unwrap()), b"b\nc\n");

    let input = file(b"a\nb\nc\n");
    let mut reader = LineReader::from_fd(input.as_fd());
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"a");
    assert_eq!(reader.next_byte().unwrap(), Some(b'b'));
    reader.sync().unwrap();
    assert_eq!(cat(input.try_clone().unwrap()), b"\nc\n");
}

#[test]
fn p14_what_was_read_from_a_pipe_is_not_lost() {
    let (input, mut output) = pipe();
    output.write_all(b"a\nb\nc\n").unwrap();
    drop(output);
    let mut reader = LineReader::new(input);
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"a");
    let (input, unread) = reader.into_parts();
    assert_eq!(unread, b"b\nc\n");
    let mut reader = LineReader::new(unread.chain(input));
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"b");
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"c");
    assert!(reader.next_line().unwrap().is_none());
}

#[test]
fn p14_one_byte_of_buffer_leaves_the_rest_in_the_pipe() {
    let (input, mut output) = pipe();
    output.write_all(b"a\nb\nc\n").unwrap();
    drop(output);
    let mut reader = LineReader::with_capacity(1, Fd::new(input.as_fd()));
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"a");
    assert_eq!(cat(input), b"b\nc\n");
}

#[test]
fn p15_messages_that_arrived_together() {
    within_a_minute(|| {
        let (input, mut output) = pipe();
        output.write_all(b"m1\nm2\nm3\nm4-par").unwrap();
        let mut reader = LineReader::from_fd(input.as_fd());
        let mut seen = vec![reader.next_line().unwrap().unwrap().to_string()];
        while reader.has_line() {
            seen.push(reader.next_line().unwrap().unwrap().to_string());
        }
        assert_eq!(seen, ["m1", "m2", "m3"]);
        assert_eq!(reader.buffer(), b"m4-par");

        output.write_all(b"t\n").unwrap();
        assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"m4-part");
    });
}

/// The descriptor stays open, and reads and seeks are those of the descriptor.
#[test]
fn fd_borrows() {
    let input = file(b"a\nb\n");
    {
        let mut fd = Fd::new(input.as_fd());
        let mut two = [0; 2];
        fd.read_exact(&mut two).unwrap();
        assert_eq!(&two, b"a\n");
    }
    let mut fd = Fd::new(input.as_fd());
    assert_eq!(io::Seek::stream_position(&mut fd).unwrap(), 2);
    assert_eq!(io::Seek::seek(&mut fd, io::SeekFrom::End(-1)).unwrap(), 3);
    let mut rest = Vec::new();
    let mut same = fd;
    same.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, b"\n");
    assert_eq!(fd.as_fd().try_clone_to_owned().map(File::from).unwrap().metadata().unwrap().len(), 4);
    assert!(format!("{fd:?}").contains("Fd"));

    let closed_for_reading = tempfile::tempfile().unwrap();
    let (_input, output) = pipe();
    assert!(Fd::new(output.as_fd()).read(&mut [0; 1]).is_err(), "an error is an error, not the end");
    assert_eq!(Fd::new(closed_for_reading.as_fd()).read(&mut [0; 1]).unwrap(), 0);
    assert!(io::Seek::seek(&mut Fd::new(output.as_fd()), io::SeekFrom::Start(0)).is_err());
}

/// `Fd` by itself: `LineReader` would retry in its stead.
#[test]
fn p10_fd_retries_an_interrupted_read() {
    let (output, mut input) = pipe();
    let reader = thread::spawn(move || {
        let mut byte = [0];
        Fd::new(output.as_fd()).read(&mut byte).map(|n| (n, byte))
    });
    interrupt(&reader);
    input.write_all(b"x").expect("the pipe is open");
    assert_eq!(reader.join().expect("no panic").expect("no error"), (1, *b"x"));
}
