//! A push, a deployment or a publication, in the strict preset.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::strict::words;
use crate::rules::{Layer, Report, Rule};

/// A push, a deployment or a publication, in the strict preset.
pub static STRICT_PUBLISH: Rule = Rule {
    name: "strict-publish",
    title: "deployment or publication",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "A push, a deployment or a publication, in the strict preset.",
    matters: "Others see it, and cannot unsee it.",
    instead: "Leave publishing to a person.",
    suggestion: "",
    examples: &["git push origin main", "npm publish", "vercel deploy --prod", "railway up"],
    near_misses: &["git status", "npm run build", "git log --oneline"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| effect.verb == Verb::Publish) {
        report.effect(effect, "makes something public");
    }
    for invocation in words(facts, INTENTS) {
        report.invocation(facts, invocation, "publishes or deploys");
    }
}

const INTENTS: &[(&str, &[&str])] = &[
    ("git", &["push"]),
    ("vercel", &[]),
    ("railway", &["up"]),
    ("npm", &["publish"]),
    ("pnpm", &["publish"]),
    ("yarn", &["publish"]),
    ("cargo", &["publish"]),
    ("twine", &["upload"]),
    ("gem", &["push"]),
];
