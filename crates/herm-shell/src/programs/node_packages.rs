//! Package managers of JavaScript: what they publish, withdraw, install and run.

use super::arguments::Parsed;
use super::package_scripts;
use super::packages::INSTALLS;
use super::phrases::{
    DRY_RUN, LOGS_IN, destroys, emit, ending, operands_from, publishes, run, run_from, values,
};
use super::runners::{fetched, node_address};
use super::schema::{Aim, Do, Operands, Opt, Program, Role, Syntax, deed, flag, program, quiet, value};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

pub(super) static PROGRAMS: &[Program] = &[
    program(&["npm"]).options(NODE_OPTIONS).env(NPM_SETTINGS).shortened().subs(NPM),
    program(&["pnpm"]).options(NODE_OPTIONS).env(NPM_SETTINGS).subs(NPM).refine(script_by_name),
    program(&["yarn", "yarnpkg"]).options(NODE_OPTIONS).subs(YARN).refine(script_by_name),
    program(&["bun"]).options(BUN_OPTIONS).subs(BUN).refine(script_by_name),
    program(&["npx", "bunx", "pnpx", "pnx"])
        .syntax(Syntax::FirstOperandEnds)
        .options(RUNNER)
        .refine(package_command),
];

/// Every option can be a variable, too.
const NPM_SETTINGS: &[(&str, Role)] = &[("npm_config_*", Role::Setting), ("NPM_CONFIG_*", Role::Setting)];

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
        .syntax(Syntax::FirstOperandEnds)
        .refine(|parsed, sink| package_script(parsed, "test", operands_from(parsed, 0), sink)),
    program(&["start"])
        .syntax(Syntax::FirstOperandEnds)
        .refine(|parsed, sink| package_script(parsed, "start", operands_from(parsed, 0), sink)),
    program(&["uninstall", "remove", "rm", "r", "un", "unlink"]).refine(uninstall),
    program(&["pack"]).refine(|parsed, sink| lifecycle(parsed, sink, &["prepack", "prepare", "postpack"])),
    program(&["config set"]).refine(npm_setting),
    program(&["pkg set"]).refine(script_set),
    program(&[
        "ls",
        "list",
        "view",
        "info",
        "outdated",
        "audit",
        "init",
        "create",
        "version",
        "help",
        "search",
        "explain",
        "prefix",
        "pkg",
        "rebuild",
        "ping",
        "whoami",
        "update",
        "up",
        "prune",
        "dedupe",
        "why",
        "v",
        "show",
        "la",
        "ll",
        "s",
        "se",
        "find",
        "c",
        "ln",
        "link",
        "ddp",
        "udpate",
        "bugs",
        "docs",
        "repo",
        "root",
        "bin",
        "doctor",
        "edit",
        "fund",
        "help-search",
        "query",
        "set",
        "get",
        "shrinkwrap",
        "star",
        "stars",
        "unstar",
        "stop",
        "restart",
        "install-test",
        "it",
        "install-ci-test",
        "cit",
        "diff",
        "sbom",
        "store",
        "cache",
        "org",
        "owner",
        "access",
        "team",
        "hook",
        "profile",
        "token",
        "config",
        "dist-tag",
    ]),
];

/// `npm pkg set scripts.x=…`: a script that runs later.
fn script_set(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for operand in &parsed.operands {
        let text = operand.value.known_prefix();
        if let Some(at) = text.find('=').filter(|_| text.starts_with("scripts.")) {
            sink.hooked_code(Lang::Shell, &super::arguments::tail(&operand.value, at + 1));
        }
    }
}

const YARN: &[Program] = &[
    program(&["config set"]).refine(npm_setting),
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
    super::schema::attached(super::debug_ports::INSPECT, Do::Nothing),
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
        package_script(parsed, &name, operands_from(parsed, 1), sink);
    }
}

/// Runs a script of the manifest with what stands behind its name.
fn package_script(parsed: &Parsed<'_>, name: &str, behind: Vec<Value>, sink: &mut dyn Sink) {
    if let Some(workspace) = parsed.value("-w --workspace") {
        enter_workspace(&workspace.clone(), sink);
    }
    let arguments = if parsed.program == "npm" { left_by_npm(behind, sink) } else { behind };
    package_scripts::run_named(MANIFEST, name, &arguments, sink);
}

/// Only `npm` takes options from behind the name of a script, up to `--`.
fn left_by_npm(behind: Vec<Value>, sink: &mut dyn Sink) -> Vec<Value> {
    let mut arguments = Vec::new();
    let mut words = behind.into_iter();
    while let Some(word) = words.next() {
        let text = word.known_prefix();
        let (option, attached) =
            text.split_once('=').map_or((&*text, None), |(name, value)| (name, Some(value)));
        match option {
            "--" => {
                arguments.extend(words);
                break;
            }
            "-C" | "--prefix" | "-w" | "--workspace" | "--script-shell" => {
                if let Some(value) = attached.map(Value::literal).or_else(|| words.next()) {
                    obey(option, &value, sink);
                }
            }
            _ if option.starts_with('-') => {}
            _ => arguments.push(word),
        }
    }
    arguments
}

/// An option of `npm` that matters to its scripts.
fn obey(option: &str, value: &Value, sink: &mut dyn Sink) {
    match option {
        "-C" | "--prefix" => sink.change_directory(value),
        "--script-shell" => drop(sink.hooked_code(Lang::Shell, value)),
        _ => enter_workspace(value, sink),
    }
}

/// A workspace that is named by its directory; one that is named otherwise is not found.
fn enter_workspace(workspace: &Value, sink: &mut dyn Sink) {
    let Some(directory) = workspace.known() else { return };
    if sink.is_there(&Value::literal(format!("{directory}/{MANIFEST}"))) {
        sink.change_directory(workspace);
    }
}

/// `yarn NAME`, `pnpm NAME`, `bun FILE`; without a name, `yarn` installs.
fn script_by_name(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    read_input(parsed, sink);
    super::debug_ports::inspected(parsed, sink);
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
        package_scripts::run_along(MANIFEST, names, sink);
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
    // `@scope:registry` holds for the packages of that scope alone, and is how a company has its own.
    if matches!(key, "registry" | "npmRegistryServer") {
        let given = setting.split_once('=').map(|(_, address)| address.to_owned());
        let address = given.or_else(|| parsed.word(1)).unwrap_or_default();
        emit(sink, Verb::Configure, "package", address, Flags::FOREIGN_SOURCE);
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
