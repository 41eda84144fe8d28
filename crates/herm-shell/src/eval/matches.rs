//! Files of code that a pattern names, where the world shows what directories hold.
//!
//! `bash scripts/*.sh` runs what stands there as surely as `bash scripts/a.sh` does. Where more stands there than is gone
//! through, or a directory may not be looked at, the code is not known.

use std::ops::ControlFlow;

use super::machine::Machine;
use super::scope::Scope;
use crate::effect::{Certainty, Realm};
use crate::gap::{Gap, Position, Reason};
use crate::lang::Lang;
use crate::pattern::Pattern;
use crate::span::Span;
use crate::value::{Piece, Provenance, Value};
use crate::world::{Names, Standing};

/// The most files that a pattern is followed to.
const FILES: usize = 32;

/// The most names that are looked at for it.
const NAMES: usize = 2048;

/// How many names are looked at for a unit of work.
const NAMES_A_UNIT: usize = 32;

/// The files that a word names by a pattern.
enum Matches {
    /// These, of which there may be none.
    Files(Vec<String>),
    /// More than are gone through, or in a directory that may not be looked at.
    Hidden,
    /// Nobody can say.
    Unknown,
}

/// The places that a pattern has led to so far, and how many names were looked at.
struct Walk {
    places: Vec<String>,
    seen: usize,
}

impl Walk {
    fn enter(&mut self, name: &str) -> ControlFlow<Matches> {
        self.places.iter_mut().for_each(|place| *place = format!("{place}/{name}"));
        ControlFlow::Continue(())
    }
}

/// Where a script was called, and by which invocation.
#[derive(Clone, Copy)]
pub(super) struct Caller {
    pub(super) invocation: usize,
    pub(super) span: Span,
}

impl Machine<'_> {
    /// Runs each file of code that a pattern names; `None` where the word is no pattern or nobody can say what it names.
    pub(super) fn scripts_matched(
        &mut self,
        lang: Lang,
        word: &Value,
        arguments: &[Value],
        scope: &Scope,
        caller: Caller,
    ) -> Option<Value> {
        let files = match self.matches(lang, word, scope) {
            Matches::Unknown => return None,
            Matches::Hidden => {
                let shown = word.shown();
                let (position, reason) = (Position::Code, Reason::Unreadable);
                self.push_gap(Gap { position, reason, shown, span: caller.span });
                Vec::new()
            }
            Matches::Files(files) if files.is_empty() => return None,
            Matches::Files(files) => files,
        };
        let certainty = if files.len() > 1 { Certainty::May } else { scope.certainty };
        for file in files {
            let mut inner = Scope { certainty, ..scope.clone() };
            let _ = self.script(
                lang,
                &Value::literal(file),
                arguments,
                &mut inner,
                caller.invocation,
                caller.span,
            );
        }
        Some(Value::unknown(word.shown(), Provenance::OUTSIDE))
    }

    fn matches(&mut self, lang: Lang, word: &Value, scope: &Scope) -> Matches {
        let Some(pattern) = pattern_of(word, scope).filter(|_| scope.realm == Realm::Here) else {
            return Matches::Unknown;
        };
        let mut walk = Walk { places: vec![String::new()], seen: 0 };
        for part in pattern.split('/').filter(|part| !matches!(*part, "" | ".")) {
            let step = match plain(part) {
                Some(name) => walk.enter(&name),
                None if part == "**" => self.walk_down(&mut walk),
                None => self.walk_on(&mut walk, &Pattern::new(part)),
            };
            if let ControlFlow::Break(found) = step {
                return found;
            }
        }
        let mut places = walk.places;
        // A shell runs no directory; other interpreters run the start of what is in it.
        let is_run = |place: &String| {
            lang != Lang::Shell || self.setting.world.standing(place) != Some(Standing::Directory)
        };
        places.retain(is_run);
        if places.len() > FILES { Matches::Hidden } else { Matches::Files(places) }
    }

    /// Goes to whatever matches in each place.
    fn walk_on(&mut self, walk: &mut Walk, wanted: &Pattern) -> ControlFlow<Matches> {
        let mut found = Vec::new();
        for place in std::mem::take(&mut walk.places) {
            let names = self.look(walk, &place)?;
            let fits = names.into_iter().filter(|name| wanted.matches(name));
            found.extend(fits.map(|name| format!("{place}/{name}")));
        }
        walk.places = found;
        ControlFlow::Continue(())
    }

    /// Goes to each place and every directory below it, through links as well: some walks follow them.
    fn walk_down(&mut self, walk: &mut Walk) -> ControlFlow<Matches> {
        let mut at = 0;
        while let Some(place) = walk.places.get(at).cloned() {
            let below = self.look(walk, &place)?.into_iter().map(|name| format!("{place}/{name}"));
            let world = self.setting.world;
            let leads_on =
                |path: &String| matches!(world.standing(path), Some(Standing::Directory | Standing::Link));
            walk.places.extend(below.filter(leads_on));
            at += 1;
        }
        ControlFlow::Continue(())
    }

    /// The names in a directory, which are paid for.
    fn look(&mut self, walk: &mut Walk, place: &str) -> ControlFlow<Matches, Vec<String>> {
        let names = match self.names_in(place) {
            Names::Known(names) => names,
            Names::Hidden => return ControlFlow::Break(Matches::Hidden),
            Names::Unknown => return ControlFlow::Break(Matches::Unknown),
        };
        walk.seen += names.len() + 1;
        let price = u32::try_from(names.len() / NAMES_A_UNIT).unwrap_or(u32::MAX);
        if walk.seen > NAMES || !self.spend(price) {
            return ControlFlow::Break(Matches::Hidden);
        }
        ControlFlow::Continue(names)
    }

    /// The names in a directory, with what the text has put there.
    fn names_in(&self, place: &str) -> Names {
        let start = format!("{place}/");
        let written = self.files.contents().filter_map(|(path, _)| path.strip_prefix(&start));
        let own = written.map(|rest| rest.split('/').next().unwrap_or(rest).to_owned());
        match self.setting.world.names(if place.is_empty() { "/" } else { place }) {
            Names::Known(mut names) => {
                names.extend(own);
                names.sort();
                names.dedup();
                Names::Known(names)
            }
            hidden @ (Names::Hidden | Names::Unknown) => hidden,
        }
    }
}

/// The pattern of whole paths that a word stands for.
fn pattern_of(word: &Value, scope: &Scope) -> Option<String> {
    let mut pattern = String::new();
    let mut is_pattern = false;
    for piece in &word.pieces {
        match piece {
            Piece::Literal(text) => pattern.push_str(&Pattern::quote(text)),
            Piece::Glob(glob) => {
                is_pattern = true;
                pattern.push_str(glob);
            }
            Piece::Hole(hole) => {
                is_pattern = true;
                pattern.push_str(hole.matched.as_deref()?);
            }
        }
    }
    if !is_pattern || pattern.starts_with('/') {
        return Some(pattern).filter(|_| is_pattern);
    }
    let directory = scope.directory.as_deref().filter(|directory| directory.starts_with('/'))?;
    Some(format!("{}/{pattern}", Pattern::quote(directory)))
}

/// The name that a part of a pattern is, if it is nothing but that.
fn plain(part: &str) -> Option<String> {
    let mut name = String::new();
    let mut letters = part.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => name.extend(letters.next()),
            '*' | '?' | '[' | '(' => return None,
            other => name.push(other),
        }
    }
    Some(name)
}
