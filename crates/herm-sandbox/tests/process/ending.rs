//! No process outlives its run, and how it ended is told exactly.

use std::io::Read;
use std::process::{Child, Stdio};
use std::time::Duration;

use herm_sandbox::process::{Cancel, Ending};

use crate::test::{Test, alive, eventually, example, mark};

#[test]
fn exit_codes_are_exact() {
    for code in [0, 1, 3, 124, 255] {
        assert_eq!(Test::bash(&format!("exit {code}")).ending(), Ending::Exited(code));
    }
}

#[test]
fn signals_are_exact() {
    for signal in [1, 2, 6, 9, 11, 15] {
        assert_eq!(Test::bash(&format!("kill -{signal} $$")).ending(), Ending::Signalled(signal));
    }
}

#[test]
fn programs_and_directories_that_are_not_there_are_errors() {
    let cancel = Cancel::new().unwrap();
    let attempt = |program: &str, cwd: &str| {
        let mut spec = Test::new(program, &[]).spec();
        spec.cwd = cwd.into();
        herm_sandbox::process::run(spec, herm_sandbox::process::Mode::Captured, &cancel, &mut Deaf)
    };
    let error = attempt("no-such-program", "/").unwrap_err().to_string();
    assert_eq!(error, "cannot run `no-such-program`: No such file or directory (os error 2)");
    let error = attempt("true", "/no/such/place").unwrap_err().to_string();
    assert_eq!(error, "cannot work in `/no/such/place`: No such file or directory (os error 2)");
    assert!(attempt("true", "/etc/passwd").is_err());
}

struct Deaf;

impl herm_sandbox::process::Output for Deaf {
    fn stdout(&mut self, _: &[u8]) {}
    fn stderr(&mut self, _: &[u8]) {}
}

#[test]
fn the_limit_ends_the_program_after_asking_it() {
    let outcome = Test::bash("trap 'echo bye; exit 7' TERM; while :; do sleep 0.05; done").time(300).run();
    assert_eq!(outcome.execution.ending, Ending::TimedOut);
    assert_eq!(outcome.stdout, "bye\n");
    assert!(outcome.execution.duration < Duration::from_secs(2), "{outcome:?}");
}

#[test]
fn who_does_not_listen_is_ended_after_the_grace() {
    let mark = mark();
    let script = format!("trap '' TERM INT HUP; sleep {mark} & wait; sleep {mark}");
    let outcome = Test::bash(&script).time(200).run();
    assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::TimedOut, 0));
    assert!(outcome.execution.duration >= Duration::from_millis(500), "{outcome:?}");
    assert!(outcome.execution.duration < Duration::from_secs(2), "{outcome:?}");
    assert_eq!(alive(&mark), 0);
}

/// The program ends at once and leaves somebody behind, who holds the pipes open.
fn leaves_nobody(script: &str, mark: &str) {
    let outcome = Test::bash(script).run();
    assert_eq!(
        (outcome.execution.ending, outcome.execution.survivors),
        (Ending::Exited(5), 0),
        "{outcome:?}"
    );
    assert!(outcome.execution.duration < Duration::from_secs(3), "{outcome:?}");
    assert_eq!(outcome.stdout, "done\n", "{outcome:?}");
    assert_eq!(alive(mark), 0);
}

#[test]
fn what_is_left_in_the_background_is_ended() {
    let mark = mark();
    leaves_nobody(&format!("sleep {mark} & echo done; exit 5"), &mark);
    leaves_nobody(&format!("nohup sleep {mark} 2>/dev/null & disown; echo done; exit 5"), &mark);
    leaves_nobody(&format!("setsid sleep {mark} & echo done; exit 5"), &mark);
    leaves_nobody(&format!("setsid -f setsid -f sleep {mark}; echo done; exit 5"), &mark);
    leaves_nobody(&format!("(trap '' TERM; setsid -f sleep {mark}); sleep 0.1; echo done; exit 5"), &mark);
    leaves_nobody(&format!("sleep {mark} & kill -STOP $!; echo done; exit 5"), &mark);
}

#[test]
fn daemons_that_fork_twice_are_ended() {
    let mark = mark();
    let daemon = "import os, sys, time\n\
        if os.fork(): os._exit(0)\n\
        os.setsid()\n\
        if os.fork(): os._exit(0)\n\
        os.chdir('/')\n\
        for fd in range(3): os.close(fd)\n\
        time.sleep(1000)";
    let script = format!("/usr/bin/env python3 -c \"$DAEMON\" {mark}; echo done; exit 5");
    let outcome = Test::bash(&script).variable("DAEMON", daemon).run();
    assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::Exited(5), 0));
    assert_eq!(alive(&mark), 0);
    let script = format!("/usr/bin/env python3 -c \"$DAEMON\" {mark}; sleep {mark}");
    let outcome = Test::bash(&script).variable("DAEMON", daemon).time(400).run();
    assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::TimedOut, 0));
    assert_eq!(alive(&mark), 0);
}

#[test]
fn who_appears_while_the_others_are_ended_is_ended_too() {
    let mark = mark();
    let script = format!("trap '(trap \"\" TERM; setsid -f sleep {mark}); exit' TERM; sleep {mark} & wait");
    let outcome = Test::bash(&script).time(200).run();
    assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::TimedOut, 0));
    assert_eq!(alive(&mark), 0);
}

/// It is never under one number for long: who looks for it first and signals it then comes too late.
#[test]
fn a_process_that_forks_and_ends_over_and_over_is_ended() {
    for leave in ["pass", "os.setsid()"] {
        let mark = mark();
        // It gives up by itself in the end, for the sake of the machine that a failing test would run on.
        let script = format!(
            "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nmark = '{mark}'\n\
             end = time.time() + 3\nwhile time.time() < end:\n  if os.fork(): os._exit(4)\n  {leave}"
        );
        let outcome = Test::python(&script).run();
        assert_eq!(
            (outcome.execution.ending, outcome.execution.survivors),
            (Ending::Exited(4), 0),
            "{outcome:?}"
        );
        assert!(outcome.execution.duration < Duration::from_millis(2500), "{leave}: {outcome:?}");
        assert_eq!(alive(&mark), 0, "{leave}");
    }
}

#[test]
fn a_crowd_is_ended() {
    let mark = mark();
    let script = format!(
        "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nmark = '{mark}'\n\
         for _ in range(7):\n  if not os.fork(): os.setsid()\n\
         time.sleep(20)"
    );
    let outcome = Test::python(&script).time(700).run();
    assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::TimedOut, 0));
    assert!(outcome.execution.duration < Duration::from_secs(4), "{outcome:?}");
    assert_eq!(alive(&mark), 0);
}

/// The kernel shows it as over while its other threads go on.
#[test]
fn a_process_whose_first_thread_has_ended_is_ended() {
    let mark = mark();
    let script = format!(
        "import ctypes, threading, time\nmark = '{mark}'\n\
         threading.Thread(target=time.sleep, args=(1000,)).start()\n\
         print('on', flush=True)\nctypes.CDLL(None).syscall(60 if '{}' == 'x86_64' else 93, 0)",
        std::env::consts::ARCH
    );
    let outcome = Test::python(&script).time(600).run();
    assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::TimedOut, 0));
    assert_eq!(outcome.stdout, "on\n");
    assert!(outcome.execution.duration < Duration::from_secs(2), "{outcome:?}");
    assert_eq!(alive(&mark), 0);
}

#[test]
fn killing_the_supervisor_sets_nobody_free() {
    let mark = mark();
    let script = format!(
        "(trap '' TERM; setsid -f sleep {mark}); setsid -f sleep {mark}; kill -9 $PPID; sleep {mark}"
    );
    let outcome = Test::bash(&script).run();
    assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::Signalled(9), 0));
    assert!(outcome.execution.duration < Duration::from_secs(2), "{outcome:?}");
    assert_eq!(alive(&mark), 0);
}

#[test]
fn stopping_the_supervisor_sets_nobody_free() {
    let mark = mark();
    let script = format!("setsid -f sleep {mark}; kill -STOP $PPID; exit 0");
    let outcome = Test::bash(&script).time(300).run();
    assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::TimedOut, 0));
    assert!(outcome.execution.duration < Duration::from_secs(2), "{outcome:?}");
    assert_eq!(alive(&mark), 0);
}

#[test]
fn runs_do_not_end_each_other() {
    std::thread::scope(|scope| {
        let long = scope.spawn(|| Test::bash("setsid -f sleep 0.9; sleep 1; echo whole").run());
        for _ in 0..4 {
            let outcome = Test::bash("setsid -f sleep 100; sleep 100").time(100).run();
            assert_eq!(outcome.execution.ending, Ending::TimedOut);
        }
        let outcome = Test::bash("setsid -f sleep 100; kill -9 $PPID; sleep 100").run();
        assert_eq!(outcome.execution.ending, Ending::Signalled(9));
        let long = long.join().unwrap();
        assert_eq!((long.execution.ending, long.stdout.as_str()), (Ending::Exited(0), "whole\n"));
    });
}

#[test]
fn a_run_can_be_called_off() {
    let (mark, cancel) = (mark(), Cancel::new().unwrap());
    std::thread::scope(|scope| {
        let run = scope.spawn(|| Test::bash(&format!("sleep {mark}")).run_until(&cancel));
        assert!(eventually(|| alive(&mark) > 0));
        cancel.cancel();
        let outcome = run.join().unwrap();
        assert_eq!(outcome.execution.ending, Ending::Cancelled);
        assert!(outcome.execution.duration < Duration::from_secs(2), "{outcome:?}");
    });
    assert_eq!(alive(&mark), 0);
    assert!(cancel.is_cancelled());
}

#[test]
fn nothing_is_left_when_what_hears_the_output_panics() {
    struct Panics;
    impl herm_sandbox::process::Output for Panics {
        fn stdout(&mut self, _: &[u8]) {
            panic!("cannot hear")
        }
        fn stderr(&mut self, _: &[u8]) {}
    }
    let mark = mark();
    let spec = Test::bash(&format!("trap '' TERM; setsid -f sleep {mark}; echo x; sleep {mark}")).spec();
    let cancel = Cancel::new().unwrap();
    let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = herm_sandbox::process::run(spec, herm_sandbox::process::Mode::Captured, &cancel, &mut Panics);
    }));
    assert!(attempt.is_err());
    assert_eq!(alive(&mark), 0);
}

/// Sends a signal to one process.
fn send(child: &Child, signal: rustix::process::Signal) {
    rustix::process::kill_process(rustix::process::Pid::from_child(child), signal).unwrap();
}

#[test]
fn a_signal_to_herm_ends_the_run_and_is_told() {
    use rustix::process::Signal;
    for (signal, number) in [(Signal::TERM, 15), (Signal::INT, 2), (Signal::HUP, 1)] {
        let mark = mark();
        let script = format!("setsid -f sleep {mark}; sleep {mark}");
        let mut herm =
            example(&["signals", "--", "bash", "-c", &script]).stderr(Stdio::piped()).spawn().unwrap();
        // The shell has the mark among its arguments as well.
        assert!(eventually(|| alive(&mark) >= 4));
        send(&herm, signal);
        let mut said = String::new();
        herm.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(herm.wait().unwrap().success());
        assert_eq!(said, format!("Cancelled survivors=0 signal=Some({number})\n"));
        assert_eq!(alive(&mark), 0);
    }
}

#[test]
fn nothing_is_left_when_herm_itself_is_killed() {
    use rustix::process::Signal;
    for signal in [Signal::KILL, Signal::TERM, Signal::ABORT] {
        let mark = mark();
        let script = format!("trap '' TERM HUP; setsid -f sleep {mark}; sleep {mark}");
        let mut herm = example(&["--", "bash", "-c", &script]).spawn().unwrap();
        assert!(eventually(|| alive(&mark) >= 4));
        send(&herm, signal);
        assert!(!herm.wait().unwrap().success());
        assert!(eventually(|| alive(&mark) == 0));
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests start what they look at")]
fn who_started_herm_may_ignore_the_end_of_children() {
    let run = example(&[]);
    let deaf = "import os, signal, sys\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nos.execv(sys.argv[1], sys.argv[1:])";
    let said = |program: &str| {
        let mut python = std::process::Command::new("python3");
        python.args(["-c", deaf]).arg(run.get_program()).args(["--", "bash", "-c", program]);
        String::from_utf8(python.output().unwrap().stderr).unwrap()
    };
    assert_eq!(said("exit 3"), "Exited(3) survivors=0 signal=None\n");
    assert_eq!(said("(exit 4); exit $?"), "Exited(4) survivors=0 signal=None\n");
}
