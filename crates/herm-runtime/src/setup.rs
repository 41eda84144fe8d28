//! From wishes, files and the environment to what holds here.

mod ground;
mod problem;

use std::path::{Path, PathBuf};
use std::time::Duration;

use herm::call::{Call, CallId, Door, Principal, SessionId};
use herm::policy::{Config, Mode, Policy, Source, Surroundings};
use herm::{AbsPath, Action, Preset};
use herm_adapters::Agent;
use herm_adapters::wiring::command::is_ours;
use herm_sandbox::native::{Lacking, Workspace};
use herm_sandbox::workspace;

pub use self::problem::Problem;
use crate::environment::{self, Variable};
use crate::files::{self, Seen};
use crate::passing::Passing;
use crate::settings;
use crate::sites;
pub use crate::sources::Checked;
use crate::sources::{Place, configs, repository};
use crate::trial::Keeping;
use crate::wiring::wired;

/// What whoever starts herm wants to be otherwise.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The file to read in place of the user's own.
    pub config: Option<PathBuf>,
    /// The working directory.
    pub cwd: Option<String>,
    /// The home directory.
    pub home: Option<String>,
    /// How strict to be.
    pub preset: Option<Preset>,
    /// Where herm keeps its files, whatever the environment says.
    pub guard: Option<PathBuf>,
    /// Whether the environment may say where herm keeps its files.
    pub trust: Trust,
    /// The skills that are at work, which may need something.
    pub skills: Vec<PathBuf>,
}

/// Whether the environment may say where herm keeps its files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// It may: a person's shell set it.
    #[default]
    Environment,
    /// It may not: an agent started herm, and a file of the repository may have set the agent's variables.
    Machine,
}

/// Where calls are made, and what holds for them.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The working directory.
    pub cwd: AbsPath,
    /// The home directory of the caller.
    pub home: AbsPath,
    /// Where herm keeps its own files.
    pub guard: PathBuf,
    /// The user's name.
    pub user: Option<String>,
    /// What holds.
    pub policy: Policy,
    /// What commands are given because somebody said so.
    pub passing: Passing,
    /// What commands are confined to, where they are.
    pub workspace: Option<Workspace>,
    /// Why they are not, where they would be if they could.
    pub unconfined: Option<String>,
    /// What they would lack of what is demanded, where that is not accepted.
    pub lacking: Vec<Lacking>,
    /// Whether commands are tried, and what becomes of what they change.
    pub keeping: Option<Keeping>,
    /// The files that were read.
    pub sources: Vec<(Source, String)>,
    /// Where what holds is read from: a repository further in can only tighten it.
    root: AbsPath,
    given: Given,
}

/// What was wished of the policy.
#[derive(Clone, Debug)]
struct Given {
    config: Option<PathBuf>,
    preset: Option<Preset>,
    asking: Asking,
}

/// Whether calls are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asking {
    /// As the policy says.
    AsSaid,
    /// Even where the policy says that nothing is asked.
    InAnyCase,
    /// Never: a person wants it so.
    Never,
}

impl Asking {
    fn of(self, mode: Mode) -> Mode {
        match (self, mode) {
            (Self::Never, _) => Mode::Off,
            (Self::InAnyCase, Mode::Off) => Mode::Manual,
            (Self::AsSaid | Self::InAnyCase, mode) => mode,
        }
    }
}

impl Setup {
    /// Reads what there is.
    ///
    /// # Errors
    /// When a file cannot be read or is wrong, a path is not absolute, or there is no working directory.
    pub fn new(wishes: Wishes) -> Result<Self, Problem> {
        let (home, cwd, guard) = located(&wishes)?;
        let given = Given { config: wishes.config, preset: wishes.preset, asking: Asking::AsSaid };
        let configs = configs(&home, &cwd, &guard, given.config.clone())?;
        let sources = configs.iter().map(|config| (config.source, config.file.clone())).collect();
        let policy = given.policy(configs, &home, &guard)?;
        let mut passing = Passing::new(&policy.terminal, &guard)?;
        for skill in &wishes.skills {
            passing.skill(skill, &guard)?;
        }
        Ok(Self {
            keeping: None,
            workspace: None,
            unconfined: None,
            lacking: Vec::new(),
            passing,
            root: cwd.clone(),
            cwd,
            home,
            guard,
            user: Variable::User.value(),
            policy,
            sources,
            given,
        })
    }

    /// What holds for calls made in another directory: its repository may have a file of its own.
    ///
    /// # Errors
    /// When a file cannot be read or is wrong.
    pub fn policy_in(&self, cwd: &AbsPath) -> Result<Policy, Problem> {
        let configs = configs(&self.home, cwd, &self.guard, self.given.config.clone())?;
        self.given.policy(configs, &self.home, &self.guard)
    }

    /// Works in a directory of the workspace, which is the one that herm was started in. A repository inside it can only
    /// tighten: what holds in the workspace holds there too.
    ///
    /// # Errors
    /// When there is no directory any more that herm was started in, or it has no name that is text; when what is wanted leads out of there, or
    /// has a name that is not allowed; when a file cannot be read or is wrong.
    pub fn locate(&mut self, wanted: Option<&str>) -> Result<(), Problem> {
        self.locate_in(working_directory()?, wanted)
    }

    /// The same in another workspace than the one that herm was started in.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn locate_in(&mut self, root: AbsPath, wanted: Option<&str>) -> Result<(), Problem> {
        self.cwd = workspace::locate(&root, wanted.unwrap_or(".")).map_err(Problem::Place)?;
        self.root = root;
        if let Some(policy) = self.tightened()? {
            self.policy = policy;
        }
        Ok(())
    }

    /// What holds where it works, if that is more than what holds in the root.
    fn tightened(&self) -> Result<Option<Policy>, Problem> {
        let [_, nearer] = self.repositories();
        let nearer = nearer.map(Place::repository).map(|place| place.read()).transpose()?.flatten();
        let Some(config) = nearer else { return Ok(None) };
        let mut configs = configs(&self.home, &self.root, &self.guard, self.given.config.clone())?;
        configs.push(config);
        self.given.policy(configs, &self.home, &self.guard).map(Some)
    }

    /// The files of repositories that hold where it works: that of the root, and one further in.
    pub(crate) fn repositories(&self) -> [Option<PathBuf>; 2] {
        let outer = repository(&self.home, &self.root);
        let nearer = repository(&self.home, &self.cwd).filter(|file| Some(file) != outer.as_ref());
        [outer, nearer]
    }

    /// What holds now where it works, read again, on the same backend.
    ///
    /// # Errors
    /// When a file cannot be read or is wrong.
    pub(crate) fn policy_now(&self) -> Result<Policy, Problem> {
        let mut policy = self.tightened()?.map_or_else(|| self.policy_in(&self.root), Ok)?;
        policy.backend = self.policy.backend;
        policy.isolation.clone_from(&self.policy.isolation);
        // A boundary that stands is not built anew.
        policy.sandbox.clone_from(&self.policy.sandbox);
        Ok(policy)
    }

    /// Has hold what the files say now, on the same backend.
    ///
    /// # Errors
    /// When a file cannot be read or is wrong.
    pub fn refresh(&mut self) -> Result<(), Problem> {
        self.policy = self.policy_now()?;
        self.lacking = settings::lacking(self);
        Ok(())
    }

    /// Works in another directory from now on, on the same backend. What holds in the workspace holds there too, and a repository there
    /// can only tighten.
    ///
    /// # Errors
    /// When a file cannot be read or is wrong.
    pub(crate) fn move_to(&mut self, cwd: &AbsPath) -> Result<(), Problem> {
        let before = std::mem::replace(&mut self.cwd, cwd.clone());
        match self.policy_now() {
            Ok(policy) => {
                self.policy = policy;
                self.lacking = settings::lacking(self);
                Ok(())
            }
            Err(problem) => {
                self.cwd = before;
                Err(problem)
            }
        }
    }

    /// Has nothing asked, wherever calls are made. What is refused stays refused.
    pub fn ask_nothing(&mut self) {
        self.ask(Asking::Never);
    }

    /// Has things asked wherever calls are made, even where the policy says that nothing is.
    pub fn ask_in_any_case(&mut self) {
        self.ask(Asking::InAnyCase);
    }

    fn ask(&mut self, asking: Asking) {
        self.given.asking = asking;
        self.policy.mode = asking.of(self.policy.mode);
    }

    /// Has commands take as long as this, if they take that long.
    pub fn take_time(&mut self, time: Duration) {
        self.policy.limits.longest = self.policy.limits.longest.max(time);
    }

    /// A call made here.
    #[must_use]
    pub fn call(&self, action: Action) -> Call {
        Call {
            id: CallId::default(),
            door: Door::CommandLine,
            principal: Principal { name: self.user.clone(), home: self.home.clone() },
            session: SessionId::default(),
            cwd: self.cwd.clone(),
            action,
        }
    }
}

/// Looks at every configuration file that would hold here: one mistake does not hide the next.
///
/// # Errors
/// When a path is not absolute.
pub fn check(wishes: Wishes) -> Result<Checked, Problem> {
    let (home, cwd, guard) = located(&wishes)?;
    Ok(Checked::of(&home, &cwd, &guard, wishes.config))
}

/// The home directory, the working directory, and where herm keeps its files.
///
/// # Errors
/// When a path is not absolute, or there is no working directory. None stands in for one that is gone, or that has no name that is text: what was
/// meant for it would be done there.
pub(crate) fn located(wishes: &Wishes) -> Result<(AbsPath, AbsPath, PathBuf), Problem> {
    let home = home_directory(wishes.home.as_deref())?;
    let cwd = match &wishes.cwd {
        Some(named) => absolute("--cwd", named)?,
        None => working_directory()?,
    };
    let guard = match (&wishes.guard, wishes.trust) {
        (Some(named), _) => named.clone(),
        (None, Trust::Machine) if wishes.home.is_none() => environment::own_home()
            .map_or_else(|| Path::new(home.as_str()).join(".herm"), |home| home.join(".herm")),
        (None, Trust::Machine) => Path::new(home.as_str()).join(".herm"),
        (None, Trust::Environment) => guard_home(&home),
    };
    Ok((home, cwd, guard))
}

/// The home of Hermes, where the environment names one.
#[must_use]
pub fn home_of_hermes() -> Option<PathBuf> {
    Variable::HermesHome.value().map(PathBuf::from)
}

/// The file in which secrets are kept, if there is one, for whoever has this home directory.
///
/// # Errors
/// When it is there but cannot be read.
pub fn secrets(home: Option<&str>) -> Result<Option<String>, Problem> {
    let home = home_directory(home)?;
    held(&guard_home(&home))
}

/// The same for whoever knows where herm keeps its files.
pub(crate) fn held(guard: &Path) -> Result<Option<String>, Problem> {
    let file = guard.join(".env");
    match files::read(&file) {
        Seen::Absent => Ok(None),
        Seen::Hidden => Err(Problem::Unreadable(file)),
        Seen::Bytes(bytes) => String::from_utf8(bytes).map(Some).map_err(|error| not_text(&file, &error)),
    }
}

impl Given {
    /// A wished preset stands in the place of the user's own; nobody else's can be loosened by it.
    fn policy(&self, configs: Vec<Config>, home: &AbsPath, guard: &Path) -> Result<Policy, Problem> {
        let others = configs.iter().filter(|config| config.source != Source::User);
        let floor = others.filter_map(Config::preset).max();
        let mut policy = Policy::compile(configs, &surroundings(home)).map_err(Problem::Config)?;
        // Where herm's home is that of Hermes, its own hook stands in the file that it reads.
        policy.hooks.retain(|hook| !is_ours(&hook.command, Agent::Hermes));
        sites::share(&mut policy, home, guard);
        policy.own = own(guard);
        policy.own.extend(wired(guard).iter().flat_map(|file| own(file)));
        if let Some(preset) = self.preset {
            policy.set_preset(floor.map_or(preset, |floor| floor.max(preset)));
        }
        policy.mode = self.asking.of(policy.mode);
        Ok(policy)
    }
}

/// A file of herm's, or the directory of them: as it is written, and where that leads.
fn own(guard: &Path) -> Vec<AbsPath> {
    let written = std::path::absolute(guard).ok();
    let mut names = Vec::new();
    for path in [written, files::real(guard)].into_iter().flatten() {
        let name = path.to_str().and_then(|text| AbsPath::new(text).ok());
        names.extend(name.filter(|name| !names.contains(name)));
    }
    names
}

pub(crate) fn surroundings(home: &AbsPath) -> Surroundings {
    Surroundings { home: Some(home.clone()), safe_root: Variable::HermesWriteSafeRoot.value() }
}

fn absolute(what: &str, text: &str) -> Result<AbsPath, Problem> {
    AbsPath::new(text).map_err(|error| Problem::Path(format!("`{text}` as {what}"), error))
}

/// The home directory: as it is given, as the environment says, or as the machine knows it. Whoever has none has the root, under which nothing is
/// taken to be one's own.
fn home_directory(given: Option<&str>) -> Result<AbsPath, Problem> {
    let named = given.map(str::to_owned).or_else(|| Variable::Home.value());
    let known = || environment::own_home()?.into_os_string().into_string().ok();
    named.or_else(known).map_or_else(|| Ok(AbsPath::root()), |home| absolute("--home", &home))
}

fn working_directory() -> Result<AbsPath, Problem> {
    let path =
        files::working_directory().map_err(|cause| Problem::Place(workspace::Refused::Entry(cause)))?;
    let named = path.to_str().and_then(|text| AbsPath::new(text).ok());
    named.ok_or(Problem::Place(workspace::Refused::Unreadable))
}

fn guard_home(home: &AbsPath) -> PathBuf {
    let set = Variable::HermHome.value().or_else(|| Variable::HermesHome.value());
    set.map_or_else(|| Path::new(home.as_str()).join(".herm"), PathBuf::from)
}

pub(crate) fn not_text(path: &Path, error: &std::string::FromUtf8Error) -> Problem {
    let valid = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
    Problem::NotText(path.to_owned(), 1 + valid.filter(|byte| **byte == b'\n').count())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use super::*;

    #[test]
    fn what_holds_where_a_session_began_holds_further_in() {
        let place = tempfile::tempdir().unwrap();
        let path = files::real(place.path()).unwrap();
        let [outer, inner] = ["outer", "outer/inner"].map(|name| path.join(name));
        for root in [&outer, &inner] {
            std::fs::create_dir_all(root.join(".git")).unwrap();
        }
        std::fs::write(outer.join(".herm.yaml"), "approvals: {preset: strict}\n").unwrap();
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let (cwd, home, guard) = (Some(text(&outer)), Some(text(&path)), Some(path.join(".herm")));
        let mut setup = Setup::new(Wishes { cwd, home, guard, ..Wishes::default() }).unwrap();
        assert_eq!(setup.policy.preset, Preset::Strict);
        setup.move_to(&AbsPath::new(&text(&inner)).unwrap()).unwrap();
        assert_eq!(setup.policy.preset, Preset::Strict, "wherever herm itself was started");
    }
}
