//! Where words begin and end.

/// A place in a script.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) pos: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.pos += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    }

    /// The text between braces, and where it begins.
    pub(super) fn braced(&mut self) -> (&'t str, usize) {
        self.pos += 1;
        let start = self.pos;
        let mut depth = 0_u32;
        let mut escaped = false;
        for (at, c) in self.rest().char_indices() {
            match c {
                '{' if !escaped => depth += 1,
                '}' if !escaped && depth == 0 => {
                    let body = self.text.get(start..start + at).unwrap_or_default();
                    self.pos = start + at + 1;
                    return (body, start);
                }
                '}' if !escaped => depth -= 1,
                _ => {}
            }
            escaped = c == '\\' && !escaped;
        }
        let body = self.rest();
        self.pos = self.text.len();
        (body, start)
    }

    /// A variable's name after its dollar, with an index if it has one.
    pub(super) fn variable_name(&mut self) -> String {
        if self.peek() == Some('{') {
            return self.braced().0.to_owned();
        }
        let start = self.pos;
        self.skip(|c| c.is_alphanumeric() || c == '_' || c == ':');
        if self.peek() == Some('(') {
            let end = self.rest().chars().take(128).position(|c| c == ')');
            if end.is_some() {
                self.skip(|c| c != ')');
                self.pos += 1;
            }
        }
        self.text.get(start..self.pos).unwrap_or_default().to_owned()
    }
}

/// How long the escape at the beginning of `rest` is.
pub(super) fn escape_length(rest: &str) -> usize {
    let mut chars = rest.chars();
    chars.next();
    let digits =
        |radix: u32, most: usize| rest.chars().skip(2).take(most).take_while(|c| c.is_digit(radix)).count();
    match chars.next() {
        None => 1,
        Some('x') => 2 + digits(16, 2),
        Some('u') => 2 + digits(16, 4),
        Some('0'..='7') => 2 + digits(8, 2),
        Some(c) => 1 + c.len_utf8(),
    }
}
