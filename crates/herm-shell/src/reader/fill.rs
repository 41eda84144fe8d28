//! Puts the bodies of here-documents where their redirections stand.
//!
//! A body is read at the end of the line, when the command that it belongs to is already part of the tree.

use std::collections::HashMap;
use std::rc::Rc;

use super::cursor::Reader;
use crate::ast::{
    AssignedValue, Command, CommandKind, List, Operation, Parameter, Part, Redirect, RedirectOperator, Word,
};

impl Reader<'_> {
    /// Puts the bodies that were read into `list`.
    pub(super) fn fill_documents(&mut self, list: &mut List) {
        if !self.bodies.is_empty() {
            Filler(&mut self.bodies).list(list);
        }
    }

    /// Puts the bodies that were read into `parts`.
    pub(super) fn fill_parts(&mut self, parts: &mut [Part]) {
        if !self.bodies.is_empty() {
            Filler(&mut self.bodies).parts(parts);
        }
    }
}

struct Filler<'b>(&'b mut HashMap<u32, Word>);

impl Filler<'_> {
    fn list(&mut self, list: &mut List) {
        for item in &mut list.items {
            for (_, pipeline) in &mut item.pipelines {
                pipeline.commands.iter_mut().for_each(|command| self.command(command));
            }
        }
    }

    fn command(&mut self, command: &mut Command) {
        command.redirects.iter_mut().for_each(|redirect| self.redirect(redirect));
        match &mut command.kind {
            CommandKind::Arithmetic(word) => self.word(word),
            CommandKind::Case { word, arms } => {
                self.word(word);
                for arm in arms {
                    self.words(&mut arm.patterns);
                    self.list(&mut arm.list);
                }
            }
            CommandKind::Condition(words) => self.words(words),
            CommandKind::Coprocess { command, .. } => self.command(command),
            CommandKind::For { words, body, .. } => {
                self.words(words.as_deref_mut().unwrap_or_default());
                self.list(body);
            }
            CommandKind::ForArithmetic { header, body } => {
                self.word(header);
                self.list(body);
            }
            // Nothing else holds the body while it is being read.
            CommandKind::Function { body, .. } => {
                if let Some(body) = Rc::get_mut(body) {
                    self.command(body);
                }
            }
            CommandKind::Group(list) | CommandKind::Subshell(list) => self.list(list),
            CommandKind::If { branches, otherwise } => {
                for (condition, consequence) in branches {
                    self.list(condition);
                    self.list(consequence);
                }
                if let Some(list) = otherwise {
                    self.list(list);
                }
            }
            CommandKind::Simple { assignments, words } => {
                for assignment in assignments {
                    self.optional(assignment.index.as_mut());
                    self.value(&mut assignment.value);
                }
                self.words(words);
            }
            CommandKind::While { condition, body, .. } => {
                self.list(condition);
                self.list(body);
            }
        }
    }

    fn redirect(&mut self, redirect: &mut Redirect) {
        let is_document = redirect.operator == RedirectOperator::HereDocument;
        match self.0.remove(&redirect.span.start).filter(|_| is_document) {
            Some(body) => redirect.target = body,
            None => self.word(&mut redirect.target),
        }
    }

    fn value(&mut self, value: &mut AssignedValue) {
        match value {
            AssignedValue::Array(elements) => {
                for (index, word) in elements {
                    self.optional(index.as_mut());
                    self.word(word);
                }
            }
            AssignedValue::Scalar(word) => self.word(word),
        }
    }

    fn optional(&mut self, word: Option<&mut Word>) {
        if let Some(word) = word {
            self.word(word);
        }
    }

    fn words(&mut self, words: &mut [Word]) {
        for word in words {
            self.word(word);
        }
    }

    fn word(&mut self, word: &mut Word) {
        self.parts(&mut word.parts);
    }

    fn parts(&mut self, parts: &mut [Part]) {
        for part in parts {
            match part {
                Part::Arithmetic(parts) | Part::DoubleQuoted(parts) => self.parts(parts),
                Part::Command(list, _) | Part::Process(_, list, _) => self.list(list),
                Part::Parameter(parameter) => self.parameter(parameter),
                Part::Bare(_) | Part::Quoted(_) => {}
            }
        }
    }

    fn parameter(&mut self, parameter: &mut Parameter) {
        self.optional(parameter.index.as_mut());
        match &mut parameter.operation {
            Operation::AssignDefault(word)
            | Operation::Case(_, word)
            | Operation::Default(word)
            | Operation::Error(word)
            | Operation::RemovePrefix { pattern: word, .. }
            | Operation::RemoveSuffix { pattern: word, .. }
            | Operation::UseAlternative(word) => self.word(word),
            Operation::Replace { pattern, replacement, .. } => {
                self.word(pattern);
                self.word(replacement);
            }
            Operation::Substring { offset, length } => {
                self.word(offset);
                self.optional(length.as_mut());
            }
            Operation::Length | Operation::Names | Operation::Plain | Operation::Transform(_) => {}
        }
    }
}
