//! What makes git give up on a file, in its words.

use std::io;

use bstr::ByteSlice;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The file is not as git wants it.
    Fault(Fault),
    /// The file cannot be read.
    Read(io::Error),
    /// What was found cannot be printed.
    Print(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What git finds wrong, with the text it quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Unterminated(Vec<u8>),
    Unexpected(Vec<u8>),
    Dangerous(Vec<u8>),
    HoldsNul(Vec<u8>),
}

impl Fault {
    /// Something is wrong with the line that starts here. If it is the last one and lacks its LF, git says
    /// that.
    pub(crate) fn line(rest: &[u8]) -> Self {
        let quoted = |line: &[u8]| {
            let (shown, dots) = if line.len() < 80 { (line, "") } else { (&line[..75], "...") };
            [up_to_nul(shown), dots.as_bytes()].concat()
        };
        match rest.find_byte(b'\n') {
            Some(end) => Self::Unexpected(quoted(&rest[..end])),
            None => Self::Unterminated(quoted(rest)),
        }
    }

    pub(crate) fn dangerous(name: &[u8]) -> Self {
        Self::Dangerous(name.to_vec())
    }

    pub(crate) fn holds_nul(name: &[u8]) -> Self {
        Self::HoldsNul(up_to_nul(name).to_vec())
    }

    /// git's words for it, with the file's name where git has it.
    pub(crate) fn message(&self, file: &[u8]) -> Vec<u8> {
        match self {
            Self::Unterminated(text) => [b"unterminated line in ", file, b": ", text].concat(),
            Self::Unexpected(text) => [b"unexpected line in ", file, b": ", text].concat(),
            Self::Dangerous(name) => [b"packed refname is dangerous: ", &name[..]].concat(),
            Self::HoldsNul(name) => [b"packed refname contains embedded NULL: ", &name[..]].concat(),
        }
    }
}

/// A line for standard error as git writes it: no longer than its buffer, and safe for a terminal.
pub(crate) fn line(prefix: &str, message: &[u8]) -> Vec<u8> {
    const LONGEST: usize = 4095;
    let mut line = [prefix.as_bytes(), message].concat();
    line.truncate(LONGEST);
    for byte in &mut line[prefix.len()..] {
        if byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n') {
            *byte = b'?';
        }
    }
    line.push(b'\n');
    line
}

/// What C takes for the string.
fn up_to_nul(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == 0).next().unwrap_or_default()
}
