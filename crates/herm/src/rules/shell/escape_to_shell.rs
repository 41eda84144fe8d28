//! A shell out of a program that is not one.

use herm_shell::Flags;

use super::opens_shell;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// An interactive shell that another program is told to start.
pub static ESCAPE_TO_SHELL: Rule = Rule {
    name: "escape-to-shell",
    title: "shell started through another program",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "An interactive shell that another program starts: as the command it wraps, through an option, a hook or a built-in command, or out of its code.",
    matters: "This is how restricted accounts and allow-lists of programs are left behind; an agent has no use for it.",
    instead: "Run the commands themselves.",
    suggestion: "",
    examples: &[
        "tar xf /dev/null -I '/bin/sh -c \"/bin/sh 0<&2 1>&2\"'",
        "lftp -c '!/bin/sh'",
        "ssh -o ProxyCommand=';/bin/sh 0<&2 1>&2' x",
        "man '-H/bin/sh #' man",
        "timeout 7d /bin/sh",
        "awk 'BEGIN { system(\"/bin/sh\") }'",
    ],
    near_misses: &[
        "tar czf site.tar.gz dist",
        "man ls",
        "ssh -o ProxyCommand='nc %h %p' host.example uptime",
        "hg log -l 3",
        "nice make -j4",
        "echo 'make -j4' | nice sh",
        "tmux new-session -d -s build bash",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| opens_shell(effect) && !effect.privileged) {
        if effect.flags.has(Flags::HOOK) {
            report.effect(effect, format!("makes `{}` start a shell", effect.by));
        }
    }
}
