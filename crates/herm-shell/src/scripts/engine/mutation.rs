//! Texts and lists that are changed where they are: by methods of their own, and by functions that they are handed to.
//!
//! What a variable holds then is computed, or it may be anything beside what it held.

use std::rc::Rc;

use super::{Reader, Val, texts};
use crate::lang::Lang;
use crate::scripts::scanner::Kind;

impl Reader<'_> {
    /// A method was called of what a variable holds; some change it.
    pub(super) fn change_receiver(&mut self, place: &str, name: &str, arguments: &[Val]) {
        let Some(before) = self.vars.get(place).cloned() else { return };
        if !self.changes(&before, name) {
            return;
        }
        let lang = self.lang();
        let all: Vec<Val> = std::iter::once(before.clone()).chain(arguments.iter().cloned()).collect();
        let after = self.each_top_way(&all, |_, all| match all.split_first() {
            Some((before, arguments)) => changed(lang, name, before, arguments)
                .unwrap_or_else(|| before.clone().either(&Val::unknown(name, before.provenance()))),
            None => Val::list(Vec::new()),
        });
        self.replace(place, &before, after);
    }

    /// Whether a method changes what it is called of.
    fn changes(&self, before: &Val, name: &str) -> bool {
        let any = |wanted: fn(&Val) -> bool| match before {
            Val::OneOf(all) => all.iter().any(wanted),
            one @ (Val::Function(_)
            | Val::Handle(_)
            | Val::List(_)
            | Val::Name(..)
            | Val::Number(_)
            | Val::Pair(_)
            | Val::Text(_)) => wanted(one),
        };
        let is_list = any(|val| matches!(val, Val::List(_)));
        let is_text = any(|val| matches!(val, Val::Text(_)));
        match self.lang() {
            Lang::JavaScript => is_list && OF_LISTS.contains(&name),
            Lang::Ruby => {
                (is_list || is_text) && name.len() > 1 && name.ends_with('!')
                    || is_list
                        && (OF_LISTS.contains(&name) || OF_RUBY_LISTS.contains(&name))
                        && !matches!(name, "reverse" | "sort")
                    || is_text && OF_TEXTS.contains(&name)
            }
            Lang::Awk
            | Lang::Cmd
            | Lang::Debugger
            | Lang::Ex
            | Lang::Lua
            | Lang::Make
            | Lang::Other(_)
            | Lang::Perl
            | Lang::Php
            | Lang::PowerShell
            | Lang::Python
            | Lang::R
            | Lang::Sed
            | Lang::Shell
            | Lang::Sql
            | Lang::Tcl => false,
        }
    }

    /// A function was called, whose name stands at `start`; some change their arguments.
    pub(super) fn change_arguments(&mut self, path: &str, arguments: &[Val], start: usize) {
        let lang = self.lang();
        let changing = match lang {
            Lang::Lua => OF_LUA,
            Lang::Perl => OF_PERL,
            Lang::Php => OF_PHP,
            Lang::Awk
            | Lang::Cmd
            | Lang::Debugger
            | Lang::Ex
            | Lang::JavaScript
            | Lang::Make
            | Lang::Other(_)
            | Lang::PowerShell
            | Lang::Python
            | Lang::R
            | Lang::Ruby
            | Lang::Sed
            | Lang::Shell
            | Lang::Sql
            | Lang::Tcl => return,
        };
        let path = path.to_ascii_lowercase();
        let Some((_, index)) = changing.iter().find(|(name, _)| *name == path) else { return };
        if path == "substr" && arguments.len() < 4 {
            return;
        }
        let Some(place) = self.argument_place(start, *index) else { return };
        let Some(before) = self.vars.get(&place).cloned() else { return };
        let given = arguments.get(index + 1..).unwrap_or_default();
        let all: Vec<Val> = std::iter::once(before.clone()).chain(given.iter().cloned()).collect();
        let after = self.each_top_way(&all, |_, all| match all.split_first() {
            Some((before, arguments)) => changed(lang, &path, before, arguments)
                .unwrap_or_else(|| before.clone().either(&Val::unknown(&path, before.provenance()))),
            None => Val::list(Vec::new()),
        });
        self.replace(&place, &before, after);
    }

    /// Gives a variable what it holds after a change, and others that hold the very same, which they may share.
    pub(super) fn replace(&mut self, place: &str, before: &Val, after: Val) {
        let shared: Vec<String> = self
            .vars
            .iter()
            .filter(|(name, held)| name.as_str() != place && is_shared(held, before))
            .map(|(name, _)| name.clone())
            .collect();
        self.spend(self.vars.len() / 16);
        for other in shared {
            let either = before.clone().either(&after);
            self.bind(&other, either);
        }
        self.assign(place, after);
    }

    /// A part of what a variable holds is given another value.
    pub(super) fn change_part(&mut self, whole: &str, key: &str, val: &Val) {
        let Some(before) = self.vars.get(whole).cloned() else { return };
        let first = self.first_index();
        let after = self.each_top_way(std::slice::from_ref(&before), |_, before| match before {
            [Val::List(items)] => with_part(items, key, val, first),
            [before @ Val::Text(_)] => {
                before.clone().either(&Val::unknown("changed text", before.provenance()))
            }
            [other] => other.clone(),
            _ => Val::list(Vec::new()),
        });
        self.note_before(whole, &before);
        self.vars.insert(whole.to_owned(), after);
    }

    /// The variable that stands as an argument of the call whose name begins at `start`.
    pub(super) fn argument_place(&self, start: usize, index: usize) -> Option<String> {
        let mut at = start;
        while self.tokens.get(at)?.name().is_some()
            || self.tokens.get(at)?.is(".")
            || self.tokens.get(at)?.is("::")
        {
            at += 1;
        }
        at += usize::from(self.tokens.get(at)?.is("("));
        for _ in 0..index {
            while !self.tokens.get(at)?.is(",") {
                if self.tokens.get(at)?.is(";") {
                    return None;
                }
                at = self.tokens.get(at)?.partner.map_or(at + 1, |partner| partner.max(at) + 1);
            }
            at += 1;
        }
        (at..at + 4).find_map(|at| match &self.tokens.get(at)?.kind {
            Kind::Var(name) => Some(Some(name.clone())),
            Kind::Name(name) if !matches!(name.as_str(), "my" | "our" | "local") => {
                Some((!self.tokens.get(at + 1).is_some_and(|next| next.is("("))).then(|| name.clone()))
            }
            Kind::Name(_) | Kind::Op("(" | "&" | "\\" | "@" | "{") => None,
            Kind::Command(_)
            | Kind::Newline
            | Kind::Number(_)
            | Kind::Op(_)
            | Kind::Readline(_)
            | Kind::Regex(_)
            | Kind::Text(_)
            | Kind::Words(_) => Some(None),
        })?
    }
}

/// What a change makes of a value, where that can be computed.
fn changed(lang: Lang, name: &str, before: &Val, arguments: &[Val]) -> Option<Val> {
    let simple = arguments.iter().all(|argument| matches!(argument, Val::Text(_) | Val::Number(_)));
    if let Val::List(items) = before {
        let joined = |first: &[Val], second: &[Val]| Some(Val::list([first, second].concat()));
        let tail = items.split_first().map_or(&[] as &[Val], |(_, rest)| rest);
        let head = items.split_last().map_or(&[] as &[Val], |(_, rest)| rest);
        return match name {
            "push" | "append" | "array_push" if simple || lang != Lang::Perl => joined(items, arguments),
            "table.insert" if arguments.len() == 1 => joined(items, arguments),
            "unshift" | "prepend" | "array_unshift" if simple || lang != Lang::Perl => {
                joined(arguments, items)
            }
            "pop" | "array_pop" | "table.remove" if arguments.is_empty() => Some(Val::list(head.to_vec())),
            "shift" | "array_shift" if arguments.is_empty() => Some(Val::list(tail.to_vec())),
            "clear" => Some(Val::list(Vec::new())),
            "reverse" | "sort" => exactly(texts::method(lang, name, std::slice::from_ref(before))),
            _ => by_its_method(lang, name, before, arguments),
        };
    }
    if name == "clear" {
        return Some(Val::text(""));
    }
    by_its_method(lang, name, before, arguments)
}

/// `upcase!` leaves what `upcase` yields.
fn by_its_method(lang: Lang, name: &str, before: &Val, arguments: &[Val]) -> Option<Val> {
    if lang != Lang::Ruby
        || name == "slice!"
        || arguments.iter().any(|argument| matches!(argument, Val::Function(_)))
    {
        return None;
    }
    let all: Vec<Val> = std::iter::once(before.clone()).chain(arguments.iter().cloned()).collect();
    exactly(texts::method(lang, name.trim_end_matches('!'), &all))
}

/// A value that is known, not one that says that it is not.
fn exactly(val: Option<Val>) -> Option<Val> {
    val.filter(|val| match val {
        Val::Text(text) => !text.has_hole(),
        Val::Function(_)
        | Val::Handle(_)
        | Val::List(_)
        | Val::Name(..)
        | Val::Number(_)
        | Val::OneOf(_)
        | Val::Pair(_) => true,
    })
}

/// A list with another value in one place.
fn with_part(items: &Rc<Vec<Val>>, key: &str, val: &Val, first: usize) -> Val {
    let mut items = items.as_ref().clone();
    if let Some(pair) = items.iter_mut().find(|item| matches!(item, Val::Pair(pair) if pair.0 == key)) {
        *pair = Val::Pair(Rc::new((key.to_owned(), val.clone())));
        return Val::list(items);
    }
    let pairs = items.iter().any(|item| matches!(item, Val::Pair(_)));
    let index = key.parse::<usize>().ok().and_then(|index| index.checked_sub(first));
    let all = items.len();
    if let Some(item) = index.filter(|_| !pairs).and_then(|index| items.get_mut(index)) {
        *item = val.clone();
        return Val::list(items);
    }
    match index {
        Some(index) if !pairs && index == all => items.push(val.clone()),
        _ if key == NEXT => items.push(val.clone()),
        None if key != ANY && !key.is_empty() => {
            items.push(Val::Pair(Rc::new((key.to_owned(), val.clone()))));
        }
        _ => {
            let before = Val::list(items.clone());
            items.push(val.clone());
            return before.either(&Val::list(items)).either(&Val::unknown("changed list", val.provenance()));
        }
    }
    Val::list(items)
}

/// The key of a part that nothing names.
pub(super) const ANY: &str = "[]";
/// The key of the part behind the last one: `$x[] = …`.
pub(super) const NEXT: &str = "[+]";

fn is_shared(one: &Val, other: &Val) -> bool {
    match (one, other) {
        (Val::List(one), Val::List(other)) => Rc::ptr_eq(one, other),
        (Val::Text(one), Val::Text(other)) => Rc::ptr_eq(one, other),
        (Val::OneOf(one), Val::OneOf(other)) => Rc::ptr_eq(one, other),
        _ => false,
    }
}

/// Methods that change the list that they are called of.
const OF_LISTS: &[&str] =
    &["push", "pop", "shift", "unshift", "reverse", "sort", "splice", "fill", "copyWithin", "append"];
const OF_RUBY_LISTS: &[&str] = &[
    "concat",
    "prepend",
    "insert",
    "replace",
    "clear",
    "delete",
    "delete_at",
    "delete_if",
    "keep_if",
    "store",
    "update",
];
/// Methods that change the text that they are called of.
const OF_TEXTS: &[&str] =
    &["concat", "prepend", "insert", "replace", "clear", "setbyte", "append_as_bytes", "<<"];

/// Functions that change an argument, and which.
const OF_LUA: &[(&str, usize)] =
    &[("table.insert", 0), ("table.remove", 0), ("table.sort", 0), ("table.move", 0)];
const OF_PERL: &[(&str, usize)] = &[
    ("push", 0),
    ("unshift", 0),
    ("pop", 0),
    ("shift", 0),
    ("splice", 0),
    ("chop", 0),
    ("chomp", 0),
    ("substr", 0),
    ("vec", 0),
    ("read", 1),
    ("sysread", 1),
];
const OF_PHP: &[(&str, usize)] = &[
    ("array_push", 0),
    ("array_unshift", 0),
    ("array_pop", 0),
    ("array_shift", 0),
    ("array_splice", 0),
    ("array_walk", 0),
    ("array_multisort", 0),
    ("sort", 0),
    ("rsort", 0),
    ("usort", 0),
    ("uasort", 0),
    ("uksort", 0),
    ("asort", 0),
    ("arsort", 0),
    ("ksort", 0),
    ("krsort", 0),
    ("natsort", 0),
    ("natcasesort", 0),
    ("shuffle", 0),
    ("settype", 0),
    ("parse_str", 1),
    ("preg_match", 2),
    ("preg_match_all", 2),
    ("exec", 1),
    ("similar_text", 2),
];
