//! Expressions: strings, variables, brackets, members, operators.

use super::parser::Parser;
use super::{DEPTH_MOST, Item, LIST_MOST, Shell};
use crate::gap::{Position, Reason};
use crate::value::{Provenance, Value};

impl Shell<'_> {
    /// A value, with the operators that follow it.
    pub(super) fn expression(&mut self, parser: &mut Parser<'_>) -> Item {
        let mut left = if parser.at_expression() && parser.peek() != Some('-') {
            self.term(parser)
        } else {
            Item::default()
        };
        loop {
            parser.skip_blanks();
            let before = parser.pos;
            left = match parser.peek() {
                Some('+') => {
                    parser.advance();
                    parser.skip_blanks();
                    let right = self.term(parser);
                    joined(&left, &right)
                }
                Some(',') => {
                    parser.advance();
                    parser.skip_blanks();
                    let right = self.term(parser);
                    listed(left, &right)
                }
                Some('-') => match self.operator(parser, &left) {
                    Some(result) => result,
                    None => return left,
                },
                Some(_) | None => return left,
            };
            if parser.pos == before || self.stopped {
                return left;
            }
        }
    }

    /// `-join`, `-f`, `-replace` and the like.
    fn operator(&mut self, parser: &mut Parser<'_>, left: &Item) -> Option<Item> {
        let before = parser.pos;
        parser.advance();
        let name = parser.take_while(|c| c.is_ascii_alphabetic()).to_ascii_lowercase();
        if !OPERATORS.contains(&name.as_str()) {
            parser.pos = before;
            return None;
        }
        parser.skip_blanks();
        let mut right = self.term(parser);
        parser.skip_blanks();
        while parser.peek() == Some(',') {
            parser.advance();
            parser.skip_blanks();
            let next = self.term(parser);
            right = listed(right, &next);
            parser.skip_blanks();
        }
        Some(match name.as_str() {
            "as" => left.clone(),
            "join" if left.text.pieces.is_empty() && left.items.is_empty() => glue(&right, ""),
            "join" => glue(left, &right.known()),
            "f" => formatted(&left.known(), &right.all()),
            "replace" | "creplace" | "ireplace" => replaced(left, &right),
            "split" => split(left, &right),
            _ => Item::text(Value::unknown("computed", left.text.provenance | right.text.provenance)),
        })
    }

    /// A value with its members.
    pub(super) fn term(&mut self, parser: &mut Parser<'_>) -> Item {
        if self.depth >= DEPTH_MOST {
            self.stopped = true;
            self.sink.gap(Position::Code, Reason::Depth, "powershell");
            return Item::default();
        }
        self.depth += 1;
        let value = self.term_here(parser);
        self.depth -= 1;
        value
    }

    fn term_here(&mut self, parser: &mut Parser<'_>) -> Item {
        let mut value = self.primary(parser);
        loop {
            let before = parser.pos;
            let dotted = parser.peek() == Some('.') && parser.second().is_some_and(char::is_alphabetic);
            if parser.rest().starts_with("::") {
                // The name of a type, or one that was made.
                parser.pos += 2;
                let name = value.known().to_ascii_lowercase();
                let held = if value.object.is_empty() { &name } else { &value.object };
                let held = Item::object(held.strip_prefix("system.").unwrap_or(held));
                value = self.member(parser, &held);
            } else if dotted {
                parser.advance();
                value = self.member(parser, &value);
            } else if parser.peek() == Some('[') {
                let (index, at) = parser.bracketed();
                let index = if index.trim().starts_with('-') {
                    Item::text(Value::literal(index.trim()))
                } else {
                    self.run(index, at)
                };
                value = indexed(&value, &index);
            }
            if parser.pos == before || self.stopped {
                return value;
            }
        }
    }

    fn primary(&mut self, parser: &mut Parser<'_>) -> Item {
        if let Some(body) = parser.here_string() {
            return Item::text(Value::literal(body));
        }
        match parser.peek() {
            Some('\'') => Item::text(Value::literal(parser.single())),
            Some('"') => Item::text(self.double(parser)),
            Some('$') => self.variable(parser),
            Some('(') => {
                let (inner, at) = parser.bracketed();
                self.run(inner, at)
            }
            Some('@') => {
                parser.advance();
                match parser.peek() {
                    Some(open @ ('(' | '{')) => {
                        let (inner, at) = parser.bracketed();
                        let mut list = self.run(inner, at);
                        if open == '(' && list.items.is_empty() && !list.text.pieces.is_empty() {
                            list.items.push(list.text.clone());
                        }
                        list
                    }
                    Some(_) | None => Item::default(),
                }
            }
            Some('{') => {
                let (code, at) = parser.bracketed();
                Item { block: Some((code.to_owned(), at)), text: Value::literal(code), ..Item::default() }
            }
            Some('[') => self.typed(parser),
            Some(_) | None => Item::text(Value::literal(
                parser.take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '_')),
            )),
        }
    }

    /// A string in double quotes.
    pub(super) fn double(&mut self, parser: &mut Parser<'_>) -> Value {
        parser.pos += 1;
        let mut value = Value::default();
        while let Some(c) = parser.peek() {
            match c {
                '"' => {
                    parser.advance();
                    if parser.peek() != Some('"') {
                        break;
                    }
                    parser.advance();
                    value.push_str("\"");
                }
                '`' => {
                    parser.advance();
                    let escaped = parser.peek();
                    parser.advance();
                    match escaped {
                        Some('n') => value.push_str("\n"),
                        Some('t') => value.push_str("\t"),
                        Some('r') => value.push_str("\r"),
                        Some('0') | None => {}
                        Some(other) => value.push_str(other.encode_utf8(&mut [0; 4])),
                    }
                }
                '$' if !self.stopped => value.push(&self.variable(parser).text),
                _ => {
                    value.push_str(c.encode_utf8(&mut [0; 4]));
                    parser.advance();
                }
            }
        }
        value
    }

    /// `$x`, `${x}`, `$env:X`, `$(…)`.
    pub(super) fn variable(&mut self, parser: &mut Parser<'_>) -> Item {
        parser.pos += 1;
        if parser.peek() == Some('(') {
            let (inner, at) = parser.bracketed();
            return self.run(inner, at);
        }
        let name = if parser.peek() == Some('{') {
            parser.bracketed().0.to_ascii_lowercase()
        } else {
            let name = parser.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '?'));
            // `$type::Member` is a member of what the variable holds.
            let (own, member) = name.split_once("::").map_or((name, ""), |(own, member)| (own, member));
            let passed = if own.len() < name.len() { member.len() + 2 } else { 0 };
            parser.pos -= passed;
            own.to_ascii_lowercase()
        };
        if name.is_empty() {
            return Item::text(Value::literal("$"));
        }
        if let Some(found) = self.variables.get(&name) {
            let units = u32::try_from(1 + found.text.size() / 64).unwrap_or(u32::MAX);
            self.stopped |= self.sink.spend(units).is_err();
            return found;
        }
        Item::text(self.automatic(&name))
    }

    /// A variable that the script did not set.
    fn automatic(&mut self, name: &str) -> Value {
        match name {
            "home" | "env:home" | "env:userprofile" => Value::literal(self.sink.home()),
            "true" | "false" | "null" => Value::literal(name),
            "input" => self.sink.stdin(),
            _ => match name.strip_prefix("env:") {
                Some(variable) => self.sink.variable(&variable.to_ascii_uppercase()),
                None => Value::unknown(format!("${name}"), self.ambient()),
            },
        }
    }
}

const OPERATORS: &[&str] = &[
    "as", "join", "f", "replace", "creplace", "ireplace", "split", "bxor", "band", "bor", "eq", "ne", "gt",
    "lt", "ge", "le", "like", "notlike", "match", "notmatch", "and", "or", "as", "is", "in", "contains",
];

pub(super) fn listed(left: Item, right: &Item) -> Item {
    let mut items = left.items;
    if items.is_empty() {
        items.push(left.text.clone());
    }
    items.extend(right.all());
    items.truncate(LIST_MOST);
    Item { text: left.text, items, ..Item::default() }
}

pub(super) fn joined(left: &Item, right: &Item) -> Item {
    let mut text = left.text.clone();
    if text.size() > 1 << 16 {
        return Item::text(Value::unknown("long text", text.provenance));
    }
    text.push(&right.text);
    Item::text(text)
}

fn glue(list: &Item, between: &str) -> Item {
    let mut text = Value::default();
    for (index, item) in list.all().iter().enumerate() {
        if index > 0 {
            text.push_str(between);
        }
        text.push(item);
    }
    Item::text(text)
}

/// `"{1}{0}" -f "b", "a"`.
fn formatted(template: &str, values: &[Value]) -> Item {
    let mut text = Value::default();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (index, remaining) = after.split_once('}').unwrap_or((after, ""));
        let index = index.split([':', ',']).next().and_then(|index| index.trim().parse::<usize>().ok());
        match index.and_then(|index| values.get(index)) {
            Some(value) => text.push(value),
            None => text.push_str("{}"),
        }
        rest = remaining;
        if text.size() > 1 << 16 {
            return Item::text(Value::unknown("long text", text.provenance));
        }
    }
    text.push_str(rest);
    Item::text(text)
}

fn replaced(left: &Item, right: &Item) -> Item {
    let all = right.all();
    let from = all.first().and_then(Value::known).map(std::borrow::Cow::into_owned).unwrap_or_default();
    let to = all.get(1).and_then(Value::known).map(std::borrow::Cow::into_owned).unwrap_or_default();
    let from = from.replace('\\', "");
    match left.text.known() {
        Some(text) if !from.is_empty() && text.len() < 1 << 14 && to.len() < 64 => {
            Item::text(Value::literal(text.replace(&from, &to)))
        }
        Some(_) | None => Item::text(Value::unknown("replaced text", left.text.provenance)),
    }
}

fn split(left: &Item, right: &Item) -> Item {
    let separator = right.known();
    let text = left.known();
    let items: Vec<Value> = match separator.as_str() {
        "" => text.split_whitespace().take(LIST_MOST).map(Value::literal).collect(),
        _ => text.split(separator.as_str()).take(LIST_MOST).map(Value::literal).collect(),
    };
    Item { text: left.text.clone(), items, ..Item::default() }
}

/// `'abc'[-1..-3]` reverses; a list of places picks characters.
fn indexed(value: &Item, index: &Item) -> Item {
    let shown = index.text.shown();
    let characters: Vec<char> = value.known().chars().collect();
    let reversed = shown.starts_with('-') && shown.contains("..");
    if reversed {
        let items: Vec<Value> = characters.iter().rev().map(|c| Value::literal(*c)).collect();
        let text: String = characters.iter().rev().collect();
        return Item { text: Value::literal(text).from(Provenance::DECODED), items, ..Item::default() };
    }
    let picked: Option<Vec<Value>> = index
        .all()
        .iter()
        .map(|place| {
            place
                .known()
                .and_then(|place| place.trim().parse::<usize>().ok())
                .and_then(|place| characters.get(place))
        })
        .map(|c| c.map(|c| Value::literal(*c)))
        .collect();
    match picked {
        Some(items) => {
            let text: String = items.iter().map(Value::shown).collect();
            Item { text: Value::literal(text), items, ..Item::default() }
        }
        None => Item::text(Value::unknown("element", value.text.provenance)),
    }
}
