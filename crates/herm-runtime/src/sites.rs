//! The shared files of the website blocklist.

use std::path::{Path, PathBuf};

use herm::{AbsPath, Policy};

use crate::files;

/// The largest of them that is read; public lists have a few megabytes.
const LARGEST: u64 = 32 << 20;

/// Reads the shared files into the policy. What cannot be read stays missed, so that connections are asked about.
pub(crate) fn share(policy: &mut Policy, home: &AbsPath, guard: &Path) {
    for file in policy.shared_files().to_vec() {
        if let Some(content) = read(&place(&file, home, guard)) {
            policy.blocklist.share(&file, &content);
        }
    }
}

/// Where a shared file is: by its whole path, or in herm's own directory.
pub(crate) fn place(file: &str, home: &AbsPath, guard: &Path) -> PathBuf {
    match file.strip_prefix("~/") {
        Some(rest) => Path::new(home.as_str()).join(rest),
        None => guard.join(file),
    }
}

fn read(path: &Path) -> Option<String> {
    let mut content = Vec::new();
    files::pieces(path, LARGEST, |piece| content.extend_from_slice(piece))?;
    String::from_utf8(content).ok()
}
