//! Strings: their escapes and what is put into them.

use super::escapes::{self, Escape};
use super::profile::{Backtick, Interpolation};
use super::{Cursor, Kind, Part, Pattern, Scanner};

impl Scanner<'_> {
    /// A quoted token, if one begins here.
    pub(super) fn quoted(&mut self, first: char, spaced: bool) -> Option<Kind> {
        if let Some(kind) = self.shaped_quote(first, spaced) {
            return Some(kind);
        }
        if self.profile.raw_quotes.contains(first) {
            self.cursor.advance();
            return Some(Kind::Text(self.raw(first, None)));
        }
        if self.profile.quotes.contains(first) {
            let interpolation = if first == '\'' { Interpolation::None } else { self.profile.interpolation };
            return Some(Kind::Text(self.string(first, interpolation)));
        }
        if first == '`' && self.tokens.last().is_some_and(|last| last.is(".")) {
            // Ruby's ``Kernel.`("command")``: a name.
            self.cursor.advance();
            return Some(Kind::Name("`".to_owned()));
        }
        if first == '`' {
            return Some(self.backticked());
        }
        (first == '/' && self.profile.regexes && !self.after_value()).then(|| self.regex())
    }

    fn string(&mut self, quote: char, interpolation: Interpolation) -> Vec<Part> {
        self.cursor.advance();
        let triple: String = std::iter::repeat_n(quote, 2).collect();
        let tripled = self.cursor.starts(&triple) && self.cursor.rest().chars().nth(2) == Some(quote);
        if tripled && matches!(self.profile.interpolation, Interpolation::None | Interpolation::Dollar) {
            self.cursor.skip(2 * quote.len_utf8());
            let close: String = std::iter::repeat_n(quote, 3).collect();
            return vec![Part::Text(self.cursor.until(&close).to_owned())];
        }
        self.body(quote, None, interpolation)
    }

    fn backticked(&mut self) -> Kind {
        self.cursor.advance();
        let start = self.cursor.pos;
        let is_raw = self.tokens.last().and_then(super::Token::name) == Some("raw");
        match self.profile.backtick {
            Backtick::Template if is_raw => {
                let mut parts = self.body('`', None, Interpolation::Dollar);
                // `String.raw` leaves escapes as they are written.
                if self.cursor.between(start, self.cursor.pos).contains('\\') {
                    parts.retain(|part| matches!(part, Part::Code(..)));
                    parts.push(Part::Unknown);
                }
                Kind::Text(parts)
            }
            Backtick::Command => Kind::Command(self.body('`', None, self.profile.interpolation)),
            Backtick::Template => Kind::Text(self.body('`', None, Interpolation::Dollar)),
            Backtick::Raw => Kind::Text(vec![Part::Text(self.cursor.until("`").to_owned())]),
        }
    }

    fn regex(&mut self) -> Kind {
        self.cursor.advance();
        let text = super::quoting::plain(self.raw('/', None));
        self.found(text)
    }

    /// A regular expression whose end was just passed. Letters behind it change what it finds.
    pub(super) fn found(&mut self, text: String) -> Kind {
        let flags = self.cursor.take_while(|c| c.is_ascii_alphabetic());
        let text = if flags.is_empty() || flags == "g" && text.is_empty() {
            text
        } else {
            format!("(?{flags}){text}")
        };
        Kind::Regex(Pattern::Finds(text))
    }

    /// The text up to `close`, in which only the quote and the backslash are escaped.
    pub(super) fn raw(&mut self, close: char, open: Option<char>) -> Vec<Part> {
        let mut text = String::new();
        let mut depth = 0_u32;
        while let Some(c) = self.cursor.next() {
            if c == '\\' {
                let escaped = self.cursor.peek();
                if escaped.is_some_and(|next| next == close || next == '\\') {
                    text.extend(self.cursor.next());
                    continue;
                }
            } else if Some(c) == open {
                depth += 1;
            } else if c == close {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
            text.push(c);
        }
        vec![Part::Text(text)]
    }

    /// The text up to `close`, with escapes and what is put into it.
    pub(super) fn body(
        &mut self,
        close: char,
        open: Option<char>,
        interpolation: Interpolation,
    ) -> Vec<Part> {
        let mut parts = Parts::default();
        let mut depth = 0_u32;
        while let Some(c) = self.cursor.peek() {
            if c == '\\' {
                self.cursor.advance();
                match escapes::escape(self.profile.lang, &mut self.cursor) {
                    Escape::Changes(function) => parts.change(function),
                    Escape::Ends => parts.end_change(),
                    Escape::Text(text) => parts.text.push_str(&text),
                    Escape::Unknown => parts.code(Part::Unknown),
                }
                continue;
            }
            if let Some(code) = self.interpolated(c, interpolation) {
                parts.code(code);
                continue;
            }
            self.cursor.advance();
            if Some(c) == open {
                depth += 1;
            } else if c == close {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
            parts.text.push(c);
        }
        parts.finish()
    }

    fn interpolated(&mut self, c: char, interpolation: Interpolation) -> Option<Part> {
        let second = self.cursor.second();
        match (interpolation, c, second) {
            (Interpolation::Hash, '#', Some('{')) | (Interpolation::Dollar, '$', Some('{')) => {
                self.cursor.advance();
                Some(self.braced())
            }
            (Interpolation::Dollar, '$', Some('(')) if self.profile.lang != crate::lang::Lang::JavaScript => {
                self.cursor.advance();
                Some(self.braced())
            }
            (Interpolation::Hash, '#', Some('$' | '@')) => {
                let sigils =
                    self.cursor.rest().chars().skip(1).take_while(|c| matches!(c, '$' | '@')).count();
                let named =
                    self.cursor.rest().chars().nth(1 + sigils).is_some_and(|c| c.is_alphabetic() || c == '_');
                self.cursor.skip(usize::from(named));
                named.then(|| self.plain_variable()).flatten()
            }
            // `@$list`, `$$name`: what a variable leads to.
            (Interpolation::Perl, '@' | '$', Some('$'))
                if self.cursor.rest().chars().nth(2).is_some_and(|c| c.is_alphabetic() || c == '_') =>
            {
                let list = c == '@';
                self.cursor.advance();
                let part = self.plain_variable();
                if list { part } else { Some(Part::Unknown) }
            }
            (Interpolation::Php, '{', Some('$')) => Some(self.braced()),
            (Interpolation::Perl, '@', Some('{'))
            | (Interpolation::Perl | Interpolation::Php, '$', Some('{')) => {
                self.cursor.advance();
                let part = self.braced();
                if let Part::Code(code, at) = &part
                    && is_name(code)
                {
                    return Some(Part::Code(format!("${code}"), *at));
                }
                Some(part)
            }
            (Interpolation::Perl, '$' | '@', Some(next)) if next.is_alphabetic() || next == '_' => {
                self.plain_variable()
            }
            (Interpolation::Dollar, '$', _) if self.profile.lang == crate::lang::Lang::JavaScript => None,
            (Interpolation::Php | Interpolation::Dollar, '$', Some(next))
                if next.is_alphabetic() || next == '_' =>
            {
                self.plain_variable()
            }
            (
                Interpolation::Dollar
                | Interpolation::Hash
                | Interpolation::None
                | Interpolation::Perl
                | Interpolation::Php,
                _,
                _,
            ) => None,
        }
    }

    /// `$x`, `$x{key}`, `$x[0]`, `$x->{key}`.
    fn plain_variable(&mut self) -> Option<Part> {
        let (start, at) = (self.cursor.pos, self.cursor.offset());
        self.cursor.variable_name(self.profile.lang)?;
        if self.cursor.starts("->{") || self.cursor.starts("->[") {
            self.cursor.skip(2);
        }
        if self.profile.interpolation != Interpolation::Dollar {
            let close = match self.cursor.peek() {
                Some('{') => "}",
                Some('[') => "]",
                Some(_) | None => "",
            };
            // A key is short; looking further would make unclosed brackets cost the square of their number.
            let ends = self.cursor.rest().chars().take(64).any(|c| close.starts_with(c));
            if ends {
                self.cursor.until(close);
            }
        }
        let code = self.cursor.between(start, self.cursor.pos);
        let sigil = if self.profile.sigils.is_empty() { code.trim_start_matches('$') } else { code };
        Some(Part::Code(sigil.to_owned(), at))
    }

    /// The code between a bracket here and its partner.
    fn braced(&mut self) -> Part {
        let close = if self.cursor.peek() == Some('(') { ')' } else { '}' };
        let open = self.cursor.next();
        let (start, at) = (self.cursor.pos, self.cursor.offset());
        let mut depth = 0_u32;
        let mut end = start;
        while let Some(c) = self.cursor.next() {
            if Some(c) == open {
                depth += 1;
            } else if c == close {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            } else if c == '\\' {
                self.cursor.advance();
            }
            end = self.cursor.pos;
        }
        Part::Code(self.cursor.between(start, end).to_owned(), at)
    }
}

fn is_name(code: &str) -> bool {
    !code.is_empty() && code.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[derive(Default)]
struct Parts {
    done: Vec<Part>,
    text: String,
    /// Changes that go on, with the parts before them.
    changes: Vec<(&'static str, Vec<Part>)>,
}

impl Parts {
    fn code(&mut self, code: Part) {
        if !self.text.is_empty() {
            self.done.push(Part::Text(std::mem::take(&mut self.text)));
        }
        self.done.push(code);
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.done.push(Part::Text(std::mem::take(&mut self.text)));
        }
    }

    /// A change of what follows begins. Deeper ones are not told apart.
    fn change(&mut self, function: &'static str) {
        self.flush();
        if self.changes.len() > 3 {
            return self.done.push(Part::Unknown);
        }
        self.changes.push((function, std::mem::take(&mut self.done)));
    }

    fn end_change(&mut self) {
        self.flush();
        if let Some((function, before)) = self.changes.pop() {
            let changed = std::mem::replace(&mut self.done, before);
            self.done.push(Part::Changed(function, changed));
        }
    }

    fn finish(mut self) -> Vec<Part> {
        while !self.changes.is_empty() {
            self.end_change();
        }
        if !self.text.is_empty() || self.done.is_empty() {
            self.done.push(Part::Text(self.text));
        }
        self.done
    }
}

/// The text with its backslash escapes read.
pub(in crate::scripts) fn unescape(text: &str) -> String {
    let mut cursor = Cursor::new(text, 0);
    let mut out = String::new();
    while let Some(c) = cursor.next() {
        if c == '\\' {
            escape(&mut cursor, &mut out);
        } else {
            out.push(c);
        }
    }
    out
}

/// Reads an escape after its backslash, as most languages do.
pub(super) fn escape(cursor: &mut Cursor<'_>, out: &mut String) {
    let Some(c) = cursor.next() else { return };
    match c {
        'n' => out.push('\n'),
        't' => out.push('\t'),
        'r' => out.push('\r'),
        'e' => out.push('\x1b'),
        'a' => out.push('\x07'),
        '\n' => {}
        'x' => out.extend(coded(cursor, 2, 16)),
        'u' => out.extend(coded(cursor, 4, 16)),
        'U' => out.extend(coded(cursor, 8, 16)),
        '0'..='7' => {
            cursor.pos -= 1;
            let most = if cursor.starts("0") { 4 } else { 3 };
            out.extend(coded(cursor, most, 8));
        }
        other => out.push(other),
    }
}

/// A character by its number: up to `most` digits, or any between braces.
fn coded(cursor: &mut Cursor<'_>, most: usize, radix: u32) -> Option<char> {
    let digits: String = if cursor.starts("{") {
        cursor.until("}").trim_start_matches('{').to_owned()
    } else {
        cursor.rest().chars().take(most).take_while(|c| c.is_digit(radix)).collect()
    };
    if !cursor.between(cursor.pos.saturating_sub(1), cursor.pos).starts_with('}') {
        cursor.skip(digits.len());
    }
    u32::from_str_radix(digits.trim(), radix).ok().and_then(char::from_u32)
}
