//! One file of an agent, and what herm wants of it.

use std::path::PathBuf;

use super::command;
use super::edit::{self, Format};
use super::entry::{self, Entry};
use super::item::Item;
use super::refused::Refused;
use crate::Agent;

/// One file of an agent, and what herm wants of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The agent.
    pub agent: Agent,
    /// Where it lies.
    pub file: PathBuf,
    /// What should stand in it.
    pub edit: Edit,
    /// What for.
    pub purpose: Purpose,
    /// The rights of the file where herm makes it.
    pub mode: u32,
}

/// What should stand in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Entries among others.
    Entries {
        /// What the file is written in.
        format: Format,
        /// What it should say.
        entries: Vec<Entry>,
    },
    /// Nothing but what herm writes.
    Whole(String),
}

/// What a change is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The agent asks herm.
    Hook,
    /// The agent does so without first asking the person whether it may. Only on that person's word.
    Trust,
}

/// What every file that is herm's alone says.
const MARK: &str = "Written by `herm init`";

impl Piece {
    /// The text with what herm wants in it. `text` is what the file holds, if it is there.
    ///
    /// # Errors
    /// When it cannot be had without touching anything else.
    pub fn install(&self, text: Option<&str>) -> Result<String, Refused> {
        match &self.edit {
            Edit::Entries { format, entries } => {
                edit::install(*format, text.unwrap_or_default(), entries, self.agent)
            }
            Edit::Whole(_) if text.is_some_and(|text| !is_marked(text)) => Err(Refused::Foreign),
            Edit::Whole(whole) => Ok(whole.clone()),
        }
    }

    /// The text without it; nothing where the file should be gone. `original` is what it held before herm came, `Some("")`
    /// when it was not there.
    ///
    /// # Errors
    /// When it cannot be taken out without touching anything else.
    pub fn remove(&self, text: &str, original: Option<&str>) -> Result<Option<String>, Refused> {
        match &self.edit {
            Edit::Entries { format, entries } => {
                edit::remove(*format, text, entries, self.agent, original).map(Some)
            }
            Edit::Whole(_) if is_marked(text) => Ok(None),
            Edit::Whole(_) => Ok(Some(text.to_owned())),
        }
    }

    /// Whether a file says what herm wants, and says it as this herm would.
    #[must_use]
    pub fn is_current(&self, text: &str) -> bool {
        match &self.edit {
            Edit::Entries { format, entries } => {
                format.read(text).is_ok_and(|root| entries.iter().all(|entry| entry.holds(&root, self.agent)))
            }
            Edit::Whole(whole) => whole == text,
        }
    }

    /// Whether a file says what herm wants, but for where herm lies and how long it may take.
    #[must_use]
    pub fn is_alike(&self, text: &str) -> bool {
        match &self.edit {
            Edit::Entries { format, entries } => format.read(text).is_ok_and(|root| {
                entries
                    .iter()
                    .all(|entry| entry.holds(&root, self.agent) || entry.is_alike(&root, self.agent))
            }),
            Edit::Whole(whole) => {
                let line = |text: &str| {
                    let line = text.lines().find_map(|line| line.split_once(COMMAND));
                    line.map(|(_, line)| line.trim().to_owned())
                };
                let (Some(own), Some(theirs)) = (line(whole), line(text)) else { return false };
                let words = |line: &str| {
                    serde_json::Value::from(command::words(line).unwrap_or_default()).to_string()
                };
                let told = whole.replace(&own, &theirs).replace(&words(&own), &words(&theirs));
                command::is_ours(&theirs, self.agent) && told == text
            }
        }
    }

    /// Whether something of herm's stands in a file, however old.
    #[must_use]
    pub fn is_present(&self, text: &str) -> bool {
        match &self.edit {
            Edit::Entries { .. } => self.own(text).next().is_some(),
            Edit::Whole(_) => is_marked(text),
        }
    }

    /// The command lines of herm's that stand in a file, as the agent would run them.
    #[must_use]
    pub fn commands(&self, text: &str) -> Vec<String> {
        match &self.edit {
            Edit::Entries { .. } => self.own(text).filter_map(|item| handler(&item)).collect(),
            Edit::Whole(_) => {
                let line =
                    text.lines().find_map(|line| line.split_once(COMMAND).map(|(_, rest)| rest.trim()));
                line.filter(|_| is_marked(text)).map(ToOwned::to_owned).into_iter().collect()
            }
        }
    }

    /// Whether `true` stands at a place in a file.
    #[must_use]
    pub fn says_yes(&self, text: &str, at: &[&str]) -> bool {
        match &self.edit {
            Edit::Entries { format, .. } => {
                format.read(text).is_ok_and(|root| !at.is_empty() && root.find(at) == Some(&Item::Flag(true)))
            }
            Edit::Whole(_) => false,
        }
    }

    /// What to add by hand.
    #[must_use]
    pub fn by_hand(&self) -> String {
        match &self.edit {
            Edit::Entries { format, entries } => format.alone(entries, self.agent),
            Edit::Whole(whole) => whole.clone(),
        }
    }

    fn own(&self, text: &str) -> impl Iterator<Item = Item> {
        let (root, entries) = match &self.edit {
            Edit::Entries { format, entries } => {
                (format.read(text).unwrap_or(Item::Null), entries.as_slice())
            }
            Edit::Whole(_) => (Item::Null, [].as_slice()),
        };
        let found = |entry: &Entry| match entry {
            Entry::Item { list, .. } => entry::own(&root, list, self.agent).cloned(),
            // A text at a place that nobody but herm gives a value is herm's.
            Entry::Value { at, .. } if at.iter().any(|key| key.contains(":pre_tool_use:")) => {
                let path: Vec<&str> = at.iter().map(String::as_str).collect();
                root.find(&path).cloned()
            }
            Entry::Value { .. } => None,
        };
        entries.iter().filter_map(found).collect::<Vec<_>>().into_iter()
    }
}

/// What stands before the command line in a file that is herm's alone.
pub(super) const COMMAND: &str = "herm-command:";

fn is_marked(text: &str) -> bool {
    text.lines().take(4).any(|line| line.contains(MARK))
}

fn handler(item: &Item) -> Option<String> {
    let handlers = item.get("hooks").map(Item::items).unwrap_or_default();
    let handler = handlers.iter().chain([item]).find_map(entry::command_of);
    handler.map(ToOwned::to_owned)
}
