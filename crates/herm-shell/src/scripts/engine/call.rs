//! Calls: which function is called, and what its table says.

use std::rc::Rc;

use super::act::{Act, Row};
use super::{Reader, Val, texts};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::scripts::mongo;
use crate::scripts::scanner::{Kind, Token};
use crate::span::Span;
use crate::value::Provenance;

/// How long a path of names may grow before it is forgotten.
const PATH_MOST: usize = 160;

impl Reader<'_> {
    /// A call with parentheses.
    pub(super) fn parenthesised_call(&mut self, callee: &Val, start: usize) -> Val {
        if self.lang() == Lang::Php && self.names_function() {
            self.pos += 3;
            return callee.clone();
        }
        if let (Lang::Php, Val::Name(name, _)) = (self.lang(), callee) {
            // `$f(…)`: the name of a function that is only known at run time.
            let before = self.pos.checked_sub(1).and_then(|at| self.tokens.get(at));
            if before.is_some_and(|token| matches!(token.kind, Kind::Var(_)) || token.is("]")) {
                let name = name.to_string();
                self.sink.gap(Position::Code, Reason::Runtime, &name);
            }
        }
        let name = self.pos.checked_sub(1);
        let mut arguments = self.call_arguments();
        arguments.extend(self.trailing_block());
        self.begin_call(name);
        let result = self.performed(callee, &arguments, start);
        self.called = None;
        result
    }

    /// Whether `(...)` stands here: PHP's way to take a function without calling it.
    fn names_function(&self) -> bool {
        let is = |by: usize, op: &str| self.ahead(by).is_some_and(|token| token.is(op));
        is(1, "...") && is(2, ")")
    }

    /// A call whose text begins at `start`.
    pub(super) fn performed(&mut self, callee: &Val, arguments: &[Val], start: usize) -> Val {
        self.locate(start);
        let result = self.call_value(callee, arguments);
        if let Val::Name(path, _) = callee {
            self.change_arguments(&Rc::clone(path), arguments, start);
        }
        self.place = None;
        result
    }

    /// Calls whatever `callee` is.
    pub(in crate::scripts) fn call_value(&mut self, callee: &Val, arguments: &[Val]) -> Val {
        match callee {
            Val::OneOf(_) => self.each_top_way(std::slice::from_ref(callee), |reader, callee| match callee {
                [callee] => reader.call_value(callee, arguments),
                _ => Val::list(Vec::new()),
            }),
            Val::Name(path, provenance) => {
                self.doubt_reflection(path);
                match path.strip_suffix(".returned") {
                    Some(name) => Val::Name(Rc::from(name), *provenance),
                    None => self.call_path(path, arguments),
                }
            }
            Val::Function(function) => self.apply(&Rc::clone(function), arguments),
            Val::Text(value) => match value.known() {
                Some(name) if self.calls_by_text() => self.call_path(&name, arguments),
                Some(_) => self.unknown_call("call", arguments),
                None => self.doubtful_call(&value.shown(), arguments),
            },
            // A table or an object that may be called: what it then does stands elsewhere.
            Val::List(_) if self.lang() == Lang::Lua => {
                self.unfollowed("call", arguments);
                self.unknown_call("call", arguments)
            }
            Val::Handle(_) | Val::List(_) | Val::Number(_) | Val::Pair(_) => {
                self.unknown_call("call", arguments)
            }
        }
    }

    /// Whether a text can be called: it names a function.
    fn calls_by_text(&self) -> bool {
        matches!(self.lang(), Lang::Awk | Lang::Php | Lang::Perl | Lang::Ruby | Lang::R)
    }

    /// A call of something whose name is only known at run time.
    fn doubtful_call(&mut self, shown: &str, arguments: &[Val]) -> Val {
        if self.lang() == Lang::Php {
            self.sink.gap(Position::Code, Reason::Runtime, shown);
            self.reaches(arguments);
        } else if self.calls_by_text() && !arguments.is_empty() {
            self.unfollowed(shown, arguments);
        } else {
            self.reaches(arguments);
        }
        self.unknown_call(shown, arguments)
    }

    /// `globalThis[x]()`: any function may be meant.
    fn doubt_reflection(&mut self, path: &str) {
        let Some(base) = path.strip_suffix("[]") else { return };
        if REFLECTIVE.contains(&base) {
            self.sink.gap(Position::Code, Reason::Runtime, path);
        }
    }

    /// Calls a function by its path.
    pub(in crate::scripts) fn call_path(&mut self, path: &str, arguments: &[Val]) -> Val {
        match self.vars.get(path).cloned() {
            Some(Val::Function(function)) => return self.apply(&function, arguments),
            Some(several @ Val::OneOf(_)) if several.alternatives().iter().any(is_function) => {
                return self.call_value(&several, arguments);
            }
            Some(_) | None => {}
        }
        if let Some(result) = self.text_function(path, arguments) {
            return result;
        }
        match self.find(path) {
            Some(act) => self.perform(act, arguments),
            None => self.unlisted(path, arguments),
        }
    }

    /// Whether a function is known: what it does, or what it computes.
    pub(super) fn is_listed(&self, path: &str) -> bool {
        self.find(path).is_some() || texts::function(self.lang(), self.plain_path(path), &[]).is_some()
    }

    /// What a function yields that computes a text.
    fn text_function(&mut self, path: &str, arguments: &[Val]) -> Option<Val> {
        let path = self.plain_path(path).to_owned();
        let lang = self.lang();
        let called = |argument: &Val| matches!(argument, Val::Function(_)) || self.runner(argument).is_some();
        texts::function(lang, &path, &[])?;
        if self.lang() != Lang::Php && arguments.iter().any(called)
            || arguments.iter().any(|argument| matches!(argument, Val::Function(_)))
        {
            return None;
        }
        let given = if arguments.is_empty() && lang == Lang::Perl {
            vec![self.lookup("_")]
        } else {
            self.resolved(arguments)
        };
        let name = self.called;
        Some(self.each_way(&given, |_, given| {
            texts::function(lang, &path, given).unwrap_or_else(|| Val::list(Vec::new()))
        }))
        .map(|result| if path == "reverse" { self.asked_as(result, name) } else { result })
    }

    /// Whether a path leads to the environment, or to something else that is known beside what the code says.
    fn is_environment(&self, path: &str) -> bool {
        let plain = self.plain_path(path);
        let environment = |known: &str| {
            plain.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.language.environment.iter().any(|known| environment(known))
            || matches!(plain, "_" | "STDIN" | "<" | "argn")
    }

    /// `scalar reverse` asks for the text, not for the list: it is the first of both.
    fn asked_as(&self, result: Val, name: Option<Span>) -> Val {
        let Val::OneOf(all) = &result else { return result };
        let Some(start) = name.map(|name| name.start) else { return result };
        let before =
            self.tokens.iter().take(self.pos).rev().find(|token| token.start < start && !token.is("("));
        let asks = before.and_then(Token::name) == Some("scalar");
        let first = all.iter().find(|one| matches!(one, Val::Text(_)));
        first.filter(|_| asks && all.len() == 2).cloned().unwrap_or(result)
    }

    /// Arguments in which variables of the environment are the texts that they hold.
    pub(super) fn resolved(&mut self, arguments: &[Val]) -> Vec<Val> {
        let mut resolved = Vec::with_capacity(arguments.len());
        for argument in arguments {
            resolved.push(match argument {
                Val::Name(path, _) if self.is_environment(path) => Val::value(self.text(argument)),
                Val::List(items)
                    if items
                        .iter()
                        .any(|item| matches!(item, Val::Name(path, _) if self.is_environment(path))) =>
                {
                    let items = argument.items();
                    Val::list(
                        items
                            .iter()
                            .map(|item| {
                                if matches!(item, Val::Name(..)) {
                                    Val::value(self.text(item))
                                } else {
                                    item.clone()
                                }
                            })
                            .collect(),
                    )
                }
                other @ (Val::Function(_)
                | Val::Handle(_)
                | Val::List(_)
                | Val::Name(..)
                | Val::Number(_)
                | Val::OneOf(_)
                | Val::Pair(_)
                | Val::Text(_)) => other.clone(),
            });
        }
        resolved
    }

    pub(super) fn unlisted(&mut self, path: &str, arguments: &[Val]) -> Val {
        self.called = None;
        if let Some(result) = self.caught(path, arguments) {
            return result;
        }
        let destroyed =
            if self.lang() == Lang::JavaScript { mongo::collection(self, path, arguments) } else { None };
        destroyed.unwrap_or_else(|| {
            self.leads_out(path, arguments);
            self.unknown_call(path, arguments)
        })
    }

    /// Perl's `AUTOLOAD` is called for what is not defined, and finds the name in a variable.
    fn caught(&mut self, path: &str, arguments: &[Val]) -> Option<Val> {
        const NAME: &str = "AUTOLOAD";
        if self.lang() != Lang::Perl {
            return None;
        }
        let Some(Val::Function(function)) = self.vars.get(NAME).cloned() else { return None };
        let last = path.rsplit(['.', ':']).next().unwrap_or_default();
        let before = self.vars.insert(NAME.to_owned(), Val::text(format!("main::{last}")));
        let result = self.apply(&function, arguments);
        match before {
            Some(before) => self.vars.insert(NAME.to_owned(), before),
            None => self.vars.remove(NAME),
        };
        Some(result)
    }

    /// What the table says about a path.
    pub(super) fn find(&self, path: &str) -> Option<Act> {
        let lowered = self.language.profile.ignores_case.then(|| path.to_ascii_lowercase());
        let path = lowered.as_deref().unwrap_or(path);
        let path = self.plain_path(path);
        let rows = self.language.calls.iter();
        let exact = rows.clone().find(|row| row.0 == path);
        let found = exact.or_else(|| {
            let (_, last) = path.rsplit_once('.')?;
            let of_anything = |row: &&Row| row.0.strip_prefix("*.") == Some(last);
            let ends = |row: &&Row| row.0.strip_prefix("**.").is_some_and(|tail| path.ends_with(tail));
            rows.clone().find(of_anything).or_else(|| rows.clone().find(ends))
        });
        found.map(|row| row.1)
    }

    /// The path without beginnings that say nothing.
    pub(super) fn plain_path<'p>(&self, path: &'p str) -> &'p str {
        let mut path = path.trim_start_matches('.');
        while let Some(rest) = self.language.transparent.iter().find_map(|prefix| path.strip_prefix(prefix)) {
            path = rest;
        }
        path
    }

    /// A call that the table does not list: functions among its arguments run, data passes through.
    pub(super) fn unknown_call(&mut self, path: &str, arguments: &[Val]) -> Val {
        self.called = None;
        let mut provenance = Provenance::NONE;
        for argument in arguments {
            provenance |= match argument {
                Val::Name(..) => self.text(argument).provenance,
                Val::Function(function) => self.apply(&Rc::clone(function), &[]).provenance(),
                Val::Handle(_)
                | Val::List(_)
                | Val::Number(_)
                | Val::OneOf(_)
                | Val::Pair(_)
                | Val::Text(_) => argument.provenance(),
            };
        }
        if path.len() > PATH_MOST {
            return Val::unknown("call", provenance);
        }
        Val::Name(Rc::from(format!("{path}()").as_str()), provenance)
    }

    /// What a member of a value is, without calling it.
    pub(super) fn property(&mut self, value: &Val, name: &str) -> Val {
        self.each_top_way(std::slice::from_ref(value), |reader, value| match value {
            [value] => reader.property_of(value, name),
            _ => Val::list(Vec::new()),
        })
    }

    fn property_of(&mut self, value: &Val, name: &str) -> Val {
        match value {
            Val::Name(path, provenance) if path.len() < PATH_MOST => {
                let path = format!("{path}.{name}");
                let plain = self.plain_path(&path).to_owned();
                (self.language.global)(self, &plain)
                    .unwrap_or_else(|| Val::Name(Rc::from(path.as_str()), *provenance))
            }
            Val::List(_) if value.keyed(&[name]).is_some() => {
                value.keyed(&[name]).unwrap_or_else(|| value.clone())
            }
            Val::Handle(_) => value.clone(),
            Val::Function(_)
            | Val::List(_)
            | Val::Name(..)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_) => Val::unknown(name, value.provenance()),
        }
    }

    /// `.name`, `->name`, `::name`, with a call if one follows.
    pub(super) fn member(&mut self, value: &Val, start: usize) -> Val {
        self.pos += 1;
        // The name of the place grows with every member.
        if !self.spend(1 + self.place.as_ref().map_or(0, String::len) / 64) {
            return value.clone();
        }
        if self.at_op("(") {
            let arguments = self.call_arguments();
            return self.performed(value, &arguments, start);
        }
        let place = self.place.take();
        let Some(name) = self.member_name() else { return value.clone() };
        let dotted = place.as_ref().map(|place| format!("{place}.{name}"));
        let receiver = place;
        let written = self.pos.checked_sub(1);
        if self.at_op("(") && self.peek().is_some_and(|token| !token.spaced) {
            let mut arguments = self.call_arguments();
            arguments.extend(self.trailing_block());
            self.locate(start);
            self.begin_call(written);
            let result = self.method(value, &name, &arguments);
            self.called = None;
            if let Some(place) = receiver {
                self.change_receiver(&place, &name, &arguments);
            }
            if let Val::Name(path, _) = value {
                self.change_arguments(&format!("{path}.{name}"), &arguments, start);
            }
            return result;
        }
        let string_follows = matches!(self.peek().map(|token| &token.kind), Some(Kind::Text(_)));
        if string_follows && matches!(self.lang(), Lang::Lua | Lang::Other(_)) {
            let argument = self.unary();
            self.locate(start);
            self.begin_call(written);
            return self.method(value, &name, &[argument]);
        }
        if let Some(result) = self.ruby_member(value, &name, start, receiver) {
            return result;
        }
        self.place.clone_from(&dotted);
        match dotted.and_then(|dotted| self.vars.get(&dotted).cloned()) {
            Some(stored) => stored,
            None => self.property(value, &name),
        }
    }

    fn member_name(&mut self) -> Option<String> {
        let name = match self.peek().map(|token| &token.kind) {
            Some(Kind::Name(name)) => name.clone(),
            Some(Kind::Var(name)) => self.vars.get(name).and_then(Val::known).unwrap_or_else(|| name.clone()),
            Some(_) | None => return None,
        };
        self.pos += 1;
        Some(name)
    }

    /// Ruby calls without parentheses: `c.gets`, `io.print x`, `x.each { … }`.
    fn ruby_member(
        &mut self,
        value: &Val,
        name: &str,
        start: usize,
        receiver: Option<String>,
    ) -> Option<Val> {
        if self.lang() != Lang::Ruby || self.at_op("=") {
            return None;
        }
        let path = match value {
            Val::Name(path, _) => format!("{path}.{name}"),
            Val::Function(_)
            | Val::Handle(_)
            | Val::List(_)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_) => String::new(),
        };
        let constant = name.starts_with(char::is_uppercase);
        if constant || (!path.is_empty() && (self.language.global)(self, &path).is_some()) {
            return None;
        }
        let takes = !path.is_empty() && self.find(&path).is_some()
            || matches!(name, "print" | "puts" | "write" | "send" | "<<");
        let written = self.pos.checked_sub(1);
        let mut arguments = if takes && self.argument_follows() { self.bare_arguments() } else { Vec::new() };
        arguments.extend(self.trailing_block());
        self.locate(start);
        self.begin_call(written);
        let result = self.method(value, name, &arguments);
        self.called = None;
        if let Some(place) = receiver {
            self.change_receiver(&place, name, &arguments);
        }
        Some(result)
    }

    /// Whether this is a word that ends a list of arguments. Perl's operators are names like any other elsewhere: `system x`.
    pub(super) fn ends_list(&self, token: &Token) -> bool {
        let perl = self.lang() == Lang::Perl;
        let perls = |name: &str| perl && matches!(name, "eq" | "ne" | "x");
        token.name().is_some_and(|name| STOPS.contains(&name) && !(perl && name == "do") || perls(name))
    }

    /// Whether what follows may be the first argument of a call without parentheses.
    pub(super) fn argument_follows(&self) -> bool {
        let Some(token) = self.peek() else { return false };
        match &token.kind {
            Kind::Name(_) => !self.ends_list(token),
            Kind::Op("[" | "{" | "(") => token.spaced,
            Kind::Op("-" | "*") => token.spaced && self.ahead(1).is_some_and(|next| !next.spaced),
            Kind::Op(op) => matches!(*op, "\\" | "&" | "$" | "@" | "->" | "::" | "!" | "<"),
            Kind::Newline => false,
            Kind::Command(_)
            | Kind::Number(_)
            | Kind::Readline(_)
            | Kind::Regex(_)
            | Kind::Text(_)
            | Kind::Var(_)
            | Kind::Words(_) => true,
        }
    }
}

fn is_function(val: &Val) -> bool {
    matches!(val, Val::Function(_))
}

/// Objects out of which any function can be taken by name.
const REFLECTIVE: &[&str] = &[
    "globalThis",
    "global",
    "window",
    "self",
    "this",
    "process",
    "child_process",
    "fs",
    "fs/promises",
    "fs-extra",
    "Deno",
    "Bun",
    "vm",
    "_G",
    "os",
    "io",
    "_ENV",
    "java.lang.Runtime",
];

/// Words that end a list of arguments.
pub(super) const STOPS: &[&str] = &[
    "if", "unless", "while", "until", "for", "foreach", "and", "or", "xor", "do", "then", "end", "rescue",
    "else", "elsif", "in",
];
