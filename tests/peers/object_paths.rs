//! The example `object_paths` beside `git hash-object --stdin-paths`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::dialogue::Dialogue;
use crate::support::{example, git, run};

// What git says of these contents; also without git.
const EMPTY: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n";
const HELLO: &str = "ce013625030ba8dba906f756967f9e9ca394464a\n";

fn ours(directory: &Path, args: &[&str]) -> Command {
    let mut command = example("object_paths");
    command.args(args).current_dir(directory).env("LC_ALL", "C");
    command
}

/// Outside of every repository, where nothing says how to filter a file. (With `--no-filters` git forgets the name
/// of a path in one of its messages.)
fn gits(directory: &Path) -> Command {
    let mut command = git(directory, ["hash-object", "--stdin-paths"]);
    let above = directory.parent().expect("a folder in another");
    command.env("GIT_ATTR_NOSYSTEM", "1").env("GIT_CEILING_DIRECTORIES", above);
    command
}

/// A directory with an empty file and one that says hello.
fn two_files() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("empty"), "").unwrap();
    fs::write(directory.path().join("hello"), "hello\n").unwrap();
    directory
}

/// Path, reply, path, reply; the last one without an end.
fn hold(program: Command) {
    let mut dialogue = Dialogue::with(program);
    for (path, id) in [
        (&b"empty\n"[..], EMPTY),
        (b"hello\n", HELLO),
        (b"hello\r\n", HELLO),
        (b"\"hello\"\n", HELLO),
        (br#""he\154\154o""#, ""),
        (b"\r\n", HELLO),
        (b"./empty\n", EMPTY),
    ] {
        if id.is_empty() {
            // The end of the line is still to come.
            dialogue.say(path);
        } else {
            assert_eq!(dialogue.ask(path), id, "{}", path.escape_ascii());
        }
    }
    dialogue.say(b"hello");
    assert_eq!(dialogue.end(), (vec![HELLO.to_owned()], Some(0), String::new()));
}

#[test]
fn a_reply_before_the_next_path() {
    hold(ours(two_files().path(), &[]));
}

#[test]
#[ignore = "asks git"]
fn git_holds_the_same_dialogue() {
    hold(gits(two_files().path()));
}

#[test]
#[cfg(unix)]
fn nul_ends_a_path() {
    let directory = two_files();
    for name in ["hello\r", "a\nb", "\"empty\"", " "] {
        fs::write(directory.path().join(name), "hello\n").unwrap();
    }
    let mut dialogue = Dialogue::with(ours(directory.path(), &["-z"]));
    for (path, id) in [
        (&b"empty\0"[..], EMPTY),
        (b"hello\r\0", HELLO),
        (b"a\nb\0", HELLO),
        (b"\"empty\"\0", HELLO),
        (b" \0", HELLO),
    ] {
        assert_eq!(dialogue.ask(path), id, "{}", path.escape_ascii());
    }
    dialogue.say(b"a\nb");
    assert_eq!(dialogue.end(), (vec![HELLO.to_owned()], Some(0), String::new()));
}

/// Each file that there is was answered for before one is named that there is not.
#[test]
#[cfg(unix)]
fn the_first_error_ends_it() {
    let directory = two_files();
    for (path, said) in [
        (&b"missing\nhello\n"[..], "could not open 'missing' for reading: No such file or directory"),
        (b"\nhello\n", "could not open '' for reading: No such file or directory"),
        (b"hello/\n", "could not open 'hello/' for reading: Not a directory"),
        (b".\n", "Unable to hash .: Is a directory"),
        (b"\"hello\n", "line is badly quoted: \"hello"),
        (b"\"h\\nello\"\n", "could not open 'h?ello' for reading: No such file or directory"),
        // For git it is "hello".
        (b"hello\0\n", "could not open 'hello?' for reading: file name contained an unexpected NUL byte"),
    ] {
        let mut dialogue = Dialogue::with(ours(directory.path(), &[]));
        assert_eq!(dialogue.ask(b"hello\n"), HELLO);
        dialogue.say(path);
        assert_eq!(dialogue.reply(), None);
        assert_eq!(dialogue.end(), (vec![], Some(128), format!("fatal: {said}\n")));
    }
}

#[test]
#[cfg(unix)]
fn standard_input_may_fail() {
    let directory = two_files();
    let mut command = ours(directory.path(), &[]);
    command.stdin(fs::File::open(directory.path()).unwrap());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(128));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "fatal: standard input: Is a directory\n");
}

#[test]
fn help_and_options() {
    let directory = two_files();
    let help = run(ours(directory.path(), &["--help"]), b"");
    assert!(help.status.success() && help.stdout.starts_with(b"usage: ") && help.stderr.is_empty());
    let output = run(ours(directory.path(), &["--stdin"]), b"");
    assert_eq!(output.status.code(), Some(128));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("fatal: --stdin: no such option") && said.lines().count() == 1, "{said}");
}

#[test]
fn nobody_reads_the_replies() {
    let directory = two_files();
    let mut child = ours(directory.path(), &[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // It ends by itself at the first reply: its stdin stays open.
    let mut paths = child.stdin.take().unwrap();
    paths.write_all(b"hello\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

/// git's message, as one line: a LF in a path it prints as it is.
#[cfg(unix)]
fn message(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    said.strip_suffix('\n').unwrap_or(&said).replace('\n', "?")
}

/// The same ids, the same status, and a message that begins as git's does; where git leaves out why, ours goes on.
#[cfg(unix)]
#[track_caller]
fn agree(directory: &Path, paths: &[u8]) {
    let git = run(gits(directory), paths);
    let ours = run(ours(directory, &[]), paths);
    let paths = paths.escape_ascii();
    assert_eq!(ours.stdout.escape_ascii().to_string(), git.stdout.escape_ascii().to_string(), "{paths}");
    assert_eq!(ours.status.code(), git.status.code(), "{paths}");
    let (ours, git) = (message(&ours), message(&git));
    let rest = ours.strip_prefix(&*git).unwrap_or_else(|| panic!("{paths}: {ours}, and git: {git}"));
    assert!(rest.is_empty() || rest.starts_with(": "), "{paths}: {ours}, and git: {git}");
    assert!(!ours.contains('\n'));
}

#[test]
#[ignore = "asks git"]
#[cfg(unix)]
fn git_agrees_on_paths_and_errors() {
    use std::os::unix::fs::symlink;

    let directory = two_files();
    let path = directory.path();
    fs::create_dir(path.join("dir")).unwrap();
    symlink("hello", path.join("link")).unwrap();
    symlink("dir", path.join("dirlink")).unwrap();
    symlink("nowhere", path.join("dangling")).unwrap();
    for (name, content) in [(" a b ", "1"), ("\"q\"", "2"), ("cr\r", "3"), ("tab\t", "4"), ("caf\u{e9}", "5")]
    {
        fs::write(path.join(name), content).unwrap();
    }
    // Around the size of a read, and a few of them.
    for size in [1, 65_535, 65_536, 65_537, 300_000] {
        let content: Vec<u8> = (0..size).map(|i| (i * 7 % 251) as u8).collect();
        fs::write(path.join(format!("size{size}")), content).unwrap();
    }
    for paths in [
        &b""[..],
        b"hello\nempty\n",
        b"hello\nempty",
        b"size1\nsize65535\nsize65536\nsize65537\nsize300000\n",
        b" a b \n\"q\"\n",
        b"\"\\\"q\\\"\"\r\ntab\t\n\"tab\\t\"\ncaf\xc3\xa9\n\"caf\\303\\251\"\n",
        b"cr\r\r\n\"cr\\r\"\ncr\r",
        b"cr\r\n",
        b"link\ndir/../hello\n./hello\n//dev/null\n/dev/null\n",
        b"dangling\nhello\n",
        b"hello\ndir\nhello\n",
        b"dirlink\n",
        b"dir/\n",
        b"hello/x\n",
        b"dir/x\n",
        b"missing",
        b"\n",
        b"\r\n",
        b"\"\"\n",
        b"\xff\xfe\n",
        b"\x1b[31mred\x7f\n",
        b" \"hello\"\n",
        b"\"hello\" \nhello\n",
        b"\"hello\"hello\"\n",
        b"hello\"\n",
        b"-\n",
        b"--help\n",
    ] {
        agree(path, paths);
    }
}

/// What may stand in quotes, and what may not.
const PIECES: &[&str] = &[
    r"\1", r"\3", r"\4", r"\7", r"\8", "0", "1", "7", "8", r"\a", r"\b", r"\f", r"\n", r"\r", r"\t", r"\v",
    r"\\", r#"\""#, r"\x", r"\'", r"\e", r#"""#, "n", "/", " ", "\u{e9}",
];

#[test]
#[ignore = "asks git"]
#[cfg(unix)]
fn git_agrees_on_quotes() {
    let directory = two_files();
    // Three digits, or fewer, or too large. NUL is not among them: git would cut there.
    for first in '0'..='8' {
        for second in ['1', '7', '8', 'x'] {
            for third in ["0", "7", "8", ""] {
                agree(directory.path(), format!("\"x\\{first}{second}{third}\"\n").as_bytes());
            }
        }
    }
    let quoted = (prop::collection::vec(select(PIECES), 0..7), select(&["", "\"", "\"", "\"", "\\"][..]))
        .prop_map(|(pieces, end)| format!("\"{}{end}", pieces.concat()));
    let mut runner = TestRunner::deterministic();
    for _ in 0..300 {
        let quoted = quoted.new_tree(&mut runner).unwrap().current();
        agree(directory.path(), quoted.as_bytes());
        agree(directory.path(), format!("{quoted}\n").as_bytes());
    }
}

/// Every byte that a name may have, in git's own quotes.
#[test]
#[ignore = "asks git"]
#[cfg(target_os = "linux")]
fn git_quotes_and_we_unquote() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    assert!(run(git(path, ["init", "-q"]), b"").status.success());
    for byte in (1..=255).filter(|&byte| byte != b'/') {
        fs::write(path.join(OsStr::from_bytes(&[b'x', byte, b'7'])), [byte]).unwrap();
    }
    assert!(run(git(path, ["add", "."]), b"").status.success());
    let names = run(git(path, ["ls-files"]), b"").stdout;
    assert_eq!(names.iter().filter(|&&byte| byte == b'\n').count(), 254);
    let stored = run(git(path, ["ls-files", "--format=%(objectname)"]), b"").stdout;
    assert_eq!(run(ours(path, &[]), &names).stdout, stored);
    let raw = run(git(path, ["ls-files", "-z"]), b"").stdout;
    assert_eq!(run(ours(path, &["-z"]), &raw).stdout, stored);
}

/// Their sizes say 0 and 4096. git takes the first for empty and refuses the second.
#[test]
#[ignore = "asks git"]
#[cfg(target_os = "linux")]
fn a_size_that_is_not_true() {
    let directory = two_files();
    for path in ["/proc/version", "/sys/devices/system/cpu/online"] {
        let content = fs::read(path).unwrap();
        assert_ne!(fs::metadata(path).unwrap().len(), content.len() as u64);
        let want = run(git(directory.path(), ["hash-object", "--stdin"]), &content).stdout;
        let output = run(ours(directory.path(), &[]), path.as_bytes());
        assert_eq!((output.stdout, output.stderr), (want, vec![]), "{path}");
    }
}

/// It is not all in memory at any time.
#[test]
#[ignore = "asks git"]
#[cfg(target_os = "linux")]
fn a_file_larger_than_memory() {
    let directory = two_files();
    fs::File::create(directory.path().join("large")).unwrap().set_len(64 << 20).unwrap();
    let want = run(gits(directory.path()), b"large\n").stdout;
    let mut command = Command::new("sh");
    let program = ours(directory.path(), &[]).get_program().to_owned();
    command.args(["-c", "ulimit -v 32768 && exec \"$0\""]).arg(program).current_dir(directory.path());
    let output = run(command, b"large\n");
    assert_eq!((output.stdout, String::from_utf8_lossy(&output.stderr).as_ref()), (want, ""));
}

#[test]
#[ignore = "asks git"]
#[cfg(unix)]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    let directory = two_files();
    let at = |name: &str| directory.path().join(name);
    let mode = |name: &str, mode| fs::set_permissions(at(name), PermissionsExt::from_mode(mode)).unwrap();
    mode("", 0o755);
    mode("hello", 0o000);
    // Whoever nobody is, he must be able to get at the program.
    fs::copy(example("object_paths").get_program(), at("object_paths")).unwrap();
    let mut ours = Command::new(at("object_paths"));
    ours.current_dir(directory.path());
    let mut git = gits(directory.path());
    if fs::metadata(at("hello")).unwrap().uid() == 0 {
        // root may read everything.
        ours.uid(65_534).gid(65_534);
        git.uid(65_534).gid(65_534);
    }
    let (ours, git) = (run(ours, b"hello\n"), run(git, b"hello\n"));
    assert_eq!(
        String::from_utf8_lossy(&ours.stderr),
        "fatal: could not open 'hello' for reading: Permission denied\n"
    );
    assert_eq!((ours.status, ours.stdout, ours.stderr), (git.status, git.stdout, git.stderr));
}
