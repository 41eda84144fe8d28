//! Files that an agent has read and written by its editor.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::conversation::{Conversation, Place, offered, options, selected};

const READ: &str = "fs/read_text_file";
const WRITE: &str = "fs/write_text_file";

fn refused(answer: &Value) -> &str {
    assert_eq!(answer["error"]["code"], -32010, "{answer}");
    answer["error"]["message"].as_str().unwrap()
}

#[test]
fn what_may_be_read_is_read_by_the_editor_and_told_without_its_secrets() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let path = both.place.write("notes.txt", "");
    both.agent_asks(1, READ, json!({"path": path, "line": 2, "x": 1}));
    let passed = both.editor_hears();
    assert_eq!(
        (&passed["id"], &passed["params"]["line"], &passed["params"]["x"]),
        (&json!(1), &json!(2), &json!(1))
    );
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    both.editor_says(
        &json!({"jsonrpc": "2.0", "id": 1, "result": {"content": format!("one\ntoken {token}\n")}}),
    );
    let answer = both.agent_hears();
    assert_eq!(answer["result"]["content"], "one\ntoken [REDACTED]\n");
    both.agent_asks(2, READ, json!({"path": path}));
    both.editor_hears();
    let failure =
        json!({"jsonrpc": "2.0", "id": 2, "error": {"code": -32002, "message": "gone", "data": {"y": 1}}});
    both.editor_says(&failure);
    assert_eq!(both.agent_hears(), failure);
}

#[test]
fn secrets_of_the_person_are_not_read_however_they_are_called() {
    let place = Place::new();
    let home = place.path("home");
    fs::create_dir_all(home.join(".ssh")).unwrap();
    fs::write(home.join(".ssh/id_ed25519"), "key").unwrap();
    symlink(home.join(".ssh/id_ed25519"), place.work("innocent.txt")).unwrap();
    symlink(home.join(".ssh"), place.work("docs")).unwrap();
    let mut both = Conversation::opened(place, &[]);
    let home = home.to_str().unwrap().to_owned();
    let names = [
        format!("{home}/.ssh/id_ed25519"),
        both.place.work("innocent.txt"),
        both.place.work("docs/id_ed25519"),
        both.place.work("src/../../home/.ssh/id_ed25519"),
    ];
    for (id, path) in names.iter().enumerate() {
        both.agent_asks(i64::try_from(id).unwrap(), READ, json!({"path": path}));
        let heard = match both.either() {
            (true, question) => {
                both.editor_says(&selected(&question, "herm:reject_once"));
                let answer = both.agent_hears();
                both.editor_hears();
                answer
            }
            (false, answer) => answer,
        };
        assert!(refused(&heard).contains("refused"), "{path}: {heard}");
    }
}

#[test]
fn what_may_not_be_written_is_not() {
    let place = Place::new();
    symlink(place.path("home/.bashrc"), place.work("link")).unwrap();
    fs::create_dir_all(place.path("home/.ssh")).unwrap();
    let mut both = Conversation::opened(place, &[]);
    let home = both.place.path("home").to_str().unwrap().to_owned();
    let names = [
        format!("{home}/.ssh/authorized_keys"),
        "/etc/sudoers".to_owned(),
        format!("{home}/.herm/config.yaml"),
        both.place.work("link"),
    ];
    for (id, path) in names.iter().enumerate() {
        both.agent_asks(i64::try_from(id).unwrap(), WRITE, json!({"path": path, "content": "x"}));
        let answer = both.agent_hears();
        assert!(refused(&answer).contains("not allowed"), "{path}: {answer}");
    }
    both.agent_asks(9, WRITE, json!({"path": "relative.txt", "content": "x"}));
    assert_eq!(both.agent_hears()["error"]["code"], -32602);
    both.editor_hears_nothing();
}

#[test]
fn a_change_is_shown_before_it_is_made() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let path = both.place.write("a.txt", "old\n");
    both.agent_asks(1, WRITE, json!({"path": path, "content": "new\n"}));
    let question = both.editor_hears();
    assert_eq!(question["method"], "session/request_permission");
    let diff = json!({"type": "diff", "path": path, "oldText": "old\n", "newText": "new\n"});
    assert_eq!(question["params"]["toolCall"]["content"][1], diff);
    assert_eq!(offered(&question), ["herm:allow_once", "herm:reject_once"]);
    both.editor_says(&selected(&question, "herm:allow_once"));
    let update = both.editor_hears();
    assert_eq!(update["params"]["update"]["status"], "completed", "{update}");
    let passed = both.editor_hears();
    assert_eq!(
        (&passed["id"], &passed["method"], &passed["params"]["content"]),
        (&json!(1), &json!(WRITE), &json!("new\n"))
    );
    both.editor_says(&json!({"jsonrpc": "2.0", "id": 1, "result": null}));
    assert_eq!(both.agent_hears(), json!({"jsonrpc": "2.0", "id": 1, "result": null}));
    // The same again is shown again.
    both.agent_asks(2, WRITE, json!({"path": path, "content": "new\n"}));
    let question = both.editor_hears();
    both.editor_says(&selected(&question, "herm:reject_once"));
    assert!(refused(&both.agent_hears()).contains("denied"));
}

#[test]
fn a_change_that_was_seen_is_not_shown_twice() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let path = both.place.write("a.txt", "one\ntwo\n");
    let told = json!({
        "toolCallId": "1", "title": "Edit", "kind": "edit", "rawInput": {"filePath": path},
        "content": [{"type": "diff", "path": path, "oldText": "two", "newText": "2"}],
    });
    both.agent_asks(1, "session/request_permission", json!({"toolCall": told, "options": options()}));
    let question = both.editor_hears();
    assert_eq!(offered(&question), ["once", "reject"], "a change is seen each time");
    both.editor_says(&selected(&question, "once"));
    both.agent_hears();
    both.agent_asks(2, WRITE, json!({"path": path, "content": "one\n2\n"}));
    assert_eq!(both.editor_hears()["method"], WRITE);
    // Something else under the same name is.
    both.agent_asks(3, WRITE, json!({"path": path, "content": "one\n2\nmore\n"}));
    assert_eq!(both.editor_hears()["method"], "session/request_permission");
}

#[test]
fn a_yes_to_a_part_of_a_file_does_not_lose_the_rest() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let lines = (1..=1000).map(|number| number.to_string()).collect::<Vec<_>>().join("\n");
    let path = both.place.write("a.txt", &lines);
    let part = "\nfive hundred\n";
    let told = json!({
        "toolCallId": "1", "title": "Edit", "kind": "edit", "rawInput": {"filePath": path},
        "content": [{"type": "diff", "path": path, "oldText": "\n500\n", "newText": part}],
    });
    both.agent_asks(1, "session/request_permission", json!({"toolCall": told, "options": options()}));
    let question = both.editor_hears();
    both.editor_says(&selected(&question, "once"));
    both.agent_hears();
    both.agent_asks(2, WRITE, json!({"path": path, "content": part}));
    let question = both.editor_hears();
    assert_eq!(question["method"], "session/request_permission", "{question}");
    both.editor_says(&selected(&question, "herm:reject_once"));
    assert!(refused(&both.agent_hears()).contains("denied"));
    assert_eq!(fs::read_to_string(path).unwrap(), lines);
}

#[test]
fn a_change_that_is_only_told_is_shown() {
    let mut both = Conversation::opened(Place::new(), &["--name", "copilot"]);
    let path = both.place.write("a.txt", "one\ntwo\n");
    let diff =
        format!("diff --git a{path} b{path}\n--- a{path}\n+++ b{path}\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    let told = json!({"toolCallId": "1", "title": "Create a file", "kind": "edit", "rawInput": {"diff": diff, "fileName": path}});
    both.agent_asks(1, "session/request_permission", json!({"toolCall": told, "options": options()}));
    let question = both.editor_hears();
    let shown = json!({"type": "diff", "path": path, "oldText": "one\ntwo\n", "newText": "one\n2\n"});
    assert!(question["params"]["toolCall"]["content"].as_array().unwrap().contains(&shown), "{question}");
}

#[test]
fn the_editor_is_told_where_a_link_leads() {
    let place = Place::new();
    fs::create_dir_all(place.work("lib")).unwrap();
    symlink("lib", place.work("link")).unwrap();
    let mut both = Conversation::opened(place, &[]);
    let path = both.place.write("lib/a.txt", "a\n");
    both.agent_asks(1, READ, json!({"path": both.place.work("link/a.txt"), "line": 2, "x": 1}));
    let passed = both.editor_hears();
    assert_eq!(
        (&passed["params"]["path"], &passed["params"]["line"], &passed["params"]["x"]),
        (&json!(path), &json!(2), &json!(1))
    );
    both.editor_says(&json!({"jsonrpc": "2.0", "id": 1, "result": {"content": "a\n"}}));
    assert_eq!(both.agent_hears()["result"]["content"], "a\n");
    let read: Vec<_> =
        both.place.records().iter().map(|record| record["body"]["action"]["read"].clone()).collect();
    assert_eq!(read, [json!(both.place.work("link/a.txt")), json!(path)], "both names were judged");
}

#[test]
fn what_is_read_where_a_link_was_swapped_in_is_not_told() {
    let place = Place::new();
    fs::create_dir_all(place.path("home/.ssh")).unwrap();
    fs::write(place.path("home/.ssh/id_ed25519"), "key").unwrap();
    let mut both = Conversation::opened(place, &[]);
    let path = both.place.write("a.txt", "a\n");
    both.agent_asks(1, READ, json!({"path": path}));
    assert_eq!(both.editor_hears()["params"]["path"], path);
    fs::remove_file(&path).unwrap();
    symlink(both.place.path("home/.ssh/id_ed25519"), &path).unwrap();
    both.editor_says(&json!({"jsonrpc": "2.0", "id": 1, "result": {"content": "key"}}));
    let answer = both.agent_hears();
    assert!(answer["error"]["message"].as_str().unwrap().contains("leads elsewhere now"), "{answer}");
    assert!(both.told().contains("withheld"));
}

#[test]
fn what_changes_while_somebody_is_asked_is_not_passed_on() {
    let mut both = Conversation::opened(Place::new(), &[]);
    let path = both.place.write("a.txt", "a\n");
    both.agent_asks(1, WRITE, json!({"path": path, "content": "b\n"}));
    let question = both.editor_hears();
    fs::remove_file(&path).unwrap();
    symlink(both.place.path("home/.bashrc"), &path).unwrap();
    both.editor_says(&selected(&question, "herm:allow_once"));
    let answer = both.agent_hears();
    assert!(answer["error"]["message"].as_str().unwrap().starts_with("herm: "), "{answer}");
    assert_eq!(both.editor_hears()["params"]["update"]["status"], "failed");
    both.editor_hears_nothing();
    let records = both.place.records();
    assert!(records.iter().all(|record| record["body"]["decision"] != "allow"), "{records:?}");
}

#[test]
fn what_may_have_been_written_elsewhere_is_recorded() {
    let place = Place::new();
    fs::write(place.path("home/.bashrc"), "").unwrap();
    let mut both = Conversation::opened(place, &[]);
    let path = both.place.write("a.txt", "a\n");
    both.agent_asks(1, WRITE, json!({"path": path, "content": "b\n"}));
    let question = both.editor_hears();
    both.editor_says(&selected(&question, "herm:allow_once"));
    both.editor_hears();
    assert_eq!(both.editor_hears()["method"], WRITE);
    let elsewhere = both.place.path("home/.bashrc");
    fs::remove_file(&path).unwrap();
    symlink(&elsewhere, &path).unwrap();
    both.editor_says(&json!({"jsonrpc": "2.0", "id": 1, "result": null}));
    assert_eq!(both.agent_hears()["result"], Value::Null);
    let (_, place) = both.close();
    let records = place.records();
    let seen = records.iter().find(|record| record["body"]["decision"] == "seen").unwrap();
    assert_eq!(seen["body"]["action"]["write"], json!(elsewhere.to_str().unwrap()), "{seen}");
    assert!(seen["body"]["findings"].to_string().contains("protected-write"), "{seen}");
}
