//! What is demanded of the sandbox.
//!
//! Of several files the strictest holds: the smallest bound, the stricter profile. A repository can lower bounds, even below what is usual,
//! and take paths away; it can give none.

use herm_shell::place::{kept_beneath, resolve};
use herm_shell::{Places, Value};

use super::config::Source;
use super::error::{Error, Position, Problem};
use super::value::{Wrong, rounded, wrong};
use super::yaml::{Content, Node};
use super::{Surroundings, rooted};
use crate::path::AbsPath;

/// What is demanded of the sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// How much it may leave in its private places, in mebibytes.
    pub disk: Bound,
    /// How large a file may become, in mebibytes.
    pub file_size: Bound,
    /// What becomes of a command whose sandbox would lack something.
    pub missing: Missing,
    /// Memory, in mebibytes.
    pub memory: Bound,
    /// Processes and threads.
    pub processes: Bound,
    /// Processors.
    pub processors: Bound,
    /// Which parts of the kernel it may speak to.
    pub profile: Profile,
    /// What it may read besides.
    pub readable: Vec<Shown>,
    /// What it may change besides.
    pub writable: Vec<Shown>,
}

/// The same, as one file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) disk: Option<u32>,
    pub(super) file_size: Option<u32>,
    pub(super) missing: Missing,
    pub(super) memory: Option<u32>,
    pub(super) processes: Option<u32>,
    pub(super) processors: Option<u32>,
    pub(super) profile: Option<Profile>,
    pub(super) readable: Option<Vec<(Position, String)>>,
    pub(super) writable: Option<Vec<(Position, String)>>,
}

/// A bound, as far as anybody has set it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// What holds in place of the usual.
    chosen: Option<u32>,
    /// What it is kept under, whatever else holds.
    most: Option<u32>,
}

/// What becomes of a command whose sandbox would lack something that was demanded; the strictest is the greatest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// It runs, and the record says what did not hold.
    #[default]
    Accept,
    /// A person decides.
    Ask,
    /// It does not run.
    Refuse,
}

impl Missing {
    /// The words for all of them.
    pub(super) const WORDS: &'static [&'static str] = &["accept", "ask", "refuse"];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Ask => "ask",
            Self::Refuse => "refuse",
        }
    }

    /// What is not known is refused.
    pub(super) fn of(word: &str) -> Self {
        [Self::Accept, Self::Ask].into_iter().find(|missing| missing.word() == word).unwrap_or(Self::Refuse)
    }
}

/// Which parts of the kernel a command may speak to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Also those that tools need that sandbox themselves.
    Nested,
    /// Those that programs need.
    #[default]
    Standard,
}

/// Something outside the workspace that commands see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The file that says so.
    pub file: String,
    /// Where in it.
    pub at: Position,
    /// What.
    pub path: AbsPath,
}

/// What commands may do to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Look.
    Read,
    /// Look, and change it.
    Write,
}

impl Bound {
    /// What holds, where `usual` does if nobody says anything. A number stands for that many of `unit`.
    #[must_use]
    pub fn over(self, usual: Option<u64>, unit: u64) -> Option<u64> {
        let scaled = |number: Option<u32>| number.map(|number| u64::from(number).saturating_mul(unit));
        scaled(self.chosen).or(usual).into_iter().chain(scaled(self.most)).min()
    }

    /// What somebody has set.
    #[must_use]
    pub fn said(self) -> Option<u32> {
        self.chosen.into_iter().chain(self.most).min()
    }

    fn join(&mut self, source: Source, said: Option<u32>) {
        let held = if source == Source::Repository { &mut self.most } else { &mut self.chosen };
        *held = held.iter().copied().chain(said).min();
    }
}

impl Profile {
    /// The words for all of them.
    pub(super) const WORDS: &'static [&'static str] = &["standard", "nested"];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nested => "nested",
            Self::Standard => "standard",
        }
    }

    pub(super) fn of(word: &str) -> Self {
        if word == Self::Nested.word() { Self::Nested } else { Self::Standard }
    }
}

impl Sandbox {
    /// Takes in what a file says. What is wrong with it is told.
    pub(super) fn join(
        &mut self,
        written: Written,
        (source, file): (Source, &str),
        surroundings: &Surroundings,
    ) -> Vec<Error> {
        self.disk.join(source, written.disk);
        self.file_size.join(source, written.file_size);
        self.memory.join(source, written.memory);
        self.missing = self.missing.max(written.missing);
        self.processes.join(source, written.processes);
        self.processors.join(source, written.processors);
        let mut wrong = Vec::new();
        for (held, paths, access) in [
            (&mut self.readable, written.readable, Access::Read),
            (&mut self.writable, written.writable, Access::Write),
        ] {
            let Some(paths) = paths else { continue };
            let (shown, mistakes) = shown(paths, access, file, surroundings);
            wrong.extend(mistakes);
            if source == Source::Repository {
                held.retain(|one| shown.iter().any(|other| other.path == one.path));
            } else {
                held.extend(shown);
            }
        }
        wrong
    }
}

/// The profile that follows from what files say: one that opens more needs somebody who says so, and nobody who says otherwise.
pub(super) fn profile(said: impl Iterator<Item = Profile>) -> Profile {
    let said: Vec<_> = said.collect();
    if !said.is_empty() && said.iter().all(|profile| *profile == Profile::Nested) {
        Profile::Nested
    } else {
        Profile::Standard
    }
}

fn shown(
    paths: Vec<(Position, String)>,
    access: Access,
    file: &str,
    surroundings: &Surroundings,
) -> (Vec<Shown>, Vec<Error>) {
    let (mut sound, mut wrong) = (Vec::new(), Vec::new());
    let home = surroundings.home.as_ref().map_or("/root", AbsPath::as_str);
    for (at, text) in paths {
        let checked = rooted(file, at, text, surroundings).and_then(|path| {
            match objection(path.as_str(), home, access) {
                None => Ok(Shown { file: file.to_owned(), at, path }),
                Some(why) => {
                    let problem = Problem::NotShown { path: path.as_str().to_owned(), why };
                    Err(Error { file: file.to_owned(), at, problem })
                }
            }
        });
        match checked {
            Ok(path) => sound.push(path),
            Err(error) => wrong.push(error),
        }
    }
    (sound, wrong)
}

/// Why a path is shown to no command, whoever wants it. Who knows where links lead asks for that, too.
#[must_use]
pub fn objection(path: &str, home: &str, access: Access) -> Option<String> {
    let places = resolve(&Value::literal(path), None, home).places;
    let never = if access == Access::Write { NEVER.and(NEVER_WRITTEN) } else { NEVER };
    let found = places.without(never.complement()).words().next();
    if let Some(what) = found {
        return Some(format!("it is {what}"));
    }
    if access == Access::Write
        && SYSTEM.iter().any(|top| path == *top || path.starts_with(&format!("{top}/")))
    {
        return Some("it is part of the system".to_owned());
    }
    kept_beneath(path, home, KEPT).map(|name| format!("it holds `{name}`"))
}

/// What the system is made of. Commands see it anyway.
const SYSTEM: &[&str] =
    &["/bin", "/boot", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/libx32", "/nix", "/sbin", "/usr"];

/// What must lie nowhere below it, either.
const KEPT: Places = Places::CREDENTIAL.and(Places::CONTAINER_SOCKET).and(Places::GUARD);

/// What no command sees.
const NEVER: Places = KEPT
    .and(Places::BLOCK_DEVICE)
    .and(Places::HISTORY)
    .and(Places::HOME)
    .and(Places::KERNEL)
    .and(Places::MEMORY)
    .and(Places::ROOT)
    .and(Places::SSH);

/// What no command changes: others run it, or obey it.
const NEVER_WRITTEN: Places = Places::AUTHORITY
    .and(Places::PERSISTENCE)
    .and(Places::PROGRAM_DIR)
    .and(Places::SHELL_STARTUP)
    .and(Places::SYSTEM_CONFIG)
    .and(Places::SYSTEM_DIR);

/// A number that is not nought. Nothing at all is nothing said, as Hermes has it.
pub(super) fn amount(node: &Node, key: &str) -> Result<Option<u32>, Wrong> {
    if node.content == Content::Null {
        return Ok(None);
    }
    match rounded(node, key) {
        Ok(0) => Err(wrong(node, key, "at least 1")),
        Ok(amount) => Ok(Some(amount)),
        Err(fault) => Err(fault),
    }
}

#[cfg(test)]
mod tests {
    use crate::path::AbsPath;
    use crate::policy::{Config, Policy, Sandbox, Source, Surroundings};

    fn compiled(files: &[(Source, &str)]) -> Result<Sandbox, String> {
        let home = AbsPath::new("/home/ann").ok();
        let read = |(source, text): &(Source, &str)| Config::read(*source, "c.yaml", text);
        let configs = files.iter().map(read).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let compiled = Policy::compile(configs, &Surroundings { home, safe_root: None });
        compiled.map(|policy| policy.sandbox).map_err(|error| error.to_string())
    }

    #[test]
    fn a_bound_replaces_the_usual_one_and_a_repository_only_lowers_it() {
        let memory =
            |files: &[_]| compiled(files).unwrap().memory.over(Some(1000 << 20), 1 << 20).unwrap() >> 20;
        let user = (Source::User, "terminal: {container_memory: 4000}");
        assert_eq!(memory(&[]), 1000);
        assert_eq!(memory(&[user]), 4000);
        assert_eq!(memory(&[user, (Source::Managed, "terminal: {container_memory: 3000}")]), 3000);
        let repository = |text| (Source::Repository, text);
        assert_eq!(memory(&[repository("terminal: {container_memory: 9000}")]), 1000, "it cannot raise it");
        assert_eq!(memory(&[user, repository("terminal: {container_memory: 9000}")]), 4000);
        assert_eq!(memory(&[user, repository("terminal: {container_memory: 300}")]), 300);
        assert!(
            compiled(&[(Source::User, "terminal: {container_memory:}")]).is_ok(),
            "as Hermes may have it"
        );
        let refused = compiled(&[(Source::User, "sandbox: {processes: 0}")]).unwrap_err();
        assert_eq!(refused, "c.yaml:1:22: `sandbox.processes` must be at least 1");
    }

    #[test]
    fn the_profile_that_opens_more_is_for_the_person_alone() {
        let profile = |files: &[_]| compiled(files).map(|sandbox| sandbox.profile.word());
        let nested = (Source::User, "sandbox: {profile: nested}");
        assert_eq!(profile(&[]).unwrap(), "standard");
        assert_eq!(profile(&[nested]).unwrap(), "nested");
        assert_eq!(
            profile(&[nested, (Source::Managed, "sandbox: {profile: standard}")]).unwrap(),
            "standard"
        );
        assert_eq!(
            profile(&[nested, (Source::Repository, "sandbox: {profile: standard}")]).unwrap(),
            "standard"
        );
        let refused = profile(&[(Source::Repository, "sandbox: {profile: nested}")]).unwrap_err();
        assert!(refused.contains("a repository may only tighten"), "{refused}");
    }

    #[test]
    fn a_repository_takes_paths_away_and_gives_none() {
        let user = (Source::User, "sandbox: {readable: [/srv/a, /srv/b], writable: [~/cache]}");
        let paths = |repository: &str| {
            let sandbox = compiled(&[user, (Source::Repository, repository)]).unwrap();
            let of = |list: &[super::Shown]| {
                list.iter().map(|one| one.path.as_str().to_owned()).collect::<Vec<_>>()
            };
            (of(&sandbox.readable), of(&sandbox.writable))
        };
        assert_eq!(paths("sandbox: {readable: [/srv/b, /srv/c]}").0, ["/srv/b"]);
        assert_eq!(paths("sandbox: {writable: []}").1, Vec::<String>::new());
        assert_eq!(paths("sandbox: {readable: []}").1, ["/home/ann/cache"]);
    }

    #[test]
    fn what_nobody_may_see_is_a_mistake() {
        for (path, why) in [
            ("/", "the root directory"),
            ("'~'", "a home directory"),
            ("/home/bob", "a home directory"),
            ("/home", "a home directory"),
            ("~/.ssh", ""),
            ("~/.aws", ""),
            ("~/.herm", "the guard's own files"),
            ("~/.config", "it holds `~/.config/"),
            ("/var/run/docker.sock", "a container engine's socket"),
            ("/proc/1/environ", ""),
            ("~/x/.env", ""),
            ("/dev/sda", "a disk"),
        ] {
            for key in ["readable", "writable"] {
                let refused =
                    compiled(&[(Source::User, &format!("sandbox: {{{key}: [{path}]}}"))]).unwrap_err();
                assert!(refused.contains("is not shown: it ") && refused.contains(why), "{path}: {refused}");
            }
        }
        for path in ["/usr/local/bin", "/etc/cron.d", "~/.bashrc", "/usr/share/x", "~/.local/bin"] {
            assert!(
                compiled(&[(Source::User, &format!("sandbox: {{writable: [{path}]}}"))]).is_err(),
                "{path}"
            );
        }
        for path in ["/srv/data", "~/data", "~/.cache/models", "/mnt/x/y", "/usr/share/x"] {
            assert!(
                compiled(&[(Source::User, &format!("sandbox: {{readable: [{path}]}}"))]).is_ok(),
                "{path}"
            );
        }
    }
}
