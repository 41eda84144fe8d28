//! What a text itself does that makes its own deletions worth a question.
//!
//! What it moved to a directory of output was not generated there, and a rule that it wrote itself says nothing of what the project is built
//! of. What it copied there is left where it came from.

use std::collections::BTreeSet;

use herm_shell::analysis::Invocation;
use herm_shell::place::Extent;
use herm_shell::{Analysis, Effect, Flags, PathTarget, Places, Realm, Target, Verb};

use super::is_within;

/// Whether something that the text does spoils the deletion that stands at this place among its effects.
pub(super) fn spoil(shell: &Analysis, deletion: usize, output: &str) -> bool {
    let moves_in_git = shell.invocations.iter().any(is_move_in_git);
    let mounts = shell.effects.iter().any(|effect| effect.verb == Verb::Mount);
    let movers: BTreeSet<usize> = shell.effects.iter().filter_map(mover).collect();
    // In a loop, what comes after the deletion is there in the next round: what is nowhere else, since it was moved, and links.
    let stays = |effect: &Effect| effect.verb == Verb::Link || movers.contains(&effect.invocation);
    let spoils = |at: usize, effect: &Effect, path: &PathTarget| {
        let is_there = stays(effect) || at < deletion && !is_copied(effect);
        is_of_rules(path) || is_there && may_reach(path, output)
    };
    let mut written =
        shell.effects.iter().enumerate().filter_map(|(at, effect)| Some((at, effect, written(effect)?)));
    moves_in_git || mounts || written.any(|(at, effect, path)| spoils(at, effect, path))
}

/// The invocation that moves something away, if it is such an effect.
fn mover(effect: &Effect) -> Option<usize> {
    (effect.verb == Verb::Delete && effect.flags.has(Flags::MOVE)).then_some(effect.invocation)
}

/// `git mv`, which takes changes along that no commit holds.
fn is_move_in_git(run: &Invocation) -> bool {
    &*run.program == "git" && run.arguments.iter().any(|word| word.known().is_some_and(|word| word == "mv"))
}

/// Where an effect puts something, if it does so on this machine.
fn written(effect: &Effect) -> Option<&PathTarget> {
    let Target::Path(path) = &effect.target else { return None };
    let puts = matches!(effect.verb, Verb::Link | Verb::Write) && !effect.flags.has(Flags::METADATA);
    let is_elsewhere = effect.realm != Realm::Here || path.places.any(Places::SINK);
    (puts && !is_elsewhere).then_some(path)
}

/// Whether it is what a repository goes by.
fn is_of_rules(path: &PathTarget) -> bool {
    path.path.split('/').any(|name| name == ".gitignore" || name.eq_ignore_ascii_case(".git"))
}

/// Whether something may be put into a directory, in place of it, or into one that holds it, where it may get the same name. What is not known may
/// be anywhere, unless it is for the moment only.
fn may_reach(path: &PathTarget, output: &str) -> bool {
    let known = path.path.as_str();
    match path.extent {
        Extent::Exact | Extent::Children => is_within(known, output) || is_within(output, known),
        Extent::Pattern | Extent::Prefix => {
            !known.starts_with('/') || output.starts_with(known) || is_within(known, output)
        }
        Extent::Unknown => !path.places.has(Places::TEMPORARY),
    }
}

fn is_copied(effect: &Effect) -> bool {
    &*effect.by == "cp"
}
