//! Ends the agent, its gateway or this guard.

use herm_shell::effect::ProcessTarget;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::kills;

pub(crate) static KILL_AGENT: Rule = Rule {
    name: "kill-agent",
    title: "kill the agent or its gateway",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Ends the agent, its gateway or this guard.",
    matters: "The agent would end itself, and every conversation it carries, in mid-sentence.",
    instead: "Restart it through its service, by a person.",
    suggestion: "pgrep -fl hermes",
    examples: &[
        "pkill -f hermes",
        "killall hermes-gateway",
        "pkill -f 'cli.py --gateway'",
        "pkill herm",
        "killall gateway",
    ],
    near_misses: &["pkill -f api-gateway", "pkill node", "pgrep -f hermes", "pkill -f hermetic-build"],
    judge,
};

const AGENTS: &[&str] = &["hermes", "herm", "claude", "codex", "openclaw", "opencode"];

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, process) in kills(facts) {
        if let ProcessTarget::Matching(name) = process
            && is_agent(name)
        {
            report.effect(effect, format!("ends the agent or its guard (`{name}`)"));
        }
    }
}

/// A word of the pattern names an agent, or the pattern is just the gateway.
fn is_agent(pattern: &str) -> bool {
    let pattern = pattern.to_ascii_lowercase();
    let mut words = pattern.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let gateway = matches!(pattern.trim(), "gateway" | "gateway run") || pattern.contains("cli.py");
    gateway || words.any(|word| AGENTS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::is_agent;

    #[test]
    fn agents_by_whole_words() {
        assert!(
            is_agent("hermes") && is_agent("hermes-gateway") && is_agent("cli.py") && is_agent("Gateway")
        );
        assert!(!is_agent("api-gateway") && !is_agent("thermes") && !is_agent("hermetic"));
    }
}
