//! A link that programs would read differently, or that is none.

use crate::facts::Facts;
use crate::fetch::Fetch;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};
use crate::url::Flaw;

/// A link that programs would read differently, or that is none.
pub static UNREADABLE_URL: Rule = Rule {
    name: "unreadable-url",
    title: "link that programs read differently",
    layer: Layer::Network,
    stance: Stance::Deny,
    finds: "A link that programs would read differently, or that is none.",
    matters: "What is judged would not be where the connection goes.",
    instead: "Write the link plainly: `https://host/path`.",
    suggestion: "",
    examples: &[
        "http://example.com\\\\@10.0.0.1/",
        "http://%31%32%37.0.0.1/",
        "http:/127.0.0.1/",
        "http://１２７.0.0.1/",
        "http://425.510.425.510/",
    ],
    near_misses: &["https://user:password@example.com/", "https://例え.jp/", "https://example.com/a%20b"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    match facts.fetch.as_ref().map(Fetch::to) {
        None | Some(Ok(_) | Err(Flaw::Scheme(_))) => {}
        Some(Err(flaw)) => report.call(format!("{flaw}")),
    }
}
