//! A link that is neither `https` nor `http`.

use crate::facts::Facts;
use crate::fetch::Fetch;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};
use crate::url::Flaw;

/// A link that is neither `https` nor `http`.
pub static FOREIGN_SCHEME: Rule = Rule {
    name: "foreign-scheme",
    title: "link that is not of the web",
    layer: Layer::Network,
    stance: Stance::Deny,
    finds: "A link that is neither `https` nor `http`.",
    matters: "Such links read files, reach services that speak no HTTP, or run code.",
    instead: "Use an `https` link, or the tool that is made for it.",
    suggestion: "",
    examples: &[
        "file:///etc/passwd",
        "gopher://example.com:6379/_x",
        "jar:https://example.com/a.jar!/",
        "javascript:alert(1)",
    ],
    near_misses: &[
        "https://example.com/file:///etc/passwd",
        "http://example.com/",
        "https://example.com/?u=ftp://example.org",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    if let Some(Err(flaw @ Flaw::Scheme(_))) = facts.fetch.as_ref().map(Fetch::to) {
        report.call(format!("{flaw}"));
    }
}
