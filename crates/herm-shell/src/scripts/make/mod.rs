//! Makefiles: which commands the wanted targets run.
//!
//! A makefile is read as make reads it: line by line, with variables, functions, conditions, includes and rules. What a
//! recipe runs is handed on as the shell text that make would hand to the shell. What make would ask the machine for (the
//! output of a command, the files that are there) is not known, and stands as a mark in what it becomes part of ([`text`]).
//! A condition that hangs on it is taken both ways.

mod expand;
mod functions;
mod lines;
mod rules;
mod text;
mod wanted;

use std::collections::{HashMap, HashSet};

use crate::effect::Flags;
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;
use lines::Branch;
use rules::Rule;
use wanted::Wanted;

/// How many bytes are read for one unit of work.
const BYTES_PER_UNIT: usize = 64;
/// What a step costs that is about next to no text, in bytes.
const STEP: usize = 16;
/// How deeply makefiles, definitions and conditions may nest.
const DEPTH_MOST: u32 = 16;
/// How long an expansion may grow.
const TEXT_MOST: usize = 1 << 16;

/// Says what making what is wanted (the first target, when none is named) does. `given` is the rest of the command line.
pub(crate) fn read(text: &str, given: &[Value], sink: &mut dyn Sink) {
    let wanted = Wanted::of(given);
    let mut ran = HashSet::new();
    let mut make = Make::new(Guess::True, &wanted, &mut ran, sink);
    make.run(text);
    if make.guessed {
        Make::new(Guess::False, &wanted, &mut ran, sink).run(text);
    }
}

/// How conditions come out that hang on what is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guess {
    False,
    True,
}

/// One way through a makefile.
struct Make<'m> {
    sink: &'m mut dyn Sink,
    wanted: &'m Wanted,
    guess: Guess,
    /// Whether something hung on the guess.
    guessed: bool,
    variables: HashMap<String, Variable>,
    /// Variables that hold for one target and what it needs.
    specific: HashMap<String, Vec<(String, String)>>,
    rules: Vec<Rule>,
    /// The rules that lines of a recipe belong to; `None` where there are none.
    open: Option<usize>,
    defining: Option<(String, String)>,
    branches: Vec<Branch>,
    /// What commands print that were run while reading.
    printed: HashMap<String, String>,
    /// The commands that were handed on, on any way.
    ran: &'m mut HashSet<String>,
    depth: u32,
    /// The work that was done and does not make a whole unit yet, in bytes.
    owed: usize,
    spent: bool,
}

/// A variable.
#[derive(Clone, Debug)]
struct Variable {
    /// What it becomes in a recipe.
    recipe: String,
    /// What it becomes in a list of names, where that is known already.
    list: Option<String>,
}

impl<'m> Make<'m> {
    fn new(guess: Guess, wanted: &'m Wanted, ran: &'m mut HashSet<String>, sink: &'m mut dyn Sink) -> Self {
        Self {
            sink,
            wanted,
            guess,
            guessed: false,
            variables: HashMap::new(),
            specific: HashMap::new(),
            rules: Vec::new(),
            open: None,
            defining: None,
            branches: Vec::new(),
            printed: HashMap::new(),
            ran,
            depth: 0,
            owed: 0,
            spent: false,
        }
    }

    fn run(&mut self, text: &str) {
        self.parse(text);
        self.build();
    }

    /// Takes work for this many bytes; `false` means that nothing more may be read.
    fn spend(&mut self, bytes: usize) -> bool {
        self.owed += bytes + STEP;
        let units = u32::try_from(self.owed / BYTES_PER_UNIT).unwrap_or(u32::MAX);
        self.owed %= BYTES_PER_UNIT;
        self.spent |= units > 0 && self.sink.spend(units).is_err();
        !self.spent
    }

    /// Goes one level deeper; what is deeper yet is not known.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEPTH_MOST || self.spent {
            return None;
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        Some(result)
    }

    /// Runs a line of a recipe with the shell that the makefile wants; the same line only once.
    fn command(&mut self, command: &str) {
        let command = text::as_shell(command);
        let command = command.trim_start_matches(['@', '-', '+', ' ', '\t']);
        if command.is_empty() || !self.ran.insert(command.to_owned()) || !self.spend(command.len()) {
            return;
        }
        match self.shell() {
            Some(shell) => {
                let flags = self.list("$(.SHELLFLAGS)");
                let flags = if flags.trim().is_empty() { "-c".to_owned() } else { flags };
                let words = shell.split_whitespace().chain(flags.split_whitespace()).chain([command]);
                let argv: Vec<Value> = words.map(Value::literal).collect();
                let _ = self.sink.run(&argv, &Value::default());
            }
            None => {
                let _ = self.sink.code(Lang::Shell, &Value::literal(command));
            }
        }
    }

    /// What runs recipes, if that is no shell.
    fn shell(&mut self) -> Option<String> {
        self.variables.get("SHELL")?;
        let shell = self.list("$(SHELL)");
        let program = shell.split_whitespace().next()?;
        let name =
            ["/bin/", "/usr/bin/", "/usr/local/bin/"].iter().find_map(|place| program.strip_prefix(place));
        (!crate::programs::is_shell(name.unwrap_or(program))).then_some(shell)
    }

    /// What a command prints that runs while the makefile is read.
    fn output(&mut self, command: &str) -> String {
        let command = text::as_shell(command);
        if let Some(known) = self.printed.get(&command) {
            return known.clone();
        }
        let output = if self.spend(command.len()) {
            self.sink.code(Lang::Shell, &Value::literal(command.as_str()))
        } else {
            Value::unknown("output", crate::value::Provenance::OUTSIDE)
        };
        let output = match output.known() {
            Some(known) => known.trim_end_matches('\n').replace('\n', " "),
            None => text::files_of(&command).unwrap_or_else(|| text::ANY.to_string()),
        };
        self.printed.insert(command, output.clone());
        output
    }

    /// `$(file >path,content)`, `$(file <path)`.
    fn file(&mut self, arguments: &str) -> String {
        let (target, content) = arguments.split_once(',').unwrap_or((arguments, ""));
        let target = target.trim();
        if let Some(path) = target.strip_prefix('<') {
            let content = self.sink.read(&Value::literal(path.trim()));
            self.sink.print(content);
            return text::ANY.to_string();
        }
        if target.starts_with('>') {
            let path = Value::literal(target.trim_start_matches('>').trim());
            self.sink.write(&path, &Value::literal(text::as_shell(content)), Flags::TRUNCATE);
        }
        String::new()
    }
}
