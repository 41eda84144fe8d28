//! Who stands at the doors of a confined run's network.
//!
//! The hosts that a command names were judged with it, so it may reach them. What else it turns out to want to reach is judged
//! when it does: by the list of the policy, or by a person. What could not be known beforehand is held tighter: it reaches
//! what the policy lists, and nobody is asked.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm::call::Call;
use herm::host::Host;
use herm::policy::{Policy, Site};
use herm::{Facts, Finding};
use herm_proxy::{Doors, Proxy, Question, Record, Terms};
use herm_sandbox::native::{Doors as Sockets, Gate};
use herm_shell::{Realm, Target};
use herm_store::Digest;
use serde_json::{Value, json};

use crate::asked::{Asked, Mention, Trying};
use crate::books::Follows;
use crate::broker::{Broker, Client};
use crate::egress::{self, Kept, NotKept, Watched};
use crate::identity;
use crate::people::Heard;
use crate::setup::Setup;

/// What a run may reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    /// The hosts that it names; nothing when it may name any.
    named: Option<Vec<Site>>,
    /// Whether it could do something that nobody could know.
    is_tight: bool,
}

impl Reach {
    /// What a judgement says about it.
    pub(crate) fn of(facts: &Facts, findings: &[Finding]) -> Self {
        let host = |effect: &herm_shell::Effect| {
            let Target::Host(target) = &effect.target else { return None };
            named(target.host.as_deref().filter(|_| effect.realm == Realm::Here)?)
        };
        Self {
            named: Some(facts.effects().filter_map(host).collect()),
            is_tight: findings.iter().any(|finding| finding.gap),
        }
    }

    /// What the policy lists, and nobody is asked about more: for what is only tried.
    pub(crate) fn listed() -> Self {
        Self { named: Some(Vec::new()), is_tight: true }
    }

    /// Whether it could do something that nobody could know.
    pub(crate) const fn is_tight(&self) -> bool {
        self.is_tight
    }

    /// The policy for its connections. A list of the person's holds as it is.
    pub(crate) fn policy(&self, mut policy: Policy) -> Policy {
        if policy.egress.allowed.is_empty() {
            policy
                .egress
                .allowed
                .extend(self.named.clone().map(|named| if self.is_tight { Vec::new() } else { named }));
        }
        policy
    }
}

/// The host that a command names. A pattern of the command's own would let it out to everybody.
fn named(host: &str) -> Option<Site> {
    Host::read(host).ok().map(Site::exactly)
}

/// Stands at the doors of a run.
#[derive(Debug)]
pub(crate) struct Porter {
    terms: Terms,
    lent: Option<Lent>,
    met: Arc<Mutex<Vec<Record>>>,
    proxy: Option<Proxy>,
}

/// What stands for credentials in a run.
#[derive(Debug)]
pub(crate) struct Lent {
    /// Variables, and the placeholders that they hold.
    pub(crate) variables: Vec<(String, String)>,
    /// The authority that the run must trust for the hosts of these credentials.
    pub(crate) certificate: String,
}

/// Where questions are taken.
#[derive(Debug)]
enum Desk {
    /// At a broker under another user, and at no other one that may stand in its place.
    Guard(PathBuf),
    /// At a broker of the same user.
    Own(PathBuf),
}

impl Desk {
    fn of(setup: &Setup) -> Self {
        match &setup.policy.broker {
            Some(socket) => Self::Guard(PathBuf::from(socket.as_str())),
            None => Self::Own(Broker::of(&setup.guard).socket),
        }
    }

    fn connect(&self) -> io::Result<Client> {
        match self {
            Self::Guard(socket) => Client::connect_to_guard(socket),
            Self::Own(socket) => Client::connect(socket),
        }
    }
}

/// The most connections that are remembered of a run.
const MOST: usize = 1000;

impl Porter {
    /// A porter for a call, which asks whoever watches the broker. What is held tighter gets no credentials either.
    ///
    /// # Errors
    /// When a credential that the configuration names cannot be kept.
    pub(crate) fn new(call: &Call, setup: &Setup, reach: Reach) -> Result<Self, NotKept> {
        let is_tight = reach.is_tight;
        let terms = Terms::new(Arc::new(Watched::new(setup.clone(), call.session.clone(), reach)));
        if is_tight {
            return Ok(Self { terms, lent: None, met: Arc::default(), proxy: None });
        }
        let line = Line { broker: Desk::of(setup), seconds: setup.policy.timeout, call: call.clone() };
        let terms = terms.asking_apart(Arc::new(move |question| line.answer(&question)));
        let (terms, lent) = match egress::credentials(setup)? {
            Some(Kept { vault, variables }) => {
                let lent = Lent { variables, certificate: vault.certificate() };
                (terms.keeping(Arc::new(vault)), Some(lent))
            }
            None => (terms, None),
        };
        Ok(Self { terms, lent, met: Arc::default(), proxy: None })
    }

    /// What the run is lent of the person's credentials.
    pub(crate) const fn lent(&self) -> Option<&Lent> {
        self.lent.as_ref()
    }

    /// Whom it let through and whom not, as it is recorded.
    pub(crate) fn met(self) -> Vec<Value> {
        drop(self.proxy);
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.iter().map(written).collect()
    }
}

fn written(record: &Record) -> Value {
    json!({
        "to": record.destination,
        "address": record.address.map(|address| address.to_string()),
        "outcome": record.outcome.word(),
        "rule": record.rule,
        "reason": record.reason,
        "sent": record.sent,
        "received": record.received,
    })
}

impl Gate for Porter {
    fn open(&mut self, sockets: Sockets) -> io::Result<()> {
        let Sockets { proxy, transparent, resolver } = sockets;
        let doors =
            Doors::default().tcp(proxy).transparent(transparent, Arc::new(Sockets::meant)).names(resolver);
        let met = Arc::clone(&self.met);
        let sink = Arc::new(move |record: Record| {
            let mut met = met.lock().unwrap_or_else(PoisonError::into_inner);
            if met.len() < MOST {
                met.push(record);
            }
        });
        self.proxy = Some(Proxy::start(doors, self.terms.clone(), sink)?);
        Ok(())
    }
}

/// The way to whoever may let a connection through.
#[derive(Debug)]
struct Line {
    broker: Desk,
    seconds: u32,
    call: Call,
}

/// How often an answer is listened for.
const PULSE: Duration = Duration::from_millis(200);

impl Line {
    /// Silence, and nobody there, is a no.
    fn answer(&self, question: &Question) -> Answer {
        self.hear(&self.asked(question)).unwrap_or(Answer::Deny)
    }

    fn hear(&self, asked: &Asked) -> io::Result<Answer> {
        let mut waiting = self.broker.connect()?.ask(asked, self.seconds)?;
        let end = Instant::now() + Duration::from_secs(u64::from(self.seconds));
        while Instant::now() < end {
            match waiting.hear(PULSE)? {
                Some(Heard::Answer { answer, .. }) => return Ok(answer),
                Some(Heard::Nobody(_) | Heard::Silence) => break,
                None => {}
            }
        }
        Ok(Answer::Deny)
    }

    fn asked(&self, question: &Question) -> Asked {
        let to = question.to.to_string();
        let mention = |objection: &herm_proxy::Objection| Mention {
            rule: objection.rule.to_owned(),
            title: "connect to a host".to_owned(),
            reason: objection.reason.clone(),
            instead: objection.instead.clone(),
            span: None,
        };
        Asked {
            id: identity::fresh(),
            session: self.call.session.0.clone(),
            cwd: self.call.cwd.as_str().to_owned(),
            digest: Digest::of(format!("connect {to}").as_bytes()).to_string(),
            mentions: question.objections.iter().map(mention).collect(),
            always: false,
            follows: Follows::default(),
            trying: Trying::Impossible,
            command: format!("connect to {to}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_tried_reaches_what_the_policy_lists() {
        let policy = Reach::listed().policy(Policy::default());
        assert_eq!(policy.egress.allowed, [Vec::new()], "a list with nobody in it");
        assert!(Reach::listed().is_tight());
    }

    #[test]
    fn a_command_names_hosts_and_no_patterns() {
        let other = Host::read("other.example").unwrap();
        for text in ["*", "*.example", "*.other.example", "a.*", "a.example/*", "*:443"] {
            assert!(!named(text).is_some_and(|site| site.allows(&other)), "{text}");
        }
        let site = named("a.example").unwrap();
        assert!(site.allows(&Host::read("a.example").unwrap()) && !site.allows(&other));
    }
}
