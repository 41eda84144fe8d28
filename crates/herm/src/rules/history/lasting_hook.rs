//! Settings of git that run code.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// A setting for every repository of the user that makes git run a command.
pub static LASTING_HOOK: Rule = Rule {
    name: "git-hook-setting",
    title: "git setting that runs code",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A setting for every repository of the user that makes git run a command.",
    matters: "From then on any git command runs it, in every project.",
    instead: "Set it for one repository, or for one command with `-c`.",
    suggestion: "git config --list --show-origin",
    examples: &[
        r#"git config --global alias.status "!evil""#,
        r#"git config --global core.pager "sh -c evil""#,
        "git config --system core.hooksPath /tmp/hooks",
        "git config --global url.https://mirror.example/.insteadOf https://github.com/",
    ],
    near_misses: &[
        "git config --global user.name A",
        "git config --global core.editor vim",
        "git config --global url.git@github.com:.insteadOf https://github.com/",
        "git config --global url.https://github.com/.insteadOf gh:",
        "git config --global alias.st status",
        "git config --global --unset core.pager",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Persist, &["hook"]) {
        report.effect(effect, format!("makes git run what `{name}` says from now on"));
    }
}
