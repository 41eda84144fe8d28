//! Taking out of a stream what a terminal would obey.

use super::colour;

/// What becomes of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// They go with the rest: the text is for a file, a model or a record. No line is written over another.
    Drop,
    /// They stay, for a terminal, and so does the return to the beginning of a line.
    Keep,
}

/// Removes terminal escapes from a stream, wherever its pieces are cut.
///
/// What remains is UTF-8. What began as an escape and never ended is shown rather than swallowed: whoever hides text from a
/// reader this way would hide it for good.
#[derive(Clone, Debug)]
pub struct Strip {
    colours: Colours,
    state: State,
    /// The bytes of a character, of which the last has not come yet.
    partial: Vec<u8>,
    /// The parameters of a sequence that has not ended.
    parameters: String,
    /// Whether a return to the beginning of the line waits to see if it is part of a line end.
    returned: bool,
    is_coloured: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Text.
    Ground,
    /// After ESC.
    Escape,
    /// After ESC and a character that promises another.
    Intermediate,
    /// After `ESC [`.
    Sequence,
    /// In a string for the terminal, such as a title.
    Text(Kind),
    /// In a string, after ESC: a backslash ends it.
    TextEscape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Ends with BEL, too.
    Command,
    Other,
}

/// No real sequence is longer.
const LONGEST: usize = 128;
const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';

impl Strip {
    /// One at the beginning of a stream.
    #[must_use]
    pub fn new(colours: Colours) -> Self {
        Self {
            colours,
            state: State::Ground,
            partial: Vec::new(),
            parameters: String::new(),
            returned: false,
            is_coloured: false,
        }
    }

    /// Takes the next piece, and adds what remains of it to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut rest = bytes;
        while let Some((byte, after)) = rest.split_first() {
            let plain =
                if self.is_plain() { rest.iter().take_while(|byte| is_plain(**byte)).count() } else { 0 };
            if plain > 0 {
                out.extend(rest.iter().take(plain));
                rest = rest.get(plain..).unwrap_or_default();
            } else {
                self.byte(*byte, out);
                rest = after;
            }
        }
    }

    /// Ends the stream: what was waited for does not come, and colours are switched off.
    pub fn finish(mut self, out: &mut Vec<u8>) {
        if !self.partial.is_empty() {
            self.character(char::REPLACEMENT_CHARACTER, out);
        }
        self.end_line(out);
        if self.is_coloured {
            out.extend(b"\x1b[0m");
        }
    }

    /// Whether text can be handed on as it is.
    fn is_plain(&self) -> bool {
        self.state == State::Ground && self.partial.is_empty() && !self.returned
    }

    /// Puts characters together. A byte that belongs to none is taken for a control where a terminal could.
    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.partial.push(byte);
        match std::str::from_utf8(&self.partial) {
            Ok(text) => {
                let found = text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
                self.partial.clear();
                self.character(found, out);
            }
            Err(error) if error.error_len().is_none() => {}
            Err(_) => self.broken(byte, out),
        }
    }

    fn broken(&mut self, byte: u8, out: &mut Vec<u8>) {
        let is_alone = self.partial.len() == 1;
        self.partial.clear();
        if is_alone {
            let shown = if is_c1(char::from(byte)) { char::from(byte) } else { char::REPLACEMENT_CHARACTER };
            self.character(shown, out);
        } else {
            // The character that had begun is broken; this byte may begin the next.
            self.character(char::REPLACEMENT_CHARACTER, out);
            self.byte(byte, out);
        }
    }

    fn character(&mut self, character: char, out: &mut Vec<u8>) {
        match self.state {
            State::Ground => self.ground(character, out),
            State::TextEscape if character == '\\' => self.state = State::Ground,
            // A string that is interrupted by another escape has ended.
            State::Escape | State::TextEscape => self.escape(character, out),
            State::Intermediate => self.intermediate(character, out),
            State::Sequence => self.sequence(character, out),
            State::Text(kind) => self.text(kind, character, out),
        }
    }

    fn ground(&mut self, character: char, out: &mut Vec<u8>) {
        match character {
            '\n' => {
                self.returned = false;
                out.push(b'\n');
                return;
            }
            '\r' if self.colours == Colours::Keep => return out.push(b'\r'),
            '\r' => {
                self.end_line(out);
                self.returned = true;
                return;
            }
            _ => self.end_line(out),
        }
        match character {
            ESCAPE => self.state = State::Escape,
            '\t' => out.push(b'\t'),
            _ if is_c1(character) => self.c1(character),
            _ if character.is_control() => {}
            _ => out.extend(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }

    /// What would write over a line begins a new one instead.
    fn end_line(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.returned) {
            out.push(b'\n');
        }
    }

    fn c1(&mut self, character: char) {
        match character {
            '\u{9b}' => self.begin_sequence(),
            '\u{9d}' => self.state = State::Text(Kind::Command),
            '\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}' => self.state = State::Text(Kind::Other),
            _ => self.state = State::Ground,
        }
    }

    fn begin_sequence(&mut self) {
        self.parameters.clear();
        self.state = State::Sequence;
    }

    fn escape(&mut self, character: char, out: &mut Vec<u8>) {
        match character {
            '[' => self.begin_sequence(),
            ']' => self.state = State::Text(Kind::Command),
            'P' | 'X' | '^' | '_' => self.state = State::Text(Kind::Other),
            ' '..='/' => self.state = State::Intermediate,
            '0'..='~' => self.state = State::Ground,
            _ => self.restart(character, out),
        }
    }

    fn intermediate(&mut self, character: char, out: &mut Vec<u8>) {
        match character {
            ' '..='/' => {}
            '0'..='~' => self.state = State::Ground,
            _ => self.restart(character, out),
        }
    }

    fn sequence(&mut self, character: char, out: &mut Vec<u8>) {
        match character {
            '@'..='~' => {
                self.state = State::Ground;
                self.finish_sequence(character, out);
            }
            ' '..='?' if self.parameters.len() < LONGEST => self.parameters.push(character),
            _ => self.restart(character, out),
        }
    }

    fn finish_sequence(&mut self, last: char, out: &mut Vec<u8>) {
        if last != 'm' || self.colours == Colours::Drop {
            return;
        }
        if let Some(parameters) = colour::visible(&self.parameters) {
            self.is_coloured = !colour::is_reset(&parameters);
            out.extend(b"\x1b[");
            out.extend(parameters.as_bytes());
            out.push(b'm');
        }
    }

    /// A line end ends a string, too: no real one holds any, and what follows might never end.
    fn text(&mut self, kind: Kind, character: char, out: &mut Vec<u8>) {
        match character {
            ESCAPE => self.state = State::TextEscape,
            BELL if kind == Kind::Command => self.state = State::Ground,
            '\u{18}' | '\u{1a}' | '\u{9c}' => self.state = State::Ground,
            '\n' | '\r' => self.restart(character, out),
            _ if is_c1(character) => self.restart(character, out),
            _ => {}
        }
    }

    /// What cannot go on with an escape ends it, and is read for itself.
    fn restart(&mut self, character: char, out: &mut Vec<u8>) {
        self.state = State::Ground;
        self.ground(character, out);
    }
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t')
}

fn is_c1(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9f}')
}

#[cfg(test)]
mod tests;
