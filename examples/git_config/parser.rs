//! git's config syntax, a character at a time: `git help config`, CONFIGURATION FILE, and what that does not
//! say as git 2.47.3 does it.

use std::fmt;
use std::io::{self, Read};

use wholeline::LineReader;

/// What some editors put in front of UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// A variable, and what it is set to. A NUL ends either, as git keeps them in C's strings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry<'a> {
    /// `section.key` or `section.subsection.key`; all but the subsection in lower case. A key that no section
    /// stands before is a name by itself.
    pub(crate) name: &'a [u8],
    /// `None` where there is no `=`: what git takes for true.
    pub(crate) value: Option<&'a [u8]>,
}

/// Why there are no more entries.
#[derive(Debug)]
pub(crate) enum Error {
    /// The file is not what git would read.
    Syntax { line: u64, what: &'static str },
    /// It could not be read.
    Read(io::Error),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { line, what } => write!(f, "{line}: {what}"),
            Self::Read(error) => write!(f, " {error}"),
        }
    }
}

type Result<T> = std::result::Result<T, Error>;

/// Takes a config file apart, as far as the next entry at each call.
#[derive(Debug)]
pub(crate) struct Parser<R> {
    reader: LineReader<R>,
    /// The name of the last entry; its first `section` bytes are what each name in the section starts with.
    name: Vec<u8>,
    section: usize,
    /// Where a NUL ends each of them.
    nul: Option<usize>,
    value: Vec<u8>,
    /// How often the end of the input was met.
    ends: u64,
}

impl<R: Read> Parser<R> {
    pub(crate) fn new(reader: LineReader<R>) -> Self {
        Self { reader, name: Vec::new(), section: 0, nul: None, value: Vec::new(), ends: 0 }
    }

    /// The next entry, or `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// At the first thing that git would not read, and if the source cannot be read. There is nothing to be
    /// asked for after that.
    pub(crate) fn next_entry(&mut self) -> Result<Option<Entry<'_>>> {
        if self.reader.offset() == 0 {
            self.bom()?;
        }
        loop {
            match self.next()? {
                b'\n' if self.ends > 0 => return Ok(None),
                b'\n' | b' ' | b'\t' | b'\r' => {}
                b'#' | b';' => self.comment()?,
                b'[' => self.header()?,
                first if first.is_ascii_alphabetic() => return self.variable(first).map(Some),
                _ => return Err(self.bad("neither a section nor a variable starts like this")),
            }
        }
    }

    /// The next character. CR LF is LF; and so is the end of the input, as often as it is asked for.
    #[inline(always)]
    fn next(&mut self) -> Result<u8> {
        match self.reader.next_byte()? {
            Some(c) if c != b'\r' => Ok(c),
            Some(_) => self.after_cr(),
            None => {
                self.ends += 1;
                Ok(b'\n')
            }
        }
    }

    #[inline(never)]
    fn after_cr(&mut self) -> Result<u8> {
        if self.reader.peek_byte()? == Some(b'\n') {
            self.reader.next_byte()?;
            return Ok(b'\n');
        }
        Ok(b'\r')
    }

    fn bom(&mut self) -> Result<()> {
        for (at, &byte) in BOM.iter().enumerate() {
            if self.reader.peek_byte()? == Some(byte) {
                self.reader.next_byte()?;
            } else if at > 0 {
                self.next()?;
                return Err(self.bad("a piece of a byte order mark"));
            } else {
                break;
            }
        }
        Ok(())
    }

    /// What is left of the line.
    fn comment(&mut self) -> Result<()> {
        self.reader.next_line()?;
        Ok(())
    }

    /// What follows `[`.
    fn header(&mut self) -> Result<()> {
        const NO_BRACKET: &str = "the section has no ] on its line";
        self.name.clear();
        self.nul = None;
        loop {
            match self.next()? {
                b']' if !self.name.is_empty() => break,
                // The end of the line, or that of the input: git says that the one is in this line, and the
                // other behind it.
                b'\n' if self.ends == 0 => return Err(self.unfinished(NO_BRACKET)),
                b'\n' => return Err(self.bad(NO_BRACKET)),
                b' ' | b'\t' | b'\r' => {
                    self.subsection()?;
                    break;
                }
                c if is_of_a_name(c) || c == b'.' => self.name.push(c.to_ascii_lowercase()),
                _ => return Err(self.bad("a section is called by letters, digits, - and .")),
            }
        }
        self.name.push(b'.');
        self.section = self.name.len();
        Ok(())
    }

    /// What follows the space behind a section's name.
    fn subsection(&mut self) -> Result<()> {
        const NO_QUOTE: &str = "the subsection is not put in quotes, on one line";
        loop {
            match self.next()? {
                b' ' | b'\t' | b'\r' => {}
                b'"' => break,
                b'\n' => return Err(self.unfinished(NO_QUOTE)),
                _ => return Err(self.bad(NO_QUOTE)),
            }
        }
        self.name.push(b'.');
        loop {
            let c = match self.next()? {
                b'"' => break,
                b'\\' => self.next()?,
                c => c,
            };
            match c {
                b'\n' => return Err(self.unfinished(NO_QUOTE)),
                0 => self.nul = self.nul.or(Some(self.name.len())),
                _ => {}
            }
            self.name.push(c);
        }
        match self.next()? {
            b']' => Ok(()),
            _ => Err(self.bad("there is no ] behind the subsection")),
        }
    }

    /// What follows the first letter of a variable's name.
    fn variable(&mut self, first: u8) -> Result<Entry<'_>> {
        self.name.truncate(self.section);
        let mut c = first;
        while is_of_a_name(c) {
            self.name.push(c.to_ascii_lowercase());
            c = self.next()?;
        }
        while c == b' ' || c == b'\t' {
            c = self.next()?;
        }
        let value = match c {
            b'\n' => None,
            b'=' => {
                self.value()?;
                Some(&self.value[..])
            }
            _ => return Err(self.bad("a name is followed by = or by nothing")),
        };
        Ok(Entry { name: &self.name[..self.nul.unwrap_or(self.name.len())], value })
    }

    /// What follows `=`.
    fn value(&mut self) -> Result<()> {
        self.value.clear();
        // Blanks between other things are kept, those at the end are not. This many may be at the end.
        let mut blanks = 0;
        let mut nul = None;
        let mut quoted = false;
        loop {
            match self.next()? {
                // Most characters: asked for first.
                c if c.is_ascii_alphanumeric() => self.value.push(c),
                b'\n' if quoted => return Err(self.unfinished("the quotes are not closed")),
                b'\n' => break,
                c @ (b' ' | b'\t' | b'\r') if !quoted => {
                    if !self.value.is_empty() {
                        self.value.push(c);
                        blanks += 1;
                    }
                    continue;
                }
                b'#' | b';' if !quoted => {
                    self.comment()?;
                    break;
                }
                b'"' => quoted = !quoted,
                b'\\' => self.escape()?,
                c => {
                    if c == 0 {
                        nul = nul.or(Some(self.value.len()));
                    }
                    self.value.push(c);
                }
            }
            blanks = 0;
        }
        self.value.truncate(nul.unwrap_or(self.value.len() - blanks));
        Ok(())
    }

    /// What follows `\` in a value.
    fn escape(&mut self) -> Result<()> {
        let c = match self.next()? {
            // The value goes on in the next line.
            b'\n' => return Ok(()),
            b'n' => b'\n',
            b't' => b'\t',
            b'b' => b'\x08',
            c @ (b'"' | b'\\') => c,
            _ => return Err(self.bad("there is no such escape")),
        };
        self.value.push(c);
        Ok(())
    }

    /// The line is the one that the next character belongs to, and the end of the input ends a line each time
    /// it is met: so git counts.
    #[cold]
    fn bad(&self, what: &'static str) -> Error {
        Error::Syntax { line: self.reader.line_number() + self.ends, what }
    }

    /// The same where the end of the line has just been taken, of the line that it ends.
    #[cold]
    fn unfinished(&self, what: &'static str) -> Error {
        Error::Syntax { line: self.reader.line_number() + self.ends - 1, what }
    }
}

fn is_of_a_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'-'
}
