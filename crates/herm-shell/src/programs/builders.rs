//! Compilers and build tools: what they are told to run, load and write.

use super::arguments::Parsed;
use super::kinds::{HELP, hook, split_once, strip_prefix};
use super::schema::{
    Do, Operands, Program, Role, Source, Syntax, attached, flag, program, quiet, until, value,
};
use crate::effect::Flags;
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

const SHELL: Role = Role::Code(Lang::Shell);
const MAKE: Lang = Lang::Make;

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["make", "gmake", "bmake", "mingw32-make", "remake", "nmake"])
        .options(&[
            flag("-h --help -v --version -n --just-print --dry-run --recon", Do::Nothing),
            quiet("-b -m -B --always-make -d --debug -e --environment-overrides -i --ignore-errors -k --keep-going -L -p -q --question"),
            quiet("-r --no-builtin-rules -R -s --silent --quiet -S --no-keep-going -t --touch -w --print-directory --no-print-directory"),
            attached("-j --jobs -l --load-average -O --output-sync", Do::Nothing),
            value("-C --directory", Role::Directory),
            value("-f --file --makefile", Role::Inert),
            value("--eval -E", Role::Inert),
            value("-I --include-dir -o --old-file --assume-old -W --what-if --new-file --assume-new", Role::Inert),
        ])
        .operands(Operands::None)
        .env(&[("MAKEFILES", Role::Script(MAKE)), ("SHELL", Role::Inert)])
        .refine(make),
    program(&["gcc*", "cc", "g++*", "c++", "clang*", "cpp", "c89", "c99", "tcc", "icc", "icx", "gfortran*", "gdc", "gccgo", "nvcc", "x86_64-linux-gnu-gcc*", "emcc"])
        .syntax(Syntax::SingleDash)
        .options(&[
            flag("--help --version -v -dumpversion -dumpmachine -print-search-dirs", Do::Nothing),
            value("-wrapper", Role::Inert),
            value("-fplugin -fpass-plugin -load", Role::Library),
            value("-o -MF", Role::Write),
            value("-include -imacros -T -specs -isystem -iquote", Role::Read),
            attached("-B -D -f -g -I -l -L -m -O -std -U -W", Do::Nothing),
            value("-x -MT -MQ -arch -target -isysroot -framework -Xlinker -Xclang -Xpreprocessor -Xassembler -u -z", Role::Inert),
            quiet("-c -E -S -pipe -shared -static -pthread -M -MM -MD -MMD -MP -w -pedantic -ansi -P -C -dM"),
        ])
        .operands(Operands::None)
        .stdout(Source::Input)
        .refine(compiler),
    program(&["ld", "ld.gold", "ld.lld", "lld", "mold", "gold"])
        .options(&[value("-o -Map", Role::Write), value("-plugin --plugin", Role::Library), value("-T --script", Role::Read), value("-m -e -l -L -rpath -soname -z -dynamic-linker", Role::Inert)])
        .all(Role::Read),
    program(&["as", "gas", "nasm", "yasm", "fasm"])
        .options(&[value("-o -l -MF", Role::Write), attached("-I -D -f -g -m -a --defsym", Do::Nothing), value("-p -P", Role::Read)])
        .operands(Operands::None)
        .refine(compiler),
    program(&["rustc"]).options(&[HELP, value("-o --out-dir", Role::Write), value("-C --codegen", Role::Prefixed(&[("linker=", Role::Program)])), value("-L -l -A -W -D -F --cfg --edition --emit --extern --crate-type --crate-name --target --print --cap-lints", Role::Inert)]).all(Role::Read).refine(super::compiled::build),
    program(&["rustdoc", "rustfmt", "rustlings"]).options(&[HELP, value("--runtool", Role::Library), value("--html-in-header --html-before-content --html-after-content --markdown-css -e --extend-css --theme --config-path", Role::Read), value("-o --output --out-dir --edition --config --crate-name --test-args -L --extern", Role::Inert), quiet("--check --test")]).all(Role::Read),
    program(&["javac", "kotlinc-jvm", "scalac", "groovyc"]).options(&[value("-d -s -h", Role::Inert), value("-cp -classpath -processorpath -source -target --release", Role::Inert)]).all(Role::Read),
    program(&["cmake", "cmake3"])
        .options(&[
            flag("--help --version", Do::Stop),
            until("-E", &[], Role::Inert),
            value("-P", Role::Inert),
            value("-B -G -A -T --preset --build --install --config --target --prefix -j --parallel -t --toolchain --fresh", Role::Inert),
            value("-S", Role::Inert),
            attached("-D -U -W", Do::Nothing),
            value("-C", Role::Inert),
        ])
        .operands(Operands::None)
        .refine(cmake),
    program(&["ctest", "cpack", "meson", "bazel", "bazelisk", "buck2", "scons", "waf", "xmake", "premake5", "gn", "conan", "vcpkg", "qmake", "ant", "xcodebuild", "msbuild"])
        .options(&[HELP, value("-C", Role::Directory), value("-f -buildfile --file", Role::Inert), value("-j -k -l -t -d --target --test-dir -R -E", Role::Inert)]),
    program(&["autoconf", "autoheader", "autoreconf", "automake", "aclocal", "autom4te"])
        .options(&[HELP, value("-o --output", Role::Write), value("-B -I -W --prepend-include --include --warnings", Role::Inert), quiet("-f --force -i --install -v --verbose -s --symlink -d")])
        .env(&[("AUTOM4TE", SHELL), ("AUTOCONF", SHELL), ("M4", SHELL), ("ACLOCAL", SHELL), ("AUTOMAKE", SHELL), ("AUTOHEADER", SHELL), ("AUTOPOINT", SHELL), ("LIBTOOLIZE", SHELL), ("MAKE", SHELL), ("PERL", SHELL)])
        .all(Role::Read),
    program(&["acr"]).options(&[flag("-h -v", Do::Stop), value("-r", Role::Script(MAKE)), value("-o", Role::Write)]).all(Role::Read),
    program(&["tsc", "tsgo"]).options(&[HELP, value("--outFile --outfile -o --generateTrace --generateCpuProfile --tsBuildInfoFile", Role::Write), value("--outDir --declarationDir -p --project -t --target -m --module --lib --jsx --rootDir", Role::Inert), quiet("--noEmit -b --build -w --watch --init --listFiles")]).all(Role::Read),
    program(&["mypy", "dmypy", "pyright", "basedpyright", "pytype", "pylint", "epylint", "flake8", "pyflakes", "bandit", "vulture", "pycodestyle"])
        .options(&[HELP, value("--junit-xml --html-report --txt-report --xml-report --any-exprs-report --linecount-report --output-file -o", Role::Write), value("-p --package -m --module -c --command --python-version --format -f -j", Role::Inert), value("--python-executable --pythonpath", Role::Library), value("--config-file --rcfile", Role::Inert), value("--init-hook", Role::Code(Lang::Python))])
        .all(Role::Read)
        .stdout(Source::Input)
        .refine(checker_plugins),
    program(&["forge", "foundryup"]).options(&[value("--use", Role::Program)]).operands(Operands::None),
    program(&["flex", "bison", "yacc", "lex", "byacc"]).options(&[value("-o --output --outfile -t", Role::Write), value("-S --skeleton", Role::Read), value("-M --m4", Role::Program)]).all(Role::Read),
    program(&["ranlib"]).all(Role::Read),
    program(&["strip", "objcopy"])
        .options(&[value("-o", Role::Write), value("--output-target -O -I -B -j -R -K -N --add-section --remove-section --only-section", Role::Inert)])
        .operands(Operands::LastIs(Role::Read, Role::Write)),
    program(&["protoc", "buf", "thrift", "swig", "flatc", "capnp"]).options(&[attached("--plugin", Do::Is(Role::Prefixed(&[("protoc-gen-", Role::Inert)]))), attached("-I --proto_path --go_out --python_out", Do::Nothing), value("-o --descriptor_set_out", Role::Write)]).all(Role::Inert),
];

/// The rest of GNU make's command line: makefiles, `NAME=value`, targets.
fn make(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-h --help -v --version") {
        return;
    }
    let mut given = targets(parsed);
    for argument in &parsed.operands {
        if let Some((name, content)) = split_once(&argument.value, '=') {
            assignment(&name, &content, sink);
        }
    }
    for name in ["MAKEFLAGS", "GNUMAKEFLAGS"] {
        if sink.changes_variable(name) {
            let flags = sink.variable(name);
            make_flags(name, &flags, sink);
        }
    }
    let mut files: Vec<Value> = parsed.values("-f --file --makefile").cloned().collect();
    if files.is_empty() {
        files.push(default_makefile(sink));
    }
    given.extend(settings(parsed, &files));
    let texts: Vec<&Value> = parsed.values("--eval -E").collect();
    if let ([file], []) = (files.as_slice(), texts.as_slice()) {
        return makefile(file, &given, sink);
    }
    if let Some(whole) = one_makefile(&texts, &files) {
        sink.code_with(MAKE, &Value::literal(whole), &given);
        return;
    }
    sink.gap(Position::Code, Reason::Runtime, "make");
    for file in &files {
        makefile(file, &given, sink);
    }
    for text in texts {
        sink.code_with(MAKE, text, &given);
    }
}

/// What the options say to the makefile's reader.
fn settings(parsed: &Parsed<'_>, files: &[Value]) -> Vec<Value> {
    let known =
        |name: &str, value: &Value| value.known().map(|value| Value::literal(format!("{name}={value}")));
    let named = files.iter().filter_map(|file| known("-f", file));
    let places = parsed.values("-I --include-dir").filter_map(|place| known("-I", place));
    let mut settings: Vec<Value> = named.chain(places).collect();
    if parsed.has("-e --environment-overrides") {
        settings.push(Value::literal("-e"));
    }
    settings
}

fn makefile(file: &Value, given: &[Value], sink: &mut dyn Sink) {
    if file.known().is_some_and(|word| word == "-") {
        let input = sink.stdin();
        sink.code_with(MAKE, &input, given);
    } else {
        sink.script(MAKE, file, given);
    }
}

/// Several makefiles and texts are read one after the other, as one; `None` if one of them is not known.
fn one_makefile(texts: &[&Value], files: &[Value]) -> Option<String> {
    let mut whole = String::new();
    for text in texts {
        whole.push_str(&text.known()?);
        whole.push('\n');
    }
    for file in files {
        let file = file.known().filter(|file| file != "-" && !file.contains(char::is_whitespace))?;
        whole.push_str("include ");
        whole.push_str(&file);
        whole.push('\n');
    }
    Some(whole)
}

/// Options that do not stand on the command line.
fn make_flags(name: &str, flags: &Value, sink: &mut dyn Sink) {
    if !flags.known().is_some_and(|flags| crate::scripts::make::is_harmless_flags(&flags)) {
        sink.gap(Position::Code, Reason::Runtime, name);
    }
}

/// The first of the names that are looked for. Others than the usual one count only where they are seen.
fn default_makefile(sink: &mut dyn Sink) -> Value {
    let rarer = ["GNUmakefile", "makefile"].map(Value::literal);
    let seen = rarer.into_iter().find(|name| sink.is_there(name));
    seen.unwrap_or_else(|| Value::literal("Makefile"))
}

fn targets(parsed: &Parsed<'_>) -> Vec<Value> {
    parsed.operands.iter().map(|argument| argument.value.clone()).collect()
}

/// `SHELL=/tmp/x` makes every recipe run it; other variables are the makefile's.
fn assignment(name: &str, content: &Value, sink: &mut dyn Sink) {
    let name = name.trim_end_matches([':', '?', '+']);
    match name {
        "SHELL" => recipe_shell(content, sink),
        "MAKEFLAGS" | "GNUMAKEFLAGS" => {
            make_flags(name, content, sink);
            if let Some((_, code)) = split_once(content, '=') {
                sink.code(MAKE, &code);
            }
        }
        _ => sink.set_variable(name, content),
    }
}

/// `plugins = FILE` in a checker's settings is loaded by it.
fn checker_plugins(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for file in parsed.values("--config-file --rcfile") {
        let text = sink.read(file);
        let Some(text) = text.known() else { continue };
        let plugins = text
            .lines()
            .filter_map(|line| line.split_once('='))
            .filter(|(name, _)| matches!(name.trim(), "plugins" | "load-plugins"));
        for plugin in plugins.flat_map(|(_, paths)| paths.split(',')) {
            super::kinds::load_path(&Value::literal(plugin.trim()), sink);
        }
        let hooks = text
            .lines()
            .filter_map(|line| line.split_once('='))
            .filter(|(name, _)| matches!(name.trim(), "init-hook" | "init_hook"));
        for (_, code) in hooks {
            let code = code.trim().trim_matches(['"', '\'']);
            sink.hooked_code(Lang::Python, &Value::literal(code));
        }
    }
}

/// What runs the recipes: a shell as ever, or something that only poses as one.
fn recipe_shell(shell: &Value, sink: &mut dyn Sink) {
    if shell.known().is_none_or(|shell| !super::kinds::is_shell(&shell)) {
        super::kinds::load_path(shell, sink);
        hook(shell, Flags::NONE, sink);
    }
}

/// Sources are read, `@file` holds more options, `-wrapper a,b` runs a program.
fn compiler(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for argument in &parsed.operands {
        let path = strip_prefix(&argument.value, "@").unwrap_or_else(|| argument.value.clone());
        sink.read(&path);
    }
    super::compiled::build(parsed, sink);
    for wrapper in parsed.values("-wrapper").filter_map(Value::known) {
        let argv: Vec<Value> = wrapper.split(',').map(Value::literal).collect();
        let text = super::kinds::joined(&argv);
        hook(&text, Flags::NONE, sink);
    }
}

/// `cmake -E` is a small coreutils; a directory holds a script that runs.
fn cmake(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped || parsed.has("--build --install") {
        return;
    }
    let given = parsed.options.iter().find(|given| given.name == "-E");
    if let Some((action, words)) = given.and_then(|given| given.values.split_first()) {
        return command_mode(action, words, sink);
    }
    let directory = parsed.value("-S").or_else(|| parsed.operand(0));
    let lists =
        directory.map(|source| super::requests::inside(Some(source), &Value::literal("CMakeLists.txt")));
    for script in parsed.values("-P -C") {
        sink.script(CMAKE, script, &[]);
    }
    let text = lists.map(|list| sink.read(&list)).filter(|text| text.known().is_some());
    if let Some(text) = text {
        sink.code(CMAKE, &text);
    }
}

/// The language of `CMake`.
const CMAKE: Lang = Lang::Other("cmake");

fn command_mode(action: &Value, words: &[Value], sink: &mut dyn Sink) {
    let command: &[&str] = match action.known().as_deref() {
        Some("env") => &["env"],
        Some("time") => &["time"],
        Some("rm") => &["rm"],
        Some("remove") => &["rm", "-f"],
        Some("remove_directory") => &["rm", "-rf"],
        Some("cat") => &["cat"],
        Some("copy") => &["cp"],
        Some("rename") => &["mv"],
        Some("tar") => &["tar"],
        Some("create_symlink") => &["ln", "-s"],
        Some(_) | None => return,
    };
    let mut argv: Vec<Value> = command.iter().copied().map(Value::literal).collect();
    argv.extend_from_slice(words);
    super::kinds::run(&argv, sink);
}
