//! Files with credentials that an isolated backend is given.

use std::fmt;

use super::passthrough::Declared;
use crate::path::AbsPath;

/// A file that is mounted, read-only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// Where it is, with no links in the way.
    pub source: AbsPath,
    /// Where it is mounted.
    pub target: AbsPath,
}

/// Why a file is not mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotMounted {
    /// It is not named from the home.
    Absolute,
    /// The name holds a character that a list of mounts is separated by, or none that is seen.
    Character(char),
    /// The name is empty.
    Empty,
    /// It lies outside the home, or leads there.
    Outside,
    /// It holds the agent's own keys, and a skill asked for it.
    Own,
}

/// Where files are mounted.
const TARGET: &str = "/root/.hermes";

/// Which file `wanted` of the home `home` is, and where it is mounted; `None` when it is not there.
///
/// `real` says where a file really is, links followed, or that there is none.
///
/// # Errors
/// When it is not in the home, or is one that must not be asked for.
pub fn mount(
    home: &AbsPath,
    wanted: &str,
    by: Declared,
    real: impl FnOnce(&AbsPath) -> Option<AbsPath>,
) -> Result<Option<Credential>, NotMounted> {
    let below = below(wanted)?;
    let written = AbsPath::new(&format!("{home}/{below}")).map_err(|_| NotMounted::Outside)?;
    let target = AbsPath::new(&format!("{TARGET}/{below}")).map_err(|_| NotMounted::Outside)?;
    let Some(source) = real(&written) else { return Ok(None) };
    if !home.holds(source.as_str()) {
        return Err(NotMounted::Outside);
    }
    let inside = source.as_str().strip_prefix(home.as_str()).unwrap_or_default().trim_start_matches('/');
    if by == Declared::InSkill && (is_own(&below) || is_own(inside)) {
        return Err(NotMounted::Own);
    }
    Ok(Some(Credential { source, target }))
}

/// The name without `.` and `..`, which must not lead out on the way either.
fn below(wanted: &str) -> Result<String, NotMounted> {
    if wanted.starts_with(['/', '~', '\\']) {
        return Err(NotMounted::Absolute);
    }
    if let Some(strange) =
        wanted.chars().find(|found| found.is_control() || matches!(found, ':' | ',' | '\\'))
    {
        return Err(NotMounted::Character(strange));
    }
    let mut parts = Vec::new();
    for part in wanted.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop().ok_or(NotMounted::Outside)?),
            name => parts.push(name),
        }
    }
    if parts.is_empty() { Err(NotMounted::Empty) } else { Ok(parts.join("/")) }
}

/// Whether a file in the home holds what belongs to the agent rather than to a skill.
fn is_own(path: &str) -> bool {
    let path = path.to_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    OWN.contains(&path.as_str())
        || OWN_DIRECTORIES.iter().any(|directory| path.starts_with(directory))
        || name == ".envrc"
        || name == ".env"
        || name.starts_with(".env.")
}

const OWN: &[&str] = &[
    ".anthropic_oauth.json",
    "auth.json",
    "auth.lock",
    "auth/google_oauth.json",
    "cache/bws_cache.json",
    "config.yaml",
    "webhook_subscriptions.json",
];
const OWN_DIRECTORIES: &[&str] = &["mcp-tokens/", "pairing/", "platforms/", "profiles/", "skills/.hub/"];

impl fmt::Display for NotMounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absolute => f.write_str("a credential file is named from the home, not from the root"),
            Self::Character(found) => write!(f, "its name holds the character `{}`", found.escape_default()),
            Self::Empty => f.write_str("its name is empty"),
            Self::Outside => f.write_str("it lies outside the home"),
            Self::Own => f.write_str("it holds keys of the agent itself"),
        }
    }
}

impl std::error::Error for NotMounted {}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> AbsPath {
        AbsPath::new("/home/dev/.hermes").unwrap()
    }

    fn mounted(wanted: &str) -> Result<Option<Credential>, NotMounted> {
        mount(&home(), wanted, Declared::InSkill, |path| Some(path.clone()))
    }

    #[test]
    fn files_of_the_home_are_mounted() {
        let found = mounted("google_token.json").unwrap().unwrap();
        assert_eq!(found.source.as_str(), "/home/dev/.hermes/google_token.json");
        assert_eq!(found.target.as_str(), "/root/.hermes/google_token.json");
        let found = mounted("./oauth//x/../client secret.json").unwrap().unwrap();
        assert_eq!(found.target.as_str(), "/root/.hermes/oauth/client secret.json");
    }

    #[test]
    fn absent_files_are_not() {
        assert_eq!(mount(&home(), "none.json", Declared::InSkill, |_| None), Ok(None));
    }

    #[test]
    fn what_leaves_the_home_is_refused() {
        for wanted in ["../x", "a/../../x", "a/../../.hermes/x", ".."] {
            assert_eq!(mounted(wanted), Err(NotMounted::Outside), "{wanted}");
        }
        for wanted in ["/etc/passwd", "~/x", "~root/x", "\\\\host\\x"] {
            assert_eq!(mounted(wanted), Err(NotMounted::Absolute), "{wanted}");
        }
        let led =
            mount(&home(), "link.json", Declared::InConfiguration, |_| AbsPath::new("/etc/shadow").ok());
        assert_eq!(led, Err(NotMounted::Outside));
        let led = mount(&home(), "link.json", Declared::InConfiguration, |_| {
            AbsPath::new("/home/dev/.hermes2").ok()
        });
        assert_eq!(led, Err(NotMounted::Outside));
        for wanted in ["", ".", "a/.."] {
            assert_eq!(mounted(wanted), Err(NotMounted::Empty), "{wanted}");
        }
        assert_eq!(mounted("a:/etc:rw"), Err(NotMounted::Character(':')));
        assert_eq!(mounted("a\0"), Err(NotMounted::Character('\0')));
    }

    #[test]
    fn a_skill_gets_none_of_the_agents_own_keys() {
        for wanted in
            [".env", "x/.ENV.production", "auth.json", "mcp-tokens/a.json", "a/../auth.json", "config.yaml"]
        {
            assert_eq!(mounted(wanted), Err(NotMounted::Own), "{wanted}");
            let by_person = mount(&home(), wanted, Declared::InConfiguration, |path| Some(path.clone()));
            assert!(by_person.is_ok(), "{wanted}");
        }
        let led =
            mount(&home(), "token.json", Declared::InSkill, |_| AbsPath::new("/home/dev/.hermes/.env").ok());
        assert_eq!(led, Err(NotMounted::Own));
    }
}
