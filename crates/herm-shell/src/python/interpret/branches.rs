//! Ways that fork: conditions, loops, handlers.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::ast::{Block, Case, Comparison, Expression, Handler, Node, Step, Unary};
use super::bounds::{MAX_TURNS, Watch};
use super::{Arguments, Flow, Interpreter, Object};
use crate::effect::{Flags, Target, Verb};
use crate::value::{Piece, Provenance, Value};

pub(super) type Names = HashMap<Rc<str>, Object>;

/// The truth of `__name__ == "__main__"`, whichever way it is written.
pub(super) fn truth_of_test(test: &Expression) -> Option<bool> {
    let Node::Compare(first, rest) = &test.kind else { return None };
    let is_name = |side: &Expression| matches!(&side.kind, Node::Name(name) if &**name == "__name__");
    match rest.as_slice() {
        [(Comparison::Equal, second)] if is_name(first) || is_name(second) => Some(true),
        _ => None,
    }
}

impl Interpreter<'_> {
    pub(super) fn names(&mut self) -> Names {
        let count = self.heap.scope_at(self.scope).map_or(0, |scope| scope.names.len());
        self.spend(count / 2);
        self.heap.scope_at(self.scope).map(|scope| scope.names.clone()).unwrap_or_default()
    }

    fn restore(&mut self, names: Names) {
        self.spend(names.len() / 2);
        if let Some(scope) = self.heap.scope_mut(self.scope) {
            scope.names = names;
        }
    }

    /// Follows a way that the script may not take: what it writes may be there or not.
    pub(super) fn doubtfully<T>(&mut self, way: impl FnOnce(&mut Self) -> T) -> T {
        self.doubts += 1;
        let followed = way(self);
        self.doubts -= 1;
        followed
    }

    /// Follows two ways from here; afterwards a name may be what either made of it.
    fn fork(&mut self, one: impl FnOnce(&mut Self) -> Flow, other: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let before = self.names();
        let first = self.doubtfully(one);
        let after = self.names();
        self.restore(before);
        let second = self.doubtfully(other);
        match (first, second) {
            (Flow::Leave, _) => second,
            (Flow::Next, Flow::Leave) => {
                self.restore(after);
                first
            }
            (Flow::Next, Flow::Next) => {
                self.merge(after);
                Flow::Next
            }
        }
    }

    fn merge(&mut self, others: Names) {
        self.spend(others.len() / 2);
        let Some(scope) = self.heap.scope_mut(self.scope) else { return };
        for (name, object) in others {
            match scope.names.get_mut(&name) {
                Some(here) if *here == object => {}
                Some(here) => *here = std::mem::replace(here, Object::None).or(object),
                None => drop(scope.names.insert(name, object)),
            }
        }
    }

    pub(super) fn branch(&mut self, arms: &[(Expression, Block)], otherwise: &Block) -> Flow {
        let mut ends: Vec<Names> = Vec::new();
        let (mut decided, mut doubted) = (false, false);
        for (test, body) in arms {
            let truth = self.test(test);
            if truth == Some(false) {
                continue;
            }
            let before = self.names();
            self.narrow(test);
            let is_sure = truth == Some(true) && !doubted;
            let flow = if is_sure { self.block(body) } else { self.doubtfully(|this| this.block(body)) };
            if flow == Flow::Next {
                ends.push(self.names());
            }
            doubted |= truth.is_none();
            self.restore(before);
            if truth == Some(true) {
                decided = true;
                break;
            }
            self.narrow_against(test);
        }
        let rest = match (decided, doubted) {
            (true, _) => Flow::Leave,
            (false, true) => self.doubtfully(|this| this.block(otherwise)),
            (false, false) => self.block(otherwise),
        };
        if rest == Flow::Leave {
            let Some(end) = ends.pop() else { return Flow::Leave };
            self.restore(end);
        }
        for end in ends {
            self.merge(end);
        }
        Flow::Next
    }

    /// After `name.endswith(".pyc")` holds, a name that could be anything is only that.
    pub(super) fn narrow(&mut self, test: &Expression) {
        let Node::Trail(base, steps) = &test.kind else { return };
        let (Node::Name(name), [attribute, call]) = (&base.kind, steps.as_slice()) else { return };
        let (Step::Attribute(method), Step::Call(arguments)) = (&attribute.kind, &call.kind) else { return };
        if &**method != "endswith" {
            return;
        }
        let arguments = self.arguments(arguments);
        let Some(ending) = arguments.plain.first().cloned() else { return };
        let ending = self.part_of_tuple(&ending);
        let Some(Object::Text(value)) = self.lookup(name) else { return };
        let Some(Piece::Glob(glob)) = value.pieces.last() else { return };
        let mut narrowed = Value { pieces: value.pieces.clone(), provenance: value.provenance };
        let glob = Piece::Glob(format!("{glob}{ending}"));
        narrowed.pieces.pop();
        narrowed.pieces.push(glob);
        self.bind(name, Object::value(narrowed));
    }

    fn part_of_tuple(&mut self, object: &Object) -> String {
        let first = match object {
            Object::Tuple(id) => self.heap.items(*id).first().cloned(),
            other => Some(other.clone()),
        };
        first.and_then(|first| first.known_text()).unwrap_or_default()
    }

    /// After `if not name.endswith(…): continue`, the rest only sees names that end so.
    fn narrow_against(&mut self, test: &Expression) {
        if let Node::Unary(Unary::Not, inner) = &test.kind {
            self.narrow(inner);
        }
    }

    pub(super) fn match_cases(&mut self, subject: &Expression, cases: &[Case]) -> Flow {
        let subject = self.evaluate(subject);
        let part = self.part_of(&subject).or(subject);
        let mut flow = Flow::Next;
        for case in cases {
            flow = self.fork(
                |this| {
                    case.names.iter().for_each(|name| this.bind(name, part.clone()));
                    if let Some(guard) = &case.guard {
                        this.evaluate(guard);
                    }
                    this.block(&case.body)
                },
                |_| Flow::Next,
            );
        }
        flow
    }

    pub(super) fn for_loop(&mut self, target: &Expression, items: &Expression, body: &Block) {
        let items = self.evaluate(items);
        let elements = match self.elements(&items) {
            Some(elements) => elements,
            None => vec![self.part_of(&items)],
        };
        let watch = self.watch();
        self.each_watched(&watch, elements, |this, item| {
            this.assign(target, item);
            this.block(body);
        });
        self.unwatch(&watch);
        self.blur(&watch.names);
    }

    pub(super) fn while_loop(&mut self, test: &Expression, body: &Block) {
        let endless = matches!(test.kind, Node::Bool(true) | Node::Int(1));
        let (forks, actions) = (self.forks, self.actions);
        let watch = self.watch();
        let has_ended = self.counted(if endless { 0 } else { MAX_TURNS }, test, body);
        if !has_ended {
            self.uncounted(&watch, test, body);
        }
        self.unwatch(&watch);
        if has_ended {
            return;
        }
        if endless && self.forks > forks && self.actions - actions <= self.forks - forks {
            self.exhaust();
        }
        self.blur(&watch.names);
    }

    /// A loop of which nobody knows how often it goes round: the next turn, and any other.
    fn uncounted(&mut self, watch: &Watch, test: &Expression, body: &Block) {
        for _ in 0..2 {
            self.test(test);
            self.doubtfully(|this| this.block(body));
            if !self.forget(watch) || !self.spend(1) {
                break;
            }
        }
    }

    /// Goes round as long as it is known that the test holds. Whether the loop has ended by that.
    fn counted(&mut self, most: usize, test: &Expression, body: &Block) -> bool {
        let mut truth = Some(true);
        for _ in 0..most {
            truth = self.test(test);
            if truth != Some(true) || self.is_weary() || !self.spend(1) {
                break;
            }
            self.block(body);
        }
        truth == Some(false)
    }

    /// How often anything was called so far.
    pub(in crate::python) const fn actions(&self) -> u32 {
        self.actions
    }

    pub(in crate::python) fn exhaust(&mut self) {
        self.effect(Verb::Exhaust, Target::None, Flags::NONE, Provenance::NONE);
    }

    /// After a loop whose turns are not counted, what it changed is one of several things, and its counters are unknown.
    /// Whether it changed anything.
    pub(super) fn blur(&mut self, before: &Names) -> bool {
        let after = self.names();
        let mut changed = false;
        for (name, old) in before {
            let Some(new) = after.get(name).filter(|new| *new != old) else { continue };
            changed = true;
            let counter = matches!(
                (new, old),
                (Object::Int(_) | Object::Bool(_), _) | (_, Object::Int(_) | Object::Bool(_))
            );
            let blurred =
                if counter { Object::unknown(name, Provenance::NONE) } else { new.clone().or(old.clone()) };
            self.bind(name, blurred);
        }
        changed
    }

    pub(super) fn try_block(
        &mut self,
        body: &Block,
        handlers: &[Handler],
        otherwise: &Block,
        finally: &Block,
    ) -> Flow {
        let before = self.names();
        let mut flow = self.block(body);
        if flow == Flow::Next {
            flow = self.block(otherwise);
        }
        let mut after = self.names();
        for handler in handlers {
            self.restore(before.clone());
            self.merge(after.clone());
            for kind in &handler.kinds {
                self.evaluate(kind);
            }
            if let Some(name) = &handler.name {
                self.bind(name, Object::unknown(name, Provenance::NONE));
            }
            if self.doubtfully(|this| this.block(&handler.body)) == Flow::Next {
                let handled = self.names();
                self.restore(if flow == Flow::Next { after } else { handled.clone() });
                self.merge(handled);
                flow = Flow::Next;
                after = self.names();
            }
        }
        self.restore(after);
        if self.block(finally) == Flow::Leave { Flow::Leave } else { flow }
    }

    pub(super) fn with_block(&mut self, items: &[(Expression, Option<Expression>)], body: &Block) -> Flow {
        let mut managers = Vec::new();
        for (manager, target) in items {
            let object = self.evaluate(manager);
            self.span = manager.span;
            let entered = self.enter(&object);
            if let Some(target) = target {
                self.assign(target, entered);
            }
            managers.push(object);
        }
        let before = managers.iter().any(may_swallow).then(|| self.names());
        let mut flow = self.block(body);
        if let Some(before) = before {
            let after = self.names();
            self.restore(before);
            if flow == Flow::Next {
                self.merge(after);
            }
            flow = Flow::Next;
        }
        for manager in managers.into_iter().rev() {
            if matches!(manager, Object::Instance(_)) {
                let nothing = vec![Object::None, Object::None, Object::None];
                self.call_member(&manager, "__exit__", Arguments::of(nothing));
            }
        }
        flow
    }

    fn enter(&mut self, manager: &Object) -> Object {
        match manager {
            Object::Instance(_) => {
                let entered = self.call_member(manager, "__enter__", Arguments::default());
                let awaited = self.call_member(manager, "__aenter__", Arguments::default());
                entered.or_else(|| awaited.clone()).unwrap_or_else(|| manager.clone())
            }
            // A generator made into a context manager gives what it yields.
            Object::List(id) => self.heap.items(*id).first().cloned().unwrap_or_else(|| manager.clone()),
            other => other.clone(),
        }
    }
}

/// Whether a context manager may go on behind its block when something in it fails, as `contextlib.suppress` does. Those of the
/// library that are known otherwise do not.
fn may_swallow(manager: &Object) -> bool {
    matches!(manager, Object::Instance(_) | Object::Unknown(_))
}
