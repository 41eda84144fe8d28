//! Loops that never end, and what starts itself again and again inside of them.

use super::{Reader, Val};
use crate::effect::{Flags, Target, Verb};
use crate::scripts::scanner::{Kind, Token};
use crate::value::Provenance;

/// How far a statement's tail is looked for.
const TAIL_MOST: usize = 256;

impl Reader<'_> {
    /// Looks ahead to the end of a statement for a modifier that makes it endless: `fork while 1`.
    pub(super) fn look_at_tail(&mut self) {
        if self.pos < self.tail_seen {
            return;
        }
        let mut at = self.pos;
        let mut endless = false;
        let mut left = TAIL_MOST;
        while let Some(token) = self.tokens.get(at).filter(|_| at < self.end && left > 0) {
            left -= 1;
            if token.is(";") || token.kind == Kind::Newline || token.is("}") {
                break;
            }
            endless |= at > self.pos
                && matches!(token.name(), Some("while" | "until" | "for"))
                && self.always(at + 1);
            at = token.partner.map_or(at + 1, |partner| partner.max(at) + 1);
        }
        self.tail_seen = at.max(self.pos + 1);
        // It stays set for what follows: nothing after an endless statement runs.
        self.endless += u32::from(endless);
    }

    /// Whether the condition at `at` is always true, or is itself the fork.
    fn always(&self, at: usize) -> bool {
        let at = if self.tokens.get(at).is_some_and(|token| token.is("(")) { at + 1 } else { at };
        match self.tokens.get(at).map(|token| &token.kind) {
            Some(Kind::Number(number)) => *number != 0,
            Some(Kind::Name(name)) => matches!(name.to_ascii_lowercase().as_str(), "true" | "fork"),
            Some(Kind::Op(op)) => *op == ";" || *op == "!",
            Some(
                Kind::Command(_)
                | Kind::Newline
                | Kind::Readline(_)
                | Kind::Regex(_)
                | Kind::Text(_)
                | Kind::Var(_)
                | Kind::Words(_),
            )
            | None => false,
        }
    }

    /// A loop, after its keyword.
    pub(super) fn looping(&mut self, keyword: &str) -> Val {
        let forever =
            matches!(keyword, "loop" | "forever") || (keyword != "foreach" && self.always(self.pos));
        self.note_counter(keyword);
        self.endless += u32::from(forever);
        if self.at_op("(") {
            self.bracketed();
        }
        let blocked = self.at_op("{");
        let value = self.expression();
        if blocked {
            self.endless -= u32::from(forever);
        }
        value
    }

    /// The variable that a `for` counts with stands for all of its values.
    fn note_counter(&mut self, keyword: &str) {
        if !matches!(keyword, "for" | "foreach") {
            return;
        }
        let words = (0..4).filter_map(|by| self.ahead(by));
        let counter = words.clone().find_map(|token| match &token.kind {
            Kind::Var(name) => Some(name.clone()),
            Kind::Name(name) if !matches!(name.as_str(), "let" | "var" | "const" | "my" | "each" | "int") => {
                Some(name.clone())
            }
            Kind::Name(_)
            | Kind::Command(_)
            | Kind::Newline
            | Kind::Number(_)
            | Kind::Op(_)
            | Kind::Readline(_)
            | Kind::Regex(_)
            | Kind::Text(_)
            | Kind::Words(_) => None,
        });
        self.counters.extend(counter);
    }

    /// The process starts itself again.
    pub(super) fn fork(&mut self) -> Val {
        if self.endless > 0 {
            self.sink.effect(Verb::Exhaust, Target::None, Flags::IRREVERSIBLE, Provenance::NONE);
        }
        Val::name("fork()")
    }

    /// Where the `end` is that closes what began before `at`, in languages that close with that word.
    pub(super) fn matching_end(&self, at: usize) -> usize {
        let mut depth = 0_u32;
        let mut previous: Option<&Token> = None;
        for (index, token) in self.tokens.iter().enumerate().take(self.end).skip(at) {
            let starts = previous.is_none_or(|last| {
                last.kind == Kind::Newline || last.is(";") || last.is("=") || last.is(")")
            });
            match token.name() {
                Some("do" | "def" | "begin" | "case" | "class" | "module" | "function") => depth += 1,
                Some("if") if self.lang() == crate::lang::Lang::Lua => depth += 1,
                Some("if" | "unless") if starts || previous.and_then(Token::name).is_some_and(opens_body) => {
                    depth += 1;
                }
                Some("end") if depth == 0 => return index,
                Some("end") => depth -= 1,
                Some(_) | None => {}
            }
            previous = Some(token);
        }
        self.end
    }
}

fn opens_body(word: &str) -> bool {
    matches!(word, "do" | "then" | "else")
}
