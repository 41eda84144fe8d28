//! A change of a file that makes others run code.

use super::judge;
use crate::finding::Stance;
use crate::rules::{Layer, Rule};

/// A change of a file by which git, editors or agents come to run code, made by herm itself.
pub static EDIT_LEVER: Rule = Rule {
    name: "edit-lever",
    title: "change what makes others run code",
    layer: Layer::Consult,
    stance: Stance::Ask,
    finds: "A change that herm makes for an agent to a file by which git, an editor or an agent comes to run code: what is in `.git`, hooks, settings of editors and agents.",
    matters: "No command behind the boundary can change these: whoever opens the project next would run what is written there, outside.",
    instead: "Show the change to a person.",
    suggestion: "",
    examples: &[
        "write_file .git/config",
        "patch .vscode/tasks.json",
        "write_file packages/a/.husky/pre-commit",
    ],
    near_misses: &[
        "read_file .git/config",
        "write_file .github/workflows/ci.yml",
        "write_file src/main.rs",
        "patch .gitignore",
    ],
    judge,
};
