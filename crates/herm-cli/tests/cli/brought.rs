//! Code that a project brings along is judged before it runs.

use crate::test::Test;

/// The decision about a command in a project that has scripts, aliases and hooks of its own.
fn decision(command: &str) -> String {
    Test::new(&["check", command])
        .at_home()
        .file("package.json", r#"{"scripts": {"wipe": "rm -rf /", "test": "jest", "pretest": "echo go"}}"#)
        .file("justfile", "wipe:\n    rm -rf /\n\ntest:\n    cargo test\n")
        .file("wipe.sh", "#!/bin/sh\nrm -rf /\n")
        .file(".git/config", "[alias]\n  wipe = \"!rm -rf /\"\n  st = status\n")
        .file(".git/hooks/pre-commit", "#!/bin/sh\nrm -rf /\n")
        .stdout()
        .split([':', '\n'])
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn scripts_aliases_and_hooks_are_opened() {
    for command in [
        "npm run wipe",
        "yarn wipe",
        "pnpm run wipe",
        "just wipe",
        "sh wipe.sh",
        "./wipe.sh",
        "git wipe",
        "git commit -m x",
    ] {
        assert_eq!(decision(command), "deny", "{command}");
    }
}

#[test]
fn what_does_no_harm_is_free() {
    for command in ["npm test", "just test", "git st", "git commit --no-verify -m x", "git push origin topic"]
    {
        assert_eq!(decision(command), "allow", "{command}");
    }
}
