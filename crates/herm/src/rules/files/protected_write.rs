//! Writes, replaces or deletes keys, credentials, shell startup files, units, cron tables, accounts or the guard's own files.

use herm_shell::place::GUARDS_PROGRAM;
use herm_shell::{Effect, Flags, PathTarget, Places, Realm, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_protected, paths, writes};

pub(crate) static PROTECTED_WRITE: Rule = Rule {
    name: "protected-write",
    title: "write to a protected file",
    layer: Layer::Files,
    stance: Stance::Deny,
    finds: "Writes, replaces or deletes keys, credentials, shell startup files, units, cron tables, accounts or the guard's own files.",
    matters: "Whoever can write these can become somebody else, come back later, or switch the guard off.",
    instead: "Write a copy in the workspace and let a person put it there.",
    suggestion: "cp ~/.bashrc /tmp/bashrc",
    examples: &[
        "echo key >> ~/.ssh/authorized_keys",
        "echo x >> ~/.bashrc",
        "sed -i 's/a/b/' ~/.zshrc",
        "echo x > /etc/sudoers.d/x",
        "cp x.service /etc/systemd/system/",
        "echo mode > ~/.hermes/config.yaml",
        "rm ~/.ssh/id_ed25519",
        "chmod -x /usr/local/bin/herm",
    ],
    near_misses: &[
        "cat ~/.bashrc",
        "cp ~/.bashrc /tmp/bashrc",
        "chmod 600 ~/.ssh/id_rsa",
        "mkdir -p ~/.ssh",
        "chmod +x ~/.local/bin/herm",
        "ssh-add -l",
        "source ~/.profile",
        r#"echo '{}' > "out/$name.json""#,
        r#"for f in *.md; do pandoc "$f" -o "${f%.md}.json"; done"#,
        r#"cp .env.example "$dir/.env""#,
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let deletions = paths(facts, &[Verb::Delete]);
    for (effect, path) in writes(facts).chain(deletions).filter(|(_, path)| is_protected(path)) {
        let verb = if effect.verb == Verb::Delete { "removes" } else { "writes to" };
        // Another machine's files are that machine's to protect; here they are worth a question.
        let stance = if matches!(effect.realm, Realm::Remote(_)) { Stance::Ask } else { Stance::Deny };
        report.effect_as(stance, effect, format!("{verb} `{}`, which is protected", path.shown));
    }
    let changes = paths(facts, &[Verb::ChangeAttributes, Verb::ChangeMode, Verb::ChangeOwner]);
    for (effect, path) in changes.filter(|(effect, path)| switches_off(effect, path)) {
        report.effect(effect, format!("changes who may run `{}`, which guards", path.shown));
    }
}

/// Whether the guard's own program may not be run any more. Making it executable is how it is installed.
fn switches_off(effect: &Effect, path: &PathTarget) -> bool {
    let is_program = path.path.ends_with("/bin/herm")
        || path.path.ends_with("/bin/hermes")
        || path.places.has(GUARDS_PROGRAM);
    let here = !matches!(effect.realm, Realm::Remote(_));
    here && is_program && path.places.has(Places::GUARD) && !effect.flags.has(Flags::EXECUTABLE)
}
