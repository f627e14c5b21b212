//! The work, each kind once for each who does it.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use gix_ref::packed;
use wholeline::{FileBytes, SortedFile};

use crate::example::fault::Trouble;
use crate::example::list::{self, Listing};
use crate::example::record::{self, Digits};
use crate::example::snapshot::Snapshot;
use crate::example::sought::Sought;

pub(crate) fn read(path: &Path) -> io::Result<FileBytes> {
    FileBytes::read(path)
}

pub(crate) fn map(path: &Path) -> io::Result<FileBytes> {
    // SAFETY: the file is ours and nobody writes to it any more.
    unsafe { FileBytes::map(path) }
}

pub(crate) fn open_gix(path: &Path) -> io::Result<packed::Buffer> {
    // Mapped from 32 KiB on, as git does.
    packed::Buffer::open(path.to_owned(), 32 << 10, gix_hash::Kind::Sha1).map_err(|e| failed(&e))
}

fn failed(what: &dyn std::fmt::Debug) -> io::Error {
    io::Error::other(format!("{what:?}"))
}

fn told(trouble: Trouble) -> io::Error {
    failed(&trouble)
}

/// All refs, or those with a prefix, checked; how many bytes were printed.
#[inline(never)]
pub(crate) fn list(bytes: &FileBytes, prefix: Option<&[u8]>) -> io::Result<u64> {
    let snapshot = Snapshot::new(bytes).map_err(|e| told(e.into()))?;
    let mut out = Count(0);
    let listing = Listing::new(&snapshot, prefix, &mut Vec::new()).map_err(told)?;
    listing.print(&snapshot, &mut out)?;
    Ok(out.0)
}

#[inline(never)]
pub(crate) fn list_sought(path: &Path, prefix: Option<&[u8]>) -> io::Result<u64> {
    let mut file = Sought::new(File::open(path)?).map_err(told)?.ok_or(io::ErrorKind::InvalidData)?;
    let digits = file.digits;
    let in_order = list::check_stream(file.from(prefix)?, digits, prefix, &mut Vec::new()).map_err(told)?;
    assert!(in_order);
    let mut out = Count(0);
    list::print_stream(file.from(prefix)?, digits, prefix, &mut out).map_err(told)?;
    Ok(out.0)
}

/// What the same refs would be when printed.
#[inline(never)]
pub(crate) fn list_gix(buffer: &packed::Buffer, prefix: Option<&str>) -> io::Result<u64> {
    let refs = match prefix {
        None => buffer.iter(),
        Some(prefix) => buffer.iter_prefixed(prefix.into()),
    };
    let mut bytes = 0;
    for reference in refs.map_err(|e| failed(&e))? {
        let reference = reference.map_err(|e| failed(&e))?;
        bytes += (reference.target.len() + reference.name.as_bstr().len() + " \n".len()) as u64;
    }
    Ok(bytes)
}

/// How many of the names are found.
#[inline(never)]
pub(crate) fn find(snapshot: &Snapshot<'_>, names: &[String]) -> u64 {
    let search = snapshot.search();
    let found = |name: &String| {
        search.find(name.as_bytes()).is_some_and(|found| record::is_hex(&found.as_bytes()[..40]))
    };
    names.iter().filter(|name| found(name)).count() as u64
}

#[inline(never)]
pub(crate) fn find_gix(buffer: &packed::Buffer, names: &[String]) -> u64 {
    names.iter().filter(|name| buffer.find(name.as_str()).is_ok()).count() as u64
}

/// Opens the file anew, and finds a name.
#[inline(never)]
pub(crate) fn open_and_find(bytes: &FileBytes, name: &String) -> io::Result<u64> {
    let snapshot = Snapshot::new(bytes).map_err(|e| told(e.into()))?;
    Ok(find(&snapshot, std::slice::from_ref(name)))
}

#[inline(never)]
pub(crate) fn find_in_file<R: io::Read + io::Seek>(source: R, name: &str) -> io::Result<u64> {
    let file = SortedFile::new(source)?.key(record::key(Digits::Sha1)).continuation(record::is_continuation);
    Ok(file.header(record::is_comment).find(name.as_bytes())?.map_or(0, |_| 1))
}

/// Takes what is printed, and counts it.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
