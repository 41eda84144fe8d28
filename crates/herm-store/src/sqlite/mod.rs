//! The database: what a person allowed, refused or is asked, and where to find receipts.
//!
//! It is shared by all processes of one home. Every change is one transaction; what a person decided reaches the disk
//! before it is reported. A damaged database is never replaced: what was refused must not be forgotten by damaging a file.

mod columns;
pub mod consents;
pub mod denials;
pub mod foreign;
pub mod grants;
pub mod index;
mod migrations;
pub mod questions;
pub mod sessions;
pub mod tickets;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use self::consents::Consents;
use self::denials::Denials;
use self::grants::Grants;
use self::index::Index;
use self::questions::Questions;
use self::sessions::Sessions;
use self::tickets::Tickets;
use crate::error::Error;
use crate::{files, identity};

/// The database of a home.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    /// Nobody else knows of a database that is being made, so that needs none.
    turn: Option<Turn>,
    connection: Mutex<Connection>,
    /// Whether the name of the log is on the disk.
    named: OnceLock<()>,
}

impl Database {
    /// Opens the database, and makes it where there is none.
    ///
    /// # Errors
    ///
    /// When it cannot be made or read, is damaged, or was made by a newer version.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let path = path.into();
        create_unless_there(&path)?;
        files::must_be_private(&path)?;
        let turn = Turn::of(&path)?;
        let database = Self { turn: Some(turn), ..Self::connect(path)? };
        database.must_have_begun()?;
        database.prepare()?;
        database.check_what_decides()?;
        Ok(database)
    }

    /// What people allowed beforehand.
    #[must_use]
    pub fn grants(&self) -> Grants<'_> {
        Grants(self)
    }

    /// What people refused.
    #[must_use]
    pub fn denials(&self) -> Denials<'_> {
        Denials(self)
    }

    /// What people are asked.
    #[must_use]
    pub fn questions(&self) -> Questions<'_> {
        Questions(self)
    }

    /// The sessions of agents.
    #[must_use]
    pub fn sessions(&self) -> Sessions<'_> {
        Sessions(self)
    }

    /// Which hooks may run.
    #[must_use]
    pub fn consents(&self) -> Consents<'_> {
        Consents(self)
    }

    /// What hooks have released so that herm itself runs it.
    #[must_use]
    pub fn tickets(&self) -> Tickets<'_> {
        Tickets(self)
    }

    /// Where to find receipts in the ledger.
    #[must_use]
    pub fn index(&self) -> Index<'_> {
        Index(self)
    }

    /// Brings everything that was written so far to the disk.
    ///
    /// Nobody who writes meanwhile waits for it: the log of the database is synced, and not the database.
    ///
    /// # Errors
    ///
    /// When it cannot be brought there.
    pub fn flush(&self) -> Result<(), Error> {
        files::sync(&log_of(&self.path))?;
        if self.named.get().is_none() {
            self.path.parent().map_or(Ok(()), files::sync_directory)?;
            let _ = self.named.set(());
        }
        Ok(())
    }

    /// Leaves it to somebody else to empty the log, since that takes long. It is done here all the same when nobody does.
    ///
    /// # Errors
    ///
    /// When the database cannot be used.
    pub fn leave_log(&self) -> Result<(), Error> {
        let setting = format!("PRAGMA wal_autocheckpoint = {LONGEST_LOG}");
        self.read("prepare", |connection| connection.execute_batch(&setting))
    }

    /// Empties the log, while others read and write.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn empty_log(&self) -> Result<(), Error> {
        let empty = "PRAGMA wal_checkpoint(PASSIVE)";
        self.read("empty the log of", |connection| connection.query_row(empty, [], |_| Ok(())))
    }

    /// A number that is another one when somebody else has written.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn edition(&self) -> Result<i64, Error> {
        self.read("read", |connection| connection.query_row("PRAGMA data_version", [], |row| row.get(0)))
    }

    /// Checks all of the database, which takes a while for a large one.
    ///
    /// # Errors
    ///
    /// When it is damaged.
    pub fn check(&self) -> Result<(), Error> {
        self.quick_check("PRAGMA quick_check(1)")
    }

    /// Checks the tables that decide without a person whether something runs. Questions and the index can be many; where
    /// those are damaged, it is found when they are read.
    fn check_what_decides(&self) -> Result<(), Error> {
        ["grants", "denials", "sessions", "consents", "tickets"]
            .iter()
            .try_for_each(|table| self.quick_check(&format!("PRAGMA quick_check({table})")))
    }

    fn quick_check(&self, pragma: &str) -> Result<(), Error> {
        let found: String =
            self.read("check", |connection| connection.query_row(pragma, [], |row| row.get(0)))?;
        if found == "ok" { Ok(()) } else { Err(Error::Corrupt { path: self.path.clone(), detail: found }) }
    }

    /// A database appears with its tables in it, so one without was emptied.
    fn must_have_begun(&self) -> Result<(), Error> {
        match migrations::version(self)? {
            0 => Err(Error::Corrupt { path: self.path.clone(), detail: "it is empty".to_owned() }),
            _ => Ok(()),
        }
    }

    /// Readers and a writer do not wait for each other; and the tables are those of this version.
    fn prepare(&self) -> Result<(), Error> {
        self.read("open", |connection| connection.execute_batch("PRAGMA journal_mode = WAL"))?;
        migrations::run(self)
    }

    /// Opens without changing anything.
    #[expect(clippy::disallowed_methods, reason = "the one place where the database is opened")]
    fn connect(path: PathBuf) -> Result<Self, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || {
            let connection = Connection::open_with_flags(&path, flags)?;
            connection.busy_timeout(files::PATIENCE)?;
            connection.execute_batch(SETTINGS)?;
            Ok(connection)
        };
        let connection = open().map_err(Error::database("open", &path))?;
        Ok(Self { path, turn: None, connection: Mutex::new(connection), named: OnceLock::new() })
    }

    /// Brings everything into the one file.
    fn close(self) -> Result<(), Error> {
        let connection = self.connection.into_inner().unwrap_or_else(PoisonError::into_inner);
        connection.close().map_err(|(_, error)| Error::database("close", &self.path)(error))
    }

    fn read<T>(
        &self,
        doing: &'static str,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        read(&connection).map_err(Error::database(doing, &self.path))
    }

    /// One transaction that is on the disk when this returns: what a person decided is never forgotten.
    fn write<T>(
        &self,
        doing: &'static str,
        write: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        self.transact(doing, "PRAGMA synchronous = FULL", write)
    }

    /// One transaction that every other process sees when this returns, and that reaches the disk with the next synced
    /// one: killing a process does not undo it, a loss of power may.
    fn write_soon<T>(
        &self,
        doing: &'static str,
        write: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        self.transact(doing, "PRAGMA synchronous = NORMAL", write)
    }

    /// Waits for its turn at its beginning, so that it cannot fail for others in the middle.
    fn transact<T>(
        &self,
        doing: &'static str,
        setting: &str,
        write: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let _taken = self.turn.as_ref().map(Turn::take).transpose()?;
        let run = || {
            connection.execute_batch(setting)?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = write(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        run().map_err(Error::database(doing, &self.path))
    }
}

/// The most pages that a log grows to when nobody empties it.
const LONGEST_LOG: u32 = 16_384;

/// Where changes are kept before they are brought into the database.
fn log_of(database: &Path) -> PathBuf {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log)
}

/// Nothing in the file is trusted to be code, or to be well-formed.
const SETTINGS: &str = "
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
";

/// Whose turn it is to write. The database itself waits by looking again ever more seldom, so that one who writes all the time
/// can keep another out until its patience ends.
#[derive(Debug)]
struct Turn {
    path: PathBuf,
    file: File,
}

impl Turn {
    fn of(database: &Path) -> Result<Self, Error> {
        let path = database.with_extension("lock");
        Ok(Self { file: files::open_to_collect(&path)?, path })
    }

    fn take(&self) -> Result<Taken<'_>, Error> {
        files::lock(&self.file, &self.path, files::PATIENCE)?;
        Ok(Taken(&self.file))
    }
}

/// A turn that ends with this.
struct Taken<'a>(&'a File);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        // It ends with the process at the latest.
        let _ = self.0.unlock();
    }
}

/// Makes a database under another name, tables and all, and gives it its own.
fn create_unless_there(path: &Path) -> Result<(), Error> {
    if files::exists(path)? {
        return Ok(());
    }
    let turn = Turn::of(path)?;
    let _taken = turn.take()?;
    if files::exists(path)? {
        return Ok(());
    }
    must_be_alone(path)?;
    let draft = path.with_extension(format!("new-{}", identity::random()?));
    files::create(&draft, b"")?;
    let made = Database::connect(draft.clone())?;
    made.prepare()?;
    made.close()?;
    files::rename_into_place(&draft, path)?;
    path.parent().map_or(Ok(()), files::sync_directory)
}

/// What belongs to a database that is gone would be taken for changes to the new one.
fn must_be_alone(path: &Path) -> Result<(), Error> {
    if files::exists(&log_of(path))? {
        let detail = "it is missing, and its log is there".to_owned();
        return Err(Error::Corrupt { path: path.to_owned(), detail });
    }
    Ok(())
}
