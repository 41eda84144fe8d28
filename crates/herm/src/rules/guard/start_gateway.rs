//! Gateways without a supervisor.

use herm_shell::analysis::Invocation;
use herm_shell::{Effect, Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A gateway that is started in the background by hand.
pub static START_GATEWAY: Rule = Rule {
    name: "start-gateway-unsupervised",
    title: "start gateway outside systemd (use 'systemctl --user restart hermes-gateway')",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A gateway that is started in the background by hand.",
    matters: "Nothing restarts it when it dies, and two may run at once.",
    instead: "Let the supervisor start it.",
    suggestion: "systemctl --user status hermes-gateway",
    examples: &[
        "hermes gateway run &",
        "nohup hermes gateway run",
        "setsid hermes gateway run --replace",
        "hermes gateway run --replace & disown",
    ],
    near_misses: &["hermes gateway run", "hermes gateway status", "npm run gateway & wait"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let started =
        of_kind(facts, Verb::Service, &["gateway"]).filter(|(effect, _)| effect.flags.has(Flags::START));
    for (effect, _) in started.filter(|(effect, _)| is_detached(facts, effect)) {
        report.effect(effect, "starts the gateway in the background, without a supervisor");
    }
}

/// Whether it goes on by itself: in the background, or under a program that lets go of it.
fn is_detached(facts: &Facts, effect: &Effect) -> bool {
    effect.flags.has(Flags::BACKGROUND)
        || facts.shell.shape.background
        || wrappers(facts, effect).any(lets_go)
}

fn lets_go(program: &str) -> bool {
    matches!(
        program,
        "nohup" | "setsid" | "disown" | "daemonize" | "systemd-run" | "tmux" | "screen" | "at" | "batch"
    )
}

/// The programs that run the one that does this, innermost first.
fn wrappers<'a>(facts: &'a Facts, effect: &Effect) -> impl Iterator<Item = &'a str> {
    let runs = &facts.shell.invocations;
    let outside = |run: &&'a Invocation| run.within.and_then(|place| runs.get(place));
    std::iter::successors(runs.get(effect.invocation), outside).take(runs.len()).map(|run| &*run.program)
}
