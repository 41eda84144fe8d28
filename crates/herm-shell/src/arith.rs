//! Arithmetic as the shell does it: 64 bits, wrapping.

mod number;
mod operator;

use std::collections::HashMap;

use crate::fuel::Fuel;
pub(crate) use operator::subscript;
use operator::{Assign, Binary};

/// How deeply expressions may be nested, over the values of variables too.
const DEPTH_LIMIT: u32 = 64;

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Its value.
    pub(crate) value: i64,
    /// The variables that it sets, in order. An element of an array is named with its subscript.
    pub(crate) assignments: Vec<(String, i64)>,
}

/// The value of an expression and what it assigns; `None` when it cannot be known or bash would refuse it.
///
/// `lookup` gives the text of a variable, empty for one that is not set, and `None` for what is not known. An
/// element of an array is asked for with its subscript as written: `a[i+1]`.
pub(crate) fn run(
    text: &str,
    lookup: &mut dyn FnMut(&str) -> Option<String>,
    fuel: &Fuel,
) -> Option<Outcome> {
    let mut evaluation =
        Evaluation { lookup, fuel, assignments: Vec::new(), values: HashMap::new(), depth: 0 };
    let value = evaluation.text(text)?;
    Some(Outcome { value, assignments: evaluation.assignments })
}

/// What outlives one text: variables hold expressions in turn.
struct Evaluation<'e> {
    lookup: &'e mut dyn FnMut(&str) -> Option<String>,
    fuel: &'e Fuel,
    assignments: Vec<(String, i64)>,
    /// What the assigned variables hold now.
    values: HashMap<String, i64>,
    depth: u32,
}

impl Evaluation<'_> {
    fn text(&mut self, text: &str) -> Option<i64> {
        if self.depth >= DEPTH_LIMIT {
            return None;
        }
        let mut parser = Parser { rest: text.trim_start(), evaluation: self, skipping: false };
        if parser.rest.is_empty() {
            return Some(0);
        }
        let value = parser.comma()?;
        parser.rest.is_empty().then_some(value)
    }

    fn variable(&mut self, name: &str) -> Option<i64> {
        if let Some(value) = self.values.get(name) {
            return Some(*value);
        }
        let text = (self.lookup)(name)?;
        self.depth += 1;
        let value = self.text(&text);
        self.depth -= 1;
        value
    }
}

struct Parser<'p, 'e, 't> {
    rest: &'t str,
    evaluation: &'p mut Evaluation<'e>,
    /// Whether what is read is not evaluated, as behind `0 &&`.
    skipping: bool,
}

impl<'t> Parser<'_, '_, 't> {
    fn comma(&mut self) -> Option<i64> {
        loop {
            let value = self.assignment()?;
            if !self.eat(",") {
                return Some(value);
            }
        }
    }

    /// An expression that may begin with an assignment; one level deeper.
    fn assignment(&mut self) -> Option<i64> {
        self.evaluation.fuel.spend(1).ok()?;
        if self.evaluation.depth >= DEPTH_LIMIT {
            return None;
        }
        self.evaluation.depth += 1;
        let value = match self.target() {
            Some((name, assign)) => self.assign(name, assign),
            None => self.ternary(),
        };
        self.evaluation.depth -= 1;
        value
    }

    /// Takes `name =` if that comes next.
    fn target(&mut self) -> Option<(&'t str, Assign)> {
        let (name, behind) = operator::name(self.rest)?;
        let (assign, behind) = Assign::read(behind.trim_start())?;
        self.rest = behind.trim_start();
        Some((name, assign))
    }

    fn assign(&mut self, name: &str, assign: Assign) -> Option<i64> {
        let right = self.assignment()?;
        let value = match assign {
            Assign::Plain => right,
            Assign::With(binary) => {
                let left = self.variable(name)?;
                self.apply(binary, left, right)?
            }
        };
        self.set(name, value);
        Some(value)
    }

    fn ternary(&mut self) -> Option<i64> {
        let condition = self.binary(0)?;
        if !self.eat("?") {
            return Some(condition);
        }
        let yes = self.skip_unless(condition != 0, Self::comma)?;
        if !self.eat(":") {
            return None;
        }
        let no = self.skip_unless(condition == 0, Self::assignment)?;
        Some(if condition == 0 { no } else { yes })
    }

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Option<i64> {
        let mut left = self.unary()?;
        while let Some((operator, behind)) = Binary::read(self.rest) {
            if operator.tightness() < least {
                break;
            }
            self.evaluation.fuel.spend(1).ok()?;
            self.rest = behind.trim_start();
            let needed = operator.needs_right(left);
            let right = self.skip_unless(needed, |parser| parser.operand(operator))?;
            left = if needed { self.apply(operator, left, right)? } else { i64::from(left != 0) };
        }
        Some(left)
    }

    /// What stands right of `operator`; only `**` groups to the right, and is counted for it.
    fn operand(&mut self, operator: Binary) -> Option<i64> {
        if self.evaluation.depth >= DEPTH_LIMIT {
            return None;
        }
        self.evaluation.depth += 1;
        let value = self.binary(operator.tightness() + u8::from(operator != Binary::Power));
        self.evaluation.depth -= 1;
        value
    }

    fn skip_unless(&mut self, needed: bool, read: impl FnOnce(&mut Self) -> Option<i64>) -> Option<i64> {
        let skipping = self.skipping;
        self.skipping |= !needed;
        let value = read(self);
        self.skipping = skipping;
        value
    }

    fn apply(&self, operator: Binary, left: i64, right: i64) -> Option<i64> {
        if self.skipping { Some(0) } else { operator.apply(left, right) }
    }

    fn unary(&mut self) -> Option<i64> {
        let mut prefixes = Vec::new();
        loop {
            if let Some(step) = self.step() {
                let (name, behind) = operator::name(self.rest)?;
                self.rest = behind.trim_start();
                let value = self.variable(name)?.wrapping_add(step);
                self.set(name, value);
                return Some(apply_prefixes(&prefixes, value));
            }
            match self.rest.chars().next()? {
                prefix @ ('!' | '~' | '-' | '+') => {
                    self.evaluation.fuel.spend(1).ok()?;
                    prefixes.push(prefix);
                    self.take(1);
                }
                _ => return Some(apply_prefixes(&prefixes, self.primary()?)),
            }
        }
    }

    /// `++` or `--` before a name.
    fn step(&mut self) -> Option<i64> {
        let step = if self.rest.starts_with("++") { 1 } else { -1 };
        let behind = self.rest.strip_prefix("++").or_else(|| self.rest.strip_prefix("--"))?.trim_start();
        operator::name(behind)?;
        self.rest = behind;
        Some(step)
    }

    fn primary(&mut self) -> Option<i64> {
        if self.eat("(") {
            let value = self.comma()?;
            return self.eat(")").then_some(value);
        }
        if let Some((name, behind)) = operator::name(self.rest) {
            self.rest = behind.trim_start();
            return self.stepped(name);
        }
        let (value, behind) = number::read(self.rest)?;
        self.rest = behind.trim_start();
        Some(value)
    }

    /// A variable with `++` or `--` behind it, perhaps.
    fn stepped(&mut self, name: &str) -> Option<i64> {
        let value = self.variable(name)?;
        let step = i64::from(self.eat("++")) - i64::from(self.eat("--"));
        if step != 0 {
            self.set(name, value.wrapping_add(step));
        }
        Some(value)
    }

    fn variable(&mut self, name: &str) -> Option<i64> {
        if self.skipping { Some(0) } else { self.evaluation.variable(name) }
    }

    fn set(&mut self, name: &str, value: i64) {
        if !self.skipping {
            self.evaluation.values.insert(name.to_owned(), value);
            self.evaluation.assignments.push((name.to_owned(), value));
        }
    }

    fn eat(&mut self, expected: &str) -> bool {
        let behind: Option<&'t str> = self.rest.strip_prefix(expected);
        if let Some(behind) = behind {
            self.rest = behind.trim_start();
        }
        behind.is_some()
    }

    fn take(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default().trim_start();
    }
}

fn apply_prefixes(prefixes: &[char], value: i64) -> i64 {
    prefixes.iter().rev().fold(value, |value, prefix| match prefix {
        '!' => i64::from(value == 0),
        '~' => !value,
        '-' => value.wrapping_neg(),
        _ => value,
    })
}

#[cfg(test)]
mod tests;
