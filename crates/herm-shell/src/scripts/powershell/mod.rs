//! PowerShell.

mod commands;
mod dotnet;
mod expression;
mod parser;

use super::forks::{Forks, Held, PASSES_MOST};
use super::span;
use super::wiring::Wiring;
use crate::effect::{Flags, Target, Verb};
use crate::filters::decode;
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::span::Span;
use crate::value::{Piece, Provenance, Value};

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
    let mut shell = Shell {
        sink,
        variables: Forks::default(),
        depth: 0,
        stopped: false,
        repeats: false,
        wiring: Wiring::default(),
        head: None,
    };
    let printed = shell.run(text, 0);
    if !printed.text.pieces.is_empty() {
        shell.sink.print(written(&printed.text));
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
#[derive(Clone, Debug, Default, PartialEq)]
struct Item {
    text: Value,
    items: Vec<Value>,
    /// The type of an object that was made.
    object: String,
    /// Only some of them, chosen by what they are.
    narrowed: bool,
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

impl Held for Item {
    fn unknown(name: &str, several: &[Self]) -> Self {
        let origin =
            several.iter().flat_map(Self::all).fold(Provenance::NONE, |all, value| all | value.provenance);
        Self::text(Value::unknown(format!("${name}"), origin))
    }
}

/// A value as text: which names a listing holds is not known.
fn written(value: &Value) -> Value {
    let mut text = Value::default().from(value.provenance);
    for piece in &value.pieces {
        match piece {
            Piece::Glob(_) => text.push(&Value::unknown("names", value.provenance)),
            Piece::Hole(_) | Piece::Literal(_) => text.pieces.push(piece.clone()),
        }
    }
    text
}

struct Shell<'a> {
    sink: &'a mut dyn Sink,
    variables: Forks<Item>,
    depth: u32,
    stopped: bool,
    /// The next block is the body of a loop.
    repeats: bool,
    wiring: Wiring,
    /// Where the name of the command stands whose words were read last.
    head: Option<Span>,
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
            let mut statement = self.variables.begin();
            let kept = u32::try_from(self.variables.remember(&mut statement) / 4).unwrap_or(u32::MAX);
            self.stopped |= self.sink.spend(kept).is_err();
            let repeats = self.repeats;
            loop {
                parser.pos = before;
                self.repeats = repeats;
                let result = self.pipeline(&mut parser);
                if !result.text.pieces.is_empty() || !result.object.is_empty() {
                    last = result;
                }
                if !self.variables.next(&mut statement) {
                    break;
                }
                self.stopped |= self.sink.spend(kept + 1).is_err();
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
        if let Some((name, how)) = parser.assignment() {
            let mut value = self.assigned(parser);
            if how == parser::Assignment::Add {
                value = match self.variables.get(&name) {
                    Some(before) if !before.items.is_empty() => expression::listed(before, &value),
                    Some(before) => expression::joined(&before, &value),
                    None => value,
                };
            }
            if let Some(variable) = name.strip_prefix("env:") {
                self.sink.set_variable(&variable.to_ascii_uppercase(), &value.text);
            }
            if how == parser::Assignment::Perhaps {
                self.variables.set_perhaps(&name, value);
            } else {
                self.variables.set(&name, value);
            }
            return Item::default();
        }
        if let Some(word) = parser.eat_keyword() {
            self.repeats = matches!(word, "while" | "for" | "foreach" | "do");
            return Item::default();
        }
        if parser.at_expression() {
            let base = parser.variable_ahead();
            let value = self.expression(parser);
            parser.skip_blanks();
            if let Some(base) = base.filter(|_| parser.eat_sign()) {
                // An element of it changes.
                let element = self.pipeline(parser);
                self.variables.set_perhaps(&base, element);
                return Item::default();
            }
            return value;
        }
        let words = self.words(parser);
        if words.is_empty() {
            return Item::default();
        }
        self.sink.at(span(start, parser.offset()));
        self.command(&words, input)
    }

    /// What is assigned: a statement such as `if` yields what its last block does.
    fn assigned(&mut self, parser: &mut Parser<'_>) -> Item {
        let Some(word) = parser.eat_keyword() else { return self.pipeline(parser) };
        self.repeats = matches!(word, "while" | "for" | "foreach" | "do");
        let mut yielded = Vec::new();
        while !self.stopped {
            parser.skip_blanks();
            match parser.peek() {
                Some('(') => {
                    let (inner, at) = parser.bracketed();
                    self.run(inner, at);
                }
                Some('{') => {
                    let (inner, at) = parser.bracketed();
                    yielded.push(self.block(inner, at));
                }
                Some(_) | None => {
                    if parser.eat_keyword().is_none() {
                        break;
                    }
                }
            }
        }
        match yielded.as_slice() {
            [only] => only.clone(),
            several => Item::unknown("computed", several),
        }
    }

    /// A block that may not run, or not to its end.
    fn block(&mut self, code: &str, at: usize) -> Item {
        let passes = if std::mem::take(&mut self.repeats) { PASSES_MOST + 1 } else { 1 };
        let mut last = Item::default();
        for pass in 0..passes {
            let before = (passes > 1).then(|| self.variables.variables());
            self.stopped |= self.sink.spend(u32::try_from(self.variables.len()).unwrap_or(u32::MAX)).is_err();
            let body = self.variables.begin_body();
            last = self.run(code, at);
            self.variables.end_body(&body);
            let Some(before) = before.filter(|before| self.variables.changed(before)) else { break };
            if self.stopped {
                break;
            }
            if pass + 1 == PASSES_MOST {
                self.variables.forget_changes(&before);
            }
        }
        last
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
        Item::text(self.sink.code(Lang::PowerShell, &written(code)))
    }

    /// Where unknown values come from: once there is a connection, from there.
    fn ambient(&self) -> Provenance {
        if self.wiring.has_socket() { Provenance::NETWORK } else { Provenance::OUTSIDE }
    }
}
