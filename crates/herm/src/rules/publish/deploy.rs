//! Deployments.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A deployment to a platform that others use.
pub static DEPLOY: Rule = Rule {
    name: "deploy",
    title: "deploy",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A deployment to a platform that others use.",
    matters: "Users get it the moment it is done.",
    instead: "Build and look at it first.",
    suggestion: "npm run build",
    examples: &[
        "vercel --prod",
        "netlify deploy --prod",
        "fly deploy",
        "railway up",
        "wrangler deploy",
        "firebase deploy",
        "cdk deploy",
        "gcloud app deploy",
    ],
    near_misses: &[
        "vercel dev",
        "netlify dev",
        "fly status",
        "railway logs",
        "wrangler dev",
        "npm run deploy:check",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Publish, &["deployment"]) {
        report.effect(effect, format!("deploys with `{}`", effect.by));
    }
}
