//! Which commands herm runs itself, and how an agent is told so.

use std::path::PathBuf;
use std::time::SystemTime;

use herm::call::{Action, Call, Exec};
use herm::policy::{Isolation, Released};
use herm::{Decision, Facts, Stance};
use herm_adapters::{Agent, Event, Keeps};
use herm_sandbox::process::Cancel;
use herm_shell::Lang;
use herm_shell::gap::Position;
use herm_store::sqlite::tickets::Ticket as Kept;
use herm_store::{Digest, Store, Timestamp};
use serde_json::Value;

use super::handed::Handed;
use super::text::Wording;
use super::{Agreed, LIFETIME, Ticket, borrowed, bound, boundary, reach};
use crate::ancestry;
use crate::perform::Hands;
use crate::record::Consent;
use crate::release::Release;
use crate::runtime::Runtime;
use crate::setup::{Problem, Setup, Wishes};

/// A hook that may hand its agent another command.
#[derive(Debug)]
pub struct Issuer<'a> {
    /// Whose hook it is.
    pub agent: Agent,
    /// What the agent tells.
    pub event: &'a Event,
    /// What whoever installed the hook wants to be otherwise.
    pub wishes: &'a Wishes,
    /// The program that redeems tickets.
    pub herm: Option<PathBuf>,
}

/// What becomes of a command that was released.
#[derive(Clone, Debug, PartialEq)]
pub enum Confined {
    /// The tool is given this in the place of what it was given, so that herm runs what was released.
    Instead(Value),
    /// The agent runs it itself.
    Left,
    /// Nobody runs it, and this is why.
    Refused(&'static str),
}

/// Where the person wants all of them confined, none is let go because one could not be.
const NOWHERE: &str = "herm: commands of agents are to run in its sandbox (`sandbox.agents: always`), and herm cannot be where this agent runs them, \
     so nothing is run. It must not be retried, rephrased or done in another way.";

/// Where it was judged for the boundary, it is not run without it.
const UNCONFINED: &str = "herm: this was judged for the sandbox, and cannot be run there any more, so it is not run. Call the tool again.";

/// How a call would be handed out.
struct Plan<'c> {
    exec: &'c Exec,
    wording: Wording,
    digest: Digest,
    /// What holds behind the boundary.
    setup: Setup,
}

/// Whether a call can be handed out.
enum Prospect<'c> {
    Confined(Box<Plan<'c>>),
    Left,
    Refused(&'static str),
}

impl Issuer<'_> {
    /// Decides about a call: as about one that runs confined, where it will, and as ever, where it will not. Says whether herm runs what was released.
    ///
    /// # Errors
    /// When a ticket cannot be kept; when it is only this workspace that cannot be confined to, which must not decide.
    pub fn release(
        &self,
        runtime: &mut Runtime<'_>,
        call: &Call,
        cancel: &Cancel,
    ) -> Result<(Release, Confined), Problem> {
        if let Some(setup) = self.spared(runtime, call)? {
            let (release, confined) =
                runtime.behind(setup, |runtime| self.released(runtime, call, cancel))?;
            match (&release, confined) {
                // An agent that asks its own person runs it without the boundary then, so all of it has to be asked about.
                (Release::HandedOn(_), _) => {}
                (Release::Released { .. }, Confined::Left) => {
                    return Ok((release, Confined::Refused(UNCONFINED)));
                }
                (Release::Refused(_) | Release::Released { .. }, confined) => return Ok((release, confined)),
            }
        }
        self.released(runtime, call, cancel)
    }

    fn released(
        &self,
        runtime: &mut Runtime<'_>,
        call: &Call,
        cancel: &Cancel,
    ) -> Result<(Release, Confined), Problem> {
        let release = runtime.release(call, cancel);
        let confined = match &release {
            Release::Released { consent, receipt } => self.confine(runtime, call, (receipt, consent))?,
            Release::HandedOn(_) | Release::Refused(_) => Confined::Left,
        };
        Ok((release, confined))
    }

    /// What holds behind the boundary, where less is asked about a call that will run there. An agent that asks its own person runs the call itself
    /// after a yes: then it is judged as ever.
    fn spared(&self, runtime: &mut Runtime<'_>, call: &Call) -> Result<Option<Setup>, Problem> {
        if self.is_wanted(&runtime.setup).is_none() {
            return Ok(None);
        }
        let asked = |runtime: &Runtime<'_>| match runtime.judge(call, &Hands::Others).ruling.decision {
            Decision::Allow(_) => Some(0),
            Decision::Ask(question) => Some(question.findings.len()),
            Decision::Deny(_) => None,
        };
        runtime.move_to(&call.cwd)?;
        let Some(outside) = asked(runtime).filter(|asked| *asked > 0) else { return Ok(None) };
        let Prospect::Confined(plan) = self.prospect(runtime, call)? else { return Ok(None) };
        let Plan { setup, .. } = *plan;
        let inside = runtime.behind(setup.clone(), |runtime| Ok(asked(runtime)))?;
        let most = if runtime.people.hands_on() { 0 } else { outside - 1 };
        Ok(inside.filter(|inside| *inside <= most).map(|_| setup))
    }

    /// Whether herm runs what was released, and how the agent is told so.
    fn confine(
        &self,
        runtime: &Runtime<'_>,
        call: &Call,
        (receipt, consent): (&str, &Consent),
    ) -> Result<Confined, Problem> {
        let plan = match self.prospect(runtime, call)? {
            Prospect::Confined(plan) if plan.digest == consent.digest => plan,
            Prospect::Confined(_) | Prospect::Left => return Ok(Confined::Left),
            Prospect::Refused(why) => return Ok(Confined::Refused(why)),
        };
        let Plan { exec, wording, .. } = *plan;
        let store = Store::open(&runtime.setup.guard).map_err(Problem::Store)?;
        let tickets = store.tickets().map_err(Problem::Store)?;
        let ticket = self.ticket(&runtime.setup, call, exec, (receipt, consent));
        let now = SystemTime::now();
        let kept = Kept {
            session: call.session.0.clone(),
            issued: Timestamp::from(now),
            expires: Timestamp::from(now + LIFETIME),
            terms: ticket.to_json(),
        };
        let secret = tickets.issue(&kept).map_err(Problem::Store)?;
        let input = self.event.with_command(&wording.wrapped(&secret, &exec.text));
        Ok(input.map_or(Confined::Left, Confined::Instead))
    }

    /// Whether herm could run a call, by what is known of it.
    fn prospect<'c>(&self, runtime: &Runtime<'_>, call: &'c Call) -> Result<Prospect<'c>, Problem> {
        let Some(keeps) = self.is_wanted(&runtime.setup) else { return Ok(Prospect::Left) };
        let Action::Exec(exec) = &call.action else { return Ok(Prospect::Left) };
        let is_one = exec.lang == Lang::Shell && exec.words().is_none();
        let handed = Handed { agent: self.agent, herm: self.herm.as_deref(), guard: &runtime.setup.guard };
        let Some(wording) = handed.wording().filter(|_| is_one) else { return Ok(Prospect::Left) };
        let (judged, asked) = runtime.judge_noting(call);
        let facts = &judged.ruling.facts;
        let wanted = runtime.setup.policy.released;
        // A new shell has nothing of what the one has that the text was written for.
        let reads_shell = keeps != Keeps::Nothing && borrowed::reads_shell(&exec.text, &asked);
        if !runtime.are_programs(call, facts) || reads_shell || !is_fit(facts, keeps, wanted) {
            return Ok(Prospect::Left);
        }
        let store = Store::open(&runtime.setup.guard).map_err(Problem::Store)?;
        let tickets = store.tickets().map_err(Problem::Store)?;
        if tickets.has_missed(&call.session.0).map_err(Problem::Store)? {
            let is_demanded = wanted == Released::Always;
            return Ok(if is_demanded { Prospect::Refused(NOWHERE) } else { Prospect::Left });
        }
        let Some((setup, isolation)) = confined(&runtime.setup, call)? else { return Ok(Prospect::Left) };
        if wanted == Released::Unasked && !reach::stays(facts, &isolation, &call.cwd, &runtime.setup.home) {
            return Ok(Prospect::Left);
        }
        Ok(Prospect::Confined(Box::new(Plan { exec, wording, digest: judged.digest, setup })))
    }

    /// What is left of the shell that the command runs in, if the person and the agent want herm to run it.
    fn is_wanted(&self, setup: &Setup) -> Option<Keeps> {
        let keeps = self.agent.rewrites(self.event)?;
        let wanted = match setup.policy.released {
            Released::Never => false,
            Released::Unasked => self.event.unasked,
            Released::Always => true,
        };
        // Where there is a guard, whoever asks could write tickets that the guard never saw; and what herm runs already is confined already.
        (wanted && setup.policy.broker.is_none() && !ancestry::is_guarded()).then_some(keeps)
    }

    fn ticket(
        &self,
        setup: &Setup,
        call: &Call,
        exec: &Exec,
        (receipt, consent): (&str, &Consent),
    ) -> Ticket {
        let asked = consent.findings.iter().filter(|finding| finding.stance == Stance::Ask);
        Ticket {
            text: exec.text.clone(),
            input: exec.input(),
            adrift: exec.is_adrift(),
            cwd: call.cwd.as_str().to_owned(),
            call: call.id.0.clone(),
            session: call.session.0.clone(),
            user: rustix::process::getuid().as_raw(),
            home: setup.home.as_str().to_owned(),
            config: self.wishes.config.clone(),
            preset: self.wishes.preset,
            agreed: Agreed {
                receipt: receipt.to_owned(),
                digest: consent.digest,
                findings: asked.map(|finding| (finding.rule.to_owned(), finding.reason.clone())).collect(),
            },
        }
    }
}

/// Whether nobody would notice a difference but for the boundary.
fn is_fit(facts: &Facts, keeps: Keeps, wanted: Released) -> bool {
    let shape = &facts.shell.shape;
    // What is not known could be a builtin.
    let is_known = !facts
        .shell
        .gaps
        .iter()
        .any(|gap| matches!(gap.position, Position::Code | Position::Program | Position::Whole));
    let goes_on_alone = shape.alters_shell && keeps != Keeps::Nothing;
    // Rules of an agent that are about several commands at once do not find them behind another one.
    let is_single = shape.commands == 1 && shape.pipes == 0 && !shape.compound;
    let is_seen = wanted == Released::Always || is_single;
    is_known && !shape.background && !goes_on_alone && is_seen && !bound::is_about_shell(&facts.shell)
}

/// What holds behind the boundary where a call is made, and what is shared there, if there would be one with all that is demanded of it.
///
/// # Errors
/// When the directory cannot be entered, or said: how it is named must not decide whether a command is confined.
fn confined(setup: &Setup, call: &Call) -> Result<Option<(Setup, Isolation)>, Problem> {
    let mut setup = setup.clone();
    setup.locate_in(call.cwd.clone(), None)?;
    let is_put = boundary::put(&mut setup)?.is_ok();
    let isolation = setup.policy.isolation.clone().filter(|_| is_put);
    Ok(isolation.map(|isolation| (setup, isolation)))
}
