//! A login, a logout or a change of tokens, in the strict preset.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::strict::words;
use crate::rules::{Layer, Report, Rule};

/// A login, a logout or a change of tokens, in the strict preset.
pub static STRICT_LOGIN: Rule = Rule {
    name: "strict-login",
    title: "change of credentials",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "A login, a logout or a change of tokens, in the strict preset.",
    matters: "It changes who the agent is to others.",
    instead: "Leave logins to a person.",
    suggestion: "",
    examples: &["npm login", "npm token create", "npm adduser"],
    near_misses: &["npm run lint", "npm ls", "git log"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| effect.verb == Verb::Login) {
        report.effect(effect, "changes who is logged in");
    }
    for invocation in words(facts, INTENTS) {
        report.invocation(facts, invocation, "changes who is logged in");
    }
}

const INTENTS: &[(&str, &[&str])] =
    &[("npm", &["login"]), ("npm", &["adduser"]), ("npm", &["logout"]), ("npm", &["token"])];
