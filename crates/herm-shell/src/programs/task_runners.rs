//! Runners of tasks that stand in a file: `just`, `task`, `ninja`, `foreman`.
//!
//! Files that people write are opened wherever they are: a justfile, a task file, a Procfile say which name runs what. What
//! `ninja` builds was written by a program (`cmake`, `meson`), is mostly too large to be read, and hangs on which files are there:
//! such a file is read only if the text itself wrote it.

use super::arguments::{Argument, Parsed};
use super::kinds::HELP;
use super::phrases::run_from;
use super::schema::{Do, Operands, Opt, Program, Role, Syntax, flag, program, quiet, until, value};
use super::{manifests, taskfile};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

/// How much of a task file is read for a unit of work.
const BYTES_A_UNIT: usize = 64;

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["just"])
        .options(&[
            HELP,
            flag("-n --dry-run -l --list --summary --dump --evaluate --fmt --show -s", Do::Stop),
            value("-f --justfile", Role::Inert),
            value("-d --working-directory", Role::Directory),
            value("--set --shell --shell-arg --dotenv-path -E", Role::Inert),
            until("-c --command", &[], Role::Argv),
            quiet("-q --quiet -v --verbose --yes --no-deps"),
        ])
        .operands(Operands::None)
        .refine(just),
    program(&["task", "go-task", "mage"])
        .options(&[
            HELP,
            flag("-n --dry -l --list --list-all --summary --status", Do::Stop),
            value("-t --taskfile", Role::Inert),
            value("-d --dir", Role::Directory),
            quiet("-f --force -s --silent -v --verbose -p --parallel -w --watch -y --yes"),
        ])
        .operands(Operands::None)
        .refine(task)
        .subs(&[program(&["execute", "exec"]).syntax(Syntax::FirstOperandEnds).all(Role::Argv)]),
    program(&["ninja", "samu"])
        .options(&[
            HELP,
            flag("-n", Do::Stop),
            value("-C", Role::Directory),
            value("-f", Role::Inert),
            value("-j -k -l -t -d -w", Role::Inert),
            quiet("-v --verbose --quiet"),
        ])
        .operands(Operands::None)
        .refine(ninja),
    program(&["foreman", "goreman", "hivemind", "honcho", "overmind", "shoreman"])
        .options(PROCFILE_OPTIONS)
        .operands(Operands::None)
        .subs(&[program(&["run"])
            .syntax(Syntax::FirstOperandEnds)
            .options(PROCFILE_OPTIONS)
            .refine(|parsed, sink| run_from(parsed, sink, 0))])
        .refine(procfile),
];

const PROCFILE_OPTIONS: &[Opt] = &[
    HELP,
    value("-f --procfile", Role::Inert),
    value("-d --root", Role::Directory),
    value("-e --env -c --concurrency -m --formation -p --port -l --processes -t --timeout", Role::Inert),
];

/// Recipes look like those of a makefile, but for what they are indented with.
fn just(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let targets: Vec<Value> = parsed.operands.iter().map(|argument| argument.value.clone()).collect();
    if let Some(text) = file(parsed, "-f --justfile", &["justfile", "Justfile", ".justfile"], sink) {
        let indented = text.lines().map(|line| match line.trim_start() {
            rest if rest.len() < line.len() => format!("\t{rest}\n"),
            whole => format!("{}\n", just_header(whole)),
        });
        let text: String = indented.collect();
        crate::scripts::make::read(&text, &targets, sink);
    }
}

/// A line that names a recipe, without what the recipe is called with: `build mode="fast": deps`.
fn just_header(line: &str) -> String {
    let mut quote = None;
    let colon = line.char_indices().find(|(_, letter)| {
        match (quote, *letter) {
            (None, '"' | '\'' | '`') => quote = Some(*letter),
            (Some(open), _) if open == *letter => quote = None,
            (None, ':') => return true,
            _ => {}
        }
        false
    });
    let parts = colon.and_then(|(at, _)| line.split_at_checked(at));
    let Some((before, after)) = parts.filter(|(_, after)| !after.starts_with(":=")) else {
        return line.to_owned();
    };
    let name = before.split_whitespace().next().unwrap_or_default().trim_start_matches('@');
    // What it needs may be called with something too: `(build "fast")`.
    let needs = after.replace(['(', ')', '"', '\''], " ").replace("&&", " ");
    format!("{name}{needs}")
}

/// The tasks that are named, or the one that is meant otherwise.
fn task(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if !parsed.subcommands.is_empty() {
        return;
    }
    let names = ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"];
    let Some(text) = file(parsed, "-t --taskfile", &names, sink) else { return };
    let units = u32::try_from(text.len() / BYTES_A_UNIT).unwrap_or(u32::MAX);
    if sink.spend(units.saturating_add(1)).is_err() {
        return;
    }
    let (tasks, arguments) = named_and_given(parsed);
    let mut owed = 0;
    let mut pay = |bytes: usize| {
        owed += bytes;
        let units = owed / BYTES_A_UNIT;
        owed %= BYTES_A_UNIT;
        units == 0 || sink.spend(u32::try_from(units).unwrap_or(u32::MAX)).is_ok()
    };
    let steps = taskfile::steps(&text, &tasks, &mut pay);
    for step in steps {
        let directory = step.directory.map(|path| format!("cd {path}\n")).unwrap_or_default();
        sink.code_with(Lang::Shell, &Value::literal(directory + &step.command), &arguments);
    }
}

/// The names of tasks, and what is given to them behind `--`. `NAME=value` sets a variable.
fn named_and_given(parsed: &Parsed<'_>) -> (Vec<String>, Vec<Value>) {
    let is_end = |argument: &&Argument| argument.value.known().as_deref() == Some("--");
    let own = parsed.operands.iter().take_while(|argument| !is_end(argument));
    let arguments = parsed.operands.iter().skip_while(|argument| !is_end(argument)).skip(1);
    let names = own.filter_map(|argument| argument.value.known()).filter(|name| !name.contains('='));
    let mut names: Vec<String> = names.map(std::borrow::Cow::into_owned).collect();
    if names.is_empty() {
        names.push("default".to_owned());
    }
    (names, arguments.map(|argument| argument.value.clone()).collect())
}

fn ninja(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for text in texts(parsed, "-f", &["build.ninja"], sink) {
        run_lines(&text, sink, |line| {
            let (name, command) = line.split_once('=')?;
            (name.trim() == "command").then_some(command)
        });
    }
}

/// `foreman start`, with the names of processes or without, which means all.
fn procfile(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<String> = parsed.words().filter(|word| word != "start" && word != "s").collect();
    if parsed.subcommands.contains(&"run") || parsed.words().any(|word| word == "check") {
        return;
    }
    let path = parsed.value("-f --procfile").cloned().unwrap_or_else(|| Value::literal("Procfile"));
    let Some(text) = manifests::text_of(&path, sink) else { return };
    run_lines(&text, sink, |line| {
        let (name, command) = line.split_once(':')?;
        let wanted = words.is_empty() || words.iter().any(|word| word == name.trim());
        (wanted && !name.starts_with('#')).then_some(command)
    });
}

/// The text of the file that an option names, or of the nearest one that is looked for.
fn file(parsed: &Parsed<'_>, option: &'static str, names: &[&str], sink: &mut dyn Sink) -> Option<String> {
    match parsed.value(option).cloned() {
        Some(path) => manifests::text_of(&path, sink),
        None => manifests::nearest(names, sink),
    }
}

/// The texts of the files of which an option names one, where the text itself wrote them.
fn texts(parsed: &Parsed<'_>, option: &'static str, names: &[&str], sink: &mut dyn Sink) -> Vec<String> {
    let files = match parsed.value(option) {
        Some(file) => vec![file.clone()],
        None => names.iter().map(|name| Value::literal(*name)).collect(),
    };
    let texts = files.into_iter().map(|file| sink.read(&file));
    texts.filter_map(|text| text.known().map(std::borrow::Cow::into_owned)).collect()
}

fn run_lines<'t>(text: &'t str, sink: &mut dyn Sink, command: impl Fn(&'t str) -> Option<&'t str>) {
    for code in text.lines().filter_map(command) {
        let code = code.trim().trim_matches(['"', '\'']);
        sink.code(Lang::Shell, &Value::literal(code));
    }
}
