//! Changes permissions, owners or attributes of everything below the root, a system directory or a home directory.

use herm_shell::{Effect, Flags, PathTarget, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_whole, paths};

pub(crate) static DESTROY_PERMISSIONS: Rule = Rule {
    name: "destroy-permissions",
    title: "mass change of permissions or owners",
    layer: Layer::Floor,
    stance: Stance::Deny,
    finds: "Changes permissions, owners or attributes of everything below the root, a system directory or a home directory.",
    matters: "Programs stop working, secrets lie open, and no command puts it back.",
    instead: "Change the one file or directory that is meant.",
    suggestion: "ls -ld /etc",
    examples: &[
        "chmod -R 777 /",
        "chmod -R 000 /",
        "chown -R nobody /usr",
        "chown -R 1000:1000 /*",
        "setfacl -R -b /",
        "chmod -R a=rwx ~",
        "chmod 000 /",
        "chmod a-rwx /etc",
        "chmod 000 ~/*",
        "chmod u-rwx ~",
        "chmod -x ~",
        "chmod 644 /etc",
        "cd ~ && ls | xargs chmod 000",
        "for f in ~/*; do chmod a-rwx \"$f\"; done",
    ],
    near_misses: &[
        "chown -R www-data /var/www",
        "chmod -R 755 dist",
        "chmod 755 /usr/local/bin/tool",
        "chown -R me:me build",
        "chmod 000 ~/.ssh/old_key",
        "cd ~ && chmod 700 *",
        "chmod 000 *",
        "chmod go-rwx ~",
        "chmod -R a-x,a+X ~/site",
        "ls -lR /",
    ],
    judge,
};

const CHANGES: &[Verb] = &[Verb::ChangeAttributes, Verb::ChangeMode, Verb::ChangeOwner];

/// Nobody reads or enters it any more.
const SHUT: Flags = Flags::NO_ACCESS.and(Flags::NO_SEARCH);

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in paths(facts, CHANGES).filter(|(effect, path)| is_destruction(effect, path)) {
        report.effect(effect, format!("changes who may do what with everything below `{}`", path.shown));
    }
}

/// A home directory may be handed back to its owner; opening it to all or closing it is another matter.
fn is_destruction(effect: &Effect, path: &PathTarget) -> bool {
    let opens = effect.flags.any(Flags::WORLD_WRITABLE.and(SHUT).and(Flags::TO_ROOT));
    let ruins =
        path.places.any(Places::ROOT.and(Places::SYSTEM_DIR)) || path.places.has(Places::HOME) && opens;
    // Nobody gets through a directory that is shut, so what is below it need not be changed.
    let shut = effect.flags.any(SHUT);
    (effect.flags.has(Flags::RECURSIVE) || shut) && is_whole(path) && ruins && !is_handed_over(effect, path)
}

/// What a service serves or stores is given to the service's account as a matter of course.
fn is_handed_over(effect: &Effect, path: &PathTarget) -> bool {
    const SERVED: &[&str] = &["/srv", "/var/lib/mysql", "/var/lib/postgresql", "/var/www"];
    effect.verb == Verb::ChangeOwner
        && !effect.flags.has(Flags::TO_ROOT)
        && SERVED.contains(&path.path.trim_end_matches('/'))
}
