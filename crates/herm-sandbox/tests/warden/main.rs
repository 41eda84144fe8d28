//! Work in a process of its own, tried by a program with one thread. Without a harness, it lists its tests and runs them as one does.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![expect(clippy::print_stdout, reason = "tests are listed there")]
#![expect(clippy::panic, reason = "a child is to panic")]
#![expect(clippy::disallowed_methods, reason = "there is to be another thread")]

use std::io::{Read, Write, pipe};
use std::time::{Duration, Instant};

use herm_sandbox::guarded;

type Work = fn() -> (Vec<u8>, fn());

const TESTS: &[(&str, fn())] = &[
    ("nothing_is_done_where_there_are_threads", nothing_is_done_where_there_are_threads),
    ("the_end_comes_in_any_case", the_end_comes_in_any_case),
    ("what_is_done_comes_back_whole", what_is_done_comes_back_whole),
    (
        "what_is_left_to_do_is_done_and_nobody_waits_for_it",
        what_is_left_to_do_is_done_and_nobody_waits_for_it,
    ),
    ("whatever_ends_the_child_is_noticed", whatever_ends_the_child_is_noticed),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let says = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let wanted: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted =
        |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str()));
    for (name, test) in TESTS.iter().filter(|(name, _)| is_wanted(name)) {
        match (says("--list"), says("--ignored")) {
            (_, true) => {}
            (true, false) => println!("{name}: test"),
            (false, false) => test(),
        }
    }
}

fn soon() -> Instant {
    Instant::now() + Duration::from_mins(1)
}

fn what_is_done_comes_back_whole() {
    let long = vec![b'x'; 1 << 20];
    assert_eq!(guarded(soon(), || (long.clone(), || ())).unwrap(), Some(long));
}

fn whatever_ends_the_child_is_noticed() {
    let ends: [Work; 3] = [|| panic!("on purpose"), || std::process::abort(), || (vec![deeper(1)], || ())];
    for work in ends {
        assert_eq!(guarded(soon(), work).unwrap(), None);
    }
}

#[expect(unconditional_recursion, reason = "the stack is to overflow")]
fn deeper(depth: u8) -> u8 {
    let here = std::hint::black_box([depth; 4096]);
    deeper(depth.wrapping_add(1)).wrapping_add(here.iter().copied().fold(0, u8::wrapping_add))
}

/// Whoever waited for it would wait for ever: it goes on by a word that comes when nobody waits any more.
fn what_is_left_to_do_is_done_and_nobody_waits_for_it() {
    let (mut word, mut say) = pipe().unwrap();
    let (mut trace, mut leave) = pipe().unwrap();
    let said = guarded(soon(), || {
        let afterwards = || {
            word.read_exact(&mut [0]).unwrap();
            leave.write_all(b"t").unwrap();
        };
        (b"said".to_vec(), afterwards)
    });
    assert_eq!(said.unwrap().as_deref(), Some(b"said".as_slice()));
    say.write_all(b"w").unwrap();
    drop(leave);
    let mut left = String::new();
    trace.read_to_string(&mut left).unwrap();
    assert_eq!(left, "t");
}

/// Nobody ever writes to what the child reads: it is ended. If it were not, this would not end either.
fn the_end_comes_in_any_case() {
    let (mut never, _open) = pipe().unwrap();
    let forever = || {
        let _ = never.read(&mut [0]);
        (b"over".to_vec(), || ())
    };
    assert_eq!(guarded(Instant::now() + Duration::from_millis(50), forever).unwrap(), None);
}

fn nothing_is_done_where_there_are_threads() {
    let (mut end, hold) = pipe().unwrap();
    let other = std::thread::spawn(move || end.read(&mut [0]));
    let (mut trace, leave) = pipe().unwrap();
    let outcome = guarded(soon(), || {
        (&leave).write_all(b"t").unwrap();
        (Vec::new(), || ())
    });
    assert!(outcome.is_err(), "{outcome:?}");
    drop((hold, leave));
    other.join().unwrap().unwrap();
    assert_eq!(trace.read(&mut [0]).unwrap(), 0, "nothing was done");
}
