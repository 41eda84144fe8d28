//! What a person is shown of a change, and what is written down about it.

use std::collections::HashSet;
use std::path::Path;

use herm::edit::Change;
use herm_sandbox::changes::{Diff, diff, safe};

use super::MARK;

/// Every change, file by file, as `diff -u` would show it. Secrets are looked for in whole files: a part of a key does not look like one.
pub(super) fn text(changes: &[Change], redact: &dyn Fn(&str) -> String) -> String {
    let mut text = String::new();
    for change in changes {
        text.push_str(&one(change, redact));
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

fn one(change: &Change, redact: &dyn Fn(&str) -> String) -> String {
    let verb = match (&change.before, &change.after) {
        (_, None) => "delete",
        (None, Some(_)) => "create",
        (Some(_), Some(_)) if !change.is_one() => "leave",
        (Some(_), Some(_)) => "change",
    };
    let head = format!("{verb} {}\n", safe(Path::new(&change.path)));
    let (before, after) =
        (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
    let lengths = || format!("{} bytes before, {} after", before.len(), after.len());
    let (old, new) = match (str::from_utf8(before), str::from_utf8(after)) {
        (Ok(before), Ok(after)) => without_secrets(before, after, redact),
        // What is no text is not shown.
        _ => return format!("{head}(no text: {})\n", lengths()),
    };
    let hidden = if old == new && before != after { "(what changes is secret)\n" } else { "" };
    match diff(old.as_bytes(), new.as_bytes()) {
        Diff::Binary => format!("{head}(no text: {})\n", lengths()),
        Diff::Long => format!("{head}(too long to be compared: {})\n", lengths()),
        Diff::Text(hunks) => head + hidden + &hunks.iter().map(ToString::to_string).collect::<String>(),
    }
}

/// Both sides without their secrets. A line that is part of a secret on one side is none to be shown on the other, where what made it look like
/// one may be gone.
fn without_secrets(before: &str, after: &str, redact: &dyn Fn(&str) -> String) -> (String, String) {
    let (old, new) = (redact(before), redact(after));
    let hidden: HashSet<&str> = lost(before, &old).chain(lost(after, &new)).collect();
    let veil = |text: &str| {
        let line = |line: &str| {
            let end = if line.ends_with('\n') { "\n" } else { "" };
            if hidden.contains(line.trim()) { format!("{MARK}{end}") } else { line.to_owned() }
        };
        text.split_inclusive('\n').map(line).collect()
    };
    if hidden.is_empty() { (old, new) } else { (veil(&old), veil(&new)) }
}

/// The lines that are in a text and not in what may be seen of it.
fn lost<'a>(whole: &'a str, seen: &str) -> impl Iterator<Item = &'a str> {
    let seen: HashSet<String> = seen.lines().map(|line| line.trim().to_owned()).collect();
    whole.lines().map(str::trim).filter(move |line| !line.is_empty() && !seen.contains(*line))
}

#[cfg(test)]
mod tests {
    use herm_scan::Redactor;

    use super::*;

    fn shown(before: &str, after: &str) -> String {
        let bytes = |text: &str| Some(text.as_bytes().to_vec());
        let change = Change { path: "key.pem".to_owned(), before: bytes(before), after: bytes(after) };
        text(&[change], &|text| Redactor::default().redact(text))
    }

    fn key(name: &str) -> String {
        let line = |number: u32| format!("MIIEpAIBAAKCAQEA{number:02}q7Zf3vXo2Lk9Tn5Wm8Yb1Rc4Hd6Jg0Ps\n");
        let body: String = (10..40).map(line).collect();
        format!("first\n-----BEGIN {name}-----\n{body}-----END {name}-----\nlast\n")
    }

    #[test]
    fn a_part_of_a_key_is_not_shown() {
        let before = key(concat!("RSA PRIVATE", " KEY"));
        let changed = before.replace("EA25q7", "EA25q8");
        let beheaded = before.replacen("-----BEGIN", "-----BEGAN", 1);
        for after in [&changed, &beheaded] {
            let said = shown(&before, after);
            assert!(said.starts_with("change key.pem\n") && !said.contains("MIIE"), "{said}");
        }
        assert!(shown(&before, &changed).contains("(what changes is secret)"));
        assert!(shown(&before, &before.replace("last", "end")).contains("-last\n+end"));
    }

    #[test]
    fn what_stays_as_it_is_is_said_to() {
        assert_eq!(shown("a\n", "a\n"), "leave key.pem");
    }
}
