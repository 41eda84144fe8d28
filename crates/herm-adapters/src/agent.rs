//! The agents that are known.

/// An agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Hermes.
    Hermes,
    /// `OpenCode`.
    OpenCode,
    /// Pi.
    Pi,
    /// Windsurf.
    Windsurf,
}

impl Agent {
    /// All of them, in the order of their names.
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

    /// Its word on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Cline => "cline",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
            Self::Cursor => "cursor",
            Self::Gemini => "gemini",
            Self::Goose => "goose",
            Self::Hermes => "hermes",
            Self::OpenCode => "opencode",
            Self::Pi => "pi",
            Self::Windsurf => "windsurf",
        }
    }

    /// The agent of this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|agent| agent.word() == word)
    }
}
