//! Shells.
//!
//! In Bourne shells `-c` takes no value: it makes the first operand the code, so that `-c -e CODE`, `-ec CODE` and
//! `-lc CODE` all mean the same. Without code and script, the standard input is the code.

use super::arguments::{Argument, Parsed};
use super::schema::{
    Do, Operands, Opt, Program, Role, Syntax, before, flag, interactive, program, quiet, value, value_does,
};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Piece, Provenance, Value};

const SHELL: Role = Role::Code(Lang::Shell);
const SCRIPT: Operands = Operands::Each(&[Role::Script(Lang::Shell), Role::Inert]);
const CODE: Operands = Operands::Each(&[SHELL, Role::Inert]);

/// A shell that reads this language well enough to be taken for bash.
const fn shell(names: &'static [&'static str]) -> Program {
    program(names).syntax(Syntax::FirstOperandEnds).operands(SCRIPT).stdin(SHELL)
}

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    shell(&["bash", "rbash", "sh", "dash", "ash", "posh", "hush", "bash5", "brush"])
        .options(BASH_OPTIONS)
        .refine(started)
        .env(&[
            ("BASH_ENV", Role::Script(Lang::Shell)),
            ("ENV", Role::Script(Lang::Shell)),
            ("PROMPT_COMMAND", SHELL),
            ("PS0", Role::Expanded),
            ("PS1", Role::Expanded),
            ("PS2", Role::Expanded),
            ("PS4", Role::Expanded),
        ]),
    shell(&[
        "zsh",
        "rzsh",
        "ksh",
        "ksh93",
        "mksh",
        "lksh",
        "pdksh",
        "oksh",
        "loksh",
        "mksh-static",
        "rc",
        "es",
        "rksh",
        "yash",
        "osh",
        "ysh",
    ])
    .options(BASH_OPTIONS)
    .env(&[("ENV", Role::Script(Lang::Shell)), ("ZDOTDIR", Role::Inert)]),
    shell(&["csh", "tcsh", "bsd-csh"]).options(&[
        flag("-c", Do::Operands(CODE)),
        flag("-s -t", Do::Operands(Operands::None)),
        quiet("-b -d -e -f -i -l -m -n -q -v -V -x -X --help --version"),
    ]),
    program(&["fish", "elvish", "nu", "nushell", "ion", "murex", "sash"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[
            flag("-v --version -h --help", Do::Stop),
            quiet("-i --interactive -l --login -n --no-execute -N --no-config -P --private -norc -p"),
            value_does("-c --command --commands", Do::StopWith(SHELL)),
            before("-C --init-command", SHELL),
            value("-e", SHELL),
            value("-d --debug -o --debug-output -D --profile --profile-startup -f --features", Role::Inert),
            value("-rc --config --env-config --plugin-config", Role::Inert),
        ])
        .operands(SCRIPT)
        .stdin(SHELL),
    program(&["xonsh", "scsh"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[value_does("-c", Do::StopWith(SHELL)), interactive("-i", Lang::Shell), quiet("-l -x")])
        .operands(SCRIPT)
        .stdin(SHELL),
    program(&["pwsh", "powershell", "pwsh-preview"])
        .syntax(Syntax::FirstOperandEnds)
        .options(POWERSHELL_OPTIONS)
        .operands(Operands::Each(&[Role::Script(Lang::PowerShell), Role::Inert]))
        .stdin(Role::Code(Lang::PowerShell))
        .refine(powershell),
    program(&["cmd"]).syntax(Syntax::Words).stdin(Role::Code(Lang::Cmd)).refine(cmd),
    // A menu or a file manager that hands lines to a shell.
    program(&["git-shell", "nologin", "rssh", "lshell"]).options(&[value("-c", SHELL)]),
];

const BASH_OPTIONS: &[Opt] = &[
    flag("--help --version", Do::Stop),
    flag("-c", Do::Operands(CODE)),
    flag("-s", Do::Operands(Operands::None)),
    quiet(
        "-a -b -e -f -h -i -k -l -m -n -p -r -t -u -v -x -B -C -D -E -H -P -T --debug --debugger --dump-po-strings",
    ),
    quiet(
        "--dump-strings --login --noediting --noprofile --norc --posix --pretty-print --restricted --verbose --wordexp -g",
    ),
    value("-o -O", Role::Inert),
    before("--rcfile --init-file", Role::Script(Lang::Shell)),
];

const POWERSHELL_OPTIONS: &[Opt] = &[
    flag("-Version -v -Help -h -?", Do::Stop),
    quiet("-NoProfile -nop -NonInteractive -noni -NoLogo -NoExit -noe -Login -l -Sta -Mta -Interactive -i"),
    value_does("-Command -c -com -CommandWithArgs -cwa -command", Do::StopWith(Role::Code(Lang::PowerShell))),
    value_does("-File -f -file", Do::StopWith(Role::Script(Lang::PowerShell))),
    value("-EncodedCommand -EncodedArguments", Role::Inert),
    value(
        "-ExecutionPolicy -ep -ex -exec -WindowStyle -w -win -OutputFormat -o -of -InputFormat -inp -if",
        Role::Inert,
    ),
    value(
        "-ConfigurationName -config -SettingsFile -settings -CustomPipeName -WorkingDirectory -wd -PSConsoleFile",
        Role::Inert,
    ),
];

/// Whether a shell looks at the syntax of its code alone: `bash -n`.
pub(crate) fn only_checks(name: &str, parsed: &Parsed<'_>) -> bool {
    // What stands first is the name of the file, known or not, unless it may be several words.
    let splits =
        |word: &Value| word.pieces.iter().any(|piece| matches!(piece, Piece::Hole(hole) if hole.may_split));
    let first = parsed.operands.first().filter(|_| !parsed.has("-c -s"));
    let is_named = first.is_some_and(|first| parsed.operands.len() == 1 || !splits(&first.value));
    let is_name = |argument: &Argument| {
        is_named && parsed.operands.iter().any(|operand| std::ptr::eq(*operand, argument))
    };
    let turns = |argument: &&Argument| {
        let word = &argument.value;
        word.known_prefix().starts_with('+') || word.has_hole() && !is_name(argument)
    };
    let settings: Vec<String> = parsed.values("-o").map(Value::shown).collect();
    let is_told = parsed.has("-n") && settings.is_empty() || settings == ["noexec"];
    is_bourne(name)
        && is_told
        && !parsed.has("-i -O -v --verbose -x --rcfile --init-file")
        && !parsed.all.iter().any(|argument| turns(&argument))
}

fn is_bourne(name: &str) -> bool {
    matches!(name, "bash" | "dash" | "ksh" | "sh" | "zsh")
}

fn started(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    trace_prompt(parsed, sink);
    if parsed.has("-v --verbose")
        && let Some(script) = parsed.operand(0).filter(|_| !parsed.has("-c -s"))
    {
        let shown = sink.read(script);
        sink.print(shown);
    }
    if parsed.operands.is_empty() && !parsed.has("-c --version --help") {
        keeps_history(sink);
    }
}

/// `HISTFILE=/dev/null bash`: what is typed into it is kept nowhere.
fn keeps_history(sink: &mut dyn Sink) {
    let silent = |name: &str, values: &[&str]| {
        sink.changes_variable(name)
            && sink.variable(name).known().is_some_and(|value| values.contains(&value.as_ref()))
    };
    if silent("HISTFILE", &["", "/dev/null"]) || silent("HISTSIZE", &["0"]) || silent("HISTFILESIZE", &["0"])
    {
        let history = Target::Named("audit", "the history of commands".to_owned());
        sink.effect(Verb::Disable, history, Flags::NONE, Provenance::NONE);
    }
}

/// The prompt of traced commands is expanded each time, and so runs what it substitutes.
fn trace_prompt(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let prompt = sink.variable("PS4");
    let traced =
        parsed.has("-x") || parsed.value("-o").and_then(Value::known).is_some_and(|name| name == "xtrace");
    if let (true, Some(text)) =
        (traced, prompt.known().filter(|text| text.contains("$(") || text.contains('`')))
    {
        sink.code(Lang::Shell, &Value::literal(format!(": \"{text}\"")));
    }
}

/// `-EncodedCommand` holds base64 of UTF-16: code that nobody can read at a glance.
fn encoded_command(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(encoded) = parsed.value("-EncodedCommand") else { return };
    let code = encoded.known().and_then(|text| decode_utf16(&text));
    let code = code.map_or_else(
        || Value::unknown(encoded.shown(), Provenance::DECODED),
        |text| Value::literal(text).from(Provenance::DECODED),
    );
    sink.code(Lang::PowerShell, &code);
}

fn decode_utf16(text: &str) -> Option<String> {
    let mut bits = 0u32;
    let mut count = 0u32;
    let mut bytes = Vec::with_capacity(text.len());
    for byte in text.bytes().filter(|byte| *byte != b'=') {
        bits = (bits << 6) | u32::from(digit(byte)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).ok()?);
            bits &= (1 << count) - 1;
        }
    }
    let units: Vec<u16> =
        bytes.chunks_exact(2).filter_map(|pair| pair.try_into().ok().map(u16::from_le_bytes)).collect();
    String::from_utf16(&units).ok()
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

/// `cmd /c TEXT`, `cmd /q/kTEXT`: everything behind the letter is the text.
fn cmd(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<&Value> = parsed.all.iter().map(|argument| &argument.value).collect();
    let begun =
        words.iter().enumerate().find_map(|(at, word)| Some((at, text_begins(&word.known_prefix())?)));
    let Some((at, begins)) = begun else { return };
    let first = words.get(at).map(|word| super::arguments::tail(word, begins));
    let rest = words.into_iter().skip(at + 1).cloned();
    let text: Vec<Value> = first.filter(|first| !first.pieces.is_empty()).into_iter().chain(rest).collect();
    let output = sink.code(Lang::Cmd, &super::kinds::joined(&text));
    sink.print(output);
}

/// Where the text begins in a word of switches: `/c`, `/Crd`, `/q/c`, `//c`, `-c`.
fn text_begins(word: &str) -> Option<usize> {
    let starts = word.char_indices().filter(|(at, letter)| *letter == '/' || *at == 0 && *letter == '-');
    if !word.starts_with(['/', '-']) {
        return None;
    }
    starts
        .map(|(at, _)| at + 1)
        .find(|at| word.get(*at..).is_some_and(|rest| rest.starts_with(['c', 'C', 'k', 'K', 'r', 'R'])))
        .map(|at| at + 1)
}

/// Options of PowerShell, as this table spells them, in the order in which it takes abbreviations.
const PARAMETERS: &[&str] = &[
    "-Command",
    "-CommandWithArgs",
    "-ConfigurationName",
    "-CustomPipeName",
    "-EncodedCommand",
    "-EncodedArguments",
    "-ExecutionPolicy",
    "-File",
    "-Help",
    "-InputFormat",
    "-Interactive",
    "-Login",
    "-Mta",
    "-NoExit",
    "-NoLogo",
    "-NonInteractive",
    "-NoProfile",
    "-NoProfileLoadTime",
    "-OutputFormat",
    "-PSConsoleFile",
    "-SettingsFile",
    "-Sta",
    "-Version",
    "-WindowStyle",
    "-WorkingDirectory",
];

/// Abbreviations that are no beginning.
const SHORT: &[(&str, &str)] = &[
    ("cwa", "-CommandWithArgs"),
    ("ec", "-EncodedCommand"),
    ("ep", "-ExecutionPolicy"),
    ("ex", "-ExecutionPolicy"),
    ("if", "-InputFormat"),
    ("inp", "-InputFormat"),
    ("of", "-OutputFormat"),
    ("wd", "-WorkingDirectory"),
    ("wo", "-WorkingDirectory"),
];

/// The option that a word abbreviates, in any case, with any of the dashes that PowerShell takes, or a slash.
fn parameter(word: &str) -> Option<&'static str> {
    let name = word
        .strip_prefix("--")
        .or_else(|| word.strip_prefix(['-', '/', '\u{2013}', '\u{2014}', '\u{2015}']))?;
    let name = name.trim_end_matches(':').to_ascii_lowercase();
    if name.is_empty() {
        return None;
    }
    let short = SHORT.iter().find(|(short, _)| *short == name).map(|(_, option)| *option);
    let begun = || {
        PARAMETERS.iter().find(|option| {
            let option = option.trim_start_matches('-').to_ascii_lowercase();
            option.starts_with(&name)
        })
    };
    short.or_else(|| begun().copied())
}

/// Code that PowerShell is given in any of the spellings that the table does not hold is read as what it is.
fn powershell(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    encoded_command(parsed, sink);
    let written: Vec<Value> = parsed.all.iter().map(|argument| argument.value.clone()).collect();
    let plain = plainly(&written, parsed.program);
    if plain != written {
        let argv: Vec<Value> = std::iter::once(Value::literal("pwsh")).chain(plain).collect();
        let input = sink.stdin();
        let output = sink.run(&argv, &input);
        sink.print(output);
    }
}

/// The same arguments as the table spells them. A dash instead of code or a file is standard input.
fn plainly(written: &[Value], program: &str) -> Vec<Value> {
    let mut plain = Vec::new();
    let mut words = written.iter();
    while let Some(word) = words.next() {
        let text = word.known();
        let option = text.as_deref().and_then(parameter);
        match option {
            Some(code @ ("-Command" | "-CommandWithArgs" | "-File")) => {
                let rest: Vec<Value> = words.cloned().collect();
                if rest.first().and_then(Value::known).as_deref() != Some("-") {
                    plain.push(Value::literal(code));
                    plain.extend(rest);
                }
                return plain;
            }
            Some(option) => plain.push(Value::literal(option)),
            None if text.as_deref() == Some("-") => return plain,
            None => {
                let after_option = plain
                    .last()
                    .and_then(Value::known)
                    .is_some_and(|last| last.starts_with('-') && TAKES.contains(&&*last));
                // Windows' own takes words for code, its successor for a file.
                let is_file = text.as_deref().is_none_or(|text| text.to_ascii_lowercase().ends_with(".ps1"));
                if !after_option && program.starts_with("powershell") && !is_file {
                    plain.push(Value::literal("-Command"));
                }
                plain.push(word.clone());
                if !after_option {
                    plain.extend(words.cloned());
                    return plain;
                }
            }
        }
    }
    plain
}

/// Options that take the word behind them.
const TAKES: &[&str] = &[
    "-ConfigurationName",
    "-CustomPipeName",
    "-EncodedCommand",
    "-EncodedArguments",
    "-ExecutionPolicy",
    "-InputFormat",
    "-OutputFormat",
    "-PSConsoleFile",
    "-SettingsFile",
    "-WindowStyle",
    "-WorkingDirectory",
];

/// Programs that start a shell where they are given no command, and the sub-commands with which they do.
const OPEN: &[(&str, &[&str])] = &[
    ("conda", &["activate"]),
    ("devbox", &["shell"]),
    ("distrobox", &["enter"]),
    ("fakeroot", &[]),
    ("fakeroot-ng", &[]),
    ("firejail", &[]),
    ("guix", &["environment", "shell"]),
    ("hatch", &["shell"]),
    ("i386", &[]),
    ("linux32", &[]),
    ("linux64", &[]),
    ("machinectl", &["shell"]),
    ("newgrp", &[]),
    ("nix", &["develop", "shell"]),
    ("nix-shell", &[]),
    ("pipenv", &["shell"]),
    ("pixi", &["shell"]),
    ("poetry", &["shell"]),
    ("proot", &[]),
    ("proot-distro", &["login"]),
    ("setarch", &[]),
    ("toolbox", &["enter"]),
    ("uname26", &[]),
    ("x86_64", &[]),
];

/// Whether a program starts a shell that reads what the program is given to read.
pub(crate) fn opens_shell(parsed: &Parsed<'_>) -> bool {
    let with = OPEN.iter().find(|(name, _)| *name == parsed.program).map(|(_, verbs)| *verbs);
    with.is_some_and(|verbs| {
        let named = || parsed.subcommands.iter().copied().map(str::to_owned).chain(parsed.words());
        verbs.is_empty() || named().next().is_some_and(|word| verbs.contains(&word.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviated_parameters_are_spelled_out() {
        for (word, option) in [
            ("-Com", "-Command"),
            ("/c", "-Command"),
            ("-COMMAND", "-Command"),
            ("\u{2013}enc", "-EncodedCommand"),
            ("-ec", "-EncodedCommand"),
            ("-e", "-EncodedCommand"),
            ("-exec", "-ExecutionPolicy"),
            ("-NonI", "-NonInteractive"),
            ("-w", "-WindowStyle"),
            ("-f", "-File"),
        ] {
            assert_eq!(parameter(word), Some(option), "{word}");
        }
        assert_eq!(parameter("script.ps1"), None);
        assert_eq!(parameter("-"), None);
    }

    #[test]
    fn switches_of_cmd_are_glued_together() {
        for (word, begins) in [("/c", 2), ("/Crd", 2), ("/q/c", 4), ("//c", 3), ("/s/q/Kx", 6)] {
            assert_eq!(text_begins(word), Some(begins), "{word}");
        }
        assert_eq!(text_begins("/s"), None);
        assert_eq!(text_begins("c:"), None);
    }

    #[test]
    fn encoded_commands_are_decoded() {
        assert_eq!(decode_utf16("bABzAA==").as_deref(), Some("ls"));
        assert_eq!(decode_utf16("b!"), None);
    }
}
