//! Threads that read lines from one stream: each line is somebody's, as a whole.

use std::io::Write;
use std::sync::Mutex;
use std::thread;

use wholeline::stdio::{Backend, StdioReader};

use crate::each;
use crate::pipe::pipe;
use crate::signals::interrupt;
use crate::stream::Stream;

fn text() -> Vec<u8> {
    (0..4000u32)
        .flat_map(|number| {
            let len = (number * 7919 % 300) as usize;
            format!("{number} {}\n", char::from(b'a' + (number % 26) as u8).to_string().repeat(len))
                .into_bytes()
        })
        .collect()
}

/// Gives each line to a function, until there are no more.
type Take = fn(&mut StdioReader, &mut dyn FnMut(&[u8]));

fn share(stream: &Stream, backend: Backend, take: Take) {
    let seen = Mutex::new(Vec::new());
    let file = stream.0 as usize;
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                // SAFETY: the stream is open until the threads have ended.
                let reader = unsafe { StdioReader::from_file_ptr(file as *mut libc::FILE) };
                let mut reader = reader.with_backend(backend).unwrap();
                let mut mine = Vec::new();
                take(&mut reader, &mut |line| mine.push(line.to_vec()));
                seen.lock().unwrap().extend(mine);
            });
        }
    });
    let mut seen = seen.into_inner().unwrap();
    let text = text();
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    seen.sort();
    lines.sort();
    assert!(seen == lines, "the lines are not those of the stream");
}

#[test]
fn no_line_is_torn() {
    let by_line: Take = |reader, each| {
        while let Some(line) = reader.next_line().unwrap() {
            each(line.with_terminator());
        }
    };
    let in_a_loop: Take = |reader, each| reader.for_each_line(|line| each(line.with_terminator())).unwrap();
    each(|backend| {
        for take in [by_line, in_a_loop] {
            share(&Stream::file(&text()), backend, take);
            let (read, mut write) = pipe();
            thread::scope(|scope| {
                scope.spawn(move || write.write_all(&text()).unwrap());
                share(&Stream::of(read, c"r"), backend, take);
            });
        }
    });
}

/// A signal that interrupts one of them in the middle of a line does not let the other have the rest.
#[test]
fn no_line_is_torn_by_a_signal() {
    each(|backend| {
        // Outside of glibc getdelim reports it, and has lost the line.
        if backend == Backend::Getdelim && !cfg!(target_env = "gnu") {
            return;
        }
        for _ in 0..5 {
            let (read, mut write) = pipe();
            write.write_all(b"aaaa").unwrap();
            let stream = std::sync::Arc::new(Stream::of(read, c"r"));
            let readers = [(); 2].map(|()| {
                let stream = stream.clone();
                thread::spawn(move || stream.reader(backend).next_line().unwrap().unwrap().to_vec())
            });
            readers.iter().for_each(interrupt);
            write.write_all(b"AAAA\nbbbb\n").unwrap();
            let mut lines = readers.map(|reader| reader.join().expect("no panic"));
            lines.sort();
            assert_eq!(lines, [&b"aaaaAAAA"[..], b"bbbb"]);
        }
    });
}
