//! The operator's hooks: programs that are asked before a tool is called, and told afterwards.
//!
//! A hook reads a JSON object and writes one; saying nothing is no objection. It can only object. What cannot be heard may
//! have had an objection, so it counts as one unless the hook is marked `fail_open`. No hook runs before somebody consented
//! to exactly this command and exactly these files.

mod consent;
mod occasion;
mod reply;

use std::time::Duration;

use herm::policy::Hook;
use herm::policy::hooks::{Event, Failure};
use herm::rules::consult::HOOK_OBJECTION;
use herm::{Finding, Stance};
use herm_sandbox::process::{Cancel, Input};
use serde_json::Value;

pub use consent::{Broken, Candidate, Consents};
pub use occasion::Occasion;

use self::reply::Reply;
use super::child::{self, Program};
use super::place::Place;
use super::{finding, quoted};

/// A second file of Hermes in which hooks may stand, beside `config.yaml`. It is read like that one.
pub const ALSO_READ: &str = "cli-config.yaml";

/// The operator's hooks.
#[derive(Clone, Copy)]
pub struct Hooks<'a> {
    configured: &'a [Hook],
    place: &'a Place,
    consents: &'a dyn Consents,
}

impl std::fmt::Debug for Hooks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hooks")
            .field("configured", &self.configured)
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

impl<'a> Hooks<'a> {
    /// These hooks, run here by those who consented.
    #[must_use]
    pub fn new(configured: &'a [Hook], place: &'a Place, consents: &'a dyn Consents) -> Self {
        Self { configured, place, consents }
    }

    /// Asks those that want to be asked about this tool, all at once, and waits for all of them.
    #[must_use]
    pub fn before(&self, occasion: &Occasion, cancel: &Cancel) -> Vec<Finding> {
        self.call(Event::PreToolCall, occasion, cancel)
    }

    /// Tells those that want to be told what became of a call. Whatever they say is noted and changes nothing.
    #[must_use]
    pub fn after(&self, occasion: &Occasion, result: Value, cancel: &Cancel) -> Vec<Finding> {
        let mut findings = self.call(Event::PostToolCall, &occasion.clone().with("result", result), cancel);
        for finding in &mut findings {
            finding.stance = Stance::Note;
        }
        findings
    }

    /// The hooks that nobody has consented to or refused yet, each once.
    #[must_use]
    pub fn unsettled(&self) -> Vec<Candidate> {
        let mut unsettled: Vec<Candidate> = Vec::new();
        for Standing { state, .. } in self.standing() {
            match state {
                State::New(candidate) if !unsettled.contains(&candidate) => unsettled.push(candidate),
                State::Allowed(_) | State::Broken(_) | State::New(_) | State::Refused(_) => {}
            }
        }
        unsettled
    }

    /// How each hook stands, in the order of the configuration.
    #[must_use]
    pub fn standing(&self) -> Vec<Standing<'a>> {
        self.configured.iter().map(|hook| Standing { hook, state: self.state(hook) }).collect()
    }

    fn call(&self, event: Event, occasion: &Occasion, cancel: &Cancel) -> Vec<Finding> {
        let wanted =
            self.configured.iter().filter(|hook| hook.event == event && hook.tools.contain(occasion.tool()));
        let payload = occasion.payload(event);
        let mut findings = Vec::new();
        let mut asked = Vec::new();
        let mut programs = Vec::new();
        for hook in wanted {
            match self.state(hook) {
                State::Allowed(candidate) => {
                    asked.push(hook);
                    programs.push(program(hook, candidate, &payload));
                }
                obstacle @ (State::Broken(_) | State::New(_) | State::Refused(_)) => {
                    findings.push(unasked(hook, &obstacle));
                }
            }
        }
        let heard = child::hear(programs, self.place, cancel);
        findings.extend(asked.into_iter().zip(heard).filter_map(|(hook, heard)| {
            match reply::read(&heard, hook.timeout) {
                Reply::Fails(why) => Some(failed(hook, &why)),
                Reply::Objects(stance, message) => Some(objection(hook, stance, &message)),
                Reply::Silent => None,
            }
        }));
        findings
    }

    fn state(&self, hook: &Hook) -> State {
        let candidate = match Candidate::of(&hook.command, self.place) {
            Ok(candidate) => candidate,
            Err(broken) => return State::Broken(broken),
        };
        match self.consents.allowed(&candidate.command, &candidate.digest) {
            Some(true) => State::Allowed(candidate),
            Some(false) => State::Refused(candidate),
            None => State::New(candidate),
        }
    }
}

/// A hook, and whether it may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing<'a> {
    /// The hook.
    pub hook: &'a Hook,
    /// Whether it may run.
    pub state: State,
}

/// Whether a hook may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Somebody consented to it as it is now.
    Allowed(Candidate),
    /// It cannot run at all.
    Broken(Broken),
    /// It is new or has changed, and nobody has decided.
    New(Candidate),
    /// Somebody refused it as it is now.
    Refused(Candidate),
}

fn program(hook: &Hook, candidate: Candidate, payload: &str) -> Program {
    Program {
        path: candidate.program,
        arguments: candidate.arguments,
        input: Input::Bytes(payload.as_bytes().to_vec()),
        time: Duration::from_secs(u64::from(hook.timeout)),
    }
}

/// What it means that a hook is not asked.
fn unasked(hook: &Hook, state: &State) -> Finding {
    let name = name(hook);
    let (reason, instead) = match state {
        State::Broken(broken) => return failed(hook, &broken.to_string()),
        State::Refused(_) => (
            format!("the hook `{name}` may not run: consent was refused"),
            "Take the hook out of the configuration, or consent to it with `herm hooks allow`.",
        ),
        State::Allowed(_) | State::New(_) => (
            format!("the hook `{name}` is new or has changed, and nobody has consented to it"),
            "Have a person look at the hook and consent to it with `herm hooks allow`.",
        ),
    };
    Finding { gap: true, ..finding(&HOOK_OBJECTION, stance(hook), reason, instead) }
}

fn objection(hook: &Hook, stance: Stance, message: &str) -> Finding {
    let reason = format!("`{}` objects: {}", name(hook), quoted(message));
    finding(&HOOK_OBJECTION, stance, reason, HOOK_OBJECTION.instead)
}

fn failed(hook: &Hook, why: &str) -> Finding {
    let reason = format!("the hook `{}` cannot be heard: {}", name(hook), quoted(why));
    let instead = "Have a person repair the hook, or take it out of the configuration.";
    Finding { gap: true, ..finding(&HOOK_OBJECTION, stance(hook), reason, instead) }
}

fn stance(hook: &Hook) -> Stance {
    match hook.failure {
        Failure::Objects => Stance::Deny,
        Failure::Passes => Stance::Note,
    }
}

/// What a person calls it: the file's name rather than the whole command.
fn name(hook: &Hook) -> String {
    let words = super::words::split(&hook.command).unwrap_or_default();
    let path = words.iter().rev().find(|word| word.contains('/')).or(words.first());
    quoted(path.and_then(|path| path.rsplit('/').next()).unwrap_or(&hook.command))
}
