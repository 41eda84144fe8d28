//! `[[ … ]]`.

use super::cursor::Reader;
use super::fence::Fence;
use crate::ast::{CommandKind, Part, Word};

/// What stands between words without blanks.
const OPERATORS: [&str; 6] = ["&&", "||", "(", ")", "<", ">"];

impl Reader<'_> {
    /// Reads what follows `[[`, up to and with `]]`.
    pub(super) fn condition(&mut self) -> CommandKind {
        let mut words: Vec<Word> = Vec::new();
        loop {
            self.gap();
            if self.eat_keyword("]]") {
                break;
            }
            let word = self.condition_word(words.last());
            if word.parts.is_empty() {
                break self.unexpected();
            }
            words.push(word);
        }
        CommandKind::Condition(words)
    }

    fn condition_word(&mut self, before: Option<&Word>) -> Word {
        if before.is_some_and(|word| is_bare(word, "=~")) {
            return self.fenced(Fence::REGEX);
        }
        self.condition_operator().unwrap_or_else(|| self.word())
    }

    fn condition_operator(&mut self) -> Option<Word> {
        if self.is_process() {
            return None;
        }
        let start = self.at;
        let operator = OPERATORS.into_iter().find(|operator| self.eat(operator))?;
        Some(Word { parts: vec![Part::Bare(operator.to_owned())], span: self.span(start) })
    }
}

fn is_bare(word: &Word, expected: &str) -> bool {
    matches!(word.parts.as_slice(), [Part::Bare(text)] if text == expected)
}
