//! Programs that arrange for code to run later.

use super::arguments::Parsed;
use super::operands::named;
use super::schema::{Aim, Do, Operands, Program, Role, Syntax, deed, flag, program, quiet, value};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;

pub(super) static PROGRAMS: &[Program] = &[
    program(&["crontab", "fcrontab"])
        .options(&[
            flag("-l --help -V -T", Do::Stop),
            flag("-r", Do::Emit(deed(Verb::Destroy, Aim::Kind("schedule"), Flags::IRREVERSIBLE))),
            value("-u -c", Role::Inert),
            quiet("-e"),
            quiet("-i -s -n"),
        ])
        .operands(Operands::None)
        .env(&[("VISUAL", Role::Code(Lang::Shell)), ("EDITOR", Role::Code(Lang::Shell))])
        .refine(crontab),
    program(&["at", "batch"])
        .options(&[
            flag("-l -V -c --help", Do::Stop),
            quiet("-r -d"),
            value("-f", Role::Script(Lang::Shell)),
            value("-q -t", Role::Inert),
            quiet("-m -M -b -v"),
        ])
        .operands(Operands::None)
        .refine(at),
    program(&["atq", "atrm"]),
    program(&["schtasks", "schtasks.exe"]).syntax(Syntax::Words).operands(Operands::None).refine(schtasks),
    program(&["anacron", "cron", "crond", "fcron"]),
];

/// A file, `-`, standard input or an editor replaces the whole table.
fn crontab(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.options.iter().any(|given| given.name == "-r") {
        return;
    }
    if let Some(file) = parsed.operand(0).filter(|file| file.known().is_none_or(|file| file != "-")) {
        sink.path(Verb::Read, file, parsed.flags);
    }
    named(Verb::Persist, "schedule", "crontab", parsed.flags, sink);
    let table = sink.stdin();
    sink.schedule(&table);
}

/// What it is given runs later, but runs.
fn at(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-r -d") {
        return;
    }
    named(Verb::Persist, "schedule", "at", parsed.flags, sink);
    let code = sink.stdin();
    if code.known().is_some_and(|code| !code.is_empty()) {
        sink.code(Lang::Shell, &code);
    }
}

fn schtasks(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let verb = |name: &str| parsed.words().any(|word| word.eq_ignore_ascii_case(name));
    if verb("/create") || verb("/change") {
        let command = parsed.words().skip_while(|word| !word.eq_ignore_ascii_case("/tr")).nth(1);
        named(Verb::Persist, "schedule", &command.unwrap_or_default(), parsed.flags, sink);
    } else if verb("/delete") {
        named(Verb::Destroy, "schedule", "", parsed.flags, sink);
    }
}
