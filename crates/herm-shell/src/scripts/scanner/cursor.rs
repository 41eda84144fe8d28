//! A place in a text that moves forward.

use crate::lang::Lang;

/// A place in a text that moves forward.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// In bytes; always between characters.
    pub(super) pos: usize,
    base: u32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, base: u32) -> Self {
        Self { text, pos: 0, base }
    }

    /// The place in what the reader was given.
    pub(super) fn offset(&self) -> u32 {
        self.base.saturating_add(u32::try_from(self.pos).unwrap_or(u32::MAX))
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    pub(super) fn between(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub(super) fn advance(&mut self) {
        self.pos += self.peek().map_or(0, char::len_utf8);
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let found = self.peek();
        self.advance();
        found
    }

    pub(super) fn starts(&self, mark: &str) -> bool {
        // Most marks differ in their first byte, and there are many.
        self.text.as_bytes().get(self.pos) == mark.as_bytes().first() && self.rest().starts_with(mark)
    }

    /// Passes `bytes` that [`Self::starts`] has seen.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.pos = (self.pos + bytes).min(self.text.len());
    }

    /// The text before `mark`, passing both; to the end when there is none.
    pub(super) fn until(&mut self, mark: &str) -> &'a str {
        let rest = self.rest();
        let found = rest.find(mark);
        let body = rest.get(..found.unwrap_or(rest.len())).unwrap_or_default();
        self.skip(found.map_or(rest.len(), |at| at + mark.len()));
        body
    }

    pub(super) fn pass_line(&mut self) {
        let rest = self.rest();
        self.skip(rest.find('\n').unwrap_or(rest.len()));
    }

    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.skip(end);
        rest.get(..end).unwrap_or_default()
    }

    /// A variable's name, at its sigil. `None` leaves the place as it was.
    pub(super) fn variable_name(&mut self, lang: Lang) -> Option<String> {
        let before = self.pos;
        self.take_while(|c| matches!(c, '$' | '@' | '%' | '&'));
        let sigils = self.between(before, self.pos).to_owned();
        let name = self.take_while(|c| c.is_alphanumeric() || c == '_' || (lang == Lang::Perl && c == ':'));
        if !name.is_empty() {
            // The variable whose name is the value of another.
            let leads = lang == Lang::Php && sigils.ends_with("$$");
            return Some(format!("{}{}", if leads { "$" } else { "" }, name.trim_end_matches(':')));
        }
        if lang == Lang::Perl && sigils == "$" && self.last_index() {
            return Some("#".to_owned());
        }
        let special = sigils.starts_with('$')
            && matches!(
                self.peek(),
                Some(
                    '!' | '0' | '~' | '<' | '/' | ';' | ',' | '|' | '"' | '\'' | '\\' | '&' | '`' | '.' | '+'
                )
            );
        if special && lang == Lang::Perl && sigils == "$" {
            return self.next().map(String::from);
        }
        if sigils == "$$" {
            return Some("$".to_owned());
        }
        self.pos = before;
        None
    }

    /// Passes the sign of `$#array` and `$#{…}`, the number of the last element, and the name of the array.
    fn last_index(&mut self) -> bool {
        let begins = |c: char| c.is_alphabetic() || matches!(c, '_' | '{' | '$');
        let found = self.starts("#") && self.second().is_some_and(begins);
        if found {
            self.advance();
            self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | ':'));
        }
        found
    }

    /// A whole number, unless it is something else.
    pub(super) fn number(&mut self, lang: Lang) -> Option<i64> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_').replace('_', "");
        let fraction =
            self.rest().strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if fraction {
            self.advance();
            self.take_while(|c| c.is_ascii_alphanumeric());
        }
        let signed =
            word.ends_with(['e', 'E']) && !word.starts_with("0x") && self.rest().starts_with(['+', '-']);
        if signed {
            self.advance();
            self.take_while(|c| c.is_ascii_digit());
        }
        if fraction || signed { None } else { parse_number(&word, lang) }
    }
}

fn parse_number(word: &str, lang: Lang) -> Option<i64> {
    let lower = word.to_ascii_lowercase();
    let based = |prefix: &str, radix| {
        lower.strip_prefix(prefix).map(|digits| i64::from_str_radix(digits, radix).ok())
    };
    let octals = matches!(lang, Lang::Perl | Lang::Ruby | Lang::Php | Lang::JavaScript);
    if let Some(number) = based("0x", 16).or_else(|| based("0b", 2)).or_else(|| based("0o", 8)) {
        return number;
    }
    if octals && lower.len() > 1 && lower.starts_with('0') {
        return i64::from_str_radix(&lower, 8).ok();
    }
    let digits: String = lower.chars().take_while(char::is_ascii_digit).collect();
    // `1L`, `5n`, `2u8`: a type, not a power of ten.
    let rest = lower.get(digits.len()..).unwrap_or_default();
    (!rest.starts_with('e')).then(|| digits.parse().unwrap_or(i64::MAX))
}
