//! One command of any kind.

use std::rc::Rc;

use super::cursor::Reader;
use crate::ast::{Command, CommandKind, Item, Join, List, Part, Pipeline, Redirect, Word};

/// The reserved words that begin a command.
const OPENERS: [&str; 9] = ["[[", "case", "for", "if", "select", "until", "while", "{", "function"];

impl Reader<'_> {
    /// Reads a command; `None` where none begins.
    pub(super) fn command(&mut self) -> Option<Command> {
        self.blanks();
        let start = self.at;
        if self.at_compound() {
            return self.compound(start);
        }
        if self.eat_keyword("coproc") {
            let (name, command) = self.coprocess()?;
            let kind = CommandKind::Coprocess { name, command: Box::new(command) };
            return Some(Command { kind, redirects: Vec::new(), span: self.span(start) });
        }
        self.simple(start, Vec::new())
    }

    /// Whether a compound command begins here.
    fn at_compound(&mut self) -> bool {
        self.peek() == Some(b'(') || self.keyword().is_some_and(|(word, _)| OPENERS.contains(&word))
    }

    fn compound(&mut self, start: usize) -> Option<Command> {
        if !self.enter() {
            return None;
        }
        let kind = self.compound_kind();
        let mut redirects = Vec::new();
        if !matches!(kind, CommandKind::Function { .. }) {
            self.redirects(&mut redirects);
        }
        self.leave();
        Some(Command { kind, redirects, span: self.span(start) })
    }

    fn redirects(&mut self, redirects: &mut Vec<Redirect>) {
        self.blanks();
        while let Some(redirect) = self.redirect() {
            redirects.push(redirect);
            self.blanks();
        }
    }

    fn compound_kind(&mut self) -> CommandKind {
        let Some((word, end)) = self.keyword() else { return self.parenthesis() };
        self.jump(end);
        match word {
            "{" => self.group(),
            "[[" => self.condition(),
            "case" => self.case(),
            "for" => self.for_loop(),
            "function" => self.function(),
            "if" => self.if_command(),
            "select" => self.named_loop(true),
            word => self.while_loop(word == "until"),
        }
    }

    /// `(( … ))` or `( … )`.
    fn parenthesis(&mut self) -> CommandKind {
        let start = self.at;
        if let Some((from, to)) = self.arithmetic_bounds() {
            let parts = self.arithmetic(from, to);
            return CommandKind::Arithmetic(Word { parts, span: self.span(start) });
        }
        let list = self.enclosed();
        if list.items.is_empty() {
            self.unclosed(start);
        }
        CommandKind::Subshell(list)
    }

    fn group(&mut self) -> CommandKind {
        let list = self.body();
        self.expect("}");
        CommandKind::Group(list)
    }

    /// `function NAME` with or without `()`.
    fn function(&mut self) -> CommandKind {
        self.blanks();
        let start = self.at;
        self.word();
        let name = self.text.get(start..self.last).unwrap_or_default().to_owned();
        if name.is_empty() {
            self.unexpected();
        }
        self.blanks();
        self.eat_parentheses();
        self.function_body(name)
    }

    /// Takes `()`.
    pub(super) fn eat_parentheses(&mut self) -> bool {
        let start = self.at;
        if !self.eat("(") {
            return false;
        }
        self.blanks();
        let found = self.eat(")");
        if !found {
            self.jump(start);
        }
        found
    }

    /// Reads the body of a function. Bash wants a compound command there; other shells take any.
    pub(super) fn function_body(&mut self, name: String) -> CommandKind {
        self.gap();
        if !self.at_compound() {
            self.unexpected();
        }
        let body = self.command().map_or_else(empty_group, into_group);
        CommandKind::Function { name, body: Rc::new(body) }
    }

    /// The array that gets a coprocess's descriptors, and its command. Only a compound command can have a name.
    fn coprocess(&mut self) -> Option<(String, Command)> {
        let usual = || "COPROC".to_owned();
        self.blanks();
        let start = self.at;
        if self.at_compound() {
            return Some((usual(), self.compound(start)?));
        }
        let word = self.word();
        if word.parts.is_empty() {
            return Some((usual(), self.simple(start, Vec::new())?));
        }
        self.blanks();
        if self.at_compound() {
            let start = self.at;
            let name = match word.parts.as_slice() {
                [Part::Bare(name)] => name.clone(),
                _ => usual(),
            };
            return Some((name, self.compound(start)?));
        }
        Some((usual(), self.simple(start, vec![word])?))
    }

    /// Takes a reserved word that must come next.
    pub(super) fn expect(&mut self, word: &str) -> bool {
        let found = self.eat_keyword(word);
        if !found {
            self.unexpected();
        }
        found
    }
}

/// A function's body is a group, so that it can be run like one.
fn into_group(command: Command) -> Command {
    if matches!(command.kind, CommandKind::Group(_)) {
        return command;
    }
    let span = command.span;
    let pipeline = Pipeline { commands: vec![command], negated: false, timed: false, span };
    let items = vec![Item { pipelines: vec![(Join::First, pipeline)], background: false }];
    Command { kind: CommandKind::Group(List { items }), redirects: Vec::new(), span }
}

fn empty_group() -> Command {
    let kind = CommandKind::Group(List::default());
    Command { kind, redirects: Vec::new(), span: crate::span::Span::default() }
}
