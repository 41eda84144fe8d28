//! Lists and pipelines.

use super::cursor::Reader;
use crate::ast::{Command, Item, Join, List, Part, Pipeline, Redirect, RedirectOperator, Word};

/// The reserved words that end a list.
const CLOSERS: [&str; 8] = ["}", "do", "done", "elif", "else", "esac", "fi", "then"];

impl Reader<'_> {
    /// Reads everything.
    pub(super) fn whole(&mut self) -> List {
        let mut list = List::default();
        loop {
            list.items.append(&mut self.list().items);
            if self.peek().is_none() {
                break;
            }
            self.pass_over();
        }
        self.read_documents();
        self.fill_documents(&mut list);
        list
    }

    /// Notes that the next token is not valid here, and passes over it.
    pub(super) fn pass_over(&mut self) {
        self.unexpected();
        if let Some((_, end)) = self.keyword() {
            self.jump(end);
        } else if !(self.eat(";;&") || self.eat(";;") || self.eat(";&")) {
            self.advance(1);
        }
    }

    /// Reads and-or lists up to something that ends them, which is left to be read.
    pub(super) fn list(&mut self) -> List {
        let mut list = List::default();
        loop {
            self.gap();
            if self.at_closer() || !self.spend(1) {
                return list;
            }
            if matches!(self.peek(), Some(b';' | b'&' | b'|')) && self.ahead("&>").is_none() {
                self.pass_over();
                continue;
            }
            let start = self.at;
            let mut item = self.item();
            if self.at == start {
                self.pass_over();
                continue;
            }
            let more = self.separator(&mut item);
            list.items.push(item);
            if !more {
                return list;
            }
        }
    }

    /// Reads a list that must hold something.
    pub(super) fn body(&mut self) -> List {
        let list = self.list();
        if list.items.is_empty() {
            self.unexpected();
        }
        list
    }

    /// Whether the text or a list ends here.
    fn at_closer(&mut self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b'}') if self.in_braces => true,
            Some(b';') => self.ahead(";;").or_else(|| self.ahead(";&")).is_some(),
            Some(_) => self.keyword().is_some_and(|(word, _)| CLOSERS.contains(&word)),
        }
    }

    /// Takes what separates an item from the next; `false` when the list is over.
    fn separator(&mut self, item: &mut Item) -> bool {
        self.blanks();
        match self.peek() {
            Some(b'\n') => self.newline(),
            Some(b'&') => {
                item.background = true;
                self.advance(1);
            }
            _ if self.at_closer() => return false,
            Some(b';') => self.advance(1),
            _ => self.unexpected(),
        }
        true
    }

    /// Reads pipelines joined by `&&` and `||`.
    fn item(&mut self) -> Item {
        let mut item = Item { pipelines: Vec::new(), background: false };
        let mut join = Join::First;
        loop {
            let pipeline = self.pipeline();
            item.pipelines.push((join, pipeline));
            self.blanks();
            join = if self.eat("&&") {
                Join::And
            } else if self.eat("||") {
                Join::Or
            } else {
                return item;
            };
            self.gap();
        }
    }

    /// Reads commands joined by `|`.
    fn pipeline(&mut self) -> Pipeline {
        self.blanks();
        let start = self.at;
        let span = self.span_between(start, start);
        let mut pipeline = Pipeline { commands: Vec::new(), negated: false, timed: false, span };
        let prefixed = self.pipeline_words(&mut pipeline);
        loop {
            match self.command() {
                Some(command) => pipeline.commands.push(command),
                None if pipeline.commands.is_empty() && prefixed => break,
                None => break self.unexpected(),
            }
            self.blanks();
            if !self.pipe(&mut pipeline.commands) {
                break;
            }
            self.gap();
        }
        pipeline.span = self.span(start);
        pipeline
    }

    /// Reads `!`, `time` and the options of the latter; whether there were any.
    fn pipeline_words(&mut self, pipeline: &mut Pipeline) -> bool {
        let start = self.at;
        loop {
            if self.eat_keyword("!") {
                pipeline.negated = !pipeline.negated;
            } else if self.eat_keyword("time") {
                pipeline.timed = true;
                self.blanks();
                self.eat_keyword("-p");
                self.blanks();
                self.eat_keyword("--");
            } else {
                return self.at > start;
            }
            self.blanks();
        }
    }

    /// Takes `|` or `|&`.
    fn pipe(&mut self, commands: &mut [Command]) -> bool {
        let start = self.at;
        if self.ahead("||").is_some() || !self.eat("|") {
            return false;
        }
        if self.ahead("&").is_some() {
            self.advance(1);
            let redirect = self.both_streams(start);
            commands.iter_mut().last().into_iter().for_each(|last| last.redirects.push(redirect.clone()));
        }
        true
    }

    /// The `2>&1` that `|&` stands for.
    fn both_streams(&self, start: usize) -> Redirect {
        let span = self.span(start);
        Redirect {
            descriptor: Some(crate::ast::Descriptor::Number(2)),
            operator: RedirectOperator::DuplicateOutput,
            target: Word { parts: vec![Part::Bare("1".to_owned())], span },
            span,
        }
    }
}
