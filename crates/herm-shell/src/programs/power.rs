//! Programs that switch the machine off, or to another state.

use super::arguments::Parsed;
use super::operands::named;
use super::schema::{Aim, Deed, Do, Program, Role, deed, flag, program, quiet, value};
use crate::effect::{Flags, Target, Verb};
use crate::sink::Sink;
use crate::value::{Provenance, Value};

pub(super) const OFF: Deed = deed(Verb::Power, Aim::None, Flags::NONE);
pub(super) const STATE: Deed = deed(Verb::Configure, Aim::Kind("power state"), Flags::NONE);

pub(super) static PROGRAMS: &[Program] = &[
    // -c takes back a planned shutdown, -k only warns.
    program(&["shutdown"])
        .options(&[
            flag("--help --version -c --show -k /a /?", Do::Stop),
            quiet("-h -r -H -P -f -F -n --no-wall --reboot --halt --poweroff"),
        ])
        .refine(shutdown),
    program(&["reboot", "halt", "poweroff"])
        .options(&[
            flag("--help --version -w --wtmp-only", Do::Stop),
            quiet("-f --force -p -n -d -i -h --no-wall --no-wtmp --reboot --halt --poweroff"),
        ])
        .does(&[OFF]),
    program(&["init", "telinit", "openrc-shutdown"])
        .options(&[flag("--help --version", Do::Stop)])
        .refine(init),
    program(&["rtcwake"])
        .options(&[
            flag("--help --version -n --dry-run --list-modes", Do::Stop),
            value("-m --mode", Role::Inert),
            value("-s --seconds -t --time -d --device --date", Role::Inert),
        ])
        .refine(rtcwake),
    program(&["pm-suspend", "pm-hibernate", "zzz", "ZZZ"]).does(&[STATE]),
    program(&["pmset"]).options(&[flag("-g", Do::Stop)]).does(&[STATE]),
    program(&["kexec"]).options(&[
        flag("--help --version -p --load-panic -S --status", Do::Stop),
        flag("-e --exec -f --force", Do::Emit(OFF)),
        flag("-l --load -s -u --unload", Do::Emit(deed(Verb::Load, Aim::Kind("kernel module"), Flags::NONE))),
        value("--initrd --append --command-line --type", Role::Inert),
    ]),
];

/// Windows aborts with `/a`.
fn shutdown(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.words().any(|word| matches!(word.as_str(), "/a" | "/?" | "/A")) {
        sink.effect(Verb::Power, Target::None, parsed.flags, Provenance::NONE);
    }
}

/// Run levels: 0 halts, 6 reboots, 1 and s leave one user; q, u and numbers between only reload or switch.
fn init(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    match parsed.word(0).as_deref() {
        Some("0" | "6") => sink.effect(Verb::Power, Target::None, parsed.flags, Provenance::NONE),
        Some(level @ ("1" | "s" | "S" | "2" | "3" | "4" | "5")) => {
            named(Verb::Configure, "power state", level, parsed.flags, sink);
        }
        Some(_) | None => {}
    }
}

fn rtcwake(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    match parsed.value("-m --mode").map(Value::shown).as_deref() {
        Some("no" | "show" | "disable" | "on") => {}
        Some("off") => sink.effect(Verb::Power, Target::None, parsed.flags, Provenance::NONE),
        Some(_) | None => named(Verb::Configure, "power state", "suspend", parsed.flags, sink),
    }
}
