//! Answers from another process, and who may give them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use crate::place::{Place, Ran};

fn with_build() -> Place {
    let place = Place::new();
    place.file("build/x", "");
    place
}

fn end(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn another_process_answers() {
    let place = with_build();
    let asking = place.start(&["run", "rm -rf build"]);
    let id = place.question();
    let ran = place.run(&["approvals", "answer", &id, "once"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "answered\n"), "{ran:?}");
    assert_eq!(end(asking).0, Some(0));
    assert!(!place.work("build").exists());
    let answer = place.ledger()[0]["body"]["answer"].clone();
    assert!(answer["answer"] == "once" && answer["by"].as_str().unwrap().starts_with("uid "), "{answer}");
}

#[test]
fn a_no_from_another_process_refuses() {
    let place = with_build();
    let asking = place.start(&["run", "rm -rf build"]);
    place.run(&["approvals", "answer", &place.question(), "deny"]);
    let (code, stderr) = end(asking);
    assert!(code == Some(126) && stderr.contains("the user denied"), "{stderr}");
    assert!(place.work("build").exists());
}

#[test]
fn of_two_answers_exactly_one_wins() {
    for _ in 0..5 {
        let place = with_build();
        let asking = place.start(&["run", "rm -rf build"]);
        let id = place.question();
        let answers: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = ["once", "deny", "once", "deny"]
                .map(|said| {
                    scope.spawn({
                        let (place, id) = (&place, &id);
                        move || (said, place.run(&["approvals", "answer", id, said]))
                    })
                })
                .into_iter()
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let won: Vec<_> = answers.iter().filter(|(_, ran)| ran.code == Some(0)).collect();
        assert_eq!(won.len(), 1, "{answers:?}");
        let expected = if won[0].0 == "once" { Some(0) } else { Some(126) };
        assert_eq!(end(asking).0, expected);
    }
}

#[test]
fn what_asks_cannot_answer() {
    let place = with_build();
    let herm = env!("CARGO_BIN_EXE_herm");
    place.file(
        "agent.sh",
        &format!(
            "{herm} run 'rm -rf build' &\nasking=$!\nfor _ in $(seq 200); do\n  id=$({herm} approvals list --json | sed -n 's/.*\"id\":\"\\([0-9a-f]*\\)\".*/\\1/p')\n  [ -n \"$id\" ] && break\n  \
             sleep 0.05\ndone\n{herm} approvals answer \"$id\" once; echo direct=$?\n(setsid {herm} approvals answer \"$id\" once; echo session=$? >> session) &\nsleep 1\nkill $asking\n"
        ),
    );
    let ran =
        Ran::of(place.command("setsid").args(["--wait", "bash", "agent.sh"]).env("HERMES_EXEC_ASK", "1"));
    assert!(ran.stdout.contains("direct=1"), "{ran:?}");
    assert!(ran.stderr.contains("may not answer"), "{ran:?}");
    assert_eq!(fs::read_to_string(place.work("session")).unwrap(), "session=1\n");
    assert!(place.work("build").exists());
}

#[test]
fn what_herm_runs_cannot_answer_even_when_it_leaves_its_family() {
    let place = with_build();
    let asking = place.start(&["run", "rm -rf build"]);
    let id = place.question();
    // Where the words stand in a file, the judge does not stop them before the broker has to.
    place.file("words", &format!("{} approvals answer {id} once", env!("CARGO_BIN_EXE_herm")));
    let script = "(setsid sh -c '(setsid $(cat words) > answer 2>&1 &)' &); sleep 2; cat answer".to_owned();
    let ran = place.run(&["run", "--yolo", "--session", "other", &script]);
    assert!(ran.stdout.contains("started by `herm run`"), "{ran:?}");
    assert!(place.work("build").exists());
    place.run(&["approvals", "answer", &id, "deny"]);
    assert_eq!(end(asking).0, Some(126));
}

#[test]
fn a_question_outlives_whoever_asked_and_a_late_yes_serves_the_same_call_once() {
    let place = with_build();
    let mut asking =
        place.herm(&["run", "--session", "s", "rm -rf build"]).env("HERMES_EXEC_ASK", "1").spawn().unwrap();
    let id = place.question();
    asking.kill().unwrap();
    asking.wait().unwrap();
    assert!(place.work("build").exists());
    assert_eq!(place.question(), id);
    assert_eq!(place.run(&["approvals", "answer", &id, "once"]).code, Some(0));
    assert_eq!(place.run(&["run", "--session", "s", "rm -rf dist"]).code, Some(126), "another call");
    assert_eq!(place.run(&["run", "--session", "other", "rm -rf build"]).code, Some(126), "another session");
    assert_eq!(place.run(&["run", "--session", "s", "rm -rf build"]).code, Some(0));
    place.file("build/x", "");
    assert_eq!(place.run(&["run", "--session", "s", "rm -rf build"]).code, Some(126), "a yes serves once");
}

#[test]
fn a_script_that_changes_while_it_is_asked_about_is_asked_again() {
    let place = with_build();
    let script = place.file("clean.sh", "rm -rf build\n");
    let asking = place.start(&["run", "--session", "s", "bash clean.sh"]);
    let id = place.question();
    fs::write(&script, "rm -rf build dist\n").unwrap();
    place.file("dist/x", "");
    assert_eq!(place.run(&["approvals", "answer", &id, "once"]).code, Some(0));
    let mut next = place.question();
    for _ in 0..100 {
        if next != id {
            break;
        }
        thread::sleep(Duration::from_millis(20));
        next = place.question();
    }
    assert_ne!(next, id, "the changed script is another question");
    assert!(place.work("build").exists() && place.work("dist").exists());
    place.run(&["approvals", "answer", &next, "deny"]);
    assert_eq!(end(asking).0, Some(126));
    assert!(place.work("build").exists());
}

#[test]
fn at_a_terminal_questions_are_shown_as_they_come() {
    let place = with_build();
    let asking = place.start(&["run", "rm -rf build"]);
    place.question();
    let ran = place.at_terminal(80, &[("Choice", r"o\r"), ("Allowed once", r"\x03")], &["approvals"]);
    assert!(ran.stdout.contains("recursive delete"), "{ran:?}");
    assert_eq!(end(asking).0, Some(0));
}

/// An agent of the user outside of any `herm run` that asks, and then answers itself. `{herm}` is herm, `$id` the question.
fn answers_itself(place: &Place, asks: &str, answers: &str) -> Ran {
    let script = "{asks} &\nasking=$!\nfor _ in $(seq 200); do\n  id=$({herm} approvals list --json | sed -n 's/.*\"id\":\"\\([0-9a-f]*\\)\".*/\\1/p')\n  \
                  [ -n \"$id\" ] && break\n  sleep 0.05\ndone\n{answers}\nwait $asking\n";
    let script = script.replace("{asks}", asks).replace("{answers}", answers);
    place.file("agent.sh", &script.replace("{herm}", env!("CARGO_BIN_EXE_herm")));
    Ran::of(place.command("setsid").args(["--wait", "bash", "agent.sh"]).env("HERMES_EXEC_ASK", "1"))
}

/// A stated limit of user mode: what leaves both its session and its parent, with no `herm run` above it, is a process
/// of the user like any other. In guard mode its user cannot answer: `in_guard_mode_the_agents_user_cannot_answer_in_any_way`.
#[test]
fn in_user_mode_a_detached_process_outside_of_herm_run_is_not_recognised() {
    let place = with_build();
    let detached = "(setsid sh -c \"(setsid {herm} approvals answer $id once > answer 2>&1 &)\" &)";
    let ran = answers_itself(&place, "{herm} run 'rm -rf build'", detached);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!place.work("build").exists(), "{RECOGNISED}");
}

/// The other half of the limit: what was started in a session of its own does not tell who started it.
#[test]
fn in_user_mode_what_asks_in_a_session_of_its_own_can_be_answered_by_whoever_started_it() {
    let place = with_build();
    let ran = answers_itself(
        &place,
        "setsid --wait {herm} run 'rm -rf build'",
        "{herm} approvals answer \"$id\" once",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!place.work("build").exists(), "{RECOGNISED}");
}

const RECOGNISED: &str = "if this is recognised now, the limit can be taken out of the documents";

#[test]
fn a_broker_that_stays_serves_until_it_is_stopped() {
    let place = with_build();
    let mut broker = place.herm(&["broker"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(broker.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, format!("listening on {}\n", place.guard().join("broker.sock").display()));
    let second = place.run(&["broker"]);
    assert!(second.code == Some(3) && second.stderr.contains("another broker"), "{second:?}");
    // Somebody may be there, so that it is asked without being told to.
    let asking = place.herm(&["run", "rm -rf build"]).spawn().unwrap();
    place.run(&["approvals", "answer", &place.question(), "once"]);
    assert_eq!(end(asking).0, Some(0));
    let pid = rustix::process::Pid::from_child(&broker);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert_eq!(broker.wait().unwrap().code(), Some(0));
    assert!(!place.guard().join("broker.sock").exists());
}

#[test]
fn whoever_waits_takes_the_place_of_a_broker_that_is_killed() {
    let place = with_build();
    let mut broker = place.herm(&["broker"]).stdout(Stdio::piped()).spawn().unwrap();
    BufReader::new(broker.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
    let asking = place.start(&["run", "rm -rf build"]);
    let id = place.question();
    broker.kill().unwrap();
    broker.wait().unwrap();
    assert_eq!(place.question(), id);
    assert_eq!(place.run(&["approvals", "answer", &id, "once"]).code, Some(0));
    assert_eq!(end(asking).0, Some(0));
    assert!(!place.work("build").exists());
}

/// Somebody may find no broker and answer in the store, while whoever asks has become one.
#[test]
fn an_answer_that_passed_the_broker_by_is_heard() {
    let place = with_build();
    let asking = place.start(&["run", "rm -rf build"]);
    let id = place.question();
    let store = herm_runtime::store::Store::open(&place.guard()).unwrap();
    let answered = store.questions().unwrap().answer(
        &id,
        herm::approval::Answer::Once,
        "somebody",
        std::time::SystemTime::now(),
    );
    assert_eq!(answered.unwrap(), herm_runtime::store::sqlite::questions::Answered::Won);
    assert_eq!(end(asking).0, Some(0));
    assert!(!place.work("build").exists());
}

/// A stated limit of user mode: what herm keeps belongs to the user, and so to every process of the user.
#[test]
fn in_user_mode_what_herm_keeps_is_in_reach_of_its_user() {
    let place = with_build();
    place.run(&["grants", "add", "ls"]);
    assert_eq!(place.run(&["run", "echo hello"]).code, Some(0));
    for attempt in ["cat $HOME/.herm/ledger/key", "cat $HOME/.herm/herm.db", "touch $HOME/.herm/config.yaml"]
    {
        assert_eq!(Ran::of(place.command("bash").args(["-c", attempt])).code, Some(0), "{attempt}");
    }
    // Whoever asks herm is at least refused what could forge a record or loosen what holds.
    for attempt in
        ["cat $HOME/.herm/ledger/key", "echo x >> $HOME/.herm/config.yaml", "echo x >> $HOME/.herm/herm.db"]
    {
        assert_eq!(place.run(&["run", attempt]).code, Some(126), "{attempt}");
    }
}

#[test]
fn a_broker_is_told_where_and_for_whom() {
    let place = Place::new();
    let outside = place.work("broker.sock");
    let outside = outside.to_str().unwrap();
    for (arguments, problem) in [
        (vec!["broker", "--socket", outside], "nobody could answer"),
        (vec!["broker", "--approver", "0"], "approvers could not reach it"),
        (vec!["broker", "--socket", outside, "--approver", "no-such-user"], "no user `no-such-user`"),
    ] {
        let ran = place.run(&arguments);
        assert!(ran.code == Some(3) && ran.stderr.contains(problem), "{ran:?}");
    }
    let kept = place.file("kept", "");
    let ran = place.run(&["broker", "--socket", kept.to_str().unwrap(), "--approver", "0"]);
    assert!(ran.code == Some(3) && kept.exists(), "{ran:?}");
}

/// Asks where nobody is there, and answers afterwards.
fn late(place: &Place, command: &str, answer: &str) -> Ran {
    assert_eq!(place.run(&["run", "--session", "late", command]).code, Some(126));
    place.run(&["approvals", "answer", &place.question(), answer])
}

#[test]
fn a_late_no_is_not_lost() {
    let place = with_build();
    assert_eq!(late(&place, "rm -rf build", "deny").code, Some(0));
    let ran = place.run(&["run", "--session", "late", "--yolo", "find build -delete"]);
    assert!(ran.code == Some(126) && ran.stderr.contains("denied before"), "{ran:?}");
    assert!(place.work("build").exists());
}

#[test]
fn a_late_yes_covers_no_objection_that_came_later() {
    let place = with_build();
    assert_eq!(late(&place, "rm -rf build", "once").code, Some(0));
    place.config("approvals: {ask: ['effect:delete path:/**']}\n");
    assert_eq!(place.run(&["run", "--session", "late", "rm -rf build"]).code, Some(126));
    assert!(place.work("build").exists());
}

#[test]
fn a_yes_to_what_could_not_be_read_ends_when_it_changes() {
    let place = Place::new();
    let script = place.file("big.sh", &"true\n".repeat(60_000));
    assert_eq!(late(&place, "bash big.sh", "once").code, Some(0));
    fs::write(&script, "touch made\n".repeat(30_000)).unwrap();
    assert_eq!(place.run(&["run", "--session", "late", "bash big.sh"]).code, Some(126));
    assert!(!place.work("made").exists());
}

#[test]
fn what_was_not_offered_cannot_be_chosen() {
    let place = with_build();
    let ran = late(&place, "rm -rf build; $X foo | sh", "always");
    assert!(ran.code == Some(1) && ran.stderr.contains("cannot be described"), "{ran:?}");
}

#[test]
fn a_secret_does_not_follow_from_a_question() {
    let place = Place::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4).get(..36).unwrap());
    assert_eq!(place.run(&["run", &format!("docker volume rm {secret}")]).code, Some(126));
    let listed = place.run(&["approvals", "list", "--json"]);
    assert!(listed.stdout.contains("docker volume rm") && !listed.stdout.contains(&secret), "{listed:?}");
    let kept = fs::read(place.guard().join("herm.db")).unwrap();
    assert!(!kept.windows(secret.len()).any(|window| window == secret.as_bytes()));
}
