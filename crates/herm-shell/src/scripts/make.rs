//! Makefiles: which commands the wanted targets run.

use std::collections::{HashMap, HashSet};

use crate::effect::Flags;
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;

/// How deeply variables may refer to each other.
const DEPTH_MOST: u32 = 12;
/// What following a reference costs, in bytes of an expansion.
const REFERENCE: usize = 8;
/// How long an expansion may grow.
const TEXT_MOST: usize = 1 << 16;

/// Says what making `targets` (the first one, when none is named) does.
pub(crate) fn read(text: &str, targets: &[String], sink: &mut dyn Sink) {
    let Ok(units) = u32::try_from(text.len() / 16 + 1) else { return };
    if sink.spend(units).is_err() {
        return;
    }
    let makefile = Makefile::parse(text);
    for path in &makefile.includes {
        sink.script(Lang::Make, &Value::literal(path.as_str()), &[]);
    }
    let outcome = makefile.outcome(targets);
    for (path, content) in outcome.writes {
        sink.write(&Value::literal(path), &Value::literal(content), Flags::TRUNCATE);
    }
    for path in outcome.reads {
        let content = sink.read(&Value::literal(path));
        sink.print(content);
    }
    for command in outcome.commands {
        if sink.spend(1).is_err() {
            return;
        }
        sink.code(Lang::Shell, &Value::literal(command));
    }
}

/// The commands that making `targets` runs, in order, with variables expanded.
#[cfg(test)]
pub(crate) fn recipe(text: &str, targets: &[String]) -> Vec<String> {
    Makefile::parse(text).outcome(targets).commands
}

#[derive(Default)]
struct Makefile {
    variables: HashMap<String, String>,
    rules: Vec<Rule>,
    /// Lines that are expanded while the file is read.
    immediate: Vec<String>,
    includes: Vec<String>,
}

struct Rule {
    targets: Vec<String>,
    needs: Vec<String>,
    recipe: Vec<String>,
}

/// What happens.
#[derive(Default)]
struct Outcome {
    commands: Vec<String>,
    writes: Vec<(String, String)>,
    reads: Vec<String>,
    size: usize,
}

impl Makefile {
    fn parse(text: &str) -> Self {
        let mut makefile = Self::default();
        let mut defining: Option<(String, String)> = None;
        for line in logical_lines(text) {
            if let Some((name, mut body)) = defining.take() {
                if line.trim() == "endef" {
                    makefile.variables.insert(name, body);
                } else {
                    body.push_str(&line);
                    body.push('\n');
                    defining = Some((name, body));
                }
                continue;
            }
            if let Some(rest) = line.trim_start().strip_prefix("define ") {
                defining = Some((rest.trim().trim_end_matches('=').trim().to_owned(), String::new()));
                continue;
            }
            makefile.line(&line);
        }
        makefile
    }

    fn line(&mut self, line: &str) {
        if let Some(command) = line.strip_prefix('\t')
            && let Some(rule) = self.rules.last_mut()
        {
            rule.recipe.push(command.to_owned());
            return;
        }
        let line = line.trim();
        let word = line.split_whitespace().next().unwrap_or_default();
        if line.is_empty() || line.starts_with('#') || CONDITIONALS.contains(&word) {
            return;
        }
        if matches!(word, "include" | "-include" | "sinclude") {
            let paths = line.split_whitespace().skip(1).filter(|path| !path.contains('$'));
            self.includes.extend(paths.map(str::to_owned));
            return;
        }
        let line = line.strip_prefix("export ").or_else(|| line.strip_prefix("override ")).unwrap_or(line);
        match kind(line) {
            LineKind::Assignment(at, length) => self.assign(line, at, length),
            LineKind::Rule(at) => self.rule(line, at),
            LineKind::Expression => self.immediate.push(line.to_owned()),
        }
    }

    fn assign(&mut self, line: &str, at: usize, length: usize) {
        let name = line.get(..at).unwrap_or_default().trim().to_owned();
        let value = line.get(at + length..).unwrap_or_default().trim().to_owned();
        match line.get(at..at + length).unwrap_or_default() {
            "+=" => {
                let whole = self.variables.entry(name).or_default();
                if whole.len() < TEXT_MOST {
                    whole.push(' ');
                    whole.push_str(&value);
                }
            }
            "?=" => {
                self.variables.entry(name).or_insert(value);
            }
            ":=" | "::=" => {
                self.immediate.push(value.clone());
                self.variables.insert(name, value);
            }
            "!=" => self.immediate.push(format!("$(shell {value})")),
            _ => {
                self.variables.insert(name, value);
            }
        }
    }

    fn rule(&mut self, line: &str, at: usize) {
        let targets = line.get(..at).unwrap_or_default();
        let rest = line.get(at..).unwrap_or_default().trim_start_matches(':');
        let (needs, command) =
            rest.split_once(';').map_or((rest, None), |(needs, command)| (needs, Some(command)));
        let words = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        self.rules.push(Rule {
            targets: words(targets),
            needs: words(needs),
            recipe: command.into_iter().map(|command| command.trim().to_owned()).collect(),
        });
    }

    fn outcome(&self, wanted: &[String]) -> Outcome {
        let mut outcome = Outcome::default();
        for line in &self.immediate {
            let expanded = self.expand(line, None, 0, &mut outcome, Shell::Now);
            // `$(eval x: ; cmd)` adds rules; they run when they are wanted.
            if expanded.contains(':') && line.contains("$(eval") {
                let added = Self::parse(&expanded);
                outcome.commands.extend(added.outcome(wanted).commands);
            }
        }
        let index = Index::new(&self.rules);
        let first = self.rules.iter().flat_map(|rule| &rule.targets).find(|target| !target.starts_with('.'));
        let mut queue: Vec<String> =
            if wanted.is_empty() { first.into_iter().cloned().collect() } else { wanted.to_vec() };
        queue.reverse();
        let mut seen = HashSet::new();
        let mut order = Vec::new();
        while let Some(target) = queue.pop() {
            if !seen.insert(target.clone()) {
                continue;
            }
            for rule in index.rules(&target) {
                queue.extend(rule.needs.iter().rev().cloned());
            }
            order.push(target);
        }
        for target in order.iter().rev() {
            for rule in index.rules(target) {
                self.run(rule, target, &mut outcome);
            }
        }
        outcome
    }

    fn run(&self, rule: &Rule, target: &str, outcome: &mut Outcome) {
        for line in &rule.recipe {
            let expanded = self.expand(line, Some((target, rule)), 0, outcome, Shell::Substituted);
            for command in expanded.lines() {
                let command = command.trim_start_matches(['@', '-', '+', ' ', '\t']);
                if !command.is_empty() {
                    outcome.commands.push(command.to_owned());
                }
            }
        }
    }

    /// The text with variables and functions expanded.
    fn expand(
        &self,
        text: &str,
        rule: Option<(&str, &Rule)>,
        depth: u32,
        outcome: &mut Outcome,
        shell: Shell,
    ) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            outcome.size += before.len() + REFERENCE;
            if depth > DEPTH_MOST || outcome.size > TEXT_MOST * 8 || out.len() > TEXT_MOST {
                out.push_str("$unknown");
                return out;
            }
            let (reference, remaining) = reference(after);
            out.push_str(&self.reference(reference, rule, depth, outcome, shell));
            rest = remaining;
        }
        out.push_str(rest);
        out
    }

    fn reference(
        &self,
        reference: Reference<'_>,
        rule: Option<(&str, &Rule)>,
        depth: u32,
        outcome: &mut Outcome,
        shell: Shell,
    ) -> String {
        let name = match reference {
            Reference::Dollar => return "$".to_owned(),
            Reference::Letter(name) | Reference::Bracketed(name) => name,
        };
        if let Some((function, arguments)) = name.split_once([' ', '\t']) {
            return self.function(function, arguments.trim(), rule, depth, outcome, shell);
        }
        match (name, rule) {
            ("@" | "@F" | "@D", Some((target, _))) => target.to_owned(),
            ("<", Some((_, rule))) => rule.needs.first().cloned().unwrap_or_default(),
            ("^" | "+", Some((_, rule))) => rule.needs.join(" "),
            ("MAKE", _) => "make".to_owned(),
            ("RM", _) if !self.variables.contains_key("RM") => "rm -f".to_owned(),
            _ => match self.variables.get(name) {
                Some(value) => self.expand(value, rule, depth + 1, outcome, shell),
                None if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty() => {
                    format!("${{{name}}}")
                }
                None => String::new(),
            },
        }
    }

    fn function(
        &self,
        function: &str,
        arguments: &str,
        rule: Option<(&str, &Rule)>,
        depth: u32,
        outcome: &mut Outcome,
        shell: Shell,
    ) -> String {
        let expanded = self.expand(arguments, rule, depth + 1, outcome, shell);
        match function {
            "shell" if shell == Shell::Substituted => format!("$({expanded})"),
            "shell" => {
                outcome.commands.push(expanded);
                "${shell}".to_owned()
            }
            "file" => {
                file(&expanded, outcome);
                String::new()
            }
            "subst" => {
                let mut parts = expanded.splitn(3, ',');
                match (parts.next(), parts.next(), parts.next()) {
                    (Some(from), Some(to), Some(text)) if !from.is_empty() && text.len() < 4096 => {
                        text.replace(from, to)
                    }
                    _ => expanded,
                }
            }
            "info" | "warning" | "error" => String::new(),
            "call" => {
                let name = expanded.split(',').next().unwrap_or_default().trim().to_owned();
                self.variables
                    .get(&name)
                    .map_or_else(String::new, |body| self.expand(body, rule, depth + 1, outcome, shell))
            }
            "wildcard" | "strip" | "eval" | "value" | "sort" | "abspath" | "realpath" | "or" | "and" => {
                expanded
            }
            "if" => expanded.split_once(',').map_or_else(String::new, |(_, then)| then.to_owned()),
            "foreach" => expanded.rsplit(',').next().unwrap_or_default().to_owned(),
            _ => format!("${{{function}}}"),
        }
    }
}

/// When `$(shell …)` runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shell {
    /// While the file is read: a command of its own.
    Now,
    /// As part of a recipe: the shell's own substitution says the same.
    Substituted,
}

/// Rules by what they make, so that a long file stays cheap.
struct Index<'m> {
    exact: HashMap<&'m str, Vec<&'m Rule>>,
    patterns: Vec<(&'m str, &'m str, &'m Rule)>,
}

/// How many pattern rules are looked at.
const PATTERNS_MOST: usize = 64;

impl<'m> Index<'m> {
    fn new(rules: &'m [Rule]) -> Self {
        let mut index = Self { exact: HashMap::new(), patterns: Vec::new() };
        for rule in rules {
            for target in &rule.targets {
                match target.split_once('%') {
                    Some((start, end)) if index.patterns.len() < PATTERNS_MOST => {
                        index.patterns.push((start, end, rule));
                    }
                    Some(_) => {}
                    None => index.exact.entry(target).or_default().push(rule),
                }
            }
        }
        index
    }

    fn rules(&self, target: &str) -> Vec<&'m Rule> {
        if let Some(rules) =
            self.exact.get(target).filter(|rules| rules.iter().any(|rule| !rule.recipe.is_empty()))
        {
            return rules.clone();
        }
        let fits = |start: &str, end: &str| {
            target.len() >= start.len() + end.len() && target.starts_with(start) && target.ends_with(end)
        };
        let by_pattern =
            self.patterns.iter().filter(|(start, end, _)| fits(start, end)).map(|(_, _, rule)| *rule).take(1);
        self.exact.get(target).into_iter().flatten().copied().chain(by_pattern).collect()
    }
}

const CONDITIONALS: &[&str] =
    &["ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "unexport", "vpath", "undefine"];

enum LineKind {
    Assignment(usize, usize),
    Expression,
    Rule(usize),
}

/// What a line is: the first `=` or `:` outside of brackets decides.
fn kind(line: &str) -> LineKind {
    let mut depth = 0_u32;
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let next = bytes.get(at + 1);
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth = depth.saturating_sub(1),
            b'=' if depth == 0 => return LineKind::Assignment(at, 1),
            b':' if depth == 0 && next == Some(&b':') && bytes.get(at + 2) == Some(&b'=') => {
                return LineKind::Assignment(at, 3);
            }
            b':' | b'+' | b'?' | b'!' if depth == 0 && next == Some(&b'=') => {
                return LineKind::Assignment(at, 2);
            }
            b':' if depth == 0 => return LineKind::Rule(at),
            _ => {}
        }
    }
    LineKind::Expression
}

/// Lines, with those that a backslash joins as one.
fn logical_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let body = line.strip_suffix('\\');
        match lines.last_mut().filter(|_| open) {
            Some(last) => {
                last.push(' ');
                last.push_str(body.unwrap_or(line).trim_start());
            }
            None => lines.push(body.unwrap_or(line).to_owned()),
        }
        open = body.is_some();
    }
    lines
}

#[derive(Clone, Copy)]
enum Reference<'t> {
    Bracketed(&'t str),
    Dollar,
    Letter(&'t str),
}

/// The reference after a dollar, and what follows it.
fn reference(after: &str) -> (Reference<'_>, &str) {
    let Some(first) = after.chars().next() else { return (Reference::Dollar, after) };
    let (open, close) = match first {
        '(' => ('(', ')'),
        '{' => ('{', '}'),
        '$' => return (Reference::Dollar, after.get(1..).unwrap_or_default()),
        other => {
            let (letter, rest) = after.split_at_checked(other.len_utf8()).unwrap_or((after, ""));
            return (Reference::Letter(letter), rest);
        }
    };
    let mut depth = 0_u32;
    for (at, c) in after.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                let inner = after.get(1..at).unwrap_or_default();
                return (Reference::Bracketed(inner), after.get(at + 1..).unwrap_or_default());
            }
        }
    }
    (Reference::Bracketed(after.get(1..).unwrap_or_default()), "")
}

/// `$(file >path,content)`, `$(file <path)`.
fn file(arguments: &str, outcome: &mut Outcome) {
    let (target, content) = arguments.split_once(',').unwrap_or((arguments, ""));
    let target = target.trim();
    if let Some(path) = target.strip_prefix('<') {
        outcome.reads.push(path.trim().to_owned());
    } else if target.starts_with('>') {
        outcome.writes.push((target.trim_start_matches('>').trim().to_owned(), content.to_owned()));
    }
}
