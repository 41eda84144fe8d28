//! Homes as people have them: wired, wired again, changed in between, and given back.

#![expect(clippy::disallowed_methods, reason = "tests make their own files")]

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use herm_adapters::Agent;
use herm_adapters::wiring::{Purpose, Scope};

use super::places::Places;
use super::plan::Plan;
use super::problem::Problem;
use super::restore::{Restoration, tidy};

struct Home {
    directory: tempfile::TempDir,
    places: Places,
}

impl Home {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().join("home");
        fs::create_dir(&home).unwrap();
        let places = Places {
            guard: directory.path().join("guard"),
            cwd: home.clone(),
            home,
            root: directory.path().to_owned(),
            herm: "/usr/bin/herm".into(),
            heeds_variables: false,
        };
        Self { directory, places }
    }

    fn with(self, name: &str, text: &str) -> Self {
        let file = self.file(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        self
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    fn wire(&self, agent: Agent, scope: Scope) -> Result<(), Problem> {
        let plan = Plan::new(&self.places, agent, scope);
        plan.carry_out(&self.places, Purpose::Hook)?;
        plan.carry_out(&self.places, Purpose::Trust)
    }

    fn unwire(&self, agents: &[Agent], scope: Scope) -> Vec<PathBuf> {
        let all = Restoration::all(&self.places, agents, scope).0;
        let aside = all.iter().filter_map(|one| one.carry_out(&self.places).unwrap()).collect();
        tidy(&all);
        aside
    }

    /// Every file and directory but herm's own, with its content.
    fn everything(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        walk(self.directory.path(), &mut found);
        found.retain(|path, _| !path.starts_with(&self.places.guard) && !path.starts_with(self.file("var")));
        found
    }
}

fn walk(directory: &Path, found: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            found.insert(path.clone(), None);
            walk(&path, found);
        } else {
            found.insert(path.clone(), Some(fs::read(&path).unwrap_or_default()));
        }
    }
}

#[test]
fn every_agent_is_wired_and_given_back_byte_for_byte() {
    let home = Home::new()
        .with("home/.claude/settings.json", "\u{feff}{\n\t\"model\": \"x\"\n}")
        .with("home/.codex/config.toml", "model = \"x\" # y")
        .with("home/.hermes/config.yaml", "# mine\r\nmodel: x\r\n")
        .with("home/.cursor/hooks.json", "{ }");
    let before = home.everything();
    for scope in [Scope::User, Scope::System] {
        for agent in Agent::ALL {
            home.wire(*agent, scope).unwrap();
        }
        let wired = home.everything();
        assert_ne!(wired, before);
        for agent in Agent::ALL {
            let plan = Plan::new(&home.places, *agent, scope);
            assert!(plan.is_done() && plan.steps.iter().all(super::Step::is_done), "{agent:?}");
            home.wire(*agent, scope).unwrap();
        }
        assert_eq!(home.everything(), wired, "a second time changes nothing");
        home.unwire(Agent::ALL, scope);
        assert_eq!(home.everything(), before, "{scope:?}");
        assert!(Restoration::all(&home.places, Agent::ALL, scope).0.is_empty());
    }
}

#[test]
fn what_was_edited_since_stays() {
    let home = Home::new().with("home/.claude/settings.json", "{\n  \"a\": 1\n}\n");
    home.wire(Agent::ClaudeCode, Scope::User).unwrap();
    let edited = home.read("home/.claude/settings.json").replace("\"a\": 1", "\"a\": 2, // new\n  \"b\": 3");
    fs::write(home.file("home/.claude/settings.json"), edited).unwrap();
    home.unwire(&[Agent::ClaudeCode], Scope::User);
    assert_eq!(home.read("home/.claude/settings.json"), "{\n  \"a\": 2, // new\n  \"b\": 3\n}\n");
}

#[test]
fn a_newer_herm_after_an_edit_keeps_the_edit() {
    let mut home = Home::new().with("home/.codex/hooks.json", "{}\n");
    home.wire(Agent::Codex, Scope::User).unwrap();
    let edited = home.read("home/.codex/hooks.json").replacen('{', "{\n  \"description\": \"x\",", 1);
    fs::write(home.file("home/.codex/hooks.json"), edited).unwrap();
    home.places.herm = "/opt/herm/herm".into();
    home.wire(Agent::Codex, Scope::User).unwrap();
    assert!(home.read("home/.codex/hooks.json").contains("/opt/herm/herm hook codex"));
    home.unwire(&[Agent::Codex], Scope::User);
    assert_eq!(home.read("home/.codex/hooks.json"), "{\n  \"description\": \"x\"\n}\n");
    assert!(!home.file("home/.codex/config.toml").exists());
}

#[test]
fn what_herm_made_and_somebody_emptied_goes_away() {
    let home = Home::new();
    home.wire(Agent::Copilot, Scope::User).unwrap();
    fs::write(home.file("home/.copilot/hooks/herm.json"), "{\"version\": 1}\n").unwrap();
    home.unwire(&[Agent::Copilot], Scope::User);
    assert!(!home.file("home/.copilot").exists());
}

#[test]
fn an_edited_shim_goes_away_and_a_copy_stays() {
    let home = Home::new();
    home.wire(Agent::OpenCode, Scope::User).unwrap();
    let shim = home.file("home/.config/opencode/plugin/herm.js");
    let edited = fs::read_to_string(&shim).unwrap() + "// mine\n";
    fs::write(&shim, &edited).unwrap();
    let aside = home.unwire(&[Agent::OpenCode], Scope::User);
    assert!(!home.file("home/.config").exists());
    assert_eq!(fs::read_to_string(&aside[0]).unwrap(), edited);
}

#[test]
fn without_what_was_kept_only_our_entry_goes() {
    let home = Home::new().with("home/.hermes/config.yaml", "a: 1\n");
    home.wire(Agent::Hermes, Scope::User).unwrap();
    fs::remove_dir_all(&home.places.guard).unwrap();
    home.unwire(&[Agent::Hermes], Scope::User);
    assert_eq!(home.read("home/.hermes/config.yaml"), "a: 1\n");
}

#[test]
fn a_link_at_home_is_followed_and_stays() {
    let home = Home::new().with("home/dotfiles/claude.json", "{}");
    fs::create_dir(home.file("home/.claude")).unwrap();
    symlink("../dotfiles/claude.json", home.file("home/.claude/settings.json")).unwrap();
    home.wire(Agent::ClaudeCode, Scope::User).unwrap();
    assert!(home.file("home/.claude/settings.json").is_symlink());
    assert!(home.read("home/dotfiles/claude.json").contains("herm hook"));
    home.unwire(&[Agent::ClaudeCode], Scope::User);
    assert_eq!(home.read("home/dotfiles/claude.json"), "{}");
    assert!(home.file("home/.claude/settings.json").is_symlink());
}

#[test]
fn a_link_that_leads_away_is_not_followed() {
    let home = Home::new().with("elsewhere/settings.json", "{}");
    fs::create_dir(home.file("home/.claude")).unwrap();
    symlink(home.file("elsewhere/settings.json"), home.file("home/.claude/settings.json")).unwrap();
    let plan = Plan::new(&home.places, Agent::ClaudeCode, Scope::User);
    assert!(matches!(plan.steps[0].change, Err(Problem::Outside(..))));
    plan.carry_out(&home.places, Purpose::Hook).unwrap();
    assert_eq!(home.read("elsewhere/settings.json"), "{}");
    symlink(home.file("elsewhere"), home.file("home/.codex")).unwrap();
    let plan = Plan::new(&home.places, Agent::Codex, Scope::User);
    assert!(matches!(plan.steps[0].change, Err(Problem::Outside(..))));
}

#[test]
fn rights_stay_as_they_were() {
    let home = Home::new().with("home/.claude/settings.json", "{}").with("home/.gemini/settings.json", "{}");
    fs::set_permissions(home.file("home/.claude/settings.json"), Permissions::from_mode(0o640)).unwrap();
    home.wire(Agent::ClaudeCode, Scope::User).unwrap();
    let mode = |name: &str| fs::metadata(home.file(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("home/.claude/settings.json"), 0o640);
    home.wire(Agent::Pi, Scope::User).unwrap();
    home.wire(Agent::Cline, Scope::User).unwrap();
    home.wire(Agent::Copilot, Scope::System).unwrap();
    assert_eq!(mode("home/.pi/agent/extensions/herm.ts"), 0o600);
    assert_eq!(mode("home/Documents/Cline/Hooks/PreToolUse"), 0o700);
    assert_eq!(mode("etc/github-copilot/policy.d/herm.json"), 0o644);
    assert_eq!(mode("etc/github-copilot"), 0o755);
    assert_eq!((mode("guard/wiring"), mode("var/lib/herm")), (0o700, 0o700));
}

#[test]
fn what_belongs_to_another_is_left_alone() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let home = Home::new().with("home/.claude/settings.json", "{}");
    std::os::unix::fs::chown(home.file("home/.claude/settings.json"), Some(12345), None).unwrap();
    let plan = Plan::new(&home.places, Agent::ClaudeCode, Scope::User);
    assert!(matches!(plan.steps[0].change, Err(Problem::NotYours(_))));
}

#[test]
fn what_is_not_a_file_or_not_text_is_left_alone() {
    let home = Home::new();
    fs::create_dir_all(home.file("home/.claude/settings.json")).unwrap();
    fs::create_dir_all(home.file("home/.gemini")).unwrap();
    fs::write(home.file("home/.gemini/settings.json"), b"{\"a\": \"\xff\"}").unwrap();
    for agent in [Agent::ClaudeCode, Agent::Gemini] {
        assert!(Plan::new(&home.places, agent, Scope::User).steps[0].change.is_err(), "{agent:?}");
    }
}

#[test]
fn what_changes_in_the_meantime_is_not_lost() {
    let home = Home::new().with("home/.claude/settings.json", "{}");
    let plan = Plan::new(&home.places, Agent::ClaudeCode, Scope::User);
    fs::write(home.file("home/.claude/settings.json"), "{\"a\": 1}").unwrap();
    assert!(matches!(plan.carry_out(&home.places, Purpose::Hook), Err(Problem::Changed(_))));
    assert_eq!(home.read("home/.claude/settings.json"), "{\"a\": 1}");
    assert_eq!(fs::read_dir(home.file("home/.claude")).unwrap().count(), 1, "nothing is left beside it");
    home.unwire(&[Agent::ClaudeCode], Scope::User);
    assert_eq!(home.read("home/.claude/settings.json"), "{\"a\": 1}");
}

#[test]
fn what_was_kept_and_damaged_is_not_believed() {
    let home = Home::new().with("home/.claude/settings.json", "{}");
    home.wire(Agent::ClaudeCode, Scope::User).unwrap();
    let place =
        fs::read_dir(home.file("guard/wiring")).unwrap().map(|it| it.unwrap().path()).find(|it| it.is_dir());
    let original = place.unwrap().join("original");
    fs::write(&original, "{\"evil\": 1}").unwrap();
    home.wire(Agent::Gemini, Scope::User).unwrap();
    let (found, damaged) = Restoration::all(&home.places, Agent::ALL, Scope::User);
    assert!(matches!(damaged.as_slice(), [Problem::Record(_)]), "{damaged:?}");
    // It stands in nobody's way, and herm's part goes away by what the file says.
    for one in &found {
        one.carry_out(&home.places).unwrap();
    }
    assert!(!home.file("home/.gemini/settings.json").exists());
    let left = home.read("home/.claude/settings.json");
    assert!(!left.contains("herm") && !left.contains("evil"), "{left}");
    assert!(original.exists(), "what is damaged stays for a person");
}

#[test]
fn a_file_that_was_taken_away_since_comes_back() {
    let home = Home::new().with("home/.claude/settings.json", "{\"model\": \"x\"}\n");
    home.wire(Agent::ClaudeCode, Scope::User).unwrap();
    fs::remove_file(home.file("home/.claude/settings.json")).unwrap();
    home.unwire(&[Agent::ClaudeCode], Scope::User);
    assert_eq!(home.read("home/.claude/settings.json"), "{\"model\": \"x\"}\n");
}

#[test]
fn a_file_that_has_to_run_is_made_to() {
    let home = Home::new();
    home.wire(Agent::Cline, Scope::User).unwrap();
    let file = home.file("home/Documents/Cline/Hooks/PreToolUse");
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    assert!(!Plan::new(&home.places, Agent::Cline, Scope::User).is_done());
    home.wire(Agent::Cline, Scope::User).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(Plan::new(&home.places, Agent::Cline, Scope::User).is_done());
}

#[test]
fn what_no_longer_says_the_same_is_not_like_it() {
    for (agent, name) in [
        (Agent::ClaudeCode, "home/.claude/settings.json"),
        (Agent::OpenCode, "home/.config/opencode/plugin/herm.js"),
    ] {
        let mut home = Home::new();
        home.wire(agent, Scope::User).unwrap();
        home.places.herm = "/opt/herm-2".into();
        let plan = Plan::new(&home.places, agent, Scope::User);
        assert!(!plan.is_done() && plan.is_alike(), "{agent:?}: only the program is another");
        let text = home.read(name);
        let spoiled = text.replace("\"*\"", "\"Frobnicate\"").replace("tool.execute.before", "tool.never");
        assert_ne!(spoiled, text, "{agent:?}");
        fs::write(home.file(name), spoiled).unwrap();
        assert!(!Plan::new(&home.places, agent, Scope::User).is_alike(), "{agent:?}");
    }
}

#[test]
fn a_file_that_its_agent_would_not_read_is_left_alone() {
    for (agent, name) in
        [(Agent::Codex, "home/.codex/hooks.json"), (Agent::Hermes, "home/.hermes/shell-hooks-allowlist.json")]
    {
        for text in ["// mine\n{}", "{\"a\": [1,],}", "\u{feff}{}"] {
            let home = Home::new().with(name, text);
            let plan = Plan::new(&home.places, agent, Scope::User);
            let step = plan.steps.iter().find(|step| step.file == home.file(name));
            let refused = step.map(|step| step.change.as_ref().unwrap_err().to_string()).unwrap();
            assert!(refused.contains("plain JSON"), "{agent:?} {text}: {refused}");
        }
    }
}

#[test]
fn a_file_with_which_its_agent_does_not_start_is_left_alone() {
    let name = "home/.gemini/settings.json";
    let refused = |text: &str| {
        let home = Home::new().with(name, text);
        let plan = Plan::new(&home.places, Agent::Gemini, Scope::User);
        plan.steps.first().unwrap().change.as_ref().err().map(ToString::to_string)
    };
    for text in ["{\"a\": [1,],}", "\u{feff}{}", "// mine\n{\"a\": \"//\",}"] {
        assert!(refused(text).is_some_and(|why| why.contains("does not start")), "{text}");
    }
    for text in ["", "// mine\n", "{}", "// mine\n{\"a\": \"// ,}\" /* , */}", "{\"ü\": \"é\"} // ß"] {
        assert_eq!(refused(text), None, "{text}");
    }
}

#[test]
fn a_home_that_only_a_variable_names_is_named() {
    let mut home = Home::new();
    home.places.guard = home.places.home.join(".herm");
    home.places.heeds_variables = true;
    assert!(home.places.call(Agent::Pi, Scope::User).line().contains("--herm-home"));
}

#[test]
fn trust_is_a_step_of_its_own() {
    let home = Home::new();
    for (agent, file) in [
        (Agent::Codex, "home/.codex/config.toml"),
        (Agent::Hermes, "home/.hermes/shell-hooks-allowlist.json"),
    ] {
        let plan = Plan::new(&home.places, agent, Scope::User);
        plan.carry_out(&home.places, Purpose::Hook).unwrap();
        assert!(!home.file(file).exists());
        assert!(Plan::new(&home.places, agent, Scope::User).is_done());
        home.wire(agent, Scope::User).unwrap();
        assert!(home.file(file).exists());
    }
}

#[test]
fn agents_are_found_by_what_they_keep() {
    let home = Home::new().with("home/.codex/config.toml", "").with("home/.config/goose/config.yaml", "");
    let found: Vec<Agent> = home
        .places
        .agents()
        .iter()
        .filter(|found| found.program.is_none())
        .map(|found| found.agent)
        .collect();
    assert!(
        found.contains(&Agent::Codex) && found.contains(&Agent::Goose) && !found.contains(&Agent::Windsurf),
        "{found:?}"
    );
}

#[test]
fn who_could_replace_herm_is_named() {
    let mut home = Home::new().with("bin/herm", "");
    home.places.herm = home.file("bin/herm");
    let open =
        |name: &str, mode: u32| fs::set_permissions(home.file(name), Permissions::from_mode(mode)).unwrap();
    open("bin/herm", 0o777);
    assert_eq!(home.places.weak_spot(), Some(fs::canonicalize(home.file("bin/herm")).unwrap()));
    open("bin/herm", 0o755);
    open("bin", 0o777);
    let is_root = rustix::process::geteuid().is_root();
    let expected = if is_root { "bin" } else { "bin/herm" };
    assert_eq!(home.places.weak_spot(), Some(fs::canonicalize(home.file(expected)).unwrap()));
}

#[test]
fn only_a_home_at_another_place_is_named() {
    let mut home = Home::new();
    assert!(home.places.call(Agent::Pi, Scope::User).line().contains("--herm-home"));
    assert!(!home.places.call(Agent::Codex, Scope::System).line().contains("--herm-home"));
    home.places.guard = home.places.home.join(".herm");
    assert!(!home.places.call(Agent::Pi, Scope::User).line().contains("--herm-home"));
}
