//! What is kept below a directory.

use super::Places;
use super::table::PLACES;

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
    use super::*;

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
