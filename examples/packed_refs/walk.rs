//! One record after the other, each checked as git checks it.

use wholeline::Line;

use super::fault::{self, Fault};
use super::record::{self, Digits, Ref};
use super::refname::{self, Verdict};

/// What to do with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Print it as it stands.
    Stands,
    /// Print it as git writes it.
    Rewrite,
    /// Nothing.
    Skip,
    /// Nothing, and stop.
    End,
}

/// Where in the file one is.
pub(crate) struct Walk<'p> {
    digits: Digits,
    prefix: Option<&'p [u8]>,
    /// The name before; only of refs that are listed.
    previous: Vec<u8>,
    in_order: bool,
    /// A peel line may come.
    after_ref: bool,
    /// Once the peel line that may come has come.
    pending: Pending,
    /// What git says on the way, as it says it.
    pub(crate) warnings: Vec<u8>,
}

#[derive(PartialEq, Eq)]
enum Pending {
    Nothing,
    Warning(Vec<u8>),
    End,
}

impl<'p> Walk<'p> {
    /// Starts at the first record, or where the names begin that start with the prefix.
    pub(crate) fn new(digits: Digits, prefix: Option<&'p [u8]>) -> Self {
        Self {
            digits,
            prefix,
            previous: Vec::new(),
            in_order: true,
            after_ref: false,
            pending: Pending::Nothing,
            warnings: Vec::new(),
        }
    }

    /// Whether each name listed so far was no less than the one before.
    pub(crate) fn is_in_order(&self) -> bool {
        self.in_order
    }

    /// The next line.
    #[inline(always)]
    pub(crate) fn line(&mut self, line: &Line<'_>) -> Result<Step, Fault> {
        if record::is_continuation(line) {
            if !self.after_ref || !record::is_peel(line, self.digits) || !line.is_terminated() {
                return Err(self.peel_fault(line));
            }
            self.after_ref = false;
            return Ok(if self.pending == Pending::Nothing { Step::Skip } else { self.settle() });
        }
        if self.pending != Pending::Nothing && self.settle() == Step::End {
            return Ok(Step::End);
        }
        self.after_ref = true;
        if !record::stands(line.with_terminator(), self.digits) {
            return self.other_line(line);
        }
        let name = &line.as_bytes()[self.digits as usize + 1..];
        if self.prefix.is_some_and(|prefix| !refname::matches(name, prefix)) {
            return self.other_line(line);
        }
        self.follows(name);
        Ok(Step::Stands)
    }

    /// One that comes first or second has nothing to do with the ref before, of which git warns first.
    #[cold]
    fn peel_fault(&mut self, line: &Line<'_>) -> Fault {
        if !self.after_ref {
            self.settle();
        }
        Fault::line(line.with_terminator())
    }

    /// All but a good ref that is listed as it stands.
    #[cold]
    fn other_line(&mut self, line: &Line<'_>) -> Result<Step, Fault> {
        let found = Ref::parse(line, self.digits).filter(|_| line.is_terminated());
        let Some(Ref { name, .. }) = found else { return Err(Fault::line(line.with_terminator())) };
        let verdict = refname::judge(name);
        match verdict {
            Verdict::Dangerous => return Err(Fault::dangerous(name)),
            Verdict::HoldsNul => return Err(Fault::holds_nul(name)),
            Verdict::Good | Verdict::Broken => {}
        }
        if self.prefix.is_some_and(|prefix| !name.starts_with(prefix)) {
            self.pending = Pending::End;
            return Ok(Step::Skip);
        }
        if verdict == Verdict::Broken {
            let message = [b"ignoring ref with broken name ", name].concat();
            self.pending = Pending::Warning(fault::line("warning: ", &message));
            return Ok(Step::Skip);
        }
        if refname::is_root(name) || self.prefix.is_some_and(|prefix| !refname::matches(name, prefix)) {
            return Ok(Step::Skip);
        }
        self.follows(name);
        Ok(Step::Rewrite)
    }

    /// The last line was given.
    pub(crate) fn finish(&mut self) {
        self.settle();
    }

    /// The record before is complete, and nothing was wrong with it.
    #[cold]
    fn settle(&mut self) -> Step {
        match std::mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Nothing => Step::Skip,
            Pending::Warning(warning) => {
                self.warnings.extend(warning);
                Step::Skip
            }
            Pending::End => Step::End,
        }
    }

    #[inline(always)]
    fn follows(&mut self, name: &[u8]) {
        self.in_order &= &self.previous[..] <= name;
        self.previous.clear();
        self.previous.extend_from_slice(name);
    }
}
