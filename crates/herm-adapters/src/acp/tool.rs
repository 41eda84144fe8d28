//! A tool call as an agent tells an editor, and what it would do.

use std::collections::HashSet;
use std::hash::Hash;

use serde_json::Value;

use super::gleaned::{self, Gleaned};
use crate::agent::Agent;
use crate::agents;
use crate::event::Use;
use crate::fields::Fields;

/// A tool call as an agent tells an editor.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// What it is known by.
    pub id: String,
    /// What the agent calls it. It need not be true.
    pub title: String,
    /// The tool, if it is named.
    pub name: Option<String>,
    /// What sort of thing it does, as the agent says.
    pub kind: Kind,
    /// What the tool is given.
    pub input: Value,
    /// The changes that it shows.
    pub diffs: Vec<Diff>,
    /// The files that it says it touches.
    pub locations: Vec<String>,
}

/// A change to a file, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// The file.
    pub path: String,
    /// What was there, or a part of it; nothing where there was no file.
    pub old: Option<String>,
    /// What comes in its place.
    pub new: String,
}

/// What sort of thing a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It deletes files.
    Delete,
    /// It changes files.
    Edit,
    /// It runs something.
    Execute,
    /// It gets something from elsewhere.
    Fetch,
    /// It moves files.
    Move,
    /// Anything else, or nobody said.
    Other,
    /// It reads files.
    Read,
    /// It searches files.
    Search,
    /// It changes how the agent works.
    SwitchMode,
    /// It does nothing outside the agent.
    Think,
}

/// What a tool call would do.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// All that it would do. All of it must be allowed.
    pub uses: Vec<Use>,
    /// Whether it is told well enough for a person to know what they say yes to.
    pub is_clear: bool,
}

impl Tool {
    /// Reads what an agent told; nothing when it has no name to be known by.
    #[must_use]
    pub fn read(told: &Value) -> Option<Self> {
        let fields = Fields::of(told)?;
        Some(Self {
            id: fields.text("toolCallId")?,
            title: fields.text("title").unwrap_or_default(),
            name: fields.text("name").or_else(|| named(fields)),
            kind: Kind::of(fields.text("kind").as_deref()),
            input: fields
                .input("rawInput")
                .ok()
                .or_else(|| fields.value("rawInput").cloned())
                .unwrap_or_default(),
            diffs: items(fields, "content").filter_map(Diff::read).collect(),
            locations: items(fields, "locations")
                .filter_map(|place| Fields::of(place)?.text("path"))
                .collect(),
        })
    }

    /// What it would do: what the agent's own table says of the tool, and besides whatever in what it is given looks like a
    /// command, a file or a link. A name that was told wrongly hides nothing that way.
    #[must_use]
    pub fn meaning(&self, agent: Option<Agent>) -> Meaning {
        let described = self.described(agent);
        // A tool that is known changes files only where it says so.
        let changes = self.kind.changes() && (self.kind != Kind::Other || described.is_none());
        let gleaned = gleaned::from(&self.input, changes);
        let is_told = described.is_some() || self.is_told(&gleaned);
        let is_whole = !gleaned.is_cut;
        let shown = self.diffs.iter().map(|diff| Use::Write(diff.path.clone()));
        let touched = self.locations.iter().filter_map(|path| self.kind.touching(path.clone()));
        let all = described.iter().flatten().cloned().chain(gleaned.uses()).chain(shown).chain(touched);
        let mut uses = each_once(all);
        // More than this nobody looks through: what is left out makes it unclear.
        let is_clear = is_told && is_whole && uses.len() <= MOST;
        uses.truncate(MOST);
        if self.kind == Kind::Search && described.is_none() && uses.is_empty() {
            uses.push(Use::Read(".".to_owned()));
        }
        if !is_clear || (described.is_none() && self.kind == Kind::Other && uses.is_empty()) {
            uses.push(Use::Unknown);
        }
        Meaning { uses, is_clear }
    }

    /// Whether anything is told of what it is given.
    pub(super) fn is_given_anything(&self) -> bool {
        is_something(&self.input)
    }

    /// What its name means in the agent's own table; nothing where that does not know it.
    fn described(&self, agent: Option<Agent>) -> Option<Vec<Use>> {
        let agent = agent?;
        // Some agents have nothing but the tool's name for a title.
        let names = self.name.iter().chain([&self.title]);
        names.map(|name| agents::meant(agent, name, &self.input)).find(|uses| !uses.contains(&Use::Unknown))
    }

    /// Whether what a tool of its kind works on is told.
    fn is_told(&self, gleaned: &Gleaned) -> bool {
        let has_path = !(gleaned.paths.is_empty() && self.diffs.is_empty() && self.locations.is_empty());
        match self.kind {
            Kind::Execute => !gleaned.commands.is_empty() && !gleaned.is_unclear,
            Kind::Delete | Kind::Edit | Kind::Move | Kind::Read => has_path && !gleaned.is_partial,
            Kind::Fetch => !gleaned.links.is_empty() && !gleaned.is_partial,
            Kind::Search | Kind::SwitchMode | Kind::Think => !gleaned.is_partial,
            Kind::Other => is_something(&self.input) && !gleaned.is_unclear,
        }
    }
}

impl Diff {
    fn read(content: &Value) -> Option<Self> {
        let fields = Fields::of(content)?;
        if fields.text("type")? != "diff" {
            return None;
        }
        let text = |key: &str| fields.value(key)?.as_str().map(str::to_owned);
        Some(Self { path: fields.text("path")?, old: text("oldText"), new: text("newText")? })
    }
}

impl Kind {
    fn of(word: Option<&str>) -> Self {
        match word {
            Some("delete") => Self::Delete,
            Some("edit") => Self::Edit,
            Some("execute") => Self::Execute,
            Some("fetch") => Self::Fetch,
            Some("move") => Self::Move,
            Some("read") => Self::Read,
            Some("search") => Self::Search,
            Some("switch_mode") => Self::SwitchMode,
            Some("think") => Self::Think,
            Some(_) | None => Self::Other,
        }
    }

    /// Whether files that are named are taken to be changed: where nobody says otherwise, they are.
    const fn changes(self) -> bool {
        match self {
            Self::Delete | Self::Edit | Self::Move | Self::Other => true,
            Self::Execute | Self::Fetch | Self::Read | Self::Search | Self::SwitchMode | Self::Think => false,
        }
    }

    /// What is done to a file that is said to be touched.
    fn touching(self, path: String) -> Option<Use> {
        match self {
            Self::Delete | Self::Edit | Self::Move => Some(Use::Write(path)),
            Self::Other | Self::Read | Self::Search => Some(Use::Read(path)),
            Self::Execute | Self::Fetch | Self::SwitchMode | Self::Think => None,
        }
    }
}

/// The most things that a tool can be said to do. Each of them is judged, and may be shown to a person.
const MOST: usize = 2048;

/// The same without those that came before, in the order in which they came.
fn each_once<T: Clone + Eq + Hash>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    all.filter(|one| seen.insert(one.clone())).collect()
}

/// The name of a tool where agents put what the protocol had no place for.
fn named(told: Fields<'_>) -> Option<String> {
    let beside = told.inner("_meta")?;
    let name = |fields: Fields<'_>| fields.text("toolName").or_else(|| fields.text("tool_name"));
    name(beside).or_else(|| beside.0.values().filter_map(Fields::of).find_map(name))
}

fn items<'a>(fields: Fields<'a>, key: &str) -> impl Iterator<Item = &'a Value> {
    fields.value(key).and_then(Value::as_array).into_iter().flatten()
}

fn is_something(input: &Value) -> bool {
    match input {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::String(text) => !text.trim().is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::hash::Hasher;

    use serde_json::json;

    use super::*;
    use crate::event::Dialect;

    fn meaning(agent: Option<Agent>, told: &Value) -> Meaning {
        Tool::read(told).unwrap().meaning(agent)
    }

    fn command(text: &str, cwd: Option<&str>) -> Use {
        Use::Command { text: text.to_owned(), dialect: Dialect::Shell, cwd: cwd.map(str::to_owned) }
    }

    #[test]
    fn what_would_be_run_is_found_whatever_it_is_called() {
        let told = json!({"toolCallId": "1", "title": "Create a file", "kind": "read", "rawInput": {"command": "rm -rf x"}});
        assert_eq!(
            meaning(None, &told),
            Meaning { uses: vec![command("rm -rf x", None)], is_clear: false }.with_unknown()
        );
        let told = json!({"toolCallId": "1", "title": "t", "kind": "execute", "rawInput": {"command": ["rm", "-rf", "x"], "cwd": "/a"}});
        let program = Use::Program {
            words: ["rm", "-rf", "x"].map(str::to_owned).to_vec(),
            cwd: Some("/a".to_owned()),
        };
        assert_eq!(meaning(None, &told), Meaning { uses: vec![program], is_clear: true });
    }

    #[test]
    fn what_stands_beside_a_command_and_is_not_known_makes_it_unclear() {
        let told =
            |input: Value| json!({"toolCallId": "1", "title": "t", "kind": "execute", "rawInput": input});
        let code = meaning(None, &told(json!({"code": "rm -rf x"})));
        assert_eq!(code, Meaning { uses: vec![command("rm -rf x", None)], is_clear: true });
        for input in [
            json!({"command": "ls", "before": "rm -rf x"}),
            json!({"command": {"program": "rm", "args": ["-rf", "x"]}, "steps": ["a"]}),
            json!({"command": "ls", "exec": ["rm", "-rf", 1]}),
            json!({"command": "ls", "deep": [{"hook": "rm -rf x"}]}),
        ] {
            let meaning = meaning(None, &told(input.clone()));
            assert!(!meaning.is_clear && meaning.uses.contains(&Use::Unknown), "{input}: {meaning:?}");
        }
        let plain = told(json!({"command": "ls", "description": "List", "timeout": 5, "cwd": "/a"}));
        assert!(meaning(None, &plain).is_clear);
    }

    #[test]
    fn a_tool_is_known_by_the_table_of_its_agent() {
        let told = json!({"toolCallId": "1", "title": "x", "_meta": {"claudeCode": {"toolName": "Bash"}}, "rawInput": {"command": "ls"}});
        assert_eq!(
            meaning(Some(Agent::ClaudeCode), &told),
            Meaning { uses: vec![command("ls", None)], is_clear: true }
        );
        let told =
            json!({"toolCallId": "1", "title": "bash", "rawInput": {"command": "ls", "workdir": "/b"}});
        assert_eq!(meaning(Some(Agent::OpenCode), &told).uses, [command("ls", Some("/b"))]);
    }

    #[test]
    fn a_name_that_means_nothing_hides_no_command() {
        let told = json!({"toolCallId": "1", "title": "Plan", "name": "TodoWrite", "rawInput": {"a": [{"command": "rm -rf ~"}]}});
        assert_eq!(meaning(Some(Agent::ClaudeCode), &told).uses, [command("rm -rf ~", None)]);
    }

    #[test]
    fn what_is_told_by_its_title_alone_is_not_clear() {
        for kind in ["execute", "edit", "fetch", "read", "other", "frobnicate"] {
            let told = json!({"toolCallId": "1", "title": "ls -la", "kind": kind});
            assert_eq!(
                meaning(Some(Agent::Gemini), &told),
                Meaning { uses: vec![Use::Unknown], is_clear: false },
                "{kind}"
            );
        }
    }

    #[test]
    fn files_are_found_in_what_is_given_shown_and_said() {
        let told = json!({
            "toolCallId": "1", "title": "Edit", "kind": "edit", "rawInput": {"file_path": "/a"},
            "content": [{"type": "diff", "path": "/b", "newText": "x"}], "locations": [{"path": "/c"}, {"path": "/a"}],
        });
        let writes = ["/a", "/b", "/c"].map(|path| Use::Write(path.to_owned()));
        assert_eq!(meaning(None, &told), Meaning { uses: writes.to_vec(), is_clear: true });
    }

    #[test]
    fn what_carries_content_is_written_whatever_its_kind() {
        let told = json!({"toolCallId": "1", "title": "Read", "kind": "read", "rawInput": {"path": "/a", "content": "x"}});
        assert_eq!(meaning(None, &told).uses, [Use::Write("/a".to_owned())]);
        let told = json!({"toolCallId": "1", "title": "Read", "kind": "read", "rawInput": {"path": "/a"}});
        assert_eq!(meaning(None, &told).uses, [Use::Read("/a".to_owned())]);
    }

    #[test]
    fn a_search_that_names_nothing_is_one_of_everything_here() {
        let told =
            json!({"toolCallId": "1", "title": "Search", "kind": "search", "rawInput": {"pattern": "x"}});
        assert_eq!(meaning(None, &told).uses, [Use::Read(".".to_owned())]);
    }

    #[test]
    fn modes_of_the_agent_do_nothing() {
        let told = json!({"toolCallId": "1", "title": "Ready?", "kind": "switch_mode", "rawInput": {"plan": "a\nb"}});
        assert_eq!(meaning(None, &told), Meaning { uses: Vec::new(), is_clear: true });
    }

    #[test]
    fn the_same_is_found_again_without_looking_at_all_the_others() {
        /// Counts how often one was compared with another.
        #[derive(Clone)]
        struct Counted<'a>(usize, &'a Cell<usize>);

        impl PartialEq for Counted<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.1.set(self.1.get() + 1);
                self.0 == other.0
            }
        }

        impl Eq for Counted<'_> {}

        impl Hash for Counted<'_> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.0.hash(state);
            }
        }

        let (count, compared) = (10_000, Cell::new(0));
        let all = (0..2 * count).map(|number| Counted(number % count, &compared));
        let once: Vec<_> = each_once(all).iter().map(|one| one.0).collect();
        assert_eq!(once, (0..count).collect::<Vec<_>>());
        assert!(compared.get() < 10 * count, "{}", compared.get());
    }

    #[test]
    fn what_is_more_than_anybody_looks_through_is_not_clear() {
        let paths: Vec<_> = (0..200_000).map(|number| format!("/tmp/{number}")).collect();
        let told =
            json!({"toolCallId": "1", "title": "Read", "kind": "read", "rawInput": {"paths": paths.clone()}});
        let many = meaning(None, &told);
        assert!(!many.is_clear && many.uses.len() == MOST + 1, "{}", many.uses.len());
        assert_eq!(many.uses.last(), Some(&Use::Unknown));
        let known = json!({"toolCallId": "1", "title": "x", "name": "Read", "rawInput": {"file_path": "/a", "paths": paths.clone()}});
        assert!(!meaning(Some(Agent::ClaudeCode), &known).is_clear, "its name does not make it clear");
        let touched: Vec<_> = paths.iter().map(|path| json!({"path": path})).collect();
        let told = json!({"toolCallId": "1", "title": "Edit", "kind": "edit", "rawInput": {"path": "/a"}, "locations": touched});
        let many = meaning(None, &told);
        assert!(!many.is_clear && many.uses.len() == MOST + 1, "{}", many.uses.len());
        let twice: Vec<_> = paths.iter().take(MOST).chain(paths.iter().take(MOST)).collect();
        let told = json!({"toolCallId": "1", "title": "Read", "kind": "read", "rawInput": {"paths": twice}});
        assert!(meaning(None, &told).is_clear, "each counts once");
    }

    impl Meaning {
        fn with_unknown(mut self) -> Self {
            self.uses.push(Use::Unknown);
            self
        }
    }
}
