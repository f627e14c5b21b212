//! The parser of the example git_config: what git 2.47.3 said to each of these files when it was asked.

#[path = "../examples/git_config/parser.rs"]
mod parser;

use std::io::{self, Read};

use wholeline::{LineReader, LineReaderBuilder};

use parser::{Error, Parser};

/// So many bytes a read, at most.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = out.len().min(self.1);
        self.0.read(&mut out[..n])
    }
}

/// As `git config --list` prints it, and the line of the error, if there is one.
fn listed(reader: LineReader<impl Read>) -> (Vec<u8>, Option<u64>) {
    let mut parser = Parser::new(reader);
    let mut list = Vec::new();
    loop {
        match parser.next_entry() {
            Ok(Some(entry)) => {
                list.extend_from_slice(entry.name);
                if let Some(value) = entry.value {
                    list.push(b'=');
                    list.extend_from_slice(value);
                }
                list.push(b'\n');
            }
            Ok(None) => return (list, None),
            Err(Error::Syntax { line, .. }) => return (list, Some(line)),
            Err(Error::Read(error)) => panic!("a slice cannot fail: {error}"),
        }
    }
}

/// This list, and an error in this line, however the file arrives.
fn check(file: impl AsRef<[u8]>, list: impl AsRef<[u8]>, line: Option<u64>) {
    let file = file.as_ref();
    let expected = (list.as_ref().to_vec(), line);
    let shown = file.escape_ascii();
    assert_eq!(listed(LineReader::new(file)), expected, "{shown}");
    for n in 1..4 {
        assert_eq!(listed(LineReader::new(Pieces(file, n))), expected, "{shown}, {n} bytes a read");
    }
    let small = LineReaderBuilder::new().capacity(1).build(file);
    assert_eq!(listed(small), expected, "{shown}, a buffer of one byte");
}

fn good(file: impl AsRef<[u8]>, list: impl AsRef<[u8]>) {
    check(file, list, None);
}

fn bad(file: impl AsRef<[u8]>, line: u64) {
    check(file, b"", Some(line));
}

#[test]
fn p22_bom_and_crlf() {
    good(b"\xef\xbb\xbf[core]\r\n\tbare = true\r\n\r\n", "core.bare=true\n");
    good("\r\n[a]\r\n\r\nk=v\r\n", "a.k=v\n");
    good(b"\xef\xbb\xbf", "");
    bad(b"\xef\xbb\xbf\xef\xbb\xbf[a]\n", 1);
    bad(b"\xef\xbb[a]\nk=v\n", 1);
    check(b"[a]\nk=v\n\xff\n", "a.k=v\n", Some(3));
    good("[a]\n\tk = v\rw\n", "a.k=v\rw\n");
    good("[a]\n\tk = v\r", "a.k=v\n");
    good("[a]\n\tk = \"v\r\"", "a.k=v\r\n");
}

#[test]
fn a_piece_of_a_bom() {
    bad(b"\xef", 2);
    bad(b"\xef\n", 2);
    bad(b"\xefx", 1);
    bad(b"\xef\xbb", 2);
    bad(b"\n\xef\xbb\xbf", 2);
}

#[test]
fn p23_continuations() {
    good("[a]\n\tk = line1\\\n line2\n", "a.k=line1 line2\n");
    good("[a]\n\tk = v\\\r\n w\r\n", "a.k=v w\n");
    good("[a]\n\tk = v\\\\\n\tj = w\n", "a.k=v\\\na.j=w\n");
    good("[a]\n\tk = v\\", "a.k=v\n");
    good("[a]\n\tk = v\\\n", "a.k=v\n");
    good("[a]\n\tk = v # c\\\n\tj = 2\n", "a.k=v\na.j=2\n");
    good("[a]\n\tk", "a.k\n");
    good("[a]\n\tk =   \n\tj = a\n", "a.k=\na.j=a\n");
}

#[test]
fn blanks() {
    good("[a]\nk = a  b\t c  \n", "a.k=a  b\t c\n");
    good("[a]\nk = \"a  \"  \n", "a.k=a  \n");
    good("[a]\nk = \"\"  x\n", "a.k=x\n");
    good("[a]\nk = a \"\" \n", "a.k=a \n");
    good("[a]\nk=v \\\n", "a.k=v \n");
    good("[a]\nk= \\\n  x\n", "a.k=x\n");
    good("[a]\nk=a\\\n\\\n b  \\\n\n", "a.k=a b  \n");
    good("[a]k = a\rb \r c\r\r\n", "a.k=a\rb \r c\n");
    good(b"[a]\nk=\x0bv\x0b\n", b"a.k=\x0bv\x0b\n");
    bad(b"[a]\nk\x0b=v\n", 2);
    bad(b"\x0c", 1);
}

#[test]
fn quotes_escapes_and_comments() {
    good("[a]\nk=\\n\\t\\b\\\"\\\\\n", b"a.k=\n\t\x08\"\\\n");
    bad("[a]\nk=\\r\n", 2);
    bad("[a]\nk=v\\#c\n", 2);
    bad("[a]\nk=\\\rx\n", 2);
    good("[a]\nk=a\"b c\"d\n", "a.k=ab cd\n");
    good("[a]\nk=\"a;b\";c\n", "a.k=a;b\n");
    good("[a]\nk=\"#\\\n;\"#\"\n", "a.k=#;\n");
    good("[a]\nk=\"a\\\nb\"\n", "a.k=ab\n");
    bad("[a]\nk=\"a\n", 2);
    bad("[a]\nk=\"a", 2);
    // The end of the input is met twice.
    bad("[a]\nk=\"a\\", 3);
    bad("[a]\nk=\"a\\\n", 3);
    good("# c\0\n;\n[a]#k\n", "");
}

#[test]
fn sections() {
    good("k=v\n", "k=v\n");
    good("[Foo.Bar]\nKey=v\n", "foo.bar.key=v\n");
    good("[Foo \"Bar\"]\nKey=v\n", "foo.Bar.key=v\n");
    good("[Foo.Bar \"Baz\"]\nKey=v\n", "foo.bar.Baz.key=v\n");
    good("[foo \"b\\\\a\\\"r\\n\"]k=v\n", "foo.b\\a\"rn.k=v\n");
    good("[foo \r\t\"bar\"]k\n", "foo.bar.k\n");
    good("[a \"\"]k\n[ \"x\"]k\n[..a]k\n[a][b]k\n", "a..k\n.x.k\n..a.k\nb.k\n");
    bad("[]\nk=v\n", 1);
    bad("[a ]k\n", 1);
    bad("[a_]k\n", 1);
    bad("[a\"x\"]k", 1);
    bad("[a \"x\"y]k", 1);
    bad("[a \"x\r\ny\"]k", 1);
    bad("[a \"x\\\ny\"]k", 1);
    bad("[a\r\n", 1);
    bad("[a ", 1);
    // Where no line ends before the header does, git says where it is at.
    bad("[a", 2);
    bad("[a \"x\"", 2);
    bad("[a \"x\"\n]", 2);
    check("[a]k=1\n[]\nj\n", "a.k=1\n", Some(2));
}

#[test]
fn names() {
    good("[a]\nK1-=v\n", "a.k1-=v\n");
    good("[a]\nk \t= =v\n", "a.k==v\n");
    bad("[a]\n-k=v\n", 2);
    bad("[a]\n1k=v\n", 2);
    bad("[a]\nk_=v\n", 2);
    bad("[a]\nk v\n", 2);
    bad("[a]\nk # c\n", 2);
    bad("[a]\nk\r=v\n", 2);
    check("[a]\nk\r\n=v\n", "a.k\n", Some(3));
    bad(b"[a]\n\xe9=1\n", 2);
}

#[test]
fn nul_ends_a_string_and_is_no_part_of_a_name() {
    good("[a]\nk=v\0w\nj=x\0\n", "a.k=v\na.j=x\n");
    good("[a]\nk=v \0 w \0 # c\nj=\0\n", "a.k=v \na.j=\n");
    good("[a \"b\0c\0\"]k=v\nj\n[b]k\n", "a.b=v\na.b\nb.k\n");
    good("[a \"\\\0b\"]k\n", "a.\n");
    bad("[a]\nk\0=v\n", 2);
    bad("[a\0]k\n", 1);
    bad("[a]k=\\\0\n", 1);
    bad("\0", 1);
}

#[test]
fn values_of_any_length() {
    let long = "v".repeat(1 << 20);
    let file = format!("[a]\nk = {long} # {long}\n\tj = \"{long}\nx");
    assert_eq!(listed(LineReader::new(file.as_bytes())), (format!("a.k={long}\n").into_bytes(), Some(3)));
}

/// What a source reports is handed on, and takes nothing away from what stood before it.
#[test]
fn an_error_of_the_source() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::TimedOut.into())
        }
    }
    let mut parser = Parser::new(LineReader::new((&b"[a]\nk\nj = "[..]).chain(Fails)));
    assert_eq!(parser.next_entry().unwrap().unwrap().name, b"a.k");
    match parser.next_entry() {
        Err(Error::Read(error)) => assert_eq!(error.kind(), io::ErrorKind::TimedOut),
        other => panic!("{other:?}"),
    }
}
