//! Where a link leads, judged by its name first and then by every address that it has.

use std::net::ToSocketAddrs;

use herm::call::{Action, Call};
use herm::fetch::{Fetch, Resolved};
use herm::host::Host;
use herm::{Decision, Engine, Ruling};

/// Whether names are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// They are judged as they stand.
    Never,
    /// What its name does not rule out is judged by its addresses, too.
    System,
}

/// Judges a link. A name that is refused already is not looked up: to ask for it would tell somebody.
pub fn judge(engine: &Engine, call: &Call, lookup: Lookup) -> Ruling {
    let ruling = engine.check_unseen(call);
    let Action::Fetch(fetch) = &call.action else { return ruling };
    match (lookup, fetch.to().map(|to| &to.host)) {
        (Lookup::System, Ok(Host::Name(name))) if !matches!(ruling.decision, Decision::Deny(_)) => {
            engine.check_unseen(&resolved(call, fetch, name))
        }
        (Lookup::Never | Lookup::System, _) => ruling,
    }
}

/// The same call with the addresses of where it leads, if it leads to a name that is not ruled out already.
pub(crate) fn looked_up(engine: &Engine, call: &Call) -> Call {
    match &call.action {
        Action::Fetch(fetch) => match fetch.to().map(|to| &to.host) {
            Ok(Host::Name(name)) if !matches!(engine.check_unseen(call).decision, Decision::Deny(_)) => {
                resolved(call, fetch, name)
            }
            _ => call.clone(),
        },
        Action::Edit(_) | Action::Exec(_) | Action::Read(_) | Action::Tool(_) | Action::Write(_) => {
            call.clone()
        }
    }
}

fn resolved(call: &Call, fetch: &Fetch, name: &str) -> Call {
    Call { action: Action::Fetch(fetch.clone().resolved(addresses(name))), ..call.clone() }
}

/// The addresses of a name, as this machine's resolver knows them.
fn addresses(name: &str) -> Resolved {
    match (name, 0).to_socket_addrs() {
        Ok(found) => Resolved::To(found.map(|address| address.ip().to_canonical()).collect()),
        Err(_) => Resolved::Nowhere,
    }
}

#[cfg(test)]
mod tests {
    use herm::policy::{Config, Policy, Source, Surroundings};

    use super::*;

    fn ruling(config: &str, link: &str, lookup: Lookup) -> Vec<&'static str> {
        let config = Config::read(Source::User, "c.yaml", config).unwrap();
        let engine = Engine::new(Policy::compile(vec![config], &Surroundings::default()).unwrap());
        let call = crate::setup::Setup::new(crate::Wishes {
            cwd: Some("/".to_owned()),
            home: Some("/nonexistent".to_owned()),
            ..crate::Wishes::default()
        });
        let call = call.unwrap().call(Action::Fetch(Fetch::url(link)));
        judge(&engine, &call, lookup).findings.iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn a_name_without_an_address_is_refused() {
        assert_eq!(ruling("", "https://no-such-host.invalid/", Lookup::System), ["unresolved-host"]);
        assert_eq!(ruling("", "https://no-such-host.invalid/", Lookup::Never), [""; 0]);
    }

    #[test]
    fn a_service_that_was_named_is_judged_by_its_addresses() {
        let named = "egress: {endpoints: ['localhost:8080']}";
        assert_eq!(ruling(named, "http://localhost:8080/", Lookup::System), [""; 0]);
        assert_eq!(ruling(named, "http://localhost:8081/", Lookup::System), ["private-address"]);
    }
}
