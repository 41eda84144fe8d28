//! Checks a ledger from the first record to the last.

use std::collections::BTreeMap;
use std::io;

use super::chain::Chain;
use super::entry::{Entry, Kind};
use super::head::Head;
use super::lines::Lines;
use super::{Flaw, Ledger, RECORDS};
use crate::error::Error;
use crate::files;
use crate::time::Timestamp;

/// What a check of the whole ledger found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Report {
    /// How many records could be read.
    pub records: u64,
    /// How many of them stand behind the head, left there by a crash; the next record adopts them.
    pub adopted: u64,
    /// How many bytes of a record that was never finished stand at the end; the next record sets them aside.
    pub torn: u64,
    /// What is wrong, as precisely as it can be told.
    pub flaws: Vec<Flaw>,
    /// What was begun, and of which no end is recorded.
    pub unfinished: Vec<Unfinished>,
}

impl Report {
    /// Whether the ledger is what it was. A crash is no flaw, and neither is something unfinished.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.flaws.is_empty()
    }
}

/// Something that was begun, and of which no end is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The record that says so.
    pub seq: u64,
    /// Its receipt.
    pub id: String,
    /// When it was begun.
    pub at: Timestamp,
}

impl Ledger {
    /// Checks every record, and the head. Others may add records meanwhile; those are not looked at.
    ///
    /// # Errors
    ///
    /// When the files cannot be read. What was tampered with is no error but in the [`Report`].
    pub fn verify(&self) -> Result<Report, Error> {
        let path = self.directory.join(RECORDS);
        let file = match self.records(files::open_to_read) {
            Err(Error::Tampered { flaw, .. }) => {
                return Ok(Report { flaws: vec![flaw], ..Report::default() });
            }
            file => file?,
        };
        files::lock_shared(&file, &path, self.patience)?;
        let head = Head::read(&self.directory)?.map(|(head, _)| head);
        let length = file.metadata().map_err(Error::file("look at", &path))?.len();
        file.unlock().map_err(Error::file("unlock", &path))?;
        let check = || Check::new(head).run(Lines::new(file, 0, length)?, length);
        check().map_err(Error::file("read", &path))
    }
}

/// A check in progress.
struct Check {
    report: Report,
    chain: Chain,
    head: Option<Head>,
    open: BTreeMap<String, Unfinished>,
}

impl Check {
    fn new(head: Result<Head, Flaw>) -> Self {
        let (head, flaws) = match head {
            Ok(head) => (Some(head), Vec::new()),
            Err(flaw) => (None, vec![flaw]),
        };
        let report = Report { flaws, ..Report::default() };
        Self { report, chain: Chain::new(head), head, open: BTreeMap::new() }
    }

    fn run(mut self, mut lines: Lines, length: u64) -> io::Result<Report> {
        let mut number = 0;
        while let Some(line) = lines.next()? {
            number += 1;
            // Without a head, nothing says that a crash did not leave it.
            let after_head = self.head.is_none_or(|head| line.start >= head.length);
            if !line.is_whole && after_head {
                self.report.torn = length - line.start;
                break;
            }
            // A line that lost its end to whoever cut the file is gone, not changed.
            if !line.is_whole && self.head.is_some_and(|head| length < head.length) {
                break;
            }
            match line.is_whole.then(|| Entry::parse(line.bytes)).flatten() {
                Some(entry) => self.entry(entry, number),
                None => self.chain.unreadable(number),
            }
        }
        Ok(self.finish())
    }

    fn entry(&mut self, entry: Entry, line: u64) {
        self.report.records += 1;
        self.report.adopted += u64::from(self.head.is_some_and(|head| entry.seq > head.seq));
        self.chain.readable(entry.seq, entry.previous, entry.hash, line);
        match entry.kind {
            Kind::Intent => {
                let begun = Unfinished { seq: entry.seq, id: entry.id.clone(), at: entry.at };
                self.open.insert(entry.id, begun);
            }
            Kind::Outcome => drop(self.open.remove(&entry.id)),
            Kind::Answer | Kind::Note => {}
        }
    }

    fn finish(mut self) -> Report {
        self.report.flaws.extend(self.chain.finish());
        self.report.unfinished = self.open.into_values().collect();
        self.report.unfinished.sort_by_key(|begun| begun.seq);
        self.report
    }
}
