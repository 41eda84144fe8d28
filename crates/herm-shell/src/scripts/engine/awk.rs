//! Where awk's words stand: what may follow `print` and `getline`.

use super::{Reader, Val};
use crate::scripts::scanner::Kind;
use crate::value::Provenance;

impl Reader<'_> {
    /// The values after `print`, in which `>` and `|` do not compare.
    pub(in crate::scripts) fn redirectable_arguments(&mut self) -> Vec<Val> {
        let outer = std::mem::replace(&mut self.redirects, true);
        let grouped = self.at_op("(") && self.ends_print(self.partner(self.pos) + 1);
        let arguments = if grouped { self.items() } else { self.awk_list() };
        self.redirects = outer;
        arguments
    }

    fn awk_list(&mut self) -> Vec<Val> {
        let mut arguments = Vec::new();
        while self.argument_follows() {
            let before = self.pos;
            arguments.push(self.expression());
            if !self.eat(",") || self.pos == before {
                break;
            }
        }
        arguments
    }

    /// Whether a print statement's values end at `at`.
    fn ends_print(&self, at: usize) -> bool {
        match self.tokens.get(at).filter(|_| at < self.end).map(|token| &token.kind) {
            None | Some(Kind::Newline | Kind::Op(";" | "}" | ">" | ">>" | "|" | "|&")) => true,
            Some(_) => false,
        }
    }

    /// `@f(…)`: a call of the function that a variable names.
    pub(in crate::scripts) fn indirect_call(&mut self) -> Val {
        let name = match self.peek().map(|token| &token.kind) {
            Some(Kind::Name(name) | Kind::Var(name)) => name.clone(),
            Some(_) | None => return self.postfix(),
        };
        self.pos += 1;
        let arguments = self.call_arguments();
        if let Some(callee @ (Val::OneOf(_) | Val::Text(_))) = self.vars.get(&name).cloned() {
            return self.call_value(&callee, &arguments);
        }
        self.unfollowed(&name, &arguments);
        Val::unknown(&name, Provenance::OUTSIDE)
    }

    /// The redirection that stands here.
    pub(in crate::scripts) fn redirection(&mut self) -> Option<&'static str> {
        let op = match self.peek().map(|token| &token.kind) {
            Some(Kind::Op(op @ (">" | ">>" | "|" | "|&"))) => *op,
            Some(_) | None => return None,
        };
        self.pos += 1;
        Some(op)
    }

    pub(in crate::scripts) fn redirection_target(&mut self) -> Val {
        self.sum()
    }

    /// `getline`, with the variable that takes the line.
    pub(in crate::scripts) fn getline_into(&mut self, line: &Val) {
        self.pos += 1;
        let place = self.line_place();
        self.assign(&place, line.clone());
    }

    /// The variable that takes the line; the line itself when none is named.
    pub(in crate::scripts) fn line_place(&mut self) -> String {
        match self.peek().map(|token| &token.kind) {
            Some(Kind::Name(name)) if name != "getline" => {
                let place = name.clone();
                self.pos += 1;
                place
            }
            Some(_) | None => "0".to_owned(),
        }
    }
}
