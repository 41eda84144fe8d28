//! JavaScript for Node, Deno and Bun, with the mongo shell's `db` and Java's processes (Nashorn).

use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::scripts::engine::{self, Act, Language, Reader, Row, Val};
use crate::scripts::mongo;
use crate::scripts::scanner::{Backtick, C_LIKE, Profile};
use crate::value::{Piece, Provenance, Value};

pub(in crate::scripts) static JAVASCRIPT: Language = Language {
    profile: Profile {
        backtick: Backtick::Template,
        regexes: true,
        name_extra: "$#",
        keywords: &[
            "let", "const", "var", "if", "else", "while", "for", "do", "function", "return", "new", "await",
            "async", "typeof", "void", "delete", "yield", "throw", "try", "catch", "finally", "switch",
            "case", "class", "import", "export", "default", "of",
        ],
        ..C_LIKE
    },
    calls: CALLS,
    transparent: &[
        "globalThis.",
        "global.",
        "window.",
        "self.",
        "this.",
        "top.",
        "fs.promises.",
        "process.mainModule.",
        "module.",
        "node:",
        "process.mainModule.constructor.",
        "default.",
        "java.util.Base64.",
    ],
    environment: &["process.env"],
    global,
};

const RM: Act = Act::Delete(Flags::NONE);
const TRUNCATING: Act = Act::Write(0, 1, Flags::TRUNCATE);

const CALLS: &[Row] = &[
    ("require", Act::Special(require)),
    ("import", Act::Special(require)),
    ("constructor._load", Act::Special(require)),
    ("_load", Act::Special(require)),
    ("createRequire()", Act::Special(require)),
    ("getBuiltinModule", Act::Special(require)),
    ("process.getBuiltinModule", Act::Special(require)),
    ("child_process.exec", Act::Shell(0)),
    ("child_process.execSync", Act::Shell(0)),
    ("*.execSync", Act::Shell(0)),
    ("child_process.execFile", Act::Program(0, 1)),
    ("*.execFileSync", Act::Program(0, 1)),
    ("child_process.spawn", Act::Program(0, 1)),
    ("*.spawnSync", Act::Special(spawn_sync)),
    ("child_process.fork", Act::Special(fork)),
    ("cluster.fork", Act::Fork),
    ("execa", Act::Program(0, 1)),
    ("execa.command", Act::Shell(0)),
    ("execa.commandSync", Act::Shell(0)),
    ("execa.execa", Act::Program(0, 1)),
    ("execa.execaSync", Act::Program(0, 1)),
    ("execa.execaCommand", Act::Shell(0)),
    ("execa.execaCommandSync", Act::Shell(0)),
    ("execa.sync", Act::Program(0, 1)),
    ("cross-spawn", Act::Program(0, 1)),
    ("cross-spawn.sync", Act::Program(0, 1)),
    ("shelljs.exec", Act::Shell(0)),
    ("shelljs.rm", Act::Special(shelljs_rm)),
    ("rimraf", Act::Delete(Flags::RECURSIVE.and(Flags::FORCE))),
    ("rimraf.sync", Act::Delete(Flags::RECURSIVE.and(Flags::FORCE))),
    ("del", Act::Delete(Flags::RECURSIVE)),
    ("*.removeSync", Act::Delete(Flags::RECURSIVE)),
    ("*.emptyDirSync", Act::Delete(Flags::RECURSIVE)),
    ("fs-extra.remove", Act::Delete(Flags::RECURSIVE)),
    ("$", Act::Shell(0)),
    ("Bun.$", Act::Shell(0)),
    ("Bun.spawn", Act::Argv),
    ("Bun.spawnSync", Act::Argv),
    ("Deno.run", Act::Special(deno_run)),
    ("Deno.Command", Act::Special(deno_command)),
    ("eval", Act::Code(Lang::JavaScript)),
    ("Function", Act::Special(function)),
    ("*.constructor", Act::Special(function)),
    ("vm.runInThisContext", Act::Code(Lang::JavaScript)),
    ("vm.runInNewContext", Act::Code(Lang::JavaScript)),
    ("vm.runInContext", Act::Code(Lang::JavaScript)),
    ("vm.Script", Act::Code(Lang::JavaScript)),
    ("*._compile", Act::Code(Lang::JavaScript)),
    ("process.dlopen", Act::Touch(Verb::Execute, 1, Flags::HOOK)),
    ("process.binding", Act::Special(binding)),
    ("internalBinding", Act::Special(binding)),
    ("repl.start", Act::Interact(Lang::JavaScript)),
    ("repl.REPLServer", Act::Interact(Lang::JavaScript)),
    ("process.stdin.on", Act::Stdin),
    ("process.stdin.once", Act::Stdin),
    ("process.stdin.addListener", Act::Stdin),
    ("process.stdin.read", Act::Stdin),
    ("readline.createInterface().on", Act::Stdin),
    ("readline.createInterface().once", Act::Stdin),
    ("readline.createInterface().question", Act::Stdin),
    ("setTimeout", Act::Special(timer)),
    ("setInterval", Act::Special(timer)),
    ("setImmediate", Act::Special(timer)),
    ("Worker", Act::Special(worker)),
    ("worker_threads.Worker", Act::Special(worker)),
    ("fs.readFile", Act::Read(0)),
    ("*.readFileSync", Act::Read(0)),
    ("*.createReadStream", Act::Open(0, 9)),
    ("fs.read", Act::Inert),
    ("Deno.readTextFile", Act::Read(0)),
    ("Deno.readFile", Act::Read(0)),
    ("Deno.readTextFileSync", Act::Read(0)),
    ("Bun.file", Act::Read(0)),
    ("fs.writeFile", TRUNCATING),
    ("*.writeFileSync", TRUNCATING),
    ("*.outputFileSync", TRUNCATING),
    ("Deno.writeTextFile", TRUNCATING),
    ("Deno.writeTextFileSync", TRUNCATING),
    ("Deno.writeFile", TRUNCATING),
    ("Bun.write", TRUNCATING),
    ("fs.appendFile", Act::Write(0, 1, Flags::APPEND)),
    ("*.appendFileSync", Act::Write(0, 1, Flags::APPEND)),
    ("*.createWriteStream", Act::Special(write_stream)),
    ("fs.open", Act::Open(0, 1)),
    ("*.openSync", Act::Open(0, 1)),
    ("*.writeSync", Act::Special(write_sync)),
    ("fs.unlink", RM),
    ("*.unlinkSync", RM),
    ("fs.rmdir", RM),
    ("*.rmdirSync", RM),
    ("fs.rm", RM),
    ("*.rmSync", RM),
    ("Deno.remove", RM),
    ("Deno.removeSync", RM),
    ("fs.chmod", Act::ChangeMode(1, 0)),
    ("*.chmodSync", Act::ChangeMode(1, 0)),
    ("fs.chown", Act::ChangeOwner(0)),
    ("*.chownSync", Act::ChangeOwner(0)),
    ("fs.rename", Act::Move(0, 1)),
    ("*.renameSync", Act::Move(0, 1)),
    ("fs.copyFile", Act::Copy(0, 1)),
    ("*.copyFileSync", Act::Copy(0, 1)),
    ("*.cpSync", Act::Copy(0, 1)),
    ("fs.symlink", Act::Link(1)),
    ("*.symlinkSync", Act::Link(1)),
    ("*.linkSync", Act::Link(1)),
    ("fs.truncate", Act::Touch(Verb::Write, 0, Flags::TRUNCATE)),
    ("*.truncateSync", Act::Touch(Verb::Write, 0, Flags::TRUNCATE)),
    ("process.kill", Act::Kill(1, 0)),
    ("Deno.kill", Act::Kill(1, 0)),
    ("net.connect", Act::Special(net_connect)),
    ("net.createConnection", Act::Special(net_connect)),
    ("tls.connect", Act::Special(net_connect)),
    ("net.Socket", Act::Special(net_socket)),
    ("WebSocket", Act::Connect(0, 9)),
    ("dgram.createSocket", Act::Special(net_socket)),
    ("Deno.connect", Act::Connect(0, 9)),
    ("net.createServer", Act::Special(create_server)),
    ("net.Server", Act::Special(create_server)),
    ("Deno.listen", Act::Listen(0)),
    ("http.get", Act::Fetch(0)),
    ("https.get", Act::Fetch(0)),
    ("http.request", Act::Special(request)),
    ("https.request", Act::Special(request)),
    ("fetch", Act::Fetch(0)),
    ("axios", Act::Fetch(0)),
    ("axios.get", Act::Fetch(0)),
    ("axios.post", Act::Send(0)),
    ("axios.put", Act::Send(0)),
    ("got", Act::Fetch(0)),
    ("got.post", Act::Send(0)),
    ("node-fetch", Act::Fetch(0)),
    ("URL", Act::Pure(engine::same)),
    ("console.log", Act::Print("\n")),
    ("console.info", Act::Print("\n")),
    ("print", Act::Print("\n")),
    ("process.stdout.write", Act::Print("")),
    ("Buffer.concat", Act::Pure(engine::concat)),
    ("Array.from", Act::Special(array_from)),
    ("Uint8Array.from", Act::Pure(engine::same)),
    ("Uint8Array", Act::Pure(engine::same)),
    ("TextDecoder().decode", Act::Pure(engine::characters)),
    ("util.promisify", Act::Special(itself)),
    ("promisify", Act::Special(itself)),
    ("path.join", Act::Pure(join_path)),
    ("path.resolve", Act::Pure(join_path)),
    ("os.homedir", Act::Special(home)),
    ("Deno.env.get", Act::Env),
    ("Deno.env.toObject", Act::Special(environment)),
    ("Reflect.apply", Act::Special(reflect)),
    ("Promise.resolve", Act::Pure(engine::same)),
    ("java.lang.ProcessBuilder", Act::Argv),
    ("java.lang.Runtime.getRuntime().exec", Act::ShellOrArgv),
    ("java.net.Socket", Act::Connect(0, 1)),
    ("java.io.FileReader", Act::Read(0)),
    ("java.io.FileInputStream", Act::Read(0)),
    ("java.io.FileWriter", Act::Write(0, 9, Flags::TRUNCATE)),
    ("java.io.FileOutputStream", Act::Write(0, 9, Flags::TRUNCATE)),
    ("java.io.PrintWriter", Act::Write(0, 9, Flags::TRUNCATE)),
    ("java.io.RandomAccessFile", Act::Open(0, 1)),
    ("cat", Act::Read(0)),
    ("cp", Act::Copy(0, 1)),
    ("mv", Act::Move(0, 1)),
    ("rm", RM),
    ("Java.type", Act::Special(require)),
    ("exec", Act::Shell(0)),
    ("load", Act::Script(Lang::JavaScript)),
    ("db.dropDatabase", Act::Special(mongo::drop_database)),
    ("**..dropDatabase", Act::Special(mongo::drop_database)),
    ("db.shutdownServer", Act::Special(mongo::shut_down)),
    ("**.shutdownServer", Act::Special(mongo::shut_down)),
    ("db.adminCommand", Act::Special(mongo::command)),
    ("db.runCommand", Act::Special(mongo::command)),
];

fn global(reader: &mut Reader<'_>, name: &str) -> Option<Val> {
    match name {
        "process.env" => None,
        "process.env[]" => Some(reader.environment()),
        _ => {
            let key = name.strip_prefix("process.env.")?;
            let plain = key.chars().all(|c| c.is_alphanumeric() || c == '_');
            plain.then(|| reader.variable(key))
        }
    }
}

/// A function that calls what it was given.
fn itself(_: &mut Reader<'_>, arguments: &[Val]) -> Val {
    arguments.first().cloned().unwrap_or_else(|| Val::name("function"))
}

fn require(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let path = arguments.first().map(|path| reader.text(path)).unwrap_or_default();
    let Some(name) = path.known() else {
        if path.known_prefix().starts_with(['.', '/']) || path.provenance.has(Provenance::NETWORK) {
            reader.sink.script(Lang::JavaScript, &path, &[]);
        } else if !is_manifest(&path) {
            // Any module may be meant, and code that is its own address.
            reader.unfollowed("require", arguments);
        }
        return Val::name("module");
    };
    if let Some(code) = name.strip_prefix("data:") {
        let code = engine::data_url(code);
        reader.sink.code(Lang::JavaScript, &code);
        return Val::name("module");
    }
    if name.starts_with("http://") || name.starts_with("https://") {
        let code = reader.perform(Act::Fetch(0), arguments).plain();
        reader.sink.code(Lang::JavaScript, &code);
        return Val::name("module");
    }
    if name.starts_with(['.', '/']) && !name.ends_with('/') {
        if name.rsplit('.').next() == Some("json") {
            return Val::value(reader.sink.read(&path));
        }
        reader.sink.script(Lang::JavaScript, &path, &[]);
        return Val::name("module");
    }
    Val::name(name.strip_prefix("node:").unwrap_or(&name).trim_end_matches("/promises"))
}

/// Whether a path that is not known ends in the name of a file that is no code.
fn is_manifest(path: &Value) -> bool {
    matches!(path.pieces.last(), Some(Piece::Literal(end)) if end.rsplit('.').next() == Some("json"))
}

fn spawn_sync(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    reader.perform(
        if matches!(arguments.first(), Some(Val::List(_))) { Act::Argv } else { Act::Program(0, 1) },
        arguments,
    )
}

/// `fork(__filename)` in a loop doubles forever; else a script runs.
fn fork(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let own = arguments.first().is_some_and(|path| path.plain().shown().contains("__filename"));
    if own {
        reader.perform(Act::Fork, arguments)
    } else {
        reader.perform(Act::Script(Lang::JavaScript), arguments)
    }
}

fn shelljs_rm(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let (options, paths): (Vec<Val>, Vec<Val>) = arguments
        .iter()
        .cloned()
        .partition(|argument| argument.known().is_some_and(|text| text.starts_with('-')));
    let letters: String = options.iter().filter_map(Val::known).collect();
    let recursive = if letters.to_ascii_lowercase().contains('r') { Flags::RECURSIVE } else { Flags::NONE };
    reader.perform(Act::Delete(recursive), &paths)
}

fn deno_run(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let command = arguments.first().and_then(|options| options.keyed(&["cmd"]));
    command.map_or_else(|| Val::name("process"), |command| reader.perform(Act::Argv, &[command]))
}

fn deno_command(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let list = arguments.get(1).and_then(|options| options.keyed(&["args"]));
    let argv: Vec<Val> = arguments.iter().take(1).cloned().chain(list).collect();
    reader.perform(Act::Argv, &argv)
}

/// `Function("return process")` makes a function; its text counts as run.
fn function(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments.last() {
        Some(code @ Val::Text(_)) => {
            let result = reader.perform(Act::Code(Lang::JavaScript), std::slice::from_ref(code));
            if let Val::Name(name, provenance) = &result {
                return Val::Name(format!("{name}.returned").into(), *provenance);
            }
            result
        }
        Some(_) | None => Val::name("function"),
    }
}

fn timer(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments.first() {
        Some(code @ Val::Text(_)) => reader.perform(Act::Code(Lang::JavaScript), std::slice::from_ref(code)),
        Some(function @ Val::Function(_)) => {
            reader.repeatedly(|reader| reader.call_value(function, &[]));
            Val::name("timer")
        }
        Some(function @ (Val::Name(..) | Val::OneOf(_))) => {
            reader.call_value(function, arguments.get(2..).unwrap_or_default());
            Val::name("timer")
        }
        Some(_) | None => Val::name("timer"),
    }
}

/// A worker runs a file, or the text itself when `eval` says so.
fn worker(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let code = arguments.iter().any(|argument| argument.keyed(&["eval"]).is_some());
    reader.perform(if code { Act::Code(Lang::JavaScript) } else { Act::Script(Lang::JavaScript) }, arguments)
}

fn write_stream(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let path = arguments.first().map(|path| reader.text(path)).unwrap_or_default();
    let appends =
        arguments.get(1).and_then(|options| options.keyed(&["flags"])).and_then(|flags| flags.known());
    reader.open_mode(&path, if appends.is_some_and(|flags| flags.starts_with('a')) { "a" } else { "w" })
}

fn write_sync(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments {
        [handle @ Val::Handle(_), rest @ ..] => reader.method(handle, "write", rest),
        [Val::Number(1), rest @ ..] => reader.perform(Act::Print(""), rest),
        _ => Val::list(Vec::new()),
    }
}

/// `connect(port, host)`, or options.
fn net_connect(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let port_first = arguments.first().is_some_and(|port| port.number().is_some());
    reader.perform(if port_first { Act::Connect(1, 0) } else { Act::Connect(0, 1) }, arguments)
}

/// A socket that is not connected yet.
fn net_socket(reader: &mut Reader<'_>, _arguments: &[Val]) -> Val {
    reader.connected(crate::value::Value::unknown("socket", Provenance::NONE))
}

fn create_server(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let handle = reader.connected(crate::value::Value::literal("0.0.0.0"));
    for argument in arguments.iter().filter(|argument| matches!(argument, Val::Function(_))) {
        reader.call_value(argument, std::slice::from_ref(&handle));
    }
    handle
}

/// A request that may carry data: writing to it sends.
fn request(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let options = arguments.iter().find_map(|argument| argument.keyed(&["hostname", "host"]));
    let url = options.or_else(|| arguments.first().cloned()).map(|url| reader.text(&url)).unwrap_or_default();
    reader.perform(Act::Fetch(0), arguments);
    reader.request_to(url)
}

/// What node is made of: nothing is known of what it does with what it is given.
fn binding(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    reader.unfollowed("process.binding", arguments);
    Val::name("binding")
}

/// `Array.from(x, f)`: the letters of a text, or the items of a list, each handed to a function.
fn array_from(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let Some((source, rest)) = arguments.split_first() else { return Val::list(Vec::new()) };
    let list = match source {
        Val::Text(_) => reader.method(source, "split", &[Val::text("")]),
        Val::List(_) if !source.is_options() => source.clone(),
        Val::Function(_)
        | Val::Handle(_)
        | Val::List(_)
        | Val::Name(..)
        | Val::Number(_)
        | Val::OneOf(_)
        | Val::Pair(_) => Val::unknown("list", source.provenance()),
    };
    if rest.is_empty() { list } else { reader.map(&list, rest) }
}

fn join_path(arguments: &[Val]) -> Val {
    let items = engine::list(arguments);
    engine::join(&[Val::text("/"), items])
}

fn home(reader: &mut Reader<'_>, _arguments: &[Val]) -> Val {
    Val::text(reader.sink.home())
}

fn environment(reader: &mut Reader<'_>, _arguments: &[Val]) -> Val {
    reader.environment()
}

fn reflect(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments {
        [callee, _, list, ..] => reader.call_value(callee, &list.items()),
        _ => Val::list(Vec::new()),
    }
}
