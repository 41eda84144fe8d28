//! Programs that run others with another user's rights.

use super::arguments::Parsed;
use super::kinds::{HELP, joined, operands_from, run};
use super::schema::{
    Do, Opt, Program, Role, Syntax, attached, flag, program, quiet, until, value, value_does,
};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["sudo", "sudo-rs"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            quiet("-B --bell -b --background -E -H --set-home -K --remove-timestamp -k --reset-timestamp -N --no-update"),
            quiet("-n --non-interactive -P --preserve-groups -s --shell -i --login"),
            attached("--preserve-env", Do::Nothing),
            quiet("-A --askpass -S --stdin"),
            flag("-l --list -v --validate -V --version -h --help", Do::Stop),
            quiet("-e --edit"),
            value("-C --close-from -c --login-class -a --auth-type -g --group -p --prompt -r --role", Role::Inert),
            value("-T --command-timeout -t --type -U --other-user -u --user -R --chroot", Role::Inert),
            value("-D --chdir", Role::Inert),
        ])
        .env(&[("SUDO_ASKPASS", Role::Program), ("SUDO_EDITOR", Role::Code(Lang::Shell))])
        .refine(sudo),
    program(&["doas"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[quiet("-n -s"), flag("-L", Do::Stop), value("-a -u", Role::Inert), value_does("-C", Do::Stop)])
        .refine(switch_user),
    program(&["pkexec"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[HELP, quiet("--disable-internal-agent --keep-cwd"), value("--user -u", Role::Inert)])
        .refine(switch_user),
    program(&["run0"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            HELP,
            quiet("--no-ask-password --pty --pipe --via-shell -i"),
            value("-u --user -g --group --unit --property --description --slice --machine --background", Role::Inert),
            value("--nice --setenv", Role::Inert),
            value("-D --chdir", Role::Directory),
        ])
        .refine(switch_user),
    program(&["ksu"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            quiet("-k -f -p -F -P -q -D"),
            value("-n -c -r", Role::Inert),
            until("-e", &[], Role::Inert),
            until("-a", &[], Role::Inert),
        ])
        .refine(ksu),
    program(&["su"])
        .options(SU_OPTIONS)
        .refine(su),
    program(&["runuser"])
        .options(SU_OPTIONS)
        .refine(runuser),
    // Both take the user, then the command.
    program(&["gosu", "su-exec", "setuidgid", "s6-setuidgid"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[HELP])
        .refine(user_then_command),
    program(&["setpriv"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            HELP,
            flag("-d --dump --list-caps", Do::Stop),
            quiet("--no-new-privs --nnp --clear-groups --keep-groups --init-groups --reset-env --ptracer"),
            value("--ambient-caps --inh-caps --bounding-set --ruid --euid --rgid --egid --reuid --regid", Role::Inert),
            value("--groups --securebits --pdeathsig --selinux-label --apparmor-profile --landlock-access", Role::Inert),
            value("--landlock-rule --seccomp-filter", Role::Inert),
        ])
        .all(Role::Argv),
    program(&["capsh"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            flag("--print --supports --current --explain --decode --help -h", Do::Nothing),
            attached("--drop --caps --inh --iab --uid --user --gid --groups --secbits --chroot --addamb", Do::Nothing),
            attached("--shell", Do::Is(Role::Program)),
        ])
        .refine(capsh),
    // A login prompt on a terminal; `-l` replaces the login program.
    program(&["agetty", "getty"]).options(&[
        value("-l --login-program", Role::Program),
        value("-a --autologin -f --issue-file -H --host -I --init-string -o --login-options -t --timeout", Role::Inert),
    ]),
    program(&["login"])
        .options(&[quiet("-p -f"), value("-h", Role::Inert)])
        .refine(su),
];

const SU_OPTIONS: &[Opt] = &[
    HELP,
    quiet("-f --fast -m -p --preserve-environment -P --pty -l --login"),
    value("-c --command --session-command", Role::Inert),
    value("-s --shell -g --group -G --supp-group -w --whitelist-environment -u --user", Role::Inert),
];

/// `sudo`: rights and place first, then the command, a shell, or files to edit.
fn sudo(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    escalate(parsed, sink);
    if parsed.has("-e --edit") {
        return edit(parsed, sink);
    }
    if let Some(directory) = parsed.value("-D --chdir") {
        sink.change_directory(directory);
    }
    let command = after_assignments(parsed, sink);
    match (command.is_empty(), parsed.has("-s --shell -i --login")) {
        (true, true) => run(&[Value::literal("sh")], sink),
        (true, false) => {}
        // Several words are quoted before the shell gets them.
        (false, true) if command.len() == 1 => {
            run(&[Value::literal("sh"), Value::literal("-c"), joined(&command)], sink);
        }
        (false, true | false) => run(&command, sink),
    }
}

/// Says who the rights are taken from, and how the password is given.
fn escalate(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let user =
        parsed.value("-u --user").and_then(Value::known).map_or_else(|| "root".to_owned(), String::from);
    let mut flags = Flags::NONE;
    if parsed.program.starts_with("sudo") && parsed.has("-S --stdin") {
        flags |= Flags::PASSWORD;
    }
    if parsed.program.starts_with("sudo") && parsed.has("-A --askpass") {
        flags |= Flags::HOOK;
    }
    sink.effect(Verb::Escalate, Target::Named("account", user), flags, Provenance::NONE);
    sink.escalate();
}

/// Takes the leading `NAME=value` operands for the command; returns the command.
pub(super) fn after_assignments(parsed: &Parsed<'_>, sink: &mut dyn Sink) -> Vec<Value> {
    let mut count = 0;
    for argument in &parsed.operands {
        let Some((name, content)) = super::kinds::split_once(&argument.value, '=') else { break };
        sink.set_variable(&name, &content);
        count += 1;
    }
    operands_from(parsed, count)
}

fn edit(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for argument in &parsed.operands {
        sink.path(Verb::Write, &argument.value, Flags::IN_PLACE);
    }
}

/// `doas`, `pkexec`, `run0`: a command, or a shell when there is none.
fn switch_user(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    escalate(parsed, sink);
    let command = operands_from(parsed, 0);
    if command.is_empty() {
        run(&[Value::literal("sh")], sink);
    } else {
        run(&command, sink);
    }
}

fn ksu(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    escalate(parsed, sink);
    let command: Vec<Value> = parsed
        .options
        .iter()
        .find(|given| given.name == "-e")
        .map_or_else(Vec::new, |given| given.values.clone());
    if command.is_empty() {
        run(&[Value::literal("sh")], sink);
    } else {
        run(&command, sink);
    }
}

/// `su [-] [user] [-c CODE]`: without code, a shell that reads its input.
fn su(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    escalate(parsed, sink);
    shell_or_code(parsed, sink);
}

/// `runuser` is `su`, or with `-u USER` a wrapper.
fn runuser(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    escalate(parsed, sink);
    if parsed.has("-u --user") {
        super::kinds::run_from(parsed, 0, sink);
    } else {
        shell_or_code(parsed, sink);
    }
}

/// What stands behind the user's name is the shell's: `su - root -- -c CODE`, `su root script`.
fn shell_or_code(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut argv = vec![parsed.value("-s --shell").cloned().unwrap_or_else(|| Value::literal("sh"))];
    if let Some(code) = parsed.value("-c --command --session-command") {
        argv.extend([Value::literal("-c"), code.clone()]);
    }
    let names = parsed.operands.iter().map(|operand| &operand.value);
    let login = usize::from(parsed.word(0).is_some_and(|word| word == "-"));
    argv.extend(names.skip(login + 1).filter(|word| word.known().as_deref() != Some("-")).cloned());
    run(&argv, sink);
}

fn user_then_command(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    escalate(parsed, sink);
    super::kinds::run_from(parsed, 1, sink);
}

/// `capsh -- ARGS` hands its arguments to a shell.
fn capsh(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let shell = parsed
        .all
        .iter()
        .any(|argument| argument.value.known().is_some_and(|word| word == "--" || word == "=="));
    if shell {
        let mut argv = vec![Value::literal("sh")];
        argv.extend(operands_from(parsed, 0));
        run(&argv, sink);
    }
}
