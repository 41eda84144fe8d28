//! Texts that are commands by themselves, though neither the name of the tool nor their key says that they run.
//!
//! Whoever is given `rm -rf /` may be one who runs it. A question about each would be about nothing most of the time, so they only
//! count where they would be refused, which is for the engine to say. Whatever else is said in words is no command: in one, every
//! program is known.

use herm::call::Exec;
use herm_adapters::keys;
use herm_shell::Lang;
use herm_shell::gap::{Position, Reason};
use serde_json::Value;

use super::command::BREAKS;
use super::found::Found;
use super::guess::read;
use super::sql;

/// Takes a text in under a key if it is a command.
pub(super) fn text(found: &mut Found, key: &str, text: &str) {
    if text.contains(BREAKS)
        && may_run(found, key)
        && !sql::is_meant(found, key, text)
        && is_command(found, text)
    {
        found.perhaps(Exec::new(text, Lang::Shell));
    }
}

/// The same for a list that may be the words of a program.
pub(super) fn list(found: &mut Found, key: &str, items: &[Value]) {
    let words: Option<Vec<_>> = items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
    let Some(words) = words.filter(|words| words.len() > 1 && may_run(found, key)) else { return };
    let exec = Exec::program(words);
    if is_command(found, &exec.text) {
        found.perhaps(exec);
    }
}

/// Whether nothing says what is under a key, or that it is something else than what runs.
fn may_run(found: &Found, key: &str) -> bool {
    let is_said = keys::is_command(key)
        || keys::is_content(key)
        || keys::is_inert(key)
        || keys::is_link(key)
        || keys::is_prose(key) && !BARE.contains(&key.to_ascii_lowercase().as_str());
    found.asides == 0 && !is_said && !found.name.looks()
}

/// Keys that say no more than that there is a text.
const BARE: &[&str] = &["snippet", "str", "string"];

/// Whether a text is read by a shell to its end, and calls nothing but programs that are known.
fn is_command(found: &mut Found, text: &str) -> bool {
    // Most of what is no command is none from its first words on.
    known(found, beginning(text)) != Some(false) && known(found, text) == Some(true)
}

/// The first line, or as many whole words of it as a glance takes in.
fn beginning(text: &str) -> &str {
    let first = text.trim_start().lines().next().unwrap_or_default();
    let glance = first.char_indices().nth(GLANCE).and_then(|(end, _)| first.get(..end));
    glance.map_or(first, |glance| glance.rfind(' ').and_then(|end| glance.get(..end)).unwrap_or(first))
}

/// How many characters are looked at before a text is read as a whole.
const GLANCE: usize = 1024;

/// Whether all that a text calls is known; nothing where it cannot be read.
fn known(found: &mut Found, text: &str) -> Option<bool> {
    if !found.can_go_on() {
        return None;
    }
    found.spend(text.len());
    let said = read(text, Lang::Shell);
    let is_broken =
        said.gaps.iter().any(|gap| gap.position == Position::Whole && gap.reason == Reason::Syntax);
    let is_known = !said.invocations.is_empty() && said.invocations.iter().all(|call| call.described);
    (!is_broken).then_some(is_known)
}
