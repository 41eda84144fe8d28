//! Deleted cluster resources.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// Pods, namespaces, releases, clusters and whatever else a cluster holds that is deleted.
pub static DESTROY_CLUSTER_RESOURCE: Rule = Rule {
    name: "destroy-cluster-resource",
    title: "delete cluster resources",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Pods, namespaces, releases, clusters and whatever else a cluster holds that is deleted.",
    matters: "A namespace takes everything in it along, volumes too.",
    instead: "Look first, or ask the server what would happen.",
    suggestion: "kubectl delete pod web-0 --dry-run=server",
    examples: &[
        "kubectl delete ns production",
        "kubectl delete pods --all -A",
        "helm uninstall web",
        "kubectl replace --force -f web.yaml",
        "kubeadm reset -f",
        "argocd app delete web",
    ],
    near_misses: &[
        "kubectl get pods",
        "kubectl delete pod web-0 --dry-run=client",
        "helm list",
        "kubectl apply -f web.yaml",
        "kubectl wait --for delete pods web-0",
    ],
    judge,
};

const KINDS: &[&str] = &["cluster", "cluster resource", "namespace", "pod"];

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let released = of_kind(facts, Verb::Destroy, &["release"]).filter(|(effect, _)| &*effect.by == "helm");
    for (effect, name) in of_kind(facts, Verb::Destroy, KINDS).chain(released) {
        let what = if effect.flags.has(Flags::ALL) {
            format!("all of {}", the(kind(effect), name))
        } else {
            the(kind(effect), name)
        };
        report.effect(effect, format!("deletes {what} from the cluster"));
    }
}
