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
    ("on standard input", |line| format!("echo '{line}' | unheard-of --read")),
    ("in a here-string", |line| format!("unheard-of <<< '{line}'")),
    ("in a file", |line| format!("echo '{line}' > x.conf; unheard-of x.conf")),
    ("behind a long option with one dash", |line| format!("emacs -batch -eval '(shell-command \"{line}\")'")),
    ("in the place of a file", |line| format!("psql -o '|{line}'")),
    ("in a sub-command that is not described", |line| format!("dart eval 'run(\"{line}\")'")),
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

/// A word alone that stands in a call by which things are started is a command.
#[test]
fn floor_word_in_a_starting_call_is_not_allowed() {
    let judge = Judge::new();
    for call in ["system(\"reboot\")", "os.exec('reboot')", "(shell-command \"reboot\")", "x = `reboot`"] {
        let text = format!("unheard-of --eval {}", herm_test::wrap::quote(call));
        assert_ne!(judge.decision(&text), "allow", "{text}");
    }
}

/// Code with a part that is not known is minded wherever the part stands in the options of a floor command.
#[test]
fn code_with_a_hole_in_an_option_is_not_allowed() {
    let judge = Judge::new();
    for code in ["rm -r$(cat u)x", "rm -r$(cat u)", "rm -rf$(cat u) /", "$X -rf /", "$X rm -rf /"] {
        for text in [format!("eval \"{code}\""), format!("sh -c \"{code}\"")] {
            assert_ne!(judge.decision(&text), "allow", "{text}");
        }
    }
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
