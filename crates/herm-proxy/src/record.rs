//! What became of a connection.

use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What became of a connection. Every connection that was asked for gives one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Where it was meant to go: `example.com:443`, or what was written where that is unknown.
    pub destination: String,
    /// The address that it went to.
    pub address: Option<IpAddr>,
    /// What became of it.
    pub outcome: Outcome,
    /// The rule that refused or asked, where one did.
    pub rule: Option<&'static str>,
    /// Why, in a sentence fragment; empty where nothing was minded.
    pub reason: String,
    /// Bytes that went out.
    pub sent: u64,
    /// Bytes that came in.
    pub received: u64,
    /// How long it took.
    pub duration: Duration,
}

/// What became of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A person let it through.
    Approved,
    /// It could not be made, or broke.
    Failed,
    /// It went through.
    Passed,
    /// It was refused.
    Refused,
}

impl Outcome {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Failed => "failed",
            Self::Passed => "passed",
            Self::Refused => "refused",
        }
    }
}

/// Where records go.
pub type Sink = Arc<dyn Fn(Record) + Send + Sync>;

/// A record in the making. It is handed over when it is dropped, so that nothing that ends a connection can leave it out.
pub(crate) struct Meter {
    record: Option<Record>,
    begun: Instant,
    sink: Sink,
}

impl Meter {
    pub(crate) fn new(destination: String, sink: &Sink) -> Self {
        let record = Record {
            destination,
            address: None,
            outcome: Outcome::Failed,
            rule: None,
            reason: String::new(),
            sent: 0,
            received: 0,
            duration: Duration::ZERO,
        };
        Self { record: Some(record), begun: Instant::now(), sink: Arc::clone(sink) }
    }

    pub(crate) fn note(&mut self, write: impl FnOnce(&mut Record)) {
        if let Some(record) = &mut self.record {
            write(record);
        }
    }

    pub(crate) fn sent(&mut self, bytes: usize) {
        self.note(|record| record.sent = record.sent.saturating_add(count(bytes)));
    }

    pub(crate) fn received(&mut self, bytes: usize) {
        self.note(|record| record.received = record.received.saturating_add(count(bytes)));
    }
}

fn count(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some(mut record) = self.record.take() {
            record.duration = self.begun.elapsed();
            // A connection may end because something panicked; a second panic would end everything.
            let _ = catch_unwind(AssertUnwindSafe(|| (self.sink)(record)));
        }
    }
}
