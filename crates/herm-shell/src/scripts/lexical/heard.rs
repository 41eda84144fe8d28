//! What a reader reported, and where in its text.

use std::collections::BTreeSet;
use std::collections::btree_set::Iter;
use std::iter::Peekable;

use super::vocabulary::Outcome;
use crate::effect::Verb;
use crate::lang::Lang;
use crate::span::Span;

/// What a reader reported, and where in its text.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// Where the reader is.
    at: Span,
    reported: BTreeSet<(u32, u32, u8)>,
    followed: BTreeSet<(u32, u32)>,
    /// Whether the reader said itself that it did not follow something.
    gave_up: bool,
}

impl Heard {
    /// The reader goes on there.
    pub(crate) fn moves(&mut self, at: Span) {
        self.at = at;
    }

    /// Code runs, or a program starts.
    pub(crate) fn starts(&mut self) {
        self.report(Outcome::START);
    }

    /// A file changes.
    pub(crate) fn changes(&mut self) {
        self.report(Outcome::CHANGE);
    }

    /// Something happens.
    pub(crate) fn does(&mut self, verb: Verb) {
        match verb {
            Verb::Kill | Verb::Power | Verb::Service => self.report(Outcome::END),
            Verb::Execute | Verb::Exhaust | Verb::Load | Verb::Persist | Verb::Escalate => self.starts(),
            Verb::Delete | Verb::Destroy | Verb::Discard | Verb::Format | Verb::Link | Verb::Write => {
                self.changes();
            }
            Verb::Account
            | Verb::ChangeAttributes
            | Verb::ChangeMode
            | Verb::ChangeOwner
            | Verb::Configure
            | Verb::Connect
            | Verb::Disable
            | Verb::Install
            | Verb::Listen
            | Verb::Login
            | Verb::Mount
            | Verb::Publish
            | Verb::Read
            | Verb::Rewrite
            | Verb::Send
            | Verb::Uninstall => {}
        }
    }

    /// The call of what stands there was followed to its end.
    pub(crate) fn follows(&mut self, at: Span) {
        self.followed.insert((at.start, at.end));
    }

    /// Something was not followed, and said to be.
    pub(crate) fn gives_up(&mut self) {
        self.gave_up = true;
    }

    pub(crate) const fn gave_up(&self) -> bool {
        self.gave_up
    }

    fn report(&mut self, outcome: Outcome) {
        self.reported.insert((self.at.start, self.at.end, outcome.bits()));
    }

    /// What was reported, to be compared with the words of the text from its beginning on.
    pub(super) fn sweep(&self, lang: Lang) -> Sweep<'_> {
        // Where a command is a list of words, what is reported of it says nothing of the code among them.
        let by_words = matches!(lang, Lang::PowerShell | Lang::Tcl);
        let reported = if by_words { NOTHING } else { &self.reported };
        Sweep {
            reported: reported.iter().peekable(),
            followed: self.followed.iter().peekable(),
            until: [0; 8],
        }
    }
}

/// Goes through a text with what was reported of it: each is looked at once.
#[derive(Debug)]
pub(super) struct Sweep<'h> {
    reported: Peekable<Iter<'h, (u32, u32, u8)>>,
    followed: Peekable<Iter<'h, (u32, u32)>>,
    /// Up to where each kind of outcome was reported from before the place that was reached.
    until: [u32; 8],
}

impl Sweep<'_> {
    /// Whether what comes of a word was reported at its place, or the call followed. Places are asked for in their order.
    pub(super) fn accounts_for(&mut self, start: u32, outcome: Outcome) -> bool {
        while let Some((_, end, bits)) = self.reported.next_if(|(from, ..)| *from <= start) {
            for bit in 0..3_u8 {
                self.reach(usize::from(bit), *end, bits >> bit & 1 != 0);
            }
        }
        while let Some((_, end)) = self.followed.next_if(|(from, _)| *from <= start) {
            self.reach(FOLLOWED, *end, true);
        }
        let mut kinds = self.until.iter().enumerate();
        kinds.any(|(kind, end)| *end > start && (kind == FOLLOWED || outcome.bits() >> kind & 1 != 0))
    }

    fn reach(&mut self, kind: usize, end: u32, counts: bool) {
        if let Some(until) = self.until.get_mut(kind).filter(|_| counts) {
            *until = end.max(*until);
        }
    }
}

static NOTHING: &BTreeSet<(u32, u32, u8)> = &BTreeSet::new();

/// Where the end of what was followed is kept.
const FOLLOWED: usize = 7;
