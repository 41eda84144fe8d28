//! Hosts and links that are not what they seem.

mod blocked_website;
mod foreign_scheme;
mod fronted_host;
mod lookalike_host;
mod metadata_service;
mod misleading_url;
mod private_address;
mod special_address;
mod unlisted_host;
mod unreadable_url;
mod unresolved_host;
mod untrusted_download;

pub use blocked_website::BLOCKED_WEBSITE;
pub use foreign_scheme::FOREIGN_SCHEME;
pub use fronted_host::FRONTED_HOST;
pub use lookalike_host::LOOKALIKE_HOST;
pub use metadata_service::METADATA_SERVICE;
pub use misleading_url::MISLEADING_URL;
pub use private_address::PRIVATE_ADDRESS;
pub use special_address::SPECIAL_ADDRESS;
pub use unlisted_host::UNLISTED_HOST;
pub use unreadable_url::UNREADABLE_URL;
pub use unresolved_host::UNRESOLVED_HOST;
pub use untrusted_download::UNTRUSTED_DOWNLOAD;

use herm_scan::{HostTrait, inspect_host, inspect_url};
use herm_shell::effect::HostTarget;
use herm_shell::{Effect, Target};

use crate::facts::Facts;

/// What is odd about the hosts that are reached, each with its effect and name.
fn hosts(facts: &Facts) -> impl Iterator<Item = (&Effect, &str, HostTrait)> {
    facts.effects().flat_map(|effect| {
        let host = match &effect.target {
            Target::Host(host) => host.host.as_deref().map(|name| (name, host)),
            Target::Code(..)
            | Target::Environment
            | Target::Named(..)
            | Target::None
            | Target::Path(_)
            | Target::Process(_) => None,
        };
        host.into_iter()
            .flat_map(move |(name, host)| odd(name, host).into_iter().map(move |odd| (effect, name, odd)))
    })
}

/// What is odd about a host: read from the link as it is written where there is one.
fn odd(name: &str, host: &HostTarget) -> Vec<HostTrait> {
    if host.scheme.is_some() && host.shown.contains("://") {
        inspect_url(&host.shown)
    } else {
        inspect_host(name)
    }
}
