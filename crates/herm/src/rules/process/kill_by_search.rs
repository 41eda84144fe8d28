//! Ends whatever processes a search finds at that moment.

use herm_shell::effect::ProcessTarget;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::kills;

pub(crate) static KILL_BY_SEARCH: Rule = Rule {
    name: "kill-by-search",
    title: "kill process via pgrep or pidof",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Ends whatever processes a search finds at that moment.",
    matters: "The list was never seen, and may hold the agent itself.",
    instead: "Look at the list, then end the process by its number.",
    suggestion: "pgrep -fl metro",
    examples: &["kill $(pgrep -f server)", "kill -9 `pidof nginx`", "pgrep node | xargs kill"],
    near_misses: &["pgrep -f server", "kill 1234", "kill %1", "pidof nginx"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let searched =
        facts.shell.invocations.iter().any(|invocation| matches!(&*invocation.program, "pgrep" | "pidof"));
    for (effect, _) in
        kills(facts).filter(|(_, process)| searched && matches!(process, ProcessTarget::Unknown))
    {
        report.effect(effect, "ends whatever processes the search finds");
    }
}
