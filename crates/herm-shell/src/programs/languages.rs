//! Interpreters whose languages are not read here: what they are told to run is code all the same.

use super::arguments::Parsed;
use super::kinds::{HELP, hook};
use super::schema::{
    Do, Operands, Opt, Program, Role, Syntax, attached, before, flag, interactive, program, quiet, value,
    value_does,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

const JULIA: Lang = Lang::Other("julia");
const OCTAVE: Lang = Lang::Other("octave");
const GNUPLOT: Lang = Lang::Other("gnuplot");
const HASKELL: Lang = Lang::Other("haskell");
const ELIXIR: Lang = Lang::Other("elixir");
const ERLANG: Lang = Lang::Other("erlang");
const GROOVY: Lang = Lang::Other("groovy");
const SCALA: Lang = Lang::Other("scala");
const SWIFT: Lang = Lang::Other("swift");
const JAVA: Lang = Lang::Other("java");
const LISP: Lang = Lang::Other("lisp");
const CLOJURE: Lang = Lang::Other("clojure");
const OCAML: Lang = Lang::Other("ocaml");
const RAKU: Lang = Lang::Other("raku");
const PROLOG: Lang = Lang::Other("prolog");

/// A language's program: options that take code, then a script and its arguments.
const fn language(names: &'static [&'static str], script: &'static [Role], code: Role) -> Program {
    program(names).syntax(Syntax::FirstOperandEnds).operands(Operands::Each(script)).stdin(code)
}

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    language(&["Rscript", "littler"], &[Role::Script(Lang::R), Role::Inert], Role::Inert)
        .options(&[HELP, value("-e", Role::Code(Lang::R)), quiet("--vanilla --verbose --no-save --no-init-file"), attached("--default-packages", Do::Nothing)]),
    program(&["R"])
        .options(&[
            HELP,
            quiet("--no-save --save --vanilla --no-restore --quiet -q --silent --slave -s --no-readline --interactive --args"),
            value("-e", Role::Code(Lang::R)),
            value("-f", Role::Script(Lang::R)),
            attached("--file", Do::Is(Role::Script(Lang::R))),
            value("-g --gui --encoding", Role::Inert),
            value("-d --debugger", Role::Library),
        ])
        .subs(&[program(&["CMD BATCH"]).operands(Operands::Each(&[Role::Script(Lang::R), Role::Write])), program(&["CMD"])])
        .stdin(Role::Code(Lang::R)),
    language(&["julia"], &[Role::Script(JULIA), Role::Inert], Role::Code(JULIA)).options(&[
        flag("-h --help -v --version", Do::Stop),
        value_does("-e --eval -E --print", Do::StopWith(Role::Code(JULIA))),
        before("-L --load", Role::Script(JULIA)),
        value("-J --sysimage -C --cpu-target -p --procs -t --threads -m", Role::Inert),
        attached("--project -O --optimize -g --color --startup-file", Do::Nothing),
        interactive("-i", JULIA),
        quiet("-q --quiet"),
    ]),
    language(&["octave", "octave-cli"], &[Role::Script(OCTAVE), Role::Inert], Role::Code(OCTAVE)).options(&[
        HELP,
        value("--eval", Role::Code(OCTAVE)),
        quiet("-q --quiet --silent -f --norc --no-gui -W --no-window-system -H -V"),
        interactive("--persist -i --interactive", OCTAVE),
        value("-p --path --exec-path --image-path", Role::Inert),
    ]),
    language(&["gnuplot"], &[Role::Script(GNUPLOT), Role::Script(GNUPLOT)], Role::Code(GNUPLOT))
        .options(&[HELP, value("-e", Role::Code(GNUPLOT)), value_does("-c", Do::StopWith(Role::Script(GNUPLOT))), quiet("-p --persist -d -s")])
        .refine(plot),
    language(&["runghc", "runhaskell"], &[Role::Script(HASKELL), Role::Inert], Role::Code(HASKELL))
        .options(&[HELP, value("-f", Role::Inert)]),
    language(&["ghci"], &[Role::Script(HASKELL), Role::Inert], Role::Interact(HASKELL))
        .options(&[HELP, value_does("-e", Do::StopWith(Role::Code(HASKELL))), value("-f -ghci-script", Role::Inert)])
        .refine(interpreter_escapes),
    program(&["ghc"]).options(&[
        HELP,
        value("-e", Role::Code(HASKELL)),
        value("-pgmF -pgmP -pgmL -pgmc -pgma -pgml -pgmdll -pgmlo -pgmlc", Role::Program),
        value("-o", Role::Write),
        value("-package -package-id -l -L -I -i -x -outputdir", Role::Inert),
    ]).all(Role::Read),
    language(&["elixir"], &[Role::Script(ELIXIR), Role::Inert], Role::Inert).options(ELIXIR_OPTIONS),
    language(&["iex"], &[Role::Script(ELIXIR), Role::Inert], Role::Interact(ELIXIR)).options(ELIXIR_OPTIONS),
    program(&["erl", "erlc", "escript"])
        .syntax(Syntax::SingleDash)
        .options(&[value("-eval", Role::Code(ERLANG)), value("-s -run -sname -name -pa -pz -boot -config -setcookie", Role::Inert)])
        .operands(Operands::Each(&[Role::Script(ERLANG), Role::Inert])),
    language(&["groovy", "groovysh", "groovyclient"], &[Role::Script(GROOVY), Role::Inert], Role::Inert)
        .options(&[HELP, value("-e", Role::Code(GROOVY)), value("-cp -classpath --classpath -c -D", Role::Inert), quiet("-n -p -i")]),
    language(&["scala", "scala-cli", "amm-repl"], &[Role::Script(SCALA), Role::Inert], Role::Code(SCALA))
        .options(&[HELP, value("-e", Role::Code(SCALA)), value("-cp -classpath -i -d", Role::Inert)]),
    program(&["kotlin", "kotlinc"])
        .options(&[flag("-version -help -h", Do::Stop), value("-e -expression", Role::Code(Lang::Other("kotlin"))), value("-cp -classpath -d -jvm-target", Role::Inert), quiet("-script -include-runtime -nowarn")]),
    program(&["swift"])
        .options(&[HELP, value("-e", Role::Code(SWIFT)), value("-I -L -F -D -module-name", Role::Inert)])
        .subs(&[program(&["build", "run", "test", "package", "repl"]).options(&[value("-c --configuration --package-path -Xswiftc", Role::Inert)])])
        .operands(Operands::Each(&[Role::Script(SWIFT), Role::Inert])),
    language(&["jrunscript"], &[Role::Script(Lang::JavaScript), Role::Inert], Role::Code(Lang::JavaScript))
        .options(&[value("-e", Role::Code(Lang::JavaScript)), value("-f", Role::Script(Lang::JavaScript)), value("-cp -classpath -l -encoding", Role::Inert), attached("-D -J", Do::Nothing)]),
    language(&["jshell"], &[Role::Script(JAVA), Role::Script(JAVA)], Role::Interact(JAVA))
        .options(&[HELP, value("--startup --class-path --module-path --add-modules --feedback", Role::Inert), attached("-R -C -J", Do::Nothing), quiet("-s -v -q")]),
    program(&["java", "javaw"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            flag("-version --version -help --help -? -showversion", Do::Stop),
            value("-cp -classpath --class-path -p --module-path --add-modules --add-opens --add-exports -m --module", Role::Inert),
            value_does("-jar", Do::StopWith(Role::Program)),
            attached("-D -X -XX -ea -da -Xmx -Xms -agentlib", Do::Nothing),
        ])
        .operands(Operands::Each(&[Role::Inert]))
        .env(&[("JAVA_TOOL_OPTIONS", Role::Options), ("JDK_JAVA_OPTIONS", Role::Options), ("_JAVA_OPTIONS", Role::Options)])
        .refine(|parsed, sink| {
            agents(parsed, sink);
            super::debug_ports::java_agent(parsed, sink);
            super::compiled::java(parsed, sink);
        }),
    language(&["sbcl", "clisp", "ecl", "ccl", "abcl", "guile", "racket", "csi", "gosh", "mit-scheme", "chicken", "gsi", "bigloo"], &[Role::Script(LISP), Role::Inert], Role::Code(LISP)).options(&[
        HELP,
        value("--eval -e -x -eval -c -q", Role::Code(LISP)),
        value("--load --script -l -i --core -s -f -t -u -r", Role::Inert),
        quiet("--noinform --non-interactive --no-userinit --disable-debugger --quit -n"),
    ]),
    language(&["clj", "joker", "planck", "bb", "babashka"], &[Role::Script(CLOJURE), Role::Inert], Role::Code(CLOJURE))
        .options(&[HELP, value("-e --eval", Role::Code(CLOJURE)), value("-m --main -Sdeps -M -X -A -i --init", Role::Inert)]),
    language(&["raku", "rakudo", "perl6"], &[Role::Script(RAKU), Role::Inert], Role::Code(RAKU))
        .options(&[flag("-h --help -v --version -V", Do::Stop), value("-e", Role::Code(RAKU)), value("-I -M", Role::Inert), quiet("-n -p -c")]),
    language(&["ocaml", "utop"], &[Role::Script(OCAML), Role::Inert], Role::Code(OCAML)).options(&[HELP, value("-e", Role::Code(OCAML)), value("-I -init", Role::Inert)]),
    language(&["swipl", "gprolog", "yap"], &[Role::Script(PROLOG), Role::Inert], Role::Interact(PROLOG))
        .options(&[HELP, value("-g -t --init-goal --query-goal --entry-goal", Role::Code(PROLOG)), value("-l -s -f -x", Role::Inert), quiet("-q")]),
    language(&["cobc"], &[Role::Script(Lang::Other("cobol")), Role::Inert], Role::Inert).options(&[HELP, quiet("-x -F -j -m -b -xFj"), value("-o", Role::Write)]),
    language(&["nim", "nimscript"], &[Role::Inert], Role::Inert).subs(&[
        program(&["e", "r", "run"]).operands(Operands::Each(&[Role::Script(Lang::Other("nim")), Role::Inert])),
        program(&["c", "cc", "compile", "cpp", "js"]).refine(compiled_and_run),
    ]),
    language(&["crystal"], &[Role::Inert], Role::Inert).subs(&[
        program(&["eval"]).all(Role::Code(Lang::Other("crystal"))),
        program(&["run"]).operands(Operands::Each(&[Role::Script(Lang::Other("crystal")), Role::Inert])),
        program(&["build", "spec", "init", "tool", "docs"]),
    ]),
    language(&["zig"], &[Role::Inert], Role::Inert)
        .subs(&[program(&["run"]).operands(Operands::Each(&[Role::Script(Lang::Other("zig")), Role::Inert]))]),
    language(&["vlang"], &[Role::Inert], Role::Inert)
        .subs(&[program(&["run"]).operands(Operands::Each(&[Role::Script(Lang::Other("v")), Role::Inert]))]),
    language(&["newlisp", "picolisp", "rebol", "gforth", "pforth"], &[Role::Script(LISP), Role::Inert], Role::Code(LISP)).options(&[value("-e", Role::Code(LISP))]),
    language(&["m4", "gm4"], &[Role::Script(Lang::Other("m4")), Role::Script(Lang::Other("m4"))], Role::Code(Lang::Other("m4"))).options(&[
        HELP,
        quiet("-E -i -P -Q -s -G -g"),
        attached("-D --define -U -I --include -d -F -R -t -L", Do::Nothing),
    ]),
];

const ELIXIR_OPTIONS: &[Opt] = &[
    flag("-h --help -v --version", Do::Stop),
    value("-e --eval --rpc-eval", Role::Code(ELIXIR)),
    value("-r -pr -pa -pz -S --app --cookie --sname --name --erl --dot-iex", Role::Inert),
];

/// `nim c -r FILE` runs what it has compiled.
fn compiled_and_run(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(source) = parsed.operand(0).filter(|_| parsed.has("-r --run")) {
        sink.script(Lang::Other("nim"), source, &[]);
    }
}

/// `:!CODE` is for the shell.
fn interpreter_escapes(_: &Parsed<'_>, sink: &mut dyn Sink) {
    for code in super::escapes_system::lines_after(":!", sink) {
        hook(&Value::literal(code), Flags::NONE, sink);
    }
}

/// `set output "FILE"` writes, a line that begins with `!` is for the shell.
fn plot(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for code in super::escapes_system::lines_after("!", sink) {
        hook(&Value::literal(code), Flags::NONE, sink);
    }
    let input = sink.stdin();
    let texts: Vec<String> =
        parsed.values("-e").chain([&input]).filter_map(|text| text.known().map(Into::into)).collect();
    for text in texts {
        for statement in text.split([';', '\n']).map(str::trim) {
            let Some(target) =
                statement.strip_prefix("set output").or_else(|| statement.strip_prefix("set out "))
            else {
                continue;
            };
            let target = target.trim().trim_matches(['"', '\'']);
            match target.strip_prefix('|') {
                Some(code) => hook(&Value::literal(code), Flags::NONE, sink),
                None if target.is_empty() => {}
                None => sink.path(Verb::Write, &Value::literal(target), Flags::TRUNCATE),
            }
        }
    }
}

/// `-javaagent:FILE=…` and `-agentpath:FILE` load code before the program starts.
fn agents(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for argument in parsed.all {
        for mark in ["-javaagent:", "-agentpath:"] {
            if let Some(path) = super::kinds::strip_prefix(&argument.value, mark) {
                super::kinds::load_path(&path, sink);
            }
        }
    }
}
