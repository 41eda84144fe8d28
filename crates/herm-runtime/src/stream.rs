//! What becomes of what a command says.

use herm::limits::{Limits, Output as Kept};
use herm_sandbox::output::{Cap, Capped, Colours, Limit, Strip};
use herm_scan::Redactor;

use crate::setup::Setup;
use crate::unfinished::Unfinished;

/// The secrets of our own: the text of the file that holds them.
pub(crate) struct Secrets<'a>(pub(crate) &'a str);

impl Secrets<'_> {
    /// What takes secrets out, these among them.
    pub(crate) fn redactor(&self) -> Redactor {
        Redactor::holding(self.0)
    }

    /// What takes out these alone, where the policy wants the others shown.
    pub(crate) fn loose(&self, setup: &Setup) -> Option<Redactor> {
        (setup.policy.security.redact_secrets == Some(false)).then(|| Redactor::only_holding(self.0))
    }
}

/// What becomes of a stream: escapes go, secrets go, the rest is shown and as much as may be is kept.
pub(crate) struct Stream {
    strip: Option<Strip>,
    redactor: Redactor,
    line: Unfinished,
    pub(crate) cap: Cap,
    /// The same with its secrets, but for those of our own, where they are shown.
    loose: Option<(Redactor, Cap)>,
}

impl Stream {
    pub(crate) fn new(
        limits: &Limits,
        colours: Colours,
        redactor: Redactor,
        loose: Option<Redactor>,
    ) -> Self {
        let limit = match limits.output {
            Kept::Head(bytes) => Limit::Head(bytes),
            Kept::HeadAndTail(characters) => Limit::Ends(characters),
        };
        let loose = loose.map(|redactor| (redactor, Cap::new(limit)));
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
        self.keep(&plain, safe, |_, _| ())
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
        self.keep(&plain, safe, Redactor::finish)
    }

    /// What is recorded has no secrets, whatever is shown.
    fn keep(&mut self, plain: &[u8], safe: Vec<u8>, then: fn(&mut Redactor, &mut Vec<u8>)) -> Vec<u8> {
        self.cap.push(&safe);
        let Some((redactor, cap)) = &mut self.loose else { return self.line.unseen(plain, safe) };
        let mut shown = Vec::with_capacity(plain.len());
        redactor.feed(plain, &mut shown);
        then(redactor, &mut shown);
        cap.push(&shown);
        if redactor.is_idle() { shown } else { self.line.unseen(plain, shown) }
    }

    /// What may be shown of a line that has not ended, once nothing has come for a moment.
    pub(crate) fn lull(&mut self) -> Vec<u8> {
        match &self.loose {
            Some((redactor, _)) if redactor.is_idle() => Vec::new(),
            Some((redactor, _)) => self.line.lull(redactor),
            None => self.line.lull(&self.redactor),
        }
    }

    /// What is kept: of what is recorded, and of what is shown where that is more.
    pub(crate) fn finish(self) -> (Capped, Option<Capped>) {
        (self.cap.finish(), self.loose.map(|(_, cap)| cap.finish()))
    }
}
