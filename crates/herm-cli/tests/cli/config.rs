use crate::test::Test;

#[test]
fn mistakes_are_shown_with_file_line_and_column() {
    Test::new(&["config", "check"])
        .config("approvals:\n  deny:\n    - sudo *\n  dny: []\n")
        .fails("herm: DIR/config.yaml:4:3: unknown key `dny` in `approvals`\nhint: did you mean `deny`?\n");
}

#[test]
fn a_broken_configuration_stops_every_judgement() {
    Test::new(&["check", "ls"])
        .config("approvals: [\n")
        .fails("herm: DIR/config.yaml:1:12: not valid YAML: unclosed bracket '['\nhint: indent with blanks, and quote texts \
                that hold `:`, `#`, `*` or `[`\n");
}

#[test]
fn a_configuration_that_cannot_be_read_is_not_passed_over() {
    Test::new(&["config", "check", "--config", "missing.yaml"]).fails("herm: cannot read `missing.yaml`\n");
}

#[test]
fn no_configuration_is_fine() {
    Test::new(&["config", "check"]).answers(0, "no configuration files; the defaults hold\n");
}

#[test]
fn a_repository_may_only_tighten() {
    Test::new(&["config", "check"])
        .file(".herm.yaml", "approvals:\n  deny: ['sudo *']\ncommand_allowlist: [rm]\n")
        .fails(
            "herm: DIR/.herm.yaml:3:1: a repository may only tighten, so it cannot set `command_allowlist`\n\
             hint: set it in the user's own configuration, if it is meant\n",
        );
}

#[test]
fn every_mistake_is_shown_at_once() {
    Test::new(&["config", "check"])
        .config(
            "approvals:\n  deny: ['', 'sudo *', 'effect:explode']\n  timeout: soon\n  timeout: 3\n  dny: []\nterminal:\n  timeout: 0\n  \
             env_passthrough: [A, 'A B']\nhooks:\n  pre_tool_call: [{matcher: x}, {command: y, timeot: 3}]\ntests:\n  - {command: ls}\n  - {expect: \
             maybe, rule: nothing}\nfile_safety: {write_safe_root: [work, /srv]}\n",
        )
        .file(".herm.yaml", "approvals: {preset: lax}\ncommand_allowlist: [rm]\n")
        .fails(
            "herm: DIR/config.yaml:2:10: the entry is empty\n\
             hint: remove it, or write what it should match, such as `sudo *`\n\
             herm: DIR/config.yaml:2:24: `explode` is not something that `effect:` knows\n\
             herm: DIR/config.yaml:3:12: `approvals.timeout` must be a whole number\n\
             herm: DIR/config.yaml:4:3: `timeout` stands here twice\n\
             hint: join both into one\n\
             herm: DIR/config.yaml:5:3: unknown key `dny` in `approvals`\n\
             hint: did you mean `deny`?\n\
             herm: DIR/config.yaml:7:12: `terminal.timeout` must be at least 1: in 0 seconds nothing can run\n\
             hint: there is always a limit; leave it out for the usual one\n\
             herm: DIR/config.yaml:8:24: `A B` is not passed on: it is no name of a variable\n\
             hint: remove it: what belongs to the agent itself is not for its commands\n\
             herm: DIR/config.yaml:10:19: the hook has no command\n\
             hint: a hook is written `{matcher: terminal, command: ~/check.py, timeout: 5}`\n\
             herm: DIR/config.yaml:10:46: unknown key `timeot` in `hooks.pre_tool_call`\n\
             herm: DIR/config.yaml:12:5: `expect` is missing\n\
             hint: a test is written `{command: ls, expect: allow}`\n\
             herm: DIR/config.yaml:13:14: `expect` must be `allow`, `ask` or `deny`\n\
             herm: DIR/config.yaml:13:27: there is no rule `nothing`\n\
             hint: `herm rules` lists them\n\
             herm: DIR/config.yaml:14:33: `work` is not absolute\n\
             hint: begin it with `/` or `~/`\n\
             herm: DIR/.herm.yaml:1:21: `approvals.preset` must be `strict`, `hermes` or `permissive`\n\
             herm: DIR/.herm.yaml:2:1: a repository may only tighten, so it cannot set `command_allowlist`\n\
             hint: set it in the user's own configuration, if it is meant\n",
        );
}

#[test]
fn mistakes_that_show_only_where_files_are_joined_are_all_shown() {
    Test::new(&["config", "check"])
        .config("approvals: {preset: strict}\n")
        .file(".herm.yaml", "approvals: {preset: hermes}\n")
        .variable("HERMES_WRITE_SAFE_ROOT", "work:/srv:../x")
        .fails_after(
            "DIR/config.yaml: ok (user)\n",
            "herm: DIR/.herm.yaml:1:21: a repository may only tighten: `hermes` is looser than `strict`\n\
             hint: set it in the user's own configuration, if it is meant\n\
             herm: HERMES_WRITE_SAFE_ROOT:1:1: `work` is not absolute\n\
             hint: begin it with `/` or `~/`\n\
             herm: HERMES_WRITE_SAFE_ROOT:1:1: `../x` is not absolute\n\
             hint: begin it with `/` or `~/`\n",
        );
}

#[test]
fn a_mistake_in_one_file_does_not_hide_another_file() {
    let test = Test::new(&["config", "check", "--json"])
        .config("approvals: [\n")
        .file("cli-config.yaml", "approvals: {tmeout: 3}\n")
        .file(".herm.yaml", "approvals: {deny: ['sudo *']}\n");
    let told: serde_json::Value = serde_json::from_str(&test.stdout()).unwrap();
    let problems: Vec<_> = told["problems"].as_array().unwrap().iter().collect();
    assert_eq!((problems.len(), told["files"].as_array().unwrap().len()), (2, 1), "{told}");
    assert_eq!(told["files"][0]["owner"], "repository");
    assert_eq!((&problems[1]["line"], &problems[1]["column"]), (&1.into(), &13.into()));
    assert_eq!(problems[1]["problem"], "unknown key `tmeout` in `approvals`");
    assert_eq!(problems[1]["hint"], "did you mean `timeout`?");
}

#[test]
fn a_broken_configuration_is_told_in_json_too() {
    for arguments in [
        &["config", "show", "--json"][..],
        &["config", "test", "--json"],
        &["check", "--json", "ls"],
        &["approvals", "list", "--json"],
        &["audit", "show", "--json"],
        &["audit", "tail", "--json"],
        &["audit", "verify", "--json"],
        &["grants", "list", "--json"],
        &["hooks", "list", "--json"],
        &["url", "--json", "https://example.com"],
    ] {
        let shown = Test::new(arguments).config("approvals: {tmeout: 3}\n").stdout();
        let told: serde_json::Value = serde_json::from_str(&shown).unwrap();
        let error = told["error"].as_str().unwrap_or_default();
        assert!(error.ends_with("config.yaml:1:13: unknown key `tmeout` in `approvals`"), "{shown}");
        assert_eq!(told["hint"], "did you mean `timeout`?", "{shown}");
    }
}

#[test]
fn what_holds_is_shown_as_yaml() {
    Test::new(&["config", "show"])
        .config(
            "approvals: {preset: strict, deny: ['sudo *', 'a \"b\"'], timeout: 9}\ncommand_allowlist: [rm]\n",
        )
        .answers(
            0,
            "# user: DIR/config.yaml\n\
             approvals:\n  ask: []\n  deny: [\"sudo *\", \"a \\\"b\\\"\"]  # DIR/config.yaml:1\n  mode: manual\n  preset: strict  # \
             DIR/config.yaml:1\n  timeout: 9  # DIR/config.yaml:1\n\
             command_allowlist: [rm]  # DIR/config.yaml:2\n\
             security:\n  redact_secrets: true\n  tirith_enabled: false\n\
             terminal:\n  credential_files: []\n  env_passthrough: []\n  max_timeout: 120\n  timeout: 30\n",
        );
}

/// A configuration that sets every key there is.
const EVERYTHING: &str = include_str!("everything.yaml");

#[test]
fn every_key_that_has_a_value_is_shown_with_where_it_is_said() {
    let shown = Test::new(&["config", "show", "--json"]).config(EVERYTHING).stdout();
    let told: serde_json::Value = serde_json::from_str(&shown).unwrap();
    for key in herm::policy::keys::all() {
        let value = key.path.split('.').fold(&told, |section, name| &section[name]);
        assert!(!value.is_null(), "{}: {shown}", key.path);
        assert!(
            told["origins"][key.path][0].as_str().is_some_and(|at| at.contains("config.yaml:")),
            "{}",
            key.path
        );
    }
    assert_eq!(told["hooks"]["pre_tool_call"][0]["command"], "/opt/fence.sh");
    assert_eq!(told["terminal"]["container_cpu"], 2);
}

#[test]
fn what_is_shown_is_a_configuration_that_says_the_same() {
    let shown = Test::new(&["config", "show"]).config(EVERYTHING).stdout();
    let again = Test::new(&["config", "show"]).config(&shown).stdout();
    let values = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.split("  # ").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(values(&shown), values(&again));
}

#[test]
fn what_is_shown_gives_no_secrets_away() {
    let token = format!("gh{}_{}", "p", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let config = format!(
        "hooks: {{pre_tool_call: ['/opt/x --token {token}']}}\nmcp_servers: {{git: {{env: {{T: {token}}}}}}}\nterminal: {{docker_image: 'https://a:{token}@x/y'}}\n"
    );
    for arguments in [&["config", "show"][..], &["config", "show", "--json"]] {
        let shown = Test::new(arguments).config(&config).stdout();
        assert!(shown.contains("git") && !shown.contains(&token), "{shown}");
    }
}

#[test]
fn where_connections_may_go_is_shown_where_it_is_said() {
    let shown = Test::new(&["config", "show"])
        .config(
            "egress: {allowed_domains: ['*.a.example'], endpoints: ['localhost:80']}\n\
             security: {website_blocklist: {enabled: true, domains: [b.example]}}\n",
        )
        .stdout();
    let at = |text: &str| {
        shown.lines().any(|line| line.trim().starts_with(text) && line.ends_with("config.yaml:1"))
    };
    assert!(at("allowed_domains: [\"*.a.example\"]") && at("endpoints: [\"localhost:80\"]"), "{shown}");
    assert!(shown.contains("    domains: [\"b.example\"]") && shown.contains("    enabled: true"), "{shown}");
}

#[test]
fn tests_in_the_configuration_pass() {
    Test::new(&["config", "test"])
        .config("tests:\n  - {command: \"echo 'x\", expect: ask, rule: unread-text}\n")
        .answers(0, "1 test passed\n");
}

#[test]
fn tests_in_the_configuration_fail_with_their_lines() {
    Test::new(&["config", "test"])
        .config(
            "tests:\n  - {command: \"echo 'x\", expect: deny}\n  - {command: \"echo 'x\", expect: ask, rule: unknown-code}\n",
        )
        .answers(
            1,
            "DIR/config.yaml:2:5: `echo 'x`: expected deny, got ask\nDIR/config.yaml:3:5: `echo 'x`: expected `unknown-code` to speak, but it is \
             silent\n2 of 2 tests failed\n",
        );
}

#[test]
fn the_home_of_hermes_is_read_too() {
    let test = Test::new(&["config", "show", "--home", "/nowhere"])
        .file("hermes/config.yaml", "approvals: {timeout: 7}");
    let shown = test.variable("HERM_HOME", "").variable("HERMES_HOME", "hermes").stdout();
    assert!(shown.contains("timeout: 7"), "{shown}");
}

#[test]
fn what_was_checked_is_told_in_json_too() {
    let shown = Test::new(&["config", "check", "--json"]).stdout();
    assert_eq!(shown, "{\"files\":[],\"problems\":[],\"unused\":[]}\n");
    let tests = "tests: [{command: ls, expect: allow}, {command: ls, expect: deny}]";
    let shown = Test::new(&["config", "test", "--json"]).config(tests).stdout();
    assert!(shown.contains("\"tests\":2") && shown.contains("expected deny, got allow"), "{shown}");
}

#[test]
fn a_rule_is_explained_in_json_too() {
    let shown = Test::new(&["explain", "--json", "force-push"]).stdout();
    assert!(shown.starts_with('{') && shown.contains("\"name\": \"force-push\""), "{shown}");
}
