//! What in a value that nobody described looks like a command, a file or a link.

use serde_json::{Map, Value};

use crate::event::{Dialect, Use};
use crate::patch;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Gleaned {
    pub(super) commands: Vec<Use>,
    pub(super) paths: Vec<Use>,
    pub(super) links: Vec<Use>,
    /// Whether there is a command besides what its kind would have.
    pub(super) is_partial: bool,
}

impl Gleaned {
    pub(super) fn uses(self) -> impl Iterator<Item = Use> {
        self.commands.into_iter().chain(self.paths).chain(self.links)
    }
}

/// Looks at every field, however deep: how deep a value is was bounded when it was read.
pub(super) fn from(input: &Value, changes: bool) -> Gleaned {
    let mut found = Gleaned::default();
    glean(input, changes || carries_content(input), &mut found);
    found.is_partial = !found.commands.is_empty();
    found
}

const COMMANDS: &[&str] = &["bash", "cmd", "command", "commandline", "commands", "script", "shell"];
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
            let place = |(key, field): (&String, &Value)| {
                is_one_of(key, DIRECTORIES).then(|| field.as_str().map(str::to_owned)).flatten()
            };
            let cwd = fields.iter().find_map(place);
            for (key, field) in fields {
                field_of(key, field, fields, (cwd.as_deref(), changes), found);
                glean(field, changes, found);
            }
        }
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => {}
    }
}

fn field_of(
    key: &str,
    field: &Value,
    beside: &Map<String, Value>,
    (cwd, changes): (Option<&str>, bool),
    found: &mut Gleaned,
) {
    let file: fn(String) -> Use = if changes { Use::Write } else { Use::Read };
    if is_one_of(key, COMMANDS) {
        found.commands.extend(run(key, field, beside, cwd));
    } else if is_one_of(key, PATHS) {
        found.paths.extend(texts(field).into_iter().map(file));
    } else if is_one_of(key, LINKS) {
        found.links.extend(texts(field).into_iter().map(Use::Fetch));
    } else if is_one_of(key, PATCHES) {
        let named = texts(field).iter().filter_map(|text| patch::paths(text)).flatten().collect::<Vec<_>>();
        found.paths.extend(named.into_iter().map(Use::Write));
    }
}

/// A text for a shell, the words of a program, or a program beside its arguments.
fn run(key: &str, field: &Value, beside: &Map<String, Value>, cwd: Option<&str>) -> Vec<Use> {
    let cwd = || cwd.map(str::to_owned);
    let shell = |text: String| Use::Command { text, dialect: Dialect::Shell, cwd: cwd() };
    let program = |words: Vec<String>| Use::Program { words, cwd: cwd() };
    match field {
        Value::String(text) if !text.trim().is_empty() => {
            let arguments = ["args", "arguments", "argv"].iter().find_map(|key| words(beside.get(*key)?));
            match arguments {
                Some(rest) => vec![program(std::iter::once(text.clone()).chain(rest).collect())],
                None => vec![shell(text.clone())],
            }
        }
        Value::Array(_) if plain(key) == "commands" => texts(field).into_iter().map(shell).collect(),
        Value::Array(_) => words(field).map(program).into_iter().collect(),
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::Object(_) | Value::String(_) => Vec::new(),
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

fn words(value: &Value) -> Option<Vec<String>> {
    let words = value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned));
    words.collect::<Option<Vec<_>>>().filter(|words| !words.is_empty())
}

/// A text, or those in a list.
fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
    items.iter().filter_map(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

/// Whether a key is one of these, however agents join its words.
fn is_one_of(key: &str, known: &[&str]) -> bool {
    known.contains(&plain(key).as_str())
}

fn plain(key: &str) -> String {
    key.chars().filter(|c| *c != '_' && *c != '-').flat_map(char::to_lowercase).collect()
}
