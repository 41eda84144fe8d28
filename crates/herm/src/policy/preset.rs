//! How strict a judgement is, and who answers.

/// How strict a judgement is; from the loosest to the strictest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Preset {
    /// Nothing asks; every refusal holds, and what could not be read is refused.
    Permissive,
    /// What no rule minds is allowed.
    #[default]
    Hermes,
    /// Only what is on the list runs unasked.
    Strict,
}

/// Who answers questions; from the loosest to the strictest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Nobody: nothing is asked.
    Off,
    /// A model first, then a person.
    Smart,
    /// A person.
    #[default]
    Manual,
}

impl Preset {
    /// The words for all of them, from the strictest to the loosest.
    pub const WORDS: &'static [&'static str] = &["strict", "hermes", "permissive"];

    /// The preset with this name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Permissive, Self::Hermes, Self::Strict].into_iter().find(|preset| preset.word() == word)
    }

    /// Its name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Permissive => "permissive",
            Self::Hermes => "hermes",
            Self::Strict => "strict",
        }
    }
}

impl Mode {
    /// The words for all of them.
    pub const WORDS: &'static [&'static str] = &["manual", "smart", "off"];

    /// The mode with this name. YAML reads a bare `off` as false, so that counts as well.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "manual" => Some(Self::Manual),
            "smart" => Some(Self::Smart),
            "off" | "false" => Some(Self::Off),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Smart => "smart",
            Self::Manual => "manual",
        }
    }
}
