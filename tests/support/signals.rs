//! Signals that interrupt what a thread waits for.

use std::os::unix::thread::JoinHandleExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread::{self, JoinHandle};

static CAUGHT: AtomicUsize = AtomicUsize::new(0);

extern "C" fn count(_: libc::c_int) {
    CAUGHT.fetch_add(1, Ordering::SeqCst);
}

/// Sends many signals to a thread, each after the one before was caught, as long as it has not ended: either each came
/// before the thread waited, or it interrupted it; of so many most did.
///
/// The handler and its count are the whole process's, so one test waits for another.
pub(crate) fn interrupt<T>(thread: &JoinHandle<T>) {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| {
        // SAFETY: the handler does nothing but add to an atomic; without SA_RESTART it interrupts what waits.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = count as extern "C" fn(libc::c_int) as usize;
            assert_eq!(libc::sigaction(libc::SIGUSR1, &action, std::ptr::null_mut()), 0);
        }
    });
    for _ in 0..200 {
        if thread.is_finished() {
            return;
        }
        let caught = CAUGHT.load(Ordering::SeqCst);
        #[allow(clippy::unnecessary_cast, reason = "on musl std and libc have different types for it")]
        let to = thread.as_pthread_t() as libc::pthread_t;
        // SAFETY: the thread has not been joined.
        unsafe { libc::pthread_kill(to, libc::SIGUSR1) };
        while CAUGHT.load(Ordering::SeqCst) == caught && !thread.is_finished() {
            thread::yield_now();
        }
    }
}
