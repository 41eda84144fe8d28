//! Letting a key in.

use herm_shell::{Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// Putting a key where it opens an account.
pub static AUTHORIZE_KEY: Rule = Rule {
    name: "authorize-key",
    title: "authorise an SSH key on a machine",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "`ssh-copy-id` and its relatives: a key is added to an account's authorised keys.",
    matters: "The key opens that account from then on, until someone takes it out.",
    instead: "Give the public key to whoever manages the machine.",
    suggestion: "cat ~/.ssh/id_ed25519.pub",
    examples: &[
        "ssh-copy-id user@host.example",
        "ssh-copy-id -i ~/.ssh/work.pub host.example",
        "ssh-copy-id -f -i key.pub -p 2222 host.example",
    ],
    near_misses: &[
        "ssh host.example uptime",
        "ssh-keygen -lf ~/.ssh/id_ed25519.pub",
        "ssh-keyscan github.com",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| effect.verb == Verb::Login) {
        if matches!(&effect.target, Target::Named("account", name) if name == "authorized_keys") {
            report.effect(effect, "adds a key to an account's authorised keys");
        }
    }
}
