//! Which crate may depend on which, and how many packages the judge may bring.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Outcome;
use crate::run::output;

/// Facts, judgement, hands, composition, face: each may depend on what stands before it, as listed.
const ARROWS: &[(&str, &[&str])] = &[
    ("herm-shell", &[]),
    ("herm-scan", &[]),
    ("herm", &["herm-scan", "herm-shell"]),
    ("herm-adapters", &[]),
    ("herm-proxy", &["herm"]),
    ("herm-sandbox", &["herm"]),
    ("herm-store", &["herm"]),
    (
        "herm-runtime",
        &["herm", "herm-adapters", "herm-proxy", "herm-sandbox", "herm-scan", "herm-shell", "herm-store"],
    ),
    ("herm-cli", &["herm", "herm-adapters", "herm-runtime", "herm-scan", "herm-shell"]),
];

/// Tools for developers may depend on anything, and nothing that ships may depend on them.
const TOOLS: &[&str] = &["herm-test", "xtask"];

/// The most packages that the judge may bring.
const PACKAGES: usize = 40;

/// Fails on any other arrow.
pub(crate) fn check() -> Outcome {
    let metadata = output("cargo", &["metadata", "--format-version", "1", "--no-deps", "--locked"])?;
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    list(&metadata, "packages").try_for_each(crate_arrows)?;
    packages()
}

fn crate_arrows(package: &Value) -> Outcome {
    let name = text(package, "name").unwrap_or_default();
    if TOOLS.contains(&name) {
        return Ok(());
    }
    let allowed = ARROWS.iter().find(|(from, _)| *from == name).map(|(_, to)| *to);
    let allowed = allowed.ok_or_else(|| format!("`{name}` has no place among the crates"))?;
    match ours(package).find(|to| !allowed.contains(to)) {
        Some(to) => Err(format!("`{name}` may not depend on `{to}`")),
        None => Ok(()),
    }
}

/// The crates of this workspace that a package needs to be built; what only its tests need does not count.
fn ours(package: &Value) -> impl Iterator<Item = &str> {
    let built = list(package, "dependencies").filter(|to| text(to, "kind").is_none());
    built.filter(|to| text(to, "path").is_some()).filter_map(|to| text(to, "name"))
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

fn packages() -> Outcome {
    let tree =
        output("cargo", &["tree", "--package", "herm", "--edges", "normal", "--prefix", "none", "--locked"])?;
    let packages: BTreeSet<_> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    if packages.len() <= PACKAGES {
        return Ok(());
    }
    Err(format!("the judge brings {} packages, and {PACKAGES} are the most", packages.len()))
}
