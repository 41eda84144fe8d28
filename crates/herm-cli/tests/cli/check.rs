use crate::test::Test;

const SAFE_ROOT: &str = "file_safety: {write_safe_root: /home/dev/project}";

const REFUSED: &str = "deny: 1 finding

deny: write outside the safe root [outside-safe-root]
    /home/dev/other/data
    ^^^^^^^^^^^^^^^^^^^^
  changes `/home/dev/other/data`, which is outside the safe root `/home/dev/project`
  why: The safe root is the promise that nothing else changes.
  instead: Write below the safe root.
";

#[test]
fn what_nothing_minds_is_allowed() {
    Test::new(&["check", "--write", "/home/dev/project/notes"]).config(SAFE_ROOT).answers(0, "allow\n");
}

#[test]
fn a_refusal_shows_what_where_why_and_what_instead() {
    Test::new(&["check", "--write", "/home/dev/other/data"]).config(SAFE_ROOT).answers(1, REFUSED);
}

#[test]
fn the_safe_root_of_the_environment_holds_as_well() {
    Test::new(&["check", "--write", "/home/dev/other/data"])
        .variable("HERMES_WRITE_SAFE_ROOT", "/home/dev/project")
        .answers(1, REFUSED);
}

#[test]
fn json_is_complete() {
    Test::new(&["check", "--json", "--write", "/home/dev/other/data"]).config(SAFE_ROOT).answers(
        1,
        concat!(
            r#"{"decision":"deny","findings":[{"effect":"write `/home/dev/other/data`","gap":false,"#,
            r#""instead":"Write below the safe root.","#,
            r#""reason":"changes `/home/dev/other/data`, which is outside the safe root `/home/dev/project`","#,
            r#""rule":"outside-safe-root","span":[0,20],"stance":"deny","try":null,"#,
            r#""why":"The safe root is the promise that nothing else changes."}]}"#,
            "\n"
        ),
    );
}

#[test]
fn what_drives_a_terminal_is_written_out() {
    let shown = Test::new(&["check", "--write", "/home/dev/x/\u{1b}[2J\u{202e}x"]).config(SAFE_ROOT).stdout();
    assert!(shown.contains("/home/dev/x/\\u{1b}[2J\\u{202e}x"), "{shown}");
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
}

#[test]
fn colour_is_for_those_who_want_it() {
    let red =
        |test: Test| test.config(SAFE_ROOT).stdout().starts_with("\u{1b}[1;31mdeny\u{1b}[0m: 1 finding\n");
    let run = || Test::new(&["check", "--write", "/home/dev/other/data"]);
    assert!(!red(run()));
    assert!(red(run().variable("CLICOLOR_FORCE", "1")));
    assert!(!red(run().variable("CLICOLOR_FORCE", "1").variable("NO_COLOR", "1")));
}

#[test]
fn an_unfinished_command_from_standard_input_asks() {
    let shown = Test::new(&["check", "-"]).input("echo 'unfinished").stdout();
    assert!(
        shown.starts_with("ask: 1 finding\n\nask: text that could not be read [unread-text]\n"),
        "{shown}"
    );
}

#[test]
fn a_preset_on_the_command_line_holds() {
    let shown = Test::new(&["check", "--preset", "permissive", "-"]).input("echo 'unfinished").stdout();
    assert!(shown.starts_with("deny: 1 finding\n"), "{shown}");
}

#[test]
fn a_preset_on_the_command_line_cannot_loosen_what_a_repository_asks_for() {
    let run = |preset: &str| {
        let test = Test::new(&["check", "--preset", preset, "frobnicate"]);
        test.file(".herm.yaml", "approvals: {preset: strict}\n").stdout()
    };
    assert!(run("permissive").starts_with("ask: "), "{}", run("permissive"));
    assert!(run("strict").starts_with("ask: "), "{}", run("strict"));
    let alone = Test::new(&["check", "--preset", "permissive", "frobnicate"]).stdout();
    assert!(alone.starts_with("allow"), "{alone}");
}

#[test]
fn a_relative_working_directory_is_a_mistake() {
    Test::new(&["check", "--cwd", "project", "ls"])
        .fails("herm: cannot use `project` as --cwd: the path is not absolute\nhint: begin it with `/`\n");
}

#[test]
fn nothing_to_check_is_a_mistake() {
    Test::new(&["check"]).fails(
        "error: the following required arguments were not provided:\n  <COMMAND|--batch|--read <PATH>|--write <PATH>>\n\n\
         Usage: herm check <COMMAND|--batch|--read <PATH>|--write <PATH>>\n\nFor more information, try '--help'.\n",
    );
}

#[test]
fn scripts_are_opened_unless_that_is_refused() {
    let test = |extra: &[&str]| {
        let arguments: Vec<_> = ["check", "sh clean.sh"].iter().chain(extra).copied().collect();
        Test::new(&arguments).file("clean.sh", "rm -rf /\n").stdout()
    };
    assert!(test(&[]).starts_with("deny"));
    assert!(test(&["--no-files"]).starts_with("allow"));
}

#[test]
fn what_is_taken_out_of_a_file_is_judged_as_the_script_that_it_becomes() {
    let says = |command: &str| Test::new(&["check", command]).file("clean.sh", "rm -rf /\n").stdout();
    for command in [
        r#"eval "$(cat clean.sh)""#,
        r#"bash -c "$(<clean.sh)""#,
        r#"x=$(cat clean.sh); eval "$x""#,
        "cat clean.sh clean.sh | bash",
        r#"sh <<< "$(cat clean.sh)""#,
        "cat clean.sh > other.sh; sh other.sh",
    ] {
        assert!(says(command).starts_with("deny"), "{command}");
    }
    // What comes out of it is not known.
    for command in ["sed 1d clean.sh | bash", r#"eval "$(head -1 clean.sh)""#, "tr a b < clean.sh | sh"] {
        let said = says(command);
        assert!(said.starts_with("ask") && said.contains("[unknown-code]"), "{command}: {said}");
    }
    assert!(says(r#"eval "$(cat absent.sh)""#).starts_with("allow"));
}

#[test]
fn remarks_are_for_those_who_want_them() {
    Test::new(&["check", "frobnicate --all"]).answers(0, "allow\n");
    let shown = Test::new(&["check", "--verbose", "frobnicate --all"]).stdout();
    assert!(shown.starts_with("allow\n\nnote: program that is not known [unknown-program]\n"), "{shown}");
}
