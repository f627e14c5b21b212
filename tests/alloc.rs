//! After the first buffer nothing is allocated, and memory that is refused is an error that loses nothing.

#[cfg(unix)]
#[path = "support/pipe.rs"]
mod pipe;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{self, Cursor, ErrorKind, Read};
use std::ops::ControlFlow;

use wholeline::{LineReader, LineReaderBuilder, Lines, OverLong, RevLineReader, Terminator};

thread_local! {
    // A thread of its own runs each test, so that tests do not count each other's.
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
    static LARGEST: Cell<usize> = const { Cell::new(usize::MAX) };
}

struct Counting;

impl Counting {
    /// Whether there is to be memory for this.
    fn allows(size: usize) -> bool {
        COUNT.set(COUNT.get() + 1);
        BYTES.set(BYTES.get() + size);
        size <= LARGEST.get()
    }
}

// SAFETY: hands everything on to the system's allocator as it came, or returns null, which is always allowed.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !Counting::allows(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are those that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !Counting::allows(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !Counting::allows(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations this makes.
fn allocations(run: impl FnOnce()) -> u64 {
    let before = COUNT.get();
    run();
    COUNT.get() - before
}

const LINES: u64 = 1_000_000;

/// `LINES` lines of uneven length, made without an allocation; what is read falls anywhere in them.
struct Million {
    left: u64,
    /// How much of the current line is out.
    at: usize,
}

const TEXT: &[u8] = b"a line of the longest length\n";

impl Million {
    fn new() -> Million {
        Million { left: LINES, at: 0 }
    }

    fn line(&self) -> &'static [u8] {
        &TEXT[(self.left % 29) as usize..]
    }
}

impl Read for Million {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while self.left > 0 && filled < dst.len() {
            let rest = &self.line()[self.at..];
            let len = rest.len().min(dst.len() - filled);
            dst[filled..filled + len].copy_from_slice(&rest[..len]);
            filled += len;
            self.at += len;
            if len == rest.len() {
                self.at = 0;
                self.left -= 1;
            }
        }
        Ok(filled)
    }
}

/// The first line may allocate the buffer; what `count` does to the others may not. It gives their number.
#[track_caller]
fn reads_a_million_without(count: impl Fn(&mut LineReader<Million>) -> io::Result<u64>) {
    for builder in [
        LineReaderBuilder::new(),
        LineReaderBuilder::new().terminator(Terminator::UNIVERSAL),
        LineReaderBuilder::new().terminator(Terminator::CRLF).capacity(1000),
    ] {
        let mut reader = builder.build(Million::new());
        reader.next_line().unwrap().unwrap();
        let mut lines = 0;
        let allocations = allocations(|| lines = count(&mut reader).unwrap());
        assert_eq!(lines, LINES - 1);
        assert_eq!(allocations, 0);
    }
}

#[test]
fn the_allocator_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![0; 9]))), 1);
}

#[test]
fn next_line_allocates_nothing() {
    reads_a_million_without(|reader| {
        let mut lines = 0;
        while reader.next_line()?.is_some() {
            lines += 1;
        }
        Ok(lines)
    });
}

#[test]
fn for_each_line_allocates_nothing() {
    reads_a_million_without(|reader| {
        let mut lines = 0;
        reader.for_each_line(|_| lines += 1)?;
        Ok(lines)
    });
}

#[test]
fn try_for_each_line_allocates_nothing() {
    reads_a_million_without(|reader| {
        let mut lines = 0;
        reader.try_for_each_line(|_| {
            lines += 1;
            Ok::<_, io::Error>(ControlFlow::Continue(()))
        })?;
        Ok(lines)
    });
}

#[test]
fn next_batch_allocates_nothing() {
    reads_a_million_without(|reader| {
        let mut lines = 0;
        while let Some(batch) = reader.next_batch()? {
            lines += batch.count() as u64;
        }
        Ok(lines)
    });
}

#[test]
fn skip_lines_and_bytes_allocate_nothing() {
    reads_a_million_without(|reader| {
        let skipped = reader.skip_lines(LINES / 2)?;
        let before = reader.line_number();
        while reader.next_byte()?.is_some() {}
        Ok(skipped + reader.line_number() - before)
    });
}

/// A slice is gone through with one index, however many lines it has.
#[test]
fn lines_of_a_slice_allocate_nothing_a_line() {
    let slice = TEXT.repeat(10_000);
    let mut lines = Lines::new(&slice, Terminator::LF);
    lines.next().unwrap();
    let mut count = 0;
    assert_eq!(allocations(|| count = lines.count()), 0);
    assert_eq!(count, 9999);
}

/// From the back: an index more, once.
#[test]
fn lines_from_the_back_allocate_nothing_a_line() {
    let slice = TEXT.repeat(10_000);
    let mut lines = Lines::new(&slice, Terminator::LF);
    assert_eq!(allocations(|| assert!(lines.next_back().is_some())), 1);
    let mut count = 0;
    assert_eq!(allocations(|| count = lines.rev().count()), 0);
    assert_eq!(count, 9999);
}

/// From the end of a source: a buffer for the block that is read first, and one with room for a whole one.
#[test]
fn reading_from_the_end_allocates_nothing_a_line() {
    let slice = TEXT.repeat(100_000);
    let mut reader = RevLineReader::new(Cursor::new(&slice)).unwrap();
    let mut lines = 0;
    let allocations = allocations(|| {
        while reader.next_line().unwrap().is_some() {
            lines += 1;
        }
    });
    assert_eq!(lines, 100_000);
    assert!(allocations <= 3, "{allocations}");
}

/// Many small sources through one reader.
#[test]
fn reset_allocates_nothing() {
    let sources: [&[u8]; 4] = [b"a\nb\n", b"", b"no end", b"\n\n\n"];
    let mut reader = LineReader::new(sources[0]);
    assert_eq!(reader.skip_lines(9).unwrap(), 2);
    let mut lines = 0;
    let allocations = allocations(|| {
        for source in sources.iter().cycle().take(4000) {
            reader.reset(source);
            while reader.next_line().unwrap().is_some() {
                lines += 1;
            }
        }
    });
    assert_eq!(lines, 1000 * (2 + 1 + 3));
    assert_eq!(allocations, 0);
}

/// A line longer than the buffer makes it grow once; the next one as long finds the room.
#[test]
fn a_buffer_that_grew_stays() {
    let long = [vec![b'x'; 1000], vec![b'\n']].concat().repeat(100);
    let mut reader = LineReader::with_capacity(16, &long[..]);
    reader.next_line().unwrap().unwrap();
    assert_eq!(allocations(|| assert_eq!(reader.skip_lines(1000).unwrap(), 99)), 0);
}

#[test]
fn over_long_lines_allocate_nothing() {
    let long = [vec![b'x'; 1000], b"\nok\n".to_vec()].concat().repeat(100);
    for policy in [OverLong::Skip, OverLong::Truncate] {
        let builder = LineReaderBuilder::new().capacity(16).max_line_len(40).over_long(policy);
        let mut reader = builder.build(&long[..]);
        reader.next_line().unwrap().unwrap();
        assert_eq!(allocations(|| while reader.next_line().unwrap().is_some() {}), 0);
    }
}

/// By default 64 KiB of buffer and at most 16 KiB of what the reader remembers of it; nothing before a read.
#[test]
fn how_much_a_reader_takes() {
    let before = BYTES.get();
    let mut reader = LineReader::new(Million::new());
    let built = BYTES.get();
    reader.next_line().unwrap().unwrap();
    let read = BYTES.get();
    assert!(built - before <= 16 << 10, "{} bytes before the first read", built - before);
    assert!(read - before <= (64 + 16) << 10, "{} bytes", read - before);
}

/// The buffer cannot grow: the bytes that are there stay, none is taken from the source, and with memory to be
/// had again the same line goes on.
#[test]
fn growing_in_vain_loses_nothing() {
    const MIB: usize = 1 << 20;
    for terminator in [Terminator::LF, Terminator::CRLF, Terminator::UNIVERSAL] {
        let long = [vec![b'x'; 3 * MIB], b"\nnext\n".to_vec()].concat();
        let mut reader = LineReaderBuilder::new().terminator(terminator).capacity(MIB).build(&long[..]);
        LARGEST.set(MIB + MIB / 2);
        for _ in 0..3 {
            let error = reader.next_line().map(drop).map_err(|error| error.kind());
            assert_eq!(error, Err(ErrorKind::OutOfMemory));
            assert_eq!((reader.partial().len(), reader.offset(), reader.line_number()), (MIB, 0, 1));
            assert_eq!(reader.get_ref().len(), long.len() - MIB, "not a byte more was taken");
        }
        LARGEST.set(usize::MAX);
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!((line.as_bytes(), line.number()), (&long[..3 * MIB], 1));
        assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"next");
    }
}

#[cfg(unix)]
mod exact {
    use std::fs::File;
    use std::io::{ErrorKind, Read, Seek, Write};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    use wholeline::{ExactLineReader, OverLong};

    use super::pipe::pipe;
    use super::{BYTES, LARGEST, allocations};

    /// A file, a pipe and a socket that hold these bytes, which have to fit, and then end.
    fn holding(bytes: &[u8]) -> [File; 3] {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        let (output, mut input) = pipe();
        input.write_all(bytes).unwrap();
        let (socket, mut input) = UnixStream::pair().unwrap();
        input.write_all(bytes).unwrap();
        [file, output, OwnedFd::from(socket).into()]
    }

    #[test]
    fn exact_lines_allocate_nothing() {
        for fd in holding(&b"a line of some length\n".repeat(1000)) {
            let mut reader = ExactLineReader::new(fd);
            reader.next_line().unwrap().unwrap();
            let mut lines = 1;
            let allocations = allocations(|| {
                while reader.next_line().unwrap().is_some() {
                    lines += 1;
                }
            });
            assert_eq!((lines, allocations), (1000, 0));
        }
    }

    /// The limit bounds what is allocated, however long a line is.
    #[test]
    fn exact_lines_with_a_limit() {
        for limit in [0, 100, 10_000, 20_000] {
            for fd in holding(&[&[b'x'; 50_000][..], b"\nok\n"].concat()) {
                let mut reader = ExactLineReader::new(fd).max_line_len(limit).over_long(OverLong::Skip);
                LARGEST.set(limit + 4096 + 64);
                let line = reader.next_line();
                LARGEST.set(usize::MAX);
                assert!(line.is_ok(), "more than {limit} bytes and a constant");
            }
        }
    }

    /// The buffer cannot grow: nothing more is taken, and what was stays.
    #[test]
    fn exact_lines_without_memory() {
        let text = [&[b'x'; 20_000][..], b"\nnext\n"].concat();
        for (fd, which) in holding(&text).into_iter().zip(["file", "pipe", "socket"]) {
            let mut reader = ExactLineReader::new(&fd);
            let before = BYTES.get();
            LARGEST.set(10_000);
            for _ in 0..2 {
                let error = reader.next_line().map(drop).map_err(|error| error.kind());
                assert_eq!((which, error), (which, Err(ErrorKind::OutOfMemory)));
                assert_eq!((which, reader.partial().len()), (which, 8192));
            }
            LARGEST.set(usize::MAX);
            assert!(BYTES.get() > before);
            assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), &text[..20_000]);
            let mut next = [0; 5];
            (&fd).read_exact(&mut next).unwrap();
            assert_eq!(&next, b"next\n");
        }
    }
}

/// Once a line has crossed the end of the stream's buffer.
#[cfg(all(unix, feature = "stdio"))]
#[test]
fn c_streams_allocate_nothing_a_line() {
    use wholeline::stdio::{Backend, StdioReader};

    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), TEXT.repeat(20_000)).unwrap();
    let path = std::ffi::CString::new(file.path().to_str().unwrap()).unwrap();
    for &backend in Backend::available() {
        // SAFETY: strings; and the stream is open until it is closed, after its reader.
        let stream = unsafe { libc::fopen(path.as_ptr(), c"r".as_ptr()) };
        // SAFETY: as above.
        let shared = unsafe { StdioReader::from_file_ptr(stream) };
        for reader in [StdioReader::open(file.path()).unwrap(), shared] {
            let mut reader = reader.with_backend(backend).unwrap();
            for _ in 0..10_000 {
                reader.next_line().unwrap().unwrap();
            }
            let mut lines = 0;
            assert_eq!(
                allocations(|| while reader.next_line().unwrap().is_some() && lines < 5_000 {
                    lines += 1
                }),
                0
            );
            // Room for a line is made where one is put together, and with getdelim the end is the first to want that.
            assert!(allocations(|| reader.for_each_line(|_| lines += 1).unwrap()) <= 1);
            assert!(lines > 9_000, "{backend:?}");
        }
        // SAFETY: nobody uses it any more.
        unsafe { libc::fclose(stream) };
    }
}
