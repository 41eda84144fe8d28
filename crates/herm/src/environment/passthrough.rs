//! Variables that are passed on because somebody said so.

use std::collections::BTreeSet;
use std::fmt;

use super::families::family;
use super::family::{Family, Passing};

/// Variables that are passed on although their name says that they are secrets, or that nobody needs them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passthrough(BTreeSet<String>);

/// Who says that a variable is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// A person, by `terminal.env_passthrough`.
    InConfiguration,
    /// A skill, by `required_environment_variables`.
    InSkill,
}

/// What became of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registration {
    /// It is passed on.
    Passed,
    /// It is not set, so there is nothing to pass on, and nothing is remembered: it may be set for another reason later.
    Unset,
}

/// Why a variable is not passed on.
#[derive(Clone, Copy, Debug)]
pub enum NotPassed {
    /// It is one of these.
    Belongs(&'static Family),
    /// It is no name of a variable.
    NoName,
}

impl Passthrough {
    /// Passes on a variable of this name, if it is set.
    ///
    /// # Errors
    /// When it is a secret of the agent itself, or one that a skill must not ask for.
    pub fn declare(&mut self, name: &str, by: Declared, is_set: bool) -> Result<Registration, NotPassed> {
        check(name, by)?;
        if !is_set {
            return Ok(Registration::Unset);
        }
        self.0.insert(name.to_owned());
        Ok(Registration::Passed)
    }

    pub(super) fn holds(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

fn check(name: &str, by: Declared) -> Result<(), NotPassed> {
    if !is_name(name) {
        return Err(NotPassed::NoName);
    }
    let Some(family) = family(name) else { return Ok(()) };
    match (family.passing, by) {
        (Passing::Declared, _) | (Passing::ByPerson, Declared::InConfiguration) => Ok(()),
        (Passing::ByPerson, Declared::InSkill) | (Passing::Never, _) => Err(NotPassed::Belongs(family)),
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|found| found.is_ascii_alphanumeric() || found == '_')
}

impl fmt::Display for NotPassed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Belongs(family) => write!(f, "it is {}", family.what),
            Self::NoName => f.write_str("it is no name of a variable"),
        }
    }
}

impl std::error::Error for NotPassed {}
