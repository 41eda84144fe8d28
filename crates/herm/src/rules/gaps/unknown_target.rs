//! A deletion, a write or a sending whose target is only known when it runs.

use herm_shell::gap::Position;
use herm_shell::place::Extent;
use herm_shell::{Effect, Gap, Places, Target};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::gaps::{at, why};
use crate::rules::{Layer, Report, Rule};

/// A deletion, a write or a sending whose target is only known when it runs.
pub static UNKNOWN_TARGET: Rule = Rule {
    name: "unknown-target",
    title: "target that is not known",
    layer: Layer::Gaps,
    stance: Stance::Ask,
    finds: "A deletion, a write or a sending whose target is only known when it runs.",
    matters: "An empty or surprising value turns it on something else.",
    instead: "Name the target, or write it below a directory of the project.",
    suggestion: "rm -f build/out.o",
    examples: &[
        r#"mv notes.txt "$(cat name.txt)""#,
        r#"rm -rf "$(cat list.txt)""#,
        r#"echo x > "$(cat name.txt)""#,
        "cat list.txt | xargs rm -rf",
    ],
    near_misses: &["sed -i s/x/y/ $(grep -rl x src)", "rm -f build/out.o", "ls $DIR", "echo $FILE"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for gap in at(facts, &[Position::Delete, Position::Send, Position::Write]) {
        let stance = if confined(facts, gap) { Stance::Note } else { Stance::Ask };
        report.gap(stance, gap, format!("{} `{}`, {}", deed(gap.position), gap.shown, why(gap.reason)));
    }
}

/// Whether the known beginning keeps the target in the workspace or a temporary directory.
fn confined(facts: &Facts, gap: &Gap) -> bool {
    let mut reached = facts.effects().filter(|effect| effect.span == gap.span).filter_map(places).peekable();
    reached.peek().is_some() && reached.all(|places| places.any(FREE) && !places.any(WORST))
}

fn places(effect: &Effect) -> Option<Places> {
    match &effect.target {
        Target::Path(path) if path.extent != Extent::Exact => Some(path.places),
        Target::Path(_)
        | Target::Code(..)
        | Target::Environment
        | Target::Host(_)
        | Target::Named(..)
        | Target::None
        | Target::Process(_) => None,
    }
}

fn deed(position: Position) -> &'static str {
    match position {
        Position::Delete => "deletes",
        Position::Send => "sends to",
        Position::Write => "writes",
        Position::Code
        | Position::Inert
        | Position::Program
        | Position::Read
        | Position::Unfollowed
        | Position::Whole => "uses",
    }
}

const FREE: Places = Places::WORKSPACE.and(Places::TEMPORARY);

const WORST: Places = Places::ROOT
    .and(Places::SYSTEM_DIR)
    .and(Places::HOME)
    .and(Places::CREDENTIAL)
    .and(Places::WORKSPACE_ROOT)
    .and(Places::ABOVE_WORKSPACE)
    .and(Places::GUARD)
    .and(Places::UNKNOWN);
