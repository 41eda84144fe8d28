//! Other programs: with a shell, without one, and wired to something.

use std::rc::Rc;

use super::{Arguments, Interpreter, MAX_CHOICES, Object, hole};
use crate::approvals::is_loosening;
use crate::lang::Lang;
use crate::value::{Piece, Provenance, Value};

impl Interpreter<'_> {
    /// `subprocess.run` and everything that takes its arguments.
    pub(in crate::python) fn process(&mut self, arguments: &Arguments) -> Object {
        let command =
            arguments.get(0, "args").cloned().unwrap_or_else(|| Object::unknown("args", Provenance::NONE));
        let mut output = Value::default();
        for command in command.real_choices() {
            output = self.start(command, arguments);
        }
        self.process_thing(output, command)
    }

    fn process_thing(&mut self, output: Value, command: Object) -> Object {
        let mut thing = self.new_thing("process", Value::default());
        thing.provenance = output.provenance;
        thing.content = Object::value(output);
        thing.fields.push((Rc::from("args"), command));
        self.heap.thing(thing)
    }

    /// What the program prints comes back.
    fn start(&mut self, command: &Object, arguments: &Arguments) -> Value {
        let shell = arguments.named("shell").is_some_and(|shell| self.truth(shell) != Some(false));
        let stdin = self.input_of(arguments);
        let elsewhere = arguments.named("cwd").and_then(Object::known_text);
        let before = elsewhere.as_ref().and_then(|_| self.directory());
        if let (Some(to), Some(_)) = (&elsewhere, &before) {
            self.directory_change(&Value::literal(to.as_str()));
        }
        self.preloads(arguments);
        if self.wired || self.streams_to_socket(arguments) {
            self.remote_control();
        }
        let output = if shell { self.shell(command) } else { self.program(command, arguments, &stdin) };
        if let (Some(_), Some(back)) = (elsewhere, before) {
            self.directory_change(&Value::literal(back));
        }
        output
    }

    fn shell(&mut self, command: &Object) -> Value {
        // With a shell, only the first item of a list is the command.
        let text = match command {
            Object::List(id) | Object::Tuple(id) => {
                self.heap.items(*id).first().cloned().unwrap_or(Object::None)
            }
            other => other.clone(),
        };
        let mut output = Value::default();
        for choice in text.real_choices() {
            let text = self.text_of(choice);
            output = self.code(Lang::Shell, &text);
        }
        output
    }

    fn program(&mut self, command: &Object, arguments: &Arguments, stdin: &Value) -> Value {
        let executable = arguments.named("executable").cloned().map(|executable| self.text_of(&executable));
        let mut output = Value::default();
        for mut argv in self.argvs(command) {
            if let (Some(executable), Some(first)) = (&executable, argv.first_mut()) {
                first.clone_from(executable);
            }
            output = self.run(&argv, stdin);
        }
        output
    }

    /// The words of a command that is a list, or one text: once for each that the items of the list may be.
    pub(in crate::python) fn argvs(&mut self, command: &Object) -> Vec<Vec<Value>> {
        match command {
            Object::Text(value) => vec![split_words(value)],
            Object::Bytes(..) => vec![split_words(&self.text_of(command))],
            Object::List(_) | Object::Tuple(_) => {
                let items = self.elements(command).unwrap_or_default();
                self.each_way(&items)
            }
            other => {
                let mut value = self.text_of(other);
                for piece in &mut value.pieces {
                    if let Piece::Hole(hole) = piece {
                        hole.may_split = true;
                    }
                }
                vec![vec![value]]
            }
        }
    }

    /// The words that these are, each with each. Where that would be too many, a word that may be one of several is not known.
    pub(in crate::python) fn each_way(&mut self, words: &[Object]) -> Vec<Vec<Value>> {
        let mut ways = vec![Vec::new()];
        for word in words {
            let choices: Vec<&Object> = word.real_choices().collect();
            let is_split = choices.len() > 1
                && ways.len() * choices.len() <= MAX_CHOICES
                && self.spend(ways.len() * choices.len() * words.len() / 4);
            let texts: Vec<Value> = if is_split {
                choices.into_iter().map(|choice| self.text_of(choice)).collect()
            } else {
                vec![self.text_of(word)]
            };
            // One more word for each way there is, which a long list must not copy again for each.
            if let [text] = texts.as_slice() {
                for way in &mut ways {
                    way.push(text.clone());
                }
            } else {
                ways =
                    ways.iter().flat_map(|way| texts.iter().map(move |text| with_word(way, text))).collect();
            }
        }
        ways
    }

    fn input_of(&mut self, arguments: &Arguments) -> Value {
        if let Some(input) = arguments.named("input").cloned() {
            return self.text_of(&input);
        }
        match arguments.named("stdin") {
            Some(Object::Thing(id)) => {
                let content = self.heap.thing_at(*id).map_or(Object::None, |thing| thing.content.clone());
                self.text_of(&content)
            }
            Some(given @ (Object::Text(_) | Object::Bytes(..) | Object::Unknown(_))) => {
                self.text_of(&given.clone())
            }
            Some(_) => Value::default(),
            None => self.stdin(),
        }
    }

    fn streams_to_socket(&self, arguments: &Arguments) -> bool {
        ["stdin", "stdout"]
            .iter()
            .filter_map(|name| arguments.named(name))
            .any(|stream| self.is_socket(stream))
    }

    pub(in crate::python) fn is_socket(&self, object: &Object) -> bool {
        matches!(object, Object::Thing(id) if self.heap.thing_at(*id).is_some_and(|thing| &*thing.class == "socket"))
    }

    /// Variables that load code into the program, or switch off its approvals.
    fn preloads(&mut self, arguments: &Arguments) {
        let Some(Object::Dict(id)) = arguments.named("env") else { return };
        for (name, value) in self.heap.entries(*id).to_vec() {
            if let Some(name) = name.known_text().filter(|name| name.starts_with("LD_") || is_loosening(name))
            {
                let value = self.text_of(&value);
                self.set_variable(&name, &value);
            }
        }
    }

    /// `Popen` whose input comes later is started when the input is known.
    pub(in crate::python) fn open_process(&mut self, arguments: &Arguments) -> Object {
        let later = arguments
            .named("stdin")
            .is_some_and(|stdin| stdin.is_library("subprocess.PIPE") || stdin.int() == Some(-1));
        if !later {
            return self.process(arguments);
        }
        let mut thing = self.new_thing("process", Value::default());
        thing.provenance = Provenance::OUTSIDE;
        thing.content = Object::unknown("its output", Provenance::OUTSIDE);
        let object = self.heap.thing(thing);
        let waiting = self.heap.partial(Object::library("subprocess.Popen"), arguments.clone());
        if let Object::Thing(id) = object
            && let Some(thing) = self.heap.thing_mut(id)
        {
            thing.fields.push((Rc::from("waiting"), waiting));
        }
        object
    }

    /// The input of a waiting process has come.
    pub(in crate::python) fn feed_process(&mut self, id: super::Id, input: Object) -> Object {
        let waiting = self.heap.thing_mut(id).and_then(|thing| {
            let at = thing.fields.iter().position(|(name, _)| &**name == "waiting")?;
            Some(thing.fields.swap_remove(at).1)
        });
        let Some(Object::Partial(partial)) = waiting else { return Object::Thing(id) };
        let Some((_, mut arguments)) = self.heap.partial_at(partial) else { return Object::Thing(id) };
        if self.provenance(&input).has(Provenance::NETWORK) {
            self.remote_control();
        }
        arguments.named.retain(|(name, _)| &**name != "stdin");
        arguments.named.push((Rc::from("input"), input));
        self.process(&arguments)
    }

    /// Processes whose input never came.
    pub(super) fn finish_processes(&mut self) {
        let waiting: Vec<(Object, crate::span::Span)> = self
            .heap
            .things()
            .filter_map(|thing| {
                Some((thing.fields.iter().find(|(name, _)| &**name == "waiting")?.1.clone(), thing.span))
            })
            .collect();
        for (waiting, span) in waiting {
            let Object::Partial(id) = waiting else { continue };
            let Some((_, mut arguments)) = self.heap.partial_at(id) else { continue };
            arguments.named.retain(|(name, _)| &**name != "stdin");
            arguments.named.push((Rc::from("input"), Object::unknown("its input", Provenance::NONE)));
            self.span = span;
            self.process(&arguments);
        }
    }
}

fn with_word(words: &[Value], word: &Value) -> Vec<Value> {
    words.iter().chain([word]).cloned().collect()
}

/// Words as a shell divides them, without anything else that a shell does.
pub(in crate::python) fn split_words(value: &Value) -> Vec<Value> {
    let mut words: Vec<Value> = Vec::new();
    let mut current: Option<Value> = None;
    let mut quote: Option<char> = None;
    for piece in &value.pieces {
        let Piece::Literal(text) = piece else {
            let word = current.get_or_insert_with(Value::default);
            word.pieces.push(piece.clone());
            continue;
        };
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match (quote, letter) {
                (None, '\'' | '"') => {
                    quote = Some(letter);
                    current.get_or_insert_with(Value::default);
                }
                (Some(open), _) if open == letter => quote = None,
                (None, ' ' | '\t' | '\n') => words.extend(current.take()),
                (None, '\\') => {
                    let next = letters.next().unwrap_or('\\');
                    current.get_or_insert_with(Value::default).push_str(next.encode_utf8(&mut [0; 4]));
                }
                (_, letter) => {
                    current.get_or_insert_with(Value::default).push_str(letter.encode_utf8(&mut [0; 4]));
                }
            }
        }
    }
    words.extend(current);
    for word in &mut words {
        word.provenance |= value.provenance;
    }
    if words.is_empty() { vec![hole("an empty command", value.provenance)] } else { words }
}
