//! The patterns of such files: `*`, `?` and sets stay within a name, `**` between slashes does not.

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    tokens: Vec<Token>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// One byte of a name.
    Any,
    /// This byte.
    Byte(u8),
    /// Any number of bytes, slashes too.
    Deep,
    /// What follows up to the next slash may be there or not: `**/`.
    Maybe,
    /// One byte of a name that is one of these, or is not.
    Set { ranges: Vec<(u8, u8)>, is_inverted: bool },
    /// Any number of bytes of a name.
    Star,
}

impl Pattern {
    /// Reads a pattern; nothing where it is not understood.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut tokens = Vec::new();
        let mut rest = text.as_bytes();
        let mut is_at_slash = true;
        while let Some((first, after)) = rest.split_first() {
            rest = match first {
                b'*' if after.starts_with(b"*") => deep(after, is_at_slash, &mut tokens)?,
                b'*' => push(&mut tokens, Token::Star, after),
                b'?' => push(&mut tokens, Token::Any, after),
                b'[' => {
                    let (set, after) = set(after)?;
                    push(&mut tokens, set, after)
                }
                b'\\' => {
                    let (escaped, after) = after.split_first().filter(|(escaped, _)| **escaped != b'/')?;
                    push(&mut tokens, Token::Byte(*escaped), after)
                }
                other => push(&mut tokens, Token::Byte(*other), after),
            };
            is_at_slash = *first == b'/';
        }
        Some(Self { tokens })
    }

    /// Whether it matches all of a text. Every place in the pattern that can be reached is followed at once.
    pub(super) fn matches(&self, text: &str) -> bool {
        let mut here = vec![false; self.tokens.len() + 1];
        self.enter(0, &mut here);
        for byte in text.bytes() {
            let mut next = vec![false; here.len()];
            for (at, token) in self.tokens.iter().enumerate() {
                if !here.get(at).is_some_and(|reached| *reached) || !token.takes(byte) {
                    continue;
                }
                self.enter(if token.repeats() { at } else { at + 1 }, &mut next);
            }
            here = next;
        }
        here.last().is_some_and(|reached| *reached)
    }

    /// Marks a place as reached, and those that are reached from there by nothing.
    fn enter(&self, at: usize, reached: &mut [bool]) {
        let mut waiting = vec![at];
        while let Some(at) = waiting.pop() {
            match reached.get_mut(at) {
                Some(known) if !*known => *known = true,
                Some(_) | None => continue,
            }
            match self.tokens.get(at) {
                // The stars and the slash after them are left out together.
                Some(Token::Maybe) => waiting.extend([at + 1, at + 3]),
                Some(Token::Deep | Token::Star) => waiting.push(at + 1),
                Some(Token::Any | Token::Byte(_) | Token::Set { .. }) | None => {}
            }
        }
    }

    /// Whether it matches every name.
    pub(super) fn is_everything(&self) -> bool {
        matches!(self.tokens.as_slice(), [Token::Star])
    }

    /// The name that it ends with, if it is one and no pattern.
    pub(super) fn last_name(&self) -> Option<String> {
        let name = self.tokens.rsplit(|token| *token == Token::Byte(b'/')).next().unwrap_or_default();
        let bytes = name.iter().map(|token| if let Token::Byte(byte) = token { Some(*byte) } else { None });
        String::from_utf8(bytes.collect::<Option<_>>()?).ok()
    }

    /// Whether it says what a name must not hold.
    pub(super) fn has_exceptions(&self) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::Set { is_inverted: true, .. }))
    }
}

impl Token {
    fn takes(&self, byte: u8) -> bool {
        match self {
            Self::Any | Self::Star => byte != b'/',
            Self::Byte(own) => *own == byte,
            Self::Deep => true,
            Self::Maybe => false,
            Self::Set { ranges, is_inverted } => {
                let is_in = ranges.iter().any(|(first, last)| (*first..=*last).contains(&byte));
                byte != b'/' && is_in != *is_inverted
            }
        }
    }

    fn repeats(&self) -> bool {
        matches!(self, Self::Deep | Self::Star)
    }
}

fn push<'a>(tokens: &mut Vec<Token>, token: Token, after: &'a [u8]) -> &'a [u8] {
    tokens.push(token);
    after
}

/// Stars in a row, the first of them read. Between slashes they stand for directories. Beside anything else git takes them for one star or
/// for more, as what stands before them is written.
fn deep<'a>(after: &'a [u8], is_at_slash: bool, tokens: &mut Vec<Token>) -> Option<&'a [u8]> {
    let stars = after.iter().take_while(|byte| **byte == b'*').count();
    let after = after.get(stars..)?;
    match after.first() {
        Some(b'/') if is_at_slash => tokens.extend([Token::Maybe, Token::Deep]),
        None if is_at_slash => tokens.push(Token::Deep),
        Some(_) | None => return None,
    }
    Some(after)
}

/// A set behind its opening bracket, and what follows it. Classes with names, and a bracket that is never closed, are not understood.
fn set(text: &[u8]) -> Option<(Token, &[u8])> {
    let (is_inverted, mut rest) = match text {
        [b'!' | b'^', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let mut ranges = Vec::new();
    loop {
        let (first, after) = match rest {
            [b']', after @ ..] if !ranges.is_empty() => {
                return Some((Token::Set { ranges, is_inverted }, after));
            }
            [b'[', b':', ..] => return None,
            _ => letter(rest)?,
        };
        (ranges, rest) = match after {
            [b'-', last, ..] if *last != b']' => {
                let (last, after) = letter(after.get(1..)?)?;
                (with(ranges, (first, last)), after)
            }
            _ => (with(ranges, (first, first)), after),
        };
    }
}

fn with(mut ranges: Vec<(u8, u8)>, range: (u8, u8)) -> Vec<(u8, u8)> {
    ranges.push(range);
    ranges
}

/// A letter of a set, and what follows it.
fn letter(text: &[u8]) -> Option<(u8, &[u8])> {
    match text {
        [b'\\', escaped, after @ ..] => Some((*escaped, after)),
        [b'\\'] | [] => None,
        [letter, after @ ..] => Some((*letter, after)),
    }
}
