//! A place in a script that moves forward.

/// What an assignment does with what a variable held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assignment {
    /// It adds to it.
    Add,
    /// It replaces it, if it held nothing.
    Perhaps,
    /// It replaces it.
    Replace,
}

/// A place in a script that moves forward.
pub(super) struct Parser<'t> {
    text: &'t str,
    pub(super) pos: usize,
    base: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, base: usize) -> Self {
        Self { text, pos: 0, base }
    }

    pub(super) fn offset(&self) -> usize {
        self.base + self.pos
    }

    pub(super) fn ended(&self) -> bool {
        self.pos >= self.text.len()
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub(super) fn advance(&mut self) {
        self.pos += self.peek().map_or(1, char::len_utf8);
    }

    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.advance(),
                Some('`') if matches!(self.second(), Some('\n')) => self.pos += 2,
                Some('<') if self.rest().starts_with("<#") => {
                    self.pos += self.rest().find("#>").map_or(self.rest().len(), |end| end + 2);
                }
                Some(_) | None => return,
            }
        }
    }

    /// Passes what stands between statements.
    pub(super) fn skip_separators(&mut self) {
        loop {
            self.skip_blanks();
            match self.peek() {
                Some('\n' | ';' | ',' | ')' | '}') => self.advance(),
                Some('&') if self.rest().starts_with("&&") => self.pos += 2,
                Some('|') if self.rest().starts_with("||") => self.pos += 2,
                Some('#') => self.pos += self.rest().find('\n').unwrap_or(self.rest().len()),
                Some(_) | None => return,
            }
        }
    }

    pub(super) fn eat_pipe(&mut self) -> bool {
        let found = self.peek() == Some('|') && self.second() != Some('|');
        self.pos += usize::from(found);
        if found {
            self.take_while(char::is_whitespace);
        }
        found
    }

    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.pos += end;
        rest.get(..end).unwrap_or_default()
    }

    /// `$x =` or `$x +=`, passing both; the name in lower case.
    pub(super) fn assignment(&mut self) -> Option<(String, Assignment)> {
        let before = self.pos;
        // `[string]$x = …`
        while self.peek() == Some('[') {
            self.bracketed();
            self.skip_blanks();
        }
        let name = self.variable_name();
        self.skip_blanks();
        let how = if self.rest().starts_with("+=") {
            Assignment::Add
        } else if self.rest().starts_with("??=") {
            Assignment::Perhaps
        } else {
            Assignment::Replace
        };
        self.take_while(|c| (c == '+' && how == Assignment::Add) || (c == '?' && how == Assignment::Perhaps));
        if let Some(name) = name.filter(|_| self.eat_sign()) {
            return Some((name, how));
        }
        self.pos = before;
        None
    }

    /// Passes the sign of an assignment.
    pub(super) fn eat_sign(&mut self) -> bool {
        let found = self.peek() == Some('=') && self.second() != Some('=');
        if found {
            self.pos += 1;
            self.skip_blanks();
        }
        found
    }

    /// The name of the variable that stands here, which is passed.
    fn variable_name(&mut self) -> Option<String> {
        if self.peek() != Some('$') {
            return None;
        }
        self.pos += 1;
        let name = if self.peek() == Some('{') {
            self.bracketed().0
        } else {
            self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
        };
        (!name.is_empty()).then(|| name.to_ascii_lowercase())
    }

    /// The name of the variable that stands here.
    pub(super) fn variable_ahead(&mut self) -> Option<String> {
        let before = self.pos;
        let name = self.variable_name();
        self.pos = before;
        name
    }

    /// A word of the language before a condition or a block; those are read as statements of their own.
    pub(super) fn eat_keyword(&mut self) -> Option<&'static str> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default().to_ascii_lowercase();
        let found = KEYWORDS.iter().find(|keyword| **keyword == word).copied();
        let begins = rest.get(end..).map(str::trim_start).is_some_and(|after| {
            after.starts_with(['(', '{'])
                || word == "else" && after.get(..2).is_some_and(|next| next.eq_ignore_ascii_case("if"))
        });
        let found = found.filter(|_| begins);
        self.pos += if found.is_some() { end } else { 0 };
        found
    }

    /// Whether an expression begins here rather than a command.
    pub(super) fn at_expression(&self) -> bool {
        let word =
            |name: &str| self.rest().get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        match self.peek() {
            Some('\'' | '"' | '$' | '(' | '[' | '@') => true,
            Some(c) if c.is_ascii_digit() => true,
            Some(_) => word("-join") || word("-split") || word("-not"),
            None => false,
        }
    }

    /// The text between the bracket here and its partner, and where it begins.
    pub(super) fn bracketed(&mut self) -> (&'t str, usize) {
        let open = self.peek().unwrap_or('(');
        let close = match open {
            '{' => '}',
            '[' => ']',
            _ => ')',
        };
        self.pos += open.len_utf8();
        let start = self.pos;
        let mut depth = 0_u32;
        let mut quote: Option<char> = None;
        for (at, c) in self.rest().char_indices() {
            match quote {
                Some(open) => quote = Some(open).filter(|open| *open != c),
                None if matches!(c, '\'' | '"') => quote = Some(c),
                None if c == open => depth += 1,
                None if c == close && depth == 0 => {
                    self.pos = start + at + 1;
                    return (self.text.get(start..start + at).unwrap_or_default(), self.base + start);
                }
                None if c == close => depth -= 1,
                None => {}
            }
        }
        let body = self.rest();
        self.pos = self.text.len();
        (body, self.base + start)
    }

    /// A string in single quotes.
    pub(super) fn single(&mut self) -> String {
        self.pos += 1;
        let mut out = String::new();
        while let Some(c) = self.peek() {
            self.advance();
            if c == '\'' {
                if self.peek() != Some('\'') {
                    break;
                }
                self.advance();
            }
            out.push(c);
        }
        out
    }

    /// `@'…'@` or `@"…"@`, when one begins here.
    pub(super) fn here_string(&mut self) -> Option<&'t str> {
        let (open, close) =
            if self.rest().starts_with("@'\n") { ("@'\n", "\n'@") } else { ("@\"\n", "\n\"@") };
        let body = self.rest().strip_prefix(open)?;
        let end = body.find(close).unwrap_or(body.len());
        self.pos = (self.pos + open.len() + end + close.len()).min(self.text.len());
        body.get(..end)
    }
}

const KEYWORDS: &[&str] =
    &["if", "elseif", "else", "while", "for", "foreach", "do", "until", "try", "catch", "finally", "switch"];
