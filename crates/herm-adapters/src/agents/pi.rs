//! Pi, by an extension that hands us `tool_call` and `tool_result`, and blocks unless we say `allow`.

use super::{Names, opencode};
use crate::agent::{Directory, Patience, Protocol};
use crate::event::{Dialect, Event, Malformed, Use};
use crate::fields::Fields;
use crate::table::{Meaning, Tool, tool};

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "pi",
    name: "Pi",
    patience: Patience { usual: 300, longest: 3600 },
    asks: false,
    replaces: true,
    types_unseen: false,
    directory: Directory::Told,
    rewriting: None,
    decode,
    encode: opencode::encode,
};

const NAMES: Names =
    Names { before: &["tool_call"], after: &["tool_result"], other: &["before_agent_start"] };

pub(super) const TOOLS: &[Tool] = &[
    tool(&["bash"], Meaning::Command(Dialect::Shell, &["command"], &[])),
    tool(&["read"], Meaning::Read(&["path"])),
    tool(&["edit", "write"], Meaning::Write(&["path"])),
    tool(&["find", "ls"], Meaning::Look(&["path"])),
    tool(&["grep"], Meaning::Search(&["path"])),
];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    let mut event = opencode::shim(told, &NAMES, TOOLS)?;
    event.uses = event.uses.into_iter().flat_map(with_opened).collect();
    Ok(event)
}

/// A path as it was given, and as it is opened: without the `@` of a mention, with plain blanks.
pub(super) fn with_opened(one: Use) -> Vec<Use> {
    let (path, same): (_, fn(String) -> Use) = match &one {
        Use::Read(path) => (path, Use::Read),
        Use::Write(path) => (path, Use::Write),
        Use::Command { .. }
        | Use::Delegate(_)
        | Use::Fetch(_)
        | Use::Mcp { .. }
        | Use::Program { .. }
        | Use::Skill { .. }
        | Use::Unknown => {
            return vec![one];
        }
    };
    let opened: String =
        path.strip_prefix('@').unwrap_or(path).chars().map(|c| if is_blank(c) { ' ' } else { c }).collect();
    if opened == *path { vec![one] } else { vec![same(opened), one] }
}

fn is_blank(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}
