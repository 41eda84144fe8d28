//! What the rules say about a connection.

use herm::call::{Action, Call, CallId, Door, Principal, SessionId};
use herm::fetch::Fetch;
use herm::{AbsPath, Decision, Engine, Finding};

/// Says what the rules say about a connection.
pub trait Judge: Send + Sync {
    /// What they say: first about the name alone, then with every address that it has.
    fn judge(&self, fetch: Fetch) -> Judgement;
}

/// What the rules say about a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Judgement {
    /// Nothing stands in its way.
    Allow,
    /// A person must say yes to all of these.
    Ask(Vec<Objection>),
    /// It is refused, whoever says yes.
    Deny(Vec<Objection>),
}

/// Something that stands in the way of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// The rule.
    pub rule: &'static str,
    /// Why, in a sentence fragment.
    pub reason: String,
    /// What to do instead.
    pub instead: Option<String>,
}

impl From<&Finding> for Objection {
    fn from(finding: &Finding) -> Self {
        Self { rule: finding.rule, reason: finding.reason.clone(), instead: finding.instead.clone() }
    }
}

impl From<&Decision> for Judgement {
    fn from(decision: &Decision) -> Self {
        let all = |findings: &[Finding]| findings.iter().map(Objection::from).collect();
        match decision {
            Decision::Allow(_) => Self::Allow,
            Decision::Ask(question) => Self::Ask(all(&question.findings)),
            Decision::Deny(refusal) => Self::Deny(all(&refusal.findings)),
        }
    }
}

/// An engine with a fixed policy.
#[derive(Debug)]
pub struct Guard {
    engine: Engine,
    session: SessionId,
    home: AbsPath,
}

impl Guard {
    /// Judges connections of a session.
    #[must_use]
    pub fn new(engine: Engine, session: SessionId, home: AbsPath) -> Self {
        Self { engine, session, home }
    }
}

impl Judge for Guard {
    fn judge(&self, fetch: Fetch) -> Judgement {
        let call = Call {
            id: CallId::default(),
            door: Door::CommandLine,
            principal: Principal { name: None, home: self.home.clone() },
            session: self.session.clone(),
            cwd: AbsPath::root(),
            action: Action::Fetch(fetch),
        };
        Judgement::from(&self.engine.check_unseen(&call).decision)
    }
}
