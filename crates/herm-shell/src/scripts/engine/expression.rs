//! Expressions: joining texts, arithmetic, assignment.

use std::rc::Rc;

use super::arithmetic;
use super::val::{TEXT_MOST, size};
use super::{Reader, Val};
use crate::lang::Lang;
use crate::scripts::scanner::Kind;
use crate::value::{Piece, Provenance, Value};

impl Reader<'_> {
    /// An expression; where there is none, nothing is passed.
    pub(super) fn expression(&mut self) -> Val {
        self.deeper(Self::expression_here).unwrap_or_else(|| Val::list(Vec::new()))
    }

    fn expression_here(&mut self) -> Val {
        let mut left = self.sum();
        while let Some(op) = self.operator() {
            let at = self.pos;
            let is_certain = self.is_certain();
            if FORKS.contains(&op) {
                self.doubt_statement();
            }
            self.pos += 1;
            left = match op {
                "=" | ":=" | "<-" | "||=" | "??=" | "&&=" | "//=" => {
                    self.assignment(&left, is_certain && !FORKS.contains(&op))
                }
                "+=" | ".=" => self.appending(op, &left, is_certain),
                "-=" | "*=" | "/=" | "%=" | "**=" | "|=" | "&=" | "^=" | "<<=" | ">>=" => {
                    self.computing(op.trim_end_matches('='), &left, is_certain)
                }
                // Ruby's text grows where it is.
                "<<" if self.grows(&left) => self.growing(&left, is_certain),
                "?" => self.choice(&left),
                "=>" | ":" => self.paired(&left),
                "|" | "|&" if self.at_name("getline") => self.command_line(&left, at),
                "++" | "--" => self.forget_place(),
                _ => self.operation(op, &left),
            };
            if self.pos == at {
                break;
            }
        }
        left
    }

    /// An expression without the operators that end a list of arguments: `and`, `or`, `=>`.
    pub(super) fn tight(&mut self) -> Val {
        let mut left = self.sum();
        while let Some(op) = self.operator().filter(|op| TIGHT.contains(op)) {
            let at = self.pos;
            let is_certain = self.is_certain();
            if FORKS.contains(&op) {
                self.doubt_statement();
            }
            self.pos += 1;
            left = match op {
                "=" => self.assignment(&left, is_certain),
                "?" => self.choice(&left),
                _ => self.operation(op, &left),
            };
            if self.pos == at {
                break;
            }
        }
        left
    }

    /// The operator that goes on with an expression here, if one does.
    fn operator(&self) -> Option<&'static str> {
        let token = self.peek()?;
        match &token.kind {
            Kind::Op(op) if self.redirects && matches!(*op, ">" | ">>" | "|" | "|&") => None,
            Kind::Op(":") => self.pairs_here().then_some(":"),
            Kind::Op(op) => OPERATORS.iter().find(|known| *known == op).copied(),
            Kind::Name(name) => WORD_OPERATORS.iter().find(|known| *known == name).copied(),
            Kind::Command(_)
            | Kind::Newline
            | Kind::Number(_)
            | Kind::Readline(_)
            | Kind::Regex(_)
            | Kind::Text(_)
            | Kind::Var(_)
            | Kind::Words(_) => None,
        }
    }

    /// Whether a colon here stands between a key and its value.
    fn pairs_here(&self) -> bool {
        let key = self.pos.checked_sub(1).and_then(|at| self.tokens.get(at));
        // Neither does Perl nor Lua write pairs so, nor is a call a key: what follows is the other arm of a choice.
        if matches!(self.lang(), Lang::Lua | Lang::Perl) || key.is_some_and(|token| token.is(")")) {
            return false;
        }
        let before = self.pos.checked_sub(2).and_then(|at| self.tokens.get(at));
        before.is_none_or(|token| {
            token.is("{") || token.is(",") || token.is("(") || token.kind == Kind::Newline
        })
    }

    fn paired(&mut self, key: &Val) -> Val {
        let name = match key {
            Val::Name(name, _) => name.to_string(),
            Val::Text(_)
            | Val::Number(_)
            | Val::Function(_)
            | Val::Handle(_)
            | Val::List(_)
            | Val::OneOf(_)
            | Val::Pair(_) => key.known().or_else(|| self.place.take()).unwrap_or_default(),
        };
        let value = self.expression();
        Val::Pair(Rc::new((name.trim_start_matches('-').to_owned(), value)))
    }

    fn assignment(&mut self, left: &Val, is_certain: bool) -> Val {
        let place = self.place.take();
        let sign = self.pos.saturating_sub(1);
        let before = self.earlier_places();
        let targets = if place.is_none() { self.bracketed_targets() } else { None };
        let in_order = self.lang() != Lang::Php || self.are_in_order();
        let referred = self.referred();
        let right = self.expression();
        if let (Some(place), Some(other)) = (&place, referred) {
            self.linked.push((place.clone(), other));
        }
        if let Some(name) = place.as_ref().filter(|_| self.naming) {
            return Val::Pair(Rc::new((name.clone(), right)));
        }
        if let (true, None, Val::List(keys)) = (self.naming, &place, left)
            && let [key] = keys.as_slice()
            && let Some(key) = key.known()
        {
            return Val::Pair(Rc::new((key, right)));
        }
        if !before.is_empty() {
            return self.assign_several(before, place, right, is_certain);
        }
        if place.is_none()
            && let Some(place) = self.changed_part_before(sign)
        {
            let held = self.lookup(&place);
            self.place = None;
            self.assign_when(
                &place,
                held.clone().either(&Val::unknown("changed text", held.provenance())),
                is_certain,
            );
            return right;
        }
        match (place, left) {
            (Some(place), _) => self.assign_when(&place, right.clone(), is_certain),
            (None, left)
                if targets.is_some() && (matches!(left, Val::List(_)) || self.lang() == Lang::Php) =>
            {
                let given = if in_order { right.clone() } else { Val::unknown("part", right.provenance()) };
                self.destructure(&targets.unwrap_or_default(), &given, is_certain);
            }
            (None, Val::List(targets)) => self.destructure(&targets.clone(), &right, is_certain),
            (None, _) => {}
        }
        right
    }

    /// `$y = &$x`: the variable that becomes the same as another.
    fn referred(&self) -> Option<String> {
        let Kind::Var(name) = &self.ahead(1)?.kind else { return None };
        (self.lang() == Lang::Php && self.at_op("&")).then(|| name.clone())
    }

    /// The places before the last one in `a, b = …`, whose sign was just passed, from the first one on. A star says that one of
    /// them takes what is left over.
    fn earlier_places(&self) -> Vec<String> {
        let mut names = Vec::new();
        if !matches!(self.lang(), Lang::Lua | Lang::Ruby | Lang::Other(_)) || self.naming {
            return names;
        }
        let Some(last) = self.pos.checked_sub(2) else { return names };
        let mut at = last;
        let mut several = false;
        while let Some(token) = self.tokens.get(at).filter(|_| last - at < 16) {
            match &token.kind {
                Kind::Name(name) if matches!(name.as_str(), "local" | "then" | "do" | "else" | "begin") => {
                    break;
                }
                Kind::Name(name) | Kind::Var(name) if at < last && several => names.push(name.clone()),
                Kind::Name(_) | Kind::Var(_) => {}
                Kind::Op(",") => several = true,
                Kind::Op("*") if several || at + 1 == last => names.push(STAR.to_owned()),
                // What stands in brackets are arguments or items.
                Kind::Op("(" | "[" | "{" | "|" | "=") => return Vec::new(),
                Kind::Command(_)
                | Kind::Newline
                | Kind::Number(_)
                | Kind::Op(_)
                | Kind::Readline(_)
                | Kind::Regex(_)
                | Kind::Text(_)
                | Kind::Words(_) => break,
            }
            let Some(before) = at.checked_sub(1) else { break };
            at = before;
        }
        names.reverse();
        if several { names } else { Vec::new() }
    }

    /// `a, b = x, y`: each gets its own, or its part of a list.
    fn assign_several(
        &mut self,
        before: Vec<String>,
        last: Option<String>,
        first: Val,
        is_certain: bool,
    ) -> Val {
        let spread = before.iter().any(|name| name == STAR);
        let names: Vec<String> = before.into_iter().chain(last).filter(|name| name != STAR).collect();
        let mut values = vec![first];
        while self.at_op(",") && values.len() < names.len() {
            // Only the last call hands out all that it returns.
            let is_call =
                self.pos.checked_sub(1).and_then(|at| self.tokens.get(at)).is_some_and(|last| last.is(")"));
            if let (Lang::Lua, true, Some(Val::List(items))) = (self.lang(), is_call, values.last())
                && let Some(first) = items.first().cloned()
                && let Some(last) = values.pop()
            {
                values.push(first.either(&last));
            }
            self.pos += 1;
            values.push(self.expression());
        }
        self.place = None;
        for (index, name) in names.iter().enumerate() {
            let value = match values.as_slice() {
                all if spread => {
                    let origin = all.iter().fold(Provenance::NONE, |origin, val| origin | val.provenance());
                    Val::unknown(name, origin)
                }
                [only @ (Val::List(_) | Val::OneOf(_))] => self.part(only, &index.to_string(), index),
                all => all.get(index).cloned().unwrap_or_else(|| Val::unknown(name, self.ambient)),
            };
            self.assign_when(name, value, is_certain);
        }
        values.pop().unwrap_or_else(|| Val::list(Vec::new()))
    }

    /// `substr($x, …) = …`: the variable of which a part is assigned to, before the sign.
    fn changed_part_before(&self, sign: usize) -> Option<String> {
        let close = sign.checked_sub(1)?;
        self.tokens.get(close).filter(|token| token.is(")"))?;
        let name = self.opening(close).checked_sub(1)?;
        self.tokens.get(name)?.name().filter(|name| matches!(*name, "substr" | "vec"))?;
        self.argument_place(name, 0)
    }

    pub(in crate::scripts) fn assign(&mut self, place: &str, val: Val) {
        let is_certain = self.is_certain();
        self.assign_when(place, val, is_certain);
    }

    /// The same where a call assigns, which may be done with each of several values.
    pub(in crate::scripts) fn assign_perhaps(&mut self, place: &str, val: Val) {
        self.assign_when(place, val, false);
    }

    fn assign_when(&mut self, place: &str, val: Val, is_certain: bool) {
        if let Some((whole, name)) = place.rsplit_once('.')
            && self.language.environment.contains(&self.plain_path(whole))
        {
            let value = val.plain();
            let either = (!is_certain).then(|| Value::either(self.sink.variable(name), value.clone()));
            self.sink.set_variable(name, &either.unwrap_or(value));
        }
        self.bind_perhaps(place, val, is_certain);
    }

    fn destructure(&mut self, targets: &[Val], right: &Val, is_certain: bool) {
        for (index, target) in targets.iter().enumerate() {
            let (key, place) = match target {
                Val::Name(name, _) => (name.to_string(), name.to_string()),
                Val::Pair(pair) => match &pair.1 {
                    Val::Name(name, _) => (pair.0.clone(), name.to_string()),
                    Val::Function(_)
                    | Val::Handle(_)
                    | Val::List(_)
                    | Val::Number(_)
                    | Val::OneOf(_)
                    | Val::Pair(_)
                    | Val::Text(_) => continue,
                },
                Val::Function(_)
                | Val::Handle(_)
                | Val::List(_)
                | Val::Number(_)
                | Val::OneOf(_)
                | Val::Text(_) => continue,
            };
            let val = self.part(right, &key, index);
            self.assign_when(&place, val, is_certain);
        }
    }

    fn part(&mut self, whole: &Val, key: &str, index: usize) -> Val {
        self.each_top_way(std::slice::from_ref(whole), |reader, whole| match whole {
            [whole] => reader.part_of(whole, key, index),
            _ => Val::list(Vec::new()),
        })
    }

    fn part_of(&mut self, whole: &Val, key: &str, index: usize) -> Val {
        match whole {
            Val::Name(..) => self.property(whole, key),
            Val::List(items) => {
                whole.keyed(&[key]).or_else(|| items.get(index).cloned()).unwrap_or_else(|| Val::name(key))
            }
            // JavaScript takes a text apart into its letters.
            Val::Text(_) if self.lang() == Lang::JavaScript => Val::unknown(key, whole.provenance()),
            Val::Function(_)
            | Val::Handle(_)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_)
                if index == 0 =>
            {
                whole.clone()
            }
            Val::Function(_)
            | Val::Handle(_)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_) => Val::unknown(key, whole.provenance()),
        }
    }

    /// `x += …`, `x .= …`.
    fn appending(&mut self, op: &str, left: &Val, is_certain: bool) -> Val {
        let place = self.place.take();
        let right = self.expression();
        let known = place.as_ref().is_none_or(|place| self.vars.contains_key(place));
        let joined = match op {
            "+=" => self.plus(left, &right),
            _ if known => self.join(left, &right),
            _ => right,
        };
        if let Some(place) = place {
            self.assign_when(&place, joined.clone(), is_certain);
        }
        joined
    }

    /// `x *= …`, and Perl's `x x= …`.
    pub(super) fn computing(&mut self, op: &str, left: &Val, is_certain: bool) -> Val {
        let place = self.place.take();
        let right = self.expression();
        let lang = self.lang();
        let result = self.each_top_way(&[left.clone(), right], |_, both| match both {
            [left, right] => product(lang, op, left, right),
            _ => Val::list(Vec::new()),
        });
        if let Some(place) = place {
            self.assign_when(&place, result.clone(), is_certain);
        }
        result
    }

    /// Whether `<<` joins texts or writes.
    fn adds_by_shift(&self, left: &Val) -> bool {
        match left {
            Val::Handle(_) => true,
            Val::Text(_) => matches!(self.lang(), Lang::Ruby | Lang::Other(_)),
            Val::Function(_)
            | Val::List(_)
            | Val::Name(..)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_) => false,
        }
    }

    /// Whether `<<` adds to what stands before it.
    fn grows(&self, left: &Val) -> bool {
        let adds = |val: &Val| matches!(val, Val::Text(_) | Val::List(_));
        let any = if let Val::OneOf(all) = left { all.iter().any(adds) } else { adds(left) };
        self.lang() == Lang::Ruby && any
    }

    /// `x << y`: a text or a list that grows where it is.
    fn growing(&mut self, left: &Val, is_certain: bool) -> Val {
        let place = self.place.take();
        let right = self.sum();
        let grown = self.each_top_way(&[left.clone(), right], |reader, both| match both {
            [list @ Val::List(_), item] => reader.join(list, &Val::list(vec![item.clone()])),
            [Val::Text(_), right] if right.number().is_some() && matches!(right, Val::Number(_)) => {
                Val::unknown("character", right.provenance())
            }
            [left, right] => reader.join(left, right),
            _ => Val::list(Vec::new()),
        });
        self.place.clone_from(&place);
        if let Some(place) = place {
            if is_certain && self.vars.contains_key(&place) {
                self.replace(&place, left, grown.clone());
            } else {
                self.assign_when(&place, grown.clone(), is_certain);
            }
            self.place = Some(place);
        }
        grown
    }

    /// `a ? b : c`: either.
    fn choice(&mut self, condition: &Val) -> Val {
        // `a ?: b` is `a` itself, or `b`.
        let first = if self.at_op(":") { condition.clone() } else { self.expression() };
        if !self.eat(":") {
            return first;
        }
        let second = self.expression();
        self.place = None;
        first.either(&second)
    }

    /// `x++`: what counts stands for every value it takes.
    pub(super) fn forget_place(&mut self) -> Val {
        let place = self.place.take().unwrap_or_default();
        if let Some(several @ Val::OneOf(_)) = self.vars.get(&place) {
            let origin = several.provenance();
            self.assign(&place, Val::unknown(&place, origin));
        }
        self.counters.insert(place.clone());
        Val::name(&place)
    }

    fn operation(&mut self, op: &str, left: &Val) -> Val {
        if op == "|>" {
            self.piped = Some(left.clone());
        }
        let mut right = self.sum();
        while let Some(next) = self.operator().filter(|next| self.binds_tighter(next, op)) {
            let at = self.pos;
            self.pos += 1;
            right = self.operation(next, &right);
            if self.pos <= at {
                break;
            }
        }
        // Which of several operators on bits binds tighter is not looked at.
        let alone = self.operator().is_none_or(|next| next == op || !BITWISE.contains(&next));
        if BITWISE.contains(&op) && !(op == "<<" && self.adds_by_shift(left)) {
            let lang = self.lang();
            return self.each_top_way(&[left.clone(), right], |_, both| match both {
                [left, right] => bitwise(lang, op, left, right)
                    .filter(|_| alone)
                    .unwrap_or_else(|| Val::unknown("computed", left.provenance() | right.provenance())),
                _ => Val::list(Vec::new()),
            });
        }
        match (op, left.number(), right.number()) {
            ("<<", ..) if matches!(left, Val::Text(_)) && self.adds_by_shift(left) => {
                return self.join(left, &right);
            }
            ("<<", ..) if matches!(left, Val::Handle(_)) => return self.method(left, "write", &[right]),
            // `=~ tr/…/…/r` is the text that came of it.
            ("=~", ..) if matches!(right, Val::Text(_)) => return right,
            ("|>", ..) => {
                return match self.piped.take() {
                    Some(left) => self.call_value(&right, &[left]),
                    None => right,
                };
            }
            // The right side only counts when the left one fails, which cannot be known: most often it is `die`.
            ("||" | "or" | "??" | "&&" | "and" | "//", ..) => {
                return self.one_of(op, left, right);
            }
            _ => {}
        }
        Val::unknown("computed", left.provenance() | right.provenance())
    }

    /// Whether an operator takes what stands before it away from the one before that: `a || b && c`.
    fn binds_tighter(&self, op: &str, before: &str) -> bool {
        let rank = |op: &str| match op {
            "or" | "and" if self.lang() == Lang::Ruby => 1,
            "or" | "and" | "||" | "&&" if self.lang() == Lang::Lua => 3 + u8::from(op == "and"),
            "or" | "xor" => 1,
            "and" => 2,
            "||" | "??" | "//" => 3,
            "&&" => 4,
            "==" | "!=" | "===" | "!==" | "<=>" | "eq" | "ne" | "cmp" => 5,
            "<" | ">" | "<=" | ">=" | "lt" | "gt" | "le" | "ge" => 6,
            _ => 0,
        };
        rank(before) > 0 && rank(op) > rank(before)
    }

    /// A value with the patterns that it is bound to: `x =~ s/a/b/r`.
    fn bound(&mut self, value: Val) -> Val {
        let mut value = value;
        while self.at_op("=~") || self.at_op("!~") {
            self.pos += 1;
            value = match self.unary() {
                text @ Val::Text(_) => text,
                Val::Function(_)
                | Val::Handle(_)
                | Val::List(_)
                | Val::Name(..)
                | Val::Number(_)
                | Val::OneOf(_)
                | Val::Pair(_) => Val::unknown("found", value.provenance()),
            };
        }
        value
    }

    /// Sums and joined texts.
    pub(super) fn sum(&mut self) -> Val {
        let apart = matches!(self.lang(), Lang::Lua | Lang::Php | Lang::Awk);
        let mut left = if apart { self.shifted() } else { self.term() };
        loop {
            let Some(token) = self.peek() else { return left };
            if self.joins_here() {
                let right = if apart { self.shifted() } else { self.term() };
                left = self.join(&left, &right);
                continue;
            }
            let Kind::Op(op) = token.kind else { return left };
            let concat = self.language.profile.concat.contains(&op);
            if !concat && !matches!(op, "+" | "-") {
                return left;
            }
            self.pos += 1;
            let right = if apart { self.shifted() } else { self.term() };
            self.place = None;
            left = match op {
                "+" => self.plus(&left, &right),
                "-" => self.minus(&left, &right),
                _ => self.join(&left, &right),
            };
        }
    }

    /// Shifts, which bind tighter in PHP than what joins texts.
    fn shifted(&mut self) -> Val {
        let mut left = self.added();
        while self.lang() == Lang::Php
            && let Some(op @ ("<<" | ">>")) = self.operator()
        {
            self.pos += 1;
            let right = self.added();
            self.place = None;
            left = self.each_top_way(&[left, right], |_, both| match both {
                [left, right] => computed(Lang::Php, op, left, right),
                _ => Val::list(Vec::new()),
            });
        }
        left
    }

    /// Sums, where they bind tighter than what joins texts.
    fn added(&mut self) -> Val {
        let mut left = self.term();
        while let Some(op @ ("+" | "-")) =
            self.peek().and_then(|token| if let Kind::Op(op) = token.kind { Some(op) } else { None })
        {
            self.pos += 1;
            let right = self.term();
            self.place = None;
            left = if op == "+" { self.plus(&left, &right) } else { self.minus(&left, &right) };
        }
        left
    }

    fn minus(&mut self, left: &Val, right: &Val) -> Val {
        let lang = self.lang();
        self.each_top_way(&[left.clone(), right.clone()], |_, both| match both {
            [left, right] => computed(lang, "-", left, right),
            _ => Val::list(Vec::new()),
        })
    }

    /// A sum of numbers, or texts one after the other; where it is not known which, neither.
    pub(super) fn plus(&mut self, left: &Val, right: &Val) -> Val {
        self.each_top_way(&[left.clone(), right.clone()], |reader, both| match both {
            [left, right] => reader.plus_of(left, right),
            _ => Val::list(Vec::new()),
        })
    }

    fn plus_of(&mut self, left: &Val, right: &Val) -> Val {
        let lang = self.lang();
        let text = |val: &Val| match val {
            Val::Text(value) => {
                value.pieces.is_empty() || value.pieces.iter().any(|piece| matches!(piece, Piece::Literal(_)))
            }
            Val::Function(_)
            | Val::Handle(_)
            | Val::List(_)
            | Val::Name(..)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_) => false,
        };
        match (left, right) {
            _ if arithmetic::numbers_from_texts(lang) || lang == Lang::R => computed(lang, "+", left, right),
            (Val::Number(_), Val::Number(_)) => computed(lang, "+", left, right),
            (Val::Number(_), other) | (other, Val::Number(_)) if !text(other) => {
                Val::unknown("computed", other.provenance())
            }
            _ => self.join(left, right),
        }
    }

    /// Whether the next token is joined to what stands before it just by standing there.
    fn joins_here(&self) -> bool {
        let Some(token) = self.peek() else { return false };
        let value = matches!(token.kind, Kind::Text(_) | Kind::Var(_) | Kind::Number(_) | Kind::Op("("))
            || token.name().is_some_and(|name| !BETWEEN.contains(&name));
        self.language.profile.juxtaposed && value
    }

    /// What products are made of; Perl's patterns bind tighter.
    fn factor(&mut self) -> Val {
        let value = self.unary();
        let binds = self.lang() == Lang::Perl && (self.at_op("=~") || self.at_op("!~"));
        if binds { self.bound(value) } else { value }
    }

    /// Products.
    fn term(&mut self) -> Val {
        let mut left = self.factor();
        let mut before = "";
        loop {
            let op = match self.peek().map(|token| &token.kind) {
                Some(Kind::Op(op @ ("*" | "/" | "%" | "**"))) => *op,
                Some(Kind::Op("//")) if self.lang() == Lang::Lua => "//",
                Some(Kind::Name(name)) if name == "x" && self.lang() == Lang::Perl => "x",
                Some(_) | None => return left,
            };
            let after_bracket =
                self.pos.checked_sub(1).and_then(|at| self.tokens.get(at)).is_some_and(|last| last.is(")"));
            self.pos += 1;
            if op == "x" && self.at_op("=") {
                self.pos += 1;
                let is_certain = self.is_certain();
                return self.computing("x", &left, is_certain);
            }
            let right = self.factor();
            self.place = None;
            let lang = self.lang();
            let known = op != "**" || before.is_empty();
            let whole = self.each_top_way(&[left, right], |_, both| match both {
                [left, right] if known => product(lang, op, left, right),
                [left, right] => Val::unknown("computed", left.provenance() | right.provenance()),
                _ => Val::list(Vec::new()),
            });
            // `("x") x 3` is a list where one is asked for.
            left = match (op, &whole) {
                ("x", Val::Text(_)) if after_bracket => {
                    Val::unknown("repeated text", whole.provenance()).either(&whole)
                }
                _ => whole,
            };
            before = op;
        }
    }

    /// `a || b`, `a and b`: either, as far as the right one is a value. Most often it is `die`.
    fn one_of(&mut self, op: &str, left: &Val, right: Val) -> Val {
        let is_value = |val: &Val| match val {
            Val::Text(_) | Val::Number(_) | Val::Function(_) | Val::OneOf(_) => true,
            Val::List(items) => !items.is_empty(),
            Val::Name(path, _) => self.is_of_the_table(path),
            Val::Handle(_) | Val::Pair(_) => false,
        };
        match (op, is_value(&right)) {
            ("&&" | "and", true) if !is_value(left) => right,
            (_, true) => left.clone().either(&right),
            (_, false) if left.known().is_some() => {
                left.clone().either(&Val::unknown("the other", right.provenance()))
            }
            (_, false) => left.clone(),
        }
    }

    /// Two texts, one after the other.
    pub(super) fn join(&mut self, left: &Val, right: &Val) -> Val {
        if matches!(left, Val::OneOf(_)) || matches!(right, Val::OneOf(_)) {
            return self.each_top_way(&[left.clone(), right.clone()], |reader, both| match both {
                [left, right] => reader.join(left, right),
                _ => Val::list(Vec::new()),
            });
        }
        if let (Val::List(a), Val::List(b)) = (left, right) {
            if a.len() + b.len() > super::val::LIST_MOST {
                return Val::unknown("list", left.provenance() | right.provenance());
            }
            return Val::list(a.iter().chain(b.iter()).cloned().collect());
        }
        // What a table does that has operators of its own is up to them.
        let own = |val: &Val| matches!(val, Val::Name(path, _) if path.contains("setmetatable()"));
        if self.lang() == Lang::Lua && (own(left) || own(right)) {
            return Val::unknown("joined", left.provenance() | right.provenance());
        }
        // Perl asks lists how many they are, or for their last item, where it joins texts.
        if self.lang() == Lang::Perl && (matches!(left, Val::List(_)) || matches!(right, Val::List(_))) {
            return Val::unknown("list", left.provenance() | right.provenance());
        }
        let (left, right) = (self.text(left), self.text(right));
        // What is not known in Perl may be wide, which changes how other letters are written.
        let narrows = self.lang() == Lang::Perl && (left.has_hole() || right.has_hole());
        let mut joined = if narrows { only_ascii(left) } else { left };
        let right = if narrows { only_ascii(right) } else { right };
        let length = size(&joined) + size(&right);
        if length > TEXT_MOST || !self.spend(length / 512 + 1) {
            return Val::unknown("long text", joined.provenance | right.provenance);
        }
        joined.push(&right);
        Val::value(joined)
    }
}

/// Words of awk that stand behind a value and are none.
const BETWEEN: &[&str] = &[
    "break", "continue", "do", "else", "exit", "for", "getline", "if", "in", "next", "nextfile", "print",
    "printf", "return", "while",
];

/// What `^`, `|`, `&` and shifts make of two values; Perl's and PHP's work letter by letter on texts.
fn bitwise(lang: Lang, op: &str, left: &Val, right: &Val) -> Option<Val> {
    let (Val::Text(_), Val::Text(_)) = (left, right) else {
        return arithmetic::computed(lang, op, left, right);
    };
    let change: fn(u8, u8) -> u8 = match op {
        _ if !matches!(lang, Lang::Perl | Lang::Php) => return None,
        "^" => |one, other| one ^ other,
        "|" => |one, other| one | other,
        "&" => |one, other| one & other,
        _ => return None,
    };
    let (one, other) = (left.known()?, right.known()?);
    if !one.is_ascii() || !other.is_ascii() || one.len() != other.len() {
        return None;
    }
    let letters = one.bytes().zip(other.bytes()).map(|(one, other)| char::from(change(one, other)));
    let data = left.provenance() | right.provenance();
    Some(Val::value(Value::literal(letters.collect::<String>()).from(data)))
}

/// A text with holes where letters stand that are not of ASCII.
fn only_ascii(text: Value) -> Value {
    let is_plain = |piece: &Piece| !matches!(piece, Piece::Literal(text) if !text.is_ascii());
    if text.pieces.iter().all(is_plain) {
        return text;
    }
    let mut narrowed = Value::default().from(text.provenance);
    for piece in &text.pieces {
        let (Piece::Literal(all) | Piece::Glob(all)) = piece else {
            narrowed.pieces.push(piece.clone());
            continue;
        };
        if all.is_ascii() {
            narrowed.pieces.push(piece.clone());
            continue;
        }
        for run in all.split_inclusive(|c: char| !c.is_ascii()) {
            narrowed.push_str(run.trim_end_matches(|c: char| !c.is_ascii()));
            if !run.is_ascii() {
                narrowed.push(&Value::unknown("wide letter", Provenance::NONE));
            }
        }
    }
    narrowed
}

fn computed(lang: Lang, op: &str, left: &Val, right: &Val) -> Val {
    arithmetic::computed(lang, op, left, right)
        .unwrap_or_else(|| Val::unknown("computed", left.provenance() | right.provenance()))
}

/// A product, a quotient, a text that is repeated or a list that is joined.
fn product(lang: Lang, op: &str, left: &Val, right: &Val) -> Val {
    match (op, left, right) {
        ("*", Val::List(items), Val::Text(separator)) if lang == Lang::Ruby => {
            super::pure::join(&[Val::Text(Rc::clone(separator)), Val::List(Rc::clone(items))])
        }
        ("*", Val::Text(value), Val::Number(times)) if matches!(lang, Lang::Ruby | Lang::Other(_)) => {
            repeat(value, *times)
        }
        ("x", Val::Text(_) | Val::Number(_), _) => match right.number() {
            Some(times) => repeat(&left.plain(), times.max(0)),
            None => Val::unknown("repeated text", left.provenance()),
        },
        ("%", Val::Text(_), _) if matches!(lang, Lang::Ruby | Lang::Other(_)) => {
            let arguments: Vec<Val> = std::iter::once(left.clone()).chain(right.items()).collect();
            super::texts::formatted(lang, &arguments)
        }
        ("^" | "|" | "&" | "<<" | ">>", ..) => bitwise(lang, op, left, right)
            .unwrap_or_else(|| Val::unknown("computed", left.provenance() | right.provenance())),
        _ => computed(lang, op, left, right),
    }
}

fn repeat(value: &Value, times: i64) -> Val {
    let Ok(times) = usize::try_from(times) else { return Val::unknown("repeated text", value.provenance) };
    match value.known() {
        Some(text) if text.len().saturating_mul(times) <= 4096 => {
            Val::value(Value::literal(text.repeat(times)).from(value.provenance))
        }
        Some(_) | None => Val::unknown("repeated text", value.provenance),
    }
}

/// After these it depends on what stands before them whether what follows runs.
const FORKS: &[&str] = &["?", "||", "&&", "??", "||=", "??=", "&&=", "//=", "and", "or", "xor", "//"];
const OPERATORS: &[&str] = &[
    "=", ":=", "<-", "||=", "??=", "&&=", "//=", "+=", ".=", "-=", "*=", "/=", "%=", "**=", "|=", "&=", "^=",
    "<<=", ">>=", "?", "=>", "|", "|&", "++", "--", "||", "&&", "??", "==", "!=", "===", "!==", "<", ">",
    "<=", ">=", "<=>", "=~", "!~", "<<", ">>", "&", "^", "|>", "<>", "//", "..", "~",
];
/// What stands among the names of places for one that takes what is left over.
const STAR: &str = "*";
/// Operators that bind tighter than the comma.
const TIGHT: &[&str] = &[
    "=",
    "?",
    "||",
    "&&",
    "??",
    "//",
    "^",
    "|",
    "&",
    "<<",
    ">>",
    "=~",
    "!~",
    "==",
    "!=",
    "===",
    "!==",
    "<",
    ">",
    "<=",
    ">=",
    "<=>",
    "eq",
    "ne",
    "lt",
    "gt",
    "le",
    "ge",
    "cmp",
    "instanceof",
];
/// Operators that work bit by bit.
const BITWISE: &[&str] = &["^", "|", "&", "<<", ">>", "~"];
const WORD_OPERATORS: &[&str] =
    &["and", "or", "xor", "eq", "ne", "lt", "gt", "le", "ge", "in", "instanceof", "cmp"];
