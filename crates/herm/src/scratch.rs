//! Deletions of temporary directories that the text itself made.
//!
//! `tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT` loses nothing that was there before. It is such a deletion when all of this holds:
//!
//! - the very directory goes, not what is below it: with an empty variable `"$tmp"/*` would be `/*`, while `"$tmp"` is nothing;
//! - it lies where temporary files belong, on this machine, and goes with the rights of whoever runs the text;
//! - the text moves nothing, makes no link and mounts nothing that could have got in there: what it copied is left where it came from;
//! - nothing is unknown that could do so: neither what is moved, nor what a program does that is given the directory.

use herm_shell::analysis::Invocation;
use herm_shell::place::Extent;
use herm_shell::{Analysis, Effect, Flags, PathTarget, Places, Realm, Target, Verb};

/// Says of every deletion of such a directory that it is one.
pub(crate) fn mark(shell: &mut Analysis) {
    let made: Vec<String> = shell.effects.iter().filter_map(made).map(|path| path.path.clone()).collect();
    let mounts = shell.effects.iter().any(|effect| effect.verb == Verb::Mount);
    if made.is_empty() || mounts || !shell.gaps.is_empty() {
        return;
    }
    let is_filled = |made: &String| {
        shell.effects.iter().any(|one| fills(one, made))
            || shell.invocations.iter().any(|run| is_told(run, made))
    };
    let kept: Vec<String> = made.into_iter().filter(|made| !is_filled(made)).collect();
    for effect in &mut shell.effects {
        if deleted(effect).is_some_and(|path| kept.contains(&path.path)) {
            effect.flags |= Flags::FRESH;
        }
    }
}

fn made(effect: &Effect) -> Option<&PathTarget> {
    let is_new = effect.verb == Verb::Write && effect.flags.has(Flags::FRESH);
    own_path(effect).filter(|_| is_new)
}

fn deleted(effect: &Effect) -> Option<&PathTarget> {
    let taken_away = effect.flags.any(Flags::MOVE | Flags::IRREVERSIBLE | Flags::DISGUISED);
    own_path(effect).filter(|_| effect.verb == Verb::Delete && !effect.privileged && !taken_away)
}

/// Exactly one path, among the temporary ones of this machine.
fn own_path(effect: &Effect) -> Option<&PathTarget> {
    let Target::Path(path) = &effect.target else { return None };
    let is_own =
        path.extent == Extent::Exact && path.places.has(Places::TEMPORARY) && effect.realm == Realm::Here;
    is_own.then_some(path)
}

/// Whether a program of which nothing is known is given the directory.
fn is_told(run: &Invocation, directory: &str) -> bool {
    !run.described && run.arguments.iter().any(|argument| argument.shown().contains(directory))
}

/// Whether an effect may put something into a directory that is nowhere else: what is moved, and links in its place.
fn fills(effect: &Effect, directory: &str) -> bool {
    let Target::Path(path) = &effect.target else { return false };
    let is_below = path.path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'));
    let is_moved = effect.verb == Verb::Delete && effect.flags.has(Flags::MOVE);
    (is_moved || effect.verb == Verb::Link) && !is_below
}
