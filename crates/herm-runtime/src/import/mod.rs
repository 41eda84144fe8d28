//! Brings what somebody told Hermes over into herm's own configuration.
//!
//! Nothing is loosened in passing: an entry becomes the narrowest that covers what it covered there. What would cover more is told apart,
//! and taken only if somebody says so.

mod entries;
mod narrow;
mod settings;

use std::fmt;
use std::path::{Path, PathBuf};

use herm::policy::{Config, Error, Source, edit};
use herm_adapters::wiring::{Entry, Format, Item, Likeness, Refused, Standing};

use crate::allowlist::{self, AllowList};
use crate::files::{self, Seen};
pub use narrow::{Narrow, narrow};

const ALLOW: &str = "command_allowlist";
const DENY: &str = "approvals.deny";

/// What would come over.
#[derive(Debug)]
pub struct Import {
    /// The file of Hermes.
    pub from: PathBuf,
    /// The file of herm.
    pub to: PathBuf,
    /// What becomes of everything that matters here.
    pub lines: Vec<Line>,
    guard: PathBuf,
}

/// What becomes of one thing that Hermes was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The key it stands under.
    pub key: &'static str,
    /// What it says there.
    pub written: String,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of one thing that Hermes was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is there.
    Already,
    /// It does not come over, for this reason.
    Left(String),
    /// It comes over as it is.
    Taken,
    /// It comes over as these.
    Translated(Vec<String>),
    /// It loosens more than it did there, or what holds here now: it comes over if somebody says so.
    Wider {
        /// What it would be here.
        becomes: Vec<String>,
        /// In what it is wider.
        why: String,
    },
}

/// Whether what loosens more comes over, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Only what does not.
    Narrow,
    /// All that can.
    Wide,
}

/// Why nothing comes over.
#[derive(Debug)]
pub enum Problem {
    /// There is no configuration of Hermes.
    Absent(PathBuf),
    /// Herm's own file is wrong, or would be.
    Broken(Error),
    /// A file cannot be read, or is not text.
    Hidden(PathBuf),
    /// Both are the same.
    Same(PathBuf),
    /// A file cannot be understood or changed.
    Unclear(PathBuf, Refused),
    /// Herm's own file cannot be written.
    Unwritten(allowlist::Problem),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent(file) => write!(f, "there is no `{}`", file.display()),
            Self::Broken(error) => error.fmt(f),
            Self::Hidden(file) => write!(f, "cannot read `{}`", file.display()),
            Self::Same(file) => write!(f, "`{}` is herm's own configuration already", file.display()),
            Self::Unclear(file, refused) => write!(f, "cannot use `{}`: {refused}", file.display()),
            Self::Unwritten(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for Problem {}

impl Problem {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Absent(_) => Some("say where the home of Hermes is: `--from DIRECTORY`".to_owned()),
            Self::Broken(error) => error.hint(),
            Self::Same(_) => Some(
                "everything in it holds already; set `HERM_HOME` if herm should have one of its own"
                    .to_owned(),
            ),
            Self::Hidden(_) | Self::Unclear(..) | Self::Unwritten(_) => None,
        }
    }
}

impl Import {
    /// What would come over from a home of Hermes to one of herm.
    ///
    /// # Errors
    /// When there is nothing to read, or either file cannot be understood.
    pub fn of(hermes: &Path, guard: &Path) -> Result<Self, Problem> {
        let (from, to) = (hermes.join(FILE), guard.join(FILE));
        if files::real(&from).is_some_and(|real| files::real(&to) == Some(real)) || files::same(&from, &to) {
            return Err(Problem::Same(from));
        }
        let theirs = text(&from)?.ok_or_else(|| Problem::Absent(from.clone()))?;
        let ours = text(&to)?.unwrap_or_default();
        let theirs = Format::Yaml.read(&theirs).map_err(|refused| Problem::Unclear(from.clone(), refused))?;
        settled(&theirs, "").map_err(|refused| Problem::Unclear(from.clone(), refused))?;
        Config::read(Source::User, &to.display().to_string(), &ours).map_err(Problem::Broken)?;
        let here = Format::Yaml.read(&ours).map_err(|refused| Problem::Unclear(to.clone(), refused))?;
        Ok(Self { lines: lines(&theirs, &here, hermes), from, to, guard: guard.to_owned() })
    }

    /// What herm's file says now, and what it would say.
    ///
    /// # Errors
    /// When it cannot be changed without touching anything else.
    pub fn change(&self, reach: Reach) -> Result<(String, String), Problem> {
        let before = text(&self.to)?.unwrap_or_default();
        let after = self.applied(&before, reach)?;
        Ok((before, after))
    }

    /// Writes it.
    ///
    /// # Errors
    /// When it cannot be changed without touching anything else, or not be written. It is then as it was.
    pub fn write(&self, reach: Reach) -> Result<(), Problem> {
        let mut fault = None;
        let written = AllowList::of(&self.guard).rewrite(|text| match self.applied(&text, reach) {
            Ok(changed) => Some(changed),
            Err(problem) => {
                fault = Some(problem);
                None
            }
        });
        fault.map_or_else(|| written.map_err(Problem::Unwritten), Err)
    }

    fn applied(&self, before: &str, reach: Reach) -> Result<String, Problem> {
        let comes = |line: &&Line| !line.becomes(reach).is_empty();
        // Lists grow at their beginning, so the last comes first.
        let changed = self.lines.iter().filter(comes).rev().try_fold(before.to_owned(), |text, line| {
            line.applied(&text, reach).map_err(|refused| Problem::Unclear(self.to.clone(), refused))
        })?;
        Config::read(Source::User, &self.to.display().to_string(), &changed).map_err(Problem::Broken)?;
        Ok(changed)
    }
}

const FILE: &str = "config.yaml";

fn text(file: &Path) -> Result<Option<String>, Problem> {
    match files::read(file) {
        Seen::Absent => Ok(None),
        Seen::Hidden => Err(Problem::Hidden(file.to_owned())),
        Seen::Bytes(bytes) => {
            String::from_utf8(bytes).map(Some).map_err(|_| Problem::Hidden(file.to_owned()))
        }
    }
}

fn lines(theirs: &Item, here: &Item, hermes: &Path) -> Vec<Line> {
    let (denied, allowed) = (texts(here, &["approvals", "deny"]), texts(here, &[ALLOW]));
    let denying = each(theirs, DENY, &["approvals", "deny"], |written| entries::denied(written, &denied));
    let allowing = each(theirs, ALLOW, &[ALLOW], |written| entries::allowed(written, &allowed));
    denying.into_iter().chain(allowing).chain(settings::lines(theirs, here, hermes)).collect()
}

/// What becomes of each text of a list. Hermes passes over what is none.
fn each(theirs: &Item, key: &'static str, path: &[&str], line: impl Fn(&str) -> Line) -> Vec<Line> {
    let found = theirs.find(path);
    if let Some(item @ (Item::Flag(_) | Item::Map(_) | Item::Number(_) | Item::Text(_))) = found {
        let fate = Fate::Left("it is no list".to_owned());
        return vec![Line { key, written: scalar(item).unwrap_or_else(|| format!("{item:?}")), fate }];
    }
    let listed = found.map(Item::items).unwrap_or_default();
    let one = |item: &Item| match item {
        Item::Text(written) | Item::Number(written) => line(written),
        Item::Flag(_) | Item::List(_) | Item::Map(_) | Item::Null => {
            let fate = Fate::Left("it is no text, and Hermes passes over it".to_owned());
            Line { key, written: format!("{item:?}"), fate }
        }
    };
    listed.iter().map(one).collect()
}

/// Whether every value stands where it is said, and once: which one of several Hermes takes, or what is merged in from elsewhere, would be a guess.
fn settled(item: &Item, place: &str) -> Result<(), Refused> {
    for (at, (name, value)) in item.pairs().iter().enumerate() {
        if name == "<<" {
            return Err(Refused::Merged);
        }
        if item.pairs().iter().skip(at + 1).any(|(other, _)| other == name) {
            return Err(Refused::Duplicate(name.clone()));
        }
        settled(value, name)?;
    }
    item.items().iter().try_for_each(|one| settled(one, place))?;
    match item {
        Item::Text(text) if text.starts_with('\0') => Err(Refused::Referred(place.to_owned())),
        Item::Flag(_) | Item::List(_) | Item::Map(_) | Item::Null | Item::Number(_) | Item::Text(_) => Ok(()),
    }
}

fn texts(item: &Item, path: &[&str]) -> Vec<String> {
    let listed = item.find(path).map(Item::items).unwrap_or_default();
    listed.iter().filter_map(scalar).collect()
}

/// A single value, as written.
fn scalar(item: &Item) -> Option<String> {
    match item {
        Item::Flag(flag) => Some(flag.to_string()),
        Item::Number(text) | Item::Text(text) => Some(text.clone()),
        Item::List(_) | Item::Map(_) | Item::Null => None,
    }
}

impl Line {
    /// What it is here.
    #[must_use]
    pub fn becomes(&self, reach: Reach) -> Vec<String> {
        match (&self.fate, reach) {
            (Fate::Already | Fate::Left(_), _) | (Fate::Wider { .. }, Reach::Narrow) => Vec::new(),
            (Fate::Taken, _) => vec![self.written.trim().to_owned()],
            (Fate::Translated(becomes), _) | (Fate::Wider { becomes, .. }, Reach::Wide) => becomes.clone(),
        }
    }

    /// The same, unless all of it is there.
    fn unless_there(self, is_there: impl Fn(&str) -> bool) -> Self {
        let wanted = self.becomes(Reach::Wide);
        let all = !wanted.is_empty() && wanted.iter().all(|entry| is_there(entry));
        if all { Self { fate: Fate::Already, ..self } } else { self }
    }

    fn applied(&self, text: &str, reach: Reach) -> Result<String, Refused> {
        let path: Vec<String> = self.key.split('.').map(str::to_owned).collect();
        self.becomes(reach).iter().try_fold(text.to_owned(), |text, value| match self.key {
            ALLOW => edit::allow(&text, value).ok_or(Refused::Unclear),
            _ if settings::LISTS.contains(&self.key) => add(&text, path.clone(), value),
            _ => Format::Yaml.with(&text, &[set(path.clone(), settings::item(value))]),
        })
    }
}

/// A text with an item more in a list, unless it is there.
fn add(text: &str, list: Vec<String>, value: &str) -> Result<String, Refused> {
    let names: Vec<_> = list.iter().map(String::as_str).collect();
    if texts(&Format::Yaml.read(text)?, &names).iter().any(|known| known == value) {
        return Ok(text.to_owned());
    }
    let item = Item::Text(value.to_owned());
    Format::Yaml.with(text, &[Entry::Item { list, item, likeness: Likeness::Exact }])
}

fn set(at: Vec<String>, value: Item) -> Entry {
    Entry::Value { at, value, standing: Standing::Needed }
}
