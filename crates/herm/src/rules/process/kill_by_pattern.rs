//! Ends all processes of a user or session, or all that match a wide pattern.

use herm_shell::effect::ProcessTarget;
use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{kills, things};

pub(crate) static KILL_BY_PATTERN: Rule = Rule {
    name: "kill-by-pattern",
    title: "kill processes by regex",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Ends all processes of a user or session, or all that match a wide pattern.",
    matters: "It takes processes nobody thought of, the agent's own among them.",
    instead: "Name the program.",
    suggestion: "pgrep -l node",
    examples: &["killall -r 'node.*'", "pkill -u alice", "pkill .", "killall -u alice"],
    near_misses: &["pkill node", "killall nginx", "pgrep -u alice", "pkill -f 'python server.py'"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, process) in kills(facts).filter(|(effect, _)| effect.flags.has(Flags::ALL)) {
        if let ProcessTarget::Matching(pattern) = process {
            report.effect(effect, format!("ends every process that matches `{pattern}`"));
        }
    }
    for (effect, session) in things(facts, Verb::Kill, "session") {
        report.effect(effect, format!("ends everything in the session of `{session}`"));
    }
}
