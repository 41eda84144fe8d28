//! The layers over facts made by hand, so that what they say does not depend on how commands are read.

use std::rc::Rc;

use herm_shell::analysis::{Invocation, Note, NoteKind, Shape};
use herm_shell::effect::Certainty;
use herm_shell::gap::{Gap, Position, Reason};
use herm_shell::place::Extent;
use herm_shell::{
    Analysis, Effect, Flags, Lang, PathTarget, Places, Provenance, Realm, Span, Target, Value, Verb,
};

use crate::call::{Action, Call, CallId, Door, Exec, Principal, SessionId};
use crate::facts::{Facts, Operand};
use crate::finding::{Finding, Stance};
use crate::path::AbsPath;
use crate::policy::{Config, Isolation, Policy, Source, Surroundings};
use crate::{Engine, Preset};

fn home() -> AbsPath {
    AbsPath::new("/home/dev").unwrap()
}

fn policy(config: &str) -> Policy {
    let config = Config::read(Source::User, "config.yaml", config).unwrap();
    Policy::compile(vec![config], &Surroundings { home: Some(home()), safe_root: None }).unwrap()
}

fn run(text: &str) -> Invocation {
    let mut words = text.split(' ');
    let called = words.next().unwrap();
    Invocation {
        program: Rc::from(called.rsplit('/').next().unwrap()),
        called: called.to_owned(),
        arguments: words.map(word).collect(),
        subcommands: Vec::new(),
        described: true,
        within: None,
        hooked: false,
        realm: Realm::Here,
        privileged: false,
        environment: Vec::new(),
        span: Span::new(0, 1),
    }
}

fn word(text: &str) -> Value {
    if text.starts_with('$') { Value::unknown(text, Provenance::NONE) } else { Value::literal(text) }
}

fn path(path: &str, extent: Extent) -> Target {
    Target::Path(PathTarget { shown: path.to_owned(), path: path.to_owned(), extent, places: Places::NONE })
}

fn effect(verb: Verb, target: Target) -> Effect {
    Effect {
        verb,
        target,
        flags: Flags::NONE,
        realm: Realm::Here,
        certainty: Certainty::Always,
        provenance: Provenance::NONE,
        privileged: false,
        by: Rc::from("x"),
        invocation: 0,
        span: Span::new(0, 1),
    }
}

fn facts(commands: &[&str], effects: Vec<Effect>) -> Facts {
    let invocations = commands.iter().map(|text| run(text)).collect();
    let shape = Shape { commands: u32::try_from(commands.len()).unwrap(), ..Shape::default() };
    Facts { shell: Analysis { invocations, effects, shape, ..Analysis::default() }, ..Facts::default() }
}

fn decide(config: &str, facts: &Facts) -> Vec<Finding> {
    let call = Call {
        id: CallId::default(),
        door: Door::CommandLine,
        principal: Principal { name: None, home: home() },
        session: SessionId::default(),
        cwd: AbsPath::new("/home/dev/project").unwrap(),
        action: Action::Exec(Exec::new("text", Lang::Shell)),
    };
    Engine::new(policy(config)).findings(&call, facts)
}

/// What the rules say, without what other rules than these may have to add.
fn said(config: &str, facts: &Facts, rules: &[&str]) -> Vec<(&'static str, Stance)> {
    let findings = decide(config, facts).into_iter().filter(|finding| rules.contains(&finding.rule));
    findings.map(|finding| (finding.rule, finding.stance)).collect()
}

fn strict(commands: &[&str]) -> Vec<&'static str> {
    let findings = decide("approvals: {preset: strict}", &facts(commands, Vec::new()));
    findings
        .into_iter()
        .filter(|finding| finding.rule.starts_with("strict-"))
        .map(|finding| finding.rule)
        .collect()
}

#[test]
fn strict_lets_listed_commands_pass() {
    for command in [
        "git status",
        "GIT.EXE status",
        "/usr/bin/git log --oneline",
        "rg needle src",
        "npm run lint",
        "npm test",
        "npx tsc --noEmit",
        "npx next lint --fix",
        "ls -la",
        "dir",
        "pwd",
        "cat README.md",
        "Get-Content README.md",
        "node --version",
    ] {
        assert_eq!(strict(&[command]), [""; 0], "{command}");
    }
}

#[test]
fn strict_asks_about_everything_else() {
    for command in [
        "make",
        "cat a b",
        "cat -n a",
        "npm run deploy",
        "npm install",
        "git -C x status",
        "./git status",
        "cat $x",
    ] {
        assert_eq!(strict(&[command]), ["strict-unlisted"], "{command}");
    }
    assert_eq!(strict(&["ls", "pwd"]), ["strict-compound"]);
}

#[test]
fn strict_refuses_its_intents_in_every_spelling() {
    for (command, rule) in [
        ("rmdir /S x", "strict-destruction"),
        ("Remove-Item x -Recurse", "strict-destruction"),
        ("dd if=a of=b", "strict-destruction"),
        ("powershell -EncodedCommand x", "strict-encoded-shell"),
        ("IEX x", "strict-pipe-to-shell"),
        ("git push origin main", "strict-publish"),
        ("vercel", "strict-publish"),
        ("npm token create", "strict-login"),
        ("printenv", "strict-secret-dump"),
        ("echo $HERMES_API_KEY", "strict-secret-dump"),
        ("sudo ls", "strict-privilege"),
        ("Stop-Process -Force -Id 1", "strict-force-kill"),
        ("eval ls", "strict-eval"),
        ("exec ls", "strict-eval"),
    ] {
        assert!(strict(&[command]).contains(&rule), "{command}: {:?}", strict(&[command]));
    }
    assert!(!strict(&["git checkout push"]).contains(&"strict-publish"));
}

#[test]
fn strict_refuses_by_effect_as_well() {
    let tree = Effect {
        flags: Flags::RECURSIVE,
        ..effect(Verb::Delete, path("/home/dev/project/x", Extent::Exact))
    };
    let read = effect(Verb::Read, path("/home/dev/project/.env.local", Extent::Exact));
    for (effect, rule) in [(tree, "strict-destruction"), (read, "strict-secret-dump")] {
        let facts = facts(&["x"], vec![effect]);
        assert_eq!(said("approvals: {preset: strict}", &facts, &[rule]), [(rule, Stance::Deny)]);
        assert_eq!(said("", &facts, &[rule]), []);
    }
}

#[test]
fn what_a_listed_script_runs_need_not_be_listed() {
    let mut facts = facts(&["npm run lint", "eslint ."], Vec::new());
    facts.shell.shape.commands = 1;
    for within in facts.shell.invocations.iter_mut().skip(1) {
        within.within = Some(0);
    }
    assert_eq!(said("approvals: {preset: strict}", &facts, &["strict-unlisted", "strict-compound"]), []);
}

#[test]
fn strict_asks_about_what_is_not_known_of_a_listed_command() {
    assert_eq!(strict(&["ls $DIR"]), ["strict-unlisted"]);
    assert_eq!(strict(&["frobnicate"]), ["strict-unlisted"]);
}

#[test]
fn a_listed_program_that_writes_is_not_what_the_list_means() {
    let facts =
        facts(&["git log --output=x"], vec![effect(Verb::Write, path("/home/dev/project/x", Extent::Exact))]);
    let expected = [("strict-unlisted", Stance::Ask)];
    assert_eq!(said("approvals: {preset: strict}", &facts, &["strict-unlisted"]), expected);
}

#[test]
fn the_list_of_the_user_counts_in_strict() {
    let config = "approvals: {preset: strict}\ncommand_allowlist: ['make test']";
    assert_eq!(
        said(config, &facts(&["make test"], vec![]), &["strict-unlisted"]),
        [("strict-unlisted", Stance::Note)]
    );
    assert_eq!(
        said(config, &facts(&["make all"], vec![]), &["strict-unlisted"]),
        [("strict-unlisted", Stance::Ask)]
    );
    let push = "approvals: {preset: strict}\ncommand_allowlist: ['git *', strict-publish, 'rule:*']";
    assert_eq!(
        said(push, &facts(&["git push"], vec![]), &["strict-publish"]),
        [("strict-publish", Stance::Deny)]
    );
}

#[test]
fn user_rules_see_programs_wherever_they_run() {
    let mut inside = facts(&["docker run", "sudo ls"], Vec::new());
    for within in inside.shell.invocations.iter_mut().skip(1) {
        within.realm = Realm::Container { mounts: Rc::from([]), open: false };
    }
    for config in ["approvals: {deny: ['sudo *']}", "approvals: {deny: ['program:sudo'], preset: permissive}"]
    {
        assert_eq!(said(config, &inside, &["denied-by-user"]), [("denied-by-user", Stance::Deny)]);
    }
    assert_eq!(
        said("approvals: {ask: [sudo]}\ncommand_allowlist: [sudo]", &inside, &["asked-by-user"]),
        [("asked-by-user", Stance::Ask)]
    );
}

#[test]
fn a_deny_rule_over_paths_covers_what_holds_them() {
    let denied = |path: Target, flags: Flags| {
        let facts = facts(&["x"], vec![Effect { flags, ..effect(Verb::Delete, path) }]);
        !said("approvals: {deny: ['effect:delete path:/srv/data/**']}", &facts, &["denied-by-user"])
            .is_empty()
    };
    assert!(denied(path("/srv/data/a", Extent::Exact), Flags::NONE));
    assert!(denied(path("/srv", Extent::Exact), Flags::RECURSIVE));
    assert!(denied(path("/srv/da", Extent::Prefix), Flags::NONE));
    assert!(denied(path("/srv", Extent::Children), Flags::NONE));
    assert!(denied(path("", Extent::Unknown), Flags::NONE));
    assert!(!denied(path("/srv", Extent::Exact), Flags::NONE));
    assert!(!denied(path("/srv/other", Extent::Exact), Flags::RECURSIVE));
}

#[test]
fn an_allowed_path_is_wholly_known_and_wholly_inside() {
    let covered = |path: Target| {
        let entry = crate::policy::Entry::new("rule:recursive-delete path:~/tmp/**").unwrap();
        let subject = Some(effect(Verb::Delete, path));
        let call_facts = facts(&["x"], Vec::new());
        entry.covers(&Finding { subject, ..finding("recursive-delete") }, &call(), &call_facts)
    };
    assert!(covered(path("/home/dev/tmp/a/b", Extent::Exact)));
    assert!(covered(path("/home/dev/tmp/a", Extent::Children)));
    assert!(!covered(path("/home/dev/tmp", Extent::Exact)));
    assert!(!covered(path("/home/dev/tmp/a", Extent::Prefix)));
    assert!(!covered(path("/home/dev/other", Extent::Exact)));
}

fn call() -> Call {
    Call {
        id: CallId::default(),
        door: Door::CommandLine,
        principal: Principal { name: None, home: home() },
        session: SessionId::default(),
        cwd: home(),
        action: Action::Read(String::new()),
    }
}

fn finding(rule: &'static str) -> Finding {
    Finding {
        rule,
        stance: Stance::Ask,
        gap: false,
        subject: None,
        invocation: Some(0),
        span: None,
        reason: String::new(),
        instead: None,
    }
}

#[test]
fn an_allowed_command_covers_its_own_findings_only() {
    let facts = facts(&["git reset", "rm -rf build"], Vec::new());
    let policy = policy("command_allowlist: ['git *']");
    let tempered =
        |invocation| policy.temper(Finding { invocation, ..finding("sample") }, &call(), &facts).stance;
    assert_eq!(
        [tempered(Some(0)), tempered(Some(1)), tempered(None)],
        [Stance::Note, Stance::Ask, Stance::Ask]
    );
}

#[test]
fn an_allowed_command_does_not_cover_code_that_an_option_brings() {
    let facts = facts(&["git -c core.pager=sh log"], Vec::new());
    let shell = Effect { flags: Flags::HOOK, ..effect(Verb::Execute, Target::Code(Lang::Shell, None)) };
    let brought = || Finding { invocation: Some(0), subject: Some(shell.clone()), ..finding("sample") };
    let hijack = || Finding { invocation: Some(0), ..finding("environment-hijack") };
    let stance = |config: &str, finding| policy(config).temper(finding, &call(), &facts).stance;
    for wide in ["command_allowlist: ['git *']", "command_allowlist: [git]"] {
        assert_eq!(stance(wide, brought()), Stance::Ask, "{wide}");
        assert_eq!(stance(wide, hijack()), Stance::Ask, "{wide}");
    }
    assert_eq!(stance("command_allowlist: ['git -c core.pager=sh log']", brought()), Stance::Note);
    assert_eq!(stance("command_allowlist: [sample-rule, 'effect:execute']", brought()), Stance::Note);
}

#[test]
fn a_refusal_stays_a_refusal_under_every_policy() {
    let facts = facts(&["rm -rf /"], Vec::new());
    let refusal = || Finding {
        stance: Stance::Deny,
        subject: Some(effect(Verb::Delete, path("/", Extent::Exact))),
        ..finding("sample")
    };
    for preset in [Preset::Permissive, Preset::Hermes, Preset::Strict] {
        let text = "approvals: {mode: off}\ncommand_allowlist: ['*', rm, 'rule:*', 'effect:delete', 'effect:delete path:/**']";
        let policy = Policy { preset, ..policy(text) };
        assert_eq!(policy.temper(refusal(), &call(), &facts).stance, Stance::Deny, "{preset:?}");
    }
}

#[test]
fn a_rule_can_be_tightened_by_its_name() {
    let facts = facts(&["frobnicate"], Vec::new());
    let note = || Finding { stance: Stance::Note, ..finding("unknown-program") };
    let stance = |config: &str| policy(config).temper(note(), &call(), &facts).stance;
    assert_eq!(stance("approvals: {ask: [unknown-program]}\ncommand_allowlist: [frobnicate]"), Stance::Ask);
    assert_eq!(stance("approvals: {deny: ['rule:unknown-*']}"), Stance::Deny);
    assert_eq!(stance(""), Stance::Note);
}

#[test]
fn gaps_are_judged_by_what_they_would_have_been_used_for() {
    for (position, rule, stance) in [
        (Position::Whole, "unread-text", Stance::Ask),
        (Position::Code, "unknown-code", Stance::Ask),
        (Position::Unfollowed, "unfollowed-code", Stance::Ask),
        (Position::Delete, "unknown-target", Stance::Ask),
        (Position::Write, "unknown-target", Stance::Ask),
        (Position::Send, "unknown-target", Stance::Ask),
        (Position::Program, "unknown-program", Stance::Note),
        (Position::Read, "unknown-operand", Stance::Note),
        (Position::Inert, "unknown-operand", Stance::Note),
    ] {
        let mut facts = facts(&[], Vec::new());
        facts.shell.gaps.push(Gap {
            position,
            reason: Reason::Runtime,
            shown: "$x".to_owned(),
            span: Span::new(0, 1),
        });
        let findings = decide("", &facts);
        assert!(findings.iter().all(|finding| finding.gap));
        assert_eq!(said("", &facts, &[rule]), [(rule, stance)], "{position:?}");
    }
}

#[test]
fn code_that_could_not_be_read_counts_as_unread() {
    for reason in [Reason::Depth, Reason::Fuel, Reason::Size, Reason::Syntax, Reason::Text] {
        let mut facts = facts(&[], Vec::new());
        let shown = "code".to_owned();
        facts.shell.gaps.push(Gap { position: Position::Code, reason, shown, span: Span::new(0, 1) });
        let rules = ["unread-text", "unknown-code"];
        assert_eq!(
            said("approvals: {preset: permissive}", &facts, &rules),
            [("unread-text", Stance::Deny)],
            "{reason:?}"
        );
    }
}

#[test]
fn a_target_that_stays_in_the_workspace_is_only_noted() {
    let write = |places| {
        let target = PathTarget { shown: String::new(), path: String::new(), extent: Extent::Prefix, places };
        let mut facts = facts(&["x"], vec![effect(Verb::Write, Target::Path(target))]);
        let shown = "$x".to_owned();
        facts.shell.gaps.push(Gap {
            position: Position::Write,
            reason: Reason::Runtime,
            shown,
            span: Span::new(0, 1),
        });
        said("", &facts, &["unknown-target"])
    };
    assert_eq!(write(Places::WORKSPACE), [("unknown-target", Stance::Note)]);
    assert_eq!(write(Places::WORKSPACE | Places::WORKSPACE_ROOT), [("unknown-target", Stance::Ask)]);
    assert_eq!(write(Places::UNKNOWN), [("unknown-target", Stance::Ask)]);
}

#[test]
fn an_unknown_program_asks_only_on_sensitive_paths() {
    let given = |places| {
        let mut facts = facts(&["frobnicate x"], Vec::new());
        let path = PathTarget { shown: "x".to_owned(), path: "/x".to_owned(), extent: Extent::Exact, places };
        facts.operands.push(Operand { invocation: 0, path });
        said("", &facts, &["sensitive-operand"])
    };
    assert_eq!(given(Places::CREDENTIAL), [("sensitive-operand", Stance::Ask)]);
    assert_eq!(given(Places::SYSTEM_CONFIG), []);
}

#[test]
fn remarks_are_noted() {
    let mut facts = facts(&[], Vec::new());
    for kind in [NoteKind::AbsentScript, NoteKind::UnknownProgram] {
        facts.shell.notes.push(Note { kind, shown: "x".to_owned(), span: Span::default() });
    }
    let expected = [("absent-script", Stance::Note), ("unknown-program", Stance::Note)];
    assert_eq!(said("", &facts, &["unknown-program", "absent-script"]), expected);
}

#[test]
fn the_safe_root_leaves_sinks_alone_but_no_shared_directory() {
    let write = |places, written: &str| {
        let target =
            PathTarget { shown: written.to_owned(), path: written.to_owned(), extent: Extent::Exact, places };
        let facts = facts(&["x"], vec![effect(Verb::Write, Target::Path(target))]);
        !said("file_safety: {write_safe_root: [~/project, /data]}", &facts, &["outside-safe-root"]).is_empty()
    };
    assert!(!write(Places::NONE, "/home/dev/project/a") && !write(Places::NONE, "/data"));
    assert!(!write(Places::SINK, "/dev/null") && write(Places::TEMPORARY, "/tmp/x"));
    assert!(write(Places::NONE, "/home/dev/projects/a") && write(Places::NONE, "/etc/x"));
}

#[test]
fn the_safe_root_leaves_a_temporary_directory_alone_that_is_the_commands_own() {
    let shared = vec![AbsPath::new("/home/dev/project").unwrap(), AbsPath::new("/tmp/shared").unwrap()];
    let isolation = Isolation { shared, is_lasting: false, can_mount: false };
    let policy = Policy { isolation: Some(isolation), ..policy("file_safety: {write_safe_root: ~/project}") };
    let engine = Engine::new(policy);
    let outside = |command: &str| {
        let call = Call {
            id: CallId::default(),
            door: Door::CommandLine,
            principal: Principal { name: None, home: home() },
            session: SessionId::default(),
            cwd: AbsPath::new("/home/dev/project").unwrap(),
            action: Action::Exec(Exec::new(command, Lang::Shell)),
        };
        let findings = engine.check_unseen(&call).findings;
        findings.iter().any(|finding| finding.rule == "outside-safe-root")
    };
    assert!(!outside("echo x > /tmp/x") && !outside("echo x > a"));
    assert!(outside("echo x > /tmp/shared/x") && outside("echo x > /srv/x"));
    assert!(outside("ln -s /tmp/shared /tmp/l; echo x > /tmp/l/x"));
}
