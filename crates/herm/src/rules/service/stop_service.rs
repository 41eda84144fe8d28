//! Stops, restarts, disables or masks a service.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::things;

pub(crate) static STOP_SERVICE: Rule = Rule {
    name: "stop-service",
    title: "stop or restart a system service",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Stops, restarts, disables or masks a service.",
    matters: "Others may depend on it, and some cannot be reached once it is down.",
    instead: "Look at its state and its log first.",
    suggestion: "systemctl status nginx",
    examples: &[
        "systemctl stop nginx",
        "sudo systemctl restart docker",
        "systemctl disable --now sshd",
        "systemctl mask foo",
        "service nginx stop",
        "/etc/init.d/ssh stop",
        "sudo /etc/init.d/docker restart",
        "/usr/local/etc/rc.d/nginx stop",
        "s6-svc -d /run/service/web",
        "launchctl bootout gui/501/com.example.agent",
    ],
    near_misses: &[
        "systemctl status nginx",
        "systemctl list-units",
        "systemctl is-active nginx",
        "service nginx status",
        "/etc/init.d/ssh status",
        "cat /etc/init.d/ssh",
        "s6-svc -u /run/service/web",
        "systemctl daemon-reload",
        "launchctl list",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in things(facts, Verb::Service, "service") {
        if let Some(verb) = stopping(effect.flags) {
            report.effect(effect, format!("{verb} the service `{name}`"));
        }
    }
}

fn stopping(flags: Flags) -> Option<&'static str> {
    [(Flags::STOP, "stops"), (Flags::DISABLE, "disables"), (Flags::RESTART, "restarts")]
        .into_iter()
        .find(|(flag, _)| flags.has(*flag))
        .map(|(_, verb)| verb)
}
