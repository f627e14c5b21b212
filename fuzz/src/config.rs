//! The target `config`: the parser of examples/git_config.
//!
//! An input is a config file as it stands, so that a corpus can also be shown to git.

use std::io::{self, Read};

use arbitrary::{Arbitrary, Unstructured};
use wholeline::{LineReader, LineReaderBuilder};

use crate::seeds::Seed;

#[path = "../../examples/git_config/parser.rs"]
mod parser;

use parser::{Error, Parser};

/// A config file.
#[derive(Debug)]
pub struct Config(Vec<u8>);

impl<'a> Arbitrary<'a> for Config {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        input.bytes(input.len()).map(|bytes| Config(bytes.to_vec()))
    }
}

type Entry = (Vec<u8>, Option<Vec<u8>>);

impl Config {
    /// Panics where it matters how a file arrives, or where entries do not survive being written down.
    pub fn check(&self) {
        let file = &self.0[..];
        let whole = entries(LineReader::new(file));
        assert_eq!(entries(LineReader::new(ByteWise(file))), whole, "a byte a read");
        let small = LineReaderBuilder::new().capacity(1).build(file);
        assert_eq!(entries(small), whole, "a buffer of one byte");

        let (entries_found, error) = whole;
        if let Some(line) = error {
            // The end of the input counts as a line, and twice in quotes behind a backslash.
            let lines = file.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            assert!((1..=lines + 2).contains(&line), "an error in line {line} of {lines}");
        }
        // A NUL may cut the key off, and then there is nothing to be written.
        if !file.contains(&0) {
            let written = written(&entries_found);
            let again = entries(LineReader::new(&written[..]));
            assert_eq!(again, (entries_found, None), "{}", written.escape_ascii());
        }
    }
}

struct ByteWise<'a>(&'a [u8]);

impl Read for ByteWise<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = out.len().min(1);
        self.0.read(&mut out[..n])
    }
}

/// All entries, and the line of the error that ended them.
fn entries(reader: LineReader<impl Read>) -> (Vec<Entry>, Option<u64>) {
    let mut parser = Parser::new(reader);
    let mut entries = Vec::new();
    loop {
        match parser.next_entry() {
            Ok(Some(entry)) => entries.push((entry.name.to_vec(), entry.value.map(<[u8]>::to_vec))),
            Ok(None) => return (entries, None),
            Err(Error::Syntax { line, .. }) => return (entries, Some(line)),
            Err(Error::Read(error)) => panic!("a slice cannot fail: {error}"),
        }
    }
}

/// A file that sets just this, with everything quoted that can be.
fn written(entries: &[Entry]) -> Vec<u8> {
    let mut file = Vec::new();
    for (name, value) in entries {
        let mut parts = name.rsplitn(2, |&byte| byte == b'.');
        let key = parts.next().expect("at least one");
        if let Some(section) = parts.next() {
            let mut parts = section.splitn(2, |&byte| byte == b'.');
            file.push(b'[');
            file.extend_from_slice(parts.next().expect("at least one"));
            if let Some(subsection) = parts.next() {
                file.extend_from_slice(b" \"");
                for &byte in subsection {
                    file.extend([b'\\', byte]);
                }
                file.push(b'"');
            }
            file.push(b']');
        }
        file.extend_from_slice(key);
        if let Some(value) = value {
            file.extend_from_slice(b"=\"");
            for &byte in value {
                match byte {
                    b'\n' => file.extend_from_slice(b"\\n"),
                    b'\t' => file.extend_from_slice(b"\\t"),
                    b'\x08' => file.extend_from_slice(b"\\b"),
                    b'"' | b'\\' => file.extend([b'\\', byte]),
                    _ => file.push(byte),
                }
            }
            file.push(b'"');
        }
        file.push(b'\n');
    }
    file
}

pub(crate) fn seeds() -> Vec<Seed> {
    const FILES: &[(&str, &[u8])] = &[
        ("p22-bom", b"\xef\xbb\xbf[core]\r\n\tbare = true\r\n\r\n"),
        ("p22-crlf", b"\r\n[a]\r\n\r\nk=v\r\n"),
        ("p22-bom-only", b"\xef\xbb\xbf"),
        ("p22-bom-twice", b"\xef\xbb\xbf\xef\xbb\xbf[a]\nk=v\n"),
        ("p22-bom-cut", b"\xef\xbb[a]\nk=v\n"),
        ("p22-ff", b"[a]\nk=v\n\xff\n"),
        ("p22-cr", b"[a]\n\tk = v\rw\n"),
        ("p22-cr-last", b"[a]\n\tk = v\r"),
        ("p22-cr-quoted", b"[a]\n\tk = \"v\r\""),
        ("p23-continued", b"[a]\n\tk = line1\\\n line2\n"),
        ("p23-crlf", b"[a]\n\tk = v\\\r\n w\r\n"),
        ("p23-two-backslashes", b"[a]\n\tk = v\\\\\n\tj = w\n"),
        ("p23-end", b"[a]\n\tk = v\\"),
        ("p23-end-of-line", b"[a]\n\tk = v\\\n"),
        ("p23-comment", b"[a]\n\tk = v # c\\\n\tj = 2\n"),
        ("p23-no-value", b"[a]\n\tk"),
        ("p23-empty-value", b"[a]\n\tk =   \n\tj = a\n"),
        ("sections", b"k\n[A.B]k\n[A \"B\"]k=1\n[ \"x\"]k\n[..a]k\n[a \"\"]k\n[a \"]\\\"\\\\\\n\r\"]k\n"),
        ("values", b"[a]k=\"#;\"; c\nk=\\n\\t\\b\\\"\\\\\nk= a\"b \" c  \nk=a \"\" \nk==\nk \t=\t\r\n"),
        ("nuls", b"[a \"b\0c\"]k=v\n[b]\nk=v\0w\nj=\0 # \0\n\0"),
        ("blanks", b"[a]k=\\\n  x \\\n  y \t\\\n"),
        ("bad-section", b"[a]k\n[]\n"),
        ("bad-section-end", b"[a]k\n[b"),
        ("bad-section-line", b"[a]k\n[b\n]"),
        ("bad-subsection", b"[a \"b\\\nc\"]"),
        ("bad-subsection-end", b"[a \"b\"\n]"),
        ("bad-name", b"[a]\nk_=v\n"),
        ("bad-escape", b"[a]\nk=\\r\n"),
        ("bad-quotes", b"[a]\nk=\"v\nj=w\n"),
        ("bad-quotes-end", b"[a]\nk=\"v\\"),
    ];
    FILES.iter().map(|(name, file)| Seed::new("config", *name, file.to_vec())).collect()
}
