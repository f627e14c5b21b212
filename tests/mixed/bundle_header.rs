//! git's bundles: a few lines that say what is in it, an empty line, and a pack. For the tests here and for those
//! that ask git.

use std::io::{self, Read};

use wholeline::LineReader;

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Header {
    /// `<oid> <comment>`: what must be there before.
    pub(crate) prerequisites: Vec<String>,
    /// `<oid> <name>`.
    pub(crate) references: Vec<String>,
}

/// Reads the header; the next byte is then the first of the pack.
pub(crate) fn read(bundle: &mut LineReader<impl Read>) -> io::Result<Header> {
    let mut header = Header::default();
    while let Some(line) = bundle.next_line()?.filter(|line| line.is_terminated()) {
        if line.number() == 1 {
            assert_eq!(line.as_bytes(), b"# v2 git bundle");
        } else if line.is_empty() {
            return Ok(header);
        } else if let Some(prerequisite) = line.strip_prefix(b"-") {
            header.prerequisites.push(String::from_utf8_lossy(prerequisite).into_owned());
        } else {
            header.references.push(line.to_string());
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}
