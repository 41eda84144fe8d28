//! What configuration files may say, and what follows from several of them.

use crate::common::{check, policy, surroundings};
use herm::policy::{Config, Mode, Policy, Source, Surroundings};
use herm::{AbsPath, Preset};

fn refused(source: Source, text: &str) -> String {
    Config::read(source, "c.yaml", text).unwrap_err().to_string()
}

fn compile(parts: &[(Source, &str)]) -> Result<Policy, herm::policy::Error> {
    let configs = parts.iter().map(|(source, text)| Config::read(*source, "c.yaml", text).unwrap()).collect();
    Policy::compile(configs, &surroundings())
}

#[test]
fn a_file_of_hermes_loads_as_it_is() {
    let policy = policy(include_str!("hermes.yaml"));
    assert_eq!((policy.mode, policy.timeout), (Mode::Smart, 45));
    assert_eq!((policy.deny.len(), policy.allow.len()), (2, 4));
    assert_eq!(policy.security.tirith_enabled, Some(true));
    assert_eq!(policy.security.blocked_domains, ["*.internal.example", "admin.example"]);
}

#[test]
fn what_hermes_was_told_still_holds() {
    let decision = |command| check(policy(include_str!("hermes.yaml")), command).decision.word();
    assert_eq!(decision("rm -rf build"), "allow");
    assert_eq!(decision("systemctl restart nginx"), "allow");
    assert_eq!(decision("docker compose down"), "allow");
    assert_eq!(decision("git reset --hard"), "ask");
    assert_eq!(decision("/usr/bin/sudo ls"), "deny");
    assert_eq!(decision("rm -rf /"), "deny");
}

#[test]
fn a_bare_off_is_a_mode() {
    assert_eq!(policy("approvals: {mode: off}").mode, Mode::Off);
    assert_eq!(policy("approvals: {mode: false}").mode, Mode::Off);
}

#[test]
fn what_hermes_takes_for_a_value_is_one_and_never_a_looser_one() {
    for mode in ["true", "''", "", "null"] {
        assert_eq!(policy(&format!("approvals: {{mode: {mode}}}")).mode, Mode::Manual, "{mode}");
    }
    assert_eq!(policy("approvals: {timeout: 45.0}").timeout, 45);
    assert_eq!(policy("security: {tirith_timeout: 2.5}").security.tirith_timeout, Some(3));
    let processors =
        |number: &str| policy(&format!("terminal: {{container_cpu: {number}}}")).sandbox.processors;
    assert_eq!((processors("0.5"), processors("1.5")), (processors("1"), processors("2")));
    assert_eq!(policy("security: {redact_secrets: }").security.redact_secrets, None);
    for wrong in ["1.5", ".0", "1.", "1.0.0", "-1.0", "1e3", "0x1"] {
        let message = refused(Source::User, &format!("approvals: {{timeout: {wrong}}}"));
        assert!(message.contains("must be a whole number"), "{wrong}: {message}");
    }
    for wrong in [".5", "5.", "1.2.3", "-0.5", "4294967295.5"] {
        let message = refused(Source::User, &format!("security: {{tirith_timeout: {wrong}}}"));
        assert!(message.contains("must be a whole number"), "{wrong}: {message}");
    }
}

#[test]
fn what_only_hermes_asks_about_is_allowed_nowhere_else() {
    let policy = policy("command_allowlist: ['tirith:shortened_url', 'plugin_rule:x']");
    assert!(policy.allow.iter().all(herm::policy::Entry::is_for_hermes));
    let message = refused(Source::User, "approvals: {deny: ['tirith:shortened_url']}");
    assert!(message.contains("is not a part of a matcher"), "a rule that would hold nothing: {message}");
}

#[test]
fn a_later_hermes_may_have_more_approvals_and_nobody_else() {
    let config = |text: &str| Config::read(Source::User, "c.yaml", text);
    let read = config("model: x\napprovals: {later: 1}\n").unwrap();
    let unused: Vec<_> = read.unused.iter().map(|(at, key)| (at.line, key.as_str())).collect();
    assert_eq!(unused, [(1, "model"), (2, "approvals.later")]);
    assert!(config("approvals: {later: 1}\n").is_err());
    assert!(config("model: x\napprovals: {denny: [ls]}\n").is_err(), "a slip is one there too");
    assert!(config("model: x\nfile_safety: {later: 1}\n").is_err(), "that section is herm's own");
    assert!(Config::read(Source::Repository, "c.yaml", "model: x\n").is_err());
    assert!(Config::read(Source::Managed, "c.yaml", "model: x\napprovals: {later: 1}\n").is_err());
}

#[test]
fn an_empty_file_says_nothing() {
    for text in ["", "# nothing\n", "approvals:\n", "approvals: {deny: }\n"] {
        assert_eq!(policy(text).preset, Preset::Hermes, "{text}");
    }
}

#[test]
fn mistakes_are_shown_where_they_are() {
    for (text, message) in [
        ("approvals:\n  dny: []\n", "c.yaml:2:3: unknown key `dny` in `approvals`"),
        ("file_safety:\n  root: /srv\n", "c.yaml:2:3: unknown key `root` in `file_safety`"),
        ("approvals:\n  deny: sudo *\n", "c.yaml:2:9: `approvals.deny` must be a list"),
        ("approvals:\n  deny:\n    - [a]\n", "c.yaml:3:7: `approvals.deny` must be a text"),
        ("approvals:\n  deny:\n    - ''\n", "c.yaml:3:7: the entry is empty"),
        ("approvals:\n  timeout: soon\n", "c.yaml:2:12: `approvals.timeout` must be a whole number"),
        (
            "approvals:\n  mode: ask\n",
            "c.yaml:2:9: `approvals.mode` must be `manual`, `smart`, `off` or `false`",
        ),
        (
            "approvals: {preset: lax}\n",
            "c.yaml:1:21: `approvals.preset` must be `strict`, `hermes` or `permissive`",
        ),
        ("approvals: []\n", "c.yaml:1:12: `approvals` must be a mapping"),
        ("a: 1\na: 2\n", "c.yaml:2:1: `a` stands here twice"),
        (
            "command_allowlist:\n  - effect:explode\n",
            "c.yaml:2:5: `explode` is not something that `effect:` knows",
        ),
        ("command_allowlist:\n  - path:srv/x\n", "c.yaml:2:5: `srv/x` is not something that `path:` knows"),
        ("tests:\n  - {command: ls}\n", "c.yaml:2:5: `expect` is missing"),
        (
            "tests:\n  - {command: ls, expect: maybe}\n",
            "c.yaml:2:27: `expect` must be `allow`, `ask` or `deny`",
        ),
    ] {
        assert_eq!(refused(Source::User, text), message);
    }
}

#[test]
fn every_mistake_can_be_known_in_the_order_of_the_file() {
    let text = "terminal: {timeout: 0}\napprovals: {deny: ['', ls, ''], dny: 1}\n";
    let mistakes = Config::check(Source::User, "c.yaml", text).unwrap_err();
    let places: Vec<_> = mistakes.clone().into_iter().map(|error| (error.at.line, error.at.column)).collect();
    assert_eq!(places, [(1, 21), (2, 20), (2, 28), (2, 33)]);
    assert_eq!(mistakes.to_string().lines().count(), 4);
    assert_eq!(Config::read(Source::User, "c.yaml", text).unwrap_err(), mistakes.first);
}

#[test]
fn slips_are_found_and_explained() {
    for (text, message, hint) in [
        ("aprovals: {deny: [x]}\n", "c.yaml:1:1: unknown key `aprovals`", "did you mean `approvals`?"),
        (
            "approvals:\n  denny: []\n",
            "c.yaml:2:3: unknown key `denny` in `approvals`",
            "did you mean `deny`?",
        ),
        (
            "security: {tirith_enable: true}\n",
            "c.yaml:1:12: unknown key `tirith_enable` in `security`",
            "did you mean `tirith_enabled`?",
        ),
        (
            "approvals: {deny: ['effect:delte']}\n",
            "c.yaml:1:20: `delte` is not something that `effect:` knows",
            "did you mean `delete`?",
        ),
        (
            "approvals: {deny: ['rule:recursive-deletee']}\n",
            "c.yaml:1:20: there is no rule `recursive-deletee`",
            "did you mean `recursive-delete`?",
        ),
        (
            "tests: [{command: ls, expect: allow, rule: force-pushh}]\n",
            "c.yaml:1:44: there is no rule `force-pushh`",
            "did you mean `force-push`?",
        ),
        (
            "approvals: {deny: 'sudo *'}\n",
            "c.yaml:1:19: `approvals.deny` must be a list",
            "write it as `[one, two]`, or one on a line after a `-`",
        ),
        ("- a\n", "c.yaml:1:1: the file must be a mapping", "write `key: value`, one on a line"),
    ] {
        let error = Config::read(Source::User, "c.yaml", text).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.hint().as_deref()), (message, Some(hint)));
    }
}

#[test]
fn a_mistyped_matcher_is_not_taken_for_a_pattern() {
    let message = refused(Source::User, "approvals: {deny: ['efect:delete path:/srv/**']}");
    assert!(message.contains("`efect:delete` is not a part of a matcher"), "{message}");
    let message = refused(Source::User, "approvals: {deny: ['effect:delete /srv']}");
    assert!(message.contains("`/srv` is not a part of a matcher"), "{message}");
}

#[test]
fn what_is_not_yaml_says_where() {
    let message = refused(Source::User, "approvals:\n  deny: [\n");
    assert!(message.starts_with("c.yaml:") && message.contains(": not valid YAML: "), "{message}");
}

#[test]
fn aliases_do_not_stand_for_rules() {
    let text = "x: &rules ['sudo *']\napprovals:\n  deny: *rules\n";
    assert_eq!(refused(Source::User, text), "c.yaml:3:9: `approvals.deny` must be a list");
}

#[test]
fn a_repository_may_only_tighten() {
    for (text, message) in [
        (
            "command_allowlist: [rm]\n",
            "c.yaml:1:1: a repository may only tighten, so it cannot set `command_allowlist`",
        ),
        (
            "approvals:\n  mode: off\n",
            "c.yaml:2:3: a repository may only tighten, so it cannot set `approvals.mode`",
        ),
        ("model: x\n", "c.yaml:1:1: unknown key `model`"),
    ] {
        assert_eq!(refused(Source::Repository, text), message);
    }
    let policy = compile(&[
        (Source::User, ""),
        (Source::Repository, "approvals: {preset: strict, deny: [x], ask: [y]}"),
    ]);
    let policy = policy.unwrap();
    assert_eq!((policy.preset, policy.deny.len(), policy.ask.len()), (Preset::Strict, 1, 1));
}

#[test]
fn a_repository_cannot_ask_for_a_looser_preset() {
    let error =
        compile(&[(Source::User, ""), (Source::Repository, "approvals: {preset: permissive}")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "c.yaml:1:21: a repository may only tighten: `permissive` is looser than `hermes`"
    );
}

#[test]
fn the_strictest_preset_and_mode_hold() {
    let managed = (Source::Managed, "approvals: {preset: strict, mode: manual, timeout: 10}");
    let user = (Source::User, "approvals: {preset: permissive, mode: off, timeout: 60}");
    let policy = compile(&[user, managed]).unwrap();
    assert_eq!((policy.preset, policy.mode, policy.timeout), (Preset::Strict, Mode::Manual, 10));
    assert_eq!(compile(&[user]).unwrap().preset, Preset::Permissive);
}

#[test]
fn every_safe_root_holds() {
    let user = Config::read(Source::User, "c.yaml", "file_safety: {write_safe_root: [~/a, /b]}").unwrap();
    let surroundings = Surroundings { safe_root: Some("/c:/d".to_owned()), ..surroundings() };
    let policy = Policy::compile(vec![user], &surroundings).unwrap();
    let path = |text| AbsPath::new(text).unwrap();
    assert_eq!(policy.safe_roots, [vec![path("/c"), path("/d")], vec![path("/home/dev/a"), path("/b")]]);
}

#[test]
fn a_relative_safe_root_is_an_error() {
    let error = refused(Source::User, "file_safety: {write_safe_root: work}");
    assert_eq!(error, "c.yaml:1:32: `work` is not absolute");
    let surroundings = Surroundings { safe_root: Some("work".to_owned()), ..surroundings() };
    let error = Policy::compile(Vec::new(), &surroundings).unwrap_err();
    assert_eq!(error.to_string(), "HERMES_WRITE_SAFE_ROOT:1:1: `work` is not absolute");
}

#[test]
fn what_the_machine_guards_with_is_not_overruled_by_the_user() {
    let guarded = "security: {tirith_enabled: true, tirith_fail_open: false, tirith_block: deny, tirith_path: /opt/tirith}";
    let loose = "security: {tirith_enabled: false, tirith_fail_open: true, tirith_block: ask, tirith_path: /bin/true}";
    let security = compile(&[(Source::User, loose), (Source::Managed, guarded)]).unwrap().security;
    assert_eq!((security.tirith_enabled, security.tirith_fail_open), (Some(true), Some(false)));
    assert_eq!(
        (security.tirith_block_asks, security.tirith_path.as_deref()),
        (Some(false), Some("/opt/tirith"))
    );
    let tightened = compile(&[(Source::Managed, loose), (Source::User, guarded)]).unwrap().security;
    assert_eq!((tightened.tirith_enabled, tightened.tirith_fail_open), (Some(true), Some(false)));
    assert_eq!(tightened.tirith_block_asks, Some(false));
}

#[test]
fn every_key_that_hermes_documents_is_known() {
    let documented = [
        "approvals.mode",
        "approvals.timeout",
        "command_allowlist",
        "discord.auto_thread",
        "discord.free_response_channels",
        "discord.require_mention",
        "group_sessions_per_user",
        "hooks.pre_tool_call",
        "mcp_servers",
        "security.redact_secrets",
        "security.tirith_enabled",
        "security.tirith_fail_open",
        "security.tirith_path",
        "security.tirith_timeout",
        "security.website_blocklist.domains",
        "security.website_blocklist.enabled",
        "security.website_blocklist.shared_files",
        "terminal.backend",
        "terminal.container_cpu",
        "terminal.container_disk",
        "terminal.container_memory",
        "terminal.container_persistent",
        "terminal.credential_files",
        "terminal.cwd",
        "terminal.docker_forward_env",
        "terminal.docker_image",
        "terminal.docker_mount_cwd_to_workspace",
        "terminal.env_passthrough",
        "terminal.modal_image",
        "terminal.persistent_shell",
        "terminal.ssh_host",
        "terminal.ssh_key",
        "terminal.ssh_port",
        "terminal.ssh_user",
        "unauthorized_dm_behavior",
        "whatsapp.unauthorized_dm_behavior",
        "yolo",
    ];
    for path in documented {
        assert!(herm::policy::keys::find(path).is_some(), "{path}");
    }
}

#[test]
fn what_has_no_effect_yet_is_checked_all_the_same() {
    for (text, problem) in [
        ("terminal: {container_cpu: many}", "`terminal.container_cpu` must be a whole number"),
        ("terminal: {backend: dockr}", "`terminal.backend` must be `local`, "),
        ("unauthorized_dm_behavior: pear", "must be `pair` or `ignore`"),
        ("mcp_servers: [a]", "`mcp_servers` must be a mapping"),
        ("discord: {require_mention: maybe}", "must be `true` or `false`"),
        ("terminal: {docker_imagee: x}", "unknown key `docker_imagee` in `terminal`"),
    ] {
        let told = refused(Source::User, text);
        assert!(told.contains(problem), "{text}: {told}");
    }
    for text in ["terminal: {ssh_host:, docker_image: null}", "mcp_servers: {a: {command: npx}}", "discord:"]
    {
        assert!(Config::read(Source::User, "c.yaml", text).is_ok(), "{text}");
    }
}

#[test]
fn secrets_stay_out_of_sight_when_any_file_says_so() {
    let managed = (Source::Managed, "security: {redact_secrets: true}");
    let user = (Source::User, "security: {redact_secrets: false}");
    assert_eq!(compile(&[managed, user]).unwrap().security.redact_secrets, Some(true));
    assert_eq!(compile(&[user]).unwrap().security.redact_secrets, Some(false));
}
