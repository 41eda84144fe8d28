//! Pruned container engines.

use herm_shell::Verb;

use super::is_pruning;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind};
use crate::rules::rule::{Layer, Report, Rule};

/// Every unused container, image, network or volume that is deleted at once.
pub static PRUNE_CONTAINERS: Rule = Rule {
    name: "prune-containers",
    title: "prune containers, images or volumes",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Every unused container, image, network or volume that is deleted at once.",
    matters: r#"A stopped database is "unused" too, and its volume with it."#,
    instead: "See what takes the room, and delete it by name.",
    suggestion: "docker system df",
    examples: &[
        "docker system prune -af",
        "docker system prune -af --volumes",
        "docker volume prune -f",
        "docker image prune -a",
        "podman system reset",
    ],
    near_misses: &["docker system df", "docker images", "docker builder prune", "docker compose up -d"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let deleted = of_kind(facts, Verb::Destroy, &["container", "image", "network", "volume"]);
    for (effect, _) in deleted.filter(|(effect, _)| is_pruning(effect)) {
        report.effect(effect, format!("deletes every {} that is not in use", kind(effect)));
    }
}
