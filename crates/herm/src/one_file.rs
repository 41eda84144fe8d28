//! Deletions of one file, written as if it were a directory: `rm -rf notes.txt`.
//!
//! Nothing lies below a file. Where the world shows one at the very path, the recursion means nothing, and it is what `rm notes.txt` is.

use herm_shell::place::Extent;
use herm_shell::world::{Standing, World};
use herm_shell::{Analysis, Effect, Flags, PathTarget, Realm, Target, Verb};

/// Says of every such deletion that it is one.
pub(crate) fn mark(shell: &mut Analysis, world: &dyn World) {
    let put: Vec<String> = shell.effects.iter().filter_map(put).map(|path| path.path.clone()).collect();
    let moves_anywhere = shell.effects.iter().any(is_put_somewhere);
    if moves_anywhere {
        return;
    }
    for effect in shell.effects.iter_mut().filter(|effect| recursive(effect).is_some()).take(MOST) {
        let is_one = recursive(effect).is_some_and(|path| {
            !path.shown.ends_with('/')
                && !put.iter().any(|other| may_be_below(other, &path.path))
                && world.resolve(&path.path).is_none()
                && world.standing(&path.path) == Some(Standing::File)
        });
        if is_one {
            effect.flags |= Flags::ONE_FILE;
        }
    }
}

/// More than a person writes into one command.
const MOST: usize = 64;

/// The path of a recursive deletion of exactly one thing on this machine.
fn recursive(effect: &Effect) -> Option<&PathTarget> {
    let Target::Path(path) = &effect.target else { return None };
    let is_one = effect.verb == Verb::Delete
        && effect.flags.has(Flags::RECURSIVE)
        && !effect.flags.any(Flags::MOVE | Flags::DISGUISED)
        && effect.realm == Realm::Here
        && path.extent == Extent::Exact;
    is_one.then_some(path)
}

/// What the text puts somewhere, which may be a directory by then.
fn put(effect: &Effect) -> Option<&PathTarget> {
    let Target::Path(path) = &effect.target else { return None };
    (matches!(effect.verb, Verb::Link | Verb::Write) && effect.realm == Realm::Here).then_some(path)
}

/// The same where nobody knows the place.
fn is_put_somewhere(effect: &Effect) -> bool {
    put(effect).is_some_and(|path| path.extent == Extent::Unknown || !path.path.starts_with('/'))
}

/// Whether a write to one path may make a directory of another: in its place, below it or above it.
fn may_be_below(written: &str, deleted: &str) -> bool {
    let (written, deleted) = (written.trim_end_matches('/'), deleted.trim_end_matches('/'));
    written.starts_with(deleted) || deleted.starts_with(written)
}
