//! Runners of tasks that stand in a file: `just`, `task`, `ninja`, `foreman`.
//!
//! A justfile says which recipe runs what, so it is opened wherever it is. Of the other files only those that the text
//! itself wrote are read: which of a project's tasks runs is not told apart there, and all of them would be too many.

use super::arguments::Parsed;
use super::kinds::HELP;
use super::schema::{Do, Operands, Program, Role, Syntax, flag, program, quiet, until, value};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

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
    program(&["honcho", "goreman", "shoreman"])
        .options(&[
            HELP,
            value("-f --procfile", Role::Inert),
            value("-e --env -c -m -p -d --root", Role::Inert),
        ])
        .operands(Operands::None)
        .subs(&[program(&["run"]).syntax(Syntax::FirstOperandEnds).all(Role::Argv)])
        .refine(procfile),
];

/// Recipes look like those of a makefile, but for what they are indented with.
fn just(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let targets: Vec<Value> = parsed.operands.iter().map(|argument| argument.value.clone()).collect();
    for file in files(parsed, "-f --justfile", &["justfile", "Justfile", ".justfile"]) {
        let Some(text) = sink.shown(&file) else { continue };
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

/// Every command of a task file: which task needs which others is not told apart.
fn task(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for text in texts(parsed, "-t --taskfile", &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml"], sink) {
        run_lines(&text, sink, |line| {
            let line = line.trim();
            line.strip_prefix("- cmd:")
                .or_else(|| line.strip_prefix("- "))
                .or_else(|| line.strip_prefix("cmd:"))
        });
    }
}

fn ninja(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for text in texts(parsed, "-f", &["build.ninja"], sink) {
        run_lines(&text, sink, |line| {
            let (name, command) = line.split_once('=')?;
            (name.trim() == "command").then_some(command)
        });
    }
}

fn procfile(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for text in texts(parsed, "-f --procfile", &["Procfile"], sink) {
        run_lines(&text, sink, |line| line.split_once(':').map(|(_, command)| command));
    }
}

/// The file that an option names, or those that are looked for.
fn files(parsed: &Parsed<'_>, option: &'static str, names: &[&str]) -> Vec<Value> {
    match parsed.value(option) {
        Some(file) => vec![file.clone()],
        None => names.iter().map(|name| Value::literal(*name)).collect(),
    }
}

/// Their texts, where the text itself wrote them.
fn texts(parsed: &Parsed<'_>, option: &'static str, names: &[&str], sink: &mut dyn Sink) -> Vec<String> {
    let texts = files(parsed, option, names).into_iter().map(|file| sink.read(&file));
    texts.filter_map(|text| text.known().map(std::borrow::Cow::into_owned)).collect()
}

fn run_lines<'t>(text: &'t str, sink: &mut dyn Sink, command: impl Fn(&'t str) -> Option<&'t str>) {
    for code in text.lines().filter_map(command) {
        let code = code.trim().trim_matches(['"', '\'']);
        sink.code(Lang::Shell, &Value::literal(code));
    }
}
