//! The operator's hooks: what they stop, what they are told, who consents to them.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::place::{Place, Ran};

/// A hook that says this.
fn saying(answer: &str) -> String {
    format!("#!/bin/sh\ncat > /dev/null\necho '{answer}'\n")
}

const BLOCKS: &str = r#"{"action":"block","message":"not on a Friday"}"#;

/// A place with one hook that a person has consented to.
fn with_hook(script: &str, terms: &str) -> Place {
    let place = Place::new();
    let path = place.program("hooks/hook.sh", script);
    place.config(&format!("hooks: {{pre_tool_call: [{{command: {path}{terms}}}]}}\n"));
    assert_eq!(place.run(&["hooks", "allow", "1"]).code, Some(0));
    place
}

fn rules(record: &Value) -> Vec<&str> {
    let findings = record["body"]["findings"].as_array().unwrap();
    findings.iter().filter_map(|finding| finding["rule"].as_str()).collect()
}

fn is_refused(place: &Place, ran: &Ran, why: &str) {
    assert_eq!(ran.code, Some(126), "{ran:?}");
    assert!(ran.stderr.contains(why) && ran.stderr.contains("[hook-objection]"), "{why}: {ran:?}");
    assert!(!place.work("made").exists());
    let ledger = place.ledger();
    assert_eq!(rules(ledger.last().unwrap()), ["hook-objection"]);
}

#[test]
fn a_hook_blocks_a_call_in_either_way_of_writing_it() {
    let place = Place::new();
    let path = place.program("hooks/hook.sh", &saying(BLOCKS));
    for config in [
        format!(
            "hooks:\n  pre_tool_call:\n    - matcher: \"terminal\"\n      command: {path}\n      timeout: 5\n"
        ),
        format!("hooks:\n  pre_tool_call:\n    terminal: {path}\n"),
    ] {
        place.config(&config);
        place.run(&["hooks", "allow", &path]);
        let ran = place.run(&["run", "touch made"]);
        is_refused(&place, &ran, "`hook.sh` objects: not on a Friday");
        let code = place.run(&["run", "--language", "python", "print(1)"]);
        assert_eq!(code.stdout, "1\n", "it is for the terminal only: {code:?}");
    }
}

#[test]
fn hooks_of_the_second_file_are_heard_too() {
    let place = Place::new();
    let path = place.program("hooks/hook.sh", &saying(BLOCKS));
    fs::write(place.guard().join("cli-config.yaml"), format!("hooks: {{pre_tool_call: [{path}]}}\n"))
        .unwrap();
    place.run(&["hooks", "allow", "1"]);
    is_refused(&place, &place.run(&["run", "touch made"]), "not on a Friday");
}

#[test]
fn a_hook_with_nothing_to_say_does_not_object() {
    for script in ["#!/bin/sh\n", "#!/bin/sh\necho '{}'\n", &saying(r#"{"action":"allow"}"#)] {
        let ran = with_hook(script, "").run(&["run", "echo ran; exit 3"]);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(3), "ran\n", ""));
    }
}

#[test]
fn a_hook_cannot_loosen() {
    let place = with_hook(&saying(r#"{"action":"allow","decision":"approve"}"#), "");
    place.file("build/x", "");
    assert_eq!(place.run(&["run", "rm -rf build"]).code, Some(126));
    assert_eq!(place.run(&["run", "rm -rf /"]).code, Some(126));
    assert!(place.work("build").exists());
}

#[test]
fn a_hook_may_have_a_person_asked() {
    let place = with_hook(&saying(r#"{"action":"ask","message":"really?"}"#), "");
    is_refused(&place, &place.run(&["run", "touch made"]), "really?");
    let ran = place.at_terminal(80, &[("Choice", r"o\r")], &["run", "touch made"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("really?") && place.work("made").exists(), "{ran:?}");
}

/// Whatever keeps a hook from being heard, with what is said about it.
const FAILURES: &[(&str, &str)] = &[
    ("exit 1", "it ended with code 1"),
    ("kill -9 $$", "signal 9 ended it"),
    ("sleep 30", "it takes longer than 1 s"),
    ("echo all is well", "its answer is not JSON"),
    ("cat /dev/zero", "it says too much"),
    ("printf '\\377'", "its answer is not text"),
    (r#"echo '{"action":"blok"}'"#, "`blok` in its answer is not known"),
];

#[test]
fn a_hook_that_fails_refuses_unless_it_may_fail() {
    for (script, why) in FAILURES {
        let script = format!("#!/bin/sh\n{script}\n");
        let place = with_hook(&script, ", timeout: 1");
        is_refused(&place, &place.run(&["run", "touch made"]), why);

        let place = with_hook(&script, ", timeout: 1, fail_open: true");
        let told = place.run(&["run", "--json", "touch made"]).json();
        assert!(told["exit_code"] == 0 && place.work("made").exists(), "{told}");
        let finding = &told["findings"][0];
        assert_eq!(
            (finding["rule"].as_str(), finding["stance"].as_str()),
            (Some("hook-objection"), Some("note"))
        );
        assert!(finding["reason"].as_str().unwrap().contains(why), "{told}");
    }
}

#[test]
fn a_hook_that_is_gone_refuses() {
    let place = with_hook(&saying("{}"), "");
    fs::remove_file(place.guard().join("hooks/hook.sh")).unwrap();
    is_refused(&place, &place.run(&["run", "touch made"]), "there is no program");
}

#[test]
fn hooks_run_at_once_and_all_are_waited_for() {
    let place = Place::new();
    let meets = |number: u8, answer: &str| {
        let script = format!(
            "#!/bin/sh\ncd \"$HERM_HOME\"\n: > here.{number}\nfor _ in $(seq 200); do\n  [ -e here.1 ] && [ -e here.2 ] && [ -e here.3 ] && \
             {{ echo '{answer}'; exit 0; }}\n  sleep 0.05\ndone\nexit 1\n"
        );
        place.program(&format!("hooks/{number}.sh"), &script)
    };
    let hooks = [meets(1, "{}"), meets(2, BLOCKS), meets(3, "{}")];
    place.config(&format!("hooks: {{pre_tool_call: [{}]}}\n", hooks.join(", ")));
    for hook in &hooks {
        place.run(&["hooks", "allow", hook]);
    }
    let ran = place.run(&["run", "touch made"]);
    is_refused(&place, &ran, "`2.sh` objects: not on a Friday");
    assert!(!ran.stderr.contains("cannot be heard"), "{ran:?}");
}

#[test]
fn a_new_hook_is_asked_about_once_and_a_changed_one_again() {
    let place = Place::new();
    let path = place.program("hooks/hook.sh", "#!/bin/sh\n: > \"$HERM_HOME/ran\"\n");
    place.config(&format!("hooks: {{pre_tool_call: [{path}]}}\n"));
    let ran = place.run(&["run", "touch made"]);
    is_refused(&place, &ran, "nobody has consented to it");
    assert!(!place.guard().join("ran").exists(), "nobody consented");

    let yes = [("Choice", r"o\r")];
    let ran = place.at_terminal(80, &yes, &["run", "touch made"]);
    assert!(
        ran.stdout.contains("a hook that nobody has consented to") && ran.stdout.contains("hook.sh"),
        "{ran:?}"
    );
    assert!(
        ran.code == Some(0) && place.guard().join("ran").exists() && place.work("made").exists(),
        "{ran:?}"
    );
    assert_eq!(place.run(&["run", "true"]).code, Some(0), "the yes is kept");

    place.program("hooks/hook.sh", &saying("{}"));
    let ran = place.run(&["run", "true"]);
    assert!(ran.code == Some(126) && ran.stderr.contains("is new or has changed"), "{ran:?}");
    assert_eq!(place.at_terminal(80, &yes, &["run", "true"]).code, Some(0));
    assert_eq!(place.run(&["run", "true"]).code, Some(0));
}

#[test]
fn a_refused_hook_neither_runs_nor_is_asked_about_again() {
    let place = Place::new();
    let path = place.program("hooks/hook.sh", "#!/bin/sh\n: > \"$HERM_HOME/ran\"\n");
    place.config(&format!("hooks: {{pre_tool_call: [{path}]}}\n"));
    assert_eq!(place.at_terminal(80, &[("Choice", r"d\r")], &["run", "touch made"]).code, Some(126));
    let ran = place.at_terminal(80, &[], &["run", "touch made"]);
    assert!(ran.code == Some(126) && !ran.stdout.contains("Choice"), "{ran:?}");
    assert!(ran.stdout.contains("consent was refused"), "{ran:?}");
    assert!(!place.work("made").exists() && !place.guard().join("ran").exists());
}

#[test]
fn a_late_yes_to_a_hook_counts() {
    let place = Place::new();
    let path = place.program("hooks/hook.sh", &saying("{}"));
    place.config(&format!("hooks: {{pre_tool_call: [{path}]}}\n"));
    assert_eq!(place.run(&["run", "--session", "s", "true"]).code, Some(126));
    assert_eq!(place.run(&["approvals", "answer", &place.question(), "once"]).code, Some(0));
    assert_eq!(place.run(&["run", "--session", "s", "true"]).code, Some(0));
    assert_eq!(place.run(&["run", "--session", "another", "true"]).code, Some(0), "it is kept for all");
}

#[test]
fn what_is_refused_anyway_is_shown_to_no_hook() {
    let place = with_hook("#!/bin/sh\n: > \"$HERM_HOME/ran\"\n", "");
    assert_eq!(place.run(&["run", "rm -rf /"]).code, Some(126));
    assert!(!place.guard().join("ran").exists());
}

/// A place whose hook is told afterwards.
fn with_listener(script: &str, terms: &str) -> Place {
    let place = Place::new();
    let path = place.program("hooks/hook.sh", script);
    place.config(&format!("hooks: {{post_tool_call: [{{command: {path}{terms}}}]}}\n"));
    assert_eq!(place.run(&["hooks", "allow", "1"]).code, Some(0));
    place
}

fn told(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_hook_is_told_what_became_of_a_call() {
    let place = with_listener("#!/bin/sh\ncat > \"$HERM_HOME/told\"\n", "");
    let ran = place.run(&["run", "--session", "s", "echo out; echo err >&2; exit 4"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(4), "out\n", "err\n"));
    let told = told(&place.guard().join("told"));
    assert_eq!(told["hook_event_name"], "post_tool_call");
    assert_eq!((told["tool_name"].as_str(), told["session_id"].as_str()), (Some("terminal"), Some("s")));
    assert_eq!(told["tool_input"]["command"], "echo out; echo err >&2; exit 4");
    let result = &told["extra"]["result"];
    assert_eq!((result["exit_code"].as_i64(), result["ending"].as_str()), (Some(4), Some("exited")));
    assert_eq!((result["stdout"].as_str(), result["stderr"].as_str()), (Some("out\n"), Some("err\n")));
}

#[test]
fn what_a_hook_says_afterwards_is_noted_and_changes_nothing() {
    let place = with_listener(&saying(BLOCKS), "");
    let ran = place.run(&["run", "touch made; exit 4"]);
    assert!(ran.code == Some(4) && ran.stderr.contains("not on a Friday"), "{ran:?}");
    let told = place.run(&["run", "--json", "true"]).json();
    assert!(told["exit_code"] == 0 && told["decision"] == "allow", "{told}");
    assert!(told["notes"][0].as_str().unwrap().contains("not on a Friday"), "{told}");
    assert!(place.ledger().iter().all(|record| record["body"]["decision"] != "deny"));
}

#[test]
fn a_slow_hook_afterwards_holds_nothing_up_for_longer_than_its_time() {
    let place = with_listener("#!/bin/sh\nsleep 60\n", ", timeout: 1");
    let began = Instant::now();
    let ran = place.run(&["run", "exit 5"]);
    assert!(ran.code == Some(5) && ran.stderr.contains("it takes longer than 1 s"), "{ran:?}");
    assert!(began.elapsed() < Duration::from_secs(10));
    let ledger = place.ledger();
    assert_eq!(ledger.last().unwrap()["body"]["exit_code"], 5);
}

#[test]
fn secrets_are_taken_out_of_what_a_hook_is_told_afterwards() {
    let place = with_listener("#!/bin/sh\ncat > \"$HERM_HOME/told\"\n", "");
    fs::write(place.guard().join(".env"), "MY_SERVICE_TOKEN=plain-looking-value\n").unwrap();
    place.file("leak", "plain-looking-value\n");
    place.run(&["run", "cat leak"]);
    assert_eq!(told(&place.guard().join("told"))["extra"]["result"]["stdout"], "[REDACTED]\n");
}

/// Commands may name paths below the root that is fenced in, and those of the system.
const FENCE: &str = r#"#!/usr/bin/env bash
root="${HERMES_WRITE_SAFE_ROOT:-}"
[[ -n "$root" ]] || { echo '{}'; exit 0; }
command=$(python3 -c 'import json,sys; print(json.load(sys.stdin)["tool_input"].get("command", ""))')
while read -r path; do
  case "$path" in
    "$root" | "$root"/* | /usr/* | /bin/* | /etc/* | /dev/* | '') ;;
    *) printf '{"action":"block","message":"fenced to %s: %s lies outside"}\n' "$root" "$path"; exit 0 ;;
  esac
done < <(grep -oE '~?/[A-Za-z0-9_./-]+' <<< "$command")
echo '{}'
"#;

#[test]
fn a_fence_keeps_commands_below_the_safe_root() {
    let place = Place::new();
    let path = place.program("hooks/fence.sh", FENCE);
    place.config(&format!("hooks:\n  pre_tool_call:\n    - matcher: \"terminal\"\n      command: {path}\n"));
    place.run(&["hooks", "allow", "1"]);
    let root = place.work("");
    let root = root.to_str().unwrap().trim_end_matches('/');
    let run = |command: &str| Ran::of(place.herm(&["run", command]).env("HERMES_WRITE_SAFE_ROOT", root));
    place.file("inside", "in\n");
    assert_eq!(run(&format!("cat {root}/inside /etc/hostname > /dev/null")).code, Some(0));
    for outside in ["ls ~/elsewhere", "cat /srv/other/notes", &format!("ls {root}-next/x")] {
        let ran = run(outside);
        assert!(ran.code == Some(126) && ran.stderr.contains("lies outside"), "{outside}: {ran:?}");
    }
    assert_eq!(place.run(&["run", "ls /srv > /dev/null"]).code, Some(0), "without a root there is no fence");
}
