//! Programs that delete files.

use super::arguments::Parsed;
use super::operands::every;
use super::schema::{Do, Operands, Opt, Program, Role, Source, flag, program, quiet, value};
use crate::effect::{Flags, Verb};
use crate::sink::Sink;
use crate::value::Value;

const HELP: Opt = flag("--help --version", Do::Stop);

pub(super) static PROGRAMS: &[Program] = &[
    program(&["rm", "grm"])
        .options(&[
            HELP,
            flag("-r -R --recursive", Do::Set(Flags::RECURSIVE)),
            // GNU rm knows no -F; BSD and people's typing do.
            flag("-f --force -F", Do::Set(Flags::FORCE)),
            quiet("-i -I -v --verbose -d --dir -P -W -x --one-file-system --no-preserve-root --interactive --preserve-root"),
        ])
        .all(Role::Delete)
        .stdout(Source::Nothing),
    program(&["unlink", "grmdir", "rmdir"])
        .options(&[HELP, quiet("-p --parents -v --verbose --ignore-fail-on-non-empty")])
        .all(Role::Delete)
        .stdout(Source::Nothing),
    program(&["rimraf", "del-cli", "del"])
        .options(&[
            HELP,
            value("--preserve-root --backoff --max-retries --retry-delay", Role::Inert),
            flag("-n --dry-run", Do::Stop),
            quiet("-g --glob -v --verbose -i --interactive"),
        ])
        .all(Role::Inert)
        .refine(|parsed, sink| every(Verb::Delete, Flags::RECURSIVE | Flags::FORCE, parsed, sink)),
    program(&["srm", "wipe", "scrub", "secure-delete", "sfill"])
        .options(&[HELP, flag("-r -R", Do::Set(Flags::RECURSIVE)), quiet("-f -v -z -l -q -s -m -d")])
        .all(Role::Inert)
        .refine(|parsed, sink| every(Verb::Delete, Flags::IRREVERSIBLE, parsed, sink)),
    program(&["shred", "gshred"])
        .options(&[
            HELP,
            value("-n --iterations -s --size --random-source", Role::Inert),
            quiet("-f --force -v --verbose -x --exact -z --zero"),
            quiet("-u --remove"),
        ])
        .operands(Operands::None)
        .refine(shred),
    program(&["trash", "trash-put", "gio-trash", "rmtrash"]).options(&[HELP]).all(Role::MoveFrom),
    program(&["trash-empty"]).options(&[HELP]).operands(Operands::None).refine(empty_trash),
    program(&["trash-rm"]).options(&[HELP]),
];

/// What was thrown away can be fetched back until the bin is emptied.
fn empty_trash(_: &Parsed<'_>, sink: &mut dyn Sink) {
    let bin = Value::literal(format!("{}/.local/share/Trash", sink.home()));
    sink.path(Verb::Delete, &bin, Flags::RECURSIVE | Flags::IRREVERSIBLE);
}

/// Overwrites what was there, whether or not the name goes, too.
fn shred(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    every(Verb::Write, Flags::TRUNCATE | Flags::IRREVERSIBLE, parsed, sink);
    every(Verb::Delete, Flags::IRREVERSIBLE, parsed, sink);
}
