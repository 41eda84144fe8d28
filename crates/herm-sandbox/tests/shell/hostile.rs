//! Calls that do not come back, and what the next one finds.

use std::time::Duration;

use herm_sandbox::process::Ending;

use crate::test::{BOTH, Test, alive, eventually, mark};

/// Texts after which nobody says what the shell has become, and how long they may take.
const LOST: &[(&str, Ending)] = &[
    ("kill -9 $$", Ending::Signalled(9)),
    ("exec cat", Ending::Exited(0)),
    ("exec sleep 0", Ending::Exited(0)),
    ("trap 'echo bye' EXIT; exit 2", Ending::Exited(2)),
    ("builtin() { :; }; x=1", Ending::Exited(0)),
    ("enable -n declare shopt; x=1", Ending::Exited(0)),
];

/// Texts that run for ever.
const ENDLESS: &[&str] = &[
    "while :; do :; done",
    "trap '' TERM INT HUP; while :; do :; done",
    "kill -STOP $$",
    "trap 'while :; do :; done' EXIT; exit",
    "trap 'kill -STOP $$' DEBUG; true",
    "PROMPT_COMMAND='while :; do :; done'; sleep 1000",
    "f() { f2 & f2; }; f2() { sleep 1000; }; f",
    "mkfifo p; read -r x < p",
    "stty raw; sleep 1000",
];

#[test]
fn who_does_not_say_what_he_has_become_harms_nobody() {
    for at in BOTH {
        let mut test = Test::new(at);
        for (text, ending) in LOST {
            let outcome = test.call(text);
            assert_eq!(outcome.ending, *ending, "{at:?}: {text}");
            let known = outcome.account.is_some_and(|account| account.variables.contains("declare"));
            assert!(!known, "{at:?}: {text}");
            assert_eq!(test.call("echo fine").stdout, "fine\n", "{at:?}: after {text}");
        }
    }
}

#[test]
fn what_runs_for_ever_is_ended_and_harms_nobody() {
    for at in BOTH {
        let mut test = Test::new(at);
        for text in ENDLESS {
            let outcome = test.call_within(text, Duration::from_millis(400));
            assert_eq!(outcome.ending, Ending::TimedOut, "{at:?}: {text}");
            let next = test.call("echo fine");
            assert_eq!((next.stdout.as_str(), next.stderr.as_str()), ("fine\n", ""), "{at:?}: after {text}");
            let _ = test.call("rm -f p");
        }
    }
}

#[test]
fn the_time_limit_ends_everything_that_the_call_has_started() {
    for at in BOTH {
        let mut test = Test::new(at);
        let marks = [mark(), mark(), mark()];
        let [plain, session, orphan] = &marks;
        let script = format!(
            "sleep {plain} & setsid sleep {session} & (setsid sh -c 'sleep {orphan} & exit' &); while :; do sleep 0.1; done"
        );
        let outcome = test.call_within(&script, Duration::from_millis(600));
        assert_eq!(outcome.ending, Ending::TimedOut, "{at:?}");
        assert_eq!(marks.iter().map(|mark| alive(mark)).sum::<usize>(), 0, "{at:?}");
    }
}

#[test]
fn the_time_limit_of_one_call_does_not_end_what_another_left() {
    for at in BOTH {
        let mut test = Test::new(at);
        let kept = mark();
        let _ = test.call(&format!("sleep {kept} &"));
        let _ = test.call_within("while :; do :; done", Duration::from_millis(300));
        assert_eq!(alive(&kept), 1, "{at:?}");
        drop(test);
        assert!(eventually(|| alive(&kept) == 0), "{at:?}: it ends with the shell");
    }
}

#[test]
fn who_kills_everybody_ends_the_shell_and_the_next_begins_anew() {
    let mut test = Test::new(crate::test::Where::Confined);
    let left = mark();
    let _ = test.call(&format!("sleep {left} &"));
    let outcome = test.call("kill -9 -1");
    assert!(outcome.begins_anew || matches!(outcome.ending, Ending::Signalled(_)));
    assert_eq!(alive(&left), 0);
}

#[test]
fn who_kills_its_supervisor_ends_the_shell() {
    for at in BOTH {
        let mut test = Test::new(at);
        let left = mark();
        let outcome = test.call(&format!("sleep {left} & kill -9 $PPID; sleep 5"));
        assert!(outcome.begins_anew, "{at:?}");
        assert!(eventually(|| alive(&left) == 0), "{at:?}");
        assert_eq!(test.call("echo fine").stdout, "fine\n", "{at:?}");
    }
}
