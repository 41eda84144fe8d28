//! Names that make others run code.

use std::path::{Path, PathBuf};

/// What makes editors, agents and Mercurial outside run code, below a workspace.
pub(super) const LEVERS: &[&str] = &[
    ".agents",
    ".aider.conf.yml",
    ".amazonq",
    ".claude",
    ".claude-plugin",
    ".clinerules",
    ".codex",
    ".continue",
    ".crush.json",
    ".cursor",
    ".gemini",
    ".github/agents",
    ".github/copilot",
    ".github/hooks",
    ".github/skills",
    ".helix",
    ".herm",
    ".herm.yaml",
    ".herm.yml",
    ".hermes/plugins",
    ".hg/hgrc",
    ".hg/hgrc-not-shared",
    ".hg/sharedpath",
    ".idea",
    ".kilocode",
    ".kiro",
    ".mcp.json",
    ".opencode",
    ".pi",
    ".qwen",
    ".roo",
    ".tirith",
    ".vscode",
    ".windsurf",
    ".zed",
    "crush.json",
    "opencode.json",
    "opencode.jsonc",
];

/// What makes git run code: hooks and settings, and what says where else those are.
pub(crate) const GIT_LEVERS: [&str; 4] = ["commondir", "config", "config.worktree", "hooks"];

/// What git runs of a directory that is full of hooks.
pub(crate) const HOOKS: &[&str] = &[
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

/// Whether what is at a path can make programs outside run code wherever in a workspace it lies: a project further in is one that somebody
/// opens. All of `.git` counts, and so does whatever is named like a hook, or makes a directory a repository. Case does not, since not every file system tells it apart.
#[must_use]
pub fn may_be_lever(path: &Path) -> bool {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy().to_lowercase()).collect();
    let is_named = |name: &String| name == "head" || HOOKS.contains(&name.as_str());
    let is_one = |start: usize| is_lever(&parts.iter().skip(start).collect::<PathBuf>());
    parts.last().is_some_and(is_named)
        || parts.iter().any(|part| part == ".git")
        || (0..parts.len()).any(is_one)
}

/// Everything that is known to make programs outside run code, as it would be named in a workspace.
pub fn known_levers() -> impl Iterator<Item = PathBuf> {
    let of_git = GIT_LEVERS.iter().map(|name| Path::new(".git").join(name));
    let hooks = HOOKS.iter().map(|name| Path::new(".husky").join(name));
    LEVERS.iter().map(PathBuf::from).chain(of_git).chain(hooks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The judge keeps people's own guards elsewhere, too; and services wherever they are.
    #[test]
    fn whatever_the_judge_takes_for_a_guard_is_a_lever() {
        let table = include_str!("../../../herm-shell/src/place/table/guard.rs");
        let listed = table.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
        let is_ours = |name: &&str| !name.starts_with(['~', '/']) && !name.ends_with(".service");
        let ours: Vec<&str> = listed.filter(is_ours).collect();
        assert!(ours.len() > 10, "{ours:?}");
        for name in ours {
            assert!(is_lever(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn they_are_found_wherever_they_are_and_however_they_are_written() {
        for lever in known_levers() {
            for path in [lever.clone(), Path::new("packages/a").join(&lever), lever.join("x")] {
                let is_inside_a_hook = path.ends_with("x") && lever.starts_with(".husky");
                assert!(may_be_lever(&path) || is_inside_a_hook, "{}", path.display());
            }
        }
        for name in
            [".GIT/Config", "a/.git", ".git/info/attributes", "b/.VSCode/tasks.json", "Pre-Commit", "x/HEAD"]
        {
            assert!(may_be_lever(Path::new(name)), "{name}");
        }
        for name in [".github/workflows/ci.yml", ".gitignore", "src/config", "docs/hooks/a.md", "claude"] {
            assert!(!may_be_lever(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn what_lies_beside_them_is_none() {
        for name in [".github/workflows/ci.yml", ".gitignore", ".git/HEAD", "src/.claude"] {
            assert!(!is_lever(Path::new(name)), "{name}");
        }
    }
}
