//! The directory for temporary files that the environment names.

use super::machine::Machine;
use super::step::Step;
use crate::analysis::Invocation;
use crate::effect::{Effect, Flags, Realm, Target, Verb};
use crate::place::{self, Extent, PathTarget, Places};
use crate::value::Value;

/// Where losing something matters, whatever a variable says of it.
const PRECIOUS: Places = Places::ROOT
    .and(Places::SYSTEM_DIR)
    .and(Places::SYSTEM)
    .and(Places::HOME)
    .and(Places::CREDENTIAL)
    .and(Places::PERSISTENCE)
    .and(Places::GUARD)
    .and(Places::OWN)
    .and(Places::GIT_DIR)
    .and(Places::WORKSPACE_ROOT)
    .and(Places::ABOVE_WORKSPACE);

impl Machine<'_> {
    /// Marks what lies below `$TMPDIR` as temporary.
    ///
    /// What counts is what whoever started the guard was given, not what a text sets. A repository may set variables for its agent,
    /// too: so the directory must also be called as such directories are, and be nothing precious by itself.
    pub(super) fn mark_temporary(&self, target: &mut PathTarget, directory: Option<&str>) {
        if target.places.has(Places::TEMPORARY)
            || !matches!(target.extent, Extent::Exact | Extent::Children | Extent::Pattern)
        {
            return;
        }
        let Some(named) = self.setting.world.variable("TMPDIR").filter(|named| named.starts_with('/')) else {
            return;
        };
        let real = self.setting.world.resolve(named.trim_end_matches('/'));
        let counts = [Some(named), real].into_iter().flatten().any(|scratch| {
            let scratch = place::resolve(&Value::literal(scratch), directory, self.setting.home);
            is_called_temporary(&scratch.path)
                && !scratch.places.any(PRECIOUS)
                && is_below(target, &scratch.path)
        });
        if counts {
            target.places |= Places::TEMPORARY;
        }
    }
}

impl Step<'_, '_> {
    /// Whether a path is that of a directory that `mktemp` has made for the text, or lies in one, and nothing that was elsewhere may be there.
    pub(super) fn lies_in_new(&self, path: &Value) -> bool {
        let target = self.machine.target(&self.whole(path), &self.scope);
        let is_new = |effect: &Effect| {
            let Target::Path(made) = &effect.target else { return false };
            let is_made =
                effect.verb == Verb::Write && effect.flags.has(Flags::FRESH) && effect.realm == Realm::Here;
            let holds = target
                .path
                .strip_prefix(&made.path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            is_made && made.extent == Extent::Exact && holds
        };
        let brings = |effect: &Effect| {
            matches!(effect.verb, Verb::Link | Verb::Mount)
                || effect.verb == Verb::Delete && effect.flags.has(Flags::MOVE)
        };
        let out = &self.machine.out;
        target.extent == Extent::Exact
            && self.scope.realm == Realm::Here
            && out.gaps.is_empty()
            && out.effects.iter().any(is_new)
            && !out.effects.iter().any(brings)
            && !out.invocations.iter().any(moves_in_git)
    }
}

/// `git mv`, `git worktree move`: changes that no commit holds go along.
fn moves_in_git(run: &Invocation) -> bool {
    let moves = |word: &Value| word.known().is_none_or(|word| matches!(&*word, "move" | "mv"));
    &*run.program == "git"
        && run.arguments.iter().take_while(|word| word.known().is_none_or(|word| word != "remove")).any(moves)
}

fn is_below(target: &PathTarget, directory: &str) -> bool {
    match target.path.strip_prefix(directory) {
        Some("") => target.extent == Extent::Children,
        Some(rest) => rest.starts_with('/'),
        None => false,
    }
}

/// `tmp`, `temp`, `.tmp`, `claude-tmp`, `tmp.Xy12`, and the `T` of macOS.
fn is_called_temporary(path: &str) -> bool {
    path.split('/').any(|name| {
        let name = name.to_ascii_lowercase();
        name == "t"
            || name
                .split(|letter: char| !letter.is_ascii_alphanumeric())
                .any(|part| matches!(part, "tmp" | "temp"))
    })
}
