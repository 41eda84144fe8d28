//! Cuts code into tokens, well enough to find calls, strings and assignments.
//!
//! One scanner serves every language with C's look; what differs is a [`Profile`]. It is total: whatever it does not
//! know becomes an operator of one character.

mod cursor;
mod escapes;
mod profile;
mod quoting;
mod strings;

use std::collections::HashSet;

use cursor::Cursor;

pub(super) use profile::{Backtick, BareCalls, C_LIKE, Interpolation, Profile, Quoting};
pub(super) use strings::unescape;

/// How many tokens a text has at most: words, and whatever stands between them but blanks. A character outside of ASCII may be no letter.
pub(super) fn pieces(text: &str) -> usize {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || (0x80..0xC0).contains(&byte);
    let mut after_word = false;
    let begins = text.bytes().filter(|byte| {
        let (word, follows) = (is_word(*byte), after_word);
        after_word = word;
        !(word && follows || *byte == b' ' || *byte == b'\t')
    });
    begins.count()
}

/// A piece of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether blanks stand before it.
    pub(super) spaced: bool,
    /// For an opening bracket: where its partner is.
    pub(super) partner: Option<usize>,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A string that the shell runs.
    Command(Vec<Part>),
    /// A name, or a word of the language.
    Name(String),
    /// The end of a line.
    Newline,
    /// A whole number.
    Number(i64),
    /// An operator or bracket.
    Op(&'static str),
    /// Reading a line from a handle: `<STDIN>`.
    Readline(String),
    /// A regular expression.
    Regex(Pattern),
    /// A string.
    Text(Vec<Part>),
    /// A variable, without its sigil.
    Var(String),
    /// A list of words: `qw(a b)`.
    Words(Vec<String>),
}

/// A regular expression, and what is done with what it finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// It is replaced.
    Changes(Change),
    /// Nothing.
    Finds(String),
    /// It is replaced by what this code gives.
    Runs(Part),
}

/// `s/from/to/flags`, `tr/from/to/flags`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) word: &'static str,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) flags: String,
}

/// A part of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// These parts, changed by a function of the language.
    Changed(&'static str, Vec<Part>),
    /// Code whose value is put here, and where it stands.
    Code(String, u32),
    /// Text.
    Text(String),
    /// Text that is not known.
    Unknown,
}

impl Token {
    pub(super) fn is(&self, op: &str) -> bool {
        matches!(&self.kind, Kind::Op(own) if *own == op)
    }

    pub(super) fn name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Name(name) => Some(name),
            Kind::Command(_)
            | Kind::Newline
            | Kind::Number(_)
            | Kind::Op(_)
            | Kind::Readline(_)
            | Kind::Regex(_)
            | Kind::Text(_)
            | Kind::Var(_)
            | Kind::Words(_) => None,
        }
    }

    /// Whether a file to write to may follow.
    fn prints(&self) -> bool {
        matches!(self.name(), Some("print" | "printf" | "say"))
    }

    /// Whether a value may end here, so that `/` divides and `<` compares.
    fn ends_value(&self) -> bool {
        match &self.kind {
            Kind::Op(op) => matches!(*op, ")" | "]" | "}"),
            Kind::Newline => false,
            Kind::Name(name) => !BEFORE_VALUE.contains(&name.as_str()),
            Kind::Command(_)
            | Kind::Number(_)
            | Kind::Readline(_)
            | Kind::Regex(_)
            | Kind::Text(_)
            | Kind::Var(_)
            | Kind::Words(_) => true,
        }
    }
}

/// Words after which a value begins, not an operator.
const BEFORE_VALUE: &[&str] = &[
    "and", "case", "do", "each", "else", "elsif", "goto", "grep", "if", "in", "join", "keys", "map", "not",
    "of", "or", "print", "puts", "return", "reverse", "sort", "split", "then", "typeof", "unless", "until",
    "values", "when", "while",
];

/// The tokens of `text`, which stands at `base` in what the reader was given.
pub(super) fn scan(profile: &Profile, text: &str, base: u32) -> Vec<Token> {
    let mut scanner = Scanner::new(Cursor::new(text, base), profile);
    scanner.run();
    pair(scanner.tokens)
}

struct Scanner<'a> {
    cursor: Cursor<'a>,
    profile: &'a Profile,
    tokens: Vec<Token>,
    /// Where the text after the bodies of here-documents goes on, once this line ends.
    heredoc_end: Option<usize>,
    /// Names that were given a value.
    locals: HashSet<String>,
}

impl<'a> Scanner<'a> {
    fn new(cursor: Cursor<'a>, profile: &'a Profile) -> Self {
        Self { cursor, profile, tokens: Vec::new(), heredoc_end: None, locals: HashSet::new() }
    }
}

impl Scanner<'_> {
    fn run(&mut self) {
        loop {
            let spaced = self.skip();
            let start = self.cursor.offset();
            let Some(kind) = self.token(spaced) else { return };
            let ends_file = matches!(&kind, Kind::Name(name) if name == "__END__" || name == "__DATA__");
            if ends_file {
                return;
            }
            self.note_local(&kind);
            self.tokens.push(Token { kind, start, end: self.cursor.offset(), spaced, partner: None });
        }
    }

    fn note_local(&mut self, kind: &Kind) {
        if self.profile.quoting == Quoting::Ruby
            && matches!(kind, Kind::Op("=" | "||=" | "+="))
            && let Some(name) = self.tokens.last().and_then(Token::name)
        {
            self.locals.insert(name.to_owned());
        }
    }

    /// Passes blanks and comments; whether there were any.
    fn skip(&mut self) -> bool {
        let before = self.cursor.pos;
        loop {
            match self.cursor.peek() {
                Some('\n') if self.heredoc_end.is_some() => self.pass_heredocs(),
                Some('\n') if self.profile.newlines => break,
                Some(c) if c.is_whitespace() => self.cursor.advance(),
                Some('\\') if self.cursor.starts("\\\n") => self.cursor.skip("\\\n".len()),
                Some(_) if self.comment() => {}
                Some(_) | None => break,
            }
        }
        self.cursor.pos > before
    }

    fn pass_heredocs(&mut self) {
        if let Some(end) = self.heredoc_end.take() {
            self.cursor.pos = end.max(self.cursor.pos);
        }
    }

    fn comment(&mut self) -> bool {
        for (open, close) in self.profile.block_comments {
            if self.cursor.starts(open) {
                self.cursor.skip(open.len());
                self.cursor.until(close);
                return true;
            }
        }
        let begins = self.profile.line_comments.iter().any(|mark| self.cursor.starts(mark));
        if begins {
            self.cursor.pass_line();
        }
        begins
    }

    fn token(&mut self, spaced: bool) -> Option<Kind> {
        let first = self.cursor.peek()?;
        if first == '\n' {
            self.cursor.advance();
            return Some(Kind::Newline);
        }
        Some(
            self.quoted(first, spaced)
                .or_else(|| self.variable(first, spaced))
                .or_else(|| self.number(first))
                .or_else(|| self.name(first))
                .unwrap_or_else(|| self.operator()),
        )
    }

    /// Whether what stands before `<` may be a function that takes what is read (`system <STDIN>`), not a constant.
    fn after_function(&self) -> bool {
        let function = self.tokens.last().and_then(Token::name);
        function.is_some_and(|name| name.starts_with(char::is_lowercase))
    }

    fn after_value(&self) -> bool {
        self.tokens.last().is_some_and(Token::ends_value)
    }

    fn variable(&mut self, first: char, spaced: bool) -> Option<Kind> {
        if !self.profile.sigils.contains(first)
            || (matches!(first, '%' | '&' | '@') && self.after_value() && spaced)
        {
            return None;
        }
        if matches!(first, '%' | '&') && self.after_value() {
            return None;
        }
        let name = self.cursor.variable_name(self.profile.lang)?;
        Some(Kind::Var(name))
    }

    fn number(&mut self, first: char) -> Option<Kind> {
        let begins = first.is_ascii_digit();
        begins.then(|| match self.cursor.number(self.profile.lang) {
            Some(number) => Kind::Number(number),
            None => Kind::Text(vec![Part::Unknown]),
        })
    }

    fn name(&mut self, first: char) -> Option<Kind> {
        let extra = self.profile.name_extra;
        if !(first.is_alphabetic() || first == '_' || (first == '$' && extra.contains('$'))) {
            return None;
        }
        let name = self.cursor.take_while(|c| c.is_alphanumeric() || c == '_' || extra.contains(c));
        let name = name.to_owned();
        Some(self.word_quote(&name).unwrap_or(Kind::Name(name)))
    }

    fn operator(&mut self) -> Kind {
        let found = OPERATORS.iter().find(|op| self.cursor.starts(op));
        if let Some(op) = found {
            self.cursor.skip(op.len());
            return Kind::Op(op);
        }
        self.cursor.advance();
        Kind::Op("")
    }
}

/// Longer ones first.
const OPERATORS: &[&str] = &[
    "//=", "<<=", ">>=", "**=", "||=", "&&=", "??=", "...", "===", "!==", "<=>", "=>", "->", "::", "?.",
    "??", "&&", "//", "||", "==", "!=", "<=", ">=", "=~", "!~", "+=", "-=", "*=", "/=", ".=", "%=", "|=",
    "&=", "^=", "++", "--", "..", "<<", ">>", "|&", "<-", "<>", ":=", "|>", "**", "(", ")", "[", "]", "{",
    "}", ",", ";", ":", ".", "=", "+", "-", "*", "/", "%", "<", ">", "!", "?", "&", "|", "^", "~", "@", "#",
    "$", "\\", "'", "`", "\"",
];

/// Finds the partners of brackets, and drops ends of lines that end nothing.
fn pair(tokens: Vec<Token>) -> Vec<Token> {
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut open: Vec<usize> = Vec::new();
    let mut upcoming = tokens.into_iter().peekable();
    while let Some(token) = upcoming.next() {
        if token.kind == Kind::Newline {
            let inside = open.last().and_then(|at| kept.get(*at)).is_some_and(|bracket| !bracket.is("{"));
            let goes_on = upcoming.peek().is_some_and(|next| CONTINUES.iter().any(|op| next.is(op)));
            let unfinished = kept.last().is_none_or(|last| UNFINISHED.iter().any(|op| last.is(op)));
            if inside || goes_on || unfinished {
                continue;
            }
        }
        match &token.kind {
            Kind::Op("(" | "[" | "{") => open.push(kept.len()),
            Kind::Op(op @ (")" | "]" | "}")) => close(&mut kept, &mut open, op),
            Kind::Command(_)
            | Kind::Name(_)
            | Kind::Newline
            | Kind::Number(_)
            | Kind::Op(_)
            | Kind::Readline(_)
            | Kind::Regex(_)
            | Kind::Text(_)
            | Kind::Var(_)
            | Kind::Words(_) => {}
        }
        kept.push(token);
    }
    kept
}

/// What a line that goes on begins with.
const CONTINUES: &[&str] = &[".", "?.", "->", "|>", "&&", "||"];
/// What a line that goes on ends with.
const UNFINISHED: &[&str] = &[",", "+", ".", "..", "=", "&&", "||", "->", "=>", "(", "["];

fn close(kept: &mut [Token], open: &mut Vec<usize>, op: &str) {
    let Some(at) = open.pop() else { return };
    let end = kept.len();
    let opener = match op {
        ")" => "(",
        "]" => "[",
        _ => "{",
    };
    match kept.get_mut(at) {
        Some(token) if token.is(opener) => token.partner = Some(end),
        Some(_) | None => open.push(at),
    }
}
