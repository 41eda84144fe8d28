//! The ledger: every record holds the hash of the one before it.
//!
//! `ledger.jsonl` is only ever added to, one line a record, under a lock of the operating system. Beside it lie the
//! `head`, which says how far it reaches, and the `key` that vouches for the head. What was cut short by a crash is
//! kept in `ledger.torn`.
//!
//! A record reaches the disk before the head moves past it, and the head moves before [`Ledger::append`] returns. So:
//!
//! - what was reported as written is there, after a crash and after a loss of power;
//! - a crash is never taken for tampering: it leaves at most records behind the head, which chain and are adopted,
//!   and a line without an end, which is set aside;
//! - whoever has no time to wait for the disk ([`Ledger::append_soon`]) writes a record that the head moves past later: it survives a
//!   crash, and only a loss of power in between can take it;
//! - whoever cuts off the end, without the key, leaves a head that says so.
//!
//! What it cannot show is that somebody who can read the key, or who kept an older head and ledger and put back both,
//! was at work. That takes a guard of another user, or a copy elsewhere.

mod chain;
mod create;
mod entry;
mod export;
mod flaw;
mod head;
mod lines;
mod read;
mod tail;
mod verify;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::Value;

pub use self::entry::{Entry, Kind, Record};
pub use self::export::Format;
pub use self::flaw::Flaw;
use self::head::Head;
pub use self::read::Entries;
pub use self::verify::{Report, Unfinished};
use crate::digest::{Digest, Key};
use crate::error::Error;
use crate::files;
use crate::time::Timestamp;

/// The file of records.
const RECORDS: &str = "ledger.jsonl";

/// What a crash left unfinished.
const TORN: &str = "ledger.torn";

/// The record of everything that was done or refused.
#[derive(Clone, Debug)]
pub struct Ledger {
    directory: PathBuf,
    clock: fn() -> SystemTime,
    patience: Duration,
}

/// What a key signs for a purpose: no head of a ledger, which begins otherwise, and nothing for another purpose.
fn sealed(purpose: &str, text: &str) -> String {
    format!("seal:{purpose}\0{text}")
}

impl Ledger {
    /// Opens the ledger in a directory, and makes it where there is none.
    ///
    /// # Errors
    ///
    /// When it is missing and cannot be made.
    pub fn open(directory: impl Into<PathBuf>) -> Result<Self, Error> {
        let directory = directory.into();
        create::unless_there(&directory)?;
        Ok(Self { directory, clock: SystemTime::now, patience: files::PATIENCE })
    }

    /// The same ledger with another clock.
    #[must_use]
    pub fn with_clock(self, clock: fn() -> SystemTime) -> Self {
        Self { clock, ..self }
    }

    /// The same ledger, waiting for other processes so long and no longer; ten seconds otherwise.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Where it is.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// A code for what is kept beside the ledger, which only those can make who can read its key.
    ///
    /// # Errors
    ///
    /// When the key cannot be read.
    pub fn seal(&self, purpose: &str, text: &str) -> Result<Digest, Error> {
        let key = head::key(&self.directory)?.map_err(|flaw| self.tampered(flaw))?;
        Ok(key.sign(sealed(purpose, text).as_bytes()))
    }

    /// Whether a code was made for this by [`Ledger::seal`] in the ledger of a directory. Nothing is made where there is none.
    #[must_use]
    pub fn vouches(directory: &Path, purpose: &str, text: &str, code: &Digest) -> bool {
        let key = head::key(directory).ok().and_then(Result::ok);
        key.is_some_and(|key| key.vouches(sealed(purpose, text).as_bytes(), code))
    }

    /// Adds a record. When this returns, it is on the disk.
    ///
    /// # Errors
    ///
    /// When it cannot be written; then the ledger is as it was. When the ledger was tampered with, nothing is added.
    pub fn append(&self, kind: Kind, id: &str, body: Value) -> Result<Entry, Error> {
        let record = Record { kind, id: id.to_owned(), body };
        let mut entries = self.append_all(&[record])?;
        entries.pop().ok_or_else(|| self.tampered(Flaw::LedgerMissing))
    }

    /// Adds several records for the price of one: all of them or none.
    ///
    /// # Errors
    ///
    /// As for [`Ledger::append`].
    pub fn append_all(&self, records: &[Record]) -> Result<Vec<Entry>, Error> {
        match self.try_append(records) {
            Err(Error::Tampered { flaw, .. }) => Err(self.tampered(self.worst(flaw))),
            result => result,
        }
    }

    /// Adds a record without waiting for the disk. It is there for everybody at once; the head moves past it with the next
    /// [`Ledger::append`] or [`Ledger::catch_up`].
    ///
    /// # Errors
    ///
    /// As for [`Ledger::append`].
    pub fn append_soon(&self, kind: Kind, id: &str, body: Value) -> Result<(), Error> {
        let record = Record { kind, id: id.to_owned(), body };
        let (file, head, _) = self.locked()?;
        let batch = Batch::compose(head, &[record], Timestamp::from((self.clock)()))?;
        write_once(&file, &batch.bytes).map_err(|error| {
            // What was refused must not stay.
            let _ = file.set_len(head.length);
            Error::file("write", &self.directory.join(RECORDS))(error)
        })
    }

    /// Waits until what was added without waiting is on the disk, and moves the head past it. Nobody else waits meanwhile.
    ///
    /// # Errors
    ///
    /// When it cannot be synced; when the ledger was tampered with.
    pub fn catch_up(&self) -> Result<(), Error> {
        let path = self.directory.join(RECORDS);
        let file = self.records(files::open_to_append)?;
        let there = file.metadata().map_err(Error::file("look at", &path))?.len();
        file.sync_data().map_err(Error::file("write", &path))?;
        files::lock(&file, &path, self.patience)?;
        let (head, key) = Head::read(&self.directory)?.map_err(|flaw| self.tampered(flaw))?;
        // What was added since is not on the disk yet.
        let reached = tail::reach(&file, head, there).map_err(Error::file("read", &path))?;
        let reached = reached.map_err(|flaw| self.tampered(flaw))?;
        if reached == head { Ok(()) } else { reached.write(&self.directory, &key) }
    }

    /// The file, nobody else's for now, and where the next record goes.
    fn locked(&self) -> Result<(File, Head, Key), Error> {
        let path = self.directory.join(RECORDS);
        let file = self.records(files::open_to_append)?;
        files::lock(&file, &path, self.patience)?;
        let (head, key) = Head::read(&self.directory)?.map_err(|flaw| self.tampered(flaw))?;
        let head = tail::settle(&self.directory, &file, head)?.map_err(|flaw| self.tampered(flaw))?;
        Ok((file, head, key))
    }

    fn try_append(&self, records: &[Record]) -> Result<Vec<Entry>, Error> {
        let (file, head, key) = self.locked()?;
        let batch = Batch::compose(head, records, Timestamp::from((self.clock)()))?;
        self.commit(&file, &batch, &key).inspect_err(|_| {
            // What was refused must not stay. If even this fails, it is a torn line, or a record behind the head.
            let _ = file.set_len(head.length);
        })?;
        Ok(batch.entries)
    }

    /// What is wrong, told by a look at all of the ledger where a look at its end told only that something is.
    fn worst(&self, flaw: Flaw) -> Flaw {
        self.verify().ok().and_then(|report| report.flaws.into_iter().next()).unwrap_or(flaw)
    }

    fn commit(&self, file: &File, batch: &Batch, key: &Key) -> Result<(), Error> {
        let path = self.directory.join(RECORDS);
        write_once(file, &batch.bytes)
            .and_then(|()| file.sync_data())
            .map_err(Error::file("write", &path))?;
        batch.head.write(&self.directory, key)
    }

    fn records(&self, open: fn(&Path) -> Result<File, Error>) -> Result<File, Error> {
        match open(&self.directory.join(RECORDS)) {
            Err(Error::File { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Err(self.tampered(Flaw::LedgerMissing))
            }
            file => file,
        }
    }

    fn tampered(&self, flaw: Flaw) -> Error {
        Error::Tampered { path: self.directory.clone(), flaw }
    }
}

/// Records as they are written.
struct Batch {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    head: Head,
}

impl Batch {
    fn compose(mut head: Head, records: &[Record], now: Timestamp) -> Result<Self, Error> {
        let (mut bytes, mut entries) = (Vec::new(), Vec::new());
        for record in records {
            let (line, entry) = Entry::compose(head.seq + 1, head.hash, now, record)?;
            let length = u64::try_from(line.len()).unwrap_or(u64::MAX) + 1;
            head =
                Head { seq: entry.seq, hash: entry.hash, start: head.length, length: head.length + length };
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
            entries.push(entry);
        }
        Ok(Self { bytes, entries, head })
    }
}

/// One call, so that a reader never sees the half of a record. A disk that takes only a part of it is full.
fn write_once(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    loop {
        match file.write(bytes) {
            Ok(written) if written == bytes.len() => return Ok(()),
            Ok(_) => return Err(io::ErrorKind::StorageFull.into()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
