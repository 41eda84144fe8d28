//! Interpreters whose languages are read here.

use super::arguments::Parsed;
use super::kinds::{HELP, load_path, operands_from, run};
use super::schema::{
    Do, Operands, Opt, Program, Role, Syntax, attached, flag, program, quiet, value, value_does,
};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// Stops the options; the first operand is a script, the input is code when there is neither.
const fn interpreter(names: &'static [&'static str], script: &'static [Role], code: Role) -> Program {
    program(names).syntax(Syntax::FirstOperandEnds).operands(Operands::Each(script)).stdin(code)
}

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    interpreter(
        &[
            "python",
            "python2*",
            "python3*",
            "pypy*",
            "micropython",
            "jython",
            "ipython*",
            "bpython",
            "ptpython",
            "python.exe",
            "graalpy",
        ],
        &[Role::Script(Lang::Python), Role::Inert],
        Role::Code(Lang::Python),
    )
    .options(&[
        flag("-h --help --help-all --help-env -V -VV --version", Do::Stop),
        quiet(
            "-b -bb -B -d -E -i -I -O -OO -P -q -R -s -S -u -v -x -t -3 --no-banner --pylab --simple-prompt",
        ),
        value_does("-c", Do::StopWith(Role::Code(Lang::Python))),
        value_does("-m", Do::StopWith(Role::Inert)),
        value("-W -X -Q --check-hash-based-pycs --profile --matplotlib", Role::Inert),
        attached("--profile-dir --ipython-dir", Do::Nothing),
    ])
    .env(&[
        ("PYTHONSTARTUP", Role::Inert),
        ("PYTHONPATH", Role::Inert),
        ("PYTHONWARNINGS", Role::Inert),
        ("BROWSER", Role::Code(Lang::Shell)),
    ])
    .refine(python_module),
    program(&["perl", "perl5*"])
        .syntax(Syntax::FirstOperandEnds)
        .options(PERL_OPTIONS)
        .stdin(Role::Code(Lang::Perl))
        .env(&[("PERL5OPT", Role::Inert), ("PERL5DB", Role::Code(Lang::Perl))])
        .refine(perl),
    program(&["ruby", "jruby", "mruby", "truffleruby"])
        .syntax(Syntax::FirstOperandEnds)
        .options(RUBY_OPTIONS)
        .stdin(Role::Code(Lang::Ruby))
        .env(&[("RUBYOPT", Role::Inert)])
        .refine(ruby),
    program(&["irb", "pry"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            HELP,
            quiet("-f --simple-prompt"),
            value("-r -I", Role::Inert),
            value("-e --exec", Role::Code(Lang::Ruby)),
        ])
        .operands(Operands::Each(&[Role::Script(Lang::Ruby), Role::Inert]))
        .stdin(Role::Code(Lang::Ruby))
        .refine(required),
    program(&["pdb", "pdb2*", "pdb3*", "ipdb", "ipdb3", "pudb", "pudb3"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            flag("-h --help", Do::Stop),
            value("-c --command", Role::Inert),
            value("-m", Role::Inert),
            value("-p --pid", Role::Inert),
        ])
        .operands(Operands::Each(&[Role::Script(Lang::Python), Role::Inert]))
        .refine(debugger_commands),
    interpreter(
        &["node", "nodejs", "iojs"],
        &[Role::Script(Lang::JavaScript), Role::Inert],
        Role::Code(Lang::JavaScript),
    )
    .options(NODE_OPTIONS)
    .env(&[("NODE_OPTIONS", Role::Inert), ("NODE_REPL_EXTERNAL_MODULE", Role::Library)])
    .refine(preloads),
    program(&[
        "ts-node",
        "tsx",
        "esno",
        "jiti",
        "babel-node",
        "swc-node",
        "sucrase-node",
        "d8",
        "qjs",
        "mujs",
        "rhino",
        "jjs",
    ])
    .syntax(Syntax::FirstOperandEnds)
    .options(&[
        HELP,
        value_does("-e --eval -p --print", Do::StopWith(Role::Code(Lang::JavaScript))),
        value("-r --require -P --project -O --tsconfig", Role::Inert),
    ])
    .operands(Operands::Each(&[Role::Script(Lang::JavaScript), Role::Inert]))
    .stdin(Role::Code(Lang::JavaScript))
    .refine(preloads),
    program(&["deno"])
        .options(&[
            HELP,
            quiet("-q --quiet -A --allow-all"),
            value("-c --config --import-map --lock -L --log-level", Role::Inert),
        ])
        .subs(&[
            program(&["eval"])
                .syntax(Syntax::FirstOperandEnds)
                .options(&[quiet("-p --print -T --ts"), value("--ext", Role::Inert)])
                .operands(Operands::Each(&[Role::Code(Lang::JavaScript), Role::Inert])),
            program(&["run", "serve", "bench", "test"])
                .syntax(Syntax::FirstOperandEnds)
                .options(&[attached(
                    "--allow-read --allow-write --allow-net --allow-env --allow-run --allow-ffi",
                    Do::Nothing,
                )])
                .refine(deno_run),
            program(&["repl"]).options(&[
                value("--eval", Role::Code(Lang::JavaScript)),
                value("--eval-file", Role::Script(Lang::JavaScript)),
            ]),
            program(&[
                "task", "fmt", "lint", "check", "cache", "info", "doc", "types", "compile", "install", "add",
                "upgrade",
            ]),
        ])
        .operands(Operands::Each(&[Role::Script(Lang::JavaScript), Role::Inert])),
    program(&["php", "php5*", "php7*", "php8*", "php-cgi", "hhvm"])
        .syntax(Syntax::FirstOperandEnds)
        .options(PHP_OPTIONS)
        .operands(Operands::Each(&[Role::Script(Lang::Php), Role::Inert]))
        .stdin(Role::Code(Lang::Php))
        .refine(php),
    interpreter(
        &["lua", "lua5*", "luajit", "luau", "texlua"],
        &[Role::Script(Lang::Lua), Role::Inert],
        Role::Code(Lang::Lua),
    )
    .options(&[
        flag("-v", Do::Nothing),
        quiet("-i -E -W"),
        value("-e", Role::Code(Lang::Lua)),
        value("-l -j -O -b", Role::Inert),
    ])
    .env(&[("LUA_INIT", Role::AtFile(&Role::Code(Lang::Lua)))]),
    interpreter(
        &["tclsh*", "wish*", "jimsh", "tcl"],
        &[Role::Script(Lang::Tcl), Role::Inert],
        Role::Code(Lang::Tcl),
    )
    .options(&[value("-encoding -e", Role::Inert)]),
    interpreter(&["expect"], &[Role::Script(Lang::Tcl), Role::Inert], Role::Code(Lang::Tcl)).options(&[
        quiet("-d -D -i -n -N -v"),
        value("-c", Role::Code(Lang::Tcl)),
        value_does("-f -b", Do::StopWith(Role::Script(Lang::Tcl))),
    ]),
    interpreter(
        &["osascript"],
        &[Role::Script(Lang::Other("applescript")), Role::Inert],
        Role::Code(Lang::Other("applescript")),
    )
    .options(&[value("-e", Role::Inert), value("-l -s", Role::Inert), quiet("-i")])
    .refine(applescript),
];

const PERL_OPTIONS: &[Opt] = &[
    flag("-v", Do::Stop),
    // Digits belong to `-0` and `-l`; the letters after them are options of their own (`-0777ne`).
    quiet("-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -a -c -f -g -l -n -p -s -S -t -T -u -U -w -W -X"),
    attached("-C -d -D -F -i -M -m -V -x", Do::Nothing),
    value("-e -E", Role::Code(Lang::Perl)),
    value("-I", Role::Inert),
];

const RUBY_OPTIONS: &[Opt] = &[
    flag("-h --help --version --copyright", Do::Stop),
    quiet("-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -a -c -d --debug -l -n -p -s -S -v --verbose -w -y --yjit --jit"),
    attached("-F -i -K -T -U -W -x --disable --enable --encoding", Do::Nothing),
    value("-e", Role::Code(Lang::Ruby)),
    value("-C -X", Role::Directory),
    value("-E -I -r", Role::Inert),
];

const NODE_OPTIONS: &[Opt] = &[
    flag("-h --help -v --version --v8-options", Do::Stop),
    value_does("-e --eval -p --print -pe", Do::StopWith(Role::Code(Lang::JavaScript))),
    value("-r --require --import --loader --experimental-loader", Role::Inert),
    value(
        "-C --conditions --icu-data-dir --input-type --title --unhandled-rejections --openssl-config --env-file",
        Role::Inert,
    ),
    value(
        "--test-reporter --test-name-pattern --test-reporter-destination --stack-trace-limit --dns-result-order",
        Role::Inert,
    ),
    quiet(
        "-i --interactive -c --check --test --watch --enable-source-maps --no-warnings --preserve-symlinks",
    ),
    attached("--inspect --inspect-brk --max-old-space-size --run", Do::Nothing),
];

const PHP_OPTIONS: &[Opt] = &[
    flag("-h --help -v --version -m --modules -i --info -l --syntax-check --ini", Do::Stop),
    quiet("-a --interactive -n --no-php-ini -C -e -q -H -w --strip -s --syntax-highlight"),
    value_does("-r --run", Do::StopWith(Role::Code(Lang::Php))),
    value("-B --process-begin -R --process-code -E --process-end", Role::Code(Lang::Php)),
    value_does("-f --file -F --process-file", Do::StopWith(Role::Script(Lang::Php))),
    value("-c --php-ini -d --define -S --server -t --docroot --rf --rc --re --rz --ri", Role::Inert),
    value("-z --zend-extension", Role::Library),
];

/// `python -m MODULE ARGS`: modules that do something a guard cares for.
fn python_module(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let Some(module) = parsed.value("-m").and_then(Value::known) else { return };
    // What lies in the working directory comes before what is installed.
    let path = module.replace('.', "/");
    for file in [format!("{path}.py"), format!("{path}/__init__.py"), format!("{path}/__main__.py")] {
        if !sink.made_here(&Value::literal(file.as_str())).is_empty() {
            sink.script(Lang::Python, &Value::literal(file), &operands_from(parsed, 0));
        }
    }
    match &*module {
        "http.server"
        | "SimpleHTTPServer"
        | "pyftpdlib"
        | "smtpd"
        | "aiosmtpd"
        | "xmlrpc.server"
        | "wsgiref.simple_server" => {
            sink.effect(Verb::Listen, Target::None, Flags::NONE, Provenance::NONE);
        }
        "timeit" => timeit(parsed, sink),
        "pdb" | "cProfile" | "profile" | "trace" | "runpy" | "kernprof" | "memory_profiler" | "viztracer" => {
            run_script(parsed, sink);
        }
        "pip" | "pip3" | "twine" | "keyring" | "gunicorn" | "uvicorn" | "awscli" | "youtube_dl"
        | "ansible" | "pipx" | "poetry" | "uv" | "hermes_cli" | "hermes_cli.main" | "alembic" | "flask" => {
            run_module(&module, parsed, sink);
        }
        _ => {}
    }
}

/// The module is a program of its own that is described elsewhere.
fn run_module(module: &str, parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut argv = vec![Value::literal(module)];
    argv.extend(operands_from(parsed, 0));
    run(&argv, sink);
}

fn timeit(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut takes_code = true;
    for word in operands_from(parsed, 0) {
        let shown = word.known_prefix();
        match shown.as_str() {
            "-n" | "-r" | "-u" | "--number" | "--repeat" | "--unit" => takes_code = false,
            "-s" | "--setup" => takes_code = true,
            _ if takes_code && !shown.starts_with('-') => {
                sink.code(Lang::Python, &word);
            }
            _ => takes_code = true,
        }
    }
}

fn run_script(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = operands_from(parsed, 0);
    let at = words.iter().position(|word| is_file(&word.known_prefix()));
    let Some((script, arguments)) = words.get(at.unwrap_or(words.len())..).and_then(<[Value]>::split_first)
    else {
        return;
    };
    sink.script(Lang::Python, script, arguments);
}

/// Python's own options come before the script, which has a suffix or a directory.
fn is_file(word: &str) -> bool {
    word.contains('/') || (word.contains('.') && !word.starts_with('-'))
}

fn perl(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    line_processor(Lang::Perl, "-e -E", parsed, sink);
}

fn required(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for library in parsed.values("-r") {
        load_path(library, sink);
    }
}

/// What the debugger does not know as a command of its own is Python.
fn debugger_commands(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for command in parsed.values("-c --command").filter_map(Value::known) {
        let statement = command.trim_start().trim_start_matches('!');
        let word = statement.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if !DEBUGGER_COMMANDS.contains(&word) || command.trim_start().starts_with('!') {
            sink.code(Lang::Python, &Value::literal(statement));
        }
    }
}

const DEBUGGER_COMMANDS: &[&str] = &[
    "args", "b", "break", "bt", "c", "cl", "clear", "cont", "continue", "d", "disable", "down", "enable",
    "h", "help", "j", "jump", "l", "list", "ll", "longlist", "n", "next", "q", "quit", "r", "restart",
    "return", "run", "s", "source", "step", "tbreak", "u", "unt", "until", "up", "w", "where",
];

fn ruby(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for library in parsed.values("-r") {
        load_path(library, sink);
    }
    line_processor(Lang::Ruby, "-e", parsed, sink);
}

/// Perl and Ruby: with code in options the operands are its arguments, or the files it edits; else a script.
fn line_processor(lang: Lang, code: &'static str, parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let words = operands_from(parsed, 0);
    if parsed.has(code) {
        return process_files(&words, parsed, sink);
    }
    if let Some((script, arguments)) = words.split_first()
        && script.known().is_none_or(|word| word != "-")
    {
        sink.script(lang, script, arguments);
    }
}

fn process_files(files: &[Value], parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.has("-n -p -i") {
        return;
    }
    let mut output = sink.stdin();
    for file in files {
        if parsed.has("-i") {
            sink.path(Verb::Write, file, Flags::IN_PLACE);
        } else {
            output = Value::unknown(file.shown(), sink.read(file).provenance);
        }
    }
    sink.print(Value::unknown("processed text", output.provenance));
}

fn preloads(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for library in parsed.values("-r --require --import --loader --experimental-loader") {
        load_path(library, sink);
    }
}

/// `deno run URL` fetches what it runs. Files that it is let at are what it is after.
fn deno_run(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let permitted = |names| parsed.values(names).filter_map(Value::known).map(std::borrow::Cow::into_owned);
    for path in permitted("--allow-read").flat_map(|list| paths(&list)) {
        sink.read(&path);
    }
    for path in permitted("--allow-write").flat_map(|list| paths(&list)) {
        sink.path(Verb::Write, &path, Flags::NONE);
    }
    let words = operands_from(parsed, 0);
    let Some((script, arguments)) = words.split_first() else { return };
    if script.known_prefix().starts_with("http") {
        sink.connect(Verb::Connect, script, Flags::DOWNLOAD, Provenance::NONE);
        sink.effect(Verb::Execute, Target::Code(Lang::JavaScript, None), Flags::NONE, Provenance::NETWORK);
    } else {
        sink.script(Lang::JavaScript, script, arguments);
    }
}

/// The paths in a list with commas.
fn paths(list: &str) -> Vec<Value> {
    list.split(',').filter(|path| !path.is_empty()).map(Value::literal).collect()
}

fn php(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-S --server") {
        sink.effect(Verb::Listen, Target::None, Flags::NONE, Provenance::NONE);
    }
    for setting in parsed.values("-d --define") {
        for name in
            ["auto_prepend_file=", "auto_append_file=", "extension=", "zend_extension=", "opcache.preload="]
        {
            if let Some(path) = super::kinds::strip_prefix(setting, name) {
                load_path(&path, sink);
            }
        }
    }
}

/// `AppleScript`'s `do shell script "…"` is shell text; with administrator privileges, another user's.
fn applescript(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for code in parsed.values("-e") {
        let Some(text) = code.known() else {
            sink.code(Lang::Other("applescript"), code);
            continue;
        };
        if text.contains("administrator privileges") {
            sink.escalate();
        }
        for part in text.split("do shell script").skip(1) {
            if let Some(command) = part.split('"').nth(1) {
                sink.code(Lang::Shell, &Value::literal(command));
            }
        }
    }
}
