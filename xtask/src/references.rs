//! Installs the reference implementations of MCP: servers that herm is put before, and clients that herm serves.

use std::fs;

use crate::Outcome;
use crate::package::{Package, listed, unless_lacking};

const LIST: &str = "xtask/references.toml";

/// Where they are kept.
const SHELF: &str = "target/references";

/// Installs what is not there yet.
pub(crate) fn install() -> Outcome {
    packages()?.iter().try_for_each(|package| unless_lacking(package.install(|| Ok(()))))
}

/// Where they are, if all of them are there.
pub(crate) fn ready() -> Result<Option<String>, String> {
    let is_whole = packages()?.iter().all(Package::is_ready);
    let here = fs::canonicalize(SHELF).ok().filter(|_| is_whole);
    Ok(here.map(|here| here.display().to_string()))
}

fn packages() -> Result<Vec<Package>, String> {
    listed(LIST, "package")?.iter().map(|table| Package::of(table, SHELF)).collect()
}
