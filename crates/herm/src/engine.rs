//! From a call to a ruling.

use herm_shell::world::World;

use crate::call::Call;
use crate::decision::Ruling;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::gather::gather;
use crate::layers::{LAYERS, THRESHOLD};
use crate::policy::Policy;

/// Decides about calls under one policy. The example of the [crate] shows one at work.
#[derive(Debug)]
pub struct Engine {
    policy: Policy,
}

impl Engine {
    /// An engine under this policy.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self { policy }
    }

    /// Decides about a call: admit, gather, decide.
    pub fn check(&self, call: &Call, world: &dyn World) -> Ruling {
        let objections = admit(call);
        if !objections.is_empty() {
            return Ruling::new(call, Facts::default(), objections);
        }
        let facts = gather(call, world);
        let findings = self.decide(call, &facts);
        Ruling::new(call, facts, findings)
    }

    /// The policy it decides under.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Every layer speaks; then the allow-list and the preset have their word on what was said.
    pub(crate) fn decide(&self, call: &Call, facts: &Facts) -> Vec<Finding> {
        let said = LAYERS.iter().flat_map(|layer| layer.judge(call, facts, &self.policy));
        said.map(|finding| self.policy.temper(finding, call, facts)).collect()
    }
}

/// Nothing is looked at for a call that is not well-formed.
fn admit(call: &Call) -> Vec<Finding> {
    THRESHOLD.iter().flat_map(|layer| layer.admit(call)).collect()
}
