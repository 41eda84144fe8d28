//! A shell that waits for callers.

use super::{listens, remotely_driven};
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// A shell that whoever connects can drive.
pub static BIND_SHELL: Rule = Rule {
    name: "bind-shell",
    title: "bind shell",
    layer: Layer::Command,
    stance: Stance::Deny,
    finds: "A shell or interpreter that is handed to whoever connects to a port of this machine.",
    matters: "Anyone who reaches the port can do anything this account can.",
    instead: "Run an ssh server, which asks for a key.",
    suggestion: "",
    examples: &[
        "nc -l -p 4444 -e /bin/sh",
        "socat tcp-listen:4444,reuseaddr,fork exec:/bin/bash",
        "ncat -lvp 4444 --sh-exec 'bash -i'",
    ],
    near_misses: &[
        "nc -l 8080",
        "socat tcp-listen:8080,fork tcp:localhost:80",
        "python3 -m http.server 8000",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    if !listens(facts) {
        return;
    }
    for effect in remotely_driven(facts) {
        report.effect(effect, "hands a shell to whoever connects");
    }
}
