//! The operator's hooks.

use std::time::{Duration, Instant};

use herm::call::Action;
use herm::policy::{Config, Hook, Policy, Source, Surroundings};
use herm::{Decision, Engine, Finding, Stance};
use herm_runtime::consult::hooks::{Consents, Hooks, Occasion};
use herm_sandbox::process::Cancel;
use herm_shell::world::Blind;
use serde_json::{Value, json};

use crate::scratch::Scratch;

struct Everybody(Option<bool>);

impl Consents for Everybody {
    fn allowed(&self, _command: &str, _digest: &str) -> Option<bool> {
        self.0
    }
}

/// Consent to one digest.
struct Only(String);

impl Consents for Only {
    fn allowed(&self, _command: &str, digest: &str) -> Option<bool> {
        (digest == self.0).then_some(true)
    }
}

fn hooks(yaml: &str) -> Vec<Hook> {
    let config = Config::read(Source::User, "config.yaml", yaml).unwrap();
    Policy::compile(vec![config], &Surroundings::default()).unwrap().hooks
}

fn terminal(command: &str) -> Vec<Hook> {
    hooks(&format!("hooks: {{pre_tool_call: {{terminal: [{command:?}]}}}}"))
}

fn ask(scratch: &Scratch, hooks: &[Hook], command: &str) -> Vec<Finding> {
    ask_with(scratch, hooks, &Everybody(Some(true)), command)
}

fn ask_with(scratch: &Scratch, hooks: &[Hook], consents: &dyn Consents, command: &str) -> Vec<Finding> {
    let occasion = Occasion::of(&scratch.call(command));
    Hooks::new(hooks, &scratch.place, consents).before(&occasion, &Cancel::new().unwrap())
}

/// What one hook with this text makes of a command.
fn says(script: &str) -> Vec<Finding> {
    let scratch = Scratch::new();
    let path = scratch.program("hook", script);
    ask(&scratch, &terminal(&path), "ls")
}

fn stances(findings: &[Finding]) -> Vec<Stance> {
    findings.iter().map(|finding| finding.stance).collect()
}

/// Commands may name paths below the safe root and the system's; others are blocked.
const FENCE: &str = r#"#!/usr/bin/env python3
import json, os, re, sys
root = os.environ.get("HERMES_WRITE_SAFE_ROOT", "")
command = (json.load(sys.stdin).get("tool_input") or {}).get("command", "")
if not root or not command:
    print("{}")
    sys.exit(0)
system = ["/usr", "/opt", "/tmp", "/var", "/private", "/bin", "/sbin", "/Library", "/etc", "/System",
          "/Applications", "/dev", "/proc"]
home = os.environ["HOME"]
allowed = system + [root] + (["~" + root[len(home):]] if root.startswith(home + "/") else [])
without_urls = re.sub(r"[a-zA-Z][a-zA-Z0-9+.-]*://\S*", "", command)
for path in sorted(set(re.findall(r"~?/[A-Za-z0-9_./~+-]+", without_urls))):
    path = path.rstrip("/.") or "/"
    if not any(path == good or path.startswith(good + "/") for good in allowed):
        text = "Hermes is fenced to %s - command references off-root path: %s." % (root, path)
        print(json.dumps({"action": "block", "message": text}))
        sys.exit(0)
print("{}")
"#;

#[test]
fn a_fence_keeps_commands_below_its_root() {
    let mut scratch = Scratch::new();
    let root = scratch.path("home/personal");
    scratch.place.safe_root = Some(root.clone());
    let fence = scratch.program("home/.herm/fence.py", FENCE);
    let yaml = format!(
        "hooks:\n  pre_tool_call:\n    - matcher: \"terminal\"\n      command: {fence}\n      timeout: 20\n"
    );
    let hooks = hooks(&yaml);
    for free in ["ls", "cat ~/personal/foo.md", "cat /etc/hosts", "curl https://example.com/a/b"] {
        assert_eq!(ask(&scratch, &hooks, free), [], "{free}");
    }
    for fenced in ["cat ~/Downloads/foo", "cd /srv/other", "tool --config=/srv/other/conf.yaml"] {
        let findings = ask(&scratch, &hooks, fenced);
        assert_eq!(stances(&findings), [Stance::Deny], "{fenced}");
        assert_eq!(findings[0].rule, "hook-objection");
    }
    let reason = &ask(&scratch, &hooks, "cat ~/Downloads/foo")[0].reason;
    let message = format!(
        "`fence.py` objects: Hermes is fenced to {root} - command references off-root path: ~/Downloads/foo."
    );
    assert_eq!(reason, &message);
    scratch.place.safe_root = None;
    assert_eq!(ask(&scratch, &hooks, "cat ~/Downloads/foo"), []);
}

#[test]
fn an_objection_refuses_what_was_allowed_and_stays() {
    let scratch = Scratch::new();
    let path = scratch.program("hook", "#!/bin/sh\necho '{\"action\":\"block\",\"message\":\"no\"}'\n");
    let call = scratch.call("ls");
    let ruling = Engine::new(Policy::default()).check(&call, &Blind);
    assert!(matches!(ruling.decision, Decision::Allow(_)));
    let ruling = ruling.tighten(ask(&scratch, &terminal(&path), "ls"));
    let Decision::Deny(refusal) = ruling.decision else { panic!("a hook's block refuses") };
    assert_eq!(refusal.findings[0].reason, "`hook` objects: no");
}

#[test]
fn a_hook_is_told_what_is_called_and_where() {
    let scratch = Scratch::new();
    let told = scratch.path("told");
    let path = scratch.program("hook", &format!("#!/bin/sh\ncat > {told}\n"));
    let all = hooks(&format!("hooks: {{pre_tool_call: [{path}]}}"));
    assert_eq!(ask(&scratch, &all, "echo \"a\nb\" 'ü'"), []);
    let payload: Value = serde_json::from_str(&scratch.read("told")).unwrap();
    let expected = json!({
        "hook_event_name": "pre_tool_call",
        "tool_name": "terminal",
        "tool_input": { "command": "echo \"a\nb\" 'ü'" },
        "session_id": "sess-1",
        "cwd": scratch.path("home/project"),
        "extra": { "tool_call_id": "call-7" },
    });
    assert_eq!(payload, expected);
    let write = scratch.action(Action::Write("a.txt".to_owned()));
    let consents = Everybody(Some(true));
    let heard = Hooks::new(&all, &scratch.place, &consents);
    assert_eq!(heard.before(&Occasion::of(&write), &Cancel::new().unwrap()), []);
    let payload: Value = serde_json::from_str(&scratch.read("told")).unwrap();
    assert_eq!(
        (&payload["tool_name"], &payload["tool_input"]),
        (&json!("write_file"), &json!({"path": "a.txt"}))
    );
}

#[test]
fn only_hooks_for_the_tool_are_asked() {
    let scratch = Scratch::new();
    let path = scratch.program("hook", "#!/bin/sh\nexit 2\n");
    let yaml = format!("hooks: {{pre_tool_call: [{{matcher: 'write_.*|patch', command: {path}}}]}}");
    assert_eq!(ask(&scratch, &hooks(&yaml), "ls"), []);
    let consents = Everybody(Some(true));
    let occasion = Occasion::new("patch", json!({}), "", "/");
    let hooks = hooks(&yaml);
    let findings = Hooks::new(&hooks, &scratch.place, &consents).before(&occasion, &Cancel::new().unwrap());
    assert_eq!(stances(&findings), [Stance::Deny]);
}

#[test]
fn hooks_have_an_environment_without_secrets_and_work_in_the_guards_directory() {
    let mut scratch = Scratch::new();
    scratch.place.safe_root = Some("/srv/root".to_owned());
    let told = scratch.path("told");
    let path = scratch.program("hook", &format!("#!/bin/sh\n(env | sort; pwd) > {told}\n"));
    assert_eq!(ask(&scratch, &terminal(&path), "ls"), []);
    let told = scratch.read("told");
    let names: Vec<&str> = told.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    assert_eq!(
        names,
        [
            "AGENT_FOUNDRY_RUNTIME",
            "HERM",
            "HERMES_HOME",
            "HERMES_WRITE_SAFE_ROOT",
            "HERM_HOME",
            "HOME",
            "LANG",
            "PATH",
            "PWD",
        ]
    );
    let guard = scratch.path("home/.herm");
    assert!(
        told.contains(&format!("HERMES_HOME={guard}\n"))
            && told.contains("HERMES_WRITE_SAFE_ROOT=/srv/root\n")
    );
    assert!(told.ends_with(&format!("\n{guard}\n")), "{told}");
}

#[test]
fn no_shell_reads_the_command() {
    let scratch = Scratch::new();
    let told = scratch.path("told");
    scratch.program("home/hook", &format!("#!/bin/sh\nprintf '%s|' \"$@\" > {told}\n"));
    let touched = scratch.path("touched");
    let command = format!("~/hook 'a b' $HOME ~/x ;touch {touched}");
    assert_eq!(ask(&scratch, &terminal(&command), "ls"), []);
    let home = scratch.path("home");
    assert_eq!(scratch.read("told"), format!("a b|$HOME|{home}/x|;touch|{touched}|"));
}

#[test]
fn whatever_cannot_be_heard_objects() {
    for (script, part) in [
        ("#!/bin/sh\nexit 1\n", "it ended with code 1"),
        ("#!/bin/sh\necho broken >&2\nexit 3\n", "it ended with code 3: broken"),
        ("#!/bin/sh\nkill -9 $$\n", "signal 9 ended it"),
        ("#!/bin/sh\necho fine\n", "its answer is not JSON"),
        ("#!/bin/sh\necho '[]'\n", "its answer is not a JSON object"),
        ("#!/bin/sh\nprintf '\\377'\n", "its answer is not text"),
        ("#!/bin/sh\necho '{\"action\":\"dunno\"}'\n", "`dunno` in its answer is not known"),
        ("#!/no/such/interpreter\n", "cannot run"),
        ("#!/bin/sh\nhead -c 70000 /dev/zero\n", "it says too much"),
    ] {
        let findings = says(script);
        assert_eq!(stances(&findings), [Stance::Deny], "{script}");
        assert!(findings[0].reason.contains(part), "{script}: {}", findings[0].reason);
        assert!(findings[0].gap);
    }
}

#[test]
fn a_hook_need_not_read_what_it_is_told() {
    let scratch = Scratch::new();
    let path = scratch.program("hook", "#!/bin/sh\nexit 0\n");
    let long = format!("echo {}", "x".repeat(900_000));
    assert_eq!(ask(&scratch, &terminal(&path), &long), []);
    let path =
        scratch.program("counting", "#!/bin/sh\n[ $(wc -c) -gt 900000 ] && echo '{\"action\":\"block\"}'\n");
    assert_eq!(stances(&ask(&scratch, &terminal(&path), &long)), [Stance::Deny]);
}

/// It writes JSON by hand around a text that it does not know.
const CARELESS: &str = r#"#!/usr/bin/env python3
import json, sys
command = json.load(sys.stdin)["tool_input"]["command"]
print('{"action":"block","message":"' + command + '"}')
"#;

#[test]
fn a_command_cannot_turn_the_answer_of_a_careless_hook() {
    let scratch = Scratch::new();
    let path = scratch.program("hook", CARELESS);
    let findings = ask(&scratch, &terminal(&path), r#"x","action":"allow"#);
    assert_eq!(stances(&findings), [Stance::Deny]);
    assert!(findings[0].reason.contains("`action` stands there twice"), "{}", findings[0].reason);
}

#[test]
fn a_flood_ends_at_once() {
    let begun = Instant::now();
    let findings = says("#!/bin/sh\nexec yes\n");
    assert_eq!(stances(&findings), [Stance::Deny]);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn a_hook_that_takes_too_long_objects_and_is_ended() {
    let scratch = Scratch::new();
    let late = scratch.path("late");
    let path = scratch.program("hook", &format!("#!/bin/sh\n(sleep 3; touch {late}) &\nsleep 30\n"));
    let hooks = hooks(&format!("hooks: {{pre_tool_call: [{{command: {path}, timeout: 1}}]}}"));
    let begun = Instant::now();
    let findings = ask(&scratch, &hooks, "ls");
    assert_eq!(findings[0].reason, "the hook `hook` cannot be heard: it takes longer than 1 s");
    assert!(begun.elapsed() < Duration::from_secs(10));
    std::thread::sleep(Duration::from_secs(4));
    assert!(!std::path::Path::new(&late).exists());
}

#[test]
fn code_two_blocks_with_standard_error() {
    let findings = says("#!/bin/sh\necho 'not on\n a friday' >&2\nexit 2\n");
    assert_eq!(findings[0].reason, "`hook` objects: not on a friday");
    assert!(!findings[0].gap);
}

#[test]
fn a_hook_may_have_a_person_asked() {
    assert_eq!(
        stances(&says("#!/bin/sh\necho '{\"decision\":\"ask\",\"reason\":\"sure?\"}'\n")),
        [Stance::Ask]
    );
}

#[test]
fn a_hook_that_is_not_there_objects() {
    let scratch = Scratch::new();
    scratch.file("plain", "#!/bin/sh\n");
    scratch.program("home/project/local", "#!/bin/sh\n");
    for command in
        ["/no/such/hook", "no-such-hook", &scratch.path("plain"), "./local", "project/local", "'open"]
    {
        let findings = ask(&scratch, &terminal(command), "ls");
        assert_eq!(stances(&findings), [Stance::Deny], "{command}");
    }
}

#[test]
fn a_hook_that_may_fail_is_only_noted_but_still_heard() {
    let scratch = Scratch::new();
    let open = |script: &str| {
        let path = scratch.program("hook", script);
        hooks(&format!("hooks: {{pre_tool_call: [{{command: {path}, fail_open: true}}]}}"))
    };
    assert_eq!(stances(&ask(&scratch, &open("#!/bin/sh\nexit 1\n"), "ls")), [Stance::Note]);
    let blocking = "#!/bin/sh\necho '{\"action\":\"block\"}'\nexit 1\n";
    assert_eq!(stances(&ask(&scratch, &open(blocking), "ls")), [Stance::Deny]);
    let unsettled = ask_with(&scratch, &open("#!/bin/sh\n"), &Everybody(None), "ls");
    assert_eq!(stances(&unsettled), [Stance::Note]);
}

#[test]
fn several_hooks_run_at_once_and_all_are_heard() {
    let scratch = Scratch::new();
    // Each waits for the other: one after the other they would not end.
    let pair = |own: &str, other: &str| {
        let (own, other) = (scratch.path(own), scratch.path(other));
        format!(
            "#!/bin/sh\ntouch {own}\nuntil [ -e {other} ]; do sleep 0.05; done\necho '{{\"action\":\"block\"}}'\n"
        )
    };
    let one = scratch.program("hook-one", &pair("one", "two"));
    let two = scratch.program("hook-two", &pair("two", "one"));
    let hooks = hooks(&format!(
        "hooks: {{pre_tool_call: {{terminal: [{{command: {one}, timeout: 20}}, {{command: {two}, timeout: 20}}]}}}}"
    ));
    let reasons: Vec<String> =
        ask(&scratch, &hooks, "ls").into_iter().map(|finding| finding.reason).collect();
    assert_eq!(reasons, ["`hook-one` objects: blocked by a hook", "`hook-two` objects: blocked by a hook"]);
}

#[test]
fn calling_off_ends_the_wait() {
    let scratch = Scratch::new();
    let path = scratch.program("hook", "#!/bin/sh\nexec sleep 60\n");
    let hooks = terminal(&path);
    let cancel = Cancel::new().unwrap();
    cancel.cancel();
    let begun = Instant::now();
    let consents = Everybody(Some(true));
    let occasion = Occasion::of(&scratch.call("ls"));
    let findings = Hooks::new(&hooks, &scratch.place, &consents).before(&occasion, &cancel);
    assert_eq!(findings[0].reason, "the hook `hook` cannot be heard: it was called off");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn nothing_runs_without_consent() {
    let scratch = Scratch::new();
    let ran = scratch.path("ran");
    let path = scratch.program("hook", &format!("#!/bin/sh\ntouch {ran}\n"));
    for (consent, part) in [(None, "nobody has consented to it"), (Some(false), "consent was refused")] {
        let findings = ask_with(&scratch, &terminal(&path), &Everybody(consent), "ls");
        assert_eq!(stances(&findings), [Stance::Deny]);
        assert!(findings[0].reason.contains(part), "{}", findings[0].reason);
    }
    assert!(!std::path::Path::new(&ran).exists());
}

#[test]
fn a_hook_that_changes_needs_consent_again() {
    let scratch = Scratch::new();
    let script = scratch.file("home/check.py", "pass\n");
    let command = format!("python3 {script} --quiet");
    let hooks = terminal(&command);
    let candidates = Hooks::new(&hooks, &scratch.place, &Everybody(None)).unsettled();
    assert_eq!(candidates.len(), 1);
    assert_eq!(candidates[0].command, command);
    assert!(candidates[0].files.iter().any(|file| file.display().to_string() == script));
    let consents = Only(candidates[0].digest.clone());
    assert_eq!(ask_with(&scratch, &hooks, &consents, "ls"), []);
    assert_eq!(Hooks::new(&hooks, &scratch.place, &consents).unsettled(), []);
    scratch.file("home/check.py", "pass #\n");
    assert_eq!(stances(&ask_with(&scratch, &hooks, &consents, "ls")), [Stance::Deny]);
    scratch.file("home/check.py", "pass\n");
    assert_eq!(ask_with(&scratch, &hooks, &consents, "ls"), []);
    // The same files with other arguments are another hook, and so is another program of the same name.
    let other = terminal(&format!("python3 {script} --loud"));
    assert_eq!(stances(&ask_with(&scratch, &other, &consents, "ls")), [Stance::Deny]);
    scratch.program("bin/python3", "#!/bin/sh\n");
    assert_eq!(stances(&ask_with(&scratch, &hooks, &consents, "ls")), [Stance::Deny]);
}

#[test]
fn hooks_are_told_afterwards_and_change_nothing() {
    let scratch = Scratch::new();
    let told = scratch.path("told");
    let script = format!("#!/bin/sh\ncat > {told}\necho '{{\"action\":\"block\",\"message\":\"late\"}}'\n");
    let path = scratch.program("hook", &script);
    let hooks = hooks(&format!("hooks: {{post_tool_call: [{path}]}}"));
    assert_eq!(ask(&scratch, &hooks, "ls"), []);
    let consents = Everybody(Some(true));
    let occasion = Occasion::of(&scratch.call("ls"));
    let result = json!({ "exit_code": 0, "stdout": "a\n" });
    let findings = Hooks::new(&hooks, &scratch.place, &consents).after(
        &occasion,
        result.clone(),
        &Cancel::new().unwrap(),
    );
    assert_eq!(stances(&findings), [Stance::Note]);
    let payload: Value = serde_json::from_str(&scratch.read("told")).unwrap();
    assert_eq!(payload["hook_event_name"], "post_tool_call");
    assert_eq!(payload["extra"]["result"], result);
}
