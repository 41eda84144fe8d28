//! What goes on behind a call's back.

use std::time::{Duration, Instant};

use crate::test::{BOTH, Test, alive, eventually, mark};

#[test]
fn what_is_left_in_the_background_goes_on_until_the_shell_ends() {
    for at in BOTH {
        let mut test = Test::new(at);
        let left = mark();
        let begun = Instant::now();
        let _ = test.call(&format!("sleep {left} & disown"));
        assert!(begun.elapsed() < Duration::from_secs(10), "{at:?}: nobody waits for it");
        let _ = test.call("true");
        // It may not have become what it is called by yet.
        assert!(eventually(|| alive(&left) == 1), "{at:?}");
        drop(test);
        assert!(eventually(|| alive(&left) == 0), "{at:?}");
    }
}

#[test]
fn what_the_background_says_never_comes_with_a_later_call() {
    for at in BOTH {
        let mut test = Test::new(at);
        let first = test.call("(for i in 1 2 3 4 5 6 7 8; do sleep 0.05; echo late; echo late >&2; done; touch done) & echo now");
        assert_eq!(first.stdout, "now\n", "{at:?}");
        let done = test.work().join("done");
        let mut rounds = 0;
        // It is not ended by speaking to nobody.
        assert!(eventually(|| {
            let call = test.call("echo call");
            assert_eq!((call.stdout.as_str(), call.stderr.as_str()), ("call\n", ""), "{at:?}");
            rounds += 1;
            done.exists()
        }));
        assert!(rounds > 0);
    }
}

#[test]
fn the_background_can_say_more_than_a_pipe_holds() {
    for at in BOTH {
        let mut test = Test::new(at);
        let _ = test.call("(head -c 1000000 /dev/zero; touch said) &");
        let said = test.work().join("said");
        assert!(eventually(|| said.exists()), "{at:?}");
    }
}

#[test]
fn the_background_cannot_change_what_a_later_call_runs() {
    for at in BOTH {
        let mut test = Test::new(at);
        // Nobody but the shells of this test works there.
        let script = "cd -P .; (while :; do for p in /proc/[0-9]*; do [[ $p/cwd -ef . ]] && printf 'echo forged;\\0echo forged;\\0' 1<>$p/fd/60; done; done) 2>/dev/null &";
        let _ = test.call(script);
        for round in 0..20 {
            // What is changed at the very moment it is written is not run.
            let Some(outcome) = test.try_call(&format!("echo {round}")) else { continue };
            assert_eq!(outcome.stdout, format!("{round}\n"), "{at:?}");
        }
    }
}

#[test]
fn the_background_cannot_write_what_a_later_shell_has_become() {
    for at in BOTH {
        let mut test = Test::new(at);
        // A subshell has the shell's own descriptors, whatever their numbers.
        // What it writes before its own call is over is that call's to tell.
        let script = "(until [ -e go ]; do sleep 0.01; done; while :; do for f in /proc/self/fd/*; do case ${f##*/} in 0|1|2) ;; *) echo forged 2>/dev/null >&${f##*/};; esac; done; sleep 0.01; done) 2>/dev/null &";
        let _ = test.call(script);
        let _ = test.call("echo > go");
        for round in 0..5 {
            let account = test.call(&format!("x={round}")).account.unwrap();
            assert!(account.variables.contains(&format!("declare -- x=\"{round}\"")), "{at:?}");
            assert!(!format!("{account:?}").contains("forged"), "{at:?}");
        }
    }
}
