//! Files that a run took apart only because of what it ran on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::compare::{Change, Comparison};

impl Comparison {
    /// Names that were one file and are several now, each with what it holds. On an overlay that happens to whatever is
    /// written to, and nobody can tell whether the command would have done it.
    pub(crate) fn apart(&self) -> Vec<&Path> {
        let mut groups: BTreeMap<u64, Vec<&Change>> = BTreeMap::new();
        for change in self.changes.iter().filter(|change| change.after.is_some()) {
            if let Some(number) = change.before.as_ref().and_then(|before| before.links) {
                groups.entry(number).or_default().push(change);
            }
        }
        let mut apart: Vec<&Path> = groups
            .into_values()
            .filter(|names| is_apart(names))
            .flatten()
            .map(|change| change.path.as_path())
            .collect();
        apart.sort();
        apart
    }
}

/// Whether these are several files now. One that has no other name is a file for itself.
fn is_apart(names: &[&Change]) -> bool {
    let links = || names.iter().map(|change| change.after.as_ref().and_then(|after| after.links));
    let alone = links().filter(Option::is_none).count();
    let shared = links().flatten().collect::<BTreeSet<_>>().len();
    alone + shared > 1
}
