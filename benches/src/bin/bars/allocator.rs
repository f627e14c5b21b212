//! The system's allocator, and a count of what is asked of it, while somebody wants to know.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering::Relaxed};

/// Off but for the time of a [`counted`]: measured loops pay for a load and a branch that is never taken.
static ON: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicUsize = AtomicUsize::new(0);
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

/// See the module.
pub(crate) struct Counting;

/// What was asked for since the count began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    /// How often something was allocated or made larger.
    pub(crate) calls: usize,
    /// The most bytes that were allocated at once.
    pub(crate) peak: usize,
}

/// Counts while `f` runs. One at a time, and no other thread should allocate.
pub(crate) fn counted<T>(f: impl FnOnce() -> T) -> T {
    CALLS.store(0, Relaxed);
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    ON.store(true, Relaxed);
    let value = f();
    ON.store(false, Relaxed);
    value
}

/// The count so far.
pub(crate) fn usage() -> Usage {
    Usage { calls: CALLS.load(Relaxed), peak: PEAK.load(Relaxed).max(0) as usize }
}

fn count(calls: usize, bytes: isize) {
    CALLS.fetch_add(calls, Relaxed);
    let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(live, Relaxed);
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if ON.load(Relaxed) {
            count(1, layout.size() as isize);
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if ON.load(Relaxed) {
            count(1, layout.size() as isize);
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if ON.load(Relaxed) {
            count(1, size as isize - layout.size() as isize);
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        if ON.load(Relaxed) {
            count(0, -(layout.size() as isize));
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(at, layout) }
    }
}
