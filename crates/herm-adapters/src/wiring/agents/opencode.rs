//! `OpenCode`, which loads plugins: a small one of ours asks herm.

use super::super::piece::{Edit, Piece};
use super::{Directory, Place, Wiring, shim};

pub(super) static WIRING: Wiring = Wiring {
    programs: &["opencode"],
    user: Directory { variable: Some("XDG_CONFIG_HOME"), within: "opencode", home: ".config/opencode" },
    sign: None,
    system: None,
    unguarded: &["what other plugins and formatters do by themselves"],
    weakness: Some("`--pure` loads no plugins"),
    switches: &[],
    obstacles: &[],
    managed: &[],
    consent: None,
    consents_to_all: &[],
};

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let text = shim(include_str!("../../shims/opencode.js"), place.call);
    vec![place.piece("plugin/herm.js", Edit::Whole(text))]
}
