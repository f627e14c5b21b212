//! The lines of a packed-refs file: a header, refs, and what the tags among them peel to.

use super::refname;

/// What git writes.
pub(crate) const HEADER: &str = "# pack-refs with: peeled fully-peeled sorted \n";

/// How many hexadecimal digits an object id has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Digits {
    Sha1 = 40,
    Sha256 = 64,
}

impl Digits {
    /// git knows from the repository's configuration; here the first record tells.
    pub(crate) fn of(first_record: &[u8]) -> Self {
        match first_record.first_chunk::<64>() {
            Some(id) if is_hex(id) => Self::Sha256,
            _ => Self::Sha1,
        }
    }
}

/// `ID NAME`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ref<'a> {
    pub(crate) id: &'a [u8],
    pub(crate) name: &'a [u8],
}

impl<'a> Ref<'a> {
    /// From a line's content; `None` if it is something else. The name may be any.
    ///
    /// A space stands before the name; what else git takes for one, it takes here too. Not LF though: git
    /// would go on to the next line for the name.
    pub(crate) fn parse(content: &'a [u8], digits: Digits) -> Option<Self> {
        let (id, rest) = content.split_at_checked(digits as usize)?;
        let (space, name) = rest.split_first()?;
        (is_hex(id) && matches!(space, b' ' | b'\t' | b'\r')).then_some(Self { id, name })
    }

    /// As git prints it, whatever case its digits are in.
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        out.extend(self.id.to_ascii_lowercase());
        out.push(b' ');
        out.extend_from_slice(self.name);
        out.push(b'\n');
    }
}

/// Whether a whole line is a ref of a good name under refs/, and stands here as git prints it.
#[inline(always)]
pub(crate) fn stands(line: &[u8], digits: Digits) -> bool {
    fn check<const N: usize>(line: &[u8]) -> bool {
        let Some((id, rest)) = line.split_first_chunk::<N>() else { return false };
        is_lower_hex(id) && rest.starts_with(b" refs/") && refname::is_good_ref(&rest[1..])
    }
    match digits {
        Digits::Sha1 => check::<40>(line),
        Digits::Sha256 => check::<64>(line),
    }
}

/// Whether a line's content says what the ref before peels to: `^ID`.
#[inline(always)]
pub(crate) fn is_peel(content: &[u8], digits: Digits) -> bool {
    fn check<const N: usize>(id: &[u8]) -> bool {
        id.try_into().is_ok_and(|digits: &[u8; N]| is_lower_hex(digits) || is_hex(digits))
    }
    content.strip_prefix(b"^").is_some_and(|id| match digits {
        Digits::Sha1 => check::<40>(id),
        Digits::Sha256 => check::<64>(id),
    })
}

/// Whether a line belongs to the ref before, or would if it were well formed.
pub(crate) fn is_continuation(content: &[u8]) -> bool {
    content.starts_with(b"^")
}

/// Whether a line is a comment. Only the first may be one, but no search minds a second.
pub(crate) fn is_comment(content: &[u8]) -> bool {
    content.starts_with(b"#")
}

/// What a record is looked up by: all behind the id and a separator. Any line has one.
pub(crate) fn key(digits: Digits) -> fn(&[u8]) -> &[u8] {
    match digits {
        Digits::Sha1 => |content| content.get(41..).unwrap_or_default(),
        Digits::Sha256 => |content| content.get(65..).unwrap_or_default(),
    }
}

/// Without a branch a byte.
#[inline(always)]
fn is_lower_hex<const N: usize>(id: &[u8; N]) -> bool {
    id.iter().fold(true, |all, &byte| all & (byte.wrapping_sub(b'0') < 10 || byte.wrapping_sub(b'a') < 6))
}

pub(crate) fn is_hex(id: &[u8]) -> bool {
    id.iter().all(u8::is_ascii_hexdigit)
}
