//! `get`: what `git rev-parse --verify REFNAME` prints.

use std::io;

use super::fault::{Fault, Trouble};
use super::record::{self, Digits};
use super::refname;

/// What a name stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// In lower case.
    pub(crate) id: Vec<u8>,
    /// Whether another ref could have been meant; git warns.
    pub(crate) ambiguous: bool,
}

/// Where git looks for a ref, in this order: gitrevisions(7).
const PLACES: [(&str, &str); 6] = [
    ("", ""),
    ("refs/", ""),
    ("refs/tags/", ""),
    ("refs/heads/", ""),
    ("refs/remotes/", ""),
    ("refs/remotes/", "/HEAD"),
];

/// These are never taken from packed-refs.
const LOOSE: [&[u8]; 3] = [b"HEAD", b"FETCH_HEAD", b"MERGE_HEAD"];

/// Looks a name up by `find`, which finds the first line of the record that has a key.
pub(crate) fn get(
    name: &[u8],
    digits: Digits,
    mut find: impl FnMut(&[u8]) -> io::Result<Option<Vec<u8>>>,
) -> Result<Option<Found>, Trouble> {
    // Once: what is put before or behind a good name keeps it good.
    if !refname::is_good(name) {
        return Ok(None);
    }
    let mut found: Option<Found> = None;
    for (before, behind) in PLACES {
        let full = [before.as_bytes(), name, behind.as_bytes()].concat();
        if LOOSE.contains(&&full[..]) {
            continue;
        }
        let Some(mut line) = find(&full)? else { continue };
        match line.get(..digits as usize).filter(|id| record::is_hex(id)).map(<[u8]>::to_ascii_lowercase) {
            Some(id) => {
                let ambiguous = found.is_some();
                found = Some(Found { id: found.map_or(id, |first| first.id), ambiguous });
            }
            None => {
                line.push(b'\n');
                return Err(Fault::line(&line).into());
            }
        }
    }
    Ok(found)
}
