//! Expressions.

use std::rc::Rc;

use super::super::ast::{Argument, Clause, Comprehension, Expression, Node, Step, TextPart, Trailer, Unary};
use super::collections::MAX_ITEMS;
use super::format::Format;
use super::{Arguments, Interpreter, Object};
use crate::value::Provenance;

impl Interpreter<'_> {
    pub(super) fn evaluate(&mut self, expression: &Expression) -> Object {
        if self.is_too_nested() || !self.spend(1) {
            return Object::unknown("something", Provenance::NONE);
        }
        self.depth += 1;
        let object = self.node(expression);
        self.depth -= 1;
        object
    }

    fn node(&mut self, expression: &Expression) -> Object {
        match &expression.kind {
            Node::Await(inner) | Node::Starred(inner) => self.evaluate(inner),
            Node::Binary(first, rest) => {
                let mut object = self.evaluate(first);
                for (operator, other) in rest {
                    let other = self.evaluate(other);
                    object = self.binary(&object, *operator, &other);
                }
                object
            }
            Node::Bool(truth) => Object::Bool(*truth),
            Node::Bytes(bytes) => Object::Bytes(Rc::clone(bytes), Provenance::NONE),
            Node::Choice(items) => self.choice(items),
            Node::Compare(first, rest) => self.comparison(first, rest),
            Node::Comprehension(comprehension) => self.comprehension(comprehension),
            Node::Conditional(parts) => {
                let [test, yes, no] = &**parts;
                match self.test(test) {
                    Some(true) => self.evaluate(yes),
                    Some(false) => self.evaluate(no),
                    None => self.doubtfully(|this| this.evaluate(yes).or(this.evaluate(no))),
                }
            }
            Node::Dict(items) => self.dictionary(items),
            Node::Ellipsis => Object::library("builtins.Ellipsis"),
            Node::Float => Object::unknown("a number", Provenance::NONE),
            Node::Int(number) => Object::Int(*number),
            Node::Lambda(function) => {
                let function = self.closure(function);
                self.heap.mention(&function);
                function
            }
            Node::List(items) | Node::Set(items) => {
                let items = self.items(items);
                self.heap.list(items)
            }
            Node::Name(name) => {
                let object = self.name(name);
                self.takes(&object);
                object
            }
            Node::None => Object::None,
            Node::Slice(bounds) => {
                let bounds = bounds
                    .iter()
                    .map(|bound| bound.as_ref().map_or(Object::None, |bound| self.evaluate(bound)));
                let bounds = bounds.collect();
                self.heap.tuple(bounds)
            }
            Node::Text(parts) => self.text_parts(parts),
            Node::Trail(base, trailers) => self.trail(base, trailers),
            Node::Tuple(items) => {
                let items = self.items(items);
                self.heap.tuple(items)
            }
            Node::Unary(sign, inner) => self.unary(*sign, inner),
            Node::Walrus(name, value) => {
                let value = self.evaluate(value);
                self.bind(name, value.clone());
                value
            }
            Node::Yield(value) => {
                let value = value.as_ref().map_or(Object::None, |value| self.evaluate(value));
                if self.yielded.len() < MAX_ITEMS {
                    self.yielded.push(value);
                } else if let Some(last) = self.yielded.last_mut() {
                    *last = last.clone().or(value);
                }
                Object::unknown("yield", Provenance::NONE)
            }
        }
    }

    fn items(&mut self, items: &[Expression]) -> Vec<Object> {
        let mut objects = Vec::with_capacity(items.len());
        for item in items {
            let object = self.evaluate(item);
            if matches!(item.kind, Node::Starred(_)) {
                match self.elements(&object) {
                    Some(elements) => objects.extend(elements),
                    None => objects.push(object),
                }
            } else {
                objects.push(object);
            }
        }
        objects
    }

    fn choice(&mut self, items: &[Expression]) -> Object {
        let mut result: Option<Object> = None;
        for item in items {
            result = Some(match result {
                Some(earlier) => earlier.or(self.doubtfully(|this| this.evaluate(item))),
                None => self.evaluate(item),
            });
        }
        result.unwrap_or(Object::None)
    }

    fn dictionary(&mut self, items: &[(Option<Expression>, Expression)]) -> Object {
        let mut entries = Vec::with_capacity(items.len());
        for (key, value) in items {
            let key = key.as_ref().map(|key| self.evaluate(key));
            let value = self.evaluate(value);
            match (key, &value) {
                (Some(key), _) => entries.push((key, value)),
                (None, Object::Dict(id)) if self.spend_on(&value) => {
                    entries.extend(self.heap.entries(*id).iter().cloned());
                }
                (None, _) => entries.push((Object::unknown("a key", Provenance::NONE), value)),
            }
        }
        self.heap.dict(entries)
    }

    fn text_parts(&mut self, parts: &[TextPart]) -> Object {
        let mut objects = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                TextPart::Literal(text) => objects.push(Object::text(text.as_str())),
                TextPart::Field(value, format) => {
                    let value = self.evaluate(value);
                    let format = self.text_parts_known(format);
                    objects.push(Self::formatted(&value, &Format::new(&format)));
                }
            }
        }
        self.concatenate(&objects)
    }

    fn text_parts_known(&mut self, parts: &[TextPart]) -> String {
        if parts.is_empty() {
            return String::new();
        }
        self.text_parts(parts).known_text().unwrap_or_default()
    }

    fn unary(&mut self, sign: Unary, inner: &Expression) -> Object {
        if sign == Unary::Not {
            return self
                .test(inner)
                .map_or_else(|| Object::unknown("not", Provenance::NONE), |truth| Object::Bool(!truth));
        }
        let object = self.evaluate(inner);
        let number = object.int().and_then(|number| match sign {
            Unary::Minus => number.checked_neg(),
            Unary::Invert => Some(!number),
            Unary::Plus | Unary::Not => Some(number),
        });
        number.map_or_else(|| self.unknown_from("a number", &object), Object::Int)
    }

    /// A comprehension is a loop that collects.
    fn comprehension(&mut self, comprehension: &Comprehension) -> Object {
        let scope = self.heap.scope(Some(self.scope));
        let outer = std::mem::replace(&mut self.scope, scope);
        let mut found = Vec::new();
        self.clauses(&comprehension.clauses, comprehension, &mut found);
        self.scope = outer;
        if comprehension.value.is_some() {
            return self.heap.dict(found);
        }
        let items = found.into_iter().map(|(item, _)| item).collect();
        self.heap.list(items)
    }

    fn clauses(&mut self, clauses: &[Clause], whole: &Comprehension, found: &mut Vec<(Object, Object)>) {
        let Some((clause, rest)) = clauses.split_first() else {
            let element = self.evaluate(&whole.element);
            let value = whole.value.as_ref().map_or(Object::None, |value| self.evaluate(value));
            found.push((element, value));
            return;
        };
        let items = self.evaluate(&clause.items);
        let turns = match self.elements(&items) {
            Some(elements) => elements,
            None => vec![self.part_of(&items)],
        };
        self.each(turns, |this, item| {
            this.assign(&clause.target, item);
            let mut holds = true;
            for condition in &clause.conditions {
                holds &= this.test(condition) != Some(false);
                this.narrow(condition);
            }
            if holds {
                this.clauses(rest, whole, found);
            }
        });
    }

    /// An expression with its attributes, calls and subscripts.
    pub(super) fn trail(&mut self, base: &Expression, trailers: &[Trailer]) -> Object {
        let mut object = match &base.kind {
            // What is done with it comes next.
            Node::Name(name) if !trailers.is_empty() => self.name(name),
            _ => self.evaluate(base),
        };
        let mut steps = trailers.iter().peekable();
        while let Some(trailer) = steps.next() {
            object = match &trailer.kind {
                Step::Attribute(name) => {
                    self.span = self.place(trailer.span);
                    let object = self.attribute(&object, name);
                    match steps.peek().map(|next| &next.kind) {
                        Some(Step::Call(_)) => self.calls_in_place(&object),
                        Some(Step::Attribute(_)) => {}
                        Some(Step::Subscript(_)) | None => self.takes(&object),
                    }
                    object
                }
                Step::Call(arguments) => {
                    let arguments = self.arguments(arguments);
                    self.call(&object, arguments, trailer.span)
                }
                Step::Subscript(index) => {
                    let index_object = self.evaluate(index);
                    self.span = self.place(trailer.span);
                    let slice = matches!(index.kind, Node::Slice(_));
                    if slice {
                        self.sliced(&object, &index_object)
                    } else {
                        self.item(&object, &index_object)
                    }
                }
            };
        }
        object
    }

    /// Text that was computed has no place of its own: what it does stands where it is run.
    pub(super) fn place(&self, span: crate::span::Span) -> crate::span::Span {
        if self.elsewhere == 0 { span } else { self.span }
    }

    pub(super) fn arguments(&mut self, arguments: &[Argument]) -> Arguments {
        let mut result = Arguments::default();
        for argument in arguments {
            match argument {
                Argument::Plain(value) => {
                    let object = self.evaluate(value);
                    let starred = matches!(value.kind, Node::Starred(_));
                    match (starred, if starred { self.elements(&object) } else { None }) {
                        (true, Some(elements)) => result.plain.extend(elements),
                        (true, None) => {
                            result.open = true;
                            result.plain.push(object);
                        }
                        (false, _) => result.plain.push(object),
                    }
                }
                Argument::Named(name, value) => {
                    let object = self.evaluate(value);
                    result.named.push((Rc::clone(name), object));
                }
                Argument::Keywords(value) => {
                    let object = self.evaluate(value);
                    self.keywords(&object, &mut result);
                }
            }
        }
        result
    }

    fn keywords(&mut self, object: &Object, result: &mut Arguments) {
        let Object::Dict(id) = object else {
            result.open = true;
            return;
        };
        if !self.spend_on(object) {
            return;
        }
        for (key, value) in self.heap.entries(*id).to_vec() {
            match key.known_text() {
                Some(name) => result.named.push((Rc::from(name), value)),
                None => result.open = true,
            }
        }
    }
}
