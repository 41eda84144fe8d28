//! A home of Hermes in the place of herm's own: everything in it stays as it is, and holds.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::place::{Place, Ran};
use crate::scanner::{ask_hermes, hermes};

/// What somebody's configuration looks like, with values of every kind that Hermes takes.
const CONFIG: &str = "\
# my Hermes
model:
  default: some/model
  provider: custom
agent: {max_turns: 90, gateway_timeout: 1800.5}
toolsets: [hermes-cli]
terminal:
  backend: local
  modal_mode: auto
  timeout: 180.0        # seconds
  container_cpu: 0.5
  container_memory: 5120
  home_mode: auto
  shell_init_files: []
  docker_env: {}
  docker_extra_args: []
  persistent_shell: true
  env_passthrough: []
approvals:
  mode: smart
  timeout: 60
  cron_mode: deny
  deny:
    - 'git push --force*'
  mcp_reload_confirm: true
  something_new: [1, 2]
command_allowlist:
- recursive delete      # said always
- tirith:shortened_url
- plugin_rule:tool:0123456789ab
- script execution via -e/-c flag
hooks: {pre_llm_call: [{command: /usr/bin/true}]}
hooks_auto_accept: false
security:
  allow_private_urls: false
  redact_secrets: true
  tirith_enabled:
  tirith_timeout: 2.5
  website_blocklist: {enabled: true, domains: [blocked.example], shared_files: []}
  acked_advisories: []
tool_loop_guardrails: {hard_stop_enabled: false, warn_after: {exact_failure: 2}}
discord: {require_mention: true, free_response_channels: ''}
telegram: {channel_prompts: {}}
_config_version: 33
";

fn home() -> Place {
    let place = Place::new();
    for (name, content, mode) in [
        ("config.yaml", CONFIG, 0o600),
        (".env", "OPENROUTER_API_KEY=or-key-0123456789abcdef\n", 0o600),
        ("SOUL.md", "Be kind.\n", 0o644),
        ("state.db", "SQLite format 3\0 not touched", 0o644),
        ("auth.json", "{}", 0o600),
        ("auth.lock", "", 0o644),
        ("shell-hooks-allowlist.json", "{\"approvals\": []}", 0o600),
        ("sessions/session_1.json", "{}", 0o600),
        ("hooks/mine/HOOK.yaml", "name: mine\n", 0o644),
        ("pairing/telegram-approved.json", "{}", 0o600),
        ("cron/jobs.json", "[]", 0o600),
        ("skills/x/SKILL.md", "# x\n", 0o644),
        ("bin/tirith-not", "", 0o644),
        ("logs/agent.log", "line\n", 0o600),
        ("sandboxes/docker/default/home/.bashrc", "", 0o644),
    ] {
        let file = place.home().join(".hermes").join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    }
    place
}

/// herm with that home.
fn herm(place: &Place, arguments: &[&str]) -> Command {
    let mut command = place.herm(arguments);
    command.env("HERM_HOME", place.home().join(".hermes"));
    command
}

fn ran(place: &Place, arguments: &[&str]) -> Ran {
    Ran::of(&mut herm(place, arguments))
}

/// Every file with its bytes and its mode.
fn everything(directory: &Path) -> BTreeMap<PathBuf, (Vec<u8>, u32)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            found.extend(everything(&path));
        } else if kind.is_file() {
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            let _ = found.insert(path.clone(), (fs::read(&path).unwrap(), mode));
        }
    }
    found
}

#[test]
fn it_loads_and_what_has_no_effect_is_said() {
    let place = home();
    let checked = ran(&place, &["config", "check"]);
    assert_eq!((checked.code, checked.stderr.as_str()), (Some(0), ""), "{checked:?}");
    let said = checked.stdout.replace(place.home().to_str().unwrap(), "~");
    assert_eq!(
        said,
        "~/.hermes/config.yaml: ok (user)\n~/.hermes/config.yaml: has no effect here: `model`, `agent`, `toolsets`, `terminal.modal_mode`, \
         `terminal.home_mode`, `terminal.shell_init_files`, `terminal.docker_env`, `terminal.docker_extra_args`, `approvals.something_new`, \
         `hooks.pre_llm_call`, `hooks_auto_accept`, `security.allow_private_urls`, `security.acked_advisories`, `tool_loop_guardrails`, `telegram.channel_prompts`, `_config_version`\n"
    );
    let unused = ran(&place, &["config", "check", "--json"]).json()["unused"].clone();
    let new = unused.as_array().unwrap().iter().find(|key| key["key"] == "approvals.something_new").unwrap();
    assert_eq!((new["line"].as_u64(), new["column"].as_u64()), (Some(26), Some(3)));
}

#[test]
fn doctor_names_what_looks_like_a_rule_and_is_none() {
    let place = home();
    let rows = ran(&place, &["doctor", "--json"]).json()["rows"].clone();
    let row = rows.as_array().unwrap().iter().find(|row| row["name"] == "unused settings").unwrap().clone();
    assert_eq!(
        (row["state"].as_str(), row["detail"].as_str()),
        (Some("weaker"), Some("herm has no use for `approvals.something_new`"))
    );
}

#[test]
fn what_it_says_holds() {
    let place = home();
    let decision = |command: &str| ran(&place, &["check", command]).code;
    assert_eq!(decision("git push --force-with-lease origin x"), Some(1), "its deny rules");
    assert_eq!(decision("rm -rf build"), Some(0), "its allow-list");
    assert_eq!(decision("rm -rf build; git reset --hard"), Some(2));
    assert_eq!(decision("rm -rf /"), Some(1));
    assert_eq!(ran(&place, &["url", "--no-dns", "https://blocked.example/"]).code, Some(1));
    let shown = ran(&place, &["config", "show", "--json"]).json();
    assert_eq!(shown["approvals"]["mode"], "smart");
}

#[test]
fn a_slip_is_one_there_too() {
    let place = home();
    let file = place.home().join(".hermes/config.yaml");
    fs::write(&file, CONFIG.replace("something_new", "denny")).unwrap();
    let checked = ran(&place, &["config", "check"]);
    assert!(checked.code == Some(3) && checked.stderr.contains("did you mean `deny`?"), "{checked:?}");
}

#[test]
fn nothing_in_it_is_touched_and_our_files_lie_beside() {
    let place = home();
    let before = everything(&place.home().join(".hermes"));
    for arguments in [
        &["check", "ls"][..],
        &["run", "echo hi"],
        &["run", "--yes", "git reset --hard"],
        &["hooks", "list"],
        &["grants", "list"],
        &["grants", "add", "rule:force-push"],
        &["approvals", "list"],
        &["audit", "verify"],
        &["doctor"],
        &["config", "show"],
    ] {
        let _ = ran(&place, arguments);
    }
    let after = everything(&place.home().join(".hermes"));
    for (path, was) in &before {
        assert_eq!(after.get(path), Some(was), "{}", path.display());
    }
    let ours = ["broker.", "confinable", "config.yaml.lock", "herm.", "ledger/"];
    let beside = after.keys().filter(|path| !before.contains_key(*path));
    let names: Vec<_> = beside
        .map(|path| path.strip_prefix(place.home().join(".hermes")).unwrap().display().to_string())
        .collect();
    assert!(names.iter().any(|name| name.starts_with("ledger/")), "{names:?}");
    assert!(names.iter().all(|name| ours.iter().any(|own| name.starts_with(own))), "{names:?}");
}

#[test]
fn always_adds_a_line_and_changes_no_other_byte() {
    let place = home();
    let file = place.home().join(".hermes/config.yaml");
    fs::write(&file, CONFIG.replace("mode: smart", "mode: manual")).unwrap();
    let before = fs::read_to_string(&file).unwrap();
    place.file("data", "");
    let script = format!("HERM_HOME={} exec \"$0\" \"$@\"", place.home().join(".hermes").display());
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/terminal.py");
    let mut command = place.command("python3");
    command.arg(driver).args(["24", "100", "Choice", r"a\r", "--", "sh", "-c", &script]);
    command.arg(place.binary()).args(["run", "--backend", "local", "chmod 777 data"]);
    let asked = Ran::of(&mut command);
    let after = fs::read_to_string(&file).unwrap();
    let added: Vec<_> = after.lines().filter(|line| !before.lines().any(|old| old == *line)).collect();
    assert_eq!(added.len(), 1, "{added:?} {asked:?}");
    assert_eq!(after.replace(&format!("{}\n", added[0]), ""), before);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

/// Herm in the place of tirith, and a home that both read: herm does not ask itself, nor a person because of that.
#[test]
fn one_home_serves_the_hook_and_the_scanner() {
    let place = Place::new();
    let (herm, home) = (place.binary().display().to_string(), place.home().display().to_string());
    let shared = place.home().join(".hermes");
    fs::create_dir_all(&shared).unwrap();
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o700)).unwrap();
    std::os::unix::fs::symlink(".hermes", place.guard()).unwrap();
    fs::write(
        shared.join("config.yaml"),
        format!(
            "model: x\nsecurity: {{tirith_enabled: true, tirith_path: '{herm}', tirith_fail_open: false}}\n"
        ),
    )
    .unwrap();
    for (command, is_free) in [("ls", true), ("rm -rf build", false), ("rm -rf /", false)] {
        let event = json!({"hook_event_name": "pre_tool_call", "tool_name": "terminal", "tool_input": {"command": command},
                           "session_id": "s", "cwd": place.work("")});
        fs::write(place.home().join("event"), event.to_string()).unwrap();
        let mut hook = place.herm(&["hook", "hermes", "--home", &home]);
        let said = Ran::of(hook.stdin(fs::File::open(place.home().join("event")).unwrap()));
        assert_eq!(said.stdout.is_empty(), is_free, "{command}: {said:?}");
        assert!(!said.stdout.contains("tirith"), "{command}: {said:?}");
        let guard = place.guard().display().to_string();
        let scanned = place.run(&[
            "check",
            "--herm-home",
            &guard,
            "--json",
            "--non-interactive",
            "--shell",
            "posix",
            "--",
            command,
        ]);
        assert_eq!(scanned.code == Some(0), is_free, "{command}: {scanned:?}");
    }
}

/// Everything that Hermes writes by default, and what it makes of a file that herm has changed.
#[test]
fn the_real_hermes_and_herm_share_a_home() {
    let Some(python) = hermes() else { return };
    let place = Place::new();
    let home = place.home().join(".hermes");
    fs::create_dir_all(&home).unwrap();
    let made = ask_hermes(&place, &python, &[json!({"what": "make", "file": home.join("config.yaml")})]);
    assert!(made[0]["sections"].as_u64().is_some_and(|sections| sections > 40), "{made:?}");
    let before = everything(&home);
    let checked = ran(&place, &["config", "check"]);
    assert_eq!((checked.code, checked.stderr.as_str()), (Some(0), ""), "{checked:?}");
    assert_eq!(ran(&place, &["run", "echo hi"]).code, Some(0));
    for (path, was) in &before {
        assert_eq!(fs::read(path).ok().as_ref(), Some(&was.0), "{}", path.display());
    }
    let list = herm_runtime::allowlist::AllowList::of(&home);
    list.add(&["git clean with force (deletes untracked files)".to_owned()]).unwrap();
    let read: Vec<Value> = ask_hermes(&place, &python, &[json!({"what": "config"})]);
    assert_eq!(read[0]["command_allowlist"], json!(["git clean with force (deletes untracked files)"]));
    assert_eq!(ran(&place, &["check", "git clean -fd"]).code, Some(0));
}
