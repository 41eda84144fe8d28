//! Whether writes stay below the safe root.

use herm_shell::place::Extent;
use herm_shell::{Effect, PathTarget, Places, Target, Verb};

use super::Layer;
use crate::call::Call;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::path::AbsPath;
use crate::policy::{Isolation, Policy};
use crate::rules::Report;
use crate::rules::policy::OUTSIDE_SAFE_ROOT;

/// Whether writes stay below the safe root.
#[derive(Debug)]
pub(crate) struct SafeRoot;

impl Layer for SafeRoot {
    fn judge(&self, _call: &Call, facts: &Facts, policy: &Policy) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut report = Report::new(&OUTSIDE_SAFE_ROOT, &mut findings);
        for roots in &policy.safe_roots {
            for (effect, path) in facts.effects().filter_map(written) {
                if !inside(path, roots) && !is_private(effect, path, facts, policy) {
                    report.effect(effect, reason(path, roots));
                }
            }
        }
        findings
    }
}

/// The paths whose content or existence changes. Nothing changes in a sink.
fn written(effect: &Effect) -> Option<(&Effect, &PathTarget)> {
    let Target::Path(path) = &effect.target else { return None };
    (changes(effect.verb) && !path.places.has(Places::SINK)).then_some((effect, path))
}

/// Whether it is the temporary directory that a boundary gives the command alone. The machine's is shared by everybody on it.
fn is_private(effect: &Effect, path: &PathTarget, facts: &Facts, policy: &Policy) -> bool {
    let keeps = |isolation: &Isolation| isolation.keeps(effect, facts).is_some();
    path.places.has(Places::TEMPORARY) && policy.isolation.as_ref().is_some_and(keeps)
}

/// Whether it changes what is at a path.
pub(crate) fn changes(verb: Verb) -> bool {
    matches!(
        verb,
        Verb::ChangeAttributes
            | Verb::ChangeMode
            | Verb::ChangeOwner
            | Verb::Delete
            | Verb::Format
            | Verb::Link
            | Verb::Persist
            | Verb::Write
    )
}

/// A path of which only the beginning is known is inside when that beginning is: `..` in the rest is a gap of its own.
fn inside(path: &PathTarget, roots: &[AbsPath]) -> bool {
    match path.extent {
        Extent::Unknown => false,
        Extent::Children | Extent::Exact | Extent::Pattern | Extent::Prefix => {
            roots.iter().any(|root| root.holds(path.path.trim_end_matches('/')))
        }
    }
}

fn reason(path: &PathTarget, roots: &[AbsPath]) -> String {
    let roots: Vec<_> = roots.iter().map(|root| format!("`{root}`")).collect();
    format!("changes `{}`, which is outside the safe root {}", path.shown, roots.join(", "))
}
