//! A floor command in a variable is minded, whatever the variable is called, however it is set and whichever program gets it.

use herm_test::judge::Judge;
use herm_test::wrap::{Dice, FLOOR, quote};

/// A way to give a variable to a program: the text that does it.
type Way = fn(&str, &str, &str) -> String;

const WAYS: &[(&str, Way)] = &[
    ("before the command", |name, value, program| format!("{name}={} {program}", quote(value))),
    ("exported", |name, value, program| format!("export {name}={}; {program}", quote(value))),
    ("declared", |name, value, program| format!("declare -x {name}={}\n{program}", quote(value))),
    ("assigned and exported", |name, value, program| {
        format!("{name}={}; export {name}; {program}", quote(value))
    }),
    ("by env", |name, value, program| format!("env {name}={} {program}", quote(value))),
    ("by sudo", |name, value, program| format!("sudo {name}={} {program}", quote(value))),
    ("in a function", |name, value, program| format!("f() {{ {program}; }}; {name}={} f", quote(value))),
    ("in Python", |name, value, program| {
        let code = format!("import os\nos.environ[\"{name}\"] = \"{value}\"\nos.system(\"{program}\")\n");
        format!("python3 -c {}", quote(&code))
    }),
];

/// What a value may look like: the command alone, behind an option, in a call, among other options.
const VALUES: &[fn(&str) -> String] = &[
    str::to_owned,
    |line| format!("--exec={line}"),
    |line| format!("-x {line}"),
    |line| format!("--quiet --on-end={line}"),
    |line| format!("!{line}"),
    |line| format!("|{line}"),
    |line| format!("a;system('{line}')"),
    |line| line.replace(' ', "%20"),
];

/// Programs that obey variables which no description lists, and some that nobody describes.
const PROGRAMS: &[&str] = &[
    "cargo build",
    "cmake ..",
    "docker ps",
    "git status",
    "go test ./...",
    "gradle build",
    "java -version",
    "ls",
    "make",
    "man ls",
    "mvn verify",
    "npm test",
    "psql",
    "python3 -m pytest",
    "ssh host",
    "unheard-of",
    "./run",
];

/// Names of variables, most of them obeyed by some program. Descriptions know none of them. None is one that a description gives another meaning.
const NAMES: &[&str] = &[
    "A",
    "BAT_PAGER",
    "CMD",
    "GOFLAGS",
    "HOOK",
    "MAKEFLAGS",
    "MANPAGER",
    "PYTEST_ADDOPTS",
    "SOME_THING",
    "TOOL_OPTIONS",
    "npm_config_script_shell",
];

#[test]
fn floor_command_in_variable_is_not_allowed() {
    let (judge, mut dice, mut free) = (Judge::new(), Dice::new(19), Vec::new());
    for (kind, way) in WAYS {
        for (line, _) in FLOOR {
            for value in VALUES {
                let (Some(name), Some(program)) = (dice.pick(NAMES), dice.pick(PROGRAMS)) else { continue };
                let text = way(name, &value(line).replace('\'', "\""), program);
                if *kind != "in Python" || !value(line).contains('\'') {
                    free.extend((judge.decision(&text) == "allow").then_some(text));
                }
            }
        }
    }
    assert!(free.is_empty(), "{} are allowed: {free:#?}", free.len());
}

#[test]
fn everyday_variables_are_free() {
    let judge = Judge::new();
    for text in [
        "EDITOR=vim PAGER=cat git log",
        "CC=clang CFLAGS='-O2 -g' make",
        "NODE_OPTIONS='--max-old-space-size=4096 --enable-source-maps' npm test",
        "GIT_SSH_COMMAND='ssh -i ~/.ssh/deploy -o StrictHostKeyChecking=no' git fetch",
        "MSG='never run rm -rf / here'; echo \"$MSG\"",
        "RUSTFLAGS='-C link-arg=-fuse-ld=lld' cargo build",
        "DATABASE_URL=postgres://a:b@localhost:5432/c?x=%20y ./run",
        "JAVA_OPTS='-Xmx1g -Dname=x' gradle test",
        "PYTEST_ADDOPTS='-x -k \"not slow\"' pytest",
    ] {
        assert_eq!(judge.decision(text), "allow", "{text}");
    }
}
