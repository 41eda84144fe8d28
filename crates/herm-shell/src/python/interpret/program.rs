//! Code in texts: `exec`, `eval` and everything that amounts to them.

use std::rc::Rc;

use super::super::ast::{Action, Block};
use super::super::parser;
use super::{Arguments, Interpreter, Object};
use crate::effect::{Flags, Target, Verb};
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
        if let Object::Bytes(bytes, _) = data
            && let Some((called, argument)) = pickled_call(bytes)
        {
            let called = self.dotted(&called);
            return self.invoke(&called, Arguments::of(vec![Object::text(argument)]));
        }
        let provenance = self.provenance(data);
        if provenance.any(Provenance::NETWORK | Provenance::DECODED) {
            self.effect(Verb::Execute, Target::Code(Lang::Python, None), Flags::HOOK, provenance);
        }
        Object::unknown("an unpickled object", provenance)
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

/// The call that a pickle of the plainest kind makes: a global, and one text as its argument.
fn pickled_call(bytes: &[u8]) -> Option<(String, String)> {
    let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    let (_, after) = text.split_once('c')?;
    let mut lines = after.split('\n');
    let (module, name) = (lines.next()?, lines.next()?);
    let plain = |word: &str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "._".contains(letter))
    };
    if !plain(module) || !plain(name) {
        return None;
    }
    let rest: String = lines.collect::<Vec<_>>().join("\n");
    let quoted = rest.split_once(['S', 'V'])?.1;
    let line = quoted.split('\n').next()?;
    let argument = line.trim_matches(|letter| letter == '\'' || letter == '"');
    Some((format!("{module}.{name}"), argument.replace("\\'", "'")))
}
