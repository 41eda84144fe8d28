//! Overwrites or edits a project's environment or configuration file.

use herm_shell::Places;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_protected, writes};

pub(crate) static PROJECT_ENV_WRITE: Rule = Rule {
    name: "project-env-write",
    title: "overwrite project env or config",
    layer: Layer::Files,
    stance: Stance::Ask,
    finds: "Overwrites or edits a project's environment or configuration file.",
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
    ],
    near_misses: &[
        "cat config.yaml",
        "cp .env.example /tmp/env",
        "echo x > app.toml",
        "touch .env",
        "ls .env",
        r#"echo 'a: 1' > "build/$name.yaml""#,
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let project =
        writes(facts).filter(|(_, path)| path.places.has(Places::PROJECT_ENV) && !is_protected(path));
    for (effect, path) in project {
        report.effect(effect, format!("changes the project's `{}`", path.shown));
    }
}
