//! Claude Code.

use super::super::command::patience;
use super::super::edit::Format;
use super::super::item::Item;
use super::super::piece::Piece;
use super::{Directory, Off, Place, Scope, Switch, Wiring, listed};

pub(super) static WIRING: Wiring = Wiring {
    programs: &["claude"],
    user: Directory { variable: Some("CLAUDE_CONFIG_DIR"), within: "", home: ".claude" },
    sign: None,
    system: Some("etc/claude-code"),
    unguarded: &[
        "what Claude runs by itself: hooks, status lines and MCP servers of a repository",
        "the commands in a skill or a command that you call yourself, with `/`",
    ],
    weakness: Some(
        "`--bare`, `--setting-sources` and `disableAllHooks` switch it off; `herm init --system` holds against them",
    ),
    switches: &[
        Switch {
            file: ".claude/settings.json",
            format: Format::Json,
            at: &["disableAllHooks"],
            off: Off::True,
        },
        Switch {
            file: ".claude/settings.local.json",
            format: Format::Json,
            at: &["disableAllHooks"],
            off: Off::True,
        },
    ],
    obstacles: &[],
    managed: &[
        Switch {
            file: "etc/claude-code/managed-settings.json",
            format: Format::Json,
            at: &["allowManagedHooksOnly"],
            off: Off::True,
        },
        Switch {
            file: "etc/claude-code/managed-settings.json",
            format: Format::Json,
            at: &["disableAllHooks"],
            off: Off::True,
        },
    ],
    consent: None,
    consents_to_all: &[],
};

pub(super) fn pieces(place: &Place<'_>) -> Vec<Piece> {
    let file = match place.scope {
        Scope::System => "managed-settings.json",
        Scope::User => "settings.json",
    };
    // Of what has happened nothing can be blocked, only taken out of what the model is told. What a person says begins anew what is
    // counted there.
    let hooks = [
        listed(["hooks", "PreToolUse"], group(place, Some("*"), Some("block"))),
        listed(["hooks", "PostToolUse"], group(place, Some("*"), None)),
        listed(["hooks", "PostToolUseFailure"], group(place, Some("*"), None)),
        listed(["hooks", "UserPromptSubmit"], group(place, None, None)),
    ];
    // A file with a comment in it is skipped as a whole, and says so to nobody who does not look.
    vec![place.entries(file, Format::MarkedJson, hooks.to_vec())]
}

/// Without `on_failure` a hook that is killed or missing lets the tool run.
fn group(place: &Place<'_>, matcher: Option<&str>, on_failure: Option<&str>) -> Item {
    let mut handler = vec![
        ("type".to_owned(), Item::text("command")),
        ("command".to_owned(), Item::text(place.call.line())),
        ("timeout".to_owned(), Item::number(patience(place.call.agent).agent)),
    ];
    handler.extend(on_failure.map(|word| ("onFailure".to_owned(), Item::text(word))));
    let matcher = matcher.map(|matcher| ("matcher".to_owned(), Item::text(matcher)));
    let hooks = ("hooks".to_owned(), Item::List(vec![Item::Map(handler)]));
    Item::Map(matcher.into_iter().chain([hooks]).collect())
}
