//! Variables that belong together.

/// Variables that belong together, and what they are.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// What one of them is, after "it is".
    pub what: &'static str,
    /// Who may have one of them passed on.
    pub passing: Passing,
    /// Whole names. Everything here is in capitals, and names are compared without case.
    pub names: &'static [&'static str],
    /// How names begin.
    pub prefixes: &'static [&'static str],
    /// How names end.
    pub suffixes: &'static [&'static str],
    /// What names hold anywhere.
    pub parts: &'static [&'static str],
    /// Whole words of names, which are separated by anything but letters and digits.
    pub words: &'static [&'static str],
    /// Names that the rest would catch and that are harmless, each for a reason that is given beside it.
    pub kept: &'static [&'static str],
    /// Some that belong to it.
    pub examples: &'static [&'static str],
    /// Some that look as if they did, and that a child gets.
    pub near_misses: &'static [&'static str],
}

/// Who may have a variable passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// A person, in the configuration, and a skill that says it needs it.
    Declared,
    /// A person, in the configuration.
    ByPerson,
    /// Nobody: it belongs to the agent itself, not to the work it does.
    Never,
}

impl Family {
    /// One without anything in it.
    pub(super) const EMPTY: Self = Self {
        name: "",
        what: "",
        passing: Passing::Never,
        names: &[],
        prefixes: &[],
        suffixes: &[],
        parts: &[],
        words: &[],
        kept: &[],
        examples: &[],
        near_misses: &[],
    };

    /// Whether a variable of this name, in capitals, belongs to it.
    pub(super) fn holds(&self, name: &str) -> bool {
        !self.kept.contains(&name)
            && (self.names.contains(&name)
                || self.prefixes.iter().any(|prefix| name.starts_with(prefix))
                || self.suffixes.iter().any(|suffix| name.ends_with(suffix))
                || self.parts.iter().any(|part| name.contains(part))
                || words(name).any(|word| self.words.contains(&word)))
    }
}

/// A second key is a key: `API_KEY_2`, `KEY2`.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|found: char| !found.is_alphanumeric())
        .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()))
}
