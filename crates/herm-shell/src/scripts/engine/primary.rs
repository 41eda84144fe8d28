//! The smallest expressions, and what is hung onto them.

use std::rc::Rc;

use super::val::LIST_MOST;
use super::{Reader, Val, texts};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::scripts::scanner::{self, Backtick, Kind, Part, Quoting, Token};
use crate::value::{Provenance, Value};

impl Reader<'_> {
    /// A value with its prefixes.
    pub(super) fn unary(&mut self) -> Val {
        if let Some(value) = self.cast() {
            return value;
        }
        while let Some(op) = self.prefix() {
            self.pos += 1;
            match op {
                "-" => return self.negative(),
                "..." if self.lang() == Lang::Lua => return self.lookup(""),
                "..." if self.lang() == Lang::JavaScript => {
                    let value = self.expression();
                    return self.gone_through(value);
                }
                "~" => return self.complement(),
                "#" => return self.length(),
                "+" if matches!(self.lang(), Lang::JavaScript | Lang::Php) => return self.positive(),
                "@" if self.lang() == Lang::Awk => return self.indirect_call(),
                "++" | "--" => {
                    self.postfix();
                    return if self.place.is_some() { self.forget_place() } else { Val::list(Vec::new()) };
                }
                _ => {}
            }
        }
        self.postfix()
    }

    /// What going through a value yields, one after the other: JavaScript's texts are their letters.
    pub(super) fn gone_through(&mut self, value: Val) -> Val {
        if self.lang() != Lang::JavaScript {
            return value;
        }
        self.each_top_way(&[value], |_, values| match values {
            [text @ Val::Text(_)] => {
                let parts = texts::method(Lang::JavaScript, "split", &[text.clone(), Val::text("")]);
                parts.unwrap_or_else(|| Val::unknown("letters", text.provenance()))
            }
            [other] => other.clone(),
            _ => Val::list(Vec::new()),
        })
    }

    /// A prefix that changes nothing about which text a value is.
    fn prefix(&self) -> Option<&'static str> {
        match self.peek()?.kind {
            Kind::Op("#") if self.lang() == Lang::Lua => Some("#"),
            Kind::Op(
                op @ ("-" | "+" | "!" | "~" | "\\" | "..." | "*" | "**" | "&" | "++" | "--" | "@" | "$"),
            ) => {
                let opens = self.ahead(1).is_some_and(|next| next.is("{"));
                (!(opens && matches!(op, "$" | "@" | "&"))).then_some(op)
            }
            Kind::Op(_)
            | Kind::Command(_)
            | Kind::Name(_)
            | Kind::Newline
            | Kind::Number(_)
            | Kind::Readline(_)
            | Kind::Regex(_)
            | Kind::Text(_)
            | Kind::Var(_)
            | Kind::Words(_) => None,
        }
    }

    /// `~x`: what is left of a text is not computed.
    fn complement(&mut self) -> Val {
        let value = self.postfix();
        match value.number().filter(|_| self.lang() != Lang::Perl) {
            Some(number) => Val::Number(!number),
            None => Val::unknown("computed", value.provenance()),
        }
    }

    /// `+x`: the number that a text stands for.
    fn positive(&mut self) -> Val {
        let value = self.postfix();
        self.place = None;
        match &value {
            Val::Number(_) => value,
            Val::Function(_)
            | Val::Handle(_)
            | Val::List(_)
            | Val::Name(..)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_) => texts::function(Lang::JavaScript, "Number", std::slice::from_ref(&value))
                .unwrap_or_else(|| Val::unknown("number", value.provenance())),
        }
    }

    /// Lua's `#x`.
    fn length(&mut self) -> Val {
        let value = self.postfix();
        self.place = None;
        let length = texts::function(Lang::Lua, "string.len", std::slice::from_ref(&value));
        length.unwrap_or_else(|| Val::unknown("length", Provenance::NONE))
    }

    fn negative(&mut self) -> Val {
        let start = self.pos;
        if let (Lang::Ruby, Some(Kind::Number(number))) = (self.lang(), self.peek().map(|token| &token.kind))
        {
            // `-1.next` is of the negative number.
            let number = number.wrapping_neg();
            self.pos += 1;
            self.place = None;
            return self.hung_all(Val::Number(number), start);
        }
        let value = self.postfix();
        self.each_top_way(&[value], |_, values| match values {
            [Val::Number(number)] => Val::Number(number.wrapping_neg()),
            [text @ Val::Text(_)] => Val::unknown("computed", text.provenance()),
            [other] => other.clone(),
            _ => Val::list(Vec::new()),
        })
    }

    /// A value with what is hung onto it: members, indices, calls.
    pub(super) fn postfix(&mut self) -> Val {
        if !self.spend(1) {
            return Val::list(Vec::new());
        }
        self.deeper(Self::postfix_here).unwrap_or_else(|| Val::list(Vec::new()))
    }

    fn postfix_here(&mut self) -> Val {
        let start = self.pos;
        self.place = None;
        let value = self.primary();
        self.hung_all(value, start)
    }

    /// A value with all that is hung onto it.
    fn hung_all(&mut self, value: Val, start: usize) -> Val {
        let mut value = value;
        while self.peek().is_some() {
            let before = self.pos;
            value = self.hung(value, start);
            if self.pos == before {
                break;
            }
        }
        value
    }

    fn hung(&mut self, value: Val, start: usize) -> Val {
        let Some(token) = self.peek() else { return value };
        let spaced = token.spaced;
        match &token.kind {
            Kind::Op("(") if self.callable(&value, spaced) => self.parenthesised_call(&value, start),
            Kind::Op("[") if !spaced || matches!(value, Val::List(_)) => self.indexed(&value),
            Kind::Op("{") if !spaced && self.hash_index() => self.indexed(&value),
            Kind::Op("->") if self.arrow_function() => value,
            Kind::Op(op) if self.is_member_mark(op) => self.member(&value, start),
            Kind::Text(_) if self.tagged(&value, spaced) => {
                let argument = self.primary();
                let own = matches!(value, Val::Function(_)) && self.lang() == Lang::JavaScript;
                // A tag of the script is handed the texts as a list, then what stands between them.
                let given =
                    if own { vec![Val::list(vec![argument.clone()]), argument] } else { vec![argument] };
                self.performed(&value, &given, start)
            }
            Kind::Op(_)
            | Kind::Text(_)
            | Kind::Command(_)
            | Kind::Name(_)
            | Kind::Newline
            | Kind::Number(_)
            | Kind::Readline(_)
            | Kind::Regex(_)
            | Kind::Var(_)
            | Kind::Words(_) => value,
        }
    }

    /// Whether a parenthesis after this value calls it.
    fn callable(&self, value: &Val, spaced: bool) -> bool {
        let after_bracket =
            self.pos.checked_sub(1).and_then(|at| self.tokens.get(at)).is_some_and(|last| last.is("}"));
        match value {
            Val::Name(..) | Val::Function(_) | Val::OneOf(_) => !after_bracket || !spaced,
            Val::Text(_) => !spaced && !self.language.profile.juxtaposed,
            Val::Handle(_) | Val::List(_) | Val::Number(_) | Val::Pair(_) => false,
        }
    }

    /// Whether a brace right after a variable is an index.
    fn hash_index(&self) -> bool {
        self.language.profile.quoting == Quoting::Perl
            && self.pos.checked_sub(1).and_then(|at| self.tokens.get(at)).is_some_and(|last| {
                matches!(last.kind, Kind::Var(_)) || last.is("->") || last.is("}") || last.is("]")
            })
    }

    fn arrow_function(&self) -> bool {
        self.lang() != Lang::Perl && self.lang() != Lang::Php
    }

    /// Whether `op` leads to a member here.
    fn is_member_mark(&self, op: &str) -> bool {
        let Some(next) = self.ahead(1) else { return false };
        let named = next.name().is_some() && !next.spaced;
        match op {
            "." => !self.language.profile.concat.contains(&".") && (named || next.is("(")),
            "?." => named || next.is("(") || next.is("["),
            "->" => {
                named || matches!(next.kind, Kind::Var(_)) || next.is("{") || next.is("[") || next.is("(")
            }
            "::" => named || matches!(next.kind, Kind::Var(_)),
            "\\" => self.lang() == Lang::Php && named,
            ":" => {
                let calls =
                    self.ahead(2).is_some_and(|after| after.is("(") || matches!(after.kind, Kind::Text(_)));
                matches!(self.lang(), Lang::Lua | Lang::Other(_)) && named && calls
            }
            _ => false,
        }
    }

    /// Whether a string right after this value is its argument.
    fn tagged(&self, value: &Val, spaced: bool) -> bool {
        let template = self.language.profile.backtick == Backtick::Template && !spaced;
        let strings = self.language.profile.bare_calls == scanner::BareCalls::Strings;
        matches!(value, Val::Name(..) | Val::Function(_)) && (template || strings)
    }

    fn primary(&mut self) -> Val {
        let Some(token) = self.peek().cloned() else { return Val::list(Vec::new()) };
        let at = self.pos;
        match token.kind {
            Kind::Text(parts) => {
                self.pos += 1;
                let mut whole = self.text_of(&parts);
                // Ruby's strings side by side are one.
                while self.lang() == Lang::Ruby
                    && let Some(Kind::Text(parts)) = self.peek().map(|token| token.kind.clone())
                {
                    self.pos += 1;
                    let next = self.text_of(&parts);
                    whole = self.join(&whole, &next);
                }
                whole
            }
            Kind::Command(parts) => {
                self.pos += 1;
                let text = self.text_of(&parts);
                self.locate(at);
                self.each_top_way(&[text], |reader, texts| {
                    let text = reader.argument_text(texts, 0);
                    reader.shell(&text)
                })
            }
            Kind::Words(words) => {
                self.pos += 1;
                Val::list(words.into_iter().take(LIST_MOST).map(Val::text).collect())
            }
            Kind::Number(number) => {
                self.pos += 1;
                Val::Number(number)
            }
            Kind::Readline(name) => {
                self.pos += 1;
                self.readline(&name)
            }
            Kind::Regex(pattern) => {
                self.pos += 1;
                self.pattern(&pattern)
            }
            Kind::Var(name) => {
                self.pos += 1;
                self.lookup(&name)
            }
            Kind::Name(name) => self.word(&name),
            Kind::Op(op) => self.bracket_or_nothing(op),
            Kind::Newline => Val::list(Vec::new()),
        }
    }

    fn bracket_or_nothing(&mut self, op: &str) -> Val {
        match op {
            "(" if self.is_arrow() => self.arrow(),
            "(" => self.bracketed(),
            "[" => self.listed(),
            "{" => self.block(),
            "$" | "@" | "&" => self.dereference(),
            "->" => self.stabby(),
            _ => Val::list(Vec::new()),
        }
    }

    /// What a string is, with what is put into it.
    pub(in crate::scripts) fn parts(&mut self, parts: &[Part]) -> Value {
        let whole = self.text_of(parts);
        self.text(&whole)
    }

    /// The same where it may be one of several.
    fn text_of(&mut self, parts: &[Part]) -> Val {
        let mut whole = Val::value(Value::default());
        for part in parts {
            match part {
                Part::Changed(function, parts) => {
                    let inner = self.text_of(parts);
                    let changed = self.call_path(function, &[inner]);
                    whole = self.join(&whole, &changed);
                }
                Part::Unknown => whole = self.join(&whole, &Val::unknown("escape", Provenance::NONE)),
                Part::Text(text) => whole = self.join(&whole, &Val::text(text.as_str())),
                Part::Code(code, at) => {
                    let value = self.nested(code, *at);
                    let value = if let Val::List(_) = value { self.written_list(&value) } else { value };
                    let written = self
                        .each_top_way(&[value], |reader, values| Val::value(reader.argument_text(values, 0)));
                    whole = self.join(&whole, &written);
                }
            }
        }
        whole
    }

    /// A list that is put into a string.
    fn written_list(&self, list: &Val) -> Val {
        let own = match self.lang() {
            Lang::Perl if !self.vars.contains_key("\"") => {
                Some(super::pure::join(&[Val::text(" "), list.clone()]))
            }
            Lang::JavaScript => texts::method(Lang::JavaScript, "toString", std::slice::from_ref(list)),
            Lang::Perl | Lang::Php | Lang::Ruby => None,
            Lang::Awk
            | Lang::Cmd
            | Lang::Debugger
            | Lang::Ex
            | Lang::Lua
            | Lang::Make
            | Lang::Other(_)
            | Lang::PowerShell
            | Lang::Python
            | Lang::R
            | Lang::Sed
            | Lang::Shell
            | Lang::Sql
            | Lang::Tcl => Some(super::pure::join(&[Val::text(" "), list.clone()])),
        };
        own.unwrap_or_else(|| Val::unknown("list", list.provenance()))
    }

    /// Code inside a string.
    pub(super) fn nested(&mut self, code: &str, at: u32) -> Val {
        if !self.spend(code.len() / 16 + 1) {
            return Val::list(Vec::new());
        }
        let tokens: Rc<[Token]> = scanner::scan(&self.language.profile, code, at).into();
        let end = tokens.len();
        self.deeper(|reader| reader.within(tokens, 0, end)).unwrap_or_else(|| Val::list(Vec::new()))
    }

    /// Runs the statements of a range of tokens.
    pub(super) fn within(&mut self, tokens: Rc<[Token]>, start: usize, end: usize) -> Val {
        let tokens = std::mem::replace(&mut self.tokens, tokens);
        let saved = (self.pos, self.end, self.tail_seen, self.redirects, self.endless, self.naming);
        let doubtful = std::mem::take(&mut self.doubtful_until);
        self.begin_body();
        (self.pos, self.end, self.tail_seen, self.redirects, self.naming) = (start, end, 0, false, false);
        let value = self.statements();
        self.changed = self.end_body();
        self.doubtful_until = doubtful;
        self.tokens = tokens;
        (self.pos, self.end, self.tail_seen, self.redirects, self.endless, self.naming) = saved;
        value
    }

    /// What a variable holds.
    pub(in crate::scripts) fn lookup(&mut self, name: &str) -> Val {
        if let Some(inner) =
            name.strip_prefix('$').filter(|inner| !inner.is_empty() && self.lang() == Lang::Php)
        {
            return self.named_by(inner);
        }
        self.place = Some(name.to_owned());
        if let Some(found) = self
            .vars
            .get(name)
            .filter(|found| matches!(found, Val::List(_) | Val::Function(_) | Val::OneOf(_)))
        {
            return found.clone();
        }
        if self.counters.contains(name) {
            return Val::Name(Rc::from(name), self.ambient);
        }
        if let Some(found) = self.vars.get(name) {
            return found.clone();
        }
        if let Some(found) = (self.language.global)(self, name) {
            return found;
        }
        Val::Name(Rc::from(name), self.ambient)
    }

    /// `$$x`: the variable that another names.
    fn named_by(&mut self, name: &str) -> Val {
        let named = self.deeper(|reader| reader.lookup(name));
        let named = named.as_ref().and_then(Val::known);
        self.place = None;
        if let Some(named) = named.filter(|named| !named.starts_with('$')) {
            self.lookup(&named)
        } else {
            self.sink.gap(Position::Unfollowed, Reason::Runtime, name);
            Val::unknown(name, self.ambient | Provenance::OUTSIDE)
        }
    }

    /// PHP's `(string) x`: a value made one of another type.
    fn cast(&mut self) -> Option<Val> {
        let name = self.ahead(1)?.name()?.to_ascii_lowercase();
        let casts = matches!(
            name.as_str(),
            "string" | "int" | "integer" | "bool" | "boolean" | "float" | "double" | "array" | "object"
        );
        if self.lang() != Lang::Php || !casts || !self.at_op("(") || !self.ahead(2)?.is(")") {
            return None;
        }
        self.pos += 3;
        let value = self.unary();
        self.place = None;
        Some(match (name.as_str(), &value) {
            ("string", Val::Text(_)) | ("int" | "integer", Val::Number(_)) | ("array", Val::List(_)) => value,
            ("string", Val::Number(number)) => Val::text(number.to_string()),
            _ => Val::unknown(&name, value.provenance()),
        })
    }

    /// Values between round brackets: one is itself, several are a list.
    pub(super) fn bracketed(&mut self) -> Val {
        let mut items = self.items();
        self.place = None;
        if self.lang() == Lang::JavaScript && items.len() > 1 {
            // The comma yields what stands behind it.
            return items.pop().unwrap_or_else(|| Val::list(Vec::new()));
        }
        if items.len() == 1 { items.pop().unwrap_or_else(|| Val::list(Vec::new())) } else { Val::list(items) }
    }

    fn listed(&mut self) -> Val {
        let open = self.pos;
        let items = self.items();
        self.place = None;
        let list = Val::list(items);
        // How many items are spread out is not known of what is not.
        let spreads = self.language.profile.lang == Lang::JavaScript
            && self
                .tokens
                .get(open + 1..self.pos)
                .is_some_and(|inside| inside.iter().any(|token| token.is("...")));
        if self.lang() == Lang::Perl {
            return self.flattened(&list, open);
        }
        let holes =
            list.items().iter().any(|item| !matches!(item, Val::Text(text) if text.known().is_some()));
        if spreads && holes { Val::unknown("list", list.provenance()) } else { list }
    }

    /// Perl's lists within a list run together, unless they are references: those are written in brackets.
    fn flattened(&mut self, list: &Val, open: usize) -> Val {
        self.each_top_way(&list.items(), |reader, items| reader.flattened_of(Val::list(items.to_vec()), open))
    }

    fn flattened_of(&self, list: Val, open: usize) -> Val {
        if !list.items().iter().any(|item| matches!(item, Val::List(_))) {
            return list;
        }
        let flat = super::pure::list(std::slice::from_ref(&Val::list(
            list.items().iter().flat_map(Val::items).collect(),
        )));
        let nested = self.tokens.get(open + 1..self.pos.saturating_sub(1));
        let has_references =
            nested.is_some_and(|inside| inside.iter().any(|token| token.is("[") || token.is("\\")));
        if has_references { list.either(&flat) } else { flat }
    }

    /// Statements, or the pairs of a map.
    pub(super) fn block(&mut self) -> Val {
        // What begins again and again, as a loop does.
        let close = self.partner(self.pos);
        let redoes = self.lang() == Lang::Perl
            && self
                .tokens
                .get(self.pos..close)
                .is_some_and(|inside| inside.iter().any(|token| token.name() == Some("redo")));
        if redoes && !self.spend((close - self.pos) / 16) {
            return Val::list(Vec::new());
        }
        self.endless += u32::from(redoes);
        let value = self.block_once();
        self.endless -= u32::from(redoes);
        value
    }

    fn block_once(&mut self) -> Val {
        // What stands between Lua's braces are the items of a table.
        let is_table = self.lang() == Lang::Lua;
        let outer = std::mem::replace(&mut self.naming, is_table);
        self.begin_body();
        let close = self.partner(self.pos);
        let mut items = self.items();
        self.end_body();
        self.naming = outer;
        self.place = None;
        let list = Val::list(items.clone());
        if !self.yields_several(close) {
            return list;
        }
        // What it returns may be nothing at all, which ends the table before it.
        let shorter = match items.last() {
            Some(item) if item.known().is_none() => Val::unknown("table", list.provenance()),
            Some(_) | None => list.clone(),
        };
        items.push(Val::unknown("what else a function returned", Provenance::NONE));
        list.either(&Val::list(items)).either(&shorter)
    }

    /// Whether the last item of a table of Lua is a call that yields more than one value.
    fn yields_several(&self, close: usize) -> bool {
        let call = close.checked_sub(1).filter(|at| self.tokens.get(*at).is_some_and(|token| token.is(")")));
        let name = call.and_then(|at| self.opening(at).checked_sub(1)).and_then(|at| self.tokens.get(at));
        let several = |name: &str| !YIELD_ONE.contains(&name);
        self.lang() == Lang::Lua && name.and_then(Token::name).is_some_and(several)
    }

    /// The values between the bracket here and its partner.
    pub(super) fn items(&mut self) -> Vec<Val> {
        let close = self.partner(self.pos);
        self.pos += 1;
        let (end, redirects) = (self.end, self.redirects);
        (self.end, self.redirects) = (close, false);
        let mut items = Vec::new();
        while self.peek().is_some() {
            if self.pass_separator() {
                continue;
            }
            let before = self.pos;
            self.look_at_tail();
            let is_spread = self.at_op("...")
                && matches!(self.lang(), Lang::JavaScript | Lang::Lua | Lang::Php)
                || self.at_op("*") && self.lang() == Lang::Ruby;
            let item = self.expression();
            let room = LIST_MOST.saturating_sub(items.len());
            if let Val::List(inner) = &item
                && is_spread
            {
                items.extend(inner.iter().take(room).cloned());
            } else if room > 0 {
                items.push(item);
            }
            if self.pos == before {
                self.pos += 1;
            }
        }
        (self.end, self.redirects) = (end, redirects);
        self.pos = (close + 1).min(self.end);
        items
    }

    /// `${…}`, `@{…}`, `&{…}`: what the text or reference in braces names.
    fn dereference(&mut self) -> Val {
        self.pos += 1;
        if !self.at_op("{") {
            return Val::list(Vec::new());
        }
        let inner = self.items().pop().unwrap_or_else(|| Val::list(Vec::new()));
        match inner.known() {
            Some(name) if self.vars.contains_key(&name) => self.lookup(&name),
            Some(name) => Val::name(&name),
            None => inner,
        }
    }

    /// `x[…]`, `x{…}`.
    fn indexed(&mut self, value: &Val) -> Val {
        let place = self.place.take();
        let open = self.pos;
        let mut keys = self.items();
        let inside = self.tokens.get(open + 1..self.pos).unwrap_or_default();
        if self.lang() == Lang::Ruby && inside.iter().any(|token| token.is("..") || token.is("...")) {
            return Val::unknown("slice", value.provenance());
        }
        if keys.len() > 1 && matches!(self.lang(), Lang::Perl | Lang::Ruby) {
            return self.slice_of(value, &keys);
        }
        let key = keys.pop();
        let is_next = key.is_none();
        let key = key.unwrap_or_else(|| Val::list(Vec::new()));
        let named = match &key {
            Val::Name(name, _) if self.hash_style() => Some(name.to_string()),
            Val::Name(..)
            | Val::Function(_)
            | Val::Handle(_)
            | Val::List(_)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_) => key.known(),
        };
        let result = self.element(value, &key, named.as_deref());
        let unnamed = if is_next { super::mutation::NEXT } else { super::mutation::ANY };
        let key = named.unwrap_or_else(|| unnamed.to_owned());
        self.place = place.map(|place| format!("{place}.{key}"));
        match self.place.as_ref().and_then(|place| self.vars.get(place)) {
            Some(stored) if !matches!(key.as_str(), super::mutation::ANY | super::mutation::NEXT) => {
                stored.clone()
            }
            Some(_) | None => result,
        }
    }

    /// `(…)[0, 1]`, `x[0, 2]`: several elements, or a start and a length.
    fn slice_of(&mut self, value: &Val, keys: &[Val]) -> Val {
        if self.lang() == Lang::Ruby {
            return self.method(value, "slice", keys);
        }
        let parts = keys.iter().map(|key| self.element(value, key, None)).collect();
        Val::list(parts)
    }

    /// Whether the bracket that was just passed quotes a bare word.
    fn hash_style(&self) -> bool {
        self.pos.checked_sub(1).and_then(|at| self.tokens.get(at)).is_some_and(|last| last.is("}"))
    }

    fn element(&mut self, value: &Val, key: &Val, named: Option<&str>) -> Val {
        self.each_top_way(&[value.clone(), key.clone()], |reader, both| match both {
            [value, key] => {
                let own = key.known();
                reader.element_of(value, key, named.or(own.as_deref()))
            }
            _ => Val::list(Vec::new()),
        })
    }

    fn element_of(&mut self, value: &Val, key: &Val, named: Option<&str>) -> Val {
        match (value, named) {
            (Val::List(items), Some(name)) => {
                let index = name.parse::<usize>().ok().map(|index| index.saturating_sub(self.first_index()));
                let found =
                    value.keyed(&[name]).or_else(|| index.and_then(|index| items.get(index).cloned()));
                found.unwrap_or_else(|| Val::unknown(name, value.provenance()))
            }
            (Val::Text(_), Some(_)) if key.number().is_some() && self.lang() != Lang::Perl => {
                super::pure::character(value, key)
            }
            // `Dir["*.rb"]`: a call that is written as an index.
            (Val::Name(path, _), Some(_)) if self.find(&format!("{path}.[]")).is_some() => {
                self.call_path(&format!("{path}.[]"), std::slice::from_ref(key))
            }
            (Val::Name(..), Some(name)) => self.property(value, name),
            (Val::Name(name, _), None) if self.language.environment.contains(&self.plain_path(name)) => {
                self.environment()
            }
            (Val::Name(name, _), None) => {
                Val::Name(Rc::from(format!("{name}[]").as_str()), value.provenance())
            }
            // An unknown place in a known list is one of them; of letters, in a loop, it is every one, one after the other.
            (Val::List(items), None) => {
                let words = |item: &Val| {
                    matches!(item, Val::Text(text) if text.known().is_none_or(|text| text.len() > 1 && text.parse::<i64>().is_err()))
                        || matches!(item, Val::Function(_) | Val::Name(..))
                };
                match items.split_first() {
                    Some((first, rest)) if items.iter().any(words) && items.len() < 64 => {
                        rest.iter().fold(first.clone(), super::val::Val::either)
                    }
                    Some(_) | None => value.clone(),
                }
            }
            (
                Val::Function(_)
                | Val::Handle(_)
                | Val::Number(_)
                | Val::OneOf(_)
                | Val::Pair(_)
                | Val::Text(_),
                _,
            ) => Val::unknown("element", value.provenance()),
        }
    }

    pub(super) fn first_index(&self) -> usize {
        usize::from(matches!(self.lang(), Lang::Lua | Lang::R | Lang::Awk))
    }

    /// What reading a handle yields.
    fn readline(&mut self, name: &str) -> Val {
        if name.contains(['*', '?', '/', '~', '{']) {
            return Val::value(crate::scripts::globbed(&Value::literal(name)));
        }
        if matches!(name, "" | "ARGV")
            && let Some(files) = self.vars.get("ARGV").cloned()
        {
            // Each is opened as `open` opens what it is given, commands among them.
            for file in files.items().iter().take(16) {
                self.call_path("open", &[Val::name("ARGVHANDLE"), file.clone()]);
            }
        }
        let line = match self.vars.get(name) {
            _ if matches!(name, "" | "STDIN" | "ARGV") => Val::value(self.sink.stdin()),
            Some(Val::Handle(handle)) => Val::value(handle.content.clone()),
            Some(_) | None => Val::unknown(name, self.ambient | Provenance::OUTSIDE),
        };
        // `while (<F>)` puts the line into `$_`.
        self.assign("_", line.clone());
        line
    }
}

/// Functions of Lua that yield one value.
const YIELD_ONE: &[&str] = &[
    "assert", "char", "concat", "format", "getenv", "len", "lower", "popen", "rep", "reverse", "sub",
    "tonumber", "tostring", "type", "upper",
];
