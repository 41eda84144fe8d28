//! GitHub Copilot CLI.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::client::{Client, Failing, Then, scenarios};
use crate::formats::{self, Reads, Way};
use crate::model::Call;
use crate::stage::Stage;
use crate::{scenarios, space};

pub(crate) static CLIENT: Client = Client {
    name: "copilot",
    word: "copilot",
    settle: |_| {},
    ask,
    shell: |command| Call { tool: "bash", input: json!({"command": command, "description": "does it"}) },
    write: |path| Call { tool: "create", input: json!({"path": path, "file_text": "written"}) },
    // It would ask its own person, of whom there is none.
    keep: |stage| stage.change(HOOKS, "hook copilot", "hook copilot --ask herm"),
    hurry: |stage| stage.change(HOOKS, "3600", "5"),
    failing: Failing {
        crashed: Then::Blocked,
        garbled: Then::Runs,
        killed: Then::Blocked,
        missing: Then::Blocked,
        slow: Then::Runs,
    },
};

const HOOKS: &str = ".copilot/hooks/herm.json";

fn ask(stage: &Stage, command: &mut Command, prompt: &str) {
    command
        .args(["copilot", "-p", prompt, "--allow-all-tools", "--allow-all-paths"])
        .env("COPILOT_AUTO_UPDATE", "false")
        .env("COPILOT_MODEL", "fake-1")
        .env("COPILOT_OFFLINE", "true")
        .env("COPILOT_PROVIDER_API_KEY", "none")
        .env("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", stage.model.url()));
}

scenarios!();

#[test]
fn a_repository_cannot_switch_it_off() {
    let test = concat!(module_path!(), "::a_repository_cannot_switch_it_off");
    space::apart(&CLIENT, test, |client| {
        for file in [".github/copilot/settings.json", ".claude/settings.json"] {
            let stage = Stage::new(client);
            stage.wire();
            scenarios::holds_against(&stage, client, file, OFF);
        }
    });
}

#[test]
fn it_holds_for_the_machine() {
    let test = concat!(module_path!(), "::it_holds_for_the_machine");
    space::with_machine(&CLIENT, test, |client| {
        scenarios::for_the_machine(client, ".github/copilot/settings.json", OFF);
    });
}

#[test]
fn who_goes_round_in_circles_is_stopped() {
    let test = concat!(module_path!(), "::who_goes_round_in_circles_is_stopped");
    space::apart(&CLIENT, test, circling);
}

fn circling(client: &'static Client) {
    let stage = Stage::new(client);
    stage.wire();
    let run = stage.run(&vec![(client.shell)("cat nowhere"); 6]);
    assert!(run.told(4).contains("No such file"), "{}", run.story);
    assert!(run.told(5).contains("5 times in a row"), "{}", run.story);
    stage.is_left();
}

#[test]
fn it_tells_that_a_person_has_spoken() {
    let test = concat!(module_path!(), "::it_tells_that_a_person_has_spoken");
    space::apart(&CLIENT, test, told_of);
}

/// What stands in herm's place writes down what it is told.
fn told_of(client: &'static Client) {
    let stage = Stage::new(client);
    stage.wire();
    stage.replace("#!/bin/sh\ncat >> \"$HOME/told\"\n");
    let run = stage.run(&[(client.shell)("touch allowed")]);
    assert!(stage.place.work("allowed").exists(), "{}", run.story);
    let told = fs::read_to_string(stage.place.home().join("told")).unwrap_or_default();
    let marks = ["\"UserPromptSubmit\"", "\"toolArgs\"", "\"toolResult\""];
    let places: Vec<_> = marks.iter().map(|mark| told.find(mark)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{told}\n{}", run.story);
    stage.is_left();
}

const OFF: &str = "{\"disableAllHooks\": true}\n";

/// It skips a file that is not plain JSON, and heeds a switch there alone.
#[test]
fn what_it_makes_of_its_files_is_known() {
    let test = concat!(module_path!(), "::what_it_makes_of_its_files_is_known");
    space::apart(&CLIENT, test, |client| {
        formats::tried(
            client,
            &[
                Way { file: HOOKS, written: |before| before.replace('\n', "\r\n"), reads: Reads::Asks },
                Way { file: HOOKS, written: formats::commented, reads: Reads::Skips },
                Way { file: HOOKS, written: formats::with_comma, reads: Reads::Skips },
                Way { file: HOOKS, written: formats::with_mark, reads: Reads::Skips },
                Way {
                    file: HOOKS,
                    written: |before| before.replacen('{', "{\"disableAllHooks\": true,", 1),
                    reads: Reads::Skips,
                },
                Way { file: ".copilot/settings.json", written: |_| OFF.to_owned(), reads: Reads::Asks },
                Way { file: ".copilot/config.json", written: |_| OFF.to_owned(), reads: Reads::Asks },
            ],
        );
    });
}
