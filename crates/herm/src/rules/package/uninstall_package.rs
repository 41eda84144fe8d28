//! Removes packages.

use herm_shell::{Effect, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::things;

pub(crate) static UNINSTALL_PACKAGE: Rule = Rule {
    name: "uninstall-package",
    title: "remove packages",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Removes packages, other than those that pip installs again in the same text.",
    matters: "Others may need them, and their settings may go with them.",
    instead: "See what depends on it.",
    suggestion: "dpkg -l",
    examples: &[
        "apt-get remove -y nginx",
        "sudo apt purge docker",
        "brew uninstall node",
        "pip uninstall -y requests",
        "pip uninstall -y requests urllib3 && pip install requests",
        "pip install requests && pip uninstall -y requests",
        "dnf remove gcc",
        "pacman -Rns x",
    ],
    near_misses: &[
        "npm uninstall left-pad",
        "cargo remove serde",
        "apt list --installed",
        "pip list",
        "pip uninstall -y requests && pip install requests==2.31.0",
        "apt-get -s remove nginx",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let removed = things(facts, Verb::Uninstall, "package");
    for (effect, name) in removed.filter(|(effect, name)| !comes_back(facts, effect, name)) {
        report.effect(effect, format!("removes the package `{name}`"));
    }
}

/// Whether pip installs the package again behind it. What else a system removes with a package does not come back so.
fn comes_back(facts: &Facts, removal: &Effect, name: &str) -> bool {
    let is_pip = |effect: &Effect| {
        effect.by.starts_with("pip") || effect.by.starts_with("python") || &*effect.by == "uv"
    };
    let is_behind = |effect: &Effect| effect.invocation > removal.invocation && is_pip(effect);
    is_pip(removal)
        && !plain(name).is_empty()
        && things(facts, Verb::Install, "package")
            .any(|(effect, other)| is_behind(effect) && is_another_of(&plain(other), &plain(name)))
}

/// Whether it is the same distribution, or one with another ending of the same name: `opencv-python-headless` for `opencv-python`.
fn is_another_of(other: &str, name: &str) -> bool {
    const VARIANTS: &[&str] =
        &["", "-bin", "-binary", "-contrib", "-cpu", "-gpu", "-headless", "-lite", "-nightly"];
    let is_longer = |one: &str, rest: &str| one.strip_prefix(rest).is_some_and(|end| VARIANTS.contains(&end));
    is_longer(other, name) || is_longer(name, other)
}

/// The name of a distribution, without a version, extras, or where it comes from.
fn plain(requirement: &str) -> String {
    let end = requirement.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c));
    let name = requirement.get(..end.unwrap_or(requirement.len())).unwrap_or_default();
    name.to_ascii_lowercase().replace(['_', '.'], "-")
}
