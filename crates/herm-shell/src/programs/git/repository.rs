//! Code that a repository brings along: aliases in its configuration, hooks.

use crate::effect::Flags;
use crate::lang::Lang;
use crate::programs::arguments::Parsed;
use crate::programs::kinds::hook;
use crate::sink::Sink;
use crate::value::Value;

/// The hooks that a sub-command runs.
const HOOKS: &[(&str, &[&str])] = &[
    ("am", &["applypatch-msg", "pre-applypatch", "post-applypatch"]),
    ("checkout", &["post-checkout"]),
    ("commit", &["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"]),
    ("merge", &["pre-merge-commit", "post-merge"]),
    ("pull", &["post-merge"]),
    ("push", &["pre-push"]),
    ("rebase", &["pre-rebase", "post-rewrite"]),
    ("switch", &["post-checkout"]),
];

/// Where aliases are looked for.
const SETTINGS: &[&str] = &[".git/config", "~/.gitconfig", "~/.config/git/config"];

/// Variables that name another repository, another top, settings that do, or another git.
const ELSEWHERE: &[&str] = &[
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "PATH",
];

/// Prints the nearest directory upwards that holds a repository, where files may be looked at: `git rev-parse --show-toplevel`.
pub(super) fn top(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let is_plain = parsed.operands.is_empty() && parsed.options.len() == 1 && parsed.has("--show-toplevel");
    if !is_plain || ELSEWHERE.iter().any(|name| sink.changes_variable(name)) {
        return;
    }
    let Some(here) = sink.directory().filter(|here| here.starts_with('/')) else { return };
    let top = upwards(&here).find(|place| holds_repository(place, sink));
    if let Some(top) = top {
        sink.print(Value::literal(format!("{top}\n")));
    }
}

/// A directory and those above it, but for the root.
fn upwards(directory: &str) -> impl Iterator<Item = &str> {
    let place = directory.trim_end_matches('/');
    std::iter::successors(Some(place), |place| place.rsplit_once('/').map(|(above, _)| above))
        .take_while(|place| !place.is_empty())
}

/// Whether a repository lies in a directory that is the top of its files.
fn holds_repository(directory: &str, sink: &mut dyn Sink) -> bool {
    let config = sink.shown(&Value::literal(format!("{directory}/.git/config")));
    match config {
        Some(text) => {
            let text = text.to_ascii_lowercase();
            !["worktree", "include"].iter().any(|word| text.contains(word))
        }
        // A worktree, or a submodule, has a file in this place.
        None => sink.shown(&Value::literal(format!("{directory}/.git"))).is_some(),
    }
}

/// Runs what the repository brings for this command, where its files may be looked at.
pub(super) fn own_code(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    match parsed.subcommands.first() {
        Some(command) => run_hooks(parsed, command, sink),
        None => run_alias(parsed, sink),
    }
}

fn run_hooks(parsed: &Parsed<'_>, command: &str, sink: &mut dyn Sink) {
    let skipped = parsed.has("--no-verify") || parsed.has("-n") && command == "commit";
    let hooks = HOOKS.iter().find(|(name, _)| *name == command).map_or(&[][..], |(_, hooks)| hooks);
    for name in hooks.iter().filter(|_| !skipped) {
        let path = Value::literal(format!(".git/hooks/{name}"));
        if sink.shown(&path).is_some() {
            sink.script(Lang::Shell, &path, &[]);
        }
    }
}

fn run_alias(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(name) = parsed.word(0) else { return };
    if let Some(directory) = parsed.value("--exec-path") {
        let mut program = directory.clone();
        program.push_str(&format!("/git-{name}"));
        let rest = parsed.operands.iter().skip(1).map(|operand| operand.value.clone());
        let argv: Vec<Value> = std::iter::once(program).chain(rest).collect();
        sink.run(&argv, &Value::default());
    }
    let home = sink.home();
    let texts = SETTINGS.iter().filter_map(|file| {
        let path =
            file.strip_prefix("~/").map_or_else(|| (*file).to_owned(), |rest| format!("{home}/{rest}"));
        sink.shown(&Value::literal(path))
    });
    let texts: Vec<String> = texts.collect();
    let Some(meaning) = texts.iter().find_map(|text| alias(text, &name)) else { return };
    let rest = parsed.operands.iter().skip(1).map(|operand| &operand.value);
    if let Some(code) = meaning.strip_prefix('!') {
        let mut code = Value::literal(code);
        for operand in rest {
            code.push_str(" ");
            code.push(operand);
        }
        hook(&code, Flags::NONE, sink);
    } else {
        let words = std::iter::once("git").chain(meaning.split_whitespace()).map(Value::literal);
        let argv: Vec<Value> = words.chain(rest.cloned()).collect();
        sink.run(&argv, &Value::default());
    }
}

/// What an alias stands for, by a configuration file.
fn alias(text: &str, name: &str) -> Option<String> {
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.eq_ignore_ascii_case("[alias]");
        } else if inside
            && let Some((key, value)) = line.split_once('=')
            && key.trim().eq_ignore_ascii_case(name)
        {
            let value = value.trim();
            let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
            return Some(inner.replace("\\\"", "\""));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_found_in_their_section() {
        let text = "[core]\n  x = 1\n[alias]\n  st = status\n  Oops = \"!rm -rf \\\"$HOME\\\"\"\n[user]\n  name = st\n";
        assert_eq!(alias(text, "st").as_deref(), Some("status"));
        assert_eq!(alias(text, "oops").as_deref(), Some("!rm -rf \"$HOME\""));
        assert_eq!(alias(text, "name"), None);
    }
}
