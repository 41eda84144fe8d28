//! How a command leaves a directory that is gone.

use std::path::PathBuf;

use herm_shell::ast::{Part, Pipeline, Word};
use herm_shell::fuel::Fuel;
use herm_shell::reader;

use super::definition::words;

/// Where a text goes before it does anything else: `cd /somewhere`, written out. From there, the same step leads nowhere else.
pub(super) fn destination(text: &str) -> Option<PathBuf> {
    let reading = reader::read(text, &Fuel::new(WORK));
    let item = reading.list.items.first().filter(|item| !item.background)?;
    let (_, Pipeline { commands, negated: false, timed: false, .. }) = item.pipelines.first()? else {
        return None;
    };
    let [command] = commands.as_slice() else { return None };
    if !reading.problems.is_empty() || !command.redirects.is_empty() {
        return None;
    }
    let words: Option<Vec<_>> = words(command)?.iter().map(literal).collect();
    let words = words?;
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["cd", path] | ["cd", "--", path] if path.starts_with('/') => Some(PathBuf::from(path)),
        _ => None,
    }
}

/// What a word says to which nothing happens.
fn literal(word: &Word) -> Option<String> {
    word.parts.iter().map(said).collect()
}

fn said(part: &Part) -> Option<String> {
    match part {
        Part::Bare(text)
            if text.chars().all(|letter| letter.is_alphanumeric() || "%+,-./:=@_".contains(letter)) =>
        {
            Some(text.clone())
        }
        Part::Quoted(text) => Some(text.clone()),
        Part::DoubleQuoted(parts) => parts.iter().map(said).collect(),
        Part::Arithmetic(_) | Part::Bare(_) | Part::Command(..) | Part::Parameter(_) | Part::Process(..) => {
            None
        }
    }
}

/// How much reading it may take.
const WORK: u32 = 2_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_goes_somewhere_first_is_a_departure() {
        for (text, path) in [
            ("cd /a/b", "/a/b"),
            ("cd -- /a", "/a"),
            ("cd /a && make", "/a"),
            ("cd /a; rm -r x", "/a"),
            ("cd /a\nls", "/a"),
            ("# back\n  cd '/with blank'\"/and more\" || exit", "/with blank/and more"),
            (r"cd /a\ b", "/a b"),
        ] {
            assert_eq!(destination(text), Some(PathBuf::from(path)), "{text}");
        }
        for text in [
            "",
            "ls",
            "cd",
            "cd ..",
            "cd a",
            "cd -",
            "cd ~",
            "cd $HOME",
            "cd \"/$x\"",
            "cd /a*",
            "cd /{a,b}",
            "cd /a b",
            "cd /a &",
            "cd /a | cat",
            "! cd /a",
            "x=1 cd /a",
            "cd /a > log",
            "(cd /a)",
            "ls; cd /a",
            "if cd /a; then ls; fi",
            "command cd /a",
            "cd /a && (",
        ] {
            assert_eq!(destination(text), None, "{text}");
        }
    }
}
