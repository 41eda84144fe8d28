//! The mongo shell's calls.

use super::engine::{Reader, Val};
use crate::effect::{Flags, Target, Verb};
use crate::value::Provenance;

/// `db.dropDatabase()`.
pub(super) fn drop_database(reader: &mut Reader<'_>, _arguments: &[Val]) -> Val {
    destroy(reader, "database", "", Flags::NONE)
}

/// `db.shutdownServer()`.
pub(super) fn shut_down(reader: &mut Reader<'_>, _arguments: &[Val]) -> Val {
    let target = Target::Named("database", "mongo".to_owned());
    reader.sink.effect(Verb::Service, target, Flags::STOP, Provenance::NONE);
    Val::list(Vec::new())
}

/// `db.runCommand({ dropDatabase: 1 })`: the same things by the names that the server has for them.
pub(super) fn command(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let Some(given) = arguments.first() else { return Val::list(Vec::new()) };
    let name_of = |key: &str| given.keyed(&[key]).map(|value| value.plain().shown());
    if given.keyed(&["shutdown"]).is_some() {
        return shut_down(reader, arguments);
    }
    if given.keyed(&["dropDatabase"]).is_some() {
        return drop_database(reader, arguments);
    }
    match name_of("drop") {
        Some(name) => destroy(reader, "table", &name, Flags::NONE),
        None => Val::unknown("reply", Provenance::OUTSIDE),
    }
}

/// A method of a collection: `db.users.drop()`. `None` when it is none that destroys.
pub(super) fn collection(reader: &mut Reader<'_>, path: &str, arguments: &[Val]) -> Option<Val> {
    // `db[c]`: any collection.
    let rest = path.strip_prefix("db.").or_else(|| path.strip_prefix("db[]").map(|_| path))?;
    let (name, method) = rest.rsplit_once('.')?;
    let name = name.trim_end_matches("()");
    let everything = match arguments.first() {
        None => true,
        Some(Val::List(items)) => items.is_empty(),
        Some(
            Val::Function(_)
            | Val::Handle(_)
            | Val::Name(..)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_),
        ) => false,
    };
    match method {
        "drop" => Some(destroy(reader, "table", name, Flags::NONE)),
        "deleteMany" | "remove" if everything => Some(destroy(reader, "rows", name, Flags::NO_WHERE)),
        "dropIndexes" => Some(destroy(reader, "index", name, Flags::ALL)),
        _ => None,
    }
}

fn destroy(reader: &mut Reader<'_>, kind: &'static str, name: &str, flags: Flags) -> Val {
    let target = Target::Named(kind, name.to_owned());
    reader.sink.effect(Verb::Destroy, target, flags | Flags::IRREVERSIBLE, Provenance::NONE);
    Val::list(Vec::new())
}
