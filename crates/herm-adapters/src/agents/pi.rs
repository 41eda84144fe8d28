//! Pi, by an extension that hands us `tool_call` and `tool_result`, and blocks unless we say `allow`.

use super::{Names, opencode};
use crate::agent::Protocol;
use crate::event::{Dialect, Event, Malformed};
use crate::fields::Fields;
use crate::table::{Meaning, Tool, tool};

pub(crate) const PROTOCOL: Protocol = Protocol {
    word: "pi",
    name: "Pi",
    patience: 300,
    asks: false,
    replaces: true,
    types_unseen: false,
    decode,
    encode: opencode::encode,
};

const NAMES: Names = Names { before: &["tool_call"], after: &["tool_result"], other: &[] };

const TOOLS: &[Tool] = &[
    tool(&["bash"], Meaning::Command(Dialect::Shell, &["command"], &[])),
    tool(&["read"], Meaning::Read(&["path"])),
    tool(&["edit", "write"], Meaning::Write(&["path"])),
    tool(&["find", "grep", "ls"], Meaning::Look(&["path"])),
];

fn decode(told: Fields<'_>) -> Result<Event, Malformed> {
    opencode::shim(told, &NAMES, TOOLS)
}
