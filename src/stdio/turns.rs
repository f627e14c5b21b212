//! Turns on a stream, for a system whose lock cannot be taken from outside: those who read lines here wait for each
//! other. C code does not know of it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The streams that somebody is at.
static BUSY: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static DONE: Condvar = Condvar::new();

fn busy() -> MutexGuard<'static, Vec<usize>> {
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for the stream at this address. Not for one that the thread is at already.
pub(super) fn take(stream: usize) {
    let mut busy = busy();
    while busy.contains(&stream) {
        busy = DONE.wait(busy).unwrap_or_else(PoisonError::into_inner);
    }
    busy.push(stream);
}

/// Gives it to whoever waits.
pub(super) fn give(stream: usize) {
    busy().retain(|&at| at != stream);
    DONE.notify_all();
}
