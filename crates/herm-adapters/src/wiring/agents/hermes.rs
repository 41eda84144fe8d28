//! Hermes.

use super::super::command::patience;
use super::super::edit::Format;
use super::super::entry::{Entry, Likeness};
use super::super::item::Item;
use super::super::piece::{Piece, Purpose};
use super::{Directory, Place, Wiring, listed};

pub(super) static WIRING: Wiring = Wiring {
    programs: &["hermes"],
    user: Directory { variable: Some("HERMES_HOME"), within: "", home: ".hermes" },
    sign: None,
    system: None,
    unguarded: &[
        "what plugins of Hermes do by themselves",
        "where `skills.inline_shell` is on, the commands in a skill that you call yourself, with `/`",
    ],
    weakness: Some("an answer takes 300 seconds at most, and `HERMES_SAFE_MODE=1` skips all hooks"),
    switches: &[],
    obstacles: &[],
    managed: &[],
    consent: Some("start `hermes` at a terminal and say yes, or `herm init hermes --trust`"),
    consents_to_all: &["hooks_auto_accept"],
};

/// Before a tool, after it, and when a person has spoken, which begins anew what is counted.
const EVENTS: [&str; 3] = ["pre_tool_call", "post_tool_call", "pre_llm_call"];

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let hook = Item::map([
        ("command", Item::text(place.call.line())),
        ("timeout", Item::number(patience(place.call.agent).agent)),
    ]);
    let entries = EVENTS.map(|event| listed(["hooks", event], hook.clone()));
    vec![place.entries("config.yaml", Format::Yaml, entries.to_vec())]
}

/// The entries by which Hermes runs the hook without asking.
pub(super) fn trust(place: &Place<'_>) -> Piece {
    let entries = EVENTS.map(|event| {
        let item = Item::map([("event", Item::text(event)), ("command", Item::text(place.call.line()))]);
        // What Hermes writes itself says when, too.
        Entry::Item { list: vec!["approvals".to_owned()], item, likeness: Likeness::AtLeast }
    });
    let piece = place.entries("shell-hooks-allowlist.json", Format::PlainJson, entries.to_vec());
    Piece { purpose: Purpose::Trust, ..piece }
}
