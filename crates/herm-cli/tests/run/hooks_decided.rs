//! `herm hooks`: which hooks there are, and who says that they may run.

use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::place::Place;

fn with_two() -> (Place, String) {
    let place = Place::new();
    let path = place.program("hooks/hook.sh", "#!/bin/sh\n");
    place.config(&format!(
        "hooks:\n  pre_tool_call:\n    - {{matcher: terminal, command: '{path} --all', timeout: 5, fail_open: true}}\n  post_tool_call:\n    - \
         command: {path}\n"
    ));
    (place, path)
}

fn states(place: &Place) -> Vec<String> {
    let told = place.run(&["hooks", "list", "--json"]).json();
    let state = |hook: &Value| hook["state"].as_str().unwrap().to_owned();
    told["hooks"].as_array().unwrap().iter().map(state).collect()
}

#[test]
fn hooks_are_listed_with_their_files_and_whether_they_may_run() {
    let (place, path) = with_two();
    let told = place.run(&["hooks", "list", "--json"]).json();
    let first = &told["hooks"][0];
    assert_eq!((first["number"].as_u64(), first["state"].as_str()), (Some(1), Some("new")));
    assert_eq!((first["event"].as_str(), first["tools"].as_str()), (Some("pre_tool_call"), Some("terminal")));
    assert_eq!((first["timeout"].as_u64(), first["fail_open"].as_bool()), (Some(5), Some(true)));
    assert_eq!(first["command"], format!("{path} --all"));
    assert_eq!(first["files"], serde_json::json!([path]));
    assert_eq!(first["digest"].as_str().unwrap().len(), 64);
    let said = place.run(&["hooks", "list"]).stdout;
    assert_eq!(
        said,
        format!(
            "1  new      pre_tool_call  terminal  {path} --all\n            {path}\n2  new      post_tool_call  *  {path}\n            {path}\n"
        )
    );
    assert_eq!(Place::new().run(&["hooks", "list"]).stdout, "there are no hooks\n");
}

#[test]
fn hooks_are_decided_about_by_number_and_by_command() {
    let (place, path) = with_two();
    let ran = place.run(&["hooks", "allow", "1"]);
    assert_eq!((ran.code, ran.stdout), (Some(0), format!("allowed: {path} --all\n")));
    assert_eq!(states(&place), ["allowed", "new"]);
    assert_eq!(place.run(&["hooks", "deny", &path]).stdout, format!("denied: {path}\n"));
    assert_eq!(states(&place), ["allowed", "denied"]);
    place.run(&["hooks", "allow", "2"]);
    place.run(&["hooks", "deny", "1"]);
    assert_eq!(states(&place), ["denied", "allowed"]);
    for unknown in ["0", "3", "-1", "hook.sh", ""] {
        let ran = place.run(&["hooks", "allow", "--", unknown]);
        assert!(ran.code == Some(1) && ran.stderr.contains("there is no hook"), "{unknown}: {ran:?}");
    }
    assert_eq!(states(&place), ["denied", "allowed"]);
}

#[test]
fn a_decision_is_for_the_files_as_they_are() {
    let (place, _) = with_two();
    place.run(&["hooks", "allow", "1"]);
    place.run(&["hooks", "deny", "2"]);
    place.program("hooks/hook.sh", "#!/bin/sh\nexit 1\n");
    assert_eq!(states(&place), ["new", "new"]);
    place.program("hooks/hook.sh", "#!/bin/sh\n");
    assert_eq!(states(&place), ["allowed", "denied"], "what it was before is known");
}

#[test]
fn what_cannot_run_cannot_be_allowed() {
    let place = Place::new();
    place.config("hooks: {pre_tool_call: [/nowhere/hook.sh]}\n");
    let ran = place.run(&["hooks", "allow", "1"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("there is no program `/nowhere/hook.sh`"), "{ran:?}");
    assert_eq!(states(&place), ["broken"]);
    assert!(place.run(&["hooks", "list"]).stdout.contains("there is no program"));
}

#[test]
fn a_command_cannot_decide_about_hooks() {
    let place = Place::new();
    let path = place.program("hooks/hook.sh", "#!/bin/sh\n");
    place.config(&format!("hooks: {{post_tool_call: [{path}]}}\n"));
    // Under another name, so that the judge does not stop it first.
    symlink(env!("CARGO_BIN_EXE_herm"), place.work("tool")).unwrap();
    for verb in ["allow", "deny"] {
        let ran = place.run(&["run", "--yolo", &format!("./tool hooks {verb} 1")]);
        assert!(ran.code == Some(1) && ran.stderr.contains("cannot decide which hooks may run"), "{ran:?}");
        let ran = place.run(&["run", &format!("herm hooks {verb} 1")]);
        assert_eq!(ran.code, Some(126), "{ran:?}");
    }
    assert_eq!(states(&place), ["new"]);
    assert_eq!(place.run(&["run", "./tool hooks list"]).code, Some(0));
}
