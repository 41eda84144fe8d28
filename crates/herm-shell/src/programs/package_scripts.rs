//! The scripts that a project's manifest names: `package.json`, `composer.json`.

use super::kinds::hook;
use crate::effect::Flags;
use crate::sink::Sink;
use crate::value::Value;

/// Runs the scripts of these names, those that the manifest has.
pub(super) fn run(manifest: &str, names: &[String], sink: &mut dyn Sink) {
    let Some(text) = sink.shown(&Value::literal(manifest)) else { return };
    for name in names {
        for command in commands(&text, name) {
            hook(&Value::literal(command), Flags::NONE, sink);
        }
    }
}

/// The names under which a script and what runs around it stand.
pub(super) fn around(name: &str) -> Vec<String> {
    vec![format!("pre{name}"), name.to_owned(), format!("post{name}")]
}

/// The commands of one script: a string, or a list of strings.
///
/// This is no JSON reader: it finds the key in the `scripts` object and takes the strings up to the next key. What is
/// not JSON gives nothing.
fn commands(text: &str, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let Some((_, scripts)) = text.split_once("\"scripts\"") else { return found };
    let mut reader = Strings { rest: scripts };
    while let Some((key, after)) = reader.next_string() {
        if key != name || after != Some(':') {
            continue;
        }
        while let Some((command, after)) = reader.next_string() {
            if after == Some(':') {
                break;
            }
            found.push(command);
            if after != Some(',') || !reader.in_list() {
                break;
            }
        }
        break;
    }
    found
}

struct Strings<'a> {
    rest: &'a str,
}

impl Strings<'_> {
    /// The next string and the first mark after it.
    fn next_string(&mut self) -> Option<(String, Option<char>)> {
        let (_, start) = self.rest.split_once('"')?;
        let mut text = String::new();
        let mut letters = start.char_indices();
        let end = loop {
            match letters.next()? {
                (_, '\\') => text.push(unescape(letters.next()?.1)),
                (place, '"') => break place,
                (_, letter) => text.push(letter),
            }
        };
        self.rest = start.get(end + 1..)?;
        Some((text, self.rest.trim_start().chars().next()))
    }

    /// Whether the strings that follow up to the next bracket are without keys.
    fn in_list(&self) -> bool {
        let close = self.rest.find(']');
        close.is_some_and(|close| self.rest.get(..close).is_some_and(|between| !between.contains([':', '{'])))
    }
}

fn unescape(letter: char) -> char {
    match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_found_and_unescaped() {
        let text = r#"{"name": "x", "scripts": {"build": "tsc", "x": "rm -rf \"$HOME\""}}"#;
        assert_eq!(commands(text, "x"), ["rm -rf \"$HOME\""]);
        assert_eq!(commands(text, "build"), ["tsc"]);
        assert!(commands(text, "test").is_empty());
        assert!(commands("not json", "x").is_empty());
        assert!(commands(r#"{"scripts": {"x": "unfinished"#, "x").is_empty());
    }

    #[test]
    fn lists_give_every_command() {
        let text = r#"{"scripts":{"x":["one","two"],"y":"three"}}"#;
        assert_eq!(commands(text, "x"), ["one", "two"]);
        assert_eq!(commands(text, "y"), ["three"]);
    }
}
