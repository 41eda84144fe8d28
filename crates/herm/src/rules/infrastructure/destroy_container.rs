//! Deleted containers.

use herm_shell::Verb;

use super::is_pruning;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// Containers, virtual machines, volumes, networks or images in use that are deleted.
pub static DESTROY_CONTAINER: Rule = Rule {
    name: "destroy-container",
    title: "delete containers or volumes",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Virtual machines, volumes, networks or images in use that are deleted, and containers other than by their names on this machine.",
    matters: "What was written inside a container, or to its volume, is gone.",
    instead: "Look at what runs first, and stop rather than delete.",
    suggestion: "docker ps --all",
    examples: &[
        "docker rm -f $(docker ps -aq)",
        "docker rm -fv web",
        "docker volume rm pgdata",
        "docker compose down -v",
        "podman rm $name",
        "vagrant destroy -f",
        "docker network rm net1",
        "docker rmi -f app:latest",
    ],
    near_misses: &[
        "docker ps -a",
        "docker rmi app:old",
        "docker run --rm alpine true",
        "docker volume ls",
        "vagrant up",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let deleted = of_kind(facts, Verb::Destroy, &["container", "image", "network", "volume"]);
    for (effect, name) in deleted.filter(|(effect, _)| !is_pruning(effect)) {
        report.effect(effect, format!("deletes {}", the(kind(effect), name)));
    }
}
