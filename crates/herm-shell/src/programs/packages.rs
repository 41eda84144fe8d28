//! Package managers of other languages than JavaScript: what they publish, withdraw, install and run.

use super::arguments::Parsed;
use super::package_scripts;
use super::phrases::{DRY_RUN, HELP, LOGS_IN, destroys, emit, operands_from, publishes, run, values};
use super::schema::{
    Aim, Deed, Do, Operands, Opt, Program, Role, Source, Syntax, attached, deed, flag, program, quiet, value,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

pub(super) static PROGRAMS: &[Program] = &[
    program(&["cargo"])
        .options(&[
            value("-C", Role::Directory),
            values("--config"),
            values("--color -Z --manifest-path --target-dir -p --package --target"),
            values("--features -F -j --jobs --profile"),
            values("--registry --index --token --vers"),
            flag("-h --help -V --list", Do::Stop),
        ])
        .env(&[
            ("RUSTC_WRAPPER", Role::Program),
            ("RUSTC_WORKSPACE_WRAPPER", Role::Program),
            ("RUSTC", Role::Program),
            ("CARGO_BUILD_RUSTC*", Role::Program),
            ("CARGO_TARGET_*_RUNNER", Role::ArgvText),
            ("CARGO_TARGET_*_LINKER", Role::Program),
        ])
        .subs(CARGO)
        .refine(toolchain),
    program(&["gem"]).options(&[HELP]).shortened().subs(&[
        program(&["push"]).does(&[publishes("registry package")]),
        program(&["yank"]).does(&[destroys("registry package")]),
        program(&["owner"]).options(&[flag("-a --add -r --remove", Do::Nothing)]).does(&[LOGS_IN]),
        program(&["signin", "signout"]).does(&[LOGS_IN]),
        program(&["install", "i"])
            .options(&[values("-v --version -s --source"), value("-g --file", Role::Script(Lang::Ruby))])
            .does(&[INSTALLS]),
        program(&["uninstall"]).does(&[UNINSTALLS]),
        program(&["open"]).options(&[value("-e --editor", Role::Code(Lang::Shell)), values("-v --version")]),
        program(&["build"]).operands(Operands::Each(&[Role::Script(Lang::Ruby)])),
        program(&["exec"]).syntax(Syntax::FirstOperandEnds).operands(Operands::Each(&[Role::Argv])),
        program(&[
            "check",
            "cleanup",
            "contents",
            "dependency",
            "environment",
            "fetch",
            "help",
            "info",
            "list",
            "lock",
            "outdated",
        ]),
        program(&[
            "pristine",
            "query",
            "rdoc",
            "search",
            "server",
            "sources",
            "specification",
            "stale",
            "unpack",
            "update",
            "which",
        ]),
    ]),
    program(&["bundle", "bundler"])
        .shortened()
        .options(&[HELP, value("--gemfile", Role::Script(Lang::Ruby))])
        .subs(&[
            program(&["exec", "e"])
                .syntax(Syntax::FirstOperandEnds)
                .options(&[quiet("--keep-file-descriptors")])
                .operands(Operands::Each(&[Role::Argv]))
                .refine(gemfile),
            program(&["install", "update", "package", "check"])
                .options(&[quiet("--quiet --local --deployment")])
                .refine(gemfile),
            program(&["console"]).stdin(Role::Code(Lang::Ruby)),
            program(&["viz", "config", "info", "list", "show"]),
        ])
        .refine(bare_bundle),
    program(&["mvn", "mvnw", "maven"])
        .options(&[
            values("-f --file -P --activate-profiles -pl --projects -s --settings -D --define -T"),
            values("--threads -l --log-file"),
            flag("-h --help -v --version", Do::Stop),
        ])
        .refine(|parsed, sink| {
            tasks(
                parsed,
                sink,
                &["deploy", "release:perform", "deploy:deploy-file", "nexus-staging:release"],
            );
        }),
    program(&["gradle", "gradlew"])
        .options(&[
            values("-b --build-file -p --project-dir -P --project-prop -D --system-prop -x"),
            values("--exclude-task -I --init-script -g"),
            flag("-h --help -v --version -m --dry-run", Do::Stop),
        ])
        .refine(|parsed, sink| {
            tasks(
                parsed,
                sink,
                &[
                    "publish",
                    "publishPlugins",
                    "publishToSonatype",
                    "uploadArchives",
                    "publishAllPublicationsToMavenRepository",
                    "closeAndReleaseRepository",
                ],
            );
        }),
    program(&["sbt", "lein", "mill", "clojure"])
        .options(&[value("-e --eval", Role::Code(Lang::Other("clojure"))), attached("-D -J -S", Do::Nothing)])
        .refine(|parsed, sink| {
            tasks(parsed, sink, &["publish", "publishSigned", "deploy", "sonatypeRelease"]);
        }),
    program(&["composer"])
        .shortened()
        .options(&[HELP, value("-d --working-dir", Role::Directory)])
        .refine(bare_composer)
        .subs(&[
            program(&["run-script", "run", "install", "update", "i"])
                .options(&[quiet("--no-dev --dev -n --no-interaction")])
                .refine(composer),
            program(&["exec"]).syntax(Syntax::FirstOperandEnds).operands(Operands::Each(&[Role::Argv])),
            program(&["global"]),
        ]),
    program(&["mix"]).options(&[HELP]).subs(&[
        program(&["hex.publish"])
            .options(&[DRY_RUN, flag("--revert", Do::Emit(destroys("registry package"))), quiet("--yes")])
            .does(&[publishes("registry package")]),
        program(&["hex.retire", "hex.owner"]).does(&[publishes("registry package")]),
        program(&["ecto.drop"]).does(&[deed(Verb::Destroy, Aim::Kind("database"), Flags::ALL)]),
        program(&["ecto.reset"]).does(&[deed(Verb::Destroy, Aim::Kind("table"), Flags::ALL)]),
        program(&["run"]).options(&[value("-e --eval", Role::Code(Lang::Other("elixir")))]),
    ]),
    program(&["go"])
        .syntax(Syntax::SingleDash)
        .env(&[("GOFLAGS", Role::Options)])
        .options(&[
            value("-C", Role::Directory),
            values("-tags -ldflags -gcflags -run -bench -count -timeout -mod -modfile -o -p"),
        ])
        .subs(&[
            program(&["run"]).syntax(Syntax::SingleDash).options(GO_EXEC).refine(super::compiled::run),
            program(&["test", "build", "vet", "list", "generate"])
                .syntax(Syntax::SingleDash)
                .options(GO_EXEC),
            program(&["install"]).syntax(Syntax::SingleDash).options(GO_EXEC).does(&[INSTALLS]),
            program(&["env"])
                .syntax(Syntax::SingleDash)
                .options(&[quiet("-w -u -json -changed")])
                .refine(go_setting),
        ]),
    program(&["dotnet"])
        .options(&[HELP, flag("--version --info --list-sdks --list-runtimes", Do::Stop)])
        .subs(&[
            program(&["nuget push"])
                .options(&[values("-k --api-key -s --source")])
                .does(&[publishes("registry package")]),
            program(&["nuget delete"])
                .options(&[values("-k --api-key -s --source")])
                .does(&[destroys("registry package")]),
            program(&["ef database drop"]).options(&[DRY_RUN, quiet("-f --force")]).does(&[deed(
                Verb::Destroy,
                Aim::Kind("database"),
                Flags::ALL,
            )]),
            program(&["tool install"]).does(&[INSTALLS]),
            program(&["fsi"]).options(&[values("--use --load -r --reference")]).refine(repl),
        ]),
    program(&["pod"]).subs(&[
        program(&["trunk push"]).does(&[publishes("registry package")]),
        program(&["trunk delete", "trunk deprecate"]).does(&[destroys("registry package")]),
    ]),
    program(&["dart", "flutter"]).subs(&[program(&["pub publish", "pub lish"])
        .options(&[flag("-n --dry-run", Do::Stop), quiet("-f --force")])
        .does(&[publishes("registry package")])]),
    // Programs that do nothing else.
    program(&["twine"]).options(&[HELP]).subs(&[
        program(&["upload"])
            .options(&[
                values("-r --repository --repository-url -u --username -p --password"),
                quiet("--skip-existing"),
            ])
            .does(&[publishes("registry package")]),
        program(&["check"]),
    ]),
    program(&[
        "vsce",
        "ovsx",
        "jsr",
        "wasm-pack",
        "flit",
        "maturin",
        "luarocks",
        "nuget",
        "snapcraft",
        "goreleaser",
        "lerna",
        "changeset",
        "anaconda",
    ])
    .options(&[
        HELP,
        DRY_RUN,
        flag("--snapshot --skip-publish", Do::Stop),
        values("-p --pat -t --token --packagePath"),
    ])
    .subs(&[
        program(&["publish", "upload", "push", "release", "upload-release"])
            .does(&[publishes("registry package")]),
        program(&["unpublish", "delete"]).does(&[destroys("registry package")]),
        program(&["login", "logout"]).does(&[LOGS_IN]),
        program(&["exec"])
            .syntax(Syntax::FirstOperandEnds)
            .options(&[
                values("--scope --ignore --concurrency --since"),
                quiet("--parallel --stream --no-bail"),
            ])
            .refine(|parsed, sink| {
                sink.code(Lang::Shell, &super::phrases::joined_from(parsed, 0));
            }),
    ]),
    program(&["semantic-release", "release-it", "np"])
        .options(&[HELP, DRY_RUN, flag("-d --preview", Do::Stop)])
        .does(&[publishes("registry package")]),
    program(&["cabal", "opam", "stack"]).options(&[HELP]).subs(&[
        program(&["upload"]).options(&[flag("--publish", Do::Emit(publishes("registry package")))]),
        program(&["publish"]).does(&[publishes("registry package")]),
        program(&["exec"]).syntax(Syntax::FirstOperandEnds).operands(Operands::Each(&[Role::Argv])),
        program(&["env", "config env"]).stdout(Source::Settings),
    ]),
];

pub(super) const INSTALLS: Deed = deed(Verb::Install, Aim::Each("package"), Flags::NONE);
const UNINSTALLS: Deed = deed(Verb::Uninstall, Aim::Each("package"), Flags::NONE);

const CARGO: &[Program] = &[
    program(&["publish"]).options(&[flag("-n --dry-run", Do::Stop)]).does(&[publishes("registry package")]),
    program(&["yank"]).options(&[flag("--undo", Do::Nothing)]).does(&[destroys("registry package")]),
    program(&["owner"]).options(&[value_owner(), flag("-l --list", Do::Stop)]),
    program(&["login", "logout"]).does(&[LOGS_IN]),
    program(&["release"]).options(&[flag(
        "-x --execute",
        Do::Emit(deed(Verb::Publish, Aim::Kind("registry package"), Flags::NONE)),
    )]),
    program(&["install", "binstall"])
        .options(&[
            flag("--list", Do::Stop),
            flag("--git", Do::Set(Flags::FOREIGN_SOURCE)),
            values("--root --path --branch --tag --rev"),
            quiet("--locked -f --force --no-confirm -y"),
        ])
        .does(&[INSTALLS]),
    program(&["uninstall"]).does(&[UNINSTALLS]),
    program(&["watch"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            value("-s --shell", Role::Code(Lang::Shell)),
            values("-x --exec -w --watch -i --ignore -d --delay -B --use-shell -L --features"),
            quiet("-c --clear -q --quiet --why --no-vcs-ignores --postpone --poll"),
        ])
        .all(Role::Argv)
        .refine(watched),
    program(&[
        "run", "r", "test", "t", "bench", "build", "b", "check", "c", "clippy", "doc", "fmt", "fix", "add",
        "remove", "update", "tree", "metadata", "init", "new", "clean", "fetch", "vendor", "search", "xtask",
        "nextest",
    ]),
];

const fn value_owner() -> Opt {
    super::schema::value_does("-a --add -r --remove", Do::Emit(LOGS_IN))
}

const GO_EXEC: &[Opt] = &[
    value("-exec -toolexec -vettool", Role::ArgvText),
    flag("-n", Do::Stop),
    quiet("-v -x -race -a -json -short -failfast -cover"),
    attached("-cpuprofile -memprofile -coverprofile", Do::Is(Role::Write)),
];

/// `cargo +nightly publish`: the toolchain is no sub-command.
fn toolchain(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for setting in parsed.values("--config").filter_map(Value::known) {
        let Some((key, value)) = setting.split_once('=') else { continue };
        let program = value.trim().trim_matches(['"', '\'', '[', ']']);
        if ["wrapper", "rustc", "rustdoc", "runner", "linker", "credential-provider"]
            .iter()
            .any(|name| key.trim().ends_with(name))
        {
            super::kinds::hook(&Value::literal(program), Flags::NONE, sink);
        }
    }
    if parsed.subcommands.is_empty() && parsed.word(0).is_some_and(|word| word.starts_with('+')) {
        let rest =
            parsed.all.iter().skip_while(|argument| !argument.value.known_prefix().starts_with('+')).skip(1);
        let words: Vec<Value> = std::iter::once(Value::literal("cargo"))
            .chain(rest.map(|argument| argument.value.clone()))
            .collect();
        run(sink, &words);
    }
}

/// `cargo watch -x 'SUB ARGUMENTS'` runs `cargo SUB ARGUMENTS`.
fn watched(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let texts: Vec<Value> = parsed.values("-x --exec").cloned().collect();
    for text in texts {
        let mut code = Value::literal("cargo ");
        code.push(&text);
        sink.code(Lang::Shell, &code);
    }
}

/// A Gemfile is Ruby and runs whenever bundler looks at it.
fn gemfile(_: &Parsed<'_>, sink: &mut dyn Sink) {
    sink.script(Lang::Ruby, &Value::literal("Gemfile"), &[]);
}

fn bare_bundle(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.subcommands.is_empty() {
        gemfile(parsed, sink);
    }
}

/// `composer NAME` is `composer run-script NAME` for what is no command of its own.
fn bare_composer(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.subcommands.is_empty() {
        composer_script(parsed, sink);
    }
}

/// What stands behind the name, after `--` if at all, is the script's own.
fn composer_script(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(name) = parsed.word(0) {
        package_scripts::run_named("composer.json", &name, &operands_from(parsed, 1), sink);
    }
}

fn composer(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.subcommands.iter().any(|name| name.starts_with("run")) {
        composer_script(parsed, sink);
    } else {
        let names = [
            "pre-install-cmd",
            "post-install-cmd",
            "pre-update-cmd",
            "post-update-cmd",
            "post-autoload-dump",
        ];
        package_scripts::run_along("composer.json", &names, sink);
    }
}

/// Build tools whose operands are tasks; `:module:publish` is the task of a module.
fn tasks(parsed: &Parsed<'_>, sink: &mut dyn Sink, publishing: &[&str]) {
    for word in parsed.words() {
        let task = if publishing.contains(&word.as_str()) {
            word.as_str()
        } else {
            word.rsplit(':').next().unwrap_or_default()
        };
        if publishing.contains(&task) {
            emit(sink, Verb::Publish, "registry package", "", Flags::NONE);
        }
    }
}

/// `dotnet fsi` reads a session, or a script.
fn repl(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(script) = parsed.operand(0).cloned() {
        sink.script(Lang::Other("f#"), &script, &[]);
    } else {
        let target = crate::effect::Target::Code(Lang::Other("f#"), None);
        sink.effect(Verb::Execute, target, Flags::INTERACTIVE, sink.stdin().provenance);
    }
}

/// `go env -w GOPROXY=…`: where modules come from, and whether anybody checks them, from now on.
fn go_setting(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.has("-w") {
        return;
    }
    for word in parsed.words() {
        match word.split_once('=') {
            Some(("GOPROXY", sources)) => {
                let foreign =
                    sources.split([',', '|']).find(|source| !matches!(*source, "direct" | "off" | ""));
                if let Some(source) = foreign {
                    emit(sink, Verb::Configure, "package", source, Flags::FOREIGN_SOURCE);
                }
            }
            Some(("GOSUMDB", "off") | ("GOINSECURE", _)) => {
                emit(sink, Verb::Configure, "package", word.as_str(), Flags::FOREIGN_SOURCE);
            }
            Some(_) | None => {}
        }
    }
}
