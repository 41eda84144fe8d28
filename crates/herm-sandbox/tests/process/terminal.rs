//! A program with a terminal of its own, and ours afterwards.

use std::process::Output;

use herm_sandbox::process::Ending;

use crate::test::{Test, example};

fn says(script: &str, input: &[u8]) -> String {
    Test::bash(script).interactive().input(input).run().stdout
}

#[test]
fn all_three_streams_are_the_terminal() {
    assert_eq!(says("test -t 0 -a -t 1 -a -t 2 && echo yes", b"").trim_end(), "yes");
    assert_eq!(
        says("stty -echo; read x; echo \"<$x>\" >&2; stty size </dev/tty", b"abc\n").lines().last(),
        Some("24 80")
    );
}

#[test]
fn the_terminal_governs_the_program() {
    let ids = says("stty -echo; exec cut -d' ' -f1,5,6,8 /proc/self/stat", b"");
    let ids: Vec<&str> = ids.lines().last().unwrap().split(' ').collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "in front, and leading: {ids:?}");
}

#[test]
fn the_interrupt_key_reaches_the_program_and_not_us() {
    assert_eq!(Test::bash("exec sleep 100").interactive().input(b"\x03").ending(), Ending::Signalled(2));
}

#[test]
fn the_input_ends() {
    let outcome = Test::bash("cat").interactive().input(b"no line end").run();
    assert_eq!(outcome.execution.ending, Ending::Exited(0));
    assert!(outcome.stdout.contains("no line end"));
    assert_eq!(Test::new("cat", &[]).interactive().ending(), Ending::Exited(0));
}

#[test]
fn what_holds_the_terminal_open_is_ended() {
    let outcome =
        Test::bash("trap '' HUP; setsid -f sleep 1000; sleep 1000 & echo on; exit 8").interactive().run();
    assert_eq!((outcome.execution.ending, outcome.execution.survivors), (Ending::Exited(8), 0));
    assert_eq!(Test::bash("trap '' TERM HUP; sleep 100").interactive().time(200).ending(), Ending::TimedOut);
}

/// Runs a Python script that has a terminal `ours` with the example on it, as the child `child`.
fn on_a_terminal(options: &str, program: &str, script: &str) -> Output {
    let run = example(&[]);
    let body = format!(
        "import os, pty, select, signal, sys, termios, time, fcntl, struct\n\
         ours, theirs = pty.openpty()\n\
         before = termios.tcgetattr(theirs)\n\
         def resize(rows, columns): fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))\n\
         resize(30, 90)\n\
         child = os.fork()\n\
         if not child:\n\
         \x20   os.setsid(); fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)\n\
         \x20   for fd in range(3): os.dup2(theirs, fd)\n\
         \x20   os.execv(sys.argv[1], [sys.argv[1], *sys.argv[2].split(), '--', 'bash', '-c', sys.argv[3]])\n\
         def until(wanted):\n\
         \x20   seen = b''\n\
         \x20   while wanted not in seen:\n\
         \x20       if not select.select([ours], [], [], 5)[0]: sys.exit('waited for %r, saw %r' % (wanted, seen))\n\
         \x20       seen += os.read(ours, 4096)\n\
         def settled(wanted):\n\
         \x20   for _ in range(100):\n\
         \x20       if (termios.tcgetattr(theirs) == before) == wanted: return\n\
         \x20       time.sleep(0.02)\n\
         \x20   sys.exit('the terminal is not as it should be: %r' % wanted)\n\
         {script}\n"
    );
    #[expect(clippy::disallowed_methods, reason = "tests start what they look at")]
    let mut python = std::process::Command::new("python3");
    python.args(["-c", &body]).arg(run.get_program()).args([options, program]).output().unwrap()
}

fn succeeds(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn our_terminal_is_given_back_however_it_ends() {
    let usual = "until(b'ready'); settled(False); os.write(ours, b'go\\n'); until(b'got go'); \
                 os.waitpid(child, 0); settled(True)";
    succeeds(&on_a_terminal("interactive inherit", "echo ready; read x; echo got $x", usual));
    for signal in ["SIGKILL", "SIGTERM", "SIGABRT"] {
        let script = format!(
            "until(b'ready'); settled(False); os.kill(child, signal.{signal}); os.waitpid(child, 0); settled(True)"
        );
        succeeds(&on_a_terminal("interactive inherit", "echo ready; sleep 1000", &script));
    }
    let asked = "until(b'ready'); settled(False); os.kill(child, signal.SIGTERM); until(b'Cancelled'); \
                 os.waitpid(child, 0); settled(True)";
    succeeds(&on_a_terminal("interactive inherit signals", "echo ready; sleep 1000", asked));
}

#[test]
fn keys_and_sizes_go_through() {
    let interrupt = "until(b'ready'); settled(False); os.write(ours, b'\\x03'); until(b'Exited(7)'); \
                     os.waitpid(child, 0); settled(True)";
    succeeds(&on_a_terminal(
        "interactive inherit",
        "trap 'exit 7' INT; echo ready; sleep 1000 & wait",
        interrupt,
    ));
    let resize =
        "until(b'30 90'); resize(44, 132); until(b'changed 44 132'); os.waitpid(child, 0); settled(True)";
    let program = "trap 'echo changed $(stty size); exit' WINCH; stty size; while :; do sleep 0.05; done";
    succeeds(&on_a_terminal("interactive inherit", program, resize));
}

#[test]
fn captured_programs_leave_our_terminal_alone() {
    let script = "until(b'ready'); settled(True); os.write(ours, b'\\x03'); until(b'Cancelled'); os.waitpid(child, 0); settled(True)";
    succeeds(&on_a_terminal("signals", "echo ready; sleep 1000", script));
}
