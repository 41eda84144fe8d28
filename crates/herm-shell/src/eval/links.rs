//! Links: where they lead, and those that the text itself makes.
//!
//! `..` behind a link is the parent of where the link leads, except where a program reduces names by itself, as `cd` does. So a
//! path has several readings, and each of them counts.

use super::files::{Link, Made};
use super::machine::Machine;
use super::scope::Scope;
use super::stream::own_descriptor;
use crate::effect::Realm;
use crate::place::{self, Extent, PathTarget, Places};
use crate::value::{Piece, Value};

/// How many links are followed, one behind the other.
const HOPS: usize = 16;

/// What asking the world where a path leads costs in work.
const LOOK: u32 = 4;

/// Where a word leads.
#[derive(Debug)]
pub(crate) struct Readings {
    /// Where the kernel ends.
    pub(crate) real: PathTarget,
    /// Where others may end: programs that reduce names, a text that does not come to its links.
    pub(crate) others: Vec<PathTarget>,
}

impl Readings {
    fn only(real: PathTarget) -> Self {
        Self { real, others: Vec::new() }
    }

    /// Several, those that the links show before those that the names do. Which lead to the same are one.
    fn of(shown: Vec<PathTarget>, named: PathTarget) -> Self {
        let mut all = shown.into_iter().chain([named.clone()]);
        let mut readings = Self::only(all.next().unwrap_or(named));
        for other in all {
            let known = |known: &PathTarget| known.path == other.path && known.extent == other.extent;
            if !known(&readings.real) && !readings.others.iter().any(known) {
                readings.others.push(other);
            }
        }
        readings
    }
}

impl Machine<'_> {
    /// What a word that was resolved by its names leads to.
    pub(super) fn readings_of(&self, written: PathTarget, value: &Value, scope: &Scope) -> Readings {
        if scope.realm != Realm::Here {
            return Readings::only(written);
        }
        let mut readings = match written.extent {
            Extent::Exact => self.exact(written, value, scope),
            Extent::Unknown => Readings::only(written),
            Extent::Children | Extent::Pattern | Extent::Prefix => self.inside_links(written, value, scope),
        };
        readings.others.extend(self.matched_links(value, scope));
        for target in std::iter::once(&mut readings.real).chain(&mut readings.others) {
            self.mark_temporary(target, scope.directory.as_deref());
        }
        readings
    }

    /// Says of what lies where the call began that it is of the workspace, wherever the text stands by now.
    pub(super) fn mark_workspace(&self, target: &mut PathTarget, here: Option<&str>) {
        let began = self.setting.cwd;
        let is_placed = matches!(target.extent, Extent::Children | Extent::Exact);
        if began.is_empty() || here == Some(began) || !is_placed || !is_within(&target.path, began) {
            return;
        }
        let mut path = Value::literal(target.path.as_str());
        if target.extent == Extent::Children {
            path.push_str("/");
            path.pieces.push(Piece::Glob("*".to_owned()));
        }
        let there = place::resolve(&path, Some(began), self.setting.home).places;
        let workspace = Places::WORKSPACE.and(Places::WORKSPACE_ROOT);
        if there.any(workspace) {
            target.places |= there.without(workspace.complement());
        }
    }

    fn exact(&self, written: PathTarget, value: &Value, scope: &Scope) -> Readings {
        let mut shown = Vec::new();
        if let Some(path) = place::climbing(value, scope.directory.as_deref()) {
            let reals = self.ways_made().iter().map(|made| self.climbed(&path, *made));
            let elsewhere = reals.filter(|real| *real != written.path);
            shown.extend(elsewhere.map(|real| self.completed(self.at(&real, &written, scope))));
        }
        let named = |made: &Made| {
            let mut named = written.clone();
            if let Some(real) = self.led(&written.path, *made) {
                let there = place::resolve(&Value::literal(real), None, self.setting.home);
                named.places |= there.places;
                named.path = there.path;
            }
            self.completed(named)
        };
        shown.extend(self.ways_made().iter().map(named));
        match shown.pop() {
            Some(last) => Readings::of(shown, last),
            None => Readings::only(written),
        }
    }

    /// A path that the names do not show, seen from where the working directory really is.
    fn at(&self, real: &str, written: &PathTarget, scope: &Scope) -> PathTarget {
        let here = scope.directory.as_deref();
        let here = here.map(|here| self.led(here, Made::Seemingly).unwrap_or_else(|| here.to_owned()));
        let there = place::resolve(&Value::literal(real), here.as_deref(), self.setting.home);
        PathTarget { shown: written.shown.clone(), ..there }
    }

    /// With what other names of the same file, and the guard's own program, say of it.
    fn completed(&self, mut target: PathTarget) -> PathTarget {
        if self.setting.world.has_other_names(&target.path) {
            // It stays where it is: that is what others see of it.
            target.places |= place::twins(&target.path, self.setting.home, self.setting.world);
        }
        if self.setting.world.guard() == Some(target.path.as_str()) {
            target.places |= place::GUARDS_PROGRAM;
        }
        target
    }

    /// Where a path with its `..` in place leads.
    fn climbed(&self, path: &str, made: Made) -> String {
        place::physical(path, &|path| {
            // Each `..` is another look at the world. Whoever asks next finds the tank empty.
            let _ = self.fuel.spend(LOOK);
            self.led(path, made)
        })
    }

    /// Where a path without `..` leads through links that the text made or that the world shows, if it leads elsewhere.
    fn led(&self, path: &str, made: Made) -> Option<String> {
        let mut here = path.to_owned();
        for _ in 0..HOPS {
            let next = match self.files.led(&here, made) {
                Some(next) => Some(next),
                None if self.files.wrote(&here) => None,
                None => self.setting.world.resolve(&here),
            };
            match next.filter(|next| *next != here) {
                Some(next) => here = next,
                None => break,
            }
        }
        (here != path).then_some(here)
    }

    /// A path of which only the beginning is known, where that leads through a link: `link/*`.
    fn inside_links(&self, written: PathTarget, value: &Value, scope: &Scope) -> Readings {
        let (here, home) = (scope.directory.as_deref(), self.setting.home);
        let led = |made: &Made| place::within(value, here, home, &|path| self.led(path, *made));
        Readings::of(self.ways_made().iter().filter_map(led).collect(), written)
    }

    /// Where a pattern leads if it matches a link that the text made.
    fn matched_links(&self, value: &Value, scope: &Scope) -> Vec<PathTarget> {
        let is_pattern = value.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_)));
        let links = self.files.links().filter(|_| is_pattern);
        let ends = links.flat_map(|(path, link)| [(path, &link.seemingly), (path, &link.otherwise)]);
        let through = |(path, leads): (&str, &String)| {
            let _ = self.fuel.spend(LOOK);
            let led = place::through_pattern(value, scope.directory.as_deref(), path, leads)?;
            let there = place::resolve(&led, None, self.setting.home);
            Some(PathTarget { shown: value.shown(), ..there })
        };
        ends.filter_map(through).collect()
    }

    /// How the links may be taken that the text made.
    fn ways_made(&self) -> &'static [Made] {
        if self.files.has_links() {
            &[Made::Seemingly, Made::Otherwise, Made::Not]
        } else {
            &[Made::Seemingly]
        }
    }

    /// Remembers a link that the text makes.
    pub(crate) fn link_made(&mut self, from: &Value, to: &Value, scope: &Scope) {
        let (end, hard) = (self.target(from, scope).path, self.target(to, scope).path);
        // The name itself may be that of an older link, which is replaced.
        let name = self.named(from, scope).unwrap_or_else(|| end.clone());
        let symbolic = self.seen_from(&name, to).unwrap_or_else(|| hard.clone());
        let is_hard = self.files.content(&symbolic).is_none() && self.files.content(&hard).is_some();
        let (seemingly, otherwise) = if is_hard { (hard, symbolic) } else { (symbolic, hard) };
        let link = Link { seemingly, otherwise };
        for path in [&name, &end] {
            // A link to itself leads nowhere.
            if *path != link.seemingly {
                self.files.link(path, link.clone());
            }
        }
    }

    /// What a word names where a link that stands there is meant itself, and only those on the way to it are followed. Nothing where the last
    /// is followed, too, as it is before a slash, or where that cannot be known.
    pub(super) fn names(&self, value: &Value, scope: &Scope) -> Option<Readings> {
        if scope.realm != Realm::Here || own_descriptor(value).is_some() {
            return None;
        }
        let text = value.known().filter(|text| !text.contains('\\'))?;
        let (above, name) = text.rsplit_once('/').unwrap_or((".", &text));
        if matches!(name, "" | "." | "..") {
            return None;
        }
        let above = if text.starts_with('/') && above.is_empty() { "/" } else { above };
        let (here, home) = (scope.directory.as_deref(), self.setting.home);
        let written = place::resolve(value, here, home);
        let below = |above: &PathTarget| {
            let path = Value::literal(format!("{}/{name}", above.path.trim_end_matches('/')));
            let there = place::resolve(&path, None, home);
            let is_exact =
                above.extent == Extent::Exact && there.extent == Extent::Exact && above.path.starts_with('/');
            let target =
                PathTarget { shown: written.shown.clone(), places: there.places | written.places, ..there };
            let mut target = self.completed(target);
            self.mark_temporary(&mut target, here);
            is_exact.then_some(target)
        };
        let Readings { real, others } = self.readings(&Value::literal(above), scope);
        let real = below(&real)?;
        let others = others.iter().map(below).collect::<Option<_>>()?;
        Some(Readings { real, others })
    }

    /// Remembers that what stood at a name stands at another one now, if it is a link.
    pub(crate) fn link_moved(&mut self, from: &Value, to: &Value, scope: &Scope) {
        let Some(Readings { real, others }) = self.names(from, scope) else { return };
        let leads =
            |made: Made| std::iter::once(&real).chain(&others).find_map(|name| self.led(&name.path, made));
        let Some(seemingly) = leads(Made::Seemingly) else { return };
        let otherwise = leads(Made::Otherwise).unwrap_or_else(|| seemingly.clone());
        let link = Link { seemingly, otherwise };
        let end = self.target(to, scope).path;
        let name = self.named(to, scope).unwrap_or_else(|| end.clone());
        for path in [&name, &end] {
            if *path != link.seemingly {
                self.files.link(path, link.clone());
            }
        }
    }

    /// The path of a name itself: links on the way to it are followed, but not one that stands there.
    fn named(&self, value: &Value, scope: &Scope) -> Option<String> {
        let text = value.known()?;
        let text = text.trim_end_matches('/');
        let (above, name) = text.rsplit_once('/').unwrap_or((".", text));
        if matches!(name, "" | "." | "..") {
            return None;
        }
        let above = if above.is_empty() { "/" } else { above };
        let above = self.target(&Value::literal(above), scope);
        (above.extent == Extent::Exact).then(|| format!("{}/{name}", above.path.trim_end_matches('/')))
    }

    /// Where a relative path leads from the directory of a name.
    fn seen_from(&self, name: &str, to: &Value) -> Option<String> {
        let text = to.known().filter(|text| !text.starts_with('/'))?;
        let (above, _) = name.rsplit_once('/')?;
        let path = format!("{above}/{text}");
        Some(self.climbed(&path, Made::Seemingly))
    }
}

/// Whether a path is a directory or lies in it.
fn is_within(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || directory == "/")
}
