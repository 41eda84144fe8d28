//! What became of tries that were cut short, as people and programs are told.

use std::path::Path;

use herm_sandbox::changes::{Error, Left, Recovered, Recovery, Tries, safe};
use serde_json::{Value, json};

/// What became of each, by its receipt.
pub type Answers = Vec<(String, Result<Recovery, Error>)>;

/// How many paths a person is told.
const MOST: usize = 20;

/// Sees to everything that was cut short. What is done with is cleared away at once: files that went back to the workspace have
/// a second name there until then.
pub(super) fn put_right(tries: &Tries) -> Result<Answers, Error> {
    let answers = tries.recover(&mut || ())?;
    // What cannot be cleared away now is the next time.
    let _ = tries.clear();
    Ok(answers)
}

/// What was put right in passing.
pub(super) fn heard(tries: &Tries) -> Answers {
    tries.heard().into_iter().map(|recovery| (recovery.id.clone(), Ok(recovery))).collect()
}

/// Says it line by line.
#[must_use]
pub fn told(answers: &Answers) -> Vec<String> {
    answers.iter().flat_map(|(id, answer)| one(id, answer)).collect()
}

fn one(id: &str, answer: &Result<Recovery, Error>) -> Vec<String> {
    let recovery = match answer {
        Ok(recovery) => recovery,
        Err(error) => {
            let hint = format!("`herm undo --give-up {id}` gives it up; the workspace stays as it is then");
            return vec![format!("the try {id} was cut short, and cannot be put right: {error}"), hint];
        }
    };
    let what = match recovery.outcome {
        Recovered::RolledBack => {
            format!("keeping what the try {id} changed was cut short; none of it is kept")
        }
        Recovered::Undone => format!("taking the try {id} back was cut short; it is taken back now"),
    };
    let so = if recovery.left.is_empty() { "" } else { ", but for what somebody has changed since" };
    let line = format!("{what}. `{}` is as it was before{so}", safe(&recovery.workspace));
    std::iter::once(line).chain(left(&recovery.left)).collect()
}

/// A line for each path that was left to whoever changed it.
#[must_use]
pub fn left(left: &[Left]) -> Vec<String> {
    let mut lines: Vec<_> = left.iter().take(MOST).map(one_left).collect();
    let more = left.len().saturating_sub(MOST);
    if more > 0 {
        let place = left.iter().skip(MOST).find_map(saved_in);
        let place = place.map(|place| format!("; what stood there before is in `{}`", safe(place)));
        lines.push(format!("  … and {more} more{}", place.unwrap_or_default()));
    }
    lines
}

/// The directory that holds all originals by their paths.
fn saved_in(left: &Left) -> Option<&Path> {
    left.original.as_deref()?.ancestors().nth(left.path.iter().count())
}

fn one_left(left: &Left) -> String {
    let path = safe(&left.path);
    match &left.original {
        Some(original) => {
            format!("  `{path}` is left as it is now; what stood there before is `{}`", safe(original))
        }
        None => format!("  `{path}` is left as it is now"),
    }
}

/// All of it, for programs.
#[must_use]
pub fn to_json(answers: &Answers) -> Value {
    let answers = answers.iter().map(|(id, answer)| match answer {
        Ok(recovery) => json!({
            "try": id,
            "workspace": safe(&recovery.workspace),
            "outcome": match recovery.outcome {
                Recovered::RolledBack => "rolled-back",
                Recovered::Undone => "undone",
            },
            "left": left_json(&recovery.left),
            "error": null,
        }),
        Err(error) => json!({
            "try": id, "workspace": null, "outcome": "failed", "left": [], "error": error.to_string(),
        }),
    });
    answers.collect()
}

/// The paths that were left, and where their originals are.
#[must_use]
pub fn left_json(left: &[Left]) -> Value {
    let left = left
        .iter()
        .map(|left| json!({ "path": safe(&left.path), "original": left.original.as_deref().map(safe) }));
    left.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_paths_are_counted_and_where_their_originals_are_is_told_once() {
        let one = |number: usize| {
            let path = format!("d/f{number}");
            Left { original: Some(format!("/home/rescued/t/{path}").into()), path: path.into() }
        };
        let lines = left(&(0..23).map(one).collect::<Vec<_>>());
        assert_eq!(lines.len(), 21);
        assert_eq!(
            lines[0],
            "  `d/f0` is left as it is now; what stood there before is `/home/rescued/t/d/f0`"
        );
        assert_eq!(lines[20], "  … and 3 more; what stood there before is in `/home/rescued/t`");
    }

    #[test]
    fn names_are_harmless() {
        let hostile = Left { path: "a\u{1b}[2J".into(), original: None };
        assert_eq!(left(&[hostile]), ["  `a\\u{1b}[2J` is left as it is now"]);
    }
}
