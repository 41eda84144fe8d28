//! Overwrites, edits or deletes a project's environment or configuration file.

use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, PathTarget, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_env_file, is_protected, paths, writes};

pub(crate) static PROJECT_ENV_WRITE: Rule = Rule {
    name: "project-env-write",
    title: "overwrite project env or config",
    layer: Layer::Files,
    stance: Stance::Ask,
    finds: "Overwrites, edits or deletes a project's environment or configuration file.",
    matters: "It often holds the only copy of secrets and settings.",
    instead: "Write to an example file beside it.",
    suggestion: "cp .env.example /tmp/env",
    examples: &[
        "echo KEY=1 > .env",
        "echo KEY=1 >> .env.local",
        "cp other.env .env",
        "sed -i s/a/b/ config.yaml",
        "tee config.yaml < x",
        r#"cp .env.example "$dir/.env""#,
        "rm .env",
        "vim .env.production",
    ],
    near_misses: &[
        "cat config.yaml",
        "cp .env.example /tmp/env",
        "echo x > app.toml",
        "touch .env",
        "ls .env",
        "rm .env.example",
        "find . -name '*~' -exec mv {} /tmp/ \\;",
        "git rm --cached .env",
        r#"echo 'a: 1' > "build/$name.yaml""#,
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let project = writes(facts)
        .filter(|(_, path)| path.places.has(Places::PROJECT_ENV) && !is_protected(path) && !is_aside(path));
    for (effect, path) in project {
        report.effect(effect, format!("changes the project's `{}`", path.shown));
    }
    let lost = paths(facts, &[Verb::Delete]).filter(|(effect, path)| loses_secrets(effect, path));
    for (effect, path) in lost {
        report.effect(effect, format!("deletes `{}`, and the secrets in it", path.shown));
    }
}

/// Whether files that a pattern names are put where no project is.
fn is_aside(path: &PathTarget) -> bool {
    path.extent == Extent::Pattern
        && path.places.has(Places::TEMPORARY)
        && !path.places.any(Places::WORKSPACE)
}

/// What only moves is still there, and so is what a commit holds.
fn loses_secrets(effect: &Effect, path: &PathTarget) -> bool {
    let kept = Flags::FRESH.and(Flags::MOVE).and(Flags::TRACKED);
    is_env_file(path) && !is_protected(path) && !effect.flags.any(kept)
}
