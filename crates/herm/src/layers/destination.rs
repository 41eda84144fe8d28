//! Whether connections go where the configuration lets them.

use std::net::IpAddr;

use herm_scan::{Network, Reach, network, reach};
use herm_shell::{Effect, Realm, Target, Verb};

use super::Layer;
use crate::call::Call;
use crate::facts::Facts;
use crate::fetch::Fetch;
use crate::finding::{Finding, Stance};
use crate::host::{Endpoint, Host};
use crate::policy::Policy;
use crate::rules::network::{BLOCKED_WEBSITE, PRIVATE_ADDRESS, SPECIAL_ADDRESS, UNLISTED_HOST};
use crate::rules::{Report, Rule};

/// Whether connections go where the configuration lets them.
#[derive(Debug)]
pub(crate) struct Destination;

impl Layer for Destination {
    fn judge(&self, _call: &Call, facts: &Facts, policy: &Policy) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (effect, host) in facts.effects().filter_map(reached) {
            block(effect, host, policy, &mut findings);
            confine(effect, host, facts.fetch.as_ref(), policy, &mut findings);
        }
        if let (Some(fetch), Some(effect)) = (&facts.fetch, facts.effects().next()) {
            keep_out(effect, fetch, policy, &mut findings);
        }
        findings
    }
}

/// The hosts that this machine connects to, where their names are known.
fn reached(effect: &Effect) -> Option<(&Effect, &str)> {
    let Target::Host(target) = &effect.target else { return None };
    let leaves = matches!(effect.verb, Verb::Connect | Verb::Send) && effect.realm == Realm::Here;
    target.host.as_deref().filter(|_| leaves).map(|host| (effect, host))
}

/// The list of blocked websites. What may stand in a file that cannot be read is nobody's guess.
fn block(effect: &Effect, name: &str, policy: &Policy, findings: &mut Vec<Finding>) {
    let mut report = Report::new(&BLOCKED_WEBSITE, findings);
    let entry = read(name).and_then(|host| policy.blocklist.find(&host));
    match (entry, policy.blocklist.unread()) {
        (Some(entry), _) => report.effect(effect, format!("`{name}` is blocked by {entry}")),
        (None, Some(file)) if reach(name) != Reach::Loopback => {
            let reason = format!("{file} cannot be read, so nobody knows whether `{name}` is blocked");
            report.effect_as(Stance::Ask, effect, reason);
        }
        (None, _) => {}
    }
}

/// The lists of allowed hosts. What a command does on this machine alone is no way out.
fn confine(effect: &Effect, name: &str, fetch: Option<&Fetch>, policy: &Policy, findings: &mut Vec<Finding>) {
    let stays = fetch.is_none() && reach(name) == Reach::Loopback;
    let named = fetch.and_then(|fetch| fetch.to().ok()).is_some_and(|to| policy.egress.names(to));
    let listed = read(name).is_some_and(|host| policy.egress.allows(&host));
    if !policy.egress.allowed.is_empty() && !stays && !named && !listed {
        let reason = format!("`{name}` is not on the list of allowed hosts");
        Report::new(&UNLISTED_HOST, findings).effect(effect, reason);
    }
}

/// Hosts of effects are written without brackets.
fn read(name: &str) -> Option<Host> {
    Host::read(name).ok().or_else(|| name.parse().ok().map(Host::Address))
}

/// No connection leads to this machine or into its networks, unless the operator named exactly this service.
fn keep_out(effect: &Effect, fetch: &Fetch, policy: &Policy, findings: &mut Vec<Finding>) {
    let Ok(to) = fetch.to() else { return };
    let by_name = match &to.host {
        Host::Address(_) => None,
        Host::Name(name) => to.host.network().map(|network| (format!("`{name}`"), network)),
    };
    let by_address = fetch.addresses().iter().map(|address| (shown(to, *address), network(*address)));
    for (what, network) in by_name.into_iter().chain(by_address) {
        if let Some((rule, where_)) = objection(network, policy.egress.names(to)) {
            Report::new(rule, findings).effect(effect, format!("{what} {where_}"));
        }
    }
}

fn shown(to: &Endpoint, address: IpAddr) -> String {
    match &to.host {
        Host::Address(_) => format!("`{address}`"),
        Host::Name(name) => format!("`{name}` has the address `{address}`, which"),
    }
}

/// What stands against a part of the network. Metadata services have a rule of their own, which knows no exception.
fn objection(network: Network, named: bool) -> Option<(&'static Rule, &'static str)> {
    let private = |where_| (!named).then_some((&PRIVATE_ADDRESS, where_));
    match network {
        Network::Loopback => private("is this machine"),
        Network::Private => private("is in a private network"),
        Network::Shared => private("is in a shared network (RFC 6598)"),
        Network::UniqueLocal => private("is in a private network (RFC 4193)"),
        Network::LinkLocal => Some((&PRIVATE_ADDRESS, "is on the same wire")),
        Network::Unspecified => {
            Some((&PRIVATE_ADDRESS, "is no address in particular, which means this machine"))
        }
        Network::Multicast => Some((&SPECIAL_ADDRESS, "means many machines at once")),
        Network::Reserved => Some((&SPECIAL_ADDRESS, "is reserved, and no website has it")),
        Network::Metadata | Network::Public => None,
    }
}
