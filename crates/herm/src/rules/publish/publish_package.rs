//! Published packages.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A package or an image that is put into a registry.
pub static PUBLISH_PACKAGE: Rule = Rule {
    name: "publish-package",
    title: "publish a package or image",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A package or an image that is put into a registry.",
    matters: "What is published is public, and often cannot be taken back.",
    instead: "See what would be published.",
    suggestion: "npm publish --dry-run",
    examples: &[
        "npm publish",
        "cargo publish",
        "twine upload dist/*",
        "docker push registry.example/app:1",
        "crane push app.tar registry.example/app:1",
        "oras push registry.example/app:1 notes.txt",
        "skopeo copy docker://docker.io/a/b docker://registry.example/app:1",
        "gem push x.gem",
        "uv publish",
        "mvn deploy",
        "./gradlew publishToSonatype",
        "goreleaser release",
    ],
    near_misses: &[
        "npm publish --dry-run",
        "cargo publish --dry-run",
        "npm pack",
        "docker build -t app .",
        "dotnet publish",
        "npm run build",
        "mvn package",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Publish, &["image", "registry package"]) {
        report.effect(effect, format!("publishes {} with `{}`", the(kind(effect), name), effect.by));
    }
}
