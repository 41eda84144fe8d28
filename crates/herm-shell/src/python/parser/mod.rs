//! Reads tokens into a tree, as Python 3.13 does; a few statements of Python 2 are let through.
//!
//! What cannot be read is noted and left out; reading goes on at the next logical line.

mod atoms;
mod calls;
mod compound;
mod expressions;
mod patterns;
mod statements;
mod targets;

use std::rc::Rc;

use super::ast::{Block, Name};
use super::lexer::{Kind, Token, Within, plain_name, tokens};
use crate::eval::STAND_IN;
use crate::gap::Reason;
use crate::span::Span;

/// How deep statements and expressions may be nested; a bracket counts twice, once for itself and once for what is in it.
const MAX_DEPTH: u32 = 200;

/// What was read of a text.
#[derive(Debug)]
pub(in crate::python) struct Program {
    pub(in crate::python) body: Block,
    pub(in crate::python) problems: Vec<Problem>,
    /// Whether no Python would run any of it.
    pub(in crate::python) refused: bool,
}

/// Something that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::python) struct Problem {
    pub(in crate::python) span: Span,
    pub(in crate::python) reason: Reason,
}

/// Takes work units; false when there are none left.
pub(in crate::python) type Meter<'a> = dyn FnMut(usize) -> bool + 'a;

/// Reads a whole program.
pub(in crate::python) fn parse(text: &str, meter: &mut Meter<'_>) -> Program {
    let tokens = tokens(text, 0, text.len(), Within::File);
    let refused = cannot_be_cut(text, &tokens) || !is_balanced(text, &tokens);
    let mut parser = Parser { text, tokens, at: 0, depth: 0, problems: Vec::new(), refused, meter };
    let body = parser.program();
    let refused = parser.refused && is_plain(text);
    Program { body, problems: parser.problems, refused }
}

/// Whether a token is none in any Python: a string that does not end, a sign that means nothing. Python 2 knows backquotes, and
/// versions differ in what they make of a backslash.
fn cannot_be_cut(text: &str, tokens: &[Token]) -> bool {
    let is_none = |token: &Token| token.kind == Kind::Error && !word(text, token).starts_with(['`', '\\']);
    tokens.iter().any(is_none)
}

/// Whether each bracket is closed by its own kind.
fn is_balanced(text: &str, tokens: &[Token]) -> bool {
    let mut open = Vec::new();
    let operators = tokens.iter().filter(|token| token.kind == Kind::Operator);
    let fits = operators.map(|token| word(text, token)).all(|operator| match operator {
        "(" | "[" | "{" => {
            open.push(operator);
            true
        }
        ")" => open.pop() == Some("("),
        "]" => open.pop() == Some("["),
        "}" => open.pop() == Some("{"),
        _ => true,
    });
    fits && open.is_empty()
}

fn word<'t>(text: &'t str, token: &Token) -> &'t str {
    text.get(token.start as usize..token.end as usize).unwrap_or_default()
}

/// Whether a text of one line is cut into words alike by every Python: no letters of other scripts, no lines that go on, no text
/// with code in it.
fn is_plain(text: &str) -> bool {
    let formats = |quote: char| {
        text.match_indices(quote).any(|(at, _)| {
            let prefix = text.get(..at).unwrap_or_default();
            let letters = prefix.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
            prefix
                .get(letters.len()..)
                .is_some_and(|prefix| prefix.len() < 3 && prefix.contains(['f', 'F', 't', 'T']))
        })
    };
    let is_one_line = text.trim_end().bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte));
    is_one_line && !text.contains(STAND_IN) && !formats('"') && !formats('\'')
}

type Parse<T> = Result<T, Problem>;

/// What a token costs: it is cut out, and made part of the tree.
const TOKEN: usize = 2;

struct Parser<'a, 'm> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    problems: Vec<Problem>,
    refused: bool,
    meter: &'a mut Meter<'m>,
}

impl<'a> Parser<'a, '_> {
    fn program(&mut self) -> Block {
        let mut body = Block::new();
        if !(self.meter)(self.tokens.len() * TOKEN) {
            self.problems.push(Problem { span: Span::default(), reason: Reason::Fuel });
            return body;
        }
        while self.kind() != Kind::End {
            self.lines(&mut body);
            if self.kind() == Kind::Dedent {
                self.advance();
            }
        }
        body
    }

    /// Statements up to the end of the block.
    fn lines(&mut self, body: &mut Block) {
        // Blocks that belong to no statement that could be read; their lines count as lines of this one.
        let mut strays = 0_u32;
        loop {
            match self.kind() {
                Kind::End => return,
                Kind::Dedent if strays == 0 => return,
                Kind::Dedent => {
                    strays -= 1;
                    self.advance();
                }
                Kind::Indent => {
                    let problem = self.problem();
                    self.note(problem);
                    strays += 1;
                    self.advance();
                }
                Kind::Error
                | Kind::Keyword
                | Kind::Name
                | Kind::Newline
                | Kind::Number
                | Kind::Operator
                | Kind::String => {
                    if let Err(problem) = self.statement(body) {
                        self.note(problem);
                        self.skip_line();
                    }
                }
            }
        }
    }

    fn note(&mut self, problem: Problem) {
        if self.problems.len() < 16 {
            self.problems.push(problem);
        }
    }

    fn skip_line(&mut self) {
        while !matches!(self.kind(), Kind::Newline | Kind::End | Kind::Indent | Kind::Dedent) {
            self.advance();
        }
        self.take(Kind::Newline);
    }

    fn token(&self) -> Token {
        self.peek(0)
    }

    fn peek(&self, ahead: usize) -> Token {
        let end = Token { kind: Kind::End, start: 0, end: 0 };
        self.tokens.get(self.at + ahead).or(self.tokens.last()).copied().unwrap_or(end)
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    fn word_of(&self, token: Token) -> &'a str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or_default()
    }

    fn word(&self) -> &'a str {
        self.word_of(self.token())
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len());
    }

    fn problem(&self) -> Problem {
        let token = self.token();
        Problem { span: Span::new(token.start, token.end), reason: Reason::Syntax }
    }

    fn take(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.advance();
        }
        found
    }

    fn at_operator(&self, operator: &str) -> bool {
        self.kind() == Kind::Operator && self.word() == operator
    }

    fn at_keyword(&self, keyword: &str) -> bool {
        self.kind() == Kind::Keyword && self.word() == keyword
    }

    fn operator(&mut self, operator: &str) -> bool {
        let found = self.at_operator(operator);
        if found {
            self.advance();
        }
        found
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    fn expect_operator(&mut self, operator: &str) -> Parse<()> {
        if self.operator(operator) { Ok(()) } else { Err(self.problem()) }
    }

    fn expect_keyword(&mut self, keyword: &str) -> Parse<()> {
        if self.keyword(keyword) { Ok(()) } else { Err(self.problem()) }
    }

    fn name(&mut self) -> Parse<Name> {
        if self.kind() != Kind::Name {
            return Err(self.problem());
        }
        let word = self.word();
        self.advance();
        Ok(if word.is_ascii() { Rc::from(word) } else { Rc::from(plain_name(word)) })
    }

    fn start(&self) -> u32 {
        self.token().start
    }

    /// From `start` to the end of the last token that was read.
    fn since(&self, start: u32) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        Span::new(start, last.map_or(start, |token| token.end).max(start))
    }

    /// Goes one level down; to be paired with `self.depth -= 1`.
    fn descend(&mut self) -> Parse<()> {
        if self.depth >= MAX_DEPTH {
            return Err(Problem { reason: Reason::Depth, ..self.problem() });
        }
        self.depth += 1;
        Ok(())
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.descend()?;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Tries one reading; on failure nothing has happened.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Option<T> {
        let (at, depth) = (self.at, self.depth);
        let result = read(self).ok();
        if result.is_none() {
            (self.at, self.depth) = (at, depth);
        }
        result
    }
}
