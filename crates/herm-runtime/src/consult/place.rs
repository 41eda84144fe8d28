//! Where programs that are consulted work, and what they are given.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use herm::AbsPath;

use crate::environment::{self, Variable};
use crate::files;
use crate::setup::Setup;

/// Where programs that are consulted work, and what they are given.
///
/// They work in the guard's own directory, never in that of the call: `python3 -m check` or tirith would take modules or
/// settings from there, and the agent writes there. Where the call is made stands in what they read.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where herm keeps its own files.
    pub guard: PathBuf,
    /// The home directory of the caller.
    pub home: AbsPath,
    /// Where the agent works; programs below it are not found by their name.
    pub workspace: AbsPath,
    /// The directories that writing is confined to, as `HERMES_WRITE_SAFE_ROOT` writes them.
    pub safe_root: Option<String>,
    /// Where programs are looked for, as `PATH` writes it.
    pub path: String,
    /// Other variables that are passed on.
    pub variables: Vec<(String, String)>,
}

/// What is passed on: enough to run a script in one's own language. Nothing that changes how programs are loaded or where
/// they find their settings: a repository may have set `XDG_CONFIG_HOME` to bring a policy for tirith.
const PASSED_ON: &[&str] = &["LANG", "LOGNAME", "SHELL", "TMPDIR", "USER"];

impl Place {
    /// What holds here.
    #[must_use]
    pub fn new(setup: &Setup) -> Self {
        let passed = |name: &&str| Some(((*name).to_owned(), environment::harmless(name)?));
        let term = Variable::Term.value().map(|term| ("TERM".to_owned(), term));
        Self {
            guard: setup.guard.clone(),
            home: setup.home.clone(),
            workspace: setup.cwd.clone(),
            safe_root: safe_root(&setup.policy.safe_roots),
            path: environment::harmless("PATH").unwrap_or_else(|| "/usr/bin:/bin".to_owned()),
            variables: PASSED_ON.iter().filter_map(passed).chain(term).collect(),
        }
    }

    /// The whole environment of a program that is consulted.
    pub(super) fn environment(&self) -> Vec<(OsString, OsString)> {
        let guard = self.guard.as_os_str();
        let mut environment: Vec<(OsString, OsString)> =
            self.variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
        environment.extend([
            ("AGENT_FOUNDRY_RUNTIME".into(), "1".into()),
            ("HERM".into(), "1".into()),
            ("HERMES_HOME".into(), guard.to_owned()),
            ("HERM_HOME".into(), guard.to_owned()),
            ("HOME".into(), self.home.as_str().into()),
            ("PATH".into(), self.trusted().collect::<Vec<_>>().join(":").into()),
        ]);
        environment.extend(self.safe_root.iter().map(|root| ("HERMES_WRITE_SAFE_ROOT".into(), root.into())));
        environment
    }

    /// The directory that they work in.
    pub(super) fn directory(&self) -> PathBuf {
        if files::exists(&self.guard) { self.guard.clone() } else { PathBuf::from("/") }
    }

    /// The program that a word names. A name is looked for; a path stands for itself.
    pub(super) fn program(&self, word: &str) -> Option<PathBuf> {
        let is_program = |path: &Path| files::regular(path).is_some_and(files::Regular::is_program);
        if word.starts_with('/') {
            return Some(PathBuf::from(word)).filter(|path| is_program(path));
        }
        if word.contains('/') {
            return None;
        }
        self.trusted().map(|directory| Path::new(directory).join(word)).find(|path| is_program(path))
    }

    /// A path with `~/` for the home directory.
    pub(super) fn expanded(&self, word: &str) -> String {
        match word.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", self.home),
            Some(_) | None => word.to_owned(),
        }
    }

    /// The directories in which programs are looked for, without those that the agent writes to.
    fn trusted(&self) -> impl Iterator<Item = &str> {
        let is_home = self.home.holds(self.workspace.as_str()) && self.workspace.holds(self.home.as_str());
        let is_wide = is_home || self.workspace == AbsPath::root();
        let own = move |directory: &&str| {
            AbsPath::new(directory).is_ok_and(|path| is_wide || !self.workspace.holds(path.as_str()))
        };
        self.path.split(':').filter(own)
    }
}

/// Several lists mean that a path must lie in one of each; hooks know only one list.
fn safe_root(lists: &[Vec<AbsPath>]) -> Option<String> {
    let in_all =
        |root: &&AbsPath| lists.iter().all(|list| list.iter().any(|other| other.holds(root.as_str())));
    let mut common: Vec<&str> = lists.iter().flatten().filter(in_all).map(AbsPath::as_str).collect();
    if common.is_empty() {
        common = lists.first()?.iter().map(AbsPath::as_str).collect();
    }
    common.sort_unstable();
    common.dedup();
    Some(common.join(":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(lists: &[&[&str]]) -> Option<String> {
        let list = |list: &&[&str]| list.iter().map(|path| AbsPath::new(path).unwrap()).collect();
        safe_root(&lists.iter().map(list).collect::<Vec<_>>())
    }

    #[test]
    fn hooks_are_told_what_all_lists_allow() {
        assert_eq!(roots(&[]), None);
        assert_eq!(roots(&[&["/a"]]).as_deref(), Some("/a"));
        assert_eq!(roots(&[&["/a", "/b"]]).as_deref(), Some("/a:/b"));
        assert_eq!(roots(&[&["/a"], &["/a/x", "/b"]]).as_deref(), Some("/a/x"));
        assert_eq!(roots(&[&["/a"], &["/b"]]).as_deref(), Some("/a"));
    }

    #[test]
    fn programs_that_the_agent_could_have_written_are_not_found_by_name() {
        let place = Place {
            guard: PathBuf::from("/home/dev/.herm"),
            home: AbsPath::new("/home/dev").unwrap(),
            workspace: AbsPath::new("/home/dev/project").unwrap(),
            safe_root: None,
            path: "/home/dev/project/.venv/bin::.:bin:/usr/bin:/home/dev/bin".to_owned(),
            variables: Vec::new(),
        };
        assert_eq!(place.trusted().collect::<Vec<_>>(), ["/usr/bin", "/home/dev/bin"]);
        let at_home = Place { workspace: place.home.clone(), ..place };
        assert!(at_home.trusted().any(|directory| directory == "/home/dev/bin"));
    }

    #[test]
    fn a_home_is_expanded_only_where_it_is_meant() {
        let place = Place {
            guard: PathBuf::from("/g"),
            home: AbsPath::new("/home/dev").unwrap(),
            workspace: AbsPath::root(),
            safe_root: None,
            path: String::new(),
            variables: Vec::new(),
        };
        assert_eq!(place.expanded("~/x"), "/home/dev/x");
        assert_eq!(place.expanded("~"), "/home/dev");
        assert_eq!(place.expanded("~other/x"), "~other/x");
        assert_eq!(place.expanded("a~/x"), "a~/x");
    }
}
