//! Deletions of what tools generated, and can generate again.
//!
//! Nothing is lost by such a deletion but time. It is one when all of this holds, and nothing of it is in doubt:
//!
//! - what goes lies in the workspace, below a directory with a name that tools give (`names.rs`), and no link leads elsewhere;
//! - the repository leaves that directory out by its own rules, and no index names anything in it (`repository.rs`); where there is no repository, nobody
//!   but tools gives such a name, or nothing is there; or the text itself makes it again (`remade.rs`);
//! - nothing is mounted there, and it is no repository of its own;
//! - the text has not itself put something there, nor changed what the repository says (`doings.rs`).
//!
//! It is a fact, not an opinion: whether somebody is asked all the same, the policy says.

mod doings;
mod names;
mod remade;
mod repository;
mod search;
#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the repositories of tests are on the disk")]
mod tests;

use herm_shell::analysis::NoteKind;
use herm_shell::place::Extent;
use herm_shell::world::{Standing, World};
use herm_shell::{Analysis, Effect, Flags, PathTarget, Places, Realm, Target, Verb};

use crate::call::Call;
use crate::git::ignore::Kind;
use names::Name;
use remade::Remade;
use repository::{Repositories, meets};

/// Says of every deletion of what can be generated again that it is one.
pub(crate) fn mark(shell: &mut Analysis, call: &Call, world: &dyn World) {
    let remade = Remade::of(shell);
    if !shell.effects.iter().any(|effect| may_be_among(effect, &remade)) {
        return;
    }
    let mut site = Site::new(call, world, remade);
    let found: Vec<bool> = (0..shell.effects.len()).map(|at| site.is_regenerable(shell, at)).collect();
    for (effect, found) in shell.effects.iter_mut().zip(found) {
        if found {
            effect.flags |= Flags::REGENERABLE;
        }
    }
}

/// Where a text runs.
struct Site<'a> {
    call: &'a Call,
    world: &'a dyn World,
    repositories: Repositories<'a>,
    /// What is worked on: the repository around the working directory, or else that directory. Nothing is known of a place that is no project's.
    workspace: Option<String>,
    /// What the text makes again.
    remade: Remade,
    /// How many deletions are still looked at.
    left: usize,
}

/// More than a person writes into one command.
const MOST: usize = 64;

impl<'a> Site<'a> {
    fn new(call: &'a Call, world: &'a dyn World, remade: Remade) -> Self {
        let mut repositories = Repositories::new(world);
        let cwd = call.cwd.as_str();
        let real = world.resolve(cwd).unwrap_or_else(|| cwd.to_owned());
        let top = repositories.top_of(&format!("{}/.", real.trim_end_matches('/')));
        let workspace = top.unwrap_or(real);
        let home = call.principal.home.as_str();
        let is_project = !is_within(home, &workspace) && !is_within(&real_home(home, world), &workspace);
        Self { call, world, repositories, workspace: is_project.then_some(workspace), remade, left: MOST }
    }

    fn is_regenerable(&mut self, shell: &Analysis, at: usize) -> bool {
        let effect = shell.effects.get(at).filter(|effect| may_be_among(effect, &self.remade));
        let Some(effect) = effect else { return false };
        let Target::Path(path) = &effect.target else { return false };
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return false;
        }
        match path.extent {
            Extent::Exact => is_named_as_it_is(path) && self.is_output(shell, at, &path.path),
            // Where a link is on the way, `..` leads to another directory than the names say.
            Extent::Children | Extent::Pattern if path.shown.split('/').any(|name| name == "..") => false,
            Extent::Children => self.is_output(shell, at, &path.path),
            Extent::Pattern => self.finds_output(shell, at, effect, path),
            Extent::Prefix | Extent::Unknown => false,
        }
    }

    /// Whether a path is, or lies in, a directory that was generated.
    fn is_output(&mut self, shell: &Analysis, at: usize, path: &str) -> bool {
        let Some(top) = self.repository_of(path) else { return self.is_tools_alone(shell, at, path) };
        let Some(inside) = below(path, &top).map(str::to_owned) else { return false };
        if self.world.resolve(path).is_some() {
            return false;
        }
        let ends = inside.match_indices('/').map(|(end, _)| end).chain([inside.len()]);
        let outputs = ends.filter_map(|end| inside.get(..end)).filter_map(|output| {
            let last = output.rsplit('/').next()?;
            let remade = self.remade.name(last);
            Some((output, names::of(last).copied().or(remade)?, remade.is_some()))
        });
        let outputs: Vec<_> = outputs.collect();
        outputs.into_iter().any(|(output, name, is_remade)| {
            self.is_generated(shell, at, &format!("{top}/{output}"), &name, |site, kind| {
                is_remade || site.repositories.leaves_out(&top, output, kind)
            })
        })
    }

    /// Whether a path outside any repository is, or lies in, what has a name in the workspace that nobody but tools gives.
    fn is_tools_alone(&mut self, shell: &Analysis, at: usize, path: &str) -> bool {
        let Some(workspace) = self.workspace.clone() else { return false };
        let Some(inside) = below(path, &workspace) else { return false };
        if self.world.resolve(path).is_some() || !self.is_of_no_repository(path) {
            return false;
        }
        let ends = inside.match_indices('/').map(|(end, _)| end).chain([inside.len()]);
        let mut outputs = ends.filter_map(|end| inside.get(..end)).filter_map(|output| {
            let last = output.rsplit('/').next()?;
            let place = format!("{workspace}/{output}");
            let is_absent =
                !is_behind_unknown(shell, at) && self.world.standing(&place) == Some(Standing::Absent);
            let telling = names::of(last).copied().filter(|name| name.is_telling || is_absent);
            Some((place, telling.or_else(|| self.remade.name(last))?))
        });
        outputs.any(|(place, name)| self.is_as_generated(shell, at, &place, &name).is_some())
    }

    /// Whether a path lies in the workspace, and no repository holds it.
    fn is_of_no_repository(&self, path: &str) -> bool {
        let is_inside = self.workspace.as_ref().is_some_and(|workspace| below(path, workspace).is_some());
        is_inside && self.repositories.are_none(path)
    }

    /// Whether what stands at a place of a repository was generated: something says so, and no repository has anything of it.
    fn is_generated(
        &mut self,
        shell: &Analysis,
        at: usize,
        place: &str,
        name: &Name,
        is_output: impl FnOnce(&mut Self, Kind) -> bool,
    ) -> bool {
        self.is_as_generated(shell, at, place, name)
            .is_some_and(|kind| is_output(self, kind) && self.repositories.have_none(place, meets))
    }

    /// What stands at a place, if it is what tools make and nothing else has come there.
    fn is_as_generated(&self, shell: &Analysis, at: usize, place: &str, name: &Name) -> Option<Kind> {
        let standing = self.world.standing(place);
        let kind = if standing == Some(Standing::Directory) { Kind::Directory } else { name.kind };
        let is_as_named = match standing {
            Some(Standing::Absent | Standing::Directory) => true,
            Some(Standing::File) => kind == Kind::File,
            Some(Standing::Link | Standing::Other) | None => false,
        };
        let holds = |what: &str| self.world.standing(&format!("{place}/{what}")) != Some(Standing::Absent);
        let is_in_use = is_within(self.call.cwd.as_str(), place);
        let is_so = is_as_named
            && !is_in_use
            && !holds(".git")
            && !name.unless.is_some_and(holds)
            && self.world.mounts(place).is_some_and(|mounts| mounts.is_empty())
            && !doings::spoil(shell, &self.remade, at, place);
        is_so.then_some(kind)
    }

    /// The repository that a path belongs to, where that is known and of the workspace.
    fn repository_of(&mut self, path: &str) -> Option<String> {
        let workspace = self.workspace.clone()?;
        below(path, &workspace)?;
        let top = self.repositories.top_of(path)?;
        is_within(&top, &workspace).then_some(top)
    }
}

/// Whether a program that nobody knows ran before an effect: what it left nobody knows either.
fn is_behind_unknown(shell: &Analysis, at: usize) -> bool {
    let start = shell.effects.get(at).map_or(0, |effect| effect.span.start);
    let is_unknown = |kind| matches!(kind, NoteKind::AbsentScript | NoteKind::UnknownProgram);
    shell.notes.iter().any(|note| is_unknown(note.kind) && note.span.start < start)
}

/// Whether an effect could be a deletion of what was generated, whatever else the text does.
pub(crate) fn may_be(effect: &Effect) -> bool {
    may_be_among(effect, &Remade::default())
}

/// Whether an effect could be a deletion of what was generated: here, with the rights of whoever runs it, and for good.
fn may_be_among(effect: &Effect, remade: &Remade) -> bool {
    let Target::Path(path) = &effect.target else { return false };
    effect.verb == Verb::Delete
        && effect.realm == Realm::Here
        && !effect.privileged
        && !effect.flags.any(Flags::MOVE | Flags::IRREVERSIBLE | Flags::DISGUISED)
        && !path.places.any(PRECIOUS)
        && is_called_like_output(path, remade)
}

/// Whether everything with this name, or that matches this pattern of names, was made by tools.
pub(crate) fn is_name_of_tools(pattern: &str) -> bool {
    names::of_pattern(pattern).is_some_and(|name| name.is_telling)
}

/// Whether the names alone do not rule it out: most deletions need no look at the repository.
fn is_called_like_output(path: &PathTarget, remade: &Remade) -> bool {
    let mut written = path.path.split('/').chain(path.shown.split('/')).filter(|name| !name.is_empty());
    written.any(|name| {
        names::of(name).is_some() || names::of_pattern(name).is_some() || remade.name(name).is_some()
    })
}

/// Places that no tool generates, whatever they are called.
pub(crate) const PRECIOUS: Places = Places::ROOT
    .and(Places::SYSTEM_DIR)
    .and(Places::SYSTEM_CONFIG)
    .and(Places::HOME)
    .and(Places::CREDENTIAL)
    .and(Places::SSH)
    .and(Places::SHELL_STARTUP)
    .and(Places::PERSISTENCE)
    .and(Places::GUARD)
    .and(Places::OWN)
    .and(Places::BLOCK_DEVICE)
    .and(Places::KERNEL)
    .and(Places::MEMORY)
    .and(Places::GIT_DIR)
    .and(Places::PROJECT_ENV)
    .and(Places::CONTAINER_SOCKET)
    .and(Places::AUTHORITY)
    .and(Places::HISTORY)
    .and(Places::LOG)
    .and(Places::UNKNOWN);

/// Whether the last name that is written is the last one of where it leads: a link would have another.
fn is_named_as_it_is(path: &PathTarget) -> bool {
    let last = |path: &str| path.trim_end_matches('/').rsplit('/').next().map(str::to_owned);
    last(&path.shown) == last(&path.path)
}

/// What of a path is below a directory; nothing where it is the directory itself, or elsewhere.
fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(directory.trim_end_matches('/'))?.strip_prefix('/')?;
    (!rest.is_empty()).then_some(rest)
}

/// Whether a path is a directory or lies in it.
fn is_within(path: &str, directory: &str) -> bool {
    path.trim_end_matches('/') == directory.trim_end_matches('/') || below(path, directory).is_some()
}

fn real_home(home: &str, world: &dyn World) -> String {
    world.resolve(home).unwrap_or_else(|| home.to_owned())
}
