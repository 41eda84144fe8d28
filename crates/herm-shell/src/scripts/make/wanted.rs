//! What the command line of make says besides its options: what to make, and with which variables.

use crate::value::Value;

/// What is to be made, and with which variables.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    pub(super) targets: Vec<String>,
    /// Whether a target is only known when it runs: it could be any.
    pub(super) anything: bool,
    /// Variables whatever the makefile says; the value where it is known.
    variables: Vec<(String, Option<String>)>,
    /// The makefiles that are named.
    pub(super) files: Vec<String>,
    /// Where makefiles that are included are looked for besides.
    pub(super) include: Vec<String>,
    /// Whether the environment counts more than the makefile.
    pub(super) environment: bool,
}

impl Wanted {
    pub(super) fn of(given: &[Value]) -> Self {
        let mut wanted = Self::default();
        for argument in given {
            let start = argument.known_prefix();
            match (start.split_once('='), argument.known()) {
                (Some(("-f", file)), Some(_)) => wanted.files.push(file.to_owned()),
                (Some(("-I", directory)), Some(_)) => wanted.include.push(directory.to_owned()),
                (None, Some(option)) if option == "-e" => wanted.environment = true,
                (Some((name, _)), known) => {
                    let value = known.and_then(|text| Some(text.split_once('=')?.1.to_owned()));
                    wanted.variables.push((name.trim_end_matches([':', '?', '+']).to_owned(), value));
                }
                (None, Some(target)) if target.is_empty() || target.starts_with('-') => {}
                (None, Some(target)) => wanted.targets.push(target.into_owned()),
                (None, None) => wanted.anything = true,
            }
        }
        wanted
    }

    /// What the command line says that a variable is, if it does.
    pub(super) fn variable(&self, name: &str) -> Option<Given<'_>> {
        let (_, value) = self.variables.iter().rev().find(|(own, _)| own == name)?;
        Some(value.as_deref().map_or(Given::Unknown, Given::Text))
    }
}

/// The value of a variable that the command line gives.
pub(super) enum Given<'w> {
    Text(&'w str),
    /// It is only known when it runs.
    Unknown,
}
