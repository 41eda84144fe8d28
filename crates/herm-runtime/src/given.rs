//! What a tool that nobody here knows is given, as deeds that can be judged: commands, links, files.

mod command;
mod deletion;
mod found;
mod git;
mod guess;
mod link;
mod name;
mod path;
mod perhaps;
mod sql;
#[cfg(test)]
mod tests;

use herm::Action;
use herm::call::Tool;
use herm::fetch::Fetch;
use herm_adapters::keys::words_of;
use herm_shell::gap::Reason;
use serde_json::Value;

use found::Found;

/// What a tool does with the files that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// It only looks.
    Reads,
    /// It may change them, or nobody knows.
    Writes,
}

impl Direction {
    /// What the name of a tool says, and what its server says about it. Either can make it one that writes; only a name that
    /// speaks of nothing but looking, or a server that says so of a name that speaks of nothing, makes it one that reads.
    pub(crate) fn of(tool: &str, says_reads: Option<bool>) -> Self {
        let words = words_of(tool);
        let names = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        match says_reads {
            Some(false) => Self::Writes,
            _ if names(WRITING) => Self::Writes,
            Some(true) => Self::Reads,
            None if names(READING) => Self::Reads,
            None => Self::Writes,
        }
    }
}

/// Words in names of tools that look.
const READING: &[&str] = &[
    "cat", "count", "describe", "diff", "exists", "find", "get", "glob", "grep", "head", "info", "inspect",
    "list", "lookup", "ls", "peek", "preview", "read", "search", "show", "stat", "status", "tail", "tree",
    "view",
];

/// Words in names of tools that change something.
const WRITING: &[&str] = &[
    "add",
    "append",
    "apply",
    "chmod",
    "commit",
    "copy",
    "create",
    "del",
    "delete",
    "destroy",
    "download",
    "edit",
    "erase",
    "exec",
    "execute",
    "export",
    "extract",
    "fix",
    "format",
    "generate",
    "import",
    "insert",
    "install",
    "link",
    "make",
    "mkdir",
    "modify",
    "move",
    "overwrite",
    "patch",
    "purge",
    "put",
    "remove",
    "rename",
    "replace",
    "reset",
    "restore",
    "rm",
    "rmdir",
    "run",
    "save",
    "set",
    "shred",
    "store",
    "sync",
    "touch",
    "trash",
    "truncate",
    "unlink",
    "unzip",
    "update",
    "upload",
    "wipe",
    "write",
    "zip",
];

/// What a tool of a server is given: the commands, links and files in it, however deep, and the call itself.
pub(crate) fn deeds(tool: Tool, input: &Value, direction: Direction) -> Vec<Action> {
    let mut found = Found::in_what_is_given(tool.name(), input);
    let (unread, perhaps) = (found.unread, std::mem::take(&mut found.perhaps));
    all(acts(found, direction), tool.perhaps_running(perhaps), unread)
}

/// The same for what a server is given that is no tool: the commands, links and files in it, and the call itself only where not all
/// of it could be read.
pub(crate) fn mentioned(name: &str, input: &Value) -> Vec<Action> {
    beside(name, input, Direction::Reads)
}

/// The same for what a tool is given besides its arguments.
pub(crate) fn beside(name: &str, input: &Value, direction: Direction) -> Vec<Action> {
    let mut deeds = deeds(tool(name, input), input, direction);
    deeds.retain(|deed| !matches!(deed, Action::Tool(tool) if tool.unread().is_none()));
    deeds
}

/// What a link of a server leads to here. What has a scheme of the server's own leads to what is its own.
pub(crate) fn resource(uri: &str) -> Vec<Action> {
    let plain = link::bare(uri);
    let lower = plain.to_ascii_lowercase();
    match link::scheme(&lower) {
        Some(("http" | "https", _)) => mentioned("resource", &serde_json::json!({ "link": uri })),
        Some((scheme, _)) if scheme != "file" => Vec::new(),
        Some(_) | None => mentioned("resource", &serde_json::json!({ "path": uri })),
    }
}

fn acts(found: Found, direction: Direction) -> Vec<Action> {
    let deletions = if direction == Direction::Writes { deletion::of(&found) } else { Vec::new() };
    let mut acts: Vec<_> = found.runs.into_iter().chain(deletions).map(Action::Exec).collect();
    acts.extend(found.links.iter().map(|link| Action::Fetch(Fetch::url(link))));
    for path in found.paths {
        acts.push(Action::Read(path.clone()));
        if direction == Direction::Writes {
            acts.push(Action::Write(path));
        }
    }
    acts
}

/// With the call itself, which asks where there is more than anybody could look through. All of it is judged nonetheless.
fn all(mut deeds: Vec<Action>, tool: Tool, unread: Option<Reason>) -> Vec<Action> {
    let unread = unread.or((deeds.len() > MOST).then_some(Reason::Size));
    deeds.push(Action::Tool(match unread {
        Some(reason) => tool.partly_read(reason),
        None => tool,
    }));
    deeds
}

/// A tool, with what it is given.
pub(crate) fn tool(name: &str, input: &Value) -> Tool {
    let mut given = Vec::new();
    texts(input, &mut given);
    Tool::new(name, &input.to_string(), given)
}

/// The most deeds that a call may come to without a question.
const MOST: usize = 256;

/// The texts in a value.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
        Value::Bool(_) | Value::Null | Value::Number(_) => {}
    }
}
