//! Commands in what a tool is given, in whichever shape.

use std::borrow::Cow;

use herm::call::Exec;
use herm_adapters::keys;
use herm_shell::Lang;
use herm_shell::gap::Reason;
use serde_json::{Map, Value};

use super::deletion::operand;
use super::found::Found;
use super::guess;
use super::name::language;

/// Finds the commands among fields: texts, words of a program, or a program beside its arguments.
pub(super) fn find(found: &mut Found, fields: &Map<String, Value>) {
    let beside = Beside::of(found, fields);
    for (key, field) in fields.iter().filter(|(key, _)| keys::is_command(key)) {
        let is_statement = keys::is_query(key) && guess::is_statement(found, key, field);
        if !is_statement {
            command(found, key, field, &beside);
        }
    }
    guess::find(found, fields, &beside);
}

/// What stands beside a command.
#[derive(Debug, Default)]
pub(super) struct Beside<'a> {
    pub(super) arguments: Vec<Cow<'a, Value>>,
    /// What it reads.
    inputs: Vec<&'a str>,
    /// All of its arguments, as a shell would be told them.
    rest: String,
    /// The files that are named beside it, in the same way.
    files: String,
    /// The language that was told.
    pub(super) told: Option<Lang>,
}

impl<'a> Beside<'a> {
    fn of(found: &Found, fields: &'a Map<String, Value>) -> Self {
        let under =
            |is: fn(&str) -> bool| fields.iter().filter(move |(key, _)| is(key)).map(|(_, field)| field);
        let arguments: Vec<_> = under(keys::is_arguments).filter_map(unpacked).collect();
        let files: Vec<_> = under(keys::is_operand).collect();
        let inputs = under(keys::is_input).filter_map(Value::as_str).collect();
        // Options first: most programs take them only there.
        let (options, others): (Vec<_>, Vec<_>) = arguments.iter().partition(|one| is_options(one));
        let rest: Vec<_> = options.into_iter().chain(others).filter_map(|one| spelled(one)).collect();
        let files: Vec<_> = files.into_iter().filter_map(named).collect();
        Self { inputs, rest: rest.join(" "), files: files.join(" "), told: lang(found, fields), arguments }
    }

    /// The same where a shell reads it.
    pub(super) fn in_shell(&self) -> Self {
        let (arguments, inputs) = (self.arguments.clone(), self.inputs.clone());
        Self { arguments, inputs, rest: self.rest.clone(), files: self.files.clone(), told: None }
    }

    fn lang(&self) -> Lang {
        self.told.unwrap_or(Lang::Shell)
    }
}

/// Arguments that may be a list in the text that they are. What is an object there names its own parts.
fn unpacked(value: &Value) -> Option<Cow<'_, Value>> {
    match value.as_str().filter(|text| is_json(text)).map(serde_json::from_str) {
        Some(Ok(list @ Value::Array(_))) => Some(Cow::Owned(list)),
        Some(Ok(_)) => None,
        Some(Err(_)) | None => Some(Cow::Borrowed(value)),
    }
}

/// Whether a text is a list or an object.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_array() || value.is_object())
}

fn is_options(value: &Value) -> bool {
    let first = value.as_array().map_or(Some(value), |items| items.first());
    first.and_then(Value::as_str).is_some_and(|text| text.starts_with('-'))
}

/// Arguments as a shell would be told them: a text as it stands, words each as one.
fn spelled(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned).or_else(|| words(value).map(|words| Exec::program(words).text))
}

/// Files as a shell would be told them.
fn named(value: &Value) -> Option<String> {
    let path = value.as_str().map(|path| vec![path.to_owned()]);
    let paths = path.or_else(|| words(value))?;
    Some(paths.iter().map(|path| operand(path)).collect::<Vec<_>>().join(" "))
}

fn command(found: &mut Found, key: &str, value: &Value, beside: &Beside<'_>) {
    match value {
        Value::String(text) => {
            if let Some(inner) = found.inner(text) {
                structured(found, key, &inner, beside);
            }
            program(found, text, beside);
        }
        Value::Array(_) | Value::Object(_) => structured(found, key, value, beside),
        // Nothing runs that is no text.
        Value::Bool(_) | Value::Null | Value::Number(_) => {}
    }
}

fn structured(found: &mut Found, key: &str, value: &Value, beside: &Beside<'_>) {
    match value {
        Value::Array(_) => list(found, key, value, beside),
        Value::Object(fields) => object(found, key, fields, beside),
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => {}
    }
}

/// A text, alone and with the arguments that stand beside it.
pub(super) fn program(found: &mut Found, text: &str, beside: &Beside<'_>) {
    run(found, Exec::new(text, beside.lang()), beside);
    for arguments in &beside.arguments {
        if !found.can_go_on() {
            return;
        }
        if let Value::String(rest) = arguments.as_ref() {
            found.spend(rest.len());
            run(found, Exec::new(&format!("{text} {rest}"), Lang::Shell), beside);
        }
        if let Some(mut rest) = words(arguments) {
            found.spend(rest.len());
            if text.contains(BREAKS) {
                let spelled = Exec::program(rest.clone()).text;
                run(found, Exec::new(&format!("{text} {spelled}"), Lang::Shell), beside);
            }
            rest.insert(0, text.to_owned());
            run(found, Exec::program(rest), beside);
        }
    }
    if beside.lang() == Lang::Shell && found.can_go_on() {
        let whole = format!("{text} {}", beside.rest);
        let whole = whole.trim_end();
        found.spend(whole.len());
        // A file beside what has its operands already says where, if anything.
        let is_open = whole.split_whitespace().skip(1).all(|word| word.starts_with('-'));
        if !beside.files.is_empty() && is_open {
            run(found, Exec::new(&format!("{whole} {}", beside.files), Lang::Shell), beside);
        } else if beside.arguments.len() > 1 {
            run(found, Exec::new(whole, Lang::Shell), beside);
        }
    }
}

/// What runs, alone and with what it reads.
fn run(found: &mut Found, exec: Exec, beside: &Beside<'_>) {
    let text = exec.text.clone();
    let is_shell = exec.lang == Lang::Shell;
    found.run(exec);
    for input in beside.inputs.iter().filter(|_| is_shell) {
        if !found.can_go_on() {
            return;
        }
        found.spend(text.len() + input.len());
        found.run(Exec::new(&reading(&text, input), Lang::Shell));
    }
}

/// A command that reads a text.
fn reading(command: &str, input: &str) -> String {
    let mut end = "EOF".to_owned();
    while input.lines().any(|line| line == end) {
        end.push('_');
    }
    format!("{{\n{command}\n}} <<'{end}'\n{input}\n{end}\n")
}

/// The words of a program, or several commands. Whatever the list may be meant as is judged.
pub(super) fn list(found: &mut Found, key: &str, value: &Value, beside: &Beside<'_>) {
    let Value::Array(items) = value else { return };
    let is_each = keys::is_commands(key);
    for item in items {
        match item {
            Value::String(text) if is_each || text.contains(BREAKS) => command(found, key, item, beside),
            Value::Array(_) => list(found, key, item, beside),
            Value::Object(fields) => object(found, key, fields, beside),
            Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => {}
        }
    }
    if found.can_go_on()
        && let Some(words) = words(value)
    {
        found.spend(words.len());
        if let [only] = words.as_slice() {
            program(found, only, beside);
        }
        found.run(Exec::program(words));
    }
}

/// What a text has in it that is more than one word of a program.
pub(super) const BREAKS: &[char] = &[' ', '\t', '\n', ';', '|', '&', '$', '`', '{'];

/// A command in parts. Those that are named like commands are found like all others; where none is, or there are others beside it,
/// nobody knows which part is which, and every text may be the one that runs.
fn object(found: &mut Found, key: &str, fields: &Map<String, Value>, beside: &Beside<'_>) {
    let has_command = fields.keys().any(|key| keys::is_command(key));
    let is_part = |name: &str| {
        keys::is_command(name)
            || keys::is_arguments(name)
            || keys::is_input(name)
            || keys::is_place(name)
            || BESIDE.contains(&name)
    };
    let is_known = |(name, field): (&String, &Value)| is_part(name) || !is_text(field);
    if has_command && fields.iter().all(is_known) || !fields.values().any(is_text) {
        return;
    }
    let mut inside = Beside::of(found, fields);
    let is_told = !inside.arguments.is_empty();
    inside.told = inside.told.or(beside.told);
    for (name, field) in fields.iter().filter(|(name, _)| !keys::is_arguments(name)) {
        match field {
            Value::String(text) if is_told || keys::is_commands(key) => program(found, text, &inside),
            Value::String(text) => found.run(Exec::new(text, inside.lang())),
            Value::Array(_) | Value::Object(_) => structured(found, name, field, &inside),
            Value::Bool(_) | Value::Null | Value::Number(_) => {}
        }
    }
    found.unread(Reason::Syntax);
}

/// What stands beside a program and is no part of what runs.
const BESIDE: &[&str] =
    &["description", "env", "environment", "id", "kind", "lang", "language", "title", "type"];

pub(super) fn is_text(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => items.iter().any(is_text),
        Value::Object(fields) => fields.values().any(is_text),
        Value::Bool(_) | Value::Null | Value::Number(_) => false,
    }
}

/// The words of a list, also of those in it; numbers are words as well.
fn words(value: &Value) -> Option<Vec<String>> {
    fn add(value: &Value, words: &mut Vec<String>) {
        match value {
            Value::String(text) => words.push(text.clone()),
            Value::Bool(_) | Value::Number(_) => words.push(value.to_string()),
            Value::Array(items) => items.iter().for_each(|item| add(item, words)),
            Value::Null | Value::Object(_) => {}
        }
    }
    let mut words = Vec::new();
    value.as_array()?.iter().for_each(|item| add(item, &mut words));
    (!words.is_empty()).then_some(words)
}

/// The language of what stands among fields, or that the tool is named for.
fn lang(found: &Found, fields: &Map<String, Value>) -> Option<Lang> {
    let told = ["language", "lang", "runtime", "interpreter"]
        .iter()
        .find_map(|key| fields.get(*key)?.as_str().and_then(language));
    told.or_else(|| found.name.lang())
}
