//! A host whose name looks like a well-known one, or is written with letters that look like others.

use herm_scan::HostTrait;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::network::hosts;
use crate::rules::{Layer, Report, Rule};

/// A host whose name looks like a well-known one, or is written with letters that look like others.
pub static LOOKALIKE_HOST: Rule = Rule {
    name: "lookalike-host",
    title: "host that pretends to be another",
    layer: Layer::Network,
    stance: Stance::Ask,
    finds: "A host whose name looks like a well-known one, or is written with letters that look like others.",
    matters: "What comes from there is not from whom it seems to be.",
    instead: "Use the real address.",
    suggestion: "curl -s https://github.com",
    examples: &[
        "curl https://githuh.com/x",
        "git clone https://github.com.evil.example/a/b",
        "curl -O https://exаmple.org/f",
        "wget https://rnicrosoft.com/x",
    ],
    near_misses: &[
        "curl https://github.com/x",
        "curl https://münchen.de",
        "git clone https://gitlab.com/a/b",
        "echo githuh.com",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, host, odd) in hosts(facts) {
        match odd {
            HostTrait::LooksLike(domain) => {
                report.effect(effect, format!("`{host}` looks like `{domain}`, but is not"));
            }
            HostTrait::Confusable(plain) => {
                report.effect(effect, format!("`{host}` is written with letters that look like `{plain}`"));
            }
            HostTrait::Address
            | HostTrait::FileLike
            | HostTrait::Metadata
            | HostTrait::Shortener
            | HostTrait::Userinfo(_) => {}
        }
    }
}
