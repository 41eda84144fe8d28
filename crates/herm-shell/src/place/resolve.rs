//! From a word to a path.

use super::classify::{Standpoint, absolute, ending};
use super::component::{Component, split};
use super::{Extent, PathTarget, Places};
use crate::value::{Piece, Value};

/// More bytes than a path can have that a kernel accepts, with room for what is unknown.
const LONGEST: usize = 16 * 1024;
/// More components than a path can have that a kernel accepts.
const DEEPEST: usize = 2048;

/// What a word is as a path, seen from the working directory (when that is known) and with this home directory.
///
/// A tilde is only a letter here: whoever expanded the word has replaced those that count.
#[must_use]
pub fn resolve(value: &Value, directory: Option<&str>, home: &str) -> PathTarget {
    let home = components(home);
    let directory = directory.map(components);
    let standpoint = Standpoint { home: &home, directory: directory.as_deref() };
    let shown = value.shown();
    if value.size() > LONGEST {
        return PathTarget { shown, path: String::new(), extent: Extent::Unknown, places: Places::UNKNOWN };
    }
    if value.known().is_some_and(|text| text.is_empty()) {
        return PathTarget { shown, path: String::new(), extent: Extent::Exact, places: Places::NONE };
    }
    let (base, words) = start(value, directory.as_deref());
    if words.len() > DEEPEST {
        return PathTarget { shown, path: String::new(), extent: Extent::Unknown, places: Places::UNKNOWN };
    }
    let target = match base {
        Some(base) => anchored(&walk(base, words), standpoint),
        None => adrift(&walk(Vec::new(), words), value, standpoint),
    };
    PathTarget { shown, places: target.places | named_temporary(value), ..target }
}

/// Where the path begins, if that is known, and the components from there on.
fn start(value: &Value, directory: Option<&[Component]>) -> (Option<Vec<Component>>, Vec<Component>) {
    let beginning = value.known_prefix();
    let windows = is_windows(&beginning);
    if let Some(path) = without_backslashes(&beginning) {
        return (Some(Vec::new()), components(&path));
    }
    let words = split(&value.pieces, windows);
    let base = if beginning.starts_with('/') || windows {
        Some(Vec::new())
    } else if words.first().is_some_and(Component::begins_with_hole) {
        None
    } else {
        directory.map(<[Component]>::to_vec)
    };
    (base, words)
}

/// Whether a path is written the Windows way: `C:\x`, `C:/x`, `C:`, `\\.\x`, `%TEMP%\x`.
fn is_windows(text: &str) -> bool {
    let mut letters = text.chars();
    let drive =
        letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.next() == Some(':');
    text.starts_with(r"\\")
        || text.starts_with('%')
        || drive && matches!(letters.next(), None | Some('\\' | '/'))
}

/// `C:\Windows\System32` where nothing quotes it: a shell takes the backslashes away. A path that reads so is none of
/// Unix, and is taken for what was meant.
fn without_backslashes(path: &str) -> Option<String> {
    let (drive, rest) = path.split_at_checked(2)?;
    let is_drive = drive.ends_with(':') && drive.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if !is_drive || rest.contains(['/', '\\']) {
        return None;
    }
    let lower = rest.to_ascii_lowercase();
    let name =
        ["windows", "users", "programdata", "program files"].iter().find(|name| lower.starts_with(**name))?;
    Some(format!("{drive}/{name}/{}", rest.get(name.len()..).unwrap_or_default()))
}

pub(super) fn components(path: &str) -> Vec<Component> {
    walk(Vec::new(), path.split('/').map(Component::literal).collect())
}

/// Follows `.`, `..` and doubled slashes. `..` behind something unknown leads nowhere that is known.
fn walk(mut path: Vec<Component>, words: Vec<Component>) -> Vec<Component> {
    for word in words {
        if word.is("..") {
            if path.last().is_none_or(|last| !last.has_hole()) {
                path.pop();
            }
        } else if !word.is_empty() && !word.is(".") {
            path.push(word);
        }
    }
    path
}

/// A path whose beginning is known.
fn anchored(path: &[Component], standpoint: Standpoint<'_>) -> PathTarget {
    let (inside, extent) = covered(path);
    let mut places = absolute(inside, standpoint);
    if extent == Extent::Prefix {
        places |= worst(inside, standpoint);
    }
    PathTarget { shown: String::new(), path: beginning(inside), extent, places }
}

/// What the path covers: the directory, if it is all that is in one, or itself.
fn covered(path: &[Component]) -> (&[Component], Extent) {
    let mut inside = path;
    while let [front @ .., last] = inside {
        if !last.is_broad() {
            break;
        }
        inside = front;
    }
    let extent = if inside.iter().any(Component::has_hole) {
        Extent::Prefix
    } else if inside.iter().any(Component::has_glob) {
        Extent::Pattern
    } else if inside.len() < path.len() {
        Extent::Children
    } else {
        Extent::Exact
    };
    (inside, extent)
}

/// What it is if every hole that may be empty is: the few places that must not be lost.
fn worst(path: &[Component], standpoint: Standpoint<'_>) -> Places {
    let emptied: Option<Vec<_>> = path.iter().map(Component::with_holes_empty).collect();
    let Some(emptied) = emptied else { return Places::NONE };
    let remaining = emptied.into_iter().filter(|component| !component.is_empty()).collect();
    let places = absolute(&walk(Vec::new(), remaining), standpoint);
    let precious = [Places::ROOT, Places::SYSTEM_DIR, Places::HOME, Places::WORKSPACE_ROOT];
    precious.into_iter().filter(|place| places.has(*place)).fold(Places::NONE, Places::and)
}

/// A path whose beginning is not known.
fn adrift(path: &[Component], value: &Value, standpoint: Standpoint<'_>) -> PathTarget {
    let (inside, _) = covered(path);
    let (led_by_hole, rest) = match inside {
        [first, rest @ ..] if first.begins_with_hole() => {
            (true, if first.is_only_holes() { rest } else { inside })
        }
        _ => (false, inside),
    };
    let mut places = ending(rest);
    if led_by_hole && continues_at_root(value) {
        places |= worst(inside, standpoint);
    }
    if led_by_hole {
        return PathTarget { shown: String::new(), path: String::new(), extent: Extent::Unknown, places };
    }
    let path = beginning(inside).trim_start_matches('/').to_owned();
    PathTarget { shown: String::new(), path, extent: Extent::Prefix, places }
}

/// Whether the word would begin with a slash if its leading holes were empty.
fn continues_at_root(value: &Value) -> bool {
    let mut rest = value.pieces.iter().skip_while(|piece| matches!(piece, Piece::Hole(_)));
    matches!(rest.next(), Some(Piece::Literal(text)) if text.starts_with('/'))
}

/// The known beginning, as text.
fn beginning(path: &[Component]) -> String {
    let mut text = String::new();
    for component in path {
        let known = component.known_beginning();
        let whole = component.text().is_some();
        if !known.is_empty() {
            text.push('/');
            text.push_str(&known);
        }
        if !whole {
            break;
        }
    }
    if text.is_empty() { "/".to_owned() } else { text }
}

/// A word that begins with what everyone calls the temporary directory.
fn named_temporary(value: &Value) -> Places {
    let names = ["$TMPDIR", "${TMPDIR", "$(mktemp", "`mktemp", "$RUNNER_TEMP", "${RUNNER_TEMP"];
    match value.pieces.first() {
        Some(Piece::Hole(hole)) if names.iter().any(|name| hole.shown.starts_with(name)) => Places::TEMPORARY,
        Some(_) | None => Places::NONE,
    }
}
