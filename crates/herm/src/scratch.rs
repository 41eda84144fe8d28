//! Deletions of what the text itself made, or an earlier call of its session.
//!
//! `tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT` loses nothing that was there before, and neither does `git clone URL d; rm -rf d` where no `d` was. It
//! is such a deletion when all of this holds:
//!
//! - it is new for certain: `mktemp` made it, or the text makes it and the world says that nothing was there; or the world says that an earlier call of
//!   the session made it, and that all that lies there came later;
//! - the very directory goes, not what is below it: with an empty variable `"$tmp"/*` would be `/*`, while `"$tmp"` is nothing;
//! - it lies where temporary files belong or in the workspace, on this machine, and goes with the rights of whoever runs the text; what an earlier call
//!   made may lie anywhere but in places that are precious;
//! - the text moves nothing, makes no link and mounts nothing that could have got in there: what it copied is left where it came from;
//! - nothing is unknown that could do so: neither what is moved, nor what a program does that is given the directory.

use herm_shell::analysis::Invocation;
use herm_shell::place::Extent;
use herm_shell::world::{Standing, World};
use herm_shell::{Analysis, Effect, Flags, PathTarget, Places, Realm, Target, Verb};

use crate::call::Exec;
use crate::regenerable::PRECIOUS;

/// Says of every deletion of such a directory that it is one.
pub(crate) fn mark(shell: &mut Analysis, exec: &Exec, world: &dyn World) {
    if !shell.effects.iter().any(|effect| deleted(effect).is_some()) {
        return;
    }
    let own = shell
        .effects
        .iter()
        .filter(|effect| made(effect).is_some() || is_placed(effect, exec) && makes_new(effect, shell, world))
        .filter_map(own_path);
    let doubted = shell.effects.iter().filter(|effect| is_placed(effect, exec) && is_doubted(effect));
    let earlier = doubted
        .filter_map(deleted)
        .take(MOST)
        .filter(|path| !path.places.any(HELD) && world.has_made(&path.path));
    let made: Vec<String> = own.chain(earlier).map(|path| path.path.clone()).collect();
    let mounts = shell.effects.iter().any(|effect| effect.verb == Verb::Mount);
    let moves_in_git = shell.invocations.iter().any(is_move_in_git);
    if made.is_empty() || mounts || moves_in_git || !shell.gaps.is_empty() {
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
    own_path(effect).filter(|path| is_new && path.places.has(Places::TEMPORARY))
}

/// Whether a directory is made where nothing is so far, and nothing can have led elsewhere.
fn makes_new(effect: &Effect, shell: &Analysis, world: &dyn World) -> bool {
    let Some(path) = own_path(effect) else { return false };
    let is_maker =
        effect.verb == Verb::Write && effect.flags.has(Flags::METADATA) && MAKERS.contains(&&*effect.by);
    let goes = || shell.effects.iter().filter_map(deleted).any(|gone| gone.path == path.path);
    is_maker
        && !path.places.any(Places::WORKSPACE_ROOT | Places::HOME | Places::SYSTEM_DIR | Places::GIT_DIR)
        && goes()
        && world.resolve(&path.path).is_none()
        && world.standing(&path.path) == Some(Standing::Absent)
}

/// Whether it is known where the path of an effect lies: where nobody told in which directory the text runs, only what is written in full is.
fn is_placed(effect: &Effect, exec: &Exec) -> bool {
    let Target::Path(path) = &effect.target else { return false };
    !exec.is_adrift() || path.shown.starts_with(['/', '~'])
}

/// More than anybody deletes at once of what was made before.
const MOST: usize = 16;

/// Whether a deletion would be asked about, so that it is worth a look at what the session has made.
fn is_doubted(effect: &Effect) -> bool {
    let is_elsewhere = |path: &PathTarget| !path.places.any(Places::TEMPORARY | Places::WORKSPACE);
    let Target::Path(path) = &effect.target else { return false };
    !effect.flags.has(Flags::REGENERABLE) && (effect.flags.has(Flags::RECURSIVE) || is_elsewhere(path))
}

/// Programs whose effect is a directory that they make.
const MAKERS: &[&str] = &["git", "gmkdir", "mkdir"];

/// One path that goes.
fn deleted(effect: &Effect) -> Option<&PathTarget> {
    let Target::Path(path) = &effect.target else { return None };
    let taken_away = effect.flags.any(Flags::MOVE | Flags::IRREVERSIBLE | Flags::DISGUISED);
    let is_gone = effect.verb == Verb::Delete && !effect.privileged && !taken_away;
    let is_exact = path.extent == Extent::Exact && effect.realm == Realm::Here;
    let is_own = own_path(effect).is_some() || !path.places.any(HELD);
    (is_gone && is_exact && is_own).then_some(path)
}

/// Places that are precious, whoever made what lies there.
const HELD: Places = PRECIOUS.and(Places::WORKSPACE_ROOT).and(Places::ABOVE_WORKSPACE);

/// Exactly one path, among the temporary ones of this machine or in the workspace.
fn own_path(effect: &Effect) -> Option<&PathTarget> {
    let Target::Path(path) = &effect.target else { return None };
    let is_own = path.extent == Extent::Exact
        && path.places.any(Places::TEMPORARY | Places::WORKSPACE)
        && effect.realm == Realm::Here;
    is_own.then_some(path)
}

/// `git mv`, which takes changes along that no commit holds.
fn is_move_in_git(run: &Invocation) -> bool {
    &*run.program == "git" && run.arguments.iter().any(|word| word.known().is_some_and(|word| word == "mv"))
}

/// Whether a program of which nothing is known is given the directory.
fn is_told(run: &Invocation, directory: &str) -> bool {
    let name = directory.rsplit('/').next().unwrap_or(directory);
    !run.described && run.arguments.iter().any(|argument| argument.shown().contains(name))
}

/// Whether an effect may put something into a directory that is nowhere else: what is moved, and links in its place.
fn fills(effect: &Effect, directory: &str) -> bool {
    let Target::Path(path) = &effect.target else { return false };
    let is_below = path.path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'));
    let is_moved = effect.verb == Verb::Delete && effect.flags.has(Flags::MOVE);
    (is_moved || effect.verb == Verb::Link) && !is_below
}
