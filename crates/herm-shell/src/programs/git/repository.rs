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
