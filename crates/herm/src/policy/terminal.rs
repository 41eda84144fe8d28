//! What the `terminal` section says.

use super::error::{Position, Problem};
use super::value::{Wrong, all, number, texts, wrong};
use super::yaml::Node;
use crate::environment::{Declared, Passthrough, mount};
use crate::path::AbsPath;

/// What the `terminal` section says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Where commands are meant to run.
    pub backend: Option<String>,
    /// Seconds that a command may run.
    pub timeout: Option<u32>,
    /// The most that a call may ask for.
    pub max_timeout: Option<u32>,
    /// Variables that commands get although they are secret.
    pub passthrough: Vec<Wanted>,
    /// Files with credentials that an isolated backend is given.
    pub credentials: Vec<Wanted>,
}

/// Something that a file asks for, and where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The file.
    pub file: String,
    /// Where in it.
    pub at: Position,
    /// What.
    pub name: String,
}

impl Terminal {
    /// Of two times the shorter one holds, lists are joined, and where commands run is said by who says it first.
    pub(super) fn join(&mut self, other: Self) {
        self.backend = self.backend.take().or(other.backend);
        self.timeout = shorter(self.timeout, other.timeout);
        self.max_timeout = shorter(self.max_timeout, other.max_timeout);
        self.passthrough.extend(other.passthrough);
        self.credentials.extend(other.credentials);
    }
}

fn shorter(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    one.into_iter().chain(other).min()
}

/// A number of seconds. No time at all would end every command before it began.
pub(super) fn seconds(node: &Node, key: &str) -> Result<u32, Wrong> {
    match number(node, key) {
        Ok(0) => Err(Wrong::from((node.at, Problem::NoTime(key.to_owned())))),
        Ok(seconds) => Ok(seconds),
        Err(_) => Err(wrong(node, key, "a whole number of seconds")),
    }
}

/// Variables to pass on. What nobody may pass on is a mistake in the file, not something to pass over.
pub(super) fn variables(node: &Node, file: &str) -> Result<Vec<Wanted>, Wrong> {
    wanted(node, file, "terminal.env_passthrough", |name| {
        let declared = Passthrough::default().declare(name, Declared::InConfiguration, false);
        declared.map(drop).map_err(|why| Problem::NotPassed { name: name.to_owned(), why: why.to_string() })
    })
}

/// Files to mount. Where links lead is known only when they are.
pub(super) fn files(node: &Node, file: &str) -> Result<Vec<Wanted>, Wrong> {
    wanted(node, file, "terminal.credential_files", |name| {
        let mounted = mount(&AbsPath::root(), name, Declared::InConfiguration, |_| None);
        mounted.map(drop).map_err(|why| Problem::NotMounted { name: name.to_owned(), why })
    })
}

fn wanted(
    node: &Node,
    file: &str,
    key: &str,
    check: impl Fn(&str) -> Result<(), Problem>,
) -> Result<Vec<Wanted>, Wrong> {
    let one = |(at, name): (Position, String)| {
        check(&name).map_err(|problem| Wrong::from((at, problem)))?;
        Ok(Wanted { file: file.to_owned(), at, name })
    };
    all(texts(node, key)?.into_iter().map(one))
}

#[cfg(test)]
mod tests {
    use crate::policy::{Config, Policy, Preset, Source, Surroundings};

    fn read(source: Source, fields: &str) -> Result<Config, String> {
        let text = format!("terminal: {{{fields}}}");
        Config::read(source, "c.yaml", &text).map_err(|error| error.to_string())
    }

    fn times(parts: &[(Source, &str)], preset: Preset) -> (u64, u64) {
        let configs = parts.iter().map(|(source, fields)| read(*source, fields).unwrap()).collect();
        let mut policy = Policy::compile(configs, &Surroundings::default()).unwrap();
        policy.set_preset(preset);
        (policy.limits.time.as_secs(), policy.limits.longest.as_secs())
    }

    #[test]
    fn times_are_those_of_the_file_up_to_the_most() {
        let user = |fields| times(&[(Source::User, fields)], Preset::Hermes);
        assert_eq!(user(""), (180, 600));
        assert_eq!(user("timeout: 20"), (20, 600));
        assert_eq!(user("timeout: 300, max_timeout: 1200"), (300, 1200));
        assert_eq!(user("max_timeout: 60"), (60, 60));
        assert_eq!(user("timeout: 900"), (600, 600));
    }

    #[test]
    fn the_strict_preset_is_never_more_patient_than_its_own_numbers() {
        let user = |fields| times(&[(Source::User, fields)], Preset::Strict);
        assert_eq!(user("timeout: 900, max_timeout: 3600"), (30, 120));
        assert_eq!(user("timeout: 10, max_timeout: 20"), (10, 20));
    }

    #[test]
    fn the_shorter_of_two_times_holds() {
        let parts = [(Source::Managed, "timeout: 40, max_timeout: 50"), (Source::User, "timeout: 300")];
        assert_eq!(times(&parts, Preset::Hermes), (40, 50));
    }

    #[test]
    fn no_time_at_all_is_a_mistake() {
        let refused = "c.yaml:1:21: `terminal.timeout` must be at least 1: in 0 seconds nothing can run";
        assert_eq!(read(Source::User, "timeout: 0").unwrap_err(), refused);
        let refused = "c.yaml:1:25: `terminal.max_timeout` must be at least 1: in 0 seconds nothing can run";
        assert_eq!(read(Source::User, "max_timeout: 0").unwrap_err(), refused);
        for text in ["-1", "1.5", "30s", "never", "99999999999", "[1]"] {
            let refused = "c.yaml:1:21: `terminal.timeout` must be a whole number of seconds";
            assert_eq!(read(Source::User, &format!("timeout: {text}")).unwrap_err(), refused);
        }
    }

    #[test]
    fn what_nobody_may_pass_on_is_a_mistake() {
        let refused = read(Source::User, "env_passthrough: [MY_KEY, OPENROUTER_API_KEY]").unwrap_err();
        assert!(
            refused.starts_with("c.yaml:1:38: `OPENROUTER_API_KEY` is not passed on: it is "),
            "{refused}"
        );
        let refused = read(Source::User, "env_passthrough: ['A B']").unwrap_err();
        assert!(refused.ends_with("`A B` is not passed on: it is no name of a variable"), "{refused}");
    }

    #[test]
    fn credentials_are_named_from_the_home() {
        assert!(read(Source::User, "credential_files: [google_token.json]").is_ok());
        let refused = read(Source::User, "credential_files: [../x]").unwrap_err();
        assert_eq!(refused, "c.yaml:1:31: `../x` is not mounted: it lies outside the home");
        assert!(read(Source::User, "credential_files: [/etc/passwd]").unwrap_err().contains("from the home"));
    }

    #[test]
    fn a_repository_gets_nothing_passed_on() {
        for fields in ["env_passthrough: [A]", "credential_files: [a]", "timeout: 900", "backend: local"] {
            let refused = read(Source::Repository, fields).unwrap_err();
            assert!(refused.contains("a repository may only tighten"), "{refused}");
        }
    }
}
