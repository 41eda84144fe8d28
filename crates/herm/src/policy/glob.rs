//! Shell-style patterns.

use std::str::Chars;

/// A pattern: `*`, `?`, `[a-z]`; in paths also `**`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    tokens: Vec<Token>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// One character.
    Any,
    /// This character.
    Char(char),
    /// One of these ranges, or none of them.
    Set { ranges: Vec<(char, char)>, inverted: bool },
    /// Any number of characters.
    Star,
    /// Any number of characters but slashes.
    StarInName,
}

/// Whether a text matches a pattern in which `*` matches everything.
#[must_use]
pub fn matches(pattern: &str, text: &str) -> bool {
    Glob::text(pattern).matches(text)
}

impl Glob {
    /// A pattern in which `*` matches everything, slashes too.
    #[must_use]
    pub fn text(pattern: &str) -> Self {
        Self::parse(pattern, &Token::Star)
    }

    /// A pattern in which `*` stays within a name, and `**` does not.
    #[must_use]
    pub fn path(pattern: &str) -> Self {
        Self::parse(pattern, &Token::StarInName)
    }

    fn parse(pattern: &str, star: &Token) -> Self {
        let mut tokens = Vec::new();
        let mut rest = pattern;
        while let Some(first) = rest.chars().next() {
            let (token, after) = match first {
                '*' => match rest.strip_prefix("**") {
                    Some(after) => (Token::Star, after),
                    None => (star.clone(), after_first(rest)),
                },
                '?' => (Token::Any, after_first(rest)),
                '[' => set(rest).unwrap_or((Token::Char('['), after_first(rest))),
                other => (Token::Char(other), after_first(rest)),
            };
            tokens.push(token);
            rest = after;
        }
        Self { tokens }
    }

    /// Whether the whole text matches. The work is that of comparing both ends for a pattern with one star or none, and at
    /// most the product of the two lengths for others.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let Some(first) = self.tokens.iter().position(Token::is_star) else {
            return begins(&self.tokens, text.chars()).is_some_and(|mut rest| rest.next().is_none());
        };
        let last = self.tokens.iter().rposition(Token::is_star).unwrap_or(first);
        let (head, tail) = (self.tokens.get(..first), self.tokens.get(last + 1..));
        let middle = begins(head.unwrap_or_default(), text.chars())
            .and_then(|rest| ends(tail.unwrap_or_default(), rest))
            .map(|rest| rest.as_str());
        match (middle, self.tokens.get(first)) {
            (None, _) => false,
            (Some(middle), Some(star)) if first == last => {
                middle.chars().all(|character| star.takes(character))
            }
            (Some(_), _) => self.walks(text),
        }
    }

    /// Whether the whole text matches, by all ways at once.
    fn walks(&self, text: &str) -> bool {
        let mut states = vec![false; self.tokens.len() + 1];
        if let Some(first) = states.first_mut() {
            *first = true;
        }
        self.skip_stars(&mut states);
        let mut next = states.clone();
        for character in text.chars() {
            self.step(&states, character, &mut next);
            self.skip_stars(&mut next);
            std::mem::swap(&mut states, &mut next);
        }
        states.last().copied().unwrap_or(false)
    }

    /// The part before the first wildcard.
    #[must_use]
    pub fn literal_prefix(&self) -> String {
        self.tokens
            .iter()
            .map_while(|token| if let Token::Char(c) = token { Some(*c) } else { None })
            .collect()
    }

    fn step(&self, states: &[bool], character: char, next: &mut [bool]) {
        next.fill(false);
        for (at, token) in self.tokens.iter().enumerate().filter(|(at, _)| states.get(*at) == Some(&true)) {
            let to = if token.is_star() { at } else { at + 1 };
            if let Some(state) = next.get_mut(to).filter(|_| token.takes(character)) {
                *state = true;
            }
        }
    }

    /// A star may also match nothing.
    fn skip_stars(&self, states: &mut [bool]) {
        for (at, _) in self.tokens.iter().enumerate().filter(|(_, token)| token.is_star()) {
            if states.get(at) == Some(&true)
                && let Some(state) = states.get_mut(at + 1)
            {
                *state = true;
            }
        }
    }
}

impl Token {
    fn is_star(&self) -> bool {
        matches!(self, Self::Star | Self::StarInName)
    }

    fn takes(&self, character: char) -> bool {
        match self {
            Self::Any | Self::Star => true,
            Self::Char(expected) => *expected == character,
            Self::Set { ranges, inverted } => {
                ranges.iter().any(|(low, high)| (low..=high).contains(&&character)) != *inverted
            }
            Self::StarInName => character != '/',
        }
    }
}

/// What is left of a text that begins with what these tokens take, each a character.
fn begins<'t>(tokens: &[Token], mut text: Chars<'t>) -> Option<Chars<'t>> {
    tokens.iter().all(|token| text.next().is_some_and(|character| token.takes(character))).then_some(text)
}

/// The same for the end of it.
fn ends<'t>(tokens: &[Token], mut text: Chars<'t>) -> Option<Chars<'t>> {
    let mut tokens = tokens.iter().rev();
    tokens.all(|token| text.next_back().is_some_and(|character| token.takes(character))).then_some(text)
}

fn after_first(text: &str) -> &str {
    let mut characters = text.chars();
    characters.next();
    characters.as_str()
}

/// A set in brackets; without its closing bracket it is just a bracket, as in a shell.
fn set(text: &str) -> Option<(Token, &str)> {
    let inside = text.strip_prefix('[')?;
    let (inverted, inside) = match inside.strip_prefix(['!', '^']) {
        Some(inside) => (true, inside),
        None => (false, inside),
    };
    let end = inside.char_indices().skip(1).find(|(_, c)| *c == ']')?.0;
    let (members, after) = inside.split_at_checked(end)?;
    Some((Token::Set { ranges: ranges(members), inverted }, after_first(after)))
}

fn ranges(members: &str) -> Vec<(char, char)> {
    let mut ranges = Vec::new();
    let mut characters = members.chars();
    while let Some(low) = characters.next() {
        let mut ahead = characters.clone();
        if let (Some('-'), Some(high)) = (ahead.next(), ahead.next()) {
            ranges.push((low, high));
            characters = ahead;
        } else {
            ranges.push((low, low));
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_question_marks_and_sets_match_as_in_a_shell() {
        for (pattern, text) in
            [("*", ""), ("a*c", "abbc"), ("a?c", "abc"), ("[a-c]x", "bx"), ("[!a]x", "bx"), ("[", "[")]
        {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("a*c", "abb"), ("a?c", "ac"), ("[a-c]x", "dx"), ("[!a]x", "ax"), ("a", "ab")]
        {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn a_star_in_a_path_stays_within_a_name() {
        assert!(Glob::path("/srv/*").matches("/srv/a"));
        assert!(!Glob::path("/srv/*").matches("/srv/a/b"));
        assert!(Glob::path("/srv/**").matches("/srv/a/b"));
    }

    #[test]
    fn many_stars_take_no_longer_than_the_product_of_the_lengths() {
        let pattern = "*a".repeat(50);
        assert!(!matches(&pattern, &"b".repeat(10_000)));
    }
}
