//! Accounts, groups and passwords.

use super::arguments::Parsed;
use super::operands::named;
use super::schema::{Aim, Deed, Do, Operands, Opt, Program, Role, Syntax, deed, flag, program, quiet, value};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const HELP: Opt = flag("--help --version", Do::Stop);
const ACCOUNT: Deed = deed(Verb::Account, Aim::Each("account"), Flags::NONE);

pub(super) static PROGRAMS: &[Program] = &[
    program(&["useradd", "adduser", "usermod", "groupadd", "addgroup", "groupmod", "newusers", "lgroupadd", "luseradd"])
        .options(&[
            HELP,
            value("-u --uid -g --gid -G --groups -d --home -s --shell -c --comment -e --expiredate -f --inactive -p --password -k --skel -K --key -l --login -b --base-dir -h -S --ingroup --gecos -R --root -n -Z --selinux-user", Role::Inert),
            quiet("-m --create-home -a --append -r --system -o --non-unique -M -N -U -L --lock -D --disabled-password --disabled-login"),
        ])
        .does(&[ACCOUNT]),
    program(&["userdel", "deluser", "groupdel", "delgroup"])
        .options(&[HELP, flag("-r --remove --remove-home --remove-all-files", Do::Set(Flags::RECURSIVE)), quiet("-f --force")])
        .does(&[deed(Verb::Account, Aim::Each("account"), Flags::IRREVERSIBLE)]),
    program(&["gpasswd", "chsh", "chfn", "vipw", "vigr", "chpasswd", "chgpasswd", "pwconv", "pwunconv", "grpconv"])
        .options(&[HELP, flag("-l --list-shells", Do::Stop), value("-a --add -d --delete -M -A -s --shell -f -c --crypt-method", Role::Inert)])
        .does(&[ACCOUNT]),
    program(&["passwd"])
        .options(&[flag("--help --version -S --status", Do::Stop), value("-i --inactive -n --mindays -w --warndays -x --maxdays -r --repository", Role::Inert), quiet("-d --delete -l --lock -u --unlock -e --expire --stdin")])
        .does(&[ACCOUNT]),
    program(&["chage"]).options(&[flag("--help -l --list", Do::Stop), value("-d --lastday -E --expiredate -I --inactive -m --mindays -M --maxdays -W --warndays -R --root -P --prefix", Role::Inert)]).does(&[ACCOUNT]),
    program(&["visudo"]).options(&[flag("--help --version -c --check", Do::Stop), value("-f --file", Role::Inert), quiet("-s -q -O -P")]).operands(Operands::None).refine(visudo),
    program(&["sudoedit", "sudoreplay"])
        .options(&[value("-u -g -p", Role::Inert)])
        .env(&[("SUDO_EDITOR", Role::Code(Lang::Shell)), ("VISUAL", Role::Code(Lang::Shell)), ("EDITOR", Role::Code(Lang::Shell))])
        .all(Role::Write),
    program(&["dscl"]).syntax(Syntax::Words).operands(Operands::None).refine(dscl),
    program(&["sysadminctl", "dseditgroup"]).does(&[ACCOUNT]),
    program(&["getent"]).options(&[HELP, value("-s --service", Role::Inert)]).refine(getent),
    program(&["unshadow"]).all(Role::Read),
    program(&["newgrp"]).syntax(Syntax::FirstOperandEnds).operands(Operands::Each(&[Role::Inert])),
    program(&["sg"]).options(&[flag("-c", Do::Nothing)]).refine(sg),
];

/// Where it says who has which home.
const ACCOUNTS: &str = "/etc/passwd";

/// The editor opens the file that decides who may do what.
fn visudo(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let standard = Value::literal("/etc/sudoers");
    let file = parsed.value("-f --file").or_else(|| parsed.operand(0)).unwrap_or(&standard);
    named(Verb::Account, "account", "sudoers", parsed.flags, sink);
    sink.path(Verb::Write, file, parsed.flags | Flags::IN_PLACE);
}

fn dscl(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let changes = |word: &String| {
        matches!(word.trim_start_matches('-'), "create" | "delete" | "append" | "change" | "passwd" | "merge")
    };
    if parsed.words().any(|word| changes(&word)) {
        named(Verb::Account, "account", &parsed.words().last().unwrap_or_default(), parsed.flags, sink);
    }
}

fn getent(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    match parsed.word(0).as_deref() {
        Some(database @ ("shadow" | "gshadow")) => {
            sink.read(&Value::literal(format!("/etc/{database}")));
        }
        Some("passwd") => sink.print(Value::part_of(ACCOUNTS, Provenance::OUTSIDE)),
        Some(_) | None => {}
    }
}

/// `sg GROUP [-c] CODE`; without code, a shell.
fn sg(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let code = parsed.operand(1).cloned().unwrap_or_else(|| Value::literal("sh"));
    super::kinds::hook(&code, Flags::NONE, sink);
}
