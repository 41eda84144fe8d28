//! Methods of texts, lists and handles.

use std::rc::Rc;

use super::pure;
use super::val::LIST_MOST;
use super::{Handle, HandleKind, Reader, Val};
use crate::effect::{Flags, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::value::Provenance;

impl Reader<'_> {
    /// Calls a method of a value.
    pub(in crate::scripts) fn method(&mut self, value: &Val, name: &str, arguments: &[Val]) -> Val {
        let all: Vec<Val> = std::iter::once(value.clone()).chain(arguments.iter().cloned()).collect();
        self.each_way(&all, |reader, all| match all.split_first() {
            Some((value, arguments)) => reader.method_of(value, name, arguments),
            None => Val::list(Vec::new()),
        })
    }

    fn method_of(&mut self, value: &Val, name: &str, arguments: &[Val]) -> Val {
        if let Val::Text(text) = value {
            self.spend(super::val::size(text) / 512);
        }
        if let Some(result) = self.reflective(value, name, arguments) {
            return result;
        }
        // A function that a list holds by this name.
        if let Some(held @ (Val::Function(_) | Val::Name(..) | Val::OneOf(_))) = value.keyed(&[name]) {
            return self.call_value(&held, arguments);
        }
        match value {
            Val::Name(path, _) => self.method_of_name(path, value, name, arguments),
            Val::Handle(handle) => self.method_of_handle(&Rc::clone(handle), value, name, arguments),
            Val::Function(function)
                if matches!(name, "call" | "apply" | "bind" | "()" | "yield" | "curry") =>
            {
                self.apply(&Rc::clone(function), arguments)
            }
            Val::Function(_)
            | Val::List(_)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_) => self.method_of_value(value, name, arguments),
        }
    }

    /// Methods that call what their arguments name.
    fn reflective(&mut self, value: &Val, name: &str, arguments: &[Val]) -> Option<Val> {
        let ruby = self.lang() == Lang::Ruby;
        let handle = matches!(value, Val::Handle(_));
        match name {
            "send" | "__send__" | "public_send" if ruby && !handle => {
                let (method, rest) = arguments.split_first()?;
                if let Some(method) = method.known() {
                    Some(self.method(value, &method, rest))
                } else {
                    self.sink.gap(Position::Code, Reason::Runtime, "send");
                    Some(self.unknown_call("send", arguments))
                }
            }
            "method" | "public_method" | "instance_method" | "singleton_method" if ruby => {
                let method = arguments.first()?;
                match method.known() {
                    Some(method) => Some(self.property(value, &method)),
                    None => Some(self.some_function(name, arguments)),
                }
            }
            "const_get" if ruby => {
                arguments.first().and_then(Val::known).map(|constant| Val::name(&constant))
            }
            "then" | "pipe" | "forEach" | "each" | "tap" | "finally" => self.chained(value, name, arguments),
            "next" if self.lang() == Lang::JavaScript && matches!(value, Val::List(_)) => {
                let any = value.items().into_iter().reduce(|one, other| one.either(&other))?;
                Some(Val::list(vec![Val::Pair(Rc::new(("value".to_owned(), any)))]))
            }
            _ => None,
        }
    }

    /// A function is looked up by a name that is not known: it may be any.
    fn some_function(&mut self, how: &str, arguments: &[Val]) -> Val {
        self.unfollowed(how, &[]);
        self.unknown_call(how, arguments)
    }

    /// `.then(f)`, `.pipe(handle)`, `.each { … }`.
    fn chained(&mut self, value: &Val, name: &str, arguments: &[Val]) -> Option<Val> {
        match arguments.first()? {
            Val::Function(function) if name == "forEach" || name == "each" => {
                let items = value.items();
                for item in &items {
                    self.apply(&Rc::clone(function), std::slice::from_ref(item));
                }
                Some(value.clone())
            }
            // Ruby's `each(&:method)`.
            Val::Text(_) if name == "each" => Some(self.map(value, arguments)),
            Val::Function(function) if name == "tap" => {
                self.apply(&Rc::clone(function), std::slice::from_ref(value));
                Some(value.clone())
            }
            Val::Function(function) => {
                let given = if self.is_module(value) { value.clone() } else { self.data_of(value) };
                Some(self.apply(&Rc::clone(function), &[given]))
            }
            Val::Handle(handle) if name == "pipe" => {
                let content = self.data_of(value).plain();
                self.write_handle(&Rc::clone(handle), &content);
                Some(Val::Handle(Rc::clone(handle)))
            }
            Val::Name(..)
                if matches!(name, "forEach" | "each") && !matches!(value, Val::Name(..) | Val::Handle(_)) =>
            {
                self.map(value, arguments);
                Some(value.clone())
            }
            Val::Name(path, _) if name != "pipe" => {
                let given = self.data_of(value);
                Some(self.call_path(&Rc::clone(path), &[given]))
            }
            Val::List(_)
            | Val::Name(..)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_)
            | Val::Handle(_) => None,
        }
    }

    /// Whether a value is a module whose functions are described: `import("fs").then(fs => …)`.
    fn is_module(&self, value: &Val) -> bool {
        let Val::Name(path, _) = value else { return false };
        let below = |row: &super::Row| row.0.strip_prefix(&**path).is_some_and(|rest| rest.starts_with('.'));
        self.language.calls.iter().any(below)
    }

    fn data_of(&mut self, value: &Val) -> Val {
        match value {
            Val::Handle(handle) => Val::value(handle.content.clone()),
            Val::Name(..) => Val::value(self.text(value)),
            Val::Function(_)
            | Val::List(_)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_) => value.clone(),
        }
    }

    fn method_of_name(&mut self, path: &Rc<str>, value: &Val, name: &str, arguments: &[Val]) -> Val {
        let whole = format!("{path}.{name}");
        if self.vars.contains_key(&whole) {
            return self.call_path(&whole, arguments);
        }
        // `String.fromCharCode.apply(null, list)`, `method(:system).call("x")`, `(0, f).call(this, x)`.
        if matches!(name, "apply" | "call") && self.is_listed(path) {
            let skip = usize::from(self.lang() == Lang::JavaScript);
            let rest: Vec<Val> = arguments.iter().skip(skip).flat_map(Val::items).collect();
            return self.call_path(path, &rest);
        }
        if self.is_listed(&whole) {
            return self.call_path(&whole, arguments);
        }
        let known = (self.language.global)(self, path);
        match known {
            Some(found) if !matches!(found, Val::Name(..)) => self.method(&found, name, arguments),
            Some(_) | None => {
                let data = value.provenance();
                let result = self.unlisted(&whole, arguments);
                if let Val::Name(path, own) = &result {
                    return Val::Name(Rc::clone(path), *own | data);
                }
                result
            }
        }
    }

    fn method_of_handle(&mut self, handle: &Rc<Handle>, value: &Val, name: &str, arguments: &[Val]) -> Val {
        match name {
            "write" | "print" | "puts" | "printf" | "send" | "end" | "syswrite" | "write_nonblock"
            | "say" | "sendall" => {
                let content = self.joined(arguments, " ");
                self.write_handle(handle, &content);
                value.clone()
            }
            "connect" if handle.kind == HandleKind::Socket => self.connects(arguments),
            "listen" => {
                let port = arguments.first().cloned().unwrap_or_else(|| Val::text(""));
                self.listen(&[port], 0)
            }
            "on" | "once" | "addEventListener" => {
                for argument in arguments {
                    if let Val::Function(function) = argument {
                        let given = Val::value(handle.content.clone());
                        self.apply(&Rc::clone(function), &[given]);
                    }
                }
                value.clone()
            }
            "accept" | "accept_nonblock" | "bind" | "close" | "flush" | "sync" | "autoflush" | "binmode"
            | "destroy" | "setEncoding" | "unref" | "to_i" | "fileno" => value.clone(),
            _ => {
                self.callbacks(arguments, &Val::value(handle.content.clone()));
                Val::value(handle.content.clone())
            }
        }
    }

    /// `socket.connect(port, host)` or `socket.connect(host, port)`.
    fn connects(&mut self, arguments: &[Val]) -> Val {
        let port_first = matches!(arguments, [Val::Number(_), Val::Text(_), ..]);
        let result = if port_first { self.connect(arguments, 1, 0) } else { self.connect(arguments, 0, 1) };
        self.callbacks(arguments, &result);
        result
    }

    fn callbacks(&mut self, arguments: &[Val], given: &Val) {
        self.called = None;
        for argument in arguments {
            if let Val::Function(function) = argument {
                self.apply(&Rc::clone(function), std::slice::from_ref(given));
            }
        }
    }

    fn method_of_value(&mut self, value: &Val, name: &str, arguments: &[Val]) -> Val {
        let with = |rest: &[Val]| -> Vec<Val> {
            std::iter::once(value.clone()).chain(rest.iter().cloned()).collect()
        };
        let lang = self.lang();
        if arguments.iter().any(|argument| self.runner(argument).is_some()) {
            // `text.replace(/x/, execSync)`: called with what is found.
            let all = with(arguments);
            self.leads_out(name, &all);
            return Val::unknown(name, value.provenance());
        }
        if !arguments.iter().any(|argument| matches!(argument, Val::Function(_))) {
            let given = self.resolved(&with(arguments));
            if let Some(result) = super::texts::method(lang, name, &given) {
                return result;
            }
        }
        match name {
            "map" | "collect" | "each_char" => self.map(value, arguments),
            "call" | "apply" | "execute" => self.called_text(value, name, arguments),
            _ if matches!(lang, Lang::JavaScript | Lang::Lua | Lang::Ruby | Lang::Perl | Lang::Php) => {
                self.other_method(value, name, arguments)
            }
            _ => self.plain_method(value, name, arguments),
        }
    }

    /// Methods of languages that are not compared with anything: texts are joined, cut and given another case.
    fn plain_method(&mut self, value: &Val, name: &str, arguments: &[Val]) -> Val {
        let with = |rest: &[Val]| -> Vec<Val> {
            std::iter::once(value.clone()).chain(rest.iter().cloned()).collect()
        };
        match name {
            "join" | "implode" => {
                pure::join(&[arguments.first().cloned().unwrap_or_else(|| self.separator()), value.clone()])
            }
            "reverse" | "reversed" | "toReversed" => pure::reverse(std::slice::from_ref(value)),
            "split" => pure::parts(value, arguments.first().unwrap_or(&Val::text(" "))),
            "chars" | "characters" => pure::parts(value, &Val::text("")),
            "flat_map" => self.map(value, arguments),
            "concat" | "push" | "append" | "repeat" if matches!(value, Val::Text(_)) && name != "repeat" => {
                pure::concat(&with(arguments))
            }
            "concat" => pure::list(&with(arguments)),
            "toString" | "to_s" | "toLocaleString" | "decode" => Self::stringified(value, arguments),
            "chr" => pure::characters(std::slice::from_ref(value)),
            "ord" | "charCodeAt" | "codePointAt" => pure::ordinal(&with(arguments)),
            "hex" => pure::hex_number(std::slice::from_ref(value)),
            "to_i" | "parseInt" => pure::number(&with(arguments)),
            "trim" | "strip" if arguments.is_empty() => pure::trim(std::slice::from_ref(value)),
            "chomp" | "rstrip" | "trimEnd" if arguments.is_empty() => pure::trimmed(value, str::trim_end),
            "lstrip" | "trimStart" if arguments.is_empty() => pure::trimmed(value, str::trim_start),
            "downcase" | "toLowerCase" | "lower" => pure::lower(std::slice::from_ref(value)),
            "upcase" | "toUpperCase" | "upper" => pure::upper(std::slice::from_ref(value)),
            "replace" | "sub" if arguments.len() == 2 => pure::replaced_once(value, arguments),
            "gsub" | "replaceAll" if arguments.len() == 2 => pure::replaced_everywhere(value, arguments),
            "replace" | "gsub" | "sub" | "replaceAll" | "tr" => {
                self.callbacks(arguments, value);
                Val::unknown("replaced text", value.provenance())
            }
            "substr" | "slice" => pure::substring(&with(arguments)),
            "first" | "shift" | "last" | "pop" if !matches!(value, Val::List(_)) || !arguments.is_empty() => {
                Val::unknown(name, value.provenance())
            }
            "first" | "shift" => value.items().into_iter().next().unwrap_or_else(|| value.clone()),
            "last" | "pop" => value.items().into_iter().next_back().unwrap_or_else(|| value.clone()),
            "flatten" | "to_a" | "compact" | "freeze" | "dup" | "valueOf" | "execute"
                if !matches!(name, "execute") =>
            {
                value.clone()
            }
            "at" | "charAt" => match arguments.first() {
                Some(index) => pure::character(value, index),
                None => Val::unknown("character", value.provenance()),
            },
            _ => self.other_method(value, name, arguments),
        }
    }

    /// Groovy's `"cmd".execute()`; Ruby's `"x".call` is nothing.
    fn called_text(&mut self, value: &Val, name: &str, arguments: &[Val]) -> Val {
        match (name, value) {
            ("execute", Val::Text(_)) if matches!(self.lang(), Lang::Other(_)) => {
                let text = self.text(value);
                self.shell(&text)
            }
            ("execute", Val::List(_)) if matches!(self.lang(), Lang::Other(_)) => {
                self.argv(std::slice::from_ref(value))
            }
            _ => self.other_method(value, name, arguments),
        }
    }

    fn separator(&self) -> Val {
        Val::text(if self.lang() == Lang::JavaScript { "," } else { "" })
    }

    /// The text itself, unless an encoding is asked for.
    fn stringified(value: &Val, arguments: &[Val]) -> Val {
        match arguments.first().and_then(Val::known).as_deref() {
            Some("base64" | "hex") => Val::unknown("encoded text", value.provenance()),
            Some(_) | None => value.clone(),
        }
    }

    /// Applies a function, or the method that a name stands for, to every item.
    pub(in crate::scripts) fn map(&mut self, value: &Val, arguments: &[Val]) -> Val {
        self.called = None;
        let items = value.items();
        self.spend(items.len() / 4);
        let mut results = Vec::new();
        for item in items.iter().take(LIST_MOST) {
            if self.stopped {
                break;
            }
            results.push(match arguments.first() {
                Some(Val::Function(function)) => self.apply(&Rc::clone(function), std::slice::from_ref(item)),
                Some(Val::Name(path, _)) => self.call_path(&Rc::clone(path), std::slice::from_ref(item)),
                Some(method @ Val::Text(_)) => {
                    let method = method.known().unwrap_or_default();
                    if self.lang() == Lang::Ruby {
                        self.method(item, &method, &[])
                    } else {
                        self.call_path(&method, std::slice::from_ref(item))
                    }
                }
                Some(several @ Val::OneOf(_)) => self.call_value(several, std::slice::from_ref(item)),
                Some(Val::Handle(_) | Val::List(_) | Val::Number(_) | Val::Pair(_)) => {
                    Val::unknown("mapped", item.provenance())
                }
                None => item.clone(),
            });
        }
        let several =
            matches!(value, Val::Text(text) if text.known().is_none()) || matches!(value, Val::Name(..));
        if several {
            let unknown = Val::unknown("mapped", value.provenance());
            return Val::list(results).either(&unknown);
        }
        Val::list(results)
    }

    /// A method that is not known here: one that the table lists for anything, or something unknown.
    fn other_method(&mut self, value: &Val, name: &str, arguments: &[Val]) -> Val {
        let data = value.provenance();
        if let Some(act) = self.find(&format!("value.{name}")) {
            let given: Vec<Val> = if arguments.is_empty() { vec![value.clone()] } else { arguments.to_vec() };
            return self.perform(act, &given);
        }
        self.callbacks(arguments, &Val::unknown(name, data | self.ambient));
        for argument in arguments {
            // `["rm -rf /"].some(execSync)`
            if let Some(path) = self.runner(argument) {
                self.call_with_each(&path, &value.items(), false);
            }
        }
        if matches!(value, Val::Text(text) if text.known().is_none()) {
            self.leads_out(name, arguments);
        }
        match (name, value) {
            ("write" | "send" | "end" | "print" | "puts", _)
                if data.has(Provenance::NETWORK) && !arguments.is_empty() =>
            {
                let sent = self.joined(arguments, " ");
                let to = self.socket.clone().unwrap_or_else(|| value.plain());
                self.sink.connect(Verb::Send, &to, Flags::NONE, sent.provenance);
                Val::unknown(name, data)
            }
            (
                _,
                Val::Function(_)
                | Val::Handle(_)
                | Val::List(_)
                | Val::Name(..)
                | Val::Number(_)
                | Val::OneOf(_)
                | Val::Pair(_)
                | Val::Text(_),
            ) => Val::unknown(name, data),
        }
    }
}
