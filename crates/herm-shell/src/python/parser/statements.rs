//! Statements of one line.

use std::rc::Rc;

use super::super::ast::{
    Action, Alias, Argument, Block, Expression, Name, Node, Operator, Statement, Step, Trailer,
};
use super::super::lexer::Kind;
use super::targets::{check_deletable, check_single_target, check_target};
use super::{Parse, Parser};

/// Words that begin a statement with a block: behind `;` no Python takes one.
const COMPOUND: &[&str] = &["class", "def", "for", "if", "try", "while", "with"];

impl Parser<'_, '_> {
    /// One logical line, or one compound statement.
    pub(super) fn statement(&mut self, body: &mut Block) -> Parse<()> {
        let start = self.start();
        if let Some(kind) = self.compound()? {
            body.push(Statement { span: self.since(start), kind });
            return Ok(());
        }
        self.simple_line(body)
    }

    /// Simple statements with `;` between them, up to the end of the line.
    pub(super) fn simple_line(&mut self, body: &mut Block) -> Parse<()> {
        loop {
            let start = self.start();
            let kind = self.simple()?;
            body.push(Statement { span: self.since(start), kind });
            let more = self.operator(";");
            if self.take(Kind::Newline) || self.kind() == Kind::End {
                return Ok(());
            }
            if !more {
                return Err(self.problem());
            }
            self.refused |= self.kind() == Kind::Keyword && COMPOUND.contains(&self.word());
        }
    }

    fn simple(&mut self) -> Parse<Action> {
        if self.kind() == Kind::Keyword {
            let keyword = self.word();
            if let Some(read) = by_keyword(keyword) {
                self.advance();
                return read(self);
            }
        }
        if let Some(alias) = self.type_alias() {
            return Ok(alias);
        }
        if let Some(old) = self.print_statement() {
            return Ok(old);
        }
        self.assignment()
    }

    /// `type X[T] = …`, where `type` may also be an ordinary name.
    fn type_alias(&mut self) -> Option<Action> {
        if self.kind() != Kind::Name || self.word() != "type" || self.peek(1).kind != Kind::Name {
            return None;
        }
        self.attempt(|parser| {
            parser.advance();
            let name = parser.name()?;
            let bounds = parser.type_parameters()?;
            parser.expect_operator("=")?;
            Ok(Action::TypeAlias { name, bounds, value: parser.expression()? })
        })
    }

    /// `print x, y` and `exec "…"` of Python 2, as calls.
    fn print_statement(&mut self) -> Option<Action> {
        let begins = matches!(self.peek(1).kind, Kind::String | Kind::Name | Kind::Number);
        let redirected = self.word_of(self.peek(1)) == ">>";
        if self.kind() != Kind::Name || !matches!(self.word(), "print" | "exec") || !(begins || redirected) {
            return None;
        }
        self.attempt(|parser| {
            let start = parser.start();
            let name = parser.name()?;
            let called = Expression { span: parser.since(start), kind: Node::Name(name) };
            parser.operator(">>");
            let mut arguments = vec![Argument::Plain(parser.expression()?)];
            while (parser.operator(",") || parser.keyword("in")) && parser.kind() != Kind::Newline {
                arguments.push(Argument::Plain(parser.expression()?));
            }
            let span = parser.since(start);
            let trailer = Trailer { span, kind: Step::Call(arguments) };
            Ok(Action::Evaluate(Expression { span, kind: Node::Trail(Box::new(called), vec![trailer]) }))
        })
    }

    fn assignment(&mut self) -> Parse<Action> {
        let first = self.yield_or_list()?;
        if self.operator(":") {
            return self.annotated(first);
        }
        if let Some(operator) = self.augmenting() {
            check_single_target(&first)?;
            self.advance();
            return Ok(Action::Augment { target: first, operator, value: self.yield_or_list()? });
        }
        if !self.at_operator("=") {
            return Ok(Action::Evaluate(first));
        }
        let (mut targets, mut value) = (Vec::new(), first);
        while self.operator("=") {
            check_target(&value)?;
            targets.push(value);
            value = self.yield_or_list()?;
        }
        Ok(Action::Assign { targets, value })
    }

    fn annotated(&mut self, target: Expression) -> Parse<Action> {
        check_single_target(&target)?;
        let annotation = self.expression()?;
        let value = if self.operator("=") { Some(self.yield_or_list()?) } else { None };
        Ok(Action::Annotate { target, annotation, value })
    }

    fn augmenting(&self) -> Option<Operator> {
        if self.kind() != Kind::Operator {
            return None;
        }
        Some(match self.word() {
            "+=" => Operator::Add,
            "-=" => Operator::Subtract,
            "*=" => Operator::Multiply,
            "@=" => Operator::MatrixMultiply,
            "/=" => Operator::Divide,
            "%=" => Operator::Modulo,
            "&=" => Operator::And,
            "|=" => Operator::Or,
            "^=" => Operator::Xor,
            "<<=" => Operator::ShiftLeft,
            ">>=" => Operator::ShiftRight,
            "**=" => Operator::Power,
            "//=" => Operator::FloorDivide,
            _ => return None,
        })
    }

    fn yield_or_list(&mut self) -> Parse<Expression> {
        if self.at_keyword("yield") { self.yield_expression() } else { self.list_with_stars() }
    }

    fn import(&mut self) -> Parse<Action> {
        let mut names = Vec::new();
        loop {
            let name = self.dotted()?;
            let known_as = self.known_as()?;
            names.push(Alias { name, known_as });
            if !self.operator(",") {
                return Ok(Action::Import(names));
            }
        }
    }

    fn import_from(&mut self) -> Parse<Action> {
        let mut relative = false;
        while self.operator(".") || self.operator("...") {
            relative = true;
        }
        let module = if relative && self.at_keyword("import") { Rc::from("") } else { self.dotted()? };
        self.expect_keyword("import")?;
        if self.operator("*") {
            let names = vec![Alias { name: Rc::from("*"), known_as: None }];
            return Ok(Action::ImportFrom { module, relative, names });
        }
        let grouped = self.operator("(");
        let mut names = Vec::new();
        loop {
            let name = self.name()?;
            let known_as = self.known_as()?;
            names.push(Alias { name, known_as });
            if !self.operator(",") || (grouped && self.at_operator(")")) {
                break;
            }
        }
        if grouped {
            self.expect_operator(")")?;
        }
        Ok(Action::ImportFrom { module, relative, names })
    }

    fn known_as(&mut self) -> Parse<Option<Name>> {
        if self.keyword("as") { self.name().map(Some) } else { Ok(None) }
    }

    pub(super) fn dotted(&mut self) -> Parse<Name> {
        let mut name = self.name()?.to_string();
        while self.operator(".") {
            name.push('.');
            name.push_str(&self.name()?);
        }
        Ok(Rc::from(name))
    }

    fn names(&mut self) -> Parse<Vec<Name>> {
        let mut names = vec![self.name()?];
        while self.operator(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    fn line_ends(&self) -> bool {
        matches!(self.kind(), Kind::Newline | Kind::End) || self.at_operator(";")
    }
}

type Read = fn(&mut Parser<'_, '_>) -> Parse<Action>;

fn by_keyword(keyword: &str) -> Option<Read> {
    let read: Read = match keyword {
        "pass" => |_| Ok(Action::Pass),
        "break" => |_| Ok(Action::Break),
        "continue" => |_| Ok(Action::Continue),
        "import" => |parser| parser.import(),
        "from" => |parser| parser.import_from(),
        "global" => |parser| Ok(Action::Global(parser.names()?)),
        "nonlocal" => |parser| Ok(Action::Nonlocal(parser.names()?)),
        "return" => |parser| {
            let value = if parser.line_ends() { None } else { Some(parser.list_with_stars()?) };
            Ok(Action::Return(value))
        },
        "raise" => |parser| {
            let mut values = Vec::new();
            if !parser.line_ends() {
                values.push(parser.expression()?);
                while parser.keyword("from") || parser.operator(",") {
                    values.push(parser.expression()?);
                }
            }
            Ok(Action::Raise(values))
        },
        "assert" => |parser| {
            let mut values = vec![parser.expression()?];
            if parser.operator(",") {
                values.push(parser.expression()?);
            }
            Ok(Action::Assert(values))
        },
        "del" => |parser| {
            let targets = parser.list_with_stars()?;
            check_deletable(&targets)?;
            Ok(Action::Delete(vec![targets]))
        },
        _ => return None,
    };
    Some(read)
}
