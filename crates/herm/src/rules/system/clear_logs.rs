//! Empties or deletes logs, or a history of commands.

use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, PathTarget, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::paths;

pub(crate) static CLEAR_LOGS: Rule = Rule {
    name: "clear-logs",
    title: "clear logs or history",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Empties or deletes logs, or a history of commands.",
    matters: "They are what tells people afterwards what happened.",
    instead: "Copy what you need out of them.",
    suggestion: "tail -n 20 /var/log/syslog",
    examples: &[
        "rm /var/log/auth.log",
        "> /var/log/syslog",
        "truncate -s 0 /var/log/auth.log",
        "python3 app.py > /var/log/auth.log",
        "python3 app.py > /var/log/nginx/access.log",
        "echo > /var/log/app.log",
        "rm ~/.bash_history",
        "shred ~/.bash_history",
        "sed -i /10.0.0.1/d /var/log/auth.log",
    ],
    near_misses: &[
        "tail /var/log/syslog",
        "rm build.log",
        "echo x >> /var/log/app.log",
        "python3 app.py > /var/log/app.log 2>&1",
        "cat ~/.bash_history",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let records = Places::LOG.and(Places::HISTORY);
    let lost = paths(facts, &[Verb::Delete, Verb::Link, Verb::Write])
        .filter(|(effect, path)| path.places.any(records) && is_lost(effect) && is_named(path))
        .filter(|(effect, path)| !is_own(facts, effect, path));
    for (effect, path) in lost {
        report.effect(effect, format!("loses the records in `{}`", path.shown));
    }
}

/// An unknown name that ends as a record's might (`$1.txt`) is not yet a record.
fn is_named(path: &PathTarget) -> bool {
    let name = path.shown.rsplit('/').next().unwrap_or_default();
    path.extent != Extent::Unknown || !name.contains('$')
}

fn is_lost(effect: &Effect) -> bool {
    let rewritten = Flags::TRUNCATE.and(Flags::IN_PLACE);
    effect.verb != Verb::Write || effect.flags.any(rewritten) && !effect.flags.has(Flags::APPEND)
}

/// A log that a program of one's own begins: it is called after the program, and no log of the system is called so.
fn is_own(facts: &Facts, effect: &Effect, path: &PathTarget) -> bool {
    let name = path.path.strip_prefix("/var/log/").filter(|name| !name.contains('/'));
    let is_log = |name: &str| {
        let ending = name.rsplit_once('.');
        ending.is_some_and(|(name, ending)| {
            matches!(ending, "err" | "log" | "out") && !OF_THE_SYSTEM.contains(&name)
        })
    };
    let writes = facts
        .shell
        .invocations
        .get(effect.invocation)
        .is_some_and(|run| run.span.start < effect.span.start && !PRINTERS.contains(&&*run.program));
    effect.verb == Verb::Write
        && !effect.privileged
        && !effect.flags.has(Flags::IN_PLACE)
        && path.extent == Extent::Exact
        && effect.by.starts_with(['>', '&'])
        && name.is_some_and(is_log)
        && writes
}

/// Programs that only print: what they are led to a log for is to empty it.
const PRINTERS: &[&str] =
    &[":", "cat", "cp", "dd", "echo", "head", "printf", "tail", "tee", "true", "truncate"];

/// The logs of systems and their services, without the ending.
const OF_THE_SYSTEM: &[&str] = &[
    "Xorg.0",
    "alternatives",
    "apport",
    "audit",
    "auth",
    "boot",
    "bootstrap",
    "cloud-init",
    "cloud-init-output",
    "cron",
    "daemon",
    "debug",
    "dnf",
    "dpkg",
    "fail2ban",
    "faillog",
    "fontconfig",
    "haproxy",
    "hermes",
    "herm",
    "install",
    "kern",
    "lpr",
    "mail",
    "messages",
    "mysql",
    "mysqld",
    "pacman",
    "php-fpm",
    "postgresql",
    "redis",
    "secure",
    "sudo",
    "syslog",
    "system",
    "ufw",
    "user",
    "vsftpd",
    "wifi",
    "xferlog",
    "yum",
];
