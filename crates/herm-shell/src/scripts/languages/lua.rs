//! Lua.

use crate::effect::Flags;
use crate::lang::Lang;
use crate::scripts::engine::{self, Act, Language, Reader, Row, Val};
use crate::scripts::scanner::{BareCalls, C_LIKE, Profile, Quoting};
use crate::value::{Provenance, Value};

use super::call_by_name;

pub(in crate::scripts) static LUA: Language = Language {
    profile: Profile {
        lang: Lang::Lua,
        line_comments: &["--"],
        block_comments: &[("--[[", "]]"), ("--[=[", "]=]")],
        quoting: Quoting::Lua,
        newlines: false,
        concat: &[".."],
        bare_calls: BareCalls::Strings,
        keywords: &[
            "local", "if", "else", "elseif", "while", "for", "repeat", "until", "do", "then", "end",
            "function", "return", "not", "in", "goto", "break",
        ],
        ..C_LIKE
    },
    calls: CALLS,
    transparent: &["_G.", "_ENV."],
    environment: &[],
    global,
};

const CALLS: &[Row] = &[
    ("os.execute", Act::Shell(0)),
    ("io.popen", Act::Pipe(0, 1)),
    ("posix.exec", Act::Argv),
    ("posix.execp", Act::Argv),
    ("posix.fork", Act::Fork),
    ("load", Act::Code(Lang::Lua)),
    ("loadstring", Act::Code(Lang::Lua)),
    ("dofile", Act::Script(Lang::Lua)),
    ("loadfile", Act::Script(Lang::Lua)),
    ("package.loadlib", Act::Touch(crate::effect::Verb::Execute, 0, Flags::HOOK)),
    ("require", Act::Special(require)),
    ("io.open", Act::Open(0, 1)),
    ("io.lines", Act::Special(lines)),
    ("debug.debug", Act::Interact(Lang::Lua)),
    ("io.input", Act::Read(0)),
    ("io.output", Act::Special(output)),
    ("ffi.C.system", Act::Shell(0)),
    ("ffi.C.popen", Act::Shell(0)),
    ("ffi.C.unlink", Act::Delete(Flags::NONE)),
    ("ffi.C.remove", Act::Delete(Flags::NONE)),
    ("ffi.C.rmdir", Act::Delete(Flags::NONE)),
    ("ipairs", Act::Pure(engine::same)),
    ("pairs", Act::Pure(engine::same)),
    ("io.write", Act::Print("")),
    ("io.read", Act::Stdin),
    ("io.stdin.read", Act::Stdin),
    ("io.close", Act::Inert),
    ("print", Act::Print("\n")),
    ("os.remove", Act::Delete(Flags::NONE)),
    ("lfs.rmdir", Act::Delete(Flags::NONE)),
    ("os.rename", Act::Move(0, 1)),
    ("os.getenv", Act::Env),
    ("os.exit", Act::Inert),
    ("socket.tcp", Act::Special(socket)),
    ("socket.udp", Act::Special(socket)),
    ("socket.connect", Act::Connect(0, 1)),
    ("socket.bind", Act::Listen(1)),
    ("socket.http.request", Act::Fetch(0)),
    ("redis.call", Act::Special(redis_call)),
    ("redis.pcall", Act::Special(redis_call)),
    ("server.call", Act::Special(redis_call)),
    ("assert", Act::Pure(engine::same)),
    ("pcall", Act::Special(call_by_name)),
    ("xpcall", Act::Special(call_by_name)),
    ("table.unpack", Act::Pure(engine::same)),
    ("unpack", Act::Pure(engine::same)),
];

fn global(_reader: &mut Reader<'_>, _name: &str) -> Option<Val> {
    None
}

fn require(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let Some(name) = arguments.first().and_then(Val::known) else {
        let path = arguments.first().map(Val::plain).unwrap_or_default();
        reader.sink.script(Lang::Lua, &path, &[]);
        return Val::name("module");
    };
    Val::name(&name)
}

/// What is written from here on goes to this file, which is emptied.
fn output(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let path = arguments.first().map(|path| reader.text(path)).unwrap_or_default();
    reader.open_mode(&path, "w")
}

/// Of a file; of standard input where none is named.
fn lines(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    reader.perform(if arguments.is_empty() { Act::Stdin } else { Act::Read(0) }, arguments)
}

/// In a key store's script: a command of the store.
fn redis_call(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let words: Vec<Value> = arguments.iter().map(|argument| reader.text(argument)).collect();
    crate::scripts::redis::read(&words, reader.sink);
    Val::unknown("reply", Provenance::OUTSIDE)
}

fn socket(reader: &mut Reader<'_>, _arguments: &[Val]) -> Val {
    reader.connected(Value::unknown("socket", Provenance::NONE))
}
