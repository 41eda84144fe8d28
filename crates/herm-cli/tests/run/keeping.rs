//! What becomes of a try that cannot be kept, or that somebody did not want to go on; and with which rights it is kept.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::process::{Child, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::place::{Place, Ran, eventually};

fn places() -> [Place; 2] {
    [Place::new(), Place::unprivileged()]
}

fn read(place: &Place, name: &str) -> Option<String> {
    fs::read_to_string(place.work(name)).ok()
}

fn tries(place: &Place) -> Vec<Value> {
    place.run(&["undo", "--list", "--json"]).json()["tries"].as_array().unwrap().clone()
}

/// Starts a try that reads a line, and waits until it has written this file.
fn begun(place: &Place, options: &[&str], script: &str, file: &str) -> Child {
    let arguments: Vec<_> =
        ["try", "--stdin", "--json"].iter().chain(options).chain([&script]).copied().collect();
    let herm = place
        .herm(&arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    eventually("it never began", || is_written(place, file));
    herm
}

/// Whether a file that is not in the workspace is in one of the tries.
fn is_written(place: &Place, file: &str) -> bool {
    let tries = fs::read_dir(place.guard().join("tries")).into_iter().flatten().flatten();
    tries
        .map(|entry| entry.path())
        .any(|path| ["copy", "upper"].iter().any(|ground| path.join(ground).join(file).exists()))
}

fn told(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn a_keep_that_was_wanted_and_failed_is_no_success_and_leaves_nothing_behind() {
    for place in places() {
        place.file("f", "old\n");
        place.give();
        for options in [["--keep", "--yolo"], ["--keep-if=EXIT0", "--yolo"]] {
            let mut herm = begun(&place, &options, "echo new > f; echo x > n; read line", "n");
            fs::write(place.work("f"), "mine\n").unwrap();
            herm.stdin.take().unwrap().write_all(b"\n").unwrap();
            let output = herm.wait_with_output().unwrap();
            let reply = told(&output);
            assert_eq!(output.status.code(), Some(125), "{reply}");
            assert_eq!(
                (&reply["exit_code"], &reply["trial"]["exit_code"]),
                (&json!(125), &json!(0)),
                "{reply}"
            );
            let error = reply["error"].as_str().unwrap_or_default();
            assert!(error.starts_with("nothing was kept: the workspace changed"), "{reply}");
            assert_eq!((read(&place, "f").as_deref(), read(&place, "n")), (Some("mine\n"), None));
            assert_eq!(tries(&place), Vec::<Value>::new(), "nobody could keep it any more");
            let shown = place.run(&["audit", "show", reply["receipt"].as_str().unwrap()]);
            assert!(shown.stdout.contains("\"keep_failed\": \"nothing was kept"), "{shown:?}");
        }
    }
}

#[test]
fn what_was_to_be_kept_and_nobody_could_look_at_is_no_success() {
    for place in places() {
        let script = "echo ../elsewhere > .git/commondir";
        let tried = place.run(&["try", "--yolo", "--keep", "--json", script]);
        let error = tried.json()["error"].as_str().unwrap_or_default().to_owned();
        assert!(
            tried.code == Some(125) && error.contains("what others would run is not kept unseen"),
            "{tried:?}"
        );
        let failed = place.run(&["try", "--yolo", "--keep-if", "EXIT0", &format!("{script}; exit 7")]);
        assert!(failed.code == Some(7), "it was not to be kept: {failed:?}");
        let discarded = place.run(&["try", "--yolo", "--discard", script]);
        assert!(discarded.code == Some(0) && read(&place, ".git/commondir").is_none(), "{discarded:?}");
    }
}

#[test]
fn what_was_called_off_is_never_kept() {
    for place in places() {
        for (signal, options, script) in [
            (Signal::INT, ["--keep"], "echo partial > x; read line; echo whole > y"),
            (Signal::TERM, ["--keep"], "echo partial > x; read line; echo whole > y"),
            (Signal::INT, ["--keep-if=EXIT0"], "trap 'exit 0' INT TERM; echo partial > x; read line"),
            (Signal::TERM, ["--keep-if=EXIT0"], "trap 'exit 0' INT TERM; echo partial > x; read line"),
        ] {
            let mut herm = begun(&place, &options, script, "x");
            let _input = herm.stdin.take();
            let pid = Pid::from_raw(i32::try_from(herm.id()).unwrap()).unwrap();
            kill_process(pid, signal).unwrap();
            let output = herm.wait_with_output().unwrap();
            let reply = told(&output);
            assert_eq!(
                (output.status.code(), &reply["trial"]["kept"]),
                (Some(130), &json!(false)),
                "{reply}"
            );
            assert!(reply["notes"].to_string().contains("it was called off"), "{reply}");
            assert_eq!((read(&place, "x"), tries(&place)), (None, vec![]));
        }
    }
}

#[test]
fn at_a_terminal_an_interrupted_command_is_not_kept_unseen() {
    let place = Place::new();
    let wait = "echo partial > x; echo ready; while :; do sleep 0.05; done";
    let ended = place.at_terminal(80, &[("ready", r"\x03")], &["try", "--keep", wait]);
    assert!(ended.code == Some(130) && ended.stdout.contains("it was called off"), "{ended:?}");
    assert_eq!(read(&place, "x"), None);
    let handled = format!("trap 'exit 0' INT; {wait}");
    for (answer, kept) in [("\r", None), ("k\r", Some("partial\n"))] {
        let steps = [("ready", r"\x03"), ("Choice [k/D]:", answer)];
        let ran = place.at_terminal(80, &steps, &["try", "--keep-if", "EXIT0", &handled]);
        assert!(ran.code == Some(0) && ran.stdout.contains("interrupted is not kept unseen"), "{ran:?}");
        assert_eq!(read(&place, "x").as_deref(), kept, "{ran:?}");
    }
}

#[test]
fn what_ran_out_of_time_is_kept_by_whoever_wants_it_in_any_case() {
    let place = Place::new();
    let script = "echo partial > x; while :; do sleep 0.05; done";
    let held = place.run(&["try", "--keep-if", "EXIT0", "--timeout", "1", script]);
    assert!(held.code == Some(124) && read(&place, "x").is_none(), "{held:?}");
    let kept = place.run(&["try", "--keep", "--timeout", "1", script]);
    assert!(kept.code == Some(124) && read(&place, "x").is_some(), "{kept:?}");
}

#[test]
fn a_try_that_nobody_will_ask_about_is_said_to_be_one() {
    for place in places() {
        let mut herm = begun(&place, &["--keep"], "echo x > n; read line", "n");
        let listed = tries(&place);
        let (id, status) = (listed[0]["receipt"].as_str().unwrap(), &listed[0]["status"]);
        assert_eq!(status, "busy");
        herm.kill().unwrap();
        herm.wait().unwrap();
        eventually("it is never let go", || tries(&place)[0]["status"] == "waiting");
        let undone = place.run(&["undo", id]);
        assert!(undone.code == Some(3) && undone.stderr.contains("neither kept nor discarded"), "{undone:?}");
        assert!(undone.stderr.contains("--give-up"), "{undone:?}");
        assert!(place.run(&["undo", "no-such-try"]).stderr.contains("no such try"));
        assert_eq!(place.run(&["undo", "--give-up", id]).code, Some(0));
        assert_eq!(tries(&place), Vec::<Value>::new());
    }
}

#[test]
fn programs_are_told_that_something_was_renamed() {
    for place in places() {
        place.file("a", "one\n");
        place.give();
        let told = place.run(&["try", "--discard", "--json", "mv a b; echo x > c"]).json();
        let changes = told["trial"]["changes"]["changes"].as_array().unwrap().clone();
        let kinds: Vec<_> = changes.iter().map(|change| (&change["path"], &change["kind"])).collect();
        assert_eq!(kinds, [(&json!("b"), &json!("renamed")), (&json!("c"), &json!("created"))], "{told}");
        let counts = &told["trial"]["changes"]["counts"];
        assert_eq!((&counts["renamed"], &counts["created"]), (&json!(1), &json!(1)), "{told}");
    }
}

/// `u::rw- u:1:rw- g::--- m::rw- o::---`: the mode says 660, and the group may do nothing.
fn close_to_the_group(path: &std::path::Path) -> Vec<u8> {
    let none = u32::MAX;
    let entries: [(u16, u16, u32); 5] = [(1, 6, none), (2, 6, 1), (4, 0, none), (16, 6, none), (32, 0, none)];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        list.extend(tag.to_le_bytes());
        list.extend(rights.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    rustix::fs::setxattr(path, "system.posix_acl_access", &list, rustix::fs::XattrFlags::empty()).unwrap();
    list
}

fn list(path: &std::path::Path) -> Option<Vec<u8>> {
    let mut value = vec![0; 256];
    let size = rustix::fs::getxattr(path, "system.posix_acl_access", &mut value[..]).ok()?;
    value.truncate(size);
    Some(value)
}

#[test]
fn nobody_can_do_more_with_what_was_kept_than_before() {
    for place in places() {
        let file = place.file("acl", "line1\n");
        place.give();
        let given = close_to_the_group(&file);
        let kept = place.run(&["try", "--keep", "echo line2 >> acl"]);
        assert!(kept.code == Some(0) && read(&place, "acl").as_deref() == Some("line1\nline2\n"), "{kept:?}");
        assert_eq!((list(&file), fs::metadata(&file).unwrap().mode() & 0o7777), (Some(given.clone()), 0o660));
        assert_eq!(place.run(&["undo"]).code, Some(0));
        assert_eq!((read(&place, "acl").as_deref(), list(&file)), (Some("line1\n"), Some(given)));
    }
}

/// The same in a try that is kept, and without one.
#[test]
fn directories_pass_on_what_they_pass_on_without_a_try() {
    for place in places() {
        for name in ["tried", "run"] {
            fs::create_dir(place.work(name)).unwrap();
        }
        place.give();
        let group =
            if rustix::process::geteuid().is_root() && !place.is_unprivileged() { Some(60) } else { None };
        for name in ["tried", "run"] {
            chown(place.work(name), None, group).unwrap();
            fs::set_permissions(place.work(name), fs::Permissions::from_mode(0o2775)).unwrap();
        }
        // Where the workspace itself does not, nobody whom root started can say so of a directory again, which `chmod` does.
        fs::set_permissions(place.work(""), fs::Permissions::from_mode(0o2775)).unwrap();
        let script =
            |name| format!("cd {name}; echo x > f; mkdir -p a/b; echo x > a/b/f; mkdir t; chmod 1777 t");
        let ran = place.run(&["run", "--backend", "sandbox", &script("run")]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let kept = place.run(&["try", "--keep", &script("tried")]);
        assert!(kept.code == Some(0) && !kept.stderr.contains("not kept"), "{kept:?}");
        for name in ["", "f", "a", "a/b", "a/b/f", "t"] {
            let found = |top: &str| {
                let found = fs::metadata(place.work(top).join(name)).unwrap();
                (format!("{:o}", found.mode()), found.uid(), found.gid())
            };
            assert_eq!(found("tried"), found("run"), "{name}");
        }
        assert!(place.run(&["undo"]).code == Some(0) && read(&place, "tried/f").is_none());
    }
}

/// A file of a group that its owner is not in: whoever it falls to instead gets nothing by that.
#[test]
fn what_cannot_be_given_its_group_is_closed_to_the_other_one() {
    let place = Place::unprivileged();
    let file = place.file("f", "one\n");
    place.give();
    if !place.is_unprivileged() {
        return;
    }
    chown(&file, None, Some(60)).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o664)).unwrap();
    let kept = place.run(&["try", "--keep", "echo two >> f"]);
    assert!(kept.code == Some(0) && kept.stderr.contains("cannot give it its group"), "{kept:?}");
    let found = fs::metadata(&file).unwrap();
    assert_eq!((found.gid(), found.mode() & 0o7777), (65534, 0o644));
    assert_eq!(place.run(&["undo"]).code, Some(0));
    let found = fs::metadata(&file).unwrap();
    assert_eq!((found.gid(), found.mode() & 0o7777), (60, 0o664));
}

/// Whoever is not in the group of a directory can work in it, and takes nothing of it away.
#[test]
fn a_directory_of_another_group_goes_on_passing_that_on() {
    let place = Place::unprivileged();
    if !place.is_unprivileged() {
        return;
    }
    fs::create_dir(place.work("d")).unwrap();
    place.give();
    chown(place.work("d"), None, Some(60)).unwrap();
    fs::set_permissions(place.work("d"), fs::Permissions::from_mode(0o2775)).unwrap();
    let kept = place.run(&["try", "--keep", "echo x > d/f; mkdir d/n"]);
    assert!(kept.code == Some(0) && kept.stderr.contains("the setgid bit is not kept: `d/n`"), "{kept:?}");
    let found = |name: &str| {
        let found = fs::metadata(place.work(name)).unwrap();
        (found.gid(), found.mode() & 0o7777)
    };
    assert_eq!((found("d"), found("d/f"), found("d/n")), ((60, 0o2775), (60, 0o644), (60, 0o755)));
    assert_eq!(place.run(&["undo"]).code, Some(0));
    assert_eq!((found("d"), read(&place, "d/f")), ((60, 0o2775), None));
}

/// herm, where something is mounted on a directory and on a file of the workspace.
fn with_mounts(place: &Place, arguments: &[&str]) -> Ran {
    let mount = "mount --bind \"$1\" \"$2\"; mount -t tmpfs none \"$3\"; mount --bind \"$1/f\" \"$4\"; shift 4; exec \"$@\"";
    let mut command = place.command("unshare");
    command.args(["-m", "setsid", "--wait", "sh", "-ec", mount, "sh"]).arg(place.home().join("outside"));
    command.args(["bound", "memory", "file"].map(|name| place.work(name)));
    Ran::of(command.args(place.prefix()).arg(place.binary()).args(arguments))
}

#[test]
fn what_is_mounted_in_the_workspace_can_be_read_and_that_is_said() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    for place in places() {
        fs::create_dir(place.home().join("outside")).unwrap();
        fs::write(place.home().join("outside/f"), "outside\n").unwrap();
        for name in ["bound", "memory"] {
            fs::create_dir(place.work(name)).unwrap();
        }
        place.file("file", "beneath\n");
        place.give();
        let script = "cat bound/f file; echo x > bound/n; echo x > memory/n; echo x > file; mv bound moved; echo new > n";
        let kept = with_mounts(&place, &["try", "--keep", script]);
        assert_eq!((kept.code, kept.stdout.as_str()), (Some(0), "outside\noutside\n"), "{kept:?}");
        assert!(kept.stderr.contains("could only be read: `bound`, `file`, `memory`"), "{kept:?}");
        assert_eq!(
            (read(&place, "n").as_deref(), read(&place, "file").as_deref()),
            (Some("new\n"), Some("beneath\n"))
        );
        let outside = |name: &str| fs::read_to_string(place.home().join("outside").join(name)).ok();
        assert_eq!((outside("f").as_deref(), outside("n")), (Some("outside\n"), None));
        assert!(fs::read_dir(place.work("bound")).unwrap().next().is_none());
        let undone = with_mounts(&place, &["undo"]);
        assert!(undone.code == Some(0) && read(&place, "n").is_none(), "{undone:?}");
    }
}

#[test]
fn a_tree_that_is_too_deep_is_refused_in_few_words() {
    for place in places() {
        let deep = "import os\nfor _ in range(300):\n os.mkdir('d' * 30)\n os.chdir('d' * 30)";
        assert!(place.command("python3").args(["-c", deep]).status().unwrap().success());
        place.give();
        let tried = place.run(&["try", "--discard", "true"]);
        assert!(tried.code == Some(125) && tried.stderr.contains("is too deep"), "{tried:?}");
        assert!(
            tried.stderr.contains("move it out of the workspace") && tried.stderr.len() < 600,
            "{tried:?}"
        );
    }
}
