//! Kernel modules and settings, logs, security modules.

use super::arguments::Parsed;
use super::operands::named;
use super::schema::{
    Aim, Deed, Do, Operands, Opt, Program, Role, Syntax, attached, deed, flag, program, quiet, value,
    value_does,
};
use crate::effect::{Flags, Verb};
use crate::sink::Sink;

const HELP: Opt = flag("--help --version", Do::Stop);
const LOAD: Deed = deed(Verb::Load, Aim::Each("kernel module"), Flags::NONE);
const UNLOAD: Deed = deed(Verb::Configure, Aim::Each("kernel module"), Flags::STOP);
const CLEAR_LOG: Deed = deed(Verb::Destroy, Aim::Kind("audit"), Flags::IRREVERSIBLE);
const AUDIT_OFF: Deed = deed(Verb::Disable, Aim::Kind("audit"), Flags::NONE);
const GUARD_OFF: Deed = deed(Verb::Disable, Aim::Each("guard"), Flags::NONE);

pub(super) static PROGRAMS: &[Program] = &[
    program(&["insmod"]).options(&[HELP]).operands(Operands::Each(&[Role::Library, Role::Inert])).does(&[deed(Verb::Load, Aim::First("kernel module"), Flags::NONE)]),
    program(&["rmmod"]).options(&[HELP, flag("-f --force", Do::Set(Flags::FORCE)), quiet("-s -v -w")]).does(&[UNLOAD]),
    program(&["modprobe"])
        .options(&[
            flag("--help --version -n --dry-run --show -c --showconfig -D --show-depends -R --resolve-alias --dump-modversions", Do::Stop),
            quiet("-r --remove"),
            flag("-f --force", Do::Set(Flags::FORCE)),
            value("-C --config -d --dirname -S --set-version", Role::Inert),
        ])
        .operands(Operands::None)
        .refine(modprobe),
    program(&["kmod"]).subs(&[program(&["load"]).does(&[LOAD]), program(&["unload"]).does(&[UNLOAD])]),
    program(&["kextload", "kextutil"]).does(&[LOAD]),
    program(&["kextunload"]).does(&[UNLOAD]),
    program(&["depmod", "dkms", "mkinitcpio", "update-initramfs", "dracut"]),
    program(&["update-grub", "grub-mkconfig", "grub-install", "grub2-install", "efibootmgr", "bootctl", "bcdedit", "nvram", "bless"])
        .options(&[flag("--help --version -v /enum -p", Do::Stop), value("-o --output", Role::Write)])
        .refine(boot),
    program(&["sysctl"])
        .options(&[flag("--help --version -a --all -A -X", Do::Stop), quiet("-w --write"), attached("-p --load", Do::Nothing), flag("--system", Do::Nothing), quiet("-n -e -q -N -b")])
        .operands(Operands::None)
        .refine(sysctl),
    program(&["dmesg"]).options(&[
        HELP,
        flag("-c --read-clear -C --clear", Do::Emit(CLEAR_LOG)),
        value("-l --level -f --facility -s --buffer-size -n --console-level --since --until --time-format", Role::Inert),
        value("-F --file", Role::Read),
    ]),
    program(&["journalctl"]).options(&[
        HELP,
        value_does("--vacuum-size --vacuum-time --vacuum-files", Do::Emit(CLEAR_LOG)),
        value("--file", Role::Read),
        value("-u --unit --user-unit -n --lines -o --output -p --priority -S --since -U --until -t --identifier -g --grep -D --directory -M --root --facility -b", Role::Inert),
        quiet("-f -r -e -x -k -q -a --rotate --flush --sync --no-pager"),
    ])
    .env(super::escapes_pagers::PAGERS),
    program(&["logrotate"]).options(&[flag("-d --debug --help --version", Do::Stop), value("-s --state -l --log", Role::Write), value("-m --mail", Role::Program)]).operands(Operands::None).refine(rotation_scripts),
    program(&["wevtutil"]).subs(&[program(&["cl", "clear-log"]).does(&[CLEAR_LOG])]),
    program(&["setenforce"]).refine(setenforce),
    program(&["setsebool", "semodule", "semanage"]).options(&[flag("-l --list -h --help", Do::Stop), value("-i -r -d", Role::Inert)]).does(&[GUARD_OFF]),
    program(&["aa-disable", "aa-complain", "aa-teardown", "aa-remove-unknown"]).does(&[GUARD_OFF]),
    program(&["aa-enforce", "aa-status", "aa-genprof", "getenforce", "sestatus"]),
    program(&["apparmor_parser"]).options(&[flag("-R --remove", Do::Emit(GUARD_OFF)), quiet("-r --replace -a --add -p -Q")]).operands(Operands::Rest(Role::Read)),
    program(&["auditctl"]).options(&[
        flag("-l -s -v -h", Do::Stop),
        flag("-D", Do::Emit(AUDIT_OFF)),
        value_does("-e -d -W", Do::Emit(AUDIT_OFF)),
        value("-a -A -w -k -F -S -p -b -f -r", Role::Inert),
    ]),
    program(&["spctl"]).options(&[flag("--master-disable --global-disable --disable", Do::Emit(GUARD_OFF)), quiet("--status --assess -a -v")]),
    program(&["csrutil", "fdesetup"]).subs(&[program(&["disable", "clear", "authenticated-root disable"]).does(&[deed(Verb::Disable, Aim::Kind("guard"), Flags::NONE)])]),
    program(&["tccutil"]).subs(&[program(&["reset"]).does(&[GUARD_OFF])]),
    program(&["tmutil"]).subs(&[
        program(&["disable", "disablelocal", "removedestination"]).does(&[GUARD_OFF]),
        program(&["delete", "deletelocalsnapshots", "deleteinprogress", "thinlocalsnapshots"])
            .does(&[deed(Verb::Destroy, Aim::Kind("volume"), Flags::IRREVERSIBLE)]),
    ]),
    program(&["defaults"]).subs(&[
        program(&["write", "import"]).refine(preference),
        program(&["read", "read-type", "find", "domains", "export", "help", "delete", "rename"]),
    ]),
    program(&["bpftool"]).syntax(Syntax::Words).operands(Operands::None).refine(bpf),
    program(&["ausearch", "aureport"]).options(&[value("-k -m -ts -te -if", Role::Inert)]),
    program(&["vssadmin"]).syntax(Syntax::Words).operands(Operands::None).refine(vssadmin),
    program(&["wbadmin"]).subs(&[program(&["delete"]).does(&[deed(Verb::Destroy, Aim::Kind("volume"), Flags::IRREVERSIBLE)])]),
];

/// `defaults write com.apple.loginwindow LoginHook FILE` runs a file at every login; some keys are a protection.
fn preference(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let key = parsed.word(1).unwrap_or_default().to_ascii_lowercase();
    match key.as_str() {
        "loginhook" | "logouthook" | "autolaunchedapplicationdictionary" => {
            named(Verb::Persist, "service", &key, Flags::NONE, sink);
        }
        "lsquarantine" | "gkautorearm" | "disablegatekeeper" | "globalstate" => {
            named(Verb::Disable, "guard", &key, Flags::NONE, sink);
        }
        _ => {}
    }
}

/// `bpftool prog load FILE`, `prog attach`: code for the kernel.
fn bpf(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<String> = parsed.all.iter().map(|argument| argument.value.shown()).collect();
    let loads =
        words.iter().any(|word| matches!(word.as_str(), "load" | "loadall" | "attach" | "register" | "run"));
    if loads {
        named(Verb::Load, "kernel module", &words.join(" "), Flags::NONE, sink);
    }
}

/// `postrotate` … `endscript` in a configuration is shell text.
fn rotation_scripts(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for file in &parsed.operands {
        let text = sink.read(&file.value);
        let Some(text) = text.known() else { continue };
        let mut script: Option<String> = None;
        for line in text.lines().map(str::trim) {
            match (line, &mut script) {
                ("prerotate" | "postrotate" | "firstaction" | "lastaction" | "preremove", _) => {
                    script = Some(String::new());
                }
                ("endscript", _) => {
                    let code = script.take().unwrap_or_default();
                    super::kinds::hook(&crate::value::Value::literal(code.trim()), Flags::NONE, sink);
                }
                (line, Some(script)) => {
                    script.push_str(line);
                    script.push('\n');
                }
                (_, None) => {}
            }
        }
    }
}

fn modprobe(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let (verb, how) =
        if parsed.has("-r --remove") { (Verb::Configure, Flags::STOP) } else { (Verb::Load, Flags::NONE) };
    for module in parsed.words() {
        named(verb, "kernel module", &module, parsed.flags | how, sink);
    }
}

fn boot(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let harmless = matches!(parsed.program, "efibootmgr" | "bootctl" | "bcdedit" | "nvram" | "bless")
        && parsed.all.is_empty()
        || matches!(parsed.word(0).as_deref(), Some("status" | "list" | "/enum" | "is-installed"));
    if !harmless {
        named(Verb::Configure, "kernel parameter", "boot loader", parsed.flags, sink);
    }
}

/// `sysctl name` reads, `sysctl name=value` and `-w` write, `-p` loads a file.
fn sysctl(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for setting in parsed.words().filter(|word| word.contains('=')) {
        named(Verb::Configure, "kernel parameter", &setting, parsed.flags, sink);
    }
    if parsed.has("-p --load") || parsed.options.iter().any(|given| given.name == "--system") {
        named(Verb::Configure, "kernel parameter", "from a file", parsed.flags, sink);
    }
}

fn setenforce(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.word(0).is_some_and(|mode| mode == "0" || mode.eq_ignore_ascii_case("permissive")) {
        named(Verb::Disable, "guard", "SELinux", parsed.flags, sink);
    }
}

fn vssadmin(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.word(0).is_some_and(|verb| verb.eq_ignore_ascii_case("delete")) {
        named(Verb::Destroy, "volume", "shadow copies", parsed.flags | Flags::IRREVERSIBLE, sink);
    }
}
