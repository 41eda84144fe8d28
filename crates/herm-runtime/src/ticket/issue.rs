//! Which commands herm runs itself, and how an agent is told so.

use std::path::PathBuf;
use std::time::SystemTime;

use herm::call::{Action, Call, Exec};
use herm::policy::{Isolation, Released};
use herm::{Facts, Stance};
use herm_adapters::{Agent, Event, Keeps};
use herm_shell::Lang;
use herm_shell::gap::Position;
use herm_store::sqlite::tickets::Ticket as Kept;
use herm_store::{Store, Timestamp};
use serde_json::Value;

use super::handed::Handed;
use super::{Agreed, LIFETIME, Ticket, borrowed, bound, boundary, reach};
use crate::ancestry;
use crate::record::Consent;
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

impl Issuer<'_> {
    /// Whether herm runs what was released, and how the agent is told so.
    ///
    /// # Errors
    /// When a ticket cannot be kept; when it is only this workspace that cannot be confined to, which must not decide.
    pub fn confine(
        &self,
        runtime: &Runtime<'_>,
        call: &Call,
        (receipt, consent): (&str, &Consent),
    ) -> Result<Confined, Problem> {
        let Some(keeps) = self.is_wanted(&runtime.setup) else { return Ok(Confined::Left) };
        let Action::Exec(exec) = &call.action else { return Ok(Confined::Left) };
        let is_one = exec.lang == Lang::Shell && exec.words().is_none();
        let handed = Handed { agent: self.agent, herm: self.herm.as_deref(), guard: &runtime.setup.guard };
        let Some(wording) = handed.wording().filter(|_| is_one) else { return Ok(Confined::Left) };
        let (judged, asked) = runtime.judge_noting(call);
        let facts = &judged.ruling.facts;
        let is_same = judged.digest == consent.digest && runtime.are_programs(call, facts);
        let wanted = runtime.setup.policy.released;
        // A new shell has nothing of what the one has that the text was written for.
        let reads_shell = keeps != Keeps::Nothing && borrowed::reads_shell(&exec.text, &asked);
        if !is_same || reads_shell || !is_fit(facts, keeps, wanted) {
            return Ok(Confined::Left);
        }
        let store = Store::open(&runtime.setup.guard).map_err(Problem::Store)?;
        let tickets = store.tickets().map_err(Problem::Store)?;
        let has_missed = tickets.has_missed(&call.session.0).map_err(Problem::Store)?;
        if has_missed && wanted == Released::Always {
            return Ok(Confined::Refused(NOWHERE));
        }
        let confined = if has_missed { None } else { confined(&runtime.setup, call)? };
        let Some(isolation) = confined else { return Ok(Confined::Left) };
        if wanted == Released::Unasked && !reach::stays(facts, &isolation, &call.cwd, &runtime.setup.home) {
            return Ok(Confined::Left);
        }
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

/// What would be shared behind the boundary where a call is made, if there would be one with all that is demanded of it.
///
/// # Errors
/// When the directory cannot be entered, or said: how it is named must not decide whether a command is confined.
fn confined(setup: &Setup, call: &Call) -> Result<Option<Isolation>, Problem> {
    let mut setup = setup.clone();
    setup.locate_in(call.cwd.clone(), None)?;
    Ok(boundary::put(&mut setup)?.ok().and(setup.policy.isolation))
}
