//! The layers that consist of rules over facts.

use super::Layer;
use crate::call::Call;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::policy::{Policy, Preset};
use crate::rules::{Layer as Part, RULES, Report, Rule};

/// The rules of one part.
#[derive(Debug)]
pub(crate) struct Registry(pub(crate) Part);

impl Layer for Registry {
    fn judge(&self, _call: &Call, facts: &Facts, policy: &Policy) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.speaks(policy.preset) {
            self.rules().for_each(|rule| (rule.judge)(facts, &mut Report::new(rule, &mut findings)));
        }
        findings
    }
}

impl Registry {
    fn rules(&self) -> impl Iterator<Item = &'static Rule> + '_ {
        RULES.iter().copied().filter(|rule| rule.layer == self.0)
    }

    fn speaks(&self, preset: Preset) -> bool {
        match self.0 {
            Part::Strict => preset == Preset::Strict,
            Part::Floor
            | Part::Files
            | Part::Command
            | Part::Network
            | Part::Content
            | Part::Gaps
            | Part::User
            | Part::Consult => true,
        }
    }
}
