//! The set of lines of the example `dedup`: against a slow one, and what it takes of memory.

#[path = "../examples/dedup/set.rs"]
mod set;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use bumpalo::Bump;
use proptest::prelude::*;

use set::LineSet;

thread_local! {
    // A thread of its own runs each test, so that tests do not count each other's.
    static NOW: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

impl Counting {
    fn add(bytes: isize) {
        NOW.set(NOW.get() + bytes);
        MOST.set(MOST.get().max(NOW.get()));
    }
}

// SAFETY: hands everything on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Counting::add(layout.size() as isize);
        // SAFETY: the caller's promises are those that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Counting::add(size as isize - layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        Counting::add(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Puts these lines in, and holds the most memory that was ever taken against one and a half times their bytes
/// and 64 for each, at every size on the way.
fn takes_little(line_len: impl Fn(u32) -> usize, count: u32) {
    // What a small set takes, however small: the first pieces of everything.
    const BASE: isize = 96 * 1024;
    let mut line = Vec::with_capacity(1 << 20);
    let arena = Bump::new();
    let mut set = LineSet::new(&arena);
    let before = NOW.get();
    MOST.set(before);
    let mut bytes = 0;
    for n in 0..count {
        line.clear();
        line.resize(line_len(n), b'-');
        line[..4].copy_from_slice(&n.to_le_bytes());
        assert!(set.insert(&line).unwrap());
        bytes += line.len() as isize;
        let allowed = bytes * 3 / 2 + 64 * (n as isize + 1) + BASE;
        let taken = MOST.get() - before;
        assert!(taken <= allowed, "{taken} bytes, not {allowed}, for {n} lines of {bytes} bytes");
    }
    assert!(NOW.get() - before > bytes, "the lines are in there");
}

#[test]
fn memory_for_short_lines() {
    takes_little(|_| 4, 600_000);
}

#[test]
fn memory_for_lines_of_words() {
    takes_little(|n| 5 + (n % 11) as usize, 500_000);
}

#[test]
fn memory_for_long_lines() {
    takes_little(|n| 100 + (n * 7919 % 1000) as usize, 60_000);
}

#[test]
fn memory_for_very_long_lines_among_others() {
    takes_little(|n| if n % 500 == 499 { 70_000 } else { 80 }, 50_000);
}

/// What was seen before takes nothing.
#[test]
fn no_memory_for_a_repeated_line() {
    let arena = Bump::new();
    let mut set = LineSet::new(&arena);
    let mut round = || {
        for n in 0..10_000_u32 {
            set.insert(&n.to_le_bytes()).unwrap();
        }
    };
    round();
    let before = NOW.get();
    MOST.set(before);
    round();
    assert_eq!((NOW.get(), MOST.get()), (before, before));
}

proptest! {
    #[test]
    fn as_a_slow_set(lines in prop::collection::vec(prop::collection::vec(0..3_u8, 0..6), 0..400)) {
        let arena = Bump::new();
        let mut set = LineSet::new(&arena);
        let mut model: Vec<(&[u8], u64)> = Vec::new();
        for line in &lines {
            let known = model.iter_mut().find(|(known, _)| known == line);
            prop_assert_eq!(set.insert(line).unwrap(), known.is_none());
            match known {
                Some((_, count)) => *count += 1,
                None => model.push((line, 1)),
            }
        }
        let got: Vec<_> = set.lines().iter().map(|seen| (seen.line, seen.count)).collect();
        prop_assert_eq!(got, model);
    }
}
