//! What becomes of what a command says.

use herm::limits::{Limits, Output as Kept};
use herm_sandbox::output::{Cap, Colours, Limit, Strip};
use herm_scan::Redactor;

use crate::unfinished::Unfinished;

/// What becomes of a stream: escapes go, secrets go, the rest is shown and as much as may be is kept.
pub(crate) struct Stream {
    strip: Option<Strip>,
    redactor: Redactor,
    line: Unfinished,
    pub(crate) cap: Cap,
    /// The same with its secrets, where those are shown.
    pub(crate) loose: Option<Cap>,
}

impl Stream {
    pub(crate) fn new(limits: &Limits, colours: Colours, redactor: Redactor, loose: bool) -> Self {
        let limit = match limits.output {
            Kept::Head(bytes) => Limit::Head(bytes),
            Kept::HeadAndTail(characters) => Limit::Ends(characters),
        };
        let loose = loose.then(|| Cap::new(limit));
        Self {
            strip: Some(Strip::new(colours)),
            redactor,
            line: Unfinished::default(),
            cap: Cap::new(limit),
            loose,
        }
    }

    /// What may be shown now.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut plain = Vec::with_capacity(bytes.len());
        if let Some(strip) = &mut self.strip {
            strip.push(bytes, &mut plain);
        }
        let mut safe = Vec::with_capacity(plain.len());
        self.redactor.feed(&plain, &mut safe);
        self.keep(plain, safe)
    }

    /// What was held back until nothing more could come.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let mut plain = Vec::new();
        if let Some(strip) = self.strip.take() {
            strip.finish(&mut plain);
        }
        let mut safe = Vec::new();
        self.redactor.feed(&plain, &mut safe);
        self.redactor.finish(&mut safe);
        self.keep(plain, safe)
    }

    /// What is recorded has no secrets, whatever is shown.
    fn keep(&mut self, plain: Vec<u8>, safe: Vec<u8>) -> Vec<u8> {
        self.cap.push(&safe);
        match &mut self.loose {
            Some(loose) => {
                loose.push(&plain);
                plain
            }
            None => self.line.unseen(&plain, safe),
        }
    }

    /// What may be shown of a line that has not ended, once nothing has come for a moment.
    pub(crate) fn lull(&mut self) -> Vec<u8> {
        if self.loose.is_some() { Vec::new() } else { self.line.lull(&self.redactor) }
    }
}
