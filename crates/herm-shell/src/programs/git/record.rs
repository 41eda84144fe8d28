//! What goes into a repository besides files: messages, notes, names, and what a stash takes along.
//!
//! Whatever is recorded goes wherever the repository is pushed, and a later commit does not take it out again.

use crate::effect::{Flags, Target, Verb};
use crate::programs::arguments::Parsed;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// The sub-commands whose words, or whose input, are kept for good.
const RECORDS: &[&str] = &[
    "branch",
    "commit",
    "commit-tree",
    "fast-import",
    "hash-object",
    "mktag",
    "mktree",
    "notes",
    "stash",
    "tag",
];

/// Origins that recorded words should not have.
const TELLING: Provenance = Provenance::SECRET.and(Provenance::FILE);

/// Says of words with an origin worth knowing that they are recorded.
pub(super) fn words(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(command) = parsed.subcommands.first().filter(|command| RECORDS.contains(*command)) else {
        return;
    };
    let given = parsed.all.iter().map(|word| word.value.provenance);
    let input = reads_input(parsed, command).then(|| sink.stdin().provenance);
    for origin in given.chain(input).filter(|origin| origin.any(TELLING)) {
        sink.effect(Verb::Write, Target::Named("commit", (*command).to_owned()), Flags::NONE, origin);
    }
}

fn reads_input(parsed: &Parsed<'_>, command: &str) -> bool {
    let is_input = |value: &Value| value.known().is_some_and(|name| matches!(&*name, "-" | "/dev/stdin"));
    match command {
        "fast-import" | "mktag" | "mktree" => true,
        "hash-object" => parsed.has("-w") && parsed.has("--stdin"),
        _ => parsed.values("-F --file").any(is_input),
    }
}

/// `-F FILE`: what is in the file becomes a message.
pub(super) fn message_file(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for file in parsed.values("-F --file").filter(|file| file.shown() != "-") {
        sink.path(Verb::Read, file, Flags::METADATA | Flags::TRACKED);
    }
}

/// `git stash -u`, `git stash push -- FILE`: a stash is a commit like any other.
pub(super) fn stash(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let pushes = match parsed.subcommands.get(1) {
        None => parsed.operands.is_empty(),
        Some(command) => matches!(*command, "push" | "save"),
    };
    if !pushes {
        return;
    }
    let everything = parsed.has("-a --all");
    let forced = if everything { Flags::FORCE } else { Flags::NONE };
    if parsed.operands.is_empty() && (everything || parsed.has("-u --include-untracked")) {
        let whole = Flags::METADATA | Flags::TRACKED | Flags::RECURSIVE | forced;
        sink.path(Verb::Read, &Value::literal("."), whole);
    }
    let named = parsed.subcommands.get(1) == Some(&"push");
    for path in parsed.operands.iter().filter(|_| named) {
        let path = super::paths::without_magic(&path.value);
        sink.path(Verb::Read, &path, Flags::METADATA | Flags::TRACKED | forced);
    }
}
