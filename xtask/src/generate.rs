//! `cargo xtask generate`: the reference pages, from the definitions.

use std::fs;
use std::path::{Path, PathBuf};

use herm_cli::{parity, reference};

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

fn pages() -> Result<[(PathBuf, String); 6], String> {
    let manual = reference::man().map_err(|error| format!("cannot make the manual page: {error}"))?;
    Ok([
        ("rules.md", reference::rules()),
        ("config.md", reference::config()),
        ("config.schema.json", reference::schema()),
        ("cli.md", reference::cli()),
        ("herm.1", manual),
        ("hermes.md", parity::page()),
    ]
    .map(|(name, content)| (root().join("docs/reference").join(name), content)))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
