//! What in a value that nobody described looks like a command, a file or a link.

use serde_json::{Map, Value};

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
    if keys::is_command(key) {
        let runs = run(key, field, beside, cwd);
        found.is_unclear |= runs.is_empty() && (field.is_array() || field.is_object());
        found.commands.extend(runs);
    }
    if is_one_of(key, PATHS) {
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
            let is_argument = |key: &str| keys::is_arguments(key) && !keys::is_command(key) || key == "argv";
            let arguments: Vec<_> = beside.iter().filter(|(key, _)| is_argument(key)).collect();
            let rest: Vec<String> =
                arguments.iter().filter_map(|(_, field)| words(field)).flatten().collect();
            let spelled = arguments.iter().filter_map(|(_, field)| field.as_str());
            let mut runs: Vec<_> = spelled.map(|rest| shell(format!("{text} {rest}"))).collect();
            if !rest.is_empty() {
                runs.push(program(std::iter::once(text.clone()).chain(rest).collect()));
            } else if runs.is_empty() {
                runs.push(shell(text.clone()));
            }
            runs
        }
        Value::Array(_) if plain(key) == "commands" => texts(field).into_iter().map(shell).collect(),
        Value::Array(_) => words(field).map(program).into_iter().collect(),
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::Object(_) | Value::String(_) => Vec::new(),
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
