//! The environment variables that are read, all of them here.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use herm::environment::{Passthrough, Surface, filter};

use crate::files;

/// The variables that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// `0`: no colour.
    CliColor,
    /// Anything but `0`: colour even without a terminal.
    CliColorForce,
    /// Anything: questions wait for whoever watches, even without a terminal.
    HermesExecAsk,
    /// Where herm keeps its configuration.
    HermHome,
    /// The same, as Hermes calls it.
    HermesHome,
    /// The directories that writing is confined to.
    HermesWriteSafeRoot,
    /// Something like yes: nothing is asked.
    HermesYoloMode,
    /// The home directory.
    Home,
    /// Anything: no colour.
    NoColor,
    /// The terminal's type.
    Term,
    /// The user's name.
    User,
}

impl Variable {
    /// All of them, in the order of their names.
    pub const ALL: &'static [Self] = &[
        Self::CliColor,
        Self::CliColorForce,
        Self::HermesExecAsk,
        Self::HermesHome,
        Self::HermesWriteSafeRoot,
        Self::HermesYoloMode,
        Self::HermHome,
        Self::Home,
        Self::NoColor,
        Self::Term,
        Self::User,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CliColor => "CLICOLOR",
            Self::CliColorForce => "CLICOLOR_FORCE",
            Self::HermesExecAsk => "HERMES_EXEC_ASK",
            Self::HermHome => "HERM_HOME",
            Self::HermesHome => "HERMES_HOME",
            Self::HermesWriteSafeRoot => "HERMES_WRITE_SAFE_ROOT",
            Self::HermesYoloMode => "HERMES_YOLO_MODE",
            Self::Home => "HOME",
            Self::NoColor => "NO_COLOR",
            Self::Term => "TERM",
            Self::User => "USER",
        }
    }

    /// What it does, in a sentence.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::CliColor => "`0`: no colour.",
            Self::CliColorForce => "Anything but `0`: colour even without a terminal.",
            Self::HermesExecAsk => {
                "Anything: questions wait for whoever watches with `herm approvals`, even without a terminal."
            }
            Self::HermHome => {
                "Where herm keeps its configuration, its secrets and its record; usually `~/.herm`."
            }
            Self::HermesHome => "The same, where `HERM_HOME` is not set.",
            Self::HermesWriteSafeRoot => {
                "Directories that writing is confined to, separated by colons. It can only tighten."
            }
            Self::HermesYoloMode => {
                "`1`, `true`, `yes` or `on`: nothing is asked, as with `--yolo`. Commands that herm runs do not get it, and cannot set it for themselves."
            }
            Self::Home => "The home directory, where `--home` does not say otherwise.",
            Self::NoColor => "Anything: no colour.",
            Self::Term => "`dumb`: no colour.",
            Self::User => "The user's name, for the record.",
        }
    }

    /// Its value, when it is set to something.
    #[must_use]
    pub fn value(self) -> Option<String> {
        named(self.name())
    }
}

/// A variable that commands often use and that is never a secret.
#[must_use]
pub fn harmless(name: &str) -> Option<String> {
    let known =
        ["EDITOR", "LANG", "LOGNAME", "PAGER", "PATH", "SHELL", "TMPDIR", "USER", "VISUAL"].contains(&name);
    (known || name.starts_with("XDG_")).then(|| named(name)).flatten()
}

/// A variable by which an agent is told where its files are.
pub(crate) fn of_agent(name: &'static str) -> Option<String> {
    named(name)
}

/// Whether a variable is set to something.
pub(crate) fn is_set(name: &str) -> bool {
    named(name).is_some()
}

/// The home directory of this user, as the machine knows it: no variable can say otherwise.
pub(crate) fn own_home() -> Option<PathBuf> {
    let uid = rustix::process::getuid().as_raw().to_string();
    let users = files::text(Path::new("/etc/passwd"))?;
    let homes = users.lines().filter_map(|line| {
        let mut fields = line.split(':').skip(2);
        (fields.next() == Some(&uid)).then(|| fields.nth(2)).flatten()
    });
    homes.map(PathBuf::from).find(|home| home.is_absolute())
}

/// Where temporary files go.
pub(crate) fn temporary() -> io::Result<PathBuf> {
    let named = PathBuf::from(harmless("TMPDIR").unwrap_or_else(|| "/tmp".to_owned()));
    if named.is_absolute() { Ok(named) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

/// The whole environment of a child.
pub(crate) fn of_child(surface: Surface, passthrough: &Passthrough) -> Vec<(OsString, OsString)> {
    filter(inherited(), surface, passthrough)
}

/// The whole environment of this process, for programs that the user would start the same way.
pub(crate) fn own() -> Vec<(OsString, OsString)> {
    inherited().collect()
}

/// Where a program lies that a child with this environment would find.
pub(crate) fn program(name: &OsStr, environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    let named = Path::new(name);
    if named.is_absolute() {
        return Some(named.to_owned());
    }
    let path = environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str())?;
    let candidates = std::env::split_paths(path).filter(|directory| directory.is_absolute());
    candidates.map(|directory| directory.join(named)).find(|file| files::exists(file))
}

#[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
fn inherited() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os()
}

#[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
pub(crate) fn named(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
