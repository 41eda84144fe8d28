//! The layers of the judgement, in one place.
//!
//! A layer can only object or be silent: it has no way to say "allow", so that adding one can never open anything.
//! All of them speak, and the strictest finding decides.

mod destination;
mod input;
mod lost;
mod registry;
mod safe_root;
mod supposed;
#[cfg(test)]
mod tests;
mod user;

pub(crate) use safe_root::changes;

use std::fmt::Debug;

use crate::call::Call;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::policy::Policy;
use crate::rules::Layer as Part;

/// What sees the call alone, before anything is read or opened for it.
pub(crate) const THRESHOLD: &[&dyn Threshold] = &[&input::Input];

/// What sees the call and the facts.
pub(crate) const LAYERS: &[&dyn Layer] = &[
    &registry::Registry(Part::Floor),
    &registry::Registry(Part::Files),
    &safe_root::SafeRoot,
    &lost::Lost,
    &registry::Registry(Part::Command),
    &supposed::Supposed,
    &registry::Registry(Part::Network),
    &destination::Destination,
    &registry::Registry(Part::Content),
    &registry::Registry(Part::Gaps),
    &registry::Registry(Part::Strict),
    &user::UserRules,
];

/// A part of the threshold.
pub(crate) trait Threshold: Debug + Sync {
    /// What is wrong with the call.
    fn admit(&self, call: &Call) -> Vec<Finding>;
}

/// A part of the judgement.
pub(crate) trait Layer: Debug + Sync {
    /// What it has to say.
    fn judge(&self, call: &Call, facts: &Facts, policy: &Policy) -> Vec<Finding>;
}
