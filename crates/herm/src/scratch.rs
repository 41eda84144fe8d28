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
use herm_shell::value::Value;
use herm_shell::world::{Standing, World};
use herm_shell::{Analysis, Effect, Flags, PathTarget, Places, Realm, Target, Verb};

use crate::call::{Call, Exec};
use crate::regenerable::PRECIOUS;

/// Says of every deletion of such a directory that it is one.
pub(crate) fn mark(shell: &mut Analysis, call: &Call, exec: &Exec, world: &dyn World) {
    if !shell.effects.iter().any(|effect| deleted(effect).is_some()) {
        return;
    }
    let created = shell.effects.iter().filter_map(made);
    let new = shell
        .effects
        .iter()
        .filter(|effect| is_placed(effect, exec))
        .filter_map(deleted)
        .take(MOST)
        .filter(|path| is_new(path, shell, exec, world));
    let doubted = shell.effects.iter().filter(|effect| is_placed(effect, exec) && is_doubted(effect));
    let earlier = doubted
        .filter_map(deleted)
        .take(MOST)
        .filter(|path| !path.places.any(HELD) && world.has_made(&path.path));
    let made: Vec<String> = created.chain(new).chain(earlier).map(|path| path.path.clone()).collect();
    let mounts = shell.effects.iter().any(|effect| effect.verb == Verb::Mount);
    let moves_in_git = shell.invocations.iter().any(is_move_in_git);
    if made.is_empty() || mounts || moves_in_git || !shell.gaps.is_empty() {
        return;
    }
    let there = |word: &str| stands(word, shell, call, exec, world);
    let is_filled = |made: &String| {
        shell.effects.iter().any(|one| fills(one, made))
            || shell.invocations.iter().any(|run| is_told(run, made, &there))
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

/// Whether nothing is so far where a directory goes that the text makes, or makes one below, and nothing can have led elsewhere.
fn is_new(path: &PathTarget, shell: &Analysis, exec: &Exec, world: &dyn World) -> bool {
    let is_made = |effect: &&Effect| {
        let is_maker =
            effect.verb == Verb::Write && effect.flags.has(Flags::METADATA) && MAKERS.contains(&&*effect.by);
        is_maker && is_placed(effect, exec)
    };
    let holds = |made: &PathTarget| {
        made.path.strip_prefix(&path.path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    path.places.any(OWN)
        && !path.places.any(Places::WORKSPACE_ROOT | Places::HOME | Places::SYSTEM_DIR | Places::GIT_DIR)
        && shell.effects.iter().filter(is_made).filter_map(own_path).any(holds)
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
const MAKERS: &[&str] = &["git", "gmkdir", "hugo", "mkdir"];

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

/// Where a text may make what it likes.
const OWN: Places = Places::TEMPORARY.and(Places::WORKSPACE);

/// Exactly one path, among the temporary ones of this machine or in the workspace.
fn own_path(effect: &Effect) -> Option<&PathTarget> {
    let Target::Path(path) = &effect.target else { return None };
    let is_own = path.extent == Extent::Exact && path.places.any(OWN) && effect.realm == Realm::Here;
    is_own.then_some(path)
}

/// `git mv`, which takes changes along that no commit holds.
fn is_move_in_git(run: &Invocation) -> bool {
    &*run.program == "git" && run.arguments.iter().any(|word| word.known().is_some_and(|word| word == "mv"))
}

/// Whether a program of which nothing is known is given the directory, or a file there together with something else that it could move.
fn is_told(run: &Invocation, directory: &str, there: &dyn Fn(&str) -> bool) -> bool {
    let name = directory.rsplit('/').next().unwrap_or(directory);
    let (told, others): (Vec<_>, Vec<_>) =
        run.arguments.iter().partition(|argument| argument.shown().contains(name));
    let says_more = told.iter().any(|argument| !is_file_below(argument, directory, name));
    !run.described
        && !told.is_empty()
        && (says_more || others.iter().any(|argument| may_be_there(argument, there)))
}

/// Whether an argument is the path of one file below a directory and nothing else: words and lists may say what is to be moved there.
fn is_file_below(argument: &Value, directory: &str, name: &str) -> bool {
    let Some(word) = argument.known() else { return false };
    let path = after_option(&word);
    let relative = path.strip_prefix("./").unwrap_or(path);
    let rest = path.strip_prefix(directory).or_else(|| relative.strip_prefix(name));
    let is_below = rest.is_some_and(|rest| rest.len() > 1 && rest.starts_with('/'));
    is_below && !path.contains(|mark: char| mark.is_whitespace() || ",:;=".contains(mark))
}

/// The value of an option that is written with it: `--config=x`.
fn after_option(word: &str) -> &str {
    let value = word.split_once('=').filter(|_| word.starts_with('-'));
    value.map_or(word, |(_, value)| value)
}

/// Whether an argument may name something that is there.
fn may_be_there(argument: &Value, there: &dyn Fn(&str) -> bool) -> bool {
    let Some(word) = argument.known() else { return true };
    let path = after_option(&word);
    !path.is_empty() && !path.starts_with('-') && there(path)
}

/// Whether something may stand at a path as it is written: where the text goes elsewhere, only whole paths are looked at.
fn stands(path: &str, shell: &Analysis, call: &Call, exec: &Exec, world: &dyn World) -> bool {
    let is_whole = path.starts_with('/');
    let goes = |run: &Invocation| matches!(&*run.program, "cd" | "pushd" | "popd");
    let is_elsewhere = !is_whole && (exec.is_adrift() || shell.invocations.iter().any(goes));
    let path = if is_whole { path.to_owned() } else { format!("{}/{path}", call.cwd.as_str()) };
    is_elsewhere || world.standing(&path) != Some(Standing::Absent)
}

/// Whether an effect may put something into a directory that is nowhere else: what is moved, and links in its place.
fn fills(effect: &Effect, directory: &str) -> bool {
    let Target::Path(path) = &effect.target else { return false };
    let is_below = path.path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'));
    let is_moved = effect.verb == Verb::Delete && effect.flags.has(Flags::MOVE);
    (is_moved || effect.verb == Verb::Link) && !is_below
}
