//! Programs that show text, pages or menus, and can be told to run something on the way.

use super::arguments::Parsed;
use super::kinds::{HELP, hook, starts_bare_shell, strip_prefix, wrapper};
use super::schema::{
    Aim, Do, Operands, Program, Role, Source, Syntax, attached, deed, flag, program, quiet, value,
};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

const SHELL: Role = Role::Code(Lang::Shell);
/// `less` reads the output of its preprocessor when the command begins with a bar.
const LESS_OPEN: Role =
    Role::Prefixed(&[("||-", SHELL), ("||", SHELL), ("|-", SHELL), ("|", SHELL), ("", SHELL)]);
pub(super) const PAGERS: &[(&str, Role)] = &[
    ("PAGER", SHELL),
    ("MANPAGER", SHELL),
    ("LESSOPEN", LESS_OPEN),
    ("LESSCLOSE", SHELL),
    ("EDITOR", SHELL),
    ("VISUAL", SHELL),
    ("BROWSER", SHELL),
    ("SYSTEMD_PAGER", SHELL),
];

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["man", "info", "apropos", "whatis", "gman", "batman"])
        .options(&[
            flag("-h --help --version -V", Do::Stop),
            value("-P --pager", SHELL),
            // `-H/bin/sh`: the browser, glued on.
            attached("-H --html", Do::Is(SHELL)),
            value("-C --config-file -M --manpath", Role::Read),
            value("-L --locale -m --systems -S -s --sections -e --extension -E --encoding -p --preprocessor -r --prompt -R --recode", Role::Inert),
            value("-f --file -o --output --init-file", Role::Read),
            attached("-T --troff-device -X --gxditview", Do::Nothing),
            quiet("-a -d -D -i -I -k -K -l -t -u -w -W -7 -Z"),
        ])
        .env(PAGERS)
        .operands(Operands::None)
        .stdout(Source::Input)
        .refine(man),
    program(&["systemd-analyze", "apport-cli", "bashbug", "perlbug", "perldoc", "pydoc", "pydoc3", "ri", "godoc", "tldr", "cheat"])
        .options(&[HELP, value("-e --editor", SHELL), value("-f -c --crash-file", Role::Inert), quiet("-m -T -t -u -v")])
        .env(PAGERS),
    program(&["fzf", "sk", "skim", "fzy", "peco"]).options(&[
        HELP,
        value("--preview --listen-command", SHELL),
        value("--bind", Role::Inert),
        value("-q --query -f --filter -d --delimiter -n --nth --height --layout --border --prompt --header --tiebreak --with-nth", Role::Inert),
        value("--history", Role::Write),
        // Whoever reaches the port sends actions, `execute(…)` among them.
        attached("--listen --listen-unsafe", Do::Emit(deed(Verb::Execute, Aim::None, Flags::INTERACTIVE.and(Flags::HOOK)))),
        attached("--tmux", Do::Nothing),
        quiet("-m --multi -e --exact -i --ansi --reverse -0 -1 --cycle --read0 --print0"),
    ])
    .env(&[("FZF_DEFAULT_COMMAND", SHELL)])
    .operands(Operands::None)
    .stdout(Source::Input)
    .refine(bindings),
    program(&["gum"]).options(&[HELP]).subs(&[wrapper(&["spin"]).options(&[
        quiet("--show-output --show-error --show-stdout --show-stderr"),
        value("-s --spinner --title -a --align --timeout", Role::Inert),
    ])])
    .stdout(Source::Input),
    program(&["dialog", "whiptail", "Xdialog", "kdialog", "zenity", "yad"])
        .options(&[
            HELP,
            quiet("--textbox --tailbox --tailboxbg --editbox --scrolltext"),
            value("--prgbox", SHELL),
            value("--file", Role::Read),
            attached("--filename --text-info", Do::Is(Role::Read)),
            value("--backtitle --title --default-item --ok-button --cancel-button --output-fd", Role::Inert),
        ])
        .operands(Operands::None)
        .refine(prgbox),
    program(&["ranger", "nnn", "lf", "vifm", "yazi", "broot", "fff"]).options(&[
        HELP,
        value("--cmd -command -c", SHELL),
        value("--selectfile --choosefile --choosedir -selection-path -last-dir-path", Role::Inert),
    ])
    .operands(Operands::None),
    // A file manager, or the client of an object store: only the latter has sub-commands.
    program(&["mc", "mcli"]).operands(Operands::None).subs(&[
        program(&["rm", "rb", "admin user remove", "admin bucket remove", "ilm rule rm"])
            .does(&[super::schema::deed(crate::effect::Verb::Destroy, super::schema::Aim::Kind("bucket"), Flags::NONE)]),
    ]),
    program(&["pygmentize", "highlight", "source-highlight", "chroma", "silicon", "glow", "mdcat", "rich"])
        .options(&[HELP, value("-o --output", Role::Write), value("-l -f -F -S -O -P --style --syntax", Role::Inert), value("--plug-in --config-file", Role::Read), flag("-x", Do::Nothing)])
        .all(Role::Read)
        .stdout(Source::Input)
        .refine(custom_lexer),
    program(&["run-mailcap", "see", "compose-mailcap"])
        .options(&[attached("--action", Do::Nothing)])
        .env(PAGERS)
        .operands(Operands::None)
        .refine(mailcap),
    program(&["neofetch", "screenfetch", "pfetch"]).options(&[
        HELP,
        value("--config", Role::Script(Lang::Shell)),
        value("--ascii --source --image --kitty --w3m", Role::Read),
        value("--off --backend --size --colors --disable --stdout", Role::Inert),
    ]),
    program(&["fastfetch"]).options(&[HELP, value("-c --config", Role::Inert), value("--file --file-raw -l --logo --source", Role::Read), value("--command-text --command-shell", SHELL)]).refine(fastfetch),
    program(&["cowsay", "cowthink"]).options(&[value("-f", Role::Inert), value("-e -T -W", Role::Inert), quiet("-b -d -g -n -p -s -t -w -y -l")]).refine(cow_file),
    program(&["espeak", "espeak-ng", "say", "festival", "flite"]).options(&[value("-f", Role::Read), value("-w", Role::Write), value("-v -s -p -g -k -a -l", Role::Inert), quiet("-q -x -X")]).stdout(Source::Input),
    program(&["ginsh", "gp", "maxima", "sage", "bc", "dc", "calc", "qalc", "units", "genius"])
        .options(&[HELP, value("-e --expression", Role::Inert), value("-f --file --batch", Role::Inert), quiet("-l --mathlib -q --quiet -w --warn -s --standard -i --interactive")])
        .operands(Operands::Rest(Role::Read))
        .stdout(Source::Input)
        .refine(calculator),
    program(&["vimpager", "nvimpager", "ov", "moor", "slit"]).all(Role::Read).stdout(Source::Input),
    program(&["dstat", "dool"]).syntax(Syntax::Gnu).options(&[HELP, value("--output", Role::Write)]).operands(Operands::None).refine(plugins),
    program(&["iftop", "nethogs", "bmon", "vnstat", "iptraf", "nload", "slurm"]).options(&[value("-i -f -F -G", Role::Inert), value("-c", Role::Read)]),
];

/// `LESSOPEN='|CODE'` shows what the code prints; without the bar that is the name of the file to show.
pub(super) fn opened_instead(_: &Parsed<'_>, sink: &mut dyn Sink) {
    let setting = sink.variable("LESSOPEN");
    if setting.known_prefix().is_empty() {
        return;
    }
    if let Some(code) = ["||-", "||", "|-", "|"].iter().find_map(|bar| strip_prefix(&setting, bar)) {
        return hook(&code, Flags::NONE, sink);
    }
    if starts_bare_shell(&setting) {
        return hook(&setting, Flags::NONE, sink);
    }
    let name = sink.hooked_code(Lang::Shell, &setting);
    if let Some(name) = name.known().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()) {
        sink.read(&Value::literal(name));
    }
}

/// A cow is Perl; one by name is installed.
fn cow_file(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for cow in parsed.values("-f").filter(|cow| cow.known_prefix().contains('/')) {
        sink.script(Lang::Perl, cow, &[]);
    }
}

/// `--NAME` is a plugin, which the user may have written.
fn plugins(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let home = sink.home();
    for argument in parsed.all {
        let Some(name) = strip_prefix(&argument.value, "--") else { continue };
        let path = Value::literal(format!("{home}/.dstat/dstat_{}.py", name.shown().replace('-', "_")));
        if sink.shown(&path).is_some() {
            sink.script(Lang::Python, &path, &[]);
        }
    }
}

/// A page by name is nothing; a page by path is a file that is shown.
fn man(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    for argument in &parsed.operands {
        if argument.value.known_prefix().contains('/') {
            sink.read(&argument.value);
        }
    }
}

/// `--bind 'enter:execute(CODE)'`, `become(CODE)`, `reload(CODE)` and their siblings with other brackets.
fn bindings(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for binding in parsed.values("--bind").filter_map(Value::known) {
        for name in ["execute", "become", "reload", "preview", "transform"] {
            for (at, _) in binding.match_indices(name) {
                if let Some(code) = binding.get(at..).and_then(bracketed) {
                    hook(&Value::literal(code), Flags::NONE, sink);
                }
            }
        }
    }
}

/// The text in the first brackets, or after the first colon.
fn bracketed(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(['(', '[', '{', ':', '~'])?;
    Some(rest.trim_end_matches([')', ']', '}', '~']))
}

/// `--textbox FILE` shows a file; `--prgbox TITLE CODE 0 0` runs the code; the title is optional.
fn prgbox(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let second =
        parsed.operand(0).filter(|word| word.known().is_none_or(|word| word.parse::<u32>().is_err()));
    if let (true, Some(code)) = (parsed.has("--prgbox"), second) {
        hook(code, Flags::NONE, sink);
    }
}

/// A configuration written in the same text may hold a command.
fn fastfetch(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(path) = parsed.value("-c --config") else { return };
    let text = sink.read(path);
    let Some(text) = text.known() else { return };
    let code = text.split_once("\"text\"").and_then(|(_, rest)| rest.split('"').nth(1));
    if let (true, Some(code)) = (text.contains("\"command\""), code) {
        hook(&Value::literal(code), Flags::NONE, sink);
    }
}

/// `dc -e '!cmd'` and lines that begin with `!` on standard input.
fn calculator(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let input = sink.stdin();
    for text in parsed.values("-e --expression").chain([&input]).filter_map(Value::known) {
        for line in text.lines() {
            if let Some(code) =
                line.trim_start().strip_prefix('!').filter(|code| !code.starts_with(['<', '>', '=']))
            {
                hook(&Value::literal(code), Flags::NONE, sink);
            }
        }
    }
    for file in parsed.values("-f --file --batch") {
        sink.read(file);
    }
}

/// `text/plain:FILE` or `FILE`, shown or edited.
fn mailcap(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let edits = parsed.value("--action").and_then(Value::known).is_some_and(|action| action != "view");
    for argument in &parsed.operands {
        let typed = super::kinds::split_once(&argument.value, ':').filter(|(kind, _)| kind.contains('/'));
        let file = typed.map_or_else(|| argument.value.clone(), |(_, file)| file);
        sink.read(&file);
        if edits {
            sink.path(crate::effect::Verb::Write, &file, Flags::IN_PLACE);
        }
    }
}

/// `-x -l FILE:CLASS` loads a lexer from a file.
fn custom_lexer(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for lexer in parsed.values("-l -f").filter(|_| parsed.has("-x")) {
        super::kinds::load_path(lexer, sink);
    }
}
