//! Hermes Agent.

use std::process::Command;

use serde_json::json;

use crate::client::{Client, Failing, Then, scenarios};
use crate::model::Call;
use crate::space;
use crate::stage::Stage;

pub(crate) static CLIENT: Client = Client {
    name: "hermes",
    word: "hermes",
    settle,
    ask,
    shell: |command| Call { tool: "terminal", input: json!({"command": command}) },
    write: |path| Call { tool: "write_file", input: json!({"path": path, "content": "written"}) },
    keep: |_| {},
    hurry: |stage| stage.change(CONFIG, "timeout: 300", "timeout: 5"),
    failing: Failing {
        crashed: Then::Blocked,
        garbled: Then::Runs,
        killed: Then::Blocked,
        missing: Then::Blocked,
        slow: Then::Runs,
    },
};

pub(crate) const CONFIG: &str = ".hermes/config.yaml";

/// It would fetch a scanner and packages for itself, and waits for them.
fn settle(stage: &Stage) {
    let url = stage.model.url();
    stage.settings(
        CONFIG,
        &format!(
            "model:\n  provider: custom\n  base_url: {url}/v1\n  api_key: none\n  default: fake-1\n  context_length: 128000\n\
             security:\n  tirith_enabled: false\n  allow_lazy_installs: false\n"
        ),
    );
}

fn ask(_: &Stage, command: &mut Command, prompt: &str) {
    command.args(["hermes", "chat", "-Q", "--yolo", "-q", prompt]);
}

scenarios!();

#[test]
fn what_a_skill_has_run_is_judged() {
    let test = concat!(module_path!(), "::what_a_skill_has_run_is_judged");
    space::apart(&CLIENT, test, |client| {
        assert_eq!(shown(client, |_| {}), ["allowed", "forbidden"]);
        assert_eq!(shown(client, Stage::wire), ["allowed"]);
    });
}

/// What is left of all that stands in skills, after each of them was looked at.
fn shown(client: &'static Client, wire: fn(&Stage)) -> Vec<&'static str> {
    let stage = Stage::new(client);
    stage.change(CONFIG, "security:", "skills:\n  inline_shell: true\nsecurity:");
    let touch = |name: &str| format!("touch {}", stage.place.work(name).display());
    stage.place.config(&format!("approvals: {{deny: ['{}']}}\n", touch("forbidden")));
    for (skill, name) in [("good", "allowed"), ("bad", "forbidden")] {
        let sheet = format!("---\nname: {skill}\ndescription: A test.\n---\nNow !`{}`\n", touch(name));
        stage.settings(&format!(".hermes/skills/{skill}/SKILL.md"), &sheet);
    }
    wire(&stage);
    let skill = |name: &str| Call { tool: "skill_view", input: json!({"name": name}) };
    let run = stage.run(&[skill("good"), skill("bad")]);
    assert_eq!(run.results.len(), 2, "{}", run.story);
    stage.is_left();
    ["allowed", "forbidden"].into_iter().filter(|name| stage.place.work(name).exists()).collect()
}
