//! The commands, links and files in what a tool is given, however deep.

use std::collections::HashSet;

use herm::call::Exec;
use herm_adapters::keys;
use herm_shell::gap::Reason;
use serde_json::{Map, Value};

use super::name::Name;
use super::{command, git, guess, link, path, perhaps, sql};

/// What was found in a value.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What the tool is called.
    pub(super) name: Name,
    pub(super) runs: Vec<Exec>,
    /// What is a command though nothing says that it runs.
    pub(super) perhaps: Vec<Exec>,
    pub(super) links: Vec<String>,
    pub(super) paths: Vec<String>,
    /// Whether the tool is named for a program that is known, once somebody asked.
    pub(super) is_program: Option<bool>,
    /// How many of the fields around are about what runs, and not what runs.
    pub(super) asides: usize,
    /// Whether it is said that everything below counts as well.
    pub(super) is_recursive: bool,
    /// Why not all of it could be read.
    pub(super) unread: Option<Reason>,
    seen: HashSet<(Sort, String)>,
    /// How many texts deep it is that are JSON themselves.
    depth: usize,
    /// How much work it was to put commands together.
    spent: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sort {
    Link,
    Path,
    Perhaps,
    Run,
}

/// The most of one sort that is taken in. What is beyond is not judged one by one any more: it asks.
pub(super) const LIMIT: usize = 2048;

/// How many texts that are JSON may stand in one another.
const DEEPEST: usize = 4;

/// How many words and letters are put together to commands at most.
const FUEL: usize = 1 << 20;

impl Found {
    pub(super) fn in_what_is_given(tool: &str, input: &Value) -> Self {
        let mut found = Self { name: Name::new(tool), ..Self::default() };
        guess::bare(&mut found, input);
        found.look(None, input);
        found
    }

    /// Looks through a value under a key. How deep it is was bounded when it was read.
    pub(super) fn look(&mut self, key: Option<&str>, value: &Value) {
        match value {
            Value::String(text) => self.text(key.unwrap_or_default(), text),
            Value::Array(items) => {
                perhaps::list(self, key.unwrap_or_default(), items);
                for item in items {
                    self.look(key, item);
                }
            }
            Value::Object(fields) => self.fields(fields),
            Value::Bool(_) | Value::Null | Value::Number(_) => {}
        }
    }

    fn fields(&mut self, fields: &Map<String, Value>) {
        command::find(self, fields);
        sql::find(self, fields);
        git::find(self, fields);
        for (key, field) in fields {
            self.is_recursive |= keys::is_recursive(key) && *field != Value::Bool(false) && !field.is_null();
            // Tools that take several files may know them by their names.
            path::find(self, "", key);
            let aside = usize::from(keys::is_aside(key));
            self.asides += aside;
            self.look(Some(key), field);
            self.asides -= aside;
        }
    }

    fn text(&mut self, key: &str, text: &str) {
        link::find(self, key, text);
        path::find(self, key, text);
        perhaps::text(self, key, text);
        // What stands in a file is read when the file is.
        if !keys::is_content(key)
            && let Some(value) = self.inner(text)
        {
            self.depth += 1;
            self.look(Some(key), &value);
            self.depth -= 1;
        }
    }

    /// The value that a text is, where it is JSON with something in it.
    pub(super) fn inner(&mut self, text: &str) -> Option<Value> {
        let text = text.trim();
        let is_like_json =
            text.starts_with('{') && text.ends_with('}') || text.starts_with('[') && text.ends_with(']');
        if !is_like_json {
            return None;
        }
        let value = serde_json::from_str(text).ok()?;
        if self.depth >= DEEPEST {
            self.unread(Reason::Depth);
            return None;
        }
        // Which of two values counts would be the tool's choice.
        if herm_adapters::once(text.as_bytes()).is_err() {
            self.unread(Reason::Syntax);
        }
        Some(value)
    }

    pub(super) fn unread(&mut self, reason: Reason) {
        self.unread.get_or_insert(reason);
    }

    pub(super) fn spend(&mut self, work: usize) {
        self.spent = self.spent.saturating_add(work);
    }

    /// Whether there is work left that may be done; otherwise it is known that not all was.
    pub(super) fn can_go_on(&mut self) -> bool {
        let can = self.spent < FUEL;
        if !can {
            self.unread(Reason::Fuel);
        }
        can
    }

    pub(super) fn run(&mut self, exec: Exec) {
        let told = format!("{:?} {}", exec.lang, exec.text);
        if !exec.text.trim().is_empty() && self.is_new(Sort::Run, told, self.runs.len()) {
            self.runs.push(exec);
        }
    }

    pub(super) fn perhaps(&mut self, exec: Exec) {
        if self.is_new(Sort::Perhaps, exec.text.clone(), self.perhaps.len()) {
            self.perhaps.push(exec);
        }
    }

    pub(super) fn link(&mut self, link: &str) {
        if self.is_new(Sort::Link, link.to_owned(), self.links.len()) {
            self.links.push(link.to_owned());
        }
    }

    pub(super) fn path(&mut self, path: &str) {
        if self.is_new(Sort::Path, path.to_owned(), self.paths.len()) {
            self.paths.push(path.to_owned());
        }
    }

    fn is_new(&mut self, sort: Sort, text: String, known: usize) -> bool {
        if known >= LIMIT {
            self.unread(Reason::Size);
            return false;
        }
        self.seen.insert((sort, text))
    }
}
