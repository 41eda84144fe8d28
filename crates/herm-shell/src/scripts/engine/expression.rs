//! Expressions: joining texts, arithmetic, assignment.

use std::rc::Rc;

use super::val::{TEXT_MOST, size};
use super::{Reader, Val};
use crate::lang::Lang;
use crate::scripts::scanner::Kind;
use crate::value::Value;

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
                "+=" | ".=" | "<<=" | "..=" => self.appending(&left, is_certain),
                // Ruby's text grows where it is.
                "<<" if self.grows(&left) => self.growing(&left, is_certain),
                "?" => self.choice(),
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
        let before = self.earlier_places();
        let targets = if place.is_none() { self.bracketed_targets() } else { None };
        let right = self.expression();
        if let Some(name) = place.as_ref().filter(|_| self.naming) {
            return Val::Pair(Rc::new((name.clone(), right)));
        }
        for name in before {
            self.assign_when(&name, right.clone(), is_certain);
        }
        match (place, left) {
            (Some(place), _) => self.assign_when(&place, right.clone(), is_certain),
            (None, Val::List(_)) if targets.is_some() => {
                self.destructure(&targets.unwrap_or_default(), &right, is_certain);
            }
            (None, Val::List(targets)) => self.destructure(&targets.clone(), &right, is_certain),
            (None, _) => {}
        }
        right
    }

    /// The places before the last one in `a, b = …`, whose sign was just passed: which value is whose is not known.
    fn earlier_places(&self) -> Vec<String> {
        let mut names = Vec::new();
        if !matches!(self.lang(), Lang::Lua | Lang::Ruby | Lang::Other(_)) || self.naming {
            return names;
        }
        let mut at = self.pos.saturating_sub(3);
        while names.len() < 4 && self.tokens.get(at).is_some_and(|token| token.is(",")) {
            let Some(name) =
                at.checked_sub(1).and_then(|at| self.tokens.get(at)).and_then(|token| token.name())
            else {
                break;
            };
            names.push(name.to_owned());
            at = at.saturating_sub(2);
        }
        names
    }

    pub(in crate::scripts) fn assign(&mut self, place: &str, val: Val) {
        let is_certain = self.is_certain();
        self.assign_when(place, val, is_certain);
    }

    fn assign_when(&mut self, place: &str, val: Val, is_certain: bool) {
        if let Some((whole, name)) = place.rsplit_once('.')
            && self.language.environment.contains(&self.plain_path(whole))
        {
            self.sink.set_variable(name, &val.plain());
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

    /// `x += …`: joins, when `x` is a text.
    fn appending(&mut self, left: &Val, is_certain: bool) -> Val {
        let place = self.place.take();
        let right = self.expression();
        let known = place.as_ref().is_none_or(|place| self.vars.contains_key(place));
        let joined = if known { self.join(left, &right) } else { right };
        if let Some(place) = place {
            self.assign_when(&place, joined.clone(), is_certain);
        }
        joined
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
            self.assign_when(&place, grown.clone(), is_certain);
        }
        grown
    }

    /// `a ? b : c`: either.
    fn choice(&mut self) -> Val {
        let first = self.expression();
        if !self.eat(":") {
            return first;
        }
        let second = self.expression();
        self.place = None;
        first.either(&second)
    }

    fn forget_place(&mut self) -> Val {
        let place = self.place.take().unwrap_or_default();
        self.counters.insert(place.clone());
        Val::name(&place)
    }

    fn operation(&mut self, op: &str, left: &Val) -> Val {
        if op == "|>" {
            self.piped = Some(left.clone());
        }
        let right = self.sum();
        if matches!(self.lang(), Lang::Perl | Lang::Php)
            && let Some(text) = bitwise(op, left, &right)
        {
            return text;
        }
        match (op, left.number(), right.number()) {
            ("^", Some(a), Some(b)) => return Val::Number(a ^ b),
            ("&", Some(a), Some(b)) => return Val::Number(a & b),
            ("|", Some(a), Some(b)) => return Val::Number(a | b),
            ("<<", ..) if matches!(left, Val::Text(_)) => return self.join(left, &right),
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
                return if left.known().is_some_and(|text| text.is_empty()) {
                    right
                } else {
                    self.one_of(op, left, right)
                };
            }
            _ => {}
        }
        Val::unknown("computed", left.provenance() | right.provenance())
    }

    /// Sums and joined texts.
    pub(super) fn sum(&mut self) -> Val {
        let mut left = self.term();
        loop {
            let Some(token) = self.peek() else { return left };
            if self.joins_here() {
                let right = self.term();
                left = self.join(&left, &right);
                continue;
            }
            let Kind::Op(op) = token.kind else { return left };
            let concat = self.language.profile.concat.contains(&op);
            if !concat && !matches!(op, "+" | "-") {
                return left;
            }
            self.pos += 1;
            let right = self.term();
            self.place = None;
            left = match (op, &left, &right) {
                ("+", Val::Number(a), Val::Number(b)) => Val::Number(a.wrapping_add(*b)),
                ("-", ..) => difference(&left, &right),
                _ => self.join(&left, &right),
            };
        }
    }

    /// Whether the next token is joined to what stands before it just by standing there.
    fn joins_here(&self) -> bool {
        let Some(token) = self.peek() else { return false };
        let value = matches!(token.kind, Kind::Text(_) | Kind::Var(_) | Kind::Number(_) | Kind::Op("("))
            || token.name().is_some_and(|name| !BETWEEN.contains(&name));
        self.language.profile.juxtaposed && value
    }

    /// Products.
    fn term(&mut self) -> Val {
        let mut left = self.unary();
        loop {
            let op = match self.peek().map(|token| &token.kind) {
                Some(Kind::Op(op @ ("*" | "/" | "%" | "**"))) => *op,
                Some(Kind::Name(name)) if name == "x" && self.lang() == Lang::Perl => "x",
                Some(_) | None => return left,
            };
            self.pos += 1;
            let right = self.unary();
            self.place = None;
            left = Self::product(op, &left, &right);
        }
    }

    fn product(op: &str, left: &Val, right: &Val) -> Val {
        match (op, left, right) {
            ("*", Val::List(_), Val::Text(_)) => super::pure::join(&[left.clone(), right.clone()]),
            ("*" | "x", Val::Text(value), Val::Number(times)) => repeat(value, *times),
            ("*", Val::Number(a), Val::Number(b)) => Val::Number(a.wrapping_mul(*b)),
            ("/", Val::Number(a), Val::Number(b)) if *b != 0 => Val::Number(a.wrapping_div(*b)),
            ("%", Val::Number(a), Val::Number(b)) if *b != 0 => Val::Number(a.wrapping_rem(*b)),
            ("%", Val::Text(_), _) => {
                let arguments: Vec<Val> = std::iter::once(left.clone()).chain(right.items()).collect();
                super::pure::format(&arguments)
            }
            _ => Val::unknown("computed", left.provenance() | right.provenance()),
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
        let mut joined = self.text(left);
        let right = self.text(right);
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

/// Perl's and PHP's `^`, `|` and `&` of two texts work letter by letter.
fn bitwise(op: &str, left: &Val, right: &Val) -> Option<Val> {
    let (Val::Text(_), Val::Text(_)) = (left, right) else { return None };
    let change: fn(u8, u8) -> u8 = match op {
        "^" => |one, other| one ^ other,
        "|" => |one, other| one | other,
        "&" => |one, other| one & other,
        _ => return None,
    };
    let data = left.provenance() | right.provenance();
    let (Some(one), Some(other)) = (left.known(), right.known()) else {
        return Some(Val::unknown("computed", data));
    };
    if !one.is_ascii() || !other.is_ascii() || one.len() != other.len() {
        return Some(Val::unknown("computed", data));
    }
    let letters = one.bytes().zip(other.bytes()).map(|(one, other)| char::from(change(one, other)));
    Some(Val::value(Value::literal(letters.collect::<String>()).from(data)))
}

fn difference(left: &Val, right: &Val) -> Val {
    match (left.number(), right.number()) {
        (Some(a), Some(b)) => Val::Number(a.wrapping_sub(b)),
        (Some(_) | None, _) => Val::unknown("computed", left.provenance() | right.provenance()),
    }
}

fn repeat(value: &Value, times: i64) -> Val {
    let times = usize::try_from(times).unwrap_or(0);
    match value.known() {
        Some(text) if text.len().saturating_mul(times) <= 4096 => Val::text(text.repeat(times)),
        Some(_) | None => Val::unknown("repeated text", value.provenance),
    }
}

/// After these it depends on what stands before them whether what follows runs.
const FORKS: &[&str] = &["?", "||", "&&", "??", "||=", "??=", "&&=", "//=", "and", "or", "xor", "//"];
const OPERATORS: &[&str] = &[
    "=", ":=", "<-", "||=", "??=", "&&=", "//=", "+=", ".=", "<<=", "?", "=>", "|", "|&", "++", "--", "||",
    "&&", "??", "==", "!=", "===", "!==", "<", ">", "<=", ">=", "<=>", "=~", "!~", "<<", ">>", "&", "^",
    "|>", "<>", "//", "..",
];
const WORD_OPERATORS: &[&str] =
    &["and", "or", "xor", "eq", "ne", "lt", "gt", "le", "ge", "in", "instanceof", "cmp"];
