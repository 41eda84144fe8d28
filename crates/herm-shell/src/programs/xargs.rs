//! Programs that make command lines out of their input.

use super::arguments::Parsed;
use super::schema::{Do, Operands, Program, Role, Syntax, attached, flag, program, quiet, value};
use crate::effect::{Realm, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Piece, Provenance, Value};

/// More items than this say nothing new.
const MOST: usize = 64;

pub(super) static PROGRAMS: &[Program] = &[
    program(&["xargs", "gxargs"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            flag("--help --version", Do::Stop),
            value("-a --arg-file", Role::Inert),
            value("-d --delimiter", Role::Inert),
            value("-I", Role::Inert),
            value("-J", Role::Inert),
            attached("-i --replace", Do::Nothing),
            attached("-e --eof -l --max-lines", Do::Nothing),
            value("-E -L -n --max-args -P --max-procs -s --max-chars -R -S --process-slot-var", Role::Inert),
            quiet("-0 --null"),
            quiet("-t --verbose -p --interactive -r --no-run-if-empty -x --exit -o --open-tty --show-limits"),
        ])
        .operands(Operands::None)
        .refine(xargs),
    program(&["parallel", "rush", "sem"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            flag("--help --version --citation --dry-run --dryrun", Do::Stop),
            value("-a --arg-file", Role::Inert),
            value("-I", Role::Inert),
            value("-S --sshlogin", Role::Inert),
            value("-d --delimiter", Role::Inert),
            value(
                "-j --jobs -P --max-procs -C --colsep -N -n --max-args -L --results --joblog --tmpdir --tempdir --timeout \
                 --delay --retries --load --memfree --nice --workdir --wd --basefile --bf --return --trc --env --tagstring \
                 --block --recstart --recend --halt --shebang-wrap --profile -J --limit --id --semaphore-name \
                 --semaphore-timeout --st",
                Role::Inert,
            ),
            quiet("-0 --null"),
            quiet("-q --quote"),
            quiet("--fg --bg --wait --semaphore -k --keep-order -X -m -v -t --pipe --pipepart --spreadstdin --bar --progress --eta --line-buffer --lb -u --ungroup --tag --link --resume"),
        ])
        .operands(Operands::None)
        .refine(parallel),
];

fn xargs(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let input = input(parsed, sink);
    flood(&input, parsed, sink);
    let items = split(&input, separator(parsed));
    let mut argv: Vec<Value> = parsed.operands.iter().map(|operand| operand.value.clone()).collect();
    if argv.is_empty() {
        argv.push(Value::literal("echo"));
    }
    if let Some(marker) = marker(parsed) {
        return sink.run_each(&argv, &marker, &items);
    }
    argv.extend(items);
    let output = sink.run(&argv, &Value::default());
    sink.print(output);
}

/// As many processes as the machine has room for, and always one more.
fn flood(input: &Value, parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let unbounded = parsed.value("-P --max-procs").and_then(Value::known).is_some_and(|most| most == "0");
    if unbounded && input.provenance.has(Provenance::ENDLESS) {
        sink.effect(Verb::Exhaust, Target::None, parsed.flags, Provenance::NONE);
    }
}

/// The text that stands for an item, if items are put in and not appended.
fn marker(parsed: &Parsed<'_>) -> Option<String> {
    if parsed.has("-i --replace") {
        return Some(
            parsed
                .value("-i --replace")
                .map(Value::shown)
                .filter(|mark| !mark.is_empty())
                .unwrap_or_else(|| "{}".to_owned()),
        );
    }
    parsed.value("-I").or_else(|| parsed.value("-J")).map(Value::shown)
}

fn input(parsed: &Parsed<'_>, sink: &mut dyn Sink) -> Value {
    match parsed.value("-a --arg-file") {
        Some(file) => sink.read(file),
        None => sink.stdin(),
    }
}

/// What stands between items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    /// Blanks and line ends, with quotes and backslashes as xargs reads them.
    Blanks,
    /// One character.
    Only(char),
    /// Line ends; blanks belong to the item.
    Lines,
    /// NUL or, because lists made here are of lines, a line end.
    Null,
}

fn separator(parsed: &Parsed<'_>) -> Separator {
    if parsed.has("-0 --null") {
        return Separator::Null;
    }
    if let Some(delimiter) = parsed.value("-d --delimiter").map(Value::shown) {
        return match delimiter.as_str() {
            "\\n" => Separator::Lines,
            "\\0" => Separator::Null,
            "\\t" => Separator::Only('\t'),
            other => other.chars().next().map_or(Separator::Blanks, Separator::Only),
        };
    }
    let whole_lines = marker(parsed).is_some() || parsed.program != "xargs" && parsed.program != "gxargs";
    if whole_lines { Separator::Lines } else { Separator::Blanks }
}

impl Separator {
    fn ends_item(self, c: char) -> bool {
        match self {
            Self::Blanks => c.is_ascii_whitespace(),
            Self::Only(one) => c == one,
            Self::Lines => c == '\n',
            Self::Null => matches!(c, '\0' | '\n'),
        }
    }
}

/// The items of a text. An unknown part stays in the item in which it stands.
fn split(text: &Value, separator: Separator) -> Vec<Value> {
    let mut items = vec![Value { pieces: Vec::new(), provenance: text.provenance }];
    for piece in &text.pieces {
        match piece {
            Piece::Literal(text) => split_known(text, separator, &mut items),
            Piece::Glob(_) | Piece::Hole(_) => {
                if let Some(last) = items.last_mut() {
                    last.pieces.push(piece.clone());
                }
            }
        }
    }
    items.retain(|item| !item.pieces.is_empty());
    items.truncate(MOST);
    items
}

fn split_known(text: &str, separator: Separator, items: &mut Vec<Value>) {
    let (mut quote, mut escaped) = (None, false);
    for c in text.chars() {
        if items.len() > MOST {
            return;
        }
        let quoting = separator == Separator::Blanks;
        if escaped || quote.is_some_and(|open| open != c) {
            escaped = false;
            push(items, c);
        } else if quoting && c == '\\' {
            escaped = true;
        } else if quoting && matches!(c, '\'' | '"') {
            quote = if quote.is_some() { None } else { Some(c) };
        } else if separator.ends_item(c) {
            let provenance = items.last().map(|item| item.provenance).unwrap_or_default();
            items.push(Value { pieces: Vec::new(), provenance });
        } else {
            push(items, c);
        }
    }
}

fn push(items: &mut [Value], c: char) {
    if let Some(last) = items.last_mut() {
        last.push_str(c.encode_utf8(&mut [0; 4]));
    }
}

/// parallel hands a line of shell to the shell: the command's words as they are, each item quoted.
fn parallel(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(hosts) = parsed.value("-S --sshlogin").map(Value::shown).filter(|hosts| hosts != ":") {
        sink.enter(Realm::Remote(hosts.into()));
    }
    let words: Vec<Value> = parsed.operands.iter().map(|operand| operand.value.clone()).collect();
    let sources = words.iter().position(|word| word.shown().starts_with(":::")).unwrap_or(words.len());
    let (command, sources) = words.split_at(sources);
    if parsed.has("--pipe --pipepart --spreadstdin") {
        let stdin = sink.stdin();
        let output = sink.run(command, &stdin);
        sink.print(output);
        return;
    }
    let items = if sources.is_empty() {
        split(&input(parsed, sink), separator(parsed))
    } else {
        listed(sources, sink)
    };
    let marker = parsed.value("-I").map_or_else(|| "{}".to_owned(), Value::shown);
    let combined = combined(sources, sink);
    if !combined.is_empty() {
        for items in &combined {
            sink.code(Lang::Shell, &placed(command, &marker, items));
        }
        return;
    }
    if command.is_empty() {
        for item in &items {
            sink.code(Lang::Shell, item);
        }
        return;
    }
    let (joined, mut argv) = (joined(command, parsed.has("-q --quote")), command.to_vec());
    for item in &items {
        sink.code(Lang::Shell, &filled(&joined, &marker, item));
    }
    // Its quoting surprises people: what they meant by several words is judged as well as what they get.
    if command.len() > 1 {
        if !argv.iter().any(|word| word.shown().contains(&marker)) {
            argv.push(Value::literal(&*marker));
        }
        sink.run_each(&argv, &marker, &items);
    }
}

/// Each combination of the items of several sources.
fn combined(words: &[Value], sink: &mut dyn Sink) -> Vec<Vec<Value>> {
    let is_mark = |word: &Value| word.shown().starts_with(":::");
    let starts: Vec<usize> = (0..words.len()).filter(|at| words.get(*at).is_some_and(is_mark)).collect();
    if starts.len() < 2 {
        return Vec::new();
    }
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let mut combined = vec![Vec::new()];
    for (start, end) in starts.iter().zip(ends) {
        let items = listed(words.get(*start..end).unwrap_or_default(), sink);
        let longer = combined.iter().flat_map(|before| {
            items.iter().map(|item| before.iter().chain([item]).cloned().collect::<Vec<_>>())
        });
        combined = longer.take(MOST).collect();
    }
    combined
}

/// A command line with items in their places: `{2}`, `{}` for all of them, and all of them behind it where it has no place.
fn placed(command: &[Value], marker: &str, items: &[Value]) -> Value {
    let mut line = joined(command, false);
    let all = joined(items, false);
    let is_placed = line.shown().contains('{') || command.is_empty();
    for (at, item) in items.iter().enumerate() {
        let place = format!("{{{}}}", at + 1);
        if line.shown().contains(&place) {
            line = filled(&line, &place, item);
        }
    }
    if command.is_empty() {
        return all;
    }
    if line.shown().contains(marker) || !is_placed { filled(&line, marker, &all) } else { line }
}

/// The items after `:::`, and those in the files after `::::`.
fn listed(words: &[Value], sink: &mut dyn Sink) -> Vec<Value> {
    let (mut items, mut files) = (Vec::new(), false);
    for word in words {
        match word.known().as_deref() {
            Some(":::" | ":::+") => files = false,
            Some("::::" | "::::+") => files = true,
            Some(_) | None if files => items.extend(split(&sink.read(word), Separator::Lines)),
            Some(_) | None => items.push(word.clone()),
        }
    }
    items.truncate(MOST);
    items
}

fn joined(command: &[Value], quoted: bool) -> Value {
    if !quoted {
        return Value::joined(command, " ");
    }
    let words: Vec<Value> = command.iter().map(quote).collect();
    Value::joined(&words, " ")
}

/// The line with each mark replaced by the quoted item, or the item added at its end.
fn filled(line: &Value, marker: &str, item: &Value) -> Value {
    let mut filled = Value { pieces: Vec::new(), provenance: line.provenance };
    let mut found = false;
    for piece in &line.pieces {
        let Piece::Literal(text) = piece else {
            filled.pieces.push(piece.clone());
            continue;
        };
        for (index, part) in text.split(marker).enumerate() {
            if index > 0 {
                found = true;
                filled.push(&quote(item));
            }
            filled.push_str(part);
        }
    }
    if !found {
        filled.push_str(" ");
        filled.push(&quote(item));
    }
    filled
}

/// In single quotes, as far as it is known.
fn quote(word: &Value) -> Value {
    let mut quoted = Value { pieces: Vec::new(), provenance: word.provenance };
    for piece in &word.pieces {
        match piece {
            Piece::Literal(text) => quoted.push_str(&format!("'{}'", text.replace('\'', r"'\''"))),
            Piece::Glob(_) | Piece::Hole(_) => quoted.pieces.push(piece.clone()),
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(items: &[Value]) -> Vec<String> {
        items.iter().map(Value::shown).collect()
    }

    #[test]
    fn blanks_quotes_and_backslashes() {
        let items = split(&Value::literal("a 'b c' d\\ e\n\"f\"\n"), Separator::Blanks);
        assert_eq!(texts(&items), ["a", "b c", "d e", "f"]);
    }

    #[test]
    fn lines_keep_blanks() {
        assert_eq!(texts(&split(&Value::literal("a b\nc\n"), Separator::Lines)), ["a b", "c"]);
    }

    #[test]
    fn a_hole_stays_in_its_item() {
        let mut text = Value::literal("/\n/");
        text.push(&Value::unknown("$x", Provenance::OUTSIDE));
        assert_eq!(texts(&split(&text, Separator::Null)), ["/", "/$x"]);
    }

    #[test]
    fn items_are_quoted_into_the_line() {
        let line = filled(&Value::literal("echo {} {}"), "{}", &Value::literal("a'b"));
        assert_eq!(line.shown(), r"echo 'a'\''b' 'a'\''b'");
        assert_eq!(filled(&Value::literal("rm -rf"), "{}", &Value::literal("/")).shown(), "rm -rf '/'");
    }

    #[test]
    fn a_long_list_is_cut_short() {
        let text = "x ".repeat(100_000);
        assert_eq!(split(&Value::literal(text), Separator::Blanks).len(), MOST);
    }
}
