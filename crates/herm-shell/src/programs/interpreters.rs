//! Interpreters whose languages are read here.

use super::arguments::{Parsed, tail};
use super::kinds::{HELP, load_path, operands_from, run};
use super::schema::{
    Do, Operands, Opt, Program, Role, Syntax, Takes, attached, before, flag, interactive, program, quiet,
    value, value_does,
};
use crate::effect::{Flags, Target, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// Stops the options; the first operand is a script, the input is code when there is neither.
const fn interpreter(names: &'static [&'static str], script: &'static [Role], code: Role) -> Program {
    program(names).syntax(Syntax::FirstOperandEnds).operands(Operands::Each(script)).stdin(code)
}

const PERL_DEBUGGER: Lang = Lang::Other("perldb");
const PRY: Lang = Lang::Other("pry");

const fn ruby_console(names: &'static [&'static str]) -> Program {
    program(names)
        .syntax(Syntax::FirstOperandEnds)
        .operands(Operands::Each(&[Role::Script(Lang::Ruby), Role::Inert]))
        .refine(required)
}

const PROMPTS: Opt = quiet("-f --simple-prompt");
const LOADS: Opt = value("-r -I", Role::Inert);

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["perl", "perl5*"])
        .syntax(Syntax::FirstOperandEnds)
        .options(PERL_OPTIONS)
        .stdin(Role::Code(Lang::Perl))
        .env(&[("PERL5OPT", Role::Options), ("PERL5DB", Role::Code(Lang::Perl))])
        .refine(perl),
    program(&["ruby", "jruby", "mruby", "truffleruby"])
        .syntax(Syntax::FirstOperandEnds)
        .options(RUBY_OPTIONS)
        .stdin(Role::Code(Lang::Ruby))
        .env(&[("RUBYOPT", Role::Options)])
        .refine(ruby),
    ruby_console(&["irb"])
        .options(&[HELP, PROMPTS, LOADS, before("-e --exec", Role::Code(Lang::Ruby))])
        .stdin(Role::Code(Lang::Ruby)),
    ruby_console(&["pry"])
        .options(&[HELP, PROMPTS, LOADS, before("-e --exec", Role::Code(PRY))])
        .stdin(Role::Interact(PRY)),
    interpreter(
        &["node", "nodejs", "iojs"],
        &[Role::Script(Lang::JavaScript), Role::Inert],
        Role::Code(Lang::JavaScript),
    )
    .options(NODE_OPTIONS)
    .subs(&[program(&["inspect", "debug"])
        .syntax(Syntax::FirstOperandEnds)
        .operands(Operands::Each(&[Role::Script(Lang::JavaScript), Role::Inert]))
        .stdin(Role::Interact(Lang::JavaScript))])
    .env(&[("NODE_OPTIONS", Role::Options), ("NODE_REPL_EXTERNAL_MODULE", Role::Library)])
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
        interactive("-i --interactive", Lang::JavaScript),
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
                .options(&[
                    attached(
                        "--allow-read --allow-write --allow-net --allow-env --allow-run --allow-ffi",
                        Do::Nothing,
                    ),
                    attached(super::debug_ports::INSPECT, Do::Nothing),
                ])
                .refine(deno_run),
            program(&["repl"])
                .options(&[
                    value("--eval", Role::Code(Lang::JavaScript)),
                    value("--eval-file", Role::Script(Lang::JavaScript)),
                ])
                .stdin(Role::Interact(Lang::JavaScript)),
            program(&[
                "task", "fmt", "lint", "check", "cache", "info", "doc", "types", "compile", "install", "add",
                "upgrade",
            ]),
        ])
        .operands(Operands::Each(&[Role::Script(Lang::JavaScript), Role::Inert]))
        .stdin(Role::Code(Lang::JavaScript)),
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
        quiet("-E -W"),
        interactive("-i", Lang::Lua),
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
        quiet("-d -D -n -N -v"),
        interactive("-i", Lang::Tcl),
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
    attached("-C -D -F -i -M -m -V -x", Do::Nothing),
    // Behind a colon stands what is loaded in place of the debugger.
    Opt { names: "-d", takes: Takes::Behind(":"), does: Do::Is(Role::Interact(PERL_DEBUGGER)) },
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
        "--test-reporter --test-name-pattern --test-reporter-destination --stack-trace-limit --dns-result-order --env-file-if-exists",
        Role::Inert,
    ),
    quiet("-c --check --test --watch --enable-source-maps --no-warnings --preserve-symlinks"),
    interactive("-i --interactive", Lang::JavaScript),
    attached(super::debug_ports::INSPECT, Do::Nothing),
    attached("--max-old-space-size --run", Do::Nothing),
];

const PHP_OPTIONS: &[Opt] = &[
    flag("-h --help -v --version -m --modules -i --info -l --syntax-check --ini", Do::Stop),
    interactive("-a --interactive", Lang::Php),
    quiet("-n --no-php-ini -C -e -q -H -w --strip -s --syntax-highlight"),
    value_does("-r --run", Do::StopWith(Role::Code(Lang::Php))),
    value("-B --process-begin -R --process-code -E --process-end", Role::Code(Lang::Php)),
    value_does("-f --file -F --process-file", Do::StopWith(Role::Script(Lang::Php))),
    value("-c --php-ini -d --define -S --server -t --docroot --rf --rc --re --rz --ri", Role::Inert),
    value("-z --zend-extension", Role::Library),
];

fn perl(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for module in parsed.values("-M").chain(parsed.values("-m")) {
        use_of_module(module, sink);
        match module.known_prefix().split('=').next() {
            Some("ExtUtils::Command") => verbs("-e -E", EXTUTILS, parsed, sink),
            // Whatever is called and not defined is a program of that name.
            Some("Shell") => sink.gap(Position::Unfollowed, Reason::Runtime, "Shell"),
            Some(_) | None => {}
        }
    }
    line_processor(Lang::Perl, "-e -E", parsed, sink);
}

/// Functions of Ruby's `un` that do to what the command line names what programs of their name do.
const UN: &[(&str, &[&str])] = &[
    ("chmod", &["chmod"]),
    ("cp", &["cp"]),
    ("httpd", &["python3", "-m", "http.server", "-d"]),
    ("install", &["install"]),
    ("ln", &["ln"]),
    ("mkdir", &["mkdir"]),
    ("mv", &["mv"]),
    ("rm", &["rm"]),
    ("rmdir", &["rmdir"]),
    ("touch", &["touch"]),
];

/// The same of Perl's `ExtUtils::Command`.
const EXTUTILS: &[(&str, &[&str])] = &[
    ("cat", &["cat"]),
    ("chmod", &["chmod"]),
    ("cp", &["cp"]),
    ("mkpath", &["mkdir", "-p"]),
    ("mv", &["mv"]),
    ("rm_f", &["rm", "-f"]),
    ("rm_rf", &["rm", "-rf"]),
    ("touch", &["touch"]),
];

/// Runs what code calls that takes its arguments from the command line.
fn verbs(code: &'static str, known: &[(&str, &[&str])], parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = operands_from(parsed, 0);
    for code in parsed.values(code) {
        let Some(code) = code.known() else {
            sink.gap(Position::Unfollowed, Reason::Runtime, &code.shown());
            continue;
        };
        let is_mark = |letter: char| !(letter.is_alphanumeric() || letter == '_');
        for (_, program) in
            code.split(is_mark).filter_map(|word| known.iter().find(|(name, _)| *name == word))
        {
            let argv = program.iter().map(|word| Value::literal(*word)).chain(words.iter().cloned());
            run(&argv.collect::<Vec<_>>(), sink);
        }
    }
}

/// `-MNAME…` is `use NAME…;`: what stands behind the name is code.
fn use_of_module(module: &Value, sink: &mut dyn Sink) {
    let text = module.known_prefix();
    let is_name = |letter: char| letter.is_alphanumeric() || "_:-.,".contains(letter);
    let Some(end) = text.find(|letter: char| !is_name(letter)) else { return };
    // `-MNAME=a,b` hands a list of words.
    if !text.get(end..).unwrap_or_default().trim_start_matches('=').chars().all(is_name) {
        sink.hooked_code(Lang::Perl, &tail(module, end));
    }
}

fn required(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for library in parsed.values("-r") {
        load_path(library, sink);
    }
}

fn ruby(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for library in parsed.values("-r") {
        load_path(library, sink);
        if matches!(library.known().as_deref(), Some("debug" | "debug/start")) {
            sink.interact(Lang::Ruby);
        }
        if library.known().as_deref() == Some("un") {
            verbs("-e", UN, parsed, sink);
        }
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
        if lang == Lang::Perl {
            open_commands(&words, parsed, sink);
        }
        return process_files(&words, parsed, sink);
    }
    if let Some((script, arguments)) = words.split_first()
        && script.known().is_none_or(|word| word != "-")
    {
        sink.script(lang, script, arguments);
    }
}

/// Perl opens what its loop goes over as a shell would read it: what begins or ends with `|` is a command.
fn open_commands(files: &[Value], parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.has("-n -p") {
        return;
    }
    for file in files {
        let Some(name) = file.known() else { continue };
        let name = name.trim();
        if let Some(command) = name.strip_suffix('|').or_else(|| name.strip_prefix('|')) {
            sink.code(Lang::Shell, &Value::literal(command).from(file.provenance));
        }
    }
}

/// Whether code that is to go over each line prints none of them: what it edits is empty then.
fn prints_nothing(parsed: &Parsed<'_>) -> bool {
    const PRINTING: &[&str] = &["print", "put", "say", "<<", "write", "display", "pp", "eof", "p "];
    let mut code = parsed.values("-e -E").map(Value::known);
    let says = |code: Option<std::borrow::Cow<'_, str>>| {
        code.is_none_or(|code| PRINTING.iter().any(|word| code.contains(word)))
    };
    parsed.has("-n") && !parsed.has("-p") && !code.any(says)
}

fn process_files(files: &[Value], parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.has("-n -p -i") {
        return;
    }
    let mut output = sink.stdin();
    let emptied = if prints_nothing(parsed) { Flags::EMPTIED } else { Flags::NONE };
    for file in files {
        if parsed.has("-i") {
            sink.path(Verb::Write, file, Flags::IN_PLACE | emptied);
        } else {
            output = Value::unknown(file.shown(), sink.read(file).provenance);
        }
    }
    sink.print(Value::unknown("processed text", output.provenance));
}

fn preloads(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    super::debug_ports::inspected(parsed, sink);
    for library in parsed.values("-r --require --import --loader --experimental-loader") {
        load_path(library, sink);
    }
    // What is asked for by inline code is shown to whoever wrote that; a script uses it.
    let asks = |code: &Value| code.known_prefix().contains("env");
    if parsed.values("-e --eval -p --print -pe").any(asks) {
        for file in parsed.values("--env-file --env-file-if-exists") {
            sink.read(file);
        }
    }
}

/// `deno run URL` fetches what it runs. Files that it is let at are what it is after.
fn deno_run(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    super::debug_ports::inspected(parsed, sink);
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
        let root = parsed.value("-t --docroot");
        let reach = root.map_or(Flags::NONE, |directory| super::exposure::reach(directory, sink));
        sink.effect(Verb::Listen, Target::None, reach, Provenance::NONE);
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

/// What a script has other applications do: things that nobody would look for in it.
fn automated(text: &str, sink: &mut dyn Sink) {
    let text = text.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().all(|word| text.contains(word));
    let named = |kind: &'static str, name: &str| Target::Named(kind, name.to_owned());
    if has(&["make", "login item"]) {
        sink.effect(Verb::Persist, named("service", "login item"), Flags::NONE, Provenance::NONE);
    }
    if has(&["\"finder\"", " delete "]) || has(&["empty", "trash"]) {
        sink.path(
            Verb::Delete,
            &Value::unknown("what the Finder is told", Provenance::OUTSIDE),
            Flags::RECURSIVE,
        );
    }
    if has(&["display dialog", "hidden answer"]) {
        sink.effect(
            Verb::Read,
            named("secret", "a password that is asked for"),
            Flags::NONE,
            Provenance::SECRET,
        );
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
        automated(&text, sink);
        if text.contains("keystroke ") || text.contains("key code ") {
            super::terminals::typed_into("the window in front", sink);
        }
        for part in text.split("do shell script").skip(1) {
            if let Some(command) = part.split('"').nth(1) {
                sink.code(Lang::Shell, &Value::literal(command));
            }
        }
    }
}
