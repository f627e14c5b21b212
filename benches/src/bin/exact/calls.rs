//! Counts system calls, every one of them: a child makes them, and its parent traces it.

use std::io::{self, Error};
use std::ptr::null_mut;

/// How many system calls `f` makes; an error if it returns false.
///
/// The process must have no other thread.
pub(crate) fn count(f: impl FnOnce() -> bool) -> io::Result<u64> {
    // SAFETY: with one thread only, the child may do whatever its parent may.
    match unsafe { libc::fork() } {
        -1 => Err(Error::last_os_error()),
        0 => {
            // SAFETY: it lets itself be traced by its parent, which waits for the stop, and does not return.
            unsafe {
                libc::ptrace(libc::PTRACE_TRACEME, 0, null_mut::<u8>(), null_mut::<u8>());
                libc::raise(libc::SIGSTOP);
                let status = i32::from(!f());
                libc::_exit(status)
            }
        }
        child => trace(child),
    }
}

fn trace(child: libc::pid_t) -> io::Result<u64> {
    let status = wait(child)?;
    assert!(libc::WIFSTOPPED(status) && libc::WSTOPSIG(status) == libc::SIGSTOP, "status {status:#x}");
    // What stops it at a call can then be told from a signal.
    request(libc::PTRACE_SETOPTIONS, child, libc::PTRACE_O_TRACESYSGOOD as usize)?;
    let mut stops = 0;
    loop {
        request(libc::PTRACE_SYSCALL, child, 0)?;
        let status = wait(child)?;
        if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0 {
            // Two stops a call; the first is the return from `raise`, the last the entry to `_exit`.
            return Ok((stops - 2) / 2);
        }
        if !libc::WIFSTOPPED(status) || libc::WSTOPSIG(status) != libc::SIGTRAP | 0x80 {
            return Err(Error::other(format!("what was to be counted failed: status {status:#x}")));
        }
        stops += 1;
    }
}

fn wait(child: libc::pid_t) -> io::Result<i32> {
    let mut status = 0;
    // SAFETY: `status` is an int to write to.
    match unsafe { libc::waitpid(child, &raw mut status, 0) } {
        -1 => Err(Error::last_os_error()),
        _ => Ok(status),
    }
}

fn request(what: libc::c_uint, child: libc::pid_t, data: usize) -> io::Result<()> {
    // SAFETY: neither request writes to memory; `data` is flags or the number of a signal.
    match unsafe { libc::ptrace(what as _, child, null_mut::<u8>(), data as *mut u8) } {
        -1 => Err(Error::last_os_error()),
        _ => Ok(()),
    }
}
