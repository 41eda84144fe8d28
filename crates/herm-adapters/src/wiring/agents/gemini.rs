//! Gemini CLI.

use super::super::command::patience;
use super::super::edit::Format;
use super::super::entry::Standing;
use super::super::item::Item;
use super::super::piece::Piece;
use super::{Directory, Off, Place, Scope, Switch, Wiring, listed, valued};

pub(super) static WIRING: Wiring = Wiring {
    programs: &["gemini"],
    user: Directory { variable: None, within: "", home: ".gemini" },
    sign: None,
    system: Some("etc/gemini-cli"),
    unguarded: &["tools of the model's provider, such as its web search"],
    weakness: Some("a repository can switch it off by its name, even when it is wired for the system"),
    switches: &[
        Switch {
            file: ".gemini/settings.json",
            format: Format::Json,
            at: &["hooksConfig", "enabled"],
            off: Off::False,
        },
        Switch {
            file: ".gemini/settings.json",
            format: Format::Json,
            at: &["hooksConfig", "disabled"],
            off: Off::Names,
        },
    ],
    obstacles: &[],
    managed: &[],
    consent: None,
    consents_to_all: &[],
};

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let handler = Item::map([
        ("name", Item::text("herm")),
        ("type", Item::text("command")),
        ("command", Item::text(place.call.line())),
        // This agent counts in thousandths.
        ("timeout", Item::number(patience(place.call.agent).agent * 1000)),
    ]);
    let hooks = Item::List(vec![handler]);
    let group = Item::map([("matcher", Item::text(".*")), ("hooks", hooks.clone())]);
    // What a person says begins anew what is counted after each tool.
    let hooks = [
        listed(["hooks", "BeforeTool"], group.clone()),
        listed(["hooks", "AfterTool"], group),
        listed(["hooks", "BeforeAgent"], Item::map([("hooks", hooks)])),
    ];
    let pin = valued(["hooksConfig", "enabled"], Item::Flag(true), Standing::Pinned);
    let entries = match place.scope {
        Scope::System => [pin].into_iter().chain(hooks).collect(),
        Scope::User => hooks.to_vec(),
    };
    // With a trailing comma or a byte order mark in it, this agent does not start.
    vec![place.entries("settings.json", Format::CommentedJson, entries)]
}
