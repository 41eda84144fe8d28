//! Files of `task` (`Taskfile.yml`): which commands a task runs, with those of the tasks that it needs.
//!
//! This is no YAML reader. It tells the tasks apart by their indentation and takes what stands where commands do. What is
//! written in braces on one line is taken apart at its marks, so that more may seem to run, and never less.

use std::collections::{BTreeMap, BTreeSet};

/// A command, and the directory that it runs in, if the task has one of its own.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) directory: Option<String>,
    pub(super) command: String,
}

/// What the tasks of these names run, in which `"$@"` stands for what is given to them.
///
/// Templates and directories are copied for each command, so `pay` is asked before so many bytes are made; when it refuses, the
/// rest is not read.
pub(super) fn steps(text: &str, names: &[String], pay: &mut dyn FnMut(usize) -> bool) -> Vec<Step> {
    let lines: Vec<Line<'_>> = text.lines().map(Line::new).collect();
    let tasks = blocks(&lines, "tasks");
    let mut variables: BTreeMap<&str, &str> = BTreeMap::new();
    for variable in blocks(&lines, "vars").iter().filter(|variable| !variable.rest.is_empty()) {
        variables.entry(variable.name).or_insert_with(|| unquoted(variable.rest));
    }
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, task) in tasks.iter().enumerate() {
        for name in task.names() {
            places.entry(name).or_insert(at);
        }
    }
    let mut steps = Vec::new();
    let mut seen = BTreeSet::new();
    let mut wanted: Vec<String> = names.to_vec();
    while let Some(name) = wanted.pop() {
        let Some(at) = places.get(name.as_str()).filter(|at| seen.insert(**at)) else { continue };
        let Some(task) = tasks.get(*at) else { continue };
        let mut found = Found::default();
        task.read(&mut found);
        let directory = match found.directory {
            Some(path) => match expanded(&path, &variables, pay) {
                Some(path) => Some(path),
                None => return steps,
            },
            None => None,
        };
        for command in found.commands {
            let may = pay(directory.as_ref().map_or(0, String::len));
            let Some(command) = expanded(&command, &variables, pay).filter(|_| may) else { return steps };
            steps.push(Step { directory: directory.clone(), command });
        }
        wanted.extend(found.needs);
    }
    steps
}

/// What a task says.
#[derive(Default)]
struct Found {
    commands: Vec<String>,
    directory: Option<String>,
    needs: Vec<String>,
}

impl Found {
    /// A line that is neither an entry nor a setting of one goes on with the command before it.
    fn go_on(&mut self, line: &str) {
        let is_setting = line.split_once(':').is_some_and(|(name, value)| {
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                && (value.is_empty() || value.starts_with(' '))
        });
        if let Some(command) = self.commands.last_mut().filter(|_| !is_setting) {
            command.push(' ');
            command.push_str(line);
        }
    }
}

#[derive(Clone, Copy)]
struct Line<'t> {
    indent: usize,
    text: &'t str,
}

impl<'t> Line<'t> {
    fn new(line: &'t str) -> Self {
        let text = line.trim_start();
        Self { indent: line.len() - text.len(), text: text.trim_end() }
    }

    fn says_nothing(&self) -> bool {
        self.text.is_empty() || self.text.starts_with('#')
    }
}

/// A name with what stands behind it and below it.
struct Block<'t> {
    name: &'t str,
    rest: &'t str,
    body: &'t [Line<'t>],
}

/// The names below a top-level one.
fn blocks<'t>(lines: &'t [Line<'t>], section: &str) -> Vec<Block<'t>> {
    let is_start = |line: &Line<'_>| line.indent == 0 && line.text.strip_prefix(section) == Some(":");
    let Some(start) = lines.iter().position(is_start) else { return Vec::new() };
    let below = lines.get(start + 1..).unwrap_or_default();
    let length =
        below.iter().position(|line| line.indent == 0 && !line.says_nothing()).unwrap_or(below.len());
    let below = below.get(..length).unwrap_or_default();
    let indent = below.iter().find(|line| !line.says_nothing()).map_or(0, |line| line.indent);
    let is_name = |line: &Line<'_>| line.indent == indent && !line.says_nothing();
    let starts: Vec<usize> = (0..below.len()).filter(|at| below.get(*at).is_some_and(is_name)).collect();
    let ends = starts.iter().skip(1).copied().chain([below.len()]);
    let block = |(start, end): (&usize, usize)| {
        let text = below.get(*start)?.text;
        let (name, rest) = text.split_once(": ").or_else(|| Some((text.strip_suffix(':')?, "")))?;
        Some(Block { name: unquoted(name), rest: rest.trim(), body: below.get(start + 1..end)? })
    };
    starts.iter().zip(ends).filter_map(block).collect()
}

impl<'t> Block<'t> {
    /// Its name, and those that it has besides.
    fn names(&self) -> impl Iterator<Item = &'t str> {
        let aliases = self.body.iter().skip_while(|line| !line.text.starts_with("aliases:"));
        let same_list = aliases.enumerate().take_while(|(at, line)| *at == 0 || line.text.starts_with('-'));
        let words = same_list.flat_map(|(_, line)| line.text.split([':', '[', ']', ',', ' ']));
        std::iter::once(self.name)
            .chain(words.map(unquoted).filter(|word| !matches!(*word, "" | "-" | "aliases")))
    }

    fn read(&self, found: &mut Found) {
        if !self.rest.is_empty() && !is_folded(self.rest) {
            return apart(self.rest, found);
        }
        let indent = self.body.iter().find(|line| !line.says_nothing()).map_or(0, |line| line.indent);
        if is_folded(self.rest) {
            return found.commands.push(joined(self.body));
        }
        // A task that is nothing but a list is a list of commands.
        let mut section = "cmds";
        let mut rest = self.body;
        while let Some((line, after)) = rest.split_first() {
            rest = after;
            if line.says_nothing() {
                continue;
            }
            let mut item = line.text;
            if line.indent == indent && !item.starts_with("- ") {
                let (name, value) = item.split_once(':').unwrap_or((item, ""));
                (section, item) = (name.trim(), value.trim());
            } else if !item.starts_with("- ") && keyed(item).0.is_empty() {
                found.go_on(item);
                continue;
            }
            let deeper = |next: &&Line<'_>| next.indent > line.indent || next.text.is_empty();
            let length = after.iter().take_while(deeper).count();
            let (below, behind) = after.split_at_checked(length).unwrap_or((after, &[]));
            let (key, value) = keyed(item.strip_prefix("- ").unwrap_or(item).trim());
            if is_folded(value) {
                take(section, key, &joined(below), found);
                rest = behind;
            } else {
                take(section, key, value, found);
            }
        }
    }
}

/// Files an entry under what it says.
fn take(section: &str, key: &str, value: &str, found: &mut Found) {
    if value.is_empty() {
        return;
    }
    match (section, key) {
        ("deps", _) | (_, "task") => found.needs.extend(value.split(['[', ']', ',', '{', '}']).map(name_of)),
        ("dir", _) => found.directory = Some(unquoted(value).to_owned()),
        ("cmds" | "cmd", "cmd" | "defer") | ("cmds" | "cmd" | "status" | "preconditions", "") | (_, "sh") => {
            apart(value, found);
        }
        _ => {}
    }
}

/// A command, or a list or a map of some on one line.
fn apart(value: &str, found: &mut Found) {
    if !value.starts_with(['[', '{']) || value.starts_with("{{") {
        return found.commands.push(unquoted(value).to_owned());
    }
    for part in value.split(['[', ']', ',', '{', '}']).filter(|part| !part.trim().is_empty()) {
        let (_, command) = keyed(part.trim());
        if command.is_empty() {
            continue;
        }
        found.commands.push(unquoted(command).to_owned());
        found.needs.push(name_of(command));
    }
}

/// An entry with the key that it begins with, among those that matter here.
fn keyed(item: &str) -> (&str, &str) {
    const KEYS: &[&str] = &["cmd", "cmds", "defer", "deps", "sh", "task"];
    match item.split_once(':') {
        Some((key, value)) if KEYS.contains(&key.trim()) => (key.trim(), value.trim()),
        Some((_, _)) | None => ("", item),
    }
}

/// Whether the text stands on the lines below.
fn is_folded(value: &str) -> bool {
    value.starts_with(['|', '>']) && value.len() <= 3
}

fn joined(lines: &[Line<'_>]) -> String {
    lines.iter().map(|line| line.text).collect::<Vec<_>>().join("\n")
}

fn name_of(text: &str) -> String {
    let (_, name) = keyed(text.trim());
    unquoted(name).trim_start_matches(':').to_owned()
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(text)
}

/// A command with its templates: variables that have a plain value become it, others are not known.
fn expanded(
    command: &str,
    variables: &BTreeMap<&str, &str>,
    pay: &mut dyn FnMut(usize) -> bool,
) -> Option<String> {
    let mut parts = command.split("{{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (template, rest) = part.split_once("}}").unwrap_or((part, ""));
        let name = template.trim_matches([' ', '-']).trim_start_matches('.');
        let value = match (name, variables.get(name)) {
            ("CLI_ARGS", _) => "\"$@\"",
            (_, Some(value)) => value,
            (_, None) => "${TASK_VALUE}",
        };
        if !pay(value.len()) {
            return None;
        }
        out.push_str(value);
        out.push_str(rest);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
version: '3'

vars:
  OUT: dist

tasks:
  default: echo hi
  build:
    desc: rm -rf /
    aliases: [b]
    deps: [generate, \":lint\"]
    dir: web
    cmds:
      - tsc -o {{.OUT}} {{.CLI_ARGS}}
      - cmd: \"strip {{ .OUT }}/x\"
        silent: true
      - task: pack
      - |
        one
        two
  generate:
    - protoc
      a.proto
  lint:
    cmd: eslint {{.WHAT}}
  pack: {cmds: [\"tar c .\", ls], deps: [generate]}
  folded: |
    a
    b
  docker:push:
    cmd: docker push x
  'quoted:name':
    preconditions:
      - test -f x
      - sh: test -f y
        msg: rm -rf /
    cmds:
      - defer: rm t
";

    fn commands(name: &str) -> Vec<String> {
        let mut commands: Vec<_> =
            steps(FILE, &[name.to_owned()], &mut |_| true).into_iter().map(|step| step.command).collect();
        commands.sort();
        commands
    }

    #[test]
    fn a_task_runs_its_commands_and_those_of_what_it_needs() {
        let expected = [
            "eslint ${TASK_VALUE}",
            "generate",
            "ls",
            "one\ntwo",
            "protoc a.proto",
            "strip dist/x",
            "tar c .",
            "tsc -o dist \"$@\"",
        ];
        assert_eq!(commands("build"), expected);
        assert_eq!(commands("b"), expected);
    }

    #[test]
    fn every_way_to_write_a_task_is_read() {
        assert_eq!(commands("default"), ["echo hi"]);
        assert_eq!(commands("generate"), ["protoc a.proto"]);
        assert_eq!(commands("folded"), ["a\nb"]);
        assert_eq!(commands("docker:push"), ["docker push x"]);
        assert_eq!(commands("quoted:name"), ["rm t", "test -f x", "test -f y"]);
    }

    #[test]
    fn a_task_has_its_directory() {
        let steps = steps(FILE, &["build".to_owned()], &mut |_| true);
        assert!(
            steps.iter().any(|step| step.directory.as_deref() == Some("web") && step.command == "one\ntwo")
        );
    }

    #[test]
    fn what_is_no_task_runs_nothing() {
        assert!(commands("missing").is_empty());
        for text in ["", "tasks:", "tasks:\n  x:\n    cmds:"] {
            assert!(steps(text, &["x".to_owned()], &mut |_| true).is_empty());
        }
    }

    #[test]
    fn what_templates_and_directories_make_is_paid_for() {
        let long = "a".repeat(100);
        let file = format!(
            "vars:\n  A: {long}\ntasks:\n  x:\n    dir: {long}\n    cmds:\n      - b {{{{.A}}}}{{{{.A}}}}\n      - c\n"
        );
        let mut paid = 0;
        let all = steps(&file, &["x".to_owned()], &mut |bytes| {
            paid += bytes;
            true
        });
        assert_eq!((all.len(), paid), (2, 400));
        let mut left = 250_usize;
        let some = steps(&file, &["x".to_owned()], &mut |bytes| {
            left.checked_sub(bytes).map(|rest| left = rest).is_some()
        });
        assert!(some.is_empty());
    }
}
