//! The names of one file: as written, as it looks, where links lead, and what else is the very same file.

use herm_shell::place::{GUARDS_PROGRAM, resolve, well_known};
use herm_shell::world::World;
use herm_shell::{PathTarget, Value};

use crate::call::Call;

/// Every name under which a path must be judged. The first is the one that was written.
pub(crate) fn names(call: &Call, path: &str, world: &dyn World) -> Vec<PathTarget> {
    let mut names: Vec<PathTarget> = Vec::new();
    for spelling in spellings(call, path) {
        let written = named(call, &spelling);
        let real = world.resolve(&physical(call, &spelling)).or_else(|| world.resolve(&written.path));
        let linked = real.map(|real| named(call, &real));
        for name in std::iter::once(written).chain(linked) {
            if !names.iter().any(|known| known.path == name.path) {
                names.push(name);
            }
        }
    }
    for name in names.iter_mut().filter(|name| world.guard() == Some(name.path.as_str())) {
        name.places |= GUARDS_PROGRAM;
    }
    let twins = twins(call, &names, world);
    names.into_iter().chain(twins).collect()
}

/// As written, and as a file tool or a person might take it: without what cannot be seen, as a path instead of a URL,
/// with the home directory filled in.
pub(crate) fn spellings(call: &Call, path: &str) -> Vec<String> {
    let home = call.principal.home.as_str();
    let plain = herm_scan::plain(path);
    let local = plain.strip_prefix("file://").unwrap_or(&plain);
    let filled = ["${HOME}", "$HOME", "~"]
        .iter()
        .find_map(|name| local.strip_prefix(name).filter(|rest| rest.is_empty() || rest.starts_with('/')));
    let filled = filled.map_or_else(|| local.to_owned(), |rest| format!("{home}{rest}"));
    let mut spellings = vec![path.to_owned()];
    spellings.extend((filled != path).then_some(filled));
    // Tools that trim what they are given open another file than those that do not.
    let trimmed = path.trim_matches(|letter: char| letter.is_whitespace() || letter.is_control());
    if trimmed != path && !trimmed.is_empty() {
        spellings.extend(self::spellings(call, trimmed));
    }
    spellings
}

fn named(call: &Call, path: &str) -> PathTarget {
    resolve(&Value::literal(path), Some(call.cwd.as_str()), call.principal.home.as_str())
}

/// The path with its `..` in place: behind a link they lead elsewhere than they seem to.
fn physical(call: &Call, path: &str) -> String {
    let home = call.principal.home.as_str();
    match path.strip_prefix("~/") {
        Some(rest) => format!("{home}/{rest}"),
        None if path.starts_with('/') => path.to_owned(),
        None => format!("{}/{path}", call.cwd),
    }
}

/// Well-known files that one of the names is a hard link to.
fn twins(call: &Call, names: &[PathTarget], world: &dyn World) -> Vec<PathTarget> {
    let is_twin =
        |known: &String| names.iter().any(|name| name.path != *known && world.same_file(&name.path, known));
    well_known(call.principal.home.as_str()).filter(is_twin).map(|path| named(call, &path)).collect()
}
