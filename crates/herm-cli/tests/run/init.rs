//! `herm init`, `herm uninit`, and what `herm doctor` says of agents.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::place::{Place, Ran};

const AGENTS: [&str; 11] = [
    "claude-code",
    "cline",
    "codex",
    "copilot",
    "cursor",
    "gemini",
    "goose",
    "hermes",
    "opencode",
    "pi",
    "windsurf",
];

fn put(place: &Place, name: &str, text: &str) -> PathBuf {
    let file = place.home().join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    file
}

/// Everything at home but herm's own, with its content.
fn home(place: &Place) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(directory: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.insert(path.clone(), Vec::new());
                walk(&path, found);
            } else {
                found.insert(path.clone(), fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&place.home(), &mut found);
    found.retain(|path, _| !path.starts_with(place.guard()));
    found
}

fn of_agent<'a>(ran: &'a Value, agent: &str) -> Vec<&'a Value> {
    let rows = ran["rows"].as_array().unwrap().iter();
    rows.filter(|row| row["group"] == "agents" && row["name"] == agent).collect()
}

fn doctor(place: &Place) -> (Ran, Value) {
    let ran = place.run(&["doctor", "--json"]);
    let told = ran.json();
    (ran, told)
}

#[test]
fn every_agent_asks_herm_refuses_a_canary_and_is_given_back() {
    let place = Place::new();
    put(&place, ".claude/settings.json", "\u{feff}{\r\n\t\"model\": \"x\"\r\n}");
    put(&place, ".codex/config.toml", "model = \"x\" # y");
    put(&place, ".hermes/config.yaml", "# mine\nhooks: {}\n");
    let before = home(&place);
    let arguments =
        |first: &'static [&'static str]| -> Vec<&str> { first.iter().chain(&AGENTS).copied().collect() };
    let ran = place.run(&arguments(&["init", "--yes", "--trust"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let wired = home(&place);
    let ran = place.run(&arguments(&["init", "--yes", "--trust", "--json"]));
    assert!(ran.code == Some(0) && ran.json()["ok"] == true, "{ran:?}");
    assert!(!ran.stdout.contains("\"written\": true"), "{ran:?}");
    assert_eq!(home(&place), wired, "a second time changes nothing");
    let (_, told) = doctor(&place);
    for agent in AGENTS {
        let rows = of_agent(&told, agent);
        assert_eq!(rows[0]["state"], "ok", "{agent}: {rows:?}");
        assert!(rows[0]["detail"].as_str().unwrap().contains("a canary was refused"), "{rows:?}");
        assert!(rows.iter().all(|row| row["state"] != "missing"), "{rows:?}");
    }
    let ran = place.run(&["uninit", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(home(&place), before);
    assert!(!place.is_harmed());
}

#[test]
fn what_a_person_added_to_the_line_stays() {
    let place = Place::new();
    for (agent, file) in [("claude-code", ".claude/settings.json"), ("hermes", ".hermes/config.yaml")] {
        put(&place, file, "");
        let ran = place.run(&["init", "--yes", agent]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let path = place.home().join(file);
        let called = format!("hook {agent} ");
        let mine = fs::read_to_string(&path).unwrap().replace(&called, &format!("{called}--preset strict "));
        assert!(mine.contains("--preset strict"), "{mine}");
        fs::write(&path, mine).unwrap();
        let ran = place.run(&["init", "--yes", agent]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let again = fs::read_to_string(&path).unwrap();
        assert!(again.contains("--preset strict"), "{again}");
        let (_, told) = doctor(&place);
        let rows = of_agent(&told, agent);
        assert!(rows[0]["detail"].as_str().unwrap().contains("a canary was refused"), "{rows:?}");
        let ran = place.run(&["init", "--yes", agent]);
        assert!(ran.code == Some(0) && fs::read_to_string(&path).unwrap() == again, "{ran:?}");
    }
}

#[test]
fn without_anybody_to_ask_it_shows_and_changes_nothing() {
    let place = Place::new();
    put(&place, ".claude/settings.json", "{}\n");
    let before = home(&place);
    let ran = place.run(&["init", "claude-code"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("+++ ") && ran.stdout.contains("+  \"hooks\": {"), "{ran:?}");
    assert!(
        ran.stderr.contains("there is nobody to ask") && ran.stderr.contains("hint: say `--yes`"),
        "{ran:?}"
    );
    let ran = place.run(&["init", "claude-code", "--dry-run"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("hook claude-code --deadline"), "{ran:?}");
    let ran = place.run(&["init", "claude-code", "--json"]);
    assert!(ran.code == Some(1) && ran.json()["agents"][0]["files"][0]["written"] == false, "{ran:?}");
    assert_eq!(home(&place), before);
    assert!(!place.guard().join("wiring").exists());
}

#[test]
fn a_person_is_asked_for_each_agent_and_for_consent() {
    let place = Place::new();
    put(&place, ".claude/settings.json", "{}\n");
    put(&place, ".codex/config.toml", "");
    let steps = [("Write this?", "n\\r"), ("Write this?", "y\\r"), ("Consent to the hook", "n\\r")];
    let ran = place.at_terminal(100, &steps, &["init", "claude-code", "codex"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(fs::read_to_string(place.home().join(".claude/settings.json")).unwrap(), "{}\n");
    assert!(place.home().join(".codex/hooks.json").exists(), "{ran:?}");
    assert_eq!(fs::read_to_string(place.home().join(".codex/config.toml")).unwrap(), "");
    let ran = place.at_terminal(100, &[("Consent to the hook", "y\\r")], &["init", "codex"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        fs::read_to_string(place.home().join(".codex/config.toml")).unwrap().contains("trusted_hash"),
        "{ran:?}"
    );
}

#[test]
fn consent_is_not_given_by_yes_alone() {
    let place = Place::new();
    let ran = place.run(&["init", "codex", "hermes", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("only after you have consented"), "{ran:?}");
    assert!(!place.home().join(".codex/config.toml").exists());
    assert!(!place.home().join(".hermes/shell-hooks-allowlist.json").exists());
    let (ran, told) = doctor(&place);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for agent in ["codex", "hermes"] {
        let rows = of_agent(&told, agent);
        let skipped = rows.iter().find(|row| row["state"] == "missing").unwrap_or_else(|| panic!("{rows:?}"));
        assert!(skipped["detail"].as_str().unwrap().contains("has not consented"), "{skipped}");
    }
    let file = place.home().join(".hermes/config.yaml");
    fs::write(&file, fs::read_to_string(&file).unwrap() + "hooks_auto_accept: true\n").unwrap();
    let (_, told) = doctor(&place);
    let rows = of_agent(&told, "hermes");
    assert!(rows.iter().all(|row| row["state"] != "missing"), "{rows:?}");
}

#[test]
fn what_cannot_be_changed_safely_is_left_alone_with_what_to_add() {
    let place = Place::new();
    let file = put(&place, ".claude/settings.json", "{\"hooks\": {}, \"hooks\": {}}\n");
    let ran = place.run(&["init", "claude-code", "--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("is left alone: `hooks` stands twice at one place"), "{ran:?}");
    assert!(ran.stdout.contains("to add by hand") && ran.stdout.contains("\"PreToolUse\": ["), "{ran:?}");
    assert_eq!(fs::read_to_string(file).unwrap(), "{\"hooks\": {}, \"hooks\": {}}\n");
    let ran = place.run(&["init", "claude-code", "--yes", "--json"]);
    let file = &ran.json()["agents"][0]["files"][0];
    assert!(file["state"] == "refused" && file["by_hand"].is_string(), "{ran:?}");
}

#[test]
fn an_agent_that_does_not_ask_is_named() {
    let place = Place::new();
    put(&place, ".gemini/settings.json", "{}");
    let (_, told) = doctor(&place);
    let rows = of_agent(&told, "gemini");
    assert!(rows[0]["state"] == "weaker" && rows[0]["advice"] == "herm init gemini", "{rows:?}");
}

#[test]
fn a_hook_that_does_not_refuse_is_found_out() {
    let place = Place::new();
    let ran = place.run(&["init", "claude-code", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let file = place.home().join(".claude/settings.json");
    let text = fs::read_to_string(&file).unwrap();
    let broken = place.program("fake/herm", "#!/bin/sh\nexit 0\n");
    fs::write(&file, text.replace(env!("CARGO_BIN_EXE_herm"), &broken)).unwrap();
    let (ran, told) = doctor(&place);
    let rows = of_agent(&told, "claude-code");
    assert!(ran.code == Some(1) && rows[0]["state"] == "missing", "{rows:?}");
    assert!(rows[0]["detail"].as_str().unwrap().contains("does not refuse"), "{rows:?}");
}

#[test]
fn no_agent_writes_a_file_that_makes_it_ask() {
    let place = Place::new();
    let file = place.home().join(".claude/settings.json").display().to_string();
    let writes = || place.run(&["check", "--write", &file]).code;
    assert_eq!(writes(), Some(2), "it asks nobody yet");
    assert_eq!(place.run(&["init", "claude-code", "--yes"]).code, Some(0));
    assert_eq!(writes(), Some(1));
    for command in
        [format!("cp x {file}"), format!("rm {file}"), format!("rm -r {}/.claude", place.home().display())]
    {
        assert_eq!(place.run(&["check", &command]).code, Some(1), "{command}");
    }
    assert_eq!(place.run(&["uninit", "claude-code", "--yes"]).code, Some(0));
    assert_eq!(writes(), Some(2));
}

#[test]
fn a_hook_that_is_never_called_is_found_out() {
    let place = Place::new();
    assert_eq!(place.run(&["init", "claude-code", "cline", "--yes"]).code, Some(0));
    let states = || {
        let (_, told) = doctor(&place);
        ["claude-code", "cline"].map(|agent| of_agent(&told, agent)[0]["state"].clone())
    };
    assert_eq!(states(), ["ok", "ok"]);
    let settings = place.home().join(".claude/settings.json");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, text.replace("\"*\"", "\"Frobnicate\"")).unwrap();
    let hook = place.home().join("Documents/Cline/Hooks/PreToolUse");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(states(), ["missing", "missing"]);
    assert_eq!(place.run(&["init", "claude-code", "cline", "--yes"]).code, Some(0));
    assert_eq!(states(), ["ok", "ok"]);
}

#[test]
fn versions_and_files_that_switch_hooks_off_are_told() {
    let place = Place::new();
    let bin = place.home().parent().unwrap().join("bin/claude");
    fs::write(&bin, "#!/bin/sh\necho '9.9.9 (Claude Code)'\n").unwrap();
    fs::set_permissions(&bin, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(place.run(&["init", "--yes"]).code, Some(0), "found by its program");
    place.file(".claude/settings.local.json", "{\"disableAllHooks\": true}\n");
    let (ran, told) = doctor(&place);
    let rows = of_agent(&told, "claude-code");
    assert!(rows[0]["detail"].as_str().unwrap().starts_with("9.9.9 (Claude Code); asks herm"), "{rows:?}");
    let off = rows.iter().find(|row| row["state"] == "missing").unwrap_or_else(|| panic!("{rows:?}"));
    assert!(off["detail"].as_str().unwrap().contains("settings.local.json` switches hooks off"), "{off}");
    assert_eq!(ran.code, Some(1));
}

#[test]
fn what_an_agent_would_skip_is_left_alone_and_told() {
    for text in ["{\n\t// mine\n\t\"model\": \"x\"\n}", "{\"model\": \"x\",}"] {
        let place = Place::new();
        let file = put(&place, ".claude/settings.json", text);
        let ran = place.run(&["init", "claude-code", "--yes"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("plain JSON") && ran.stdout.contains("to add by hand"), "{ran:?}");
        assert_eq!(fs::read_to_string(file).unwrap(), text);
        let (ran, told) = doctor(&place);
        let rows = of_agent(&told, "claude-code");
        assert_eq!((ran.code, &rows[0]["state"]), (Some(1), &Value::from("missing")), "{rows:?}");
        assert!(rows[0]["detail"].as_str().unwrap().contains("not guarded"), "{rows:?}");
    }
}

#[test]
fn hooks_that_are_switched_off_are_not_said_to_hold() {
    for (agent, file, text) in [
        ("claude-code", ".claude/settings.json", "{\"disableAllHooks\": true}"),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n"),
        ("gemini", ".gemini/settings.json", "{\"hooksConfig\": {\"enabled\": false}}"),
        ("gemini", ".gemini/settings.json", "{\"hooksConfig\": {\"disabled\": [\"herm\"]}}"),
    ] {
        let place = Place::new();
        put(&place, file, text);
        let ran = place.run(&["init", agent, "--yes", "--trust"]);
        assert_eq!(ran.code, Some(1), "{text}: {ran:?}");
        assert!(ran.stderr.contains("switches hooks off"), "{text}: {ran:?}");
        let ran = place.run(&["init", agent, "--yes", "--trust", "--json"]);
        let told = ran.json();
        assert_eq!((ran.code, &told["ok"]), (Some(1), &Value::from(false)), "{text}");
        assert_eq!(told["agents"][0]["switched_off"].as_array().unwrap().len(), 1, "{text}: {told}");
    }
}

#[test]
fn what_herm_runs_cannot_wire_or_unwire() {
    let place = Place::new();
    assert_eq!(place.run(&["init", "pi", "--yes"]).code, Some(0));
    let herm = env!("CARGO_BIN_EXE_herm");
    for command in ["uninit --yes", "init codex --yes"] {
        let ran = place.run(&["run", "--yolo", "--backend", "local", &format!("{herm} {command}")]);
        assert!(ran.code != Some(0), "{command}: {ran:?}");
    }
    assert!(place.home().join(".pi/agent/extensions/herm.ts").exists());
    assert!(!place.home().join(".codex").exists());
}

#[test]
fn herms_own_hook_in_hermes_file_does_not_ask_itself() {
    let place = Place::new();
    let hermes = place.home().join(".hermes");
    let mut init = place.herm(&["init", "hermes", "--yes", "--trust"]);
    let ran = Ran::of(init.env("HERMES_HOME", &hermes));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(fs::read_to_string(hermes.join("config.yaml")).unwrap().contains("--herm-home"), "{ran:?}");
    let mut run = place.herm(&["run", "--backend", "local", "echo fine"]);
    let ran = Ran::of(run.env("HERMES_HOME", &hermes));
    assert!(ran.code == Some(0) && ran.stdout.contains("fine"), "{ran:?}");
}

#[test]
fn the_machines_files_need_rights() {
    let place = Place::unprivileged();
    if !place.is_unprivileged() || Path::new("/etc/claude-code").exists() {
        return;
    }
    let ran = place.run(&["init", "claude-code", "--system", "--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("hint: this needs the rights"), "{ran:?}");
    assert!(!Path::new("/etc/claude-code").exists());
}
