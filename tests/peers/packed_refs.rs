//! The example `packed_refs` beside git, on the same file in a bare repository: standard output, standard error
//! and status.
//!
//! `--map` takes part if the feature `mmap` is on, for the examples as for these tests.

use std::path::Path;
use std::process::Output;

use bstr::{BStr, ByteSlice};
use tempfile::TempDir;

use crate::support::{example, git, run};

const HEADER: &[u8] = b"# pack-refs with: peeled fully-peeled sorted \n";
const ID: &str = "2e65efe2a145dda7ee51d1741299f848e5bf752e";
const OTHER: &str = "63d8dbd40c23542e740659a7168a0ce3138ea748";
const NULL: &str = "0000000000000000000000000000000000000000";

/// A bare repository. No object is in it: git prints what refs say, whether the objects exist or not.
struct Repository(TempDir);

impl Repository {
    fn new() -> Self {
        Self::of("sha1")
    }

    fn of(hash: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let hash = format!("--object-format={hash}");
        let made = run(git(folder.path(), ["init", "--quiet", "--bare", &hash]), b"");
        assert!(made.status.success(), "{made:?}");
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, file: &[u8]) {
        std::fs::write(self.path().join("packed-refs"), file).expect("packed-refs");
    }

    fn git<'a>(&self, args: impl IntoIterator<Item = &'a [u8]>) -> Answer {
        Answer::of(run(git(self.path(), args.into_iter().map(|arg| arg.to_os_str().unwrap())), b""))
    }

    fn git_lists(&self, prefix: Option<&[u8]>) -> Answer {
        let args = [&b"for-each-ref"[..], b"--format=%(objectname) %(refname)"];
        self.git(args.into_iter().chain(prefix))
    }

    fn git_gets(&self, name: &[u8]) -> Answer {
        self.git([&b"rev-parse"[..], b"--verify", name])
    }

    /// The example, called as git calls the file.
    fn example(&self, mode: &str, command: &str, more: Option<&[u8]>) -> Answer {
        let mut example = example("packed_refs");
        example.current_dir(self.path()).args([mode, command, "./packed-refs"]);
        example.args(more.map(|arg| arg.to_os_str().unwrap()));
        Answer::of(run(example, b""))
    }

    fn lists(&self, file: &[u8], prefix: Option<&[u8]>) {
        self.write(file);
        let git = self.git_lists(prefix);
        for mode in modes() {
            let example = self.example(mode, "list", prefix);
            assert_eq!(example, git, "{mode} list {:?} of\n{}", prefix.map(BStr::new), BStr::new(file));
        }
    }

    /// Also returns git's answer.
    fn gets(&self, file: &[u8], name: &[u8]) -> Answer {
        self.write(file);
        let git = self.git_gets(name);
        for mode in modes() {
            let example = self.example(mode, "get", Some(name));
            let what = format!("{mode} get {:?} of\n{}", BStr::new(name), BStr::new(file));
            if git.finds_nothing() {
                example.says_that_there_is_none(&what);
            } else {
                assert_eq!(example, git, "{what}");
            }
        }
        git
    }

    fn checks(&self, file: &[u8]) -> Answer {
        self.write(file);
        let [first, ref others @ ..] = modes()[..] else { unreachable!() };
        let answer = self.example(first, "check", None);
        for mode in others {
            assert_eq!(self.example(mode, "check", None), answer, "{mode} check\n{}", BStr::new(file));
        }
        answer
    }
}

fn modes() -> Vec<&'static str> {
    let mut modes = vec!["--read", "--seek"];
    modes.extend(cfg!(feature = "mmap").then_some("--map"));
    modes
}

/// What a process left behind.
#[derive(PartialEq, Eq)]
struct Answer {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    status: Option<i32>,
}

impl Answer {
    fn of(output: Output) -> Self {
        let Output { stdout, stderr, status } = output;
        Self { stdout, stderr, status: status.code() }
    }

    /// git's way to say that there is no such ref.
    fn finds_nothing(&self) -> bool {
        self.stderr == b"fatal: Needed a single revision\n"
    }

    fn says_that_there_is_none(&self, what: &str) {
        let line = self.stderr.strip_suffix(b"\n").unwrap_or_default();
        assert!(line.starts_with(b"packed_refs: ./packed-refs: there is no ref "), "{what}: {self:?}");
        assert!(!line.contains(&b'\n') && self.stdout.is_empty(), "{what}: {self:?}");
        assert_eq!(self.status, Some(1), "{what}: {self:?}");
    }
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (stdout, stderr) = (BStr::new(&self.stdout), BStr::new(&self.stderr));
        write!(f, "status {:?}\nstdout:\n{stdout}\nstderr:\n{stderr}", self.status)
    }
}

/// A file: `H` stands for git's header, everything else as in [`line`].
fn file(lines: &[&str]) -> Vec<u8> {
    lines.iter().flat_map(|text| line(text)).collect()
}

/// A line with its LF. `A NAME` is a ref, `^B` a peel line; anything else is what it is.
fn line(text: &str) -> Vec<u8> {
    let text = match text {
        "H" => return HEADER.to_vec(),
        "^B" => format!("^{OTHER}"),
        _ if text.starts_with("A ") => format!("{ID}{}", &text[1..]),
        _ if text.starts_with("B ") => format!("{OTHER}{}", &text[1..]),
        _ => text.to_owned(),
    };
    [text.as_bytes(), b"\n"].concat()
}

fn cut(mut file: Vec<u8>, by: usize) -> Vec<u8> {
    file.truncate(file.len() - by);
    file
}

#[test]
#[ignore = "asks git"]
fn good_files_and_p21() {
    let git = Repository::new();
    let good = ["A refs/heads/m", "A refs/heads/n/o", "A refs/heads/n0", "A refs/tags/v1", "^B"];
    let with = |header: &str| [header.as_bytes(), &file(&good)].concat();
    let header = BStr::new(HEADER).to_string();
    let headers = [
        "",
        &header,
        "# pack-refs with: peeled \n",
        "# pack-refs with: peeled fully-peeled \n",
        "# pack-refs with: unknown sorted traits\n",
        "# pack-refs with:sorted\n",
        "# pack-refs with:\n",
        "# pack-refs with: \0 sorted \n",
        "# pack-refs with: peeled sorted \r\n",
        "# pack-refs with: peeled sorted\r\n",
    ];
    for header in headers {
        for bytes in [with(header), header.as_bytes().to_vec()] {
            git.lists(&bytes, None);
            for prefix in
                ["refs", "refs/", "refs/heads", "refs/heads/n", "refs/heads/n/", "refs/tags/v1", "x"]
            {
                git.lists(&bytes, Some(prefix.as_bytes()));
            }
            for name in ["refs/heads/m", "m", "heads/m", "n/o", "v1", "tags/v1", "refs/heads/n", "x", "refs"]
            {
                git.gets(&bytes, name.as_bytes());
            }
            assert_eq!(git.checks(&bytes).status, Some(0), "{}", BStr::new(&bytes));
        }
        // Without the last LF git refuses the file, be it a ref's, a peel line's or the header's.
        for by in [1, 43] {
            git.lists(&cut(with(header), by), None);
            assert_eq!(git.gets(&cut(with(header), by), b"m").status, Some(128));
        }
        if !header.is_empty() {
            let unterminated = cut(header.into(), 1);
            git.lists(&unterminated, None);
            assert_eq!(git.gets(&unterminated, b"m").status, Some(128));
        }
    }
}

#[test]
#[ignore = "asks git"]
fn files_of_a_sha256_repository() {
    let git = Repository::of("sha256");
    let id = [ID, &OTHER[..24]].concat();
    let lines = [format!("{id} refs/heads/a"), format!("{id} refs/tags/v"), format!("^{id}")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for bytes in [file(&[&["H"], &lines[..]].concat()), file(&lines)] {
        git.lists(&bytes, None);
        git.lists(&bytes, Some(b"refs/tags"));
        assert_eq!(git.gets(&bytes, b"v").status, Some(0));
        git.lists(&cut(bytes, 1), None);
    }
}

/// Prefixes: names, and folders with and without their slash.
#[test]
#[ignore = "asks git"]
fn prefixes() {
    let git = Repository::new();
    let names =
        ["refs/heads/a", "refs/heads/a-b", "refs/heads/a/b", "refs/heads/ab", "refs/headsx", "refs/tags/v"];
    let lines: Vec<String> = names.iter().map(|name| format!("A {name}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let prefixes = [
        "refs",
        "refs/",
        "ref",
        "refs/heads",
        "refs/heads/",
        "refs/head",
        "refs/heads/a",
        "refs/heads/a/",
        "heads",
        "a",
        "",
        "/",
        "refs//heads",
        "refs/heads//",
        "./refs/heads",
        "refs/heads/a/b",
        "refs/heads/a/b/",
        " refs",
        "z",
    ];
    for bytes in [file(&[&["H"], &lines[..]].concat()), file(&lines)] {
        for prefix in prefixes {
            git.lists(&bytes, Some(prefix.as_bytes()));
        }
    }
}

/// What git finds wrong with a listing, and what it does not mind.
#[test]
#[ignore = "asks git"]
fn broken_files() {
    let git = Repository::new();
    let long = "junk".repeat(30);
    let edges = ["j".repeat(79), "j".repeat(80)];
    let (short, upper) = (&ID[1..], ID.to_uppercase());
    let text = |text: &str| format!("{text} refs/heads/a");
    let (short, upper, sha256) = (text(short), text(&upper), text(&[ID, &ID[..24]].concat()));
    let (null, hex) = (text(NULL), text(&"x".repeat(40)));
    let upper_peel = format!("^{}", OTHER.to_uppercase());
    let cases: &[&[&str]] = &[
        &["# hello"],
        &["H", "# hello", "A refs/heads/a"],
        &["H", "H", "A refs/heads/a"],
        &["#"],
        &["# pack-refs"],
        &[""],
        &["H", ""],
        &["H", "A refs/heads/a", ""],
        &["H", "A refs/heads/a", "", "A refs/heads/b"],
        &["H", "A refs/heads/a", "junk", "A refs/heads/b"],
        &["H", "A refs/heads/a", "junk"],
        &["H", "A refs/heads/a", &long, "A refs/heads/b"],
        &["H", "A refs/heads/a", &edges[0], "A refs/heads/b"],
        &["H", "A refs/heads/a", &edges[1], "A refs/heads/b"],
        &["H", "A refs/heads/a", "ju\0nk", "A refs/heads/b"],
        &["H", "A refs/heads/a", "ju\u{1}\t\u{7f}\r\u{e4}nk", "A refs/heads/b"],
        &["H", &short],
        &["H", &upper],
        &["H", "A refs/heads/0", &sha256, "A refs/heads/b"],
        &["H", &null],
        &["H", &hex, "A refs/heads/b"],
        &["H", "A "],
        &["H", "A ", "A refs/heads/b"],
        &["H", "A  refs/heads/a"],
        &["H", "A refs/heads/a", "B refs/heads/a", "A refs/heads/a", "A refs/heads/b"],
        &["H", "^B", "A refs/heads/a"],
        &["H", "^B"],
        &["H", "A refs/heads/a", "^B", "^B", "A refs/heads/b"],
        &["H", "A refs/heads/a", "^B", "^B"],
        &["H", "A refs/heads/a", "^", "A refs/heads/b"],
        &["H", "A refs/heads/a", "^xyz", "A refs/heads/b"],
        &["H", "A refs/heads/a", "^xyz"],
        &["H", "A refs/heads/a", &upper_peel],
        &["H", "A refs/heads/a b", "^xyz"],
        &["H", "A refs/heads/../b", "^xyz"],
        &["H", "A refs/heads/a b", "^B", "junk", "A refs/heads/c"],
        &["H", "A refs/heads/b", "A refs/heads/a", "A refs/heads/c"],
        &["H", "A refs/heads/z", "B refs/heads/a", "A refs/heads/a", "A refs/heads/0"],
    ];
    for lines in cases {
        let bytes = file(lines);
        // With LF, with CR LF, without either at the end; and the same without the header.
        for bytes in [bytes.clone(), bytes.replace("\n", "\r\n"), cut(bytes, 1)] {
            git.lists(&bytes, None);
            if let Some(bytes) = bytes.strip_prefix(HEADER) {
                git.lists(bytes, None);
            }
        }
    }
    // Other bytes between id and name.
    for space in ["\t", "\r", "\u{b}", "\u{c}", "X", "\u{e4}"] {
        git.lists(&[HEADER, ID.as_bytes(), space.as_bytes(), b"refs/heads/a\n"].concat(), None);
    }
}

/// git looks at the record behind those it lists, and at none before.
#[test]
#[ignore = "asks git"]
fn faults_beside_a_prefix() {
    let git = Repository::new();
    let (junk, climbs) = ("j".repeat(60), "A refs/m/../../x");
    let cases: &[&[&str]] = &[
        &["H", "A refs/b/a", "A refs/m/a", "^xyz", "A refs/z/a"],
        &["H", "A refs/b/a", "A refs/m/a", "^B", &junk, "A refs/z/a"],
        &["H", "A refs/b/a", "A refs/m/a b", "A refs/m/b c", "A refs/z/a"],
        &["H", "A refs/b/a", climbs, "A refs/m/a", "A refs/z/a"],
        &["H", "A refs/b/a", "A refs/ma b", "A refs/ma", "A refs/z/a"],
    ];
    for lines in cases {
        for prefix in ["refs", "refs/b", "refs/m", "refs/m/", "refs/z", "refs/b/a"] {
            git.lists(&file(lines), Some(prefix.as_bytes()));
        }
    }
}

#[test]
#[ignore = "asks git"]
fn names() {
    let git = Repository::new();
    let names = [
        "refs/heads/a b",
        "refs/heads/..",
        "refs/heads/../../x",
        "refs/heads/foo////./././../../../x",
        "refs/heads/foo/../x",
        "refs/x",
        "refs/",
        "refs",
        "foo",
        "FOO",
        "foo/bar",
        "@",
        "a.lock",
        "refs/heads/a.lock",
        "refs/heads/a.lock/b",
        "refs/heads/a.lockx",
        "refs/heads/.lock",
        "refs/heads/.a",
        "refs/heads/a.",
        "refs/heads/a./b",
        "refs/heads/@",
        "refs/heads/@{",
        "refs/heads/a{",
        "refs/heads/a//b",
        "refs/heads/a/",
        "/refs/heads/a",
        "refs/../x",
        "refs/.",
        "refs/..x",
        "foo bar",
        "FOO BAR",
        "refs//a",
        "refs/\u{7f}",
        "refs/heads/\u{e4}",
        "refs/heads/-x",
        "refs/stash",
        "refs/heads/HEAD",
        "refs/heads/x\ty",
        "refs/heads/x\u{1}y",
        "FOO_",
        "..",
        ".",
        "foo..bar",
        "refs/heads/a:b",
        "refs/heads/a?",
        "refs/heads/a[",
        "refs/heads/a\\b",
        "refs/heads/a~1",
        "refs/heads/a^",
        "refs/heads/a*",
        "HEAD",
        "FETCH_HEAD",
        "ORIG_HEAD",
        "MERGE_HEAD",
        "FOO_HEAD",
        "A-B_HEAD",
        "_HEAD",
        "foo_HEAD",
        "F1_HEAD",
        "FOO/HEAD",
        "AUTO_MERGE",
        "BISECT_EXPECTED_REV",
        "NOTES_MERGE_PARTIAL",
        "NOTES_MERGE_REF",
        "MERGE_AUTOSTASH",
        "HEADX",
        "refs/HEAD",
    ];
    for name in names {
        let bytes = file(&["H", &format!("A {name}"), "^B"]);
        git.lists(&bytes, None);
        git.lists(&bytes[HEADER.len()..], None);
        git.gets(&bytes, name.as_bytes());
    }
    // As long as git's buffer for messages, and longer.
    for len in 4040..4050 {
        let name = format!("refs/heads/{}", "x".repeat(len));
        git.lists(&file(&["H", &format!("A {name} y"), "A refs/heads/z"]), None);
        git.lists(&file(&["H", &format!("A {name}/../y"), "A refs/heads/z"]), None);
    }
}

/// Where git looks, what it takes first, and that it warns where it had a choice.
#[test]
#[ignore = "asks git"]
fn places() {
    let git = Repository::new();
    let everywhere = ["a", "refs/a", "refs/heads/a", "refs/remotes/a", "refs/remotes/a/HEAD", "refs/tags/a"];
    for set in 0..1 << everywhere.len() {
        let mut bytes = HEADER.to_vec();
        for (at, name) in everywhere.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1) {
            bytes.extend_from_slice(format!("{at:040x} {name}\n").as_bytes());
        }
        let found = git.gets(&bytes, b"a");
        assert_eq!(found.status, Some(if set == 0 { 128 } else { 0 }));
    }
    let full = file(&["H", "A refs/heads/a", "B refs/heads/refs/heads/a"]);
    assert!(!git.gets(&full, b"refs/heads/a").stderr.is_empty());
    // An id that is none, in the first place and in another; and what stands between id and name is not looked at.
    let none = "x".repeat(40);
    git.gets(&file(&["H", &format!("{none} refs/heads/a")]), b"a");
    git.gets(&file(&["H", "A a", &format!("{none} refs/heads/a")]), b"a");
    assert_eq!(git.gets(&file(&["H", &format!("{ID}Xrefs/heads/a")]), b"a").status, Some(0));
    assert_eq!(git.gets(&file(&["H", &format!("{} refs/heads/a", ID.to_uppercase())]), b"a").status, Some(0));
    // Peel lines in the wrong places do not disturb a look-up.
    for lines in
        [&["H", "^B", "A refs/heads/a"][..], &["H", "A refs/heads/a", "^B", "^B", "^x", "A refs/heads/b"]]
    {
        assert_eq!(git.gets(&file(lines), b"a").status, Some(0));
    }
}

/// Where it was decided not to do what this git does.
#[test]
#[ignore = "asks git"]
fn differences() {
    let git = Repository::new();
    let fatal = |message: &str, file: &[u8]| {
        git.write(file);
        for mode in modes() {
            let list = git.example(mode, "list", None);
            assert_eq!((list.status, &list.stdout[..]), (Some(128), &b""[..]), "{mode}: {list:?}");
            assert_eq!(BStr::new(&list.stderr), message, "{mode}");
        }
    };
    // git before 2.50 cuts the name off, and so makes another ref of it.
    let nul = file(&["H", "A refs/heads/a\0b"]);
    fatal("fatal: packed refname contains embedded NULL: refs/heads/a\n", &nul);
    let listed = git.git_lists(None);
    assert!(listed.status == Some(128) || listed.stdout == file(&["A refs/heads/a"]), "{listed:?}");
    // git takes the next line for the name.
    let split = file(&["H", ID, "refs/heads/a", "A refs/heads/b"]);
    fatal(&format!("fatal: unexpected line in ./packed-refs: {ID}\n"), &split);
    assert_eq!(git.git_lists(None).stdout, file(&["A refs/heads/a", "A refs/heads/b"]));
    // git goes by its configuration, not by the first record.
    let id = [ID, &OTHER[..24]].concat();
    let sha256 = file(&["H", &format!("{id} refs/heads/a"), "A refs/heads/b"]);
    fatal(&format!("fatal: unexpected line in ./packed-refs: {ID} refs/heads/b\n"), &sha256);
    let refused = format!("fatal: unexpected line in ./packed-refs: {id} refs/heads/a\n");
    assert_eq!(git.git_lists(None).stderr, refused.as_bytes());
    // Of equal names git finds any, here the first.
    git.write(&file(&["H", "A refs/heads/a", "B refs/heads/a", "B refs/heads/a"]));
    for mode in modes() {
        assert_eq!(git.example(mode, "get", Some(b"a")).stdout, format!("{ID}\n").into_bytes());
    }
    assert_eq!(git.git_gets(b"a").status, Some(0));
}

/// A header that lies hides refs from git's look-ups; what is found is right.
#[test]
#[ignore = "asks git"]
fn a_lie_about_the_order() {
    let git = Repository::new();
    let names = ["b", "d", "a", "f", "e", "c", "a0", "g"];
    let mut bytes = HEADER.to_vec();
    for (at, name) in names.iter().enumerate() {
        bytes.extend_from_slice(format!("{at:040x} refs/heads/{name}\n").as_bytes());
    }
    git.lists(&bytes, None);
    for (at, name) in names.iter().enumerate() {
        let full = format!("refs/heads/{name}");
        for mode in modes() {
            let found = git.example(mode, "get", Some(full.as_bytes()));
            let listed = git.example(mode, "list", Some(full.as_bytes()));
            assert!(found.status == Some(1) || found.stdout == format!("{at:040x}\n").into_bytes());
            let line = format!("{at:040x} {full}\n").into_bytes();
            assert!(listed.stdout.is_empty() || listed.stdout == line, "{mode} {full}: {listed:?}");
        }
    }
    let unsorted = &bytes[HEADER.len()..];
    git.lists(unsorted, None);
    for name in names {
        assert_eq!(git.gets(unsorted, name.as_bytes()).status, Some(0));
    }
}

/// Files made at random, with what git does not like here and there.
#[test]
#[ignore = "asks git"]
fn generated_files() {
    let git = Repository::new();
    let mut dice = Dice(1);
    for _ in 0..150 {
        let generated = Generated::new(&mut dice);
        let Generated { bytes, names, searchable } = &generated;
        git.lists(bytes, None);
        let name = dice.pick(names).clone();
        let component = name.rfind("/").map_or(&name[..], |end| &name[..end + dice.below(2)]);
        // Where records are out of order, or no records, what a search meets is up to the search.
        if *searchable {
            // To git some of these bytes are wildcards.
            let plain = |prefix: &&[u8]| !prefix.iter().any(|byte| b"*?[\\".contains(byte));
            for prefix in [component, &name].into_iter().filter(plain) {
                git.lists(bytes, Some(prefix));
            }
            // For what cannot be a name git does not open the file.
            let format = git.git([&b"check-ref-format"[..], b"--allow-onelevel", &name]);
            if format.status == Some(0) {
                git.gets(bytes, &name);
            }
        } else {
            for mode in modes() {
                let found = git.example(mode, "get", Some(&name));
                let line = [&found.stdout[..found.stdout.len().saturating_sub(1)], b" ", &name].concat();
                let spaced = bytes.replace("\t", " ").replace("\r", " ").to_ascii_lowercase();
                let is_there = spaced.contains_str(line.to_ascii_lowercase());
                assert!(
                    found.status != Some(0) || is_there,
                    "{mode} {:?}\n{}",
                    BStr::new(&name),
                    BStr::new(bytes)
                );
            }
        }
        git.checks(bytes);
    }
}

/// Thousands of names in one file: those that git lists, those that it warns of.
#[test]
#[ignore = "asks git"]
fn generated_names() {
    let git = Repository::new();
    let mut dice = Dice(2);
    let mut bytes = Vec::new();
    for _ in 0..5000 {
        let name = generated_name(&mut dice);
        // Of what is dangerous git tells only the first.
        if name.starts_with(b"refs/") && name.split_str("/").all(|part| !matches!(part, b"" | b"." | b"..")) {
            bytes.extend_from_slice(&[ID.as_bytes(), b" ", &name, b"\n"].concat());
        }
    }
    git.lists(&bytes, None);
    for _ in 0..300 {
        let name = generated_name(&mut dice);
        git.lists(&[HEADER, ID.as_bytes(), b" ", &name, b"\n"].concat(), None);
    }
}

struct Generated {
    bytes: Vec<u8>,
    /// Those in it, and one that most likely is not.
    names: Vec<Vec<u8>>,
    /// Whether every search in it meets records, and these in order.
    searchable: bool,
}

impl Generated {
    fn new(dice: &mut Dice) -> Self {
        let mut names: Vec<_> = (0..1 + dice.below(12)).map(|_| generated_name(dice)).collect();
        let sorted = dice.below(3) > 0;
        if sorted && dice.below(8) > 0 {
            names.sort();
            names.dedup();
        }
        let mut searchable = !sorted || names.is_sorted_by(|a, b| a < b);
        let mut bytes = Vec::new();
        if sorted {
            bytes.extend_from_slice(HEADER);
        } else if dice.below(2) > 0 {
            bytes.extend_from_slice(b"# pack-refs with: peeled \n");
        }
        let ids = [ID, OTHER, NULL, &ID.to_uppercase()].map(str::to_owned);
        let junk = |dice: &mut Dice| {
            dice.pick(&[&b"junk"[..], &b"x".repeat(60), b"", b"^", b"^^", &b"\xff".repeat(90)]).to_vec()
        };
        for name in &names {
            if dice.below(60) == 0 {
                bytes.extend_from_slice(&[&junk(dice)[..], b"\n"].concat());
                searchable = false;
            }
            let space = *dice.pick(&[&b" "[..], b" ", b" ", b" ", b" ", b" ", b" ", b" ", b"\t", b"\r"]);
            bytes.extend_from_slice(&[dice.pick(&ids).as_bytes(), space, name, b"\n"].concat());
            for _ in 0..dice.below(8).saturating_sub(5).min(1 + dice.below(30) / 29) {
                let id = dice.pick(&ids);
                bytes.extend_from_slice(&[b"^", id.as_bytes(), b"\n"].concat());
            }
        }
        if dice.below(20) == 0 {
            bytes.truncate(bytes.len() - 1);
        }
        names.sort();
        // Of equal names git finds any.
        searchable &= names.is_sorted_by(|a, b| a < b);
        names.push(b"refs/heads/none".to_vec());
        Self { bytes, names, searchable }
    }
}

/// Mostly one that git likes.
fn generated_name(dice: &mut Dice) -> Vec<u8> {
    const GOOD: [&[u8]; 12] = [
        b"heads",
        b"tags",
        b"a",
        b"b",
        b"ab",
        b"a-b",
        b"v1.0",
        b"work",
        b"\xff\x80",
        b"A_B",
        b"a.lockx",
        b"-",
    ];
    const ODD: [&[u8]; 22] = [
        b".", b"..", b"", b"a.lock", b".a", b"a.", b"@", b"@{", b"{", b"a..b", b" ", b"a b", b"\x01",
        b"\x7f", b"~", b"^", b":", b"?", b"[", b"\\", b"*", b"a@{b",
    ];
    let mut name =
        if dice.below(20) > 0 { b"refs".to_vec() } else { dice.pick(&[&b"FOO"[..], b"foo", b"x"]).to_vec() };
    for _ in 0..1 + dice.below(4) {
        name.extend_from_slice(b"/");
        let odd = dice.below(25) == 0;
        for _ in 0..1 + dice.below(10) / 7 {
            let part = if odd { *dice.pick(&ODD) } else { *dice.pick(&GOOD) };
            name.extend_from_slice(part);
        }
    }
    name
}

/// splitmix64: the same files everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
