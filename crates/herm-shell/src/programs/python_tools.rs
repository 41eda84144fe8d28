//! Managers of Python projects and their environments: what they publish and what they run.

use super::arguments::Parsed;
use super::kinds::split_once;
use super::phrases::{DRY_RUN, HELP, LOGS_IN, after_dashes, ending, operands_from, publishes, run, values};
use super::runners::{address, fetched};
use super::schema::{Aim, Deed, Do, Operands, Opt, Program, Role, Syntax, deed, flag, program, quiet, value};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

pub(super) static PROGRAMS: &[Program] = &[
    program(&["uv"]).options(UV_OPTIONS).subs(&[
        program(&["run"]).syntax(Syntax::FirstOperandEnds).options(UV_RUN).refine(run_tool),
        program(&["tool run", "x"]).syntax(Syntax::FirstOperandEnds).options(UV_RUN).refine(run_tool),
        program(&["publish"])
            .options(&[DRY_RUN, values("-u --username -p --password -t --token --publish-url --index")])
            .does(PUBLISHES),
        program(&["tool install", "python install"]).does(&[INSTALLS]),
        program(&["tool uninstall", "python uninstall"]).does(&[UNINSTALLS]),
        program(&["pip install"]).options(PIP).does(&[INSTALLS]),
        program(&["pip uninstall"]).options(PIP).does(&[UNINSTALLS]),
        program(&["auth login", "auth logout"]).does(&[LOGS_IN]),
        program(&["auth token"]).does(&[super::phrases::SHOWS_SECRET]),
        program(&[
            "sync", "lock", "add", "remove", "venv", "build", "export", "tree", "init", "version", "cache",
            "self", "help", "python", "pip", "tool",
        ]),
    ]),
    program(&["uvx"]).syntax(Syntax::FirstOperandEnds).options(UV_RUN).refine(run_tool),
    program(&["pipx"]).options(&[HELP]).subs(&[
        program(&["run"])
            .syntax(Syntax::FirstOperandEnds)
            .options(&[values("--spec --python --pip-args --index-url"), quiet("--no-cache -q --quiet -v")])
            .refine(run_tool),
        program(&["install", "inject"]).does(&[INSTALLS]),
        program(&["uninstall", "uninstall-all"]).does(&[UNINSTALLS]),
    ]),
    program(&["poetry", "pdm", "hatch", "rye", "pipenv"])
        .options(&[
            HELP,
            flag("-V --version", Do::Stop),
            value("-C --directory --project", Role::Directory),
            values("-e --env -p --python"),
            quiet("-q --quiet -n --no-interaction -v -vv -vvv"),
        ])
        .subs(&[
            program(&["run"]).syntax(Syntax::FirstOperandEnds).refine(run_tool),
            program(&["publish"])
                .options(&[
                    DRY_RUN,
                    values("-r --repository --repo -u --username --user -p --password --auth"),
                ])
                .does(PUBLISHES),
            program(&["env remove"]),
            program(&[
                "add", "install", "sync", "update", "lock", "build", "show", "check", "version", "new",
                "init", "export", "source", "search", "list", "python", "config", "remove", "self", "cache",
                "env", "shell", "fmt", "test",
            ]),
        ]),
    // Programs that put an environment around a command.
    program(&["aws-okta", "rustup", "devbox", "devenv", "pixi"])
        .options(&[HELP, values("-p --project -c --config --env-file -f --env -e --shim-path --cd")])
        .subs(&[
            program(&["self uninstall"]).does(&[deed(Verb::Uninstall, Aim::Kind("package"), Flags::GLOBAL)]),
            program(&["toolchain link"]).operands(Operands::Each(&[Role::Inert, Role::Library])),
            program(&["exec", "run", "x", "tool"])
                .syntax(Syntax::FirstOperandEnds)
                .options(&[
                    value("-c --command", Role::Code(Lang::Shell)),
                    values("--env-file -f -p --project --config -e --env --using --cd -C"),
                    quiet("--no-masking -q --quiet --overload"),
                ])
                .refine(after_settings),
        ]),
];

const PUBLISHES: &[Deed] = &[publishes("registry package")];
const INSTALLS: Deed = deed(Verb::Install, Aim::Each("package"), Flags::NONE);
const UNINSTALLS: Deed = deed(Verb::Uninstall, Aim::Each("package"), Flags::NONE);

const UV_OPTIONS: &[Opt] = &[
    value("--directory", Role::Directory),
    values("--project --config-file --cache-dir --color --python -p"),
    flag("-h --help -V --version", Do::Stop),
    quiet("-q --quiet -v --verbose --offline --no-config -n --no-cache"),
];

const UV_RUN: &[Opt] = &[
    value("--directory", Role::Directory),
    values("--project --with --with-editable --from --spec --env-file"),
    value("--with-requirements", Role::Read),
    values("--extra --group --only-group --no-group"),
    values("-p --python --package --index --default-index --index-url -i --extra-index-url"),
    values("-m --module --cache-dir --color"),
    quiet("--frozen --locked --no-sync --no-project --all-extras --isolated --active"),
    quiet("--exact --no-dev --dev --only-dev"),
    quiet("-q --quiet -v --verbose -s --script --gui-script -n --no-cache --offline -U"),
    quiet("--refresh --all-groups --all-packages"),
    flag("-h --help -V --version", Do::Stop),
];

const PIP: &[Opt] = &[
    values("--python -p -r --requirement -c --constraint --index-url -i --extra-index-url"),
    values("--target --prefix -e --editable"),
    quiet("--system --no-deps -U --upgrade -y --yes"),
    DRY_RUN,
];

/// `uv run x.py`, `uv run -m module`, `uvx tool@1.2 …`.
fn run_tool(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut words = operands_from(parsed, 0);
    fetched(parsed, words.first(), address, sink);
    if words.first().and_then(Value::known).as_deref() == Some("--") {
        words.remove(0);
    }
    if let Some(module) = parsed.value("-m --module").cloned() {
        words.splice(0..0, [Value::literal("python"), Value::literal("-m"), module]);
    }
    // `hatch run ENVIRONMENT:CMD`.
    if let Some((_, command)) =
        words.first().filter(|_| parsed.program == "hatch").and_then(|word| split_once(word, ':'))
    {
        words.splice(..1, [command]);
    }
    let Some((first, rest)) = words.split_first() else { return };
    let name = first.known_prefix();
    if name.starts_with("http://") || name.starts_with("https://") {
        sink.connect(Verb::Connect, first, Flags::DOWNLOAD, Provenance::NONE);
        sink.code(Lang::Python, &Value::unknown(name, Provenance::NETWORK));
    } else if ending(&name) == Some("py") || parsed.has("-s --script") {
        sink.script(Lang::Python, first, rest);
    } else if name == "-" {
        let code = sink.stdin();
        sink.code(Lang::Python, &code);
    } else {
        let plain = name
            .split(['@', '[', '=', '<', '>'])
            .next()
            .filter(|plain| !plain.is_empty() && !first.has_hole());
        let program = plain.map_or_else(|| first.clone(), Value::literal);
        let command: Vec<Value> = std::iter::once(program).chain(rest.iter().cloned()).collect();
        run(sink, &command);
    }
}

/// `devbox run -- CMD…`, `rustup run TOOLCHAIN CMD…`: the command stands after `--`, or after one word for those that
/// want a name first.
fn after_settings(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let named = parsed.program == "rustup";
    let command = after_dashes(parsed).unwrap_or_else(|| operands_from(parsed, usize::from(named)));
    run(sink, &command);
}
