//! Pi, which loads extensions: a small one of ours asks herm.

use super::super::edit::Format;
use super::super::piece::{Edit, Piece};
use super::{Directory, Obstacle, Off, Place, Switch, Wiring, shim};

pub(super) static WIRING: Wiring = Wiring {
    programs: &["pi"],
    user: Directory { variable: Some("PI_CODING_AGENT_DIR"), within: "", home: ".pi/agent" },
    sign: None,
    system: None,
    unguarded: &["what other extensions do by themselves, and commands that a person types after `!`"],
    weakness: Some("`--no-extensions` loads no extensions"),
    switches: &[],
    obstacles: &[
        Obstacle::Saying(Switch {
            file: "settings.json",
            format: Format::Json,
            at: &["extensions"],
            off: Off::Without(FILE),
        }),
        ignoring("extensions/.gitignore"),
        ignoring("extensions/.ignore"),
        ignoring("extensions/.fdignore"),
        // A directory that says what is in it is not looked through.
        Obstacle::Saying(Switch {
            file: "extensions/package.json",
            format: Format::Json,
            at: &["pi", "extensions"],
            off: Off::Names,
        }),
        Obstacle::Instead("extensions/index.ts"),
        Obstacle::Instead("extensions/index.js"),
    ],
    managed: &[],
    consent: None,
    consents_to_all: &[],
};

const FILE: &str = "extensions/herm.ts";

const fn ignoring(file: &'static str) -> Obstacle {
    Obstacle::Ignoring { file, name: "herm.ts" }
}

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let text = shim(include_str!("../../shims/pi.ts"), place.call);
    vec![place.piece(FILE, Edit::Whole(text))]
}
