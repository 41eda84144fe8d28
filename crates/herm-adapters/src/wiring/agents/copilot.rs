//! GitHub Copilot CLI.

use super::super::command::patience;
use super::super::edit::Format;
use super::super::entry::Standing;
use super::super::item::Item;
use super::super::piece::Piece;
use super::{Directory, Obstacle, Off, Place, Scope, Switch, Wiring, listed, valued};

pub(super) static WIRING: Wiring = Wiring {
    programs: &["copilot"],
    user: Directory { variable: Some("COPILOT_HOME"), within: "", home: ".copilot" },
    sign: None,
    system: Some("etc/github-copilot/policy.d"),
    unguarded: &["tools of the model's provider"],
    weakness: Some("a hook that does not answer in time lets the tool run"),
    switches: &[off(".github/copilot/settings.json"), off(".github/copilot/settings.local.json")],
    // What its settings say of this counts for nothing; what the file with the hook says does.
    obstacles: &[Obstacle::Saying(off("hooks/herm.json")), Obstacle::Saying(off("herm.json"))],
    managed: &[],
    consent: None,
    consents_to_all: &[],
};

const fn off(file: &'static str) -> Switch {
    Switch { file, format: Format::Json, at: &["disableAllHooks"], off: Off::True }
}

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let file = match place.scope {
        Scope::System => "herm.json",
        Scope::User => "hooks/herm.json",
    };
    let handler = Item::map([
        ("type", Item::text("command")),
        ("bash", Item::text(place.call.line())),
        ("timeoutSec", Item::number(patience(place.call.agent).agent)),
    ]);
    let version = valued(["version"], Item::number(1), Standing::Needed);
    // Of what has happened nothing can be blocked, only counted; what a person says begins anew what is counted. That event has its
    // name in it in this spelling alone, and tools have the same names before and after in the other alone.
    let hooks = ["preToolUse", "postToolUse", "UserPromptSubmit"];
    let hooks = hooks.map(|event| listed(["hooks", event], handler.clone()));
    vec![place.entries(file, Format::PlainJson, [version].into_iter().chain(hooks).collect())]
}
