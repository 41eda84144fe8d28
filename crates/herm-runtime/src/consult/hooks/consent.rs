//! Which hooks somebody consented to.

use std::fmt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::consult::place::Place;
use crate::consult::words;
use crate::files;

/// What people said about hooks.
pub trait Consents {
    /// Whether this command may run with these files. `None` if nobody was asked.
    fn allowed(&self, command: &str, digest: &str) -> Option<bool>;
}

/// A hook that could run: its command, and the files that it runs as they are now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The command, as written.
    pub command: String,
    /// What identifies it: a digest of its words and of the content of its files.
    pub digest: String,
    /// The files that the digest covers.
    pub files: Vec<PathBuf>,
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
}

/// Why a command cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// There is no such program.
    Absent(String),
    /// A quote is not closed.
    Open,
    /// A file cannot be read, or is too large to be looked at each time.
    Unreadable(PathBuf),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent(word) => write!(f, "there is no program `{word}`"),
            Self::Open => write!(f, "a quote in its command is not closed"),
            Self::Unreadable(path) => write!(f, "`{}` cannot be read", path.display()),
        }
    }
}

/// The largest file that is looked at before each call.
const LARGEST: u64 = 32 * 1024 * 1024;

/// Where the system's own programs are. What is there is changed by its updates, and by nobody else who could not do
/// worse, so where a program is says enough.
const SYSTEM: &[&str] = &["/bin", "/nix/store", "/sbin", "/usr/bin", "/usr/lib", "/usr/sbin"];

impl Candidate {
    /// What a command would run now.
    ///
    /// Every word that names a file counts: in `python3 check.py` the second one is what runs.
    pub(super) fn of(command: &str, place: &Place) -> Result<Self, Broken> {
        let words = words::split(command).ok_or(Broken::Open)?;
        let mut words = words.into_iter().map(|word| place.expanded(&word));
        let called = words.next().unwrap_or_default();
        let program = place.program(&called).ok_or(Broken::Absent(called))?;
        let arguments: Vec<String> = words.collect();
        let mut identity = Identity::default();
        identity.add(&program.display().to_string());
        identity.program(&program)?;
        let directory = place.directory();
        for argument in &arguments {
            identity.add(argument);
            identity.argument(&directory.join(argument))?;
        }
        let (digest, files) = identity.finish();
        Ok(Self { command: command.to_owned(), digest, files, program, arguments })
    }
}

#[derive(Debug, Default)]
struct Identity {
    digest: Sha256,
    files: Vec<PathBuf>,
}

impl Identity {
    /// Each part begins with its length, so that no two lists of parts read the same.
    fn add(&mut self, part: &str) {
        self.digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        self.digest.update(part.as_bytes());
    }

    fn program(&mut self, path: &Path) -> Result<(), Broken> {
        let real = files::real(path).unwrap_or_else(|| path.to_owned());
        if SYSTEM.iter().any(|directory| real.starts_with(directory)) {
            self.add(&real.display().to_string());
            return Ok(());
        }
        self.content(path)
    }

    fn argument(&mut self, path: &Path) -> Result<(), Broken> {
        if files::regular(path).is_some() { self.content(path) } else { Ok(()) }
    }

    fn content(&mut self, path: &Path) -> Result<(), Broken> {
        let mut digest = Sha256::new();
        files::pieces(path, LARGEST, |piece| digest.update(piece))
            .ok_or_else(|| Broken::Unreadable(path.to_owned()))?;
        self.digest.update(digest.finalize());
        self.files.push(path.to_owned());
        Ok(())
    }

    fn finish(self) -> (String, Vec<PathBuf>) {
        let digest = self.digest.finalize();
        let nibbles = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        (nibbles.filter_map(|nibble| char::from_digit(u32::from(nibble), 16)).collect(), self.files)
    }
}
