//! Code in texts: `exec`, `eval` and everything that amounts to them.

use std::rc::Rc;

use super::super::ast::{Action, Block};
use super::super::parser;
use super::{Arguments, Interpreter, Object};
use crate::effect::{Flags, Target, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::value::{Provenance, Value};

/// How deep texts may be computed within each other.
const MAX_TEXTS: u32 = 4;

impl Interpreter<'_> {
    /// Runs Python text; what it evaluates to comes back.
    pub(in crate::python) fn python(&mut self, code: &Object) -> Object {
        let mut result = Object::None;
        for choice in code.choices() {
            result = self.python_text(choice);
        }
        result
    }

    fn python_text(&mut self, code: &Object) -> Object {
        if let Object::Thing(id) = code {
            let content = self.heap.thing_at(*id).map_or(Object::None, |thing| thing.content.clone());
            if matches!(content, Object::Text(_) | Object::Bytes(..) | Object::Unknown(_)) {
                return self.python_text(&content);
            }
        }
        let text = self.text_of(code);
        let known = text.known().map(std::borrow::Cow::into_owned);
        let Some(known) = known.filter(|_| self.elsewhere < MAX_TEXTS) else {
            self.code(Lang::Python, &text);
            return Object::unknown("eval()", text.provenance);
        };
        let program = self.parse(&known);
        let Some(program) = program else {
            self.code(Lang::Python, &text);
            return Object::unknown("eval()", text.provenance);
        };
        // Text that uses this program's own names can only be understood here.
        if self.uses_own_names(&known) {
            if !text.provenance.is_empty() {
                self.effect(
                    Verb::Execute,
                    Target::Code(Lang::Python, Some(known)),
                    Flags::INLINE,
                    text.provenance,
                );
            }
            return self.follow_text(&program);
        }
        self.code(Lang::Python, &text);
        self.quiet += 1;
        let result = self.follow_text(&program);
        self.quiet -= 1;
        result
    }

    fn parse(&mut self, text: &str) -> Option<Block> {
        let program = parser::parse(text.trim_start_matches([' ', '\t']), &mut |units| {
            self.sink.spend(u32::try_from(units).unwrap_or(u32::MAX)).is_ok()
        });
        program.problems.is_empty().then_some(program.body)
    }

    fn follow_text(&mut self, body: &Block) -> Object {
        self.elsewhere += 1;
        let result = match body.as_slice() {
            [only] if matches!(only.kind, Action::Evaluate(_)) => match &only.kind {
                Action::Evaluate(expression) => self.evaluate(expression),
                _ => Object::None,
            },
            _ => {
                self.block(body);
                Object::None
            }
        };
        self.elsewhere -= 1;
        result
    }

    /// Whether the text names something that this program made, other than a module.
    fn uses_own_names(&self, text: &str) -> bool {
        let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        words.filter(|word| !word.is_empty()).any(|word| {
            let found = self.lookup(&Rc::from(word));
            found.is_some_and(|object| !matches!(object, Object::Library(_)))
        })
    }

    /// `runpy.run_path`, `execfile`, `imp.load_source`.
    pub(in crate::python) fn python_file(&mut self, path: &Value) {
        self.script(Lang::Python, path, &[]);
    }

    /// Data that becomes objects by running what it says.
    pub(in crate::python) fn unpickle(&mut self, data: &Object) -> Object {
        if let Object::Thing(id) = data
            && let Some(thing) = self.heap.thing_at(*id)
            && &*thing.class == "pickled"
        {
            let content = thing.content.clone();
            return self.rebuild(&content);
        }
        let provenance = self.provenance(data);
        let held = self.pickled_content(data);
        let data = held.as_ref().unwrap_or(data);
        let text = data.known_text();
        let written = match data {
            Object::Bytes(bytes, _) => Some(&**bytes),
            _ => text.as_deref().map(str::as_bytes),
        };
        if let Some(written) = written {
            if let Some((called, argument)) = pickled_call(written) {
                let called = self.dotted(&called);
                return self.invoke(&called, Arguments::of(vec![Object::text(argument)]));
            }
            if names_callables(written) {
                self.sink.gap(Position::Unfollowed, Reason::Runtime, "pickle");
            }
        }
        let provenance = provenance | self.provenance(data);
        if provenance.any(Provenance::NETWORK | Provenance::DECODED) {
            self.effect(Verb::Execute, Target::Code(Lang::Python, None), Flags::HOOK, provenance);
        }
        Object::unknown("an unpickled object", provenance)
    }

    /// What an open file holds, or one that is named and that the text itself wrote.
    fn pickled_content(&mut self, data: &Object) -> Option<Object> {
        match data {
            Object::Thing(_) => {
                let read = Object::Method(Rc::new((data.clone(), Rc::from("read"))));
                Some(self.invoke(&read, Arguments::default()))
            }
            Object::Library(name) if matches!(&**name, "sys.stdin" | "sys.stdin.buffer") => {
                Some(self.invoke(&Object::library("sys.stdin.buffer.read"), Arguments::default()))
            }
            Object::Text(_) => {
                let path = self.text_of(data);
                (!self.sink.made_here(&path).is_empty()).then(|| Object::value(self.sink.read(&path)))
            }
            _ => None,
        }
    }

    /// What an object's `__reduce__` says is called when it is unpickled.
    fn rebuild(&mut self, object: &Object) -> Object {
        for name in ["__reduce__", "__reduce_ex__"] {
            let Some(Object::Tuple(id)) = self.call_member(object, name, Arguments::default()) else {
                continue;
            };
            let parts = self.heap.items(id).to_vec();
            if let [called, arguments, ..] = parts.as_slice() {
                let plain = self.elements(arguments).unwrap_or_default();
                return self.invoke(called, Arguments::of(plain));
            }
        }
        object.clone()
    }

    /// `module.name`, as an object.
    pub(in crate::python) fn dotted(&mut self, name: &str) -> Object {
        let mut parts = name.split('.');
        let first = Object::Library(super::super::library::canonical(parts.next().unwrap_or_default()));
        parts.fold(first, |object, part| self.attribute(&object, &Rc::from(part)))
    }
}

/// Whether a pickle names something that is called, at the place where its names stand or off its stack.
fn names_callables(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0x80) && bytes.contains(&0x93) || lines(bytes).windows(2).find_map(named).is_some()
}

/// The call that a pickle of the plainest kind makes: a global and one text as its argument, in either order.
fn pickled_call(bytes: &[u8]) -> Option<(String, String)> {
    let lines = lines(bytes);
    let called = lines.windows(2).find_map(named)?;
    let quoted = lines.iter().find_map(|line| opened(line).strip_prefix(['S', 'V']))?;
    Some((called, quoted.trim_matches(['\'', '"']).replace("\\'", "'")))
}

fn lines(bytes: &[u8]) -> Vec<String> {
    let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    text.split('\n').map(str::to_owned).collect()
}

/// The line without marks, and without the signs that end what came before.
fn opened(line: &str) -> &str {
    let line = line.trim_start_matches(|letter: char| !letter.is_ascii_alphabetic());
    let ended =
        line.trim_start_matches(|letter: char| "tR0.".contains(letter) || !letter.is_ascii_alphanumeric());
    if ended.is_empty() { line } else { ended }
}

/// A global or an instance: its module stands in one line, its name in the next.
fn named(lines: &[String]) -> Option<String> {
    let [module, name] = lines else { return None };
    let is_name = |word: &str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "._".contains(letter))
    };
    let module = opened(module).strip_prefix(['c', 'i']).filter(|module| is_name(module) && is_name(name))?;
    Some(format!("{module}.{name}"))
}
