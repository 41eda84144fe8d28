//! Presets, user rules and the floor, from the outside.

use crate::common::{act, check, policy};
use herm::{Action, Stance};

fn decision(config: &str, command: &str) -> &'static str {
    check(policy(config), command).decision.word()
}

#[test]
fn a_nul_character_is_refused_before_anything_is_read() {
    let ruling = check(policy("approvals: {preset: permissive}"), "echo a\0b");
    assert_eq!(ruling.decision.word(), "deny");
    assert_eq!(ruling.findings.len(), 1);
}

#[test]
fn an_endless_text_is_refused() {
    assert_eq!(decision("", &"a".repeat(5 << 20)), "deny");
}

#[test]
fn what_cannot_be_read_asks_and_is_refused_where_nothing_asks() {
    assert_eq!(decision("", "echo 'unfinished"), "ask");
    assert_eq!(decision("approvals: {preset: permissive}", "echo 'unfinished"), "deny");
    assert_eq!(decision("command_allowlist: ['*', unread-text]", "echo 'unfinished"), "ask");
}

#[test]
fn writing_is_confined_to_the_safe_root() {
    let config = "file_safety: {write_safe_root: ~/project}";
    let write = |path: &str| act(policy(config), Action::Write(path.to_owned())).decision.word();
    assert_eq!((write("a/b"), write("/srv/a")), ("allow", "deny"));
    let read = act(policy(config), Action::Read("/srv/a".to_owned()));
    assert_eq!(read.decision.word(), "allow");
}

#[test]
fn a_matcher_over_effects_denies_by_tool_too() {
    let config = "approvals: {deny: ['effect:write path:/srv/**']}";
    let ruling = act(policy(config), Action::Write("/srv/a".to_owned()));
    assert_eq!(
        ruling.findings.first().map(|finding| (finding.rule, finding.stance)),
        Some(("denied-by-user", Stance::Deny))
    );
}

#[test]
fn a_deny_rule_holds_for_every_spelling_and_preset() {
    for preset in ["hermes", "strict", "permissive"] {
        let config = format!("approvals: {{preset: {preset}, deny: ['sudo *']}}\ncommand_allowlist: ['*']");
        for command in
            ["sudo ls", "/usr/bin/sudo ls", "sud\\o ls", "bash -c 'sudo ls'", "x=sudo; $x ls", "env sudo ls"]
        {
            assert_eq!(decision(&config, command), "deny", "{preset}: {command}");
        }
    }
    assert_eq!(decision("approvals: {deny: ['sudo *']}", "echo sudo ls"), "allow");
}

#[test]
fn nothing_rides_along_with_an_allowed_command() {
    let config = "command_allowlist: ['git *']";
    assert_eq!(decision(config, "git reset --hard"), "allow");
    assert_eq!(decision(config, "git reset --hard; rm -rf build"), "ask");
}

#[test]
fn an_old_list_of_hermes_keeps_its_meaning() {
    let config = "command_allowlist: [recursive delete]";
    assert_eq!(decision(config, "rm -rf build"), "allow");
    assert_eq!(decision(config, "rm -rf /"), "deny");
}

#[test]
fn no_configuration_opens_the_floor() {
    let everything = "command_allowlist: ['*', rm, 'rm *', recursive delete, 'effect:delete', 'effect:delete path:/**', \
                      'rule:*', 'effect:power', 'effect:format']";
    for preset in ["hermes", "strict", "permissive"] {
        let config = format!("approvals: {{preset: {preset}, mode: off}}\n{everything}");
        for command in
            ["rm -rf /", "sudo rm -rf ~", "mkfs.ext4 /dev/sda", "reboot", ":(){ :|:& };:", "kill -9 -1"]
        {
            assert_eq!(decision(&config, command), "deny", "{preset}: {command}");
        }
    }
}

#[test]
fn nothing_asks_in_permissive_but_everything_is_recorded() {
    let ruling = check(policy("approvals: {preset: permissive}"), "rm -rf build");
    assert_eq!(ruling.decision.word(), "allow");
    assert!(
        ruling.findings.iter().all(|finding| finding.stance == Stance::Note) && !ruling.findings.is_empty()
    );
}

#[test]
fn strict_runs_only_what_is_listed() {
    let strict = "approvals: {preset: strict}";
    for command in
        ["git status", "ls -la", "cat README.md", "npm run lint", "npx tsc --noEmit", "NODE --version"]
    {
        assert_eq!(decision(strict, command), "allow", "{command}");
    }
    for command in ["make", "git status && ls", "ls | cat", "ls > x", "npm install", "git -c a=b status"] {
        assert_eq!(decision(strict, command), "ask", "{command}");
    }
    for command in
        ["git push", "printenv", "cat .env", "sudo ls", "kill -9 1", "eval ls", "npm login", "del /s x"]
    {
        assert_eq!(decision(strict, command), "deny", "{command}");
    }
    assert_eq!(decision("approvals: {preset: strict}\ncommand_allowlist: ['make *']", "make test"), "allow");
    assert_eq!(decision("approvals: {preset: strict}\ncommand_allowlist: ['git *']", "git push"), "deny");
}
