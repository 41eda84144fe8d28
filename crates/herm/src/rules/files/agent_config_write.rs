//! Changes or deletes the configuration or state of an agent, or SSH's settings.

use herm_shell::{Flags, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_guards_own, is_protected, paths, writes};

pub(crate) static AGENT_CONFIG_WRITE: Rule = Rule {
    name: "agent-config-write",
    title: "change an agent's configuration",
    layer: Layer::Files,
    stance: Stance::Ask,
    finds: "Changes or deletes the configuration or state of an agent, or SSH's settings.",
    matters: "It decides what the agent may do, or whom the machine trusts.",
    instead: "Show the change to a person.",
    suggestion: "ls ~/.claude",
    examples: &[
        "echo x > ~/.claude/settings.json",
        "rm -rf ~/.codex/rules",
        "ssh-keyscan h.example >> ~/.ssh/known_hosts",
        "echo x >> /etc/ssh/ssh_known_hosts",
    ],
    near_misses: &[
        "cat ~/.claude/settings.json",
        "ls ~/.ssh",
        "ssh-keygen -F h.example",
        "mkdir -p ~/.claude",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let places = Places::GUARD.and(Places::SSH);
    let changes = writes(facts).chain(paths(facts, &[Verb::Delete]));
    for (effect, path) in changes.filter(|(_, path)| path.places.any(places) && !is_protected(path)) {
        report.effect(effect, format!("changes `{}`, which decides what is trusted", path.shown));
    }
    let named = paths(facts, &[Verb::Read]).filter(|(effect, _)| effect.flags.has(Flags::LINKED));
    for (effect, path) in named.filter(|(_, path)| is_guards_own(path)) {
        report.effect(effect, format!("makes another name for `{}`, which guards", path.shown));
    }
}
