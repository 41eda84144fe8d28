//! Conditions: which lines of a makefile count.
//!
//! Where it is not known how a condition comes out, each of its parts is read, from what the variables were before it. After
//! it a variable may be what any of them made it.

use super::Make;
use super::expand::Use;
use super::layout::outside_brackets;
use super::text::has_mark;
use super::wanted::Given;
use super::ways::{Variables, merged};

/// An `ifeq … else … endif` that is open.
#[derive(Debug, Default)]
pub(super) struct Branch {
    /// Whether its lines count.
    pub(super) active: bool,
    /// Whether one of its parts is taken for certain when none before it was, or none may be.
    settled: bool,
    /// The variables before it, once it is not known which part is taken.
    before: Option<Variables>,
    /// The variables after each of its parts that may be taken.
    after: Vec<Variables>,
}

impl Make<'_> {
    /// Whether it is not known that this line counts.
    pub(super) fn maybe(&self) -> bool {
        self.branches.iter().any(|branch| branch.before.is_some())
    }

    /// Whether the line opens, turns or ends a condition.
    pub(super) fn condition(&mut self, word: &str, rest: &str, line: &str) -> bool {
        match word {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => {
                let settled = !self.branches.iter().all(|branch| branch.active);
                let branch = Branch { settled, ..Branch::default() };
                self.part(branch, word, line);
            }
            "else" => {
                let inner = rest.trim();
                let word = inner.split([' ', '\t', '(']).next().unwrap_or_default();
                let Some(mut branch) = self.branches.pop() else { return true };
                self.leave(&mut branch);
                self.part(branch, word, inner);
            }
            "endif" => {
                let Some(mut branch) = self.branches.pop() else { return true };
                self.leave(&mut branch);
                self.end(branch);
            }
            _ => return false,
        }
        true
    }

    /// The next part of a condition; without a word it is the last.
    fn part(&mut self, mut branch: Branch, word: &str, line: &str) {
        branch.active = false;
        if !branch.settled {
            let holds = if word.is_empty() { Some(true) } else { self.holds(word, line) };
            branch.active = holds != Some(false);
            branch.settled = holds == Some(true);
            if holds.is_none() && branch.before.is_none() && self.spend(self.variables.len()) {
                branch.before = Some(self.variables.clone());
            }
        }
        self.branches.push(branch);
    }

    /// Keeps what a part made of the variables, and starts the next from what they were.
    fn leave(&mut self, branch: &mut Branch) {
        if let Some(before) = branch.before.as_ref().filter(|_| branch.active) {
            branch.after.push(std::mem::replace(&mut self.variables, before.clone()));
        }
    }

    fn end(&mut self, branch: Branch) {
        let Some(before) = branch.before else { return };
        let mut after = branch.after;
        if !branch.settled {
            after.push(before);
        }
        self.variables = merged(&after);
    }

    /// Whether a condition holds, where that is known.
    fn holds(&mut self, word: &str, line: &str) -> Option<bool> {
        let rest = line.get(word.len()..).unwrap_or_default().trim();
        let known = if matches!(word, "ifdef" | "ifndef") {
            let name = self.surely(rest, Use::List)?;
            self.is_defined(name.trim())?
        } else {
            let (one, other) = sides(rest);
            // Both are expanded, whatever the first becomes.
            let (one, other) = (self.surely(one, Use::List), self.surely(other, Use::List));
            one?.trim() == other?.trim()
        };
        Some(known == matches!(word, "ifeq" | "ifdef"))
    }

    /// The text as a list of names, if it is known for certain.
    pub(super) fn surely(&mut self, text: &str, usage: Use<'_>) -> Option<String> {
        let before = std::mem::take(&mut self.unsure);
        let list = self.names(text, usage);
        let unsure = std::mem::replace(&mut self.unsure, before);
        (!unsure && !has_mark(&list)).then_some(list)
    }

    /// Whether a variable has a value, where that is known. One of the environment may.
    fn is_defined(&self, name: &str) -> Option<bool> {
        match self.wanted.variable(name).filter(|_| !self.overridden.contains(name)) {
            Some(Given::Text(text)) => return Some(!text.is_empty()),
            Some(Given::Unknown) => return None,
            None => {}
        }
        let variable = self.variables.get(name).filter(|variable| variable.others.is_empty())?;
        let way = &variable.first;
        let unknown = variable.unsure || way.unset || way.list.as_deref().is_some_and(has_mark);
        (!unknown).then_some(!way.recipe.is_empty())
    }
}

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
