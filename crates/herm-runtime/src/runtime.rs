//! The one way through.

use std::rc::Rc;
use std::time::SystemTime;

use herm::approval::{Answer, Breadth, Denial, Scope};
use herm::call::Call;
use herm::decision::{Question, Ruling};
use herm::{Decision, Engine, Finding, Permit};
use herm_scan::Redactor;
use herm_store::{Digest, Store};

use crate::allowlist::AllowList;
use crate::asked::Asked;
use crate::memory::Memory;
use crate::people::{Heard, People};
use crate::perform::{self, Stage};
use crate::record::{self, Consent, Record};
use crate::reply::{Outcome, Refused, Reply, Why};
use crate::setup::{self, Problem, Setup};
use crate::world::{LocalWorld, Variables};
use crate::{ancestry, identity, witness};

/// Decides, asks, performs and records.
#[derive(Debug)]
pub struct Runtime<'a> {
    engine: Engine,
    setup: Setup,
    store: Rc<Store>,
    world: LocalWorld,
    people: &'a mut dyn People,
    secrets: String,
}

/// A ruling, and the digest of everything that it rests on.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) ruling: Ruling,
    pub(crate) digest: Digest,
}

/// How often a call is judged anew because what it would run changed meanwhile.
const ATTEMPTS: usize = 3;

impl<'a> Runtime<'a> {
    /// A runtime for what holds here, and for whoever answers.
    ///
    /// # Errors
    /// When the home of herm cannot be made, or the file of its secrets not read: their values could not be taken out of
    /// what is shown.
    pub fn new(setup: Setup, people: &'a mut dyn People) -> Result<Self, Problem> {
        ancestry::become_runner();
        // How far that holds is said where it is done; where the kernel cannot do it, nothing else changes.
        let _ = herm_sandbox::harden();
        let secrets = setup::held(&setup.guard)?.unwrap_or_default();
        let store = Rc::new(Store::open(&setup.guard).map_err(Problem::Store)?);
        let world = LocalWorld { variables: Variables::Inherited };
        Ok(Self { engine: Engine::new(setup.policy.clone()), setup, store, world, people, secrets })
    }
}

impl Runtime<'_> {
    /// Takes a call through all of it: admit, gather, decide, consult, perform, record, reply.
    pub fn handle(&mut self, call: &Call, stage: &mut Stage<'_>) -> Reply {
        let mut judged = self.judge(call);
        for _ in 0..ATTEMPTS {
            let (permit, consent) = match self.consult(call, judged) {
                Ok(consented) => consented,
                Err(refused) => return self.refuse(call, *refused),
            };
            judged = self.judge(call);
            if judged.digest == consent.digest {
                return self.perform(call, permit, consent, stage);
            }
        }
        let consent = Consent::new(judged.digest, judged.ruling.findings);
        self.refuse(call, Refused { why: Why::Changing, consent })
    }

    /// Admit, gather, decide. The digest says what the ruling rests on.
    fn judge(&self, call: &Call) -> Judged {
        let ruling = match self.engine.admit(call) {
            Ok(admitted) => self.engine.decide(admitted.gather(&self.world)),
            Err(refused) => *refused,
        };
        let digest = witness::digest(call, &ruling.facts, &self.world);
        Judged { ruling, digest }
    }

    /// Hears everyone who may object, then everyone who may answer.
    fn consult(&mut self, call: &Call, judged: Judged) -> Result<(Permit, Consent), Box<Refused>> {
        let Judged { ruling, digest } = judged;
        let store = Rc::clone(&self.store);
        let memory =
            Memory::of(&store, call).map_err(|error| Box::new(Refused::forgetful(digest, &error)))?;
        let said: Vec<_> = memory
            .denials
            .iter()
            .flat_map(|denial| denial.objections(&ruling.facts, &digest.to_string()))
            .collect();
        let ruling = ruling.tighten(said);
        let mut consent = Consent::new(digest, ruling.findings);
        let question = match ruling.decision {
            Decision::Allow(permit) => return Ok((permit, consent)),
            Decision::Deny(refusal) => return Err(Box::new(Refused { why: Why::Denied(refusal), consent })),
            Decision::Ask(question) => question,
        };
        let now = SystemTime::now();
        let action = consent.digest.to_string();
        let covering = |finding: &Finding| {
            memory.grants.iter().find(|grant| grant.covers(finding, call, &ruling.facts, &action, now))
        };
        let used: Vec<_> =
            question.findings.iter().filter_map(covering).map(|grant| grant.id.clone()).collect();
        match question.without(|finding| covering(finding).is_some()) {
            Decision::Allow(permit) if memory.spend(&used, now) => {
                consent.grants = used;
                Ok((permit, consent))
            }
            Decision::Ask(question) => self.ask(call, question, consent, &memory),
            Decision::Allow(_) | Decision::Deny(_) => Err(Box::new(Refused { why: Why::Spent, consent })),
        }
    }

    /// Asks people. Nothing but a yes makes a permit.
    fn ask(
        &mut self,
        call: &Call,
        question: Question,
        mut consent: Consent,
        memory: &Memory<'_>,
    ) -> Result<(Permit, Consent), Box<Refused>> {
        let asked =
            Asked::new(&identity::fresh(), call, &consent.digest.to_string(), &question.findings, &|text| {
                self.redact(text)
            });
        let heard = match memory.late_answer(consent.digest) {
            Some((answer, by)) => Heard::Answer { answer, by },
            None => self.people.ask(&asked, self.engine.policy().timeout),
        };
        let (answer, by) = match heard {
            Heard::Answer { answer, by } => (answer, by),
            Heard::Nobody(why) => return Err(Box::new(Refused { why: Why::Nobody(why, question), consent })),
            Heard::Silence => return Err(Box::new(Refused { why: Why::Silence(question), consent })),
        };
        consent.answer = Some((answer, by));
        self.remember(answer, call, &question.findings, &asked, memory);
        consent.notes = memory.failures();
        match question.settle(answer) {
            Decision::Allow(permit) => Ok((permit, consent)),
            Decision::Deny(refusal) => Err(Box::new(Refused { why: Why::Answered(refusal), consent })),
            Decision::Ask(question) => Err(Box::new(Refused { why: Why::Silence(question), consent })),
        }
    }

    /// Keeps what follows from an answer. What cannot be kept is asked again.
    fn remember(
        &self,
        answer: Answer,
        call: &Call,
        findings: &[Finding],
        asked: &Asked,
        memory: &Memory<'_>,
    ) {
        let scopes =
            |breadth| findings.iter().map(move |finding| Scope::of(finding, breadth, call, &asked.digest));
        match answer {
            Answer::Always => {
                let entries = scopes(Breadth::Always).filter_map(|scope| match scope {
                    Scope::Entry(written) => Some(written),
                    Scope::Exact { .. } => None,
                });
                memory.attempt(AllowList::of(&self.setup.guard).add(&entries.collect::<Vec<_>>()));
            }
            Answer::Deny => memory.attempt(memory.deny(&Denial::of(findings, &asked.digest, &asked.command))),
            Answer::Once => {}
            Answer::Session => {
                for scope in scopes(Breadth::Session) {
                    memory.attempt(memory.grant(&scope));
                }
            }
        }
    }

    /// Records what is about to happen, lets it happen, records what came of it.
    fn perform(&self, call: &Call, permit: Permit, consent: Consent, stage: &mut Stage<'_>) -> Reply {
        let receipt = identity::fresh();
        let limits = *permit.limits();
        let intent = Record { call, consent: &consent, redact: &|text| self.redact(text) }.intent(&limits);
        if let Err(error) = record::append(&self.store, herm_store::Kind::Intent, &receipt, intent) {
            // What cannot be recorded is not run.
            return Reply { receipt, consent, outcome: Outcome::Failed(error.to_string()) };
        }
        let outcome = match perform::perform(permit.redeem(), stage, &self.setup, || self.redactor()) {
            Ok(performance) => Outcome::Done(performance),
            Err(error) => Outcome::Failed(error.to_string()),
        };
        let written =
            record::append(&self.store, herm_store::Kind::Outcome, &receipt, record::outcome(call, &outcome));
        Reply { receipt, consent, outcome: outcome.noting(written.err()) }
    }

    /// Records a refusal.
    fn refuse(&self, call: &Call, refused: Refused) -> Reply {
        let receipt = identity::fresh();
        let body = Record { call, consent: &refused.consent, redact: &|text| self.redact(text) }
            .refusal(&refused.why);
        let written = record::append(&self.store, herm_store::Kind::Outcome, &receipt, body);
        let Refused { why, consent } = refused;
        let outcome = match written {
            Ok(_) => Outcome::Refused(why),
            Err(error) => Outcome::Failed(error.to_string()),
        };
        Reply { receipt, consent, outcome }
    }

    fn redactor(&self) -> Redactor {
        Redactor::with_values(herm_scan::held_secrets(&self.secrets))
    }

    fn redact(&self, text: &str) -> String {
        self.redactor().redact(text)
    }
}
