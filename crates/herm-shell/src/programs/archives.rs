//! Archivers and compressors.

use super::arguments::Parsed;
use super::operands::every;
use super::schema::{
    Do, Operands, Opt, Program, Role, Source, Syntax, attached, flag, program, quiet, value,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

const HELP: Opt = flag("--help --version", Do::Stop);
const FILES: Operands = Operands::Rest(Role::Read);

pub(super) static PROGRAMS: &[Program] = &[
    program(&["tar", "gtar", "bsdtar", "star"]).syntax(Syntax::TarBundle).options(TAR).env(&[("TAR_OPTIONS", Role::Options)]).operands(Operands::None).refine(tar),
    program(&["cpio", "gcpio"])
        .options(&[
            HELP,
            quiet("-i --extract"),
            quiet("-o --create"),
            quiet("-p --pass-through"),
            quiet("-t --list --to-stdout"),
            value("-F --file -I", Role::Read),
            value("-O", Role::Write),
            value("-D --directory", Role::Directory),
            value("-E --pattern-file", Role::Read),
            value("-H --format -C --io-size -R --owner --block-size -M --message", Role::Inert),
            value("--rsh-command", Role::Program),
            quiet("-d -u -m -v -0 -a -B -L -l --null --quiet --make-directories"),
        ])
        .operands(Operands::None)
        .refine(cpio),
    program(&["zip"])
        .options(&[
            HELP,
            flag("-r --recurse-paths", Do::Nothing),
            quiet("-m --move -e --encrypt -q --quiet -v -u --update -f --freshen -j -k -l -o -y -D -X -9 -0 -1 -6"),
            flag("-T --test", Do::Nothing),
            value("-TT --unzip-command", Role::Code(Lang::Shell)),
            value("-P --password -n --suffixes -b --temp-path -t --from-date -tt --before-date -s --split-size -Z", Role::Inert),
            value("-O --output-file --out -lf", Role::Write),
        ])
        .operands(Operands::Each(&[Role::Write, Role::Read]))
        .env(&[("ZIPOPT", Role::Options)])
        .refine(zip),
    program(&["unzip", "funzip", "unzipsfx"])
        .options(&[
            HELP,
            quiet("-l -t -v -z -Z -p -c"),
            value("-d", Role::Inert),
            value("-P -x", Role::Inert),
            quiet("-o -n -q -u -f -j -a -C -L -X -K"),
        ])
        .operands(Operands::None)
        .refine(unzip),
    program(&["zipinfo", "lsar", "zcat", "gzcat", "bzcat", "xzcat", "zstdcat", "lz4cat", "lzcat"])
        .options(&[HELP])
        .operands(FILES)
        .stdout(Source::Decoded),
    program(&["7z", "7za", "7zr", "7zz", "p7zip"]).options(&[value("-x", Role::Inert), attached("-o", Do::Nothing), attached("-p -m -t -i -w -mx", Do::Nothing), quiet("-y -r -so -si -sdel -bd")]).subs(&[
        program(&["a", "u"]).operands(Operands::Each(&[Role::Write, Role::Read])).refine(seven_moves),
        program(&["d", "rn"]).operands(Operands::Each(&[Role::Write, Role::Inert])),
        program(&["x", "e"]).operands(Operands::Each(&[Role::Read, Role::Inert])).refine(seven_extract),
        program(&["l", "t", "h", "i"]).operands(FILES),
    ]),
    program(&["rar", "arj"]).options(&[quiet("-r -y -v -u -jm")]).subs(&[
        program(&["a", "u", "m"]).operands(Operands::Each(&[Role::Write, Role::Read])),
        program(&["x", "e"]).operands(Operands::LastIs(Role::Read, Role::Write)),
        program(&["p", "l", "v", "t", "s"]).operands(FILES),
    ]),
    program(&["unrar", "unar", "unace", "cabextract", "ouch"])
        .options(&[HELP, value("-o -output-directory -d", Role::Write), value("-p", Role::Inert)])
        .operands(Operands::Rest(Role::Inert)),
    program(&["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "lzma", "unlzma", "zstd", "unzstd", "lz4", "unlz4", "compress", "uncompress", "pigz", "unpigz", "pbzip2", "pixz", "lzip", "lzop", "brotli"])
        .options(&[
            HELP,
            flag("-c --stdout --to-stdout", Do::Operands(FILES)),
            flag("-k --keep -l --list -t --test", Do::Operands(FILES)),
            value("-S --suffix -T --threads -M --memlimit -F --format -b -p --processes", Role::Inert),
            value("-o --output -D", Role::Write),
            quiet("-d --decompress --uncompress -f --force -q -v -n -N -z -e --best --fast -r"),
        ])
        .operands(Operands::Rest(Role::MoveFrom))
        .stdout(Source::Computed),
    program(&["ar", "gar"]).operands(Operands::Each(&[Role::Inert, Role::Write, Role::Read])),
    program(&["jar"]).syntax(Syntax::TarBundle).options(&[value("-f --file -m -e -C", Role::Inert)]),
    program(&["dump"])
        .options(&[value("-f", Role::Write), value("-B -b -d -h -s -T -L -I", Role::Inert), flag("-W -w", Do::Stop)])
        .operands(Operands::Rest(Role::Read)),
    program(&["restore"])
        .options(&[
            value("-f", Role::Read),
            quiet("-t -C"),
            flag("-r -x -R -i", Do::Emit(super::schema::deed(Verb::Configure, super::schema::Aim::Kind("file system"), Flags::NONE))),
        ])
        .operands(Operands::Rest(Role::Inert)),
];

const TAR: &[Opt] = &[
    HELP,
    quiet("-c --create"),
    quiet("-x --extract --get"),
    quiet("-t --list -d --diff --compare"),
    quiet("-r --append -u --update -A --catenate --concatenate"),
    quiet("--delete"),
    quiet("--remove-files"),
    quiet("--no-recursion"),
    quiet("-O --to-stdout"),
    value("-f --file", Role::Inert),
    value("-C --directory --cd", Role::Inert),
    value("-T --files-from -X --exclude-from", Role::Read),
    value("-g --listed-incremental --index-file --volno-file", Role::Write),
    value(
        "-I --use-compress-program --to-command -F --info-script --new-volume-script",
        Role::Code(Lang::Shell),
    ),
    value("--rsh-command --rmt-command", Role::Program),
    value("--checkpoint-action", Role::Prefixed(&[("exec=", Role::Code(Lang::Shell))])),
    attached("--checkpoint --one-top-level --backup --exclude-tag", Do::Nothing),
    value("--transform --xform -s", Role::Inert),
    value(
        "--exclude -b --blocking-factor -H --format -K --starting-file -L --tape-length -N --newer --after-date --mtime \
         --owner --group --mode --sort --strip-components --suffix --add-file -V --label --hole-detection --warning \
         --pax-option --owner-map --group-map --quoting-style --record-size --level --include",
        Role::Inert,
    ),
    quiet(
        "-z -j -J -Z -a -v -p -P -k -m -h -l -S -w -W -U --gzip --bzip2 --xz --zstd --lzma --auto-compress --verbose \
         --absolute-names --preserve-permissions --keep-old-files --overwrite --null --totals",
    ),
];

fn tar(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let archive = parsed.value("-f --file").filter(|file| file.known().is_none_or(|file| file != "-"));
    if parsed.has("-x --extract --get") {
        if let Some(file) = archive {
            sink.path(Verb::Read, file, parsed.flags);
        }
        return untar(parsed, sink);
    }
    let writes = parsed.has("-c --create")
        || parsed.has("-r --append -u --update -A --catenate --concatenate")
        || parsed.has("--delete");
    if let Some(file) = archive {
        let (verb, how) = if writes { (Verb::Write, Flags::TRUNCATE) } else { (Verb::Read, Flags::NONE) };
        sink.path(verb, file, parsed.flags | how);
    }
    if writes && !parsed.has("--delete") {
        if let Some(directory) = parsed.value("-C --directory --cd") {
            sink.change_directory(directory);
        }
        let depth = if parsed.has("--no-recursion") { Flags::NONE } else { Flags::RECURSIVE };
        every(Verb::Read, depth, parsed, sink);
        if parsed.has("--remove-files") {
            every(Verb::Delete, Flags::RECURSIVE, parsed, sink);
        }
    }
}

/// What comes out lands in a directory or, renamed by a transformation, anywhere.
fn untar(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-O --to-stdout") {
        return;
    }
    let here = Value::literal(".");
    sink.path(
        Verb::Write,
        parsed.value("-C --directory --cd").unwrap_or(&here),
        parsed.flags | Flags::RECURSIVE,
    );
    for target in parsed.values("--transform --xform -s").filter_map(|script| replacement(&script.shown())) {
        sink.path(Verb::Write, &Value::literal(target), parsed.flags | Flags::TRUNCATE);
    }
}

/// The absolute path that `s/…/replacement/` makes.
fn replacement(script: &str) -> Option<String> {
    let mut rest = script.strip_prefix('s').unwrap_or(script).chars();
    let delimiter = rest.next()?;
    let path = rest.as_str().split(delimiter).nth(1)?.replace('\\', "");
    path.starts_with(['/', '~']).then_some(path)
}

/// What is packed or passed on is named on standard input.
fn cpio(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-o --create -p --pass-through") {
        let names = sink.stdin();
        for name in names.known().iter().flat_map(|names| names.lines()).filter(|name| !name.is_empty()) {
            sink.read(&Value::literal(name));
        }
    }
    if parsed.has("-p --pass-through") {
        return every(Verb::Write, Flags::RECURSIVE, parsed, sink);
    }
    if parsed.has("-i --extract") && !parsed.has("-t --list --to-stdout") {
        sink.path(Verb::Write, &Value::literal("."), parsed.flags | Flags::RECURSIVE);
    }
}

fn zip(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-r --recurse-paths") {
        for operand in parsed.operands.iter().skip(1) {
            sink.path(Verb::Read, &operand.value, parsed.flags | Flags::RECURSIVE);
        }
    }
    if parsed.has("-m --move") {
        for operand in parsed.operands.iter().skip(1) {
            sink.path(Verb::Delete, &operand.value, parsed.flags | Flags::MOVE);
        }
    }
}

fn unzip(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(archive) = parsed.operand(0) else { return };
    sink.path(Verb::Read, archive, parsed.flags);
    if !parsed.has("-l -t -v -z -Z -p -c") {
        let here = Value::literal(".");
        sink.path(Verb::Write, parsed.value("-d").unwrap_or(&here), parsed.flags | Flags::RECURSIVE);
    }
}

fn seven_moves(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.options.iter().any(|given| given.name == "-sdel") {
        for operand in parsed.operands.iter().skip(1) {
            sink.path(Verb::Delete, &operand.value, parsed.flags | Flags::RECURSIVE);
        }
    }
}

fn seven_extract(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let here = Value::literal(".");
    sink.path(Verb::Write, parsed.value("-o").unwrap_or(&here), parsed.flags | Flags::RECURSIVE);
}

#[cfg(test)]
mod tests {
    use super::replacement;

    #[test]
    fn transformations_show_where_files_land() {
        assert_eq!(replacement("s@.*@/root/x@").as_deref(), Some("/root/x"));
        assert_eq!(replacement(r"s/.*/\/etc\/x/").as_deref(), None);
        assert_eq!(replacement("s,^,prefix/,"), None);
        assert_eq!(replacement("s"), None);
    }
}
