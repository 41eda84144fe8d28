//! Everyday tools work behind the boundary, unasked: for root and for somebody else.

use std::fs;
use std::process::Command;

use crate::place::{Place, Ran};

fn places() -> [Place; 2] {
    [Place::new(), Place::unprivileged()]
}

fn confined(place: &Place, script: &str) -> Ran {
    place.run(&["run", "--backend", "sandbox", script])
}

/// Runs a script as both, and compares what it prints.
fn says(script: &str, expected: &str) {
    for place in places() {
        let ran = confined(&place, script);
        assert!(ran.code == Some(0) && ran.stdout == expected, "{script}: {ran:?}");
    }
}

/// Whether a program is there.
#[expect(clippy::print_stdout, reason = "a test that is skipped says why")]
fn has(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", "command -v \"$1\"", "sh", program]).output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: there is no {program}");
    }
    found
}

/// A script in Python that prints.
fn python(place: &Place, script: &str) -> Ran {
    place.file("try.py", script);
    place.give();
    confined(place, "python3 try.py")
}

fn python_says(script: &str, expected: &str) {
    for place in places() {
        let ran = python(&place, script);
        assert!(ran.code == Some(0) && ran.stdout == expected, "{ran:?}");
    }
}

#[test]
fn files_are_as_they_should_be() {
    says(
        "echo a > a; ln a b; stat -c %h a; ln -s a c; cat c; mkdir d e; mv b d/b; mv d/b e/b; ls e",
        "2\na\nb\n",
    );
    says("printf '#!/bin/sh\\necho ran\\n' > s; chmod 755 s; ./s; stat -c %a s", "ran\n755\n");
    says("touch -d 2001-02-03T04:05:06Z t; TZ=UTC0 stat -c %y t", "2001-02-03 04:05:06.000000000 +0000\n");
    says(
        "truncate -s 5G s; stat -c '%s %b' s; dd if=/dev/zero of=l bs=1M count=64 status=none; stat -c %s l",
        "5368709120 0\n67108864\n",
    );
    says("mkfifo f; (echo through > f &); cat f", "through\n");
}

#[test]
fn locks_hold_among_processes() {
    says("flock l sh -c 'flock -n l true || echo held'", "held\n");
    let script = "import fcntl, os\nf = open('l', 'w')\nfcntl.lockf(f, fcntl.LOCK_EX)\nif os.fork() == 0:\n    try:\n        \
                  fcntl.lockf(open('l', 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)\n    except OSError:\n        print('held', flush=True)\n    \
                  os._exit(0)\nos.wait()\n";
    python_says(script, "held\n");
}

#[test]
fn programs_talk_to_one_another_on_the_loopback() {
    let script = "import socket\nfor address in '127.0.0.1', '::1', 'localhost', socket.gethostname():\n    \
                  family = socket.AF_INET6 if address == '::1' else socket.AF_INET\n    \
                  server = socket.create_server((address, 0), family=family)\n    \
                  client = socket.create_connection(server.getsockname()[:2])\n    \
                  server.accept()[0].sendall(b'heard')\n    print(client.recv(5).decode())\n";
    python_says(script, "heard\nheard\nheard\nheard\n");
}

#[test]
fn processes_share_memory_and_watch_files() {
    let script = "import multiprocessing as m\nfrom multiprocessing import shared_memory\nif __name__ == '__main__':\n    \
                  with m.Pool(2) as pool: print(pool.map(abs, [-1, -2]))\n    \
                  s = shared_memory.SharedMemory(create=True, size=9); s.close(); s.unlink(); print('shared')\n";
    python_says(script, "[1, 2]\nshared\n");
    let script = "import ctypes, os\nc = ctypes.CDLL(None)\nfd = c.inotify_init()\nc.inotify_add_watch(fd, b'.', 0x100)\n\
                  open('new', 'w').close()\nprint(b'new' in os.read(fd, 100))\n";
    python_says(script, "True\n");
}

#[test]
fn a_terminal_has_a_name_and_programs_that_want_one_work() {
    let place = Place::new();
    let named =
        place.at_terminal(60, &[], &["run", "--backend", "sandbox", "--interactive", "tty; tput cols"]);
    assert_eq!(named.stdout, "/dev/console\n60\n", "{named:?}");
    says("script -qc tty /dev/null", "/dev/pts/0\n");
    if has("less") {
        place.file("text", "first line\nlast line\n");
        let steps = [("last line", "q")];
        let ran =
            place.at_terminal(60, &steps, &["run", "--backend", "sandbox", "--interactive", "less text"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    if has("vim") {
        let steps = [("[New", "itext\u{1b}:wq\r")];
        let ran = place.at_terminal(
            60,
            &steps,
            &["run", "--backend", "sandbox", "--interactive", "vim -u NONE made"],
        );
        assert_eq!(fs::read_to_string(place.work("made")).unwrap(), "text\n", "{ran:?}");
    }
}

#[test]
fn nobody_becomes_somebody_else() {
    for place in places() {
        for script in ["su -c id", "sudo -n id", "setpriv --reuid 0 id"] {
            let ran = place.run(&["run", "--yolo", "--backend", "sandbox", script]);
            assert!(ran.code != Some(0) && !ran.stdout.contains("uid=0"), "{script}: {ran:?}");
        }
    }
}

/// Commits in a linked worktree need the history of the main one, and a name, which only the person's own home has.
#[test]
fn git_commits_in_a_linked_worktree_and_below() {
    for place in places() {
        fs::write(place.home().join(".gitconfig"), "[user]\n\tname = Ann\n\temail = ann@example.com\n")
            .unwrap();
        let commands = "git init -q main && cd main && git commit -q --allow-empty -m first && git worktree add -q ../linked && \
                    mkdir below ../linked/below";
        let made = place.command("sh").args(["-c", commands]).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        place.give();
        for directory in ["main/below", "linked/below"] {
            let script = "echo x > file && git add file && git commit -qm second && git log -1 --format=%an:%s && git status --short";
            let ran = Ran::of(
                place.herm(&["run", "--backend", "sandbox", script]).current_dir(place.work(directory)),
            );
            assert!(ran.code == Some(0) && ran.stdout == "Ann:second\n", "{directory}: {ran:?}");
        }
    }
}

#[test]
fn archives_keys_and_databases_are_made() {
    says("echo a > a; tar -cf t.tar a; mkdir x; tar -xf t.tar -C x; cat x/a", "a\n");
    if has("ssh-keygen") {
        says("ssh-keygen -q -t ed25519 -N '' -f k && stat -c %a k", "600\n");
    }
    if has("sqlite3") {
        says("sqlite3 d 'create table t(a); insert into t values (1); select count(*) from t'", "1\n");
    }
}

#[test]
fn compilers_build_and_debuggers_debug() {
    if !has("gcc") {
        return;
    }
    let source =
        "printf '#include <stdio.h>\\nint main(void) { puts(\"built\"); }\\n' > a.c; gcc -g a.c -o a";
    says(&format!("{source}; ./a"), "built\n");
    if has("gdb") {
        says(&format!("{source}; gdb -q -batch -ex run ./a 2>/dev/null | grep -c built"), "1\n");
    }
    if has("strace") {
        says(&format!("{source}; strace -o trace ./a; grep -c exit_group trace"), "built\n1\n");
    }
    if has("cmake") {
        let list = "printf 'cmake_minimum_required(VERSION 3.10)\\nproject(p C)\\nadd_executable(p a.c)\\n' > CMakeLists.txt";
        says(&format!("{source}; {list}; cmake -B o >&2 && cmake --build o >&2; o/p"), "built\n");
    }
}

#[test]
fn the_machine_can_be_asked_about() {
    let script = "date > d && nproc > d && df -h . > d && locale > d && ps aux > d && top -bn1 > d && free > d && uname -a > d && id -un > d && echo all";
    says(script, "all\n");
    if has("java") {
        says("java -version 2>/dev/null && echo java", "java\n");
    }
    if has("man") {
        says("man -w ls > d; echo man", "man\n");
    }
}
