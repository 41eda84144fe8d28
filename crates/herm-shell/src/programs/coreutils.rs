//! The everyday programs that look at files and print.

use super::arguments::Parsed;
use super::listings::{listed_below, listed_themselves};
use super::operands::{create, endless, hoard, look, named};
use super::schema::{
    Do, Operands, Program, Role, Source, Syntax, attached, flag, program, quiet, value, value_does,
};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const HELP: super::schema::Opt = flag("--help --version", Do::Stop);

pub(super) static PROGRAMS: &[Program] = &[
    program(&["ls", "dir", "vdir", "gls", "eza", "exa", "lsd"])
        .options(&[
            HELP,
            attached("--color --hyperlink --classify", Do::Nothing),
            value(
                "-I --ignore -w --width -T --tabsize --hide --block-size --format --sort --time --time-style \
                 --indicator-style --quoting-style --icons",
                Role::Inert,
            ),
        ])
        .refine(names),
    program(&["tree"])
        .options(&[
            HELP,
            quiet("-f -i -a -d"),
            value("-L -P -I -H -T --filelimit --charset --timefmt --sort", Role::Inert),
            value("-o", Role::Write),
        ])
        .refine(tree),
    program(&["stat", "gstat"])
        .options(&[HELP, value("-c --format --printf -t", Role::Inert)])
        .refine(look),
    program(&["ncdu"])
        .options(&[
            HELP,
            value("-o -O", Role::Write),
            value("-f", Role::Read),
            value("--exclude -X --exclude-from -t --threads --color --sort", Role::Inert),
        ])
        .env(&[("NCDU_SHELL", Role::Code(crate::lang::Lang::Shell)), ("SHELL", Role::Inert)])
        .refine(look),
    program(&["du", "dust"])
        .options(&[
            HELP,
            value("-d --max-depth -t --threshold --exclude -B --block-size -X --exclude-from", Role::Inert),
            value("--files0-from", Role::Read),
            attached("--time --apparent-size", Do::Nothing),
        ])
        .refine(look),
    program(&["df", "duf"])
        .options(&[HELP, value("-B --block-size -t --type -x --exclude-type", Role::Inert), attached("--output", Do::Nothing)])
        .refine(look),
    program(&["cat", "gcat", "bat", "batcat"])
        .options(&[
            HELP,
            value("-l --language -r --line-range -H --highlight-line --style --theme --color --paging --wrap --tabs", Role::Inert),
            value("--pager", Role::ArgvText),
        ])
        .all(Role::Read)
        .stdout(Source::Computed),
    program(&["tac"]).options(&[HELP, value("-s --separator", Role::Inert)]).all(Role::Read).stdout(Source::Computed).refine(hoard),
    program(&["rev"]).options(&[HELP]).all(Role::Read).stdout(Source::Computed),
    program(&["head", "ghead"])
        .options(&[HELP, value("-n --lines -c --bytes", Role::Inert)])
        .all(Role::Read)
        .stdout(Source::Computed)
        .refine(bounded),
    program(&["tail", "gtail", "multitail"])
        .options(&[
            HELP,
            value("-n --lines -c --bytes -s --sleep-interval --pid --max-unchanged-stats", Role::Inert),
            attached("--follow", Do::Nothing),
        ])
        .all(Role::Read)
        .stdout(Source::Computed)
        .refine(hoard),
    program(&["nl"])
        .options(&[
            HELP,
            value(
                "-b --body-numbering -d --section-delimiter -f --footer-numbering -h --header-numbering -i \
                 --line-increment -l --join-blank-lines -n --number-format -s --number-separator -v \
                 --starting-line-number -w --number-width",
                Role::Inert,
            ),
        ])
        .all(Role::Read)
        .stdout(Source::Input),
    program(&["od", "hexdump", "hd"])
        .options(&[
            HELP,
            value("-A --address-radix -j --skip-bytes -N --read-bytes -t --format -n -s -e -f", Role::Inert),
            attached("-w --width -S --strings", Do::Nothing),
        ])
        .all(Role::Read)
        .stdout(Source::Input)
        .refine(counted),
    program(&["xxd"])
        .options(&[value("-c -cols -g -groupsize -l -len -s -seek -o -R -n", Role::Inert), quiet("-r -revert -p -ps -postscript -plain -i -b -u -E -e -a")])
        .operands(Operands::Each(&[Role::Read, Role::Write]))
        .stdout(Source::Computed)
        .refine(counted),
    program(&["base64", "base32", "base16", "basenc", "gbase64", "base58"])
        .options(&[HELP, quiet("-d -D --decode -i --ignore-garbage"), value("-w --wrap", Role::Inert), value("-o --output", Role::Write)])
        .all(Role::Read)
        .stdout(Source::Computed),
    program(&["xxh64sum"]).options(&[HELP]).all(Role::Read),
    program(&["wc"]).options(&[HELP, value("--files0-from", Role::Read), value("--total", Role::Inert)]).all(Role::Read),
    program(&["sort", "gsort"])
        .options(&[
            HELP,
            value(
                "-k --key -t --field-separator -S --buffer-size -T --temporary-directory --parallel --batch-size --sort",
                Role::Inert,
            ),
            value("-o --output", Role::Write),
            value("--files0-from --random-source", Role::Read),
            value("--compress-program", Role::Program),
        ])
        .all(Role::Read)
        .stdout(Source::Computed)
        .refine(hoard),
    program(&["uniq", "guniq"])
        .options(&[
            HELP,
            value("-f --skip-fields -s --skip-chars -w --check-chars", Role::Inert),
            attached("-D --all-repeated --group", Do::Nothing),
        ])
        .operands(Operands::Each(&[Role::Read, Role::Write]))
        .stdout(Source::Computed),
    program(&["cut", "gcut", "choose"])
        .options(&[HELP, value("-b --bytes -c --characters -d --delimiter -f --fields --output-delimiter", Role::Inert)])
        .all(Role::Read)
        .stdout(Source::Computed),
    program(&["tr", "gtr"]).options(&[HELP]).stdout(Source::Computed),
    program(&["paste"]).options(&[HELP, value("-d --delimiters", Role::Inert)]).all(Role::Read).stdout(Source::Computed),
    program(&["join"])
        .options(&[HELP, value("-1 -2 -a -e -j -o -t -v", Role::Inert)])
        .all(Role::Read)
        .stdout(Source::Input),
    program(&["comm"]).options(&[HELP, value("--output-delimiter", Role::Inert)]).all(Role::Read).stdout(Source::Input),
    program(&["fmt", "fold", "expand", "unexpand", "par"])
        .options(&[HELP, value("-w --width -p --prefix -g --goal -t --tabs", Role::Inert)])
        .all(Role::Read)
        .stdout(Source::Computed),
    program(&["pr"])
        .options(&[HELP, value("-D --date-format -h --header -l --length -o --indent -W -w --width --pages", Role::Inert)])
        .all(Role::Read)
        .stdout(Source::Input),
    program(&["tsort", "ptx", "column", "colrm", "col", "ul"])
        .options(&[HELP, value("-s --separator -o --output-separator -N -c -H -R -E -W -O -l -d", Role::Inert)])
        .all(Role::Read)
        .stdout(Source::Input),
    program(&["shuf", "gshuf"])
        .options(&[
            HELP,
            value("-n --head-count", Role::Inert),
            value_does("-i --input-range", Do::Operands(Operands::None)),
            flag("-e --echo", Do::Operands(Operands::None)),
            value("-o --output", Role::Write),
            value("--random-source", Role::Read),
        ])
        .all(Role::Read)
        .stdout(Source::Input),
    program(&["split", "gsplit"])
        .options(&[
            HELP,
            value(
                "-a --suffix-length -b --bytes -C --line-bytes -l --lines -n --number -t --separator --additional-suffix",
                Role::Inert,
            ),
            attached("--numeric-suffixes --hex-suffixes", Do::Nothing),
            value("--filter", Role::Code(Lang::Shell)),
        ])
        .operands(Operands::Each(&[Role::Read, Role::Write])),
    program(&["csplit"])
        .options(&[HELP, value("-b --suffix-format -n --digits", Role::Inert), value("-f --prefix", Role::Write)])
        .operands(Operands::Each(&[Role::Read, Role::Inert])),
    program(&["iconv", "recode", "uconv"])
        .options(&[HELP, value("-f --from-code -t --to-code", Role::Inert), value("-o --output", Role::Write)])
        .all(Role::Read)
        .stdout(Source::Computed),
    program(&["echo", "printf", "test", "["]).syntax(Syntax::Words).stdout(Source::Computed),
    program(&[
        "true", "false", ":", "sleep", "usleep", "seq", "jot", "expr", "factor", "numfmt", "pwd",
        "whoami", "id", "groups", "logname", "hostid", "uname", "nproc",
        "uptime", "tty", "stty", "tput", "clear", "reset", "cal", "ncal", "getconf", "locale", "sync", "which", "whereis", "basename", "dirname", "free", "vmstat", "iostat", "mpstat", "lscpu", "lsmem",
        "lspci", "lsusb", "lsmod", "modinfo", "lsns", "lsipc", "lslocks", "sw_vers",
        "fortune", "runlevel", "namei", "pathchk", "acpi", "sensors",
    ])
    .options(&[HELP])
    .stdout(Source::Computed),
    program(&["yes"]).options(&[HELP]).refine(yes),
    program(&["readlink", "realpath", "greadlink"])
        .options(&[
            HELP,
            value("--relative-to --relative-base", Role::Inert),
            quiet("-m --canonicalize-missing -f --canonicalize -e --canonicalize-existing -q --quiet -s --strip -z --zero"),
        ])
        .stdout(Source::Computed)
        .refine(resolved),
    program(&["date", "gdate"])
        .options(&[
            HELP,
            value("-d --date", Role::Inert),
            value("-f --file", Role::Read),
            value("-r --reference", Role::Inert),
            value_does(
                "-s --set",
                Do::Emit(super::schema::deed(Verb::Configure, super::schema::Aim::Kind("kernel parameter"), Flags::NONE)),
            ),
            attached("-I --iso-8601 --rfc-3339", Do::Nothing),
        ])
        .stdout(Source::Computed),
    program(&["hostname", "domainname"]).options(&[HELP, value("-F --file", Role::Read)]).refine(hostname),
    program(&["printenv"]).options(&[HELP]).refine(printenv),
    program(&["mkdir", "gmkdir"]).options(&[HELP, value("-m --mode", Role::Inert)]).refine(create),
    program(&["touch", "gtouch"])
        .options(&[HELP, value("-d --date -t --time -r --reference -A", Role::Inert)])
        .refine(create),
    program(&["mkfifo"]).options(&[HELP, value("-m --mode", Role::Inert)]).refine(create),
    program(&["mknod"]).options(&[HELP, value("-m --mode", Role::Inert)]).refine(mknod),
    program(&["mktemp"])
        .options(&[HELP, flag("-u --dry-run", Do::Nothing), value("-p", Role::Inert), attached("--tmpdir", Do::Nothing), value("--suffix", Role::Inert)])
        .refine(mktemp),
    program(&["sponge"]).options(&[flag("-a", Do::Set(Flags::APPEND))]).refine(super::copies::tee),
    program(&["pv"])
        .options(&[HELP, value("-L -B -s -i -N -w -H -d -D -F", Role::Inert), value("-o --output", Role::Write)])
        .all(Role::Read)
        .stdout(Source::Input),
];

/// Without operands, what is printed are names of the working directory.
fn names(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    look(parsed, sink);
    if parsed.has("-l -g -n -o -s -i -R --recursive --long --tree -T") {
        return;
    }
    let operands: Vec<Value> = parsed.operands.iter().map(|operand| operand.value.clone()).collect();
    if operands.is_empty() {
        sink.print(listed_below(&[Value::literal(".")]));
    } else if parsed.has("-d --directory") {
        sink.print(listed_themselves(&operands));
    } else if operands.iter().any(Value::has_glob) {
        // Of directories among them, what is in there.
        let mut names = listed_themselves(&operands);
        names.push(&Value::unknown("output of ls", Provenance::OUTSIDE));
        sink.print(names);
    }
}

/// `tree -fi` prints whole paths.
fn tree(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    look(parsed, sink);
    if parsed.has("-f") && parsed.has("-i") && !parsed.has("-P -I -o") {
        let starts: Vec<Value> = parsed.operands.iter().map(|operand| operand.value.clone()).collect();
        sink.print(listed_below(&starts));
    }
}

/// A part of something endless has an end.
fn bounded(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let from_stdin = parsed.operands.is_empty() && sink.stdin().provenance.has(Provenance::ENDLESS);
    if from_stdin || parsed.operands.iter().any(|operand| endless(&operand.value)) {
        sink.print(Value::unknown("the beginning", Provenance::OUTSIDE));
    }
}

/// Dumps stop where they are told to.
fn counted(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-N --read-bytes -n -l -len") {
        bounded(parsed, sink);
    }
}

fn yes(_: &Parsed<'_>, sink: &mut dyn Sink) {
    sink.print(Value::unknown("y", Provenance::OUTSIDE | Provenance::ENDLESS));
}

fn hostname(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(name) = parsed.word(0) {
        named(Verb::Configure, "kernel parameter", &name, parsed.flags, sink);
    }
}

fn printenv(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.operands.is_empty() {
        sink.effect(Verb::Read, Target::Environment, parsed.flags, Provenance::NONE);
    }
    for name in parsed.words().collect::<Vec<_>>() {
        let value = sink.variable(&name);
        sink.print(value);
    }
}

/// Pipes are harmless; a device node opens a disk or memory under another name.
fn mknod(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(path) = parsed.operand(0) else { return };
    if parsed.word(1).as_deref() == Some("p") {
        return sink.path(Verb::Write, path, parsed.flags);
    }
    sink.path(Verb::Write, path, parsed.flags | Flags::METADATA);
    if parsed.word(1).is_some_and(|kind| matches!(kind.as_str(), "b" | "c" | "u")) {
        named(Verb::Configure, "device", &path.shown(), parsed.flags, sink);
    }
}

/// A path without links. Where there is nothing, nothing is printed, unless that is asked for: `"$(realpath missing)/usr"` is `/usr`.
fn resolved(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    look(parsed, sink);
    let [operand] = parsed.operands.as_slice() else { return };
    let Some(path) = operand.value.known().filter(|_| !parsed.has("-m --canonicalize-missing")) else {
        return;
    };
    let whole = parsed.has("-e --canonicalize-existing")
        || parsed.program != "realpath" && !parsed.has("-f --canonicalize");
    // The last name of a path need not be there.
    let needed = match path.trim_end_matches('/').rsplit_once('/') {
        _ if whole => path.to_string(),
        Some((directory, _)) if !directory.is_empty() => directory.to_owned(),
        Some(_) | None => return,
    };
    if sink.is_absent(&Value::literal(needed)) {
        let made_since = Value::unknown(path.as_ref(), Provenance::OUTSIDE);
        sink.print(Value::either(Value::default(), made_since));
    }
}

/// Prints a path that nothing else has. Its letters are made up; what matters is that it is the same path wherever the
/// text uses it, and another one the next time.
fn mktemp(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut directory = parsed.value("-p --tmpdir").cloned();
    if directory.is_none() && sink.changes_variable("TMPDIR") {
        directory = Some(sink.variable("TMPDIR"));
    }
    let template = parsed.word(0).unwrap_or_else(|| "tmp.XXXXXXXXXX".to_owned());
    let in_place = parsed.operand(0).is_some() && !parsed.has("-p -t --tmpdir");
    let stem = template.trim_end_matches(|c| c != 'X').trim_end_matches('X');
    let mut beginning =
        if in_place { Value::default() } else { directory.unwrap_or_else(|| Value::literal("/tmp")) };
    beginning.push_str(if in_place { "" } else { "/" });
    beginning.push_str(stem);
    let path = unused(&beginning, sink);
    let is_made = !parsed.has("-u --dry-run");
    // Another program of this name may print whatever it likes.
    let is_fresh = is_made && !sink.changes_variable("PATH");
    let fresh = if is_fresh { Flags::FRESH } else { Flags::NONE };
    sink.path(Verb::Write, &path, parsed.flags | Flags::METADATA | fresh);
    if is_made {
        // What is in it later may be anything that no description knows of.
        let content = Value::unknown(path.shown(), Provenance::FILE);
        sink.write(&path, &content, parsed.flags | Flags::METADATA);
    }
    sink.print(path);
}

/// More than a text makes of them.
const TEMPORARIES: usize = 100;

/// How many paths are tried for a unit of work.
const TRIED_A_UNIT: u32 = 8;

/// The first path that the text has not made yet.
fn unused(beginning: &Value, sink: &mut dyn Sink) -> Value {
    let numbered = |number: usize| {
        let mut path = beginning.clone();
        path.push_str(&if number == 0 { "XXXXXXXXXX".to_owned() } else { format!("XXXXXXXX{number:02}") });
        path
    };
    let free = (0..TEMPORARIES).find(|number| sink.made_here(&numbered(*number)).is_empty());
    let tried = u32::try_from(free.unwrap_or(TEMPORARIES)).unwrap_or(u32::MAX);
    if sink.spend(tried / TRIED_A_UNIT).is_err() {
        return Value::unknown("$(mktemp)", Provenance::NONE);
    }
    free.map_or_else(|| Value::unknown("$(mktemp)", Provenance::NONE), numbered)
}
