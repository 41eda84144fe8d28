//! `cargo xtask generate`: the reference pages, from the definitions.

use std::fs;
use std::path::{Path, PathBuf};

use herm_cli::{inside, parity, reference};

use crate::Outcome;

/// Writes the pages.
pub(crate) fn write() -> Outcome {
    for (path, content) in pages()? {
        let written =
            fs::create_dir_all(path.parent().unwrap_or(&path)).and_then(|()| fs::write(&path, content));
        written.map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    Ok(())
}

/// Fails when a page is not what it would be if it were written now.
pub(crate) fn check() -> Outcome {
    for (path, content) in pages()? {
        if fs::read_to_string(&path).ok().as_deref() != Some(&content) {
            return Err(format!("`{}` is out of step; run `cargo xtask generate`", path.display()));
        }
    }
    Ok(())
}

fn pages() -> Result<Vec<(PathBuf, String)>, String> {
    let manual = reference::man().map_err(|error| format!("cannot make the manual page: {error}"))?;
    let pages = [
        ("rules.md", reference::rules()),
        ("config.md", reference::config()),
        ("config.schema.json", reference::schema()),
        ("cli.md", reference::cli()),
        ("herm.1", manual),
        ("hermes.md", parity::page()),
        ("inside.md", inside::page()),
    ];
    let pages = pages.into_iter().chain(sandbox());
    Ok(pages.map(|(name, content)| (root().join("docs/reference").join(name), content)).collect())
}

/// What the sandbox was tried with: only where there is one.
#[cfg(target_os = "linux")]
fn sandbox() -> Vec<(&'static str, String)> {
    vec![("sandbox.md", herm_test::probe::page())]
}

#[cfg(not(target_os = "linux"))]
fn sandbox() -> Vec<(&'static str, String)> {
    Vec::new()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
