//! `check`: everything that is wrong with a file, each with its line's number.

use std::cmp::Ordering;
use std::collections::HashMap;

use bstr::BStr;
use wholeline::{Line, LineRead};

use super::fault::Trouble;
use super::record::{self, Digits, Ref};
use super::refname::{self, Verdict};
use super::snapshot::Header;

/// Looks at all lines, and tells `report` of each fault the line's number and what it is.
pub(crate) fn check(
    mut lines: impl LineRead,
    mut report: impl FnMut(u64, &str) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut check = Check { digits: None, after_ref: false, names: Names::Unsorted(HashMap::new()) };
    while let Some(line) = lines.next_line()? {
        if let Err(fault) = check.line(&line) {
            report(line.number(), &fault)?;
        }
        if !line.is_terminated() {
            report(line.number(), "the last line has no LF: git refuses the file")?;
        }
    }
    Ok(())
}

struct Check {
    /// From the first record on.
    digits: Option<Digits>,
    after_ref: bool,
    names: Names,
}

/// What is needed to see that a name comes in the wrong place, or again.
enum Names {
    /// The header says that they are in order: the last in order, without those that are not, so that what comes after
    /// one of them is no fault too; and the last of all.
    Sorted { previous: Option<Vec<u8>>, last: Option<Vec<u8>> },
    /// Nobody says so: all of them, and their lines' numbers.
    Unsorted(HashMap<Vec<u8>, u64>),
}

impl Check {
    fn line(&mut self, line: &Line<'_>) -> Result<(), String> {
        if line.number() == 1 && record::is_comment(line) {
            return match Header::parse(&[line.as_bytes(), b"\n"].concat()) {
                Ok(Header { sorted: true, .. }) => {
                    self.names = Names::Sorted { previous: None, last: None };
                    Ok(())
                }
                Ok(_) => Ok(()),
                Err(_) => Err(format!("not a header: {}", quoted(line))),
            };
        }
        let digits = *self.digits.get_or_insert_with(|| Digits::of(line));
        if record::is_continuation(line) {
            let expected = std::mem::replace(&mut self.after_ref, false);
            return match record::is_peel(line, digits) {
                true if expected => Ok(()),
                true => Err("a peeled id without a ref before it".to_owned()),
                false => Err(format!("not a peeled id: {}", quoted(line))),
            };
        }
        let found = Ref::parse(line, digits);
        self.after_ref = found.is_some();
        let Some(Ref { name, .. }) = found else { return Err(format!("not a ref: {}", quoted(line))) };
        match refname::judge(name) {
            Verdict::Good => self.names.add(name, line.number()),
            Verdict::Broken => {
                // It has its place in the order all the same.
                let _ = self.names.add(name, line.number());
                Err(format!("broken refname: {}", quoted(name)))
            }
            Verdict::Dangerous => Err(format!("dangerous refname: {}", quoted(name))),
            Verdict::HoldsNul => Err(format!("refname with a NUL in it: {}", quoted(name))),
        }
    }
}

impl Names {
    fn add(&mut self, name: &[u8], number: u64) -> Result<(), String> {
        match self {
            Self::Sorted { previous, last } => {
                let before = previous.as_deref().unwrap_or_default();
                let again = previous.as_deref() == Some(name) || last.as_deref() == Some(name);
                let result = match name.cmp(before) {
                    _ if again => Err(format!("again: {}", quoted(name))),
                    Ordering::Less => Err(format!("out of order: {} after {}", quoted(name), quoted(before))),
                    _ => Ok(()),
                };
                if result.is_ok() {
                    *previous = Some(name.to_vec());
                }
                *last = Some(name.to_vec());
                result
            }
            Self::Unsorted(numbers) => match numbers.get(name) {
                Some(first) => Err(format!("again, as in line {first}: {}", quoted(name))),
                None => {
                    numbers.insert(name.to_vec(), number);
                    Ok(())
                }
            },
        }
    }
}

/// The start of it, safe for a terminal.
fn quoted(text: &[u8]) -> String {
    const MOST: usize = 80;
    let dots = if text.len() > MOST { "..." } else { "" };
    format!("{:?}{dots}", BStr::new(&text[..text.len().min(MOST)]))
}
