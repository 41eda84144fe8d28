//! What the lines of a makefile say: assignments, rules, recipes, conditions, includes.

use super::layout::{
    INHERITED, LineKind, is_hijack, is_modified, is_name, joined, kind, logical_lines, split_outside,
    without_comment,
};
use super::rules::Rule;
use super::text::{as_shell, globbed, has_mark};
use super::ways::{Variable, Way};
use super::{Make, TEXT_MOST};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::value::Value;

/// What a line costs besides its length, in bytes.
const LINE: usize = 32;

/// How many bytes are copied for the price of one that is read.
const COPIED: usize = 32;

impl Make<'_> {
    /// Reads a makefile, or a part of one.
    pub(super) fn parse(&mut self, text: &str) {
        if !self.spend(text.len()) {
            return;
        }
        for line in logical_lines(text) {
            if !self.spend(LINE) {
                return;
            }
            self.line(&line);
        }
    }

    /// Reads what a makefile holds or brings; what is too deep to be read is a gap.
    pub(super) fn nested(&mut self, text: &str) {
        if self.deeper(|make| make.parse(text)).is_none() && !self.spent {
            self.sink.gap(Position::Code, Reason::Depth, Lang::Make.name());
        }
    }

    fn line(&mut self, line: &str) {
        if let Some((name, mut body, depth)) = self.defining.take() {
            let word = if line.starts_with(self.prefix) { "" } else { without_comment(line).trim() };
            let ends = word == "endef";
            if ends && depth == 0 {
                self.set(&name, "=", &body);
                return;
            }
            let opens = word.starts_with("define ") || word.starts_with("define\t");
            body.push_str(line);
            body.push('\n');
            self.defining = Some((name, body, (depth + u32::from(opens)).saturating_sub(u32::from(ends))));
            return;
        }
        let recipe = line.strip_prefix(self.prefix).filter(|_| self.open.is_some());
        if let Some(command) = recipe {
            self.recipe_line(command);
            return;
        }
        let joined = joined(line);
        let plain = without_comment(&joined).trim();
        let (word, rest) = plain.split_once([' ', '\t', '(']).unwrap_or((plain, ""));
        if self.condition(word, rest, plain) || !self.reads() {
            return;
        }
        self.statement(word, rest.trim(), plain);
    }

    /// Whether the lines here count.
    fn reads(&self) -> bool {
        self.branches.iter().all(|branch| branch.active)
    }

    /// The shell sees how lines continue; make takes away what they are indented with.
    fn recipe_line(&mut self, command: &str) {
        if !self.reads() {
            return;
        }
        let command = command.replace(&format!("\\\n{}", self.prefix), "\\\n");
        if let Some(rule) = self.open.and_then(|at| self.rules.get_mut(at)) {
            rule.recipe.push(command);
        }
    }

    /// A line that is neither of a recipe nor of a condition.
    fn statement(&mut self, word: &str, rest: &str, line: &str) {
        match word {
            "include" | "-include" | "sinclude" => self.include(rest),
            "define" => self.define(rest),
            "override" | "export" | "private" | "unexport" if is_modified(rest) => {
                if word == "override" {
                    self.overrides(rest.trim_start_matches("export").trim_start_matches("define").trim());
                }
                let (word, rest) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
                self.statement(word, rest.trim(), &format!("{word} {rest}"));
            }
            "export" | "override" | "private" if matches!(kind(rest), LineKind::Assignment(..)) => {
                if word == "override" {
                    self.overrides(rest);
                }
                self.statement("-", "", rest);
            }
            "" => {}
            "export" | "unexport" | "vpath" | "override" | "private" => {
                let _ = self.list(rest);
            }
            "undefine" => {
                let name = self.list(rest);
                self.variables.remove(name.trim());
            }
            "load" | "-load" => self.not_understood(line),
            _ => match kind(line) {
                LineKind::Assignment(at, length) => self.assign(line, at, length),
                LineKind::Rule(at) => self.rule(line, at),
                LineKind::Expression => self.expression(line),
            },
        }
    }

    /// `define NAME`, `define NAME :=`: what follows up to its `endef` is the value.
    fn define(&mut self, rest: &str) {
        let name = rest.trim_end_matches(['=', ':', '+', '?', '!', ' ', '\t']);
        // What is expanded or run at once is told to the reader as a whole.
        if rest.ends_with(":=") || rest.ends_with("!=") {
            self.not_understood(rest);
        }
        let name = self.list(name);
        self.defining = Some((name.trim().to_owned(), String::new(), 0));
    }

    /// `override NAME = value`: the command line does not change it.
    fn overrides(&mut self, rest: &str) {
        let name = self.list(rest.split(['=', ':', '+', '?', '!']).next().unwrap_or_default());
        self.overridden.insert(name.trim().to_owned());
    }

    /// Whatever cannot be read may do anything.
    pub(super) fn not_understood(&mut self, what: &str) {
        self.sink.gap(Position::Code, Reason::Runtime, &as_shell(what));
    }

    /// A line that is whatever it becomes.
    fn expression(&mut self, line: &str) {
        let expanded = self.list(line);
        if expanded.trim().is_empty() {
            return;
        }
        if expanded == line {
            return self.not_understood(line);
        }
        let open = self.open.take();
        self.nested(&expanded);
        self.open = self.open.or(open);
    }

    /// What is included is part of the makefile.
    fn include(&mut self, paths: &str) {
        let paths = globbed(&self.list(paths));
        for path in paths.split_whitespace() {
            if has_mark(path) {
                self.include_unknown(path);
                continue;
            }
            self.included.push(path.to_owned());
            match self.found(path) {
                Some(text) => self.nested(&text),
                None => self.sink.script(Lang::Make, &Value::literal(path), &[]),
            }
        }
        self.open = None;
    }

    /// The text of a makefile, wherever it is looked for.
    fn found(&mut self, path: &str) -> Option<String> {
        let beside = self.sink.shown(&Value::literal(path));
        beside.or_else(|| {
            let places = self.wanted.include.iter().filter(|_| !path.starts_with('/'));
            let mut paths = places.map(|place| Value::literal(format!("{place}/{path}")));
            paths.find_map(|path| self.sink.shown(&path))
        })
    }

    /// Which file it is cannot be known. Those that compilers write only say which source needs which others.
    fn include_unknown(&mut self, path: &str) {
        let is_list = |path: &str| DEPENDENCIES.iter().any(|end| path.ends_with(end));
        let written = self.sink.made_here(&Value::literal("."));
        if !is_list(path) || written.iter().any(|path| is_list(path)) {
            self.sink.gap(Position::Code, Reason::Runtime, &format!("include {}", as_shell(path)));
        }
    }

    fn assign(&mut self, line: &str, at: usize, length: usize) {
        let name = self.list(line.get(..at).unwrap_or_default());
        let value = line.get(at + length..).unwrap_or_default().trim();
        let operator = line.get(at..at + length).unwrap_or_default();
        self.open = None;
        self.set(name.trim(), operator, value);
    }

    pub(super) fn set(&mut self, name: &str, operator: &str, value: &str) {
        let known = self.variables.contains_key(name);
        if name == ".RECIPEPREFIX" {
            self.prefix = value.chars().next().unwrap_or('\t');
        }
        if is_hijack(name, value) {
            self.not_understood(&format!("{name} {operator} {value}"));
        }
        let variable = match operator {
            "?=" if known => return self.complete(name, value),
            "?=" if self.sink.changes_variable(name) || INHERITED.contains(&name) => return,
            "?=" => Variable { unsure: true, ..Variable::new(value, None) },
            "+=" if known => return self.add(name, value),
            ":=" | "::=" | ":::=" => self.expanded(value),
            "!=" => self.expanded(&format!("$(shell {value})")),
            _ => Variable::new(value, None),
        };
        self.variables.insert(name.to_owned(), variable);
    }

    /// `NAME ?= value` where one way left it without a value.
    fn complete(&mut self, name: &str, value: &str) {
        let Some(variable) = self.variables.get_mut(name) else { return };
        let ways = std::iter::once(&mut variable.first).chain(&mut variable.others);
        for way in ways.filter(|way| way.unset) {
            *way = Way::new(value, None);
        }
    }

    /// What is expanded at once, for either use.
    fn expanded(&mut self, value: &str) -> Variable {
        if !value.contains('$') {
            return Variable::new(value, Some(value.to_owned()));
        }
        let before = std::mem::take(&mut self.unsure);
        let mut ways = Vec::new();
        self.each_way(|make| {
            let list = make.list(value);
            // What is expanded already must not be expanded again.
            ways.push(Way::new(&make.recipe(value, None).replace('$', "$$"), Some(list)));
        });
        let unsure = std::mem::replace(&mut self.unsure, before);
        Variable { unsure, ..Variable::of(ways) }
    }

    fn add(&mut self, name: &str, value: &str) {
        let now = self.variables.get(name).is_some_and(|variable| variable.first.list.is_some());
        let more = if now { self.expanded(value) } else { Variable::new(value, None) };
        let Some(whole) = self.variables.remove(name) else { return };
        let length: usize = whole.ways().map(|way| way.recipe.len()).sum();
        if !self.spend(length * more.ways().count() / COPIED) {
            return;
        }
        if whole.first.recipe.len() >= TEXT_MOST {
            self.sink.gap(Position::Code, Reason::Size, name);
            return;
        }
        let unsure = whole.unsure || more.unsure;
        let ways = whole.ways().flat_map(|one| more.ways().map(|other| one.and(other))).collect();
        self.variables.insert(name.to_owned(), Variable { unsure, ..Variable::of(ways) });
    }

    /// A rule: targets, what they need, perhaps a command. Or a variable of some targets.
    fn rule(&mut self, line: &str, at: usize) {
        let targets = self.list(line.get(..at).unwrap_or_default()).replace("\\:", ":");
        let rest = line.get(at..).unwrap_or_default().trim_start_matches([':', '&']);
        let (needs, command) = split_outside(rest, b';');
        if let LineKind::Assignment(at, length) = kind(needs)
            && is_name(needs.get(..at).unwrap_or_default())
        {
            return self.assign_to(&targets, rest, at, length);
        }
        let mut needs = self.list(needs);
        if needs.contains('$') && self.expands_twice() {
            needs = self.list(&needs);
        }
        let mut command = command.map(|command| command.trim().to_owned());
        if let Some(at) = needs.find(';') {
            let brought = needs.split_off(at);
            let own = command.map_or_else(String::new, |own| format!("; {own}"));
            command = Some(format!("{} {own}", brought.trim_start_matches(';')));
        }
        let (pattern, needs) = match split_outside(&needs, b':') {
            (pattern, Some(needs)) => {
                (Some(pattern.trim().to_owned()), needs.trim_start_matches(':').to_owned())
            }
            (_, None) => (None, needs),
        };
        let mut rule = Rule::new(&targets, pattern, &needs.replace("\\:", ":"), command.as_deref());
        rule.maybe = self.maybe();
        self.rules.push(rule);
        self.open = Some(self.rules.len() - 1);
    }

    /// Whether what targets need is expanded a second time.
    fn expands_twice(&mut self) -> bool {
        self.spend(self.rules.len());
        self.rules.iter().any(|rule| rule.targets.iter().any(|target| target == ".SECONDEXPANSION"))
    }

    /// `target: NAME = value`.
    fn assign_to(&mut self, targets: &str, line: &str, at: usize, length: usize) {
        let name = line.get(..at).unwrap_or_default().trim();
        let name = name.rsplit([' ', '\t']).next().unwrap_or(name).to_owned();
        let name = self.list(&name);
        let value = line.get(at + length..).unwrap_or_default().trim();
        let value = match line.get(at..at + length) {
            Some("+=") => format!("$({name}) {value}"),
            Some("!=") => self.expanded(&format!("$(shell {value})")).first.recipe,
            Some(":=" | "::=" | ":::=") => self.expanded(value).first.recipe,
            Some(_) | None => value.to_owned(),
        };
        let shell = name == "SHELL" && !crate::programs::is_shell(value.trim_start_matches("/bin/"));
        if shell || name == ".SHELLFLAGS" || is_hijack(&name, &value) {
            self.not_understood(line);
        }
        for target in targets.split_whitespace() {
            self.specific.entry(target.to_owned()).or_default().push((name.clone(), value.clone()));
        }
        self.open = None;
    }
}

/// How the files are called that compilers write about what sources need.
const DEPENDENCIES: &[&str] = &[".d", ".dep", ".P", ".Po", ".Plo", ".Tpo"];
