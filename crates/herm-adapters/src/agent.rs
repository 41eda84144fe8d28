//! The agents that are known.

use std::path::Path;
use std::time::Duration;

use crate::agents::{
    claude_code, cline, codex, copilot, cursor, gemini, goose, hermes, opencode, pi, windsurf,
};
use crate::event::{Event, Malformed, Phase};
use crate::fields::Fields;
use crate::json;
use crate::reply::{Answer, Reply};
use crate::rewriting::{Keeps, Rewriting};
use crate::wiring::command::{Added, Call};
use crate::wiring::{Edit, Scope, pieces};

/// An agent whose hooks are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// Cline.
    Cline,
    /// Codex CLI.
    Codex,
    /// GitHub Copilot CLI.
    Copilot,
    /// Cursor.
    Cursor,
    /// Gemini CLI.
    Gemini,
    /// Goose.
    Goose,
    /// Hermes Agent.
    Hermes,
    /// `OpenCode`, by a plugin that asks us.
    OpenCode,
    /// Pi, by an extension that asks us.
    Pi,
    /// Windsurf.
    Windsurf,
}

/// What is particular to an agent. One file each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Protocol {
    /// Its word on the command line.
    pub(crate) word: &'static str,
    /// Its name for people.
    pub(crate) name: &'static str,
    /// How long it waits for a hook.
    pub(crate) patience: Patience,
    /// Whether it asks its own person when it is told to, and runs nothing when there is none.
    pub(crate) asks: bool,
    /// Whether a hook can replace what a tool gave back.
    pub(crate) replaces: bool,
    /// Whether what the model types into a command that runs already does not come to hooks.
    pub(crate) types_unseen: bool,
    /// What is known of the directory in which a command runs.
    pub(crate) directory: Directory,
    /// Whether it runs a command that a hook hands back, and what is known of that.
    pub(crate) rewriting: Option<Rewriting>,
    /// From what it tells to an event.
    pub(crate) decode: fn(Fields<'_>) -> Result<Event, Malformed>,
    /// From an answer to what it understands.
    pub(crate) encode: fn(&Event, &Answer) -> Reply,
}

/// After how many seconds an agent no longer waits for a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Patience {
    /// Where its configuration says nothing.
    pub(crate) usual: u64,
    /// Where its configuration says as much as it permits, for a person needs time to answer.
    pub(crate) longest: u64,
}

/// What is known of the directory in which a command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directory {
    /// Its shells go on from one call to the next and keep their own, or the model chooses one that hooks are not told.
    Guessed,
    /// The event says it.
    Told,
}

impl Agent {
    /// All of them, by their words.
    pub const ALL: &'static [Self] = &[
        Self::ClaudeCode,
        Self::Cline,
        Self::Codex,
        Self::Copilot,
        Self::Cursor,
        Self::Gemini,
        Self::Goose,
        Self::Hermes,
        Self::OpenCode,
        Self::Pi,
        Self::Windsurf,
    ];

    /// The one that a word means.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|agent| agent.word() == word)
    }

    /// Its word on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.protocol().word
    }

    /// Its name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.protocol().name
    }

    /// How long an answer may take: less than the agent waits where nobody told it otherwise, since most run the tool then.
    #[must_use]
    pub const fn deadline(self) -> Duration {
        let patience = self.protocol().patience.usual;
        Duration::from_secs(patience - if patience > 60 { 10 } else { 5 })
    }

    /// Whether it asks its own person when it is told to, and runs nothing when there is none.
    #[must_use]
    pub const fn asks_safely(self) -> bool {
        self.protocol().asks
    }

    /// Whether a hook can replace what a tool gave back.
    #[must_use]
    pub const fn replaces_results(self) -> bool {
        self.protocol().replaces
    }

    /// Whether what the model types into a command that runs already does not come to hooks: whatever reads code there is given
    /// code that nobody sees.
    #[must_use]
    pub const fn types_unseen(self) -> bool {
        self.protocol().types_unseen
    }

    /// Whether it says of a command that it failed. Codex hands out what the command printed, and nothing else.
    #[must_use]
    pub const fn tells_endings(self) -> bool {
        !matches!(self, Self::Codex)
    }

    /// Whether it says in which directory a command runs; otherwise what it says is a guess.
    #[must_use]
    pub const fn tells_directory(self) -> bool {
        matches!(self.protocol().directory, Directory::Told)
    }

    /// What is left of the shell in which the command of an event runs; nothing where no other can be put in its place.
    #[must_use]
    pub fn rewrites(self, event: &Event) -> Option<Keeps> {
        let rewriting = self.protocol().rewriting?;
        let is_possible = rewriting.events.contains(&event.name.as_str()) && event.command().is_some();
        is_possible.then_some(rewriting.keeps)
    }

    /// What is left of the shells of an agent that can be handed other commands; nothing where it cannot.
    #[must_use]
    pub fn keeps(self) -> Option<Keeps> {
        self.protocol().rewriting.map(|rewriting| rewriting.keeps)
    }

    /// What has to be installed in an agent that starts no programs as hooks, with this program as herm.
    #[must_use]
    pub fn shim(self, herm: &str) -> Option<String> {
        let call = Call { agent: self, program: herm.to_owned(), herm_home: None, added: Added::default() };
        let mut pieces = pieces(&call, Scope::User, Path::new("")).into_iter();
        match (self, pieces.next()?.edit) {
            (Self::OpenCode | Self::Pi, Edit::Whole(text)) => Some(text),
            (_, Edit::Entries { .. } | Edit::Whole(_)) => None,
        }
    }

    /// Understands what the agent tells its hook.
    ///
    /// # Errors
    /// When it cannot be relied on, lacks what every event has, or is about an event that nobody here knows.
    pub fn decode(self, told: &[u8]) -> Result<Event, Malformed> {
        let told = json::read(told)?;
        let told = Fields(&told);
        told.check()?;
        let event = (self.protocol().decode)(told)?;
        match Fields::of(&event.input) {
            Some(input) if event.phase == Phase::Before && !event.is_for_server() => {
                input.check_directory()?;
            }
            Some(_) | None => {}
        }
        Ok(event)
    }

    /// Says it so that the agent understands. What it has no words for becomes a refusal, or nothing where nothing is asked.
    #[must_use]
    pub fn encode(self, event: &Event, answer: &Answer) -> Reply {
        (self.protocol().encode)(event, answer)
    }

    /// The refusal of a tool where nobody could read what it is about.
    #[must_use]
    pub fn block(self, reason: &str) -> Reply {
        let unread = Event {
            phase: Phase::Before,
            name: String::new(),
            session: None,
            cwd: None,
            id: None,
            tool: String::new(),
            input: serde_json::Value::Null,
            uses: Vec::new(),
            result: None,
            failed: false,
            unasked: false,
        };
        self.encode(&unread, &Answer::Refuse(reason.to_owned()))
    }

    pub(crate) const fn protocol(self) -> &'static Protocol {
        match self {
            Self::ClaudeCode => &claude_code::PROTOCOL,
            Self::Cline => &cline::PROTOCOL,
            Self::Codex => &codex::PROTOCOL,
            Self::Copilot => &copilot::PROTOCOL,
            Self::Cursor => &cursor::PROTOCOL,
            Self::Gemini => &gemini::PROTOCOL,
            Self::Goose => &goose::PROTOCOL,
            Self::Hermes => &hermes::PROTOCOL,
            Self::OpenCode => &opencode::PROTOCOL,
            Self::Pi => &pi::PROTOCOL,
            Self::Windsurf => &windsurf::PROTOCOL,
        }
    }
}
