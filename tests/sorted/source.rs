//! Sources that count, and one that holds no bytes.

use std::cell::Cell;
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::rc::Rc;

/// What was asked of a source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked(Rc<Cell<(u64, u64)>>);

impl Asked {
    /// How many reads, and how many bytes, since the last time.
    pub(crate) fn take(&self) -> (u64, u64) {
        self.0.take()
    }
}

/// Counts the reads of another source.
pub(crate) struct Counting<R> {
    source: R,
    pub(crate) asked: Asked,
}

impl<R> Counting<R> {
    pub(crate) fn new(source: R) -> Counting<R> {
        Counting { source, asked: Asked::default() }
    }
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let n = self.source.read(dst)?;
        let (reads, bytes) = self.asked.0.get();
        self.asked.0.set((reads + 1, bytes + n as u64));
        Ok(n)
    }
}

impl<R: Seek> Seek for Counting<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.source.seek(to)
    }
}

/// A file that is computed where it is read: a header line, then `count` records of `LEN` bytes each.
pub(crate) struct Computed {
    pub(crate) count: u64,
    position: u64,
}

/// Of a record. No power of two, so that records lie across blocks.
pub(crate) const LEN: u64 = 123;

/// Of the header, with its LF.
pub(crate) const HEADER: &[u8] = b"# sorted\n";

impl Computed {
    pub(crate) fn new(count: u64) -> Computed {
        Computed { count, position: 0 }
    }

    pub(crate) fn size(&self) -> u64 {
        HEADER.len() as u64 + self.count * LEN
    }

    pub(crate) fn key(index: u64) -> Vec<u8> {
        format!("refs/tags/{index:015}").into_bytes()
    }

    /// The lines of a record: some have a continuation line.
    pub(crate) fn record(index: u64) -> Vec<u8> {
        let object = format!("{:040x}", index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let key = Computed::key(index);
        let mut record = [object.as_bytes(), b" ", &key].concat();
        let rest = LEN as usize - record.len() - 1;
        if index % 3 == 0 {
            record.extend_from_slice(b"\n^");
            record.resize(record.len() + rest - 2, b'f');
        } else {
            // What makes the key unique comes first, so this does not change the order.
            record.resize(record.len() + rest, b'/');
        }
        record.push(b'\n');
        record
    }
}

impl Read for Computed {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while done < dst.len() && self.position < self.size() {
            let piece = match self.position.checked_sub(HEADER.len() as u64) {
                None => HEADER[self.position as usize..].to_vec(),
                Some(at) => Computed::record(at / LEN)[(at % LEN) as usize..].to_vec(),
            };
            let len = piece.len().min(dst.len() - done);
            dst[done..done + len].copy_from_slice(&piece[..len]);
            done += len;
            self.position += len as u64;
        }
        Ok(done)
    }
}

impl Seek for Computed {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.size().checked_add_signed(by),
        };
        self.position = position.ok_or(ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

/// What goes wrong, at which call of `read` or `seek`; the calls are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Fails(ErrorKind),
    /// Says end, as a file that has become smaller.
    Ends,
    /// Claims more bytes than it was asked for.
    Lies,
    /// One byte where more were asked for, and all goes well.
    Gives1,
}

/// Has one fault, or the same at every call from some on.
pub(crate) struct Faulty<'a> {
    source: Cursor<&'a [u8]>,
    fault: Fault,
    at: usize,
    for_ever: bool,
    pub(crate) calls: Rc<Cell<usize>>,
}

impl<'a> Faulty<'a> {
    pub(crate) fn new(bytes: &'a [u8], fault: Fault, at: usize, for_ever: bool) -> Faulty<'a> {
        Faulty { source: Cursor::new(bytes), fault, at, for_ever, calls: Rc::default() }
    }

    fn due(&mut self) -> Option<Fault> {
        let call = self.calls.get();
        self.calls.set(call + 1);
        assert!(call < 100_000, "that many calls are a loop without end");
        (call == self.at || self.for_ever && call > self.at).then_some(self.fault)
    }
}

impl Read for Faulty<'_> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        match self.due() {
            Some(Fault::Fails(kind)) => Err(kind.into()),
            Some(Fault::Ends) => Ok(0),
            Some(Fault::Lies) => Ok(dst.len() + 1),
            Some(Fault::Gives1) => self.source.read(&mut dst[..1]),
            None => self.source.read(dst),
        }
    }
}

impl Seek for Faulty<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self.due() {
            Some(Fault::Fails(kind)) => Err(kind.into()),
            _ => self.source.seek(to),
        }
    }
}
