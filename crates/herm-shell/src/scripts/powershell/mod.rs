//! PowerShell.

mod commands;
mod dotnet;
mod expression;
mod parser;

use std::collections::HashMap;

use super::span;
use super::wiring::Wiring;
use crate::effect::{Flags, Target, Verb};
use crate::filters::decode;
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

use parser::Parser;

/// How deeply brackets and blocks may nest.
const DEPTH_MOST: u32 = 32;

/// How long lists may grow.
const LIST_MOST: usize = 4096;

/// What a command or an expression costs besides what it does.
const ELEMENT: u32 = 3;

/// Reads a script.
pub(super) fn read(text: &str, sink: &mut dyn Sink) {
    let Ok(units) = u32::try_from(text.len() / 16 + 1) else { return };
    if sink.spend(units).is_err() {
        return;
    }
    let mut shell =
        Shell { sink, variables: HashMap::new(), depth: 0, stopped: false, wiring: Wiring::default() };
    let printed = shell.run(text, 0);
    if !printed.text.pieces.is_empty() {
        shell.sink.print(printed.text);
    }
}

/// The text of a `-EncodedCommand`: base64 of UTF-16.
#[must_use]
pub(crate) fn decode_command(text: &str) -> Option<String> {
    decode::base64(text.trim()).and_then(|bytes| decode::utf16(&bytes))
}

/// The decoded `-EncodedCommand` among a command line's words, however it is abbreviated.
pub(super) fn encoded_argument(words: &[String]) -> Option<String> {
    let names_it = |word: &String| {
        let name = word.trim_start_matches(['-', '/']).to_ascii_lowercase();
        let abbreviates = !name.is_empty() && "encodedcommand".starts_with(&name);
        word.starts_with(['-', '/']) && (abbreviates || name == "ec")
    };
    let at = words.iter().position(names_it)?;
    words.get(at + 1).and_then(|text| decode_command(text))
}

/// A value of the script.
#[derive(Clone, Debug, Default)]
struct Item {
    text: Value,
    items: Vec<Value>,
    /// The type of an object that was made.
    object: String,
    /// The code of a block, and where it stands.
    block: Option<(String, usize)>,
}

impl Item {
    fn text(text: Value) -> Self {
        Self { text, ..Self::default() }
    }

    fn object(name: &str) -> Self {
        Self {
            object: name.to_ascii_lowercase(),
            text: Value::unknown(name, Provenance::NONE),
            ..Self::default()
        }
    }

    /// All of its texts: the items of a list, or itself.
    fn all(&self) -> Vec<Value> {
        if self.items.is_empty() { vec![self.text.clone()] } else { self.items.clone() }
    }

    fn known(&self) -> String {
        self.text.known().map(std::borrow::Cow::into_owned).unwrap_or_default()
    }
}

struct Shell<'a> {
    sink: &'a mut dyn Sink,
    variables: HashMap<String, Item>,
    depth: u32,
    stopped: bool,
    wiring: Wiring,
}

impl Shell<'_> {
    /// Runs statements; what the last of them yields comes back.
    fn run(&mut self, text: &str, base: usize) -> Item {
        if self.depth >= DEPTH_MOST {
            if !self.stopped {
                self.sink.gap(Position::Code, Reason::Depth, "powershell");
            }
            self.stopped = true;
            return Item::default();
        }
        self.depth += 1;
        let mut parser = Parser::new(text, base);
        let mut last = Item::default();
        while !parser.ended() && !self.stopped {
            parser.skip_separators();
            let before = parser.pos;
            let result = self.pipeline(&mut parser);
            if !result.text.pieces.is_empty() || !result.object.is_empty() {
                last = result;
            }
            if parser.pos == before {
                parser.advance();
            }
        }
        self.depth -= 1;
        last
    }

    /// Commands with bars between.
    fn pipeline(&mut self, parser: &mut Parser<'_>) -> Item {
        let mut input: Option<Item> = None;
        loop {
            self.stopped |= self.sink.spend(ELEMENT).is_err();
            if self.stopped {
                return Item::default();
            }
            parser.skip_blanks();
            let start = parser.offset();
            let output = self.element(parser, input.as_ref(), start);
            parser.skip_blanks();
            if !parser.eat_pipe() {
                return output;
            }
            input = Some(output);
        }
    }

    /// One command or expression of a pipeline.
    fn element(&mut self, parser: &mut Parser<'_>, input: Option<&Item>, start: usize) -> Item {
        if let Some(name) = parser.assignment() {
            let value = self.pipeline(parser);
            if let Some(variable) = name.strip_prefix("env:") {
                self.sink.set_variable(&variable.to_ascii_uppercase(), &value.text);
            }
            self.variables.insert(name, value);
            return Item::default();
        }
        if parser.eat_keyword() {
            return Item::default();
        }
        if parser.at_expression() {
            return self.expression(parser);
        }
        let words = self.words(parser);
        if words.is_empty() {
            return Item::default();
        }
        self.sink.at(span(start, parser.offset()));
        self.command(&words, input)
    }

    /// The environment is read as a whole.
    fn environment(&mut self) -> Item {
        self.sink.effect(Verb::Read, Target::Environment, Flags::NONE, Provenance::NONE);
        Item::text(Value::unknown("environment", Provenance::SECRET))
    }

    /// Text runs as code.
    fn evaluate(&mut self, code: &Value) -> Item {
        if self.wiring.has_socket() && code.has_hole() {
            self.wiring.shell(self.sink);
        }
        Item::text(self.sink.code(Lang::PowerShell, code))
    }

    /// Where unknown values come from: once there is a connection, from there.
    fn ambient(&self) -> Provenance {
        if self.wiring.has_socket() { Provenance::NETWORK } else { Provenance::OUTSIDE }
    }
}
