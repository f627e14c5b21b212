//! The example `packed_refs`: its command line, and its rules for names. What git says to the same files is asked
//! in `peers.rs`.

use std::path::Path;
use std::process::{Output, Stdio};

use proptest::prelude::*;

#[allow(dead_code, reason = "not all of it is tested by itself")]
#[path = "../examples/packed_refs/refname.rs"]
mod refname;
#[allow(dead_code, reason = "there is no git here")]
#[path = "peers/support.rs"]
mod support;

use support::{example, run};

const FILE: &str = "\
# pack-refs with: peeled fully-peeled sorted \n\
2e65efe2a145dda7ee51d1741299f848e5bf752e refs/heads/main\n\
63d8dbd40c23542e740659a7168a0ce3138ea748 refs/tags/v1\n\
^2e65efe2a145dda7ee51d1741299f848e5bf752e\n";

fn packed_refs<'a>(folder: &Path, args: impl IntoIterator<Item = &'a str>) -> (String, String, Option<i32>) {
    let mut example = example("packed_refs");
    example.current_dir(folder).args(args);
    let Output { stdout, stderr, status } = run(example, b"");
    (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap(), status.code())
}

/// Nothing was said, and all was well.
fn quiet() -> (String, String, Option<i32>) {
    (String::new(), String::new(), Some(0))
}

fn folder_with(file: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("packed-refs"), file).unwrap();
    folder
}

#[test]
fn lists_gets_and_checks() {
    let folder = folder_with(FILE);
    for mode in ["--read", "--seek"] {
        let answer = |args: &[&str]| packed_refs(folder.path(), [&[mode], args].concat());
        let main = "2e65efe2a145dda7ee51d1741299f848e5bf752e refs/heads/main\n";
        let tag = "63d8dbd40c23542e740659a7168a0ce3138ea748 refs/tags/v1\n";
        let good = |stdout: &str| (stdout.to_owned(), String::new(), Some(0));
        assert_eq!(answer(&["list", "packed-refs"]), good(&[main, tag].concat()));
        assert_eq!(answer(&["list", "packed-refs", "refs/tags"]), good(tag));
        assert_eq!(answer(&["list", "packed-refs", "refs/t"]), good(""));
        assert_eq!(answer(&["get", "packed-refs", "refs/tags/v1"]), good(&tag.replace(" refs/tags/v1", "")));
        assert_eq!(answer(&["get", "packed-refs", "main"]), good(&main.replace(" refs/heads/main", "")));
        assert_eq!(answer(&["check", "packed-refs"]), good(""));
        let none = "packed_refs: packed-refs: there is no ref \"v2\"\n";
        assert_eq!(answer(&["get", "packed-refs", "v2"]), (String::new(), none.to_owned(), Some(1)));
    }
}

#[test]
fn without_the_feature_map_is_a_clear_error() {
    let folder = folder_with(FILE);
    let (stdout, stderr, status) = packed_refs(folder.path(), ["--map", "get", "packed-refs", "main"]);
    if cfg!(feature = "mmap") {
        assert_eq!(
            (&stdout[..], &stderr[..], status),
            ("2e65efe2a145dda7ee51d1741299f848e5bf752e\n", "", Some(0))
        );
    } else {
        assert!(stderr.starts_with("packed_refs: packed-refs: this build cannot map files"), "{stderr}");
        assert_eq!((&stdout[..], stderr.lines().count(), status), ("", 1, Some(1)));
    }
}

/// Every fault, with its line.
#[test]
fn check_tells_all_faults() {
    let id = "2e65efe2a145dda7ee51d1741299f848e5bf752e";
    let lines = [
        "# pack-refs with: peeled fully-peeled sorted ".to_owned(),
        format!("^{id}"),
        format!("{id} refs/heads/b"),
        format!("^{id}"),
        format!("^{id}"),
        format!("{id} refs/heads/a"),
        format!("{id} refs/heads/a"),
        format!("{id} refs/heads/a b"),
        "^junk".to_owned(),
        "junk".to_owned(),
        String::new(),
        format!("{id} refs/heads/foo////./././../../../x"),
        format!("{id} refs/heads/n\0l"),
        format!("{id} refs/heads/c"),
    ];
    let expected = "\
packed-refs:2: a peeled id without a ref before it
packed-refs:5: a peeled id without a ref before it
packed-refs:6: out of order: \"refs/heads/a\" after \"refs/heads/b\"
packed-refs:7: again: \"refs/heads/a\"
packed-refs:8: broken refname: \"refs/heads/a b\"
packed-refs:9: not a peeled id: \"^junk\"
packed-refs:10: not a ref: \"junk\"
packed-refs:11: not a ref: \"\"
packed-refs:12: dangerous refname: \"refs/heads/foo////./././../../../x\"
packed-refs:13: refname with a NUL in it: \"refs/heads/n\\0l\"
packed-refs:14: the last line has no LF: git refuses the file
";
    let folder = folder_with(&lines.join("\n"));
    for mode in ["--read", "--seek"] {
        let (stdout, stderr, status) = packed_refs(folder.path(), [mode, "check", "packed-refs"]);
        assert_eq!(stdout, expected);
        assert_eq!((&stderr[..], status), ("packed_refs: packed-refs: 11 faults\n", Some(1)));
    }
    // What comes after one that is out of order is held against what came before that.
    let names = ["refs/b", "refs/a", "refs/b", "refs/aa", "refs/c~", "refs/bb", "refs/d"];
    let lines: String = names.iter().map(|name| format!("{id} {name}\n")).collect();
    let folder = folder_with(&format!("# pack-refs with: sorted \n{lines}"));
    let (stdout, _, _) = packed_refs(folder.path(), ["check", "packed-refs"]);
    let expected = "\
packed-refs:3: out of order: \"refs/a\" after \"refs/b\"
packed-refs:4: again: \"refs/b\"
packed-refs:5: out of order: \"refs/aa\" after \"refs/b\"
packed-refs:6: broken refname: \"refs/c~\"
packed-refs:7: out of order: \"refs/bb\" after \"refs/c~\"
";
    assert_eq!(stdout, expected);

    let folder = folder_with(&format!("# hello\n{id} refs/b\n{id} refs/a\n{id} refs/b\n"));
    let (stdout, _, status) = packed_refs(folder.path(), ["check", "packed-refs"]);
    let expected =
        "packed-refs:1: not a header: \"# hello\"\npacked-refs:4: again, as in line 2: \"refs/b\"\n";
    assert_eq!((&stdout[..], status), (expected, Some(1)));
}

/// What is made is good, sorted, and as much as was asked for.
#[test]
fn makes_what_check_likes() {
    let folder = folder_with("");
    for count in [0, 1, 2, 3, 64, 65, 4000] {
        let number = count.to_string();
        assert_eq!(packed_refs(folder.path(), ["make", "packed-refs", &number]), quiet());
        assert_eq!(packed_refs(folder.path(), ["check", "packed-refs"]), quiet());
        let made = std::fs::read_to_string(folder.path().join("packed-refs")).unwrap();
        assert!(made.starts_with("# pack-refs with: peeled fully-peeled sorted \n"));
        assert_eq!(made.lines().filter(|line| line.starts_with('^')).count(), count / 3);
        let (listed, _, _) = packed_refs(folder.path(), ["list", "packed-refs"]);
        assert_eq!(listed.lines().count(), count);
        assert!(listed.lines().is_sorted_by(|a, b| a[41..] < b[41..]));
    }
}

/// One clear line, and a status that is not 0.
#[test]
fn bad_input() {
    let folder = folder_with(FILE);
    let cases: [&[&str]; 13] = [
        &[],
        &["frobnicate", "packed-refs"],
        &["--frobnicate", "list", "packed-refs"],
        &["--read", "--seek", "list", "packed-refs"],
        &["list"],
        &["list", "packed-refs", "a", "b"],
        &["list", "packed-refs", "refs/*"],
        &["get", "packed-refs"],
        &["check", "packed-refs", "packed-refs"],
        &["make", "packed-refs", "many"],
        &["list", "missing"],
        &["--seek", "get", "missing", "a"],
        &["check", "."],
    ];
    for args in cases {
        let (stdout, stderr, status) = packed_refs(folder.path(), args.iter().copied());
        assert_eq!((&stdout[..], stderr.lines().count(), status), ("", 1, Some(1)), "{args:?}: {stderr}");
        assert!(stderr.starts_with("packed_refs: "), "{args:?}: {stderr}");
    }
    let (usage, stderr, status) = packed_refs(folder.path(), ["--help"]);
    assert!(usage.starts_with("usage: packed_refs") && stderr.is_empty() && status == Some(0));
}

/// Who reads only some of it ends it quietly.
#[test]
fn a_closed_pipe() {
    let folder = folder_with("");
    packed_refs(folder.path(), ["make", "packed-refs", "5000"]);
    for args in [&["list", "packed-refs"][..], &["--seek", "list", "packed-refs"], &["--help"]] {
        let mut example = example("packed_refs");
        let mut child = example
            .current_dir(folder.path())
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let Output { stderr, status, .. } = child.wait_with_output().unwrap();
        assert_eq!((&stderr[..], status.code()), (&b""[..], Some(0)), "{args:?}");
    }
}

/// git-check-ref-format(1), rule by rule.
fn is_good(name: &str) -> bool {
    let components: Vec<&str> = name.split('/').collect();
    components.iter().all(|part| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock"))
        && !name.contains("..")
        && !name.chars().any(|c| c.is_ascii_control() || " ~^:?[*\\".contains(c))
        && !name.ends_with('.')
        && !name.contains("@{")
        && name != "@"
}

fn name() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "..", ".", "/", "//", "/.", "@", "@{", "{", ".lock", ".lock/", "k", "k/", " ", "~", "^", ":", "?",
        "[", "*", "\\", "\0", "\x01", "\x1f", "\x7f", "\u{80}", "\u{e4}", "!", "+", "_", "`", "|", "}", "]",
        "-",
    ]);
    let part = prop_oneof![8 => "[a-z]{1,20}", 1 => odd.prop_map(str::to_owned), 1 => "\\PC"];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn names(name in name()) {
        prop_assert_eq!(refname::is_good(name.as_bytes()), is_good(&name));
        let full = format!("refs/{name}");
        prop_assert_eq!(refname::is_good_ref(format!("{full}\n").as_bytes()), is_good(&full));
    }
}

/// Each byte, at each place of what is looked at together.
#[test]
fn each_byte_in_each_place() {
    for byte in (0..=255).filter(|&byte| byte != b'\n') {
        for len in 0..40 {
            let mut name = [b"refs/", &vec![b'x'; len + 1][..], b"\n"].concat();
            for at in 5..=5 + len {
                name[at] = byte;
                let whole = &name[..name.len() - 1];
                let good = !(byte <= b' ' || b"\x7f~^:?[*\\".contains(&byte))
                    && (byte != b'/' || (at > 5 && at < 5 + len))
                    && (byte != b'.' || (at > 5 && at < 5 + len));
                assert_eq!(refname::is_good(whole), good, "{name:?}");
                assert_eq!(refname::is_good_ref(&name), good, "{name:?}");
                name[at] = b'x';
            }
        }
    }
}
