//! Switches off a security module or the audit, or clears its records.

use herm_shell::{Effect, Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

pub(crate) static DISABLE_PROTECTION: Rule = Rule {
    name: "disable-protection",
    title: "disable a security tool",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Switches off a security module or the audit, or clears its records.",
    matters: "What happens afterwards is neither stopped nor seen.",
    instead: "Look at its state and change one rule.",
    suggestion: "getenforce",
    examples: &[
        "setenforce 0",
        "auditctl -D",
        "aa-disable /etc/apparmor.d/x",
        "dmesg -C",
        "journalctl --vacuum-time=1s",
        "unset HISTFILE",
        "export HISTFILESIZE=0",
        "set +o history",
        "shopt -uo history",
        "HISTFILE=/dev/null",
        "HISTSIZE=0; make",
        "HISTFILE=/dev/null bash -i",
        "xattr -d com.apple.quarantine tool",
        "tccutil reset All",
        "tmutil disable",
        "powershell -c 'Clear-EventLog -LogName System'",
    ],
    near_misses: &[
        "getenforce",
        "auditctl -l",
        "aa-status",
        "dmesg | tail",
        "journalctl -n 20",
        "export HISTSIZE=5000",
        "unset HISTCONTROL",
        "HISTSIZE=5000",
        "HISTFILE=/dev/null bash -c 'make'",
        "xattr -l tool",
        "tmutil status",
        "HISTFILE=~/.history",
        "shopt -u histappend",
        "shopt -so history",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects() {
        if let Some(what) = protection(effect) {
            report.effect(effect, format!("takes away {what}"));
        }
    }
}

fn protection(effect: &Effect) -> Option<String> {
    match (&effect.target, effect.verb) {
        (Target::Named("guard", name), Verb::Disable) => {
            Some(format!("a protection of the system (`{name}`)"))
        }
        (Target::Named("audit", _), Verb::Disable) => Some("the audit".to_owned()),
        (Target::Named("audit", _), Verb::Destroy) => Some("records of what happened".to_owned()),
        _ => None,
    }
}
