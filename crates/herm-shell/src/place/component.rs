//! One component of a path, in which parts may be unknown.

use std::borrow::Cow;

use crate::value::{Hole, Piece};

/// The longest name that file systems take; anything longer matches nothing.
const LONGEST: usize = 255;

/// How a hole reads that is one file after the other of all that are below what stands before it.
pub(crate) const EVERY_FILE: &str = "(every file)";
/// The text that stands for files below a directory which something in them picked: `grep -rl x /`.
pub(crate) const LISTED: &str = "(listed)";

/// The pattern for all that a walk finds below a directory. Each file is named by itself.
pub(crate) const WALK: &str = "***";

/// One component of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Component {
    /// Some of it is a pattern or unknown.
    Mixed(Vec<Atom>),
    /// All of it is known.
    Plain(String),
}

/// A part of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// One of the characters (or ranges) in a bracket expression.
    Class { negated: bool, members: Vec<(char, char)> },
    /// Something that cannot be known.
    Hole { may_be_empty: bool },
    /// This character.
    Letter(char),
    /// Any text, as `*`.
    Many,
    /// Any one character, as `?`.
    One,
}

impl Default for Component {
    fn default() -> Self {
        Self::Plain(String::new())
    }
}

impl Component {
    /// Known text.
    pub(super) fn literal(text: &str) -> Self {
        Self::Plain(text.to_owned())
    }

    /// Known text if all atoms are letters.
    fn of(atoms: Vec<Atom>) -> Self {
        match atoms.iter().map(Atom::letter).collect() {
            Some(text) => Self::Plain(text),
            None => Self::Mixed(atoms),
        }
    }

    /// The parts that are not plain text.
    fn atoms(&self) -> &[Atom] {
        match self {
            Self::Mixed(atoms) => atoms,
            Self::Plain(_) => &[],
        }
    }

    fn push(&mut self, atom: Atom) {
        match (&mut *self, atom) {
            (Self::Plain(text), Atom::Letter(letter)) => text.push(letter),
            (Self::Plain(text), atom) => {
                *self = Self::Mixed(text.chars().map(Atom::Letter).chain([atom]).collect());
            }
            (Self::Mixed(atoms), atom) => atoms.push(atom),
        }
    }

    pub(super) fn push_letter(&mut self, letter: char) {
        self.push(Atom::Letter(letter));
    }

    /// Adds something unknown. That it is every file is known well enough.
    pub(super) fn push_hole(&mut self, hole: &Hole) {
        if let Some(pattern) = &hole.matched {
            return self.push_glob(pattern);
        }
        let is_each = hole.shown == EVERY_FILE;
        self.push(if is_each { Atom::Many } else { Atom::Hole { may_be_empty: hole.may_be_empty } });
    }

    /// Adds a pattern as the shell writes it. An extended glob counts as `*`: it is a `*` with exceptions.
    pub(super) fn push_glob(&mut self, glob: &str) {
        let mut letters = glob.chars().peekable();
        while let Some(letter) = letters.next() {
            if letters.peek() == Some(&'(') && matches!(letter, '!' | '*' | '+' | '?' | '@') {
                return self.push(Atom::Many);
            }
            let atom = match letter {
                '*' => Atom::Many,
                '?' => Atom::One,
                '[' => class(&mut letters),
                other => Atom::Letter(other),
            };
            self.push(atom);
        }
    }

    /// The text, when all of it is known.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Mixed(_) => None,
            Self::Plain(text) => Some(text),
        }
    }

    /// The text before the first unknown part.
    pub(super) fn known_beginning(&self) -> Cow<'_, str> {
        match self {
            Self::Mixed(atoms) => atoms.iter().map_while(Atom::letter).collect(),
            Self::Plain(text) => Cow::Borrowed(text),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.is("")
    }

    /// Whether it is this text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text() == Some(text)
    }

    pub(super) fn has_hole(&self) -> bool {
        self.atoms().iter().any(|atom| matches!(atom, Atom::Hole { .. }))
    }

    pub(super) fn begins_with_hole(&self) -> bool {
        matches!(self.atoms().first(), Some(Atom::Hole { .. }))
    }

    pub(super) fn is_only_holes(&self) -> bool {
        !self.atoms().is_empty() && self.atoms().iter().all(|atom| matches!(atom, Atom::Hole { .. }))
    }

    /// Whether nothing is known but what kind of file it is: `$name.json`.
    pub(super) fn is_only_kind(&self) -> bool {
        let is_hole = |atom: &&Atom| matches!(atom, Atom::Hole { .. });
        let mut rest = self.atoms().iter().skip_while(is_hole);
        self.begins_with_hole()
            && rest.next() == Some(&Atom::Letter('.'))
            && rest.all(|atom| atom.letter().is_some_and(|letter| letter != '.'))
    }

    pub(super) fn has_glob(&self) -> bool {
        self.atoms().iter().any(|atom| matches!(atom, Atom::Class { .. } | Atom::Many | Atom::One))
    }

    /// Whether it matches about everything in its directory, or everything hidden: `*`, `.*`, `?*`, `*.*`.
    pub(super) fn is_broad(&self) -> bool {
        self.atoms().contains(&Atom::Many)
            && self.atoms().iter().all(|atom| match atom {
                Atom::Class { .. } | Atom::Many | Atom::One | Atom::Letter('.') => true,
                Atom::Hole { .. } | Atom::Letter(_) => false,
            })
    }

    /// The same with the holes taken out, if all of them may be empty.
    pub(super) fn with_holes_empty(&self) -> Option<Self> {
        let Self::Mixed(atoms) = self else { return Some(self.clone()) };
        let solid = atoms.iter().all(|atom| !matches!(atom, Atom::Hole { may_be_empty: false }));
        let rest = atoms.iter().filter(|atom| !matches!(atom, Atom::Hole { .. })).cloned().collect();
        solid.then(|| Self::of(rest))
    }

    /// Whether it may be a name from the table, in which `*` stands for any text. Case does not count.
    ///
    /// A hole by itself could be anything and therefore says nothing; a pattern is only taken for a name with a `*`
    /// if a plain example of it fits (`id_*` is a key, `*.json` is not taken for a `service-account*.json`).
    pub(super) fn may_be(&self, name: &str) -> bool {
        match self {
            Self::Plain(text) => {
                !text.is_empty() && text.len() <= LONGEST && is_like(name.as_bytes(), text.as_bytes())
            }
            Self::Mixed(atoms) if atoms.len() > LONGEST => false,
            Self::Mixed(_) if name == "*" => true,
            Self::Mixed(atoms) if name.contains('*') => {
                is_like(name.as_bytes(), self.example().as_bytes())
                    || self.begins_alike(name)
                        && self.points_at(name)
                        && meets(atoms, &name.chars().collect::<Vec<_>>())
            }
            Self::Mixed(atoms) => self.may_match(atoms, name),
        }
    }

    /// How many letters are written, of which a bracket expression is one.
    pub(super) fn spelled(&self) -> usize {
        match self {
            Self::Mixed(atoms) => atoms.iter().filter(|atom| atom.is_written()).count(),
            Self::Plain(text) => text.chars().count(),
        }
    }

    /// Whether a pattern spells enough of a name to be meant for it: `.?nv` is, `*.json` for `secrets.json` is not.
    pub(super) fn points_at(&self, name: &str) -> bool {
        let is_open = |atom: &&Atom| matches!(atom, Atom::Many | Atom::One);
        let mut rest = self.atoms().iter().skip_while(is_open);
        let is_only_kind = self.atoms().first() == Some(&Atom::Many)
            && rest.next() == Some(&Atom::Letter('.'))
            && rest.all(|atom| atom.letter().is_some_and(|letter| letter != '.'));
        self.has_glob()
            && !self.has_hole()
            && self.spelled() * 2 >= spelled(name)
            && (!is_only_kind || name.starts_with('*'))
    }

    /// Whether both a pattern and a name with stars begin with letters, which agree as far as they go.
    fn begins_alike(&self, name: &str) -> bool {
        let own = self.known_beginning().to_lowercase();
        let other = name.split('*').next().unwrap_or_default();
        !own.is_empty() && !other.is_empty() && (own.starts_with(other) || other.starts_with(&own))
    }

    fn may_match(&self, atoms: &[Atom], name: &str) -> bool {
        let hidden = name.starts_with('.') && !matches!(atoms.first(), Some(Atom::Letter('.')));
        let letters = atoms.iter().filter(|atom| matches!(atom, Atom::Letter(_))).count();
        !hidden && (!self.has_hole() || letters >= 2) && fits(atoms, &name.chars().collect::<Vec<_>>())
    }

    /// A name that it could be.
    fn example(&self) -> String {
        let letter = |atom: &Atom| match atom {
            Atom::Letter(letter) => *letter,
            Atom::Class { negated: false, members } => members.first().map_or('x', |(first, _)| *first),
            Atom::Class { .. } | Atom::Hole { .. } | Atom::Many | Atom::One => 'x',
        };
        self.atoms().iter().map(letter).collect()
    }
}

/// How many letters a name of the tables has, in which `*` stands for any text.
pub(super) fn spelled(name: &str) -> usize {
    name.chars().filter(|letter| *letter != '*').count()
}

impl Atom {
    fn is_written(&self) -> bool {
        matches!(self, Self::Letter(_) | Self::Class { negated: false, .. })
    }

    fn letter(&self) -> Option<char> {
        match self {
            Self::Letter(letter) => Some(*letter),
            Self::Class { .. } | Self::Hole { .. } | Self::Many | Self::One => None,
        }
    }

    fn takes(&self, letter: char) -> bool {
        match self {
            Self::Letter(own) => own.eq_ignore_ascii_case(&letter),
            Self::Class { negated, members } => {
                members.iter().any(|(first, last)| (*first..=*last).contains(&letter)) != *negated
            }
            Self::One | Self::Many | Self::Hole { .. } => true,
        }
    }
}

/// The pieces of a value, as components: split at slashes (and at backslashes, if asked to).
pub(super) fn split(pieces: &[Piece], backslashes: bool) -> Vec<Component> {
    let mut components = vec![Component::default()];
    for piece in pieces {
        match piece {
            Piece::Literal(text) => split_text(text, backslashes, &mut components),
            Piece::Glob(glob) => with_last(&mut components, |last| last.push_glob(glob)),
            Piece::Hole(hole) => with_last(&mut components, |last| last.push_hole(hole)),
        }
    }
    components
}

fn split_text(text: &str, backslashes: bool, components: &mut Vec<Component>) {
    for letter in text.chars() {
        if letter == '/' || backslashes && letter == '\\' {
            components.push(Component::default());
        } else {
            with_last(components, |last| last.push_letter(letter));
        }
    }
}

fn with_last(components: &mut [Component], change: impl FnOnce(&mut Component)) {
    if let Some(last) = components.last_mut() {
        change(last);
    }
}

/// Whether a text is what a name says, in which `*` stands for any text.
fn is_like(name: &[u8], text: &[u8]) -> bool {
    let (mut at, mut here) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(letter) = text.get(here) {
        match name.get(at) {
            Some(b'*') => {
                star = Some((at, here));
                at += 1;
            }
            Some(own) if own.eq_ignore_ascii_case(letter) => {
                at += 1;
                here += 1;
            }
            Some(_) | None => {
                let Some((star_at, star_here)) = star else { return false };
                star = Some((star_at, star_here + 1));
                at = star_at + 1;
                here = star_here + 1;
            }
        }
    }
    name.get(at..).is_none_or(|rest| rest.iter().all(|letter| *letter == b'*'))
}

/// Whether a name fits a pattern. Backtracks to the last `*` only, which is enough for patterns like these.
fn fits(pattern: &[Atom], name: &[char]) -> bool {
    let (mut at, mut here) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(letter) = name.get(here) {
        match pattern.get(at) {
            Some(Atom::Many | Atom::Hole { .. }) => {
                star = Some((at, here));
                at += 1;
            }
            Some(atom) if atom.takes(*letter) => {
                at += 1;
                here += 1;
            }
            Some(_) | None => {
                let Some((star_at, star_here)) = star else { return false };
                star = Some((star_at, star_here + 1));
                at = star_at + 1;
                here = star_here + 1;
            }
        }
    }
    pattern
        .get(at..)
        .is_none_or(|rest| rest.iter().all(|atom| matches!(atom, Atom::Many | Atom::Hole { .. })))
}

/// Whether there is a text that fits both a pattern and a name in which `*` stands for any text.
fn meets(pattern: &[Atom], name: &[char]) -> bool {
    if name.first() == Some(&'.') && pattern.first() != Some(&Atom::Letter('.')) {
        return false;
    }
    // For each rest of the name, whether it meets the rest of the pattern that was looked at last.
    let mut met: Vec<bool> = ends(name).map(|rest| rest.iter().all(|letter| *letter == '*')).collect();
    for atom in pattern.iter().rev() {
        let is_any = matches!(atom, Atom::Many | Atom::Hole { .. });
        let mut now: Vec<bool> = Vec::with_capacity(met.len());
        for (at, rest) in ends(name).enumerate() {
            let below = met.get(at).copied().unwrap_or_default();
            let after = at.checked_sub(1);
            let taken = after.and_then(|after| met.get(after)).copied().unwrap_or_default();
            let kept = after.and_then(|after| now.get(after)).copied().unwrap_or_default();
            now.push(if is_any || rest.first() == Some(&'*') {
                below || kept
            } else {
                taken && rest.first().is_some_and(|letter| atom.takes(*letter))
            });
        }
        met = now;
    }
    met.last().copied().unwrap_or_default()
}

/// The ends of a name, the shortest first.
fn ends(name: &[char]) -> impl Iterator<Item = &[char]> {
    (0..=name.len()).rev().filter_map(|at| name.get(at..))
}

/// The rest of a bracket expression after its `[`; an unclosed one is a plain `[`.
fn class(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Atom {
    let body: String = letters.clone().take(LONGEST).collect();
    let Some(end) = body.char_indices().skip(2).map(|(at, _)| at).chain([body.len()]).find(|at| {
        body.get(..*at)
            .is_some_and(|inner| inner.ends_with(']') && inner.trim_start_matches(['!', '^']).len() > 1)
    }) else {
        return Atom::Letter('[');
    };
    let inner: Vec<char> = body.get(..end).unwrap_or_default().chars().collect();
    letters.nth(inner.len().saturating_sub(1));
    let negated = matches!(inner.first(), Some('!' | '^'));
    let inner = inner.get(usize::from(negated)..inner.len().saturating_sub(1)).unwrap_or_default();
    Atom::Class { negated, members: ranges(inner) }
}

fn ranges(inner: &[char]) -> Vec<(char, char)> {
    let mut members = Vec::new();
    let mut rest = inner;
    while let Some((&first, after)) = rest.split_first() {
        rest = if let ['-', last, tail @ ..] = after {
            members.push((first, *last));
            tail
        } else {
            members.push((first, first));
            after
        };
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glob(text: &str) -> Component {
        let mut component = Component::default();
        component.push_glob(text);
        component
    }

    #[test]
    fn names_are_compared_without_case() {
        assert!(Component::literal("Shadow").may_be("shadow"));
        assert!(Component::literal("id_rsa").may_be("id_*"));
        assert!(!Component::literal("id").may_be("id_*"));
        assert!(!Component::literal(&"a".repeat(300)).may_be("*a"));
    }

    #[test]
    fn patterns_may_be_what_they_match() {
        assert!(glob("us[r]").may_be("usr"));
        assert!(glob("s?a*w").may_be("shadow"));
        assert!(glob("[!x]tc").may_be("etc"));
        assert!(glob("[a-f]tc").may_be("etc"));
        assert!(!glob("[!e]tc").may_be("etc"));
        assert!(!glob("*").may_be(".ssh"));
        assert!(glob(".*").may_be(".ssh"));
        assert!(!glob("*.json").may_be("service-account*.json"));
        assert!(glob("*.pem").may_be("*.pem"));
    }

    #[test]
    fn patterns_point_at_what_they_spell() {
        for (pattern, name) in [
            (".?nv", ".env"),
            (".en*", ".env"),
            ("[s]hado?", "shadow"),
            ("*.ppk", "*.ppk"),
            ("cred*ials.json", "credentials.json"),
        ] {
            assert!(glob(pattern).points_at(name) && glob(pattern).may_be(name), "{pattern} {name}");
        }
        for (pattern, name) in [("*.json", "secrets.json"), ("s*", "secrets.json"), ("*.key", "master.key")] {
            assert!(!glob(pattern).points_at(name), "{pattern} {name}");
        }
    }

    #[test]
    fn patterns_meet_names_with_stars() {
        assert!(glob("id*").may_be("id_*"));
        assert!(glob("service-acc*.json").may_be("service-account*.json"));
        assert!(!glob("server*.json").may_be("service-account*.json"));
        assert!(!glob("i?").may_be("id_*"));
    }

    #[test]
    fn a_hole_alone_says_nothing() {
        let hole = Hole { shown: "$x".into(), may_be_empty: true, may_split: false, ..Hole::default() };
        let mut component = Component::default();
        component.push_hole(&hole);
        assert!(!component.may_be("etc"));
        assert!(component.may_be("*"));
        let mut disk = Component::literal("sd");
        disk.push_hole(&hole);
        assert!(disk.may_be("sd*"));
        assert!(disk.with_holes_empty().is_some_and(|empty| empty.is("sd")));
    }

    #[test]
    fn broad_patterns_match_about_everything() {
        for broad in ["*", ".*", "?*", "*.*", ".[!.]*", "[!.]*", "**", "!(keep)"] {
            assert!(glob(broad).is_broad(), "{broad}");
        }
        for narrow in ["*.o", "a*", "?", "[ab]"] {
            assert!(!glob(narrow).is_broad(), "{narrow}");
        }
    }

    #[test]
    fn an_open_bracket_is_itself() {
        assert!(glob("[").is("["));
        assert!(glob("[]a]").may_be("]"));
    }
}
