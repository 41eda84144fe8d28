//! What commands are given because a person or a skill said so: variables, and files with credentials.

use std::path::{Path, PathBuf};

use herm::AbsPath;
use herm::environment::{Credential, Declared, Passthrough, Registration, Requirements, mount};
use herm::policy::error::Position;
use herm::policy::terminal::Wanted;
use herm::policy::{Error, Problem as Wrong, Terminal};

use crate::environment;
use crate::files::{self, Seen};
use crate::setup::Problem;

/// What commands are given because a person or a skill said so.
#[derive(Clone, Debug, Default)]
pub struct Passing {
    /// Variables that they get although they are secret.
    pub variables: Passthrough,
    /// Files that an isolated backend is given.
    pub credentials: Vec<Credential>,
    /// What a skill wanted and does not get, and why.
    pub notes: Vec<String>,
}

impl Passing {
    /// What the configuration says, for whoever keeps files in this directory.
    ///
    /// # Errors
    /// When it names what nobody may pass on, or a file that leads out of the directory.
    pub(crate) fn new(terminal: &Terminal, guard: &Path) -> Result<Self, Problem> {
        let mut passing = Self::default();
        for wanted in &terminal.passthrough {
            let name = &wanted.name;
            let declared =
                passing.variables.declare(name, Declared::InConfiguration, environment::is_set(name));
            let why = |why: herm::environment::NotPassed| Wrong::NotPassed {
                name: name.clone(),
                why: why.to_string(),
            };
            declared.map_err(|refused| wrong(wanted, why(refused)))?;
        }
        for wanted in &terminal.credentials {
            let name = &wanted.name;
            let mounted = mounted(guard, name, Declared::InConfiguration);
            let found =
                mounted.map_err(|why| wrong(wanted, Wrong::NotMounted { name: name.clone(), why }))?;
            passing.credentials.extend(found);
        }
        Ok(passing)
    }

    /// Gives commands what a skill says that it needs, as far as a skill may. The rest is noted, and not given.
    ///
    /// # Errors
    /// When there is no such skill, or it cannot be read.
    pub(crate) fn skill(&mut self, path: &Path, guard: &Path) -> Result<(), Problem> {
        let file = skill_file(path);
        let text = match files::read(&file) {
            Seen::Absent | Seen::Hidden => return Err(Problem::Unreadable(file)),
            Seen::Bytes(bytes) => String::from_utf8(bytes).map_err(|_| Problem::Unreadable(file.clone()))?,
        };
        let located =
            |(at, problem)| Problem::Config(Error { file: file.display().to_string(), at, problem });
        let needed = Requirements::read(&text).map_err(located)?;
        for name in &needed.variables {
            self.variable(name);
        }
        for name in &needed.files {
            self.file(name, guard);
        }
        Ok(())
    }

    fn variable(&mut self, name: &str) {
        match self.variables.declare(name, Declared::InSkill, environment::is_set(name)) {
            Ok(Registration::Passed) => {}
            Ok(Registration::Unset) => {
                self.notes.push(format!("a skill needs `{name}`, which is not set"));
            }
            Err(why) => self.notes.push(format!("a skill wants `{name}`, which is not passed on: {why}")),
        }
    }

    fn file(&mut self, name: &str, guard: &Path) {
        match mounted(guard, name, Declared::InSkill) {
            Ok(Some(credential)) => self.credentials.push(credential),
            Ok(None) => self.notes.push(format!("a skill needs the file `{name}`, which is not there")),
            Err(why) => {
                self.notes.push(format!("a skill wants the file `{name}`, which it does not get: {why}"));
            }
        }
    }
}

/// A skill is a directory with a file of that name, or the file.
fn skill_file(path: &Path) -> PathBuf {
    let inside = path.join("SKILL.md");
    if files::exists(&inside) { inside } else { path.to_owned() }
}

/// Both the directory and the file as they really are, so that no link leads out.
fn mounted(
    guard: &Path,
    name: &str,
    by: Declared,
) -> Result<Option<Credential>, herm::environment::NotMounted> {
    // Where there is none, nothing is in it. The root is none: all of the machine would be.
    let Some(home) = files::real(guard).and_then(|guard| absolute(&guard)) else { return Ok(None) };
    mount(&home, name, by, |path| {
        let file = files::real(Path::new(path.as_str()))?;
        files::regular(&file).and_then(|_| absolute(&file))
    })
}

fn absolute(path: &Path) -> Option<AbsPath> {
    AbsPath::new(path.to_str()?).ok()
}

fn wrong(wanted: &Wanted, problem: Wrong) -> Problem {
    let at: Position = wanted.at;
    Problem::Config(Error { file: wanted.file.clone(), at, problem })
}
