//! Tests that must not hang.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// A reader that waits for more than it needs makes both sides wait for ever: that is to fail, not to hang.
pub(crate) fn within_a_minute<T: Send + 'static>(test: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = channel();
    let thread = thread::spawn(move || done.send(test()));
    match result.recv_timeout(Duration::from_secs(60)) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => panic!("both sides wait for each other"),
        Err(_) => std::panic::resume_unwind(thread.join().expect_err("it panicked")),
    }
}
