//! Codex CLI.
//!
//! A hook that nobody trusts is skipped, and the tool runs. Trust is a hash of what the hook says, under the number that it
//! has in its file.

use sha2::{Digest, Sha256};

use super::super::command::patience;
use super::super::edit::Format;
use super::super::entry::{Standing, own};
use super::super::item::Item;
use super::super::piece::{Piece, Purpose};
use super::{Directory, Off, Place, Scope, Switch, Wiring, listed, valued};
use crate::Agent;

pub(super) static WIRING: Wiring = Wiring {
    programs: &["codex"],
    user: Directory { variable: Some("CODEX_HOME"), within: "", home: ".codex" },
    sign: None,
    system: Some("etc/codex"),
    unguarded: &["tools of the model's provider, such as its web search"],
    weakness: Some("`-c features.hooks=false` switches it off; `herm init --system` holds against it"),
    switches: &[Switch {
        file: ".codex/config.toml",
        format: Format::Toml,
        at: &["features", "hooks"],
        off: Off::False,
    }],
    managed: &[Switch {
        file: "etc/codex/requirements.toml",
        format: Format::Toml,
        at: &["allow_managed_hooks_only"],
        off: Off::True,
    }],
    consent: Some("start `codex` and trust it under `/hooks`, or `herm init codex --trust`"),
    consents_to_all: &[],
};

const EVENT: [&str; 2] = ["hooks", "PreToolUse"];

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let hook = listed(EVENT, group(place));
    match place.scope {
        Scope::System => {
            let pin = valued(["features", "hooks"], Item::Flag(true), Standing::Pinned);
            vec![place.entries("requirements.toml", Format::Toml, vec![pin, hook])]
        }
        Scope::User => vec![place.entries("hooks.json", Format::PlainJson, vec![hook])],
    }
}

fn group(place: &Place<'_>) -> Item {
    let handler = Item::map([
        ("type", Item::text("command")),
        ("command", Item::text(place.call.line())),
        ("timeout", Item::number(patience(place.call.agent).agent)),
    ]);
    Item::map([("matcher", Item::text("*")), ("hooks", Item::List(vec![handler]))])
}

/// The line in `config.toml` that says that the hook in `hooks.json` is trusted.
pub(super) fn trust(place: &Place<'_>, hooks: &str) -> Option<Piece> {
    let root = Format::PlainJson.read(hooks).ok()?;
    let list = EVENT.map(ToOwned::to_owned);
    let ours = own(&root, &list, Agent::Codex)?;
    let number = root.find(&EVENT)?.items().iter().position(|group| group == ours)?;
    let key = format!("{}:pre_tool_use:{number}:0", place.file("hooks.json").display());
    let value = Item::Text(format!("sha256:{}", hash(ours)?));
    let entry = valued(["hooks", "state", &key, "trusted_hash"], value, Standing::Pinned);
    let piece = place.entries("config.toml", Format::Toml, vec![entry]);
    Some(Piece { purpose: Purpose::Trust, ..piece })
}

/// The hash by which Codex knows a hook again: of what it says, in JSON without blanks and with its names in order.
fn hash(group: &Item) -> Option<String> {
    let handler = group.get("hooks")?.items().first()?;
    let said = serde_json::json!({
        "event_name": "pre_tool_use",
        "matcher": group.get("matcher")?.as_text()?,
        "hooks": [{
            "type": handler.get("type")?.as_text()?,
            "command": handler.get("command")?.as_text()?,
            "timeout": patience(Agent::Codex).agent,
            "async": false,
        }],
    });
    let digest = Sha256::digest(said.to_string().as_bytes());
    let hex = |nibble: u8| char::from_digit(u32::from(nibble), 16);
    digest.iter().flat_map(|byte| [hex(byte >> 4), hex(byte & 15)]).collect()
}
