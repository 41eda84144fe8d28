//! What libraries do when they are called.

mod builtins;
mod files;
mod functional;
mod names;
mod network;
mod system;
mod table;

pub(super) use names::{canonical, constant_number, constant_text, is_builtin, is_core, is_module, names_in};

use super::interpret::{Arguments, Interpreter, Object};
use crate::effect::{Flags, Verb};
use crate::value::Provenance;

/// Methods that Python calls by itself at some time in an object's life.
pub(super) const IMPLICIT_METHODS: &[&str] =
    &["__post_init__", "__del__", "__str__", "__repr__", "__getattr__", "__eq__", "__hash__", "__bool__"];

/// What a call does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    /// It makes a thing of this class, about its first argument.
    Make(&'static str),
    /// This happens to the path at this place, or of this name.
    Path(usize, &'static str, Verb, Flags),
    /// It gives back its first argument.
    Same,
    /// It is written out.
    Special(Special),
}

/// What needs more than a row of a table.
pub(super) type Special = fn(&mut Interpreter<'_>, &Arguments) -> Object;

fn find(name: &str) -> Option<&'static Deed> {
    let at = table::DEEDS.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    table::DEEDS.get(at).map(|(_, deed)| deed)
}

/// Whether what a function does is described.
fn describes(name: &str) -> bool {
    find(name).is_some()
}

/// Calls a function of a library, if it is described.
pub(super) fn call(interpreter: &mut Interpreter<'_>, name: &str, arguments: &Arguments) -> Option<Object> {
    Some(match find(name)? {
        Deed::Make(class) => {
            let about = interpreter.argument(arguments, 0, "");
            let provenance = interpreter.provenance_of(arguments);
            for argument in arguments.all() {
                interpreter.hand_over(argument);
            }
            interpreter.make(class, about, provenance)
        }
        Deed::Path(place, name, verb, flags) => {
            for path in interpreter.argument_choices(arguments, *place, name) {
                interpreter.path(*verb, &path, *flags);
            }
            Object::None
        }
        Deed::Same => {
            arguments.plain.first().cloned().unwrap_or_else(|| Object::unknown("a value", Provenance::NONE))
        }
        Deed::Special(special) => special(interpreter, arguments),
    })
}

#[cfg(test)]
mod tests {
    use super::table::DEEDS;

    #[test]
    fn the_table_is_sorted() {
        let names: Vec<&str> = DEEDS.iter().map(|(name, _)| *name).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names, sorted);
    }
}
