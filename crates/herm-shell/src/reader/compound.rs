//! `if`, `while`, `case`.

use super::cursor::Reader;
use crate::ast::{Arm, CommandKind, List, Then, Word};

impl Reader<'_> {
    pub(super) fn if_command(&mut self) -> CommandKind {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.body();
            let reached = self.expect("then");
            let consequence = if reached { self.body() } else { List::default() };
            branches.push((condition, consequence));
            if !reached || !self.eat_keyword("elif") {
                break;
            }
        }
        if self.eat_keyword("else") {
            otherwise = Some(self.body());
        }
        self.expect("fi");
        CommandKind::If { branches, otherwise }
    }

    pub(super) fn while_loop(&mut self, until: bool) -> CommandKind {
        let condition = self.body();
        let body = self.loop_body();
        CommandKind::While { condition, until, body }
    }

    /// `do … done`, or `{ … }`.
    pub(super) fn loop_body(&mut self) -> List {
        self.gap();
        let closer = if self.eat_keyword("do") {
            "done"
        } else if self.eat_keyword("{") {
            "}"
        } else {
            self.unexpected();
            return List::default();
        };
        let body = self.body();
        self.expect(closer);
        body
    }

    pub(super) fn case(&mut self) -> CommandKind {
        self.blanks();
        let word = self.word();
        let mut arms = Vec::new();
        self.gap();
        if self.expect("in") {
            self.arms(&mut arms);
        }
        CommandKind::Case { word, arms }
    }

    fn arms(&mut self, arms: &mut Vec<Arm>) {
        loop {
            self.gap();
            if self.eat_keyword("esac") {
                return;
            }
            let patterns = self.patterns();
            if patterns.is_empty() {
                return self.unexpected();
            }
            let list = self.list();
            let then = self.eat_end_of_arm();
            arms.push(Arm { patterns, list, then: then.unwrap_or(Then::End) });
            if then.is_none() {
                self.expect("esac");
                return;
            }
        }
    }

    fn eat_end_of_arm(&mut self) -> Option<Then> {
        let ends = [(";;&", Then::Test), (";&", Then::Next), (";;", Then::End)];
        ends.into_iter().find_map(|(end, then)| self.eat(end).then_some(then))
    }

    /// `(`? `a | b )`.
    fn patterns(&mut self) -> Vec<Word> {
        let mut patterns = Vec::new();
        self.eat("(");
        loop {
            self.blanks();
            let word = self.word();
            if word.parts.is_empty() {
                self.unexpected();
                return patterns;
            }
            patterns.push(word);
            self.blanks();
            if self.eat(")") {
                return patterns;
            }
            if self.ahead("||").is_some() || !self.eat("|") {
                self.unexpected();
                return patterns;
            }
        }
    }
}
