//! PHP.

use crate::effect::Flags;
use crate::lang::Lang;
use crate::scripts::engine::{self, Act, Language, Reader, Row, Val};
use crate::scripts::scanner::{Backtick, BareCalls, C_LIKE, Interpolation, Profile, Quoting};

use super::call_by_name;

pub(in crate::scripts) static PHP: Language = Language {
    profile: Profile {
        lang: Lang::Php,
        line_comments: &["//", "#"],
        sigils: "$",
        quotes: "\"",
        raw_quotes: "'",
        backtick: Backtick::Command,
        interpolation: Interpolation::Php,
        quoting: Quoting::Php,
        newlines: false,
        concat: &["."],
        bare_calls: BareCalls::Lists,
        ignores_case: true,
        keywords: &[
            "if",
            "else",
            "elseif",
            "while",
            "for",
            "foreach",
            "do",
            "function",
            "fn",
            "return",
            "new",
            "try",
            "catch",
            "finally",
            "switch",
            "case",
            "use",
            "namespace",
            "global",
            "static",
            "const",
            "class",
            "throw",
            "match",
        ],
        ..C_LIKE
    },
    calls: CALLS,
    transparent: &["global."],
    environment: &["_ENV", "_SERVER"],
    global,
};

const CALLS: &[Row] = &[
    ("system", Act::Shell(0)),
    ("exec", Act::Shell(0)),
    ("shell_exec", Act::Shell(0)),
    ("passthru", Act::Shell(0)),
    ("popen", Act::Pipe(0, 1)),
    ("proc_open", Act::Shell(0)),
    ("pcntl_exec", Act::Argv),
    ("expect_popen", Act::Shell(0)),
    ("eval", Act::Code(Lang::Php)),
    ("assert", Act::Special(assert)),
    ("create_function", Act::Special(create_function)),
    ("preg_replace", Act::Special(preg_replace)),
    ("call_user_func", Act::Special(call_by_name)),
    ("call_user_func_array", Act::Special(call_user_func_array)),
    ("array_map", Act::Special(array_map)),
    ("array_walk", Act::Special(array_walk)),
    ("array_filter", Act::Special(chosen)),
    ("usort", Act::Special(array_walk)),
    ("ob_start", Act::Special(called_later)),
    ("set_error_handler", Act::Special(called_later)),
    ("set_exception_handler", Act::Special(called_later)),
    ("spl_autoload_register", Act::Special(called_later)),
    ("iterator_apply", Act::Special(called_later)),
    ("register_shutdown_function", Act::Special(call_by_name)),
    ("include", Act::Script(Lang::Php)),
    ("include_once", Act::Script(Lang::Php)),
    ("require", Act::Script(Lang::Php)),
    ("require_once", Act::Script(Lang::Php)),
    ("file_get_contents", Act::Read(0)),
    ("file", Act::Read(0)),
    ("readfile", Act::Read(0)),
    ("show_source", Act::Read(0)),
    ("highlight_file", Act::Read(0)),
    ("parse_ini_file", Act::Read(0)),
    ("glob", Act::Special(glob)),
    ("directoryiterator", Act::Special(below)),
    ("filesystemiterator", Act::Special(below)),
    ("recursivedirectoryiterator", Act::Special(below)),
    ("recursiveiteratoriterator", Act::Pure(engine::same)),
    ("fopen", Act::Open(0, 1)),
    ("splfileobject", Act::Open(0, 1)),
    ("fwrite", Act::Special(fwrite)),
    ("fputs", Act::Special(fwrite)),
    ("readline", Act::Stdin),
    ("fread", Act::Special(fread)),
    ("fgets", Act::Special(fread)),
    ("stream_get_contents", Act::Special(fread)),
    ("file_put_contents", Act::Write(0, 1, Flags::TRUNCATE)),
    ("unlink", Act::Delete(Flags::NONE)),
    ("rmdir", Act::Delete(Flags::NONE)),
    ("rename", Act::Move(0, 1)),
    ("copy", Act::Copy(0, 1)),
    ("symlink", Act::Link(1)),
    ("link", Act::Link(1)),
    ("chmod", Act::ChangeMode(1, 0)),
    ("chown", Act::ChangeOwner(0)),
    ("chgrp", Act::ChangeOwner(0)),
    ("posix_kill", Act::Kill(1, 0)),
    ("pcntl_fork", Act::Fork),
    ("fsockopen", Act::Connect(0, 1)),
    ("pfsockopen", Act::Connect(0, 1)),
    ("stream_socket_client", Act::Connect(0, 9)),
    ("socket_connect", Act::Connect(1, 2)),
    ("stream_socket_server", Act::Listen(0)),
    ("socket_bind", Act::Listen(2)),
    ("curl_init", Act::Special(curl_init)),
    ("curl_setopt", Act::Special(curl_setopt)),
    ("mail", Act::Send(0)),
    ("getenv", Act::Env),
    ("phpinfo", Act::Special(environment)),
    ("putenv", Act::Special(put_variable)),
    ("echo", Act::Print("")),
    ("print", Act::Print("")),
    ("print_r", Act::Special(print_readably)),
    ("var_export", Act::Special(print_readably)),
    ("extract", Act::Special(extract)),
    ("var_dump", Act::Print("")),
    ("printf", Act::Special(printf)),
    ("gzinflate", Act::Pure(compressed)),
    ("gzuncompress", Act::Pure(compressed)),
    ("gzdecode", Act::Pure(compressed)),
    ("convert_uudecode", Act::Pure(compressed)),
    ("array", Act::Pure(engine::list)),
    ("die", Act::Inert),
    ("exit", Act::Inert),
];

fn global(reader: &mut Reader<'_>, name: &str) -> Option<Val> {
    if matches!(name, "STDIN" | "argn") {
        Some(Val::value(reader.sink.stdin()))
    } else {
        let key = name.strip_prefix("_ENV.").or_else(|| name.strip_prefix("_SERVER."))?;
        let plain = key.chars().all(|c| c.is_alphanumeric() || c == '_');
        plain.then(|| reader.variable(key))
    }
}

/// Old PHP runs a text that is asserted.
fn assert(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments.first() {
        Some(Val::Text(_)) => reader.perform(Act::Code(Lang::Php), arguments),
        Some(_) | None => Val::list(Vec::new()),
    }
}

fn create_function(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let code: Vec<Val> = arguments.iter().skip(1).cloned().collect();
    reader.perform(Act::Code(Lang::Php), &code)
}

/// The `e` modifier runs the replacement.
fn preg_replace(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let pattern = arguments.first().and_then(Val::known).unwrap_or_default();
    let modifiers = pattern.rsplit(['/', '#', '~', '|', '}']).next().unwrap_or_default();
    if modifiers.contains('e') && modifiers.len() < 8 && modifiers.len() < pattern.len() {
        let code: Vec<Val> = arguments.iter().skip(1).take(1).cloned().collect();
        return reader.perform(Act::Code(Lang::Php), &code);
    }
    Val::unknown("replaced text", arguments.get(2).map(Val::provenance).unwrap_or_default())
}

fn call_user_func_array(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments {
        [callee, list, ..] => reader.call_value(callee, &list.items()),
        _ => Val::list(Vec::new()),
    }
}

fn array_map(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments {
        [function, list, ..] => reader.map(list, std::slice::from_ref(function)),
        _ => Val::list(Vec::new()),
    }
}

/// A function that is called later, with what is not known now.
fn called_later(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    for argument in arguments {
        match argument {
            Val::Name(..) | Val::OneOf(_) | Val::Text(_) => reader.unfollowed("callback", arguments),
            Val::Function(_) | Val::Handle(_) | Val::List(_) | Val::Number(_) | Val::Pair(_) => {}
        }
    }
    Val::Number(1)
}

/// `print_r(x, true)` yields what would be printed.
fn print_readably(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    if arguments.len() < 2 {
        return reader.perform(Act::Print(""), arguments);
    }
    let origin = arguments.first().map(Val::provenance).unwrap_or_default();
    Val::unknown("printed", origin)
}

/// The keys of a list become variables.
fn extract(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let items = arguments.first().map(Val::items).unwrap_or_default();
    for item in &items {
        match item {
            Val::Pair(pair) => reader.assign_perhaps(&pair.0, pair.1.clone()),
            Val::Function(_)
            | Val::Handle(_)
            | Val::List(_)
            | Val::Name(..)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Text(_) => reader.unfollowed("extract", arguments),
        }
    }
    Val::Number(1)
}

/// Which of the items are left is not known.
fn chosen(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    if arguments.len() > 1 {
        array_walk(reader, arguments);
    }
    let list = arguments.first().cloned().unwrap_or_else(|| Val::list(Vec::new()));
    let unknown = Val::unknown("array_filter", list.provenance());
    reader.either(&list, &unknown)
}

fn array_walk(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments {
        [list, function, ..] => reader.map(list, std::slice::from_ref(function)),
        _ => Val::list(Vec::new()),
    }
}

fn fwrite(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments {
        [handle @ Val::Handle(_), rest @ ..] => reader.method(handle, "write", rest.get(..1).unwrap_or(rest)),
        [_, text, ..] => reader.perform(Act::Print(""), std::slice::from_ref(text)),
        _ => Val::list(Vec::new()),
    }
}

fn fread(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments.first() {
        Some(handle @ Val::Handle(_)) => reader.method(handle, "read", &[]),
        Some(other) => other.clone(),
        None => Val::list(Vec::new()),
    }
}

fn curl_init(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    if arguments.is_empty() { Val::name("curl") } else { reader.perform(Act::Fetch(0), arguments) }
}

fn curl_setopt(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let option = arguments.get(1).map(|option| option.plain().shown()).unwrap_or_default();
    match (option.as_str(), arguments.get(2)) {
        ("CURLOPT_URL", Some(url)) => reader.perform(Act::Fetch(0), std::slice::from_ref(url)),
        ("CURLOPT_POSTFIELDS", Some(data)) => reader.perform(
            Act::Send(0),
            &[arguments.first().cloned().unwrap_or_else(|| Val::name("curl")), data.clone()],
        ),
        _ => Val::list(Vec::new()),
    }
}

/// A glob of the file system: the path with its pattern.
fn glob(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let text = arguments.first().map(|pattern| reader.text(pattern)).unwrap_or_default();
    Val::value(crate::scripts::globbed(&text))
}

/// Everything in a directory.
fn below(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let mut text = arguments.first().map(|path| reader.text(path)).unwrap_or_default();
    text.push_str("/*");
    Val::value(crate::scripts::globbed(&text))
}

/// Compressed text cannot be read here.
fn compressed(arguments: &[Val]) -> Val {
    let data = arguments.first().map(Val::provenance).unwrap_or_default();
    Val::unknown("compressed text", data | crate::value::Provenance::DECODED)
}

fn environment(reader: &mut Reader<'_>, _arguments: &[Val]) -> Val {
    let text = reader.environment();
    reader.perform(Act::Print(""), &[text])
}

/// `putenv("NAME=value")`.
fn put_variable(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    if let Some(text) = arguments.first().and_then(Val::known)
        && let Some((name, value)) = text.split_once('=')
    {
        reader.sink.set_variable(name, &crate::value::Value::literal(value));
    }
    Val::Number(1)
}

fn printf(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let text = engine::format(arguments);
    reader.perform(Act::Print(""), &[text])
}

/// Only what stands between `<?php` and `?>` is code; the rest becomes blanks, so that places stay right.
pub(in crate::scripts) fn code_of(text: &str) -> String {
    if !text.contains("<?") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<?") {
        out.push_str(&" ".repeat(before.len() + 2));
        let (tag, echo) =
            if after.starts_with("php") { (3, false) } else { (usize::from(after.starts_with('=')), true) };
        out.push_str(if echo && tag == 1 { " " } else { "   ".get(..tag).unwrap_or_default() });
        let body = after.get(tag..).unwrap_or_default();
        let end = body.find("?>").unwrap_or(body.len());
        out.push_str(body.get(..end).unwrap_or_default());
        out.push_str("; ".get(..body.len().saturating_sub(end).min(2)).unwrap_or_default());
        rest = body.get((end + 2).min(body.len())..).unwrap_or_default();
    }
    out
}
