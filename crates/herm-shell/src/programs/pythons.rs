//! Python, its consoles and debuggers, and what `-m` starts.

use std::fmt::Write as _;

use super::arguments::Parsed;
use super::kinds::{HELP, operands_from, run};
use super::schema::{
    Do, Operands, Opt, Program, Role, Syntax, attached, flag, interactive, program, quiet, value, value_does,
};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const SCRIPT: Operands = Operands::Each(&[Role::Script(Lang::Python), Role::Inert]);
const IPYTHON: Lang = Lang::Other("ipython");
const PDB: Lang = Lang::Other("pdb");

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    python(&[
        "python",
        "python2*",
        "python3*",
        "pypy*",
        "micropython",
        "jython",
        "bpython",
        "ptpython",
        "python.exe",
        "graalpy",
    ])
    .options(&[HELPS, SWITCHES, WORDS, PATHS, MODULE, code(Lang::Python), interactive("-i", Lang::Python)])
    .stdin(Role::Code(Lang::Python)),
    python(&["ipython*"])
        .options(&[HELPS, SWITCHES, WORDS, PATHS, MODULE, code(IPYTHON), interactive("-i", IPYTHON)])
        .stdin(Role::Code(IPYTHON)),
    // Windows' launcher: a version, and then what Python takes.
    program(&["py", "py.exe", "pyw", "pyw.exe"])
        .syntax(Syntax::Words)
        .operands(Operands::None)
        .refine(launched),
    program(&["pdb", "pdb2*", "pdb3*", "ipdb", "ipdb3", "pudb", "pudb3"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            flag("-h --help", Do::Stop),
            value("-c --command", Role::Code(PDB)),
            value_does("-m", Do::StopWith(Role::Inert)),
            value("-p --pid", Role::Inert),
        ])
        .operands(SCRIPT)
        .refine(debugged),
    program(&["coverage"]).options(&[HELP]).subs(&[
        program(&["run"])
            .syntax(Syntax::FirstOperandEnds)
            .options(&[
                quiet("-a --append --branch -L --pylib -p --parallel-mode --timid"),
                value("--concurrency --context --data-file --include --omit --source --rcfile", Role::Inert),
                value_does("-m --module", Do::StopWith(Role::Inert)),
            ])
            .operands(SCRIPT)
            .refine(module_by_name),
        program(&["annotate", "combine", "debug", "erase", "html", "json", "lcov", "report", "xml"]),
    ]),
];

fn launched(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let is_choice = |word: &Value| {
        let word = word.known_prefix();
        let digit = word
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()));
        digit || word.starts_with("-V:")
    };
    let words = parsed.all.iter().map(|word| word.value.clone()).skip_while(is_choice);
    let argv: Vec<Value> = std::iter::once(Value::literal("python3")).chain(words).collect();
    let lists = parsed.all.iter().any(|word| word.value.known_prefix().starts_with("-0"));
    if !lists {
        let input = sink.stdin();
        let output = sink.run(&argv, &input);
        sink.print(output);
    }
}

const fn python(names: &'static [&'static str]) -> Program {
    program(names)
        .syntax(Syntax::FirstOperandEnds)
        .operands(SCRIPT)
        .env(&[
            ("PYTHONINSPECT", Role::Interact(Lang::Python)),
            ("PYTHONPATH", Role::Inert),
            ("PYTHONSTARTUP", Role::Script(Lang::Python)),
            ("PYTHONWARNINGS", Role::Inert),
            ("BROWSER", Role::Code(Lang::Shell)),
        ])
        .refine(module_by_name)
}

const fn code(lang: Lang) -> Opt {
    value_does("-c", Do::StopWith(Role::Code(lang)))
}

const HELPS: Opt = flag("-h --help --help-all --help-env -V -VV --version", Do::Stop);
const SWITCHES: Opt =
    quiet("-b -bb -B -d -E -I -O -OO -P -q -R -s -S -u -v -x -t -3 --no-banner --pylab --simple-prompt");
const WORDS: Opt = value("-W -X -Q --check-hash-based-pycs --profile --matplotlib", Role::Inert);
const PATHS: Opt = attached("--profile-dir --ipython-dir", Do::Nothing);
const MODULE: Opt = value_does("-m", Do::StopWith(Role::Inert));

/// What a module does that is run by its name.
enum Module {
    /// Waits for code.
    Console,
    /// Waits for connections.
    Server,
    /// Runs a file, or another module, and lets a debugger in.
    Debugged,
    /// Runs a file, or another module.
    Runner,
    /// Is a program of this name that is described elsewhere.
    Program(&'static str),
    /// Makes objects of files by calling what they say.
    Pickle,
    /// Runs the statements it is given.
    Statements,
}

/// Modules that do something a guard cares for.
const MODULES: &[(&str, Module)] = &[
    ("IPython", Module::Program("ipython")),
    ("SimpleHTTPServer", Module::Server),
    ("aiosmtpd", Module::Server),
    ("alembic", Module::Program("alembic")),
    ("ansible", Module::Program("ansible")),
    ("asyncio", Module::Console),
    ("awscli", Module::Program("awscli")),
    ("bpython", Module::Program("bpython")),
    ("cProfile", Module::Runner),
    ("code", Module::Console),
    ("coverage", Module::Program("coverage")),
    ("debugpy", Module::Debugged),
    ("django", Module::Program("django-admin")),
    ("doctest", Module::Runner),
    ("flask", Module::Program("flask")),
    ("gunicorn", Module::Program("gunicorn")),
    ("hermes_cli", Module::Program("hermes_cli")),
    ("hermes_cli.main", Module::Program("hermes_cli.main")),
    ("http.server", Module::Server),
    ("ipdb", Module::Program("pdb")),
    ("kernprof", Module::Runner),
    ("keyring", Module::Program("keyring")),
    ("memory_profiler", Module::Runner),
    ("pdb", Module::Program("pdb")),
    ("pickle", Module::Pickle),
    ("pip", Module::Program("pip")),
    ("pip3", Module::Program("pip3")),
    ("pipx", Module::Program("pipx")),
    ("poetry", Module::Program("poetry")),
    ("profile", Module::Runner),
    ("ptpython", Module::Program("ptpython")),
    ("pudb", Module::Program("pdb")),
    ("pyftpdlib", Module::Server),
    ("runpy", Module::Runner),
    ("smtpd", Module::Server),
    ("timeit", Module::Statements),
    ("trace", Module::Runner),
    ("twine", Module::Program("twine")),
    ("uv", Module::Program("uv")),
    ("uvicorn", Module::Program("uvicorn")),
    ("viztracer", Module::Runner),
    ("wsgiref.simple_server", Module::Server),
    ("xmlrpc.server", Module::Server),
    ("youtube_dl", Module::Program("youtube_dl")),
];

/// `-m MODULE ARGS`.
fn module_by_name(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let Some(module) = parsed.value("-m --module") else { return };
    let arguments = operands_from(parsed, 0);
    let Some(name) = module.known() else {
        return sink.script(Lang::Python, module, &arguments);
    };
    run_own(&name, &arguments, sink);
    if let Some((_, module)) = MODULES.iter().find(|(known, _)| *known == name) {
        start(module, &arguments, sink);
    } else if TOOLS.contains(&name.as_ref()) {
        let argv: Vec<Value> = std::iter::once(module.clone()).chain(arguments).collect();
        run(&argv, sink);
    }
}

/// Modules that are the program of their own name, which takes code.
const TOOLS: &[&str] =
    &["IPython", "epylint", "hy", "mypy", "nox", "pylint", "scrapy", "sqlmap", "tox", "yt_dlp"];

/// What lies in the working directory comes before what is installed; a package runs before what is in it.
fn run_own(name: &str, arguments: &[Value], sink: &mut dyn Sink) {
    let parts: Vec<&str> = name.split('.').take(DEEPEST).collect();
    let packages = (1..=parts.len()).filter_map(|length| parts.get(..length)).map(|part| part.join("/"));
    let path = parts.join("/");
    let files = packages.map(|package| format!("{package}/__init__.py"));
    for file in files.chain([format!("{path}.py"), format!("{path}/__main__.py")]) {
        let file = Value::literal(file);
        if sink.is_there(&file) {
            sink.script(Lang::Python, &file, arguments);
        }
    }
}

/// How many packages within each other are looked for.
const DEEPEST: usize = 16;

fn start(module: &Module, arguments: &[Value], sink: &mut dyn Sink) {
    match module {
        Module::Console => sink.interact(Lang::Python),
        Module::Server => {
            let served = arguments.windows(2).find_map(|pair| match pair {
                [option, directory] if matches!(option.known().as_deref(), Some("-d" | "--directory")) => {
                    Some(directory)
                }
                _ => None,
            });
            let reach = served.map_or(Flags::NONE, |directory| super::exposure::reach(directory, sink));
            sink.effect(Verb::Listen, Target::None, reach, Provenance::NONE);
        }
        Module::Debugged => {
            let rest = super::debug_ports::listened(arguments, sink);
            run_script(&rest, sink);
        }
        Module::Runner => run_script(arguments, sink),
        Module::Program(name) => {
            let argv: Vec<Value> =
                std::iter::once(Value::literal(*name)).chain(arguments.iter().cloned()).collect();
            run(&argv, sink);
        }
        Module::Pickle => {
            for file in arguments.iter().filter(|file| !file.known_prefix().starts_with("--")) {
                pickled(file, sink);
            }
        }
        Module::Statements => statements(arguments, sink),
    }
}

/// A file whose content says what is called: where that cannot be read, it is code like that of any script.
fn pickled(file: &Value, sink: &mut dyn Sink) {
    let path = file.known();
    let is_input = matches!(path.as_deref(), Some("-" | "/dev/stdin"));
    let content = if is_input { sink.stdin() } else { sink.read(file) };
    match content.known() {
        Some(text) => {
            let mut call = String::from("import pickle\npickle.loads(b'");
            for byte in text.bytes() {
                let _ = write!(call, "\\x{byte:02x}");
            }
            call.push_str("')");
            sink.code(Lang::Python, &Value::literal(call).from(content.provenance));
        }
        None => {
            sink.code(Lang::Python, &content);
        }
    }
}

/// `timeit`'s own.
fn statements(words: &[Value], sink: &mut dyn Sink) {
    let mut takes_code = true;
    for word in words {
        let shown = word.known_prefix();
        match shown.as_str() {
            "-n" | "-r" | "-u" | "--number" | "--repeat" | "--unit" => takes_code = false,
            "-s" | "--setup" => takes_code = true,
            _ if takes_code && !shown.starts_with('-') => {
                sink.code(Lang::Python, word);
            }
            _ => takes_code = true,
        }
    }
}

/// A file after the runner's own options, or a module after `-m`.
fn run_script(words: &[Value], sink: &mut dyn Sink) {
    let at = words.iter().position(|word| {
        let shown = word.known_prefix();
        shown == "-m" || is_file(&shown)
    });
    let Some((script, arguments)) = words.get(at.unwrap_or(words.len())..).and_then(<[Value]>::split_first)
    else {
        return;
    };
    if script.known_prefix() == "-m" {
        let argv: Vec<Value> = [Value::literal("python3"), script.clone()]
            .into_iter()
            .chain(arguments.iter().cloned())
            .collect();
        return run(&argv, sink);
    }
    sink.script(Lang::Python, script, arguments);
}

/// Python's own options come before the script, which has a suffix or a directory.
fn is_file(word: &str) -> bool {
    word.contains('/') || (word.contains('.') && !word.starts_with('-'))
}

/// A debugger takes commands as long as what it debugs runs.
fn debugged(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    module_by_name(parsed, sink);
    sink.interact(PDB);
}
