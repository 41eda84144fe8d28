//! Functions that the script defines, and the words of its language.

use std::cell::Cell;
use std::rc::Rc;

use super::recursion::is_same;
use super::{Function, Reader, Val};
use crate::lang::Lang;
use crate::scripts::scanner::{Kind, Quoting, Token};
use crate::value::Provenance;

/// What the name of a parameter begins with that takes all arguments that are left.
const REST: &str = "...";
/// Modules of Perl that are handed code or values.
const MAKERS: &[&str] = &["Inline", "constant", "overload", "sigtrap", "subs"];
/// How many values that a generator hands out are told apart.
const YIELDS_MOST: usize = 32;
/// What calling a function costs beside its body.
const CALL_COST: usize = 8;

impl Reader<'_> {
    /// A name, or a word of the language.
    pub(super) fn word(&mut self, name: &str) -> Val {
        let at = self.pos;
        self.pos += 1;
        let is_key = self.peek().is_some_and(|next| next.is("=>"))
            || (self.at_op(":") && self.lang() == Lang::JavaScript)
            || self.lang() == Lang::Ruby && self.peek().is_some_and(|next| next.is(":") && !next.spaced);
        if is_key && !self.is_arrow_parameter() {
            return Val::name(name);
        }
        if !self.language.profile.keywords.contains(&name) && name != "with" && self.is_method_definition(at)
        {
            // It is called by what it belongs to, and not by this name alone.
            let parameters = self.parameters();
            return self.body(parameters);
        }
        if self.at_op("=>") || (self.at_op("->") && matches!(self.lang(), Lang::Other(_))) {
            return self.arrow_body(vec![name.to_owned()]);
        }
        if self.language.profile.keywords.contains(&name)
            && let Some(value) = self.keyword(name)
        {
            return value;
        }
        self.bare_call(name, at).unwrap_or_else(|| self.lookup(name))
    }

    /// Whether the name at `at`, just passed, is that of a method: `rm(x) { … }` in an object or a class.
    fn is_method_definition(&self, at: usize) -> bool {
        if self.lang() != Lang::JavaScript || !self.at_op("(") {
            return false;
        }
        let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let begins = before.is_some_and(|token| {
            token.kind == Kind::Newline
                || ["{", "}", ",", ";", "*"].iter().any(|op| token.is(op))
                || matches!(token.name(), Some("async" | "get" | "set" | "static"))
        });
        let after = self.partner(self.pos) + 1;
        begins && after < self.end && self.tokens.get(after).is_some_and(|token| token.is("{"))
    }

    /// Whether the name that was just passed is the parameter of `x => …`.
    fn is_arrow_parameter(&self) -> bool {
        matches!(self.lang(), Lang::JavaScript | Lang::Other(_)) && self.at_op("=>")
    }

    fn keyword(&mut self, word: &str) -> Option<Val> {
        self.doubt_after(word);
        match word {
            "function" | "sub" | "def" | "func" | "fn" => Some(self.definition()),
            "while" | "until" | "for" | "foreach" | "loop" => Some(self.looping(word)),
            "do" | "repeat" if self.at_op("{") => Some(self.looping(word)),
            "return" => {
                let value = self.expression();
                self.returned = Some(match self.returned.take() {
                    Some(earlier) => earlier.either(&value),
                    None => value.clone(),
                });
                Some(value)
            }
            "yield" if self.lang() == Lang::JavaScript => Some(self.handed_out()),
            "new" => Some(self.construction()),
            "import" if !self.at_op("(") => Some(self.import()),
            // What a module is handed may hold code, and names that are made.
            "use"
                if self.lang() == Lang::Perl
                    && self.peek().and_then(Token::name).is_some_and(|name| MAKERS.contains(&name)) =>
            {
                let inline = self.at_name("Inline");
                self.pos += 1;
                if inline {
                    self.unfollowed("Inline", &[]);
                }
                Some(self.made_by_module())
            }
            "use" | "package" | "namespace" | "no" | "using" => {
                self.pass_statement();
                Some(Val::list(Vec::new()))
            }
            "import" => None,
            "my" | "our" | "local" | "let" | "const" | "var" => Some(self.declared()),
            "if" | "unless" | "elsif" | "elseif" | "switch" if self.at_op("(") => Some(self.bracketed()),
            // What a condition is compared with is no value of it, nor is what is asked of one.
            "case" | "if" | "unless" | "elsif" | "when" | "typeof" | "void" | "not" | "delete" => {
                let asked = self.unary();
                self.place = None;
                Some(Val::unknown(word, asked.provenance()))
            }
            "match" if self.lang() == Lang::Php && self.at_op("(") => Some(self.matching()),
            "begin" => {
                let first = self.unary();
                let unknown = Val::unknown(word, first.provenance());
                Some(first.either(&unknown))
            }
            _ => Some(self.unary()),
        }
    }

    /// `yield x`, `yield* all`. What comes back is what whoever asked for the next one says.
    fn handed_out(&mut self) -> Val {
        let all = self.eat("*");
        let value = self.expression();
        let values = if all { value.items() } else { vec![value] };
        for value in values {
            if self.yields.len() < YIELDS_MOST && !self.yields.iter().any(|other| is_same(other, &value)) {
                self.yields.push(value);
            }
        }
        self.place = None;
        Val::unknown("yield", self.ambient | Provenance::OUTSIDE)
    }

    /// `use constant NAME => value`, `use overload "+" => sub { … }`.
    fn made_by_module(&mut self) -> Val {
        let arguments = self.bare_arguments();
        for argument in arguments.iter().flat_map(Val::items) {
            if let Val::Pair(pair) = &argument {
                self.assign(&pair.0, pair.1.clone());
            }
        }
        self.place = None;
        Val::list(Vec::new())
    }

    /// PHP's `match (x) { a => b, … }`: one of the values.
    fn matching(&mut self) -> Val {
        self.bracketed();
        let unknown = Val::unknown("match", self.ambient);
        if !self.at_op("{") {
            return unknown;
        }
        let arms = self.items();
        self.place = None;
        arms.iter().fold(unknown, |all, arm| match arm {
            Val::Pair(pair) => all.either(&pair.1),
            Val::Function(_)
            | Val::Handle(_)
            | Val::List(_)
            | Val::Name(..)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Text(_) => all,
        })
    }

    /// What is declared: its own value is not asked for, so that `const {a} = …` names `a`.
    fn declared(&mut self) -> Val {
        let names = self.at_op("{") || self.at_op("(") || self.at_op("[");
        if !names {
            return self.unary();
        }
        let close = self.partner(self.pos);
        let targets = self.targets(self.pos, close);
        self.pos = close + 1;
        self.place = None;
        Val::list(targets)
    }

    /// What stands in brackets before the sign of an assignment that was just passed.
    pub(super) fn bracketed_targets(&mut self) -> Option<Vec<Val>> {
        let close = self.pos.checked_sub(2)?;
        self.tokens.get(close).filter(|token| token.is("]") || token.is(")") || token.is("}"))?;
        let open = self.opening(close);
        self.spend((close - open) / 16 + 1);
        let before = open.checked_sub(1).and_then(|at| self.tokens.get(at));
        let is_index = before.is_some_and(|token| match &token.kind {
            Kind::Op(op) => matches!(*op, ")" | "]" | "}" | "->" | "."),
            Kind::Name(name) if name == "list" => self.lang() != Lang::Php,
            Kind::Name(name) => !matches!(name.as_str(), "my" | "our" | "local" | "let" | "const" | "var"),
            Kind::Newline => false,
            Kind::Command(_)
            | Kind::Number(_)
            | Kind::Readline(_)
            | Kind::Regex(_)
            | Kind::Text(_)
            | Kind::Var(_)
            | Kind::Words(_) => true,
        });
        if is_index {
            return None;
        }
        Some(self.targets(open, close))
    }

    /// Whether the places in brackets before the sign that was just passed are variables alone, so that each takes the
    /// value at its own place: not `["a" => $x]`, `[, $x]`, `[[$x], $y]`.
    pub(super) fn are_in_order(&self) -> bool {
        let Some(close) = self.pos.checked_sub(2) else { return true };
        let inside = self.tokens.get(self.opening(close) + 1..close).unwrap_or_default();
        inside.chunks(2).all(|two| match two {
            [place, comma] => matches!(place.kind, Kind::Var(_)) && comma.is(","),
            [place] => matches!(place.kind, Kind::Var(_)),
            _ => false,
        })
    }

    /// The names between two brackets, with the keys that they are taken by.
    fn targets(&self, open: usize, close: usize) -> Vec<Val> {
        let mut targets = Vec::new();
        let mut key: Option<String> = None;
        for token in self.tokens.iter().take(close).skip(open + 1) {
            match &token.kind {
                Kind::Name(name) | Kind::Var(name) => {
                    let target = Val::name(name);
                    match key.take() {
                        Some(key) => {
                            targets.pop();
                            targets.push(Val::Pair(Rc::new((key, target))));
                        }
                        None => targets.push(target),
                    }
                }
                Kind::Op(":") => key = targets.last().and_then(name_of),
                Kind::Op(_)
                | Kind::Command(_)
                | Kind::Newline
                | Kind::Number(_)
                | Kind::Readline(_)
                | Kind::Regex(_)
                | Kind::Text(_)
                | Kind::Words(_) => {}
            }
        }
        targets
    }

    fn pass_statement(&mut self) {
        while self.peek().is_some_and(|token| !token.is(";") && token.kind != Kind::Newline) {
            self.pos += 1;
        }
    }

    /// `import x from "m"`, `import {a as b} from "m"`, `import * as x from "m"`.
    fn import(&mut self) -> Val {
        let mut names: Vec<(String, String)> = Vec::new();
        let mut renamed = false;
        let mut braced = false;
        while let Some(token) = self.peek().cloned() {
            self.pos += 1;
            match token.kind {
                Kind::Name(word) if word == "from" => {}
                Kind::Name(word) if word == "as" => renamed = true,
                Kind::Name(word) => {
                    let member = if braced { word.clone() } else { String::new() };
                    match names.last_mut().filter(|_| renamed) {
                        Some(last) => last.1 = word,
                        None => names.push((member, word)),
                    }
                    renamed = false;
                }
                Kind::Op("{") => braced = true,
                Kind::Op("*") => names.push((String::new(), String::new())),
                Kind::Text(parts) => {
                    let module = Val::value(self.parts(&parts));
                    let module = self.call_path("require", &[module]);
                    self.bind_imports(&module, names);
                    return module;
                }
                Kind::Newline | Kind::Op(";") => break,
                Kind::Op(_)
                | Kind::Command(_)
                | Kind::Number(_)
                | Kind::Readline(_)
                | Kind::Regex(_)
                | Kind::Var(_)
                | Kind::Words(_) => {}
            }
        }
        Val::list(Vec::new())
    }

    fn bind_imports(&mut self, module: &Val, names: Vec<(String, String)>) {
        for (member, local) in names {
            let value = if member.is_empty() { module.clone() } else { self.property(module, &member) };
            self.assign(&local, value);
        }
    }

    /// `new X(…)`.
    fn construction(&mut self) -> Val {
        let start = self.pos;
        let mut path = String::new();
        while let Some(token) = self.peek() {
            match &token.kind {
                Kind::Name(name) | Kind::Var(name) => path.push_str(name),
                Kind::Op("." | "::" | "\\") => path.push('.'),
                Kind::Op(_)
                | Kind::Command(_)
                | Kind::Newline
                | Kind::Number(_)
                | Kind::Readline(_)
                | Kind::Regex(_)
                | Kind::Text(_)
                | Kind::Words(_) => break,
            }
            self.pos += 1;
        }
        let held = match self.vars.get(&path) {
            Some(Val::Name(name, _)) => name.to_string(),
            Some(_) | None => path,
        };
        let perl = self.language.profile.quoting == Quoting::Perl;
        let path = if perl { format!("{held}.new") } else { held };
        let name = self.pos.checked_sub(1);
        let arguments = if self.at_op("(") { self.call_arguments() } else { Vec::new() };
        self.begin_call(name);
        self.performed(&Val::name(path.trim_start_matches('.')), &arguments, start)
    }

    /// A function, after the word that begins it.
    fn definition(&mut self) -> Val {
        let mut name = String::new();
        let mut generates = false;
        while let Some(token) = self.peek() {
            generates |= token.is("*") && self.lang() == Lang::JavaScript;
            match &token.kind {
                Kind::Name(word) if !token.is("(") => {
                    if !name.is_empty()
                        && !matches!(self.tokens.get(self.pos - 1), Some(last) if last.is(".") || last.is(":"))
                    {
                        break;
                    }
                    name.clone_from(word);
                }
                Kind::Op("." | ":" | "*" | "&") => {}
                Kind::Op(_)
                | Kind::Name(_)
                | Kind::Command(_)
                | Kind::Newline
                | Kind::Number(_)
                | Kind::Readline(_)
                | Kind::Regex(_)
                | Kind::Text(_)
                | Kind::Var(_)
                | Kind::Words(_) => break,
            }
            self.pos += 1;
        }
        let parameters = self.parameters();
        self.pass_to_body();
        let function = self.body(parameters);
        if let Val::Function(function) = &function {
            function.generates.set(generates);
        }
        if !name.is_empty() {
            self.assign(&name, function.clone());
            self.place = None;
        }
        function
    }

    /// Passes what may stand between parameters and body: `use ($x)`, `: type`, `=>`.
    fn pass_to_body(&mut self) {
        if self.at_name("use") {
            self.pos += 1;
            if self.at_op("(") {
                self.pos = self.partner(self.pos) + 1;
            }
        }
        self.eat("=>");
    }

    fn parameters(&mut self) -> Vec<String> {
        if !self.at_op("(") {
            return Vec::new();
        }
        let close = self.partner(self.pos);
        let tokens = self.tokens.get(self.pos..close).unwrap_or_default();
        let rest = |before: &Token| before.is("...") || before.is("*") && self.lang() == Lang::Ruby;
        let names = tokens
            .windows(2)
            .filter_map(|pair| match pair {
                [before, token] if rest(before) => parameter(token).map(|name| format!("{REST}{name}")),
                [_, token] if token.is("...") && self.lang() == Lang::Lua => Some(REST.to_owned()),
                [_, token] => parameter(token),
                _ => None,
            })
            .collect();
        self.pos = (close + 1).min(self.end);
        names
    }

    /// The body that begins here becomes a function; it runs when it is called.
    fn body(&mut self, parameters: Vec<String>) -> Val {
        let (start, end, after) = if self.at_op("{") {
            let close = self.partner(self.pos);
            (self.pos + 1, close, close + 1)
        } else if matches!(self.lang(), Lang::Lua | Lang::Ruby) {
            let close = self.matching_end(self.pos);
            self.spend((close - self.pos) / 16);
            (self.pos, close, close + 1)
        } else {
            let close = self.expression_end();
            (self.pos, close, close)
        };
        self.pos = after.min(self.end);
        self.function(parameters, start, end)
    }

    fn function(&mut self, parameters: Vec<String>, start: usize, end: usize) -> Val {
        let tokens = Rc::clone(&self.tokens);
        let function = Rc::new(Function {
            parameters,
            tokens,
            start,
            end: end.min(self.end),
            called: Cell::new(false),
            generates: Cell::new(false),
        });
        self.functions.push(Rc::clone(&function));
        self.place = None;
        Val::Function(function)
    }

    /// Where an expression that begins here ends at the latest.
    fn expression_end(&mut self) -> usize {
        let mut at = self.pos;
        while let Some(token) = self.tokens.get(at).filter(|_| at < self.end) {
            if token.is(";") || token.is(",") || token.kind == Kind::Newline {
                break;
            }
            at = token.partner.map_or(at + 1, |partner| partner.max(at) + 1);
        }
        self.spend((at.saturating_sub(self.pos)) / 16);
        at.min(self.end)
    }

    /// Whether the parenthesis here holds the parameters of an arrow function.
    pub(super) fn is_arrow(&self) -> bool {
        self.tokens.get(self.partner(self.pos) + 1).is_some_and(|token| token.is("=>"))
    }

    pub(super) fn arrow(&mut self) -> Val {
        let parameters = self.parameters();
        self.arrow_body(parameters)
    }

    fn arrow_body(&mut self, parameters: Vec<String>) -> Val {
        if !self.eat("=>") {
            self.eat("->");
        }
        self.body(parameters)
    }

    /// `->(x) { … }`, after the arrow.
    pub(super) fn stabby(&mut self) -> Val {
        self.pos += 1;
        let parameters = self.parameters();
        if self.at_op("{") { self.body(parameters) } else { Val::list(Vec::new()) }
    }

    /// A block after a call: `{ |x| … }`, `do |x| … end`.
    pub(super) fn trailing_block(&mut self) -> Option<Val> {
        if self.lang() != Lang::Ruby {
            return None;
        }
        if self.at_op("{") {
            let close = self.partner(self.pos);
            self.pos += 1;
            let parameters = self.bar_parameters();
            let function = self.function(parameters, self.pos, close);
            self.pos = (close + 1).min(self.end);
            return Some(function);
        }
        if self.at_name("do") {
            self.pos += 1;
            let parameters = self.bar_parameters();
            let close = self.matching_end(self.pos);
            self.spend(close.saturating_sub(self.pos) / 16);
            let function = self.function(parameters, self.pos, close);
            self.pos = (close + 1).min(self.end);
            return Some(function);
        }
        None
    }

    fn bar_parameters(&mut self) -> Vec<String> {
        if !self.eat("|") {
            return Vec::new();
        }
        let mut names = Vec::new();
        while let Some(token) = self.peek().cloned() {
            self.pos += 1;
            if token.is("|") {
                break;
            }
            names.extend(parameter(&token));
        }
        names
    }

    /// A block whose parameter is `$_`: `map { … } list`.
    pub(super) fn topic_block(&mut self) -> Val {
        let close = self.partner(self.pos);
        let function = self.function(vec!["_".to_owned()], self.pos + 1, close);
        self.pos = (close + 1).min(self.end);
        function
    }

    /// Runs the body of a function. Parameters without an argument are unknown.
    pub(super) fn enter(&mut self, function: &Rc<Function>, arguments: &[Val]) -> Val {
        self.spend(CALL_COST);
        self.begin_body();
        let topic_before = self.vars.get("_").cloned();
        for (index, parameter) in function.parameters.iter().enumerate() {
            let argument = match parameter.strip_prefix(REST) {
                Some(_) => Some(Val::list(arguments.get(index..).unwrap_or_default().to_vec())),
                None => arguments.get(index).cloned(),
            };
            let parameter = parameter.strip_prefix(REST).unwrap_or(parameter);
            let argument =
                argument.unwrap_or_else(|| Val::unknown(parameter, self.ambient | Provenance::OUTSIDE));
            self.counters.remove(parameter);
            self.bind(parameter, argument);
        }
        let topic = function.parameters.iter().any(|name| name == "_");
        if !arguments.is_empty() && !topic {
            self.bind("_", Val::list(arguments.to_vec()));
        }
        let (tokens, start, end) = (Rc::clone(&function.tokens), function.start, function.end);
        let outer = self.returned.take();
        let yielded_outside = std::mem::take(&mut self.yields);
        let last = self.deeper(|reader| reader.within(tokens, start, end));
        let yields_last = matches!(self.lang(), Lang::Perl | Lang::Ruby | Lang::R | Lang::Other(_));
        let result = match (self.returned.take(), last) {
            (Some(returned), Some(last)) if yields_last => Some(returned.either(&last)),
            (returned, last) => returned.or(last),
        };
        self.returned = outer;
        let yields = std::mem::replace(&mut self.yields, yielded_outside);
        let result = if function.generates.get() { Some(Val::list(yields)) } else { result };
        self.end_body();
        if topic_before.is_none() {
            self.vars.remove("_");
        }
        result.unwrap_or_else(|| Val::list(Vec::new()))
    }
}

fn parameter(token: &Token) -> Option<String> {
    match &token.kind {
        Kind::Name(name) | Kind::Var(name) => Some(name.clone()),
        Kind::Command(_)
        | Kind::Newline
        | Kind::Number(_)
        | Kind::Op(_)
        | Kind::Readline(_)
        | Kind::Regex(_)
        | Kind::Text(_)
        | Kind::Words(_) => None,
    }
}

fn name_of(val: &Val) -> Option<String> {
    match val {
        Val::Name(name, _) => Some(name.to_string()),
        Val::Function(_)
        | Val::Handle(_)
        | Val::List(_)
        | Val::Number(_)
        | Val::OneOf(_)
        | Val::Pair(_)
        | Val::Text(_) => None,
    }
}
