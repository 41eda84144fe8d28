//! Statements that hold other statements.

use std::rc::Rc;

use super::super::ast::{Action, Block, Body, Case, Class, Expression, Function, Handler, Name};
use super::super::lexer::Kind;
use super::calls::Annotated;
use super::targets::check_target;
use super::{Parse, Parser};

impl Parser<'_, '_> {
    /// A compound statement, if one begins here.
    pub(super) fn compound(&mut self) -> Parse<Option<Action>> {
        if self.at_operator("@") {
            return self.decorated().map(Some);
        }
        if self.kind() == Kind::Name && self.word() == "match" {
            return self.match_statement();
        }
        if self.kind() != Kind::Keyword {
            return Ok(None);
        }
        let action = match self.word() {
            "if" => self.if_statement()?,
            "while" => self.while_statement()?,
            "for" => self.for_statement()?,
            "with" => self.with_statement()?,
            "try" => self.try_statement()?,
            "def" => self.function(Vec::new())?,
            "class" => self.class(Vec::new())?,
            "async" => self.async_statement(Vec::new())?,
            _ => return Ok(None),
        };
        Ok(Some(action))
    }

    /// `:` and what belongs to it, on the same line or indented below.
    fn block(&mut self) -> Parse<Block> {
        self.expect_operator(":")?;
        self.deeper(|parser| {
            let mut body = Block::new();
            if !parser.take(Kind::Newline) {
                parser.simple_line(&mut body)?;
                return Ok(body);
            }
            if !parser.take(Kind::Indent) {
                return Err(parser.problem());
            }
            parser.lines(&mut body);
            parser.take(Kind::Dedent);
            Ok(body)
        })
    }

    fn otherwise(&mut self) -> Parse<Block> {
        if self.keyword("else") { self.block() } else { Ok(Block::new()) }
    }

    fn if_statement(&mut self) -> Parse<Action> {
        let mut arms = Vec::new();
        self.expect_keyword("if")?;
        loop {
            let test = self.named()?;
            arms.push((test, self.block()?));
            if !self.keyword("elif") {
                return Ok(Action::If { arms, otherwise: self.otherwise()? });
            }
        }
    }

    fn while_statement(&mut self) -> Parse<Action> {
        self.advance();
        let test = self.named()?;
        let body = self.block()?;
        Ok(Action::While { test, body, otherwise: self.otherwise()? })
    }

    fn for_statement(&mut self) -> Parse<Action> {
        self.advance();
        let target = self.loop_target()?;
        self.expect_keyword("in")?;
        let items = self.list_with_stars()?;
        let body = self.block()?;
        Ok(Action::For { target, items, body, otherwise: self.otherwise()? })
    }

    fn with_statement(&mut self) -> Parse<Action> {
        self.advance();
        let grouped = self.attempt(|parser| {
            parser.expect_operator("(")?;
            let items = parser.with_items(")")?;
            parser.expect_operator(")")?;
            if parser.at_operator(":") { Ok(items) } else { Err(parser.problem()) }
        });
        let items = match grouped {
            Some(items) => items,
            None => self.with_items(":")?,
        };
        Ok(Action::With { items, body: self.block()? })
    }

    fn with_items(&mut self, end: &str) -> Parse<Vec<(Expression, Option<Expression>)>> {
        let mut items = Vec::new();
        loop {
            let manager = self.expression()?;
            let target = if self.keyword("as") { Some(self.with_target()?) } else { None };
            items.push((manager, target));
            if !self.operator(",") || self.at_operator(end) {
                return Ok(items);
            }
        }
    }

    fn with_target(&mut self) -> Parse<Expression> {
        let target = self.starred_or(Self::primary)?;
        check_target(&target)?;
        Ok(target)
    }

    fn try_statement(&mut self) -> Parse<Action> {
        self.advance();
        let body = self.block()?;
        let mut handlers = Vec::new();
        while self.keyword("except") {
            handlers.push(self.handler()?);
        }
        let otherwise = if handlers.is_empty() { Block::new() } else { self.otherwise()? };
        let finally = if self.keyword("finally") {
            self.block()?
        } else if handlers.is_empty() {
            return Err(self.problem());
        } else {
            Block::new()
        };
        Ok(Action::Try { body, handlers, otherwise, finally })
    }

    fn handler(&mut self) -> Parse<Handler> {
        let group = self.operator("*");
        let mut name = None;
        let mut kinds = Vec::new();
        if !self.at_operator(":") || group {
            kinds.push(self.expression()?);
            while self.operator(",") {
                kinds.push(self.expression()?);
            }
            if self.keyword("as") {
                name = Some(self.name()?);
            }
        }
        Ok(Handler { kinds, name, body: self.block()? })
    }

    fn async_statement(&mut self, decorators: Vec<Expression>) -> Parse<Action> {
        self.advance();
        match self.word() {
            "def" => self.function(decorators),
            "for" if decorators.is_empty() => self.for_statement(),
            "with" if decorators.is_empty() => self.with_statement(),
            _ => Err(self.problem()),
        }
    }

    fn decorated(&mut self) -> Parse<Action> {
        let mut decorators = Vec::new();
        while self.operator("@") {
            decorators.push(self.named()?);
            if !self.take(Kind::Newline) {
                return Err(self.problem());
            }
        }
        match self.word() {
            "class" => self.class(decorators),
            "async" => self.async_statement(decorators),
            "def" => self.function(decorators),
            _ => Err(self.problem()),
        }
    }

    fn function(&mut self, decorators: Vec<Expression>) -> Parse<Action> {
        self.expect_keyword("def")?;
        let name = self.name()?;
        let mut annotations = self.type_parameters()?;
        self.expect_operator("(")?;
        let parameters = self.parameters(")", &mut Annotated::Yes(&mut annotations))?;
        self.expect_operator(")")?;
        if self.operator("->") {
            annotations.push(self.list_with_stars()?);
        }
        let body = Body::Block(self.block()?);
        Ok(Action::Define(Rc::new(Function { name, parameters, decorators, annotations, body })))
    }

    fn class(&mut self, decorators: Vec<Expression>) -> Parse<Action> {
        self.advance();
        let name = self.name()?;
        let bounds = self.type_parameters()?;
        let bases = if self.operator("(") { self.arguments()? } else { Vec::new() };
        let body = self.block()?;
        Ok(Action::Class(Rc::new(Class { name, bounds, bases, decorators, body })))
    }

    /// `[T: bound, *Ts, **P = default]`: the bounds and defaults.
    pub(super) fn type_parameters(&mut self) -> Parse<Vec<Expression>> {
        let mut bounds = Vec::new();
        if !self.operator("[") {
            return Ok(bounds);
        }
        while !self.at_operator("]") {
            let _ = self.operator("*") || self.operator("**");
            self.name()?;
            if self.operator(":") {
                bounds.push(self.expression()?);
            }
            if self.operator("=") {
                bounds.push(self.starred_or(Self::expression)?);
            }
            if !self.operator(",") {
                break;
            }
        }
        self.expect_operator("]")?;
        Ok(bounds)
    }

    /// `match` begins a statement only when cases follow; otherwise it is a name.
    fn match_statement(&mut self) -> Parse<Option<Action>> {
        let subject = self.attempt(|parser| {
            parser.advance();
            let subject = parser.list_with_stars()?;
            parser.expect_operator(":")?;
            let opened = parser.take(Kind::Newline) && parser.take(Kind::Indent);
            if opened && parser.word() == "case" { Ok(subject) } else { Err(parser.problem()) }
        });
        let Some(subject) = subject else { return Ok(None) };
        let cases = self.deeper(Self::cases)?;
        Ok(Some(Action::Match { subject, cases }))
    }

    fn cases(&mut self) -> Parse<Vec<Case>> {
        let mut cases = Vec::new();
        while self.kind() == Kind::Name && self.word() == "case" {
            self.advance();
            let mut names: Vec<Name> = Vec::new();
            self.open_pattern(&mut names)?;
            let guard = if self.keyword("if") { Some(self.named()?) } else { None };
            cases.push(Case { names, guard, body: self.block()? });
        }
        if self.take(Kind::Dedent) { Ok(cases) } else { Err(self.problem()) }
    }
}
