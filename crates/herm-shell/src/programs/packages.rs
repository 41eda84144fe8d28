//! Package managers of programming languages: what they publish, withdraw, install and run.

use super::arguments::Parsed;
use super::package_scripts;
use super::phrases::{
    DRY_RUN, HELP, LOGS_IN, destroys, emit, ending, operands_from, publishes, run, run_from, values,
};
use super::runners::{fetched, node_address};
use super::schema::{
    Aim, Deed, Do, Operands, Opt, Program, Role, Source, Syntax, attached, deed, flag, program, quiet, value,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

pub(super) static PROGRAMS: &[Program] = &[
    program(&["npm"]).options(NODE_OPTIONS).subs(NPM),
    program(&["pnpm"]).options(NODE_OPTIONS).subs(NPM).refine(script_by_name),
    program(&["yarn", "yarnpkg"]).options(NODE_OPTIONS).subs(YARN).refine(script_by_name),
    program(&["bun"]).options(BUN_OPTIONS).subs(BUN).refine(script_by_name),
    program(&["npx", "bunx", "pnpx", "pnx"])
        .syntax(Syntax::FirstOperandEnds)
        .options(RUNNER)
        .refine(package_command),
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
        ])
        .subs(CARGO)
        .refine(toolchain),
    program(&["gem"]).options(&[HELP]).subs(&[
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
    ]),
    program(&["bundle", "bundler"])
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
    program(&["sbt", "lein", "mill", "clojure"]).refine(|parsed, sink| {
        tasks(parsed, sink, &["publish", "publishSigned", "deploy", "sonatypeRelease"]);
    }),
    program(&["composer"])
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

const INSTALLS: Deed = deed(Verb::Install, Aim::Each("package"), Flags::NONE);
const UNINSTALLS: Deed = deed(Verb::Uninstall, Aim::Each("package"), Flags::NONE);

const NODE_OPTIONS: &[Opt] = &[
    value("-C --dir --prefix --cwd", Role::Directory),
    values("-w --workspace -F --filter --registry --tag --access --otp --userconfig"),
    values("--loglevel --cache"),
    value("--script-shell", Role::Library),
    flag("-g --global --location=global", Do::Set(Flags::GLOBAL)),
    flag("-h --help -v --version", Do::Stop),
    quiet("-s --silent --if-present -y --yes -r --recursive -D --save-dev -d --workspaces"),
];

const NPM: &[Program] = &[
    program(&["publish", "npm publish"]).options(&[DRY_RUN]).does(&[publishes("registry package")]),
    program(&["unpublish", "npm unpublish"])
        .options(&[DRY_RUN, quiet("-f --force")])
        .does(&[destroys("registry package")]),
    program(&["deprecate", "undeprecate", "dist-tag add", "dist-tag rm"]).options(&[DRY_RUN]).does(&[deed(
        Verb::Publish,
        Aim::First("registry package"),
        Flags::METADATA,
    )]),
    program(&[
        "owner add",
        "owner rm",
        "access set",
        "access grant",
        "access revoke",
        "team add",
        "team rm",
        "team destroy",
        "hook add",
        "org set",
        "org rm",
        "profile set",
        "token create",
        "token revoke",
    ])
    .does(&[LOGS_IN]),
    program(&["login", "adduser", "add-user", "logout"]).does(&[LOGS_IN]),
    program(&["exec", "x", "dlx"]).syntax(Syntax::FirstOperandEnds).options(RUNNER).refine(package_command),
    program(&["run", "run-script", "rum", "urn"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[quiet("-s --silent --if-present")])
        .refine(named_script),
    program(&["install", "i", "ci", "add", "in"])
        .options(&[DRY_RUN, flag("--ignore-scripts --package-lock-only", Do::Nothing)])
        .does(&[INSTALLS])
        .refine(|parsed, sink| lifecycle(parsed, sink, &["preinstall", "install", "postinstall", "prepare"])),
    program(&["test", "t", "tst"])
        .refine(|_, sink| package_scripts::run(MANIFEST, &package_scripts::around("test"), sink)),
    program(&["start"])
        .refine(|_, sink| package_scripts::run(MANIFEST, &package_scripts::around("start"), sink)),
    program(&["uninstall", "remove", "rm", "un", "unlink"]).refine(uninstall),
    program(&["pack"]).refine(|parsed, sink| lifecycle(parsed, sink, &["prepack", "prepare", "postpack"])),
    program(&["config set"]).refine(npm_setting),
    program(&[
        "ls", "list", "view", "info", "outdated", "audit", "init", "create", "version", "help", "search",
        "explain", "prefix", "pkg", "rebuild", "ping", "whoami", "update", "up", "prune", "dedupe", "why",
        "store", "cache", "org", "owner", "access", "team", "hook", "profile", "token", "config", "dist-tag",
    ]),
];

const YARN: &[Program] = &[
    program(&["publish", "npm publish"]).options(&[DRY_RUN]).does(&[publishes("registry package")]),
    program(&["unpublish", "npm unpublish"]).does(&[destroys("registry package")]),
    program(&["npm tag add", "npm tag remove", "tag add", "tag remove"]).does(&[deed(
        Verb::Publish,
        Aim::First("registry package"),
        Flags::METADATA,
    )]),
    program(&[
        "login",
        "logout",
        "npm login",
        "npm logout",
        "owner add",
        "owner remove",
        "team add",
        "access grant",
    ])
    .does(&[LOGS_IN]),
    program(&["dlx", "exec"]).syntax(Syntax::FirstOperandEnds).options(RUNNER).refine(package_command),
    program(&["run"]).syntax(Syntax::FirstOperandEnds).refine(named_script),
    program(&["install", "add"])
        .does(&[INSTALLS])
        .refine(|parsed, sink| lifecycle(parsed, sink, &["preinstall", "install", "postinstall", "prepare"])),
    program(&[
        "remove",
        "upgrade",
        "why",
        "info",
        "list",
        "init",
        "create",
        "version",
        "config",
        "cache",
        "workspace",
        "workspaces",
        "set",
        "plugin",
        "dedupe",
        "outdated",
        "audit",
        "pack",
        "global",
        "link",
    ]),
];

const BUN_OPTIONS: &[Opt] = &[
    super::schema::value_does("-e --eval -p --print", Do::StopWith(Role::Code(Lang::JavaScript))),
    value("--cwd", Role::Directory),
    value("-r --preload --require --import", Role::Library),
    values("-c --config --env-file --filter -F --port --registry"),
    flag("-h --help -v --version --revision", Do::Stop),
    quiet("--silent --bun -b --watch --hot --smol --if-present"),
];

const BUN: &[Program] = &[
    program(&["publish"]).options(&[DRY_RUN]).does(&[publishes("registry package")]),
    program(&["x"]).syntax(Syntax::FirstOperandEnds).options(RUNNER).refine(package_command),
    program(&["exec"]).operands(Operands::Each(&[Role::Code(Lang::Shell), Role::Inert])),
    program(&["run"]).syntax(Syntax::FirstOperandEnds).refine(named_script),
    program(&["install", "i", "add", "a"])
        .does(&[INSTALLS])
        .refine(|parsed, sink| lifecycle(parsed, sink, &["preinstall", "install", "postinstall", "prepare"])),
    program(&[
        "test", "pm", "build", "create", "init", "remove", "rm", "update", "upgrade", "link", "unlink",
        "audit", "outdated", "patch", "info", "c",
    ]),
    program(&["repl"]).stdin(Role::Interact(Lang::JavaScript)),
];

const RUNNER: &[Opt] = &[
    value("-c --call", Role::Code(Lang::Shell)),
    values("-p --package -w --workspace --registry --prefix --from --spec"),
    flag("-h --help -v --version", Do::Stop),
    quiet("-y --yes --no -n --no-install --ignore-existing -q --quiet --bun -s --silent"),
    quiet("--workspaces --offline --shell-mode"),
];

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

/// Programs of `node_modules/.bin` that are called like scripts. Other names are scripts: `pnpm format` formats source.
const NODE_TOOLS: &[&str] = &[
    "cdk",
    "changeset",
    "cross-env",
    "dotenv",
    "drizzle-kit",
    "eas",
    "firebase",
    "gh-pages",
    "knex",
    "lerna",
    "netlify",
    "node",
    "prisma",
    "railway",
    "rimraf",
    "semantic-release",
    "sequelize",
    "sequelize-cli",
    "serverless",
    "shx",
    "sls",
    "supabase",
    "surge",
    "ts-node",
    "tsx",
    "typeorm",
    "vercel",
    "wrangler",
];

const MANIFEST: &str = "package.json";

/// `npx tool@1.2 arguments…`: the tool is known by its name without the version.
fn package_command(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut words = operands_from(parsed, 0);
    fetched(parsed, words.first(), node_address, sink);
    if let Some(first) = words.first_mut()
        && let Some(name) = first.known().and_then(|text| unversioned(&text))
    {
        *first = Value::literal(name);
    }
    run(sink, &words);
}

/// The name without `@version`; a scope's `@` stands at the beginning.
fn unversioned(text: &str) -> Option<String> {
    let place = text.rfind('@').filter(|place| *place > 0)?;
    text.get(..place).map(str::to_owned)
}

/// `npm run NAME`.
fn named_script(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(name) = parsed.word(0) else { return };
    if matches!(ending(&name), Some("js" | "mjs" | "ts" | "tsx")) {
        let arguments = operands_from(parsed, 1);
        sink.script(Lang::JavaScript, &Value::literal(name), &arguments);
    } else {
        package_scripts::run(MANIFEST, &package_scripts::around(&name), sink);
    }
}

/// `yarn NAME`, `pnpm NAME`, `bun FILE`; without a name, `yarn` installs.
fn script_by_name(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    read_input(parsed, sink);
    if !parsed.subcommands.is_empty() {
        return;
    }
    match parsed.word(0) {
        None if parsed.program.starts_with("yarn") => {
            lifecycle(parsed, sink, &["preinstall", "install", "postinstall", "prepare"]);
        }
        None => {}
        Some(name) => {
            named_script(parsed, sink);
            if NODE_TOOLS.contains(&name.as_str()) {
                run_from(parsed, sink, 0);
            }
        }
    }
}

/// `bun -`, `bun run -`: the code comes on standard input.
fn read_input(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.program == "bun" && parsed.word(0).as_deref() == Some("-") {
        sink.interact(Lang::JavaScript);
    }
}

fn lifecycle(parsed: &Parsed<'_>, sink: &mut dyn Sink, names: &[&str]) {
    if !parsed.has("--ignore-scripts") {
        package_scripts::run(
            MANIFEST,
            &names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(),
            sink,
        );
    }
}

/// What a project no longer needs is its own affair; what everyone here uses is not.
fn uninstall(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-g --global") {
        for name in parsed.words() {
            emit(sink, Verb::Uninstall, "package", name, Flags::GLOBAL);
        }
    }
}

/// `npm config set script-shell …`, `ignore-scripts false` and `registry` decide what later commands run.
fn npm_setting(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(setting) = parsed.word(0) else { return };
    let key = setting.split('=').next().unwrap_or_default();
    if matches!(key, "script-shell" | "node-options" | "git" | "shell" | "editor") {
        emit(sink, Verb::Persist, "hook", key, Flags::HOOK);
    }
}

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
        package_scripts::run("composer.json", &parsed.words().take(1).collect::<Vec<_>>(), sink);
    }
}

fn composer(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let names = if parsed.subcommands.iter().any(|name| name.starts_with("run")) {
        parsed.words().take(1).collect()
    } else {
        ["pre-install-cmd", "post-install-cmd", "pre-update-cmd", "post-update-cmd", "post-autoload-dump"]
            .map(str::to_owned)
            .to_vec()
    };
    package_scripts::run("composer.json", &names, sink);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_taken_off() {
        assert_eq!(unversioned("prisma@5.1").as_deref(), Some("prisma"));
        assert_eq!(unversioned("@scope/tool@next").as_deref(), Some("@scope/tool"));
        assert_eq!(unversioned("@scope/tool"), None);
        assert_eq!(unversioned("prisma"), None);
    }
}
