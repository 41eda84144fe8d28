//! What the lines of a makefile say: assignments, rules, recipes, conditions, includes.

use super::rules::Rule;
use super::text::{ANY, as_shell, globbed, has_mark};
use super::{Guess, Make, TEXT_MOST, Variable};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::value::Value;

/// An `ifeq … else … endif` that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    /// Whether its lines count.
    pub(super) active: bool,
    /// Whether one of its parts was taken, or none may be.
    settled: bool,
}

impl Make<'_> {
    /// Reads a makefile, or a part of one.
    pub(super) fn parse(&mut self, text: &str) {
        if !self.spend(text.len()) {
            return;
        }
        for line in logical_lines(text) {
            if self.spent {
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
        if let Some((name, mut body)) = self.defining.take() {
            if line.trim() == "endef" {
                self.set(&name, "=", &body);
            } else {
                body.push_str(line);
                body.push('\n');
                self.defining = Some((name, body));
            }
            return;
        }
        let recipe = line.strip_prefix('\t').filter(|_| self.open.is_some());
        let plain = without_comment(line).trim();
        let (word, rest) = plain.split_once([' ', '\t', '(']).unwrap_or((plain, ""));
        if recipe.is_none() && self.condition(word, rest, plain) {
            return;
        }
        if self.branches.iter().any(|branch| !branch.active) {
            return;
        }
        match (recipe, self.open.and_then(|at| self.rules.get_mut(at))) {
            (Some(command), Some(rule)) => rule.recipe.push(command.to_owned()),
            (Some(_) | None, _) => self.statement(word, rest.trim(), plain),
        }
    }

    /// A line that is neither of a recipe nor of a condition.
    fn statement(&mut self, word: &str, rest: &str, line: &str) {
        match word {
            "include" | "-include" | "sinclude" => self.include(rest),
            "define" => {
                let name = rest.trim_end_matches(['=', ':', '+', '?', ' ', '\t']);
                self.defining = Some((name.to_owned(), String::new()));
            }
            "export" | "override" | "private" if kind(rest) != LineKind::Expression => {
                self.statement("-", "", rest);
            }
            "" | "export" | "unexport" | "vpath" | "override" | "private" => {}
            "undefine" => {
                self.variables.remove(rest);
            }
            _ => match kind(line) {
                LineKind::Assignment(at, length) => self.assign(line, at, length),
                LineKind::Rule(at) => self.rule(line, at),
                LineKind::Expression => self.expression(line),
            },
        }
    }

    /// A line that is whatever it becomes.
    fn expression(&mut self, line: &str) {
        let expanded = self.list(line);
        if expanded.trim().is_empty() || expanded == line {
            return;
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
            match self.sink.shown(&Value::literal(path)) {
                Some(text) => self.nested(&text),
                None => self.sink.script(Lang::Make, &Value::literal(path), &[]),
            }
        }
        self.open = None;
    }

    /// Which file it is cannot be known. Those that compilers write only say which source needs which others.
    fn include_unknown(&mut self, path: &str) {
        if !DEPENDENCIES.iter().any(|end| path.ends_with(end)) {
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
        let variable = match operator {
            "?=" if known || self.sink.changes_variable(name) => return,
            "+=" if known => return self.add(name, value),
            ":=" | "::=" | ":::=" => self.expanded(value),
            "!=" => self.expanded(&format!("$(shell {value})")),
            _ => Variable { recipe: value.to_owned(), list: None },
        };
        self.variables.insert(name.to_owned(), variable);
    }

    /// What is expanded at once, for either use.
    fn expanded(&mut self, value: &str) -> Variable {
        if !value.contains('$') {
            return Variable { recipe: value.to_owned(), list: Some(value.to_owned()) };
        }
        let list = self.list(value);
        // What is expanded already must not be expanded again.
        Variable { recipe: self.recipe(value, None).replace('$', "$$"), list: Some(list) }
    }

    fn add(&mut self, name: &str, value: &str) {
        let now = self.variables.get(name).is_some_and(|variable| variable.list.is_some());
        let more = if now { self.expanded(value) } else { Variable { recipe: value.to_owned(), list: None } };
        if let Some(whole) = self.variables.get_mut(name).filter(|whole| whole.recipe.len() < TEXT_MOST) {
            whole.recipe = format!("{} {}", whole.recipe, more.recipe);
            whole.list = whole.list.take().zip(more.list).map(|(one, other)| format!("{one} {other}"));
        }
    }

    /// A rule: targets, what they need, perhaps a command. Or a variable of some targets.
    fn rule(&mut self, line: &str, at: usize) {
        let targets = self.list(line.get(..at).unwrap_or_default());
        let rest = line.get(at..).unwrap_or_default().trim_start_matches([':', '&']);
        if let LineKind::Assignment(at, length) = kind(rest) {
            return self.assign_to(&targets, rest, at, length);
        }
        let (needs, command) = outside_brackets(rest, ';');
        let needs = self.list(needs);
        let (pattern, needs) = match needs.split_once(':') {
            Some((pattern, needs)) => {
                (Some(pattern.trim().to_owned()), needs.trim_start_matches(':').to_owned())
            }
            None => (None, needs),
        };
        let rule = Rule::new(&targets, pattern, &needs, command.map(str::trim));
        self.rules.push(rule);
        self.open = Some(self.rules.len() - 1);
    }

    /// `target: NAME = value`.
    fn assign_to(&mut self, targets: &str, line: &str, at: usize, length: usize) {
        let name = line.get(..at).unwrap_or_default().trim();
        let name = name.rsplit([' ', '\t']).next().unwrap_or(name).to_owned();
        let value = line.get(at + length..).unwrap_or_default().trim();
        let value = if line.get(at..at + length) == Some("+=") {
            format!("$({name}) {value}")
        } else {
            value.to_owned()
        };
        for target in targets.split_whitespace() {
            self.specific.entry(target.to_owned()).or_default().push((name.clone(), value.clone()));
        }
        self.open = None;
    }

    /// Whether the line opens, turns or ends a condition.
    fn condition(&mut self, word: &str, rest: &str, line: &str) -> bool {
        match word {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => {
                let outside = self.branches.iter().all(|branch| branch.active);
                let active = outside && self.holds(word, line);
                self.branches.push(Branch { active, settled: active || !outside });
            }
            "else" => {
                let inner = rest.trim();
                let word = inner.split([' ', '\t', '(']).next().unwrap_or_default();
                let Some(branch) = self.branches.pop() else { return true };
                let active = !branch.settled && (word.is_empty() || self.holds(word, inner));
                self.branches.push(Branch { active, settled: branch.settled || active });
            }
            "endif" => {
                self.branches.pop();
            }
            _ => return false,
        }
        true
    }

    /// Whether a condition holds; where that is not known it is guessed.
    fn holds(&mut self, word: &str, line: &str) -> bool {
        let rest = line.get(word.len()..).unwrap_or_default().trim();
        let known = if matches!(word, "ifdef" | "ifndef") {
            let name = self.list(rest);
            self.is_defined(name.trim())
        } else {
            let (one, other) = sides(rest);
            let (one, other) = (self.list(one), self.list(other));
            (!has_mark(&one) && !has_mark(&other)).then(|| one.trim() == other.trim())
        };
        let Some(holds) = known else {
            self.guessed = true;
            return self.guess == Guess::True;
        };
        holds == matches!(word, "ifeq" | "ifdef")
    }

    /// Whether a variable has a value. One of the environment may.
    fn is_defined(&self, name: &str) -> Option<bool> {
        if self.wanted.variable(name).is_some() {
            return Some(true);
        }
        self.variables.get(name).map(|variable| !variable.recipe.is_empty())
    }
}

/// How the files are called that compilers write about what sources need.
const DEPENDENCIES: &[&str] = &[".d", ".dep", ".P", ".Po", ".Plo", ".Tpo"];

/// `(a,b)`, `"a" "b"`.
fn sides(text: &str) -> (&str, &str) {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    if let Some(inner) = inner {
        let (one, other) = outside_brackets(inner, ',');
        return (one, other.unwrap_or_default());
    }
    let quoted = |text: &str| text.starts_with(['"', '\'']);
    let end = text.get(1..).and_then(|rest| rest.find(['"', '\''])).filter(|_| quoted(text));
    let Some(end) = end else { return (text, "") };
    let (one, other) = text.split_at_checked(end + 2).unwrap_or((text, ""));
    (one.trim_matches(['"', '\'']), other.trim().trim_matches(['"', '\'']))
}

/// What stands before and after a sign that is in no brackets.
pub(super) fn outside_brackets(text: &str, sign: char) -> (&str, Option<&str>) {
    let mut depth = 0_u32;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ if letter == sign && depth == 0 => {
                let rest = text.get(at + letter.len_utf8()..);
                return (text.get(..at).unwrap_or_default(), rest);
            }
            _ => {}
        }
    }
    (text, None)
}

/// A line without the comment at its end. What a mark stands for cannot begin one.
fn without_comment(line: &str) -> &str {
    let mut before = ANY;
    for (at, letter) in line.char_indices() {
        if letter == '#' && before != '\\' {
            return line.get(..at).unwrap_or_default();
        }
        before = letter;
    }
    line
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
            b':' if depth == 0 && next == Some(&b':') => {
                let colons = bytes.iter().skip(at).take_while(|byte| **byte == b':').count();
                return match bytes.get(at + colons) {
                    Some(b'=') => LineKind::Assignment(at, colons + 1),
                    Some(_) | None => LineKind::Rule(at),
                };
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

/// Lines, with those that a backslash joins as one. In a recipe the shell sees the backslash, which comes to the same.
fn logical_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let body = line.strip_suffix('\\').filter(|body| !body.ends_with('\\'));
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
