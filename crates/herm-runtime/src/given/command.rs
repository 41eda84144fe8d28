//! Commands in what a tool is given, in whichever shape.

use herm::call::Exec;
use herm_adapters::keys;
use herm_shell::Lang;
use herm_shell::gap::Reason;
use serde_json::{Map, Value};

use super::found::Found;

/// Finds the commands among fields: texts, words of a program, or a program beside its arguments.
pub(super) fn find(found: &mut Found, fields: &Map<String, Value>) {
    let arguments = fields.iter().filter(|(key, _)| keys::is_arguments(key)).map(|(_, field)| field);
    let beside = Beside { arguments: arguments.collect(), lang: lang(found, fields) };
    for (key, field) in fields.iter().filter(|(key, _)| keys::is_command(key)) {
        command(found, key, field, &beside);
    }
    // A tool that is named for it runs what it is given, with or without a program of its own.
    let is_alone = !fields.keys().any(|key| keys::is_command(key));
    if is_alone && found.hint.iter().any(|word| keys::is_command(word)) {
        for (key, field) in fields.iter().filter(|(key, _)| keys::is_arguments(key)) {
            if field.is_array() {
                list(found, key, field, &beside);
            }
        }
    }
}

/// What stands beside a command.
struct Beside<'a> {
    arguments: Vec<&'a Value>,
    lang: Lang,
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
fn program(found: &mut Found, text: &str, beside: &Beside<'_>) {
    found.run(Exec::new(text, beside.lang));
    for arguments in &beside.arguments {
        if !found.can_go_on() {
            return;
        }
        if let Value::String(rest) = arguments {
            found.spend(rest.len());
            found.run(Exec::new(&format!("{text} {rest}"), Lang::Shell));
        }
        if let Some(mut rest) = words(arguments) {
            found.spend(rest.len());
            rest.insert(0, text.to_owned());
            found.run(Exec::program(rest));
        }
    }
}

/// The words of a program, or several commands. Whatever the list may be meant as is judged.
fn list(found: &mut Found, key: &str, value: &Value, beside: &Beside<'_>) {
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
const BREAKS: &[char] = &[' ', '\t', '\n', ';', '|', '&', '$', '`', '{'];

/// A command in parts. Those that are named like commands are found like all others; where none is, or there are others beside it,
/// nobody knows which part is which, and every text may be the one that runs.
fn object(found: &mut Found, key: &str, fields: &Map<String, Value>, beside: &Beside<'_>) {
    let has_command = fields.keys().any(|key| keys::is_command(key));
    let is_part = |name: &str| {
        keys::is_command(name) || keys::is_arguments(name) || keys::is_place(name) || BESIDE.contains(&name)
    };
    let is_known = |(name, field): (&String, &Value)| is_part(name) || !is_text(field);
    if has_command && fields.iter().all(is_known) || !fields.values().any(is_text) {
        return;
    }
    let arguments = fields.iter().filter(|(key, _)| keys::is_arguments(key)).map(|(_, field)| field);
    let arguments: Vec<_> = arguments.collect();
    let is_told = !arguments.is_empty();
    let lang = lang(found, fields);
    let inside = Beside { arguments, lang: if lang == Lang::Shell { beside.lang } else { lang } };
    for (name, field) in fields.iter().filter(|(name, _)| !keys::is_arguments(name)) {
        match field {
            Value::String(text) if is_told || keys::is_commands(key) => program(found, text, &inside),
            Value::String(text) => found.run(Exec::new(text, inside.lang)),
            Value::Array(_) | Value::Object(_) => structured(found, name, field, &inside),
            Value::Bool(_) | Value::Null | Value::Number(_) => {}
        }
    }
    found.unread(Reason::Syntax);
}

/// What stands beside a program and is no part of what runs.
const BESIDE: &[&str] =
    &["description", "env", "environment", "id", "kind", "lang", "language", "title", "type"];

fn is_text(value: &Value) -> bool {
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
fn lang(found: &Found, fields: &Map<String, Value>) -> Lang {
    let told = ["language", "lang", "runtime", "interpreter"]
        .iter()
        .find_map(|key| fields.get(*key)?.as_str().and_then(language));
    told.or_else(|| found.hint.iter().find_map(|word| language(word))).unwrap_or(Lang::Shell)
}

/// The language that a word names.
fn language(word: &str) -> Option<Lang> {
    match word.to_ascii_lowercase().as_str() {
        "javascript" | "js" | "node" | "nodejs" => Some(Lang::JavaScript),
        "powershell" | "pwsh" => Some(Lang::PowerShell),
        "py" | "python" | "python3" => Some(Lang::Python),
        _ => None,
    }
}
