//! Calling a run off, by a call and by a signal.

use std::io::ErrorKind;
use std::time::Duration;

use herm_sandbox::process::{Cancel, Ending};
use rustix::process::{Signal, getpid, kill_process};

use crate::test::{Test, eventually};

#[test]
fn what_was_called_off_before_ends_at_once() {
    let cancel = Cancel::new().unwrap();
    assert!(!cancel.is_cancelled());
    cancel.cancel();
    cancel.cancel();
    for _ in 0..2 {
        let outcome = Test::bash("sleep 100").run_until(&cancel);
        assert_eq!(outcome.execution.ending, Ending::Cancelled);
        assert!(outcome.execution.duration < Duration::from_secs(2));
    }
    assert_eq!(cancel.signal(), None);
}

/// Which signals have a handler in this process, as bits.
#[expect(clippy::disallowed_methods, reason = "tests look for themselves")]
fn handled() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(line.trim(), 16).unwrap()
}

#[test]
fn signals_are_heard_once_asked_for_and_given_back() {
    let stop = |handled: u64| [1, 2, 3, 15].map(|signal| handled >> (signal - 1) & 1);
    let before = handled();
    assert_eq!(stop(before), [0; 4]);
    for signal in [Signal::TERM, Signal::INT] {
        let cancel = Cancel::on_signals().unwrap();
        assert_eq!(stop(handled()), [1; 4]);
        assert_eq!(
            Cancel::on_signals().unwrap_err().kind(),
            ErrorKind::ResourceBusy,
            "there is one a process"
        );
        assert!(!cancel.is_cancelled() && cancel.signal().is_none());
        kill_process(getpid(), signal).unwrap();
        assert!(eventually(|| cancel.is_cancelled()));
        assert_eq!(cancel.signal(), Some(signal.as_raw()));
        drop(cancel);
        assert_eq!(handled(), before);
    }
}
