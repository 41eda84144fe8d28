//! `for` and `select`.

use super::cursor::Reader;
use crate::ast::{CommandKind, Part, Word};

impl Reader<'_> {
    pub(super) fn for_loop(&mut self) -> CommandKind {
        self.blanks();
        let start = self.at;
        let Some((from, to)) = self.arithmetic_bounds() else { return self.named_loop(false) };
        let parts = self.arithmetic(from, to);
        let header = Word { parts, span: self.span(start) };
        self.blanks();
        self.eat(";");
        let body = self.loop_body();
        CommandKind::ForArithmetic { header, body }
    }

    /// `NAME in …; do … done`.
    pub(super) fn named_loop(&mut self, select: bool) -> CommandKind {
        self.blanks();
        let name = literal(&self.word());
        if name.is_empty() {
            self.unexpected();
        }
        self.gap();
        let words = self.eat_keyword("in").then(|| self.words());
        self.blanks();
        if self.ahead(";;").is_none() {
            self.eat(";");
        }
        let body = self.loop_body();
        CommandKind::For { name, words, select, body }
    }

    /// Words up to the end of the line or a semicolon.
    fn words(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.blanks();
            let word = self.word();
            if word.parts.is_empty() {
                return words;
            }
            words.push(word);
        }
    }
}

/// The text of a word without expansions.
fn literal(word: &Word) -> String {
    let texts = word.parts.iter().filter_map(|part| match part {
        Part::Bare(text) | Part::Quoted(text) => Some(text.as_str()),
        Part::Arithmetic(_)
        | Part::Command(..)
        | Part::DoubleQuoted(_)
        | Part::Parameter(_)
        | Part::Process(..) => None,
    });
    texts.collect()
}
