//! What becomes of a command whose sandbox lacks something. What is missing is truly missing: there are no control groups in the mounts that
//! herm sees, as in many containers.

use std::fs;
use std::process::Command;

use herm::rules::consult::WEAKER_SANDBOX;
use serde_json::{Value, json};

use crate::place::{Place, Ran};

/// herm where there are no control groups. `None` where that is not permitted.
#[expect(clippy::print_stdout, reason = "a test that is skipped says why")]
fn ungrouped(place: &Place, arguments: &[&str]) -> Option<Command> {
    let without = "umount -l /sys/fs/cgroup && exec \"$@\"";
    let wrapped = ["unshare", "-m", "sh", "-c", without, "sh"];
    let permitted = Command::new("unshare").args(&wrapped[1..]).arg("true").output().unwrap();
    if !permitted.status.success() {
        println!("skipped: no file system can be unmounted here");
        return None;
    }
    let mut command = place.command("setsid");
    command.arg("--wait").args(wrapped).args(place.prefix()).arg(place.binary()).args(arguments);
    Some(command)
}

fn places(missing: &str) -> [Place; 2] {
    let places = [Place::new().unsaid(), Place::unprivileged().unsaid()];
    for place in &places {
        place.config(&format!("sandbox:\n  missing: {missing}\n"));
        place.give();
    }
    places
}

fn last(place: &Place, kind: &str) -> Value {
    let ledger = place.ledger();
    ledger
        .iter()
        .rfind(|record| record["kind"] == kind)
        .map(|record| record["body"].clone())
        .unwrap_or_default()
}

const LIMITS: [&str; 2] = ["memory-limit", "process-limit"];

#[test]
fn what_is_accepted_runs_and_is_recorded() {
    for place in places("accept") {
        let Some(mut herm) = ungrouped(&place, &["run", "--json", "echo ran"]) else { return };
        let ran = Ran::of(&mut herm);
        let told = ran.json();
        assert!(
            told["stdout"] == "ran\n" && told["backend"] == "sandbox" && ran.stderr.is_empty(),
            "{ran:?}"
        );
        assert_eq!((&told["missing"], &last(&place, "outcome")["missing"]), (&json!(LIMITS), &json!(LIMITS)));
        // What somebody has set and does not hold is said.
        place.config("terminal: {container_cpu: 1, container_memory: 4000}\n");
        place.give();
        let ran = Ran::of(&mut ungrouped(&place, &["run", "--json", "echo ran"]).unwrap());
        for key in ["container_cpu", "container_memory"] {
            assert!(ran.stderr.contains(&format!("`terminal.{key}` does not hold for all")), "{ran:?}");
        }
        assert_eq!(ran.json()["missing"], json!(["cpu-limit", "memory-limit", "process-limit"]), "{ran:?}");
    }
}

#[test]
fn what_is_asked_about_is_named() {
    for place in places("ask") {
        let asked = ["run", "--session", "s", "touch made"];
        let Some(mut herm) = ungrouped(&place, &asked) else { return };
        let ran = Ran::of(&mut herm);
        assert!(ran.code == Some(126) && !place.work("made").exists(), "{ran:?}");
        for limit in LIMITS {
            assert!(ran.stderr.contains(&format!("the sandbox lacks `{limit}`: ")), "{ran:?}");
        }
        // A person says yes to exactly that, and then it runs once.
        let answered = place.run(&["approvals", "answer", &place.question(), "once"]);
        let ran = Ran::of(&mut ungrouped(&place, &asked).unwrap());
        assert!(ran.code == Some(0) && place.work("made").exists(), "{answered:?} {ran:?}");
        assert_eq!(last(&place, "intent")["findings"][0]["rule"], WEAKER_SANDBOX.name);
        assert_eq!(last(&place, "outcome")["missing"], json!(LIMITS));
        // Who wants to be asked nothing is not.
        let ran = Ran::of(&mut ungrouped(&place, &["run", "--yolo", "echo ran"]).unwrap());
        assert_eq!(ran.stdout, "ran\n", "{ran:?}");
    }
}

#[test]
fn what_is_refused_says_how_to_have_it() {
    for place in places("refuse") {
        for example in WEAKER_SANDBOX.examples {
            let Some(mut herm) = ungrouped(&place, &["run", "--yolo", example]) else { return };
            let ran = Ran::of(&mut herm);
            assert!(ran.code == Some(126), "{ran:?}");
            assert!(
                ran.stderr.contains("refused: the sandbox lacks something that must hold here"),
                "{ran:?}"
            );
            assert!(ran.stderr.contains("the sandbox lacks `memory-limit`: "), "{ran:?}");
            assert!(
                ran.stderr.contains("hint: ") && ran.stderr.contains("`herm doctor` says more"),
                "{ran:?}"
            );
            assert_eq!(last(&place, "outcome")["refused"], "forbidden");
        }
        let ran = Ran::of(&mut ungrouped(&place, &["run", "--backend", "sandbox", "touch made"]).unwrap());
        assert!(ran.code == Some(126) && !place.work("made").exists(), "{ran:?}");
        let shell = Ran::of(&mut ungrouped(&place, &["shell", "--json"]).unwrap());
        assert!(shell.code == Some(125) && shell.stderr.contains("the sandbox lacks `"), "{shell:?}");
        assert!(shell.stderr.contains("herm doctor"), "{shell:?}");
        // Whoever asks for none has none either.
        let ran = Ran::of(&mut ungrouped(&place, &["run", "--backend", "local", "echo ran"]).unwrap());
        assert!(ran.code == Some(126) && ran.stderr.contains("there is no sandbox"), "{ran:?}");
    }
}

#[test]
fn having_no_sandbox_at_all_is_decided_the_same_way() {
    for (missing, code) in [("accept", 0), ("ask", 126), ("refuse", 126)] {
        for place in places(missing) {
            let ran = Ran::of(place.herm(&["run", "echo ran"]).current_dir(place.home()));
            assert_eq!((ran.code, ran.stdout.is_empty()), (Some(code), code != 0), "{missing}: {ran:?}");
            let told =
                ran.stderr.contains("there is no sandbox: ") && ran.stderr.contains("[weaker-sandbox]");
            assert_eq!(told, code != 0, "{missing}: {ran:?}");
            let runs = match missing {
                "accept" => Some("It runs on `local`"),
                "ask" => Some("It would run on `local`"),
                _ => None,
            };
            assert_eq!(ran.stderr.contains("on `local`"), runs.is_some(), "{missing}: {ran:?}");
            assert!(runs.is_none_or(|runs| ran.stderr.contains(runs)), "{missing}: {ran:?}");
        }
    }
}

#[test]
fn nothing_is_asked_where_nothing_is_missing() {
    let [place, _] = places("refuse");
    for command in WEAKER_SANDBOX.near_misses {
        place.config("");
        let usual = place.run(&["run", "--json", command]).json();
        if usual["missing"] != json!([]) {
            return;
        }
        place.config("sandbox:\n  missing: refuse\n");
        let ran = place.run(&["run", "--json", command]).json();
        assert!(ran["exit_code"] == usual["exit_code"] && ran["decision"] == "allow", "{ran}");
    }
}

#[test]
fn a_repository_can_demand_more_and_never_less() {
    for place in places("ask") {
        let Some(mut herm) = ungrouped(&place, &["run", "true"]) else { return };
        fs::write(place.work(".herm.yaml"), "sandbox: {missing: accept}\n").unwrap();
        let asked = Ran::of(&mut herm);
        assert!(asked.stderr.contains("a person must say yes"), "{asked:?}");
        fs::write(place.work(".herm.yaml"), "sandbox: {missing: refuse}\n").unwrap();
        let refused = Ran::of(&mut ungrouped(&place, &["run", "true"]).unwrap());
        assert!(refused.stderr.contains("must hold here"), "{refused:?}");
    }
}
