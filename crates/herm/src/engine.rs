//! From a call to a ruling.

use herm_shell::world::{Blind, World};

use crate::call::{Action, Call};
use crate::decision::Ruling;
use crate::facts::Facts;
use crate::finding::{Finding, Stance};
use crate::gather::gather;
use crate::layers::{LAYERS, THRESHOLD};
use crate::own;
use crate::permit::Permit;
use crate::policy::Policy;

/// Decides about calls under one policy. The example of the [crate] shows one at work.
#[derive(Debug)]
pub struct Engine {
    policy: Policy,
}

/// A call that is well-formed. Only the threshold makes one.
#[derive(Debug)]
#[must_use]
pub struct Admitted<'a> {
    call: &'a Call,
}

/// A call with what is known about it.
#[derive(Debug)]
#[must_use]
pub struct Known<'a> {
    call: &'a Call,
    facts: Facts,
    /// Commands that the call perhaps runs, as calls of their own.
    perhaps: Vec<(Call, Facts)>,
}

impl Engine {
    /// An engine under this policy.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self { policy }
    }

    /// Decides about a call: admit, gather, decide.
    pub fn check(&self, call: &Call, world: &dyn World) -> Ruling {
        match self.admit(call) {
            Ok(admitted) => self.decide(admitted.gather(world)),
            Err(refused) => *refused,
        }
    }

    /// The same for a call that depends on nothing but itself, such as a connection: nothing is looked at.
    pub fn check_unseen(&self, call: &Call) -> Ruling {
        self.check(call, &Blind)
    }

    /// Lets a call in. Nothing is looked at for one that is not well-formed.
    ///
    /// # Errors
    /// With the ruling, when something stands in its way already.
    pub fn admit<'a>(&self, call: &'a Call) -> Result<Admitted<'a>, Box<Ruling>> {
        let objections: Vec<_> = THRESHOLD.iter().flat_map(|layer| layer.admit(call)).collect();
        if objections.is_empty() {
            return Ok(Admitted { call });
        }
        Err(Box::new(Ruling::new(self.permit(call), Facts::default(), objections)))
    }

    /// Every layer speaks; then the allow-list and the preset have their word on what was said.
    pub fn decide(&self, known: Known<'_>) -> Ruling {
        let Known { call, mut facts, perhaps } = known;
        own::mark(&mut facts, &self.policy.own);
        let mut findings = self.findings(call, &facts);
        findings.extend(perhaps.into_iter().flat_map(|(call, facts)| self.refusals(&call, facts)));
        Ruling::new(self.permit(call), facts, findings)
    }

    /// What of a command that perhaps runs would be refused. The rest is not worth a question that may be about nothing.
    fn refusals(&self, call: &Call, mut facts: Facts) -> impl Iterator<Item = Finding> + use<> {
        own::mark(&mut facts, &self.policy.own);
        let refused =
            self.findings(call, &facts).into_iter().filter(|finding| finding.stance == Stance::Deny);
        refused.map(|finding| Finding {
            reason: format!("{}, if the tool runs what it is given", finding.reason),
            invocation: None,
            span: None,
            ..finding
        })
    }

    /// The policy it decides under.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    pub(crate) fn findings(&self, call: &Call, facts: &Facts) -> Vec<Finding> {
        let said = LAYERS.iter().flat_map(|layer| layer.judge(call, facts, &self.policy));
        said.map(|finding| self.policy.temper(finding, call, facts)).collect()
    }

    fn permit(&self, call: &Call) -> Permit {
        Permit::new(call, self.policy.limits, self.policy.backend)
    }
}

impl<'a> Admitted<'a> {
    /// Looks at what the call would do.
    pub fn gather(self, world: &dyn World) -> Known<'a> {
        let perhaps = match &self.call.action {
            Action::Tool(tool) => tool.perhaps(),
            Action::Edit(_) | Action::Exec(_) | Action::Fetch(_) | Action::Read(_) | Action::Write(_) => &[],
        };
        let perhaps = perhaps.iter().map(|exec| {
            let call = Call { action: Action::Exec(exec.clone()), ..self.call.clone() };
            let facts = gather(&call, world);
            (call, facts)
        });
        Known { call: self.call, facts: gather(self.call, world), perhaps: perhaps.collect() }
    }
}
