//! What is kept of a session from one call to the next, a small text each.
//!
//! It is no record: losing it means that a warning comes later. So it is neither synced nor in the database, and opening it
//! costs next to nothing.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::digest::Digest;
use crate::error::Error;
use crate::files;

/// The text of one session. Nobody else has it as long as this is held.
#[derive(Debug)]
pub struct Pace {
    path: PathBuf,
    file: File,
    text: String,
}

/// How long to wait for somebody else who has it.
const PATIENCE: Duration = Duration::from_millis(500);

/// The most that is read.
const LONGEST: u64 = 64 * 1024;

impl Pace {
    /// What is kept of a session, if anything is.
    ///
    /// # Errors
    ///
    /// When it cannot be opened, or somebody else has it for too long.
    pub fn find(home: &Path, session: &str) -> Result<Option<Self>, Error> {
        let path = path(home, session);
        if files::exists(&path)? { Self::open(path).map(Some) } else { Ok(None) }
    }

    /// What is kept of a session; nothing at first.
    ///
    /// # Errors
    ///
    /// When it cannot be opened, or somebody else has it for too long.
    pub fn of(home: &Path, session: &str) -> Result<Self, Error> {
        files::make_directory(&home.join(DIRECTORY))?;
        Self::open(path(home, session))
    }

    fn open(path: PathBuf) -> Result<Self, Error> {
        let mut file = files::open_to_rewrite(&path)?;
        files::lock(&file, &path, PATIENCE)?;
        let mut bytes = Vec::new();
        (&mut file).take(LONGEST).read_to_end(&mut bytes).map_err(Error::file("read", &path))?;
        Ok(Self { text: String::from_utf8_lossy(&bytes).into_owned(), path, file })
    }

    /// What was kept.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Keeps this in its place, and lets others have it.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn keep(mut self, text: &str) -> Result<(), Error> {
        if text == self.text {
            return Ok(());
        }
        let written = self.file.rewind().and_then(|()| self.file.set_len(0));
        written.and_then(|()| self.file.write_all(text.as_bytes())).map_err(Error::file("write", &self.path))
    }
}

const DIRECTORY: &str = "pace";

/// Names of sessions are others' words: none of them names a file.
fn path(home: &Path, session: &str) -> PathBuf {
    home.join(DIRECTORY).join(Digest::of(session.as_bytes()).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_again_by_its_session_alone() {
        let home = tempfile::tempdir().unwrap();
        assert!(Pace::find(home.path(), "../a").unwrap().is_none());
        Pace::of(home.path(), "../a").unwrap().keep("one two three").unwrap();
        Pace::of(home.path(), "../a").unwrap().keep("four").unwrap();
        assert_eq!(Pace::find(home.path(), "../a").unwrap().unwrap().text(), "four");
        assert!(Pace::find(home.path(), "b").unwrap().is_none());
    }

    #[test]
    fn only_one_has_it_at_a_time() {
        let home = tempfile::tempdir().unwrap();
        let held = Pace::of(home.path(), "a").unwrap();
        assert!(matches!(Pace::of(home.path(), "a"), Err(Error::Busy { .. })));
        drop(held);
        assert!(Pace::of(home.path(), "a").is_ok());
    }
}
