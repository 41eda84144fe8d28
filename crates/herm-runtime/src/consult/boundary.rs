//! What the boundary lacks, as an objection.
//!
//! What was demanded and cannot be had is neither dropped nor left to be found in the record: `sandbox.missing` says whether it is accepted, asked about
//! or refused. The essential parts are not here: without those there is no boundary.

use herm::enforcement::Backend;
use herm::policy::Policy;
use herm::policy::sandbox::Missing;
use herm::rules::consult::WEAKER_SANDBOX;
use herm::{Finding, Stance};

use super::finding;
use crate::setup::Setup;

/// What is to be said about the boundary that commands run behind, or about there being none.
pub(crate) fn objections(setup: &Setup) -> Vec<Finding> {
    let Some(stance) = stance(&setup.policy) else { return Vec::new() };
    let object = |reason: String, advice: &str| finding(&WEAKER_SANDBOX, stance, reason, advice);
    let why = setup.unconfined.as_deref().unwrap_or("it is to run on `local`");
    let none = (setup.policy.backend == Backend::Local)
        .then(|| object(format!("there is no sandbox: {why}"), WEAKER_SANDBOX.instead));
    let lacking = setup.lacking.iter().map(|lack| {
        let advice = format!("{}; `herm doctor` says more.", capital(&lack.advice));
        object(format!("the sandbox lacks `{}`: {}", lack.measure.word(), lack.why), &advice)
    });
    none.into_iter().chain(lacking).collect()
}

/// Where nobody is asked, a question is a note as ever.
fn stance(policy: &Policy) -> Option<Stance> {
    match policy.sandbox.missing {
        Missing::Accept => None,
        Missing::Ask if policy.asks_nobody() => Some(Stance::Note),
        Missing::Ask => Some(Stance::Ask),
        Missing::Refuse => Some(Stance::Deny),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
