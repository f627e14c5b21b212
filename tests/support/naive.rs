//! Lines of a byte slice, found one byte at a time. What everything else is held against.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terminator {
    Byte(u8),
    CrLf,
    Universal,
}

impl Terminator {
    pub(crate) const LF: Terminator = Terminator::Byte(b'\n');

    /// The same thing as the crate spells it.
    pub(crate) fn of_the_crate(self) -> wholeline::Terminator {
        match self {
            Terminator::LF => wholeline::Terminator::LF,
            Terminator::Byte(0) => wholeline::Terminator::NUL,
            Terminator::Byte(byte) => wholeline::Terminator::byte(byte),
            Terminator::CrLf => wholeline::Terminator::CRLF,
            Terminator::Universal => wholeline::Terminator::UNIVERSAL,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Delimiter,
    CrLf,
    Eof,
    Limit,
}

impl From<wholeline::Ending> for Ending {
    fn from(ending: wholeline::Ending) -> Ending {
        match ending {
            wholeline::Ending::Delimiter => Ending::Delimiter,
            wholeline::Ending::CrLf => Ending::CrLf,
            wholeline::Ending::Eof => Ending::Eof,
            wholeline::Ending::Limit => Ending::Limit,
            other => panic!("an ending the tests do not know: {other:?}"),
        }
    }
}

/// A line, copied out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) content: Vec<u8>,
    pub(crate) whole: Vec<u8>,
    pub(crate) ending: Ending,
    pub(crate) offset: u64,
    pub(crate) number: u64,
}

impl From<wholeline::Line<'_>> for Line {
    fn from(line: wholeline::Line<'_>) -> Line {
        Line {
            content: line.as_bytes().to_vec(),
            whole: line.with_terminator().to_vec(),
            ending: line.ending().into(),
            offset: line.offset(),
            number: line.number(),
        }
    }
}

/// The first line of a slice: how long its content is, how long the whole of it, and how it ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) content: usize,
    pub(crate) whole: usize,
    pub(crate) ending: Ending,
}

/// `None` if no terminator is in `bytes`.
pub(crate) fn first_line(terminator: Terminator, bytes: &[u8]) -> Option<Span> {
    for (at, &byte) in bytes.iter().enumerate() {
        let plain = Span { content: at, whole: at + 1, ending: Ending::Delimiter };
        match (terminator, byte) {
            (Terminator::Byte(delimiter), _) if byte == delimiter => return Some(plain),
            (Terminator::CrLf, b'\n') if at > 0 && bytes[at - 1] == b'\r' => {
                return Some(Span { content: at - 1, ending: Ending::CrLf, ..plain });
            }
            (Terminator::Universal, b'\r') if bytes.get(at + 1) == Some(&b'\n') => {
                return Some(Span { whole: at + 2, ending: Ending::CrLf, ..plain });
            }
            (Terminator::CrLf, b'\n') | (Terminator::Universal, b'\n' | b'\r') => return Some(plain),
            _ => {}
        }
    }
    None
}

/// Every line of `bytes`, the unterminated rest too.
pub(crate) fn split(terminator: Terminator, bytes: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let span = first_line(terminator, rest).unwrap_or(Span {
            content: rest.len(),
            whole: rest.len(),
            ending: Ending::Eof,
        });
        lines.push(Line {
            content: rest[..span.content].to_vec(),
            whole: rest[..span.whole].to_vec(),
            ending: span.ending,
            offset: at as u64,
            number: lines.len() as u64 + 1,
        });
        at += span.whole;
    }
    lines
}
