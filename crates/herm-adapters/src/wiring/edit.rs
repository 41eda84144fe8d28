//! From the text of a file to its new text, in which nothing has changed but what is ours.

use super::entry::{End, Entry, Step};
use super::item::Item;
use super::refused::Refused;
use super::{json, toml, yaml};
use crate::Agent;

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, with comments where there are some, but without trailing commas and a byte order mark.
    CommentedJson,
    /// JSON, with comments and trailing commas where there are some.
    Json,
    /// JSON and nothing else, but perhaps a byte order mark before it.
    MarkedJson,
    /// JSON and nothing else: its reader takes no comments, trailing commas or byte order mark.
    PlainJson,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

impl Format {
    /// What a text says.
    ///
    /// # Errors
    /// When it cannot be understood.
    pub fn read(self, text: &str) -> Result<Item, Refused> {
        match self {
            Self::CommentedJson => json::read_commented(text),
            Self::Json => json::read(text),
            Self::MarkedJson => json::read_marked(text),
            Self::PlainJson => json::read_plain(text),
            Self::Toml => toml::read(text),
            Self::Yaml => yaml::read(text),
        }
    }

    /// The text with these entries in it, which are no hooks.
    ///
    /// # Errors
    /// When it cannot be had without touching anything else.
    pub fn with(self, text: &str, entries: &[Entry]) -> Result<String, Refused> {
        // Only hooks are known again by whose they are.
        install(self, text, entries, Agent::Hermes)
    }

    /// The text after a step. `original` is the text before herm ever changed it.
    fn apply(self, text: &str, step: &Step, original: Option<&str>) -> Result<String, Refused> {
        match self {
            Self::CommentedJson | Self::Json | Self::MarkedJson | Self::PlainJson => {
                json::apply(text, step, original)
            }
            Self::Toml => toml::apply(text, step, original),
            Self::Yaml => yaml::apply(text, step, original),
        }
    }

    /// Where a list grows. In YAML the end of the last item is hard to tell, and the first is as good. In JSON it is the back: Codex
    /// trusts hooks by their number.
    const fn end(self) -> End {
        match self {
            Self::CommentedJson | Self::Json | Self::MarkedJson | Self::PlainJson | Self::Toml => End::Back,
            Self::Yaml => End::Front,
        }
    }

    /// A text that says nothing but these entries, for people who add them by hand.
    pub(crate) fn alone(self, entries: &[Entry], agent: Agent) -> String {
        install(self, "", entries, agent).unwrap_or_default()
    }
}

/// The text with our entries in it.
pub(crate) fn install(
    format: Format,
    text: &str,
    entries: &[Entry],
    agent: Agent,
) -> Result<String, Refused> {
    entries.iter().try_fold(text.to_owned(), |text, entry| {
        let step = entry.install(&format.read(&text)?, agent)?;
        step.map_or(Ok(text.clone()), |step| checked(format, &text, &step, None))
    })
}

/// The text without our entries.
pub(crate) fn remove(
    format: Format,
    text: &str,
    entries: &[Entry],
    agent: Agent,
    original: Option<&str>,
) -> Result<String, Refused> {
    // What is herm's comes out of a file that its agent would skip as well.
    let is_json = matches!(format, Format::CommentedJson | Format::MarkedJson | Format::PlainJson);
    let format = if is_json { Format::Json } else { format };
    let before = original.and_then(|original| format.read(original).ok());
    let needed: Vec<&String> = entries.iter().filter_map(Entry::needed).collect();
    entries.iter().rev().try_fold(text.to_owned(), |text, entry| {
        let step = entry.remove(&format.read(&text)?, agent, before.as_ref(), &needed)?;
        step.map_or(Ok(text.clone()), |step| checked(format, &text, &step, original))
    })
}

/// Takes a step, and sees by reading the result that it was this one and no other.
fn checked(format: Format, text: &str, step: &Step, original: Option<&str>) -> Result<String, Refused> {
    let expected = step.applied(&format.read(text)?, format.end()).ok_or(Refused::Unclear)?;
    let changed = format.apply(text, step, original)?;
    let said = format.read(&changed).map_err(|_| Refused::Unclear)?;
    let is_right = said.same(&expected) || said.is_empty() && expected.is_empty();
    if is_right { Ok(changed) } else { Err(Refused::Unclear) }
}
