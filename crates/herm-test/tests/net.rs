//! A command that is handed to a tool that nobody knows is minded, however it is handed over; a mention is not.

use herm_test::judge::Judge;
use herm_test::wrap::FLOOR;

/// A way to hand a command to a tool: the text that does it.
type Way = fn(&str) -> String;

const WAYS: &[(&str, Way)] = &[
    ("as words", |line| format!("unheard-of {line}")),
    ("as an option's value", |line| format!("unheard-of --opt '{line}'")),
    ("joined to an option", |line| format!("unheard-of --opt='{line}'")),
    ("as an operand", |line| format!("unheard-of '{line}'")),
    ("in quotes inside code", |line| format!("unheard-of --eval '(foo \"{line}\")'")),
    ("in a call inside code", |line| format!("unheard-of --eval 'foo(\"{line}\", 1)'")),
    ("behind a mark", |line| format!("unheard-of -e '!{line}'")),
    ("behind a pipe", |line| format!("unheard-of -o '|{line}'")),
    ("as a list", |line| format!("unheard-of '[{}]'", list(line))),
    ("as JSON", |line| format!("unheard-of --data '{{\"cmd\": \"{line}\"}}'")),
    ("behind a word that keeps words", |line| format!("unheard-of add {line}")),
];

const MENTIONS: &[(&str, Way)] = &[
    ("message", |line| format!("unheard-of --message '{line}'")),
    ("short message", |line| format!("unheard-of -m '{line}'")),
    ("title", |line| format!("unheard-of --title='{line}'")),
    ("commit", |line| format!("git commit -m '{line}' $FLAGS")),
    ("printed", |line| format!("unheard-of echo '{line}'")),
    ("searched for", |line| format!("unheard-of grep -rn '{line}' docs")),
];

#[test]
fn floor_command_handed_to_unknown_tool_is_not_allowed() {
    let judge = Judge::new();
    let handed = |line: &'static str| WAYS.iter().map(move |(name, way)| (*name, way(line)));
    // A word alone is a word of the tool's own: `unheard-of reboot`.
    let lines = FLOOR.iter().map(|(line, _)| *line).filter(|line| line.contains(' '));
    let free: Vec<_> = lines.flat_map(handed).filter(|(_, text)| judge.decision(text) == "allow").collect();
    assert!(free.is_empty(), "allowed: {free:#?}");
}

#[test]
fn floor_command_mentioned_to_unknown_tool_is_free() {
    let judge = Judge::new();
    let mentioned = |line: &'static str| MENTIONS.iter().map(move |(name, way)| (*name, way(line)));
    let lines = FLOOR.iter().map(|(line, _)| *line).filter(|line| line.contains(' '));
    let minded: Vec<_> =
        lines.flat_map(mentioned).filter(|(_, text)| judge.decision(text) != "allow").collect();
    assert!(minded.is_empty(), "minded: {minded:#?}");
}

fn list(line: &str) -> String {
    let quoted: Vec<_> = line.split(' ').map(|word| format!("\"{word}\"")).collect();
    quoted.join(",")
}
