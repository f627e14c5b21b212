//! Which names git lets a ref have, without an allocation and without a look at a name twice.

/// What git does with a record of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Lists it.
    Good,
    /// Warns, and leaves it out.
    Broken,
    /// Stops: as a path, the name would lead out of refs/.
    Dangerous,
    /// Stops, since 2.50. Before, it took what stands before the NUL for the name.
    HoldsNul,
}

/// Judges a name.
pub(crate) fn judge(name: &[u8]) -> Verdict {
    match name {
        _ if is_good(name) => Verdict::Good,
        _ if name.contains(&0) => Verdict::HoldsNul,
        _ if is_safe(name) => Verdict::Broken,
        _ => Verdict::Dangerous,
    }
}

/// No name has these bytes in it.
const FORBIDDEN: [bool; 256] = {
    let mut forbidden = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        forbidden[byte] = byte <= 0x20 || byte == 0x7f;
        byte += 1;
    }
    let others = b"~^:?[\\*";
    let mut at = 0;
    while at < others.len() {
        forbidden[others[at] as usize] = true;
        at += 1;
    }
    forbidden
};

/// The rules of git-check-ref-format, with names of one component allowed.
pub(crate) fn is_good(name: &[u8]) -> bool {
    let mut before = b'/';
    for &byte in name {
        let pair = matches!((before, byte), (b'/', b'/' | b'.') | (b'.', b'.') | (b'@', b'{'));
        if pair || FORBIDDEN[usize::from(byte)] {
            return false;
        }
        before = byte;
    }
    // Where there is nothing, the last byte is the '/' before the first component.
    !matches!(before, b'/' | b'.') && name != b"@" && !has_lock(name)
}

/// Whether a component ends with `.lock`: git makes such files beside those of the refs.
fn has_lock(name: &[u8]) -> bool {
    name.split(|&byte| byte == b'/').any(|component| component.ends_with(b".lock"))
}

/// So many bytes are looked at together: what every processor can.
const TOGETHER: usize = 16;

/// The same for a name that starts with `refs/`, given with the LF behind it.
///
/// There is no branch a byte: each pair of neighbours is looked at for what it must not be, and the LF makes
/// a pair of the last byte too.
#[inline]
pub(crate) fn is_good_ref(name_and_lf: &[u8]) -> bool {
    let Some(last) = name_and_lf.len().checked_sub(TOGETHER + 1) else {
        return name_and_lf.strip_suffix(b"\n").is_some_and(is_good);
    };
    let mut signs = 0;
    let mut at = 0;
    while at < last {
        signs |= signs_at(name_and_lf, at);
        at += TOGETHER;
    }
    // The last ones, some of them for the second time.
    signs |= signs_at(name_and_lf, last);
    signs == 0 || signs == MAY_BE_LOCK && !has_lock(&name_and_lf[..name_and_lf.len() - 1])
}

#[inline(always)]
fn signs_at(name_and_lf: &[u8], at: usize) -> u8 {
    match (name_and_lf[at..].first_chunk(), name_and_lf[at + 1..].first_chunk()) {
        (Some(first), Some(second)) => signs(first, second),
        _ => BAD,
    }
}

const BAD: u8 = 1;
/// A component ends with `k`, as `.lock` does.
const MAY_BE_LOCK: u8 = 2;

/// What is to be said of the bytes of `first`, each with its neighbour in `second`.
#[inline(always)]
fn signs(first: &[u8; TOGETHER], second: &[u8; TOGETHER]) -> u8 {
    let mut signs = [0; TOGETHER];
    for ((sign, &a), &b) in signs.iter_mut().zip(first).zip(second) {
        let forbidden = (a <= b' ') | (a | 1 == 0x7f) | (a & 0xef == b'*') | (a == b'?');
        let forbidden = forbidden | (a == b'[') | (a == b'\\') | (a == b'^');
        let end = (b == b'/') | (b == b'\n');
        let pair = (a == b'.') & ((b == b'.') | (b == b'\n')) | (a == b'/') & ((b == b'.') | end);
        let pair = pair | (a == b'@') & (b == b'{');
        let lock = (a == b'k') & end;
        *sign = (BAD * u8::from(forbidden | pair)) | (MAY_BE_LOCK * u8::from(lock));
    }
    signs.iter().fold(0, |all, sign| all | sign)
}

/// Whether a name that breaks the rules is harmless as a path: under refs/, and with no component that would
/// vanish or climb.
fn is_safe(name: &[u8]) -> bool {
    name.strip_prefix(b"refs/").is_some_and(|rest| {
        !rest.split(|&byte| byte == b'/').any(|component| matches!(component, b"" | b"." | b".."))
    })
}

/// Whether it is one of HEAD and its kind, which a repository has beside its refs.
pub(crate) fn is_root(name: &[u8]) -> bool {
    const OTHERS: [&[u8]; 6] = [
        b"HEAD",
        b"AUTO_MERGE",
        b"BISECT_EXPECTED_REV",
        b"NOTES_MERGE_PARTIAL",
        b"NOTES_MERGE_REF",
        b"MERGE_AUTOSTASH",
    ];
    (name.ends_with(b"_HEAD") || OTHERS.contains(&name))
        && name.iter().all(|&byte| byte.is_ascii_uppercase() || matches!(byte, b'-' | b'_'))
}

/// Whether `git for-each-ref PREFIX` shows the ref: it is the ref's name, or some of its components.
pub(crate) fn matches(name: &[u8], prefix: &[u8]) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| {
        matches!(rest.first(), None | Some(b'/')) && !prefix.is_empty() || prefix.ends_with(b"/")
    })
}
