//! What holds at one point of a text: variables, functions, the directory, the rights.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::ast::{Command, Descriptor, Redirect};
use crate::effect::{Certainty, Realm};
use crate::span::Span;
use crate::value::{Provenance, Value};

/// What holds at one point of a text. Cheap to copy: the maps are shared until one is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) variables: Rc<Variables>,
    pub(crate) functions: Rc<BTreeMap<Rc<str>, Rc<Command>>>,
    pub(crate) aliases: Rc<BTreeMap<Rc<str>, Rc<str>>>,
    /// Names that `hash -p` bound to a file.
    pub(crate) hashed: Rc<BTreeMap<String, String>>,
    /// Builtins that `enable -n` switched off.
    pub(crate) disabled: Rc<BTreeSet<String>>,
    /// Names that stand for other variables (`declare -n`).
    pub(crate) references: Rc<BTreeMap<String, String>>,
    /// What a trap runs between commands: before each, after one that failed, on a signal.
    pub(crate) between: Option<Rc<Between>>,
    /// What `break` and `return` would leave here.
    pub(crate) frame: Frame,
    /// `$1` and the following; `None` where they are not known.
    pub(crate) positional: Option<Rc<Vec<Value>>>,
    /// The working directory, absolute; `None` when it is not known.
    pub(crate) directory: Option<Rc<str>>,
    /// How `cd` came to it.
    pub(crate) entered: Option<Entered>,
    /// Descriptors that redirections opened. Standard output is only here where `exec` moved it for good.
    pub(crate) descriptors: Rc<BTreeMap<u32, Endpoint>>,
    /// Which stream standard output is: every pipe, substitution and redirection has its own.
    pub(crate) stream: u32,
    /// Standard input, when it is not simply inherited.
    pub(crate) stdin: Option<Rc<Value>>,
    /// Whether standard output goes to a connection.
    pub(crate) to_network: bool,
    pub(crate) realm: Realm,
    pub(crate) privileged: bool,
    /// Whether this code was started by an option or feature of another program.
    pub(crate) hooked: bool,
    pub(crate) certainty: Certainty,
    /// The invocation that runs what is read here.
    pub(crate) within: Option<usize>,
    pub(crate) origin: Origin,
    pub(crate) condition: Condition,
}

/// A directory that `cd` went to. A shell goes up by the names that it came by, wherever links led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entered {
    pub(crate) real: Rc<str>,
    pub(crate) named: Rc<str>,
}

/// What builtins have done to the shell itself; from the least to the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Condition {
    /// Nothing.
    #[default]
    AsItWas,
    /// One ran that changes it, whether or not anything is known of what it changes.
    Altered,
}

/// Text that a trap runs between commands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Between {
    pub(crate) action: Value,
    pub(crate) invocation: usize,
    pub(crate) span: Span,
}

/// A variable that another one hides.
type Hidden = (Rc<str>, Option<Rc<Variable>>);

/// What `break` and `return` would leave; where there is nothing to leave, bash goes on behind them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) looping: bool,
    /// Whether this is the body of a function.
    pub(crate) function: bool,
    /// What the function's own variables hide, first hidden first.
    pub(crate) hidden: Rc<Vec<Hidden>>,
}

/// Variables by name; each is shared by the ways that have not changed it.
pub(crate) type Variables = BTreeMap<Rc<str>, Rc<Variable>>;

/// The variable in which bash lists what `shopt` switched on.
pub(crate) const SHELL_OPTIONS: &str = "BASHOPTS";

/// How many entries of a scope are copied for one unit of work.
const ENTRIES_PER_UNIT: usize = 16;

/// A variable. One that was unset has no value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) values: Vec<Value>,
    /// The subscripts of the values, in an associative array.
    pub(crate) keys: Option<Vec<String>>,
    pub(crate) exported: bool,
    /// Whether `readonly` fixed the value.
    pub(crate) fixed: bool,
    /// Whether what it is given is evaluated (`declare -i`).
    pub(crate) integer: bool,
    pub(crate) subscripts: Subscripts,
    /// What becomes of the letters that it is given.
    pub(crate) letters: Letters,
}

/// What becomes of the letters that a variable is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Letters {
    /// They stay.
    #[default]
    AsGiven,
    /// `declare -c`: the first one becomes a capital, the others small.
    Capital,
    /// `declare -l`.
    Small,
    /// `declare -u`.
    Large,
}

/// What the subscripts of a variable are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Subscripts {
    /// Arithmetic.
    #[default]
    Numbers,
    /// Texts (`declare -A`).
    Texts,
}

impl Variable {
    pub(crate) fn of(value: Value) -> Self {
        Self { values: vec![value], ..Self::default() }
    }

    /// Which value has this subscript.
    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        self.keys.as_ref()?.iter().rposition(|one| one == key)
    }

    /// Whether the subscripts are numbers, some of which were left out.
    pub(crate) fn is_sparse(&self) -> bool {
        let is_number = |key: &String| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
        self.keys.as_ref().is_some_and(|keys| !keys.is_empty() && keys.iter().all(is_number))
    }
}

/// What a descriptor is open on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    /// A file, with what is known to come out of it.
    File(Value),
    /// A connection.
    Network,
    /// Standard output as it was where this descriptor was made from it.
    Stream(u32),
    /// The terminal, or wherever nothing in the text reads it.
    Terminal,
}

/// How offsets of the text being read map to the text that was handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It stands there, shifted.
    Shifted(u32),
    /// It only exists decoded; everything in it is this word.
    Within(Span),
}

impl Origin {
    pub(crate) fn map(self, span: Span) -> Span {
        match self {
            Self::Shifted(by) => Span::new(span.start.saturating_add(by), span.end.saturating_add(by)),
            Self::Within(word) => word,
        }
    }
}

impl Scope {
    /// The working directory by the names that `cd` came by.
    pub(crate) fn named_directory(&self) -> Option<&Rc<str>> {
        let here = self.directory.as_ref()?;
        let entered = self.entered.as_ref().filter(|entered| entered.real == *here);
        Some(entered.map_or(here, |entered| &entered.named))
    }

    /// Goes to a directory.
    pub(crate) fn enter(&mut self, entered: Option<Entered>) {
        self.directory = entered.as_ref().map(|entered| Rc::clone(&entered.real));
        self.entered = entered;
    }

    /// Whether a shell with this scope is one with the other, as far as whoever goes on with it can tell.
    pub(crate) fn is_same_shell(&self, other: &Self) -> bool {
        self.condition == other.condition
            && self.directory == other.directory
            && self.variables == other.variables
            && self.functions == other.functions
            && self.aliases == other.aliases
            && self.references == other.references
            && self.positional == other.positional
            && self.descriptors == other.descriptors
    }

    /// Gives a variable a value, or one of its elements where the name says so (`read 'a[0]'`).
    pub(crate) fn set(&mut self, name: &str, value: Value) {
        let name = self.referred(name).to_owned();
        match super::assign::element(&name) {
            Some((name, key)) => self.variable(name).put(key.trim().parse().ok(), key, value),
            None => self.set_array(&name, vec![value]),
        }
    }

    /// Gives a variable values. Bash keeps those of a fixed one, but another shell may not know that it is.
    pub(crate) fn set_array(&mut self, name: &str, values: Vec<Value>) {
        let variable = self.variable(name);
        let fixed = variable.fixed && variable.values != values;
        variable.values =
            if fixed { vec![Value::unknown(format!("${name}"), Provenance::OUTSIDE)] } else { values };
        variable.keys = None;
        variable.subscripts = Subscripts::Numbers;
    }

    /// Makes an array without elements; an associative one stays so.
    pub(crate) fn empty_array(&mut self, name: &str) {
        let variable = self.variable(name);
        variable.values.clear();
        if let Some(keys) = &mut variable.keys {
            keys.clear();
        }
    }

    /// The variable, made if it is not there.
    pub(crate) fn variable(&mut self, name: &str) -> &mut Variable {
        let name: Rc<str> = Rc::from(self.referred(name));
        Rc::make_mut(Rc::make_mut(&mut self.variables).entry(name).or_default())
    }

    /// The variable that a name stands for.
    pub(crate) fn referred<'n>(&'n self, name: &'n str) -> &'n str {
        let mut here = name;
        for _ in 0..4 {
            match self.references.get(here) {
                Some(next) if !next.is_empty() => here = next,
                Some(_) | None => break,
            }
        }
        here
    }

    pub(crate) fn export(&mut self, name: &str) {
        if self.variables.contains_key(name) {
            self.variable(name).exported = true;
        }
    }

    pub(crate) fn unset(&mut self, name: &str) {
        if self.variables.contains_key(name) {
            Rc::make_mut(&mut self.variables).remove(name);
        }
    }

    pub(crate) fn unset_function(&mut self, name: &str) {
        if self.functions.contains_key(name) {
            Rc::make_mut(&mut self.functions).remove(name);
        }
    }

    /// Makes a variable the function's own: what it hides comes back with [`Self::reveal`].
    pub(crate) fn hide(&mut self, name: &str) {
        let name: Rc<str> = Rc::from(name);
        let before = self.variables.get(&name).cloned();
        let plain = |hidden: &Rc<Variable>| {
            !hidden.integer && hidden.subscripts != Subscripts::Texts && hidden.letters == Letters::AsGiven
        };
        if before.as_ref().is_some_and(|hidden| !plain(hidden)) {
            let own = self.variable(&name);
            (own.integer, own.subscripts) = (false, Subscripts::Numbers);
            own.letters = Letters::AsGiven;
        }
        Rc::make_mut(&mut self.frame.hidden).push((name, before));
    }

    /// Leaves a function: its own variables are gone, and the frame is the caller's.
    pub(crate) fn reveal(&mut self, caller: &Frame) {
        let own = std::mem::replace(&mut self.frame, caller.clone());
        for (name, variable) in own.hidden.iter().rev() {
            match variable {
                Some(variable) => {
                    Rc::make_mut(&mut self.variables).insert(Rc::clone(name), Rc::clone(variable));
                }
                None => self.unset(name),
            }
        }
    }

    /// Ends what redirections opened for one command. What it opened besides, by `exec`, stays.
    pub(crate) fn restore_descriptors(&mut self, redirects: &[Redirect], before: &BTreeMap<u32, Endpoint>) {
        for redirect in redirects {
            let number = match redirect.descriptor {
                Some(Descriptor::Number(number)) => number,
                Some(Descriptor::Named(_)) => continue,
                None => 1,
            };
            for number in [number, 1, 2] {
                self.restore_descriptor(number, before);
            }
        }
    }

    fn restore_descriptor(&mut self, number: u32, before: &BTreeMap<u32, Endpoint>) {
        match before.get(&number) {
            Some(endpoint) => {
                Rc::make_mut(&mut self.descriptors).insert(number, endpoint.clone());
            }
            None if self.descriptors.contains_key(&number) => {
                Rc::make_mut(&mut self.descriptors).remove(&number);
            }
            None => {}
        }
    }

    /// What it costs to go on from here: how much there is to copy when something changes.
    pub(crate) fn weight(&self) -> u32 {
        let entries = self.variables.len() + self.functions.len() + self.aliases.len();
        u32::try_from(entries / ENTRIES_PER_UNIT).unwrap_or(u32::MAX)
    }

    pub(crate) fn scalar(&self, name: &str) -> Option<&Value> {
        self.variables.get(self.referred(name)).and_then(|variable| variable.values.first())
    }

    /// The variables that programs started from here see because the text exported them.
    pub(crate) fn exported(&self) -> impl Iterator<Item = (&Rc<str>, &Value)> {
        let exported = self.variables.iter().filter(|(_, variable)| variable.exported);
        exported.filter_map(|(name, variable)| variable.values.first().map(|value| (name, value)))
    }
}

/// One way that running something can end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) scope: Scope,
    pub(crate) output: Value,
    pub(crate) status: Status,
    /// Whether the shell is left (`exit`), the function (`return`), the loop (`break`) or its round (`continue`).
    pub(crate) leaves: Option<Leave>,
}

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Either,
    Failure,
    Success,
}

impl Status {
    /// What `!` makes of it.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Either => Self::Either,
            Self::Failure => Self::Success,
            Self::Success => Self::Failure,
        }
    }
}

/// What a command leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    Function,
    Loop,
    Round,
    Shell,
}

impl Outcome {
    pub(crate) fn of(scope: Scope, status: Status) -> Self {
        Self { scope, output: Value::default(), status, leaves: None }
    }

    pub(crate) fn printing(scope: Scope, output: Value) -> Self {
        Self { scope, output, status: Status::Either, leaves: None }
    }
}
