//! `list`: what `git for-each-ref --format='%(objectname) %(refname)' [PREFIX]` prints.
//!
//! git looks at all of it before it prints anything, so a fault near the end leaves nothing on standard
//! output. Here too: a first pass checks, and remembers which stretches of the file can be printed as they
//! stand; a second one prints them.

use std::io::{self, Read, Write};
use std::ops::Range;

use wholeline::{LineRead, LineReader, Lines, Terminator};

use super::fault::Trouble;
use super::record::{self, Digits, Ref};
use super::snapshot::Snapshot;
use super::walk::{Step, Walk};

/// What there is to print, and what to say before that.
#[derive(Debug)]
pub(crate) struct Listing {
    stretches: Vec<Stretch>,
    in_order: bool,
}

/// Whole lines of the file, one behind the other.
#[derive(Debug)]
struct Stretch {
    bytes: Range<usize>,
    rewrite: bool,
}

impl Listing {
    /// Checks the refs of a snapshot, or those with a prefix and the one behind. What git warns of goes to
    /// `warnings`, which are complete also where a fault ends it.
    pub(crate) fn new(
        snapshot: &Snapshot<'_>,
        prefix: Option<&[u8]>,
        warnings: &mut Vec<u8>,
    ) -> Result<Self, Trouble> {
        let start = prefix.map_or(0, |prefix| snapshot.search().lower_bound(prefix));
        let mut walk = Walk::new(snapshot.digits, prefix);
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut stretch = Stretch { bytes: 0..0, rewrite: false };
        let checked =
            each(Lines::new(&snapshot.records[start..], Terminator::LF), &mut walk, |line, step| {
                let from = start + line.offset() as usize;
                let bytes = from..from + line.with_terminator().len();
                let rewrite = step == Step::Rewrite;
                if stretch.bytes.end == from && !rewrite && !stretch.rewrite {
                    stretch.bytes.end = bytes.end;
                } else {
                    stretches.push(std::mem::replace(&mut stretch, Stretch { bytes, rewrite }));
                }
                Ok(())
            });
        stretches.push(stretch);
        let in_order = walk.is_in_order();
        warnings.append(&mut walk.warnings);
        checked.map(|()| Self { stretches, in_order })
    }

    /// Prints it.
    pub(crate) fn print(&self, snapshot: &Snapshot<'_>, to: impl Write) -> io::Result<()> {
        let Snapshot { ref records, digits } = *snapshot;
        let mut out = Output::new(to);
        if self.in_order {
            for Stretch { bytes, rewrite } in &self.stretches {
                out.line(&records[bytes.clone()], *rewrite, digits)?;
            }
            return out.finish();
        }
        // The header lied, and git sorts what it lists.
        let lines = |stretch: &Stretch| Lines::new(&records[stretch.bytes.clone()], Terminator::LF);
        let mut lines: Vec<_> = self
            .stretches
            .iter()
            .flat_map(|stretch| lines(stretch).map(|line| (line.with_terminator(), stretch.rewrite)))
            .collect();
        let key = record::key(digits);
        lines.sort_by_key(|&(line, _)| key(line));
        for (line, rewrite) in lines {
            out.line(line, rewrite, digits)?;
        }
        out.finish()
    }
}

/// The first pass over a file of which only a buffer's worth is in memory. `false`: what it lists is not in
/// order.
pub(crate) fn check_stream(
    file: impl Read,
    digits: Digits,
    prefix: Option<&[u8]>,
    warnings: &mut Vec<u8>,
) -> Result<bool, Trouble> {
    let mut walk = Walk::new(digits, prefix);
    let checked = each(LineReader::new(file), &mut walk, |_, _| Ok(()));
    warnings.append(&mut walk.warnings);
    checked.map(|()| walk.is_in_order())
}

/// The second pass, from the same place.
pub(crate) fn print_stream(
    file: impl Read,
    digits: Digits,
    prefix: Option<&[u8]>,
    to: impl Write,
) -> Result<(), Trouble> {
    let mut out = Output::new(to);
    each(LineReader::new(file), &mut Walk::new(digits, prefix), |line, step| {
        out.line(line.with_terminator(), step == Step::Rewrite, digits)
    })?;
    out.finish().map_err(Trouble::Print)
}

/// Calls `f` for each line that is to be printed.
#[inline(always)]
fn each(
    mut lines: impl LineRead,
    walk: &mut Walk<'_>,
    mut f: impl FnMut(&wholeline::Line<'_>, Step) -> io::Result<()>,
) -> Result<(), Trouble> {
    while let Some(line) = lines.next_line()? {
        match walk.line(&line)? {
            Step::Skip => {}
            Step::End => return Ok(()),
            step => f(&line, step).map_err(Trouble::Print)?,
        }
    }
    walk.finish();
    Ok(())
}

/// Collects lines, and writes many of them at a time.
struct Output<W> {
    buffer: Vec<u8>,
    to: W,
}

impl<W: Write> Output<W> {
    const MANY: usize = 64 << 10;

    fn new(to: W) -> Self {
        Self { buffer: Vec::new(), to }
    }

    #[inline]
    fn line(&mut self, line: &[u8], rewrite: bool, digits: Digits) -> io::Result<()> {
        if rewrite {
            let found = Ref::parse(line.strip_suffix(b"\n").unwrap_or(line), digits);
            found.into_iter().for_each(|found| found.append_to(&mut self.buffer));
        } else if line.len() >= Self::MANY {
            self.flush()?;
            return self.to.write_all(line);
        } else {
            self.buffer.extend_from_slice(line);
        }
        if self.buffer.len() >= Self::MANY { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.to.flush()
    }
}
