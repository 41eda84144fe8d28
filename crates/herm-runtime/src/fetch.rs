//! Pages, fetched for an agent: judged, asked about and recorded like everything else that it does.
//!
//! The link goes the way of every call: rules, hooks, grants, people. What it turns out to lead to is judged where it leads, name by name and
//! address by address, as for a confined process.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use herm::approval::{Grant, Terms as Lasting};
use herm::call::Call;
use herm::limits::{Limits, Output as Kept};
use herm_proxy::{Fetcher, Page, Record as Met, Terms};
use herm_sandbox::output::Colours;
use herm_sandbox::process::Cancel;
use herm_store::Kind;
use serde_json::{Value, json};

use crate::books::{Follows, Memory};
use crate::egress::{Watched, digest};
use crate::gate::{Doorkeeper, Reach, bell, written};
use crate::perform::Hands;
use crate::record::{Consent, Record};
use crate::reply::{Outcome, Why};
use crate::runtime::Runtime;
use crate::stream::Stream;

pub use herm_proxy::{Bounds, NoPage};

/// What comes back from a fetch.
#[derive(Debug)]
#[must_use]
pub struct Fetched {
    /// The name of its receipt.
    pub receipt: String,
    /// How it came to the decision.
    pub consent: Consent,
    /// What became of it.
    pub result: Result<Content, Missing>,
}

/// A page, without secrets and without what a terminal would obey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The links that led to it, the page's own last.
    pub links: Vec<String>,
    /// What the server said came of it.
    pub status: u16,
    /// What the server says it is.
    pub kind: Option<String>,
    /// What it says; nothing where it is no text.
    pub text: Option<String>,
    /// How much was received of it.
    pub bytes: usize,
    /// Whether there was more.
    pub is_cut: bool,
}

/// Why there is no page.
#[derive(Debug)]
pub enum Missing {
    /// herm itself failed; nothing was fetched.
    Failed(String),
    /// It was refused before anybody was connected to.
    Refused(Box<Why>),
    /// It was refused, or could not be had, on the way.
    Unreached(NoPage),
}

/// How often it is looked whether there is something to ask, or a page.
const PULSE: Duration = Duration::from_millis(10);

impl Runtime<'_> {
    /// Takes a link through all of it: admit, gather, decide, consult, fetch, record.
    pub fn fetch(&mut self, call: &Call, bounds: Bounds, cancel: &Cancel) -> Fetched {
        let judged = self.judge(call, &Hands::Others);
        let consent = match self.consult(call, judged, &Hands::Others, cancel) {
            Ok((permit, consent)) => {
                drop(permit.redeem());
                consent
            }
            Err(refused) => {
                let reply = self.refuse(call, *refused);
                let missing = match reply.outcome {
                    Outcome::Refused(why) => Missing::Refused(why),
                    Outcome::Failed(why) => Missing::Failed(why),
                    Outcome::Done(_) => Missing::Failed("nothing was done".to_owned()),
                };
                return Fetched { receipt: reply.receipt, consent: reply.consent, result: Err(missing) };
            }
        };
        let receipt = self.books.receipt();
        let intent = Record { call, consent: &consent, redact: &|text| self.redact(text) }.fetching(bounds);
        if let Err(error) = self.books.append(Kind::Intent, &receipt, intent) {
            // What cannot be recorded is not done.
            return Fetched { receipt, consent, result: Err(Missing::Failed(error.to_string())) };
        }
        let met: Arc<Mutex<Vec<Met>>> = Arc::default();
        let found = self.reach(call, &consent, bounds, &met, cancel);
        let met: Vec<Value> =
            met.lock().unwrap_or_else(PoisonError::into_inner).iter().map(written).collect();
        let result = found.map(|page| self.content(page, bounds));
        let outcome = self.told(call, &result, &met);
        match self.books.append(Kind::Outcome, &receipt, outcome) {
            Ok(()) => Fetched { receipt, consent, result },
            Err(error) => Fetched { receipt, consent, result: Err(Missing::Failed(error.to_string())) },
        }
    }

    /// Fetches it beside this thread, which asks what must be asked.
    fn reach(
        &mut self,
        call: &Call,
        consent: &Consent,
        bounds: Bounds,
        met: &Arc<Mutex<Vec<Met>>>,
        cancel: &Cancel,
    ) -> Result<Page, Missing> {
        let failed = |error: &dyn std::fmt::Display| Missing::Failed(error.to_string());
        let mut memory = self.books.memory(&call.session.0).map_err(|error| failed(&error))?;
        remember(&mut memory, call, consent);
        let watched =
            Arc::new(Watched::new(self.setup.clone(), call.session.clone(), Reach::default(), memory));
        let seconds = self.setup.policy.timeout;
        let (button, rings) = bell();
        let judge = Arc::clone(&watched);
        let terms = Terms::new(judge as Arc<_>)
            .asking_apart(Arc::new(move |question| button.answer(watched.asked(&question), seconds)));
        let kept = Arc::clone(met);
        let sink = Arc::new(move |record| kept.lock().unwrap_or_else(PoisonError::into_inner).push(record));
        let fetcher = Fetcher::new(terms, sink).map_err(|error: io::Error| failed(&error))?;
        let books = &*self.books;
        let mut keeper = Doorkeeper::new(rings, &mut *self.people, books, seconds);
        thread::scope(|scope| {
            let fetching =
                scope.spawn(|| fetcher.fetch_unless(&|| cancel.is_cancelled(), call.action.text(), bounds));
            while !fetching.is_finished() {
                let _ = keeper.attend();
                thread::sleep(PULSE);
            }
            let found = fetching.join().map_err(|_| Missing::Failed("the fetch broke off".to_owned()))?;
            found.map_err(Missing::Unreached)
        })
    }

    fn content(&self, page: Page, bounds: Bounds) -> Content {
        let Page { links, status, kind, content, is_cut } = page;
        let bytes = content.len();
        let text = is_text(&content, is_cut).then(|| {
            let limits = Limits { output: Kept::Head(bounds.bytes), ..Limits::default() };
            let mut stream = Stream::new(&limits, Colours::Drop, self.redactor(), None);
            let mut safe = stream.take(&content);
            safe.extend(stream.rest());
            String::from_utf8_lossy(&safe).into_owned()
        });
        let links = links.iter().map(|link| self.redact(link)).collect();
        Content { links, status, kind, text, bytes, is_cut }
    }

    /// What came of it. The page itself is not kept: who has the link and the right to can fetch it again.
    fn told(&self, call: &Call, result: &Result<Content, Missing>, met: &[Value]) -> Value {
        let told = match result {
            Ok(content) => json!({
                "ending": "fetched", "status": content.status, "kind": content.kind, "links": content.links,
                "bytes": content.bytes, "truncated": content.is_cut,
            }),
            Err(Missing::Unreached(NoPage::Refused { link, objection })) => json!({
                "ending": "refused", "link": self.redact(link), "rule": objection.rule, "reason": self.redact(&objection.reason),
            }),
            Err(Missing::Unreached(NoPage::Failed { link, why })) => {
                json!({ "ending": "failed", "link": self.redact(link), "reason": self.redact(why) })
            }
            Err(Missing::Failed(why)) => json!({ "ending": "failed", "reason": self.redact(why) }),
            Err(Missing::Refused(why)) => json!({ "ending": "refused", "reason": why.word() }),
        };
        json!({ "session": call.session.0, "fetch": told, "connections": met })
    }
}

/// What a person has said yes to just now is not asked again when it is connected to. It covers no more than a yes for the session
/// would, for this one fetch.
pub(crate) fn remember(memory: &mut Memory, call: &Call, consent: &Consent) {
    let is_yes = consent.answer.as_ref().is_some_and(|(answer, _)| answer.is_yes());
    if !is_yes {
        return;
    }
    let minded: Vec<_> =
        consent.findings.iter().filter(|finding| finding.stance == herm::Stance::Ask).cloned().collect();
    let follows = Follows::of(&minded, call, &digest(call), "", &str::to_owned);
    let soon = SystemTime::now() + Duration::from_hours(1);
    let grant = |scope| Grant {
        id: String::new(),
        scope,
        terms: Lasting { session: Some(call.session.clone()), expires: Some(soon), uses: None },
    };
    memory.grants.extend(follows.session.into_iter().map(grant));
}

/// Text is UTF-8 without a NUL; what was cut may end within a character.
pub(crate) fn is_text(content: &[u8], is_cut: bool) -> bool {
    let whole = match std::str::from_utf8(content) {
        Ok(_) => true,
        Err(error) => is_cut && error.error_len().is_none(),
    };
    whole && !content.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::is_text;

    #[test]
    fn text_is_told_from_what_is_none() {
        assert!(is_text(b"", false) && is_text("grüß".as_bytes(), false));
        let cut = "grü".as_bytes();
        let cut = &cut[..cut.len() - 1];
        assert!(is_text(cut, true) && !is_text(cut, false));
        assert!(!is_text(b"a\0b", false) && !is_text(&[0x89, b'P', b'N', b'G'], true));
    }
}
