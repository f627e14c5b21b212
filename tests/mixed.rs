//! Lines, then bytes that are none, then lines again, from one reader, at every seam of its buffer.

mod support;

#[path = "mixed/bundle_header.rs"]
mod bundle_header;

use std::io::{self, ErrorKind, Read};

use sha1::{Digest, Sha1};
use wholeline::{LineReader, LineReaderBuilder, Terminator};

use support::script::{Source, Step};

const CAPACITIES: [usize; 5] = [1, 2, 3, 7, 4096];

/// With each capacity, and with reads of one byte, of a few, and of all there is.
fn each_way(input: &[u8], terminator: Terminator, check: impl Fn(&mut LineReader<Source>)) {
    for capacity in CAPACITIES {
        for piece in [1, 2, 5, input.len()] {
            let source = Source::new(input, vec![Step::Give(piece); input.len()]);
            let mut reader = LineReaderBuilder::new().capacity(capacity).terminator(terminator).build(source);
            check(&mut reader);
            assert_eq!(reader.offset(), input.len() as u64, "capacity {capacity}, reads of {piece}");
        }
    }
}

fn at<R>(reader: &LineReader<R>) -> (u64, u64) {
    (reader.offset(), reader.line_number())
}

// ---- HTTP.

/// What a client makes of a response. `at` is where the reader stood: offset and line number, at the first byte of
/// each chunk and behind the message.
#[derive(Debug, Default, PartialEq)]
struct Response {
    /// The lines before the body.
    head: Vec<String>,
    body: Vec<u8>,
    trailers: Vec<String>,
    at: Vec<(u64, u64)>,
}

/// Lines up to an empty one.
fn lines(reader: &mut LineReader<impl Read>) -> io::Result<Vec<String>> {
    let mut lines = Vec::new();
    loop {
        let line = whole_line(reader)?;
        if line.is_empty() {
            return Ok(lines);
        }
        lines.push(line);
    }
}

fn whole_line(reader: &mut LineReader<impl Read>) -> io::Result<String> {
    match reader.next_line()? {
        Some(line) if line.is_terminated() => Ok(line.to_string()),
        _ => Err(ErrorKind::UnexpectedEof.into()),
    }
}

fn response(reader: &mut LineReader<impl Read>) -> io::Result<Response> {
    let mut response = Response { head: lines(reader)?, ..Response::default() };
    assert!(response.head.iter().any(|line| line == "Transfer-Encoding: chunked"));
    loop {
        let line = whole_line(reader)?;
        let digits = line.split(';').next().unwrap_or_default();
        let size = u64::from_str_radix(digits, 16).map_err(|_| ErrorKind::InvalidData)?;
        response.at.push(at(reader));
        if size == 0 {
            break;
        }
        if reader.take(size).read_to_end(&mut response.body)? as u64 != size {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        if !whole_line(reader)?.is_empty() {
            return Err(ErrorKind::InvalidData.into());
        }
    }
    response.trailers = lines(reader)?;
    response.at.push(at(reader));
    Ok(response)
}

/// Two of them, and a line behind. Chunks begin and end with halves of a CRLF, and look like chunks.
const RESPONSES: &[u8] = b"HTTP/1.1 200 OK\r\n\
    Transfer-Encoding: chunked\r\n\
    \r\n\
    4\r\n\n0\r\n\r\n\
    A;name=\"a b\"\r\n\r\n0\r\n\r\n\0\xff\r\r\n\
    000\r\n\
    Digest: none\r\n\
    Expires: never\r\n\
    \r\n\
    HTTP/1.1 404 Not Found\r\n\
    Transfer-Encoding: chunked\r\n\
    \r\n\
    1\r\n\n\r\n\
    0\r\n\
    \r\n\
    last";

#[test]
fn http_with_a_chunked_body() {
    each_way(RESPONSES, Terminator::CRLF, |reader| {
        assert_eq!(
            response(reader).unwrap(),
            Response {
                head: vec!["HTTP/1.1 200 OK".into(), "Transfer-Encoding: chunked".into()],
                body: b"\n0\r\n\r\n0\r\n\r\n\0\xff\r".to_vec(),
                trailers: vec!["Digest: none".into(), "Expires: never".into()],
                at: vec![(50, 5), (70, 9), (87, 14), (119, 17)],
            }
        );
        assert_eq!(
            response(reader).unwrap(),
            Response {
                head: vec!["HTTP/1.1 404 Not Found".into(), "Transfer-Encoding: chunked".into()],
                body: b"\n".to_vec(),
                trailers: vec![],
                at: vec![(176, 21), (182, 24), (184, 25)],
            }
        );
        let last = reader.next_line().unwrap().unwrap();
        assert_eq!((last.as_bytes(), last.offset(), last.number()), (&b"last"[..], 184, 25));
        assert!(!last.is_terminated());
        assert!(reader.next_line().unwrap().is_none());
    });
}

/// Where the stream breaks off, no response comes out.
#[test]
fn http_cut_off() {
    let whole = 119;
    for end in 0..whole {
        each_way(&RESPONSES[..end], Terminator::CRLF, |reader| {
            assert_eq!(response(reader).unwrap_err().kind(), ErrorKind::UnexpectedEof, "cut at {end}");
        });
    }
    each_way(&RESPONSES[..whole], Terminator::CRLF, |reader| {
        assert!(response(reader).is_ok());
    });
}

// ---- A bundle.

const ONE: &str = "ba3e49f6ad4f46bb9f629947b7d5fdb2f4859598";
const TWO: &str = "d91d0505243341d4bf9eda1f75b6aa376c406149";

/// A pack of one blob, stored without compression: "\r\n\n\0PACK\n". `git index-pack` takes it.
const PACK: &[u8] = b"PACK\0\0\0\x02\0\0\0\x01\
    \x39\x78\x01\x01\x09\x00\xf6\xff\r\n\n\0PACK\n\x05\x11\x01\x4b\
    \x43\x6e\x89\x89\x58\x1c\x54\xd9\x8b\x7f\x82\x12\xe8\x28\x69\x3c\xbd\xdc\x88\xc9";

#[test]
fn a_bundle_and_lines_behind_it() {
    let header = format!("# v2 git bundle\n-{ONE} one\n{TWO} refs/heads/main\n{TWO} refs/tags/v1\r\n\n");
    let input = [header.as_bytes(), PACK, b"behind\n\nit"].concat();
    each_way(&input, Terminator::LF, |reader| {
        assert_eq!(
            bundle_header::read(reader).unwrap(),
            bundle_header::Header {
                prerequisites: vec![format!("{ONE} one")],
                // No CR is special here.
                references: vec![format!("{TWO} refs/heads/main"), format!("{TWO} refs/tags/v1\r")],
            }
        );
        assert_eq!(at(reader), (175, 6));

        let mut pack = vec![0; PACK.len()];
        reader.read_exact(&mut pack).unwrap();
        assert_eq!(pack, PACK);
        let (body, trailer) = pack.split_at(pack.len() - 20);
        assert_eq!(Sha1::digest(body)[..], *trailer);

        // Three LFs were in it.
        let mut rest = Vec::new();
        while let Some(line) = reader.next_line().unwrap() {
            rest.push((line.to_string(), line.offset(), line.number()));
        }
        let want = [("behind", 228, 9), ("", 235, 10), ("it", 236, 11)];
        assert_eq!(rest, want.map(|(line, offset, number)| (line.to_owned(), offset, number)));
    });
}
