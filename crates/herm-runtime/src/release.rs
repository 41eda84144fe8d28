//! What an agent performs itself: decided about and recorded here, and then left to it.

use std::path::Path;

use herm::call::Call;
use herm::{Decision, Finding};
use herm_sandbox::process::Cancel;
use herm_store::{Digest, Kind, Store};

use crate::lookup;
use crate::perform::Hands;
use crate::record::{self, Consent, Record};
use crate::reply::{Outcome, Refused, Reply, Why};
use crate::runtime::{ATTEMPTS, Judged, Runtime};

/// What becomes of a call that somebody else performs.
///
/// Nothing is enforced: whoever was given it could do something else. The record says so.
#[derive(Debug)]
#[must_use]
pub enum Release {
    /// Whoever performs it has to ask a person first, about this.
    HandedOn(Vec<Finding>),
    /// It is not to be performed.
    Refused(Box<Reply>),
    /// It may be performed.
    Released {
        /// How it came to that.
        consent: Box<Consent>,
        /// The name of its receipt.
        receipt: String,
    },
}

/// Waits until what was released is on the disk. Whoever was answered already need not wait for it.
pub fn catch_up(guard: &Path) {
    // What fails here is caught up with by the next record.
    let _ = Store::open(guard).and_then(|store| store.ledger()?.catch_up());
}

/// What a tool comes to, all of it agreed to. Nothing of it is recorded yet: somebody else may still say no.
#[derive(Debug)]
#[must_use]
pub struct Agreement(Vec<(Call, Consent)>);

impl Agreement {
    /// Whether anybody was waited for, a person or a model: only that leaves time for a change.
    fn took_time(&self) -> bool {
        self.0.iter().any(|(_, consent)| took_time(consent))
    }
}

fn took_time(consent: &Consent) -> bool {
    consent.answer.is_some() || consent.opinion.is_some()
}

impl Runtime<'_> {
    /// Decides about a call as ever, records it, and leaves it to whoever asked.
    pub fn release(&mut self, call: &Call, cancel: &Cancel) -> Release {
        match self.agree(call, cancel) {
            Ok((call, consent)) => self.let_go(&call, consent),
            Err(release) => release,
        }
    }

    /// Decides about all that a tool comes to. What is refused is recorded, and is the end of it.
    ///
    /// # Errors
    /// When something of it is refused or handed on.
    pub fn agree_to_all(&mut self, calls: Vec<Call>, cancel: &Cancel) -> Result<Agreement, Release> {
        let calls = self.strictest_first(calls);
        calls.iter().map(|call| self.agree(call, cancel)).collect::<Result<_, _>>().map(Agreement)
    }

    /// Records all of it as released, each once: not what was `recorded` when it was released before.
    ///
    /// # Errors
    /// When something of it has changed while people were asked about the rest, or cannot be recorded.
    pub fn let_all_go(&mut self, agreed: Agreement, recorded: &[Digest]) -> Result<Vec<Consent>, Box<Reply>> {
        if agreed.took_time() {
            agreed.0.iter().try_for_each(|(call, consent)| self.stays(call, consent))?;
        }
        for (call, consent) in agreed.0.iter().filter(|(_, consent)| !recorded.contains(&consent.digest)) {
            let _ = self.note(call, consent, "allow")?;
        }
        Ok(agreed.0.into_iter().map(|(_, consent)| consent).collect())
    }

    /// Records that all of it was agreed to here and is refused all the same, with a word for why.
    pub(crate) fn take_back(&self, agreed: &Agreement, why: &str) {
        for (call, consent) in &agreed.0 {
            let mut body = Record { call, consent, redact: &|text| self.redact(text) }.release("deny");
            record::set(&mut body, "refused", why.into());
            // Nothing was released, whether it can be written down or not.
            let _ = self.books.note(Kind::Outcome, &self.books.receipt(), body);
        }
    }

    /// The call as it was judged, and how it came to be agreed to.
    fn agree(&mut self, call: &Call, cancel: &Cancel) -> Result<(Call, Consent), Release> {
        if let Err(problem) = self.move_to(&call.cwd) {
            return Err(Release::Refused(Box::new(self.fail(&problem))));
        }
        let call = lookup::looked_up(&self.engine, call);
        let mut judged = self.judge(&call, &Hands::Others);
        for _ in 0..ATTEMPTS {
            let intention = self.intention(&judged);
            let consent = match self.consult(&call, judged, &Hands::Others, cancel) {
                // The permit is spent here: nothing of ours will redeem it.
                Ok((_, consent)) => Consent { intention, ..consent },
                Err(mut refused) => {
                    refused.consent.intention = intention;
                    return Err(self.turn_down(&call, *refused));
                }
            };
            if !took_time(&consent) {
                return Ok((call, consent));
            }
            judged = self.judge(&call, &Hands::Others);
            if judged.digest == consent.digest {
                return Ok((call, consent));
            }
        }
        Err(Release::Refused(self.has_changed(&call, judged)))
    }

    /// Whether what was agreed to is still the same.
    fn stays(&mut self, call: &Call, consent: &Consent) -> Result<(), Box<Reply>> {
        if let Err(problem) = self.move_to(&call.cwd) {
            return Err(Box::new(self.fail(&problem)));
        }
        let judged = self.judge(call, &Hands::Others);
        if judged.digest == consent.digest { Ok(()) } else { Err(self.has_changed(call, judged)) }
    }

    fn has_changed(&self, call: &Call, judged: Judged) -> Box<Reply> {
        let consent = Consent::new(judged.digest, judged.ruling.findings);
        Box::new(self.refuse(call, Refused { why: Why::Changing, consent }))
    }

    /// The calls of one tool in the order in which they are decided about: what is refused first, then what is asked about. So
    /// nothing is recorded as released of a tool that does not run.
    #[must_use]
    pub fn strictest_first(&self, mut calls: Vec<Call>) -> Vec<Call> {
        if calls.len() > 1 {
            calls.sort_by_cached_key(|call| match self.judge(call, &Hands::Fresh).ruling.decision {
                Decision::Deny(_) => 0,
                Decision::Ask(_) => 1,
                Decision::Allow(_) => 2,
            });
        }
        calls
    }

    fn let_go(&self, call: &Call, consent: Consent) -> Release {
        match self.note(call, &consent, "allow") {
            Ok(receipt) => Release::Released { consent: Box::new(consent), receipt },
            Err(reply) => Release::Refused(reply),
        }
    }

    fn turn_down(&self, call: &Call, refused: Refused) -> Release {
        if !self.people.hands_on() {
            return Release::Refused(Box::new(self.refuse(call, refused)));
        }
        match refused {
            Refused { why: Why::Nobody(_, question), consent } => match self.note(call, &consent, "ask") {
                Ok(_) => Release::HandedOn(question.findings),
                Err(reply) => Release::Refused(reply),
            },
            refused => Release::Refused(Box::new(self.refuse(call, refused))),
        }
    }

    /// What cannot be recorded is not released. The name of the receipt.
    pub(crate) fn note(&self, call: &Call, consent: &Consent, decision: &str) -> Result<String, Box<Reply>> {
        let receipt = self.books.receipt();
        let body = Record { call, consent, redact: &|text| self.redact(text) }.release(decision);
        // Who waits here lets nothing happen meanwhile that the disk would have to know first.
        match self.books.note(Kind::Outcome, &receipt, body) {
            Ok(()) => Ok(receipt),
            Err(error) => {
                let mut consent = consent.clone();
                consent.notes.extend(error.hint());
                Err(Box::new(Reply { receipt, consent, outcome: Outcome::Failed(error.to_string()) }))
            }
        }
    }
}
