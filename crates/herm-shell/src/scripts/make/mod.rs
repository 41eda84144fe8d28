//! Makefiles: which commands the wanted targets run.
//!
//! A makefile is read as make reads it: line by line, with variables, functions, conditions, includes and rules. What a
//! recipe runs is handed on as the shell text that make would hand to the shell. What make would ask the machine for (the
//! output of a command, the files that are there) is not known, and stands as a mark in what it becomes part of ([`text`]).
//! Every part of a condition that hangs on it is read ([`conditions`]), and what may be one thing or another is gone through
//! each way ([`ways`]).

mod builtin;
mod conditions;
mod expand;
mod functions;
mod layout;
mod lines;
mod rules;
mod text;
mod wanted;
mod ways;

use std::collections::{HashMap, HashSet};

use crate::effect::Flags;
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Value;
use conditions::Branch;
pub(crate) use layout::is_harmless_flags;
use rules::Rule;
use wanted::Wanted;
use ways::{Chosen, Variables};

/// How many bytes are read for one unit of work.
const BYTES_PER_UNIT: usize = 64;
/// What a step costs that is about next to no text, in bytes.
const STEP: usize = 16;
/// How deeply makefiles, definitions and conditions may nest.
const DEPTH_MOST: u32 = 32;
/// How long an expansion may grow.
const TEXT_MOST: usize = 1 << 16;

/// Says what making what is wanted (the first target, when none is named) does. `given` is the rest of the command line.
pub(crate) fn read(text: &str, given: &[Value], sink: &mut dyn Sink) {
    let wanted = Wanted::of(given);
    Make::new(&wanted, sink).run(text);
}

/// What runs recipes: a shell, or a program that is called with these words and the line.
enum Runner {
    Program(Vec<String>),
    Shell,
}

/// Whether a shell that is called this way only runs the line that follows.
fn is_usual(flags: &str) -> bool {
    let options = ["errexit", "nounset", "pipefail", "posix", "--norc", "--noprofile"];
    let short = |word: &str| {
        word.strip_prefix('-').is_some_and(|letters| letters.chars().all(|letter| "Eceuox".contains(letter)))
    };
    let commands = |word: &str| word.starts_with('-') && word.contains('c');
    let mut words = flags.split_whitespace().rev();
    words.next().is_some_and(|last| short(last) && last.ends_with('c'))
        && words.all(|word| options.contains(&word) || short(word) && !commands(word))
}

/// A line as one word of a shell, with what stands in it expanded.
fn quoted(line: &str) -> String {
    let mut word = String::from("\"");
    for letter in line.chars() {
        if matches!(letter, '"' | '\\' | '`') {
            word.push('\\');
        }
        word.push(letter);
    }
    word.push('"');
    word
}

/// A makefile being read.
struct Make<'m> {
    sink: &'m mut dyn Sink,
    wanted: &'m Wanted,
    /// Whether what was expanded might be otherwise.
    unsure: bool,
    /// What was chosen on the way that is gone, where one is.
    chosen: Option<Chosen>,
    variables: Variables,
    /// Variables that hold for one target (or those that fit a pattern) and what it needs.
    specific: HashMap<String, Vec<(String, String)>>,
    /// The targets with variables of their own that need a target.
    above: HashMap<String, Vec<String>>,
    /// Variables that the command line does not change.
    overridden: HashSet<String>,
    /// The makefiles that are read: make makes them first.
    included: Vec<String>,
    /// Whether something is needed that only make's own rules make.
    built_in: bool,
    rules: Vec<Rule>,
    /// The rules that lines of a recipe belong to; `None` where there are none.
    open: Option<usize>,
    /// The name and the value of what is being defined, and how many definitions are open in it.
    defining: Option<(String, String, u32)>,
    /// What the lines of recipes begin with.
    prefix: char,
    branches: Vec<Branch>,
    /// What commands print that were run while reading.
    printed: HashMap<String, String>,
    /// What the line of a recipe became that is being run, on any way.
    ran: HashSet<String>,
    depth: u32,
    /// The work that was done and does not make a whole unit yet, in bytes.
    owed: usize,
    spent: bool,
}

impl<'m> Make<'m> {
    fn new(wanted: &'m Wanted, sink: &'m mut dyn Sink) -> Self {
        Self {
            sink,
            wanted,
            unsure: false,
            chosen: None,
            variables: HashMap::new(),
            specific: HashMap::new(),
            above: HashMap::new(),
            overridden: HashSet::new(),
            included: Vec::new(),
            built_in: false,
            rules: Vec::new(),
            open: None,
            defining: None,
            prefix: '\t',
            branches: Vec::new(),
            printed: HashMap::new(),
            ran: HashSet::new(),
            depth: 0,
            owed: 0,
            spent: false,
        }
    }

    fn run(&mut self, text: &str) {
        self.parse(text);
        if self.defining.is_some() || !self.branches.is_empty() {
            self.sink.gap(Position::Code, Reason::Syntax, Lang::Make.name());
        }
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

    /// Runs a line of a recipe with the shell that the makefile wants; what a line becomes on several ways only once.
    fn command(&mut self, command: &str) {
        let command = text::as_shell(command);
        let command = command.trim_start_matches(['@', '-', '+', ' ', '\t']);
        if command.is_empty() || !self.ran.insert(command.to_owned()) || !self.spend(command.len()) {
            return;
        }
        let argv = match self.shell() {
            Runner::Shell => {
                let _ = self.sink.code(Lang::Shell, &Value::literal(command));
                return;
            }
            Runner::Program(words) if command.contains('$') => {
                // What make puts in stands there as shell text, which a program does not expand by itself.
                let line = format!("{} {}", words.join(" "), quoted(command));
                let _ = self.sink.code(Lang::Shell, &Value::literal(line));
                return;
            }
            Runner::Program(words) => words.into_iter().chain([command.to_owned()]),
        };
        let argv: Vec<Value> = argv.map(Value::literal).collect();
        let _ = self.sink.run(&argv, &Value::default());
    }

    /// What runs recipes: the command line says it before the makefile does.
    fn shell(&mut self) -> Runner {
        let says = |make: &Self, name: &str| {
            make.variables.contains_key(name)
                || make.wanted.variable(name).is_some() && !make.overridden.contains(name)
        };
        let flags = if says(self, ".SHELLFLAGS") { self.list("$(.SHELLFLAGS)") } else { "-c".to_owned() };
        let shell = if says(self, "SHELL") { self.list("$(SHELL)") } else { "/bin/sh".to_owned() };
        let mut words = shell.split_whitespace().filter(|word| *word != "/usr/bin/env");
        let program = words.next().unwrap_or("/bin/sh");
        let name =
            ["/bin/", "/usr/bin/", "/usr/local/bin/"].iter().find_map(|place| program.strip_prefix(place));
        // A shell of the command line that is not known is likely one of those that people have.
        if text::has_mark(program) && !self.variables.contains_key("SHELL") {
            return Runner::Shell;
        }
        if !crate::programs::is_shell(name.unwrap_or(program)) {
            // Whatever its options are, the line is the last argument of that program.
            return Runner::Program(
                shell.split_whitespace().chain(flags.split_whitespace()).map(text::as_shell).collect(),
            );
        }
        if !is_usual(&flags) {
            self.not_understood(&format!(".SHELLFLAGS = {flags}"));
        }
        if words.any(|word| !is_usual(&format!("{word} -c"))) {
            self.not_understood(&format!("SHELL = {shell}"));
        }
        Runner::Shell
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
            let content = self.sink.read(&Value::literal(text::as_shell(path.trim())));
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
