//! `herm undo`, and what was cut short, with real processes.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::place::{Place, Ran};

fn places() -> [Place; 2] {
    [Place::new(), Place::unprivileged()]
}

/// So many files take a while to be replaced.
const MANY: usize = 1500;
const REWRITE: &str = "for f in f*; do echo new > $f; done";

fn many(place: &Place) {
    for number in 0..MANY {
        place.file(&format!("f{number:04}"), "old\n");
    }
    place.give();
}

fn read(place: &Place, name: &str) -> Option<String> {
    fs::read_to_string(place.work(name)).ok()
}

fn tries(place: &Place) -> Vec<Value> {
    let listed = place.run(&["undo", "--list", "--json"]);
    listed.json()["tries"].as_array().unwrap_or_else(|| panic!("{listed:?}")).clone()
}

fn interrupted(place: &Place) -> Option<String> {
    let tries = tries(place);
    let found = tries.iter().find(|listed| listed["status"] == "interrupted");
    found.map(|listed| listed["receipt"].as_str().unwrap().to_owned())
}

/// Kills herm as soon as the first file has this text, and says whether it had not come to its end.
fn cut_short(place: &Place, arguments: &[&str], text: &str) -> Option<String> {
    let mut herm = place.start(arguments);
    while read(place, "f0000").as_deref() != Some(text) && herm.try_wait().unwrap().is_none() {
        std::hint::spin_loop();
    }
    herm.kill().unwrap();
    herm.wait().unwrap();
    interrupted(place)
}

/// A try of which keeping was cut short: its receipt.
fn half_kept(place: &Place) -> String {
    many(place);
    for _ in 0..50 {
        if let Some(id) = cut_short(place, &["try", "--keep", "--yolo", REWRITE], "new\n") {
            return id;
        }
        let undone = place.run(&["undo"]);
        assert_eq!((undone.code, read(place, "f0000").as_deref()), (Some(0), Some("old\n")), "{undone:?}");
    }
    panic!("it was always sooner done than killed");
}

fn edit(place: &Place, name: &str) {
    let mut file = fs::File::options().append(true).open(place.work(name)).unwrap();
    file.write_all(b"mine\n").unwrap();
}

/// The file that was edited after it was replaced: where its original is, which only herm still had.
fn saved(place: &Place, id: &str) -> PathBuf {
    let saved = place.guard().join("rescued").join(id).join("f0000");
    assert_eq!(fs::read_to_string(&saved).unwrap(), "old\n");
    assert_eq!(read(place, "f0000").as_deref(), Some("new\nmine\n"));
    for number in 1..MANY {
        assert_eq!(read(place, &format!("f{number:04}")).as_deref(), Some("old\n"), "{number}");
    }
    saved
}

#[test]
fn what_was_edited_after_a_crash_is_told_by_undo_and_its_original_is_saved() {
    let place = Place::new();
    let id = half_kept(&place);
    edit(&place, "f0000");
    let undone = place.run(&["undo"]);
    let saved = saved(&place, &id);
    assert_eq!(undone.code, Some(0), "{undone:?}");
    let left = format!("  `f0000` is left as it is now; what stood there before is `{}`\n", saved.display());
    assert!(
        undone.stderr.contains(&format!("keeping what the try {id} changed was cut short"))
            && undone.stderr.contains(&left),
        "{undone:?}"
    );
    assert_eq!(place.run(&["undo"]).code, Some(1), "there is nothing more");
    assert_eq!(place.run(&["try", "--discard", "true"]).code, Some(0));
    assert!(saved.exists(), "nobody clears it away");
}

#[test]
fn what_was_edited_after_a_crash_is_told_to_programs() {
    let place = Place::unprivileged();
    let id = half_kept(&place);
    edit(&place, "f0000");
    let told = place.run(&["undo", "--json"]).json();
    let saved = saved(&place, &id);
    let recovered = &told["recovered"][0];
    assert_eq!(
        (&recovered["try"], &recovered["outcome"]),
        (&id.as_str().into(), &"rolled-back".into()),
        "{told}"
    );
    let left = serde_json::json!([{ "path": "f0000", "original": saved.to_str() }]);
    assert_eq!((&recovered["left"], &told["undone"]), (&left, &Value::Null), "{told}");
}

#[test]
fn what_was_edited_after_a_crash_is_told_by_the_next_try() {
    let place = Place::new();
    let id = half_kept(&place);
    edit(&place, "f0000");
    let tried = place.run(&["try", "--discard", "--json", "true"]).json();
    let saved = saved(&place, &id);
    let notes = tried["notes"].to_string();
    assert!(notes.contains("was cut short") && notes.contains(saved.to_str().unwrap()), "{tried}");
}

#[test]
fn an_undo_that_was_cut_short_is_finished_and_takes_nothing_else_back() {
    let place = Place::new();
    many(&place);
    assert_eq!(place.run(&["try", "--keep", "echo early > early"]).code, Some(0));
    let last = format!("f{:04}", MANY - 1);
    let id = (0..50).find_map(|_| {
        assert_eq!(place.run(&["try", "--keep", "--yolo", REWRITE]).code, Some(0));
        let id = cut_short(&place, &["undo"], "old\n")?;
        if read(&place, &last).as_deref() == Some("new\n") {
            return Some(id);
        }
        // All files were back already.
        assert_eq!(place.run(&["undo"]).code, Some(0));
        None
    });
    let id = id.expect("it was always sooner done than killed");
    edit(&place, &last);
    let undone = place.run(&["undo"]);
    assert_eq!(undone.code, Some(0), "{undone:?}");
    assert!(undone.stderr.contains(&format!("taking the try {id} back was cut short")), "{undone:?}");
    let original = place.guard().join("rescued").join(&id).join(&last);
    assert!(undone.stderr.contains(original.to_str().unwrap()), "{undone:?}");
    assert_eq!(fs::read_to_string(original).unwrap(), "old\n");
    assert_eq!(read(&place, &last).as_deref(), Some("new\nmine\n"));
    assert_eq!(read(&place, "early").as_deref(), Some("early\n"), "the run before it stays");
    assert!(place.run(&["undo"]).code == Some(0) && read(&place, "early").is_none());
}

#[test]
fn what_cannot_be_put_right_is_told_and_can_be_given_up() {
    let place = Place::new();
    let id = half_kept(&place);
    let plan = place.guard().join("tries").join(&id).join("plan");
    fs::File::options().write(true).open(plan).unwrap().set_len(100).unwrap();
    let hint = format!("`herm undo --give-up {id}` gives it up");
    let is_told = |text: &str| text.contains("cannot be put right") && text.contains(&hint);
    for arguments in [&["undo"][..], &["try", "--discard", "true"]] {
        let ran = place.run(arguments);
        assert!(is_told(&ran.stderr), "{ran:?}");
    }
    let told = place.run(&["undo", "--json"]).json();
    assert!(told["recovered"][0]["error"].as_str().unwrap().contains("cannot be read back"), "{told}");
    let given_up = place.run(&["undo", "--json", "--give-up", &id]).json();
    assert_eq!(given_up["given_up"], *id);
    // What had been replaced is nowhere else.
    let saved = fs::read_dir(given_up["saved"].as_str().unwrap()).unwrap();
    let texts: Vec<_> = saved.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    let replaced =
        (0..MANY).filter(|number| read(&place, &format!("f{number:04}")).as_deref() == Some("new\n"));
    assert!(texts.len() >= replaced.count() && texts.iter().all(|text| text == "old\n"), "{}", texts.len());
    assert!(tries(&place).is_empty() && !is_told(&place.run(&["undo"]).stderr));
    let unknown = place.run(&["undo", "--give-up", &id]);
    assert!(unknown.code == Some(3) && unknown.stderr.contains("herm undo --list"), "{unknown:?}");
}

/// Every file in the workspace with its text, its time and how many names it has.
fn picture(place: &Place) -> BTreeMap<PathBuf, (String, i64, u64)> {
    let mut found = BTreeMap::new();
    let mut left = vec![place.work("")];
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
            let data = entry.metadata().unwrap();
            if data.is_dir() {
                left.push(entry.path());
            } else {
                let text = fs::read_to_string(entry.path()).unwrap();
                found.insert(entry.path(), (text, data.mtime_nsec(), data.nlink()));
            }
        }
    }
    found
}

#[test]
fn what_was_taken_back_has_no_name_left_in_herms_home() {
    for place in places() {
        for name in ["a", "b", "d/c", "e"] {
            place.file(name, name);
        }
        fs::hard_link(place.work("e"), place.work("f")).unwrap();
        place.give();
        let before = picture(&place);
        let kept = place.run(&["try", "--keep", "--yolo", "echo new > a; rm b; mv d other; echo more >> e"]);
        assert_eq!(kept.code, Some(0), "{kept:?}");
        assert_ne!(picture(&place), before);
        let undone = place.run(&["undo"]);
        assert_eq!(undone.code, Some(0), "{undone:?}");
        assert_eq!(picture(&place), before);
        let left: Vec<_> = fs::read_dir(place.guard().join("tries"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(left, ["door"]);
    }
}

#[test]
fn whoever_moves_an_edit_away_can_go_on() {
    for place in places() {
        place.file("f", "old\n");
        place.give();
        assert_eq!(
            place.run(&["try", "--keep", "echo new > f; echo made > made; echo made > gone"]).code,
            Some(0)
        );
        fs::remove_file(place.work("gone")).unwrap();
        edit(&place, "f");
        edit(&place, "made");
        let refused = place.run(&["undo", "--json"]);
        assert!(
            refused.code == Some(3) && refused.stderr.contains("move what was edited elsewhere"),
            "{refused:?}"
        );
        let told = refused.json();
        assert_eq!(told["paths"], serde_json::json!(["f", "made"]), "what is gone is no edit");
        let lines = &told["edits"]["changes"][0]["diff"]["hunks"][0]["lines"];
        assert_eq!(*lines, serde_json::json!([" new", "+mine"]), "{told}");
        for name in ["f", "made"] {
            fs::rename(place.work(name), place.work(&format!("{name}.mine"))).unwrap();
        }
        let undone = place.run(&["undo"]);
        assert_eq!(undone.code, Some(0), "{undone:?}");
        assert_eq!((read(&place, "f").as_deref(), read(&place, "made")), (Some("old\n"), None));
        assert_eq!(read(&place, "f.mine").as_deref(), Some("new\nmine\n"));
    }
}

/// What is in a file or its name is shown as what it is, and moves no cursor; a secret in it is not shown.
#[test]
fn what_would_be_lost_is_shown_harmlessly() {
    let place = Place::new();
    assert_eq!(place.run(&["try", "--keep", "mkdir d; echo a > d/a; echo b > bin"]).code, Some(0));
    fs::write(
        place.work("d/\u{1b}[2J\u{202e}x"),
        "\u{1b}]0;title\u{7}\nk=ghp_Zk3vQ9xTb7LmPw2RsYd8HnJc5FgVe1Ua4KiO\n",
    )
    .unwrap();
    fs::write(place.work("bin"), b"\0\xff").unwrap();
    let (shown, told) = (place.run(&["undo"]), place.run(&["undo", "--json"]));
    assert_eq!((shown.code, told.code), (Some(3), Some(3)), "{shown:?}");
    assert!(shown.stderr.contains("  ~ bin [changed]\n    not text: 2 bytes, sha256 "), "{shown:?}");
    assert!(
        shown.stderr.contains("  + d/\\u{1b}[2J\\u{202e}x (")
            && shown.stderr.contains("    +\\u{1b}]0;title")
    );
    for text in [&shown.stderr, &told.stdout] {
        assert!(
            !text.contains(['\u{1b}', '\u{202e}', '\u{7}']) && !text.contains("ghp_Zk3vQ9xTb7"),
            "{text:?}"
        );
    }
    let changes = &told.json()["edits"]["changes"];
    assert_eq!(
        (&changes[0]["path"], &changes[0]["diff"]["binary"]),
        (&"bin".into(), &true.into()),
        "{changes}"
    );
    assert_eq!(changes[0]["after"]["sha256"].as_str().unwrap().len(), 64, "{changes}");
    assert!(place.work("d/a").exists(), "nothing was taken back");
}

#[test]
fn who_finds_the_workspace_changed_is_told_what_to_do() {
    let place = Place::new();
    place.file("f", "old\n");
    let asking = place.start(&["try", "--json", "echo new > f"]);
    let id = place.question();
    edit(&place, "f");
    assert_eq!(place.run(&["approvals", "answer", &id, "keep"]).code, Some(0));
    let reply: Value = serde_json::from_slice(&asking.wait_with_output().unwrap().stdout).unwrap();
    let notes = reply["notes"].to_string();
    assert!(
        notes.contains("nothing was kept: the workspace changed while the command ran: `f`")
            && notes.contains("run it again"),
        "{reply}"
    );
    assert_eq!(
        (&reply["trial"]["kept"], &reply["trial"]["underneath"]),
        (&false.into(), &serde_json::json!(["f"]))
    );
    assert_eq!(read(&place, "f").as_deref(), Some("old\nmine\n"));
}

#[test]
fn tries_are_listed() {
    let place = Place::new();
    assert_eq!(place.run(&["undo", "--list"]).stdout, "no tries\n");
    let kept = place.run(&["try", "--keep", "--json", "echo made > made"]).json();
    let receipt = kept["receipt"].as_str().unwrap();
    let listed = &tries(&place)[0];
    assert_eq!((&listed["receipt"], &listed["status"]), (&receipt.into(), &"kept".into()));
    let line = place.run(&["undo", "--list"]).stdout;
    let workspace = fs::canonicalize(place.work("")).unwrap();
    assert!(
        line.starts_with(receipt) && line.ends_with(&format!("  kept  {}\n", workspace.display())),
        "{line}"
    );
}

/// A directory that is closed to its owner cannot be copied, and an overlay takes the names of a file apart.
#[test]
fn names_that_came_apart_are_told_and_not_kept_unseen() {
    let place = Place::unprivileged();
    place.file("a", "old\n");
    fs::hard_link(place.work("a"), place.work("b")).unwrap();
    place.give();
    assert_eq!(place.run(&["run", "mkdir shut; chmod 000 shut"]).code, Some(0));
    let is_told =
        |ran: &Ran| ran.stderr.contains("names of one file came apart") && ran.stderr.contains("`a`, `b`");
    let tried = place.run(&["try", "--keep", "--yolo", "echo more >> a"]);
    assert!(is_told(&tried) && tried.stderr.contains("nothing of what it changed is kept"), "{tried:?}");
    assert_eq!((read(&place, "a").as_deref(), links(&place.work("b"))), (Some("old\n"), 2));
    let told = place.run(&["try", "--discard", "--json", "echo more >> a"]).json();
    assert_eq!(told["trial"]["changes"]["apart"], serde_json::json!(["a", "b"]), "{told}");
    let other = place.run(&["try", "--keep", "echo new > n"]);
    assert!(!is_told(&other) && read(&place, "n").is_some(), "{other:?}");
}

fn links(path: &Path) -> u64 {
    fs::metadata(path).unwrap().nlink()
}
