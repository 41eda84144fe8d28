//! A connection that was allowed for one host and is used for another.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A connection that was allowed for one host and is used for another.
pub static FRONTED_HOST: Rule = Rule {
    name: "fronted-host",
    title: "connection that is meant for another host",
    layer: Layer::Consult,
    stance: Stance::Deny,
    finds: "A connection that was allowed for one host and is used for another: a TLS handshake or a request names it.",
    matters: "Data would go to somebody whom nobody judged.",
    instead: "Connect to the host that is meant.",
    suggestion: "",
    examples: &[
        "CONNECT allowed.example:443, then a TLS handshake for other.example",
        "CONNECT allowed.example:80, then a request with `Host: other.example`",
        "CONNECT allowed.example:80, then HTTP/2 in the open",
    ],
    near_misses: &[
        "CONNECT allowed.example:443, then a TLS handshake for allowed.example",
        "CONNECT allowed.example:443, then a TLS handshake for ALLOWED.example.",
        "CONNECT allowed.example:22, then SSH",
    ],
    judge,
};

/// The proxy looks for this, which sees what is said on a connection.
fn judge(_facts: &Facts, _report: &mut Report<'_>) {}
