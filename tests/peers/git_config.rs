//! The example git_config beside `git config --list`.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;

use crate::support::{example, git, run};

/// What both are asked to read.
const FILE: &str = "file";

struct Both {
    directory: tempfile::TempDir,
}

impl Both {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().expect("a folder") }
    }

    /// What git says, and what the example says, must be the same.
    fn check(&self, text: &[u8]) {
        fs::write(self.directory.path().join(FILE), text).expect("a file");
        for options in [&["--list"][..], &["--list", "-z"]] {
            let theirs = run(git(self.directory.path(), [&["config", "-f", FILE], options].concat()), b"");
            let mut ours = example("git_config");
            ours.current_dir(self.directory.path()).args(&options[1..]).arg(FILE);
            same(text, &theirs, &run(ours, b""));
        }
    }
}

fn same(text: &[u8], theirs: &Output, ours: &Output) {
    let shown = text.escape_ascii();
    assert_eq!(ours.stdout.escape_ascii().to_string(), theirs.stdout.escape_ascii().to_string(), "{shown}");
    let line = line_of(theirs, "fatal: bad config line ", " in file file\n");
    assert_eq!(line_of(ours, "file:", ": "), line, "{shown}");
    assert_eq!(ours.status.code(), Some(i32::from(line.is_some())), "{shown}");
    assert_eq!(theirs.status.success(), line.is_none(), "{shown}");
}

/// The number between these, where there is something on stderr; it has to be of this form then.
fn line_of(output: &Output, before: &str, after: &str) -> Option<u64> {
    if output.stderr.is_empty() {
        return None;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches('\n').count(), 1, "one line: {said:?}");
    let number = said.strip_prefix(before).and_then(|rest| rest.split_once(after));
    Some(number.and_then(|(number, _)| number.parse().ok()).unwrap_or_else(|| panic!("{said:?}")))
}

#[test]
#[ignore = "asks git"]
fn cases() {
    let both = Both::new();
    // P22, BOM and CRLF.
    both.check(b"\xef\xbb\xbf[core]\r\n\tbare = true\r\n\r\n");
    both.check(b"\r\n[a]\r\n\r\nk=v\r\n");
    both.check(b"\xef\xbb\xbf");
    both.check(b"\xef\xbb\xbf\xef\xbb\xbf[a]\nk=v\n");
    both.check(b"\xef\xbb[a]\nk=v\n");
    both.check(b"[a]\nk=v\n\xff\n");
    both.check(b"[a]\n\tk = v\rw\n");
    both.check(b"[a]\n\tk = v\r");
    both.check(b"[a]\n\tk = \"v\r\"");
    // P23, continuations.
    for value in
        ["line1\\\n line2\n", "v\\\r\n w\r\n", "v\\\\\n\tj = w\n", "v\\", "v\\\n", "v # c\\\n\tj = 2\n"]
    {
        both.check(format!("[a]\n\tk = {value}").as_bytes());
    }
    both.check(b"[a]\n\tk");
    both.check(b"[a]\n\tk =   \n\tj = a\n");
    // What is included is named, not read.
    both.check(b"[include]\n\tpath = file\n[a]\n\tk = v\n");
    both.check(b"");
}

/// Each input that the fuzz target `config` starts from.
#[test]
#[ignore = "asks git"]
fn corpus_of_the_fuzz_target() {
    let both = Both::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/config");
    let mut inputs = 0;
    for entry in fs::read_dir(corpus).expect("a corpus") {
        both.check(&fs::read(entry.expect("an entry").path()).expect("a file"));
        inputs += 1;
    }
    assert!(inputs > 20, "{inputs} inputs");
}

#[test]
#[ignore = "asks git"]
fn generated_files() {
    let both = Both::new();
    // Many files a case: what differs is found among them, and then made smaller.
    let mut runner = TestRunner::new(ProptestConfig { cases: 50, ..ProptestConfig::default() });
    let files = vec(file(), 20);
    runner
        .run(&files, |files| {
            files.iter().for_each(|file| both.check(file));
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

// ---- A grammar of config files, some of them slightly broken.

type Text = BoxedStrategy<Vec<u8>>;

fn file() -> Text {
    let bom = prop_oneof![15 => Just(&b""[..]), 1 => Just(&b"\xef\xbb\xbf"[..])];
    let item = prop_oneof![3 => header(), 6 => variable(), 1 => comment(), 1 => line_end()];
    (bom, vec(item, 0..8), damage())
        .prop_map(|(bom, items, damage)| {
            let mut text = [bom, &items.concat()].concat();
            damage.into_iter().for_each(|damage| damage.apply(&mut text));
            text
        })
        .boxed()
}

fn either(choices: &'static [&'static [u8]]) -> Text {
    select(choices).prop_map(<[u8]>::to_vec).boxed()
}

fn all(parts: Vec<Text>) -> Text {
    parts.prop_map(|parts| parts.concat()).boxed()
}

/// So many of them, one after the other.
fn some(part: Text, many: impl Into<proptest::collection::SizeRange>) -> Text {
    vec(part, many).prop_map(|parts| parts.concat()).boxed()
}

fn blanks() -> Text {
    some(either(&[b" ", b"\t", b" ", b"\r"]), 0..3)
}

fn line_end() -> Text {
    either(&[b"\n", b"\n", b"\n", b"\r\n", b"\r\n", b" \n", b""])
}

fn header() -> Text {
    let name = some(either(&[b"a", b"B", b"core", b"-", b".", b"7"]), 1..4);
    let subsection = some(
        either(&[b"s", b"Sub", b" ", b".", b"\\\"", b"\\\\", b"\\n", b"]", b"\r", b"\xc3\xa9", b"\0"]),
        0..4,
    );
    let quoted = all(vec![either(&[b" \"", b"\t \""]), subsection, either(&[b"\""])]);
    let quoted = prop_oneof![2 => either(&[b""]), 1 => quoted].boxed();
    all(vec![blanks(), either(&[b"["]), name, quoted, either(&[b"]"]), blanks(), line_end()])
}

fn variable() -> Text {
    let name = (either(&[b"k", b"Key", b"j"]), some(either(&[b"x", b"Y", b"-", b"3"]), 0..3));
    let name = name.prop_map(|(first, rest)| [first, rest].concat()).boxed();
    let value = all(vec![either(&[b"=", b" = ", b"\t=\t", b" =\r"]), value()]);
    let value = prop_oneof![5 => value, 1 => either(&[b"", b" "])].boxed();
    all(vec![blanks(), name, value, line_end()])
}

fn value() -> Text {
    let plain = either(&[b"v", b"word", b"=", b"[", b"]", b"\xff", b"\0", b"\x0b", b"/path"]);
    let special = either(&[b"\\n", b"\\t", b"\\b", b"\\\\", b"\\\"", b"\\\n", b"\\\r\n", b"\\\n  "]);
    let inside =
        prop_oneof![4 => plain.clone(), 2 => special.clone(), 2 => either(&[b" ", b"\t", b"#", b";", b"\r"])]
            .boxed();
    let quoted = all(vec![either(&[b"\""]), some(inside, 0..4), either(&[b"\""])]);
    let part =
        prop_oneof![5 => plain, 3 => blanks(), 2 => special, 2 => quoted, 1 => comment_start()].boxed();
    some(part, 0..6)
}

fn comment_start() -> Text {
    either(&[b"#", b";", b" # "])
}

fn comment() -> Text {
    let text = some(either(&[b"c", b" ", b"\"", b"\\", b"[", b"\r", b"\0", b"#"]), 0..4);
    all(vec![blanks(), comment_start(), text, line_end()])
}

/// What may have happened to a file.
#[derive(Clone, Copy, Debug)]
struct Damage {
    at: prop::sample::Index,
    removed: usize,
    added: &'static [u8],
    /// Nothing is left behind it.
    torn: bool,
}

impl Damage {
    fn apply(self, text: &mut Vec<u8>) {
        let at = self.at.index(text.len() + 1);
        let end = if self.torn { text.len() } else { text.len().min(at + self.removed) };
        text.splice(at..end, self.added.iter().copied());
    }
}

fn damage() -> impl Strategy<Value = Option<Damage>> {
    const ADDED: [&[u8]; 14] =
        [b"", b"", b"\"", b"\\", b"[", b"]", b"=", b"\n", b"\r", b" ", b"_", b"\0", b"\xef\xbb", b"#"];
    let damage = (any::<prop::sample::Index>(), 0..3usize, select(&ADDED[..]), proptest::bool::weighted(0.2));
    proptest::option::of(damage.prop_map(|(at, removed, added, torn)| Damage { at, removed, added, torn }))
}

// ---- The example as a program.

#[test]
#[ignore = "asks git"]
fn as_a_program() {
    let both = Both::new();
    let ours = |args: &[&str], stdin: &[u8]| {
        let mut ours = example("git_config");
        ours.current_dir(both.directory.path()).args(args);
        run(ours, stdin)
    };
    let said = |args: &[&str]| {
        let output = ours(args, b"");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{args:?}");
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(said.matches('\n').count(), 1, "one line: {said:?}");
        said
    };
    let help = ours(&["--help"], b"");
    assert!(help.status.success() && help.stderr.is_empty() && help.stdout.starts_with(b"usage: "));
    assert!(said(&["missing"]).starts_with("git_config: missing: No such file"));
    assert!(said(&["."]).starts_with("git_config: .: Is a directory"));
    assert!(said(&["-x", FILE]).starts_with("git_config: -x: no such option"));
    assert!(said(&[]).starts_with("git_config: which FILE?"));
    assert!(said(&[FILE, FILE]).starts_with("git_config: one FILE"));

    let stdin = ours(&["-"], b"[a]\nk = v\n[");
    assert_eq!(stdin.stdout, b"a.k=v\n");
    assert!(stdin.stderr.starts_with(b"standard input:4: "), "{:?}", stdin.stderr.escape_ascii().to_string());
}

#[test]
#[ignore = "asks git"]
fn a_closed_pipe_is_no_error() {
    let both = Both::new();
    fs::write(both.directory.path().join(FILE), "[a]\n".to_owned() + &"k = value\n".repeat(100_000)).unwrap();
    let mut ours = example("git_config");
    ours.current_dir(both.directory.path()).arg(FILE).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = ours.spawn().expect("the example");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("its end");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
