//! The mongo shell's calls.

use super::engine::{Reader, Val};
use crate::effect::{Flags, Target, Verb};
use crate::value::Provenance;

/// `db.dropDatabase()`.
pub(super) fn drop_database(reader: &mut Reader<'_>, _arguments: &[Val]) -> Val {
    destroy(reader, "database", "", Flags::NONE)
}

/// A method of a collection: `db.users.drop()`. `None` when it is none that destroys.
pub(super) fn collection(reader: &mut Reader<'_>, path: &str, arguments: &[Val]) -> Option<Val> {
    let rest = path.strip_prefix("db.")?;
    let (name, method) = rest.rsplit_once('.')?;
    let name = name.trim_end_matches("()");
    let everything = match arguments.first() {
        None => true,
        Some(Val::List(items)) => items.is_empty(),
        Some(
            Val::Function(_) | Val::Handle(_) | Val::Name(..) | Val::Number(_) | Val::Pair(_) | Val::Text(_),
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
