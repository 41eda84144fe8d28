//! The arguments of calls.

use super::val::LIST_MOST;
use super::{Reader, Val};
use crate::lang::Lang;
use crate::scripts::scanner::{BareCalls, Kind};

impl Reader<'_> {
    /// The arguments between parentheses. Lists stay lists.
    pub(super) fn call_arguments(&mut self) -> Vec<Val> {
        let names = matches!(self.lang(), Lang::R | Lang::Other(_));
        let outer = std::mem::replace(&mut self.naming, names);
        let piped = self.piped.take();
        let mut arguments = self.deeper(Self::items).unwrap_or_default();
        self.naming = outer;
        if let Some(first) = piped {
            arguments.insert(0, first);
        }
        arguments
    }

    /// A call without parentheses, if the name that was just passed is one.
    pub(super) fn bare_call(&mut self, name: &str, at: usize) -> Option<Val> {
        if self.lang() == Lang::Awk && matches!(name, "print" | "printf") {
            return Some(self.awk_print(name, at));
        }
        if self.lang() == Lang::Awk && name == "getline" {
            return Some(self.awk_getline(at));
        }
        let style = self.language.profile.bare_calls;
        if self.at_op("(") && !self.perl_list_parenthesis(name) || self.vars.contains_key(name) {
            return self.printing_to_handle(name, at);
        }
        match style {
            BareCalls::Lists if self.find(name).is_some() => self.list_call(name, at),
            BareCalls::Words if self.argument_follows() && self.find(name).is_some() => {
                let arguments = self.word_arguments();
                self.locate(at);
                self.begin_call(Some(at));
                Some(self.call_path(name, &arguments))
            }
            BareCalls::Lists | BareCalls::None | BareCalls::Strings | BareCalls::Words => None,
        }
    }

    /// `map (…)`-like: the parenthesis belongs to a list that goes on.
    fn perl_list_parenthesis(&self, name: &str) -> bool {
        self.lang() == Lang::Perl && matches!(name, "print" | "printf" | "say") && !self.at_op("(")
    }

    fn list_call(&mut self, name: &str, at: usize) -> Option<Val> {
        if let Some(result) = self.printing_to_handle(name, at) {
            return Some(result);
        }
        // `URI.open`: the name of a module, not a call.
        if self.at_op(".") || self.at_op("::") || self.at_op("->") {
            return None;
        }
        let mut arguments = Vec::new();
        if self.at_op("{") && self.lang() == Lang::Perl {
            if matches!(name, "map" | "grep" | "sort" | "first" | "any") {
                arguments.push(self.topic_block());
                self.eat(",");
            } else if matches!(name, "system" | "exec") {
                // `system { PROGRAM } LIST`: the list begins with the name that the program is told.
                arguments.extend(self.block().items().pop());
                let told = self.bare_arguments();
                arguments.extend(told.into_iter().skip(1));
                self.locate(at);
                self.begin_call(Some(at));
                return Some(self.perform(super::Act::Argv, &arguments));
            } else {
                return Some(self.block().items().pop().unwrap_or_else(|| Val::list(Vec::new())));
            }
        }
        // `exec +(LIST)`: the sign keeps the bracket from being the call's own.
        if self.lang() == Lang::Perl && self.at_op("+") && self.ahead(1).is_some_and(|next| next.is("(")) {
            self.pos += 1;
            let list = self.bracketed().items();
            self.locate(at);
            self.begin_call(Some(at));
            return Some(self.call_path(name, &list));
        }
        if self.at_op("{") && self.lang() == Lang::Ruby {
            arguments.extend(self.trailing_block());
        } else if self.argument_follows() || (self.at_op("(") && !arguments.is_empty()) {
            let unary = UNARY.contains(&name);
            let more = if unary { vec![self.sum()] } else { self.bare_arguments() };
            arguments.extend(more);
            arguments.extend(self.trailing_block());
        } else if self.at_name("do") && self.lang() == Lang::Ruby {
            arguments.extend(self.trailing_block());
        }
        self.locate(at);
        self.begin_call(Some(at));
        let result = self.call_path(name, &arguments);
        self.called = None;
        self.change_arguments(name, &arguments, at);
        self.place = None;
        Some(result)
    }

    /// Values between commas, up to the end of the statement.
    pub(super) fn bare_arguments(&mut self) -> Vec<Val> {
        let mut arguments = Vec::new();
        while self.peek().is_some_and(|token| !self.ends_list(token) && token.kind != Kind::Newline)
            && arguments.len() < LIST_MOST
        {
            let before = self.pos;
            arguments.push(self.argument());
            if !self.eat(",") || self.pos == before {
                break;
            }
        }
        arguments
    }

    /// One argument: everything but the loosest operators.
    fn argument(&mut self) -> Val {
        let value = self.deeper(Self::tight).unwrap_or_else(|| Val::list(Vec::new()));
        if self.at_op("=>") || (self.at_op(":") && self.lang() == Lang::Ruby) {
            self.pos += 1;
            let key = match &value {
                Val::Name(name, _) => name.to_string(),
                Val::Function(_)
                | Val::Handle(_)
                | Val::List(_)
                | Val::Number(_)
                | Val::OneOf(_)
                | Val::Pair(_)
                | Val::Text(_) => value.known().unwrap_or_default(),
            };
            let paired = self.sum();
            return Val::Pair(std::rc::Rc::new((key, paired)));
        }
        value
    }

    /// Values between blanks.
    fn word_arguments(&mut self) -> Vec<Val> {
        let mut arguments = Vec::new();
        while self.argument_follows() && arguments.len() < LIST_MOST {
            let before = self.pos;
            arguments.push(self.sum());
            if self.pos == before {
                break;
            }
            self.eat(",");
        }
        arguments
    }

    /// `print F "x"`, `print {$f} "x"`, `print $f "x"`, with or without parentheses.
    fn printing_to_handle(&mut self, name: &str, at: usize) -> Option<Val> {
        if self.lang() != Lang::Perl || !matches!(name, "print" | "printf" | "say") {
            return None;
        }
        let skip = usize::from(self.at_op("("));
        let handle = self.handle_ahead(skip)?;
        let close = if skip == 1 { Some(self.partner(self.pos)) } else { None };
        self.pos += skip + if self.ahead(skip).is_some_and(|token| token.is("{")) { 3 } else { 1 };
        let arguments = self.bare_arguments();
        if let Some(close) = close {
            self.pos = (close + 1).min(self.end);
        }
        self.locate(at);
        if matches!(handle.as_str(), "STDOUT" | "STDERR") {
            return Some(Val::list(Vec::new()));
        }
        let target = self.lookup(&handle);
        Some(self.method(&target, "print", &arguments))
    }

    fn handle_ahead(&self, skip: usize) -> Option<String> {
        let braced = usize::from(self.ahead(skip).is_some_and(|token| token.is("{")));
        let name = match &self.ahead(skip + braced)?.kind {
            Kind::Name(name) if self.find(name).is_none() => name.clone(),
            Kind::Var(name) => name.clone(),
            Kind::Name(_)
            | Kind::Command(_)
            | Kind::Newline
            | Kind::Number(_)
            | Kind::Op(_)
            | Kind::Readline(_)
            | Kind::Regex(_)
            | Kind::Text(_)
            | Kind::Words(_) => return None,
        };
        let next = self.ahead(skip + 2 * braced + 1)?;
        let value = matches!(next.kind, Kind::Text(_) | Kind::Var(_) | Kind::Readline(_) | Kind::Command(_))
            || next.name().is_some_and(|name| !STOP_WORDS.contains(&name) && self.find(name).is_some());
        (value && next.spaced || braced == 1).then_some(name)
    }
}

/// Functions of one argument, which bind tighter than a comma.
const UNARY: &[&str] = &[
    "chr",
    "ord",
    "lc",
    "uc",
    "lcfirst",
    "ucfirst",
    "hex",
    "oct",
    "length",
    "eval",
    "defined",
    "quotemeta",
    "rmdir",
    "readlink",
    "require",
    "ref",
    "int",
    "shift",
    "pop",
    "chomp",
    "do",
    "chdir",
    "glob",
    "sleep",
    "exit",
    "decode_base64",
    "scalar",
];
const STOP_WORDS: &[&str] =
    &["if", "unless", "for", "foreach", "while", "until", "and", "or", "x", "eq", "ne"];
