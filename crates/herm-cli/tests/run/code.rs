//! Code in a directory of its own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::Duration;

use crate::place::{Place, Ran};

#[test]
fn python_runs_in_a_fresh_directory_that_is_gone_afterwards() {
    let place = Place::new();
    let ran = place.run(&["run", "--language", "python", "import os; open('x', 'w'); print(os.getcwd())"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let directory = ran.stdout.trim_end();
    assert!(directory.starts_with(place.shelf().to_str().unwrap()), "{directory}");
    assert!(!fs::exists(directory).unwrap());
}

#[test]
fn what_a_killed_herm_left_is_cleared_at_the_next_start() {
    for next in [&["run", "--language", "python", "print(1)"][..], &["run", "true"]] {
        let place = Place::new();
        let mut child = place.herm(&[
            "run",
            "--language",
            "python",
            "import time; print('on', flush=True); time.sleep(60)",
        ]);
        let mut child = child.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut line = [0; 3];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let left = || {
            fs::read_dir(place.shelf())
                .unwrap()
                .filter(|entry| entry.as_ref().unwrap().path().is_dir())
                .count()
        };
        assert_eq!(left(), 1, "{next:?}");
        thread::sleep(Duration::from_millis(300));
        place.run(next);
        assert_eq!(left(), 0, "{next:?}");
    }
}

/// Whether the interpreter of a script can be reached by what its caller set: each would leave a trace in `ran`.
#[test]
fn whoever_starts_herm_does_not_choose_the_interpreter() {
    let place = Place::new();
    let trap = format!("open({:?}, 'w').close()\n", place.work("ran"));
    for name in ["sitecustomize.py", "usercustomize.py", "json.py", "startup.py"] {
        place.file(&format!("trap/{name}"), &trap);
    }
    let fake = place.file("bin/python3", "#!/bin/sh\n: > \"$OLDPWD/ran\"\n: > ran\necho fake\n");
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let trap = place.work("trap");
    let path = format!("{}:/usr/bin:/bin", place.work("bin").display());
    let mut herm = place.herm(&[
        "run",
        "--language",
        "python",
        "import json, sys; print(sys.flags.no_user_site, json.dumps([1]))",
    ]);
    herm.env("PATH", path)
        .env("PYTHONPATH", &trap)
        .env("PYTHONSTARTUP", trap.join("startup.py"))
        .env("PYTHONHOME", &trap);
    let ran = Ran::of(herm.env("PYTHONUSERBASE", &trap));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "1 [1]\n"), "{ran:?}");
    assert!(!place.work("ran").exists());
}

#[test]
fn a_script_finds_the_modules_that_it_wrote() {
    let place = Place::new();
    let script = "open('own.py', 'w').write('x = 40 + 2')\nimport own\nprint(own.x)";
    let ran = place.run(&["run", "--yolo", "--language", "python", script]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "42\n"), "{ran:?}");
}

#[test]
fn a_person_names_the_interpreter() {
    let place = Place::new();
    let made = Ran::of(place.command("python3").args(["-m", "venv", "--without-pip", "venv"]));
    if made.code != Some(0) {
        println!("skipped: no virtual environment can be made here");
        return;
    }
    let python = place.work("venv/bin/python3");
    place.config(&format!("terminal: {{python: {}}}\n", python.display()));
    let ran = place.run(&["run", "--language", "python", "import sys; print(sys.prefix)"]);
    assert_eq!(ran.stdout.trim_end(), place.work("venv").to_str().unwrap(), "{ran:?}");
    place.config("terminal: {python: ~/no-such-python}\n");
    let ran = place.run(&["run", "--language", "python", "print(1)"]);
    assert!(ran.code == Some(125) && ran.stderr.contains("no-such-python"), "{ran:?}");
    place.config("terminal: {python: python3}\n");
    let ran = place.run(&["run", "--language", "python", "print(1)"]);
    assert!(ran.code == Some(125) && ran.stderr.contains("is not absolute"), "{ran:?}");
    place.config("");
    place.file(".herm.yaml", "terminal: {python: /bin/true}\n");
    let ran = place.run(&["run", "--language", "python", "print(1)"]);
    assert!(ran.code == Some(125) && ran.stderr.contains("may only tighten"), "{ran:?}");
}

#[test]
fn dangerous_code_is_asked_about() {
    let place = Place::new();
    let ran = place.run(&["run", "--language", "python", "import shutil; shutil.rmtree('/home/dev/x')"]);
    assert_eq!(ran.code, Some(126), "{ran:?}");
}

#[test]
fn a_script_that_does_nothing_is_judged_so() {
    let place = Place::new();
    for script in ["", " ", "\n\n", "# a comment", "x = 1\n  "] {
        let ran = place.run(&["run", "--language", "python", script]);
        assert_eq!(
            (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
            (Some(0), "", ""),
            "{script:?}: {ran:?}"
        );
        let strict = place.run(&["run", "--preset", "strict", "--language", "python", script]);
        assert_eq!(strict.code, Some(126), "{script:?}: {strict:?}");
    }
    assert_eq!(place.run(&["run", ""]).code, Some(0));
}

#[test]
fn in_strict_every_script_asks() {
    let place = Place::new();
    let ran = place.run(&["run", "--preset", "strict", "--language", "python", "print(1)"]);
    assert_eq!(ran.code, Some(126), "{ran:?}");
}

#[test]
fn in_strict_no_yes_reaches_a_script_that_runs_text_deletes_or_connects() {
    let place = Place::new();
    let kept = place.file("kept", "");
    for script in [
        "import os; os.system('id')",
        "import subprocess; subprocess.run('id', shell=True)",
        "exec('print(1)')",
        "import os; os.remove('kept')",
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import os; print(dict(os.environ))",
        "print(open('.env').read())",
        "from os import getenv as g; print(g('HERMES_' + 'API_KEY'))",
        "import socket; socket.socket()",
        "import aiohttp",
    ] {
        let ran = place.run(&["run", "--yolo", "--preset", "strict", "--language", "python", script]);
        assert!(ran.code == Some(126) && ran.stderr.contains("whoever says yes"), "{script}: {ran:?}");
        let ran = place.run(&["run", "--preset", "strict", "--language", "python", script]);
        assert!(ran.code == Some(126) && ran.stderr.contains("whoever says yes"), "{script}: {ran:?}");
    }
    assert!(kept.exists());
}

#[test]
fn code_is_judged_where_it_runs() {
    let place = Place::new();
    place.file("a/b/c/x", "");
    place.run(&["run", "true"]);
    for script in [
        "open('../../cli-config.yaml', 'w').write('approvals: {mode: off}')",
        "import shutil; shutil.rmtree('../..')",
    ] {
        let ran = place.run(&["run", "--cwd", "a/b/c", "--language", "python", script]);
        assert!(!place.guard().join("cli-config.yaml").exists(), "{ran:?}");
        assert!(place.guard().join("ledger/key").exists(), "{ran:?}");
    }
    assert_eq!(place.run(&["run", "--language", "python", "open('own.txt', 'w').write('x')"]).code, Some(0));
}
