//! What a file holds before it is changed.

use std::path::Path;

use herm::Decision;
use herm::call::{Action, Call};

use crate::files::{self, Seen};
use crate::perform::Hands;
use crate::runtime::Runtime;

/// What a file holds now.
#[derive(Debug)]
pub(super) enum Now {
    /// There is none.
    Absent,
    /// Nobody may read it unasked, or it is no text.
    Hidden,
    /// This.
    Text(String),
}

impl Now {
    pub(super) fn of(runtime: &Runtime<'_>, call: &Call, path: &str) -> Self {
        let reading = Call { action: Action::Read(path.to_owned()), ..call.clone() };
        match runtime.judge(&reading, &Hands::Others).ruling.decision {
            Decision::Allow(_) => {}
            Decision::Ask(_) | Decision::Deny(_) => return Self::Hidden,
        }
        match files::read(Path::new(path)) {
            Seen::Absent => Self::Absent,
            Seen::Bytes(bytes) => String::from_utf8(bytes).map_or(Self::Hidden, Self::Text),
            Seen::Hidden => Self::Hidden,
        }
    }

    /// The text, where there is one that may be read.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Absent | Self::Hidden => None,
        }
    }
}
