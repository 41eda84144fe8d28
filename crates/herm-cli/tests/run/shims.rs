//! What has to be installed in agents without hooks, and what the guide to agents says.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::place::{Place, Ran};

/// What a shim does when an agent loads it. Types are taken out of the one that has them, as the agent does.
fn shimmed(place: &Place, agent: &str, herm: &str, command: &str) -> Value {
    let text = place.run(&["hook", agent, "--shim"]).stdout;
    let path = json!(env!("CARGO_BIN_EXE_herm")).to_string();
    assert!(text.contains(&path), "{text:.300}");
    let wrapper = place.program(
        herm,
        &format!("#!/bin/sh\nexec {} \"$@\" --home {}\n", env!("CARGO_BIN_EXE_herm"), place.home().display()),
    );
    let text =
        text.replace(&path, &json!(if herm == "absent" { "/no/such/herm" } else { &wrapper }).to_string());
    let text = [": string", ": unknown", ": any", ": Promise<any>"]
        .iter()
        .fold(text, |text, kind| text.replace(kind, ""));
    let file = place.file("shim.mjs", &text);
    let driver = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/run/shims.js");
    let copied = place.file("driver.mjs", &fs::read_to_string(driver).unwrap());
    let mut node = place.command("node");
    node.arg(copied).arg(agent).arg(file).arg(place.work("")).arg(command);
    Ran::of(&mut node).json()
}

#[test]
fn the_shims_let_nothing_run_unless_herm_says_so() {
    if Command::new("node").arg("--version").output().is_err() {
        return;
    }
    for agent in ["opencode", "pi"] {
        let place = Place::new();
        let said = shimmed(&place, agent, "herm", "git status");
        let done = (&said["before"], &said["after"], &said["whole"]);
        assert_eq!(done, (&json!("ran"), &json!("x [REDACTED]"), &json!(true)), "{agent}: {said}");
        assert!(said["told"].as_str().unwrap().contains("exact-failure"), "{agent}: {said}");
        let said = shimmed(&place, agent, "herm", "rm -rf /");
        assert!(said["before"].as_str().unwrap().contains("delete-root"), "{agent}: {said}");
        place.config("approvals: {mode: nonsense}\n");
        let said = shimmed(&place, agent, "herm", "git status");
        assert_ne!(said["before"], "ran", "{agent}: {said}");
    }
}

#[test]
fn the_guide_shows_what_happens() {
    let guide = include_str!("../../../../docs/guides/agents.md");
    let block = guide.split("```terminal\n").nth(1).unwrap().split("```").next().unwrap();
    let (command, shown) = block.strip_prefix("$ ").unwrap().split_once('\n').unwrap();
    let place = Place::new();
    let herm = format!("{} hook codex --home {}", env!("CARGO_BIN_EXE_herm"), place.home().display());
    let ran = Ran::of(place.command("sh").args(["-c", &command.replace("herm hook codex", &herm)]));
    let happened = format!("{}$ echo $?\n{}\n", ran.stdout, ran.code.unwrap_or_default());
    assert_eq!(happened, shown, "{command}");
}

/// What the guide says about each agent's time is what holds.
#[test]
fn the_guide_tells_the_deadlines() {
    let guide = include_str!("../../../../docs/guides/agents.md");
    let table = guide.split("\n## ").find(|part| part.starts_with("How each agent calls it")).unwrap();
    for agent in herm_runtime::adapters::Agent::ALL {
        let row = table.lines().find(|line| line.starts_with(&format!("| {} |", agent.name()))).unwrap();
        assert!(row.ends_with(&format!("| {} s |", agent.deadline().as_secs())), "{row}");
        assert!(row.contains(&format!("herm hook {}", agent.word())), "{row}");
    }
}
