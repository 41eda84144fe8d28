//! Codex CLI.
//!
//! A hook that nobody trusts is skipped, and the tool runs. Trust is a hash of what the hook says, for each event, under the number
//! that it has in its file.

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
    obstacles: &[],
    managed: &[Switch {
        file: "etc/codex/requirements.toml",
        format: Format::Toml,
        at: &["allow_managed_hooks_only"],
        off: Off::True,
    }],
    consent: Some("start `codex` and trust it under `/hooks`, or `herm init codex --trust`"),
    consents_to_all: &[],
};

/// An event that is told, as the list is called and as trust calls it, and whether it is about tools.
struct Told {
    list: &'static str,
    word: &'static str,
    of_tools: bool,
}

/// What a person says begins anew what is counted after each tool.
const EVENTS: [Told; 3] = [
    Told { list: "PreToolUse", word: "pre_tool_use", of_tools: true },
    Told { list: "PostToolUse", word: "post_tool_use", of_tools: true },
    Told { list: "UserPromptSubmit", word: "user_prompt_submit", of_tools: false },
];

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let hooks = EVENTS.iter().map(|told| listed(["hooks", told.list], group(place, told)));
    match place.scope {
        Scope::System => {
            let pin = valued(["features", "hooks"], Item::Flag(true), Standing::Pinned);
            let entries = [pin].into_iter().chain(hooks).collect();
            vec![place.entries("requirements.toml", Format::Toml, entries)]
        }
        Scope::User => vec![place.entries("hooks.json", Format::PlainJson, hooks.collect())],
    }
}

fn group(place: &Place<'_>, told: &Told) -> Item {
    let handler = Item::map([
        ("type", Item::text("command")),
        ("command", Item::text(place.call.line())),
        ("timeout", Item::number(patience(place.call.agent).agent)),
    ]);
    let matcher = told.of_tools.then(|| ("matcher".to_owned(), Item::text("*")));
    let hooks = ("hooks".to_owned(), Item::List(vec![handler]));
    Item::Map(matcher.into_iter().chain([hooks]).collect())
}

/// The lines in `config.toml` that say that the hooks in `hooks.json` are trusted.
pub(super) fn trust(place: &Place<'_>, hooks: &str) -> Option<Piece> {
    let root = Format::PlainJson.read(hooks).ok()?;
    let file = place.file("hooks.json");
    let entries = EVENTS.iter().filter_map(|told| {
        let list = ["hooks".to_owned(), told.list.to_owned()];
        let ours = own(&root, &list, Agent::Codex)?;
        let number = root.find(&["hooks", told.list])?.items().iter().position(|group| group == ours)?;
        let key = format!("{}:{}:{number}:0", file.display(), told.word);
        let value = Item::Text(format!("sha256:{}", hash(ours, told)?));
        Some(valued(["hooks", "state", &key, "trusted_hash"], value, Standing::Pinned))
    });
    let piece = place.entries("config.toml", Format::Toml, entries.collect());
    // Without the first, no tool is asked about.
    own(&root, &["hooks".to_owned(), "PreToolUse".to_owned()], Agent::Codex)?;
    Some(Piece { purpose: Purpose::Trust, ..piece })
}

/// The hash by which Codex knows a hook again: of what it says, in JSON without blanks and with its names in order. What is about no
/// tools has no matcher.
fn hash(group: &Item, told: &Told) -> Option<String> {
    let handler = group.get("hooks")?.items().first()?;
    let mut said = serde_json::json!({
        "event_name": told.word,
        "hooks": [{
            "type": handler.get("type")?.as_text()?,
            "command": handler.get("command")?.as_text()?,
            "timeout": patience(Agent::Codex).agent,
            "async": false,
        }],
    });
    if told.of_tools {
        said.as_object_mut()?.insert("matcher".to_owned(), group.get("matcher")?.as_text()?.into());
    }
    let digest = Sha256::digest(said.to_string().as_bytes());
    let hex = |nibble: u8| char::from_digit(u32::from(nibble), 16);
    digest.iter().flat_map(|byte| [hex(byte >> 4), hex(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Codex 0.166.0 says of such hooks by itself (`hooks/list` of its app server).
    #[test]
    fn codex_computes_the_same_hashes() {
        let handler = [("type", Item::text("command")), ("command", Item::text("/bin/true"))];
        let hooks = || Item::List(vec![Item::map(handler.clone())]);
        let of_tools = Item::map([("matcher", Item::text("*")), ("hooks", hooks())]);
        let groups = [of_tools.clone(), of_tools, Item::map([("hooks", hooks())])];
        let hashes = EVENTS.iter().zip(&groups).map(|(told, group)| hash(group, told).unwrap());
        assert_eq!(
            hashes.collect::<Vec<_>>(),
            [
                "2a4b6de347b60e2d39d0d0c59eae828d11d8067dad3a591e35341d197f19d757",
                "56098c124d078636f8fc2dc4a33bad148c4309ae1622719beea92eb74817e1df",
                "d2d3b7cba92d3910ec68c01310082c28fb7c24dbd3b019e923b5f68cee6a9434",
            ]
        );
    }
}
