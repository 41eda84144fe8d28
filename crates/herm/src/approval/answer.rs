//! What can be said to a question.

/// What can be said to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Yes, and do not ask again.
    Always,
    /// No.
    Deny,
    /// Yes, this time.
    Once,
    /// Yes, for the rest of this session.
    Session,
    /// Only on something that stands in for the workspace: what comes of it is asked about again.
    Try,
}

impl Answer {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Deny => "deny",
            Self::Once => "once",
            Self::Session => "session",
            Self::Try => "try",
        }
    }

    /// The answer with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Always, Self::Deny, Self::Once, Self::Session, Self::Try]
            .into_iter()
            .find(|answer| answer.word() == word)
    }

    /// What a person typed: a word or its first letter. Anything else is no answer.
    #[must_use]
    pub fn from_typed(typed: &str) -> Option<Self> {
        match typed.trim().to_ascii_lowercase().as_str() {
            "a" | "always" => Some(Self::Always),
            "d" | "deny" | "n" | "no" => Some(Self::Deny),
            "o" | "once" | "y" | "yes" => Some(Self::Once),
            "s" | "session" => Some(Self::Session),
            "t" | "try" => Some(Self::Try),
            _ => None,
        }
    }

    /// Whether it lets the call go on as it is. A try does not: nothing of it counts yet.
    #[must_use]
    pub const fn is_yes(self) -> bool {
        match self {
            Self::Always | Self::Once | Self::Session => true,
            Self::Deny | Self::Try => false,
        }
    }
}
