//! Cline, which runs an executable by its name. Known from its documentation only.

use super::super::piece::{Edit, Piece};
use super::{Directory, Place, Wiring, shim};

pub(super) static WIRING: Wiring = Wiring {
    programs: &["cline"],
    user: Directory { variable: None, within: "", home: "Documents/Cline" },
    sign: None,
    system: None,
    unguarded: &["tools for which Cline asks no hook"],
    weakness: Some(
        "known from its documentation only: it was never tried; hooks must be enabled in its settings",
    ),
    switches: &[],
    obstacles: &[],
    managed: &[],
    consent: None,
    consents_to_all: &[],
};

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let text = shim(include_str!("../../shims/cline.sh"), place.call);
    let piece = place.piece("Hooks/PreToolUse", Edit::Whole(text));
    vec![Piece { mode: 0o700, ..piece }]
}
