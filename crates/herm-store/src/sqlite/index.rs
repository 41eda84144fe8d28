//! Where to find receipts in the ledger.
//!
//! The ledger is the truth: the index is filled from it, and made again when it does not fit.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, named_params, params};
use serde_json::Value;

use super::Database;
use super::columns::Json;
use crate::digest::Digest;
use crate::error::Error;
use crate::ledger::{Entry, Kind, Ledger};
use crate::time::Timestamp;

/// Where to find a receipt, and what it comes down to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Its name.
    pub id: String,
    /// Its first record.
    pub seq: u64,
    /// When that was written.
    pub at: Timestamp,
    /// In which session.
    pub session: Option<String>,
    /// What was decided.
    pub decision: Option<String>,
    /// The rules that had something to say, by name.
    pub rules: Vec<String>,
    /// How it ended.
    pub exit_code: Option<i64>,
}

/// Which receipts to look for. What is not given does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Those of this session.
    pub session: Option<String>,
    /// Those that were decided like this.
    pub decision: Option<String>,
    /// Those that this rule had something to say about.
    pub rule: Option<String>,
    /// Those since this moment.
    pub since: Option<Timestamp>,
}

/// What came of bringing the index up to the ledger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Synced {
    /// How many records were new.
    pub records: u64,
    /// How many lines could not be read.
    pub unreadable: u64,
    /// How many receipts were known from a ledger that is not this one any more. That is worth a look.
    pub forgotten: u64,
}

/// The index of a database.
#[derive(Clone, Copy, Debug)]
pub struct Index<'a>(pub(super) &'a Database);

impl Index<'_> {
    /// Brings the index up to the ledger.
    ///
    /// # Errors
    ///
    /// When the ledger cannot be read, or the database cannot be written.
    pub fn sync(&self, ledger: &Ledger) -> Result<Synced, Error> {
        let mut synced = Synced::default();
        loop {
            let known = self.0.read("read the index of", Position::read)?;
            let Some(from) = Position::resume(known, ledger)? else {
                synced.forgotten += self.0.write_soon("clear the index of", |change| clear(change, known))?;
                continue;
            };
            let portion = Portion::read(ledger, from)?;
            let Some(reached) = portion.reached else { return Ok(synced) };
            // Another process may have been quicker: then its position is where to go on.
            if self.0.write_soon("index the ledger in", |change| portion.store(change, known, reached))? {
                synced.records += portion.records;
                synced.unreadable += portion.unreadable;
            }
        }
    }

    /// The receipt of this name.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn find(&self, id: &str) -> Result<Option<Receipt>, Error> {
        self.0.read("read the index of", |connection| {
            connection.query_row(&format!("{SELECT} WHERE id = ?1"), [id], Receipt::from_row).optional()
        })
    }

    /// The receipts that fit, the latest first, at most so many.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn search(&self, filter: &Filter, most: u32) -> Result<Vec<Receipt>, Error> {
        let select = format!(
            "{SELECT}
             WHERE (:session IS NULL OR session = :session)
               AND (:decision IS NULL OR decision = :decision)
               AND (:rule IS NULL OR id IN (SELECT receipt FROM receipt_rules WHERE rule = :rule))
               AND (:since IS NULL OR at >= :since)
             ORDER BY seq DESC LIMIT :most"
        );
        self.0.read("read the index of", |connection| {
            let mut select = connection.prepare(&select)?;
            let named = named_params! {
                ":session": filter.session,
                ":decision": filter.decision,
                ":rule": filter.rule,
                ":since": filter.since,
                ":most": most,
            };
            select.query_map(named, Receipt::from_row)?.collect()
        })
    }
}

const SELECT: &str = "
    SELECT id, seq, at, session, decision, exit_code,
           (SELECT json_group_array(rule) FROM receipt_rules WHERE receipt = id) AS rules
    FROM receipts";

impl Receipt {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let Json(rules) = row.get::<_, Json<Value>>("rules")?;
        let rules = rules.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        Ok(Self {
            id: row.get("id")?,
            seq: row.get::<_, i64>("seq")?.unsigned_abs(),
            at: row.get("at")?,
            session: row.get("session")?,
            decision: row.get("decision")?,
            rules: rules.collect(),
            exit_code: row.get("exit_code")?,
        })
    }
}

/// What one record adds to a receipt.
impl From<Entry> for Receipt {
    fn from(entry: Entry) -> Self {
        Self {
            seq: entry.seq,
            at: entry.at,
            session: entry.session().map(str::to_owned),
            decision: entry.decision().map(str::to_owned),
            rules: entry.rules().map(str::to_owned).collect(),
            exit_code: entry.exit_code(),
            id: entry.id,
        }
    }
}

/// The last line of the ledger that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    start: u64,
    end: u64,
    hash: Digest,
}

impl Position {
    fn read(connection: &Connection) -> rusqlite::Result<Option<Self>> {
        let position = |row: &Row<'_>| {
            let number = |name| row.get::<_, i64>(name).map(i64::unsigned_abs);
            Ok(Self { start: number("start")?, end: number("end")?, hash: row.get("hash")? })
        };
        connection.query_row("SELECT start, end, hash FROM ledger_position", [], position).optional()
    }

    /// Where to go on; nowhere when the line is not there any more, so that this is another ledger.
    fn resume(known: Option<Self>, ledger: &Ledger) -> Result<Option<u64>, Error> {
        let Some(known) = known else { return Ok(Some(0)) };
        let mut entries = ledger.read_from(known.start)?;
        let hash = entries.advance()?.map(|line| line.hash());
        Ok((hash == Some(known.hash) && entries.offset() == known.end).then_some(known.end))
    }

    fn write(self, change: &Transaction<'_>) -> rusqlite::Result<usize> {
        let number = |place: u64| i64::try_from(place).unwrap_or(i64::MAX);
        change.execute(
            "INSERT OR REPLACE INTO ledger_position (one, start, end, hash) VALUES (1, ?1, ?2, ?3)",
            params![number(self.start), number(self.end), self.hash],
        )
    }
}

/// A part of the ledger, small enough not to keep others waiting.
#[derive(Debug, Default)]
struct Portion {
    receipts: Vec<Receipt>,
    records: u64,
    unreadable: u64,
    reached: Option<Position>,
}

impl Portion {
    const MOST: u64 = 2000;

    fn read(ledger: &Ledger, from: u64) -> Result<Self, Error> {
        let mut entries = ledger.read_from(from)?;
        let mut portion = Self::default();
        let mut start = from;
        while portion.records + portion.unreadable < Self::MOST {
            let Some(line) = entries.advance()? else { break };
            let hash = line.hash();
            match line.entry {
                Some(entry) => portion.add(entry),
                None => portion.unreadable += 1,
            }
            portion.reached = Some(Position { start, end: entries.offset(), hash });
            start = entries.offset();
        }
        Ok(portion)
    }

    fn add(&mut self, entry: Entry) {
        self.records += 1;
        match entry.kind {
            Kind::Answer | Kind::Intent | Kind::Outcome => self.receipts.push(entry.into()),
            Kind::Note => {}
        }
    }

    /// Whether it was stored: not when somebody else has moved on meanwhile.
    fn store(
        &self,
        change: &Transaction<'_>,
        known: Option<Position>,
        reached: Position,
    ) -> rusqlite::Result<bool> {
        if Position::read(change)? != known {
            return Ok(false);
        }
        let mut receipt = change.prepare(
            "INSERT INTO receipts (id, seq, at, session, decision, exit_code) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (id) DO UPDATE SET
                 session = coalesce(excluded.session, session),
                 decision = coalesce(excluded.decision, decision),
                 exit_code = coalesce(excluded.exit_code, exit_code)",
        )?;
        let mut rule =
            change.prepare("INSERT OR IGNORE INTO receipt_rules (receipt, rule) VALUES (?1, ?2)")?;
        for Receipt { id, seq, at, session, decision, rules, exit_code } in &self.receipts {
            let seq = i64::try_from(*seq).unwrap_or(i64::MAX);
            receipt.execute(params![id, seq, at, session, decision, exit_code])?;
            for name in rules {
                rule.execute(params![id, name])?;
            }
        }
        reached.write(change)?;
        Ok(true)
    }
}

/// Forgets a ledger that is not this one any more, and says how many receipts it had.
fn clear(change: &Transaction<'_>, known: Option<Position>) -> rusqlite::Result<u64> {
    if Position::read(change)? != known {
        return Ok(0);
    }
    change.execute("DELETE FROM ledger_position", [])?;
    let forgotten = change.execute("DELETE FROM receipts", [])?;
    Ok(u64::try_from(forgotten).unwrap_or(u64::MAX))
}
