//! Where `herm run` and `herm shell` run commands if nobody says.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::place::{Place, Ran};
use crate::tickets;

/// Places of root and of somebody else, where nobody says where commands run.
fn places() -> [Place; 2] {
    [Place::new().unsaid(), Place::unprivileged().unsaid()]
}

/// herm where namespaces of users cannot be had, as on machines and in containers that forbid them. Nobody else's are touched: the bound holds
/// below a namespace that is made for it.
fn forbidden(place: &Place, arguments: &[&str]) -> Ran {
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"";
    let mut command: Command = place.command("setsid");
    command.arg("--wait");
    if rustix::process::geteuid().is_root() {
        command.args(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]);
    }
    command.args(["unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c", script, "sh"]);
    Ran::of(command.arg(place.binary()).args(arguments))
}

/// What the record has of the last run: what was meant, and what came of it.
fn receipt(place: &Place) -> (Value, Value) {
    let ledger = place.ledger();
    let last = |kind: &str| {
        let found = ledger.iter().rfind(|record| record["kind"] == kind);
        found.map(|record| record["body"].clone()).unwrap_or_default()
    };
    (last("intent"), last("outcome"))
}

#[test]
fn commands_are_confined_if_nobody_says_otherwise() {
    for place in places() {
        fs::write(place.home().join("mine"), "secret").unwrap();
        let ran = place.run(&["run", "--json", "hostname; cat ~/mine; echo x > made; echo x > ~/left"]);
        let told = ran.json();
        assert_eq!((ran.code, &told["backend"]), (Some(0), &Value::from("sandbox")), "{ran:?}");
        let notes = told["notes"].as_array().unwrap();
        assert!(told["stdout"] == "herm\n" && notes.len() == 1, "{ran:?}");
        assert!(notes[0].as_str().unwrap().contains("not kept: `"), "{ran:?}");
        assert!(place.work("made").exists() && !place.home().join("left").exists());
        let (intent, outcome) = receipt(&place);
        assert!(intent["backend"] == "sandbox" && intent["unconfined"].is_null(), "{intent}");
        assert!(outcome["applied"].as_array().unwrap().contains(&"private-files".into()), "{outcome}");
    }
}

#[test]
fn what_would_be_lost_with_the_sandbox_is_asked_about() {
    for place in places() {
        fs::write(place.work("data.db"), "precious").unwrap();
        let ran = place.run(&["run", "mv data.db /tmp/data.db.bak"]);
        assert!(ran.code == Some(126) && ran.stderr.contains("lost-move"), "{ran:?}");
        assert!(place.work("data.db").exists());
        let ran = place.run(&["run", "mv data.db /tmp/x && mv /tmp/x data.bak"]);
        assert!(ran.code == Some(0) && place.work("data.bak").exists(), "{ran:?}");
    }
}

#[test]
fn so_is_a_shell_that_goes_on() {
    for place in places() {
        let script = "printf '{\"command\": \"hostname\"}\\n' | \"$0\" shell --json";
        let mut command = place.herm_by(&["bash", "-c", script]);
        let ran = Ran::of(&mut command);
        assert!(ran.json()["stdout"] == "herm\n" && ran.json()["backend"] == "sandbox", "{ran:?}");
    }
}

#[test]
fn what_stays_inside_is_not_asked_about_and_what_is_shared_is() {
    for place in places() {
        place.file("src/main.c", "");
        fs::create_dir_all(place.home().join("other")).unwrap();
        let inside = place.run(&["run", "rm -rf ~/other"]);
        assert!(inside.code == Some(0) && place.home().join("other").exists(), "{inside:?}");
        let shared = place.run(&["run", "rm -rf src"]);
        assert!(shared.code == Some(126) && place.work("src/main.c").exists(), "{shared:?}");
    }
}

#[test]
fn local_is_what_one_gets_who_says_so() {
    for place in places() {
        fs::write(place.home().join("mine"), "found").unwrap();
        let ran = place.run(&["run", "--backend", "local", "--json", "cat ~/mine"]);
        assert!(ran.json()["stdout"] == "found" && ran.json()["backend"] == "local", "{ran:?}");
        place.config("terminal:\n  backend: local\n");
        place.give();
        let ran = place.run(&["run", "--json", "cat ~/mine"]);
        assert!(ran.json()["stdout"] == "found" && ran.json()["backend"] == "local", "{ran:?}");
        assert!(
            ran.stderr.is_empty() && receipt(&place).0["unconfined"].is_null(),
            "it was meant so: {ran:?}"
        );
        let ran = place.run(&["run", "--backend", "sandbox", "--json", "cat ~/mine"]);
        assert!(ran.json()["stdout"] == "" && ran.json()["backend"] == "sandbox", "{ran:?}");
    }
}

#[test]
fn where_everything_would_be_shared_it_is_said_that_nothing_is_confined() {
    for place in places() {
        fs::create_dir_all(place.home().join("other")).unwrap();
        place.give();
        for directory in [place.home(), "/".into(), "/etc".into(), "/proc".into()] {
            let run = |arguments: &[&str]| Ran::of(place.herm(arguments).current_dir(&directory));
            let ran = run(&["run", "--json", "cat /proc/sys/kernel/hostname"]);
            let told = ran.json();
            assert_eq!((ran.code, &told["backend"]), (Some(0), &Value::from("local")), "{ran:?}");
            let words = if ["/etc", "/proc"].map(Path::new).contains(&&*directory) {
                "is no project: too much is shared there to confine anything to it. It runs on `local`"
            } else {
                "holds the home directory: confined to it, a program could reach all of it. It runs on `local`"
            };
            assert_eq!(ran.stderr.matches(words).count(), 1, "once: {ran:?}");
            assert!(told["notes"][0].as_str().unwrap().contains(words), "{ran:?}");
            let (intent, _) = receipt(&place);
            assert_eq!(intent["backend"], "local", "{intent}");
            assert!(
                words.starts_with(intent["unconfined"].as_str().unwrap().split_once("` ").unwrap().1),
                "{intent}"
            );
            // Judged as what it is: with the caller's rights, this would delete something.
            let asked = run(&["run", "rm -rf ~/other"]);
            assert!(asked.code == Some(126) && place.home().join("other").exists(), "{asked:?}");
            // Who asks for the sandbox gets it, or nothing.
            let refused = run(&["run", "--backend", "sandbox", "true"]);
            assert!(
                refused.code == Some(125) && refused.stderr.contains("hint: start herm in"),
                "{refused:?}"
            );
        }
    }
}

#[test]
fn a_machine_without_it_says_so_and_asks_about_everything() {
    let place = Place::unprivileged().unsaid();
    fs::create_dir_all(place.home().join("other")).unwrap();
    place.give();
    // What could be had a moment ago, and is remembered, does not count elsewhere.
    for _ in 0..2 {
        assert_eq!(place.run(&["run", "--json", "true"]).json()["backend"], "sandbox");
    }
    assert!(place.guard().join("confinable").exists());
    let ran = forbidden(&place, &["run", "--json", "hostname"]);
    assert_eq!((ran.code, &ran.json()["backend"]), (Some(0), &Value::from("local")), "{ran:?}");
    assert!(ran.stderr.starts_with("herm: no sandbox: the sandbox cannot make namespaces: "), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    let (intent, outcome) = receipt(&place);
    assert!(intent["unconfined"].as_str().unwrap().contains("cannot make namespaces"), "{intent}");
    assert!(!outcome["applied"].as_array().unwrap().contains(&"private-files".into()), "{outcome}");
    let asked = forbidden(&place, &["run", "rm -rf ~/other"]);
    assert!(asked.code == Some(126) && place.home().join("other").exists(), "{asked:?}");
    for arguments in [&["run", "--backend", "sandbox", "true"][..], &["shell", "--backend", "sandbox"]] {
        let demanded = forbidden(&place, arguments);
        assert!(
            demanded.code == Some(125) && demanded.stderr.contains("cannot make namespaces"),
            "{demanded:?}"
        );
    }
    place.config("terminal:\n  backend: sandbox\n");
    place.give();
    let demanded = forbidden(&place, &["run", "--json", "true"]);
    assert!(demanded.code == Some(125) && demanded.stderr.contains("herm doctor"), "{demanded:?}");
}

/// A success that is remembered and does not hold must not let anything run without a boundary.
#[test]
fn a_memory_that_is_wrong_lets_nothing_run() {
    let place = Place::unprivileged().unsaid();
    place.run(&["run", "true"]);
    place.run(&["run", "true"]);
    let memory = place.guard().join("confinable");
    let known = fs::read_to_string(&memory).unwrap();
    // The bound comes after the boundary was built and remembered, in the same namespaces.
    let script = "\"$0\" run true; echo 0 > /proc/sys/user/max_user_namespaces; \"$0\" run --json 'touch ran' ; \"$0\" run --json 'touch local'";
    let herm = place.binary();
    let mut command = place.command("setsid");
    command.arg("--wait");
    if rustix::process::geteuid().is_root() {
        command.args(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]);
    }
    command.args(["unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c", script]).arg(herm);
    let ran = Ran::of(&mut command);
    let told: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(told[0]["exit_code"] == 125 && !place.work("ran").exists(), "{ran:?}");
    assert!(told[0]["notes"].to_string().contains("herm doctor"), "{ran:?}");
    assert!(told[1]["backend"] == "local" && place.work("local").exists(), "it is forgotten: {ran:?}");
    assert_eq!(fs::read_to_string(&memory).unwrap(), known, "{ran:?}");
}

#[test]
fn the_doctor_says_where_commands_run() {
    let place = Place::unprivileged().unsaid();
    let state = |ran: &Ran| {
        let told = ran.json();
        let rows = told["rows"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == "backend").unwrap()["state"].clone()
    };
    assert_eq!(state(&place.run(&["doctor", "--json"])), "ok");
    assert_eq!(state(&forbidden(&place, &["doctor", "--json"])), "weaker");
}

/// What lies in a workspace does not decide whether it is confined.
#[test]
fn nothing_in_the_workspace_switches_the_sandbox_off() {
    for place in places() {
        fs::write(place.home().join("mine"), "secret").unwrap();
        for link in [".claude", ".git/modules/m/hooks", ".git/worktrees/m/hooks"] {
            let path = place.work(link);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink("/proc/self/", path).unwrap();
        }
        place.give();
        for _ in 0..3 {
            let ran = Ran::of(&mut place.herm(&["run", "grep NoNewPrivs /proc/self/status; cat ~/mine"]));
            assert!(!ran.stdout.contains("NoNewPrivs:\t0") && !ran.stdout.contains("secret"), "{ran:?}");
            assert!(!ran.stderr.contains("no sandbox"), "{ran:?}");
        }
    }
}

/// What makes it too much to look at all that makes programs outside run code.
const TOO_MUCH: &[&str] = &[
    "mkdir -p .git/modules/a/b/c/d/e/f/g/h/i/j/k/l/m",
    "mkdir -p .git/worktrees/a/b/c/d/e/f/g/h/i/j/k/l/m",
    "ln -s .. .git/modules",
    "mkdir .git/modules; ln -s ../modules .git/modules/x",
    "seq -f .git/modules/m%g 600 | xargs mkdir -p",
];

/// A place with a repository, and something that a command must not read.
fn kept(place: &Place) {
    for (name, text) in
        [("HEAD", "ref: refs/heads/main\n"), ("config", "[core]\n"), ("objects/x", ""), ("refs/x", "")]
    {
        place.file(&format!(".git/{name}"), text);
    }
    fs::write(place.home().join("mine"), "secret").unwrap();
    place.give();
}

const REACHES: &str = "cat ~/mine; touch ~/escaped; echo ran";

#[track_caller]
fn stays_inside(place: &Place, ran: &Ran) {
    assert!(!ran.stdout.contains("secret") && !ran.stderr.contains("no sandbox"), "{ran:?}");
    assert!(!place.home().join("escaped").exists(), "{ran:?}");
}

#[test]
fn a_workspace_with_too_much_in_it_runs_nothing() {
    for way in TOO_MUCH {
        for place in places() {
            kept(&place);
            let made = Command::new("sh").args(["-c", way]).current_dir(place.work("")).status();
            assert!(made.unwrap().success(), "{way}");
            place.give();
            let ran = place.run(&["run", REACHES]);
            stays_inside(&place, &ran);
            assert!(ran.code == Some(125) && ran.stdout.is_empty(), "{way}: {ran:?}");
            assert!(ran.stderr.contains("cannot be locked by itself"), "{way}: {ran:?}");
            let script = "printf '{\"command\": \"cat ~/mine\"}\\n' | \"$0\" shell --json";
            let shell = Ran::of(&mut place.herm_by(&["bash", "-c", script]));
            assert!(shell.code == Some(125) && !shell.stdout.contains("secret"), "{way}: {shell:?}");
        }
    }
}

#[test]
fn the_doctor_says_where_nothing_runs() {
    for place in places() {
        kept(&place);
        fs::create_dir_all(place.work(".git/modules/a/b/c/d/e/f/g/h/i/j/k/l/m")).unwrap();
        place.give();
        let doctor = place.run(&["doctor", "--json"]).json();
        let rows = doctor["rows"].as_array().unwrap();
        for name in ["backend", "this workspace"] {
            let row = rows.iter().find(|row| row["name"] == name).unwrap();
            assert_eq!(row["state"], "missing", "{row}");
        }
    }
}

/// Whoever made it must not keep the person from confining anything there.
#[test]
fn what_a_command_makes_too_much_of_is_set_aside() {
    let circle = "mkdir x; mv .github x; ln -s .github .github";
    let beside = "mkdir -p .git/modules/known/modules/a/b/c/d/e/f/g/h/i/j/k/l/m";
    let crowd = "seq -f .git/modules/known/m%g 600 | xargs mkdir -p";
    for way in TOO_MUCH.iter().chain(&[circle, beside, crowd]) {
        for place in places() {
            kept(&place);
            if [beside, crowd].contains(way) {
                place.file(".git/modules/known/HEAD", "ref: refs/heads/main\n");
                place.file(".git/modules/known/config", "[core]\n");
                place.give();
            }
            let made = place.run(&["run", "--yolo", way]);
            assert!(!made.stderr.contains("no sandbox"), "{way}: {made:?}");
            let ran = place.run(&["run", REACHES]);
            stays_inside(&place, &ran);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "ran\n"), "{way}: {made:?} {ran:?}");
            if *way != circle {
                assert!(made.stderr.contains(".herm-aside-"), "{way}: {made:?}");
            }
            let stays = *way == beside;
            assert_eq!(place.work(".git/modules/known/config").exists(), stays, "{way}: {made:?}");
        }
    }
}

/// Code that ends at a call of which only the run says what it calls.
const UNFOLLOWED: &str = "python3 -c 'import sys; getattr(sys, sys.argv[1])(3)' exit";

fn noted(place: &Place) -> Vec<String> {
    let bodies = place.ledger().into_iter().map(|record| record["body"].clone());
    let noted = bodies.filter(|body| body["backend"] == "sandbox").map(|body| body["noted"].clone());
    noted
        .flat_map(|noted| noted.as_array().cloned().unwrap_or_default())
        .map(|finding| {
            format!("{}: {}", finding["rule"].as_str().unwrap(), finding["reason"].as_str().unwrap())
        })
        .collect()
}

#[test]
fn code_that_could_not_be_followed_runs_confined_and_unasked_with_a_receipt_that_says_why() {
    let place = Place::new().unsaid();
    let ran = place.run(&["run", UNFOLLOWED]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let noted = noted(&place);
    assert!(
        noted
            .iter()
            .any(|why| why.starts_with("unfollowed-code: ")
                && why.ends_with("so it runs confined and unasked")),
        "{noted:?}"
    );
    let local = place.run(&["run", "--backend", "local", UNFOLLOWED]);
    assert!(local.code != Some(3) && local.stderr.contains("unfollowed-code"), "{local:?}");
    place.config("approvals: {ask: [unfollowed-code]}\n");
    let asked = place.run(&["run", UNFOLLOWED]);
    assert!(asked.code != Some(3) && asked.stderr.contains("unfollowed-code"), "{asked:?}");
}

#[test]
fn hook_that_hands_out_tickets_asks_as_little_as_the_boundary_lets_it() {
    let place = tickets::place();
    let handed = tickets::instead(&place, UNFOLLOWED).expect("a ticket");
    let ran = tickets::shell(&place, &handed);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(noted(&place).iter().any(|why| why.starts_with("unfollowed-code: ")), "{:?}", noted(&place));
    // Whoever asks its own person, and what no ticket is for, is judged as what runs without a boundary.
    let mut event = tickets::unasked(&place, UNFOLLOWED);
    event["permission_mode"] = "default".into();
    assert!(tickets::ask(&place, "claude-code", &event).stdout.contains("unfollowed-code"));
    for text in
        [format!("{UNFOLLOWED}; cd sub"), format!("{UNFOLLOWED} > /etc/x"), format!("{UNFOLLOWED} | cat")]
    {
        let event = tickets::unasked(&place, &text);
        let ran = tickets::ask(&place, "claude-code", &event);
        assert!(!ran.stdout.contains("ticket") && ran.stdout.contains("unfollowed-code"), "{text}: {ran:?}");
    }
    for config in ["sandbox: {agents: never}\n", "terminal: {backend: local}\n"] {
        place.config(config);
        let event = tickets::unasked(&place, UNFOLLOWED);
        let ran = tickets::ask(&place, "claude-code", &event);
        assert!(ran.stdout.contains("unfollowed-code"), "{config}: {ran:?}");
    }
}
