//! Editors.

use super::arguments::Parsed;
use super::schema::{
    Do, Operands, Opt, Program, Role, Syntax, Takes, flag, interactive, program, quiet, value,
};
use super::terminals;
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

const HELP: Opt = flag("--help --version", Do::Stop);
const EX: Role = Role::Code(Lang::Ex);
/// Commands stand among the files, after a plus.
const FILES: Operands = Operands::Rest(Role::Prefixed(&[("+", EX), ("", Role::Read)]));

/// What vi and its kin run before anything else.
const START: &[(&str, Role)] = &[("VIMINIT", EX), ("EXINIT", EX), ("GVIMINIT", EX)];

pub(super) static PROGRAMS: &[Program] = &[
    program(&[
        "vim",
        "vi",
        "nvim",
        "gvim",
        "mvim",
        "view",
        "rvim",
        "rview",
        "vimdiff",
        "vim.basic",
        "vim.tiny",
        "elvis",
        "neovim",
        "nvi",
    ])
    .options(&[
        flag("-h --help --version", Do::Stop),
        value("-c --cmd", EX),
        value("-S", Role::Plugin(Lang::Ex)),
        // Keys to be typed; in Ex mode a word of its own that asks for silence.
        Opt { names: "-s", takes: Takes::Operand, does: Do::Is(Role::Plugin(Lang::Ex)) },
        value("-l --luamod", Role::Plugin(Lang::Lua)),
        value(
            "-u -U",
            Role::Prefixed(&[("NONE", Role::Inert), ("NORC", Role::Inert), ("", Role::Plugin(Lang::Ex))]),
        ),
        value("-i -T -t -r -d --servername --listen --server --remote-expr --remote-send -w -W", Role::Inert),
        interactive("-e -E -es -Es", Lang::Ex),
        quiet("--remote --remote-silent --remote-wait --remote-tab --remote-tab-silent --remote-ui"),
        quiet("-n -R -Z -m -M -b -N -p -o -O --clean --noplugin --headless -y -X"),
    ])
    .operands(FILES)
    .env(START)
    .refine(batch),
    program(&["ex"])
        .options(&[
            flag("-h --help --version", Do::Stop),
            value("-c --cmd", EX),
            value("-S", Role::Script(Lang::Ex)),
            value("-u -U -i -T -t -w", Role::Inert),
            quiet("-s -e -E -n -R -V -v"),
        ])
        .operands(FILES)
        .stdin(Role::Interact(Lang::Ex))
        .env(START)
        .refine(batch),
    program(&["ed", "red"])
        .options(&[HELP, value("-p --prompt", Role::Inert), quiet("-s --quiet --silent -q -G -E -l -r")])
        .operands(Operands::Rest(Role::Prefixed(&[("!", Role::Code(Lang::Shell)), ("", Role::Read)])))
        .stdin(Role::Interact(Lang::Ex))
        .refine(ed),
    program(&["emacs", "emacsclient", "emacs-nox", "zile", "mg"])
        .options(&[
            HELP,
            value("--eval --execute -e", Role::Code(Lang::Other("elisp"))),
            value("--script -l --load", Role::Script(Lang::Other("elisp"))),
            value(
                "-f --funcall -u --user -d --display -t --chdir -a --alternate-editor --socket-name",
                Role::Inert,
            ),
            quiet("-Q -q -nw --batch -batch --no-site-file -n -c"),
        ])
        .operands(Operands::Rest(Role::Prefixed(&[("+", Role::Inert), ("", Role::Read)])))
        .refine(|parsed, sink| {
            if !parsed.has("--batch -batch --script") {
                opened(parsed, sink);
            }
        }),
    program(&[
        "nano",
        "rnano",
        "pico",
        "micro",
        "joe",
        "jmacs",
        "jpico",
        "jove",
        "jed",
        "kak",
        "helix",
        "hx",
        "ne",
        "mcedit",
        "editor",
        "sensible-editor",
        "tilde",
        "vis",
        "gedit",
        "gnome-text-editor",
        "geany",
        "kate",
        "kwrite",
        "leafpad",
        "mousepad",
        "pluma",
        "xed",
        "notepad",
        "mate",
        "bbedit",
    ])
    .options(&[
        HELP,
        value("-s --speller", Role::ArgvText),
        value("-o --operatingdir -T -r -Y -c -e", Role::Inert),
        quiet("-R -v --view --readonly -readonly"),
    ])
    .operands(Operands::Rest(Role::Prefixed(&[("+", Role::Inert), ("", Role::Read)])))
    .refine(opened),
    program(&["windsurf", "webstorm", "goland"])
        .options(&[
            HELP,
            value("-g --goto --user-data-dir --extensions-dir --profile --locale", Role::Inert),
            value("--install-extension --uninstall-extension", Role::Inert),
        ])
        .operands(Operands::Rest(Role::Inert)),
    program(&["open"]).syntax(Syntax::Words),
];

/// Whoever opens a file in an editor means to write it: what is typed there nobody judges. One that only shows files writes none.
pub(super) fn opened(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let shows = parsed.has("-R -M -v --view --readonly -readonly") || SHOWING.contains(&parsed.program);
    if parsed.stopped || shows {
        return;
    }
    for argument in parsed.operands.iter().filter(|operand| !operand.value.known_prefix().starts_with('+')) {
        let file = at_no_line(&argument.value);
        sink.path(Verb::Write, &file, parsed.flags | Flags::IN_PLACE);
    }
}

/// Names under which an editor shows files only.
const SHOWING: &[&str] = &["rview", "view"];

/// `src/main.rs:10:2` opens the file at a line.
fn at_no_line(file: &Value) -> Value {
    let Some(text) = file.known() else { return file.clone() };
    let is_place = |place: &str| place.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    match text.split_once(':') {
        Some((name, place)) if !place.is_empty() && is_place(place) => {
            Value { pieces: vec![crate::value::Piece::Literal(name.to_owned())], ..file.clone() }
        }
        Some(_) | None => file.clone(),
    }
}

/// `ex -s`, `vim -es` and `view -c wq!` write without a person at the keyboard; the commands say what, the operands where.
fn batch(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    others(parsed, sink);
    for keys in parsed.values("--remote-send") {
        sink.code(Lang::Ex, &typed(keys));
    }
    for expression in parsed.values("--remote-expr") {
        let mut line = Value::literal("echo ");
        line.push(expression);
        sink.code(Lang::Ex, &line);
    }
    let commands: Vec<String> = parsed
        .values("-c --cmd")
        .map(Value::shown)
        .chain(parsed.words().filter_map(|word| word.strip_prefix('+').map(str::to_owned)))
        .collect();
    if !commands.iter().any(|command| writes(command)) {
        // Without anybody at the keyboard, nothing else is written.
        if !parsed.has("-e -E -es -Es --headless")
            && parsed.program != "ex"
            && !commands.iter().any(|command| leaves(command))
        {
            opened(parsed, sink);
        }
        return;
    }
    let operands = parsed.operands.iter().map(|operand| &operand.value);
    let silenced = parsed.values("-s").filter(|_| parsed.has("-e -E"));
    for file in operands.filter(|operand| !operand.shown().starts_with('+')).chain(silenced) {
        sink.path(Verb::Write, file, parsed.flags | Flags::IN_PLACE);
    }
}

/// Keys and expressions go to the editor at an address: somebody else's, unless the text itself has started one there.
fn others(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let name = |address: Option<&Value>| format!("editor {}", address.map(Value::shown).unwrap_or_default());
    let changes = |expression: &Value| expression.known().is_none_or(|text| !only_looks(&text));
    if parsed.values("--remote-send").any(|keys| !only_shows(keys))
        || parsed.values("--remote-expr").any(changes)
    {
        terminals::typed_into(&name(parsed.value("--server --servername")), sink);
    } else if let Some(address) = parsed.value("--listen --servername") {
        terminals::opened_as(&name(Some(address)), sink);
    }
}

/// Whether keys only save, load or show files.
fn only_shows(keys: &Value) -> bool {
    let lines = typed(keys);
    let is_quiet = |line: &str| {
        let command = line.trim().strip_prefix(':').and_then(|command| command.split_whitespace().next());
        line.trim().is_empty() || command.is_some_and(|command| SHOWN.contains(&command))
    };
    keys.known().is_some_and(|text| !text.contains(['!', '|', '`', '=']))
        && lines.known_prefix().lines().all(is_quiet)
}

/// Commands of an editor that save, load or show a file, and ask where something would be lost.
const SHOWN: &[&str] = &[
    "b",
    "buffer",
    "checktime",
    "drop",
    "e",
    "edit",
    "q",
    "redraw",
    "split",
    "tabe",
    "tabedit",
    "up",
    "update",
    "vsplit",
    "w",
    "wa",
    "write",
];

/// Whether an expression calls nothing but functions that tell something.
fn only_looks(expression: &str) -> bool {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "_:#.".contains(letter);
    let mut calls = expression.match_indices('(').map(|(at, _)| {
        let before = expression.get(..at).unwrap_or_default().trim_end();
        let start = before.rfind(|letter| !is_of_name(letter)).map_or(0, |at| at + 1);
        before.get(start..).unwrap_or_default()
    });
    !expression.contains("->")
        && !expression.contains('`')
        && calls.all(|name| name.is_empty() || TELLING.contains(&name))
}

/// Functions of an editor that only tell something.
const TELLING: &[&str] = &[
    "bufexists",
    "buflisted",
    "bufname",
    "bufnr",
    "col",
    "exists",
    "expand",
    "fnamemodify",
    "getbufinfo",
    "getcwd",
    "getline",
    "getpos",
    "getreg",
    "has",
    "json_encode",
    "len",
    "line",
    "mode",
    "string",
    "winnr",
];

/// Keys that are typed into a running editor, as lines: `<C-\\><C-N>:!ls<CR>` types `:!ls`.
fn typed(keys: &Value) -> Value {
    let Some(text) = keys.known() else { return keys.clone() };
    let mut lines = String::new();
    let mut rest = text.as_ref();
    while let Some((before, behind)) = rest.split_once('<') {
        lines.push_str(before);
        let key = behind.split_once('>').filter(|(name, _)| is_key(name));
        lines.push(if key.is_some() { '\n' } else { '<' });
        rest = key.map_or(behind, |(_, after)| after);
    }
    lines.push_str(rest);
    Value::literal(lines).from(keys.provenance)
}

/// `CR`, `Esc`, `C-W`, `S-F12`; `<&1` and `< file >` are none.
fn is_key(name: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-\\".contains(&byte);
    (1..=12).contains(&name.len()) && name.bytes().all(is_of_name)
}

/// Whether a command line of ex ends the editor and writes nothing.
fn leaves(command: &str) -> bool {
    command.split('|').map(|part| part.trim().trim_start_matches(':')).any(|part| {
        matches!(
            part,
            "q" | "q!"
                | "qa"
                | "qa!"
                | "qall"
                | "qall!"
                | "quit"
                | "quit!"
                | "cq"
                | "cq!"
                | "cquit"
                | "quitall"
                | "quitall!"
        )
    })
}

/// Whether a command line of ex writes the file that is open.
fn writes(command: &str) -> bool {
    command.split('|').map(|part| part.trim().trim_start_matches([':', '%'])).any(|part| {
        matches!(
            part,
            "w" | "w!"
                | "wq"
                | "wq!"
                | "x"
                | "x!"
                | "xit"
                | "write"
                | "write!"
                | "update"
                | "up"
                | "wa"
                | "wall"
                | "wqa"
                | "wqa!"
                | "xa"
                | "xall"
        )
    })
}

/// ed's commands come on standard input; what they write is the operand, unless they name another file.
fn ed(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let script = sink.stdin().shown();
    if let (true, Some(file)) =
        (script.lines().any(|line| matches!(line.trim(), "w" | "wq")), parsed.operand(0))
    {
        sink.path(Verb::Write, file, parsed.flags | Flags::IN_PLACE);
    } else if script.is_empty() || sink.stdin().has_hole() {
        opened(parsed, sink);
    }
}

#[cfg(test)]
mod tests {
    use super::{Value, only_looks, only_shows, writes};

    #[test]
    fn keys_that_only_save_and_show_are_told_from_others() {
        for keys in [":w<CR>", "<Esc>:e src/main.rs<CR>", ":checktime<CR>", "<Esc>"] {
            assert!(only_shows(&Value::literal(keys)), "{keys}");
        }
        for keys in
            [":!ls<CR>", ":q!<CR>", ":w|!ls<CR>", "ihello", ":term ls<CR>", ":lua x()<CR>", ":e `ls`<CR>"]
        {
            assert!(!only_shows(&Value::literal(keys)), "{keys}");
        }
    }

    #[test]
    fn expressions_that_only_look_are_told_from_others() {
        assert!(only_looks("bufname('%')") && only_looks("v:version"));
        for expression in ["system('ls')", "'ls'->system()", "expand('`ls`')", "execute('w')"] {
            assert!(!only_looks(expression), "{expression}");
        }
    }

    #[test]
    fn commands_that_write() {
        for command in ["wq", ":x", "%s/a/b/|w!", "g/x/d | wq"] {
            assert!(writes(command), "{command}");
        }
        for command in ["q!", "set nu", ":e other", "w other"] {
            assert!(!writes(command), "{command}");
        }
    }
}
