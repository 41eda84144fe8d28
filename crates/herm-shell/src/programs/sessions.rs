//! Programs that hold, record or repeat other programs: multiplexers, recorders, watchers, benchmarks.

use super::arguments::Parsed;
use super::kinds::{HELP, joined, operands_from, run, run_from, wrapper};
use super::phrases::variable_from;
use super::schema::{
    Do, Operands, Opt, Program, Role, Source, Syntax, attached, flag, program, quiet, until, value,
};
use super::terminals;
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const SHELL: Role = Role::Code(Lang::Shell);

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["script"])
        .options(&[
            HELP,
            quiet("-a --append -e --return -f --flush --force -q --quiet -k -r -F -d -p"),
            attached("-t --timing", Do::Nothing),
            value("-c --command", SHELL),
            value("-E --echo -m --logging-format -o --output-limit", Role::Inert),
            value("-I --log-in -O --log-out -B --log-io -T --log-timing", Role::Write),
        ])
        .operands(Operands::Each(&[Role::Write, Role::Inert]))
        .refine(script),
    program(&["scriptreplay", "asciinema"])
        .subs(&[program(&["rec"]).options(&[value("-c --command", SHELL), value("-t --title -i -e", Role::Inert)]).all(Role::Write)])
        .all(Role::Read),
    wrapper(&["watch", "gwatch", "viddy", "hwatch"])
        .options(&[
            HELP,
            quiet("-b --beep -c --color -C --no-color -e --errexit -g --chgexit -p --precise -r --no-rerun -t --no-title -w"),
            quiet("-x --exec"),
            attached("-d --differences", Do::Nothing),
            value("-n --interval -q --equexit -s --shotsdir", Role::Inert),
        ])
        .operands(Operands::None)
        .refine(watch),
    program(&["screen"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            quiet("-a -A -D -R -RR -d -r -m -L -O -U -q -x -i"),
            flag("-ls -list -v -wipe --version --help", Do::Stop),
            value("-S -e -h -p -t -T -s -c", Role::Inert),
            value("-Logfile", Role::Append),
            until("-X", &[], Role::Inert),
        ])
        .refine(screen),
    program(&["tmux", "tmate", "byobu"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            quiet("-2 -C -D -l -N -u -v"),
            flag("-V", Do::Stop),
            value("-c", SHELL),
            value("-f -L -S -T -F", Role::Inert),
        ])
        .subs(&[
            exec(&["new-session", "new"]).options(PANE).refine(new_session),
            exec(&["respawn-pane", "respawnp", "respawn-window", "respawnw"]).options(PANE).refine(respawn),
            exec(&["new-window", "neww", "split-window", "splitw"]).options(PANE).refine(new_pane),
            program(&["paste-buffer", "pasteb"]).options(&[quiet("-d -p -r"), value("-b -s -t", Role::Inert)]).refine(into_pane),
            exec(&["pipe-pane", "pipep"]).options(&[quiet("-I -O -o"), value("-t", Role::Inert)]).refine(pipe_pane),
            exec(&["bind-key", "bind", "set-hook"])
                .options(&[quiet("-n -r -a -g -p -R -u -w"), value("-N -T -t", Role::Inert)])
                .refine(bound),
            exec(&["run-shell", "run"]).options(&[quiet("-b -C"), value("-c -d -t", Role::Inert)]).refine(run_shell),
            program(&["if-shell", "if"])
                .options(&[quiet("-b -F"), value("-t", Role::Inert)])
                .operands(Operands::Each(&[SHELL, Role::Inert]))
                .refine(if_shell),
            exec(&["command-prompt", "confirm-before", "confirm"])
                .options(&[quiet("-1 -b -C -e -F -k -l -N -i -y"), value("-c -I -p -t -T", Role::Inert)])
                .refine(later),
            program(&["display-popup", "popup"])
                .syntax(Syntax::FirstOperandEnds)
                .options(&[quiet("-B -C -E"), value("-b -c -d -e -h -s -S -t -T -w -x -y", Role::Inert)])
                .refine(tmux_command),
            program(&["send-keys", "send"]).syntax(Syntax::FirstOperandEnds).options(&[quiet("-F -H -K -l -M -R -X"), value("-c -N -t", Role::Inert)]).refine(send_keys),
            program(&["set-environment", "setenv"])
                .options(&[quiet("-F -g -h -r -u"), value("-t", Role::Inert)])
                .refine(|parsed, sink| variable_from(parsed, 0, sink)),
            program(&["source-file", "source"]).all(Role::Read),
            program(&["load-buffer", "loadb"]).all(Role::Read),
            program(&["save-buffer", "saveb"]).all(Role::Write),
            program(&["kill-server"]).does(&[super::schema::deed(Verb::Kill, super::schema::Aim::Kind("session"), Flags::ALL)]),
        ])
        .refine(tmux),
    program(&["zellij", "dvtm"])
        .options(&[value("-s --session -l --layout -c --config", Role::Inert)])
        .subs(&[
            exec(&["run"]).options(&[value("-n --name -d", Role::Inert)]).all(Role::Argv),
            program(&["action write-chars", "action write", "action paste"])
                .operands(Operands::None)
                .refine(|parsed, sink| terminals::keys(parsed, parsed.value("-s --session"), &operands_from(parsed, 0), sink)),
        ]),
    wrapper(&["dtach", "abduco"])
        .options(&[value("-A -c -n -N -a -p", Role::Inert), value("-e -r -E", Role::Inert), quiet("-z")]),
    // The input names files; the command runs when they change.
    wrapper(&["entr"])
        .options(&[quiet("-a -c -d -n -p -r -s -z -x")])
        .operands(Operands::None)
        .refine(entr),
    wrapper(&["watchexec", "reflex", "watchman-make", "gaze", "modd"]).options(&[
        HELP,
        quiet("-c --clear -r --restart -p --postpone -N --notify -q --quiet -v --no-vcs-ignore -n --no-shell -1 --once"),
        value("-e --exts -f --filter -i --ignore -w --watch -d --debounce -s --signal --shell --stop-signal -E --env -R -g -G", Role::Inert),
    ]),
    program(&["nodemon"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            HELP,
            value("-x --exec -e --ext -w --watch -i --ignore -d --delay --signal -C --config --cwd", Role::Inert),
            quiet("-q --quiet -V --verbose -L -I -s -T"),
        ])
        .operands(Operands::None)
        .refine(nodemon),
    program(&["hyperfine"])
        .options(&[
            HELP,
            value("-p --prepare -s --setup -c --cleanup -C --conclude --reference", SHELL),
            value("-w --warmup -m --min-runs -M --max-runs -r --runs -D -L --parameter-list -S --shell --style --sort -n", Role::Inert),
            value("--time-unit -u --command-name --output --input --min-benchmarking-time --reference-name", Role::Inert),
            value("--export-asciidoc --export-csv --export-json --export-markdown --export-orgmode", Role::Write),
            quiet("-i --ignore-failure -N --show-output"),
            super::schema::Opt { names: "-P --parameter-scan", takes: super::schema::Takes::Values(3), does: Do::Nothing },
        ])
        .all(SHELL),
    program(&["poop"]).all(SHELL),
    program(&["ttyd", "gotty", "shellinabox", "shellinaboxd", "wetty"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[HELP, quiet("-w -W -R -o -O -S --ssl -t --disable-ssl"), value("-p --port -i -c --credential -s --service -a -u", Role::Inert)])
        .all(Role::Inert)
        .refine(terminal_server),
    program(&["pueue"]).options(&[HELP]).subs(&[exec(&["add"])
        .options(&[
            quiet("-i --immediate -f --follow -e --escape -s --stashed -p --print-task-id"),
            value("-g --group -l --label -o --priority -d --delay -a --after", Role::Inert),
            value("-w --working-directory", Role::Directory),
        ])
        .refine(|parsed, sink| {
            sink.code(Lang::Shell, &joined(&operands_from(parsed, 0)));
        })]),
    program(&["tsp", "nq"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[quiet("-n -g -f -m -B -E -d"), value("-L -N -D -W -G", Role::Inert), flag("-l -C -K -h -V", Do::Stop)])
        .all(Role::Argv),
    program(&["concurrently", "npm-run-all", "run-p", "run-s"])
        .options(&[HELP, value("-n --names -c --prefix-colors -p --prefix -m --max-processes -s --success", Role::Inert)])
        .all(SHELL)
        .stdout(Source::Unknown),
];

/// The options of what starts a command in a pane.
const PANE: &[Opt] = &[
    quiet("-A -d -D -E -P -X -k -S -b -h -v -f -I -Z -a"),
    value("-c", Role::Directory),
    value("-e", Role::Environment),
    value("-F -l -n -s -t -x -y -p", Role::Inert),
];

const fn exec(names: &'static [&'static str]) -> Program {
    program(names).syntax(Syntax::FirstOperandEnds).all(Role::Inert)
}

/// macOS and BSD `script FILE CMD…`; without a command it records a shell.
fn script(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped || parsed.has("-c --command") {
        return;
    }
    let command = operands_from(parsed, 1);
    if command.is_empty() {
        run(&[Value::literal("sh")], sink);
    } else {
        run(&command, sink);
    }
}

/// `watch WORDS` joins them for a shell, `watch -x` runs them as they are.
fn watch(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    if parsed.has("-x --exec") {
        run_from(parsed, 0, sink);
    } else {
        sink.code(Lang::Shell, &joined(&operands_from(parsed, 0)));
    }
}

/// `screen [CMD…]`; alone it starts a shell.
fn screen(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped || parsed.has("-r -x -X") {
        return stuffed(parsed, sink);
    }
    if let Some(name) = parsed.value("-S") {
        terminals::opened(parsed, name, sink);
    } else {
        terminals::opened_nameless(sink);
    }
    if parsed.operands.is_empty() {
        shell_in_session(sink);
    } else {
        run_from(parsed, 0, sink);
    }
}

/// `screen -X stuff TEXT` types into a running shell.
fn stuffed(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = parsed.options.iter().filter(|given| given.name == "-X").flat_map(|given| &given.values);
    let mut words = words.skip_while(|word| word.known().is_none_or(|word| word != "stuff")).skip(1);
    if let Some(text) = words.next() {
        terminals::keys(parsed, parsed.value("-S"), &[without_escapes(text)], sink);
    } else if parsed.values("-X").any(|word| word.known_prefix().starts_with("paste")) {
        into_pane(parsed, sink);
    }
}

/// `ls\n` and `ls^M` end the line.
fn without_escapes(text: &Value) -> Value {
    let ends = ["\\n", "\\r", "^M", "^J", "\\015", "\\012"];
    let plain = |text: &str| ends.iter().fold(text.to_owned(), |text, end| text.replace(end, "\n"));
    text.known()
        .map_or_else(|| text.clone(), |known| Value::literal(plain(known.trim_end())).from(text.provenance))
}

fn shell_in_session(sink: &mut dyn Sink) {
    sink.effect(Verb::Execute, Target::Code(Lang::Shell, None), Flags::INTERACTIVE, Provenance::NONE);
}

/// Alone, tmux starts a shell; a session of tmate is open to whoever has its address.
fn tmux(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    and_then(parsed, sink);
    settings(parsed, sink);
    let opens = parsed.subcommands.first().is_none_or(|sub| sub.starts_with("new"));
    if parsed.program == "tmate" && opens && parsed.operands.is_empty() {
        sink.effect(Verb::Listen, Target::None, Flags::GLOBAL, Provenance::NONE);
    }
    if parsed.subcommands.is_empty() && parsed.operands.is_empty() && !parsed.has("-c") {
        shell_in_session(sink);
    }
}

/// Commands in a settings file that was just written.
fn settings(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(file) = parsed.value("-f").cloned() else { return };
    let text = sink.read(&file);
    let runs = |line: &&str| ["run", "if"].iter().any(|name| line.trim_start().starts_with(name));
    for line in text.known().iter().flat_map(|text| text.lines()).filter(runs) {
        sink.code(Lang::Shell, &Value::literal(format!("tmux {}", line.trim())));
    }
}

/// `if-shell TEST COMMAND [COMMAND]`: the server runs the test, and then a command of its own.
fn if_shell(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    terminals::runs_in(parsed.value("-t"), sink);
    for command in own_words(parsed).iter().skip(1) {
        let mut line = Value::literal("tmux ");
        line.push(command);
        sink.code(Lang::Shell, &line);
    }
}

/// One word is shell text, several are a command.
fn tmux_command(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = own_words(parsed);
    match words.as_slice() {
        [] => shell_in_session(sink),
        [code] => {
            sink.code(Lang::Shell, code);
        }
        [..] => run(&words, sink),
    }
}

/// `tmux send-keys -t PANE KEY…`. In copy mode keys are the multiplexer's own.
pub(super) fn send_keys(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.has("-X") {
        terminals::keys(parsed, parsed.value("-t"), &own_words(parsed), sink);
    }
}

/// What is done to a pane that may be somebody else's.
fn into_pane(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let target = if parsed.program == "screen" { parsed.value("-S") } else { parsed.value("-t") };
    terminals::done_to(parsed, target, sink);
}

/// `pipe-pane -I` types what the command prints.
fn pipe_pane(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-I") {
        into_pane(parsed, sink);
    }
    for code in own_words(parsed).iter().take(1) {
        sink.code(Lang::Shell, code);
    }
}

/// A session by a name is the text's own from then on, unless it is joined if it is there.
fn new_session(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    match parsed.value("-s") {
        Some(name) if !parsed.has("-A") => terminals::opened(parsed, name, sink),
        Some(_) => {}
        None => terminals::opened_nameless(sink),
    }
    tmux_command(parsed, sink);
}

/// A window or a pane of its own; by its name it is found in every session that has it in front.
fn new_pane(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if let Some(name) = parsed.value("-n") {
        terminals::opened(parsed, name, sink);
    }
    terminals::opened_nameless(sink);
    tmux_command(parsed, sink);
}

/// `run-shell CODE`: the server runs it, which is not where the text runs.
fn run_shell(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    terminals::runs_in(parsed.value("-t"), sink);
    if parsed.has("-C") {
        later(parsed, sink);
    } else if let Some(code) = own_words(parsed).first() {
        sink.code(Lang::Shell, code);
    }
}

/// `command-prompt TEMPLATE`, `run-shell -C COMMAND`: text that the multiplexer reads as its own command.
fn later(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for text in own_words(parsed).iter().take(1) {
        let mut line = Value::literal("tmux ");
        line.push(text);
        sink.code(Lang::Shell, &line);
    }
}

fn respawn(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    into_pane(parsed, sink);
    tmux_command(parsed, sink);
}

/// `bind-key KEY COMMAND…`, `set-hook NAME COMMAND`: a command of tmux that runs later.
fn bound(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = own_words(parsed);
    let rest = words.get(1..).unwrap_or_default();
    match rest {
        [] => {}
        [text] => {
            let mut line = Value::literal("tmux ");
            line.push(text);
            sink.code(Lang::Shell, &line);
        }
        [..] => run(&[&[Value::literal("tmux")], rest].concat(), sink),
    }
}

/// The operands up to the `;` that ends a command of tmux.
fn own_words(parsed: &Parsed<'_>) -> Vec<Value> {
    operands_from(parsed, 0).into_iter().take_while(|word| !is_end(word)).collect()
}

fn is_end(word: &Value) -> bool {
    word.known().is_some_and(|word| word == ";")
}

/// The commands behind a `;`.
fn and_then(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(at) = parsed.all.iter().position(|word| is_end(&word.value)) else { return };
    let rest: Vec<Value> = parsed.all.iter().skip(at + 1).map(|word| word.value.clone()).collect();
    if !rest.is_empty() {
        run(&[&[Value::literal(parsed.program)], rest.as_slice()].concat(), sink);
    }
}

/// `--exec` names what runs the script, which stands behind it with its arguments.
fn nodemon(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let operands: Vec<Value> = parsed.operands.iter().map(|operand| operand.value.clone()).collect();
    if let Some(command) = parsed.value("-x --exec") {
        let mut line = command.clone();
        for operand in &operands {
            line.push_str(" ");
            line.push(operand);
        }
        sink.code(Lang::Shell, &line);
    } else if let Some((script, arguments)) = operands.split_first() {
        sink.script(Lang::JavaScript, script, arguments);
    }
}

/// `entr CMD…`, or with `-s` shell text.
fn entr(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words = operands_from(parsed, 0);
    if parsed.has("-s") {
        sink.code(Lang::Shell, &joined(&words));
    } else if !words.is_empty() {
        run(&words, sink);
    }
}

/// A terminal served to the network: whoever connects drives what runs in it.
fn terminal_server(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let flags = Flags::INTERACTIVE | Flags::REMOTE_CONTROL;
    sink.effect(Verb::Execute, Target::Code(Lang::Shell, None), flags, Provenance::NETWORK);
}
