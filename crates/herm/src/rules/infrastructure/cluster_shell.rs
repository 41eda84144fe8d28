//! Shells in clusters.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A shell without a command in a pod of a cluster.
pub static CLUSTER_SHELL: Rule = Rule {
    name: "cluster-shell",
    title: "interactive shell in a pod",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A shell without a command in a pod of a cluster.",
    matters: "What is typed there is judged by nobody, and runs with the rights of the pod.",
    instead: "Run one command instead of a shell.",
    suggestion: "kubectl logs deploy/web --tail=50",
    examples: &["kubectl exec -it web-0 -- bash", "kubectl exec -n kube-system p -- sh", "oc rsh web-0"],
    near_misses: &["kubectl exec web-0 -- ls /app", "kubectl logs web-0", "kubectl describe pod web-0"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let shells = of_kind(facts, Verb::Escalate, &["pod"]);
    for (effect, name) in shells.filter(|(effect, _)| effect.flags.has(Flags::INTERACTIVE)) {
        report.effect(effect, format!("opens a shell in {}", the("pod", name)));
    }
}
