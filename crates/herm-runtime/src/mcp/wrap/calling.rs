//! Calls of tools: what they come to, who is asked about them, and what is remembered of them from one round to the next.

use std::sync::PoisonError;
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use herm::Action;
use herm::approval::Answer;
use herm::call::{Drift, Tool};
use herm::rules::gaps::CHANGED_TOOL;
use herm_adapters::mcp::protocol::Era;
use herm_adapters::mcp::wrap::{Called, Verdict};
use herm_sandbox::process::Cancel;
use serde_json::{Value, json};

use super::desk::{Desk, TOLD, Unreleased, cut, unkept};
use super::question::{self, Later, Way};
use super::rounds::{Answers, Passed};
use super::seal::Bound;
use super::{Event, Whom};
use crate::Consent;
use crate::given::{self, Direction};
use crate::setup::Setup;

impl Desk {
    /// Decides about a call.
    pub(super) fn call(
        &self,
        setup: Setup,
        called: &Called,
        cancel: &Cancel,
        events: &SyncSender<Event>,
    ) -> Verdict {
        let name = self.full(&called.name);
        if let Some(stop) = self.circles.before(&name, &called.arguments, Instant::now()) {
            return Verdict::Refuse(stop);
        }
        let drift = self.pins.lock().unwrap_or_else(PoisonError::into_inner).drift(called.tool.as_ref());
        let drift = match drift {
            Ok(drift) => drift,
            Err(error) => return Verdict::Refuse(unkept(&error)),
        };
        let tool = described(given::tool(&name, &called.arguments), called, drift.as_ref());
        let mut deeds = given::deeds(tool, &called.arguments, direction(called));
        deeds.extend(wanted(&name, called));
        let bound = Bound { name: &called.name, arguments: &called.arguments };
        let before = called.continued.as_ref().map(|made| (made, self.rounds.resumed(bound, &made.state)));
        let before = before.and_then(|(made, passed)| Some((made, passed?)));
        let passed = before.as_ref().map(|(_, passed)| passed.clone()).unwrap_or_default();
        let way = match self.way(&setup, called, &passed, events) {
            Ok(way) => way,
            Err(why) => return Verdict::Refuse(why),
        };
        match self.release(setup, deeds, &called.id, cancel, way, &passed.recorded) {
            Ok((consents, answers)) => {
                if let (Some(_), Some(tool)) = (drift, &called.tool) {
                    self.learn(tool, &consents);
                }
                let recorded = consents.iter().map(|consent| consent.digest).collect();
                self.rounds.sent(&called.id, Passed { answers, recorded });
                Verdict::Go
            }
            Err(Unreleased::Open(asked, answers)) => {
                if let Some((made, passed)) = before {
                    // It comes back once more, and goes on then.
                    self.rounds.goes_on(bound, &made.state, passed);
                }
                let state = self.seal.state(&asked.digest, bound);
                self.rounds.keep(&state, answers);
                Verdict::Ask(question::form(&asked), state)
            }
            Err(Unreleased::Refused(why)) => Verdict::Refuse(why),
        }
    }

    /// Remembers a yes to what a tool is now, as long as it was meant. A yes to what it is given is none.
    fn learn(&self, tool: &herm_adapters::mcp::tools::Tool, consents: &[Consent]) {
        let is_about_it =
            |consent: &&Consent| consent.findings.iter().any(|finding| finding.rule == CHANGED_TOOL.name);
        let answers = consents.iter().filter(is_about_it).filter_map(|consent| consent.answer.as_ref());
        let answers: Vec<_> = answers.map(|(answer, _)| *answer).collect();
        let mut pins = self.pins.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.contains(&Answer::Always) {
            // What cannot be kept is asked again.
            let kept = pins.pin(tool);
            drop(pins);
            kept.err().iter().for_each(|error| self.tell(&unkept(error)));
        } else if answers.contains(&Answer::Session) {
            pins.accept(tool);
        }
    }

    /// Who is asked about a call. Nobody but a guard's approvers answers where there is a guard.
    fn way<'a>(
        &self,
        setup: &Setup,
        called: &Called,
        before: &Passed,
        events: &'a SyncSender<Event>,
    ) -> Result<Way<'a>, String> {
        let bound = Bound { name: &called.name, arguments: &called.arguments };
        let asks = self.whom == Whom::Client && called.can_ask && setup.policy.broker.is_none();
        match (called.era, &called.answered) {
            (Era::Session, _) if asks => Ok(Way::Client(events)),
            (Era::Stateless, None) if asks => {
                Ok(Way::Later(Box::new(Later { answered: once(before), ..Later::default() })))
            }
            (Era::Stateless, Some(answered)) if asks => {
                let opened = self.seal.opens(&answered.state, bound);
                let opened = opened.ok_or("herm: the answer belongs to another call, or came too late.")?;
                let answer = answered.answer.as_ref().and_then(question::answer);
                let answer = answer
                    .ok_or_else(|| format!("herm: refused: the client's person gave no answer. {TOLD}"))?;
                let mut answers = self.rounds.earlier(&answered.state);
                answers.extend(once(before));
                answers.push((opened.question().to_owned(), answer));
                Ok(Way::Later(Box::new(Later { answered: answers, ..Later::default() })))
            }
            (_, Some(_)) => Err("herm: nobody asked for this answer.".to_owned()),
            (_, None) => Ok(Way::AtHand),
        }
    }

    /// The server has answered a call, or wants something before it goes on with it.
    pub(super) fn answered(&self, called: &Called, result: Option<&Value>) {
        let passed = self.rounds.answered(&called.id);
        let wants = result.filter(|result| wants_input(result));
        if let (Some(passed), Some(wants)) = (passed, wants) {
            let bound = Bound { name: &called.name, arguments: &called.arguments };
            self.rounds.goes_on(bound, wants.get("requestState").unwrap_or(&Value::Null), passed);
        }
    }
}

/// Whether a result says that its server wants something first.
pub(super) fn wants_input(result: &Value) -> bool {
    result.get("resultType").and_then(Value::as_str) == Some("input_required")
}

/// What was said yes to before holds for this once more.
fn once(before: &Passed) -> Answers {
    before.answers.iter().map(|(question, _)| (question.clone(), Answer::Once)).collect()
}

/// What a call is given because its server wanted it, which its server may use like its arguments.
fn wanted(name: &str, called: &Called) -> Vec<Action> {
    let Some(made) = &called.continued else { return Vec::new() };
    let responses = made.responses.as_object().map(|given| given.values().collect());
    let responses = responses.unwrap_or_else(|| vec![&made.responses]);
    // Where a client works is told, not written to.
    let is_roots = |given: &Value| given.get("roots").is_some() && given.get("content").is_none();
    let deeds = |given: &Value| {
        let direction = if is_roots(given) { Direction::Reads } else { direction(called) };
        given::beside(name, given, direction)
    };
    responses.into_iter().flat_map(deeds).collect()
}

/// What a tool does with files.
pub(super) fn direction(called: &Called) -> Direction {
    Direction::of(&called.name, called.tool.as_ref().and_then(|tool| tool.reads))
}

/// A tool as it is asked about: where it is not the one that was looked at, with what is said about it now.
fn described(tool: Tool, called: &Called, drift: Option<&(Drift, String)>) -> Tool {
    let Some((drift, fingerprint)) = drift else { return tool };
    let said = called.tool.as_ref().map_or("", |tool| tool.description.as_str());
    let shown = if said.is_empty() {
        called.arguments.to_string()
    } else {
        format!("{}, now described as {}", called.arguments, json!(cut(said, LONGEST)))
    };
    tool.shown(&shown).drifted(*drift, fingerprint)
}

/// How much of a description is shown.
const LONGEST: usize = 1000;
