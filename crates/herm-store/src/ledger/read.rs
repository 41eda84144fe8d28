//! Reads the records of a ledger as they come.

use std::path::PathBuf;

use super::entry::{Entry, LONGEST};
use super::lines::Lines;
use super::{Flaw, Ledger, RECORDS};
use crate::digest::Digest;
use crate::error::Error;
use crate::files;

impl Ledger {
    /// The records, from the first on, as many as there are now. Not checked: see [`Ledger::verify`].
    ///
    /// # Errors
    ///
    /// When the ledger cannot be opened.
    pub fn read(&self) -> Result<Entries, Error> {
        self.read_from(0)
    }

    /// The records among the last so many bytes whose line holds one of these texts, the oldest first. Not checked, as with
    /// [`Ledger::read`]; lines that are no records are left out.
    ///
    /// # Errors
    ///
    /// When the ledger cannot be read.
    pub fn latest(&self, bytes: u64, texts: &[&str]) -> Result<Vec<Entry>, Error> {
        let path = self.directory.join(RECORDS);
        let file = self.records(files::open_to_read)?;
        let length = file.metadata().map_err(Error::file("look at", &path))?.len();
        let from = length.saturating_sub(bytes);
        let mut lines = Lines::new(file, from, length).map_err(Error::file("read", &path))?;
        let mut found = Vec::new();
        while let Some(line) = lines.next().map_err(Error::file("read", &path))? {
            let text = std::str::from_utf8(line.bytes).unwrap_or_default();
            if line.is_whole && texts.iter().any(|wanted| text.contains(wanted)) {
                // The line that the place lies in has lost its beginning.
                found.extend(Entry::parse(line.bytes));
            }
        }
        Ok(found)
    }

    /// The records from a place on that [`Entries::offset`] told.
    ///
    /// # Errors
    ///
    /// When the ledger cannot be opened.
    pub fn read_from(&self, offset: u64) -> Result<Entries, Error> {
        let path = self.directory.join(RECORDS);
        let file = self.records(files::open_to_read)?;
        let length = file.metadata().map_err(Error::file("look at", &path))?.len();
        let lines = Lines::new(file, offset, length).map_err(Error::file("read", &path))?;
        Ok(Entries { lines, offset, line: 0, path })
    }
}

/// The records of a ledger, one after the other.
#[derive(Debug)]
pub struct Entries {
    lines: Lines,
    offset: u64,
    line: u64,
    path: PathBuf,
}

impl Entries {
    /// Where the record after the last one that was handed out begins.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next line with what it says. A line without an end is not there yet, or never will be.
    pub(crate) fn advance(&mut self) -> Result<Option<Read<'_>>, Error> {
        let next = self.lines.next().map_err(Error::file("read", &self.path))?;
        let Some(line) = next.filter(|line| line.is_whole || line.bytes.len() >= LONGEST) else {
            return Ok(None);
        };
        self.offset = line.end;
        self.line += 1;
        let entry = line.is_whole.then(|| Entry::parse(line.bytes)).flatten();
        Ok(Some(Read { bytes: line.bytes, entry }))
    }
}

/// A line without its line break, and the record that it is.
#[derive(Debug)]
pub(crate) struct Read<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) entry: Option<Entry>,
}

impl Read<'_> {
    pub(crate) fn hash(&self) -> Digest {
        self.entry.as_ref().map_or_else(|| Digest::of(self.bytes), |entry| entry.hash)
    }
}

impl Iterator for Entries {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.advance() {
            Ok(None) => None,
            Ok(Some(Read { entry: Some(entry), .. })) => Some(Ok(entry)),
            Ok(Some(_)) => {
                let flaw = Flaw::Foreign { line: self.line };
                Some(Err(Error::Tampered { path: self.path.clone(), flaw }))
            }
            Err(error) => Some(Err(error)),
        }
    }
}
