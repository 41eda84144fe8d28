//! Arguments of calls and parameters of functions.

use super::super::ast::{Argument, Expression, Name, Node, Parameter, ParameterKind};
use super::super::lexer::Kind;
use super::{Parse, Parser};

/// Whether parameters may say their type, and where what they say is kept.
#[derive(Debug)]
pub(super) enum Annotated<'a> {
    No,
    Yes(&'a mut Vec<Expression>),
}

impl Parser<'_, '_> {
    /// Arguments after `(`, with the `)`.
    pub(super) fn arguments(&mut self) -> Parse<Vec<Argument>> {
        let mut arguments = Vec::new();
        while !self.at_operator(")") {
            let argument = self.argument()?;
            let after_names = matches!(arguments.last(), Some(Argument::Named(..) | Argument::Keywords(_)));
            let starred =
                matches!(&argument, Argument::Plain(value) if matches!(value.kind, Node::Starred(_)));
            if after_names && matches!(argument, Argument::Plain(_)) && !starred {
                return Err(self.problem());
            }
            arguments.push(argument);
            if !self.operator(",") {
                break;
            }
        }
        self.expect_operator(")")?;
        Ok(arguments)
    }

    fn argument(&mut self) -> Parse<Argument> {
        if self.operator("**") {
            return self.expression().map(Argument::Keywords);
        }
        if self.operator("*") {
            let start = self.start();
            let inner = self.expression()?;
            let kind = Node::Starred(Box::new(inner));
            return Ok(Argument::Plain(Expression { span: self.since(start), kind }));
        }
        if self.kind() == Kind::Name && self.word_of(self.peek(1)) == "=" {
            let name = self.name()?;
            self.advance();
            return Ok(Argument::Named(name, self.expression()?));
        }
        let start = self.start();
        let value = self.named()?;
        if self.begins_comprehension() {
            return self.comprehension(start, value, None).map(Argument::Plain);
        }
        Ok(Argument::Plain(value))
    }

    /// Parameters up to `end`, which is left standing.
    pub(super) fn parameters(&mut self, end: &str, annotated: &mut Annotated<'_>) -> Parse<Vec<Parameter>> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut kind = ParameterKind::Plain;
        while !self.at_operator(end) {
            if self.operator("/") {
                if parameters.is_empty() {
                    return Err(self.problem());
                }
            } else if self.operator("**") {
                let name = self.parameter_name(annotated)?;
                parameters.push(Parameter { name, kind: ParameterKind::Keywords, default: None });
                self.operator(",");
                break;
            } else if self.operator("*") {
                if kind == ParameterKind::Named {
                    return Err(self.problem());
                }
                kind = ParameterKind::Named;
                if !self.at_operator(",") {
                    let name = self.parameter_name(annotated)?;
                    parameters.push(Parameter { name, kind: ParameterKind::Rest, default: None });
                }
            } else {
                let name = self.parameter_name(annotated)?;
                let default = if self.operator("=") { Some(self.expression()?) } else { None };
                let needed = parameters.last().is_some_and(|last| last.default.is_some());
                if kind == ParameterKind::Plain && needed && default.is_none() {
                    return Err(self.problem());
                }
                parameters.push(Parameter { name, kind, default });
            }
            if !self.operator(",") {
                break;
            }
        }
        Ok(parameters)
    }

    fn parameter_name(&mut self, annotated: &mut Annotated<'_>) -> Parse<Name> {
        let name = self.name()?;
        if let Annotated::Yes(found) = annotated
            && self.operator(":")
        {
            found.push(self.starred_or(Self::expression)?);
        }
        Ok(name)
    }
}
