//! Programs that search, compare and change text.

use super::arguments::Parsed;
use super::kinds::hook;
use super::listings::{found_below, listed_below};
use super::schema::{
    Do, Operands, Opt, Program, Role, Source, Syntax, attached, flag, program, quiet, value, value_does,
};
use crate::effect::{Flags, Verb};
use crate::filters::{Dialect, handed};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

const HELP: Opt = flag("--help --version", Do::Stop);
const PATTERN_THEN_FILES: Operands = Operands::Each(&[Role::Inert, Role::Read]);
const FILES: Operands = Operands::Rest(Role::Read);

pub(super) static PROGRAMS: &[Program] = &[
    program(&["grep", "egrep", "fgrep", "ggrep", "zgrep", "zegrep", "zfgrep", "bzgrep", "xzgrep", "pcregrep", "pcre2grep", "ugrep"])
        .env(&[("GREP", Role::ArgvText), ("GREP_OPTIONS", Role::Options)])
        .options(&[
            HELP,
            value_does("-e --regexp", Do::Operands(FILES)),
            value("-f --file", Role::Read),
            value(
                "-m --max-count -A --after-context -B --before-context -C --context -d --directories -D --devices \
                 --include --exclude --exclude-dir --exclude-from --label --binary-files",
                Role::Inert,
            ),
            attached("--color --colour", Do::Nothing),
            quiet("-o --only-matching"),
            quiet("-r -R --recursive --dereference-recursive -l -L --files-with-matches --files-without-match"),
        ])
        .operands(PATTERN_THEN_FILES)
        .stdout(Source::Computed)
        .refine(grep),
    program(&["rg", "ripgrep"])
        .options(&[
            HELP,
            value_does("-e --regexp", Do::Operands(FILES)),
            value("-f --file", Role::Read),
            flag("--files --type-list", Do::Operands(FILES)),
            value(
                "-g --glob --iglob -t --type -T --type-not --type-add --type-clear -A --after-context -B --before-context \
                 -C --context -m --max-count -M --max-columns -r --replace -j --threads -E --encoding --sort --sortr \
                 -d --max-depth --maxdepth --max-filesize --colors --color --engine --ignore-file --pre-glob \
                 --path-separator --dfa-size-limit --regex-size-limit --context-separator",
                Role::Inert,
            ),
            value("--pre --hostname-bin", Role::Program),
            quiet("-o --only-matching -l --files-with-matches --files-without-match"),
            quiet("-u --unrestricted -. --hidden"),
        ])
        .operands(PATTERN_THEN_FILES)
        .stdout(Source::Input)
        .refine(ripgrep),
    program(&["ag", "ack", "ack-grep", "pt", "sift"])
        .options(&[
            HELP,
            value(
                "-A --after -B --before -C --context -m --max-count -G --file-search-regex --ignore --ignore-dir --depth -W \
                 --width -p --path-to-ignore --type --workers",
                Role::Inert,
            ),
            value("--pager", Role::Code(Lang::Shell)),
            quiet("-u --unrestricted --hidden"),
        ])
        .operands(PATTERN_THEN_FILES)
        .stdout(Source::Input)
        .refine(search_unhidden),
    program(&["diff", "sdiff", "diff3", "colordiff", "gdiff", "delta", "difft", "wdiff"])
        .options(&[
            HELP,
            value(
                "-I --ignore-matching-lines -x --exclude -X --exclude-from -F --show-function-line -U --unified -W --width \
                 -L --label --tabsize --line-format --horizon-lines -S --starting-file",
                Role::Inert,
            ),
            attached("-C --context --color", Do::Nothing),
            value("--to-file --from-file", Role::Read),
            value("-o --output", Role::Write),
            value("--diff-program", Role::Program),
        ])
        .operands(FILES)
        .stdout(Source::Input),
    program(&["cmp"]).options(&[HELP, value("-n --bytes -i --ignore-initial", Role::Inert)]).operands(FILES),
    program(&["patch", "gpatch"])
        .options(&[
            HELP,
            flag("--dry-run -C --check", Do::Stop),
            value("-i --input", Role::Read),
            value("-d --directory", Role::Directory),
            value("-o --output -r --reject-file", Role::Write),
            value("-p --strip -F --fuzz -B --prefix -z --suffix -Y -V -D --ifdef -g --get", Role::Inert),
        ])
        .operands(Operands::Each(&[Role::Write, Role::Read]))
        .refine(super::patches::patch),
    program(&["less", "more", "most", "zless", "zmore", "pg", "moar"])
        .options(&[
            HELP,
            value("-o -O --log-file --LOG-FILE", Role::Write),
            value("-p --pattern -t --tag -T --tag-file -b -h -j --jump-target -P --prompt -x -y -z", Role::Inert),
            value("-k --lesskey-file", Role::Read),
        ])
        .operands(Operands::Rest(Role::Prefixed(&[("+", Role::Inert), ("", Role::Read)])))
        .refine(starts_less)
        .env(&[
            ("LESSCLOSE", Role::Code(Lang::Shell)),
            ("LESSEDIT", Role::Code(Lang::Shell)),
            ("VISUAL", Role::Code(Lang::Shell)),
            ("EDITOR", Role::Code(Lang::Shell)),
        ])
        .stdout(Source::Input),
    program(&["file", "gfile"])
        .options(&[HELP, value("-f --files-from", Role::Read), value("-m --magic-file -e --exclude -P -F --separator", Role::Inert)])
        .refine(super::operands::look),
    program(&["strings", "nm", "size", "readelf", "objdump", "ldd", "otool"])
        .options(&[HELP, value("--plugin", Role::Library), value("-n --bytes -t --radix -e --encoding -s -T -j -x -p -m -M", Role::Inert)])
        .operands(FILES)
        .stdout(Source::Input),
    program(&["jq", "gojq", "jaq", "xq", "fx", "dasel", "htmlq", "pup", "gron"])
        .options(&[
            HELP,
            value_does("-f --from-file", Do::Operands(FILES)),
            value("--indent --tab -L", Role::Inert),
            quiet("-n -r -e -s -c -C -M -S -a -j -R"),
        ])
        .operands(PATTERN_THEN_FILES)
        .stdout(Source::Input),
    program(&["yq"]).options(YQ).subs(&[
        program(&["e", "eval", "ea", "eval-all"]).operands(Operands::None).refine(yq),
    ]).operands(Operands::None).refine(yq),
    program(&["sd"])
        .options(&[HELP, flag("-p --preview", Do::Operands(FILES)), value("-n --max-replacements -f --flags", Role::Inert)])
        .operands(Operands::Each(&[Role::Inert, Role::Inert, Role::Write])),
    program(&["dos2unix", "unix2dos", "mac2unix", "unix2mac", "fromdos", "todos"])
        .options(&[
            HELP,
            quiet("-k --keepdate -q --quiet -o --oldfile -l --newline -s -e -f --force -b --keep-bom -m --add-bom -r --remove-bom"),
            flag("-n --newfile", Do::Operands(Operands::LastIs(Role::Read, Role::Write))),
            flag("-O --to-stdout -i --info", Do::Operands(FILES)),
            value("-c --convmode -D --display-enc", Role::Inert),
        ])
        .operands(Operands::Rest(Role::Write))
        .stdout(Source::Input),
    program(&["gofmt"])
        .options(&[HELP, quiet("-d -e -l -s"), flag("-w", Do::Operands(Operands::Rest(Role::Write))), value("-r -cpuprofile", Role::Inert)])
        .operands(FILES),
    program(&["sed", "gsed", "ssed"])
        .options(&[
            HELP,
            value("-e --expression", Role::Inert),
            value("-f --file", Role::Script(Lang::Sed)),
            attached("-i --in-place -I", Do::Nothing),
            value("-l --line-length", Role::Inert),
            quiet("-n --quiet --silent -E -r --regexp-extended -s --separate -u --unbuffered -z --null-data --posix --debug --sandbox --follow-symlinks -b"),
        ])
        .operands(Operands::None)
        .stdout(Source::Computed)
        .refine(sed),
    program(&["awk", "gawk", "mawk", "nawk", "original-awk", "goawk", "bwk"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            HELP,
            value("-F --field-separator -v --assign", Role::Inert),
            value("-f --file -E --exec", Role::Script(Lang::Awk)),
            value("-e --source", Role::Code(Lang::Awk)),
            value("-i --include", Role::Inert),
            value("-l --load", Role::Library),
            attached("-o --pretty-print -p --profile -d --dump-variables", Do::Nothing),
        ])
        .operands(Operands::None)
        .stdout(Source::Computed)
        .refine(awk),
];

const YQ: &[Opt] = &[
    HELP,
    quiet("-i --inplace -yi --in-place"),
    value("-o --output-format -p --input-format -I --indent --front-matter -f --from-file", Role::Inert),
    flag("-n --null-input -r --raw-output -y -Y -P --prettyPrint -j -s", Do::Nothing),
];

/// With `-f` the patterns come from a file, so the first operand is a file, too.
/// `grep -rl` names files below the directories that it was given.
fn grep(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    pattern_file(parsed, sink);
    let lists = parsed.has("-l -L --files-with-matches --files-without-match");
    let told = parsed.value("-d --directories").is_some_and(|how| how.shown() == "recurse");
    if !told && !parsed.has("-r -R --recursive --dereference-recursive") {
        return;
    }
    let first = usize::from(!parsed.has("-e --regexp -f --file"));
    if lists {
        list_files(parsed, first, sink);
    } else {
        search_below(&starts(parsed, first), parsed, sink);
    }
}

/// ripgrep always searches what is below; `--files` takes no pattern.
fn ripgrep(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    pattern_file(parsed, sink);
    let all = parsed.has("--files");
    if all || parsed.has("-l --files-with-matches --files-without-match") {
        return list_files(parsed, usize::from(!all && !parsed.has("-e --regexp -f --file")), sink);
    }
    search_unhidden(parsed, sink);
}

/// Hidden files are passed over, unless they are asked for or what is searched is hidden itself.
fn search_unhidden(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut starts = starts(parsed, usize::from(!parsed.has("-e --regexp -f --file")));
    if !parsed.has("-u --unrestricted -. --hidden") {
        starts.retain(|start| start.shown().contains("/."));
        if starts.is_empty() {
            return;
        }
    }
    search_below(&starts, parsed, sink);
}

/// What is in the files below each of these is shown.
fn search_below(starts: &[Value], parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let here = [Value::literal(".")];
    for start in if starts.is_empty() { &here } else { starts } {
        sink.path(Verb::Read, start, parsed.flags | Flags::RECURSIVE);
    }
}

fn starts(parsed: &Parsed<'_>, first: usize) -> Vec<Value> {
    parsed.operands.iter().skip(first).map(|file| file.value.clone()).collect()
}

fn list_files(parsed: &Parsed<'_>, first: usize, sink: &mut dyn Sink) {
    let starts = starts(parsed, first);
    let starts = if starts.is_empty() { vec![Value::literal(".")] } else { starts };
    let by_name = parsed.has("--include --exclude -g --glob --iglob -t --type -T --type-not");
    sink.print(if by_name { found_below(&starts) } else { listed_below(&starts) });
}

fn pattern_file(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-f --file")
        && !parsed.has("-e --regexp")
        && let Some(first) = parsed.operand(0)
    {
        sink.path(Verb::Read, first, parsed.flags);
    }
}

fn yq(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let edits = parsed.has("-i --inplace --in-place");
    for file in parsed.operands.iter().skip(1) {
        edit_or_read(edits, &file.value, parsed, sink);
    }
}

fn edit_or_read(edits: bool, file: &Value, parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if edits {
        sink.path(Verb::Write, file, parsed.flags | Flags::IN_PLACE);
    } else {
        sink.read(file);
    }
}

/// The first operand is the script, unless an option brought one. BSD's `-i` takes its suffix apart: `sed -i '' …`.
fn sed(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let edits = parsed.has("-i --in-place -I");
    let apart = usize::from(edits && parsed.word(0).is_some_and(|word| word.is_empty()));
    let scripted = parsed.has("-e --expression") || parsed.has("-f --file");
    let files = apart + usize::from(!scripted);
    let words = if edits { without_in_place(parsed, apart..files) } else { Vec::new() };
    let mut input = if files == parsed.operands.len() { sink.stdin() } else { Value::default() };
    for file in parsed.operands.iter().skip(files) {
        if edits {
            sink.edit(&file.value, &words);
        } else {
            input.push(&sink.read(&file.value));
        }
    }
    let own = parsed.operand(apart).filter(|_| !scripted);
    let scripts: Vec<&Value> = parsed.values("-e --expression").chain(own).collect();
    run_sed(&scripts, &input, parsed, sink);
}

/// Runs the commands that a script hands to a shell, as far as the lines are known that it makes them of, and reads the rest of it.
fn run_sed(scripts: &[&Value], input: &Value, parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let dialect = if parsed.has("-E -r --regexp-extended") { Dialect::Extended } else { Dialect::Basic };
    let whole = Value::joined(scripts.iter().copied(), "\n");
    let is_plain = !parsed.has("-f --file -s --separate -z --null-data -i --in-place -I");
    let handed = match (whole.known(), input.known()) {
        (Some(script), Some(text)) if is_plain => handed(&script, dialect, &text),
        _ => None,
    };
    if let Some(handed) = handed.filter(|handed| !handed.commands.is_empty()) {
        for command in handed.commands {
            sink.code(Lang::Shell, &Value::literal(command).from(input.provenance));
        }
        sink.code(Lang::Sed, &Value::literal(handed.rest));
        return;
    }
    for script in scripts {
        sink.code(Lang::Sed, script);
    }
}

/// The words that let `sed` print what it would make of a file.
fn without_in_place(parsed: &Parsed<'_>, script: std::ops::Range<usize>) -> Vec<Value> {
    let kept =
        parsed.options.iter().filter(|given| !matches!(given.name.as_str(), "-i" | "-I" | "--in-place"));
    let options = kept.flat_map(|given| {
        std::iter::once(Value::literal(given.name.as_str())).chain(given.values.iter().cloned())
    });
    let script = parsed.operands.get(script).unwrap_or_default();
    options.chain(script.iter().map(|word| word.value.clone())).collect()
}

/// Operands of the form `name=value` are assignments, not files.
fn awk(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let scripted = parsed.has("-f --file -E --exec -e --source");
    if let (false, Some(script)) = (scripted, parsed.operand(0)) {
        if is_assigned_twice(parsed, script) {
            sink.gap(Position::Unfollowed, Reason::Runtime, "awk");
        }
        sink.code(Lang::Awk, &with_assignments(parsed, script));
    }
    let edits = parsed.values("-i --include").any(|library| library.shown().starts_with("inplace"));
    let words: Vec<Value> = parsed
        .operands
        .first()
        .filter(|_| edits && !scripted)
        .map(|script| script.value.clone())
        .into_iter()
        .collect();
    for file in parsed.operands.iter().skip(usize::from(!scripted)) {
        if is_assignment(&file.value.shown()) {
        } else if edits {
            sink.edit(&file.value, &words);
        } else {
            sink.read(&file.value);
        }
    }
}

/// `-v name=value`: the program begins with its variables set.
fn with_assignments(parsed: &Parsed<'_>, script: &Value) -> Value {
    let operands = parsed.operands.iter().map(|operand| &operand.value).filter(|value| *value != script);
    let given =
        parsed.values("-v --assign").chain(operands).filter(|given| is_assignment(&given.known_prefix()));
    let given = given.filter_map(Value::known);
    let separator =
        parsed.value("-F --field-separator").map(|separator| match separator.known().as_deref() {
            Some("t") => "FS=\t".to_owned(),
            Some(known) => format!("FS={known}"),
            // Not known is as good as one that is not computed with.
            None => "FS=(.)".to_owned(),
        });
    let set: Vec<String> = given
        .map(std::borrow::Cow::into_owned)
        .chain(separator)
        .filter_map(|given| {
            let (name, value) = given.split_once('=')?;
            Some(format!("{name}=\"{}\";", value.replace('"', "\\\"")))
        })
        .collect();
    if set.is_empty() {
        return script.clone();
    }
    let mut whole = Value::literal(format!("BEGIN{{{}}}\n", set.concat()));
    whole.push(script);
    whole
}

/// Whether a script that starts programs sets a variable itself that an operand sets between its first rules and the others, or
/// whether operands set one to several values.
fn is_assigned_twice(parsed: &Parsed<'_>, script: &Value) -> bool {
    let code = script.known_prefix();
    let names: Vec<String> = parsed
        .operands
        .iter()
        .skip(1)
        .map(|operand| operand.value.known_prefix())
        .filter(|word| is_assignment(word))
        .filter_map(|word| Some(word.split_once('=')?.0.to_owned()))
        .collect();
    let starts = code.contains("system") || code.contains('|');
    let sets = |name: &String| {
        code.match_indices(name.as_str()).any(|(at, _)| {
            let behind = code.get(at + name.len()..).unwrap_or_default().trim_start();
            behind.starts_with('=') && !behind.starts_with("==")
        })
    };
    let is_repeated = |(at, name): (usize, &String)| names.iter().take(at).any(|other| other == name);
    starts && (names.iter().any(sets) || names.iter().enumerate().any(is_repeated))
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// What runs as soon as `less` does.
fn starts_less(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    super::escapes_pagers::opened_instead(parsed, sink);
    first_commands(parsed, sink);
}

/// `less +COMMAND FILE`, also in `LESS`: the keys that are pressed first. `!`, `#` and `|` hand the line to a shell.
fn first_commands(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let typed = parsed.words().filter_map(|word| word.strip_prefix('+').map(str::to_owned));
    let standing = sink.variable("LESS").known().and_then(|text| Some(text.split_once('+')?.1.to_owned()));
    for keys in typed.chain(standing).collect::<Vec<_>>() {
        for line in keys.lines().map(|line| line.trim_start_matches('+')) {
            let searches = line.starts_with(['/', '?', '&', ':']);
            let escape = line.find(['!', '#', '|']).filter(|_| !searches);
            if let Some(code) = escape.and_then(|at| line.get(at..)) {
                let mark = if code.starts_with('|') { 2 } else { 1 };
                hook(&Value::literal(code.get(mark..).unwrap_or_default()), Flags::NONE, sink);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_assignment;

    #[test]
    fn awk_tells_assignments_from_files() {
        assert!(is_assignment("date=31") && is_assignment("_x="));
        assert!(!is_assignment("a/b=c") && !is_assignment("file") && !is_assignment("1=2"));
    }
}
