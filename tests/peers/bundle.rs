//! Bundles that git has made: the header by lines, the pack by bytes, from one reader.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use sha1::{Digest, Sha1};
use wholeline::LineReader;

#[path = "../mixed/bundle_header.rs"]
mod bundle_header;

use crate::support::{git, run};

/// What git prints, which must succeed.
#[track_caller]
fn said(directory: &Path, args: &[&str], stdin: &[u8]) -> String {
    let output = run(git(directory, args), stdin);
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
#[ignore = "asks git"]
fn the_header_and_the_pack_of_a_bundle() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    said(path, &["init", "-q", "--object-format=sha1", "--initial-branch=main"], b"");
    said(path, &["config", "user.name", "A"], b"");
    said(path, &["config", "user.email", "a@b"], b"");
    for n in 0..30 {
        // Not much of this can be compressed, and LFs are everywhere in it.
        let content: Vec<u8> =
            (0..3000_u32).map(|i| ((i + n).wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        fs::write(path.join(format!("file{n}")), content).unwrap();
        said(path, &["add", "."], b"");
        said(path, &["commit", "-q", "-m", &format!("number  {n}")], b"");
    }
    said(path, &["tag", "v1"], b"");

    for (range, commits_before) in [("main", 0), ("HEAD~7..main", 1)] {
        said(path, &["bundle", "create", "-q", "--version=2", "b", range, "v1"], b"");
        let before = match commits_before {
            0 => String::new(),
            _ => said(path, &["log", "--format=%H %s", "-1", "HEAD~7"], b""),
        };
        let heads = said(path, &["bundle", "list-heads", "b"], b"");
        let bytes = fs::read(path.join("b")).unwrap();
        for capacity in [1, 2, 3, 7, 4096] {
            let mut reader = LineReader::with_capacity(capacity, File::open(path.join("b")).unwrap());
            let header = bundle_header::read(&mut reader).unwrap();
            assert_eq!(
                (text(&header.prerequisites), text(&header.references)),
                (before.clone(), heads.clone())
            );
            // The first line, those that git tells of, and the empty one.
            let lines = 2 + before.lines().count() + heads.lines().count();
            assert_eq!(reader.line_number(), 1 + lines as u64);
            let header_len = "# v2 git bundle\n\n".len() + (before.len() + commits_before) + heads.len();
            assert_eq!(reader.offset(), header_len as u64);

            let mut pack = Vec::new();
            reader.read_to_end(&mut pack).unwrap();
            assert!(pack == bytes[header_len..] && pack.starts_with(b"PACK"));
            let (body, trailer) = pack.split_at(pack.len() - 20);
            assert_eq!(Sha1::digest(body)[..], *trailer);
            let lfs = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert_eq!((reader.offset(), reader.line_number()), (bytes.len() as u64, 1 + lfs));

            if capacity == 4096 {
                // One that builds on commits before it has deltas to what is not in it, which git puts in.
                let indexed = said(path, &["index-pack", "--stdin", "--fix-thin"], &pack);
                let name: String = trailer.iter().map(|byte| format!("{byte:02x}")).collect();
                assert!(indexed == format!("pack\t{name}\n") || commits_before > 0, "{indexed}");
            }
        }
    }
}
