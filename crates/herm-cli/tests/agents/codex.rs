//! Codex CLI.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::client::{Client, Failing, Then, scenarios};
use crate::model::Call;
use crate::stage::Stage;
use crate::{scenarios, space};

pub(crate) static CLIENT: Client = Client {
    name: "codex",
    word: "codex",
    settle,
    ask,
    shell: |command| Call { tool: "exec_command", input: json!({"cmd": command}) },
    write: |path| Call {
        tool: "apply_patch",
        input: json!({"input": format!("*** Begin Patch\n*** Add File: {path}\n+written\n*** End Patch\n")}),
    },
    keep: |_| {},
    hurry: |stage| stage.change(HOOKS, "\"timeout\": 3600", HURRIED),
    failing: Failing {
        crashed: Then::Blocked,
        garbled: Then::Runs,
        killed: Then::Blocked,
        missing: Then::Blocked,
        slow: Then::Runs,
    },
};

const HOOKS: &str = ".codex/hooks.json";
const HURRIED: &str = "\"timeout\": 5";

fn settle(stage: &Stage) {
    let config = format!("{SETTLED}base_url = \"{}/v1\"\n", stage.model.url());
    stage.settings(".codex/config.toml", &config);
}

/// A model that it knows has all its tools. It must not wait for places that it does not reach.
const SETTLED: &str = "model = \"gpt-5.5\"
model_provider = \"fake\"
approval_policy = \"never\"

[analytics]
enabled = false

[features]
plugins = false

[model_providers.fake]
name = \"fake\"
wire_api = \"responses\"
env_key = \"FAKE_KEY\"
";

fn ask(stage: &Stage, command: &mut Command, prompt: &str) {
    asked(stage, command, "danger-full-access", prompt);
}

fn asked(stage: &Stage, command: &mut Command, sandbox: &str, prompt: &str) {
    command.args(["codex", "exec", "--skip-git-repo-check", "--sandbox", sandbox]);
    // With another time it is another hook, and nobody has consented to that one.
    let hooks = fs::read_to_string(stage.place.home().join(HOOKS)).unwrap_or_default();
    if hooks.contains(HURRIED) {
        command.arg("--dangerously-bypass-hook-trust");
    }
    command.arg(prompt).env("FAKE_KEY", "none");
}

scenarios!();

/// The same, in the sandbox that it has by default.
static SANDBOXED: Client =
    Client { ask: |stage, command, prompt| asked(stage, command, "workspace-write", prompt), ..CLIENT };

#[test]
fn in_its_own_sandbox_the_same_holds() {
    let test = concat!(module_path!(), "::in_its_own_sandbox_the_same_holds");
    space::with_room(&SANDBOXED, test, sandboxed);
}

/// Whether its sandbox is there is seen by the network that is not.
fn sandboxed(client: &'static Client) {
    let stage = Stage::new(client);
    let run = stage.run(&[(client.shell)("touch allowed"), reach(&stage)]);
    assert!(stage.place.work("allowed").exists(), "its sandbox does not work here: {}", run.story);
    assert!(!stage.place.work("reached").exists(), "{}", run.story);
    scenarios::guarded(client);

    let stage = Stage::new(&CLIENT);
    let run = stage.run(&[reach(&stage)]);
    assert!(stage.place.work("reached").exists(), "{}", run.story);
}

/// A connection to the model, which leaves a file if it comes about.
fn reach(stage: &Stage) -> Call {
    let address = stage.model.url().replace("http://", "").replace(':', "/");
    (CLIENT.shell)(&format!("exec 3<>/dev/tcp/{address} && touch reached"))
}

#[test]
fn a_repository_that_is_trusted_can_switch_it_off() {
    let test = concat!(module_path!(), "::a_repository_that_is_trusted_can_switch_it_off");
    space::apart(&TRUSTING, test, |client| {
        scenarios::switched_off(client, ".codex/config.toml", "[features]\nhooks = false\n");
    });
}

/// The same, where its person trusts the repository.
static TRUSTING: Client = Client {
    settle: |stage| {
        settle(stage);
        let work = stage.place.work("");
        let work = work.to_str().unwrap().trim_end_matches('/');
        let trust = format!("\n[projects.\"{work}\"]\ntrust_level = \"trusted\"\n\n[analytics]");
        stage.change(".codex/config.toml", "\n[analytics]", &trust);
    },
    ..CLIENT
};

#[test]
fn a_repository_cannot_switch_it_off_for_the_machine() {
    let test = concat!(module_path!(), "::a_repository_cannot_switch_it_off_for_the_machine");
    space::with_machine(&TRUSTING, test, |client| {
        scenarios::for_the_machine(client, ".codex/config.toml", "[features]\nhooks = false\n");
    });
}
