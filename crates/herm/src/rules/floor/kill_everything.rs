//! Ends every process, or the first one, which takes all others with it.

use herm_shell::Flags;
use herm_shell::effect::ProcessTarget;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::kills;

pub(crate) static KILL_EVERYTHING: Rule = Rule {
    name: "kill-everything",
    title: "kill every process",
    layer: Layer::Floor,
    stance: Stance::Deny,
    finds: "Ends every process, or the first one, which takes all others with it.",
    matters: "All work in progress is lost, the agent's own guard included.",
    instead: "Name the process that is meant.",
    suggestion: "pgrep -l node",
    examples: &["kill -9 -1", "kill -s KILL -- -1", "kill -9 1", "killall5 -9", "kill 1"],
    near_misses: &["kill -1 1234", "kill 1234", "kill -HUP 1", "kill -l", "kill -9 %1"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, process) in kills(facts) {
        if let Some(reason) = everything(process, effect.flags) {
            report.effect(effect, reason);
        }
    }
}

fn everything(process: &ProcessTarget, flags: Flags) -> Option<&'static str> {
    match process {
        ProcessTarget::All | ProcessTarget::Number(-1) => Some("ends every process"),
        ProcessTarget::Number(1) => (!flags.has(Flags::GENTLE)).then_some("ends the first process"),
        ProcessTarget::Matching(_) | ProcessTarget::Number(_) | ProcessTarget::Unknown => None,
    }
}
