//! Granted rights.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// Policies, keys, roles or firewall openings that give someone rights in a cloud or a cluster.
pub static GRANT_ACCESS: Rule = Rule {
    name: "grant-access",
    title: "grant access to cloud or cluster",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Policies, keys, roles or firewall openings that give someone rights in a cloud or a cluster.",
    matters: "Rights that were given stay until someone notices.",
    instead: "Look at who has rights now.",
    suggestion: "gcloud projects get-iam-policy my-project",
    examples: &[
        "aws iam attach-user-policy --user-name x --policy-arn arn:aws:iam::aws:policy/AdministratorAccess",
        "gcloud projects add-iam-policy-binding p --member user:x --role roles/owner",
        "aws iam create-access-key --user-name x",
        "aws ec2 authorize-security-group-ingress --group-id g --cidr 0.0.0.0/0",
        "kubectl create clusterrolebinding x --clusterrole=cluster-admin --user=x",
        "gcloud compute instances add-metadata vm --metadata-from-file ssh-keys=keys",
        "kubectl apply -f - <<E\nkind: ClusterRoleBinding\nroleRef: {kind: ClusterRole, name: cluster-admin}\nE",
    ],
    near_misses: &[
        "aws iam list-users",
        "kubectl apply -f - <<E\nkind: RoleBinding\nroleRef: {kind: Role, name: view}\nE",
        "aws iam get-policy --policy-arn x",
        "kubectl get clusterrolebindings",
        "gcloud projects get-iam-policy p",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Account, &["bucket", "cloud resource", "cluster resource"]) {
        report.effect(effect, format!("gives someone rights with `{}`", effect.by));
    }
}
