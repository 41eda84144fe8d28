//! `[…]`.

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) negated: bool,
    pub(super) members: Vec<Member>,
}

/// A piece of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Member {
    /// `[:alpha:]`.
    Named(Named),
    /// `a-z`, or one character.
    Range(char, char),
}

/// The classes that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Alnum,
    Alpha,
    Ascii,
    Blank,
    Cntrl,
    Digit,
    Graph,
    Lower,
    Print,
    Punct,
    Space,
    Upper,
    Word,
    Xdigit,
}

impl Class {
    /// Reads what follows `[`; gives the set and how many characters it took, or `None` where `]` is missing.
    pub(super) fn parse(text: &[char]) -> Option<(Self, usize)> {
        let negated = matches!(text.first(), Some('!' | '^'));
        let mut at = usize::from(negated);
        let first = at;
        let mut members = Vec::new();
        loop {
            let rest = text.get(at..)?;
            if *rest.first()? == ']' && at > first {
                return Some((Self { negated, members }, at + 1));
            }
            let (member, length) = member(rest)?;
            members.extend(member);
            at += length;
        }
    }

    pub(super) fn contains(&self, character: char) -> bool {
        self.negated != self.members.iter().any(|member| member.contains(character))
    }
}

impl Member {
    fn contains(&self, character: char) -> bool {
        match self {
            Self::Named(named) => named.contains(character),
            Self::Range(from, to) => (*from..=*to).contains(&character),
        }
    }
}

/// A member and how many characters it takes. A class of unknown name holds nothing.
fn member(text: &[char]) -> Option<(Option<Member>, usize)> {
    if let Some((name, length)) = bracketed(text, ':') {
        return Some((Named::parse(&name).map(Member::Named), length));
    }
    let (from, length) = element(text)?;
    let is_range = text.get(length) == Some(&'-') && text.get(length + 1).is_some_and(|next| *next != ']');
    if !is_range {
        return Some((Some(Member::Range(from, from)), length));
    }
    let (to, more) = element(text.get(length + 1..)?)?;
    Some((Some(Member::Range(from, to)), length + 1 + more))
}

/// A character, also as `\x`, `[.x.]` or `[=x=]`.
fn element(text: &[char]) -> Option<(char, usize)> {
    let named = bracketed(text, '.').or_else(|| bracketed(text, '='));
    if let Some((name, length)) = named {
        let mut characters = name.chars();
        return characters.next().filter(|_| characters.next().is_none()).map(|only| (only, length));
    }
    match (text.first()?, text.get(1)) {
        ('\\', Some(next)) => Some((*next, 2)),
        (first, _) => Some((*first, 1)),
    }
}

/// What stands in `[:…:]`, and how long that is in all. Names are short, so the search is too.
fn bracketed(text: &[char], mark: char) -> Option<(String, usize)> {
    let [first, second, rest @ ..] = text else { return None };
    if *first != '[' || *second != mark {
        return None;
    }
    let length = rest.windows(2).take(16).position(|pair| *pair == [mark, ']'])?;
    Some((rest.iter().take(length).collect(), length + 4))
}

impl Named {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "alnum" => Self::Alnum,
            "alpha" => Self::Alpha,
            "ascii" => Self::Ascii,
            "blank" => Self::Blank,
            "cntrl" => Self::Cntrl,
            "digit" => Self::Digit,
            "graph" => Self::Graph,
            "lower" => Self::Lower,
            "print" => Self::Print,
            "punct" => Self::Punct,
            "space" => Self::Space,
            "upper" => Self::Upper,
            "word" => Self::Word,
            "xdigit" => Self::Xdigit,
            _ => return None,
        })
    }

    fn contains(self, character: char) -> bool {
        match self {
            Self::Alnum => character.is_alphanumeric(),
            Self::Alpha => character.is_alphabetic(),
            Self::Ascii => character.is_ascii(),
            Self::Blank => matches!(character, ' ' | '\t'),
            Self::Cntrl => character.is_control(),
            Self::Digit => character.is_ascii_digit(),
            Self::Graph => !character.is_whitespace() && !character.is_control(),
            Self::Lower => character.is_lowercase(),
            Self::Print => !character.is_control(),
            Self::Punct => character.is_ascii_punctuation(),
            Self::Space => character.is_whitespace(),
            Self::Upper => character.is_uppercase(),
            Self::Word => character.is_alphanumeric() || character == '_',
            Self::Xdigit => character.is_ascii_hexdigit(),
        }
    }
}
