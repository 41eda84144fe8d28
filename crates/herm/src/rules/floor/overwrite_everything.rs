//! Empties, rewrites or replaces every file below the root, a system directory or a home directory.

use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, PathTarget, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::writes;

pub(crate) static OVERWRITE_EVERYTHING: Rule = Rule {
    name: "overwrite-everything",
    title: "overwrite everything below a directory",
    layer: Layer::Floor,
    stance: Stance::Deny,
    finds: "Empties, rewrites or replaces every file below the root, a system directory or a home directory, one after the other.",
    matters: "It is as final as deleting everything.",
    instead: "Name the files that are meant, or the directory of the project.",
    suggestion: "find . -type f -name '*.tmp'",
    examples: &[
        "find / -type f -exec truncate -s 0 {} \\;",
        "find / -type f -exec cp /tmp/b {} \\;",
        "find / -name '*' -exec sed -i s/a/b/ {} +",
        "find / -type f | while read f; do : > \"$f\"; done",
        "for f in $(find ~); do : > \"$f\"; done",
        "find / -type f -exec sh -c ': > \"$1\"' _ {} \\;",
        "find ~ -type f -exec tee {} + < /dev/null",
        "fd . / -x truncate -s 0",
        "grep -rl x / | xargs sed -i s/x/y/",
        "for f in /**; do : > \"$f\"; done",
        "find /srv -type f -exec truncate -s 0 {} +",
    ],
    near_misses: &[
        "find . -type f -exec sed -i s/a/b/ {} +",
        "find / -name '*.pyc' -exec truncate -s 0 {} \\;",
        "find /tmp/x -type f -exec truncate -s 0 {} \\;",
        "find / -type f -exec grep -l x {} +",
        "grep -rl x src | xargs sed -i s/x/y/",
        "grep -rl --include='*.conf' x / | xargs sed -i s/x/y/",
        "sed -i s/a/b/ $(grep -rl x /srv)",
        "grep -rl x /var/www | xargs sed -i s/x/y/",
        "tar xf a.tar -C ~",
        "cp -r skel/. ~",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in writes(facts).filter(|(effect, path)| is_everything(effect, path)) {
        let verb = if effect.verb == Verb::Link { "replaces" } else { "overwrites" };
        report.effect(effect, format!("{verb} everything below `{}`", path.path));
    }
}

fn is_everything(effect: &Effect, path: &PathTarget) -> bool {
    let precious = Places::ROOT.and(Places::SYSTEM_DIR).and(Places::HOME);
    path.extent == Extent::Children
        && effect.flags.has(Flags::RECURSIVE)
        && !effect.flags.has(Flags::NARROWED)
        && path.places.any(precious)
        && !path.places.any(Places::WORKSPACE.and(Places::TEMPORARY))
        && !is_edit_of_what_is_served(effect, path)
}

/// Editing the files of a service in place is work on it, which is asked about; emptying or replacing all of them is not.
fn is_edit_of_what_is_served(effect: &Effect, path: &PathTarget) -> bool {
    const SERVED: &[&str] = &["/srv", "/var/www"];
    effect.flags.has(Flags::IN_PLACE) && SERVED.contains(&path.path.trim_end_matches('/'))
}
