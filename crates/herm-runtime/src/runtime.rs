//! The one way through.

use std::io;
use std::path::Path;
use std::rc::Rc;

use herm::call::Call;
use herm::decision::Ruling;
use herm::enforcement::Backend;
use herm::{AbsPath, Engine, Permit};
use herm_scan::Redactor;
use herm_shell::world::World;
use herm_store::{Digest, Kind};

use crate::books::{Books, Guarded, Local};
use crate::gate::{Porter, Reach};
use crate::people::People;
use crate::perform::{self, Circumstances, Hands, Stage};
use crate::record::{self, Consent, Record};
use crate::reply::{Outcome, Refused, Reply, Why};
use crate::scratch::Scratch;
use crate::setup::{self, Problem, Setup};
use crate::shell::{After, Session};
use crate::trial::{Attempt, Bench};
use crate::witness::is_script;
use crate::world::{LocalWorld, Variables};
use crate::{ancestry, environment, rehearsal, settings, witness};

/// Decides, asks, performs and records.
#[derive(Debug)]
pub struct Runtime<'a> {
    pub(crate) engine: Engine,
    pub(crate) setup: Setup,
    pub(crate) books: Rc<dyn Books>,
    world: LocalWorld,
    pub(crate) people: &'a mut dyn People,
    pub(crate) secrets: String,
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
        // Without it such a write ends herm, and nothing is run either.
        let _ = herm_sandbox::survive_outgrown_files();
        let secrets = setup::held(&setup.guard)?.unwrap_or_default();
        let books = books(&setup)?;
        let world = LocalWorld { variables: Variables::Inherited };
        Ok(Self { engine: Engine::new(setup.policy.clone()), setup, books, world, people, secrets })
    }
}

impl Runtime<'_> {
    /// Takes a call through all of it: admit, gather, decide, consult, perform, record, reply.
    pub fn handle(&mut self, call: &Call, stage: &mut Stage<'_>) -> Reply {
        if !is_script(call) {
            return self.take_through(call, &mut Hands::Fresh, stage);
        }
        // Code works in a fresh directory, and is judged there: elsewhere its relative paths would mean something else.
        let scratch = match environment::temporary().and_then(|directory| Scratch::new(&directory)) {
            Ok(scratch) => scratch,
            Err(error) => return self.fail(&perform::Error::Scratch(error)),
        };
        match scratch.path().to_str().and_then(|path| AbsPath::new(path).ok()) {
            Some(cwd) => self.take_through(&Call { cwd, ..call.clone() }, &mut Hands::Fresh, stage),
            None => self.fail(&perform::Error::Scratch(io::ErrorKind::InvalidFilename.into())),
        }
    }

    /// Takes a call through all of it in a shell that goes on: in the directory that the shell is in, after what it was left with.
    pub fn handle_in(&mut self, session: &mut Session, call: &Call, stage: &mut Stage<'_>) -> Reply {
        session.begin_call();
        let mut reply = self.attempt_in(session, call, stage);
        for _ in 1..ATTEMPTS {
            if session.has_moved() {
                reply = self.attempt_in(session, call, stage);
            }
        }
        reply.consent.notes.extend(session.take_notes());
        reply
    }

    fn attempt_in(&mut self, session: &mut Session, call: &Call, stage: &mut Stage<'_>) -> Reply {
        let cwd = match session.locate() {
            Ok(cwd) => cwd,
            Err(error) => return self.fail(&error),
        };
        if let Err(problem) = self.move_to(&cwd) {
            return self.fail(&problem);
        }
        self.take_through(&Call { cwd, ..call.clone() }, &mut Hands::Shell(session), stage)
    }

    /// Has the rules of a directory hold: a repository there may have tightened them.
    fn move_to(&mut self, cwd: &AbsPath) -> Result<(), Problem> {
        if *cwd != self.setup.cwd {
            self.setup.move_to(cwd)?;
            self.engine = Engine::new(self.setup.policy.clone());
        }
        Ok(())
    }

    fn fail(&self, error: &dyn std::error::Error) -> Reply {
        let consent = Consent::new(Digest::of(&[]), Vec::new());
        Reply { receipt: self.books.receipt(), consent, outcome: Outcome::Failed(error.to_string()) }
    }

    fn take_through(&mut self, call: &Call, hands: &mut Hands<'_>, stage: &mut Stage<'_>) -> Reply {
        let mut judged = self.judge(call, hands);
        for _ in 0..ATTEMPTS {
            let (permit, consent) = match self.consult(call, judged, hands, stage.cancel) {
                Ok(consented) => consented,
                Err(refused) => return self.refuse(call, *refused),
            };
            judged = self.judge(call, hands);
            if judged.digest == consent.digest {
                let reach = Reach::of(&judged.ruling.facts, &judged.ruling.findings);
                return self.perform(call, permit, consent, (reach, hands, stage));
            }
        }
        let consent = Consent::new(judged.digest, judged.ruling.findings);
        self.refuse(call, Refused { why: Why::Changing, consent })
    }

    /// Admit, gather, decide. The digest says what the ruling rests on.
    fn judge(&self, call: &Call, hands: &Hands<'_>) -> Judged {
        match hands {
            Hands::Fresh => self.judge_with(call, &self.world),
            Hands::Shell(session) => {
                self.judge_with(call, &After { world: &self.world, before: session.before() })
            }
        }
    }

    fn judge_with(&self, call: &Call, world: &dyn World) -> Judged {
        let ruling = match self.engine.admit(call) {
            Ok(admitted) => self.engine.decide(admitted.gather(world)),
            Err(refused) => *refused,
        };
        let digest = witness::digest(call, &ruling.facts, world);
        Judged { ruling, digest }
    }

    /// Records what is about to happen, lets it happen, records what came of it.
    fn perform(
        &mut self,
        call: &Call,
        permit: Permit,
        mut consent: Consent,
        (reach, hands, stage): (Reach, &mut Hands<'_>, &mut Stage<'_>),
    ) -> Reply {
        let receipt = self.books.receipt();
        let (limits, backend) = (*permit.limits(), permit.backend());
        let record = Record { call, consent: &consent, redact: &|text| self.redact(text) };
        let requested = hands.requested(backend, &self.setup.policy.sandbox);
        let mut intent = record.intent(&limits, (backend, self.setup.unconfined.as_deref()), &requested);
        if let Some(said) =
            settings::recorded(&self.setup.policy.sandbox).filter(|_| backend == Backend::Sandbox)
        {
            record::set(&mut intent, "sandbox", said);
        }
        if let Err(error) = self.books.append(Kind::Intent, &receipt, intent) {
            // What cannot be recorded is not run.
            consent.notes.extend(error.hint());
            return Reply { receipt, consent, outcome: Outcome::Failed(error.to_string()) };
        }
        let tried = match permit.is_try().then(|| self.setup.tried()).transpose() {
            Ok(tried) => tried,
            Err(problem) => return self.fail_after(call, receipt, consent, problem.to_string()),
        };
        let setup = tried.as_ref().unwrap_or(&self.setup);
        let attempt = match Attempt::begin(setup, &receipt) {
            Ok(attempt) => attempt,
            Err(error) => return self.fail_after(call, receipt, consent, error.to_string()),
        };
        let reach = if permit.is_try() { Reach::listed() } else { reach };
        let is_tight = reach.is_tight();
        let porter = (backend == Backend::Sandbox && hands.take_a_porter())
            .then(|| Porter::new(call, setup, reach))
            .transpose();
        let mut porter = match porter {
            Ok(porter) => porter,
            Err(error) => return self.fail_after(call, receipt, consent, error.to_string()),
        };
        let circumstances = Circumstances {
            ground: attempt.as_ref().map(Attempt::ground),
            porter: porter.as_mut(),
            is_tight,
        };
        let outcome = match perform::perform(permit, hands, stage, setup, circumstances, || self.redactor()) {
            Ok(mut done) => {
                done.connections = porter.map(Porter::met).unwrap_or_default();
                done.missed = settings::missed(&requested, &mut done, &self.setup.policy.sandbox);
                Outcome::Done(done)
            }
            Err(error) => {
                if let Some(hint) = error.hint() {
                    rehearsal::forget(setup);
                    consent.notes.push(hint.to_owned());
                }
                Outcome::Failed(error.to_string())
            }
        };
        let outcome = match attempt {
            Some(attempt) => {
                let redact = |text: &str| redactor(&self.secrets).redact(text);
                let seconds = setup.policy.timeout;
                attempt.settle(outcome, Bench { people: self.people, call, seconds, redact: &redact })
            }
            None => outcome,
        };
        // Hooks may take their time, and herm may be killed meanwhile.
        let written = self.books.append(Kind::Outcome, &receipt, record::outcome(call, &outcome));
        consent.notes.extend(self.tell_hooks(call, &outcome, stage.cancel));
        Reply { receipt, consent, outcome: outcome.noting(written.err()) }
    }

    /// Records that nothing could be run.
    fn fail_after(&self, call: &Call, receipt: String, consent: Consent, why: String) -> Reply {
        let outcome = Outcome::Failed(why);
        let written = self.books.append(Kind::Outcome, &receipt, record::outcome(call, &outcome));
        Reply { receipt, consent, outcome: outcome.noting(written.err()) }
    }

    /// Records a refusal.
    fn refuse(&self, call: &Call, refused: Refused) -> Reply {
        let receipt = self.books.receipt();
        let body = Record { call, consent: &refused.consent, redact: &|text| self.redact(text) }
            .refusal(&refused.why);
        let written = self.books.append(Kind::Outcome, &receipt, body);
        let Refused { why, mut consent } = refused;
        let outcome = match written {
            Ok(()) => Outcome::Refused(why),
            Err(error) => {
                consent.notes.extend(error.hint());
                Outcome::Failed(error.to_string())
            }
        };
        Reply { receipt, consent, outcome }
    }

    fn redactor(&self) -> Redactor {
        redactor(&self.secrets)
    }

    pub(crate) fn redact(&self, text: &str) -> String {
        self.redactor().redact(text)
    }
}

/// What takes secrets out, these among them.
fn redactor(secrets: &str) -> Redactor {
    Redactor::with_values(herm_scan::held_secrets(secrets))
}

/// The books: those of a guard, where there is one.
fn books(setup: &Setup) -> Result<Rc<dyn Books>, Problem> {
    match &setup.policy.broker {
        Some(socket) => Ok(Rc::new(Guarded::new(Path::new(socket.as_str())))),
        None => Ok(Rc::new(Local::open(&setup.guard).map_err(Problem::Store)?)),
    }
}
