//! Labelled cases that lie beside the repository, where there are any.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The directory given by `HERM_CORPORA`, or `shared/corpora` beside the repository.
#[must_use]
pub fn directory() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let named = env::var_os("HERM_CORPORA").map(PathBuf::from);
    named.into_iter().chain([beside]).find(|path| path.is_dir())
}

/// The files in [`directory`] whose names begin with `prefix`, in order.
#[must_use]
pub fn files(prefix: &str) -> Vec<PathBuf> {
    let entries = directory().and_then(|path| path.read_dir().ok()).into_iter().flatten().flatten();
    let named = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(prefix) && name.ends_with(".jsonl")
    };
    let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(named).collect();
    files.sort();
    files
}

/// The inputs of the cases in the files whose names begin with `prefix`.
#[must_use]
pub fn inputs(prefix: &str) -> Vec<String> {
    let texts = files(prefix).into_iter().map(|file| fs::read_to_string(file).unwrap_or_default());
    texts.flat_map(|text| text.lines().filter_map(input).collect::<Vec<_>>()).collect()
}

fn input(line: &str) -> Option<String> {
    let row: serde_json::Value = serde_json::from_str(line).ok()?;
    Some(row.get("input")?.as_str()?.to_owned())
}
