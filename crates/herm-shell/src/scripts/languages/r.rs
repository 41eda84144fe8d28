//! R.

use crate::effect::Flags;
use crate::lang::Lang;
use crate::scripts::engine::{self, Act, Language, Reader, Row, Val};
use crate::scripts::scanner::{C_LIKE, Profile};

use super::call_by_name;

pub(in crate::scripts) static R: Language = Language {
    profile: Profile {
        lang: Lang::R,
        line_comments: &["#"],
        block_comments: &[],
        name_extra: ".",
        keywords: &["if", "else", "while", "for", "repeat", "function", "return", "in"],
        ..C_LIKE
    },
    calls: CALLS,
    transparent: &["base."],
    environment: &[],
    global,
};

const CALLS: &[Row] = &[
    ("system", Act::Shell(0)),
    ("shell", Act::Shell(0)),
    ("system2", Act::Special(system2)),
    ("pipe", Act::Pipe(0, 1)),
    ("eval", Act::Special(eval)),
    ("parse", Act::Pure(parse)),
    ("str2lang", Act::Pure(engine::same)),
    ("str2expression", Act::Pure(engine::same)),
    ("source", Act::Script(Lang::R)),
    ("do.call", Act::Special(do_call)),
    ("sapply", Act::Special(apply)),
    ("lapply", Act::Special(apply)),
    ("unlink", Act::Special(unlink)),
    ("file.remove", Act::Special(unlink)),
    ("path.expand", Act::Special(expanded)),
    ("normalizePath", Act::Special(expanded)),
    ("fs.file_delete", Act::Delete(Flags::NONE)),
    ("fs.dir_delete", Act::Delete(Flags::RECURSIVE)),
    ("file.rename", Act::Move(0, 1)),
    ("list.files", Act::Special(below)),
    ("list.dirs", Act::Special(below)),
    ("fs.dir_ls", Act::Special(below)),
    ("Sys.glob", Act::Special(glob)),
    ("processx.run", Act::Program(0, 1)),
    ("processx.process.new", Act::Program(0, 1)),
    ("sys.exec_wait", Act::Program(0, 1)),
    ("sys.exec_internal", Act::Program(0, 1)),
    ("file.copy", Act::Copy(0, 1)),
    ("file.symlink", Act::Link(1)),
    ("Sys.chmod", Act::ChangeMode(1, 0)),
    ("readLines", Act::Read(0)),
    ("readline", Act::Stdin),
    ("readRDS", Act::Read(0)),
    ("read.csv", Act::Read(0)),
    ("scan", Act::Read(0)),
    ("url", Act::Fetch(0)),
    ("writeLines", Act::Special(write_lines)),
    ("cat", Act::Special(cat)),
    ("print", Act::Print("\n")),
    ("message", Act::Inert),
    ("download.file", Act::Special(download)),
    ("socketConnection", Act::Special(socket)),
    ("Sys.getenv", Act::Env),
    ("tools.pskill", Act::Kill(1, 0)),
    ("paste", Act::Pure(engine::paste)),
    ("paste0", Act::Pure(engine::concat)),
    ("c", Act::Pure(engine::list)),
    ("list", Act::Pure(engine::list)),
    ("rev", Act::Pure(engine::reverse)),
    ("intToUtf8", Act::Pure(engine::characters)),
    ("rawToChar", Act::Pure(engine::characters)),
    ("as.raw", Act::Pure(engine::same)),
    ("strsplit", Act::Pure(split)),
    ("sprintf", Act::Pure(engine::format)),
    ("tolower", Act::Pure(engine::lower)),
    ("toupper", Act::Pure(engine::upper)),
    ("base64enc.base64decode", Act::Pure(engine::base64)),
    ("jsonlite.base64_dec", Act::Pure(engine::base64)),
    ("file.path", Act::Pure(join_path)),
    ("match.fun", Act::Pure(named)),
    ("get", Act::Pure(named)),
    ("tryCatch", Act::Special(call_by_name)),
];

fn global(_reader: &mut Reader<'_>, _name: &str) -> Option<Val> {
    None
}

fn system2(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let list =
        arguments.iter().find_map(|argument| argument.keyed(&["args"])).or_else(|| arguments.get(1).cloned());
    let mut words: Vec<Val> = arguments.iter().take(1).cloned().collect();
    words.extend(list.iter().flat_map(Val::items));
    // The arguments are pasted together and a shell reads them.
    let text = engine::join(&[Val::text(" "), Val::list(words)]);
    reader.perform(Act::Shell(0), &[text])
}

/// Everything in a directory.
fn below(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let mut text = arguments.first().map(|path| reader.text(path)).unwrap_or_default();
    text.push_str("/*");
    Val::value(crate::scripts::globbed(&text))
}

fn glob(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let text = arguments.first().map(|pattern| reader.text(pattern)).unwrap_or_default();
    Val::value(crate::scripts::globbed(&text))
}

/// `parse(text = "…")` is the text itself.
fn parse(arguments: &[Val]) -> Val {
    let text = arguments.iter().find_map(|argument| argument.keyed(&["text"]));
    text.or_else(|| arguments.first().cloned()).unwrap_or_else(|| Val::name("parsed"))
}

fn eval(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments.first() {
        Some(Val::Text(_)) => reader.perform(Act::Code(Lang::R), arguments),
        Some(_) | None => Val::list(Vec::new()),
    }
}

/// `do.call("unlink", list("x"))`: the function, by its name or itself, and its arguments.
fn do_call(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let mut plain = arguments.iter().filter(|argument| !matches!(argument, Val::Pair(_)));
    let callee = in_full(arguments, &["what"]).or_else(|| plain.next().cloned());
    let list = in_full(arguments, &["args"]).or_else(|| plain.next().cloned());
    match callee {
        // What an unknown function gives back may be any function.
        Some(Val::Name(name, _)) if name.ends_with("()") => {
            reader.unfollowed(&name, &list.map(|list| list.items()).unwrap_or_default());
            Val::name("called")
        }
        Some(callee) => reader.call_value(&callee, &list.map(|list| list.items()).unwrap_or_default()),
        None => Val::list(Vec::new()),
    }
}

/// The argument that one of these parameters takes: R lets names be cut short.
fn in_full(arguments: &[Val], parameters: &[&str]) -> Option<Val> {
    arguments.iter().find_map(|argument| match argument {
        Val::Pair(pair)
            if !pair.0.is_empty() && parameters.iter().any(|name| name.starts_with(pair.0.as_str())) =>
        {
            Some(pair.1.clone())
        }
        Val::Pair(_)
        | Val::Function(_)
        | Val::Handle(_)
        | Val::List(_)
        | Val::Name(..)
        | Val::Number(_)
        | Val::OneOf(_)
        | Val::Text(_) => None,
    })
}

/// `unlink("x", rec = TRUE)`: the paths are whatever is no option.
fn unlink(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let plain = arguments.iter().filter(|argument| !matches!(argument, Val::Pair(_)));
    let paths: Vec<Val> = plain.cloned().chain(in_full(arguments, &["x"])).collect();
    let options = ["recursive", "force"];
    let options = options.iter().filter_map(|name| {
        Some(Val::Pair(std::rc::Rc::new(((*name).to_owned(), in_full(arguments, &[name])?))))
    });
    let options: Vec<Val> = options.collect();
    for path in paths.iter().flat_map(Val::items) {
        let path = expanded(reader, &[path]);
        let mut given = vec![path];
        given.extend(options.iter().cloned());
        reader.perform(Act::Delete(Flags::NONE), &given);
    }
    Val::list(Vec::new())
}

/// A path with the home directory that it begins with.
fn expanded(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let path = arguments.first().map(|path| reader.text(path)).unwrap_or_default();
    Val::value(crate::scripts::at_home(&path, &reader.sink.home()))
}

fn apply(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments {
        [list, function, ..] => reader.map(list, std::slice::from_ref(function)),
        _ => Val::list(Vec::new()),
    }
}

/// To a file when one is named, else to standard output.
fn written(reader: &mut Reader<'_>, content: Val, file: Option<Val>) -> Val {
    match file {
        Some(handle @ Val::Handle(_)) => reader.method(&handle, "write", &[content]),
        Some(path) => reader.perform(Act::Write(0, 1, Flags::TRUNCATE), &[path, content]),
        None => reader.perform(Act::Print(""), &[content]),
    }
}

fn write_lines(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let file =
        arguments.iter().find_map(|argument| argument.keyed(&["con"])).or_else(|| arguments.get(1).cloned());
    let content = arguments.first().cloned().unwrap_or_else(|| Val::text(""));
    written(reader, content, file)
}

fn cat(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let file = arguments.iter().find_map(|argument| argument.keyed(&["file"]));
    let content = engine::paste(arguments);
    written(reader, content, file)
}

fn download(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let content = reader.perform(Act::Fetch(0), arguments.get(..1).unwrap_or_default());
    let path = arguments
        .iter()
        .find_map(|argument| argument.keyed(&["destfile"]))
        .or_else(|| arguments.get(1).cloned());
    path.map_or_else(|| Val::list(Vec::new()), |path| written(reader, content, Some(path)))
}

fn socket(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    reader.perform(Act::Connect(0, 1), arguments)
}

fn split(arguments: &[Val]) -> Val {
    match arguments {
        [text, separator, ..] => engine::parts(text, separator),
        _ => Val::list(Vec::new()),
    }
}

fn join_path(arguments: &[Val]) -> Val {
    engine::join(&[Val::text("/"), engine::list(arguments)])
}

fn named(arguments: &[Val]) -> Val {
    arguments.first().and_then(Val::known).map_or_else(|| Val::name("function"), |name| Val::name(&name))
}
