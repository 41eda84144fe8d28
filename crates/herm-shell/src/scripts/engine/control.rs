//! Loops that never end, and what starts itself again and again inside of them.

use super::{Reader, Val};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::scripts::scanner::{Kind, Token};
use crate::value::Provenance;

/// How many values a loop over values is run for.
const EACH_MOST: usize = 16;

/// How often all such loops of a text are run together, so that loops in loops stay cheap.
const ROUNDS_MOST: usize = 64;

/// The head of a loop over values: its variable, where the values stand, and where its body begins.
struct Each {
    name: String,
    from: usize,
    to: usize,
    body: usize,
    is_bracketed: bool,
    /// Whether the variable takes the keys of what is gone through, not its values.
    is_keys: bool,
}

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
        let mut modified = false;
        let mut left = TAIL_MOST;
        while let Some(token) = self.tokens.get(at).filter(|_| at < self.end && left > 0) {
            left -= 1;
            if token.is(";") || token.kind == Kind::Newline || token.is("}") {
                break;
            }
            modified |= at > self.pos && super::branches::is_modifier(token);
            endless |= at > self.pos
                && matches!(token.name(), Some("while" | "until" | "for"))
                && self.always(at + 1);
            at = token.partner.map_or(at + 1, |partner| partner.max(at) + 1);
        }
        self.tail_seen = at.max(self.pos + 1);
        if (modified || left == 0) && matches!(self.lang(), Lang::Perl | Lang::Ruby | Lang::Other(_)) {
            self.doubt_statement();
        }
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
        if matches!(keyword, "for" | "foreach")
            && let Some(value) = self.over_each()
        {
            return value;
        }
        let forever =
            matches!(keyword, "loop" | "forever") || (keyword != "foreach" && self.always(self.pos));
        self.note_counter(keyword);
        self.endless += u32::from(forever);
        if self.at_op("(") {
            self.bracketed();
        }
        if self.at_op("{") {
            let (from, to, after) = self.loop_body(true);
            let value = self.repeated(from, to);
            self.pos = after.min(self.end);
            self.endless -= u32::from(forever);
            return value;
        }
        let value = self.expression();
        let ends = matches!(self.lang(), Lang::Lua | Lang::Ruby) && self.at_name("do");
        if ends {
            let (from, to, after) = self.loop_body(false);
            let value = self.repeated(from, to);
            self.pos = after.min(self.end);
            return value;
        }
        value
    }

    /// A loop over values runs once for each of them that is known, else once for all. `None`, with nothing passed, where
    /// it is none.
    fn over_each(&mut self) -> Option<Val> {
        let header = self.each_header()?;
        let end = std::mem::replace(&mut self.end, header.to);
        self.pos = header.from;
        let mut gone = self.expression();
        if !header.is_keys {
            gone = self.gone_through(gone);
        }
        // One of several lists is not all of them, one after the other.
        let forks = matches!(gone, Val::OneOf(_));
        let items = gone.items();
        self.end = end;
        self.pos = header.body;
        let (from, to, after) = self.loop_body(header.is_bracketed);
        let known = |item: &Val| matches!(item, Val::Text(text) if !text.has_hole());
        let mut result = Val::list(Vec::new());
        let many = items.len() > EACH_MOST || self.rounds + items.len() > ROUNDS_MOST;
        let begins = |item: &Val| matches!(item, Val::Text(text) if !text.known_prefix().is_empty());
        if !header.is_keys
            && !many
            && (forks || !items.iter().all(known))
            && items.iter().all(begins)
            && let Some(any) = items.iter().cloned().reduce(|one, other| one.either(&other))
        {
            // Any of them, of which the beginning at least is known.
            self.counters.remove(&header.name);
            self.bind(&header.name, any);
            result = self.repeated(from, to);
        } else if items.is_empty() || many || forks || header.is_keys || !items.iter().all(known) {
            self.counters.insert(header.name);
            result = self.repeated(from, to);
        } else {
            for item in items {
                self.counters.remove(&header.name);
                self.rounds += 1;
                self.bind(&header.name, item);
                result = self.once(from, to).unwrap_or(result);
            }
        }
        self.pos = after.min(self.end);
        self.place = None;
        Some(result)
    }

    pub(super) fn once(&mut self, from: usize, to: usize) -> Option<Val> {
        let tokens = std::rc::Rc::clone(&self.tokens);
        if self.stopped { None } else { self.deeper(|reader| reader.within(tokens, from, to)) }
    }

    /// `(LIST as $x)`, `(const x of LIST)`, `x in LIST do`, `my $x (LIST)`.
    fn each_header(&self) -> Option<Each> {
        let bracketed = self.at_op("(");
        let from = self.pos + usize::from(bracketed);
        let close = if bracketed { self.partner(self.pos) } else { self.header_end() };
        let body = close + usize::from(bracketed);
        let mark = self.marked(from, close, &["as", "in", "of"]);
        if let Some((at, word)) = mark {
            let (list, names) =
                if word == "as" { ((from, at), (at + 1, close)) } else { ((at + 1, close), (from, at)) };
            let name = self.last_name(names.0, names.1)?;
            let is_keys = word == "in" && matches!(self.lang(), Lang::Awk | Lang::JavaScript);
            return Some(Each { name, from: list.0, to: list.1, body, is_bracketed: bracketed, is_keys });
        }
        // Perl's: the variable stands before the list.
        let declared = usize::from(self.at_name("my") || self.at_name("our"));
        let Kind::Var(name) = &self.ahead(declared).filter(|_| !bracketed)?.kind else { return None };
        let name = name.clone();
        let open = self.pos + declared + 1;
        self.tokens.get(open).filter(|token| open < self.end && token.is("("))?;
        let close = self.partner(open);
        Some(Each { name, from: open, to: close + 1, body: close + 1, is_bracketed: true, is_keys: false })
    }

    /// Where a header without brackets ends at the latest.
    fn header_end(&self) -> usize {
        // A brace is part of the values where the body does not begin with one.
        let is_braced = !matches!(self.lang(), Lang::Lua | Lang::Ruby);
        let ends = |token: &Token| {
            is_braced && token.is("{")
                || token.is(";")
                || token.kind == Kind::Newline
                || token.name() == Some("do")
        };
        let mut at = self.pos;
        let mut left = TAIL_MOST;
        while let Some(token) = self.tokens.get(at).filter(|token| at < self.end && left > 0 && !ends(token))
        {
            left -= 1;
            at = token.partner.map_or(at + 1, |partner| partner.max(at) + 1);
        }
        at.min(self.end)
    }

    /// Where one of these words stands between two places, not inside of brackets.
    fn marked(
        &self,
        from: usize,
        to: usize,
        words: &'static [&'static str],
    ) -> Option<(usize, &'static str)> {
        let mut at = from;
        let mut left = TAIL_MOST;
        while let Some(token) = self.tokens.get(at).filter(|_| at < to && left > 0) {
            left -= 1;
            if token.is(";") {
                return None;
            }
            if let Some(word) = words.iter().find(|word| token.name() == Some(**word)) {
                return Some((at, word));
            }
            at = token.partner.map_or(at + 1, |partner| partner.max(at) + 1);
        }
        None
    }

    /// The last name between two places: `$key => $value`, `_, value`.
    fn last_name(&self, from: usize, to: usize) -> Option<String> {
        let tokens = self.tokens.get(from..to)?;
        tokens.iter().rev().find_map(|token| {
            if let Kind::Var(name) | Kind::Name(name) = &token.kind { Some(name.clone()) } else { None }
        })
    }

    /// The statements of a loop: from, to, and where what follows begins.
    fn loop_body(&mut self, is_bracketed: bool) -> (usize, usize, usize) {
        if self.at_op("{") {
            let close = self.partner(self.pos);
            return (self.pos + 1, close, close + 1);
        }
        let ends = matches!(self.lang(), Lang::Lua | Lang::Ruby)
            || matches!(self.lang(), Lang::Other(_)) && !is_bracketed;
        if ends {
            let from = self.pos + usize::from(self.at_name("do"));
            let close = self.matching_end(from);
            self.spend(close.saturating_sub(from) / 16);
            return (from, close, close + 1);
        }
        let from = self.pos;
        let mut close = from;
        let mut left = TAIL_MOST;
        while let Some(token) =
            self.tokens.get(close).filter(|token| close < self.end && left > 0 && !token.is(";"))
        {
            left -= 1;
            close = token.partner.map_or(close + 1, |partner| partner.max(close) + 1);
        }
        (from, close.min(self.end), close.min(self.end))
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
                Some("if") if self.lang() == Lang::Lua => depth += 1,
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
