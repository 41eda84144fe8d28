//! Lists, tuples and dictionaries.

use std::rc::Rc;

use super::super::library;
use super::{Arguments, Id, Interpreter, Object, any_of};
use crate::approvals::is_loosening;
use crate::value::{Piece, Provenance, Value};

/// The most items that a list is known by.
pub(super) const MAX_ITEMS: usize = 4096;

impl Interpreter<'_> {
    /// The lines on standard input, where they are known.
    pub(in crate::python) fn input_lines(&mut self) -> Option<Vec<Object>> {
        let stdin = self.stdin();
        let text = stdin.known().filter(|text| !text.is_empty())?;
        let lines = text.lines().map(|line| Object::value(Value::literal(line).from(stdin.provenance)));
        (text.lines().count() <= MAX_ITEMS).then(|| lines.collect())
    }

    /// What iterating gives, when that is known item by item.
    pub(in crate::python) fn elements(&mut self, object: &Object) -> Option<Vec<Object>> {
        if !self.spend_on(object) {
            return None;
        }
        match object {
            Object::List(id) | Object::Tuple(id) => Some(self.heap.items(*id).to_vec()),
            Object::Dict(id) => Some(self.heap.entries(*id).iter().map(|(key, _)| key.clone()).collect()),
            Object::Text(value) => {
                let text = value.known()?;
                let letters =
                    text.chars().take(MAX_ITEMS).map(|letter| Value::literal(letter).from(value.provenance));
                (text.len() <= MAX_ITEMS).then(|| letters.map(Object::value).collect())
            }
            Object::Bytes(bytes, _) => (bytes.len() <= MAX_ITEMS)
                .then(|| bytes.iter().map(|&byte| Object::Int(i64::from(byte))).collect()),
            Object::Library(name) if &**name == "os.environ" => Some(vec![self.environment_thing()]),
            Object::Library(name) if matches!(&**name, "sys.stdin" | "sys.stdin.buffer") => {
                self.input_lines()
            }
            Object::Thing(id) => self.thing_elements(*id),
            Object::Instance(_) => {
                let items = self.call_member(object, "__iter__", Arguments::default())?;
                if matches!(items, Object::Instance(_)) { None } else { self.elements(&items) }
            }
            Object::Library(_)
            | Object::Bool(_)
            | Object::Class(_)
            | Object::Function(_)
            | Object::Int(_)
            | Object::Method(_)
            | Object::None
            | Object::OneOf(_)
            | Object::Partial(_)
            | Object::Path(_)
            | Object::Unknown(_) => None,
        }
    }

    pub(in crate::python) fn extend_list(&mut self, id: Id, more: Vec<Object>) {
        if !self.spend(more.len() / 4) {
            return;
        }
        if let Some(items) = self.heap.items_mut(id) {
            items.extend(more);
            bound(items);
        }
    }

    pub(super) fn collection_method(
        &mut self,
        receiver: &Object,
        name: &str,
        arguments: &Arguments,
    ) -> Object {
        match receiver {
            Object::List(id) | Object::Tuple(id) => self.list_method(*id, name, arguments),
            Object::Dict(id) => self.dict_method(*id, name, arguments),
            other => self.call_unknown(other, arguments),
        }
    }

    fn list_method(&mut self, id: Id, name: &str, arguments: &Arguments) -> Object {
        let first = arguments.plain.first().cloned();
        match name {
            "append" | "add" | "put" | "appendleft" => self.extend_list(id, first.into_iter().collect()),
            "extend" | "update" => {
                let Some(first) = first else { return Object::None };
                let more = self.elements(&first).unwrap_or_else(|| vec![first]);
                self.extend_list(id, more);
            }
            "insert" => {
                let at = first.and_then(|at| at.int()).and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
                if let (Some(items), Some(item)) = (self.heap.items_mut(id), arguments.plain.get(1)) {
                    items.insert(at.min(items.len()), item.clone());
                    bound(items);
                }
            }
            "reverse" => {
                if let Some(items) = self.heap.items_mut(id) {
                    items.reverse();
                }
            }
            "copy" | "__iter__" | "union" => {
                let items = self.heap.items(id).to_vec();
                return self.heap.list(items);
            }
            "pop" | "popleft" | "get" | "__next__" | "__getitem__" => {
                let list = Object::List(id);
                return match first {
                    Some(index) => self.item(&list, &index),
                    None => self
                        .heap
                        .items(id)
                        .last()
                        .cloned()
                        .unwrap_or_else(|| Object::unknown("an item", Provenance::NONE)),
                };
            }
            "clear" => {
                if let Some(items) = self.heap.items_mut(id) {
                    items.clear();
                }
            }
            "sort" | "remove" | "discard" => {}
            _ => return self.call_unknown(&Object::List(id), arguments),
        }
        Object::None
    }

    fn dict_method(&mut self, id: Id, name: &str, arguments: &Arguments) -> Object {
        let entries = self.heap.entries(id).to_vec();
        match name {
            "get" | "pop" | "setdefault" | "__getitem__" => {
                let key = arguments.plain.first().cloned().unwrap_or(Object::None);
                let default = arguments.plain.get(1).cloned();
                match entries.iter().rev().find(|(found, _)| *found == key) {
                    Some((_, value)) => value.clone(),
                    None if key.known_text().is_some() => default.unwrap_or(Object::None),
                    None => self.item(&Object::Dict(id), &key),
                }
            }
            "keys" => self.heap.list(entries.into_iter().map(|(key, _)| key).collect()),
            "values" => self.heap.list(entries.into_iter().map(|(_, value)| value).collect()),
            "items" => {
                let pairs: Vec<Object> =
                    entries.into_iter().map(|(key, value)| self.heap.tuple(vec![key, value])).collect();
                self.heap.list(pairs)
            }
            "copy" => self.heap.dict(entries),
            "update" => {
                if let Some(Object::Dict(other)) = arguments.plain.first() {
                    let more = self.heap.entries(*other).to_vec();
                    if let Some(entries) = self.heap.entries_mut(id) {
                        entries.extend(more);
                    }
                }
                for (name, value) in &arguments.named {
                    self.set_item(&Object::Dict(id), &Object::text(&**name), value.clone());
                }
                Object::None
            }
            _ => self.call_unknown(&Object::Dict(id), arguments),
        }
    }

    /// `object[index]`.
    pub(in crate::python) fn item(&mut self, object: &Object, index: &Object) -> Object {
        match object {
            Object::List(id) | Object::Tuple(id) => {
                let items = self.heap.items(*id);
                let found = index.int().and_then(|at| items.get(place(at, items.len())?)).cloned();
                found.unwrap_or_else(|| self.part_of(object))
            }
            Object::Dict(id) => {
                self.spend(self.heap.entries(*id).len() / 16);
                let entries = self.heap.entries(*id);
                if let Some((_, value)) = entries.iter().rev().find(|(key, _)| key == index) {
                    return value.clone();
                }
                let values: Vec<Object> = entries.iter().map(|(_, value)| value.clone()).collect();
                if values.is_empty() || !self.spend(values.len() / 2) {
                    return Object::unknown("an item", Provenance::NONE);
                }
                any_of(&values)
            }
            Object::Text(value) => {
                let letter = value.known().and_then(|text| {
                    let letters: Vec<char> = text.chars().collect();
                    letters.get(place(index.int()?, letters.len())?).copied()
                });
                let provenance = value.provenance;
                letter.map_or_else(
                    || self.unknown_from("a letter", object),
                    |letter| Object::value(Value::literal(letter).from(provenance)),
                )
            }
            Object::Bytes(bytes, _) => {
                let byte = index.int().and_then(|at| bytes.get(place(at, bytes.len())?));
                byte.map_or_else(|| self.unknown_from("a byte", object), |&byte| Object::Int(i64::from(byte)))
            }
            Object::Library(name) => self.library_item(&Rc::clone(name), index),
            Object::OneOf(choices) => {
                let found: Vec<Object> = choices.iter().map(|choice| self.item(choice, index)).collect();
                found.into_iter().reduce(Object::or).unwrap_or(Object::None)
            }
            Object::Thing(id) => self.thing_item(*id, index),
            Object::Instance(_) => self
                .call_member(object, "__getitem__", Arguments::of(vec![index.clone()]))
                .or_else(|| self.call_member(object, "__missing__", Arguments::of(vec![index.clone()])))
                .unwrap_or_else(|| match index.known_text() {
                    // `self.__dict__["name"]`.
                    Some(name) => self.attribute(object, &Rc::from(name)),
                    None => Object::unknown("an item", Provenance::NONE),
                }),
            Object::Class(_) => self
                .call_member(object, "__class_getitem__", Arguments::of(vec![index.clone()]))
                .unwrap_or_else(|| object.clone()),
            Object::Bool(_)
            | Object::Function(_)
            | Object::Int(_)
            | Object::Method(_)
            | Object::None
            | Object::Partial(_)
            | Object::Path(_)
            | Object::Unknown(_) => {
                let shown = format!("{}[{}]", self.text_of(object).shown(), self.text_of(index).shown());
                Object::unknown(&shown, self.provenance(object))
            }
        }
    }

    /// Subscripts of modules, of their dictionaries, and of `os.environ`.
    fn library_item(&mut self, name: &Rc<str>, index: &Object) -> Object {
        let known = index.known_text();
        match (&**name, known) {
            ("os.environ", Some(variable)) => Object::value(self.variable(&variable)),
            ("os.environ", None) => Object::unknown("a variable", Provenance::OUTSIDE),
            ("sys.modules", Some(module)) => Object::Library(library::canonical(&module)),
            ("globals", Some(text)) => self.global_named(&text),
            ("builtins.object", _) => Object::Library(Rc::clone(name)),
            (_, known) => match self.bound_command(name, index) {
                Some(command) => command,
                None if known.is_some() => self.attribute_named(&Object::Library(Rc::clone(name)), index),
                None => {
                    let beginning = super::escapes::beginning(index);
                    self.unknown_attribute(&Object::Library(Rc::clone(name)), &beginning)
                }
            },
        }
    }

    /// `globals()["x"]`, of the program or of a function of a library.
    fn global_named(&mut self, text: &str) -> Object {
        let name: Rc<str> = Rc::from(text);
        match self.lookup(&name) {
            Some(object) => object,
            None if text == "__builtins__" => Object::library("builtins"),
            None if library::is_builtin(text) => Object::library(&format!("builtins.{text}")),
            None if library::is_module(text) => Object::Library(library::canonical(text)),
            None => Object::Library(library::canonical(&format!("os.{text}"))),
        }
    }

    /// `object[low:high:step]`.
    pub(super) fn sliced(&mut self, object: &Object, bounds: &Object) -> Object {
        let Object::Tuple(id) = bounds else { return Object::None };
        let bounds: Vec<Object> = self.heap.items(*id).to_vec();
        let known = bounds.iter().all(|bound| matches!(bound, Object::Int(_) | Object::None));
        let numbers: Vec<Option<i64>> = bounds.iter().map(Object::int).collect();
        let reversed = numbers.get(2).copied().flatten().is_some_and(|step| step < 0);
        if let Object::OneOf(choices) = object {
            let slice = self.heap.tuple(bounds);
            let found: Vec<Object> = choices.iter().map(|choice| self.sliced(choice, &slice)).collect();
            return found.into_iter().reduce(Object::or).unwrap_or(Object::None);
        }
        let decoded = if reversed { Provenance::DECODED } else { Provenance::NONE };
        match object {
            Object::Text(value) if known => match value.known() {
                Some(text) => {
                    let letters: Vec<char> = text.chars().collect();
                    let taken: String = taken(&letters, &numbers).into_iter().collect();
                    Object::value(Value::literal(taken).from(value.provenance | decoded))
                }
                None => Self::sliced_unknown(value, &numbers),
            },
            Object::Bytes(bytes, from) if known => {
                Object::Bytes(taken(bytes, &numbers).into(), *from | decoded)
            }
            Object::List(id) | Object::Tuple(id) if known => {
                let items = taken(self.heap.items(*id), &numbers);
                self.heap.list(items)
            }
            Object::List(_) | Object::Tuple(_) => object.clone(),
            other => self.unknown_from("a part", other),
        }
    }

    /// `"prefix…"[n:]` of a text that is partly known stays as unknown as it is.
    fn sliced_unknown(value: &Value, numbers: &[Option<i64>]) -> Object {
        let whole = numbers.iter().all(Option::is_none);
        let globs = value.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_)));
        if whole || globs {
            Object::value(value.clone())
        } else {
            Object::unknown("a part", value.provenance)
        }
    }

    pub(super) fn set_item(&mut self, object: &Object, index: &Object, value: Object) {
        match object {
            Object::Dict(id) => {
                self.spend(self.heap.entries(*id).len() / 16);
                if let Some(entries) = self.heap.entries_mut(*id) {
                    match entries.iter_mut().find(|(key, _)| key == index) {
                        Some((_, old)) => *old = value,
                        None => entries.push((index.clone(), value)),
                    }
                }
            }
            Object::List(id) => {
                if let (Some(at), Some(items)) = (index.int(), self.heap.items_mut(*id)) {
                    let length = items.len();
                    if let Some(item) = place(at, length).and_then(|at| items.get_mut(at)) {
                        *item = value;
                    }
                }
            }
            Object::Instance(_) => {
                let given = Arguments::of(vec![index.clone(), value.clone()]);
                if self.call_member(object, "__setitem__", given).is_none()
                    && let Some(name) = index.known_text()
                {
                    self.set_attribute(object, &Rc::from(name), value);
                }
            }
            Object::Library(name) if &**name == "os.environ" => {
                if let Some(variable) = index.known_text() {
                    let value = self.text_of(&value);
                    self.set_variable(&variable, &value);
                }
            }
            // What a copy of it holds is for a program that is started with it.
            Object::Thing(id) if self.heap.thing_at(*id).is_some_and(|thing| &*thing.class == "environ") => {
                if let Some(variable) = index.known_text().filter(|name| is_loosening(name)) {
                    let value = self.text_of(&value);
                    self.set_variable(&variable, &value);
                }
            }
            Object::Library(name) if &**name == "globals" => {
                if let Some(text) = index.known_text() {
                    self.bind(&Rc::from(text), value);
                }
            }
            _ => {}
        }
    }
}

/// Of a list that is too long, what is behind the limit is any one of them.
pub(super) fn bound(items: &mut Vec<Object>) {
    if items.len() > MAX_ITEMS {
        let any = any_of(items.get(MAX_ITEMS - 1..).unwrap_or_default());
        items.truncate(MAX_ITEMS - 1);
        items.push(any);
    }
}

/// The place that an index means, counted from the end when it is negative.
fn place(at: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    usize::try_from(if at < 0 { at + length } else { at }).ok()
}

/// A slice, as Python takes it.
fn taken<T: Clone>(items: &[T], bounds: &[Option<i64>]) -> Vec<T> {
    let bound = |at: usize| bounds.get(at).copied().flatten();
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let step = bound(2).unwrap_or(1);
    let (least, most) = if step < 0 { (-1, length - 1) } else { (0, length) };
    let clamp = |at: i64| (if at < 0 { at.saturating_add(length) } else { at }).clamp(least, most);
    let (low, high) = if step < 0 {
        (bound(0).map_or(length - 1, clamp), bound(1).map_or(-1, clamp))
    } else {
        (bound(0).map_or(0, clamp), bound(1).map_or(length, clamp))
    };
    let mut found = Vec::new();
    let mut at = low;
    while step != 0 && (if step < 0 { at > high } else { at < high }) {
        found.extend(usize::try_from(at).ok().and_then(|at| items.get(at)).cloned());
        at = at.saturating_add(step);
    }
    found
}
