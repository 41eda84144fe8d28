//! Brace expansion.
//!
//! It works on a word's parts before anything else is expanded: only bare text can hold braces and commas, every
//! other part is carried along whole.

use crate::ast::Part;
use crate::fuel::Fuel;

/// How deeply braces may be nested.
const DEPTH_LIMIT: u32 = 64;

/// The words that `parts` become, in order; one of them may be empty, as in `{,a}`.
///
/// `None` when there would be more than `limit`, when braces are nested too deeply, or when the fuel is spent.
pub(crate) fn expand(parts: &[Part], fuel: &Fuel, limit: usize) -> Option<Vec<Vec<Part>>> {
    let has_brace = |part: &Part| matches!(part, Part::Bare(text) if text.contains('{'));
    if !parts.iter().any(has_brace) {
        return Some(vec![parts.to_vec()]);
    }
    let tokens: Vec<_> = parts.iter().flat_map(tokens).collect();
    let words = Expansion { fuel, limit }.words(&tokens, 0).ok()?;
    Some(words.iter().map(|word| to_parts(word)).collect())
}

/// A character of bare text, or a part that braces cannot look into.
#[derive(Clone, Copy)]
enum Token<'p> {
    Character(char),
    Whole(&'p Part),
}

impl Token<'_> {
    fn is(self, expected: char) -> bool {
        matches!(self, Self::Character(character) if character == expected)
    }

    fn is_blank(self) -> bool {
        matches!(self, Self::Character(' ' | '\t' | '\n'))
    }
}

fn tokens(part: &Part) -> Vec<Token<'_>> {
    match part {
        Part::Bare(text) => text.chars().map(Token::Character).collect(),
        Part::Arithmetic(_)
        | Part::Command(..)
        | Part::DoubleQuoted(_)
        | Part::Parameter(_)
        | Part::Process(..)
        | Part::Quoted(_) => vec![Token::Whole(part)],
    }
}

fn to_parts(word: &[Token<'_>]) -> Vec<Part> {
    let mut parts = Vec::new();
    // Names are read after braces are expanded, so what comes out of these may belong to one: `$a{b,c}` is `$ab $ac`.
    let mut name_goes_on = false;
    for token in word {
        name_goes_on &=
            matches!(token, Token::Character(letter) if letter.is_ascii_alphanumeric() || *letter == '_');
        match (token, parts.last_mut()) {
            (Token::Character(character), Some(Part::Parameter(parameter))) if name_goes_on => {
                parameter.name.push(*character);
            }
            (Token::Character(character), Some(Part::Bare(text))) => text.push(*character),
            (Token::Character(character), _) => parts.push(Part::Bare(character.to_string())),
            (Token::Whole(part), _) => {
                name_goes_on = is_bare_name(part);
                parts.push((*part).clone());
            }
        }
    }
    parts
}

/// Whether a part is a variable without braces of its own, as `$a`.
fn is_bare_name(part: &Part) -> bool {
    let Part::Parameter(parameter) = part else { return false };
    let written = parameter.span.end.saturating_sub(parameter.span.start);
    let begins = parameter.name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    begins && usize::try_from(written) == Ok(parameter.name.len() + 1)
}

/// There would be too many words, or it takes too long.
struct TooMuch;

struct Expansion<'f> {
    fuel: &'f Fuel,
    limit: usize,
}

type Words<'p> = Vec<Vec<Token<'p>>>;

impl Expansion<'_> {
    fn words<'p>(&self, mut rest: &[Token<'p>], depth: u32) -> Result<Words<'p>, TooMuch> {
        if depth > DEPTH_LIMIT {
            return Err(TooMuch);
        }
        let mut words = vec![Vec::new()];
        while let Some((open, close)) = self.braces(rest)? {
            let (before, behind) =
                (rest.get(..open).unwrap_or_default(), rest.get(close + 1..).unwrap_or_default());
            let inside = rest.get(open + 1..close).unwrap_or_default();
            let plain = || vec![rest.get(open..=close).unwrap_or_default().to_vec()];
            let alternatives = self.alternatives(inside, depth)?.unwrap_or_else(plain);
            words = self.product(words, before, &alternatives)?;
            rest = behind;
        }
        self.product(words, rest, &[Vec::new()])
    }

    /// Each word with `middle` and each of the alternatives behind it.
    fn product<'p>(
        &self,
        words: Words<'p>,
        middle: &[Token<'p>],
        alternatives: &[Vec<Token<'p>>],
    ) -> Result<Words<'p>, TooMuch> {
        if words.len().saturating_mul(alternatives.len()) > self.limit {
            return Err(TooMuch);
        }
        let mut product = Vec::new();
        for word in words {
            for alternative in alternatives {
                let joined = [word.as_slice(), middle, alternative].concat();
                self.spend(joined.len())?;
                product.push(joined);
            }
        }
        Ok(product)
    }

    /// What stands between a pair of braces, one word an alternative; `None` if it is plain text.
    fn alternatives<'p>(&self, inside: &[Token<'p>], depth: u32) -> Result<Option<Words<'p>>, TooMuch> {
        if !inside.iter().any(|token| token.is(',')) {
            return self.sequence(inside);
        }
        let mut words = Vec::new();
        for piece in split(inside) {
            words.extend(self.words(piece, depth + 1)?);
            if words.len() > self.limit {
                return Err(TooMuch);
            }
        }
        Ok(Some(words))
    }

    /// The first pair of braces that holds alternatives or a sequence.
    fn braces(&self, tokens: &[Token<'_>]) -> Result<Option<(usize, usize)>, TooMuch> {
        for (open, token) in tokens.iter().enumerate() {
            if token.is('{') && !is_ignored(tokens, open) {
                let close = closing(tokens.get(open + 1..).unwrap_or_default());
                self.spend(close.unwrap_or(tokens.len() - open))?;
                if let Some(close) = close {
                    return Ok(Some((open, open + 1 + close)));
                }
            }
        }
        Ok(None)
    }

    /// `{1..5}`, `{a..e..2}`.
    fn sequence<'p>(&self, inside: &[Token<'p>]) -> Result<Option<Words<'p>>, TooMuch> {
        let Some(sequence) = text(inside).as_deref().and_then(Sequence::parse) else { return Ok(None) };
        let count =
            usize::try_from(sequence.count()).ok().filter(|count| *count <= self.limit).ok_or(TooMuch)?;
        self.spend(count)?;
        let words = sequence.terms().map(|term| term.chars().map(Token::Character).collect());
        Ok(Some(words.collect()))
    }

    fn spend(&self, tokens: usize) -> Result<(), TooMuch> {
        self.fuel.spend(u32::try_from(1 + tokens / 16).unwrap_or(u32::MAX)).map_err(|_| TooMuch)
    }
}

/// Whether an opening brace stands alone: `{}` or `{` before a blank, at a word's beginning.
fn is_ignored(tokens: &[Token<'_>], open: usize) -> bool {
    let first =
        open.checked_sub(1).and_then(|before| tokens.get(before)).is_none_or(|token| token.is_blank());
    first && tokens.get(open + 1).is_some_and(|token| token.is_blank() || token.is('}'))
}

/// Where the brace closes that is open before `tokens`. One without a comma or dots before it does not count.
fn closing(tokens: &[Token<'_>]) -> Option<usize> {
    let mut level = 0u32;
    let mut separated = false;
    for (at, token) in tokens.iter().enumerate() {
        if token.is('}') && level == 0 && separated {
            return Some(at);
        }
        if token.is('{') {
            level += 1;
        } else if token.is('}') {
            level = level.saturating_sub(1);
        } else if level == 0 {
            separated |= token.is(',') || is_dots(tokens, at);
        }
    }
    None
}

fn is_dots(tokens: &[Token<'_>], at: usize) -> bool {
    let is = |offset: usize, expected| tokens.get(at + offset).is_some_and(|token| token.is(expected));
    is(0, '.') && is(1, '.') && !is(2, '}')
}

/// The pieces between commas that stand in no inner braces.
fn split<'s, 'p>(tokens: &'s [Token<'p>]) -> Vec<&'s [Token<'p>]> {
    let mut level = 0u32;
    let is_comma = |token: &Token<'p>| {
        if token.is('{') {
            level += 1;
        } else if token.is('}') {
            level = level.saturating_sub(1);
        }
        level == 0 && token.is(',')
    };
    tokens.split(is_comma).collect()
}

fn text(tokens: &[Token<'_>]) -> Option<String> {
    let character = |token: &Token<'_>| match token {
        Token::Character(character) => Some(*character),
        Token::Whole(_) => None,
    };
    tokens.iter().map(character).collect()
}

/// `first..last..step`.
struct Sequence {
    first: i64,
    last: i64,
    step: i64,
    /// How many digits a number has at least; `None` for letters.
    width: Option<usize>,
}

impl Sequence {
    fn parse(text: &str) -> Option<Self> {
        let mut terms = text.split("..");
        let (first, last) = (terms.next()?, terms.next()?);
        let step = terms.next().map_or(Some(1), |step| step.parse::<i64>().ok())?;
        if terms.next().is_some() {
            return None;
        }
        let step = if step == 0 { 1 } else { step.checked_abs()? };
        Self::numbers(first, last, step).or_else(|| Self::letters(first, last, step))
    }

    fn numbers(first: &str, last: &str, step: i64) -> Option<Self> {
        let is_padded = |term: &str| {
            let digits = term.strip_prefix('-').unwrap_or(term);
            digits.len() > 1 && digits.starts_with('0')
        };
        let padded = is_padded(first) || is_padded(last);
        let width = Some(if padded { first.len().max(last.len()) } else { 0 });
        Some(Self { first: first.parse().ok()?, last: last.parse().ok()?, step, width })
    }

    fn letters(first: &str, last: &str, step: i64) -> Option<Self> {
        let letter = |term: &str| match term.as_bytes() {
            [byte] if byte.is_ascii_alphabetic() => Some(i64::from(*byte)),
            _ => None,
        };
        Some(Self { first: letter(first)?, last: letter(last)?, step, width: None })
    }

    fn count(&self) -> u64 {
        (self.first.abs_diff(self.last) / self.step.unsigned_abs()).saturating_add(1)
    }

    fn terms(&self) -> impl Iterator<Item = String> {
        let step = if self.first <= self.last { self.step } else { -self.step };
        let next = move |value: &i64| value.checked_add(step);
        let count = usize::try_from(self.count()).unwrap_or(usize::MAX);
        let values = std::iter::successors(Some(self.first), next).take(count);
        let width = self.width;
        values.map(move |value| match width {
            Some(width) => format!("{value:0width$}"),
            None => u8::try_from(value).map(char::from).unwrap_or_default().to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(text: &str) -> Vec<String> {
        let words = expand(&[Part::Bare(text.to_owned())], &Fuel::new(100_000), 1000).unwrap();
        let joined = words.iter().map(|parts| match parts.as_slice() {
            [Part::Bare(text)] => text.clone(),
            _ => String::new(),
        });
        joined.collect()
    }

    #[test]
    fn expands_as_bash_does() {
        let cases = [
            ("a{b,c}d", "abd acd"),
            ("{a,b}{c,d}", "ac ad bc bd"),
            ("{a,{b,c},d}", "a b c d"),
            ("{1..3}", "1 2 3"),
            ("{3..1}", "3 2 1"),
            ("{a..e..2}", "a c e"),
            ("{08..10}", "08 09 10"),
            ("{-01..2}", "-01 000 001 002"),
            ("{05..1..2}", "05 03 01"),
            ("{+1..3}", "1 2 3"),
            ("{}", "{}"),
            ("{x}", "{x}"),
            ("{x},y}", "x} y"),
            ("x{},b}", "x} xb"),
            ("{},b}", "{},b}"),
            ("{a,b", "{a,b"),
            ("{{1..3}", "{1 {2 {3"),
            ("a{b{c,d}", "a{bc a{bd"),
            ("{a..{b,c}}", "a..b a..c"),
            ("{a,b..c}", "a b..c"),
            ("{a..1}", "{a..1}"),
            ("{1..}", "{1..}"),
            ("{1...3}", "{1...3}"),
            ("{1..3..0}", "1 2 3"),
            ("{,a}", " a"),
        ];
        for (text, expected) in cases {
            assert_eq!(bare(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn quotes_hide_braces() {
        let quoted = Part::Quoted("a,b".to_owned());
        let parts = [Part::Bare("{".to_owned()), quoted.clone(), Part::Bare(",c}".to_owned())];
        let words = expand(&parts, &Fuel::new(1000), 10).unwrap();
        assert_eq!(words, [vec![quoted], vec![Part::Bare("c".to_owned())]]);
    }

    #[test]
    fn bombs_are_refused() {
        let refused =
            |text: &str| expand(&[Part::Bare(text.to_owned())], &Fuel::new(100_000), 1000).is_none();
        assert!(refused("{1..9223372036854775807}"));
        assert!(refused(&"{a,b}".repeat(40)));
        assert!(refused(&("{a,".repeat(3000) + &"}".repeat(3000))));
        assert!(refused(&"{".repeat(1 << 20)));
    }
}
