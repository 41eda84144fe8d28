//! Files in what a tool is given.

use herm_adapters::keys;
use herm_shell::gap::Reason;

use super::found::Found;
use super::link::{bare, scheme};

/// Finds the file that a text names: where it begins like one, or where files are given, whatever else is in it.
pub(super) fn find(found: &mut Found, key: &str, text: &str) {
    let plain = bare(text);
    let lower = plain.to_ascii_lowercase();
    let is_web = matches!(scheme(&lower), Some(("http" | "https", _)));
    let is_meant = keys::is_place(key) && (!is_web || climbs(text));
    let is_named = is_meant || begins(&lower) && !is_read_by_people(key, text);
    if !is_named || plain.is_empty() {
        return;
    }
    if text.len() >= LONGEST {
        found.unread(Reason::Size);
    }
    found.path(text);
    // Some leave out what cannot be seen.
    if plain != text.trim() {
        found.path(&plain);
    }
}

/// As much as Linux takes for a path. Whoever shortens one first takes more.
const LONGEST: usize = 4096;

/// Whether a text begins like a path.
fn begins(lower: &str) -> bool {
    let is_drive = lower.starts_with(|c: char| c.is_ascii_alphabetic())
        && [":/", ":\\"].iter().any(|root| lower.get(1..).is_some_and(|rest| rest.starts_with(root)));
    is_drive || BEGINNINGS.iter().any(|start| lower.starts_with(start))
}

const BEGINNINGS: &[&str] = &["/", "\\", "~", ".", "file:", "$home", "${home}", "%userprofile%"];

/// Whether a text is one that people read, and that is no path although it begins like one: a comment, or rules of style.
fn is_read_by_people(key: &str, text: &str) -> bool {
    let is_long = text.len() >= LONGEST || text.trim_end().contains('\n');
    is_long && keys::is_prose(key) && !climbs(text)
}

/// Whether there is a step upwards in it.
fn climbs(text: &str) -> bool {
    text.split(['/', '\\']).any(|part| part.trim() == "..")
}
