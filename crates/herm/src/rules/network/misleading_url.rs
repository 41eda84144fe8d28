//! A link with a host in front of its `@`, or with a domain that looks like a file.

use herm_scan::HostTrait;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::network::hosts;
use crate::rules::{Layer, Report, Rule};

/// A link with a host in front of its `@`, or with a domain that looks like a file.
pub static MISLEADING_URL: Rule = Rule {
    name: "misleading-url",
    title: "link that leads elsewhere than it seems",
    layer: Layer::Network,
    stance: Stance::Ask,
    finds: "A link with a host in front of its `@`, or with a domain that looks like a file.",
    matters: "Whoever reads the link believes it to lead elsewhere.",
    instead: "Use the address without what misleads.",
    suggestion: "curl -s https://example.com",
    examples: &[
        "curl https://github.com@evil.example/x",
        "wget https://setup.zip/",
        "git clone https://google.com:443@evil.example/r",
    ],
    near_misses: &[
        "curl https://user:token@example.com/x",
        "git clone git@github.com:a/b",
        "curl -O https://example.com/setup.zip",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, host, odd) in hosts(facts) {
        match odd {
            HostTrait::Userinfo(user) => {
                report.effect(effect, format!("`{user}` is a user name here; the link leads to `{host}`"));
            }
            HostTrait::FileLike => report.effect(effect, format!("`{host}` is a host, not a file")),
            HostTrait::Address
            | HostTrait::Confusable(_)
            | HostTrait::LooksLike(_)
            | HostTrait::Metadata
            | HostTrait::Shortener => {}
        }
    }
}
