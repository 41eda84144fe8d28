//! Grants and denials as they are kept and sent.

use std::time::SystemTime;

use herm::approval::{Deed, Denial, Grant, Scope, Terms};
use herm_store::Timestamp;
use serde_json::{Value, json};

use super::Memory;

pub(super) fn scope(scope: &Scope) -> Value {
    match scope {
        Scope::Entry(written) => json!({ "entry": written }),
        Scope::Exact { rule, action } => json!({ "rule": rule, "action": action }),
    }
}

/// A scope as it was kept; one that cannot be read covers nothing.
pub(super) fn to_scope(value: &Value) -> Option<Scope> {
    match text(value, "entry") {
        Some(written) => Some(Scope::Entry(written)),
        None => Some(Scope::Exact { rule: text(value, "rule")?, action: text(value, "action")? }),
    }
}

pub(super) fn denial(denial: &Denial) -> Value {
    let deed = |deed: &Deed| {
        let (kind, name) = deed.thing.words();
        json!({ "verb": deed.verb_word(), "kind": kind, "name": name, "realm": deed.realm })
    };
    let deeds: Vec<_> = denial.deeds.iter().map(deed).collect();
    json!({ "deeds": deeds, "action": denial.action, "shown": denial.shown })
}

/// A denial as it was kept. A deed that cannot be read is left out; the exact action is still refused.
pub(super) fn to_denial(value: &Value) -> Denial {
    let text = |value: &Value, key: &str| text(value, key).unwrap_or_default();
    let deed = |value: &Value| {
        Deed::from_words(
            &text(value, "verb"),
            &text(value, "kind"),
            &text(value, "name"),
            &text(value, "realm"),
        )
    };
    let deeds = value.get("deeds").and_then(Value::as_array).into_iter().flatten().filter_map(deed).collect();
    Denial { deeds, action: text(value, "action"), shown: text(value, "shown") }
}

impl Memory {
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "grants": self.grants.iter().map(grant).collect::<Vec<_>>(),
            "denials": self.denials.iter().map(denial).collect::<Vec<_>>(),
        })
    }

    /// A memory as it was sent; nothing when a part is missing, since a missing denial would allow.
    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let list = |key: &str| value.get(key).and_then(Value::as_array);
        Some(Self {
            grants: list("grants")?.iter().filter_map(to_grant).collect(),
            denials: list("denials")?.iter().map(to_denial).collect(),
        })
    }
}

/// Which session it is for is not sent: whoever keeps it sends only what holds for the session that asks.
fn grant(grant: &Grant) -> Value {
    let end = |end: SystemTime| Timestamp::from(end).millis();
    json!({
        "id": grant.id, "scope": scope(&grant.scope),
        "expires": grant.terms.expires.map(end), "uses": grant.terms.uses,
    })
}

fn to_grant(value: &Value) -> Option<Grant> {
    let number = |key: &str| value.get(key).and_then(Value::as_u64);
    let terms = Terms {
        session: None,
        expires: number("expires").map(|end| Timestamp::from_millis(end).system_time()),
        uses: number("uses").map(|uses| u32::try_from(uses).unwrap_or(u32::MAX)),
    };
    Some(Grant { id: text(value, "id")?, scope: to_scope(value.get("scope")?)?, terms })
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}
