//! `herm try` and `herm undo`, with real processes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Child;

use crate::place::{Place, eventually};

fn places() -> [Place; 2] {
    [Place::new(), Place::unprivileged()]
}

/// Sets the workspace up as its owner would.
fn prepare(place: &Place) {
    let ran =
        place.run(&["run", "mkdir -p src/deep; echo one > src/a; echo two > src/deep/b; echo text > f"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn read(place: &Place, name: &str) -> Option<String> {
    fs::read_to_string(place.work(name)).ok()
}

const CHANGE: &str = "rm -r src/deep; mv src/a src/c; echo new > n; echo more >> f; chmod +x f";

#[test]
fn what_is_discarded_never_happened() {
    for place in places() {
        prepare(&place);
        let tried = place.run(&["try", "--discard", CHANGE]);
        assert!(tried.code == Some(0) && tried.stderr.contains("+ n (4 bytes)"), "{tried:?}");
        assert!(
            tried.stderr.contains("    +more\n")
                && tried.stderr.contains("nothing of what it changed is kept")
        );
        assert_eq!((read(&place, "f").as_deref(), read(&place, "n")), (Some("text\n"), None));
        assert_eq!(read(&place, "src/deep/b").as_deref(), Some("two\n"));
    }
}

#[test]
fn without_a_person_nothing_is_kept() {
    let place = Place::new();
    prepare(&place);
    let tried = place.run(&["try", "rm -rf src"]);
    assert!(tried.code == Some(0) && tried.stderr.contains("- src"), "{tried:?}");
    assert_eq!(read(&place, "src/a").as_deref(), Some("one\n"));
}

#[test]
fn a_person_sees_it_and_keeps_it_and_takes_it_back() {
    let place = Place::new();
    prepare(&place);
    let kept = place.at_terminal(80, &[("Choice [k/D]:", "k\r")], &["try", CHANGE]);
    assert!(kept.code == Some(0) && kept.stdout.contains(" n (4 bytes)"), "{kept:?}");
    assert_eq!(
        (read(&place, "f").as_deref(), read(&place, "n").as_deref()),
        (Some("text\nmore\n"), Some("new\n"))
    );
    assert_eq!((read(&place, "src/c").as_deref(), read(&place, "src/deep/b")), (Some("one\n"), None));
    let undone = place.run(&["undo"]);
    assert!(undone.code == Some(0) && undone.stdout.contains("is taken back"), "{undone:?}");
    assert_eq!((read(&place, "f").as_deref(), read(&place, "n")), (Some("text\n"), None));
    assert_eq!(
        (read(&place, "src/a").as_deref(), read(&place, "src/deep/b").as_deref()),
        (Some("one\n"), Some("two\n"))
    );
    assert_eq!(place.run(&["undo"]).code, Some(1), "there is nothing more");
}

#[test]
fn a_person_who_says_no_keeps_nothing() {
    let place = Place::new();
    prepare(&place);
    let kept = place.at_terminal(80, &[("Choice [k/D]:", "\r")], &["try", "rm -rf src"]);
    assert!(kept.stdout.contains("nothing of what it changed is kept"), "{kept:?}");
    assert_eq!(read(&place, "src/a").as_deref(), Some("one\n"));
}

#[test]
fn keeping_unseen_is_asked_about_as_ever() {
    for place in places() {
        prepare(&place);
        let refused = place.run(&["try", "--keep", "rm -rf src"]);
        assert!(refused.code == Some(126) && read(&place, "src/a").is_some(), "{refused:?}");
        let free = place.run(&["try", "--keep-if", "EXIT0", "echo new > n"]);
        assert!(free.code == Some(0) && read(&place, "n").as_deref() == Some("new\n"), "{free:?}");
        let failed = place.run(&["try", "--keep-if", "EXIT0", "echo new > m; false"]);
        assert!(failed.code == Some(1) && read(&place, "m").is_none(), "{failed:?}");
    }
}

#[test]
fn later_edits_are_not_lost() {
    for place in places() {
        prepare(&place);
        let kept = place.run(&["try", "--keep", "--json", "echo new > f"]);
        let reply: serde_json::Value = serde_json::from_str(&kept.stdout).unwrap();
        assert_eq!(reply["trial"]["kept"], true, "{kept:?}");
        assert_eq!(place.run(&["run", "echo mine >> f"]).code, Some(0));
        let refused = place.run(&["undo", reply["receipt"].as_str().unwrap()]);
        let shown = "herm: taking it back would lose this:\n  ~ f [changed]\n    @@ -1,1 +1,2 @@\n     new\n    +mine\nhint: ";
        assert!(refused.code == Some(3) && refused.stderr.contains(shown), "{refused:?}");
        assert_eq!(read(&place, "f").as_deref(), Some("new\nmine\n"));
    }
}

#[test]
fn the_record_says_whether_it_was_kept() {
    let place = Place::new();
    prepare(&place);
    let kept = place.run(&["try", "--keep", "--json", "echo new > n"]);
    let reply: serde_json::Value = serde_json::from_str(&kept.stdout).unwrap();
    let shown = place.run(&["audit", "show", reply["receipt"].as_str().unwrap()]);
    assert!(shown.stdout.contains("\"kept\": true") && shown.stdout.contains("\"created\": 1"), "{shown:?}");
}

#[test]
fn a_command_cannot_take_back_what_was_kept() {
    let place = Place::new();
    prepare(&place);
    assert_eq!(place.run(&["try", "--keep", "echo new > n"]).code, Some(0));
    let herm = env!("CARGO_BIN_EXE_herm");
    let undone = place.run(&["run", "--yolo", &format!("{herm} undo")]);
    assert!(undone.code != Some(0) && read(&place, "n").is_some(), "{undone:?}");
}

#[test]
fn wrong_arguments_are_herms_own_failure() {
    let ran = Place::new().run(&["try", "--no-such-switch", "true"]);
    assert_eq!(ran.code, Some(125), "{ran:?}");
}

#[test]
fn scripts_are_tried_too() {
    for place in places() {
        prepare(&place);
        let root = place.work("");
        let script =
            format!("import os; os.remove({:?} + 'f'); open('own', 'w').write('x')", root.to_str().unwrap());
        let tried = place.run(&["try", "--discard", "--language", "python", &script]);
        assert!(tried.code == Some(0) && tried.stderr.contains("  - f (5 bytes)"), "{tried:?}");
        assert!(!tried.stderr.contains("own") && read(&place, "f").is_some(), "{tried:?}");
    }
}

#[test]
fn a_question_is_answered_with_a_try_and_what_it_changed_is_kept_and_taken_back() {
    let place = Place::new();
    prepare(&place);
    let steps = [("Choice [o/s/a/t/D]:", r"t\r"), ("Choice [k/D]:", r"k\r")];
    let kept = place.at_terminal(120, &steps, &["run", "rm -rf src"]);
    assert!(kept.code == Some(0) && kept.stdout.contains("src with 3 inside"), "{kept:?}");
    assert!(
        kept.stdout.contains("it was only tried") && kept.stdout.contains("is kept; `herm undo"),
        "{kept:?}"
    );
    assert!(!place.work("src").exists());
    let (intent, outcome) = told(&place);
    assert_eq!(
        (intent["answer"]["answer"].as_str(), intent["backend"].as_str()),
        (Some("try"), Some("sandbox"))
    );
    assert_eq!(
        (&outcome["trial"]["kept"], &outcome["trial"]["counts"]["deleted"]),
        (&true.into(), &4.into())
    );
    assert!(outcome["trial"]["by"].as_str().unwrap().starts_with("terminal"), "{outcome}");
    assert_eq!(place.run(&["undo"]).code, Some(0));
    assert_eq!(read(&place, "src/deep/b").as_deref(), Some("two\n"));
    assert_eq!(place.run(&["run", "rm -rf src"]).code, Some(126), "a try is no yes to the next call");
}

/// What was about to be done last, and what came of it.
fn told(place: &Place) -> (serde_json::Value, serde_json::Value) {
    let ledger = place.ledger();
    let last =
        |kind: &str| ledger.iter().rev().find(|record| record["kind"] == kind).unwrap()["body"].clone();
    (last("intent"), last("outcome"))
}

#[test]
fn a_question_is_answered_with_a_try_and_what_it_changed_is_discarded() {
    let place = Place::new();
    prepare(&place);
    let steps = [("Choice [o/s/a/t/D]:", r"t\r"), ("Choice [k/D]:", r"\r")];
    let tried = place.at_terminal(120, &steps, &["run", "rm -rf src"]);
    assert!(
        tried.code == Some(0) && tried.stdout.contains("nothing of what it changed is kept"),
        "{tried:?}"
    );
    assert_eq!(read(&place, "src/a").as_deref(), Some("one\n"));
    assert_eq!(told(&place).1["trial"]["kept"], false);
}

/// Starts a run that is asked about, and answers with a try. Says what the second question is.
fn tried_from_elsewhere(place: &Place, command: &str) -> (Child, serde_json::Value) {
    let asking = place.start(&["run", "--json", command]);
    let answered = place.run(&["approvals", "answer", &place.question(), "try"]);
    assert_eq!(answered.code, Some(0), "{answered:?}");
    let id = place.question();
    let listed = place.run(&["approvals", "list", "--json"]).json();
    let question = listed["questions"].as_array().unwrap().iter().find(|question| question["id"] == *id);
    (asking, question.unwrap().clone())
}

fn end(child: Child) -> serde_json::Value {
    let output = child.wait_with_output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn from_another_process_a_try_is_shown_and_kept() {
    for place in places() {
        prepare(&place);
        let (asking, question) = tried_from_elsewhere(&place, "rm -rf src; echo more >> f");
        let changes = question["changes"].as_str().unwrap();
        assert!(changes.contains("  - src with 3 inside\n") && changes.contains("    +more\n"), "{changes}");
        assert!(place.work("src").exists());
        let id = question["id"].as_str().unwrap();
        assert!(place.run(&["approvals", "list"]).stdout.contains("keep what a try has changed"));
        for said in ["once", "session", "always", "try"] {
            let wrong = place.run(&["approvals", "answer", id, said]);
            assert!(wrong.code == Some(1) && wrong.stderr.contains("`keep`, `discard`"), "{said}: {wrong:?}");
        }
        assert_eq!(place.run(&["approvals", "answer", id, "keep"]).code, Some(0));
        let reply = end(asking);
        assert!(reply["trial"]["kept"] == true && reply["answer"]["answer"] == "try", "{reply}");
        assert!(!place.work("src").exists());
        assert_eq!(place.run(&["undo", reply["receipt"].as_str().unwrap()]).code, Some(0));
        assert_eq!(read(&place, "src/a").as_deref(), Some("one\n"));
    }
}

#[test]
fn from_another_process_a_try_is_shown_and_discarded() {
    let place = Place::new();
    prepare(&place);
    let (asking, question) = tried_from_elsewhere(&place, "rm -rf src");
    assert_eq!(
        place.run(&["approvals", "answer", question["id"].as_str().unwrap(), "discard"]).code,
        Some(0)
    );
    let reply = end(asking);
    assert!(reply["trial"]["kept"] == false && reply["exit_code"] == 0, "{reply}");
    assert_eq!(read(&place, "src/a").as_deref(), Some("one\n"));
}

#[test]
fn whoever_is_absent_when_a_try_is_over_discards_it() {
    let place = Place::new();
    prepare(&place);
    place.config("approvals: {timeout: 6}\n");
    let (asking, question) = tried_from_elsewhere(&place, "rm -rf src");
    let reply = end(asking);
    assert_eq!((&reply["trial"]["kept"], &reply["trial"]["by"]), (&false.into(), &serde_json::Value::Null));
    assert_eq!(read(&place, "src/a").as_deref(), Some("one\n"));
    let late = place.run(&["approvals", "answer", question["id"].as_str().unwrap(), "keep"]);
    assert!(late.code == Some(1) && late.stderr.contains("no such question"), "{late:?}");
    assert_eq!(read(&place, "src/a").as_deref(), Some("one\n"));
}

#[test]
fn what_leaves_is_not_offered_as_a_try() {
    let place = Place::new();
    prepare(&place);
    let asking = place.start(&["run", "--json", "rm -rf src; git push --force"]);
    let id = place.question();
    let refused = place.run(&["approvals", "answer", &id, "try"]);
    assert!(refused.code == Some(1) && refused.stderr.contains("it cannot be tried"), "{refused:?}");
    assert_eq!(place.run(&["approvals", "answer", &id, "deny"]).code, Some(0));
    assert_eq!(end(asking)["ending"], "refused");
    assert!(place.work("src").exists());
}

#[test]
fn what_is_refused_cannot_be_tried() {
    let place = Place::new();
    let refused = place.run(&["run", "--json", "rm -rf /"]);
    assert_eq!((refused.json()["refused"].as_str(), place.is_harmed()), (Some("forbidden"), false));
    assert_eq!(place.run(&["approvals", "list", "--json"]).json()["questions"], serde_json::json!([]));
}

#[test]
fn a_late_try_is_still_a_try() {
    let place = Place::new();
    prepare(&place);
    assert_eq!(place.run(&["run", "--session", "s", "rm -rf src"]).code, Some(126));
    assert_eq!(place.run(&["approvals", "answer", &place.question(), "try"]).code, Some(0));
    let tried = place.run(&["run", "--session", "s", "rm -rf src"]);
    assert!(
        tried.code == Some(0) && tried.stderr.contains("nothing of what it changed is kept"),
        "{tried:?}"
    );
    assert!(place.work("src").exists());
}

#[test]
fn which_programs_were_started_is_shown_and_recorded() {
    for place in places() {
        prepare(&place);
        let script = "env true; sh -c 'cat f; cat f' > n; cat --secret ghp_Zk3vQ9xTb7LmPw2RsYd8HnJc5FgVe1Ua4KiO f; true";
        let tried = place.run(&["try", "--discard", "--json", script]);
        let reply = tried.json();
        let programs = &reply["trial"]["programs"];
        let first = programs["first"].as_array().unwrap_or_else(|| panic!("{tried:?}"));
        let commands: Vec<_> = first.iter().map(|program| program["command"].as_str().unwrap()).collect();
        let named = |name: &str| {
            commands.iter().filter(|command| command.split(' ').next().unwrap().ends_with(name)).count()
        };
        assert_eq!((named("env"), named("true"), named("cat")), (1, 1, 3), "{commands:?}");
        assert_eq!(programs["total"], first.len(), "{programs}");
        assert!(
            commands[0].contains("--norc") && commands.iter().all(|line| !line.contains("ghp_Zk3vQ9xTb7Lm")),
            "{commands:?}"
        );
        let shell = commands.iter().position(|line| line.ends_with("/sh -c 'cat f; cat f'")).unwrap();
        let cats = first.iter().filter(|program| program["by"] == shell).count();
        assert_eq!(cats, 2, "{programs}");
        assert_eq!(told(&place).1["trial"]["programs"], *programs);
        let shown = place.run(&["try", "--discard", "env true"]).stderr;
        assert!(shown.contains("What it ran:\n") && shown.contains("/env true\n"), "{shown}");
    }
}

#[test]
fn many_programs_are_counted_and_few_are_kept() {
    let place = Place::new();
    prepare(&place);
    let tried = place.run(&[
        "try",
        "--discard",
        "--json",
        "i=0; while [ $i -lt 1200 ]; do /bin/true; i=$((i+1)); done",
    ]);
    let reply = tried.json();
    let programs = &reply["trial"]["programs"];
    assert_eq!((&programs["total"], programs["first"].as_array().unwrap().len()), (&1201.into(), 1000));
    assert_eq!(reply["exit_code"], 0, "{tried:?}");
}

/// Whoever starts a program waits for a herm that sees it. Without one it must neither wait for ever nor go on.
#[test]
fn nothing_of_a_try_outlives_a_herm_that_is_killed() {
    let place = Place::new();
    prepare(&place);
    let mark = format!("mark-{}", std::process::id());
    let script = format!(": {mark}; while :; do /bin/true; done");
    let mut trying = place.start(&["try", "--discard", &script]);
    let is_there = || {
        let running = fs::read_dir("/proc").unwrap().flatten();
        running
            .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
            .any(|line| line.starts_with(b"/bin/bash") && String::from_utf8_lossy(&line).contains(&mark))
    };
    eventually("it runs", is_there);
    trying.kill().unwrap();
    trying.wait().unwrap();
    eventually("it ends", || !is_there());
}

#[test]
fn whom_a_try_tried_to_reach_is_shown() {
    for place in places() {
        prepare(&place);
        let script = "exec 3<>/dev/tcp/192.0.2.7/443; echo hello >&3; cat <&3";
        let tried = place.run(&["try", "--discard", "--json", "--language", "shell", script]);
        let reply = tried.json();
        let met = reply["trial"]["connections"].as_array().unwrap_or_else(|| panic!("{tried:?}"));
        assert!(met.iter().any(|met| met["to"].as_str().unwrap().contains("192.0.2.7")), "{tried:?}");
        let shown = place.run(&["try", "--discard", script]).stderr;
        assert!(shown.contains("Whom it tried to reach:\n  ") && shown.contains("192.0.2.7"), "{shown}");
    }
}

/// What stands in a directory that its mode closes to its owner.
fn behind(place: &Place, directory: &str, name: &str) -> (u32, Option<String>) {
    let closed = place.work(directory);
    let mode = fs::metadata(&closed).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    let found = fs::read_to_string(closed.join(name)).ok();
    fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).unwrap();
    (mode, found)
}

#[test]
fn directories_that_are_closed_to_their_owner_are_shown_kept_and_taken_back() {
    for place in places() {
        prepare(&place);
        let script =
            "mkdir -p shut/deep; echo one > shut/g; echo two > shut/deep/h; chmod 000 shut/deep shut src";
        let kept = place.run(&["try", "--keep", script]);
        assert!(kept.code == Some(0) && kept.stderr.contains("  + shut/deep/h (4 bytes)"), "{kept:?}");
        assert!(kept.stderr.contains("  ~ src [mode-changed ") && !kept.stderr.contains("src/a"), "{kept:?}");
        assert_eq!(behind(&place, "shut", "g"), (0, Some("one\n".to_owned())));
        assert_eq!(behind(&place, "src", "a"), (0, Some("one\n".to_owned())));
        let undone = place.run(&["undo"]);
        assert!(undone.code == Some(0) && !place.work("shut").exists(), "{undone:?}");
        assert_eq!(behind(&place, "src", "a"), (0o755, Some("one\n".to_owned())));
        let tries = place.guard().join("tries");
        assert_eq!(place.run(&["try", "--discard", script]).code, Some(0));
        let left = || fs::read_dir(&tries).unwrap().flatten().filter(|entry| entry.path().is_dir()).count();
        assert_eq!((left(), place.work("shut").exists()), (0, false), "discarded ones are gone");
    }
}

#[test]
fn only_so_many_kept_runs_can_be_taken_back() {
    let place = Place::new();
    prepare(&place);
    place.config("undo: {runs: 2}\n");
    for name in ["one", "two", "three"] {
        assert_eq!(place.run(&["try", "--keep", &format!("echo {name} > {name}")]).code, Some(0));
    }
    assert_eq!([0, 1, 2].map(|_| place.run(&["undo"]).code), [Some(0), Some(0), Some(1)]);
    assert_eq!(["one", "two", "three"].map(|name| read(&place, name).is_some()), [true, false, false]);
}

/// What is in a directory that was closed before is nobody's business as long as nothing is changed in it.
#[test]
fn a_directory_that_was_closed_before_is_left_alone() {
    for place in places() {
        prepare(&place);
        assert_eq!(place.run(&["run", "mkdir shut; echo x > shut/f; chmod 000 shut"]).code, Some(0));
        let kept = place.run(&["try", "--keep", "echo new > n"]);
        assert!(kept.code == Some(0) && read(&place, "n").is_some(), "{kept:?}");
        assert_eq!(behind(&place, "shut", "f"), (0, Some("x\n".to_owned())));
        assert!(place.run(&["undo"]).code == Some(0) && read(&place, "n").is_none());
    }
}

#[test]
fn what_others_would_run_is_not_kept_unseen() {
    for place in places() {
        prepare(&place);
        for script in [
            "echo ../elsewhere > .git/commondir",
            "mkdir new && echo x > new/hooks && mv new/hooks .git/hooks",
        ] {
            let tried = place.run(&["try", "--yolo", "--keep", script]);
            assert!(tried.stderr.contains("can make programs outside run code"), "{tried:?}");
            assert!(tried.stderr.contains("nothing of what it changed is kept"), "{tried:?}");
        }
        assert_eq!((read(&place, ".git/commondir"), read(&place, ".git/hooks")), (None, None));
    }
}
