//! What stands around a word, and what follows for it: whether it is meant or only spoken of.

use super::atoms::{Atom, Kind};
use super::vocabulary::{Owner, Word};
use crate::lang::Lang;

/// How far it is looked around a word.
const REACH: usize = 64;

fn before<'a, 't>(atoms: &'a [Atom<'t>], at: usize, by: usize) -> Option<&'a Atom<'t>> {
    at.checked_sub(by).and_then(|at| atoms.get(at))
}

fn is_member_mark(lang: Lang, atom: &Atom<'_>) -> bool {
    [".", "?.", "->", "::"].iter().any(|mark| atom.is(mark)) || lang == Lang::Lua && atom.is(":")
}

/// Whether a word belongs to what it has to belong to.
pub(super) fn is_owned(lang: Lang, owner: Owner, atoms: &[Atom<'_>], at: usize) -> bool {
    let each = before(atoms, at, 1).filter(|before| {
        lang == Lang::PowerShell && (before.is("%") || before.text.eq_ignore_ascii_case("foreach-object"))
    });
    let held = if each.is_some() {
        // The member of each of the items.
        Some(None)
    } else if lang == Lang::Tcl {
        // What a command does is its first word.
        before(atoms, at, 1).filter(|head| head.kind == Kind::Word).map(Some)
    } else {
        before(atoms, at, 1).filter(|mark| is_member_mark(lang, mark)).map(|_| before(atoms, at, 2))
    };
    let name = held.map(|held| {
        held.filter(|held| matches!(held.kind, Kind::Word | Kind::Variable))
            .map_or("", |held| held.text.as_ref())
    });
    fits(owner, name)
}

/// `name` is the name of what holds the word: none if nothing does, empty if it has none.
fn fits(owner: Owner, name: Option<&str>) -> bool {
    let is_one = |list: &[&str], name: &str| list.iter().any(|known| name.eq_ignore_ascii_case(known));
    match (owner, name) {
        (Owner::Any, _) | (Owner::Bare(_), None) => true,
        (Owner::Bare(list) | Owner::Of(list), Some(name)) => is_one(list, name) || list.contains(&""),
        (Owner::Of(_), None) => false,
    }
}

/// Whether a word is defined, imported, bound or asked about here, and not used.
pub(super) fn is_spoken_of(lang: Lang, atoms: &[Atom<'_>], at: usize) -> bool {
    let first = chain_start(lang, atoms, at);
    let leads = before(atoms, first, 1).filter(|atom| atom.kind == Kind::Word);
    if leads.is_some_and(|word| LEADS.contains(&word.text.as_ref())) {
        return true;
    }
    let is_bare = first == at;
    let next = atoms.get(at + 1);
    let is = |mark: &str| next.is_some_and(|next| next.is(mark));
    let after_opening =
        before(atoms, at, 1).is_none_or(|atom| ["{", ",", "(", "\n", ";"].iter().any(|mark| atom.is(mark)));
    is("=")
        || is(":=")
        || is("<-")
        || is("||=")
        || is_bare && is("=>")
        || is_bare && is(":") && after_opening && lang != Lang::Tcl
        || lang == Lang::JavaScript && is_bare && (is_method(atoms, at) || is_bound(atoms, at))
}

/// Where the chain of names begins that ends in this one: `function M.remove`, `def self.system`.
fn chain_start(lang: Lang, atoms: &[Atom<'_>], at: usize) -> usize {
    let mut first = at;
    for _ in 0..8 {
        let is_member = before(atoms, first, 1).is_some_and(|mark| is_member_mark(lang, mark));
        let holder =
            before(atoms, first, 2).filter(|holder| matches!(holder.kind, Kind::Word | Kind::Variable));
        if !is_member || holder.is_none() {
            break;
        }
        first -= 2;
    }
    first
}

/// Whether a method is defined by this name: `unlink() { … }`.
fn is_method(atoms: &[Atom<'_>], at: usize) -> bool {
    let follows = |mark: &str| before(atoms, at, 1).is_some_and(|atom| atom.is(mark));
    let begins = follows("{") || follows("}") || follows(",") || follows(";") || follows("\n");
    let is_modified = before(atoms, at, 1).is_some_and(|atom| MODIFIERS.contains(&atom.text.as_ref()));
    if !(begins || is_modified) || !atoms.get(at + 1).is_some_and(|next| next.is("(")) {
        return false;
    }
    let Some(close) = closing(atoms, at + 1, "(", ")") else { return false };
    atoms.get(close + 1).is_some_and(|after| after.is("{"))
}

/// Whether a method is called that the code itself defines, of something that is no module.
pub(super) fn is_own_method(lang: Lang, atoms: &[Atom<'_>], at: usize) -> bool {
    let is_call = atoms.get(at + 1).is_some_and(|next| next.is("("));
    let is_member = before(atoms, at, 1).is_some_and(|mark| is_member_mark(lang, mark));
    let holder = before(atoms, at, 2).map_or("", |holder| holder.text.as_ref());
    let Some(atom) = atoms.get(at).filter(|_| is_call && is_member && !MODULES.contains(&holder)) else {
        return false;
    };
    let mut same =
        atoms.iter().enumerate().filter(|(_, other)| other.kind == Kind::Word && other.text == atom.text);
    same.any(|(other, _)| {
        let first = chain_start(lang, atoms, other);
        let leads = before(atoms, first, 1).filter(|word| word.kind == Kind::Word);
        leads.is_some_and(|word| DEFINES.contains(&word.text.as_ref()))
            || lang == Lang::JavaScript && is_method(atoms, other)
    })
}

/// Whether the braces around a word bind names: `const { rm } = …`, `import { rm } from …`.
fn is_bound(atoms: &[Atom<'_>], at: usize) -> bool {
    let mut rest = atoms.iter().skip(at).take(REACH).skip_while(|atom| {
        matches!(atom.kind, Kind::Word) || [",", ":", "=", "\n"].iter().any(|mark| atom.is(mark))
    });
    let closes = rest.next().is_some_and(|atom| atom.is("}"));
    let binds =
        rest.next().is_some_and(|atom| atom.is("=") || atom.kind == Kind::Word && atom.text == "from");
    closes && binds
}

fn closing(atoms: &[Atom<'_>], at: usize, open: &str, close: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (offset, atom) in atoms.iter().skip(at).take(REACH).enumerate() {
        depth += u32::from(atom.is(open));
        depth -= u32::from(atom.is(close));
        if depth == 0 {
            return Some(at + offset);
        }
    }
    None
}

/// Whether a string that is nothing but a name is used to look something up.
pub(super) fn is_looked_up(lang: Lang, word: &Word, atoms: &[Atom<'_>], at: usize) -> bool {
    if is_index(atoms, at) {
        let holder = before(atoms, at, 2);
        let name = holder.filter(|holder| matches!(holder.kind, Kind::Word | Kind::Variable));
        return match word.owner {
            Owner::Any => is_telling(word.name),
            owner @ (Owner::Bare(_) | Owner::Of(_)) => {
                fits(owner, Some(name.map_or("", |name| name.text.as_ref())))
            }
        };
    }
    let lookups = if lang == Lang::Php { PHP_LOOKUPS } else { LOOKUPS };
    called_with(atoms, at)
        .is_some_and(|callee| lookups.iter().any(|known| callee.eq_ignore_ascii_case(known)))
}

/// Whether a name has hardly another meaning: one that is made of words.
fn is_telling(name: &str) -> bool {
    name.contains(|c: char| c.is_ascii_uppercase() || c == '_')
}

/// Whether an atom is what a thing is asked for: `fs["rmSync"]`.
fn is_index(atoms: &[Atom<'_>], at: usize) -> bool {
    let opens = before(atoms, at, 1).is_some_and(|atom| atom.is("[") && !atom.spaced);
    let closes = atoms.get(at + 1).is_some_and(|atom| atom.is("]"));
    let has_holder = before(atoms, at, 2).is_some_and(|holder| {
        matches!(holder.kind, Kind::Word | Kind::Variable)
            || holder.is(")")
            || holder.is("]")
            || holder.is("?.")
    });
    opens && closes && has_holder
}

/// The name of what is called with this atom as an argument.
fn called_with<'a>(atoms: &'a [Atom<'_>], at: usize) -> Option<&'a str> {
    let mut depth = 0_u32;
    for by in 1..REACH {
        let atom = before(atoms, at, by)?;
        if atom.is(")") || atom.is("]") || atom.is("}") {
            depth += 1;
        } else if depth > 0 && (atom.is("(") || atom.is("[") || atom.is("{")) {
            depth -= 1;
        } else if atom.is("(") {
            let callee = before(atoms, at, by + 1)?;
            return matches!(callee.kind, Kind::Word).then(|| callee.text.as_ref());
        } else if depth == 0
            && atom.kind == Kind::Word
            && before(atoms, at, by - 1).is_some_and(|next| next.kind != Kind::Mark)
        {
            // Without brackets: `send :system, x`.
            return Some(atom.text.as_ref());
        } else if depth == 0 && [";", "\n", "{", "}", "="].iter().any(|mark| atom.is(mark)) {
            return None;
        }
    }
    None
}

/// Words behind which a name is defined, imported or asked about.
const LEADS: &[&str] = &[
    "alias",
    "as",
    "class",
    "const",
    "def",
    "defined",
    "exists",
    "fn",
    "from",
    "func",
    "function",
    "import",
    "instanceof",
    "interface",
    "module",
    "my",
    "namespace",
    "no",
    "our",
    "package",
    "proc",
    "sub",
    "trait",
    "typeof",
    "undef",
    "use",
    "var",
    "let",
    "local",
];
/// Words that define what follows.
const DEFINES: &[&str] = &["def", "fn", "func", "function", "sub"];
/// What holds functions of the system.
const MODULES: &[&str] = &[
    "child_process",
    "cp",
    "Deno",
    "Dir",
    "File",
    "FileUtils",
    "fs",
    "fsp",
    "io",
    "Kernel",
    "os",
    "process",
    "Process",
    "promises",
];
/// Words that stand between what came before and the name of a method.
const MODIFIERS: &[&str] = &["*", "async", "get", "private", "protected", "public", "set", "static"];
/// Functions that find others by name.
const LOOKUPS: &[&str] = &[
    "__send__",
    "apply",
    "call",
    "can",
    "const_get",
    "do.call",
    "each",
    "filter",
    "get",
    "get0",
    "getattr",
    "getExportedValue",
    "getFunction",
    "GetMethod",
    "instance_method",
    "invoke",
    "InvokeMember",
    "lapply",
    "map",
    "Map",
    "match.fun",
    "method",
    "mget",
    "public_method",
    "public_send",
    "rawget",
    "Reduce",
    "sapply",
    "send",
    "try",
    "vapply",
];
const PHP_LOOKUPS: &[&str] = &[
    "array_filter",
    "array_map",
    "array_reduce",
    "array_walk",
    "array_walk_recursive",
    "call_user_func",
    "call_user_func_array",
    "forward_static_call",
    "fromCallable",
    "iterator_apply",
    "ob_start",
    "preg_replace_callback",
    "ReflectionFunction",
    "register_shutdown_function",
    "register_tick_function",
    "set_error_handler",
    "set_exception_handler",
    "spl_autoload_register",
    "uasort",
    "uksort",
    "usort",
];
