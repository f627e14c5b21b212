//! C code and we take turns on one stream, and none sees a byte twice or misses one.

use std::io::Write;
use std::ops::ControlFlow;

use proptest::prelude::*;
use wholeline::Terminator;
use wholeline::stdio::{Backend, StdioReader};

use crate::pipe::pipe;
use crate::stream::Stream;
use crate::{each, gives, next};

/// The demonstration: a header that C reads, lines that we read, a body that C reads.
#[test]
fn c_reads_a_header_and_we_the_lines_after_it() {
    each(|backend| {
        let stream = Stream::file(b"HELLO v1\nkey\0: value\nother\n\nBODY\nrest");
        assert_eq!(stream.fgets(80), b"HELLO v1\n");
        let mut reader = stream.reader(backend);
        gives(&mut reader, b"key\0: value", 0, 1);
        gives(&mut reader, "other", 12, 2);
        gives(&mut reader, "", 18, 3);
        assert_eq!(stream.fread(4), b"BODY");
        assert_eq!(stream.getc(), Some(b'\n'));
        assert_eq!(next(&mut reader).unwrap(), b"rest");
        assert_eq!(next(&mut reader), None);
        assert!(stream.is_at_end());
    });
}

#[test]
fn a_byte_that_was_put_back_is_the_first_of_the_next_line() {
    each(|backend| {
        let stream = Stream::file(b"one\ntwo\nthree\n");
        let mut reader = stream.reader(backend);
        // The same byte, another one, and one at the start of the file.
        stream.ungetc(b'>');
        gives(&mut reader, ">one", 0, 1);
        assert_eq!(stream.getc(), Some(b't'));
        stream.ungetc(b't');
        gives(&mut reader, "two", 5, 2);
        assert_eq!(stream.getc(), Some(b't'));
        stream.ungetc(b'\n');
        gives(&mut reader, "", 9, 3);
        gives(&mut reader, "hree", 10, 4);
        assert_eq!(next(&mut reader), None);
        // Behind the end, too.
        stream.ungetc(b'!');
        assert_eq!(next(&mut reader).unwrap(), b"!");
        assert_eq!(next(&mut reader), None);
    });
}

/// Wherever the stream's buffer ends.
#[test]
fn the_very_next_byte_is_for_c() {
    for len in [1, 2, 100, 4094, 4095, 4096, 4097, 8191, 8192, 10_000] {
        let text = [vec![b'x'; len], b"\nY".to_vec(), vec![b'z'; 5000], b"\nend".to_vec()].concat();
        each(|backend| {
            let stream = Stream::file(&text);
            let mut reader = stream.reader(backend);
            assert_eq!(next(&mut reader).unwrap().len(), len);
            assert_eq!(stream.getc(), Some(b'Y'));
            assert_eq!(next(&mut reader).unwrap().len(), 5000);
            assert_eq!(stream.fread(100), b"end");
        });
    }
}

/// One that we have opened reads ahead of nobody either, once somebody else has it.
#[test]
fn a_stream_of_our_own_is_given_back_where_the_lines_end() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"one\ntwo\nthree\nfour\nfive").unwrap();
    each(|backend| {
        let mut reader = StdioReader::open(file.path()).unwrap().with_backend(backend).unwrap();
        gives(&mut reader, "one", 0, 1);
        gives(&mut reader, "two", 4, 2);
        assert_eq!((reader.offset(), reader.line_number()), (8, 3));
        // SAFETY: the stream is the reader's, which is there.
        let byte = unsafe { libc::fgetc(reader.as_file_ptr()) };
        assert_eq!(byte, i32::from(b't'));
        gives(&mut reader, "hree", 8, 3);
        // Other options do not lose what was found either.
        let mut reader = reader.terminator(Terminator::byte(b'o'));
        gives(&mut reader, "f", 13, 4);
        let mut reader = reader.terminator(Terminator::LF).max_line_len(10);
        gives(&mut reader, "ur", 15, 5);
        gives(&mut reader, "five", 18, 6);
        assert_eq!(next(&mut reader), None);
    });
}

/// C code may keep the pointer, and read between any two lines.
#[test]
fn a_pointer_that_c_code_keeps() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"1\n2\n3\n4\n5\n6\n").unwrap();
    each(|backend| {
        let mut reader = StdioReader::open(file.path()).unwrap().with_backend(backend).unwrap();
        assert_eq!(next(&mut reader).unwrap(), b"1");
        let stream = reader.as_file_ptr();
        for (byte, line) in [(b'2', &b""[..]), (b'3', b""), (b'4', b"")] {
            // SAFETY: the stream is the reader's, which is there.
            assert_eq!(unsafe { libc::fgetc(stream) }, i32::from(byte));
            assert_eq!(next(&mut reader).unwrap(), line);
        }
        assert_eq!(next(&mut reader).unwrap(), b"5");
        // A child that is executed does not get it.
        // SAFETY: as above.
        let flags = unsafe { libc::fcntl(libc::fileno(stream), libc::F_GETFD) };
        assert_ne!(flags & libc::FD_CLOEXEC, 0);
    });
}

/// A CR LF that the stream's buffer cuts in two, wherever that is, and whoever has the stream.
#[test]
fn a_cr_lf_across_the_end_of_the_buffer() {
    for len in [4095, 65535] {
        let text = [vec![b'x'; len], b"\r\n\r\ny\rz".to_vec()].concat();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&text).unwrap();
        each(|backend| {
            let stream = Stream::of(file.reopen().unwrap(), c"r");
            let own = StdioReader::open(file.path()).unwrap().with_backend(backend).unwrap();
            for reader in [own, stream.reader(backend)] {
                let mut reader = reader.terminator(Terminator::UNIVERSAL);
                assert_eq!(next(&mut reader).unwrap().len(), len);
                gives(&mut reader, "", len as u64 + 2, 2);
                gives(&mut reader, "y", len as u64 + 4, 3);
                gives(&mut reader, "z", len as u64 + 6, 4);
                assert_eq!(next(&mut reader), None);
            }
        });
    }
}

/// With another terminator an LF behind a CR is nothing special.
#[test]
fn another_terminator_after_a_lone_cr() {
    each(|backend| {
        let (read, mut write) = pipe();
        write.write_all(b"a\r").unwrap();
        let stream = Stream::of(read, c"r");
        let mut reader = stream.reader(backend).terminator(Terminator::UNIVERSAL);
        assert_eq!(next(&mut reader).unwrap(), b"a");
        write.write_all(b"\nfoo\0bar\0").unwrap();
        let mut reader = reader.terminator(Terminator::NUL);
        assert_eq!(next(&mut reader).unwrap(), b"\nfoo");
        assert_eq!(next(&mut reader).unwrap(), b"bar");
    });
}

/// In the middle of a loop over lines, on the same thread: the lock is recursive.
#[test]
fn c_reads_inside_of_the_loop() {
    // A record is a line that says how many bytes follow. One and its body are as long as the stream's buffer, so that
    // the buffer looks the same each time.
    let body = 4096 - 5;
    let record = |fill: u8| [format!("{body}\n").into_bytes(), vec![fill; body]].concat();
    let text: Vec<u8> = (b'a'..=b'z').flat_map(record).collect();
    each(|backend| {
        let stream = Stream::file(&text);
        let mut seen = Vec::new();
        stream
            .reader(backend)
            .for_each_line(|line| {
                let len = line.to_string().parse().expect("a number");
                let body = stream.fread(len);
                assert_eq!(body.len(), len);
                seen.push(body[0]);
                assert!(body.iter().all(|byte| *byte == body[0]));
            })
            .unwrap();
        assert_eq!(seen, (b'a'..=b'z').collect::<Vec<_>>());

        let mut found = 0;
        let mut reader = stream.reader(backend);
        stream.rewind();
        reader
            .try_for_each_line(|_| {
                stream.fread(body);
                found += 1;
                Ok::<_, std::io::Error>(if found == 3 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            })
            .unwrap();
        assert_eq!(stream.fread(5), b"4091\n");
        assert_eq!(stream.getc(), Some(b'd'));
    });
}

/// A panic in a callback: the line it was given is consumed, the next is not, the lock is released.
#[test]
fn a_panic_in_the_loop() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"one\ntwo\nthree\n").unwrap();
    let panics = |mut reader: StdioReader| {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            reader.for_each_line(|line| assert_ne!(line.as_bytes(), b"two"))
        }));
        assert!(result.is_err());
        gives(&mut reader, "three", 8, 3);
        assert_eq!(next(&mut reader), None);
    };
    each(|backend| {
        panics(StdioReader::open(file.path()).unwrap().with_backend(backend).unwrap());
        let stream = Stream::of(file.reopen().unwrap(), c"r");
        panics(stream.reader(backend));
        std::thread::scope(|scope| {
            let stream = stream.0 as usize;
            // It would wait for ever if the lock were held still.
            scope
                .spawn(move || {
                    // SAFETY: the stream is open until the thread has ended.
                    unsafe { libc::rewind(stream as *mut libc::FILE) }
                })
                .join()
                .unwrap();
        });
        assert_eq!(stream.getc(), Some(b'o'));
    });
}

#[derive(Clone, Debug)]
enum Turn {
    NextLine,
    ForTwoLines,
    Getc,
    Ungetc(u8),
    Fread(usize),
    Fgets(usize),
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        4 => Just(Turn::NextLine),
        1 => Just(Turn::ForTwoLines),
        2 => Just(Turn::Getc),
        2 => prop_oneof![Just(b'\n'), any::<u8>()].prop_map(Turn::Ungetc),
        2 => prop_oneof![1..20usize, 1000..5000usize].prop_map(Turn::Fread),
        1 => prop_oneof![2..20usize, 1000..5000usize].prop_map(Turn::Fgets),
    ];
    proptest::collection::vec(turn, 1..60)
}

/// What is left of the stream, as C defines it: the bytes, and one that can be put back.
struct Oracle<'a> {
    rest: &'a [u8],
    put_back: Option<u8>,
}

impl Oracle<'_> {
    fn getc(&mut self) -> Option<u8> {
        self.put_back.take().or_else(|| {
            let (&first, rest) = self.rest.split_first()?;
            self.rest = rest;
            Some(first)
        })
    }

    fn take(&mut self, most: usize, last: Option<u8>) -> Vec<u8> {
        let mut taken = Vec::new();
        while taken.len() < most && (taken.is_empty() || taken.last().copied() != last) {
            let Some(byte) = self.getc() else { break };
            taken.push(byte);
        }
        taken
    }
}

fn lines() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![0..30usize, 100..200usize, 3000..5000usize];
    let byte = prop_oneof![Just(b'a'), Just(b'\xff'), Just(b'\r'), Just(1)];
    proptest::collection::vec((line, byte), 0..20).prop_map(|lines| {
        lines.into_iter().flat_map(|(len, byte)| [vec![byte; len], b"\n".to_vec()].concat()).collect()
    })
}

fn play(stream: &Stream, backend: Backend, text: &[u8], turns: &[Turn]) {
    let mut reader = stream.reader(backend);
    let mut oracle = Oracle { rest: text, put_back: None };
    let (mut offset, mut number) = (0, 1);
    let mut expect = |oracle: &mut Oracle<'_>| {
        let whole = oracle.take(usize::MAX, Some(b'\n'));
        let at = (offset, number);
        offset += whole.len() as u64;
        number += u64::from(!whole.is_empty());
        (whole, at)
    };
    // An end that was met is reported before anything can be put back: C clears its flag then.
    for turn in turns {
        match *turn {
            Turn::NextLine => {
                let (whole, (offset, number)) = expect(&mut oracle);
                match reader.next_line().expect("no error") {
                    Some(line) => {
                        assert_eq!(line.with_terminator(), whole);
                        assert_eq!((line.offset(), line.number()), (offset, number));
                    }
                    None => assert!(whole.is_empty()),
                }
                if whole.last() != Some(&b'\n') {
                    // The end of an unterminated line is reported by the next call.
                    assert!(whole.is_empty() || reader.next_line().unwrap().is_none());
                }
            }
            Turn::ForTwoLines => {
                let mut left = 2;
                let mut ended = false;
                let result = reader.try_for_each_line(|line| {
                    let (whole, (offset, number)) = expect(&mut oracle);
                    assert_eq!(line.with_terminator(), whole);
                    assert_eq!((line.offset(), line.number()), (offset, number));
                    ended = !line.is_terminated();
                    left -= 1;
                    let more = left > 0 && !ended;
                    Ok::<_, std::io::Error>(if more {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    })
                });
                result.expect("no error");
                if ended {
                    assert!(reader.next_line().unwrap().is_none());
                }
                assert!(left == 0 || ended || oracle.getc().is_none());
            }
            Turn::Getc => assert_eq!(stream.getc(), oracle.getc()),
            Turn::Ungetc(byte) => {
                // One is all that C promises.
                if oracle.put_back.is_none() {
                    stream.ungetc(byte);
                    oracle.put_back = Some(byte);
                }
            }
            Turn::Fread(len) => assert_eq!(stream.fread(len), oracle.take(len, None)),
            Turn::Fgets(room) => {
                let want = oracle.take(room - 1, Some(b'\n'));
                let got = stream.fgets(room);
                // fgets does not say how long it is.
                assert_eq!(got, want.split(|&byte| byte == 0).next().unwrap());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Against bytes and a cursor, which know nothing of C.
    #[test]
    fn any_order_of_turns(text in lines(), last in "[a-c]{0,3}", turns in turns()) {
        let text = [text, last.into_bytes()].concat();
        each(|backend| {
            play(&Stream::file(&text), backend, &text, &turns);
            let (read, mut write) = pipe();
            std::thread::scope(|scope| {
                let text = &text;
                // The reader may be content with less.
                scope.spawn(move || drop(write.write_all(text)));
                play(&Stream::of(read, c"r"), backend, text, &turns);
            });
        });
    }
}
