//! Stopped gateways.

use herm_shell::effect::ProcessTarget;
use herm_shell::{Effect, Flags, Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// The gateway, and with it the agents that run in it, stopped, restarted, updated or killed.
pub static STOP_GATEWAY: Rule = Rule {
    name: "stop-gateway",
    title: "stop/restart hermes gateway (kills running agents)",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "The gateway, and with it the agents that run in it, stopped, restarted, updated or killed.",
    matters: "The agent ends itself and everyone else's, in the middle of their work.",
    instead: "Ask a person to restart it.",
    suggestion: "hermes gateway status",
    examples: &[
        "hermes gateway stop",
        "hermes gateway restart",
        "hermes update",
        "pkill -f hermes-gateway",
        "systemctl --user restart hermes-gateway",
    ],
    near_misses: &[
        "hermes gateway status",
        "pkill -f hermes_backend",
        "systemctl --user status hermes-gateway",
        "pkill -f metro",
    ],
    judge,
};

const HALTED: Flags = Flags::STOP.and(Flags::RESTART).and(Flags::DISABLE);

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| ends_gateway(effect)) {
        report.effect(effect, "ends the gateway and the agents that run in it");
    }
}

fn ends_gateway(effect: &Effect) -> bool {
    match &effect.target {
        Target::Named("gateway", _) => effect.verb == Verb::Service && effect.flags.any(HALTED),
        Target::Named("service", name) => {
            effect.verb == Verb::Service && effect.flags.any(HALTED) && is_gateway(name)
        }
        Target::Process(ProcessTarget::Matching(pattern)) => {
            effect.verb == Verb::Kill
                && !effect.flags.has(Flags::GENTLE)
                && pattern.split(['|', ' ']).any(is_gateway)
        }
        Target::Code(..)
        | Target::Environment
        | Target::Host(_)
        | Target::Named(..)
        | Target::None
        | Target::Path(_)
        | Target::Process(_) => false,
    }
}

/// Whether a name of a service or a process is the gateway's: `hermes-gateway`, `ai.hermes.gateway`, `hermes`.
fn is_gateway(name: &str) -> bool {
    let plain = name.trim_matches(['.', '*', '^', '$', '(', ')']);
    matches!(plain, "hermes" | "herm" | "gateway" | "--gateway" | "openclaw" | "hermes_cli.main")
        || plain.starts_with("hermes-gateway")
        || plain.contains("hermes.gateway")
        || plain.starts_with("herm-gateway")
}

#[cfg(test)]
mod tests {
    use super::is_gateway;

    #[test]
    fn the_gateway_is_known_by_its_names() {
        for name in
            ["hermes-gateway", "hermes-gateway-default", "gateway", "system/ai.hermes.gateway", "hermes"]
        {
            assert!(is_gateway(name), "{name}");
        }
        for name in ["api-gateway", "hermes_backend", "hermes2", "hermesd", "metro"] {
            assert!(!is_gateway(name), "{name}");
        }
    }
}
