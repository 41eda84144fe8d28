//! Trying something in a process of its own, which may lose its rights for good.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rustix::process::{Pid, WaitOptions, WaitStatus, waitpid};

/// How a trial ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It returned this.
    Returned(i32),
    /// It was ended by this signal.
    Killed(i32),
    /// It panicked.
    Panicked,
}

/// Runs `body` in a child. Numbers up to 255 can be returned, except the one that says that it panicked.
pub(crate) fn in_child(body: impl FnOnce() -> i32) -> Outcome {
    finish(start(body))
}

/// Starts `body` in a child.
pub(crate) fn start(body: impl FnOnce() -> i32) -> Pid {
    // SAFETY: `fork` has no arguments. The child runs test code and leaves without returning to the test.
    match unsafe { libc::fork() } {
        -1 => panic!("cannot fork"),
        0 => {
            let code = catch_unwind(AssertUnwindSafe(body)).unwrap_or(PANICKED);
            // SAFETY: `_exit` takes a number and does not return.
            unsafe { libc::_exit(code) }
        }
        pid => Pid::from_raw(pid).unwrap(),
    }
}

/// Waits for what was started.
pub(crate) fn finish(child: Pid) -> Outcome {
    let (_, status) = waitpid(Some(child), WaitOptions::empty()).unwrap().unwrap();
    outcome(status)
}

fn outcome(status: WaitStatus) -> Outcome {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(PANICKED), _) => Outcome::Panicked,
        (Some(code), _) => Outcome::Returned(code),
        (None, signal) => Outcome::Killed(signal.unwrap_or(0)),
    }
}

const PANICKED: i32 = 255;

/// Makes a call with these arguments and says which error it had: nought when it had none.
pub(crate) fn call(number: libc::c_long, arguments: [usize; 6]) -> i32 {
    let [first, second, third, fourth, fifth, sixth] = arguments;
    // SAFETY: the tests pass numbers, or pointers to what they own and the call may use.
    match unsafe { libc::syscall(number, first, second, third, fourth, fifth, sixth) } {
        -1 => std::io::Error::last_os_error().raw_os_error().unwrap_or(PANICKED),
        _ => 0,
    }
}
