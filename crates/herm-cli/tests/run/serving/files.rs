//! The tools of `herm mcp serve` that read and change files.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use serde_json::{Value, json};

use super::spoken::{Spoken, client, text};
use crate::place::Place;

#[test]
fn a_file_is_read_as_far_as_it_may_be() {
    let place = Place::new();
    let lines: Vec<_> = (1..=3000).map(|number| format!("line {number}\n")).collect();
    place.file("long.txt", &lines.concat());
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    place.file("token.txt", &format!("token: {token}\n"));
    fs::write(place.work("picture"), [0x89, b'P', 0, 1]).unwrap();
    symlink("/dev/zero", place.work("zero")).unwrap();
    fs::create_dir_all(place.home().join(".ssh")).unwrap();
    fs::write(place.home().join(".ssh/id_ed25519"), "key\n").unwrap();
    symlink(place.home().join(".ssh/id_ed25519"), place.work("harmless.txt")).unwrap();
    let mut client = Spoken::to(&place, &json!({}), &[]);
    let result = client.result("read_file", &json!({"path": "long.txt", "offset": 2999, "limit": 5}));
    assert_eq!(text(&result), "line 2999\nline 3000\n");
    assert_eq!(result["structuredContent"]["total_lines"], 3000);
    let result = client.result("read_file", &json!({"path": "long.txt"}));
    assert_eq!(
        (&result["structuredContent"]["truncated"], &result["structuredContent"]["shown_lines"]),
        (&json!(true), &json!(2000))
    );
    assert_eq!(client.done("read_file", &json!({"path": "token.txt"})), "token: [REDACTED]\n");
    assert_eq!(client.done("read_file", &json!({"path": "picture"})), "herm: it is no text: 4 bytes");
    assert_eq!(client.failed("read_file", &json!({"path": "zero"})), "herm: `zero`: it is a device");
    assert_eq!(client.failed("read_file", &json!({"path": "none"})), "herm: `none`: there is no such file");
    assert!(client.failed("read_file", &json!({"path": "/proc/self/environ"})).contains("about a process"));
    for path in ["harmless.txt", "~/.ssh/id_ed25519"] {
        let said = client.failed("read_file", &json!({"path": path}));
        assert!(said.contains("credential-read") && !said.contains("key\n"), "{said}");
    }
    let read =
        place.ledger().iter().filter(|record| record.to_string().contains("\"read\":\"long.txt\"")).count();
    assert_eq!(read, 2, "each reading is recorded before it is done");
    let lost =
        |record: &Value| record["body"]["action"]["read"] == "zero" && record["body"]["ending"] == "failed";
    assert!(place.ledger().iter().any(lost), "and so is what could not be read");
    assert_eq!(place.run(&["audit", "verify"]).code, Some(0));
}

#[test]
fn a_file_is_written_whole_with_its_mode_and_where_it_may_be() {
    let place = Place::new();
    let script = place.file("run.sh", "#!/bin/sh\n");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o750)).unwrap();
    fs::write(place.home().join(".bashrc"), "mine\n").unwrap();
    symlink(place.home().join(".bashrc"), place.work("notes.txt")).unwrap();
    symlink(place.home(), place.work("away")).unwrap();
    let mut client = Spoken::to(&place, &json!({}), &[]);
    client.done("write_file", &json!({"path": "run.sh", "content": "#!/bin/sh\necho\n"}));
    assert_eq!(fs::read_to_string(&script).unwrap(), "#!/bin/sh\necho\n");
    assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o777, 0o750);
    client.done("write_file", &json!({"path": "new/deep/file", "content": ""}));
    assert_eq!(fs::read_to_string(place.work("new/deep/file")).unwrap(), "");
    for path in [
        "notes.txt",
        "~/.bashrc",
        "away/.ssh/authorized_keys",
        "../home/.herm/config.yaml",
        "new/../../home/.profile",
    ] {
        let said = client.failed("write_file", &json!({"path": path, "content": "x"}));
        assert!(said.contains("protected-write"), "{path}: {said}");
    }
    assert_eq!(fs::read_to_string(place.home().join(".bashrc")).unwrap(), "mine\n");
    assert!(!place.home().join(".ssh").exists() && !place.home().join(".profile").exists());
    place.config(&format!("approvals: {{deny: ['effect:write path:{}']}}\n", script.display()));
    let said = client.failed("write_file", &json!({"path": "run.sh", "content": ""}));
    assert!(said.contains("denied-by-user"), "what is tightened holds at once: {said}");
    client.done("write_file", &json!({"path": "new/file", "content": ""}));
}

#[test]
fn a_patch_is_applied_to_all_files_or_to_none() {
    let place = Place::new();
    place.file("a", "one\n");
    place.file("b", "two\n");
    place.file("c", "three\n");
    let mut client = Spoken::to(&place, &json!({}), &[]);
    let wrong = "*** Begin Patch\n*** Update File: a\n@@\n-one\n+1\n*** Update File: b\n@@\n-zwei\n+2\n*** End Patch\n";
    assert!(
        client.failed("patch", &json!({"patch": wrong})).contains("`b`: part 1 of the change does not fit")
    );
    assert_eq!(fs::read_to_string(place.work("a")).unwrap(), "one\n");
    let good = "*** Begin Patch\n*** Update File: a\n@@\n-one\n+1\n*** Update File: b\n*** Move to: d/b\n@@\n-two\n+2\n*** Delete File: c\n*** Add File: e\n+5\n\
                *** End Patch\n";
    let result = client.result("patch", &json!({"patch": good}));
    assert_eq!(result["structuredContent"]["files"].as_array().unwrap().len(), 5, "{result}");
    let read = |name: &str| fs::read_to_string(place.work(name)).ok();
    assert_eq!([read("a"), read("d/b"), read("e")].map(Option::unwrap), ["1\n", "2\n", "5\n"]);
    assert_eq!([read("b"), read("c")], [None, None]);
    let unified = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+uno\n";
    assert!(client.done("patch", &json!({"patch": unified})).starts_with("changed "));
    assert!(client.failed("patch", &json!({"patch": "rm -rf"})).contains("it is no part of a unified patch"));
    let protected = "*** Begin Patch\n*** Update File: a\n@@\n-uno\n+x\n*** Add File: ../home/.ssh/authorized_keys\n+key\n*** End Patch\n";
    assert!(client.failed("patch", &json!({"patch": protected})).contains("protected-write"));
    assert_eq!(read("a").unwrap(), "uno\n");
}

#[test]
fn what_no_command_could_change_is_asked_about() {
    let place = Place::new();
    let other = tempfile::tempdir().unwrap();
    let elsewhere = other.path().join("x");
    place.file(".git/config", "[core]\n");
    symlink(place.home(), place.work("away")).unwrap();
    for backend in ["local", "sandbox"] {
        let mut client = Spoken::to(&place, &json!({}), &["--backend", backend]);
        for path in [
            ".git/config",
            "packages/a/.git/config",
            ".git/hooks/pre-commit",
            ".vscode/tasks.json",
            "packages/a/.vscode/tasks.json",
            ".husky/pre-commit",
        ] {
            let said = client.failed("write_file", &json!({"path": path, "content": "x"}));
            assert!(said.contains("edit-lever"), "{backend}: {path}: {said}");
        }
        for path in ["~/bin/ls", "away/notes", "../x", elsewhere.to_str().unwrap()] {
            let said = client.failed("write_file", &json!({"path": path, "content": "x"}));
            assert!(said.contains("edit-outside"), "{backend}: {path}: {said}");
        }
        let moved = "*** Begin Patch\n*** Update File: run.sh\n*** Move to: .husky/pre-push\n@@\n-a\n+b\n*** End Patch\n";
        place.file("run.sh", "a\n");
        assert!(client.failed("patch", &json!({"patch": moved})).contains("edit-lever"));
        let settings =
            client.failed("write_file", &json!({"path": "~/.claude/settings.json", "content": "{}"}));
        assert!(settings.contains("agent-config-write"), "{backend}: {settings}");
    }
    assert_eq!(fs::read_to_string(place.work(".git/config")).unwrap(), "[core]\n");
    assert!(!place.home().join("bin").exists() && !elsewhere.exists() && !place.work(".husky").exists());
    let mut client = client(&place);
    let id = client.call("write_file", &json!({"path": ".vscode/tasks.json", "content": "{}"}));
    assert!(client.choose("once").contains("edit-lever"));
    assert_eq!(client.answer(id)["result"]["isError"], false);
    assert_eq!(fs::read_to_string(place.work(".vscode/tasks.json")).unwrap(), "{}");
}

#[test]
fn herms_own_files_are_protected_wherever_they_are() {
    let place = Place::new();
    let (keep, link) = (place.work("keep"), place.work("link"));
    fs::create_dir_all(&keep).unwrap();
    symlink(&keep, &link).unwrap();
    for home in [&keep, &link] {
        let mut client = Spoken::to(&place, &json!({}), &["--herm-home", home.to_str().unwrap()]);
        client.done("terminal", &json!({"command": "true"}));
        let key = keep.join("ledger/key");
        assert!(key.exists());
        let delete = |name: &str| format!("*** Begin Patch\n*** Delete File: {name}\n*** End Patch\n");
        for name in ["keep/ledger/key", "link/ledger/key", key.to_str().unwrap()] {
            let said = client.failed("patch", &json!({"patch": delete(name)}));
            assert!(said.contains("protected-write"), "{name}: {said}");
            let said = client.failed("terminal", &json!({"command": format!("rm {name}")}));
            assert!(said.contains("protected-write"), "{name}: {said}");
            let said = client.failed("read_file", &json!({"path": name}));
            assert!(said.contains("credential-read"), "{name}: {said}");
        }
        let said = client.failed(
            "write_file",
            &json!({"path": "keep/config.yaml", "content": "approvals: {mode: off}\n"}),
        );
        assert!(said.contains("protected-write"), "{said}");
        assert!(key.exists() && !keep.join("config.yaml").exists());
    }
}

#[test]
fn whether_a_guess_was_right_is_not_told() {
    let place = Place::new();
    fs::create_dir_all(place.home().join(".ssh")).unwrap();
    fs::write(place.home().join(".ssh/id_rsa"), "key\n").unwrap();
    fs::create_dir_all(place.home().join(".claude")).unwrap();
    fs::write(place.home().join(".claude/settings.json"), "{}\n").unwrap();
    place.file("same.txt", "same\n");
    let mut client = Spoken::to(&place, &json!({}), &[]);
    for (path, right) in [("~/.ssh/id_rsa", "key\n"), ("~/.claude/settings.json", "{}\n")] {
        let mut say = |content: &str| client.failed("write_file", &json!({"path": path, "content": content}));
        let said = say(right);
        assert!(said.contains("-write") && !said.contains("different"), "{said}");
        assert_eq!(said, say("wrong\n"), "{path}");
    }
    assert_eq!(
        client.done("write_file", &json!({"path": "same.txt", "content": "same\n"})),
        "nothing is different"
    );
    client.failed("patch", &json!({"patch": "--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n"}));
    let failed = |record: &Value| record.to_string().contains("there is no such file");
    assert!(place.ledger().iter().any(failed), "what fails is written down");
}

#[test]
fn a_part_of_a_key_does_not_come_into_the_ledger() {
    let place = Place::new();
    let line = |number: u32| format!("MIIEpAIBAAKCAQEA{number:02}q7Zf3vXo2Lk9Tn5Wm8Yb1Rc4Hd6Jg0Ps\n");
    let body: String = (10..40).map(line).collect();
    let name = concat!("RSA PRIVATE", " KEY");
    place.file("notes.txt", &format!("-----BEGIN {name}-----\n{body}-----END {name}-----\n"));
    let mut client = Spoken::to(&place, &json!({}), &[]);
    let patch = format!(
        "*** Begin Patch\n*** Update File: notes.txt\n@@\n {}-{}+{} {}*** End Patch\n",
        line(20),
        line(21),
        line(99),
        line(22)
    );
    client.done("patch", &json!({"patch": patch}));
    assert!(fs::read_to_string(place.work("notes.txt")).unwrap().contains("EA99q7"));
    assert!(
        place.ledger().iter().all(|record| !record.to_string().contains("MIIEpAIB")),
        "{:?}",
        place.ledger()
    );
}

#[test]
fn a_person_sees_the_change_before_it_is_made() {
    let place = Place::new();
    place.config("file_safety: {edit_approval: true}\n");
    place.file("a.txt", "one\ntwo\n\u{1b}[31mred\n");
    let mut client = client(&place);
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n";
    let id = client.call("patch", &json!({"patch": patch}));
    let shown = client.choose("deny");
    for line in ["change a.txt", "-two", "+2", "edit-approval"] {
        assert!(shown.contains(line), "{shown}");
    }
    assert!(!shown.contains('\u{1b}'), "{shown}");
    assert!(text(&client.answer(id)["result"]).contains("denied"));
    let id = client.call("write_file", &json!({"path": "b.txt", "content": "new\n"}));
    // What was shown is what is written: a file that comes meanwhile is left alone.
    let question = client.question();
    place.file("b.txt", "mine\n");
    client.say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"answer": "once"}}}));
    assert!(text(&client.answer(id)["result"]).contains("nothing was changed"));
    assert_eq!(fs::read_to_string(place.work("b.txt")).unwrap(), "mine\n");
    let id = client.call("write_file", &json!({"path": "c.txt", "content": "new\n"}));
    client.choose("once");
    assert_eq!(client.answer(id)["result"]["isError"], false);
    assert_eq!(fs::read_to_string(place.work("c.txt")).unwrap(), "new\n");
}

#[test]
fn secrets_that_were_not_shown_are_not_written_over() {
    let place = Place::new();
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let file = place.file("settings.txt", &format!("token: {token}\nname: x\n"));
    let mut client = Spoken::to(&place, &json!({}), &[]);
    let seen = client.done("read_file", &json!({"path": "settings.txt"}));
    let said =
        client.failed("write_file", &json!({"path": "settings.txt", "content": seen.replace('x', "y")}));
    assert!(said.contains("would be overwritten"), "{said}");
    let patch = "--- a/settings.txt\n+++ b/settings.txt\n@@ -2 +2 @@\n-name: x\n+name: y\n";
    client.done("patch", &json!({"patch": patch}));
    assert_eq!(fs::read_to_string(file).unwrap(), format!("token: {token}\nname: y\n"));
}

/// What commands in the sandbox cannot change, no other tool changes unasked.
#[test]
fn what_makes_others_run_code_is_shown_first() {
    let place = Place::new();
    let mut client = client(&place);
    for path in [".git/config", ".vscode/tasks.json"] {
        let id = client.call("write_file", &json!({"path": path, "content": "x\n"}));
        let asked = client.respond(&json!({"action": "cancel"}));
        assert!(asked.contains("by which others come to run code") && asked.contains("+x"), "{asked}");
        assert_eq!(client.answer(id)["result"]["isError"], true);
        assert!(!place.work(path).exists(), "{path}");
    }
}

#[test]
fn files_stay_whose_they_are() {
    let place = Place::unprivileged();
    place.file("mine.txt", "one\n");
    place.give();
    let mut client = Spoken::to(&place, &json!({}), &[]);
    client.done("write_file", &json!({"path": "mine.txt", "content": "two\n"}));
    client.done("write_file", &json!({"path": "new.txt", "content": "new\n"}));
    assert_eq!(client.done("read_file", &json!({"path": "mine.txt"})), "two\n");
    let owner = |name: &str| fs::metadata(place.work(name)).unwrap().uid();
    assert_eq!(owner("mine.txt"), owner("new.txt"));
    if !place.is_unprivileged() {
        return;
    }
    // Whoever replaces a file of another would make it theirs.
    let theirs = place.file("theirs.txt", "one\n");
    fs::set_permissions(&theirs, fs::Permissions::from_mode(0o666)).unwrap();
    let said = client.failed("write_file", &json!({"path": "theirs.txt", "content": "two\n"}));
    assert!(said.contains("it cannot be written"), "{said}");
    assert_eq!((fs::read_to_string(&theirs).unwrap(), owner("theirs.txt")), ("one\n".to_owned(), 0));
    fs::set_permissions(&theirs, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(client.failed("read_file", &json!({"path": "theirs.txt"})).contains("cannot be opened"));
}
