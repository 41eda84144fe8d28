//! Secrets on their way into version control.

use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, PathTarget, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_env_file, paths};

/// Adding keys or files of secrets to a commit.
pub static COMMIT_SECRET: Rule = Rule {
    name: "commit-secret",
    title: "put secrets under version control",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Keys, tokens or a project's file of secrets, added to a commit of git, Mercurial or Subversion by name or by a pattern that is meant for them.",
    matters: "Whoever gets the repository has the secret, and a later commit does not take it out of the history.",
    instead: "Commit an example without values, and list the file in `.gitignore`.",
    suggestion: "git add .env.example",
    examples: &[
        "git add -f .env && git commit -m x && git push",
        "git add .env",
        "git add .en*",
        "git add ~/.ssh/id_rsa",
        "git commit -m x config/.env.production",
        "git update-index --add .env",
        "git stage :/.env",
        "hg add .env",
        "svn add .env",
    ],
    near_misses: &[
        "git add .env.example",
        "git add src",
        "git add -A",
        "git add -f dist/app.js",
        "git add -n .env",
        "git rm --cached .env",
        "git commit -am 'Read .env'",
        "git diff .env",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in
        paths(facts, &[Verb::Read]).filter(|(effect, path)| is_staged(effect) && is_secret(path))
    {
        report.effect(effect, format!("puts `{}`, which holds secrets, under version control", path.shown));
    }
}

/// Only what is to be committed is looked at as something that is tracked.
fn is_staged(effect: &Effect) -> bool {
    effect.flags.has(Flags::TRACKED.and(Flags::METADATA))
}

fn is_secret(path: &PathTarget) -> bool {
    let is_named = matches!(path.extent, Extent::Exact | Extent::Pattern);
    is_named && path.places.has(Places::CREDENTIAL) || is_env_file(path)
}
