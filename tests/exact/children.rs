//! A loop as in a shell script: each line taken here is followed by one that a child takes.

use std::ffi::{CStr, CString, OsStr};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use wholeline::{ExactLineReader, Method};

use crate::PIPE;
use crate::descriptors::{Descriptor, Kind};
use crate::time::within_a_minute;

/// What a child with this standard input prints. The shell's `read` takes no byte past the line either.
fn child(script: &str, input: BorrowedFd<'_>) -> String {
    let input = Stdio::from(input.try_clone_to_owned().expect("another descriptor for it"));
    let output = Command::new("sh").args(["-c", script]).stdin(input).output().expect("sh");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text")
}

const LINES: usize = 20;

fn text() -> String {
    (0..LINES).map(|line| format!("{line}: {}\n", "x".repeat(line * line))).collect()
}

/// Takes every other line of [`text`], and a child the others; then another child all that is left but the first
/// line of it.
fn takes_turns(fd: BorrowedFd<'_>, method: Method) {
    let text = text();
    let mut lines = text.lines();
    let mut reader = ExactLineReader::new(fd);
    for _ in 0..LINES / 4 {
        let ours = lines.next().unwrap();
        assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), ours.as_bytes());
        let theirs = lines.next().unwrap();
        assert_eq!(child("IFS= read -r line; printf '%s' \"$line\"", fd), theirs);
    }
    assert_eq!(reader.method(), method);
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), lines.next().unwrap().as_bytes());
    let rest: String = lines.map(|line| format!("{line}\n")).collect();
    assert_eq!(child("cat", fd), rest);
    assert!(reader.next_line().unwrap().is_none());
}

#[test]
fn a_file() {
    takes_turns(Descriptor::holding(Kind::File, text().as_bytes()).as_fd(), Method::Seek);
}

#[test]
fn a_pipe() {
    takes_turns(Descriptor::holding(Kind::Pipe, text().as_bytes()).as_fd(), PIPE);
}

#[test]
fn a_pair_of_sockets() {
    takes_turns(Descriptor::holding(Kind::Socket, text().as_bytes()).as_fd(), Method::Peek);
}

fn make_fifo(path: &Path) {
    let path = CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: `path` ends with a NUL.
    assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0, "{}", std::io::Error::last_os_error());
}

#[test]
fn a_fifo() {
    within_a_minute(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fifo");
        make_fifo(&path);
        let writer = {
            let path = path.clone();
            thread::spawn(move || File::create(path).unwrap().write_all(text().as_bytes()).unwrap())
        };
        takes_turns(File::open(&path).unwrap().as_fd(), PIPE);
        writer.join().unwrap();
    });
}

/// Both ends of a terminal in canonical mode that does not echo.
fn terminal() -> (File, File) {
    // SAFETY: of these calls none is given memory; only this test asks for a terminal's name, and copies it before
    // anybody else could.
    let (master, name) = unsafe {
        let master = libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY);
        assert!(master >= 0, "posix_openpt: {}", std::io::Error::last_os_error());
        assert_eq!(libc::grantpt(master) | libc::unlockpt(master), 0);
        let name = libc::ptsname(master);
        assert!(!name.is_null());
        (File::from(OwnedFd::from_raw_fd(master)), CStr::from_ptr(name).to_owned())
    };
    let slave = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NOCTTY)
        .open(OsStr::from_bytes(name.to_bytes()))
        .expect("the other end");
    // SAFETY: a termios is plain data, and `slave` a terminal.
    unsafe {
        let mut settings: libc::termios = std::mem::zeroed();
        assert_eq!(libc::tcgetattr(slave.as_raw_fd(), &raw mut settings), 0);
        settings.c_lflag |= libc::ICANON;
        settings.c_lflag &= !(libc::ECHO | libc::ECHONL);
        assert_eq!(libc::tcsetattr(slave.as_raw_fd(), libc::TCSANOW, &raw const settings), 0);
    }
    (master, slave)
}

#[test]
fn a_terminal() {
    within_a_minute(|| {
        let (mut master, slave) = terminal();
        // Twice Ctrl-D: for the child's end of input, and for ours.
        master.write_all(text().as_bytes()).unwrap();
        master.write_all(b"\x04\x04").unwrap();
        takes_turns(slave.as_fd(), Method::Byte);
    });
}

/// Somebody who appends what they are told to, and says when that is done.
struct Appender {
    child: std::process::Child,
    done: BufReader<std::process::ChildStdout>,
}

impl Appender {
    fn new(path: &Path) -> Appender {
        let script = r#"while IFS= read -r line; do printf '%s\n' "$line" >>"$0"; echo done; done"#;
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(path).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("sh");
        let done = BufReader::new(child.stdout.take().unwrap());
        Appender { child, done }
    }

    fn append(&mut self, line: &str) {
        writeln!(self.child.stdin.as_ref().unwrap(), "{line}").unwrap();
        let mut done = String::new();
        self.done.read_line(&mut done).unwrap();
        assert_eq!(done, "done\n");
    }
}

#[test]
fn another_process_appends_between_lines() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut appender = Appender::new(file.path());
    // Also where every write of this descriptor would go to the end.
    let input = OpenOptions::new().read(true).append(true).open(file.path()).unwrap();
    let mut reader = ExactLineReader::new(&input);
    assert!(reader.next_line().unwrap().is_none());
    for number in 1..=20 {
        appender.append(&format!("ours {number}"));
        appender.append(&format!("theirs {number}"));
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!(line.as_bytes(), format!("ours {number}").as_bytes());
        assert_eq!(line.number(), 2 * number - 1);
        appender.append(&format!("later {number}"));
        let theirs = child("IFS= read -r line; printf '%s' \"$line\"", input.as_fd());
        assert_eq!(theirs, format!("theirs {number}"));
        assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), format!("later {number}").as_bytes());
        assert!(reader.next_line().unwrap().is_none());
    }
    drop(appender.child.stdin.take());
    assert!(appender.child.wait().unwrap().success());
}

/// Not in step with the reader: what comes out, put together, is what was appended.
#[test]
fn another_process_appends_meanwhile() {
    let lines = 2000;
    let file = tempfile::NamedTempFile::new().unwrap();
    let script = format!(r#"i=0; while [ $i -lt {lines} ]; do i=$((i+1)); echo "line $i" >>"$0"; done"#);
    let mut appender = Command::new("sh").args(["-c", &script]).arg(file.path()).spawn().expect("sh");
    let mut reader = ExactLineReader::new(file.reopen().unwrap());
    let mut seen = Vec::new();
    let mut finished = false;
    loop {
        match reader.next_line().unwrap() {
            Some(line) => seen.extend_from_slice(line.with_terminator()),
            None if finished => break,
            None => finished = appender.try_wait().unwrap().is_some(),
        }
    }
    assert!(appender.wait().unwrap().success());
    let all: String = (1..=lines).map(|number| format!("line {number}\n")).collect();
    assert!(seen == all.as_bytes());
}
