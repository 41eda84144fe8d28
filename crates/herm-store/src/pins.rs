//! What is known of a server of tools since it was first seen, a text each.
//!
//! Unlike [`pace`](crate::pace) it must not be lost or changed by halves: what was seen first is what later descriptions are held against.
//! So it is written beside the old text, brought to the disk, and takes its place as a whole.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::digest::Digest;
use crate::error::Error;
use crate::{files, identity};

/// What is known of one server. Nobody else changes it as long as this is held.
#[derive(Debug)]
pub struct Pins {
    path: PathBuf,
    text: Option<String>,
    /// Held until this is dropped.
    _lock: File,
}

/// The most that is read. Thousands of tools take less.
const LONGEST: u64 = 32 << 20;

const DIRECTORY: &str = "mcp";

impl Pins {
    /// What is known of a server, which is told from others by this text.
    ///
    /// # Errors
    ///
    /// When it cannot be opened, is damaged, or somebody else has it for too long.
    pub fn of(home: &Path, server: &str) -> Result<Self, Error> {
        files::make_directory(&home.join(DIRECTORY))?;
        Self::open(home.join(DIRECTORY).join(format!("{}.json", Digest::of(server.as_bytes()))))
    }

    fn open(path: PathBuf) -> Result<Self, Error> {
        let lock = path.with_extension("lock");
        let file = files::open_to_collect(&lock)?;
        files::lock(&file, &lock, files::PATIENCE)?;
        let text = text(&path)?;
        Ok(Self { path, text, _lock: file })
    }

    /// What was kept; nothing when the server was never seen.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Keeps this in its place.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn keep(&mut self, text: &str) -> Result<(), Error> {
        let draft = self.path.with_extension(format!("new-{}", identity::random()?));
        files::create(&draft, text.as_bytes())?;
        files::rename_into_place(&draft, &self.path)?;
        self.path.parent().map_or(Ok(()), files::sync_directory)?;
        self.text = Some(text.to_owned());
        Ok(())
    }

    /// Forgets the server.
    ///
    /// # Errors
    ///
    /// When it cannot be forgotten.
    pub fn forget(self) -> Result<(), Error> {
        files::remove(&self.path)
    }

    /// Everything that is known of servers.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn all(home: &Path) -> Result<Vec<String>, Error> {
        let mut paths = files::listed(&home.join(DIRECTORY))?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        Ok(paths
            .iter()
            .map(|path| text(path))
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten()
            .collect())
    }
}

fn text(path: &Path) -> Result<Option<String>, Error> {
    let Some(bytes) = files::read(path, LONGEST + 1)? else { return Ok(None) };
    let damaged = |detail: &str| Error::Corrupt { path: path.to_owned(), detail: detail.to_owned() };
    if u64::try_from(bytes.len()).map_or(true, |length| length > LONGEST) {
        return Err(damaged("it is too long"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| damaged("it is no text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_again_until_it_is_forgotten() {
        let home = tempfile::tempdir().unwrap();
        let mut pins = Pins::of(home.path(), "../a").unwrap();
        assert_eq!(pins.text(), None);
        pins.keep("one").unwrap();
        pins.keep("two").unwrap();
        drop(pins);
        Pins::of(home.path(), "b").unwrap().keep("three").unwrap();
        let mut all = Pins::all(home.path()).unwrap();
        all.sort();
        assert_eq!(all, ["three", "two"]);
        let pins = Pins::of(home.path(), "../a").unwrap();
        assert_eq!(pins.text(), Some("two"));
        pins.forget().unwrap();
        assert_eq!(Pins::all(home.path()).unwrap(), ["three"]);
        assert_eq!(Pins::all(&home.path().join("none")).unwrap(), [""; 0]);
    }
}
