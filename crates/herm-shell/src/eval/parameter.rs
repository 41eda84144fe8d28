//! What `$name` and `${name…}` become.

use std::ops::Range;

use super::assign::element;
use super::expand::{Expansion, joined};
use super::machine::Machine;
use super::scope::Scope;
use crate::ast::{Operation, Parameter, Part, Word};
use crate::pattern::{Pattern, Replacement};
use crate::value::{Hole, Piece, Provenance, Value};

/// Variables that hold secrets by custom.
const SECRET_NAMES: &[&str] = &[
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "API_KEY",
    "APIKEY",
    "ACCESS_KEY",
    "PRIVATE_KEY",
    "CREDENTIAL",
];

impl Machine<'_> {
    pub(crate) fn parameter<'w>(&mut self, parameter: &'w Parameter, scope: &mut Scope) -> Expansion<'w> {
        let mut name = parameter.name.clone();
        let mut index = parameter.index.clone();
        if let Some(index) = &parameter.index {
            let index = self.text(index, scope);
            if !scope.is_associative(&name) {
                self.evaluate(&index, scope);
            }
        }
        if !scope.references.is_empty() {
            self.subscript(&Value::literal(name.as_str()), scope);
        }
        if parameter.operation == Operation::Names {
            let names = names(parameter, scope);
            let joins = index_is(parameter.index.as_ref(), "*");
            return if joins { Expansion::Text(joined(&names)) } else { Expansion::Fields(names) };
        }
        if parameter.indirect {
            let pointed = self.selected(&name, index.take().as_ref(), scope).into_iter().next();
            if let Some(pointed) = &pointed {
                self.subscript(pointed, scope);
            }
            match pointed.as_ref().and_then(Value::known) {
                Some(inner) => match element(&inner) {
                    Some((array, key)) => {
                        array.clone_into(&mut name);
                        index = Some(literal_word(key));
                    }
                    None => inner.as_ref().clone_into(&mut name),
                },
                None => return Expansion::Text(hole(format!("${{!{name}}}"), Provenance::NONE)),
            }
        }
        let values = self.selected(&name, index.as_ref(), scope);
        if let Some(instead) = instead(&values, parameter) {
            return instead;
        }
        let star = name == "*" || index_is(index.as_ref(), "*");
        let all = name == "@" || index_is(index.as_ref(), "@") || star;
        let values = if let Operation::Substring { offset, length } = &parameter.operation
            && all
        {
            self.slice(values, &name, offset, length.as_ref(), scope)
        } else {
            self.operate(values, parameter, &name, scope)
        };
        match (all && parameter.operation != Operation::Length, star) {
            (true, true) => Expansion::Text(joined(&values)),
            (true, false) => Expansion::Fields(values),
            (false, _) => Expansion::Text(values.into_iter().next().unwrap_or_default()),
        }
    }

    /// The values that a name and subscript select.
    fn selected(&mut self, name: &str, index: Option<&Word>, scope: &mut Scope) -> Vec<Value> {
        let values = self.lookup(name, scope);
        if index_is(index, "@") || index_is(index, "*") || name == "@" || name == "*" {
            return values;
        }
        let Some(index) = index else { return values.into_iter().take(1).collect() };
        let text = self.text(index, scope);
        let keyed =
            scope.variables.get(scope.referred(name)).filter(|variable| variable.keys.is_some()).cloned();
        let (known, at) = match keyed {
            Some(variable) if variable.is_sparse() => {
                let number = text.known().and_then(|text| self.calculate(&text, scope));
                let at = number.map(|number| variable.position(&number.to_string()));
                (number.is_some_and(|number| number >= 0), at.flatten())
            }
            Some(variable) => (!text.has_hole(), variable.position(&text.shown())),
            None => self.place(&text, values.len(), scope),
        };
        match at.and_then(|at| values.get(at).cloned()) {
            Some(value) => vec![value],
            None if known && !values.is_empty() => Vec::new(),
            // It may be any of those that the text put there.
            None if values.iter().any(|value| !value.has_hole()) => {
                vec![hole(format!("${{{name}[…]}}"), Provenance::OUTSIDE)]
            }
            None => vec![hole(format!("${{{name}[…]}}"), Provenance::NONE)],
        }
    }

    /// Whether a subscript is a known number, and which element it means; negative ones count from the end.
    fn place(&mut self, index: &Value, count: usize, scope: &mut Scope) -> (bool, Option<usize>) {
        let number = index.known().and_then(|text| self.calculate(&text, scope));
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let at = number.map(|number| if number < 0 { count.saturating_add(number) } else { number });
        (number.is_some(), at.and_then(|at| usize::try_from(at).ok()))
    }

    /// `${@:offset:length}`, `${array[@]:offset:length}`. Positional parameters begin with `$0`.
    fn slice(
        &mut self,
        mut values: Vec<Value>,
        name: &str,
        offset: &Word,
        length: Option<&Word>,
        scope: &mut Scope,
    ) -> Vec<Value> {
        if matches!(name, "@" | "*") {
            values.splice(..0, self.lookup("0", scope));
        }
        let offset = self.number(offset, scope);
        let length = length.map(|length| self.number(length, scope));
        let (Some(offset), None | Some(Some(_))) = (offset, length) else {
            return vec![hole(format!("${{{name}:…}}"), joined(&values).provenance)];
        };
        let range = range(values.len(), offset, length.flatten());
        values.get(range).map(<[Value]>::to_vec).unwrap_or_default()
    }

    /// The values of a variable or special parameter; one hole where it is not known.
    pub(crate) fn lookup(&self, name: &str, scope: &Scope) -> Vec<Value> {
        let name = scope.referred(name);
        if let Some(variable) = scope.variables.get(name) {
            return variable.values.clone();
        }
        if let Some((array, key)) = element(name) {
            let variable = scope.variables.get(array);
            let value = variable.and_then(|variable| {
                let at = if variable.keys.is_some() { variable.position(key) } else { key.parse().ok() };
                variable.values.get(at?).cloned()
            });
            return vec![value.unwrap_or_else(|| hole(format!("${{{name}}}"), Provenance::OUTSIDE))];
        }
        match name {
            "@" | "*" => scope.positional.as_ref().map(|values| values.as_ref().clone()).unwrap_or_default(),
            "#" => vec![match &scope.positional {
                Some(values) => Value::literal(values.len().to_string()),
                None => Value::literal("0"),
            }],
            "0" => vec![Value::literal("bash")],
            "?" | "!" | "$" | "-" | "_" | "RANDOM" | "SECONDS" | "LINENO" | "UID" | "EUID" | "PPID" => {
                vec![Value {
                    pieces: vec![Piece::Hole(Hole {
                        shown: format!("${name}"),
                        may_be_empty: false,
                        may_split: false,
                        ..Hole::default()
                    })],
                    provenance: Provenance::NONE,
                }]
            }
            "BASH_COMMAND" | "BASH_EXECUTION_STRING" => {
                vec![Value::unknown(format!("${name}"), Provenance::OUTSIDE)]
            }
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => vec![positional(digits, scope)],
            _ => vec![self.environment(name)],
        }
    }

    /// A variable that the text did not set.
    pub(crate) fn environment(&self, name: &str) -> Value {
        if let Some(text) = self.setting.world.variable(name) {
            return Value::literal(text).from(secrecy(name));
        }
        match name {
            "PATH" => Value::literal("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
            "SHELL" | "BASH" => Value::literal("/bin/bash"),
            "OSTYPE" => Value::literal("linux-gnu"),
            _ => hole(format!("${name}"), secrecy(name)),
        }
    }

    fn operate(
        &mut self,
        values: Vec<Value>,
        parameter: &Parameter,
        name: &str,
        scope: &mut Scope,
    ) -> Vec<Value> {
        match &parameter.operation {
            Operation::Default(_) | Operation::Names | Operation::Plain | Operation::UseAlternative(_) => {
                values
            }
            Operation::Length => vec![length(&values, parameter)],
            Operation::AssignDefault(word) => match given(&values, parameter) {
                Given::Yes => values,
                Given::No | Given::Unknown => {
                    let value = self.text(word, scope);
                    self.store(name, value.clone(), scope);
                    vec![value]
                }
            },
            Operation::Error(word) => {
                let _ = self.text(word, scope);
                values.into_iter().map(surely_given).collect()
            }
            Operation::Transform('P') => values.iter().map(|value| self.prompt(value, scope)).collect(),
            Operation::Case(..)
            | Operation::RemovePrefix { .. }
            | Operation::RemoveSuffix { .. }
            | Operation::Replace { .. }
            | Operation::Substring { .. }
            | Operation::Transform(_) => {
                values.iter().map(|value| self.change(value, &parameter.operation, scope)).collect()
            }
        }
    }

    /// What a text operation makes of one value; of an unknown one, another unknown.
    fn change(&mut self, value: &Value, operation: &Operation, scope: &mut Scope) -> Value {
        // The words of an operation on something unknown are expanded all the same, and what they run is run.
        let known = value.known();
        let changed =
            self.changed(known.as_deref().unwrap_or_default(), operation, scope).filter(|_| known.is_some());
        match changed {
            Some(text) => Value::literal(text).from(value.provenance),
            None => hole(format!("${{{}…}}", value.shown().trim_start_matches('$')), value.provenance),
        }
    }

    fn changed(&mut self, text: &str, operation: &Operation, scope: &mut Scope) -> Option<String> {
        match operation {
            Operation::RemovePrefix { pattern, longest } => {
                let pattern = self.affordable(pattern, text.len(), scope)?;
                let end = if *longest { pattern.longest_prefix(text) } else { pattern.shortest_prefix(text) };
                text.get(end.unwrap_or(0)..).map(str::to_owned)
            }
            Operation::RemoveSuffix { pattern, longest } => {
                let pattern = self.affordable(pattern, text.len(), scope)?;
                let start =
                    if *longest { pattern.longest_suffix(text) } else { pattern.shortest_suffix(text) };
                text.get(..start.unwrap_or(text.len())).map(str::to_owned)
            }
            Operation::Replace { pattern, replacement, kind } => {
                // The longest match is looked for at every place, and each may be replaced.
                let pattern = self.affordable(pattern, text.len().saturating_mul(text.len()), scope)?;
                let replacement = self.replacement(replacement, scope)?;
                let longest = text.len().saturating_mul(replacement.size());
                self.spend_bytes(longest).then(|| pattern.replace(text, *kind, &replacement))
            }
            Operation::Substring { offset, length } => {
                let offset = self.number(offset, scope)?;
                let length = match length {
                    Some(word) => Some(self.number(word, scope)?),
                    None => None,
                };
                Some(substring(text, offset, length))
            }
            Operation::Case(operator, pattern) => {
                let pattern = self.pattern(pattern, scope)?;
                if !self.spend_bytes(text.len().saturating_mul(1 + pattern.len())) {
                    return None;
                }
                Some(change_case(text, operator, if pattern.is_empty() { "?" } else { &pattern }))
            }
            Operation::Transform(letter) => match letter {
                'E' => Some(crate::reader::unquoted_escapes(text)),
                'L' => Some(text.to_lowercase()),
                'Q' => requoted(text),
                'U' => Some(text.to_uppercase()),
                'u' => Some(change_case(text, "^", "?")),
                // Declarations and attributes are not followed.
                _ => None,
            },
            Operation::AssignDefault(_)
            | Operation::Default(_)
            | Operation::Error(_)
            | Operation::Length
            | Operation::Names
            | Operation::Plain
            | Operation::UseAlternative(_) => Some(text.to_owned()),
        }
    }

    /// What a match is replaced with: an `&` that is not quoted stands for the match.
    fn replacement(&mut self, word: &Word, scope: &mut Scope) -> Option<Replacement> {
        let mut replacement = Replacement::default();
        for (index, part) in word.parts.iter().enumerate() {
            match part {
                Part::Bare(text) if index == 0 => {
                    let (home, rest) = self.tilde(text, word.parts.len() == 1, scope);
                    replacement.push_quoted(&home);
                    replacement.push(rest);
                }
                Part::Bare(text) => replacement.push(text),
                Part::Arithmetic(_) | Part::Command(..) | Part::Parameter(_) | Part::Process(..) => {
                    replacement.push(&self.joined(part, scope).known()?);
                }
                Part::DoubleQuoted(_) | Part::Quoted(_) => {
                    replacement.push_quoted(&self.joined(part, scope).known()?);
                }
            }
        }
        Some(replacement)
    }

    /// A pattern that is compared with this many places of a text, if that does not cost too much.
    fn affordable(&mut self, word: &Word, places: usize, scope: &mut Scope) -> Option<Pattern> {
        let pattern = self.pattern(word, scope)?;
        self.spend_bytes(places.saturating_mul(pattern.len())).then(|| Pattern::new(&pattern))
    }

    fn number(&mut self, word: &Word, scope: &mut Scope) -> Option<i64> {
        let text = self.text(word, scope);
        self.evaluate(&text, scope);
        let text = text.known()?.into_owned();
        if text.trim().is_empty() { Some(0) } else { self.calculate(&text, scope) }
    }
}

/// `${!prefix*}` and `${!array[@]}`.
fn names(parameter: &Parameter, scope: &Scope) -> Vec<Value> {
    if parameter.index.is_none() {
        let names = scope.variables.keys().filter(|name| name.starts_with(parameter.name.as_str()));
        return names.map(|name| Value::literal(name.as_ref())).collect();
    }
    let Some(variable) = scope.variables.get(parameter.name.as_str()) else { return Vec::new() };
    match &variable.keys {
        Some(keys) => keys.iter().map(|key| Value::literal(key.as_str())).collect(),
        None => (0..variable.values.len()).map(|number| Value::literal(number.to_string())).collect(),
    }
}

impl Machine<'_> {
    /// Whether a word is there only if a variable is given of which that is not known (`${x:+word}`).
    pub(super) fn is_optional(&mut self, word: &Word, scope: &Scope) -> bool {
        let [Part::Parameter(parameter)] = word.parts.as_slice() else { return false };
        matches!(parameter.operation, Operation::UseAlternative(_))
            && matches!(given(&self.lookup(&parameter.name, scope), parameter), Given::Unknown)
    }
}

/// What stands in the place of the value: for `:-` where there is none, for `:+` where there is one.
fn instead<'w>(values: &[Value], parameter: &'w Parameter) -> Option<Expansion<'w>> {
    match (&parameter.operation, given(values, parameter)) {
        (Operation::Default(word), Given::No | Given::Unknown)
        | (Operation::UseAlternative(word), Given::Unknown | Given::Yes) => Some(Expansion::Instead(word)),
        (Operation::UseAlternative(_), Given::No) => Some(Expansion::Text(Value::default())),
        _ => None,
    }
}

/// Whether a parameter is set and, where that counts, not empty.
enum Given {
    No,
    Unknown,
    Yes,
}

fn given(values: &[Value], parameter: &Parameter) -> Given {
    let Some(value) = values.first() else { return Given::No };
    if value.known().is_some_and(|text| text.is_empty()) {
        return if parameter.or_empty { Given::No } else { Given::Yes };
    }
    let may_be_empty = |piece: &Piece| matches!(piece, Piece::Hole(hole) if hole.may_be_empty);
    if value.pieces.iter().all(may_be_empty) { Given::Unknown } else { Given::Yes }
}

/// `${x:?}` ends the shell where x is empty, so after it x is not.
fn surely_given(mut value: Value) -> Value {
    for piece in &mut value.pieces {
        if let Piece::Hole(hole) = piece {
            hole.may_be_empty = false;
        }
    }
    value
}

fn positional(digits: &str, scope: &Scope) -> Value {
    let number: usize = digits.parse().unwrap_or(usize::MAX);
    match &scope.positional {
        Some(values) => values.get(number.wrapping_sub(1)).cloned().unwrap_or_default(),
        None => hole(format!("${digits}"), Provenance::NONE),
    }
}

fn secrecy(name: &str) -> Provenance {
    let upper = name.to_ascii_uppercase();
    if SECRET_NAMES.iter().any(|secret| upper.contains(secret)) {
        Provenance::SECRET
    } else {
        Provenance::NONE
    }
}

fn literal_word(text: &str) -> Word {
    Word { parts: vec![Part::Bare(text.to_owned())], span: crate::span::Span::default() }
}

fn hole(shown: String, provenance: Provenance) -> Value {
    Value::unknown(shown, provenance)
}

fn index_is(index: Option<&Word>, text: &str) -> bool {
    index.is_some_and(|word| matches!(word.parts.as_slice(), [Part::Bare(bare)] if bare == text))
}

fn length(values: &[Value], parameter: &Parameter) -> Value {
    let all = index_is(parameter.index.as_ref(), "@")
        || index_is(parameter.index.as_ref(), "*")
        || matches!(parameter.name.as_str(), "@" | "*");
    if all {
        return Value::literal(values.len().to_string());
    }
    match values.first().map_or(Some(0), |value| value.known().map(|text| text.chars().count())) {
        Some(count) => Value::literal(count.to_string()),
        None => hole(format!("${{#{}}}", parameter.name), Provenance::NONE),
    }
}

/// The text as bash quotes it to be read again; with characters that it writes as escapes, it is not known.
fn requoted(text: &str) -> Option<String> {
    let plain = !text.chars().any(char::is_control);
    plain.then(|| format!("'{}'", text.replace('\'', "'\\''")))
}

fn substring(text: &str, offset: i64, length: Option<i64>) -> String {
    let range = range(text.chars().count(), offset, length);
    text.chars().skip(range.start).take(range.len()).collect()
}

/// Which of `count` things an offset and a length mean; negative ones count from the end.
fn range(count: usize, offset: i64, length: Option<i64>) -> Range<usize> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let start = if offset < 0 { count.saturating_add(offset).max(0) } else { offset.min(count) };
    let end = match length {
        None => count,
        Some(length) if length < 0 => count.saturating_add(length).max(start),
        Some(length) => start.saturating_add(length).min(count),
    };
    usize::try_from(start).unwrap_or(0)..usize::try_from(end).unwrap_or(0)
}

/// Changes the case of the letters that match a pattern: of all, or of the first alone.
fn change_case(text: &str, operator: &str, pattern: &str) -> String {
    let first_only = operator.len() == 1;
    let pattern = Pattern::new(pattern);
    let swap = |letter: char| -> String {
        match operator.chars().next() {
            Some('^') => letter.to_uppercase().collect(),
            Some(',') => letter.to_lowercase().collect(),
            _ if letter.is_uppercase() => letter.to_lowercase().collect(),
            _ => letter.to_uppercase().collect(),
        }
    };
    let stays =
        |at: usize, letter: char| at > 0 && first_only || !pattern.matches(letter.encode_utf8(&mut [0; 4]));
    text.chars()
        .enumerate()
        .map(|(at, letter)| if stays(at, letter) { letter.to_string() } else { swap(letter) })
        .collect()
}
