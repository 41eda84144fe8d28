//! Tools that run a command in a prepared environment: versions, variables, secrets.

use super::arguments::Parsed;
use super::kinds::{HELP, run};
use super::rights::after_assignments;
use super::schema::{
    Aim, Do, Operands, Opt, Program, Role, Source, Syntax, deed, flag, program, quiet, until, value,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

const SHELL: Role = Role::Code(Lang::Shell);

/// A sub-command after which a command stands.
const fn exec(names: &'static [&'static str]) -> Program {
    program(names).syntax(Syntax::FirstOperandEnds).all(Role::Argv)
}

/// A program or sub-command that prints settings for the shell that started it.
const fn settings(names: &'static [&'static str]) -> Program {
    program(names).stdout(Source::Settings)
}

const DOTENV: &[Opt] = &[
    value("-e -f --file --env-file -p -v -c", Role::Inert),
    quiet("-o --override --no-override -q --quiet"),
];

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["nix-shell"]).options(&[
        HELP,
        quiet("--pure --impure"),
        value("--run --command", SHELL),
        value("-I -A --attr -E --expr --argstr --arg --keep --max-jobs -j --option", Role::Inert),
        quiet("-p --packages"),
    ]),
    program(&["nix"])
        .options(&[value(
            "--option --extra-experimental-features --experimental-features -I --store",
            Role::Inert,
        )])
        .subs(&[
            program(&["develop", "shell", "env shell"]).options(&[
                until("-c --command", &[], Role::Argv),
                value("--profile --inputs-from --override-input -f --file --expr -k --keep", Role::Inert),
            ]),
            program(&["eval"]).options(&[value("--expr -f --file --apply", Role::Inert)]),
            program(&["run"]).refine(flake),
        ]),
    program(&["conda", "mamba", "micromamba"]).subs(&[
        exec(&["run"]).options(&[
            quiet("--no-capture-output --live-stream -v --verbose --dev"),
            value("-n --name -p --prefix --cwd", Role::Inert),
        ]),
        settings(&["shell hook", "shell.*"]),
    ]),
    program(&["pyenv", "rbenv", "nodenv", "goenv", "jenv", "plenv"])
        .subs(&[exec(&["exec"]), settings(&["init", "virtualenv-init"])]),
    program(&["proto"]).subs(&[exec(&["exec", "run"])]),
    program(&["rvm"])
        .syntax(Syntax::FirstOperandEnds)
        .subs(&[exec(&["exec", "do"])])
        .operands(Operands::None)
        .refine(with_version),
    exec(&["cross-env-shell"]).operands(Operands::None).refine(environment_shell),
    exec(&["cross-env"])
        .operands(Operands::None)
        .refine(|parsed, sink| run(&after_assignments(parsed, sink), sink)),
    exec(&["dotenv"]).options(DOTENV).subs(&[exec(&["run"]).options(DOTENV)]),
    exec(&["dotenv-cli", "env-cmd"])
        .options(&[value("-e -f --file --env-file -p -v -c", Role::Inert), quiet("-o --override -q")]),
    program(&["berglas"]).subs(&[
        exec(&["exec"]).options(&[value("-p --project --config --env --path --token -f", Role::Inert)]),
        program(&["access", "read", "export"])
            .does(&[deed(Verb::Read, Aim::Kind("secret"), Flags::NONE)])
            .stdout(Source::Secret),
    ]),
    program(&["direnv"]).subs(&[
        exec(&["exec"]).operands(Operands::Each(&[Role::Inert, Role::Argv])),
        settings(&["export", "hook"]),
    ]),
    program(&["mise", "rtx"])
        .options(&[
            value("-C --cd", Role::Directory),
            value("-E --env -j --jobs", Role::Inert),
            quiet("-q --quiet -y --yes -v --verbose"),
        ])
        .subs(&[
            program(&["exec", "x"])
                .options(&[value("-c --command", SHELL), value("-j --jobs", Role::Inert)])
                .operands(Operands::None)
                .refine(after_tools),
            settings(&["activate", "env", "hook-env"]),
        ]),
    program(&["asdf"]).subs(&[exec(&["exec"])]),
    program(&["nvm"]).subs(&[exec(&["exec", "run"]).operands(Operands::Each(&[Role::Inert, Role::Argv]))]),
    program(&["fnm", "volta"]).subs(&[
        exec(&["exec", "run"]).options(&[value("--using --node --npm --yarn", Role::Inert)]),
        settings(&["env"]),
    ]),
    settings(&["dircolors", "lesspipe", "lesspipe.sh", "register-python-argcomplete", "resize", "tset"]),
    program(&["starship", "zoxide", "atuin", "mcfly", "navi", "oh-my-posh", "thefuck", "fasd"])
        .options(&[flag("--alias --init", Do::Operands(Operands::None))])
        .subs(&[settings(&["init", "widget"])]),
    program(&["dotenvx"])
        .options(&[value("-e -f --file --env-file -p -v -c", Role::Inert)])
        .subs(&[exec(&["run"]).options(&[value("-f --env-file -e --env", Role::Inert)])]),
    program(&["doppler", "infisical", "teller", "chamber", "aws-vault", "saml2aws", "granted"]).subs(&[
        exec(&["run"]).options(&[value("--command", SHELL), value(SCOPES, Role::Inert)]),
        exec(&["exec"])
            .options(&[value(PROFILES, Role::Inert)])
            .operands(Operands::None)
            .refine(after_profile),
        program(&["secrets delete", "projects delete", "environments delete", "configs delete", "delete"])
            .does(&[deed(Verb::Destroy, Aim::Kind("secret"), Flags::NONE)]),
        program(&["secrets", "export", "read", "show", "env"])
            .does(&[deed(Verb::Read, Aim::Kind("secret"), Flags::NONE)])
            .stdout(Source::Secret),
    ]),
    program(&["op"]).options(&[value("--account --vault --format --session --cache", Role::Inert)]).subs(&[
        exec(&["run"]).options(&[value("--env-file", Role::Read), quiet("--no-masking")]),
        program(&["read", "item get", "document get", "inject", "get item", "get document"])
            .does(&[deed(Verb::Read, Aim::Kind("secret"), Flags::NONE)])
            .stdout(Source::Secret),
        program(&["item delete", "vault delete", "document delete", "user delete", "group delete"])
            .does(&[deed(Verb::Destroy, Aim::Kind("secret"), Flags::NONE)]),
    ]),
];

const PROFILES: &str = "-a --profile -b --backend -d --duration -r --region -t --mfa-token --idp-account";
const SCOPES: &str = "-p --project -c --config --env --path --token";

/// `nix run FLAKE` builds and runs what an address holds; nixpkgs is the usual source.
fn flake(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(address) = parsed.word(0).as_deref().and_then(super::runners::address) else { return };
    if !address.to_ascii_lowercase().starts_with("github:nixos/") {
        super::phrases::emit(sink, Verb::Install, "package", address, Flags::NONE);
    }
}

/// `aws-vault exec PROFILE [--] CMD…`.
fn after_profile(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let command =
        super::phrases::after_dashes(parsed).unwrap_or_else(|| super::kinds::operands_from(parsed, 1));
    if !command.is_empty() {
        run(&command, sink);
    }
}

/// `cross-env-shell A=b TEXT…`: a shell gets all words.
fn environment_shell(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = after_assignments(parsed, sink);
    if !words.is_empty() {
        sink.code(Lang::Shell, &super::kinds::joined(&words));
    }
}

/// `rvm VERSION do CMD…`.
fn with_version(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.subcommands.is_empty() && parsed.word(1).as_deref() == Some("do") {
        super::kinds::run_from(parsed, 2, sink);
    }
}

/// `mise exec TOOL… -- CMD…`: the command stands after the dashes.
fn after_tools(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<Value> = parsed.all.iter().map(|argument| argument.value.clone()).collect();
    let dashes = words.iter().position(|word| word.known().is_some_and(|word| word == "--"));
    if let Some(command) = dashes.and_then(|at| words.get(at + 1..)).filter(|command| !command.is_empty()) {
        super::kinds::run(command, sink);
    }
}
