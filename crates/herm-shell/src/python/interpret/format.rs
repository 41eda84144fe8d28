//! Templates: `%`, `str.format` and the fields of f-strings.

use std::collections::VecDeque;
use std::rc::Rc;

use super::{Arguments, Interpreter, Object};
use crate::value::Provenance;

/// A conversion of a field; only what changes how text reads is kept.
pub(super) struct Format {
    kind: Option<char>,
    zeros: usize,
}

impl Format {
    pub(super) fn new(specification: &str) -> Self {
        let kind = specification.chars().last().filter(|kind| matches!(kind, 'x' | 'X' | 'o' | 'b' | 'c'));
        let digits: String = specification.chars().filter(char::is_ascii_digit).collect();
        let zeros = if digits.starts_with('0') { digits.parse().unwrap_or(0) } else { 0 };
        Self { kind, zeros }
    }

    fn number(&self, number: i64) -> String {
        let digits = match self.kind {
            Some('x') => format!("{number:x}"),
            Some('X') => format!("{number:X}"),
            Some('o') => format!("{number:o}"),
            Some('b') => format!("{number:b}"),
            Some('c') => {
                u32::try_from(number).ok().and_then(char::from_u32).map(String::from).unwrap_or_default()
            }
            Some(_) | None => number.to_string(),
        };
        let missing = self.zeros.min(64).saturating_sub(digits.len());
        format!("{}{digits}", "0".repeat(missing))
    }
}

impl Interpreter<'_> {
    pub(super) fn formatted(value: &Object, format: &Format) -> Object {
        match value {
            Object::Int(number) => Object::text(format.number(*number)),
            other => other.clone(),
        }
    }

    /// `"…" % values`.
    pub(super) fn percent(&mut self, template: &Object, values: &Object) -> Object {
        let Some(text) = template.known_text() else { return self.unknown_from("a text", values) };
        let mut values_left: VecDeque<Object> = match values {
            Object::Tuple(id) => self.heap.items(*id).iter().cloned().collect(),
            other => std::iter::once(other.clone()).collect(),
        };
        let mut parts = Vec::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('%') {
            parts.push(Object::text(before));
            let (name, after) = after
                .strip_prefix('(')
                .and_then(|named| named.split_once(')'))
                .map_or((None, after), |(name, after)| (Some(name), after));
            let length =
                after.find(|letter: char| letter.is_ascii_alphabetic() || letter == '%').unwrap_or(0);
            let (specification, tail) = after.split_at_checked(length).unwrap_or(("", after));
            let mut letters = tail.chars();
            match (letters.next(), name) {
                (Some('%'), _) => parts.push(Object::text("%")),
                (Some('r' | 'a'), None) => {
                    let value = values_left.pop_front().unwrap_or(Object::None);
                    parts.push(self.repr(&value));
                }
                (Some(kind), None) => {
                    let value = values_left.pop_front().unwrap_or(Object::None);
                    parts.push(Self::formatted(&value, &Format::new(&format!("{specification}{kind}"))));
                }
                (Some(_), Some(name)) => {
                    let value = self.item(values, &Object::text(name));
                    parts.push(value);
                }
                (None, _) => {}
            }
            rest = letters.as_str();
        }
        parts.push(Object::text(rest));
        let made = self.concatenate(&parts);
        self.tainted(made, template)
    }

    /// `"…".format(…)`.
    pub(super) fn format(&mut self, template: &str, arguments: &Arguments) -> Object {
        let mut parts = Vec::new();
        let (mut rest, mut next) = (template, 0_usize);
        while let Some(at) = rest.find(['{', '}']) {
            let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
            parts.push(Object::text(before));
            if let Some(tail) = after.strip_prefix("{{").or_else(|| after.strip_prefix("}}")) {
                parts.push(Object::text(if after.starts_with('{') { "{" } else { "}" }));
                rest = tail;
                continue;
            }
            let Some((field, tail)) = after.strip_prefix('{').and_then(|inner| inner.split_once('}')) else {
                rest = after.get(1..).unwrap_or_default();
                continue;
            };
            let (name, specification) = field.split_once(':').unwrap_or((field, ""));
            let (name, conversion) = name.split_once('!').unwrap_or((name, ""));
            let value = self.format_argument(name, &mut next, arguments);
            let value = if conversion == "r" { self.repr(&value) } else { value };
            parts.push(Self::formatted(&value, &Format::new(specification)));
            rest = tail;
        }
        parts.push(Object::text(rest));
        self.concatenate(&parts)
    }

    fn format_argument(&mut self, field: &str, next: &mut usize, arguments: &Arguments) -> Object {
        let end = field.find(['.', '[']).unwrap_or(field.len());
        let (name, path) = field.split_at_checked(end).unwrap_or((field, ""));
        let place = if name.is_empty() { Some(*next) } else { name.parse().ok() };
        *next += usize::from(name.is_empty());
        let base = match place {
            Some(place) => arguments.plain.get(place),
            None => arguments.named(name),
        };
        let base = base.cloned().unwrap_or_else(|| Object::unknown(field, Provenance::NONE));
        let steps = path.split(['.', '[', ']']).filter(|step| !step.is_empty());
        steps.fold(base, |object, step| match step.parse() {
            Ok(index) => self.item(&object, &Object::Int(index)),
            Err(_) if path.starts_with('[') => self.item(&object, &Object::text(step)),
            Err(_) => self.attribute(&object, &Rc::from(step)),
        })
    }

    /// `"…".format_map(…)`.
    pub(super) fn format_map(&mut self, text: &str, receiver: &Object, map: Option<&Object>) -> Object {
        let Some(Object::Dict(id)) = map else { return self.unknown_from("a text", receiver) };
        let entries = self.heap.entries(*id).iter();
        let named = entries.filter_map(|(key, value)| Some((Rc::from(key.known_text()?), value.clone())));
        let arguments = Arguments { named: named.collect(), ..Arguments::default() };
        self.format(text, &arguments)
    }
}
