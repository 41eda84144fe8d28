//! Service managers.

use super::arguments::Parsed;
use super::operands::named;
use super::phrases::variable_from;
use super::power::{OFF, STATE};
use super::schema::{Aim, Deed, Do, Operands, Opt, Program, Role, Syntax, deed, flag, program, quiet, value};
use crate::effect::{Flags, ProcessTarget, Target, Verb};
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const STOP: Deed = deed(Verb::Service, Aim::Each("service"), Flags::STOP);
const RESTART: Deed = deed(Verb::Service, Aim::Each("service"), Flags::RESTART);
const ENABLE: Deed = deed(Verb::Service, Aim::Each("service"), Flags::ENABLE);
const DISABLE: Deed = deed(Verb::Service, Aim::Each("service"), Flags::DISABLE);
const PERSIST: Deed = deed(Verb::Persist, Aim::Each("service"), Flags::NONE);

const SYSTEMCTL: &[Opt] = &[
    flag("-h --help --version --dry-run", Do::Stop),
    flag("-f --force", Do::Set(Flags::FORCE)),
    value(
        "-t --type -p --property -P -n --lines -o --output -s --signal --kill-whom --kill-who --job-mode --root --image \
         -M --machine -H --host --state --what --firmware-setup --boot-loader-menu --timestamp --when --message",
        Role::Inert,
    ),
    quiet(
        "-a --all -l --full -q --quiet --now --user --system --global --no-block --no-pager --no-ask-password --runtime -i --check-inhibitors --failed",
    ),
];

pub(super) static PROGRAMS: &[Program] = &[
    program(&["systemctl"]).options(SYSTEMCTL).subs(&[
        program(&["poweroff", "reboot", "halt", "kexec", "soft-reboot"]).does(&[OFF]),
        program(&[
            "suspend",
            "hibernate",
            "hybrid-sleep",
            "suspend-then-hibernate",
            "sleep",
            "rescue",
            "emergency",
            "default",
            "switch-root",
            "exit",
        ])
        .does(&[STATE]),
        program(&["isolate"]).refine(isolate),
        program(&["set-environment"]).all(Role::Environment),
        program(&["start"]).refine(start),
        program(&["stop", "kill", "clean", "freeze"]).does(&[STOP]),
        program(&[
            "restart",
            "try-restart",
            "reload-or-restart",
            "try-reload-or-restart",
            "condrestart",
            "force-reload",
        ])
        .does(&[RESTART]),
        program(&["disable", "mask", "revert", "unmask"]).does(&[DISABLE]),
        program(&["enable", "reenable", "preset", "preset-all"]).does(&[ENABLE]),
        program(&["link", "edit", "add-wants", "add-requires", "set-default"]).does(&[PERSIST]),
        program(&["reload"]).does(&[deed(Verb::Service, Aim::Each("service"), Flags::GENTLE)]),
        program(&["show"]).refine(shown),
    ]),
    program(&["loginctl"]).env(super::escapes_pagers::PAGERS).subs(&[
        program(&["poweroff", "reboot", "halt", "kexec"]).does(&[OFF]),
        program(&["suspend", "hibernate", "hybrid-sleep"]).does(&[STATE]),
        program(&["enable-linger"]).does(&[PERSIST]),
        program(&["terminate-user", "kill-user", "terminate-session", "kill-session", "terminate-seat"])
            .does(&[deed(Verb::Kill, Aim::Each("session"), Flags::ALL)]),
    ]),
    program(&["service", "rc-service", "invoke-rc.d", "sc", "sc.exe"])
        .options(&[flag("--help --version --status-all -l --list", Do::Stop)])
        .operands(Operands::None)
        .refine(service),
    program(&["s6-svc", "svc"]).options(&[
        flag("-d -D -k -x -X -p", Do::Emit(STOP)),
        flag("-t -r -i", Do::Emit(RESTART)),
        flag("-u -U -o -O", Do::Emit(deed(Verb::Service, Aim::Each("service"), Flags::START))),
        quiet("-h -a -b -c -q -1 -2 -y"),
        value("-w -T", Role::Inert),
    ]),
    program(&["sv", "supervisorctl", "initctl", "monit", "pm2"])
        .options(&[value("-c -s -u -p -w", Role::Inert)])
        .operands(Operands::None)
        .refine(verb_first),
    program(&["rc-update"]).operands(Operands::None).refine(rc_update),
    program(&["chkconfig", "update-rc.d"])
        .options(&[flag("--list -n", Do::Stop), value("--level", Role::Inert), quiet("--add --del -f")])
        .operands(Operands::None)
        .refine(run_levels),
    program(&["launchctl"]).syntax(Syntax::Words).operands(Operands::None).refine(launchctl),
];

/// `systemctl show -p MainPID NAME` prints what only the service has.
fn shown(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(name) = parsed.word(0) {
        sink.print(Value::part_of(&format!("/run/systemd/units/{name}"), Provenance::OUTSIDE));
    }
}

/// `nginx -s stop`, `apachectl -k graceful-stop`: a server is told to end.
pub(super) fn told_to_end(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let told = parsed.value("-s -k").map(Value::shown).or_else(|| parsed.word(0)).unwrap_or_default();
    if matches!(told.as_str(), "stop" | "quit" | "graceful-stop") {
        named(Verb::Service, "service", parsed.program, Flags::STOP, sink);
    }
}

fn isolate(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let target = parsed.word(0).unwrap_or_default();
    power_target(&target, sink)
        .unwrap_or_else(|| named(Verb::Configure, "power state", &target, parsed.flags, sink));
}

/// Starting a target that powers off is powering off.
fn start(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for unit in parsed.words() {
        power_target(&unit, sink)
            .unwrap_or_else(|| named(Verb::Service, "service", &unit, parsed.flags | Flags::START, sink));
    }
}

fn power_target(unit: &str, sink: &mut dyn Sink) -> Option<()> {
    is_power_target(unit).then(|| sink.effect(Verb::Power, Target::None, Flags::NONE, Provenance::NONE))
}

/// Whether a unit is one that switches the machine off when it starts.
pub(super) fn is_power_target(unit: &str) -> bool {
    let name = unit.trim_end_matches(".target").trim_end_matches(".service");
    matches!(
        name,
        "poweroff"
            | "reboot"
            | "halt"
            | "kexec"
            | "shutdown"
            | "runlevel0"
            | "runlevel6"
            | "systemd-poweroff"
            | "systemd-reboot"
            | "systemd-halt"
            | "ctrl-alt-del"
    )
}

/// How a verb changes a service; none for those that only look.
fn change(verb: &str) -> Option<Flags> {
    Some(match verb {
        "stop" | "down" | "d" | "exit" | "e" | "kill" | "k" | "force-stop" | "shutdown" | "delete"
        | "remove" | "x" => Flags::STOP,
        "restart" | "force-reload" | "force-restart" | "condrestart" | "try-restart" | "t" => Flags::RESTART,
        "start" | "up" | "u" | "once" => Flags::START,
        "disable" | "unmonitor" | "failure" => Flags::DISABLE,
        "reload" | "hup" | "h" => Flags::GENTLE,
        _ => return None,
    })
}

/// `service NAME VERB`; on Windows `sc VERB NAME`.
fn service(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let (first, second) = (parsed.word(0).unwrap_or_default(), parsed.word(1).unwrap_or_default());
    // Names are looked up below a directory of scripts; one that leaves it starts whatever is there.
    if first.contains("../") {
        let path = format!("/{}", first.trim_start_matches("../"));
        return super::kinds::run(&[crate::value::Value::literal(path)], sink);
    }
    let (name, verb) = if change(&second).is_some() { (first, second) } else { (second, first) };
    if let Some(flags) = change(&verb) {
        named(Verb::Service, "service", &name, flags | parsed.flags, sink);
    }
}

fn verb_first(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(flags) = parsed.word(0).as_deref().and_then(change) else { return };
    let names: Vec<String> = parsed.words().skip(1).collect();
    for name in &names {
        named(Verb::Service, "service", name, flags | parsed.flags, sink);
    }
    if names.is_empty() {
        named(Verb::Service, "service", "", flags | parsed.flags, sink);
    }
}

fn rc_update(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let flags = match parsed.word(0).as_deref() {
        Some("add") => Flags::ENABLE,
        Some("del" | "delete") => Flags::DISABLE,
        Some(_) | None => return,
    };
    named(Verb::Service, "service", &parsed.word(1).unwrap_or_default(), flags, sink);
}

/// `update-rc.d NAME defaults`, `chkconfig NAME on`, `chkconfig --add NAME`.
fn run_levels(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let given = |name: &str| parsed.options.iter().any(|given| given.name == name);
    let flags = match parsed.word(1).as_deref() {
        Some("off" | "remove" | "disable") => Flags::DISABLE,
        Some("on" | "defaults" | "enable" | "start" | "reset") => Flags::ENABLE,
        Some(_) | None if given("--del") => Flags::DISABLE,
        Some(_) | None if given("--add") => Flags::ENABLE,
        Some(_) | None => return,
    };
    named(Verb::Service, "service", &parsed.word(0).unwrap_or_default(), flags, sink);
}

fn launchctl(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let verb = parsed.word(0).unwrap_or_default();
    let name = parsed.words().filter(|word| !word.starts_with('-')).last().unwrap_or_default();
    match verb.as_str() {
        "load" | "bootstrap" | "submit" => named(Verb::Persist, "service", &name, parsed.flags, sink),
        "enable" => named(Verb::Service, "service", &name, Flags::ENABLE, sink),
        "start" => named(Verb::Service, "service", &name, Flags::START, sink),
        "stop" | "kill" | "bootout" | "unload" | "remove" => {
            named(Verb::Service, "service", &name, Flags::STOP, sink);
        }
        "kickstart" => named(Verb::Service, "service", &name, Flags::RESTART, sink),
        "disable" => named(Verb::Service, "service", &name, Flags::DISABLE, sink),
        "setenv" => variable_from(parsed, 1, sink),
        "reboot" => sink.effect(Verb::Power, Target::None, parsed.flags, Provenance::NONE),
        "killAll" => {
            sink.effect(Verb::Kill, Target::Process(ProcessTarget::All), parsed.flags, Provenance::NONE);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_changes_nothing() {
        for verb in ["status", "list", "avail", "tail", "fg", "query", "s"] {
            assert_eq!(change(verb), None, "{verb}");
        }
        assert_eq!(change("stop"), Some(Flags::STOP));
    }
}
