//! Words that must not stay in the tree.

use std::fs;

use crate::Outcome;
use crate::run::output;

/// Put together so that this file does not hold them.
const COMMENTS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("X", "XX")];
const CODE: &str = concat!("dbg", "!(");

/// Fails on the first forbidden word.
pub(crate) fn check() -> Outcome {
    for file in output("git", &["ls-files", "*.rs", "*.toml", "*.yml"])?.lines() {
        // A file may have been deleted and not yet committed.
        let Ok(text) = fs::read_to_string(file) else { continue };
        for (number, line) in text.lines().enumerate() {
            if let Some(word) = forbidden(line) {
                return Err(format!("{file}:{}: `{word}` must not stay", number + 1));
            }
        }
    }
    Ok(())
}

/// Only comments and code count: an example may well search for such a word.
fn forbidden(line: &str) -> Option<&'static str> {
    let comment = comment(line);
    let in_comment = COMMENTS
        .iter()
        .copied()
        .find(|word| comment.split(|c: char| !c.is_alphanumeric()).any(|w| w == *word));
    let in_code = line.find(CODE).is_some_and(|at| outside_text(line, at)).then_some(CODE);
    in_comment.or(in_code)
}

fn comment(line: &str) -> &str {
    let start =
        ["//", "# "].iter().filter_map(|mark| line.find(mark)).filter(|at| outside_text(line, *at)).min();
    start.and_then(|at| line.get(at..)).unwrap_or_default()
}

fn outside_text(line: &str, at: usize) -> bool {
    line.get(..at).is_some_and(|before| before.matches('"').count() % 2 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_code_count_and_texts_do_not() {
        assert!(forbidden(&format!("let x = 1; // {} later", COMMENTS[0])).is_some());
        assert!(forbidden(&format!("    {CODE}x);")).is_some());
        assert!(forbidden(&format!("    \"grep {} src\",", COMMENTS[0])).is_none());
        assert!(forbidden(&format!("    \"mktemp x.{}X\",", COMMENTS[2])).is_none());
    }
}
