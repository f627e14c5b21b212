//! Two programs that take turns: a line to one of them, its reply, and only then the next line.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Longer than any program needs for a reply, and shorter than one waits for a test that hangs.
const DEADLINE: Duration = Duration::from_secs(60);

/// A program at the other end of two pipes.
pub(crate) struct Dialogue {
    child: Child,
    stdin: Option<ChildStdin>,
    replies: Receiver<String>,
}

impl Dialogue {
    pub(crate) fn with(mut program: Command) -> Dialogue {
        let mut child = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program:?}: {error}"));
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, replies) = channel();
        thread::spawn(move || {
            loop {
                let mut reply = String::new();
                let read = out.read_line(&mut reply).expect("a line of text");
                if read == 0 || sender.send(reply).is_err() {
                    return;
                }
            }
        });
        Dialogue { stdin: child.stdin.take(), child, replies }
    }

    pub(crate) fn say(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("not ended yet");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("somebody who reads it");
    }

    /// The next reply, a line; nothing more is said before it is here. `None` if none will come.
    pub(crate) fn reply(&mut self) -> Option<String> {
        match self.replies.recv_timeout(DEADLINE) {
            Ok(reply) => Some(reply),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no reply, and it has not ended either"),
        }
    }

    pub(crate) fn ask(&mut self, bytes: &[u8]) -> String {
        self.say(bytes);
        self.reply().unwrap_or_else(|| panic!("no reply to {}", bytes.escape_ascii()))
    }

    /// Nothing more to say: the replies that were still to come, the status, and what was said on stderr.
    pub(crate) fn end(mut self) -> (Vec<String>, Option<i32>, String) {
        self.stdin = None;
        let mut replies = Vec::new();
        while let Some(reply) = self.reply() {
            replies.push(reply);
        }
        let status = self.child.wait().expect("waiting for it");
        let mut said = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        (replies, status.code(), said)
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        // Nothing to do if it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
