//! What in a value that nobody described looks like a command, a file or a link.

use serde_json::{Map, Value};

use crate::LONGEST;
use crate::event::{Dialect, Use};
use crate::keys::{self, plain};
use crate::patch;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Gleaned {
    pub(super) commands: Vec<Use>,
    pub(super) paths: Vec<Use>,
    pub(super) links: Vec<Use>,
    /// Whether there is a command besides what its kind would have.
    pub(super) is_partial: bool,
    /// Whether there is a command that nobody can put together, or a text of which nobody knows what it is for beside what is known.
    pub(super) is_unclear: bool,
    /// Whether there is more than was looked at.
    pub(super) is_cut: bool,
    /// How many bytes were copied out of what it is given.
    copied: usize,
}

/// The most bytes that are copied, twice of what can be said at once: a directory or arguments that many commands share are copied for
/// each of them.
const ROOM: usize = 2 * LONGEST;

impl Gleaned {
    /// Whether there is room for something of this size. What there is none for was not looked at.
    fn has_room(&mut self, size: usize) -> bool {
        let copied = self.copied.saturating_add(size);
        self.is_cut |= copied > ROOM;
        if copied <= ROOM {
            self.copied = copied;
        }
        copied <= ROOM
    }

    /// Takes a command in, with what stands beside it.
    fn command(&mut self, text: &str, beside: &Beside<'_>) {
        for rest in &beside.spelled {
            if self.has_room(text.len() + rest.len() + beside.size()) {
                self.commands.push(beside.shell(&format!("{text} {rest}")));
            }
        }
        if !beside.words.is_empty() {
            if self.has_room(text.len() + beside.length + beside.size()) {
                let words = std::iter::once(text).chain(beside.words.iter().copied());
                self.commands.push(beside.program(words.map(str::to_owned).collect()));
            }
        } else if beside.spelled.is_empty() && self.has_room(text.len() + beside.size()) {
            self.commands.push(beside.shell(text));
        }
    }

    pub(super) fn uses(self) -> impl Iterator<Item = Use> {
        self.commands.into_iter().chain(self.paths).chain(self.links)
    }
}

/// Looks at every field, however deep: how deep a value is was bounded when it was read.
pub(super) fn from(input: &Value, changes: bool) -> Gleaned {
    let mut found = Gleaned::default();
    glean(input, changes || carries_content(input), &mut found);
    let is_known = !(found.commands.is_empty() && found.paths.is_empty() && found.links.is_empty());
    found.is_unclear |= is_known && has_strange_text(input);
    found.is_partial = !found.commands.is_empty() || found.is_unclear;
    found
}

const DIRECTORIES: &[&str] = &["cwd", "directory", "dirpath", "workdir", "workingdirectory"];
const PATHS: &[&str] = &[
    "absolutepath",
    "abspath",
    "destination",
    "file",
    "filename",
    "filepath",
    "filepaths",
    "files",
    "newpath",
    "notebookpath",
    "oldpath",
    "path",
    "paths",
    "source",
    "target",
    "targetfile",
];
const LINKS: &[&str] = &["link", "uri", "url", "urls"];
const PATCHES: &[&str] = &["diff", "patch", "patchtext", "unifieddiff"];
const CONTENTS: &[&str] = &[
    "content",
    "contents",
    "diff",
    "filetext",
    "newcontent",
    "newstr",
    "newstring",
    "newtext",
    "oldstr",
    "oldstring",
    "patch",
    "patchtext",
    "unifieddiff",
];

fn glean(value: &Value, changes: bool, found: &mut Gleaned) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| glean(item, changes, found)),
        Value::Object(fields) => {
            let beside = Beside::of(fields);
            for (key, field) in fields {
                field_of(key, field, &beside, changes, found);
                glean(field, changes, found);
            }
        }
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => {}
    }
}

/// What stands beside a command, looked for once for all of them.
#[derive(Default)]
struct Beside<'a> {
    cwd: Option<&'a str>,
    /// The arguments of a program, word by word, and how long they are together.
    words: Vec<&'a str>,
    length: usize,
    /// Arguments that are written as one text.
    spelled: Vec<&'a str>,
}

impl<'a> Beside<'a> {
    fn of(fields: &'a Map<String, Value>) -> Self {
        let mut beside = Self::default();
        for (key, field) in fields {
            if is_one_of(key, DIRECTORIES) {
                beside.cwd = beside.cwd.or(field.as_str());
            } else if keys::is_arguments(key) && !keys::is_command(key) || key == "argv" {
                beside.spelled.extend(field.as_str());
                if let Some((words, length)) = words(field) {
                    beside.words.extend(words.iter().filter_map(Value::as_str));
                    beside.length += length;
                }
            }
        }
        beside
    }

    /// Without arguments.
    fn alone(&self) -> Self {
        Self { cwd: self.cwd, ..Self::default() }
    }

    fn size(&self) -> usize {
        self.cwd.map_or(0, str::len) + EACH
    }

    fn shell(&self, text: &str) -> Use {
        Use::Command { text: text.to_owned(), dialect: Dialect::Shell, cwd: self.cwd.map(str::to_owned) }
    }

    fn program(&self, words: Vec<String>) -> Use {
        Use::Program { words, cwd: self.cwd.map(str::to_owned) }
    }
}

/// What each text takes besides its bytes, about.
const EACH: usize = 32;

fn field_of(key: &str, field: &Value, beside: &Beside<'_>, changes: bool, found: &mut Gleaned) {
    let file: fn(String) -> Use = if changes { Use::Write } else { Use::Read };
    if keys::is_command(key) {
        run(key, field, beside, found);
    }
    if is_one_of(key, PATHS) {
        found.paths.extend(texts(field).map(|text| file(text.to_owned())));
    } else if is_one_of(key, LINKS) {
        found.links.extend(texts(field).map(|text| Use::Fetch(text.to_owned())));
    } else if is_one_of(key, PATCHES) {
        let named = texts(field).filter_map(patch::paths).flatten();
        found.paths.extend(named.map(Use::Write));
    }
}

/// A text for a shell, the words of a program, or a program beside its arguments.
fn run(key: &str, field: &Value, beside: &Beside<'_>, found: &mut Gleaned) {
    match field {
        Value::String(text) if !text.trim().is_empty() => found.command(text, beside),
        Value::Array(_) if plain(key) == "commands" => {
            let before = found.commands.len();
            for text in texts(field) {
                found.command(text, &beside.alone());
            }
            found.is_unclear |= found.commands.len() == before;
        }
        Value::Array(_) => match words(field) {
            Some((words, size)) if found.has_room(size + beside.size()) => {
                let words = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
                found.commands.push(beside.program(words));
            }
            Some(_) | None => found.is_unclear = true,
        },
        Value::Object(_) => found.is_unclear = true,
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => {}
    }
}

/// Texts that only describe, or that are looked for.
const INERT: &[&str] = &[
    "agent",
    "callid",
    "description",
    "encoding",
    "explanation",
    "glob",
    "id",
    "justification",
    "kind",
    "lang",
    "language",
    "mode",
    "name",
    "pattern",
    "processid",
    "prompt",
    "query",
    "reason",
    "regex",
    "server",
    "sessionid",
    "source",
    "thought",
    "title",
    "tool",
    "toolcallid",
    "turnid",
    "type",
];

/// Whether there is a text of which nobody knows what it is for.
fn has_strange_text(value: &Value) -> bool {
    let is_known = |key: &str| {
        keys::is_command(key)
            || keys::is_arguments(key)
            || [DIRECTORIES, PATHS, LINKS, PATCHES, CONTENTS, INERT].iter().any(|known| is_one_of(key, known))
    };
    let is_text = |field: &Value| field.as_str().is_some_and(|text| !text.trim().is_empty());
    match value {
        Value::Array(items) => items.iter().any(has_strange_text),
        Value::Object(fields) => fields.iter().any(|(key, field)| {
            let items = field.as_array().map_or_else(|| std::slice::from_ref(field), Vec::as_slice);
            !is_known(key) && items.iter().any(is_text) || has_strange_text(field)
        }),
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether what a tool is given has the content of a file in it.
fn carries_content(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(carries_content),
        Value::Object(fields) => fields
            .iter()
            .any(|(key, field)| is_one_of(key, CONTENTS) && field.is_string() || carries_content(field)),
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}

/// A list of nothing but texts, and how long they are together.
fn words(value: &Value) -> Option<(&[Value], usize)> {
    let words = value.as_array().filter(|words| !words.is_empty())?;
    let sizes = words.iter().map(|word| word.as_str().map(|word| word.len() + EACH));
    Some((words, sizes.sum::<Option<usize>>()?))
}

/// A text, or those in a list.
fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let items = value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
    items.iter().filter_map(Value::as_str).filter(|text| !text.is_empty())
}

/// Whether a key is one of these, however agents join its words.
fn is_one_of(key: &str, known: &[&str]) -> bool {
    known.contains(&plain(key).as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// An object in which many commands share a directory and arguments.
    fn shared(commands: usize, directory: usize, arguments: usize) -> Value {
        let mut fields: Map<String, Value> =
            (0..commands).map(|number| (format!("command_{number}"), json!("ls"))).collect();
        fields.insert("cwd".to_owned(), json!("/".repeat(directory)));
        if arguments > 0 {
            fields.insert("args".to_owned(), json!(vec!["a"; arguments]));
        }
        Value::Object(fields)
    }

    #[test]
    fn what_many_commands_share_is_not_copied_without_end() {
        for input in [shared(50_000, 1 << 20, 0), shared(50_000, 1, 50_000)] {
            let found = from(&input, false);
            assert!(found.is_cut && found.copied <= ROOM, "{}", found.copied);
            assert!(found.commands.len() < 50_000 && !found.commands.is_empty());
        }
        let few = from(&shared(10, 100, 100), false);
        assert!(!few.is_cut && few.commands.len() == 10);
    }

    #[test]
    fn what_is_copied_grows_with_what_is_given() {
        let copied = |count: usize| from(&json!({"commands": vec!["make all"; count]}), false).copied;
        assert_eq!(copied(10_000), 10 * copied(1000));
        assert!(!from(&json!({"commands": vec!["make all"; 10_000]}), false).is_cut);
    }
}
