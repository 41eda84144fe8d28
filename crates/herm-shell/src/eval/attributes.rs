//! What variables are declared to be: integers, arrays with texts for subscripts, names for other variables.

use std::rc::Rc;

use super::assign::element;
use super::machine::Machine;
use super::scope::{Letters, Scope, Subscripts};
use crate::value::Value;

/// Variables of the shell itself that are integers. What they are given is evaluated.
const INTEGERS: &[&str] = &[
    "BASHPID",
    "BASH_SUBSHELL",
    "EPOCHSECONDS",
    "HISTCMD",
    "LINENO",
    "OPTIND",
    "RANDOM",
    "SECONDS",
    "SRANDOM",
];

impl Machine<'_> {
    /// Gives a variable a value as the shell does: an integer gets what the text comes to, a reference that has no
    /// target yet gets one, and the subscript of an element is evaluated.
    pub(crate) fn store(&mut self, name: &str, value: Value, scope: &mut Scope) {
        if name.contains('[') || !scope.references.is_empty() {
            self.subscript(&Value::literal(name), scope);
        }
        if scope.awaits_target(name)
            && let Some(target) = value.known()
        {
            return scope.refer(name, &target);
        }
        let value = self.as_declared(name, value, scope);
        let name = scope.referred(name).to_owned();
        match element(&name) {
            Some((array, key)) => self.set_element(array, key, value, scope),
            None => scope.set(&name, value),
        }
    }

    /// What the shell or its environment gave a variable that the text has not set; declaring it leaves it that.
    pub(crate) fn inherited(&self, name: &str, scope: &Scope) -> Option<Vec<Value>> {
        let customary = name.contains(|letter: char| letter.is_ascii_uppercase());
        let unset = !scope.variables.contains_key(scope.referred(name)) && element(name).is_none();
        (customary && unset).then(|| self.lookup(name, scope))
    }

    /// The value that a variable gets from a text. One that comes to no number that is known stays as it is: in
    /// another shell the variable may be no integer.
    pub(crate) fn as_declared(&mut self, name: &str, value: Value, scope: &mut Scope) -> Value {
        if !scope.is_integer(name) {
            return in_letters(value, scope.letters(name));
        }
        self.evaluate(&value, scope);
        match value.known().and_then(|text| self.calculate(&text, scope)) {
            Some(number) => Value::literal(number.to_string()).from(value.provenance),
            None => value,
        }
    }

    /// The next word of a loop: a reference refers to it, any other variable gets it.
    pub(super) fn iterate(&mut self, name: &str, word: &Value, scope: &mut Scope) {
        match word.known().filter(|_| scope.references.contains_key(name)) {
            Some(target) => scope.refer(name, &target),
            None => self.store(name, word.clone(), scope),
        }
    }
}

/// A text in the letters that a variable is declared to have; what is not known of it stays so.
fn in_letters(value: Value, letters: Letters) -> Value {
    if letters == Letters::AsGiven {
        return value;
    }
    let Some(text) = value.known() else { return value };
    let changed = match letters {
        Letters::AsGiven => return value,
        Letters::Capital => {
            let mut rest = text.chars();
            let first: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
            first + &rest.as_str().to_lowercase()
        }
        Letters::Large => text.to_uppercase(),
        Letters::Small => text.to_lowercase(),
    };
    Value::literal(changed).from(value.provenance)
}

impl Scope {
    /// Whether what a variable is given is evaluated.
    pub(crate) fn is_integer(&self, name: &str) -> bool {
        let name = self.array_of(name);
        INTEGERS.contains(&name) || self.variables.get(name).is_some_and(|variable| variable.integer)
    }

    fn letters(&self, name: &str) -> Letters {
        self.variables.get(self.array_of(name)).map_or(Letters::AsGiven, |variable| variable.letters)
    }

    /// Whether the subscripts of a variable are texts, which are not evaluated.
    pub(crate) fn is_associative(&self, name: &str) -> bool {
        let variable = self.variables.get(self.array_of(name));
        variable.is_some_and(|variable| variable.subscripts == Subscripts::Texts)
    }

    fn array_of<'n>(&'n self, name: &'n str) -> &'n str {
        let name = self.referred(name);
        element(name).map_or(name, |(array, _)| array)
    }

    /// Makes a name stand for another variable.
    pub(crate) fn refer(&mut self, name: &str, target: &str) {
        Rc::make_mut(&mut self.references).insert(name.to_owned(), target.to_owned());
    }

    /// Whether a name stands for another variable, but nothing says yet for which.
    pub(crate) fn awaits_target(&self, name: &str) -> bool {
        self.references.get(name).is_some_and(String::is_empty)
    }

    /// Makes a name stand for itself again.
    pub(crate) fn stop_referring(&mut self, name: &str) {
        if self.references.contains_key(name) {
            Rc::make_mut(&mut self.references).remove(name);
        }
    }
}
