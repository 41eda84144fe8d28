//! Names that settings give to commands of git: `git config alias.st 'status -s'`, `git -c alias.x='!…' x`.

use crate::gap::{Position, Reason};
use crate::programs::arguments::Parsed;
use crate::sink::Sink;
use crate::value::Value;

/// Remembers `alias.NAME` as a setting that stays.
pub(super) fn stored(key: &str, value: &Value, sink: &mut dyn Sink) {
    if let Some(name) = named(key) {
        define(&name, value, sink);
    }
}

/// Runs the alias that a command line calls, with the settings for this command and those that the text has made before.
pub(super) fn called(parsed: &Parsed<'_>, settings: &[(String, Value)], sink: &mut dyn Sink) {
    let Some(word) = parsed.word(0).filter(|_| parsed.subcommands.is_empty() && !parsed.stopped) else {
        return;
    };
    let own: Vec<(String, &Value)> =
        settings.iter().filter_map(|(key, value)| Some((named(key)?, value))).collect();
    let name = word.to_lowercase();
    if let Some((_, value)) = own.iter().rfind(|(one, value)| *one == name && value.known().is_none()) {
        sink.gap(Position::Code, Reason::Runtime, &value.shown());
    }
    for (name, value) in &own {
        define(name, value, sink);
    }
    let at = parsed.all.iter().position(|argument| argument.value.known().is_some_and(|text| *text == word));
    let behind = parsed.all.iter().skip(at.map_or(parsed.all.len(), |at| at + 1));
    let arguments: Vec<Value> = behind.map(|argument| argument.value.clone()).collect();
    let _ = sink.call_shortcut(&entry(&name), &arguments);
    for (name, _) in &own {
        sink.shortcut(&entry(name), None, false);
    }
}

fn define(name: &str, value: &Value, sink: &mut dyn Sink) {
    let Some(text) = value.known() else { return };
    match text.trim_start().strip_prefix('!') {
        Some(code) => sink.shortcut(&entry(name), Some(code), true),
        None => sink.shortcut(&entry(name), Some(&format!("git {text}")), false),
    }
}

/// The name that a key gives to a command. Case does not count.
fn named(key: &str) -> Option<String> {
    let key = key.to_lowercase();
    let name = key.strip_prefix("alias.")?;
    let name = name.strip_suffix(".command").unwrap_or(name);
    (!name.is_empty()).then(|| name.to_owned())
}

fn entry(name: &str) -> String {
    format!("git {name}")
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn names_of_aliases_are_told_from_other_settings() {
        assert_eq!(named("alias.st").as_deref(), Some("st"));
        assert_eq!(named("Alias.Ship").as_deref(), Some("ship"));
        assert_eq!(named("alias.ship.command").as_deref(), Some("ship"));
        assert_eq!(named("user.alias"), None);
        assert_eq!(named("alias."), None);
    }
}
