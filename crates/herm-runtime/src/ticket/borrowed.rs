//! What a text takes from the shell that it runs in.
//!
//! A shell that goes on has variables that no program inherits. A text that reads one of them is another text in a new shell, where
//! it is empty: `rm -r "$DIR"/*` is.

use std::collections::BTreeSet;

/// Whether a text reads what only the shell may know that it was written for. What programs look up by themselves is not named in it, and they
/// find what is exported in any case.
pub(super) fn reads_shell(text: &str, asked: &BTreeSet<String>) -> bool {
    let mut names = text.split(|character: char| !is_of_name(character));
    names.any(|name| asked.contains(name) && !is_inherited(name))
        || elements(text).any(|name| !is_set(text, name))
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Whether every shell has it: exported since the login, or its own.
fn is_inherited(name: &str) -> bool {
    INHERITED.contains(&name) || name.starts_with("LC_") || name.starts_with("BASH")
}

const INHERITED: &[&str] = &[
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "HOME",
    "HOSTNAME",
    "HOSTTYPE",
    "IFS",
    "LANG",
    "LINENO",
    "LOGNAME",
    "MACHTYPE",
    "OSTYPE",
    "PATH",
    "PIPESTATUS",
    "PPID",
    "PWD",
    "RANDOM",
    "SECONDS",
    "SHELL",
    "SRANDOM",
    "TERM",
    "UID",
    "USER",
];

/// The lists whose elements a text reads. No program inherits a list, and the world is not asked for one.
fn elements(text: &str) -> impl Iterator<Item = &str> {
    text.split("${").skip(1).filter_map(|rest| {
        let rest = rest.trim_start_matches(['!', '#']);
        let (name, rest) = rest.split_at_checked(rest.find(|character| !is_of_name(character))?)?;
        (rest.starts_with('[') && !name.is_empty()).then_some(name)
    })
}

/// Whether a list is the shell's own, or named in the text other than where it is read.
fn is_set(text: &str, name: &str) -> bool {
    let is_named = |(at, _): (usize, &str)| {
        let before = text.get(..at).unwrap_or_default().trim_end_matches(['!', '#']);
        let after = text.get(at + name.len()..).unwrap_or_default();
        let is_whole = !before.ends_with(is_of_name) && !after.starts_with(is_of_name);
        is_whole && !before.ends_with("${")
    };
    is_inherited(name) || text.match_indices(name).any(is_named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_and_named_in_the_text_is_read_from_the_shell() {
        let asked = ["DIR", "GIT_DIR", "PATH"].map(str::to_owned).into();
        for text in [
            "(cd \"$DIR\" && ls)",
            "echo ${DIR:-x}",
            "echo $((DIR+1))",
            "echo \"${LIST[@]}\"",
            "echo ${#LIST[0]}",
        ] {
            assert!(reads_shell(text, &asked), "{text}");
        }
        for text in [
            "git status",
            "echo $PATH",
            "echo $DIRS",
            "LIST=(a b); echo ${LIST[0]}",
            "mapfile -t LIST < x; echo ${LIST[@]}",
            "ls | cat; echo ${PIPESTATUS[0]}",
        ] {
            assert!(!reads_shell(text, &asked), "{text}");
        }
    }
}
