//! Where each agent keeps its settings, and what stands there.

mod claude_code;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod goose;
mod hermes;
mod obstacle;
mod opencode;
mod pi;
mod windsurf;

use std::path::{Path, PathBuf};

pub use self::obstacle::Obstacle;
use super::command::Call;
use super::edit::Format;
use super::entry::{Entry, Likeness, Standing};
use super::item::Item;
use super::piece::{Edit, Piece, Purpose};
use crate::Agent;

/// For whom an agent is wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For everybody on the machine, where repositories cannot switch it off.
    System,
    /// For one user.
    User,
}

impl Scope {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
        }
    }
}

/// What is known of an agent.
#[derive(Clone, Copy, Debug)]
pub struct Wiring {
    /// The programs that it is started by.
    pub programs: &'static [&'static str],
    /// Where its user's settings are.
    pub user: Directory,
    /// A directory below home that is there when the agent is, where that is another one.
    pub sign: Option<&'static str>,
    /// Where the machine's settings are, below the root.
    pub system: Option<&'static str>,
    /// What it does that no hook is told of.
    pub unguarded: &'static [&'static str],
    /// What makes the wiring weaker than herm would wish.
    pub weakness: Option<&'static str>,
    /// Files of a repository that switch hooks off.
    pub switches: &'static [Switch],
    /// Files beside those that herm writes by which the agent passes them over.
    pub obstacles: &'static [Obstacle],
    /// Files of the machine, below its root, that switch off the hooks of users.
    pub managed: &'static [Switch],
    /// Whether hooks need the person's consent before they run, and how to give it.
    pub consent: Option<&'static str>,
    /// Where in the file with the hook `true` stands for consent to all of them.
    pub consents_to_all: &'static [&'static str],
}

/// Where an agent keeps its user's settings.
#[derive(Clone, Copy, Debug)]
pub struct Directory {
    /// The variable that names it.
    pub variable: Option<&'static str>,
    /// Where it is below what the variable names.
    pub within: &'static str,
    /// Where it is below home otherwise.
    pub home: &'static str,
}

/// A file that can switch hooks off.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// Where it lies in the repository, or below the directory of the settings.
    pub file: &'static str,
    /// What it is written in.
    pub format: Format,
    /// Where the switch stands.
    pub at: &'static [&'static str],
    /// What it says when it is off.
    pub off: Off,
}

/// What a switch says when it is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Off {
    /// `false`.
    False,
    /// A list in which something stands.
    Names,
    /// `true`.
    True,
    /// A list in which a pattern takes this file out.
    Without(&'static str),
}

impl Switch {
    /// Whether a text switches hooks off. One that cannot be read may do so.
    #[must_use]
    pub fn is_off(&self, text: &str) -> bool {
        let Ok(root) = self.format.read(text) else { return true };
        // Which of several values of one name an agent takes is its own affair.
        let found = self.at.iter().fold(vec![&root], |items, name| {
            let pairs = items.into_iter().flat_map(Item::pairs);
            pairs.filter(|(key, _)| key == name).map(|(_, value)| value).collect()
        });
        found.into_iter().any(|item| match (item, self.off) {
            (Item::Flag(flag), Off::True) => *flag,
            (Item::Flag(flag), Off::False) => !flag,
            (Item::List(names), Off::Names) => !names.is_empty(),
            (Item::List(patterns), Off::Without(file)) => obstacle::takes_out(patterns, file),
            (_, _) => false,
        })
    }
}

/// What is known of an agent.
#[must_use]
pub const fn wiring(agent: Agent) -> &'static Wiring {
    match agent {
        Agent::ClaudeCode => &claude_code::WIRING,
        Agent::Cline => &cline::WIRING,
        Agent::Codex => &codex::WIRING,
        Agent::Copilot => &copilot::WIRING,
        Agent::Cursor => &cursor::WIRING,
        Agent::Gemini => &gemini::WIRING,
        Agent::Goose => &goose::WIRING,
        Agent::Hermes => &hermes::WIRING,
        Agent::OpenCode => &opencode::WIRING,
        Agent::Pi => &pi::WIRING,
        Agent::Windsurf => &windsurf::WIRING,
    }
}

/// The files in which an agent is told to ask herm. None where it has no such place.
#[must_use]
pub fn pieces(call: &Call, scope: Scope, directory: &Path) -> Vec<Piece> {
    if scope == Scope::System && wiring(call.agent).system.is_none() {
        return Vec::new();
    }
    let place = Place { call, scope, directory };
    match call.agent {
        Agent::ClaudeCode => claude_code::pieces(&place),
        Agent::Cline => cline::pieces(&place),
        Agent::Codex => codex::pieces(&place),
        Agent::Copilot => copilot::pieces(&place),
        Agent::Cursor => cursor::pieces(&place),
        Agent::Gemini => gemini::pieces(&place),
        Agent::Goose => goose::pieces(&place),
        Agent::Hermes => hermes::pieces(&place),
        Agent::OpenCode => opencode::pieces(&place),
        Agent::Pi => pi::pieces(&place),
        Agent::Windsurf => windsurf::pieces(&place),
    }
}

/// The file in which the agent is told that its person trusts our hook. `hooks` is the text of the first file, as it will
/// be.
#[must_use]
pub fn trust(call: &Call, scope: Scope, directory: &Path, hooks: &str) -> Option<Piece> {
    let place = Place { call, scope, directory };
    match (call.agent, scope) {
        (Agent::Codex, Scope::User) => codex::trust(&place, hooks),
        (Agent::Hermes, Scope::User) => Some(hermes::trust(&place)),
        (_, Scope::System | Scope::User) => None,
    }
}

/// Where an agent is wired.
struct Place<'a> {
    call: &'a Call,
    scope: Scope,
    directory: &'a Path,
}

impl Place<'_> {
    fn file(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn entries(&self, name: &str, format: Format, entries: Vec<Entry>) -> Piece {
        self.piece(name, Edit::Entries { format, entries })
    }

    fn piece(&self, name: &str, edit: Edit) -> Piece {
        let mode = if self.scope == Scope::System { 0o644 } else { 0o600 };
        Piece { agent: self.call.agent, file: self.file(name), edit, purpose: Purpose::Hook, mode }
    }
}

/// An item of a list, as herm would have it and no other.
fn listed<const N: usize>(list: [&str; N], item: Item) -> Entry {
    Entry::Item { list: list.map(ToOwned::to_owned).to_vec(), item, likeness: Likeness::Exact }
}

fn valued<const N: usize>(at: [&str; N], value: Item, standing: Standing) -> Entry {
    Entry::Value { at: at.map(ToOwned::to_owned).to_vec(), value, standing }
}

/// A file that is herm's alone, with the command in it.
fn shim(text: &str, call: &Call) -> String {
    let words = serde_json::Value::from(call.words()).to_string();
    text.replace("@line@", &call.line()).replace("@words@", &words)
}
