//! Windsurf. Known from its documentation only.

use super::super::edit::Format;
use super::super::item::Item;
use super::super::piece::Piece;
use super::{Directory, Place, Wiring, listed};

pub(super) static WIRING: Wiring = Wiring {
    programs: &["windsurf"],
    user: Directory { variable: None, within: "", home: ".codeium/windsurf" },
    sign: None,
    system: Some("etc/windsurf"),
    unguarded: &["tools other than commands, files and MCP"],
    weakness: Some(
        "known from its documentation only: it was never tried; a hook that fails in any other way than by refusing lets the tool run",
    ),
    switches: &[],
    obstacles: &[],
    managed: &[],
    consent: None,
    consents_to_all: &[],
};

const EVENTS: [&str; 4] = ["pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use"];

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let handler = Item::map([("command", Item::text(place.call.line())), ("show_output", Item::Flag(true))]);
    let hooks = EVENTS.iter().map(|event| listed(["hooks", event], handler.clone()));
    vec![place.entries("hooks.json", Format::PlainJson, hooks.collect())]
}
