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
    unguarded: &["what plugins of Hermes do by themselves"],
    weakness: Some("an answer takes 300 seconds at most, and `HERMES_SAFE_MODE=1` skips all hooks"),
    switches: &[],
    managed: &[],
    consent: Some("start `hermes` at a terminal and say yes, or `herm init hermes --trust`"),
    consents_to_all: &["hooks_auto_accept"],
};

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let hook = Item::map([
        ("command", Item::text(place.call.line())),
        ("timeout", Item::number(patience(place.call.agent).agent)),
    ]);
    vec![place.entries("config.yaml", Format::Yaml, vec![listed(["hooks", "pre_tool_call"], hook)])]
}

/// The entry by which Hermes runs the hook without asking.
pub(super) fn trust(place: &Place<'_>) -> Piece {
    let item =
        Item::map([("event", Item::text("pre_tool_call")), ("command", Item::text(place.call.line()))]);
    // What Hermes writes itself says when, too.
    let entry = Entry::Item { list: vec!["approvals".to_owned()], item, likeness: Likeness::AtLeast };
    let piece = place.entries("shell-hooks-allowlist.json", Format::PlainJson, vec![entry]);
    Piece { purpose: Purpose::Trust, ..piece }
}
