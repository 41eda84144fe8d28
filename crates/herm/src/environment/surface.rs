//! Where a child runs.

use std::ffi::OsStr;

use super::families::family;
use super::passthrough::Passthrough;
use super::value;

/// Where a child runs, which decides what it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// A script that the agent wrote: little, by the beginnings of names.
    ExecuteCode,
    /// A server of tools: a short list, and what its own configuration gives it. Nothing is passed through.
    Mcp,
    /// A command: everything but secrets and what would make it do something else than it says.
    Terminal,
}

impl Surface {
    pub(super) fn keeps(self, name: &str, value: &OsStr, passthrough: &Passthrough) -> bool {
        let capitals = name.to_uppercase();
        if self != Self::Mcp && passthrough.holds(name) {
            return true;
        }
        family(name).is_none()
            && !value::holds_secret(value)
            && match self {
                Self::ExecuteCode => is_of_use_to_code(&capitals),
                Self::Mcp => is_of_use_to_server(name),
                Self::Terminal => !OF_OUR_INTERPRETER.contains(&name),
            }
    }
}

/// Whoever started us may stand in an environment of Python packages of their own, which is not the project's.
const OF_OUR_INTERPRETER: &[&str] = &["CONDA_PREFIX", "VIRTUAL_ENV"];

fn is_of_use_to_code(name: &str) -> bool {
    !SECRET_TO_CODE.iter().any(|part| name.contains(part))
        && (CODE_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || HOMES.contains(&name))
}

/// Wider than for a command: a script has no need of names like these, and nobody reads it line by line.
const SECRET_TO_CODE: &[&str] = &[
    "APIKEY",
    "AUTH",
    "BEARER",
    "CREDENTIAL",
    "CREDS",
    "DSN",
    "KEY",
    "PASSWD",
    "PASSWORD",
    "SECRET",
    "TOKEN",
    "WEBHOOK",
];

const CODE_PREFIXES: &[&str] = &[
    "CONDA",
    "HOME",
    "LANG",
    "LC_",
    "LOGNAME",
    "PATH",
    "PYTHONPATH",
    "SHELL",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
    "XDG_",
];

/// Where things are: a path or a name, no secret.
const HOMES: &[&str] = &["HERMES_CONFIG", "HERMES_ENV", "HERMES_HOME", "HERMES_PROFILE", "HERM_HOME"];

fn is_of_use_to_server(name: &str) -> bool {
    SERVER.contains(&name) || name.starts_with("XDG_")
}

const SERVER: &[&str] = &["HOME", "LANG", "LC_ALL", "PATH", "SHELL", "TERM", "TMPDIR", "USER"];
