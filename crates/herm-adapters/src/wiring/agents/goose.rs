//! Goose. Known from its documentation only.

use super::super::command::patience;
use super::super::edit::Format;
use super::super::entry::Standing;
use super::super::item::Item;
use super::super::piece::Piece;
use super::{Directory, Place, Wiring, listed, valued};

pub(super) static WIRING: Wiring = Wiring {
    programs: &["goose"],
    user: Directory { variable: None, within: "", home: ".agents/plugins/herm" },
    sign: Some(".config/goose"),
    system: None,
    unguarded: &["what extensions of Goose do by themselves"],
    weakness: Some("known from its documentation only: it was never tried"),
    switches: &[],
    obstacles: &[],
    managed: &[],
    consent: None,
    consents_to_all: &[],
};

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let handler = Item::map([
        ("type", Item::text("command")),
        ("command", Item::text(place.call.line())),
        ("timeout", Item::number(patience(place.call.agent).agent)),
        ("on_failure", Item::text("block")),
    ]);
    // A `*` alone is no pattern to Goose, which then skips the rule.
    let group = Item::map([("matcher", Item::text(".*")), ("hooks", Item::List(vec![handler]))]);
    let about = [
        valued(["name"], Item::text("herm"), Standing::Needed),
        valued(["version"], Item::text("1.0.0"), Standing::Needed),
    ];
    vec![
        place.entries("hooks/hooks.json", Format::PlainJson, vec![listed(["hooks", "PreToolUse"], group)]),
        place.entries("plugin.json", Format::PlainJson, about.to_vec()),
    ]
}
