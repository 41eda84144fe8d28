//! Pi, which loads extensions: a small one of ours asks herm.

use super::super::piece::{Edit, Piece};
use super::{Directory, Place, Wiring, shim};

pub(super) static WIRING: Wiring = Wiring {
    programs: &["pi"],
    user: Directory { variable: Some("PI_CODING_AGENT_DIR"), within: "", home: ".pi/agent" },
    sign: None,
    system: None,
    unguarded: &["what other extensions do by themselves, and commands that a person types after `!`"],
    weakness: Some("`--no-extensions` loads no extensions"),
    switches: &[],
    managed: &[],
    consent: None,
    consents_to_all: &[],
};

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let text = shim(include_str!("../../shims/pi.ts"), place.call);
    vec![place.piece("extensions/herm.ts", Edit::Whole(text))]
}
