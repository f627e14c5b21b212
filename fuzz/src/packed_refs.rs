//! The target `packed_refs`.

use std::io::{self, Cursor};

use arbitrary::{Arbitrary, Unstructured};
use wholeline::{LineReader, Lines, Terminator};

use crate::format::unpack;
use crate::seeds::Seed;

// The example's modules, without what opens files and prints.
#[path = "../../examples/packed_refs/check.rs"]
mod check;
#[path = "../../examples/packed_refs/fault.rs"]
mod fault;
#[path = "../../examples/packed_refs/get.rs"]
mod get;
#[path = "../../examples/packed_refs/list.rs"]
mod list;
#[path = "../../examples/packed_refs/make.rs"]
#[expect(dead_code, reason = "it reads nothing")]
mod make;
#[path = "../../examples/packed_refs/record.rs"]
mod record;
#[path = "../../examples/packed_refs/refname.rs"]
mod refname;
#[path = "../../examples/packed_refs/snapshot.rs"]
mod snapshot;
#[path = "../../examples/packed_refs/sought.rs"]
mod sought;
#[path = "../../examples/packed_refs/walk.rs"]
mod walk;

use fault::{Fault, Trouble};
use get::Found;
use list::Listing;
use snapshot::{Header, Snapshot};
use sought::Sought;

/// A file, and a name to look for in it.
#[derive(Debug)]
pub struct PackedRefs {
    name: Vec<u8>,
    file: Vec<u8>,
}

/// What stands for what takes long to find. All of these bytes mean the same in a name: that it is no good.
const SHORT: [(u8, &[u8]); 5] = [
    (1, b"# pack-refs with: peeled fully-peeled sorted \n"),
    (2, b"2e65efe2a145dda7ee51d1741299f848e5bf752e refs/"),
    (3, b"^63D8dbd40c23542e740659a7168a0ce3138ea748\n"),
    (4, b"63D8dbd40c23542e740659a7168a0ce3138ea748"),
    (5, b"63d8dbd40c23542e740659a7168a0ce3138ea7482e65efe2a145dda7ee51d174"),
];

/// The name, an LF, and the file.
impl<'a> Arbitrary<'a> for PackedRefs {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let input = unpack(input.bytes(input.len())?);
        let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
        let (name, file) = input.split_at(end);
        let mut whole = Vec::new();
        for byte in file.iter().skip(1) {
            match SHORT.iter().find(|(short, _)| short == byte) {
                Some((_, long)) => whole.extend_from_slice(long),
                None => whole.push(*byte),
            }
        }
        Ok(PackedRefs { name: name.to_vec(), file: whole })
    }
}

/// What `list` does.
#[derive(Debug, PartialEq, Eq)]
struct Listed {
    warnings: Vec<u8>,
    /// Nothing was printed if there is a fault.
    printed: Result<Vec<u8>, Fault>,
}

impl PackedRefs {
    /// Panics where two ways to the same end lead elsewhere.
    pub fn check(&self) {
        self.check_names();
        let listed = self.listed(None);
        let of_prefix = self.listed(Some(&self.name));
        let faults = self.faults();
        let is_good = faults.is_empty();

        if is_good {
            assert!(listed.warnings.is_empty() && listed.printed.is_ok(), "check saw no fault: {listed:?}");
        }
        if let (Ok(all), Ok(some)) = (&listed.printed, &of_prefix.printed) {
            let matching = |line: &&[u8]| refname::matches(name(line), &self.name);
            let expected: Vec<&[u8]> = lines(all).into_iter().filter(matching).collect();
            let found = lines(some);
            assert!(found.iter().all(|line| expected.contains(line)), "prefix: {of_prefix:?} of {listed:?}");
            if is_good {
                assert_eq!(found, expected, "prefix");
            }
        }
        match &listed.printed {
            Ok(all) => {
                assert!(lines(all).is_sorted_by_key(|line| name(line)), "not in order: {listed:?}");
                for line in lines(all) {
                    let found = self.got(name(line)).expect("the file was listed").map(|found| found.id);
                    let id = &line[..line.len() - name(line).len() - 1];
                    assert!(found.as_deref() == Some(id) || !is_good, "get {line:?}: {found:?}");
                }
            }
            Err(_) => assert!(!is_good),
        }
        if let Ok(Some(found)) = self.got(&self.name) {
            assert!(self.file.to_ascii_lowercase().windows(found.id.len()).any(|id| id == found.id), "get");
        }
    }

    /// The quick look at a name and the thorough one.
    fn check_names(&self) {
        for line in self.file.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            for at in 0..line.len().min(80) {
                let (name, lf) = (&line[at..line.len() - 1], &line[at..]);
                if name.starts_with(b"refs/") {
                    assert_eq!(refname::is_good_ref(lf), refname::is_good(name), "{name:?}");
                }
            }
        }
    }

    /// In memory, and where the file can be sought in, there too.
    fn listed(&self, prefix: Option<&[u8]>) -> Listed {
        let mut warnings = Vec::new();
        let printed = self.listed_in_memory(prefix, &mut warnings).map_err(fault);
        let listed = Listed { warnings, printed };
        let mut warnings = Vec::new();
        match self.listed_sought(prefix, &mut warnings).map_err(fault).transpose() {
            Some(printed) => assert_eq!(Listed { warnings, printed }, listed, "sought, and in memory"),
            None => assert!(!self.claims_order() || !self.faults().is_empty(), "it could be sought in"),
        }
        listed
    }

    fn listed_in_memory(&self, prefix: Option<&[u8]>, warnings: &mut Vec<u8>) -> Result<Vec<u8>, Trouble> {
        let snapshot = Snapshot::new(&self.file)?;
        let listing = Listing::new(&snapshot, prefix, warnings)?;
        let mut printed = Vec::new();
        listing.print(&snapshot, &mut printed).map_err(Trouble::Print)?;
        Ok(printed)
    }

    /// `None` if it has to be read first.
    fn listed_sought(
        &self,
        prefix: Option<&[u8]>,
        warnings: &mut Vec<u8>,
    ) -> Result<Option<Vec<u8>>, Trouble> {
        let Some(mut file) = Sought::new(Cursor::new(&self.file))? else { return Ok(None) };
        let digits = file.digits;
        if !list::check_stream(file.from(prefix)?, digits, prefix, warnings)? {
            return Ok(None);
        }
        let mut printed = Vec::new();
        list::print_stream(file.from(prefix)?, digits, prefix, &mut printed)?;
        Ok(Some(printed))
    }

    fn claims_order(&self) -> bool {
        Header::parse(&self.file).is_ok_and(|header| header.sorted)
    }

    /// In memory, and where the file can be sought in, there too.
    fn got(&self, name: &[u8]) -> Result<Option<Found>, Fault> {
        let in_memory = Snapshot::new(&self.file).map_err(Trouble::from).and_then(|snapshot| {
            let search = snapshot.search();
            get::get(name, snapshot.digits, |key| Ok(search.find(key).map(|found| found.as_bytes().to_vec())))
        });
        let in_memory = in_memory.map_err(fault);
        let sought = Sought::new(Cursor::new(&self.file)).and_then(|file| {
            let Some(mut file) = file else { return Ok(None) };
            let digits = file.digits;
            let mut search = file.search()?;
            let find = |key: &[u8]| io::Result::Ok(search.find(key)?.map(|found| found.as_bytes().to_vec()));
            get::get(name, digits, find).map(Some)
        });
        if let Some(sought) = sought.map_err(fault).transpose() {
            assert_eq!(sought, in_memory, "sought, and in memory");
        }
        in_memory
    }

    /// What `check` says, from memory and from a reader.
    fn faults(&self) -> Vec<(u64, String)> {
        let mut faults = Vec::new();
        let checked = check::check(Lines::new(&self.file, Terminator::LF), |number, fault| {
            faults.push((number, fault.to_owned()));
            Ok(())
        });
        checked.expect("memory can be read");
        let mut others = faults.iter();
        let checked = check::check(LineReader::with_capacity(7, &self.file[..]), |number, fault| {
            assert_eq!(others.next(), Some(&(number, fault.to_owned())));
            Ok(())
        });
        checked.expect("memory can be read");
        assert!(others.next().is_none());
        faults
    }
}

fn fault(trouble: Trouble) -> Fault {
    match trouble {
        Trouble::Fault(fault) => {
            assert!(!fault.message(b"file").contains(&b'\n'), "more than a line: {fault:?}");
            fault
        }
        Trouble::Read(error) | Trouble::Print(error) => panic!("memory can be read and written: {error}"),
    }
}

fn lines(printed: &[u8]) -> Vec<&[u8]> {
    printed.split_inclusive(|&byte| byte == b'\n').map(|line| &line[..line.len() - 1]).collect()
}

/// Of a line that was printed.
fn name(line: &[u8]) -> &[u8] {
    line.split_at(line.iter().position(|&byte| byte == b' ').map_or(line.len(), |space| space + 1)).1
}

pub(crate) fn seeds() -> Vec<Seed> {
    let seeds: [(&str, &[u8]); 30] = [
        ("good", b"m\n\x01\x02heads/m\n\x02tags/v1\n\x03\x02tags/v2\n"),
        ("p21-unterminated", b"m\n\x01\x02heads/m\n\x02tags/v1\n^\x04"),
        ("p21-no-header", b"refs/tags\n\x02heads/m\n\x02tags/v1\n\x03"),
        ("p21-empty", b"m\n"),
        ("p21-header", b"m\n\x01"),
        ("p21-header-unterminated", b"m\n# pack-refs with: sorted "),
        ("headers", b"m\n\x01\x01\x02heads/m\n"),
        ("other-comment", b"m\n# hello\n\x02heads/m\n"),
        ("unsorted", b"refs/b/\n\x02c\n\x02b/z\n\x03\x02b/a\n\x02a\n"),
        ("lie", b"refs/b/\n\x01\x02c\n\x02b/z\n\x03\x02b/a\n\x02a\n"),
        ("equal", b"a\n\x01\x02a\n\x04 refs/a\n\x02a\n\x02b\n"),
        ("upper-case", b"a\n\x01\x04 refs/a\n\x02b\n"),
        ("sha256", b"a\n\x01\x05 refs/a\n^\x05\n\x05 refs/b\n"),
        ("sha256-within", b"a\n\x01\x04 refs/a\n^\x05\n\x05 refs/b\n"),
        ("tab-and-cr", b"a\n\x01\x04\trefs/a\n\x04\rrefs/b\n\x04\x0brefs/c\n"),
        ("crlf", b"a\n\x01\x02a\r\n\x02b\r\n"),
        ("nul", b"a\n\x01\x02a\0b\n\x02b\n"),
        ("junk", b"refs/a\n\x01\x02a\njunk\n\x02b\n"),
        ("junk-unsorted", b"refs/a\n\x02b\njunkjunkjunkjunkjunkjunkjunkjunkjunkjunkjunkjunk\n\x02a\n"),
        ("empty-line", b"refs/a\n\x01\x02a\n\n\x02b\n"),
        ("split", b"refs/a\n\x01\x04\nrefs/a\n\x02b\n"),
        ("peel-first", b"a\n\x01\x03\x02a\n"),
        ("peel-twice", b"a\n\x01\x02a\n\x03\x03\x02b\n\x03"),
        ("peel-junk", b"a\n\x01\x02a\n^junk\n\x02b c\n^\n"),
        ("broken", b"refs/a\n\x01\x02a b\n\x02a.lock\n\x02a..b\n\x02b\n"),
        ("dangerous", b"refs/foo\n\x01\x02a\n\x02foo////./././../../../x\n\x02z\n"),
        ("dangerous-behind", b"refs/b\n\x01\x02b\n\x02z/../y\n\x02zz\n"),
        ("roots", b"HEAD\n\x01\x04 FOO\n\x04 FOO_HEAD\n\x04 HEAD\n\x04 foo\n"),
        ("ambiguous", b"a\n\x01\x04 a\n\x02a\n\x02heads/a\n\x02remotes/a/HEAD\n\x02tags/a\n"),
        ("long", b"m\n\x01\x02heads/a\xee\x01\xf0.lock\n\x02heads/b\xee\x01\xf0k/work\n\x02heads/m\n"),
    ];
    seeds.map(|(name, input)| Seed::new("packed_refs", name, input.to_vec())).into()
}
