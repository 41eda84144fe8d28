//! Tunnels from the internet.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// Opening a local service, or the desktop, to the internet.
pub static EXPOSE_SERVICE: Rule = Rule {
    name: "expose-service",
    title: "expose a local service to the internet",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A tunnel, relay or remote desktop that makes a service of this machine reachable from anywhere.",
    matters: "What listens only here is seldom fit for strangers, and the tunnel goes round the firewall.",
    instead: "Serve on localhost and let the person open the tunnel.",
    suggestion: "python3 -m http.server --bind 127.0.0.1 8000",
    examples: &[
        "ngrok http 3000",
        "bore local 8000 --to bore.pub",
        "ssh -R 80:localhost:3000 serveo.net",
        "ssh -fN -R 2222:localhost:22 user@host.example",
        "ssh -D 0.0.0.0:1080 host.example",
        "cloudflared tunnel --url http://localhost:8080",
        "python3 -m http.server -d / 8000",
    ],
    near_misses: &[
        "ngrok version",
        "python3 -m http.server 8000",
        "ssh -L 8080:localhost:80 host.example -N",
        "ssh -D 1080 -N host.example",
        "cloudflared tunnel list",
        "python3 -m http.server -d dist 8000",
        "tailscale status",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects() {
        if effect.verb == Verb::Listen && effect.flags.has(Flags::GLOBAL) {
            report.effect(effect, format!("makes this machine reachable through `{}`", effect.by));
        }
    }
}
