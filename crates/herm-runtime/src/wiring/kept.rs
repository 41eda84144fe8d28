//! What herm keeps of the files that it changes: how they were, and how it left them.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use herm_adapters::Agent;
use herm_adapters::wiring::Scope;
use herm_store::Digest;
use serde_json::{Value, json};

use super::problem::Problem;
use super::write;
use crate::files::{self, Seen};

/// What is kept of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) agent: Agent,
    pub(super) scope: Scope,
    /// Where the agent keeps its files.
    pub(super) directory: PathBuf,
    pub(super) file: PathBuf,
    /// What it held before; nothing when it was not there.
    pub(super) original: Option<String>,
    /// What herm has written.
    pub(super) written: Digest,
    /// The directories that herm made for it.
    pub(super) directories: Vec<PathBuf>,
}

/// The place where it is kept.
#[derive(Debug)]
pub(super) struct Shelf {
    directory: PathBuf,
    // Nobody else changes anything as long as this lives.
    _lock: Option<File>,
}

impl Shelf {
    /// To look at.
    pub(super) fn at(keeping: &Path) -> Self {
        Self { directory: keeping.join("wiring"), _lock: None }
    }

    /// To change, one at a time.
    pub(super) fn locked(keeping: &Path) -> Result<Self, Problem> {
        let directory = keeping.join("wiring");
        let lock = || {
            write::own_directory(&directory)?;
            let lock = File::options().create(true).append(true).mode(0o600).open(directory.join("lock"))?;
            lock.lock()?;
            Ok(lock)
        };
        let lock = lock().map_err(|error| Problem::Io("lock", directory.clone(), error))?;
        Ok(Self { directory, _lock: Some(lock) })
    }

    /// Everything that is kept.
    pub(super) fn records(&self) -> Vec<Result<Record, Problem>> {
        let mut places = files::list(&self.directory);
        places.sort();
        let is_record = |place: &PathBuf| files::exists(&place.join("record.json"));
        places.iter().filter(|place| is_record(place)).map(|place| read(place)).collect()
    }

    /// The files that something is kept of, whether or not the rest of it can be believed.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let file = |place: &PathBuf| {
            let record: Value = serde_json::from_str(&content(&place.join("record.json"))?).ok()?;
            record.get("file")?.as_str().map(PathBuf::from)
        };
        files::list(&self.directory).iter().filter_map(file).collect()
    }

    /// What is kept of a file.
    pub(super) fn record(&self, file: &Path) -> Result<Option<Record>, Problem> {
        let place = self.place(file);
        if files::exists(&place.join("record.json")) { read(&place).map(Some) } else { Ok(None) }
    }

    /// Keeps how a file was, before it is changed.
    pub(super) fn keep(&self, record: &Record) -> Result<(), Problem> {
        let place = self.place(&record.file);
        let keep = || {
            write::own_directory(&place)?;
            if let Some(original) = &record.original {
                write::keep(&place.join("original"), original.as_bytes())?;
            }
            write::keep(&place.join("record.json"), format!("{:#}\n", record.json()).as_bytes())
        };
        keep().map_err(|error| Problem::Io("keep the original in", place.clone(), error))
    }

    /// Forgets a file that is as it was.
    #[expect(
        clippy::disallowed_methods,
        reason = "what herm keeps of agents' files is taken away here alone"
    )]
    pub(super) fn forget(&self, file: &Path) -> Result<(), Problem> {
        let place = self.place(file);
        match fs::remove_dir_all(&place) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Problem::Io("remove", place, error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Keeps a text that somebody has changed and that goes away.
    pub(super) fn set_aside(&self, file: &Path, text: &str) -> Result<PathBuf, Problem> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let aside = self.directory.join(format!("{name}.{}", short(&Digest::of(text.as_bytes()))));
        write::keep(&aside, text.as_bytes()).map_err(|error| Problem::Io("keep", aside.clone(), error))?;
        Ok(aside)
    }

    fn place(&self, file: &Path) -> PathBuf {
        self.directory.join(short(&Digest::of(file.as_os_str().as_encoded_bytes())))
    }
}

fn short(digest: &Digest) -> String {
    digest.to_string().chars().take(16).collect()
}

impl Record {
    fn json(&self) -> Value {
        json!({
            "version": 1,
            "agent": self.agent.word(),
            "scope": self.scope.word(),
            "directory": self.directory,
            "file": self.file,
            "original": self.original.as_ref().map(|text| Digest::of(text.as_bytes()).to_string()),
            "written": self.written.to_string(),
            "directories": self.directories,
        })
    }
}

/// What is kept at a place. Where it does not fit together nothing is believed.
fn read(place: &Path) -> Result<Record, Problem> {
    understood(place).ok_or_else(|| Problem::Record(place.to_owned()))
}

fn understood(place: &Path) -> Option<Record> {
    let value: Value = serde_json::from_str(&content(&place.join("record.json"))?).ok()?;
    let word = |name: &str| value.get(name)?.as_str();
    let original = match word("original") {
        None => None,
        Some(digest) => {
            let text = content(&place.join("original"))?;
            (Digest::of(text.as_bytes()).to_string() == digest).then_some(Some(text))?
        }
    };
    let directories = value.get("directories")?.as_array()?;
    Some(Record {
        agent: Agent::of(word("agent")?)?,
        scope: match word("scope")? {
            "system" => Scope::System,
            "user" => Scope::User,
            _ => return None,
        },
        directory: word("directory")?.into(),
        file: word("file")?.into(),
        original,
        written: Digest::parse(word("written")?)?,
        directories: directories.iter().filter_map(|path| Some(path.as_str()?.into())).collect(),
    })
}

fn content(file: &Path) -> Option<String> {
    match files::read(file) {
        Seen::Bytes(bytes) => String::from_utf8(bytes).ok(),
        Seen::Absent | Seen::Hidden => None,
    }
}
