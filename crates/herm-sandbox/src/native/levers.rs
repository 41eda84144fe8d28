//! Names that make others run code.

use std::path::Path;

/// What makes editors and agents outside run code, below a workspace.
pub(super) const LEVERS: &[&str] = &[
    ".agents",
    ".claude",
    ".clinerules",
    ".codex",
    ".cursor",
    ".gemini",
    ".github/copilot",
    ".github/hooks",
    ".herm.yaml",
    ".herm.yml",
    ".idea",
    ".mcp.json",
    ".opencode",
    ".pi",
    ".tirith",
    ".vscode",
    ".windsurf",
    ".zed",
    "opencode.json",
    "opencode.jsonc",
];

/// What makes git run code: hooks and settings, and what says where else those are.
pub(crate) const GIT_LEVERS: [&str; 4] = ["commondir", "config", "config.worktree", "hooks"];

/// What git runs of a directory that is full of hooks.
pub(super) const HOOKS: &[&str] = &[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "p4-prepare-changelist",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
    "update",
];

/// Whether what is at a path in a workspace can make programs outside run code.
#[must_use]
pub fn is_lever(path: &Path) -> bool {
    let is_of_git = |name: &std::ffi::OsStr| GIT_LEVERS.iter().any(|lever| name == *lever);
    match path.strip_prefix(".git") {
        Ok(below) => below.iter().any(is_of_git),
        Err(_) => LEVERS.iter().any(|lever| path.starts_with(lever)),
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the table of the judge is a file")]
mod tests {
    use super::*;

    /// The judge keeps people's own guards elsewhere, too; and services wherever they are.
    #[test]
    fn whatever_the_judge_takes_for_a_guard_is_a_lever() {
        let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../herm-shell/src/place/table/guard.rs");
        let table = std::fs::read_to_string(table).unwrap();
        let listed = table.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
        let is_ours = |name: &&str| !name.starts_with(['~', '/']) && !name.ends_with(".service");
        let ours: Vec<&str> = listed.filter(is_ours).collect();
        assert!(ours.len() > 10, "{ours:?}");
        for name in ours {
            assert!(is_lever(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn what_lies_beside_them_is_none() {
        for name in [".github/workflows/ci.yml", ".gitignore", ".git/HEAD", "src/.claude"] {
            assert!(!is_lever(Path::new(name)), "{name}");
        }
    }
}
