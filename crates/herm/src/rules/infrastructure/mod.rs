//! What destroys, stops or opens up containers, clusters and clouds.

pub mod apply_infrastructure;
pub mod cluster_shell;
pub mod container_lifecycle;
pub mod destroy_cloud_resource;
pub mod destroy_cluster_resource;
pub mod destroy_container;
pub mod destroy_infrastructure;
pub mod grant_access;
pub mod host_access;
pub mod infrastructure_state;
pub mod prune_containers;
pub mod reveal_secret;
pub mod workload_lifecycle;

use herm_shell::{Effect, Flags, Verb};

use crate::facts::Facts;
use crate::rules::named::of_kind;

/// Whether everything of a kind goes, rather than something by name.
fn is_pruning(effect: &Effect) -> bool {
    effect.flags.has(Flags::ALL)
}

/// What is stopped, restarted or disabled.
fn halted<'a>(
    facts: &'a Facts,
    kinds: &'static [&'static str],
) -> impl Iterator<Item = (&'a Effect, &'a str)> {
    let ends = Flags::STOP | Flags::RESTART | Flags::DISABLE;
    of_kind(facts, Verb::Service, kinds).filter(move |(effect, _)| effect.flags.any(ends))
}

/// What happens to it, as a verb.
fn how(effect: &Effect) -> &'static str {
    match (effect.flags.has(Flags::STOP), effect.flags.has(Flags::RESTART)) {
        (true, _) => "stops",
        (false, true) => "restarts or rolls back",
        (false, false) => "disables",
    }
}
