//! Who stands at the doors of a confined run's network.
//!
//! The hosts that a command names were judged with it, so it may reach them. What else it turns out to want to reach is judged
//! when it does: by the list of the policy, or by a person. What could not be known beforehand is held tighter: it reaches
//! what the policy lists, and nobody is asked.

mod bell;
mod hallway;
mod line;

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use herm::approval::Answer;
use herm::call::Call;
use herm::git::Sets;
use herm::host::Host;
use herm::policy::{Policy, Site};
use herm::{Facts, Finding};
use herm_proxy::{Doors, Names, Proxy, Question, Record, Terms};
use herm_sandbox::native::{Doors as Sockets, Gate};
use herm_shell::{Realm, Target};
use serde_json::{Value, json};

use crate::books::Memory;
use crate::egress::{self, Kept, NotKept, Watched};
use crate::setup::Setup;
pub(crate) use bell::{Button, Doorkeeper, bell};
pub(crate) use hallway::Hallway;
use line::Line;

/// What a run may reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    /// The hosts that it names; nothing when it may name any.
    named: Option<Vec<Site>>,
    /// Whether it could do something that nobody could know.
    is_tight: bool,
    /// What it does to the settings of git.
    sets_git: Sets,
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
            sets_git: herm::git::sets(facts),
        }
    }

    /// What the policy lists, and nobody is asked about more: for what is only tried.
    pub(crate) fn listed() -> Self {
        Self { named: Some(Vec::new()), is_tight: true, sets_git: Sets::Anything }
    }

    /// Whether it could do something that nobody could know.
    pub(crate) const fn is_tight(&self) -> bool {
        self.is_tight
    }

    /// What it does to the settings of git.
    pub(crate) fn sets_git(&self) -> Sets {
        self.sets_git.clone()
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
    is_over: Arc<AtomicBool>,
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

/// The most connections that are remembered of a run.
const MOST: usize = 1000;

impl Porter {
    /// A porter for a call, who knows what was said before in its session. Nobody is asked.
    pub(crate) fn new(call: &Call, setup: &Setup, reach: Reach, memory: Memory) -> (Self, Arc<Watched>) {
        let watched = Arc::new(Watched::new(setup.clone(), call.session.clone(), reach, memory));
        let terms = Terms::new(Arc::clone(&watched) as Arc<_>);
        let porter = Self { terms, lent: None, met: Arc::default(), is_over: Arc::default(), proxy: None };
        (porter, watched)
    }

    /// The same, who asks: at the terminal of the run where there is a bell, otherwise whoever watches the broker.
    pub(crate) fn asking(mut self, setup: &Setup, watched: Arc<Watched>, bell: Option<Button>) -> Self {
        let (line, seconds) = (Line::new(setup, Arc::clone(&self.is_over)), setup.policy.timeout);
        let answer = move |question: Question| -> Answer {
            let asked = watched.asked(&question);
            let denial = asked.follows.denial.clone();
            let answer = match &bell {
                Some(button) => button.answer(asked, seconds),
                None => line.answer(&asked),
            };
            if !answer.is_yes() {
                watched.deny(denial);
            }
            answer
        };
        self.terms = self.terms.asking_apart(Arc::new(answer));
        self
    }

    /// The same, who puts credentials in on the way.
    ///
    /// # Errors
    /// When a credential that the configuration names cannot be kept.
    pub(crate) fn lending(mut self, setup: &Setup) -> Result<Self, NotKept> {
        if let Some(Kept { vault, variables }) = egress::credentials(setup)? {
            self.lent = Some(Lent { variables, certificate: vault.certificate() });
            self.terms = self.terms.keeping(Arc::new(vault));
        }
        Ok(self)
    }

    /// What the run is lent of the person's credentials.
    pub(crate) const fn lent(&self) -> Option<&Lent> {
        self.lent.as_ref()
    }

    /// Takes over doors whose addresses may have been handed out before.
    pub(crate) fn stand_at(&mut self, sockets: Sockets, book: Arc<Names>) -> io::Result<()> {
        let Sockets { proxy, transparent, resolver, conversations } = sockets;
        let doors = Doors::default()
            .tcp(proxy)
            .transparent(transparent, Arc::new(Sockets::meant))
            .names(resolver)
            .names_tcp(conversations)
            .remembering(book);
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

    /// Whom it let through and whom not, as it is recorded. Every connection has ended then.
    pub(crate) fn met(self) -> Vec<Value> {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(proxy) = self.proxy {
            proxy.close();
        }
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.iter().map(written).collect()
    }
}

pub(crate) fn written(record: &Record) -> Value {
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

/// Whom it was not let to, and why: programs seldom say more than that it failed.
pub(crate) fn refusals(met: &[Value]) -> Vec<String> {
    let refused = met.iter().filter(|one| one.get("outcome").and_then(Value::as_str) == Some("refused"));
    let told = refused.filter_map(|one| {
        let word = |key: &str| one.get(key).and_then(Value::as_str);
        Some(format!("no connection to `{}`: {} [{}]", word("to")?, word("reason")?, word("rule")?))
    });
    let told: BTreeSet<String> = told.collect();
    let rest = told.len().saturating_sub(FEW);
    let more = (rest > 0).then(|| format!("nor to {rest} more; `herm audit show` lists them"));
    told.into_iter().take(FEW).chain(more).collect()
}

/// How many are named.
const FEW: usize = 5;

impl Gate for Porter {
    fn open(&mut self, sockets: Sockets) -> io::Result<()> {
        self.stand_at(sockets, Arc::default())
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
