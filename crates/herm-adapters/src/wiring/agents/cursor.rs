//! Cursor. Known from its documentation only.

use super::super::command::patience;
use super::super::edit::Format;
use super::super::entry::Standing;
use super::super::item::Item;
use super::super::piece::Piece;
use super::{Directory, Place, Wiring, listed, valued};

pub(super) static WIRING: Wiring = Wiring {
    programs: &["cursor", "cursor-agent"],
    user: Directory { variable: None, within: "", home: ".cursor" },
    sign: None,
    system: Some("etc/cursor"),
    unguarded: &["edits by its completion (Tab): Cursor tells of them afterwards"],
    weakness: Some("known from its documentation only: it was never tried"),
    switches: &[],
    obstacles: &[],
    managed: &[],
    consent: None,
    consents_to_all: &[],
};

const EVENTS: [&str; 4] = ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"];

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let handler = Item::map([
        ("command", Item::text(place.call.line())),
        ("timeout", Item::number(patience(place.call.agent).agent)),
        ("failClosed", Item::Flag(true)),
    ]);
    let version = valued(["version"], Item::number(1), Standing::Needed);
    let hooks = EVENTS.iter().map(|event| listed(["hooks", event], handler.clone()));
    vec![place.entries("hooks.json", Format::PlainJson, [version].into_iter().chain(hooks).collect())]
}
