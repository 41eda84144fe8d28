//! What servers say about their tools, held against what they said first.
//!
//! Descriptions are instructions to a model. The first ones are taken as they are, since a person has just chosen the server; whatever
//! differs from them later is asked about when it is called, and a model is not shown it before.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use herm::call::Drift;
use herm_adapters::mcp::tools::Tool;
use herm_store::pins::Pins as Kept;
use herm_store::{Digest, Error};
use serde_json::{Value, json};

/// What is known of one server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// What it is called.
    pub name: String,
    /// What is started or connected to.
    pub place: String,
    /// Its tools, by their names.
    pub tools: BTreeMap<String, Pin>,
    /// A number for what it says about itself, once it was greeted.
    instructions: Option<String>,
    /// What that is, or the most of it, for people to compare.
    said: Option<String>,
    /// Whether some of its first list was seen.
    is_begun: bool,
    /// Whether all of its first list was seen.
    is_whole: bool,
}

/// What is known of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pin {
    /// A number for everything that a model is told about it.
    pub fingerprint: String,
    /// What it is said to do.
    pub description: String,
}

/// Holds what a server says against what it said first.
#[derive(Debug)]
pub(super) struct Pins {
    home: PathBuf,
    name: String,
    place: String,
    /// What a person said yes to since this began.
    accepted: BTreeSet<String>,
    /// What the server said about itself that was asked about since this began.
    doubted: BTreeSet<String>,
}

/// What a server says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Greeted {
    /// What it said first, or what a person said yes to.
    Known,
    /// Something else than this, where that was kept.
    Otherwise(Option<String>),
}

impl Pins {
    pub(super) fn new(home: &Path, name: &str, place: &str) -> Self {
        let (accepted, doubted) = (BTreeSet::new(), BTreeSet::new());
        Self { home: home.to_owned(), name: name.to_owned(), place: place.to_owned(), accepted, doubted }
    }

    fn open(&self) -> Result<(Kept, Known), Error> {
        let kept = Kept::of(&self.home, &identity(&self.name, &self.place))?;
        let known = match kept.text() {
            // What cannot be read is nothing that was seen: everything differs from it.
            Some(text) => Known::read(text).unwrap_or_else(|| Known {
                instructions: Some(String::new()),
                is_whole: true,
                ..self.nothing()
            }),
            None => self.nothing(),
        };
        Ok((kept, known))
    }

    fn nothing(&self) -> Known {
        Known { name: self.name.clone(), place: self.place.clone(), ..Known::default() }
    }

    /// A list begins, or a conversation: whatever was seen before is all that was seen first, even if its list never ended.
    pub(super) fn begin(&self) -> Result<(), Error> {
        let (mut kept, mut known) = self.open()?;
        if known.is_whole || !known.is_begun {
            return Ok(());
        }
        known.is_whole = true;
        kept.keep(&known.text())
    }

    /// Takes in a list, or a page of it, and says which tools differ. As long as the first list is not whole, what is new is taken
    /// as it is.
    pub(super) fn listed(&self, tools: &[Tool], is_last: bool) -> Result<Vec<Option<Drift>>, Error> {
        let (mut kept, mut known) = self.open()?;
        let before = known.clone();
        for tool in tools.iter().filter(|_| !before.is_whole) {
            known.tools.entry(tool.name.clone()).or_insert_with(|| Pin::of(tool));
        }
        known.is_begun = true;
        known.is_whole |= is_last;
        if known != before {
            kept.keep(&known.text())?;
        }
        Ok(tools.iter().map(|tool| self.compare(&known, tool)).collect())
    }

    /// Whether a server says about itself what it said first.
    pub(super) fn greeted(&self, instructions: &str) -> Result<Greeted, Error> {
        let number = numbered(instructions);
        let (mut kept, mut known) = self.open()?;
        match &known.instructions {
            None => {
                known.says(instructions);
                kept.keep(&known.text())?;
                Ok(Greeted::Known)
            }
            Some(first) if *first == number || self.accepted.contains(&number) => Ok(Greeted::Known),
            Some(_) => Ok(Greeted::Otherwise(known.said)),
        }
    }

    /// Whether it was not asked about yet what a server says about itself now: nobody is asked twice.
    pub(super) fn doubts(&mut self, instructions: &str) -> bool {
        self.doubted.insert(numbered(instructions))
    }

    /// A person said yes to what a server says about itself now, until this ends.
    pub(super) fn accept_instructions(&mut self, instructions: &str) {
        self.accepted.insert(numbered(instructions));
    }

    /// A person said yes to what a server says about itself now, for ever.
    pub(super) fn pin_instructions(&mut self, instructions: &str) -> Result<(), Error> {
        self.accept_instructions(instructions);
        let (mut kept, mut known) = self.open()?;
        known.says(instructions);
        kept.keep(&known.text())
    }

    /// How a tool differs from what was seen first; with its fingerprint.
    pub(super) fn drift(&self, tool: Option<&Tool>) -> Result<Option<(Drift, String)>, Error> {
        let Some(tool) = tool else { return Ok(Some((Drift::Unlisted, "unlisted".to_owned()))) };
        let (_, known) = self.open()?;
        Ok(self.compare(&known, tool).map(|drift| (drift, tool.fingerprint.clone())))
    }

    fn compare(&self, known: &Known, tool: &Tool) -> Option<Drift> {
        match known.tools.get(&tool.name) {
            Some(pin) if pin.fingerprint == tool.fingerprint => None,
            _ if self.accepted.contains(&tool.fingerprint) => None,
            Some(_) => Some(Drift::Changed),
            None => Some(Drift::Added),
        }
    }

    /// A person said yes to what a tool is now, until this ends.
    pub(super) fn accept(&mut self, tool: &Tool) {
        self.accepted.insert(tool.fingerprint.clone());
    }

    /// A person said yes to what a tool is now, for ever.
    pub(super) fn pin(&mut self, tool: &Tool) -> Result<(), Error> {
        self.accept(tool);
        let (mut kept, mut known) = self.open()?;
        known.tools.insert(tool.name.clone(), Pin::of(tool));
        kept.keep(&known.text())
    }
}

/// A number for what a server says about itself.
pub(super) fn numbered(instructions: &str) -> String {
    Digest::of(instructions.as_bytes()).to_string()
}

/// What tells a server from others: another command under the same name is another server.
fn identity(name: &str, place: &str) -> String {
    json!([name, place]).to_string()
}

impl Pin {
    fn of(tool: &Tool) -> Self {
        let description = tool.description.chars().take(LONGEST).collect();
        Self { fingerprint: tool.fingerprint.clone(), description }
    }
}

/// How much of a description is kept, for people to compare.
const LONGEST: usize = 2000;

/// How much is kept of what a server says about itself.
const LONGEST_SAID: usize = 16_000;

impl Known {
    fn says(&mut self, instructions: &str) {
        self.instructions = Some(numbered(instructions));
        self.said = Some(instructions.chars().take(LONGEST_SAID).collect());
    }

    fn read(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let word = |value: &Value, key: &str| value.get(key)?.as_str().map(str::to_owned);
        let tools = value.get("tools")?.as_object()?.iter().map(|(name, pin)| {
            let (fingerprint, description) = (word(pin, "fingerprint")?, word(pin, "description")?);
            Some((name.clone(), Pin { fingerprint, description }))
        });
        Some(Self {
            name: word(&value, "name")?,
            place: word(&value, "place")?,
            tools: tools.collect::<Option<_>>()?,
            instructions: word(&value, "instructions"),
            said: word(&value, "said"),
            // What was kept before servers were greeted was a list.
            is_begun: value.get("begun").and_then(Value::as_bool).unwrap_or(true),
            is_whole: value.get("whole")?.as_bool()?,
        })
    }

    fn text(&self) -> String {
        let pin = |(name, pin): (&String, &Pin)| {
            (name.clone(), json!({ "fingerprint": pin.fingerprint, "description": pin.description }))
        };
        let tools: serde_json::Map<_, _> = self.tools.iter().map(pin).collect();
        json!({
            "name": self.name, "place": self.place, "instructions": self.instructions, "said": self.said, "begun": self.is_begun,
            "whole": self.is_whole, "tools": tools,
        })
        .to_string()
    }
}

/// Everything that is known of servers.
///
/// # Errors
/// When it cannot be read.
pub fn all(home: &Path) -> Result<Vec<Known>, Error> {
    let mut all: Vec<_> = Kept::all(home)?.iter().filter_map(|text| Known::read(text)).collect();
    all.sort_by(|one, other| (&one.name, &one.place).cmp(&(&other.name, &other.place)));
    Ok(all)
}

/// Forgets a server, or one of its tools: what it is next is taken as it is, or asked about. Says how many were forgotten.
///
/// # Errors
/// When it cannot be forgotten.
pub fn forget(home: &Path, name: &str, tool: Option<&str>) -> Result<usize, Error> {
    let mut count = 0;
    for known in all(home)?.into_iter().filter(|known| known.name == name) {
        let mut kept = Kept::of(home, &identity(&known.name, &known.place))?;
        match tool {
            None => {
                kept.forget()?;
                count += 1;
            }
            Some(tool) => {
                let Some(mut known) = kept.text().and_then(Known::read) else { continue };
                if known.tools.remove(tool).is_some() {
                    kept.keep(&known.text())?;
                    count += 1;
                }
            }
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, description: &str) -> Tool {
        Tool::read(&json!({"name": name, "description": description})).unwrap()
    }

    fn drift(pins: &Pins, name: &str, description: &str) -> Option<Drift> {
        pins.drift(Some(&tool(name, description))).unwrap().map(|(drift, _)| drift)
    }

    #[test]
    fn what_is_seen_first_is_taken_and_what_differs_later_is_not() {
        let home = tempfile::tempdir().unwrap();
        let pins = Pins::new(home.path(), "s", "npx s");
        assert_eq!(pins.listed(&[tool("a", "1")], false).unwrap(), [None]);
        assert_eq!(
            pins.listed(&[tool("b", "1"), tool("a", "2")], true).unwrap(),
            [None, Some(Drift::Changed)]
        );
        assert_eq!(pins.listed(&[tool("c", "1"), tool("a", "1")], true).unwrap(), [Some(Drift::Added), None]);
        let later = Pins::new(home.path(), "s", "npx s");
        assert_eq!((drift(&later, "a", "1"), drift(&later, "a", "2")), (None, Some(Drift::Changed)));
        assert_eq!((drift(&later, "b", "1"), drift(&later, "c", "1")), (None, Some(Drift::Added)));
        assert_eq!(later.drift(None).unwrap().unwrap().0, Drift::Unlisted);
        let elsewhere = Pins::new(home.path(), "s", "npx t");
        assert_eq!(elsewhere.listed(&[tool("a", "9")], true).unwrap(), [None], "another server");
    }

    #[test]
    fn a_list_that_never_ends_is_whole_when_the_next_begins() {
        for first in [&[tool("a", "1")][..], &[]] {
            let home = tempfile::tempdir().unwrap();
            let pins = Pins::new(home.path(), "s", "x");
            pins.begin().unwrap();
            pins.begin().unwrap();
            assert!(pins.listed(first, false).unwrap().iter().all(Option::is_none), "nothing was seen yet");
            assert_eq!(pins.listed(&[tool("b", "1")], false).unwrap(), [None], "another page");
            pins.begin().unwrap();
            assert_eq!(pins.listed(&[tool("c", "1")], false).unwrap(), [Some(Drift::Added)]);
            assert_eq!(pins.listed(&[tool("b", "2")], true).unwrap(), [Some(Drift::Changed)]);
        }
    }

    #[test]
    fn what_a_server_says_about_itself_is_held_against_what_it_said_first() {
        let home = tempfile::tempdir().unwrap();
        let pins = Pins::new(home.path(), "s", "x");
        let first = Greeted::Otherwise(Some("be kind".to_owned()));
        assert_eq!(
            (pins.greeted("be kind").unwrap(), pins.greeted("obey").unwrap()),
            (Greeted::Known, first.clone())
        );
        pins.begin().unwrap();
        assert_eq!(pins.listed(&[tool("a", "1")], true).unwrap(), [None], "a greeting is no list");
        let mut later = Pins::new(home.path(), "s", "x");
        assert_eq!(
            (later.greeted("obey").unwrap(), later.greeted("be kind").unwrap()),
            (first.clone(), Greeted::Known)
        );
        assert!(later.doubts("obey") && !later.doubts("obey") && later.doubts("obey!"));
        later.accept_instructions("obey");
        assert_eq!((later.greeted("obey").unwrap(), pins.greeted("obey").unwrap()), (Greeted::Known, first));
        later.pin_instructions("obey").unwrap();
        assert_eq!(pins.greeted("obey").unwrap(), Greeted::Known);
        assert_eq!(pins.greeted("be kind").unwrap(), Greeted::Otherwise(Some("obey".to_owned())));
        Kept::of(home.path(), &identity("s", "x")).unwrap().keep("{}").unwrap();
        assert_eq!(pins.greeted("").unwrap(), Greeted::Otherwise(None), "what is damaged is no first sight");
    }

    #[test]
    fn a_yes_holds_for_what_was_seen_and_only_always_lasts() {
        let home = tempfile::tempdir().unwrap();
        let mut pins = Pins::new(home.path(), "s", "x");
        pins.listed(&[tool("a", "1"), tool("b", "1")], true).unwrap();
        pins.accept(&tool("a", "2"));
        assert_eq!((drift(&pins, "a", "2"), drift(&pins, "a", "3")), (None, Some(Drift::Changed)));
        pins.pin(&tool("b", "2")).unwrap();
        let later = Pins::new(home.path(), "s", "x");
        assert_eq!((drift(&later, "a", "2"), drift(&later, "b", "2")), (Some(Drift::Changed), None));
    }

    #[test]
    fn what_is_damaged_is_not_a_first_sight() {
        let home = tempfile::tempdir().unwrap();
        let pins = Pins::new(home.path(), "s", "x");
        pins.listed(&[tool("a", "1")], true).unwrap();
        Kept::of(home.path(), &identity("s", "x")).unwrap().keep("{}").unwrap();
        assert_eq!(pins.listed(&[tool("a", "1")], true).unwrap(), [Some(Drift::Added)]);
    }

    #[test]
    fn servers_and_tools_can_be_forgotten() {
        let home = tempfile::tempdir().unwrap();
        let pins = Pins::new(home.path(), "s", "x");
        pins.listed(&[tool("a", "1"), tool("b", "1")], true).unwrap();
        assert_eq!(forget(home.path(), "s", Some("a")).unwrap(), 1);
        assert_eq!(drift(&pins, "a", "1"), Some(Drift::Added));
        assert_eq!(forget(home.path(), "s", None).unwrap(), 1);
        assert_eq!(all(home.path()).unwrap(), []);
        assert_eq!(pins.listed(&[tool("a", "2")], true).unwrap(), [None]);
    }
}
