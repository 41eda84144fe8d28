//! Everything that herm remembers, in one home.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::error::Error;
use crate::files;
use crate::ledger::Ledger;
use crate::sqlite::Database;
use crate::sqlite::consents::Consents;
use crate::sqlite::denials::Denials;
use crate::sqlite::grants::Grants;
use crate::sqlite::index::Index;
use crate::sqlite::questions::Questions;
use crate::sqlite::sessions::Sessions;
use crate::sqlite::tickets::Tickets;

/// The file that holds everything but the receipts.
const DATABASE: &str = "herm.db";

/// Everything that herm remembers, in one home.
///
/// Nothing is opened before it is needed: a call that asks nobody opens no database.
#[derive(Debug)]
pub struct Store {
    home: PathBuf,
    ledger: OnceLock<Ledger>,
    database: OnceLock<Database>,
}

impl Store {
    /// The store in a home, which is made if there is none.
    ///
    /// # Errors
    ///
    /// When the home cannot be made.
    pub fn open(home: &Path) -> Result<Self, Error> {
        files::make_directory(home)?;
        Ok(Self { home: home.to_owned(), ledger: OnceLock::new(), database: OnceLock::new() })
    }

    /// Whether anything but receipts was ever kept.
    ///
    /// # Errors
    ///
    /// When the home cannot be looked at.
    pub fn has_database(&self) -> Result<bool, Error> {
        files::exists(&self.home.join(DATABASE))
    }

    /// Where it is.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The record of everything that was done or refused.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub fn ledger(&self) -> Result<&Ledger, Error> {
        once(&self.ledger, || Ledger::open(self.home.join("ledger")))
    }

    /// The database.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub fn database(&self) -> Result<&Database, Error> {
        once(&self.database, || Database::open(self.home.join(DATABASE)))
    }

    /// What people allowed beforehand.
    ///
    /// # Errors
    ///
    /// When the database cannot be opened.
    pub fn grants(&self) -> Result<Grants<'_>, Error> {
        Ok(self.database()?.grants())
    }

    /// What people refused.
    ///
    /// # Errors
    ///
    /// When the database cannot be opened.
    pub fn denials(&self) -> Result<Denials<'_>, Error> {
        Ok(self.database()?.denials())
    }

    /// What people are asked.
    ///
    /// # Errors
    ///
    /// When the database cannot be opened.
    pub fn questions(&self) -> Result<Questions<'_>, Error> {
        Ok(self.database()?.questions())
    }

    /// The sessions of agents.
    ///
    /// # Errors
    ///
    /// When the database cannot be opened.
    pub fn sessions(&self) -> Result<Sessions<'_>, Error> {
        Ok(self.database()?.sessions())
    }

    /// Which hooks may run.
    ///
    /// # Errors
    ///
    /// When the database cannot be opened.
    pub fn consents(&self) -> Result<Consents<'_>, Error> {
        Ok(self.database()?.consents())
    }

    /// What hooks have released so that herm itself runs it.
    ///
    /// # Errors
    ///
    /// When the database cannot be opened.
    pub fn tickets(&self) -> Result<Tickets<'_>, Error> {
        Ok(self.database()?.tickets())
    }

    /// Where to find receipts in the ledger.
    ///
    /// # Errors
    ///
    /// When the database cannot be opened.
    pub fn index(&self) -> Result<Index<'_>, Error> {
        Ok(self.database()?.index())
    }
}

/// Of two threads that are first, one opens in vain.
fn once<T>(cell: &OnceLock<T>, open: impl FnOnce() -> Result<T, Error>) -> Result<&T, Error> {
    if let Some(opened) = cell.get() {
        return Ok(opened);
    }
    let opened = open()?;
    Ok(cell.get_or_init(|| opened))
}
