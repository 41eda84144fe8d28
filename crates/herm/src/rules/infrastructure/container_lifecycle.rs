//! Stopped containers.

use super::{halted, how};
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::the;
use crate::rules::rule::{Layer, Report, Rule};

/// Running containers that are stopped, killed or restarted.
pub static CONTAINER_LIFECYCLE: Rule = Rule {
    name: "container-lifecycle",
    title: "docker restart/stop/kill (container lifecycle)",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Running containers that are stopped, killed or restarted, other than by their names on this machine, or as those of the project.",
    matters: "Others may depend on what runs in them; the agent itself may.",
    instead: "Look at what runs and at its logs first.",
    suggestion: "docker compose ps",
    examples: &[
        "docker stop $(docker ps -q)",
        "docker restart $name",
        "docker kill $(docker ps -q)",
        "docker -H ssh://prod stop web",
        "docker compose -p other down",
        "docker stop prod-db",
    ],
    near_misses: &[
        "docker compose ps",
        "docker compose logs --tail=50 api",
        "docker start web",
        "docker compose up -d",
        r#"grep "docker restart" log.txt"#,
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in halted(facts, &["container"]) {
        report.effect(effect, format!("{} {}", how(effect), the("container", name)));
    }
}
