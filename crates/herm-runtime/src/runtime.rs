//! The one way through.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::time::SystemTime;

use herm::call::Call;
use herm::decision::Ruling;
use herm::enforcement::Backend;
use herm::{AbsPath, Engine, Facts, Finding, Permit};
use herm_sandbox::changes;
use herm_scan::Redactor;
use herm_shell::world::World;
use herm_store::{Digest, Kind};
use serde_json::Value;

use crate::books::{Books, Guarded, Local};
use crate::gate::{Button, Doorkeeper, Porter, Reach, bell, refusals};
use crate::held;
use crate::made::Intention;
use crate::people::People;
use crate::perform::{self, Circumstances, Hands, Input, Mode, Performance, Stage};
use crate::record::{self, Consent, Record};
use crate::reply::{Outcome, Refused, Reply, Why};
use crate::scratch::Scratch;
use crate::setup::{self, Problem, Setup};
use crate::shell::Session;
use crate::situation::Situation;
use crate::stream::Secrets;
use crate::ticket::{Agreed, Ticket};
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
    /// What was consented to already, where a hook released what is performed here.
    pub(crate) agreed: Option<Agreed>,
    pub(crate) besides: Besides,
}

/// What whoever asks wants to have asked besides. It can only tighten.
#[derive(Clone, Debug, Default)]
pub(crate) struct Besides {
    /// In any case.
    pub(crate) anyway: Vec<Finding>,
    /// Where nothing else is asked about.
    pub(crate) otherwise: Option<Finding>,
}

/// A ruling, and the digest of everything that it rests on.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) ruling: Ruling,
    pub(crate) digest: Digest,
}

/// How often a call is judged anew because what it would run changed meanwhile.
pub(crate) const ATTEMPTS: usize = 3;

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
        held::recover(&setup.guard);
        let world = LocalWorld { variables: Variables::Inherited };
        Ok(Self {
            engine: Engine::new(setup.policy.clone()),
            setup,
            books,
            world,
            people,
            secrets,
            agreed: None,
            besides: Besides::default(),
        })
    }

    /// The same for what a ticket is for: what was consented to then need not be asked about again.
    #[must_use]
    pub fn redeeming(self, ticket: &Ticket) -> Self {
        Self { agreed: Some(ticket.agreed.clone()), ..self }
    }
}

impl Runtime<'_> {
    /// Takes a call through all of it: admit, gather, decide, consult, perform, record, reply.
    pub fn handle(&mut self, call: &Call, stage: &mut Stage<'_>) -> Reply {
        if !is_script(call) {
            if let Ok(temporary) = environment::temporary() {
                Scratch::clear(&temporary);
            }
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
        session.look_around();
        reply.consent.notes.extend(session.take_notes());
        reply
    }

    fn attempt_in(&mut self, session: &mut Session, call: &Call, stage: &mut Stage<'_>) -> Reply {
        let cwd = match session.locate(call.action.text()) {
            Ok(cwd) => cwd,
            Err(error) => {
                let mut reply = self.fail(&error);
                reply.consent.notes.extend(error.hint().map(str::to_owned));
                return reply;
            }
        };
        if let Err(problem) = self.move_to(&cwd) {
            return self.fail(&problem);
        }
        self.take_through(&Call { cwd, ..call.clone() }, &mut Hands::Shell(session), stage)
    }

    /// Has the rules of a directory hold: a repository there may have tightened them.
    pub(crate) fn move_to(&mut self, cwd: &AbsPath) -> Result<(), Problem> {
        if *cwd != self.setup.cwd {
            self.setup.move_to(cwd)?;
            self.engine = Engine::new(self.setup.policy.clone());
        }
        Ok(())
    }

    /// Does something where another setup holds: behind the boundary, for what will run there.
    pub(crate) fn behind<T>(
        &mut self,
        setup: Setup,
        doing: impl FnOnce(&mut Self) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let engine = Engine::new(setup.policy.clone());
        let outside =
            (std::mem::replace(&mut self.setup, setup), std::mem::replace(&mut self.engine, engine));
        let done = doing(self);
        (self.setup, self.engine) = outside;
        done
    }

    pub(crate) fn fail(&self, error: &dyn std::error::Error) -> Reply {
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
                let consent = Consent { intention: self.intention(&judged), ..consent };
                let reach = Reach::of(&judged.ruling.facts, &judged.ruling.findings);
                return self.perform(call, permit, consent, (reach, hands, stage));
            }
        }
        let consent = Consent::new(judged.digest, judged.ruling.findings);
        self.refuse(call, Refused { why: Why::Changing, consent })
    }

    /// Whether all that a text itself runs are programs that are there.
    pub(crate) fn are_programs(&self, call: &Call, facts: &Facts) -> bool {
        witness::are_programs(call, facts, &self.world)
    }

    /// Admit, gather, decide. The digest says what the ruling rests on.
    pub(crate) fn judge(&self, call: &Call, hands: &Hands<'_>) -> Judged {
        let situation = self.situation(call);
        match hands {
            Hands::Files(files) => self.judge_with(call, &situation.holding(files)),
            Hands::Fresh | Hands::Others => self.judge_with(call, &situation),
            Hands::Shell(session) => {
                self.judge_with(call, &situation.after(session.before(call.action.text())))
            }
        }
    }

    /// The machine as a call of a session finds it.
    fn situation<'s>(&'s self, call: &'s Call) -> Situation<'s> {
        Situation::of(&self.world).in_session(&*self.books, &call.session.0)
    }

    /// What a call is about to make, by what is known of it.
    pub(crate) fn intention(&self, judged: &Judged) -> Intention {
        Intention::of(&judged.ruling.facts, &self.world)
    }

    /// The same; and the variables that were asked for, which are those that the text itself does not set.
    pub(crate) fn judge_noting(&self, call: &Call) -> (Judged, BTreeSet<String>) {
        let world = self.situation(call);
        let judged = self.judge_with(call, &world);
        (judged, world.asked())
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
        let intent = self.intent(call, &permit, &consent);
        if let Err(error) = self.books.append(Kind::Intent, &receipt, intent) {
            // What cannot be recorded is not run.
            consent.notes.extend(error.hint());
            return Reply { receipt, consent, outcome: Outcome::Failed(error.to_string()) };
        }
        if permit.is_try() || self.setup.keeping.is_some() {
            consent.notes.extend(Attempt::put_right(&self.setup));
        }
        let begun = SystemTime::now();
        let outcome = match self.carry_out(call, permit, &receipt, (reach, hands, stage)) {
            Ok(done) => Outcome::Done(Box::new(done)),
            Err(Unperformed { why, hint }) => {
                consent.notes.extend(hint);
                Outcome::Failed(why)
            }
        };
        let mut made = match &outcome {
            Outcome::Done(_) => consent.intention.made_since(begun),
            Outcome::Failed(_) | Outcome::Refused(_) => Vec::new(),
        };
        // No secret is written down, not even in a name.
        made.retain(|thing| self.redact(thing.name()) == thing.name());
        // Hooks may take their time, and herm may be killed meanwhile.
        let written = self.books.append(Kind::Outcome, &receipt, record::outcome(call, &outcome, &made));
        consent.notes.extend(self.tell_hooks(call, &outcome, stage.cancel));
        Reply { receipt, consent, outcome: outcome.noting(written.err()) }
    }

    fn intent(&self, call: &Call, permit: &Permit, consent: &Consent) -> Value {
        let (backend, sandbox) = (permit.backend(), &self.setup.policy.sandbox);
        let record = Record { call, consent, redact: &|text| self.redact(text) };
        let unconfined = self.setup.unconfined.as_deref().filter(|_| backend == Backend::Local);
        let place = (backend, unconfined);
        let mut intent = record.intent(permit.limits(), place, &settings::measures(backend, sandbox));
        self.link(&mut intent);
        if let Some(said) = settings::recorded(sandbox).filter(|_| backend == Backend::Sandbox) {
            record::set(&mut intent, "sandbox", said);
        }
        intent
    }

    /// Says which release a record belongs to.
    fn link(&self, body: &mut Value) {
        if let Some(agreed) = &self.agreed {
            record::set(body, "released", agreed.receipt.as_str().into());
        }
    }

    /// Lets it happen: on the workspace, or on what stands in for it until somebody has seen what changed.
    fn carry_out(
        &mut self,
        call: &Call,
        permit: Permit,
        receipt: &str,
        (reach, hands, stage): (Reach, &mut Hands<'_>, &mut Stage<'_>),
    ) -> Result<Performance, Unperformed> {
        let tried = permit.is_try().then(|| self.setup.tried()).transpose().map_err(Unperformed::because)?;
        let setup = tried.as_ref().unwrap_or(&self.setup);
        let attempt = Attempt::begin(setup, receipt).map_err(|error| Unperformed::untried(&error))?;
        let reach = if permit.is_try() { Reach::listed() } else { reach };
        let (is_tight, sets_git) = (reach.is_tight(), reach.sets_git());
        let requested = settings::measures(permit.backend(), &setup.policy.sandbox);
        let (button, rings) = self.may_ask_here(stage).then(bell).unzip();
        let mut porter = (permit.backend() == Backend::Sandbox)
            .then(|| self.porter(call, setup, (reach, hands.can_be_lent()), button))
            .transpose()?;
        let seconds = setup.policy.timeout;
        let keeper = rings.map(|rings| Doorkeeper::new(rings, &mut *self.people, &*self.books, seconds));
        let ground = attempt.as_ref().map(Attempt::ground);
        let mounts = attempt.as_ref().map(Attempt::mounts).unwrap_or_default();
        let circumstances = Circumstances {
            ground,
            mounts,
            porter: porter.as_mut(),
            keeper,
            is_tight,
            sets_git,
            is_lasting: false,
        };
        let secrets = Secrets(&self.secrets);
        let performed = perform::perform(permit, hands, stage, setup, circumstances, &secrets);
        let mut done = match performed {
            Ok(done) => done,
            Err(error) => {
                attempt.into_iter().for_each(Attempt::abandon);
                return Err(Unperformed::by(&error, setup));
            }
        };
        done.connections = porter.map(Porter::met).unwrap_or_default();
        done.notes.extend(refusals(&done.connections));
        done.missed = settings::missed(&requested, &mut done, &setup.policy.sandbox);
        let redact = |text: &str| secrets.redactor().redact(text);
        let bench = Bench { people: self.people, call, seconds, redact: &redact, cancel: stage.cancel };
        Ok(match attempt {
            Some(attempt) => attempt.settle(done, bench),
            None => done,
        })
    }

    /// Whether a question that comes up meanwhile can be asked at the terminal of the run: a command that reads from that terminal
    /// itself would read the answer.
    fn may_ask_here(&self, stage: &Stage<'_>) -> bool {
        let shares_keys = stage.mode == Mode::Captured && stage.input == Input::Inherited;
        !shares_keys && self.people.is_here()
    }

    /// Who stands at the doors of a call. What is held tighter asks nobody, and is lent nothing.
    fn porter(
        &self,
        call: &Call,
        setup: &Setup,
        (reach, can_be_lent): (Reach, bool),
        bell: Option<Button>,
    ) -> Result<Porter, Unperformed> {
        let memory = self.books.memory(&call.session.0).map_err(Unperformed::because)?;
        let is_tight = reach.is_tight();
        let (porter, watched) = Porter::new(call, setup, reach, memory);
        if is_tight {
            return Ok(porter);
        }
        let porter = porter.asking(setup, watched, bell);
        if !can_be_lent {
            return Ok(porter);
        }
        porter.lending(setup).map_err(Unperformed::because)
    }

    /// Records a refusal.
    pub(crate) fn refuse(&self, call: &Call, refused: Refused) -> Reply {
        let receipt = self.books.receipt();
        let mut body = Record { call, consent: &refused.consent, redact: &|text| self.redact(text) }
            .refusal(&refused.why);
        self.link(&mut body);
        let written = self.books.append(Kind::Outcome, &receipt, body);
        let Refused { why, mut consent } = refused;
        let outcome = match written {
            Ok(()) => Outcome::Refused(Box::new(why)),
            Err(error) => {
                consent.notes.extend(error.hint());
                Outcome::Failed(error.to_string())
            }
        };
        Reply { receipt, consent, outcome }
    }

    pub(crate) fn redactor(&self) -> Redactor {
        Secrets(&self.secrets).redactor()
    }

    /// What takes out our own secrets alone, where a policy shows the others.
    pub(crate) fn loose(&self) -> Option<Redactor> {
        Secrets(&self.secrets).loose(&self.setup)
    }

    pub(crate) fn redact(&self, text: &str) -> String {
        self.redactor().redact(text)
    }
}

/// Why something that was allowed did not begin.
#[derive(Debug)]
struct Unperformed {
    why: String,
    hint: Option<String>,
}

impl Unperformed {
    #[expect(clippy::needless_pass_by_value, reason = "it is what an error is mapped with")]
    fn because(why: impl ToString) -> Self {
        Self { why: why.to_string(), hint: None }
    }

    /// Nothing could stand in for the workspace.
    fn untried(error: &changes::Error) -> Self {
        Self { why: error.to_string(), hint: Some(error.hint().to_owned()) }
    }

    /// A boundary that could not be built is not believed in any more.
    fn by(error: &perform::Error, setup: &Setup) -> Self {
        let hint = error.hint().map(str::to_owned);
        if hint.is_some() {
            rehearsal::forget(setup);
        }
        Self { why: error.to_string(), hint }
    }
}

/// The books: those of a guard, where there is one.
fn books(setup: &Setup) -> Result<Rc<dyn Books>, Problem> {
    match &setup.policy.broker {
        Some(socket) => Ok(Rc::new(Guarded::new(Path::new(socket.as_str())))),
        None => Ok(Rc::new(Local::open(&setup.guard).map_err(Problem::Store)?)),
    }
}
