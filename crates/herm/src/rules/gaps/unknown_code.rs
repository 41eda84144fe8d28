//! Code that runs but is only known when it runs.

use herm_shell::gap::Position;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::gaps::{at, is_unread, why};
use crate::rules::{Layer, Report, Rule};

/// Code that runs but is only known when it runs.
pub static UNKNOWN_CODE: Rule = Rule {
    name: "unknown-code",
    title: "code that is not known",
    layer: Layer::Gaps,
    stance: Stance::Ask,
    finds: "Code that runs but is only known when it runs.",
    matters: "It may do anything.",
    instead: "Put the code into the command, or into a file that can be read.",
    suggestion: "",
    examples: &[r#"eval "$CODE""#, r#"bash -c "$SCRIPT""#, r#"python3 -c "$PROGRAM""#, r#"eval "$(ls)""#],
    near_misses: &[
        "eval 'echo x'",
        "bash -c 'ls'",
        r#"echo "$CODE""#,
        r#"eval "$(ssh-agent -s)""#,
        "source <(kubectl completion bash)",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for gap in at(facts, &[Position::Code]).filter(|gap| !is_unread(gap)) {
        report.gap(Stance::Ask, gap, format!("runs `{}`, {}", gap.shown, why(gap.reason)));
    }
}
