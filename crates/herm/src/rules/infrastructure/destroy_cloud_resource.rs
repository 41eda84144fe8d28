//! Deleted cloud resources.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// Instances, buckets, secrets, sites and whatever else a cloud or a platform holds that is deleted.
pub static DESTROY_CLOUD_RESOURCE: Rule = Rule {
    name: "destroy-cloud-resource",
    title: "delete cloud resources",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Instances, buckets, secrets, sites and whatever else a cloud or a platform holds that is deleted.",
    matters: "Most of it has no bin to be fetched from.",
    instead: "Look at it first; many clients have a dry run.",
    suggestion: "aws s3 ls s3://bucket --recursive",
    examples: &[
        "aws s3 rm s3://prod --recursive",
        "aws ec2 terminate-instances --instance-ids i-1",
        "gcloud compute instances delete vm1 --quiet",
        "az group delete --name rg --yes",
        "heroku apps:destroy",
        "fly apps destroy web",
        "gsutil rm -r gs://bucket/data",
        "vercel remove web --yes",
        "gh secret delete TOKEN",
    ],
    near_misses: &[
        "aws s3 ls",
        "aws ec2 describe-instances",
        "gcloud projects list",
        "az group list",
        "aws s3 cp help",
        "fly logs",
        "aws dynamodb get-item --table-name t --key x",
    ],
    judge,
};

const KINDS: &[&str] = &["bucket", "cloud resource", "deployment", "secret"];

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Destroy, KINDS) {
        report.effect(effect, format!("deletes {}", the(kind(effect), name)));
    }
}
