//! `count_lines` beside a naive count and `wc`.

use std::io::Write;
use std::process::{Command, Stdio};

use tempfile::NamedTempFile;

use crate::support::{example, run};

/// Several ranges long, with lines of all lengths, one of them longer than a range.
fn uneven() -> Vec<u8> {
    let mut bytes = Vec::new();
    for at in 0..40_000usize {
        bytes.resize(bytes.len() + at * at % 199, b'a' + (at % 26) as u8);
        if at == 20_000 {
            bytes.resize(bytes.len() + (5 << 20), b'-');
        }
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(b"and no newline");
    assert!(bytes.len() > 8 << 20);
    bytes
}

fn file(bytes: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("writing to it");
    file
}

/// Runs it with these arguments; its standard output, where it has nothing to complain of.
fn counted(args: &[&str], files: &[&NamedTempFile]) -> String {
    let mut command = example("count_lines");
    command.args(args).args(files.iter().map(|file| file.path()));
    let output = run(command, b"");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success(), "{}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn counts_what_a_naive_loop_counts() {
    let contents = [uneven(), b"".to_vec(), b"\n".to_vec(), b"one\ntwo".to_vec()];
    let mut expected = String::new();
    let mut total = 0;
    let files = contents.each_ref().map(|bytes| file(bytes));
    for (file, bytes) in files.iter().zip(&contents) {
        let newlines = bytes.iter().filter(|&&byte| byte == b'\n').count();
        let lines = newlines + usize::from(bytes.last().is_some_and(|&last| last != b'\n'));
        expected += &format!("{lines} {}\n", file.path().display());
        total += lines;
    }
    assert_eq!(total, 40_001 + 1 + 2, "what the inputs were made of");
    expected += &format!("{total} total\n");
    for threads in [&[][..], &["--threads", "1"], &["--threads", "3"]] {
        assert_eq!(counted(threads, &files.each_ref()), expected, "{threads:?}");
    }
}

#[test]
fn one_file_has_no_total() {
    let file = file(b"a\nb\n");
    assert_eq!(counted(&[], &[&file]), format!("2 {}\n", file.path().display()));
}

#[test]
fn a_file_that_cannot_be_read_is_one_clear_line_and_the_others_are_counted() {
    let good = file(b"a\n");
    let mut command = example("count_lines");
    command.arg("no/such/file").arg(good.path());
    let output = run(command, b"");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.starts_with("count_lines: no/such/file: "), "{complaint}");
    assert_eq!(complaint.lines().count(), 1);
    assert_eq!(output.status.code(), Some(1));
    let expected = format!("1 {}\n1 total\n", good.path().display());
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn what_cannot_be_meant_is_one_clear_line() {
    for (args, complaint) in [
        (&[][..], "no FILE was named"),
        (&["--threads"], "--threads takes a number"),
        (&["--threads", "0", "x"], "--threads takes a number"),
        (&["--frobnicate"], "--frobnicate: no such option"),
    ] {
        let mut command = example("count_lines");
        command.args(args);
        let output = run(command, b"");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.starts_with(&format!("count_lines: {complaint}")), "{args:?}: {said}");
        assert_eq!((said.lines().count(), output.status.code(), output.stdout.len()), (1, Some(1), 0));
    }
}

#[test]
fn help_is_no_error() {
    let help = counted(&["--help"], &[]);
    assert!(help.starts_with("usage: ") && help.contains("--threads N"), "{help}");
}

#[test]
fn a_closed_stdout_ends_it_quietly() {
    let file = file(b"a\n");
    let mut command = example("count_lines");
    command.arg(file.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the example");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("its end");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success(), "{}", output.status);
}

/// Where each line has its newline the two count the same.
#[test]
#[ignore = "asks wc"]
fn agrees_with_wc() {
    let mut terminated = uneven();
    terminated.push(b'\n');
    let files = [file(&terminated), file(b""), file(&b"\n".repeat(70_000)), file(&[b'z'; 100])];
    for file in &files {
        let mut wc = Command::new("wc");
        wc.arg("-l").arg(file.path());
        let output = run(wc, b"");
        assert!(output.status.success(), "{}", output.status);
        let said = String::from_utf8(output.stdout).expect("text");
        let newlines: u64 = said.split_whitespace().next().and_then(|n| n.parse().ok()).expect("a number");
        // wc counts newlines, so the file without any has no line for it.
        let lines = newlines + u64::from(std::fs::read(file).expect("the file").last() == Some(&b'z'));
        assert_eq!(counted(&[], &[file]), format!("{lines} {}\n", file.path().display()));
    }
}
