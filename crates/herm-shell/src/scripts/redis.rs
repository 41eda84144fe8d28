//! redis-cli's commands.

use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Piece, Provenance, Value};

/// Says what a command does, given as words (`redis-cli`'s operands).
pub(crate) fn read(words: &[Value], sink: &mut dyn Sink) {
    let known: Vec<String> = words.iter().map(|word| word.shown().to_ascii_lowercase()).collect();
    let words_of: Vec<&str> = known.iter().map(String::as_str).collect();
    match words_of.as_slice() {
        ["flushall", ..] => destroy(sink, "", Flags::ALL),
        ["flushdb", ..] | ["cluster", "reset", ..] => destroy(sink, "", Flags::NONE),
        ["del" | "unlink", ..] if words.iter().any(is_a_list) => destroy(sink, "", Flags::NONE),
        ["shutdown", ..] | ["debug", "segfault" | "panic" | "restart" | "crash-and-recover", ..] => {
            named(sink, Verb::Service, "database", "redis", Flags::STOP);
        }
        ["config", "set", "dir" | "dbfilename", ..] => written(words, sink),
        ["config", "set", "requirepass" | "protected-mode", ..] => {
            named(sink, Verb::Configure, "database", "redis", Flags::NONE);
        }
        ["module", "load" | "loadex", ..] => {
            if let Some(path) = words.get(2) {
                sink.path(Verb::Execute, path, Flags::HOOK);
            }
        }
        ["eval" | "eval_ro", ..] => {
            if let Some(code) = words.get(1) {
                sink.code(Lang::Lua, code);
            }
        }
        ["slaveof" | "replicaof", host, port, ..] if *host != "no" => {
            sink.connect(
                Verb::Connect,
                &Value::literal(format!("{host}:{port}")),
                Flags::NONE,
                Provenance::NONE,
            );
        }
        _ => {}
    }
}

/// Whether a word stands for as many as another program has printed: `redis-cli keys '*' | xargs redis-cli del`.
fn is_a_list(word: &Value) -> bool {
    word.pieces.iter().any(|piece| match piece {
        Piece::Hole(hole) => {
            hole.shown.starts_with("output of ") || hole.may_split && hole.shown.starts_with("$(")
        }
        Piece::Glob(_) | Piece::Literal(_) => false,
    })
}

fn destroy(sink: &mut dyn Sink, name: &str, flags: Flags) {
    named(sink, Verb::Destroy, "key space", name, flags | Flags::IRREVERSIBLE);
}

fn named(sink: &mut dyn Sink, verb: Verb, kind: &'static str, name: &str, flags: Flags) {
    sink.effect(verb, Target::Named(kind, name.to_owned()), flags, Provenance::NONE);
}

/// The directory or name that the data base is saved to can be any file.
fn written(words: &[Value], sink: &mut dyn Sink) {
    if let Some(path) = words.get(3) {
        sink.path(Verb::Write, path, Flags::TRUNCATE);
    }
}
