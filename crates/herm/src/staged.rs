//! Secrets that a directory takes along into a commit: `git add -A` where `.env` lies and no rule leaves it out, `git commit -a` where one that the
//! repository has already is another one by now.
//!
//! Nobody lists directories: the usual names of secrets are looked for in what is added. What the repository has already is in its history anyway, as it was.
//! Whether it is as it was, the index says, by the length and the time that git itself goes by; where the index is not understood, what lies beside it counts as changed.

use std::path::Path;

use herm_shell::place::{self, Extent};
use herm_shell::world::{Script, Standing, World};
use herm_shell::{Analysis, Effect, Flags, Realm, Target, Value, Verb};

use crate::call::Call;
use crate::git::ignore::{Ignore, Kind, Said};
use crate::git::index::{Counted, Hash, Index, Stamp};

/// More directories than a person adds at once.
const MOST: usize = 8;

/// Names under which secrets lie in a project.
const NAMES: &[&str] = &[
    ".env",
    ".env.local",
    ".env.production",
    ".env.development",
    ".env.staging",
    ".netrc",
    ".pgpass",
    ".pypirc",
    "credentials.json",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "key.pem",
    "private.key",
    "private.pem",
    "server.key",
    "service-account.json",
];

/// Says of every secret that is added with its directory that it is.
pub(crate) fn mark(shell: &mut Analysis, call: &Call, world: &dyn World) {
    let mut found = Vec::new();
    for effect in shell.effects.iter().filter(|effect| is_staged(effect)).take(MOST) {
        let Some(directory) = directory(effect, world) else { continue };
        let changed = changed(directory, effect.flags.has(Flags::RECURSIVE), world);
        let is_known_only = effect.flags.has(Flags::NARROWED);
        let added = if is_known_only { Vec::new() } else { added(directory, effect, call, world) };
        for path in added.into_iter().chain(changed) {
            let value = Value::literal(path.as_str());
            let target = place::resolve(&value, Some(call.cwd.as_str()), call.principal.home.as_str());
            found.push(Effect { target: Target::Path(target), ..effect.clone() });
        }
    }
    shell.effects.append(&mut found);
}

/// The secrets of a directory that its repository does not have yet.
fn added(directory: &str, effect: &Effect, call: &Call, world: &dyn World) -> Vec<String> {
    let forced = effect.flags.has(Flags::FORCE);
    let paths = NAMES.iter().map(|name| format!("{}/{name}", directory.trim_end_matches('/')));
    paths.filter(|path| is_added(path, forced, call, world)).collect()
}

/// The secrets that the repository of a directory has otherwise: all of them, or those below the directory.
fn changed(directory: &str, all: bool, world: &dyn World) -> Vec<String> {
    let top = top(&format!("{}/.", directory.trim_end_matches('/')), world);
    let Some(bytes) = world.bytes(&format!("{top}/.git/index")) else { return Vec::new() };
    let is_named = |name: &Path| name.file_name().and_then(|last| last.to_str()).is_some_and(is_of_a_secret);
    let Some(known) = Index::files(&bytes, Hash::Sha1, is_named) else {
        return beside(directory, world);
    };
    let known =
        known.into_iter().filter_map(|(name, stamp)| Some((format!("{top}/{}", name.to_str()?), stamp)));
    let is_meant = |path: &str| all || Path::new(path).starts_with(directory);
    let known = known.filter(|(path, stamp)| is_meant(path) && !is_as_it_was(path, *stamp, world));
    known.take(MOST).map(|(path, _)| path).collect()
}

/// Whether a name is one that secrets have; what it stands beside, the rule looks at.
fn is_of_a_secret(name: &str) -> bool {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    name.starts_with(".env") || NAMES.contains(&name) || ENDS.contains(&end)
}

/// What names of keys end with.
const ENDS: &[&str] = &["jks", "kdbx", "keystore", "p12", "pem", "pfx"];

/// The secrets that lie in a directory, whatever its repository has.
fn beside(directory: &str, world: &dyn World) -> Vec<String> {
    let paths = NAMES.iter().map(|name| format!("{}/{name}", directory.trim_end_matches('/')));
    paths.filter(|path| world.standing(path) == Some(Standing::File)).collect()
}

/// Whether a file is what the index says. One that is gone takes nothing along.
fn is_as_it_was(path: &str, stamp: Stamp, world: &dyn World) -> bool {
    if world.standing(path) == Some(Standing::Absent) {
        return true;
    }
    let same = |number: u32, other: i64| i64::from(number) == other;
    world.written(path).is_some_and(|now| {
        u64::from(stamp.length) == now.length
            && same(stamp.written.0, now.seconds)
            && same(stamp.written.1, now.nanos)
    })
}

fn is_staged(effect: &Effect) -> bool {
    effect.verb == Verb::Read
        && effect.realm == Realm::Here
        && effect.flags.has(Flags::TRACKED.and(Flags::METADATA))
}

/// The directory that is added, or whose files are.
fn directory<'e>(effect: &'e Effect, world: &dyn World) -> Option<&'e str> {
    let Target::Path(path) = &effect.target else { return None };
    let is_whole = match path.extent {
        Extent::Children => true,
        Extent::Exact => world.standing(&path.path) == Some(Standing::Directory),
        Extent::Pattern | Extent::Prefix | Extent::Unknown => false,
    };
    is_whole.then_some(path.path.as_str())
}

fn is_added(path: &str, forced: bool, call: &Call, world: &dyn World) -> bool {
    if world.standing(path) != Some(Standing::File) {
        return false;
    }
    let top = top(path, world);
    !is_tracked(path, &top, world) && (forced || !is_left_out(path, &top, call, world))
}

/// The directory of the repository; where none is yet, one is made where the file lies.
fn top(path: &str, world: &dyn World) -> String {
    let mut above = path.rmatch_indices('/').filter_map(|(end, _)| path.get(..end));
    let nearest = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let is_top = |directory: &&str| {
        matches!(
            world.standing(&format!("{directory}/.git")),
            Some(Standing::Directory | Standing::File | Standing::Link)
        )
    };
    above.find(is_top).unwrap_or(nearest).to_owned()
}

fn is_tracked(path: &str, top: &str, world: &dyn World) -> bool {
    let Some(inside) = path.strip_prefix(top).map(|rest| rest.trim_start_matches('/')) else { return false };
    let index = world.bytes(&format!("{top}/.git/index"));
    let index = index.and_then(|bytes| Index::read(&bytes, Hash::Sha1, Counted::All));
    index.is_some_and(|index| index.links.iter().any(|name| name == Path::new(inside)))
}

/// Whether the rules nearest to a file that say anything leave it out, or a directory that it lies in.
fn is_left_out(path: &str, top: &str, call: &Call, world: &dyn World) -> bool {
    let levels = path.rmatch_indices('/').filter_map(|(end, _)| path.get(..end));
    let levels = levels.take_while(|directory| directory.len() >= top.len());
    let own = levels.map(|directory| (directory.to_owned(), format!("{directory}/.gitignore")));
    let exclude = (top.to_owned(), format!("{top}/.git/info/exclude"));
    let users = (top.to_owned(), format!("{}/.config/git/ignore", call.principal.home.as_str()));
    let said = own.chain([exclude, users]).find_map(|(from, file)| {
        let Script::Text(text) = world.script(&file) else { return None };
        let inside = path.strip_prefix(&from)?.trim_start_matches('/').to_owned();
        says(&text, &inside)
    });
    said == Some(Said::LeftOut)
}

/// What rules say of a file; those that are not understood leave out what stands in them.
fn says(rules: &str, inside: &str) -> Option<Said> {
    let Some(rules) = Ignore::read(rules) else {
        let name = inside.rsplit('/').next().unwrap_or(inside);
        let is_named = rules.lines().any(|line| line.trim().trim_start_matches('/') == name);
        return is_named.then_some(Said::LeftOut);
    };
    let mut above = inside.match_indices('/').filter_map(|(end, _)| inside.get(..end));
    if above.any(|directory| rules.says(directory, Kind::Directory) == Some(Said::LeftOut)) {
        return Some(Said::LeftOut);
    }
    rules.says(inside, Kind::File)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_leave_a_file_out_by_its_name_or_its_directory() {
        assert_eq!(says(".env\n", ".env"), Some(Said::LeftOut));
        assert_eq!(says("*.local\n", ".env"), None);
        assert_eq!(says(".env*\n!.env\n", ".env"), Some(Said::Kept));
        assert_eq!(says("conf/\n", "conf/.env"), Some(Said::LeftOut));
    }
}
