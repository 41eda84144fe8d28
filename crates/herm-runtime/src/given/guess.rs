//! Commands that only the name of a tool tells: whoever is named for running runs what it is given, under whichever key.

use herm::call::Exec;
use herm_adapters::keys;
use herm_shell::gap::{Position, Reason};
use herm_shell::world::Blind;
use herm_shell::{Analysis, Input, Lang, Limits, Setting, analyse};
use serde_json::{Map, Value};

use super::command::{BREAKS, Beside, is_json, is_text, list, program};
use super::found::Found;
use super::name::Runs;
use super::sql;

/// Finds what a tool of this name runs among its fields, besides what is named like a command there.
pub(super) fn find(found: &mut Found, fields: &Map<String, Value>, beside: &Beside<'_>) {
    if found.asides > 0 {
        return;
    }
    let has_command = fields.keys().any(|key| keys::is_command(key));
    let has_place = fields.keys().any(|key| keys::is_place(key));
    let is_hinted = found.name.words.iter().any(|word| keys::is_command(word));
    for (key, field) in fields.iter().filter(|(key, _)| !keys::is_command(key)) {
        let is_argument = keys::is_arguments(key);
        let is_part = has_command && (is_argument || keys::is_input(key));
        let is_file = has_place && keys::is_content(key);
        if !has_command && is_hinted && is_argument && field.is_array() {
            list(found, key, field, beside);
        } else if !(is_part || is_file || is_told(found, key, field)) {
            each(found, key, field, beside);
        }
    }
    named(found, fields, beside);
}

/// The same for what is no object.
pub(super) fn bare(found: &mut Found, value: &Value) {
    if !value.is_object() {
        each(found, "", value, &Beside::default());
    }
}

/// Whether a field is something else than what is run: a file, a link, a statement, a word about it.
fn is_told(found: &mut Found, key: &str, field: &Value) -> bool {
    let is_source = matches!(key.to_ascii_lowercase().as_str(), "source" | "src");
    keys::is_inert(key)
        || keys::is_link(key)
        || keys::is_place(key) && !is_source
        || is_statement(found, key, field)
}

/// Whether a text is for a database alone. Who may also be a shell is one, as far as a shell could read it.
pub(super) fn is_statement(found: &mut Found, key: &str, field: &Value) -> bool {
    let Some(text) = field.as_str().filter(|text| sql::is_meant(found, key, text)) else { return false };
    let may_be_shell = found.name.runs == Runs::Commands && !found.name.asks_database();
    !found.name.is_shell() && (!may_be_shell || !is_valid(found, text, Lang::Shell))
}

fn each(found: &mut Found, key: &str, field: &Value, beside: &Beside<'_>) {
    match (found.name.runs, field) {
        (Runs::Nothing, _) | (_, Value::Bool(_) | Value::Null | Value::Number(_) | Value::Object(_)) => {}
        (_, Value::String(text)) if is_json(text) => {
            // What is an object is looked into like all others.
            if let Ok(list @ Value::Array(_)) = serde_json::from_str(text) {
                each(found, key, &list, beside);
            }
        }
        (Runs::Commands, Value::String(text)) => program(found, text, beside),
        (Runs::Commands, Value::Array(_)) => list(found, key, field, beside),
        (Runs::Code | Runs::Something, Value::Array(items)) => {
            items.iter().filter(|item| item.is_string()).for_each(|item| each(found, key, item, beside));
        }
        (Runs::Code, Value::String(text)) => code(found, text, beside),
        // Most of what such tools are given is words for people.
        (Runs::Something, Value::String(text)) => {
            if text.contains(BREAKS) && is_valid(found, text, Lang::Shell) {
                program(found, text, beside);
            }
        }
    }
}

/// A text in a language that nobody told, in each in which it can be one.
fn code(found: &mut Found, text: &str, beside: &Beside<'_>) {
    if let Some(lang) = beside.told {
        return found.run(Exec::new(text, lang));
    }
    found.run(Exec::new(text, Lang::JavaScript));
    for lang in [Lang::Python, Lang::Shell] {
        if is_valid(found, text, lang) {
            found.run(Exec::new(text, lang));
        }
    }
}

/// A tool that is named for a program is that program, with the arguments that it is given.
fn named(found: &mut Found, fields: &Map<String, Value>, beside: &Beside<'_>) {
    let Some(name) = found.name.program().map(str::to_owned) else { return };
    let is_sub =
        |key: &str| keys::is_command(key) || SUBCOMMANDS.contains(&key.to_ascii_lowercase().as_str());
    let subcommands: Vec<_> =
        fields.iter().filter(|(key, _)| is_sub(key)).filter_map(|(_, field)| field.as_str()).collect();
    let has_arguments = beside.arguments.iter().any(|one| is_text(one));
    if !has_arguments && subcommands.is_empty() || !is_program(found, &name) {
        return;
    }
    if has_arguments {
        program(found, &name, beside);
    }
    // A shell is not told to run a script of that name, but the text.
    let is_shell = found.name.runs == Runs::Commands;
    for text in subcommands.iter().filter(|_| !is_shell) {
        let whole = format!("{name} {text}");
        let is_other = text.split_whitespace().next().is_some_and(|first| first != name);
        if is_other && is_valid(found, &whole, Lang::Shell) {
            program(found, &whole, &beside.in_shell());
        }
    }
}

const SUBCOMMANDS: &[&str] = &["action", "operation", "subcommand", "sub_command", "verb"];

/// Whether a name is that of a program that is known.
fn is_program(found: &mut Found, name: &str) -> bool {
    *found.is_program.get_or_insert_with(|| {
        read(name, Lang::Shell).invocations.first().is_some_and(|invocation| invocation.described)
    })
}

fn is_valid(found: &mut Found, text: &str, lang: Lang) -> bool {
    // What cannot be looked at any more is taken for valid: it asks in any case.
    if !found.can_go_on() {
        return true;
    }
    found.spend(text.len());
    let gaps = read(text, lang).gaps;
    !gaps.iter().any(|gap| gap.position == Position::Whole && gap.reason == Reason::Syntax)
}

pub(super) fn read(text: &str, lang: Lang) -> Analysis {
    let setting = Setting {
        cwd: "/",
        home: "/",
        user: None,
        world: &Blind,
        limits: Limits::default(),
        input: Input::default(),
    };
    analyse(text, lang, &setting)
}
