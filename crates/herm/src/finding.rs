//! What a rule has to say.

use herm_shell::{Effect, Span};

/// What one rule has to say about a call.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Finding {
    /// The rule.
    pub rule: &'static str,
    /// How it stands to the call.
    pub stance: Stance,
    /// Whether it is about something that could not be known.
    pub gap: bool,
    /// The effect it is about.
    pub subject: Option<Effect>,
    /// The invocation it is about, where it is about one.
    pub invocation: Option<usize>,
    /// Where in the text.
    pub span: Option<Span>,
    /// Why, in one sentence fragment.
    pub reason: String,
    /// A safer way.
    pub instead: Option<String>,
}

/// How a rule stands to a call. The strictest decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stance {
    /// It is worth recording.
    Note,
    /// A person must say yes.
    Ask,
    /// It is refused, whoever says yes.
    Deny,
}

impl Stance {
    /// The word for it: `note`, `ask` or `deny`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}
