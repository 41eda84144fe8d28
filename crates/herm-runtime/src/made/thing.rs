//! Something that a call has made, told apart from whatever may stand in its place later.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::tmux::{self, Session};
use crate::files::{self, Born};

/// Something that a call has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    /// A file or a directory.
    Path(String, Born),
    /// A session of tmux.
    Session(Session),
}

/// How far the clock that files are stamped by may be behind the one of the ledger.
const LAG: Duration = Duration::from_millis(100);

/// The most that is looked at of what stands in a directory.
const MOST: usize = 8192;

impl Thing {
    /// What stands at a path, if the machine tells when it was made.
    pub(super) fn at(path: &Path) -> Option<Self> {
        Some(Self::Path(path.to_str()?.to_owned(), files::born(path)?))
    }

    pub(super) fn is_made_since(&self, moment: SystemTime) -> bool {
        match self {
            Self::Path(_, born) => {
                UNIX_EPOCH + Duration::from_nanos(born.nanos) >= moment.checked_sub(LAG).unwrap_or(moment)
            }
            // It is told in whole seconds: one that was made in the second before may be another's.
            Self::Session(session) => UNIX_EPOCH + Duration::from_secs(session.created + 1) > moment,
        }
    }

    /// Whether a path is it or lies below it, it still stands there, and nothing is at the path that is older than it: a file that was moved there is.
    pub(crate) fn is_still(&self, path: &str) -> bool {
        let Self::Path(own, born) = self else { return false };
        Path::new(path).starts_with(own)
            && files::born(Path::new(own)) == Some(*born)
            && files::is_all_born_since(Path::new(path), *born, MOST)
    }

    /// Whether it is the session of tmux that has this name, still.
    pub(crate) fn is_session(&self, name: &str) -> bool {
        matches!(self, Self::Session(session) if session.name == name && tmux::sessions().contains(session))
    }

    /// Its path or its name.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Path(path, _) => path,
            Self::Session(session) => &session.name,
        }
    }

    pub(super) fn path(&self) -> Option<&str> {
        match self {
            Self::Path(path, _) => Some(path),
            Self::Session(_) => None,
        }
    }

    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Path(path, born) => {
                json!({ "path": path, "device": born.device, "number": born.number, "born": born.nanos })
            }
            Self::Session(Session { name, server, id, created }) => {
                json!({ "session": name, "server": server, "id": id, "created": created })
            }
        }
    }

    pub(super) fn read(value: &Value) -> Option<Self> {
        let text = |name: &str| value.get(name)?.as_str().map(str::to_owned);
        let number = |name: &str| value.get(name)?.as_u64();
        if let Some(path) = text("path") {
            let born = Born { device: number("device")?, number: number("number")?, nanos: number("born")? };
            return Some(Self::Path(path, born));
        }
        Some(Self::Session(Session {
            name: text("session")?,
            server: number("server")?,
            id: text("id")?,
            created: number("created")?,
        }))
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the files that are looked at")]
mod tests {
    use std::fs;

    use super::*;

    fn made(path: &Path) -> Thing {
        Thing::at(path).unwrap()
    }

    #[test]
    fn directory_is_still_the_same_with_what_was_made_in_it() {
        let scratch = tempfile::tempdir().unwrap();
        let directory = scratch.path().join("d");
        fs::create_dir(&directory).unwrap();
        let thing = made(&directory);
        fs::create_dir(directory.join("sub")).unwrap();
        fs::write(directory.join("sub/file"), "").unwrap();
        let path = directory.to_str().unwrap();
        assert!(thing.is_still(path) && thing.is_still(&format!("{path}/sub")));
        assert!(!thing.is_still(&format!("{path}x")) && !thing.is_still(scratch.path().to_str().unwrap()));
        assert_eq!(Thing::read(&thing.to_json()), Some(thing));
    }

    #[test]
    fn what_was_moved_there_or_stands_in_its_place_is_not_it() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |name: &str| scratch.path().join(name);
        fs::write(at("older"), "").unwrap();
        // The clock by which files are stamped goes on in steps.
        std::thread::sleep(Duration::from_millis(20));
        fs::create_dir(at("d")).unwrap();
        let thing = made(&at("d"));
        let path = at("d").to_str().unwrap().to_owned();
        assert!(thing.is_still(&path));
        fs::rename(at("older"), at("d/inside")).unwrap();
        assert!(!thing.is_still(&path), "an older file was moved into it");
        fs::rename(at("d/inside"), at("older")).unwrap();
        fs::hard_link(at("older"), at("d/linked")).unwrap();
        assert!(!thing.is_still(&path), "an older file is linked there");
        fs::remove_file(at("d/linked")).unwrap();
        assert!(thing.is_still(&path));
        fs::rename(at("d"), at("aside")).unwrap();
        assert!(!thing.is_still(&path), "it is gone");
        fs::create_dir(at("d")).unwrap();
        assert!(!thing.is_still(&path), "another directory has its name");
        fs::remove_dir(at("d")).unwrap();
        std::os::unix::fs::symlink(at("aside"), at("d")).unwrap();
        assert!(!thing.is_still(&path), "a link leads to it");
    }

    #[test]
    fn what_was_there_before_was_not_made_by_the_call() {
        let scratch = tempfile::tempdir().unwrap();
        let thing = made(scratch.path());
        let now = SystemTime::now();
        assert!(thing.is_made_since(now - Duration::from_mins(1)));
        assert!(!thing.is_made_since(now + Duration::from_mins(1)));
        let session = |created| {
            Thing::Session(Session { name: "w".to_owned(), server: 1, id: "$0".to_owned(), created })
        };
        let moment = UNIX_EPOCH + Duration::from_millis(10_500);
        assert!(session(10).is_made_since(moment) && session(11).is_made_since(moment));
        assert!(!session(9).is_made_since(moment));
    }
}
