//! Cuts SQL into tokens.

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Words are upper case, strings without their quotes.
    pub(super) text: String,
    pub(super) at: usize,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A command of the client, to the end of its line.
    Client,
    /// The end of a statement.
    End,
    /// A quoted name.
    Name,
    Number,
    Sign,
    /// A string.
    Text,
    /// A word.
    Word,
}

impl Token {
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }
}

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { text, pos: 0, tokens: Vec::new() };
    while lexer.pos < text.len() {
        lexer.step();
    }
    lexer.tokens
}

struct Lexer<'t> {
    text: &'t str,
    pos: usize,
    tokens: Vec<Token>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    fn push(&mut self, kind: Kind, text: impl Into<String>, at: usize) {
        self.tokens.push(Token { kind, text: text.into(), at });
    }

    fn step(&mut self) {
        let rest = self.rest();
        let at = self.pos;
        let Some(first) = rest.chars().next() else { return };
        if first.is_whitespace() {
            self.pos += first.len_utf8();
        } else if rest.starts_with("*/") {
            self.pos += 2;
        } else if rest.starts_with("--") || rest.starts_with("# ") {
            self.line();
        } else if rest.starts_with("/*!") {
            // MySQL runs what stands in such a comment.
            self.pos += 3;
            self.pos += self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        } else if rest.starts_with("/*") {
            self.pos += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if self.at_client(first) {
            let line = self.line();
            self.push(Kind::Client, line.trim(), at);
        } else if first == ';' {
            self.pos += 1;
            self.push(Kind::End, ";", at);
        } else if matches!(first, '\'' | '"' | '`' | '[') {
            self.quoted(first, at);
        } else if first == '$' && self.dollar_quoted(at) {
        } else if first.is_alphabetic() || first == '_' || first == '@' {
            let end = rest
                .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '@')))
                .unwrap_or(rest.len());
            self.pos += end;
            let word = rest.get(..end).unwrap_or_default();
            let prefixed = matches!(word, "E" | "e" | "N" | "n" | "X" | "x") && self.rest().starts_with('\'');
            if !prefixed {
                self.push(Kind::Word, word, at);
            }
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(rest.len());
            self.pos += end;
            self.push(Kind::Number, rest.get(..end).unwrap_or_default(), at);
        } else {
            self.pos += first.len_utf8();
            self.push(Kind::Sign, first, at);
        }
    }

    fn line(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find('\n').unwrap_or(rest.len());
        self.pos += end;
        rest.get(..end).unwrap_or_default()
    }

    /// Whether a command of the client begins here: only where a statement may.
    fn at_client(&self, first: char) -> bool {
        let fresh = self.tokens.last().is_none_or(|last| matches!(last.kind, Kind::End | Kind::Client));
        let letter =
            self.rest().chars().nth(1).is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '!' | '.'));
        let word =
            |name: &str| self.rest().get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        match first {
            // psql's commands may stand at the end of a statement, too: `select 1 \g |sh`.
            '\\' => letter,
            '.' => fresh && letter,
            _ => fresh && ["system ", "source ", "tee "].iter().any(|name| word(name)),
        }
    }

    fn quoted(&mut self, open: char, at: usize) {
        let close = if open == '[' { ']' } else { open };
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1).peekable();
        let mut end = self.rest().len();
        while let Some((index, c)) = chars.next() {
            if c == '\\' && open == '\'' {
                text.push(c);
                text.extend(chars.next().map(|(_, next)| next));
            } else if c == close {
                if chars.peek().is_some_and(|(_, next)| *next == close) && open != '[' {
                    chars.next();
                    text.push(c);
                    continue;
                }
                end = index + c.len_utf8();
                break;
            } else {
                text.push(c);
            }
        }
        self.pos += end;
        let kind = if open == '\'' { Kind::Text } else { Kind::Name };
        self.push(kind, text, at);
    }

    /// `$$…$$`, `$tag$…$tag$`.
    fn dollar_quoted(&mut self, at: usize) -> bool {
        let rest = self.rest();
        let name = rest.chars().skip(1).take(32).take_while(|c| c.is_alphanumeric() || *c == '_').count();
        let tag: String = rest.chars().take(name + 2).collect();
        if !tag.ends_with('$') || tag.len() < 2 {
            return false;
        }
        let body = rest.get(tag.len()..).unwrap_or_default();
        let end = body.find(&tag).unwrap_or(body.len());
        self.push(Kind::Text, body.get(..end).unwrap_or_default(), at);
        self.pos += (tag.len() * 2 + end).min(rest.len());
        true
    }
}
