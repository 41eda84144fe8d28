//! What kinds of place a path may be.

use std::borrow::Cow;

use super::Places;
use super::component::{Component, spelled};
use super::index::{Bucket, Entry, INDEX};
use super::table::DEPLOYED;

/// Where a person stands: what a path is, is also a question of who asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standpoint<'a> {
    /// The home directory.
    pub(super) home: &'a [Component],
    /// The working directory, when it is known.
    pub(super) directory: Option<&'a [Component]>,
}

/// What kinds of place an absolute path may be.
pub(super) fn absolute(path: &[Component], standpoint: Standpoint<'_>) -> Places {
    let real = unalias(path);
    let below_home = below_home(&real, standpoint.home);
    let view = View { path: &real, below_home, anchored: true };
    let mut places = view.tables() | root(&real) | homes(&real, below_home);
    if let Some(directory) = standpoint.directory {
        places |= workspace(&real, &unalias(directory), standpoint.home);
    }
    let own_project = places.has(Places::WORKSPACE) && DEPLOYED.iter().any(|name| view.is(name));
    if own_project { places.without(Places::SYSTEM) } else { places }
}

/// What kinds of place a path may be of which only the end is known: the names that tell by themselves.
pub(super) fn ending(path: &[Component]) -> Places {
    View { path, below_home: Some(path), anchored: false }.tables() | Places::UNKNOWN
}

/// A path, as the tables look at it.
struct View<'a> {
    path: &'a [Component],
    /// What follows the home directory.
    below_home: Option<&'a [Component]>,
    /// Whether the beginning of the path is known.
    anchored: bool,
}

impl View<'_> {
    /// What the tables say. The index leaves few names to look at.
    fn tables(&self) -> Places {
        let (mut places, mut exceptions, mut certain) = (Places::NONE, Places::NONE, Places::NONE);
        let is_pattern = self.path.iter().any(Component::has_glob);
        let mut add = |entry: &Entry| {
            let kind = if entry.exception {
                if !self.is_meant_for(entry.name) {
                    return;
                }
                &mut exceptions
            } else if is_pattern && self.says_no_more_than(entry.name) {
                &mut certain
            } else {
                &mut places
            };
            *kind |= entry.places;
        };
        self.candidates().filter(|entry| self.is(entry.name)).for_each(&mut add);
        if self.path.last().is_some_and(is_telling) {
            anywhere(&INDEX.anywhere, self.path).for_each(&mut add);
        }
        if let Some(rest) = self.below_home.filter(|_| !self.anchored) {
            anywhere(&INDEX.home_anywhere, rest).for_each(&mut add);
        }
        places.without(exceptions) | certain
    }

    /// Whether a pattern leaves no doubt that it is meant for what is an exception: `c*` may be `config` and anything else.
    fn is_meant_for(&self, exception: &str) -> bool {
        let last = exception.rsplit('/').next().unwrap_or(exception);
        last.contains('*') || self.path.last().is_none_or(|own| !own.has_glob() || own.points_at(last))
    }

    /// Whether a pattern that may be this file takes it along, whatever exceptions it matches besides: `.env*` is `.env` and
    /// `.env.example`, but `.env.ex*` says more than `.env.*`.
    fn says_no_more_than(&self, name: &str) -> bool {
        let last = name.rsplit('/').next().unwrap_or(name);
        last != "**"
            && self.path.last().is_some_and(|own| !last.contains('*') || own.spelled() <= spelled(last))
    }

    /// The names that the path may be, but for those that may stand anywhere in it.
    fn candidates(&self) -> impl Iterator<Item = &Entry> {
        let below = self.below_home.unwrap_or_default();
        let (start, end) = if self.anchored { (below, None) } else { (&[][..], below.last()) };
        let rooted = INDEX.rooted.leading(self.path);
        let homely = INDEX.home.leading(start);
        let homely_end = end.into_iter().flat_map(|last| INDEX.home_ending.named(last));
        let ending = self.path.last().into_iter().flat_map(|last| INDEX.ending.named(last));
        rooted.chain(homely).chain(homely_end).chain(ending)
    }

    /// Whether nobody works there: what the system consists of stands at fixed places.
    fn is_of_the_system(&self) -> bool {
        let nobodys = Places::SYSTEM_DIR | Places::SYSTEM_CONFIG;
        INDEX
            .rooted
            .leading(self.path)
            .any(|entry| !entry.exception && entry.places.any(nobodys) && self.is(entry.name))
    }

    fn is(&self, name: &str) -> bool {
        if let Some(name) = name.strip_prefix("~/") {
            self.below_home
                .is_some_and(|rest| if self.anchored { starts_at(name, rest) } else { ends_with(name, rest) })
        } else if let Some(name) = name.strip_prefix('/') {
            self.anchored && starts_at(name, self.path)
        } else if name.starts_with("c:/") || name.starts_with('%') {
            starts_at(name, self.path)
        } else {
            let last = name.rsplit('/').next().unwrap_or(name);
            self.path.last().is_some_and(|own| is_telling(own) || own.points_at(last)) && self.ends_with(name)
        }
    }

    /// Whether the path ends as the name says. A kind of file alone is no name: `$page.json` is not taken for `logins.json`.
    fn ends_with(&self, name: &str) -> bool {
        let is_named = name.contains(['/', '*']) || !self.path.last().is_some_and(Component::is_only_kind);
        is_named && ends_with(name, self.path)
    }
}

/// The directories that stand somewhere in a path.
fn anywhere<'a>(bucket: &'a Bucket, path: &'a [Component]) -> impl Iterator<Item = &'a Entry> {
    path.iter().enumerate().flat_map(move |(start, component)| {
        let rest = path.get(start..).unwrap_or_default();
        bucket.named(component).filter(move |entry| starts_at(entry.plain(), rest))
    })
}

/// Whether a name says something wherever it stands. `*.json` may match a file of secrets, but rarely does.
fn is_telling(name: &Component) -> bool {
    !name.has_glob() || name.known_beginning().chars().nth(1).is_some()
}

/// Whether the path is what the name says, from its beginning.
fn starts_at(name: &str, path: &[Component]) -> bool {
    let (name, below) = name.strip_suffix("/**").map_or((name, false), |name| (name, true));
    let mut rest = path.iter();
    name.split('/').all(|part| rest.next().is_some_and(|component| component.may_be(part)))
        && (below || rest.next().is_none())
}

/// Whether the path is what the name says, from somewhere on.
fn ends_with(name: &str, path: &[Component]) -> bool {
    let parts = name.split('/').count();
    if name.ends_with("/**") {
        return (0..path.len()).any(|start| path.get(start..).is_some_and(|rest| starts_at(name, rest)));
    }
    path.len()
        .checked_sub(parts)
        .and_then(|start| path.get(start..))
        .is_some_and(|rest| starts_at(name, rest))
}

fn root(path: &[Component]) -> Places {
    let is_root = match path {
        [] => true,
        [only] => is_drive(only),
        _ => false,
    };
    if is_root { Places::ROOT } else { Places::NONE }
}

fn is_drive(component: &Component) -> bool {
    component.text().is_some_and(|text| {
        let mut letters = text.chars();
        letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.as_str() == ":"
    })
}

fn homes(path: &[Component], below_home: Option<&[Component]>) -> Places {
    match below_home {
        Some([]) => Places::HOME,
        Some(_) => Places::IN_HOME,
        None => match path {
            [only] if ["home", "users"].iter().any(|name| only.may_be(name)) => Places::HOME,
            [drive, users] if is_drive(drive) && users.may_be("users") => Places::HOME,
            _ => Places::NONE,
        },
    }
}

/// What follows a home directory: this person's, root's, or anyone's.
fn below_home<'a>(path: &'a [Component], home: &[Component]) -> Option<&'a [Component]> {
    if !home.is_empty() && path.len() >= home.len() && path.iter().zip(home).all(|(one, other)| one == other)
    {
        return path.get(home.len()..);
    }
    match path {
        [root, rest @ ..] if root.may_be("root") => Some(rest),
        [var, root, rest @ ..] if var.may_be("var") && root.may_be("root") => Some(rest),
        [profile, rest @ ..] if profile.may_be("%userprofile%") || profile.may_be("%homepath%") => Some(rest),
        [homes, _, rest @ ..] if homes.may_be("home") || homes.may_be("users") => Some(rest),
        [drive, users, _, rest @ ..] if is_drive(drive) && users.may_be("users") => Some(rest),
        _ => None,
    }
}

/// How the path stands to the working directory. A shell that stands in a system directory has no workspace.
fn workspace(path: &[Component], directory: &[Component], home: &[Component]) -> Places {
    let inside = path.len() >= directory.len() && path.iter().zip(directory).all(|(one, other)| one == other);
    let above = path.len() < directory.len() && path.iter().zip(directory).all(|(one, other)| one == other);
    let own = View { path: directory, below_home: below_home(directory, home), anchored: true };
    if above {
        Places::ABOVE_WORKSPACE
    } else if !inside || directory.is_empty() || own.is_of_the_system() {
        Places::NONE
    } else if path.len() == directory.len() {
        Places::WORKSPACE | Places::WORKSPACE_ROOT
    } else {
        Places::WORKSPACE
    }
}

/// The path by its usual name: `/private/etc` is `/etc`, `/proc/self/root/etc` too, `/mnt/c` is a drive.
fn unalias(path: &[Component]) -> Cow<'_, [Component]> {
    let path = rooted(path);
    match path {
        [private, real @ ..] if private.may_be("private") && real.first().is_some_and(is_private) => {
            renamed(real)
        }
        _ => renamed(path),
    }
}

fn is_private(component: &Component) -> bool {
    ["etc", "var", "tmp"].iter().any(|name| component.may_be(name))
}

/// The path without ways back to the root: `/proc/self/root`, macOS' data volume.
fn rooted(mut path: &[Component]) -> &[Component] {
    loop {
        path = match path {
            [proc, _, root, rest @ ..] if proc.may_be("proc") && root.is("root") => rest,
            [system, volumes, data, rest @ ..]
                if system.may_be("system")
                    && volumes.may_be("volumes")
                    && data.may_be("data")
                    && !rest.is_empty() =>
            {
                rest
            }
            _ => return path,
        }
    }
}

fn renamed(path: &[Component]) -> Cow<'_, [Component]> {
    let behind = |front: &[&str], rest: &[Component]| {
        Cow::Owned(front.iter().map(|name| Component::literal(name)).chain(rest.iter().cloned()).collect())
    };
    match path {
        [var, rest @ ..] if var.may_be("var") && rest.first().is_some_and(|run| run.may_be("run")) => {
            Cow::Borrowed(rest)
        }
        [mounts, drive, rest @ ..] if ["mnt", "cygdrive"].iter().any(|name| mounts.may_be(name)) => {
            match drive.text().filter(|text| is_drive(&Component::literal(&format!("{text}:")))) {
                Some(letter) => behind(&[&format!("{letter}:")], rest),
                None => Cow::Borrowed(path),
            }
        }
        [variable, rest @ ..] if ["%systemroot%", "%windir%"].iter().any(|name| variable.may_be(name)) => {
            behind(&["c:", "windows"], rest)
        }
        [variable, rest @ ..]
            if ["%systemdrive%", "%homedrive%"].iter().any(|name| variable.may_be(name)) =>
        {
            behind(&["c:"], rest)
        }
        _ => Cow::Borrowed(path),
    }
}
