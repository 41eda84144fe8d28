//! Makes a ledger: all of it at once, or none.
//!
//! It is made under another name and then renamed. So a ledger without its head or its key was never made like that,
//! and can be called damaged.

use std::path::{Path, PathBuf};

use super::head::{self, Head};
use super::{Flaw, RECORDS};
use crate::digest::Key;
use crate::error::Error;
use crate::files;

/// Makes a ledger in `directory` unless there is one, or what is left of one.
pub(crate) fn unless_there(directory: &Path) -> Result<(), Error> {
    for part in [RECORDS, head::FILE, head::KEY] {
        if files::exists(&directory.join(part))? {
            return Ok(());
        }
    }
    let parent = directory.parent().unwrap_or(Path::new("."));
    files::make_directory(parent)?;
    let draft = Draft::new(directory)?;
    draft.write()?;
    draft.publish(directory)?;
    files::sync_directory(parent)
}

/// A ledger under a name that nobody else uses.
struct Draft(PathBuf);

impl Draft {
    fn new(directory: &Path) -> Result<Self, Error> {
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(Error::Random)?;
        let mut name = directory.file_name().unwrap_or_default().to_owned();
        name.push(format!(".new-{:016x}", u64::from_le_bytes(random)));
        let draft = directory.with_file_name(name);
        files::make_directory(&draft)?;
        Ok(Self(draft))
    }

    fn write(&self) -> Result<(), Error> {
        let key = Key::random().map_err(Error::Random)?;
        files::create(&self.0.join(head::KEY), key.bytes())?;
        files::create(&self.0.join(head::FILE), Head::default().text(&key).as_bytes())?;
        files::create(&self.0.join(RECORDS), b"")?;
        files::sync_directory(&self.0)
    }

    fn publish(&self, directory: &Path) -> Result<(), Error> {
        if files::rename_into_place(&self.0, directory)? {
            return Ok(());
        }
        // Somebody else made one meanwhile; or there is a directory with other things in it.
        if files::exists(&directory.join(RECORDS))? {
            return Ok(());
        }
        Err(Error::Tampered { path: directory.to_owned(), flaw: Flaw::LedgerMissing })
    }
}

/// Nothing is left of a draft that was not published.
impl Drop for Draft {
    fn drop(&mut self) {
        let _ = files::remove_directory(&self.0);
    }
}
