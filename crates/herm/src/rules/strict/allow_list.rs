//! What runs unasked in the strict preset.

use herm_shell::analysis::Invocation;
use herm_shell::{Flags, Verb};

use super::plain;
use crate::facts::Facts;

/// Whether an invocation is on the list, and does nothing that its line on the list does not stand for.
pub(super) fn listed(facts: &Facts, at: usize, run: &Invocation) -> bool {
    let (Some(words), true) = (literal(run), usual(run)) else { return false };
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let name = plain(run);
    LIST.iter().any(|line| line.name == name && line.arguments.fit(&words) && line.kind.holds(facts, at))
}

/// A line of the list.
struct Line {
    name: &'static str,
    arguments: Arguments,
    kind: Kind,
}

/// Which arguments a line stands for.
enum Arguments {
    /// Whatever they are.
    Any,
    /// These, then whatever.
    Begin(&'static [&'static str]),
    /// Just these.
    Only(&'static [&'static str]),
    /// One operand.
    Single,
}

/// What the command may do and still be what the line means.
enum Kind {
    /// Runs a tool of the project, whose script is judged by itself.
    Build,
    /// Looks at things.
    Look,
}

impl Arguments {
    fn fit(&self, words: &[&str]) -> bool {
        match self {
            Self::Any => true,
            Self::Begin(expected) => words.starts_with(expected),
            Self::Only(expected) => words == *expected,
            Self::Single => matches!(words, [word] if !word.starts_with('-')),
        }
    }
}

impl Kind {
    fn holds(&self, facts: &Facts, at: usize) -> bool {
        match self {
            Self::Build => true,
            Self::Look => facts
                .effects()
                .filter(|effect| effect.invocation == at)
                .all(|effect| effect.verb == Verb::Read || effect.flags.has(Flags::DRY_RUN)),
        }
    }
}

/// The arguments, when all of them are known or are plain patterns.
fn literal(run: &Invocation) -> Option<Vec<String>> {
    run.arguments.iter().map(|argument| (!argument.has_hole()).then(|| argument.shown())).collect()
}

/// A program of that name in a directory of the project is another program, and so is one with a changed environment.
fn usual(run: &Invocation) -> bool {
    let searched = !run.called.contains(['/', '\\']);
    let system =
        ["/bin/", "/usr/bin/", "/usr/local/bin/"].iter().any(|directory| run.called.starts_with(directory));
    (searched || system) && run.environment.is_empty()
}

const fn look(name: &'static str, arguments: Arguments) -> Line {
    Line { name, arguments, kind: Kind::Look }
}

const fn build(name: &'static str, words: &'static [&'static str]) -> Line {
    Line { name, arguments: Arguments::Begin(words), kind: Kind::Build }
}

const VERSION: Arguments = Arguments::Only(&["--version"]);

static LIST: &[Line] = &[
    look("git", Arguments::Begin(&["status"])),
    look("git", Arguments::Begin(&["diff"])),
    look("git", Arguments::Begin(&["log"])),
    look("git", Arguments::Begin(&["branch"])),
    look("git", Arguments::Begin(&["show"])),
    look("rg", Arguments::Any),
    build("npm", &["run", "lint"]),
    build("npm", &["run", "typecheck"]),
    build("npm", &["run", "build"]),
    build("npm", &["run", "test"]),
    build("npm", &["test"]),
    look("npm", Arguments::Begin(&["ls"])),
    Line { name: "npx", arguments: Arguments::Only(&["tsc", "--noEmit"]), kind: Kind::Build },
    build("npx", &["next", "lint"]),
    build("npx", &["prisma", "validate"]),
    build("npx", &["prisma", "generate"]),
    look("ls", Arguments::Any),
    look("dir", Arguments::Any),
    look("pwd", Arguments::Any),
    look("cat", Arguments::Single),
    look("type", Arguments::Single),
    look("get-content", Arguments::Single),
    look("node", VERSION),
    look("npm", VERSION),
    look("npx", VERSION),
    look("python", VERSION),
    look("python3", VERSION),
    look("tsc", VERSION),
    look("next", VERSION),
    look("prisma", VERSION),
];
