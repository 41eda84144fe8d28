//! Statements.

use super::super::ast::{
    Action, Argument, Block, Body, Class, Expression, Function, Node, Operator, Statement, Step, TextPart,
};
use super::branches::truth_of_test;
use super::object::{Class as ClassObject, Closure, Used};
use super::{Annotations, Arguments, Flow, Interpreter, Object, any_of};
use crate::value::Provenance;

use std::rc::Rc;

/// Where a class keeps what it is made by. No member has such a name.
const MAKER: &str = "made by";

impl Interpreter<'_> {
    pub(super) fn block(&mut self, body: &Block) -> Flow {
        for statement in body {
            if self.statement(statement) == Flow::Leave {
                return Flow::Leave;
            }
        }
        Flow::Next
    }

    fn statement(&mut self, statement: &Statement) -> Flow {
        if self.is_too_nested() || !self.spend(1) {
            return Flow::Leave;
        }
        self.depth += 1;
        let flow = self.action(statement);
        self.depth -= 1;
        flow
    }

    fn action(&mut self, statement: &Statement) -> Flow {
        self.span = self.place(statement.span);
        match &statement.kind {
            Action::Annotate { target, annotation, value } => {
                self.annotate(target, annotation, value.as_ref());
            }
            Action::Assert(values) | Action::Delete(values) => {
                for value in values {
                    self.evaluate(value);
                }
            }
            Action::Raise(values) => {
                for value in values {
                    let raised = self.evaluate(value);
                    // `raise Problem` makes an object of the class.
                    if matches!(raised, Object::Class(_)) {
                        self.call(&raised, Arguments::default(), value.span);
                    }
                }
                return Flow::Leave;
            }
            Action::Assign { targets, value } => {
                let value = self.assigned(targets, value);
                for target in targets {
                    self.assign(target, value.clone());
                }
            }
            Action::Augment { target, operator, value } => self.augment(target, *operator, value),
            Action::Break | Action::Continue => return Flow::Leave,
            Action::Class(class) => self.define_class(class),
            Action::Define(function) => self.define(function),
            Action::Pass => {}
            Action::Evaluate(Expression { kind: Node::Lambda(function), .. }) => drop(self.closure(function)),
            Action::Evaluate(expression) => {
                let object = self.evaluate(expression);
                self.keep_examples(&object);
            }
            Action::For { target, items, body, otherwise } => {
                self.for_loop(target, items, body);
                return self.block(otherwise);
            }
            Action::Global(names) | Action::Nonlocal(names) => self.declare_outer(names),
            Action::If { arms, otherwise } => return self.branch(arms, otherwise),
            Action::Import(names) => names.iter().for_each(|alias| self.import(alias)),
            Action::ImportFrom { module, relative, names } => self.import_from(module, *relative, names),
            Action::Match { subject, cases } => return self.match_cases(subject, cases),
            Action::Return(value) => {
                let value = value.as_ref().map_or(Object::None, |value| self.evaluate(value));
                self.returned = Some(match self.returned.take() {
                    Some(earlier) => earlier.or(value),
                    None => value,
                });
                return Flow::Leave;
            }
            Action::Try { body, handlers, otherwise, finally } => {
                return self.try_block(body, handlers, otherwise, finally);
            }
            Action::TypeAlias { name, bounds, value } => {
                for bound in bounds {
                    self.evaluate(bound);
                }
                let value = self.evaluate(value);
                self.bind(name, value);
            }
            Action::While { test, body, otherwise } => {
                self.while_loop(test, body);
                return self.block(otherwise);
            }
            Action::With { items, body } => return self.with_block(items, body),
        }
        Flow::Next
    }

    /// `target: annotation = value`: Python evaluates the annotation last, and not that of a function's own name.
    fn annotate(&mut self, target: &Expression, annotation: &Expression, value: Option<&Expression>) {
        if let Some(value) = value {
            let value = self.assigned(std::slice::from_ref(target), value);
            self.assign(target, value);
        } else if let Node::Trail(base, trailers) = &target.kind
            && let Some((last, before)) = trailers.split_last()
        {
            self.trail(base, before);
            if let Step::Subscript(index) = &last.kind {
                self.evaluate(index);
            }
        }
        let is_local = self.scope != self.globals && self.defining.is_none() && self.elsewhere == 0;
        if !is_local && self.annotations == Annotations::Evaluated {
            self.evaluate(annotation);
        }
    }

    /// What a function says of its parameters and its result.
    fn annotations_of(&mut self, function: &Function) {
        if self.annotations == Annotations::Evaluated {
            for annotation in &function.annotations {
                self.evaluate(annotation);
            }
        }
    }

    /// The value of an assignment. A lambda that only gets a name is named by nobody yet, as a function that is only defined.
    fn assigned(&mut self, targets: &[Expression], value: &Expression) -> Object {
        match &value.kind {
            Node::Lambda(function) if targets.iter().all(|target| matches!(target.kind, Node::Name(_))) => {
                self.closure(function)
            }
            _ => self.evaluate(value),
        }
    }

    fn declare_outer(&mut self, names: &[Rc<str>]) {
        if let Some(scope) = self.heap.scope_mut(self.scope) {
            scope.outer.extend(names.iter().cloned());
        }
    }

    fn augment(&mut self, target: &Expression, operator: Operator, value: &Expression) {
        let before = self.evaluate(target);
        let value = self.evaluate(value);
        if let (Object::List(id), Operator::Add) = (&before, operator) {
            let more = self.elements(&value).unwrap_or_else(|| vec![value.clone()]);
            self.extend_list(*id, more);
            return;
        }
        let after = self.binary(&before, operator, &value);
        self.assign(target, after);
    }

    fn define(&mut self, function: &Rc<Function>) {
        let closure = self.closure(function);
        self.annotations_of(function);
        if let Body::Block(body) = &function.body
            && let Some(Action::Evaluate(Expression { kind: Node::Text(parts), .. })) =
                body.first().map(|first| &first.kind)
            && let [TextPart::Literal(text)] = parts.as_slice()
        {
            self.keep_example(text);
        }
        let decorated = self.decorate(closure, &function.decorators);
        self.bind(&function.name, decorated);
    }

    pub(super) fn closure(&mut self, function: &Rc<Function>) -> Object {
        let defaults = function.parameters.iter().map(|parameter| parameter.default.as_ref());
        let defaults = defaults.map(|default| default.map(|default| self.evaluate(default))).collect();
        // A class body is no scope for the functions in it.
        let scope = match self.defining {
            Some(_) => self.heap.scope_at(self.scope).and_then(|scope| scope.parent).unwrap_or(self.globals),
            None => self.scope,
        };
        self.heap.function(Closure {
            function: Rc::clone(function),
            scope,
            defaults,
            follows: 0,
            is_mentioned: false,
        })
    }

    fn decorate(&mut self, mut object: Object, decorators: &[Expression]) -> Object {
        for decorator in decorators.iter().rev() {
            let wrapper = self.evaluate(decorator);
            let plain = object.clone();
            let result = self.call(&wrapper, Arguments::of(vec![object]), decorator.span);
            // What an unknown decorator returns is most likely still the function.
            object = if matches!(result, Object::Unknown(_)) { plain } else { result };
        }
        object
    }

    fn define_class(&mut self, class: &Rc<Class>) {
        let arguments = self.bases(&class.bases);
        for bound in &class.bounds {
            self.evaluate(bound);
        }
        let bases: Vec<Object> = arguments.all().cloned().collect();
        for base in &bases {
            if let Object::Library(name) = base {
                self.uses_library(name);
            }
        }
        let id = self.heap.class(ClassObject::new(bases, std::collections::HashMap::new()));
        if self.spend(2) && self.is_too_derived(id) {
            self.unfollowed("classes on classes");
        }
        let body = self.heap.scope(Some(self.scope));
        let outer = (std::mem::replace(&mut self.scope, body), self.defining.replace(id));
        self.block(&class.body);
        (self.scope, self.defining) = outer;
        let members = self.heap.scope_at(body).map(|scope| scope.names.clone()).unwrap_or_default();
        if let Some(found) = self.heap.class_mut(id) {
            found.members = members;
        }
        // A class of constants makes them while it is defined.
        if arguments.all().any(|base| matches!(base, Object::Library(name) if name.starts_with("enum."))) {
            self.heap.use_class(id, Used::Mentioned);
        }
        if let Some(maker) = arguments.named("metaclass") {
            if let Some(found) = self.heap.class_mut(id) {
                found.members.insert(Rc::from(MAKER), maker.clone());
            }
            self.make_class(maker, &class.name, id);
        }
        let decorated = self.decorate(Object::Class(id), &class.decorators);
        self.bind(&class.name, decorated);
        if arguments.all().any(|base| matches!(base, Object::Class(_))) {
            let told = arguments.named.iter().filter(|(name, _)| &**name != "metaclass").cloned().collect();
            let given = Arguments { plain: Vec::new(), named: told, open: false };
            self.call_member(&Object::Class(id), "__init_subclass__", given);
        }
    }

    /// An attribute that only the class of a class has: `class M(type): def __getattr__(cls, name): …`.
    pub(super) fn made_attribute(&mut self, id: super::Id, name: &Rc<str>) -> Option<Object> {
        let Object::Class(maker) = self.class_attribute(id, MAKER)? else { return None };
        if let Some(own) = self.class_attribute(maker, name) {
            return Some(own);
        }
        let hook = if name.starts_with("__") { None } else { self.class_attribute(maker, "__getattr__") };
        let Some(Object::Function(function)) = hook.filter(|hook| !self.is_running(hook)) else {
            return None;
        };
        Some(self.call_function(function, Arguments::of(vec![Object::Class(id), Object::text(&**name)])))
    }

    /// What a class builds on: who only builds on a class does not use it yet.
    fn bases(&mut self, bases: &[Argument]) -> Arguments {
        let known: Vec<(super::Id, Used)> = bases
            .iter()
            .filter_map(|base| {
                let Argument::Plain(Expression { kind: Node::Name(name), .. }) = base else { return None };
                let Some(Object::Class(id)) = self.lookup(name) else { return None };
                Some((id, self.heap.class_at(id)?.used))
            })
            .collect();
        let arguments = self.arguments(bases);
        for (id, used) in known {
            self.heap.set_used(id, used);
        }
        arguments
    }

    /// What a class is made by is called with it, before anybody uses it.
    fn make_class(&mut self, maker: &Object, name: &str, made: super::Id) {
        let (bases, members) = (self.heap.tuple(Vec::new()), self.heap.dict(Vec::new()));
        let arguments = Arguments::of(vec![Object::text(name), bases, members]);
        if !matches!(maker, Object::Class(_)) {
            self.call(maker, arguments, self.span);
            return;
        }
        for step in ["__prepare__", "__new__"] {
            self.call_member(maker, step, arguments.clone());
        }
        // Its own `__init__` gets the class that was made.
        if let Object::Class(maker) = maker
            && let Some(Object::Function(function)) = self.class_attribute(*maker, "__init__")
        {
            let all = [Object::Class(made)].into_iter().chain(arguments.plain).collect();
            self.call_function(function, Arguments::of(all));
        }
    }

    /// Gives a name its object, where the name belongs.
    pub(super) fn bind(&mut self, name: &Rc<str>, object: Object) {
        let outer = self.heap.scope_at(self.scope).is_some_and(|scope| scope.outer.contains(name));
        let scope = if outer { self.owner(name) } else { self.scope };
        if let Some(scope) = self.heap.scope_mut(scope) {
            scope.names.insert(Rc::clone(name), object);
        }
    }

    fn owner(&self, name: &Rc<str>) -> super::Id {
        let mut next = self.heap.scope_at(self.scope).and_then(|scope| scope.parent);
        while let Some(id) = next {
            let Some(scope) = self.heap.scope_at(id) else { break };
            if scope.names.contains_key(name) {
                return id;
            }
            next = scope.parent;
        }
        self.globals
    }

    pub(super) fn assign(&mut self, target: &Expression, value: Object) {
        match &target.kind {
            Node::Name(name) => self.bind(name, value),
            Node::Tuple(targets) | Node::List(targets) => self.unpack(targets, &value),
            Node::Starred(inner) => {
                let rest = self.heap.list(vec![value]);
                self.assign(inner, rest);
            }
            Node::Trail(base, trailers) => {
                let Some((last, before)) = trailers.split_last() else { return };
                let holder = self.trail(base, before);
                match &last.kind {
                    Step::Attribute(name) => self.set_attribute(&holder, name, value),
                    Step::Subscript(index) => {
                        let index = self.evaluate(index);
                        self.span = last.span;
                        self.set_item(&holder, &index, value);
                    }
                    Step::Call(_) => {}
                }
            }
            Node::Await(_)
            | Node::Binary(..)
            | Node::Bool(_)
            | Node::Bytes(_)
            | Node::Choice(_)
            | Node::Compare(..)
            | Node::Comprehension(_)
            | Node::Conditional(_)
            | Node::Dict(_)
            | Node::Ellipsis
            | Node::Float
            | Node::Int(_)
            | Node::Lambda(_)
            | Node::None
            | Node::Set(_)
            | Node::Slice(_)
            | Node::Text(_)
            | Node::Unary(..)
            | Node::Walrus(..)
            | Node::Yield(_) => {}
        }
    }

    fn unpack(&mut self, targets: &[Expression], value: &Object) {
        let known = self.elements(value);
        let star = targets.iter().position(|target| matches!(target.kind, Node::Starred(_)));
        let Some(items) = known.filter(|items| star.is_some() || items.len() == targets.len()) else {
            let part = self.part_of(value);
            for target in targets {
                self.assign(target, part.clone());
            }
            return;
        };
        let after = star.map_or(0, |star| targets.len() - star - 1);
        let mut rest = items.len().saturating_sub(after);
        for (place, target) in targets.iter().enumerate() {
            if let (Some(star), Node::Starred(inner)) = (star, &target.kind) {
                let middle = self.heap.list(items.get(star..rest).unwrap_or_default().to_vec());
                self.assign(inner, middle);
                continue;
            }
            let past_star = star.is_some_and(|star| place > star);
            let item = items.get(if past_star { rest } else { place }).cloned();
            rest += usize::from(past_star);
            self.assign(target, item.unwrap_or_else(|| Object::unknown("an item", Provenance::NONE)));
        }
    }

    /// Any one item of something that is not known item by item.
    pub(super) fn part_of(&mut self, value: &Object) -> Object {
        if let Some(items @ [_, ..]) = self.elements(value).as_deref() {
            return any_of(items);
        }
        let mut shown = self.text_of(value).shown();
        // One row of a query is not all of them.
        if super::methods::holds_every_row(value) {
            shown.push_str("[]");
        }
        self.unknown_from(&shown, value)
    }

    /// The truth of a test, and the test's own effects.
    pub(super) fn test(&mut self, test: &Expression) -> Option<bool> {
        let object = self.evaluate(test);
        truth_of_test(test).or_else(|| self.truth(&object))
    }
}
