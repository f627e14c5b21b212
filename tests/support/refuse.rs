//! A system that refuses a call, as sandboxes do.

use std::ffi::{c_int, c_long};
use std::thread;

/// Runs `f` in a thread of its own, for which `call` fails with `errno` and does nothing.
pub(crate) fn refusing<T: Send>(call: c_long, errno: c_int, f: impl FnOnce() -> T + Send) -> T {
    let with_filter = || {
        refuse(call, errno);
        f()
    };
    thread::scope(|scope| match scope.spawn(with_filter).join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// From now on, in this thread.
pub(crate) fn refuse(call: c_long, errno: c_int) {
    let instruction =
        |code: u32, jump_if: u8, k: u32| libc::sock_filter { code: code as u16, jt: jump_if, jf: 0, k };
    let mut program = [
        // The call's number is the first thing in what a filter is shown.
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 1, call as u32),
        instruction(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ALLOW),
        instruction(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ERRNO | errno as u32),
    ];
    let program = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: both calls change nothing but what this thread may ask of the kernel; `program` outlives them.
    let status = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            | libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program)
    };
    assert_eq!(status, 0, "seccomp: {}", std::io::Error::last_os_error());
}
