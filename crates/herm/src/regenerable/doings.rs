//! What a text itself does that makes its own deletions worth a question.
//!
//! What it moved to a directory of output was not generated there, and a rule that it wrote itself says nothing of what the project is built
//! of. What it copied there is left where it came from.

use std::collections::BTreeMap;

use herm_shell::analysis::Invocation;
use herm_shell::place::Extent;
use herm_shell::{Analysis, Effect, Flags, PathTarget, Places, Realm, Target, Verb};

use super::is_within;
use super::remade::Remade;

/// Whether something that the text does spoils the deletion that stands at this place among its effects.
pub(super) fn spoil(shell: &Analysis, remade: &Remade, deletion: usize, output: &str) -> bool {
    let moves_in_git = shell.invocations.iter().any(is_move_in_git);
    let mounts = shell.effects.iter().any(|effect| effect.verb == Verb::Mount);
    let movers = movers(shell, remade);
    // In a loop, what comes after the deletion is there in the next round: what is nowhere else, since it was moved, and links.
    let stays =
        |effect: &Effect| effect.verb == Verb::Link || movers.get(&effect.invocation) == Some(&Moved::Other);
    let is_new =
        |effect: &Effect| !is_copied(effect) && movers.get(&effect.invocation) != Some(&Moved::Output);
    let spoils = |at: usize, effect: &Effect, path: &PathTarget| {
        let is_there = stays(effect) || at < deletion && is_new(effect);
        is_of_rules(path) || is_there && may_reach(path, output)
    };
    let mut written =
        shell.effects.iter().enumerate().filter_map(|(at, effect)| Some((at, effect, written(effect)?)));
    moves_in_git || mounts || written.any(|(at, effect, path)| spoils(at, effect, path))
}

/// What an invocation moves away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Moved {
    /// Nothing but output that the text makes again: `mv dist dist.old`.
    Output,
    Other,
}

/// The invocations that move something away.
fn movers(shell: &Analysis, remade: &Remade) -> BTreeMap<usize, Moved> {
    let mut movers = BTreeMap::new();
    for effect in &shell.effects {
        if effect.verb == Verb::Delete && effect.flags.has(Flags::MOVE) {
            let moved = if is_output(effect, remade) { Moved::Output } else { Moved::Other };
            movers
                .entry(effect.invocation)
                .and_modify(|all: &mut Moved| *all = moved.max(*all))
                .or_insert(moved);
        }
    }
    movers
}

fn is_output(effect: &Effect, remade: &Remade) -> bool {
    let Target::Path(path) = &effect.target else { return false };
    let name = path.path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    path.extent == Extent::Exact && remade.name(name).is_some()
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
    // What `rsync` moves is told by what it deletes where it came from.
    ["cp", "rsync"].contains(&&*effect.by)
}
