//! Everything that reads lines, in one table, and the ways to read lines from it.

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
#[cfg(unix)]
use std::os::fd::AsFd;
use std::path::Path;

use wholeline::{FileBytes, LineRead, LineReader, Lines};

#[cfg(unix)]
use crate::descriptors::{Descriptor, Kind};
#[cfg(unix)]
use crate::exact;
use crate::support::model::{Failure, Rules};
use crate::support::naive::{Ending, Line, Terminator};
use crate::support::script::{Source, Step};

/// How the bytes arrive, where a backend lets a test decide that.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arrival {
    Whole,
    /// So many bytes a read.
    Each(usize),
    /// In two pieces.
    CutAt(usize),
}

impl Arrival {
    fn plan(self, len: usize) -> Vec<Step> {
        match self {
            Arrival::Whole => vec![Step::Rest],
            Arrival::Each(size) => vec![Step::Give(size); len.div_ceil(size)],
            Arrival::CutAt(at) => vec![Step::Give(at), Step::Rest],
        }
    }
}

/// What a backend is asked to read, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) rules: Rules,
    pub(crate) arrival: Arrival,
    pub(crate) capacity: usize,
}

impl Setup<'_> {
    pub(crate) fn source(&self) -> Source {
        Source::new(self.bytes, self.arrival.plan(self.bytes.len()))
    }

    fn reader<R: io::Read>(&self, source: R) -> LineReader<R> {
        self.rules.builder(self.capacity).build(source)
    }

    fn file(&self) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(self.bytes).expect("writing to it");
        file
    }
}

/// The ways to read all lines. A backend may override each of them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    NextLine,
    ForEachLine,
    TryForEachLine,
    ReadLineInto,
    IntoLines,
}

pub(crate) const WAYS: [Way; 5] =
    [Way::NextLine, Way::ForEachLine, Way::TryForEachLine, Way::ReadLineInto, Way::IntoLines];

/// What was seen of a line: not every way shows all of it.
#[derive(Debug)]
pub(crate) enum Seen {
    Line(Line),
    Whole(Vec<u8>),
    Content(Vec<u8>),
    Failed(Failure),
    End,
}

/// The capacities that readers with a buffer are tried with.
pub(crate) const CAPACITIES: [usize; 7] = [1, 2, 3, 7, 16, 4096, 65536];

/// Of these, enough for those that pass on what another entry does, or have their buffer from the C library.
const FEW: &[usize] = &[1, 3, 4096];

pub(crate) struct Backend {
    pub(crate) name: &'static str,
    /// Whether `Setup::arrival` means something to it.
    pub(crate) scripted: bool,
    /// The capacities to try, if `Setup::capacity` does.
    pub(crate) capacities: &'static [usize],
    /// Whether it can go by these rules.
    pub(crate) can: fn(&Rules) -> bool,
    /// Reads to the end, and on until the end was seen twice more.
    pub(crate) read: fn(&Setup<'_>, Way) -> Vec<Seen>,
}

fn anything(_: &Rules) -> bool {
    true
}

fn only_lf(rules: &Rules) -> bool {
    rules.terminator == Terminator::LF && rules.limit.is_none()
}

fn no_limit(rules: &Rules) -> bool {
    rules.limit.is_none()
}

/// Everything in one list; every case of the suite runs over all that can.
pub(crate) fn backends() -> impl Iterator<Item = &'static Backend> {
    #[cfg(all(target_os = "linux", feature = "stdio"))]
    let c_streams = c_streams::BACKENDS;
    #[cfg(not(all(target_os = "linux", feature = "stdio")))]
    let c_streams = &[];
    BACKENDS.iter().chain(c_streams)
}

/// One entry a backend.
const BACKENDS: &[Backend] = &[
    Backend {
        name: "LineReader over a scripted source",
        scripted: true,
        capacities: &CAPACITIES,
        can: anything,
        read: |setup, way| drain(setup.reader(setup.source()), way),
    },
    Backend {
        name: "LineReader over a file",
        scripted: false,
        capacities: &CAPACITIES,
        can: anything,
        read: |setup, way| drain(setup.reader(reopened(&setup.file())), way),
    },
    Backend {
        name: "LineReader::open",
        scripted: false,
        capacities: &[],
        can: only_lf,
        read: |setup, way| {
            let file = setup.file();
            drain(LineReader::open(file.path()).expect("opening it"), way)
        },
    },
    Backend {
        name: "LineRange of all of a scripted source",
        scripted: true,
        capacities: &CAPACITIES,
        can: anything,
        read: |setup, way| {
            let all = 0..setup.bytes.len() as u64;
            let builder = setup.rules.builder(setup.capacity);
            drain(builder.build_range(setup.source(), all).expect("a range"), way)
        },
    },
    #[cfg(unix)]
    Backend {
        name: "LineReader over Fd",
        scripted: false,
        capacities: &CAPACITIES,
        can: anything,
        read: |setup, way| {
            let file = reopened(&setup.file());
            drain(setup.reader(wholeline::Fd::new(file.as_fd())), way)
        },
    },
    #[cfg(unix)]
    Backend {
        name: "LineReader::from_fd",
        scripted: false,
        capacities: &[],
        can: only_lf,
        read: |setup, way| {
            let file = reopened(&setup.file());
            drain(LineReader::from_fd(file.as_fd()), way)
        },
    },
    Backend {
        name: "&mut dyn LineRead",
        scripted: false,
        capacities: FEW,
        can: anything,
        read: |setup, way| {
            let mut reader = setup.reader(setup.source());
            drain(&mut reader as &mut dyn LineRead, way)
        },
    },
    Backend {
        name: "Box<dyn LineRead>",
        scripted: false,
        capacities: FEW,
        can: anything,
        read: |setup, way| {
            let reader: Box<dyn LineRead> = Box::new(setup.reader(setup.source()));
            drain(reader, way)
        },
    },
    Backend {
        name: "a LineRead that has only next_line",
        scripted: false,
        capacities: FEW,
        can: anything,
        read: |setup, way| drain(OnlyNextLine(setup.reader(setup.source())), way),
    },
    #[cfg(unix)]
    Backend {
        name: "ExactLineReader over a file",
        scripted: false,
        capacities: &[],
        can: anything,
        read: |setup, way| drain(exact::reader(reopened(&setup.file()), &setup.rules), way),
    },
    #[cfg(unix)]
    Backend {
        name: "ExactLineReader over a pipe",
        scripted: false,
        capacities: &[],
        can: anything,
        read: |setup, way| exact_while_written(setup, way, Kind::Pipe),
    },
    #[cfg(unix)]
    Backend {
        name: "ExactLineReader over a socket",
        scripted: false,
        capacities: &[],
        can: anything,
        read: |setup, way| exact_while_written(setup, way, Kind::Socket),
    },
    #[cfg(target_os = "linux")]
    Backend {
        name: "ExactLineReader, a byte a call",
        scripted: false,
        capacities: &[],
        can: anything,
        read: |setup, way| {
            crate::refuse::refusing(libc::SYS_tee, libc::EPERM, || {
                exact_while_written(setup, way, Kind::Pipe)
            })
        },
    },
    Backend {
        name: "Lines",
        scripted: false,
        capacities: &[],
        can: no_limit,
        read: |setup, way| drain(Lines::new(setup.bytes, setup.rules.terminator.of_the_crate()), way),
    },
    Backend {
        name: "Lines over FileBytes::read",
        scripted: false,
        capacities: &[],
        can: no_limit,
        read: |setup, way| drain_bytes(setup, way, |path| FileBytes::read(path)),
    },
    #[cfg(feature = "mmap")]
    Backend {
        name: "Lines over FileBytes::map",
        scripted: false,
        capacities: &[],
        can: no_limit,
        // SAFETY: nobody knows of the file.
        read: |setup, way| drain_bytes(setup, way, |path| unsafe { FileBytes::map(path) }),
    },
    #[cfg(feature = "mmap")]
    Backend {
        name: "Lines over FileBytes::map_if_safe",
        scripted: false,
        capacities: &[],
        can: no_limit,
        read: |setup, way| drain_bytes(setup, way, |path| FileBytes::map_if_safe(path)),
    },
];

/// Each way to read a C stream, over each kind of stream.
#[cfg(all(target_os = "linux", feature = "stdio"))]
mod c_streams {
    use std::ffi::CString;
    use std::io::Write;
    use std::os::fd::IntoRawFd;
    use std::os::unix::ffi::OsStrExt;
    use std::thread;

    use wholeline::stdio::Backend::{Getc, GetcUnlocked, Getdelim, Window};
    use wholeline::stdio::{self, StdioReader};

    use super::{Backend, FEW, Seen, Setup, Way, drain};
    use crate::pipe::pipe;
    use crate::stdio::{Cookie, by};

    type Read = fn(stdio::Backend, &Setup<'_>, Way) -> Vec<Seen>;

    fn scripted(backend: stdio::Backend, setup: &Setup<'_>, way: Way) -> Vec<Seen> {
        let cookie = Cookie::new(setup.source(), setup.capacity);
        drain(by(&setup.rules, backend, cookie.reader()), way)
    }

    fn opened(backend: stdio::Backend, setup: &Setup<'_>, way: Way) -> Vec<Seen> {
        let file = setup.file();
        let reader = StdioReader::open(file.path()).expect("opening it");
        drain(by(&setup.rules, backend, reader), way)
    }

    fn file(backend: stdio::Backend, setup: &Setup<'_>, way: Way) -> Vec<Seen> {
        let file = setup.file();
        let path = CString::new(file.path().as_os_str().as_bytes()).expect("no NUL");
        // SAFETY: both are strings.
        shared(unsafe { libc::fopen(path.as_ptr(), c"r".as_ptr()) }, backend, setup, way)
    }

    fn piped(backend: stdio::Backend, setup: &Setup<'_>, way: Way) -> Vec<Seen> {
        let (read, mut write) = pipe();
        thread::scope(|scope| {
            scope.spawn(move || write.write_all(setup.bytes).expect("somebody reads it"));
            // SAFETY: the descriptor is open, and the stream's from now on.
            let file = unsafe { libc::fdopen(read.into_raw_fd(), c"r".as_ptr()) };
            shared(file, backend, setup, way)
        })
    }

    fn shared(file: *mut libc::FILE, backend: stdio::Backend, setup: &Setup<'_>, way: Way) -> Vec<Seen> {
        assert!(!file.is_null(), "a stream");
        // SAFETY: it is open until we close it.
        let seen = drain(by(&setup.rules, backend, unsafe { StdioReader::from_file_ptr(file) }), way);
        // SAFETY: nobody uses it any more.
        unsafe { libc::fclose(file) };
        seen
    }

    macro_rules! entries {
        ($($backend:ident),*) => {&[$(
            entry!($backend, "a scripted stream", true, scripted),
            entry!($backend, "a file it opened", false, opened),
            entry!($backend, "a file of somebody's", false, file),
            entry!($backend, "a pipe", false, piped)
        ),*]};
    }

    macro_rules! entry {
        ($backend:ident, $over:literal, $scripted:literal, $read:ident) => {
            Backend {
                name: concat!("StdioReader, ", stringify!($backend), ", over ", $over),
                scripted: $scripted,
                capacities: if $scripted { FEW } else { &[] },
                can: |rules| !rules.follow && stdio::Backend::available().contains(&$backend),
                read: |setup, way| {
                    let read: Read = $read;
                    read($backend, setup, way)
                },
            }
        };
    }

    pub(super) const BACKENDS: &[Backend] = entries!(Getc, GetcUnlocked, Window, Getdelim);
}

fn drain_bytes(setup: &Setup<'_>, way: Way, open: fn(&Path) -> io::Result<FileBytes>) -> Vec<Seen> {
    let file = setup.file();
    let bytes = open(file.path()).expect("opening it");
    drain(bytes.lines(setup.rules.terminator.of_the_crate()), way)
}

/// Leaves everything else to what the trait provides.
struct OnlyNextLine<L>(L);

impl<L: LineRead> LineRead for OnlyNextLine<L> {
    fn next_line(&mut self) -> io::Result<Option<wholeline::Line<'_>>> {
        self.0.next_line()
    }
}

/// Somebody writes all bytes, as fast as they are taken.
#[cfg(unix)]
fn exact_while_written(setup: &Setup<'_>, way: Way, kind: Kind) -> Vec<Seen> {
    let mut descriptor = Descriptor::new(kind);
    let mut input = descriptor.take_input();
    std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(setup.bytes).expect("writing"));
        drain(exact::reader(&descriptor, &setup.rules), way)
    })
}

fn reopened(file: &tempfile::NamedTempFile) -> File {
    file.reopen().expect("opening it again")
}

/// Reads to the end in this way, going on after errors, and then asks for two more lines.
pub(crate) fn drain<L: LineRead>(mut reader: L, way: Way) -> Vec<Seen> {
    let mut seen = Vec::new();
    // More errors than any schedule holds: a reader that repeats one for ever is to fail, not to hang.
    let mut patience = 1000;
    while !matches!(seen.last(), Some(Seen::End)) {
        patience -= u32::from(matches!(seen.last(), Some(Seen::Failed(_))));
        assert!(patience > 0, "the same error again and again: {:?}", seen.last());
        take_some(&mut reader, way, &mut seen);
    }
    for _ in 0..2 {
        take_some(&mut reader, Way::NextLine, &mut seen);
    }
    seen
}

/// One call, or as many lines as come before an error or the end.
fn take_some<L: LineRead>(reader: &mut L, way: Way, seen: &mut Vec<Seen>) {
    let end = match way {
        Way::NextLine => {
            reader.next_line().map(|line| line.map_or(Seen::End, |line| Seen::Line(line.into())))
        }
        Way::ForEachLine => {
            reader.for_each_line(|line| seen.push(Seen::Line(line.into()))).map(|()| Seen::End)
        }
        Way::TryForEachLine => {
            let mut lines = 0;
            let mut stopped = false;
            let result = reader.try_for_each_line(|line| {
                seen.push(Seen::Line(line.into()));
                lines += 1;
                // Stops and comes back now and then, for nothing may get lost there.
                stopped = lines % 3 == 0;
                Ok::<_, io::Error>(if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            });
            if stopped && result.is_ok() {
                return;
            }
            result.map(|()| Seen::End)
        }
        Way::ReadLineInto => {
            let mut out = b"kept".to_vec();
            let result = reader.read_line_into(&mut out);
            let whole = out.strip_prefix(b"kept").expect("what was in the Vec stays").to_vec();
            assert_eq!(*result.as_ref().unwrap_or(&0), whole.len(), "read_line_into says what it appended");
            result.map(|count| if count == 0 { Seen::End } else { Seen::Whole(whole) })
        }
        Way::IntoLines => match reader.into_lines().next() {
            Some(line) => line.map(|content| Seen::Content(content.into())),
            None => Ok(Seen::End),
        },
    };
    seen.push(end.unwrap_or_else(|error| Seen::Failed((&error).into())));
}

impl Seen {
    /// Whether this is that line, as far as it shows. Where a lone CR ends lines, only reads decide whether
    /// the LF after it is part of what is handed out, so there any of the three terminators will do.
    pub(crate) fn is(&self, expected: &Line, terminator: Terminator) -> bool {
        let universal = terminator == Terminator::Universal && expected.ending != Ending::Eof;
        let is_whole = |whole: &[u8]| {
            let rest = whole.strip_prefix(&expected.content[..]);
            whole == expected.whole
                || (universal && rest.is_some_and(|end| matches!(end, b"\r" | b"\n" | b"\r\n")))
        };
        match self {
            Seen::Line(line) => {
                let ending_fits = line.ending == expected.ending
                    || (universal && (line.ending == Ending::CrLf) == line.whole.ends_with(b"\r\n"));
                line.content == expected.content
                    && is_whole(&line.whole)
                    && ending_fits
                    && (line.offset, line.number) == (expected.offset, expected.number)
            }
            Seen::Whole(whole) => is_whole(whole),
            Seen::Content(content) => *content == expected.content,
            Seen::Failed(_) | Seen::End => false,
        }
    }
}
