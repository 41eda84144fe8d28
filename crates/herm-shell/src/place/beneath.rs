//! What is kept below a directory.

use super::component::{EVERY_FILE, WALK};
use super::table::PLACES;
use super::{Extent, PathTarget, Places};

/// What a directory is to whoever reads all that is below it, or all that is hidden in it.
pub(crate) fn beneath(target: &PathTarget, recursive: bool, home: &str) -> Places {
    let wide = match target.extent {
        Extent::Exact => recursive,
        Extent::Children => takes_hidden(&target.shown) || recursive && !keeps_hidden(target),
        Extent::Pattern | Extent::Prefix | Extent::Unknown => false,
    };
    let here = target.extent == Extent::Children
        && !keeps_hidden(target)
        && ![WALK, EVERY_FILE].iter().any(|walk| target.shown.ends_with(walk));
    let keeps = wide && kept_beneath(&target.path, home, Places::CREDENTIAL).is_some()
        || here && keeps_itself(&target.path, home);
    if keeps { Places::ABOVE_CREDENTIALS } else { Places::NONE }
}

/// Whether a pattern matches every hidden name, or every name however deep: `.*`, `.[!.]*`, `**`.
#[must_use]
pub fn takes_hidden(pattern: &str) -> bool {
    pattern.split('/').any(|part| {
        if part == WALK {
            return false;
        }
        let mut in_class = false;
        let is_open = part.contains('*')
            && part.chars().all(|letter| {
                let is_part = in_class || matches!(letter, '*' | '?' | '.' | '[');
                in_class = letter == '[' || in_class && letter != ']';
                is_part
            });
        is_open && (part.starts_with('.') || part.contains("**"))
    })
}

/// Whether something secret lies in a directory itself, under a name that a pattern takes.
fn keeps_itself(directory: &str, home: &str) -> bool {
    let directory = directory.trim_end_matches('/').to_lowercase();
    let homes = homes(&directory, home);
    let secrets = PLACES.iter().filter(|(places, _)| places.has(Places::CREDENTIAL));
    secrets.flat_map(|(_, names)| names.iter()).any(|name| {
        let is_here = |path: &str| {
            path.rsplit_once('/').is_some_and(|(above, last)| above == directory && !last.starts_with('.'))
        };
        match name.strip_prefix("~/") {
            Some(rest) => homes.iter().any(|home| is_here(&format!("{home}/{rest}"))),
            None => is_here(name),
        }
    })
}

/// Whether what is secret in a directory has hidden names, as in a home.
fn keeps_hidden(target: &PathTarget) -> bool {
    target.places.has(Places::HOME) && !matches!(target.path.as_str(), "/home" | "/Users")
}

/// A well-known place of this kind that lies below a directory, as it is named: `~/.aws/**`. Whether anything is there is not asked.
#[must_use]
pub fn kept_beneath(directory: &str, home: &str, kinds: Places) -> Option<&'static str> {
    let directory = format!("{}/", directory.trim_end_matches('/').to_lowercase());
    let homes = homes(&directory, home);
    let below = |name: &&&str| match name.strip_prefix("~/") {
        Some(rest) => homes.iter().any(|home| format!("{home}/{rest}").starts_with(&directory)),
        None => name.starts_with(&directory),
    };
    let named = PLACES.iter().filter(|(places, _)| places.any(kinds)).flat_map(|(_, names)| names.iter());
    named.filter(below).copied().next()
}

/// The home of the person, that of root, and the one that the directory lies in.
fn homes(directory: &str, home: &str) -> Vec<String> {
    let mut parts = directory.split('/').skip(1);
    let around = match (parts.next(), parts.next()) {
        (Some(top @ ("home" | "users")), Some(name)) if !name.is_empty() => Some(format!("/{top}/{name}")),
        _ => None,
    };
    let own = home.trim_end_matches('/').to_lowercase();
    [own, "/root".to_owned()].into_iter().chain(around).collect()
}

#[cfg(test)]
mod tests {
    use super::super::resolve;
    use super::*;
    use crate::value::{Piece, Provenance, Value};

    fn reads(path: &str, pattern: &str, recursive: bool) -> bool {
        let mut pieces = vec![Piece::Literal(path.to_owned())];
        pieces.extend(pattern.split_inclusive('/').flat_map(|part| match part.strip_suffix('/') {
            Some(glob) => vec![Piece::Glob(glob.to_owned()), Piece::Literal("/".to_owned())],
            None => vec![Piece::Glob(part.to_owned())],
        }));
        let word = Value { pieces, provenance: Provenance::NONE };
        let target = resolve(&word, Some("/home/ann/app"), "/home/ann");
        beneath(&target, recursive, "/home/ann").has(Places::ABOVE_CREDENTIALS)
    }

    #[test]
    fn who_reads_all_below_reads_what_is_kept_there() {
        for (path, pattern, recursive) in [
            ("/home/ann", "", true),
            ("/root/", "", true),
            ("/", "", true),
            ("/home/ann/.config", "", true),
            ("/home/ann/", ".*/*", false),
            ("/home/ann/", ".[!.]*", false),
            ("/home/ann/", "**", false),
            ("/home/", "*", true),
            ("/", "*", true),
        ] {
            assert!(reads(path, pattern, recursive), "{path}{pattern}");
        }
        for (path, pattern, recursive) in [
            ("/home/ann", "", false),
            ("/home/ann/", "*", false),
            ("/home/ann/", "*", true),
            ("/home/ann/app", "", true),
            (".", "", true),
            ("", ".*", false),
            ("", "**/*", true),
            ("/srv", "", true),
            ("/home/ann/", "*.txt", true),
        ] {
            assert!(!reads(path, pattern, recursive), "{path}{pattern}");
        }
    }

    #[test]
    fn directories_that_hold_credentials_are_known() {
        let below = |path| kept_beneath(path, "/home/ann", Places::CREDENTIAL).is_some();
        for path in [
            "/",
            "/etc",
            "/home/ann",
            "/home/ann/.config",
            "/home/bob/.config/",
            "/root",
            "/HOME/ann/.Config",
        ] {
            assert!(below(path), "{path}");
        }
        for path in ["/srv/data", "/home/ann/data", "/home/ann/.config/nvim", "/usr/share/doc", "/etc/s"] {
            assert!(!below(path), "{path}");
        }
    }
}
