//! Which of the commands that are released to agents herm runs itself.

/// Which of the commands that are released to agents herm runs itself, behind the boundary; from the fewest to the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Released {
    /// None: agents run them.
    Never,
    /// Those of an agent that says that it asks nobody, where its own rules see them as before.
    #[default]
    Unasked,
    /// All that can be run so without anybody noticing a difference but for the boundary.
    Always,
}

impl Released {
    /// The words for all of them.
    pub const WORDS: &'static [&'static str] = &["never", "unasked", "always"];

    /// The one with this name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Never, Self::Unasked, Self::Always].into_iter().find(|one| one.word() == word)
    }

    /// Its name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Unasked => "unasked",
            Self::Always => "always",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Config, Policy, Source, Surroundings};

    fn held(files: &[(Source, &str)]) -> Released {
        let read = |(source, text): &(Source, &str)| Config::read(*source, "c.yaml", text).unwrap();
        let configs = files.iter().map(read).collect();
        Policy::compile(configs, &Surroundings::default()).unwrap().released
    }

    #[test]
    fn of_two_files_the_one_holds_that_confines_more() {
        let never = "sandbox: {agents: never}";
        let always = "sandbox: {agents: always}";
        assert_eq!(held(&[]), Released::Unasked);
        assert_eq!(held(&[(Source::User, never)]), Released::Never);
        assert_eq!(held(&[(Source::Managed, always), (Source::User, never)]), Released::Always);
        assert_eq!(held(&[(Source::Managed, never), (Source::User, always)]), Released::Always);
    }

    #[test]
    fn a_repository_does_not_say_it() {
        for word in Released::WORDS {
            assert!(
                Config::read(Source::Repository, "c.yaml", &format!("sandbox: {{agents: {word}}}")).is_err()
            );
        }
        assert!(Config::read(Source::User, "c.yaml", "sandbox: {agents: sometimes}").is_err());
    }
}
