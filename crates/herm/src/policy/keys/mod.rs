//! Every key of the configuration, a table for each part of it.
//!
//! Reading, checking, the JSON schema and the reference page all come from these.

mod approvals;
mod consulted;
mod mcp;
mod platforms;
mod sandbox;
mod security;
mod terminal;

use super::kept::Kept;
pub use super::key::{Key, Kind, Scope};
use super::value::check;

static TABLES: &[&[Key]] = &[
    approvals::APPROVALS,
    consulted::CONSULTED,
    mcp::MCP,
    platforms::PLATFORMS,
    sandbox::SANDBOX,
    security::SECURITY,
    terminal::TERMINAL,
];

/// Every key, in the order of their paths.
#[must_use]
pub fn all() -> Vec<&'static Key> {
    let mut keys: Vec<_> = TABLES.iter().copied().flatten().collect();
    keys.sort_by_key(|key| key.path);
    keys
}

/// The key with this path.
#[must_use]
pub fn find(path: &str) -> Option<&'static Key> {
    TABLES.iter().copied().flatten().find(|key| key.path == path)
}

/// Whether any key lies in this section.
pub(super) fn is_section(path: &str) -> bool {
    let lies = |key: &Key| key.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
    TABLES.iter().copied().flatten().any(lies)
}

/// Sections in which an unknown key is a mistake. Elsewhere it belongs to Hermes.
pub(super) const STRICT_SECTIONS: &[&str] = &["approvals", "egress", "file_safety", "sandbox"];

/// A key that is checked and has no effect yet. Until it has, nobody but the person may think that it does.
const fn kept(path: &'static str, kind: Kind, default: &'static str, about: &'static str) -> Key {
    Key {
        path,
        kind,
        default,
        about,
        scope: Scope::Trusted,
        set: |key, config, node| {
            check(key.kind, node, key.path)?;
            config.kept.extend(Kept::of(node).map(|value| (key.path, value)));
            Ok(())
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_order_once_and_are_explained() {
        for table in TABLES {
            assert!(table.windows(2).all(|pair| pair[0].path < pair[1].path));
        }
        assert!(all().windows(2).all(|pair| pair[0].path < pair[1].path));
        assert!(all().iter().all(|key| key.about.ends_with('.')));
    }
}
