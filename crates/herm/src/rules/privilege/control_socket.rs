//! Speaking to those who do for others what they say.

use herm_shell::{Flags, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_guards_own, paths};

/// Speaking in raw words to a socket that takes commands.
pub static CONTROL_SOCKET: Rule = Rule {
    name: "control-socket",
    title: "speak to a socket that takes commands",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Words sent to the socket of a bus, a terminal multiplexer, an agent of keys, a display or the like by a program that only carries them; a call over D-Bus that has a service of the machine or the desktop do something.",
    matters: "Whoever listens there runs programs, signs with keys or types for whoever asks, outside of everything that was judged.",
    instead: "Use the program that the socket is for: what it is told can be read.",
    suggestion: "",
    examples: &[
        "nc -U /tmp/tmux-1000/default",
        "socat - UNIX-CONNECT:/run/user/1000/bus",
        "curl --unix-socket /run/snapd.socket -X POST http://localhost/v2/snaps/x",
        "cd /run/systemd && nc -U private",
        "nc -U ~/.herm/herm.sock",
        "busctl call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager StartUnit ss x.service replace",
        "dbus-send --system --dest=org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager.LockSessions",
        "gdbus call --session --dest org.gnome.Shell --object-path /org/gnome/Shell --method org.gnome.Shell.Eval 'x'",
    ],
    near_misses: &[
        "nc -U ./app.sock",
        "socat - UNIX-CONNECT:/tmp/app.sock",
        "nc -lU /tmp/tmux-1000/mine",
        "curl --unix-socket /run/snapd.socket http://localhost/v2/snaps",
        "busctl list",
        "busctl get-property org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager Version",
        "dbus-send --session --dest=org.freedesktop.Notifications /org/freedesktop/Notifications org.freedesktop.Notifications.Notify",
        "dbus-send --system --dest=org.freedesktop.login1 --print-reply /org/freedesktop/login1 org.freedesktop.login1.Manager.ListSessions",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let sent = paths(facts, &[Verb::Send]).filter(|(effect, path)| {
        path.places.has(Places::CONTROL_SOCKET) && !effect.flags.has(Flags::METADATA)
    });
    for (effect, path) in sent {
        report.effect(effect, format!("tells whoever listens at `{}` what to do", path.shown));
    }
    // Whoever speaks to the guard's own socket answers the questions that were asked about it.
    for (effect, path) in paths(facts, &[Verb::Send]).filter(|(_, path)| is_guards_own(path)) {
        report.effect_as(Stance::Deny, effect, format!("speaks to the guard at `{}`", path.shown));
    }
}
