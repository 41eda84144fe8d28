//! Quotes of many shapes: Perl's and Ruby's words, Lua's long brackets, here-documents.

use super::profile::{Interpolation, Quoting};
use super::{Change, Kind, Part, Pattern, Scanner, Token};

impl Scanner<'_> {
    /// A quote that begins with a sign rather than a word.
    pub(super) fn shaped_quote(&mut self, first: char, spaced: bool) -> Option<Kind> {
        match (self.profile.quoting, first) {
            (Quoting::Lua, '[') => self.long_bracket(),
            (Quoting::Ruby, '%') => self.percent(spaced),
            (Quoting::Ruby, ':') => self.symbol(),
            (Quoting::Ruby, '?') => self.letter(),
            (Quoting::Ruby | Quoting::Perl | Quoting::Php, '<') => {
                if self.shifts(spaced) { None } else { self.heredoc() }.or_else(|| self.readline())
            }
            (Quoting::Lua | Quoting::None | Quoting::Perl | Quoting::Php | Quoting::Ruby, _) => None,
        }
    }

    fn long_bracket(&mut self) -> Option<Kind> {
        let level = self.cursor.rest().chars().skip(1).take_while(|c| *c == '=').count();
        let equals = "=".repeat(level.min(16));
        let open = format!("[{equals}[");
        if !self.cursor.starts(&open) {
            return None;
        }
        self.cursor.skip(open.len());
        let text = self.cursor.until(&format!("]{equals}]"));
        Some(Kind::Text(vec![Part::Text(text.strip_prefix('\n').unwrap_or(text).to_owned())]))
    }

    /// `?r`: a text of one letter.
    fn letter(&mut self) -> Option<Kind> {
        let mut ahead = self.cursor.rest().chars().skip(1);
        let (letter, next) = (ahead.next()?, ahead.next());
        let alone =
            !next.is_some_and(|next| next.is_alphanumeric() || matches!(next, '_' | '?' | '(' | '"' | '\''));
        if self.after_value() || letter.is_whitespace() || letter == '\\' || !alone {
            return None;
        }
        self.cursor.skip(1 + letter.len_utf8());
        Some(Kind::Text(vec![Part::Text(letter.to_string())]))
    }

    fn symbol(&mut self) -> Option<Kind> {
        let next = self.cursor.second()?;
        let after_colon = self.cursor.between(self.cursor.pos.saturating_sub(1), self.cursor.pos) == ":";
        if after_colon || !(next.is_alphabetic() || next == '_' || next == '"') {
            return None;
        }
        self.cursor.advance();
        if next == '"' {
            return None;
        }
        let name = self.cursor.take_while(|c| c.is_alphanumeric() || c == '_');
        Some(Kind::Text(vec![Part::Text(name.to_owned())]))
    }

    fn percent(&mut self, spaced: bool) -> Option<Kind> {
        let kind = self.cursor.second()?;
        if self.after_value() && !(spaced && kind.is_ascii_alphabetic()) {
            return None;
        }
        let (letter, opener) =
            if kind.is_ascii_alphabetic() { (kind, self.cursor.rest().chars().nth(2)?) } else { ('Q', kind) };
        if opener.is_alphanumeric() || opener.is_whitespace() || opener == '=' {
            return None;
        }
        self.cursor.skip(if kind.is_ascii_alphabetic() { 2 } else { 1 });
        self.cursor.advance();
        Some(self.lettered(letter, opener))
    }

    fn lettered(&mut self, letter: char, opener: char) -> Kind {
        let (open, close) = brackets(opener);
        match letter {
            'w' | 'W' | 'i' | 'I' => Kind::Words(self.words(close, open)),
            'x' => Kind::Command(self.body(close, open, self.profile.interpolation)),
            'r' => {
                let text = plain(self.raw(close, open));
                self.found(text)
            }
            'q' | 's' => Kind::Text(self.raw(close, open)),
            _ => Kind::Text(self.body(close, open, self.profile.interpolation)),
        }
    }

    fn words(&mut self, close: char, open: Option<char>) -> Vec<String> {
        let body = self.raw(close, open);
        plain(body).split_whitespace().map(str::to_owned).collect()
    }

    /// Perl's words that quote: `q`, `qq`, `qw`, `qx`, `qr`, `m`, `s`, `tr`, `y`.
    pub(super) fn word_quote(&mut self, word: &str) -> Option<Kind> {
        let known = matches!(word, "q" | "qq" | "qw" | "qx" | "qr" | "m" | "s" | "tr" | "y");
        if self.profile.quoting != Quoting::Perl || !known {
            return None;
        }
        let rest = self.cursor.rest();
        let opener = rest.trim_start().chars().next()?;
        let blanks = rest.len() - rest.trim_start().len();
        let odd = opener.is_alphanumeric()
            || matches!(opener, ',' | ';' | ')' | '=' | '_')
            || (blanks > 0 && opener == '#');
        if odd || rest.trim_start().starts_with("=>") || self.is_member() {
            return None;
        }
        self.cursor.skip(blanks);
        self.cursor.advance();
        Some(self.perl_quote(word, opener))
    }

    /// Whether a name here belongs to what stands before it (`->s`, `{y}`).
    fn is_member(&self) -> bool {
        self.tokens.last().is_some_and(|last| last.is("->") || last.is("{") && self.cursor.starts("}"))
    }

    fn perl_quote(&mut self, word: &str, opener: char) -> Kind {
        let (open, close) = brackets(opener);
        let interpolation = if opener == '\'' { Interpolation::None } else { Interpolation::Perl };
        match word {
            "q" => Kind::Text(self.raw(close, open)),
            "qq" => Kind::Text(self.body(close, open, interpolation)),
            "qw" => Kind::Words(self.words(close, open)),
            "qx" => Kind::Command(self.body(close, open, interpolation)),
            "s" | "tr" | "y" => self.substitution(word, opener),
            _ => {
                let text = plain(self.raw(close, open));
                self.found(text)
            }
        }
    }

    fn substitution(&mut self, word: &str, opener: char) -> Kind {
        let (open, close) = brackets(opener);
        let from = plain(self.raw(close, open));
        let (mut second_open, mut second_close) = (open, close);
        if open.is_some() {
            self.cursor.take_while(char::is_whitespace);
            let next = self.cursor.next().unwrap_or(opener);
            (second_open, second_close) = brackets(next);
        }
        let at = self.cursor.offset();
        let replacement = self.raw(second_close, second_open);
        let flags = self.cursor.take_while(|c| c.is_ascii_alphabetic());
        let to = plain(replacement);
        if word == "s" && flags.contains('e') {
            return Kind::Regex(Pattern::Runs(Part::Code(to, at)));
        }
        let word = if word == "s" { "s" } else { "tr" };
        Kind::Regex(Pattern::Changes(Change { word, from, to, flags: flags.to_owned() }))
    }

    fn readline(&mut self) -> Option<Kind> {
        if self.profile.quoting != Quoting::Perl || self.after_value() && !self.after_function() {
            return None;
        }
        let rest = self.cursor.rest().strip_prefix('<')?;
        // A handle, or a pattern for names of files.
        let end = rest.find(|c: char| {
            !(c.is_alphanumeric()
                || matches!(c, '_' | '$' | '/' | '*' | '.' | '~' | '?' | '{' | '}' | ',' | '-'))
        })?;
        let name = rest.get(..end).filter(|_| rest.get(end..).is_some_and(|after| after.starts_with('>')))?;
        self.cursor.skip(end + 2);
        Some(Kind::Readline(name.trim_start_matches('$').to_owned()))
    }

    /// Whether `<<` here works on what stands before it. What is taken for the text of a here-document is not run.
    fn shifts(&self, spaced: bool) -> bool {
        let Some(last) = self.tokens.last() else { return false };
        let named = |name: &String| !spaced || self.locals.contains(name);
        match (self.profile.quoting, &last.kind) {
            (Quoting::Ruby, Kind::Name(name)) => named(name),
            // `print $file <<END` writes to the file.
            (Quoting::Perl, Kind::Var(_)) => !self.tokens.iter().nth_back(1).is_some_and(Token::prints),
            (Quoting::Ruby, Kind::Op("}") | Kind::Var(_))
            | (Quoting::Perl | Quoting::Ruby, Kind::Number(_) | Kind::Op(")" | "]") | Kind::Text(_)) => true,
            (Quoting::Lua | Quoting::None | Quoting::Perl | Quoting::Php | Quoting::Ruby, _) => false,
        }
    }

    /// `<<EOF`, `<<~'EOF'`, `<<<"EOF"`. The body is cut out where the line ends.
    fn heredoc(&mut self) -> Option<Kind> {
        let php = self.profile.quoting == Quoting::Php;
        let mark = self.cursor.rest().strip_prefix(if php { "<<<" } else { "<<" })?;
        let tag = mark.trim_start_matches(['~', '-']).trim_start_matches([' ']);
        let quote = tag.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let bare = tag.trim_start_matches(['"', '\'', '`']);
        let name: String = bare.chars().take_while(|c| c.is_alphanumeric() || *c == '_').take(64).collect();
        let shouted = name.chars().next().is_some_and(char::is_uppercase);
        let glued = mark.starts_with(['~', '-', '"', '\'', '`']) || mark.starts_with(char::is_uppercase);
        if name.is_empty() || !glued || !(shouted || quote.is_some()) {
            return None;
        }
        let closing = usize::from(quote.is_some());
        self.cursor.skip(self.cursor.rest().len() - bare.len() + name.len() + closing);
        Some(self.heredoc_body(&name, quote))
    }

    fn heredoc_body(&mut self, name: &str, quote: Option<char>) -> Kind {
        let resume = self.cursor.pos;
        let from = self.heredoc_end.unwrap_or(resume);
        self.cursor.pos = from;
        self.cursor.pass_line();
        self.cursor.advance();
        let (start, mut end) = (self.cursor.pos, self.cursor.pos);
        while self.cursor.peek().is_some() {
            let line = self.cursor.rest().lines().next().unwrap_or_default();
            let ends = line.trim().trim_end_matches([';', ')', ',']) == name;
            if ends {
                let indent = line.len() - line.trim_start().len();
                self.cursor.skip(indent + name.len());
                break;
            }
            self.cursor.pass_line();
            self.cursor.advance();
            end = self.cursor.pos;
        }
        self.heredoc_end = Some(self.cursor.pos);
        let body = self.cursor.between(start, end).to_owned();
        self.cursor.pos = resume;
        match (quote, self.heredoc_text(&body)) {
            (Some('\''), _) => Kind::Text(vec![Part::Text(body)]),
            (Some('`'), Kind::Text(parts)) => Kind::Command(parts),
            (_, text) => text,
        }
    }

    fn heredoc_text(&self, body: &str) -> Kind {
        let cursor = super::Cursor::new(body, self.cursor.offset());
        let mut inner = Scanner::new(cursor, self.profile);
        Kind::Text(inner.body('\0', None, self.profile.interpolation))
    }
}

/// What opens (when it nests) and closes a quote that begins with `opener`.
fn brackets(opener: char) -> (Option<char>, char) {
    match opener {
        '(' => (Some('('), ')'),
        '[' => (Some('['), ']'),
        '{' => (Some('{'), '}'),
        '<' => (Some('<'), '>'),
        other => (None, other),
    }
}

/// The text of a body in which nothing was put.
pub(super) fn plain(parts: Vec<Part>) -> String {
    let text = |part| match part {
        Part::Code(text, _) | Part::Text(text) => text,
        Part::Changed(..) | Part::Unknown => String::new(),
    };
    parts.into_iter().map(text).collect()
}
