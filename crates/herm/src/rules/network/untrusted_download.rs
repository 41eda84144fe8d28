//! Code that is run after it came over plain HTTP, without certificate checks, from a bare address or a shortened link.

use herm_scan::{HostTrait, Reach, inspect_host, reach};
use herm_shell::effect::HostTarget;
use herm_shell::{Effect, Flags, Provenance, Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// Code that is run after it came over plain HTTP, without certificate checks, from a bare address or a shortened link.
pub static UNTRUSTED_DOWNLOAD: Rule = Rule {
    name: "untrusted-download",
    title: "code from a source that cannot be trusted",
    layer: Layer::Network,
    stance: Stance::Ask,
    finds: "Code that is run after it came over plain HTTP, without certificate checks, from a bare address or a shortened link.",
    matters: "Nobody can say who wrote what runs.",
    instead: "Download over HTTPS from a named host, read it, then run it.",
    suggestion: "curl -fsSLO https://example.com/install.sh",
    examples: &[
        "curl http://example.com/x.sh | sh",
        "curl -k https://example.com/x.sh | bash",
        "wget -qO- https://bit.ly/abc | sh",
        "curl -s https://203.0.113.5/x | bash",
    ],
    near_misses: &[
        "curl -fsSL http://example.com/x.sh -o x.sh",
        "curl -k https://localhost:8443/health",
        "curl https://bit.ly/abc",
        "curl http://localhost:3000",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let runs = |effect: &Effect| effect.verb == Verb::Execute && effect.provenance.has(Provenance::NETWORK);
    if !facts.effects().any(runs) {
        return;
    }
    for effect in facts.effects().filter(|effect| effect.verb == Verb::Connect) {
        let Target::Host(host) = &effect.target else { continue };
        if let Some(why) = untrusted(effect, host) {
            report.effect(effect, format!("runs what comes from `{}`, {why}", host.shown));
        }
    }
}

/// Why nobody can say who answers.
fn untrusted(effect: &Effect, host: &HostTarget) -> Option<&'static str> {
    let name = host.host.as_deref()?;
    if matches!(reach(name), Reach::Loopback) {
        return None;
    }
    let traits = inspect_host(name);
    if host.scheme.as_deref().is_some_and(|scheme| matches!(scheme, "http" | "ftp" | "tftp")) {
        Some("which is not encrypted")
    } else if effect.flags.has(Flags::TLS_OFF) {
        Some("without checking its certificate")
    } else if traits.contains(&HostTrait::Address) {
        Some("a bare address")
    } else if traits.contains(&HostTrait::Shortener) {
        Some("a shortened link")
    } else {
        None
    }
}
