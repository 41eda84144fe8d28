//! Stopped workloads.

use super::{halted, how};
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// Deployments, nodes, releases, databases or queues of a cluster or a cloud that are stopped, restarted or rolled back.
pub static WORKLOAD_LIFECYCLE: Rule = Rule {
    name: "workload-lifecycle",
    title: "stop or restart workloads",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Deployments, nodes, releases, databases or queues of a cluster or a cloud that are stopped, restarted or rolled back.",
    matters: "Users notice: requests fail while it is down.",
    instead: "Look at the state first.",
    suggestion: "kubectl get pods --output wide",
    examples: &[
        "kubectl scale deployment web --replicas=0",
        "kubectl rollout restart deployment/web",
        "kubectl drain node01",
        "helm rollback web 2",
        "heroku ps:restart",
        "aws ec2 stop-instances --instance-ids i-1",
        "redis-cli SHUTDOWN",
    ],
    near_misses: &[
        "kubectl get nodes",
        "kubectl scale deployment web --replicas=3",
        "kubectl rollout status deployment/web",
        "helm list",
        "kubectl drain node01 --dry-run=client",
    ],
    judge,
};

const KINDS: &[&str] = &["cluster", "cluster resource", "database", "deployment", "pod", "queue", "release"];

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in halted(facts, KINDS) {
        report.effect(effect, format!("{} {}", how(effect), the(kind(effect), name)));
    }
}
