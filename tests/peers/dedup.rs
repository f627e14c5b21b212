//! The example `dedup`, and awk's way to do the same.

use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Output, Stdio};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::dialogue::Dialogue;
use crate::support::{example, run};

fn dedup(args: &[&str]) -> Command {
    let mut command = example("dedup");
    command.args(args).env("LC_ALL", "C");
    command
}

#[track_caller]
fn printed(output: &Output) -> String {
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    output.stdout.escape_ascii().to_string()
}

#[test]
fn each_line_once() {
    for (args, input, want) in [
        (&[][..], &b""[..], &b""[..]),
        (&[], b"b\na\nb\nc\na\n", b"b\na\nc\n"),
        (&[], b"\n\n", b"\n"),
        // The last line is the same with an end and without, and is printed with one.
        (&[], b"a\nb\na", b"a\nb\n"),
        (&[], b"a\nb", b"a\nb\n"),
        (&[], b"\0\n\0\0\n\0\n\xff\r\n\xff\n", b"\0\n\0\0\n\xff\r\n\xff\n"),
        (&["-z"], b"a\nb\0a\0a\nb\0a", b"a\nb\0a\0"),
        (&["-c"], b"b\na\nb", b"      2 b\n      1 a\n"),
        (&["-cz"], b"b\0a\n\0b", b"      2 b\0      1 a\n\0"),
        (&["-z", "-c", "--", "-"], b"", b""),
    ] {
        let got = printed(&run(dedup(args), input));
        assert_eq!(got, want.escape_ascii().to_string(), "{args:?}, {}", input.escape_ascii());
    }
    let many = b"x\n".repeat(1_234_567);
    assert_eq!(printed(&run(dedup(&["-c"]), &many)), "1234567 x\\n");
}

/// Who follows the output sees a new line before the next one is there.
#[test]
fn each_line_at_once() {
    let mut dialogue = Dialogue::with(dedup(&[]));
    assert_eq!(dialogue.ask(b"a\n"), "a\n");
    assert_eq!(dialogue.ask(b"a\na\nb\n"), "b\n");
    dialogue.say(b"a\nb\nc");
    assert_eq!(dialogue.end(), (vec!["c\n".to_owned()], Some(0), String::new()));
}

#[test]
fn files_and_standard_input() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("one"), "a\nb").unwrap();
    fs::write(directory.path().join("-c"), "c\na").unwrap();
    let in_directory = |args: &[&str]| {
        let mut command = dedup(args);
        command.current_dir(directory.path());
        command
    };
    // What has no end in one file does not go on in the next.
    let output = run(in_directory(&["one", "-", "-", "--", "-c", "one"]), b"b\nd\n");
    assert_eq!(printed(&output), "a\\nb\\nd\\nc\\n");

    let output = run(in_directory(&["one", "missing", "one"]), b"");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b"a\nb\n"[..]));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("dedup: missing: ") && said.lines().count() == 1, "{said}");
}

#[test]
fn help_and_options() {
    let help = run(dedup(&["--help"]), b"");
    assert!(help.stdout.starts_with(b"usage: ") && help.stderr.is_empty() && help.status.success());
    for args in [&["-x"][..], &["-cx"], &["--count"]] {
        let output = run(dedup(args), b"a\n");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), said.lines().count(), output.stdout.len()),
            (Some(1), 1, 0),
            "{said}"
        );
        assert!(said.starts_with(&format!("dedup: {}: ", args[0])), "{said}");
    }
}

#[test]
#[cfg(unix)]
fn what_cannot_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = dedup(&[]);
    command.stdin(File::open(directory.path()).unwrap());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.starts_with(b"dedup: standard input: Is a directory"), "{output:?}");
}

/// Ends quietly once nobody reads, be its output at the end or on the way.
#[test]
fn nobody_reads() {
    for args in [&[][..], &["-c"]] {
        let mut child =
            dedup(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        // It may have ended before all of this is written.
        let _ = stdin.write_all(b"a\nb\n");
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}

fn awk(program: &str) -> Command {
    let mut command = Command::new("mawk");
    command.arg(program).env("LC_ALL", "C");
    command
}

/// On text: mawk takes a NUL for the end of a string.
#[test]
#[ignore = "asks mawk"]
fn awk_agrees() {
    let text = vec(select(&b"aabcd \t.\r\n\n\n\n\xc3\xa9"[..]), 0..3000);
    let mut runner = TestRunner::deterministic();
    for _ in 0..40 {
        let text = text.new_tree(&mut runner).unwrap().current();
        let (ours, awks) = (run(dedup(&[]), &text), run(awk("!seen[$0]++"), &text));
        assert_eq!(printed(&ours), printed(&awks), "{}", text.escape_ascii());

        let program = "!count[$0]++ { line[++n] = $0 }
            END { for (i = 1; i <= n; i++) printf \"%7d %s\\n\", count[line[i]], line[i] }";
        let (ours, awks) = (run(dedup(&["-c"]), &text), run(awk(program), &text));
        assert_eq!(printed(&ours), printed(&awks), "{}", text.escape_ascii());
    }
    // Longer than a read, with lines longer than the buffer.
    let mut long = Vec::new();
    for n in 0..50_000 {
        writeln!(long, "{}", n * n % 9973).unwrap();
        if n % 10_000 == 0 {
            long.extend(b"x".repeat(100_000 + n % 3));
            long.push(b'\n');
        }
    }
    assert_eq!(printed(&run(dedup(&[]), &long)), printed(&run(awk("!seen[$0]++"), &long)));
}
