//! Ruby.

use crate::effect::{Flags, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::scripts::engine::{self, Act, Language, Reader, Row, Val};
use crate::scripts::scanner::{Backtick, BareCalls, C_LIKE, Interpolation, Profile, Quoting};

use super::call_by_name;

pub(in crate::scripts) static RUBY: Language = Language {
    profile: Profile {
        lang: Lang::Ruby,
        line_comments: &["#"],
        block_comments: &[("\n=begin", "\n=end")],
        sigils: "$@",
        quotes: "\"",
        raw_quotes: "'",
        backtick: Backtick::Command,
        interpolation: Interpolation::Hash,
        quoting: Quoting::Ruby,
        regexes: true,
        name_extra: "?!",
        bare_calls: BareCalls::Lists,
        keywords: &[
            "if", "unless", "elsif", "else", "while", "until", "for", "def", "return", "not", "begin",
            "rescue", "ensure", "end", "do", "then", "case", "when", "yield", "BEGIN", "END", "loop",
        ],
        ..C_LIKE
    },
    calls: CALLS,
    transparent: &["Kernel.", "Object.", "self.", "URI.parse().", "$stdout.", "STDOUT."],
    environment: &["ENV"],
    global,
};

const CALLS: &[Row] = &[
    ("system", Act::ShellOrArgv),
    ("exec", Act::ShellOrArgv),
    ("spawn", Act::ShellOrArgv),
    ("syscall", Act::Inert),
    ("Process.spawn", Act::ShellOrArgv),
    ("Process.exec", Act::ShellOrArgv),
    ("Open3.capture2", Act::ShellOrArgv),
    ("Open3.capture2e", Act::ShellOrArgv),
    ("Open3.capture3", Act::ShellOrArgv),
    ("Open3.popen2", Act::ShellOrArgv),
    ("Open3.popen2e", Act::ShellOrArgv),
    ("Open3.popen3", Act::ShellOrArgv),
    ("Open3.pipeline", Act::ShellOrArgv),
    ("PTY.spawn", Act::ShellOrArgv),
    ("`", Act::Shell(0)),
    ("IO.popen", Act::Pipe(0, 1)),
    ("popen", Act::Pipe(0, 1)),
    ("eval", Act::Code(Lang::Ruby)),
    ("instance_eval", Act::Code(Lang::Ruby)),
    ("class_eval", Act::Code(Lang::Ruby)),
    ("module_eval", Act::Code(Lang::Ruby)),
    ("*.instance_eval", Act::Code(Lang::Ruby)),
    ("*.class_eval", Act::Code(Lang::Ruby)),
    ("binding.eval", Act::Code(Lang::Ruby)),
    ("TOPLEVEL_BINDING.eval", Act::Code(Lang::Ruby)),
    ("load", Act::Script(Lang::Ruby)),
    ("require", Act::Special(require)),
    ("require_relative", Act::Script(Lang::Ruby)),
    ("send", Act::Special(send)),
    ("__send__", Act::Special(send)),
    ("public_send", Act::Special(send)),
    ("method", Act::Special(method)),
    ("open", Act::Open(0, 1)),
    ("File.open", Act::Open(0, 1)),
    ("File.new", Act::Open(0, 1)),
    ("File.read", Act::Read(0)),
    ("File.readlines", Act::Read(0)),
    ("File.foreach", Act::Read(0)),
    ("File.binread", Act::Read(0)),
    ("IO.read", Act::Read(0)),
    ("IO.readlines", Act::Read(0)),
    ("IO.binread", Act::Read(0)),
    ("IO.foreach", Act::Read(0)),
    ("File.write", Act::Write(0, 1, Flags::TRUNCATE)),
    ("File.binwrite", Act::Write(0, 1, Flags::TRUNCATE)),
    ("IO.write", Act::Write(0, 1, Flags::TRUNCATE)),
    ("IO.copy_stream", Act::Copy(0, 1)),
    ("File.delete", Act::Delete(Flags::NONE)),
    ("File.unlink", Act::Delete(Flags::NONE)),
    ("Dir.rmdir", Act::Delete(Flags::NONE)),
    ("Dir.delete", Act::Delete(Flags::NONE)),
    ("Dir.unlink", Act::Delete(Flags::NONE)),
    ("FileUtils.rm", Act::Delete(Flags::NONE)),
    ("FileUtils.remove", Act::Delete(Flags::NONE)),
    ("FileUtils.rm_f", Act::Delete(Flags::FORCE)),
    ("FileUtils.rm_r", Act::Delete(Flags::RECURSIVE)),
    ("FileUtils.rm_rf", Act::Delete(Flags::RECURSIVE.and(Flags::FORCE))),
    ("FileUtils.rmtree", Act::Delete(Flags::RECURSIVE.and(Flags::FORCE))),
    ("FileUtils.remove_dir", Act::Delete(Flags::RECURSIVE)),
    ("FileUtils.remove_entry", Act::Delete(Flags::RECURSIVE)),
    ("FileUtils.remove_entry_secure", Act::Delete(Flags::RECURSIVE)),
    ("rm_rf", Act::Delete(Flags::RECURSIVE.and(Flags::FORCE))),
    ("rm_r", Act::Delete(Flags::RECURSIVE)),
    ("FileUtils.mv", Act::Move(0, 1)),
    ("FileUtils.move", Act::Move(0, 1)),
    ("FileUtils.cp", Act::Copy(0, 1)),
    ("FileUtils.copy", Act::Copy(0, 1)),
    ("FileUtils.cp_r", Act::Copy(0, 1)),
    ("FileUtils.ln_s", Act::Link(1)),
    ("FileUtils.ln_sf", Act::Link(1)),
    ("FileUtils.chmod", Act::ChangeMode(0, 1)),
    ("FileUtils.chmod_R", Act::Special(chmod_all)),
    ("FileUtils.chown", Act::ChangeOwner(2)),
    ("FileUtils.chown_R", Act::Touch(Verb::ChangeOwner, 2, Flags::RECURSIVE)),
    ("File.chmod", Act::ChangeMode(0, 1)),
    ("File.chown", Act::ChangeOwner(2)),
    ("File.rename", Act::Move(0, 1)),
    ("File.symlink", Act::Link(1)),
    ("File.link", Act::Link(1)),
    ("File.truncate", Act::Touch(Verb::Write, 0, Flags::TRUNCATE)),
    ("File.expand_path", Act::Special(expand_path)),
    ("File.join", Act::Pure(join_path)),
    ("Dir.home", Act::Special(home)),
    ("Dir.glob", Act::Special(glob)),
    ("Dir.[]", Act::Special(glob)),
    ("Pathname", Act::Pure(engine::same)),
    ("Pathname.new", Act::Pure(engine::same)),
    ("*.rmtree", Act::Delete(Flags::RECURSIVE)),
    ("value.children", Act::Special(children)),
    ("Dir.children", Act::Special(children)),
    ("Process.kill", Act::Kill(0, 1)),
    ("fork", Act::Fork),
    ("Process.fork", Act::Fork),
    ("TCPSocket.new", Act::Connect(0, 1)),
    ("TCPSocket.open", Act::Connect(0, 1)),
    ("UDPSocket.new", Act::Connect(0, 1)),
    ("Socket.tcp", Act::Connect(0, 1)),
    ("TCPServer.new", Act::Special(server)),
    ("TCPServer.open", Act::Special(server)),
    ("URI.open", Act::Read(0)),
    ("URI", Act::Pure(engine::same)),
    ("URI.parse", Act::Pure(engine::same)),
    ("Net.HTTP.get", Act::Fetch(0)),
    ("Net.HTTP.get_response", Act::Fetch(0)),
    ("Net.HTTP.post", Act::Send(0)),
    ("Net.HTTP.post_form", Act::Send(0)),
    ("Net.HTTP.start", Act::Connect(0, 1)),
    ("Net.HTTP.new", Act::Connect(0, 1)),
    ("HTTParty.get", Act::Fetch(0)),
    ("HTTParty.post", Act::Send(0)),
    ("ENV.fetch", Act::Env),
    ("ENV.to_h", Act::Special(environment)),
    ("ENV.to_a", Act::Special(environment)),
    ("ENV.each", Act::Special(environment)),
    ("ENV.inspect", Act::Special(environment)),
    ("ENV.map", Act::Special(environment)),
    ("puts", Act::Print("\n")),
    ("print", Act::Print("")),
    ("p", Act::Print("\n")),
    ("pp", Act::Print("\n")),
    ("printf", Act::Special(printf)),
    ("$stdout.write", Act::Print("")),
    ("sprintf", Act::Special(super::unknown)),
    ("format", Act::Special(super::unknown)),
    ("Base64.decode64", Act::Special(super::unknown)),
    ("Base64.strict_decode64", Act::Special(super::unknown)),
    ("Base64.urlsafe_decode64", Act::Special(super::unknown)),
    ("IRB.start", Act::Interact(Lang::Ruby)),
    ("binding.irb", Act::Interact(Lang::Ruby)),
    ("irb", Act::Interact(Lang::Ruby)),
    ("binding.break", Act::Interact(Lang::Ruby)),
    ("binding.b", Act::Interact(Lang::Ruby)),
    ("debugger", Act::Interact(Lang::Ruby)),
    ("byebug", Act::Interact(Lang::Ruby)),
    ("Pry.start", Act::Interact(PRY)),
    ("binding.pry", Act::Interact(PRY)),
    ("pry", Act::Interact(PRY)),
    ("gets", Act::Stdin),
    ("readlines", Act::Stdin),
    ("readline", Act::Stdin),
    ("STDIN.read", Act::Stdin),
    ("STDIN.gets", Act::Stdin),
    ("STDIN.readlines", Act::Stdin),
    ("stdin.read", Act::Stdin),
    ("stdin.gets", Act::Stdin),
    ("STDIN.readline", Act::Stdin),
    ("STDIN.each_line", Act::Stdin),
    ("STDIN.each", Act::Stdin),
    ("stdin.readline", Act::Stdin),
    ("stdin.readlines", Act::Stdin),
    ("stdin.each_line", Act::Stdin),
    ("stdin.each", Act::Stdin),
    ("ARGF.read", Act::Stdin),
    ("ARGF.gets", Act::Stdin),
    ("ARGF.readlines", Act::Stdin),
    ("ARGF.each_line", Act::Stdin),
    ("ARGF.each", Act::Stdin),
    ("lambda", Act::Pure(engine::same)),
    ("proc", Act::Pure(engine::same)),
    ("Proc.new", Act::Pure(engine::same)),
    ("at_exit", Act::Inert),
    ("exit", Act::Inert),
    ("raise", Act::Inert),
    ("sleep", Act::Inert),
];

const PRY: Lang = Lang::Other("pry");

fn global(reader: &mut Reader<'_>, name: &str) -> Option<Val> {
    match name {
        "ENV" => None,
        "_" => Some(Val::value(reader.sink.stdin())),
        _ => {
            let key = name.strip_prefix("ENV.")?;
            let variable = key.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            variable.then(|| reader.variable(key))
        }
    }
}

fn require(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let path = arguments.first().and_then(Val::known).unwrap_or_default();
    if path.starts_with(['.', '/']) {
        return reader.perform(Act::Script(Lang::Ruby), arguments);
    }
    Val::list(Vec::new())
}

fn send(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    if arguments.first().is_some_and(|name| name.known().is_none()) {
        reader.sink.gap(Position::Code, Reason::Runtime, "send");
    }
    call_by_name(reader, arguments)
}

fn method(_reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    Val::name(&arguments.first().and_then(Val::known).unwrap_or_default())
}

fn chmod_all(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let mode = arguments.first().map(engine::mode_flags).unwrap_or_default();
    reader.perform(Act::Touch(Verb::ChangeMode, 1, mode | Flags::RECURSIVE), arguments)
}

fn expand_path(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let path = arguments.first().map(|path| reader.text(path)).unwrap_or_default();
    Val::value(crate::scripts::at_home(&path, &reader.sink.home()))
}

fn join_path(arguments: &[Val]) -> Val {
    let items = engine::list(arguments);
    engine::join(&[Val::text("/"), items])
}

fn home(reader: &mut Reader<'_>, _arguments: &[Val]) -> Val {
    Val::text(reader.sink.home())
}

fn glob(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let text = arguments.first().map(|pattern| reader.text(pattern)).unwrap_or_default();
    Val::value(crate::scripts::globbed(&text))
}

/// Everything in a directory.
fn children(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let mut text = arguments.first().map(|path| reader.text(path)).unwrap_or_default();
    text.push_str("/*");
    Val::value(crate::scripts::globbed(&text))
}

fn server(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let port = arguments.len().saturating_sub(1);
    reader.perform(Act::Listen(port), arguments)
}

fn environment(reader: &mut Reader<'_>, _arguments: &[Val]) -> Val {
    reader.environment()
}

fn printf(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let text = engine::format(arguments);
    reader.perform(Act::Print(""), &[text])
}
