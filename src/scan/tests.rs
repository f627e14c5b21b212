//! Every kernel against one naive oracle, and in memory that ends at a page nobody may touch.

use super::{Density, End, Kernel, Needle, SLACK, Scanner};

/// One past every line end: a loop over bytes.
fn oracle(hay: &[u8], len: usize, needle: Needle) -> Vec<usize> {
    let ends = |i: usize| match needle {
        Needle::Byte(byte) => hay[i] == byte,
        Needle::CrOrLf => hay[i] == b'\n' || hay[i] == b'\r' && hay.get(i + 1) != Some(&b'\n'),
    };
    (0..len).filter(|&i| ends(i)).map(|i| i + 1).collect()
}

/// Holds every kernel's answers about the first `len` bytes against the oracle's.
fn check(hay: &[u8], len: usize, needle: Needle) {
    let expected = oracle(hay, len, needle);
    for kernel in Kernel::available() {
        let scanner = Scanner::with_kernel(needle, kernel);
        let context = || format!("{kernel:?} {needle:?} len {len} in {hay:?}");
        for density in [Density::Single, Density::Sparse, Density::Dense] {
            let mut out = vec![End::MAX; len + SLACK];
            let found = scanner.index(hay, len, density, &mut out);
            let found: Vec<_> = out[..found].iter().map(|&end| end as usize).collect();
            assert_eq!(found, expected, "{density:?} {}", context());
        }
        assert_eq!(scanner.count(hay, len), expected.len(), "{}", context());
    }
}

/// Holds the searches, which see all there is, against the oracle.
fn check_searches(hay: &[u8], needle: Needle) {
    let scanner = Scanner::new(needle);
    let expected = oracle(hay, hay.len(), needle);
    assert_eq!(scanner.find(hay), expected.first().copied(), "{needle:?} in {hay:?}");
    assert_eq!(scanner.rfind(hay), expected.last().copied(), "{needle:?} in {hay:?}");
}

/// Memory whose last byte is followed by a page that may not be touched, and whose first follows one.
#[cfg(unix)]
struct Guarded {
    pages: *mut u8,
    page: usize,
}

#[cfg(unix)]
impl Guarded {
    fn new() -> Self {
        // SAFETY: new pages of our own; nothing else has a pointer into them.
        unsafe {
            let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap();
            let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
            let pages = libc::mmap(core::ptr::null_mut(), 3 * page, libc::PROT_NONE, flags, -1, 0);
            assert_ne!(pages, libc::MAP_FAILED);
            let pages = pages.cast::<u8>();
            let readable = libc::PROT_READ | libc::PROT_WRITE;
            assert_eq!(libc::mprotect(pages.add(page).cast(), page, readable), 0);
            Self { pages, page }
        }
    }

    fn middle(&mut self) -> &mut [u8] {
        // SAFETY: the middle page is ours, readable, writable and zeroed.
        unsafe { core::slice::from_raw_parts_mut(self.pages.add(self.page), self.page) }
    }

    /// A copy that ends where the page does.
    fn at_end(&mut self, bytes: &[u8]) -> &[u8] {
        let middle = self.middle();
        let start = middle.len() - bytes.len();
        middle[start..].copy_from_slice(bytes);
        &middle[start..]
    }

    /// A copy that starts where the page does.
    fn at_start(&mut self, bytes: &[u8]) -> &[u8] {
        let middle = &mut self.middle()[..bytes.len()];
        middle.copy_from_slice(bytes);
        middle
    }
}

#[cfg(unix)]
impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the pages are ours, and no slice of them outlives the borrow it was made from.
        unsafe { libc::munmap(self.pages.cast(), 3 * self.page) };
    }
}

/// Bytes that a sloppy comparison takes for the needle, and the usual suspects.
fn fillers(needle: u8) -> [u8; 4] {
    [needle ^ 1, needle ^ 0x80, 0x00, 0xff]
}

const NEEDLES: [u8; 6] = [b'\n', 0x00, 0xff, 0x80, 0x7f, b'\r'];

#[test]
fn one_needle_at_each_position() {
    for needle in NEEDLES {
        for filler in fillers(needle).into_iter().filter(|&filler| filler != needle) {
            // Each length for the needle that everybody uses.
            for len in (0..=200).step_by(if needle == b'\n' { 1 } else { 13 }) {
                let mut hay = vec![filler; len];
                check(&hay, len, Needle::Byte(needle));
                for at in 0..len {
                    hay[at] = needle;
                    check(&hay, len, Needle::Byte(needle));
                    hay[at] = filler;
                }
            }
        }
    }
}

#[test]
fn each_alignment_and_length() {
    let mut memory = [0_u8; 64 + 200];
    for alignment in 0..64 {
        for len in 0..=200 {
            let hay = &mut memory[alignment..alignment + len];
            for (i, byte) in hay.iter_mut().enumerate() {
                *byte = if (i * i + len) % 7 == 0 { b'\n' } else { b'\n' ^ 0x80 };
            }
            check(hay, len, Needle::Byte(b'\n'));
            check_searches(hay, Needle::Byte(b'\n'));
        }
    }
}

#[test]
fn each_number_of_hits_in_a_block() {
    for hits in 0..=64 {
        for step in [1, 3, 5, 7, 11, 63] {
            let mut hay = [b'x'; 192];
            for i in 0..hits {
                hay[64 + i * step % 64] = b'\n';
            }
            check(&hay, hay.len(), Needle::Byte(b'\n'));
        }
    }
    check(&[b'\n'; 4096], 4096, Needle::Byte(b'\n'));
}

#[test]
fn cr_and_lf_at_each_pair_of_positions() {
    for len in [1, 2, 3, 63, 64, 65, 127, 128, 129, 200] {
        for (first, second) in [(b'\r', b'\n'), (b'\n', b'\r'), (b'\r', b'\r')] {
            for at in 0..len {
                for other in [at + 1, at + 2, at + 63, at + 64] {
                    let mut hay = vec![b'\r' ^ 0x80; len];
                    hay[at] = first;
                    if let Some(byte) = hay.get_mut(other) {
                        *byte = second;
                    }
                    check(&hay, len, Needle::CrOrLf);
                    check_searches(&hay, Needle::CrOrLf);
                }
            }
        }
    }
}

#[test]
fn what_follows_decides_about_a_cr_and_nothing_else() {
    for len in 0..=200 {
        for last in [b'\r', b'\n', b'x'] {
            for follower in [b'\r', b'\n', b'x'] {
                let mut hay = vec![b'x'; len];
                if let Some(byte) = hay.last_mut() {
                    *byte = last;
                }
                hay.push(follower);
                check(&hay, len, Needle::CrOrLf);
                check(&hay, len, Needle::Byte(b'\n'));
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn not_a_byte_past_either_end() {
    let mut guarded = Guarded::new();
    for len in 0..=200 {
        for needle in [Needle::Byte(b'\n'), Needle::CrOrLf] {
            let text: Vec<u8> = b"ab\n\r\ncd\rx".iter().copied().cycle().take(len).collect();
            let hay = guarded.at_end(&text);
            check(hay, len, needle);
            check(hay, len.saturating_sub(1), needle);
            check_searches(hay, needle);
            check(guarded.at_start(&text), len, needle);
        }
    }
}

#[test]
#[should_panic(expected = "room for an end a byte")]
fn too_little_room_is_refused() {
    Scanner::new(Needle::Byte(b'\n')).index(&[b'\n'; 64], 64, Density::Dense, &mut [0; 64 + SLACK - 1]);
}
