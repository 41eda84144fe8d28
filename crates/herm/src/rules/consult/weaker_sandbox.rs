//! A sandbox that lacks something.

use super::judge;
use crate::finding::Stance;
use crate::rules::{Layer, Rule};

/// A sandbox that lacks something, when `sandbox.missing` does not accept that.
pub static WEAKER_SANDBOX: Rule = Rule {
    name: "weaker-sandbox",
    title: "sandbox that lacks something",
    layer: Layer::Consult,
    stance: Stance::Ask,
    finds: "A command whose sandbox would lack something that was demanded, or that would have none, where `sandbox.missing` asks or refuses.",
    matters: "What is demanded and does not hold protects nobody, and looks as if it did.",
    instead: "Enable what is missing: `herm doctor` says how.",
    suggestion: "",
    examples: &["make test", "npm ci", "ls"],
    near_misses: &["make test", "npm ci", "ls"],
    judge,
};
