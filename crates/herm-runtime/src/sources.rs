//! Where configurations are, and everything that is wrong with them.

use std::path::{Path, PathBuf};

use herm::AbsPath;
use herm::policy::error::Position;
use herm::policy::{Config, Error, Mistakes, Policy, Problem as Wrong, Source};

use crate::consult::hooks::ALSO_READ;
use crate::files::{self, Seen};
use crate::passing::Passing;
use crate::setup::{Problem, not_text, surroundings};

/// The files that hold here.
pub(crate) fn configs(
    home: &AbsPath,
    cwd: &AbsPath,
    guard: &Path,
    named: Option<PathBuf>,
) -> Result<Vec<Config>, Problem> {
    let found = places(home, cwd, guard, named).into_iter().map(|place| place.read());
    found.filter_map(Result::transpose).collect()
}

/// Where a configuration may be.
pub(crate) struct Place {
    source: Source,
    file: PathBuf,
    /// Whether somebody said that it is there.
    is_named: bool,
}

/// The machine's file, the user's (or the one that was named), the repository's.
fn places(home: &AbsPath, cwd: &AbsPath, guard: &Path, named: Option<PathBuf>) -> Vec<Place> {
    let place = |source, file| Place { source, file, is_named: false };
    let user = Place {
        source: Source::User,
        is_named: named.is_some(),
        file: named.unwrap_or_else(|| guard.join("config.yaml")),
    };
    let also = place(Source::User, guard.join(ALSO_READ));
    let repository = repository(home, cwd).map(Place::repository);
    let managed = place(Source::Managed, PathBuf::from(MANAGED));
    [managed, user, also].into_iter().chain(repository).collect()
}

impl Place {
    pub(crate) fn repository(file: PathBuf) -> Self {
        Self { source: Source::Repository, file, is_named: false }
    }

    /// A file that is not there says nothing, unless it was named; one that cannot be read is an error, never silence.
    fn text(&self) -> Result<Option<String>, Problem> {
        match files::read(&self.file) {
            Seen::Absent if !self.is_named => Ok(None),
            Seen::Absent | Seen::Hidden => Err(Problem::Unreadable(self.file.clone())),
            Seen::Bytes(bytes) => {
                String::from_utf8(bytes).map(Some).map_err(|error| not_text(&self.file, &error))
            }
        }
    }

    pub(crate) fn read(&self) -> Result<Option<Config>, Problem> {
        let Some(text) = self.text()? else { return Ok(None) };
        Config::read(self.source, &self.name(), &text).map(Some).map_err(Problem::Config)
    }

    /// The same, with everything that is wrong.
    fn inspect(&self) -> Result<Option<Config>, Vec<Problem>> {
        let Some(text) = self.text().map_err(|problem| vec![problem])? else { return Ok(None) };
        let told = |mistakes: Mistakes| mistakes.into_iter().map(Problem::Config).collect();
        Config::check(self.source, &self.name(), &text).map(Some).map_err(told)
    }

    fn name(&self) -> String {
        self.file.display().to_string()
    }
}

pub(crate) const MANAGED: &str = "/etc/herm/config.yaml";

/// The nearest `.herm.yaml` from the working directory up to the top of its repository.
pub(crate) fn repository(home: &AbsPath, cwd: &AbsPath) -> Option<PathBuf> {
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

/// What came of looking at every configuration file.
#[derive(Debug, Default)]
pub struct Checked {
    /// The files in which nothing is wrong.
    pub sources: Vec<(Source, String)>,
    /// Everything that is wrong, file by file.
    pub problems: Vec<Problem>,
    /// What files say that nothing here makes use of: the file, and the keys.
    pub unused: Vec<(String, Vec<(Position, String)>)>,
}

impl Checked {
    /// Looks at every file, and at all of each.
    pub(crate) fn of(home: &AbsPath, cwd: &AbsPath, guard: &Path, named: Option<PathBuf>) -> Self {
        let mut checked = Self::default();
        let mut configs = Vec::new();
        for place in places(home, cwd, guard, named) {
            match place.inspect() {
                Ok(config) => configs.extend(config),
                Err(problems) => checked.problems.extend(problems),
            }
        }
        let unused = configs.iter().filter(|config| !config.unused.is_empty());
        checked.unused = unused.map(|config| (config.file.clone(), config.unused.clone())).collect();
        checked.sources = configs.iter().map(|config| (config.source, config.file.clone())).collect();
        checked.join(configs, home, guard);
        checked
    }

    /// Looks at what follows from files that are right, each on its own.
    fn join(&mut self, configs: Vec<Config>, home: &AbsPath, guard: &Path) {
        let all = self.problems.is_empty();
        match Policy::check(configs, &surroundings(home)) {
            Ok(policy) => self.problems.extend(Passing::new(&policy.terminal, guard).err()),
            Err(mistakes) => {
                // What is strict enough is not known as long as a file is missing.
                let certain = |error: &Error| all || !matches!(error.problem, Wrong::LooserPreset { .. });
                self.problems.extend(mistakes.into_iter().filter(certain).map(Problem::Config));
            }
        }
        let problems = &self.problems;
        let is_right = |file: &str| {
            !problems.iter().any(|problem| matches!(problem, Problem::Config(error) if error.file == file))
        };
        self.sources.retain(|(_, file)| is_right(file));
    }
}
