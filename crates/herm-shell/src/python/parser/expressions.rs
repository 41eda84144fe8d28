//! Expressions, from the loosest binding to the tightest.

use std::rc::Rc;

use super::super::ast::{Body, Comparison, Expression, Function, Node, Operator, Unary};
use super::super::lexer::Kind;
use super::calls::Annotated;
use super::{Parse, Parser};
use crate::span::Span;

impl Parser<'_, '_> {
    /// Expressions with commas between them are a tuple; stars may stand before each.
    pub(super) fn list_with_stars(&mut self) -> Parse<Expression> {
        let start = self.start();
        let first = self.starred_or(Self::named)?;
        if !self.at_operator(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.operator(",") && self.begins_expression() {
            items.push(self.starred_or(Self::named)?);
        }
        Ok(Expression { span: self.since(start), kind: Node::Tuple(items) })
    }

    fn begins_expression(&self) -> bool {
        match self.kind() {
            Kind::Name | Kind::Number | Kind::String => true,
            Kind::Keyword => {
                matches!(self.word(), "not" | "lambda" | "await" | "None" | "True" | "False" | "yield")
            }
            Kind::Operator => matches!(self.word(), "(" | "[" | "{" | "-" | "+" | "~" | "..." | "*" | "`"),
            Kind::Dedent | Kind::End | Kind::Error | Kind::Indent | Kind::Newline => false,
        }
    }

    pub(super) fn starred_or(&mut self, read: fn(&mut Self) -> Parse<Expression>) -> Parse<Expression> {
        let start = self.start();
        if !self.operator("*") {
            return read(self);
        }
        let inner = self.operands()?;
        Ok(Expression { span: self.since(start), kind: Node::Starred(Box::new(inner)) })
    }

    /// An expression, or `name := expression`.
    pub(super) fn named(&mut self) -> Parse<Expression> {
        let start = self.start();
        if self.kind() == Kind::Name && self.word_of(self.peek(1)) == ":=" {
            let name = self.name()?;
            self.advance();
            let value = self.expression()?;
            return Ok(Expression { span: self.since(start), kind: Node::Walrus(name, Box::new(value)) });
        }
        self.expression()
    }

    pub(super) fn expression(&mut self) -> Parse<Expression> {
        self.descend()?;
        let result = self.conditional();
        self.depth -= 1;
        result
    }

    fn conditional(&mut self) -> Parse<Expression> {
        if self.at_keyword("lambda") {
            return self.lambda();
        }
        let start = self.start();
        let value = self.disjunction()?;
        if !self.keyword("if") {
            return Ok(value);
        }
        let test = self.disjunction()?;
        self.expect_keyword("else")?;
        let other = self.expression()?;
        Ok(Expression { span: self.since(start), kind: Node::Conditional(Box::new([test, value, other])) })
    }

    fn lambda(&mut self) -> Parse<Expression> {
        let start = self.start();
        self.advance();
        let parameters = self.parameters(":", &mut Annotated::No)?;
        self.expect_operator(":")?;
        let body = Body::Expression(self.expression()?);
        let function = Function {
            name: Rc::from("<lambda>"),
            parameters,
            decorators: Vec::new(),
            annotations: Vec::new(),
            body,
        };
        Ok(Expression { span: self.since(start), kind: Node::Lambda(Rc::new(function)) })
    }

    pub(super) fn yield_expression(&mut self) -> Parse<Expression> {
        let start = self.start();
        self.expect_keyword("yield")?;
        let value = if self.keyword("from") {
            Some(Box::new(self.expression()?))
        } else if self.begins_expression() {
            Some(Box::new(self.list_with_stars()?))
        } else {
            None
        };
        Ok(Expression { span: self.since(start), kind: Node::Yield(value) })
    }

    pub(super) fn disjunction(&mut self) -> Parse<Expression> {
        self.choice("or", |parser| parser.choice("and", Self::inversion))
    }

    fn choice(&mut self, word: &str, read: impl Fn(&mut Self) -> Parse<Expression>) -> Parse<Expression> {
        let start = self.start();
        let first = read(self)?;
        if !self.at_keyword(word) {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.keyword(word) {
            items.push(read(self)?);
        }
        Ok(Expression { span: self.since(start), kind: Node::Choice(items) })
    }

    fn inversion(&mut self) -> Parse<Expression> {
        if !self.at_keyword("not") {
            return self.comparison();
        }
        let start = self.start();
        self.advance();
        let inner = self.deeper(Self::inversion)?;
        Ok(Expression { span: self.since(start), kind: Node::Unary(Unary::Not, Box::new(inner)) })
    }

    fn comparison(&mut self) -> Parse<Expression> {
        let start = self.start();
        let first = self.operands()?;
        let mut rest = Vec::new();
        while let Some(comparison) = self.comparing() {
            rest.push((comparison, self.operands()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Expression { span: self.since(start), kind: Node::Compare(Box::new(first), rest) })
    }

    fn comparing(&mut self) -> Option<Comparison> {
        if !matches!(self.kind(), Kind::Operator | Kind::Keyword) {
            return None;
        }
        let next = self.word_of(self.peek(1));
        let (comparison, words) = match (self.word(), next) {
            ("==", _) => (Comparison::Equal, 1),
            ("!=" | "<>", _) => (Comparison::NotEqual, 1),
            ("<", _) => (Comparison::Less, 1),
            ("<=", _) => (Comparison::LessEqual, 1),
            (">", _) => (Comparison::Greater, 1),
            (">=", _) => (Comparison::GreaterEqual, 1),
            ("in", _) => (Comparison::In, 1),
            ("not", "in") => (Comparison::NotIn, 2),
            ("is", "not") => (Comparison::IsNot, 2),
            ("is", _) => (Comparison::Is, 1),
            _ => return None,
        };
        self.at += words;
        Some(comparison)
    }

    /// Operands with binary operators between them; read flat, then grouped by strength.
    pub(super) fn operands(&mut self) -> Parse<Expression> {
        let mut items = vec![self.unary()?];
        let mut operators = Vec::new();
        while let Some(operator) = self.binary_operator() {
            self.advance();
            operators.push(operator);
            items.push(self.unary()?);
        }
        for strength in (0..6).rev() {
            if operators.is_empty() {
                break;
            }
            (items, operators) = group(items, operators, strength);
        }
        items.pop().ok_or_else(|| self.problem())
    }

    fn binary_operator(&self) -> Option<Operator> {
        if self.kind() != Kind::Operator {
            return None;
        }
        Some(match self.word() {
            "|" => Operator::Or,
            "^" => Operator::Xor,
            "&" => Operator::And,
            "<<" => Operator::ShiftLeft,
            ">>" => Operator::ShiftRight,
            "+" => Operator::Add,
            "-" => Operator::Subtract,
            "*" => Operator::Multiply,
            "/" => Operator::Divide,
            "//" => Operator::FloorDivide,
            "%" => Operator::Modulo,
            "@" => Operator::MatrixMultiply,
            _ => return None,
        })
    }

    fn unary(&mut self) -> Parse<Expression> {
        let sign = match self.word() {
            "-" => Unary::Minus,
            "+" => Unary::Plus,
            "~" => Unary::Invert,
            _ => return self.power(),
        };
        if self.kind() != Kind::Operator {
            return self.power();
        }
        let start = self.start();
        self.advance();
        let inner = self.deeper(Self::unary)?;
        Ok(Expression { span: self.since(start), kind: Node::Unary(sign, Box::new(inner)) })
    }

    fn power(&mut self) -> Parse<Expression> {
        let start = self.start();
        let awaited = self.keyword("await");
        let mut base = self.primary()?;
        if awaited {
            base = Expression { span: self.since(start), kind: Node::Await(Box::new(base)) };
        }
        if !self.operator("**") {
            return Ok(base);
        }
        let exponent = self.deeper(Self::unary)?;
        Ok(Expression {
            span: self.since(start),
            kind: Node::Binary(Box::new(base), vec![(Operator::Power, exponent)]),
        })
    }
}

/// How tightly an operator binds; [`Operator::Power`] is read elsewhere.
fn strength(operator: Operator) -> u32 {
    match operator {
        Operator::Or => 0,
        Operator::Xor => 1,
        Operator::And => 2,
        Operator::ShiftLeft | Operator::ShiftRight => 3,
        Operator::Add | Operator::Subtract => 4,
        Operator::Divide
        | Operator::FloorDivide
        | Operator::MatrixMultiply
        | Operator::Modulo
        | Operator::Multiply
        | Operator::Power => 5,
    }
}

/// Joins the operands between which operators of this strength stand.
fn group(items: Vec<Expression>, operators: Vec<Operator>, level: u32) -> (Vec<Expression>, Vec<Operator>) {
    let mut items = items.into_iter();
    let (mut joined, mut left) = (Vec::new(), Vec::new());
    let Some(mut current) = items.next() else { return (joined, left) };
    let mut chain = Vec::new();
    for (operator, item) in operators.into_iter().zip(items) {
        if strength(operator) == level {
            chain.push((operator, item));
        } else {
            joined.push(close(current, std::mem::take(&mut chain)));
            left.push(operator);
            current = item;
        }
    }
    joined.push(close(current, chain));
    (joined, left)
}

fn close(first: Expression, chain: Vec<(Operator, Expression)>) -> Expression {
    let Some((_, last)) = chain.last() else { return first };
    let span = Span::new(first.span.start, last.span.end);
    Expression { span, kind: Node::Binary(Box::new(first), chain) }
}
