//! From arguments, files and the environment to an engine.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use herm::call::{Call, CallId, Door, Principal, SessionId};
use herm::path::NotAbsolute;
use herm::policy::{Config, Error, Policy, Source, Surroundings};
use herm::{AbsPath, Action, Preset};

use crate::environment::Variable;
use crate::files::{self, Seen};

/// Where calls are made, and what holds for them.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) cwd: AbsPath,
    pub(crate) home: AbsPath,
    pub(crate) user: Option<String>,
    pub(crate) policy: Policy,
    /// The files that were read.
    pub(crate) sources: Vec<(Source, String)>,
}

/// Why there is no engine.
#[derive(Debug)]
pub(crate) enum Problem {
    /// A configuration is wrong.
    Config(Error),
    /// A configuration is not text, from this line on.
    NotText(PathBuf, usize),
    /// A path on the command line or in the environment is not absolute.
    Path(String, NotAbsolute),
    /// A configuration cannot be read.
    Unreadable(PathBuf),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::NotText(path, line) => write!(f, "{}:{line}:1: not valid UTF-8", path.display()),
            Self::Path(what, error) => write!(f, "cannot use {what}: {error}"),
            Self::Unreadable(path) => write!(f, "cannot read `{}`", path.display()),
        }
    }
}

impl Problem {
    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Config(error) => error.hint(),
            Self::NotText(..) => Some("save the file as UTF-8".to_owned()),
            Self::Path(..) => Some("begin it with `/`".to_owned()),
            Self::Unreadable(_) => None,
        }
    }
}

impl Setup {
    /// Reads what there is.
    pub(crate) fn new(matches: &ArgMatches) -> Result<Self, Problem> {
        let given = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
        let home = absolute("--home", given("home").or_else(|| Variable::Home.value()))?;
        let cwd = absolute("--cwd", given("cwd").or_else(working_directory))?;
        let configs = configs(&home, &cwd, given("config").map(PathBuf::from))?;
        let sources = configs.iter().map(|config| (config.source, config.file.clone())).collect();
        let surroundings =
            Surroundings { home: Some(home.clone()), safe_root: Variable::HermesWriteSafeRoot.value() };
        let mut policy = Policy::compile(configs, &surroundings).map_err(Problem::Config)?;
        if let Some(preset) = given("preset").as_deref().and_then(Preset::from_word) {
            policy.preset = preset;
        }
        Ok(Self { cwd, home, user: Variable::User.value(), policy, sources })
    }

    /// A call made here.
    pub(crate) fn call(&self, action: Action) -> Call {
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

/// The file in which secrets are kept, if there is one.
pub(crate) fn variables(matches: &ArgMatches) -> Result<Option<String>, Problem> {
    let given = matches.get_one::<String>("home").cloned();
    let home = absolute("--home", given.or_else(|| Variable::Home.value()))?;
    let file = herm_home(&home).join(".env");
    match files::read(&file) {
        Seen::Absent => Ok(None),
        Seen::Hidden => Err(Problem::Unreadable(file)),
        Seen::Bytes(bytes) => String::from_utf8(bytes).map(Some).map_err(|error| not_text(&file, &error)),
    }
}

/// A missing directory is the root, under which nothing is taken to be one's own.
fn absolute(what: &str, text: Option<String>) -> Result<AbsPath, Problem> {
    let Some(text) = text else { return Ok(AbsPath::root()) };
    AbsPath::new(&text).map_err(|error| Problem::Path(format!("`{text}` as {what}"), error))
}

fn working_directory() -> Option<String> {
    files::working_directory()?.into_os_string().into_string().ok()
}

/// The files that hold here: the machine's, the user's (or the one that was named), the repository's.
fn configs(home: &AbsPath, cwd: &AbsPath, named: Option<PathBuf>) -> Result<Vec<Config>, Problem> {
    let user = named.clone().unwrap_or_else(|| herm_home(home).join("config.yaml"));
    let found = [
        read(Source::Managed, Path::new(MANAGED))?,
        read(Source::User, &user)?,
        repository(home, cwd).map(|file| read(Source::Repository, &file)).transpose()?.flatten(),
    ];
    match (&found, named) {
        ([_, None, _], Some(file)) => Err(Problem::Unreadable(file)),
        ([_, _, _], _) => Ok(found.into_iter().flatten().collect()),
    }
}

const MANAGED: &str = "/etc/herm/config.yaml";

fn herm_home(home: &AbsPath) -> PathBuf {
    let set = Variable::HermHome.value().or_else(|| Variable::HermesHome.value());
    set.map_or_else(|| Path::new(home.as_str()).join(".herm"), PathBuf::from)
}

/// The nearest `.herm.yaml` from the working directory up to the top of its repository.
fn repository(home: &AbsPath, cwd: &AbsPath) -> Option<PathBuf> {
    for directory in Path::new(cwd.as_str()).ancestors() {
        let file = directory.join(".herm.yaml");
        if files::exists(&file) {
            return Some(file);
        }
        if files::exists(&directory.join(".git")) || directory == Path::new(home.as_str()) {
            return None;
        }
    }
    None
}

/// A file that is not there says nothing; one that cannot be read is an error, never silence.
pub(crate) fn read(source: Source, path: &Path) -> Result<Option<Config>, Problem> {
    match files::read(path) {
        Seen::Absent => Ok(None),
        Seen::Hidden => Err(Problem::Unreadable(path.to_owned())),
        Seen::Bytes(bytes) => {
            let text = String::from_utf8(bytes).map_err(|error| not_text(path, &error))?;
            Config::read(source, &path.display().to_string(), &text).map(Some).map_err(Problem::Config)
        }
    }
}

fn not_text(path: &Path, error: &std::string::FromUtf8Error) -> Problem {
    let valid = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
    Problem::NotText(path.to_owned(), 1 + valid.filter(|byte| **byte == b'\n').count())
}
