//! What a word or a stream is known to hold.

use std::borrow::Cow;
use std::rc::Rc;

use crate::bits::bits;

bits! {
    /// Where data came from. The empty set is text that stands in the command itself.
    Provenance: u8 {
        /// It was received over a network.
        NETWORK = 0, "network";
        /// It holds, or was read from, a secret.
        SECRET = 1, "secret";
        /// It was decoded: base64, hexadecimal, a cipher, a reversal.
        DECODED = 2, "decoded";
        /// It was read from a file whose content is not known here.
        FILE = 3, "file";
        /// It comes from a person, the environment or a program's output that is not known here.
        OUTSIDE = 4, "outside";
        /// It never ends: `/dev/zero`, `yes`.
        ENDLESS = 5, "endless";
    }
}

/// How the content of a whole database is called. It is somebody's, and it is there to be read back by a client of its kind.
pub(crate) const DUMP: &str = "what the database holds";

/// A text as far as it is known: a word after expansion, a stream, a file's content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// The text, piece by piece.
    pub pieces: Vec<Piece>,
    /// Where it came from.
    pub provenance: Provenance,
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// An unquoted pattern: `*`, `?`, `[a-z]`, an extended glob. Only in words, never in streams.
    Glob(String),
    /// Something that cannot be known here.
    Hole(Hole),
    /// Known text.
    Literal(String),
}

/// How many texts something is known to be one of, and how much they may hold together.
const CHOICES: usize = 4;
const CHOICES_SIZE: usize = 4096;

/// What a piece takes besides its text.
const PIECE: usize = 48;

/// A place in a value that cannot be known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hole {
    /// How it reads in the source, for people: `$dir`, `$(cat list)`.
    pub shown: String,
    /// Whether it may be the empty text (an unset variable), which turns `$dir/*` into `/*`.
    pub may_be_empty: bool,
    /// Whether it may become several words, or bring options.
    pub may_split: bool,
    /// The file whose content it is, as it stands there.
    pub file: Option<Rc<str>>,
    /// The file of whose content it is a part, or something that was made of it; a directory, with a slash at its end, for a name in it.
    pub part_of: Option<Rc<str>>,
    /// The pattern that it is a name for, where it is one of a file.
    pub matched: Option<Rc<str>>,
    /// The texts that it is one of, where that much is known.
    pub choices: Option<Rc<[Value]>>,
}

impl Piece {
    /// A file that a pattern matches, once it is text.
    pub(crate) fn match_of(glob: &str) -> Self {
        let is_all = !glob.is_empty() && glob.bytes().all(|letter| letter == b'*');
        let shown = if is_all { crate::place::LISTED } else { glob };
        let matched = (!glob.is_empty()).then(|| Rc::from(glob));
        Self::Hole(Hole { shown: shown.to_owned(), matched, ..Hole::default() })
    }
}

impl Value {
    /// A known text.
    #[must_use]
    pub fn literal(text: impl Into<String>) -> Self {
        Self { pieces: vec![Piece::Literal(text.into())], provenance: Provenance::NONE }
    }

    /// A text of which only the origin is known.
    #[must_use]
    pub fn unknown(shown: impl Into<String>, provenance: Provenance) -> Self {
        let hole = Hole { shown: shown.into(), may_be_empty: true, may_split: false, ..Hole::default() };
        Self { pieces: vec![Piece::Hole(hole)], provenance }
    }

    /// What a file holds.
    #[must_use]
    pub fn content_of(path: String, provenance: Provenance) -> Self {
        let file = Some(Rc::from(path.as_str()));
        let hole = Hole { shown: path, may_be_empty: true, file, ..Hole::default() };
        Self { pieces: vec![Piece::Hole(hole)], provenance }
    }

    /// Something out of a file.
    pub(crate) fn part_of(path: &str, provenance: Provenance) -> Self {
        Self::unknown(path, provenance).made_of(path)
    }

    /// The same, known to be made of what a file holds, as far as it is not known.
    #[must_use]
    pub(crate) fn made_of(mut self, path: &str) -> Self {
        for piece in &mut self.pieces {
            if let Piece::Hole(hole) = piece {
                hole.part_of.get_or_insert_with(|| Rc::from(path));
            }
        }
        self
    }

    /// The file that all of it, or a part, comes from, where it is nothing else.
    pub(crate) fn source(&self) -> Option<Rc<str>> {
        let [Piece::Hole(hole)] = self.pieces.as_slice() else { return None };
        hole.file.clone().or_else(|| hole.part_of.clone())
    }

    /// The directory of which it lists names, where it lists any.
    pub(crate) fn listing(&self) -> Option<Rc<str>> {
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Hole(hole) => hole.part_of.clone().filter(|of| of.ends_with('/')),
            Piece::Glob(_) | Piece::Literal(_) => None,
        })
    }

    /// One of two texts. Of many or long ones, nothing is known.
    pub(crate) fn either(one: Self, other: Self) -> Self {
        let provenance = one.provenance | other.provenance;
        let whole = Self::unknown("output", provenance | Provenance::OUTSIDE);
        let mut choices = one.into_choices();
        for choice in other.into_choices() {
            if !choices.contains(&choice) {
                choices.push(choice);
            }
        }
        let is_telling = choices.iter().any(|choice| !choice.has_hole());
        let size: usize = choices.iter().map(Self::size).sum();
        if !is_telling || choices.len() > CHOICES || size > CHOICES_SIZE {
            return whole;
        }
        let hole = Hole { shown: "output".to_owned(), choices: Some(choices.into()), ..Hole::default() };
        Self { pieces: vec![Piece::Hole(hole)], ..whole }
    }

    /// What a variable holds that has one of two values. Of what is not known anyway, it is not known which.
    pub(crate) fn one_of(name: &str, one: Self, other: Self) -> Self {
        let mut either = Self::either(one, other);
        if let [Piece::Hole(hole)] = either.pieces.as_mut_slice() {
            (hole.shown, hole.may_be_empty) = (format!("${name}"), true);
        }
        either.from(Provenance::OUTSIDE)
    }

    /// Several texts, or none, of which only the origin is known.
    pub(crate) fn unknown_words(shown: String, provenance: Provenance) -> Self {
        let hole = Hole { shown, may_be_empty: true, may_split: true, ..Hole::default() };
        Self { pieces: vec![Piece::Hole(hole)], provenance }
    }

    fn into_choices(self) -> Vec<Self> {
        match self.pieces.as_slice() {
            [Piece::Hole(Hole { choices: Some(choices), .. })] => choices.to_vec(),
            _ => vec![self],
        }
    }

    /// How many texts it may be, as far as that is known: of its pieces, the one with the most choices counts.
    pub(crate) fn ways(&self) -> usize {
        self.pieces.iter().map(|piece| piece.choices().len()).max().unwrap_or_default()
    }

    /// The text if of each piece that has choices, the one at a place is taken.
    pub(crate) fn chosen(&self, at: usize) -> Self {
        let mut whole = Self { pieces: Vec::new(), provenance: self.provenance };
        for piece in &self.pieces {
            match piece.choices() {
                [] => whole.push(&Self { pieces: vec![piece.clone()], provenance: Provenance::NONE }),
                choices => choices.get(at % choices.len()).into_iter().for_each(|choice| whole.push(choice)),
            }
        }
        whole
    }

    /// The files that it is the content of, one after the other, if it is nothing else.
    #[must_use]
    pub fn files(&self) -> Option<Vec<Rc<str>>> {
        let file = |piece: &Piece| match piece {
            Piece::Hole(hole) => hole.file.clone(),
            Piece::Glob(_) | Piece::Literal(_) => None,
        };
        let is_blank = |piece: &&Piece| !matches!(piece, Piece::Literal(text) if text.trim().is_empty());
        let files = self.pieces.iter().filter(is_blank).map(file).collect::<Option<Vec<_>>>()?;
        (!files.is_empty()).then_some(files)
    }

    /// The text, when all of it is known. A glob is not: the files decide what it becomes.
    #[must_use]
    pub fn known(&self) -> Option<Cow<'_, str>> {
        match self.pieces.as_slice() {
            [] => Some(Cow::Borrowed("")),
            [Piece::Literal(text)] => Some(Cow::Borrowed(text)),
            pieces => pieces.iter().map(Piece::known).collect::<Option<String>>().map(Cow::Owned),
        }
    }

    /// The text before the first unknown piece or glob.
    #[must_use]
    pub fn known_prefix(&self) -> String {
        self.pieces.iter().map_while(Piece::known).collect()
    }

    /// How the value reads to a person: globs as written, holes as in the source.
    #[must_use]
    pub fn shown(&self) -> String {
        self.pieces.iter().map(Piece::shown).collect()
    }

    /// Whether any piece cannot be known (globs do not count).
    #[must_use]
    pub fn has_hole(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Hole(_)))
    }

    /// Whether any piece is a glob.
    #[must_use]
    pub fn has_glob(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_)))
    }

    /// How many bytes it takes to copy.
    pub(crate) fn size(&self) -> usize {
        self.pieces.iter().map(|piece| PIECE + piece.shown().len()).sum()
    }

    /// Several values as one, with `between` between them.
    pub(crate) fn joined<'v>(values: impl IntoIterator<Item = &'v Self>, between: &str) -> Self {
        let mut whole = Self::default();
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                whole.push_str(between);
            }
            whole.push(value);
        }
        whole
    }

    /// Adds known text at the end.
    pub fn push_str(&mut self, text: &str) {
        if let Some(Piece::Literal(last)) = self.pieces.last_mut() {
            last.push_str(text);
        } else if !text.is_empty() {
            self.pieces.push(Piece::Literal(text.to_owned()));
        }
    }

    /// Adds another value at the end, with its provenance.
    pub fn push(&mut self, other: &Self) {
        self.provenance |= other.provenance;
        for piece in &other.pieces {
            match piece {
                Piece::Literal(text) => self.push_str(text),
                Piece::Glob(_) | Piece::Hole(_) => self.pieces.push(piece.clone()),
            }
        }
    }

    /// The same text, known to come from `provenance` too.
    #[must_use]
    pub fn from(mut self, provenance: Provenance) -> Self {
        self.provenance |= provenance;
        self
    }
}

impl Piece {
    fn known(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            Self::Glob(_) | Self::Hole(_) => None,
        }
    }

    fn choices(&self) -> &[Value] {
        match self {
            Self::Hole(hole) => hole.choices.as_deref().unwrap_or_default(),
            Self::Glob(_) | Self::Literal(_) => &[],
        }
    }

    fn shown(&self) -> &str {
        match self {
            Self::Glob(text) | Self::Literal(text) => text,
            Self::Hole(hole) => &hole.shown,
        }
    }
}
