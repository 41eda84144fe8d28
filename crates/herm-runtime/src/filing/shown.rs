//! What a person is shown of a change.

use std::path::Path;

use herm::edit::Change;
use herm_sandbox::changes::{Diff, diff, safe};

/// Every change, file by file, as `diff -u` would show it.
pub(super) fn text(changes: &[Change]) -> String {
    let mut text = String::new();
    for change in changes {
        text.push_str(&one(change));
        if text.len() > LONGEST {
            let end = text.floor_char_boundary(LONGEST);
            text.truncate(end);
            text.push_str("\n… the rest is too long to be shown\n");
            break;
        }
    }
    text.trim_end().to_owned()
}

/// The most that is shown.
const LONGEST: usize = 256 << 10;

fn one(change: &Change) -> String {
    let verb = match (&change.before, &change.after) {
        (_, None) => "delete",
        (None, Some(_)) => "create",
        (Some(_), Some(_)) => "change",
    };
    let head = format!("{verb} {}\n", safe(Path::new(&change.path)));
    let (before, after) =
        (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
    let lengths = || format!("{} bytes before, {} after", before.len(), after.len());
    match diff(before, after) {
        Diff::Binary => format!("{head}(no text: {})\n", lengths()),
        Diff::Long => format!("{head}(too long to be compared: {})\n", lengths()),
        Diff::Text(hunks) => head + &hunks.iter().map(ToString::to_string).collect::<String>(),
    }
}
