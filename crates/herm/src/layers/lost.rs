//! Whether a confined command moves what it shares with the machine to where it is lost.

use herm_shell::{Effect, Flags, PathTarget, Target, Verb};

use super::Layer;
use crate::call::{Action, Call};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::policy::{Isolation, Policy};
use crate::rules::Report;
use crate::rules::policy::LOST_MOVE;

/// Whether a confined command moves what it shares with the machine to where it is lost.
#[derive(Debug)]
pub(crate) struct Lost;

impl Layer for Lost {
    fn judge(&self, call: &Call, facts: &Facts, policy: &Policy) -> Vec<Finding> {
        let mut findings = Vec::new();
        let Some(isolation) = policy.isolation.as_ref().filter(|_| matches!(call.action, Action::Exec(_)))
        else {
            return findings;
        };
        let effects: Vec<&Effect> = facts.effects().collect();
        let mut report = Report::new(&LOST_MOVE, &mut findings);
        for (at, effect) in effects.iter().enumerate() {
            if let Some((from, to)) = lost(&effects, at, isolation) {
                let reason =
                    format!("moves `{}` to `{}`, which is gone when the command is", from.shown, to.shown);
                report.effect(effect, reason);
            }
        }
        findings
    }
}

/// What is moved away, and to where, if it is lost there.
fn lost<'a>(
    effects: &[&'a Effect],
    at: usize,
    isolation: &Isolation,
) -> Option<(&'a PathTarget, &'a PathTarget)> {
    let effect = effects.get(at)?;
    let from = moved(effect).filter(|from| !isolation.is_apart(from))?;
    let to = landing(effects, at).filter(|to| isolation.is_apart(to))?;
    let later = effects.get(at..).unwrap_or_default().iter();
    let comes_back = later.filter_map(|effect| moved(effect)).any(|again| again.path == to.path);
    (!comes_back).then_some((from, to))
}

fn moved(effect: &Effect) -> Option<&PathTarget> {
    path(effect).filter(|_| effect.verb == Verb::Delete && effect.flags.has(Flags::MOVE))
}

/// Where something is moved to: what is written next by whoever moves it, or else what it has written before.
fn landing<'a>(effects: &[&'a Effect], at: usize) -> Option<&'a PathTarget> {
    let (before, after) = effects.split_at_checked(at)?;
    let mover = after.first()?;
    let written = |effect: &&&'a Effect| effect.invocation == mover.invocation && effect.verb == Verb::Write;
    after.iter().find(written).or_else(|| before.iter().rfind(written)).and_then(|effect| path(effect))
}

fn path(effect: &Effect) -> Option<&PathTarget> {
    let Target::Path(path) = &effect.target else { return None };
    Some(path)
}
