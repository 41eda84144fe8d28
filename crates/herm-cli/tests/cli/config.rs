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
fn what_holds_is_shown_as_yaml() {
    let shown = Test::new(&["config", "show"])
        .config(
            "approvals: {preset: strict, deny: ['sudo *', 'a \"b\"'], timeout: 9}\ncommand_allowlist: [rm]\n",
        )
        .stdout();
    let shown: Vec<_> = shown.lines().skip(1).collect();
    assert_eq!(
        shown.join("\n"),
        "approvals:\n  preset: strict\n  mode: manual\n  timeout: 9\n  deny: [\"sudo *\", \"a \\\"b\\\"\"]\n  ask: []\n\
         command_allowlist: [\"rm\"]\nfile_safety:\n  write_safe_root: []\n\
         terminal:\n  timeout: 30\n  max_timeout: 120\n  env_passthrough: []\n  credential_files: []"
    );
}

#[test]
fn where_connections_may_go_is_shown_where_it_is_said() {
    let shown = Test::new(&["config", "show"])
        .config(
            "egress: {allowed_domains: ['*.a.example'], endpoints: ['localhost:80']}\n\
             security: {website_blocklist: {enabled: true, domains: [b.example]}}\n",
        )
        .stdout();
    assert!(
        shown.contains("egress:\n  allowed_domains: [\"*.a.example\"]\n  endpoints: [\"localhost:80\"]\n"),
        "{shown}"
    );
    assert!(
        shown.contains("    enabled: true\n    domains: [\"b.example\"]\n    shared_files: []\n"),
        "{shown}"
    );
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
    assert_eq!(shown, "{\"files\":[]}\n");
    let tests = "tests: [{command: ls, expect: allow}, {command: ls, expect: deny}]";
    let shown = Test::new(&["config", "test", "--json"]).config(tests).stdout();
    assert!(shown.contains("\"tests\":2") && shown.contains("expected deny, got allow"), "{shown}");
}

#[test]
fn a_rule_is_explained_in_json_too() {
    let shown = Test::new(&["explain", "--json", "force-push"]).stdout();
    assert!(shown.starts_with('{') && shown.contains("\"name\": \"force-push\""), "{shown}");
}
