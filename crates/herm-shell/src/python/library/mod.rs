//! What libraries do when they are called.

mod builtins;
mod files;
mod functional;
mod machinery;
mod names;
mod network;
mod objects;
mod services;
mod system;
mod table;

pub(super) use names::{
    canonical, constant_number, constant_text, core_module, is_builtin, is_module, names_in,
};

use super::interpret::{Arguments, Interpreter, Object};
use crate::effect::{Flags, Verb};
use crate::value::Provenance;

/// Methods that Python calls by itself at some time in an object's life.
pub(super) const IMPLICIT_METHODS: &[&str] = &[
    "__post_init__",
    "__del__",
    "__str__",
    "__repr__",
    "__getattr__",
    "__getattribute__",
    "__eq__",
    "__hash__",
    "__bool__",
    "__len__",
    "__iter__",
    "__next__",
    "__contains__",
    "__format__",
    "__index__",
    "__int__",
    "__fspath__",
    "__set_name__",
    "__get__",
    "__lt__",
    "__gt__",
    "__le__",
    "__ge__",
    "__ne__",
    "__neg__",
    "__invert__",
    "__add__",
    "__radd__",
    "__iadd__",
    "__sub__",
    "__mul__",
    "__rmul__",
    "__mod__",
    "__matmul__",
    "__truediv__",
    "__floordiv__",
    "__pow__",
    "__and__",
    "__or__",
    "__ror__",
    "__xor__",
    "__lshift__",
    "__rshift__",
];

/// What a call does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    /// It makes a client of the service that this program is for.
    Client(&'static str),
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
pub(super) fn describes(name: &str) -> bool {
    find(name).is_some()
}

/// Whether a function does something to the machine when it is called: runs, deletes, changes.
pub(super) fn acts(name: &str) -> bool {
    const MODULES: &[&str] = &[
        "asyncio.create_subprocess_",
        "builtins.__import__",
        "builtins.e",
        "code.",
        "ctypes.",
        "hermes_tools.",
        "importlib.import_module",
        "marshal.load",
        "os.",
        "pexpect.",
        "pickle.load",
        "pty.",
        "runpy.",
        "shutil.",
        "subprocess.",
        "timeit.",
    ];
    const HARMLESS: &[&str] = &[
        "builtins.enumerate",
        "ctypes.c_char_p",
        "ctypes.create_string_buffer",
        "os.close",
        "os.fsdecode",
        "os.fsencode",
        "os.fspath",
        "os.fsync",
        "os.getcwd",
        "os.getcwdb",
        "os.getenv",
        "os.getenvb",
        "os.listdir",
        "os.read",
        "os.scandir",
        "os.walk",
        "subprocess.list2cmdline",
    ];
    MODULES.iter().any(|module| name.starts_with(module))
        && !name.starts_with("os.path.")
        && !name.starts_with("os.environ")
        && !HARMLESS.contains(&name)
        && describes(name)
}

/// Whether a function calls nothing of what it is given: it looks at it, gives it back, or keeps it where the program finds it again.
pub(super) fn keeps(name: &str) -> bool {
    const MODULES: &[&str] = &[
        "abc.",
        "copy.",
        "dataclasses.",
        "enum.",
        "inspect.",
        "operator.",
        "pprint.",
        "types.",
        "typing.",
        "typing_extensions.",
    ];
    const FUNCTIONS: &[&str] = &[
        "atexit.unregister",
        "builtins.eval",
        "builtins.exec",
        "builtins.filter",
        "builtins.map",
        "collections.namedtuple",
        "functools.partial",
        "functools.partialmethod",
        "functools.update_wrapper",
        "functools.wraps",
        "globals.update",
        "multiprocessing.Process",
        "pickle.dumps",
        "threading.Thread",
    ];
    const CALLING: &[&str] = &["builtins.iter", "builtins.max", "builtins.min", "builtins.sorted"];
    if name.starts_with("builtins.") && !CALLING.contains(&name) && !acts(name)
        || FUNCTIONS.contains(&name)
        || MODULES.iter().any(|module| name.starts_with(module))
    {
        return true;
    }
    match find(name) {
        Some(Deed::Same) => true,
        Some(Deed::Special(special)) => std::ptr::fn_addr_eq(*special, functional::decorator as Special),
        Some(Deed::Client(_) | Deed::Make(_) | Deed::Path(..)) | None => false,
    }
}

/// Calls a function of a library, if it is described.
pub(super) fn call(interpreter: &mut Interpreter<'_>, name: &str, arguments: &Arguments) -> Option<Object> {
    if let Some(program) = system::command_called(name) {
        return Some(system::command(interpreter, program, arguments));
    }
    let below = interpreter.below_descriptor(arguments);
    let arguments = below.as_ref().unwrap_or(arguments);
    Some(match find(name)? {
        Deed::Client(words) => interpreter.client(words),
        Deed::Make(class) => {
            if name == "sqlite3.connect" {
                for path in interpreter.argument_choices(arguments, 0, "database") {
                    let path = crate::programs::database_file(&path);
                    interpreter.path(Verb::Read, &path, Flags::NONE);
                }
            }
            let about = interpreter.argument(arguments, 0, "");
            let provenance = interpreter.provenance_of(arguments);
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
