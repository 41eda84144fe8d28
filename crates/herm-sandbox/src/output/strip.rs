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
mod tests {
    use super::*;

    fn strip(colours: Colours, pieces: &[&[u8]]) -> String {
        let (mut strip, mut out) = (Strip::new(colours), Vec::new());
        for piece in pieces {
            strip.push(piece, &mut out);
        }
        strip.finish(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn escapes_of_every_kind_go() {
        let cases: &[(&[u8], &str)] = &[
            (b"a\x1b[31mred\x1b[0mb", "aredb"),
            (b"a\x1b[2J\x1b[1;1H\x1b[?25lb", "ab"),
            (b"a\x1b]0;title\x07b", "ab"),
            (b"a\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
            (b"a\x1b]52;c;cm0gLXJm\x1b\\b", "ab"),
            (b"a\x1bP+q544e\x1b\\b", "ab"),
            (b"a\x1b_Gi=1;AAAA\x1b\\b", "ab"),
            (b"a\x1b^private\x1b\\b", "ab"),
            (b"a\x1bcb\x1b7c\x1b8d\x1b(0e\x1b#8f", "abcdef"),
            (b"a\x9b31mb\x9d0;t\x07c\x90q\x9cd", "abcd"),
            ("a\u{9b}31mb\u{9d}0;t\u{9c}c\u{85}d".as_bytes(), "abcd"),
            (b"a\x1b\x1b[31mb", "ab"),
            (b"a\x1b", "a"),
            (b"a\x1b[3", "a"),
            (b"a\x08\x07\x00\x0e\x0f\x7f\x0b\x0cb", "ab"),
            (b"a\x1b[12\n3mb", "a\n3mb"),
            (b"a\x1b[1\xe4\xb8\xadb", "a\u{4e2d}b"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(strip(Colours::Drop, &[bytes]), *expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn nothing_is_hidden_by_an_escape_without_an_end() {
        assert_eq!(strip(Colours::Drop, &[b"a\x1b]0;hidden\nshown\n"]), "a\nshown\n");
        let long = [b"a\x1b[".to_vec(), b"1;".repeat(200), b"shown".to_vec()].concat();
        assert!(strip(Colours::Drop, &[&long]).ends_with(";shown"));
    }

    #[test]
    fn lines_are_not_written_over() {
        assert_eq!(
            strip(Colours::Drop, &[b"rm -rf x\rls\r\nnext\r\r\nend\r"]),
            "rm -rf x\nls\nnext\n\nend\n"
        );
        assert_eq!(strip(Colours::Keep, &[b"10%\r20%\r\n"]), "10%\r20%\r\n");
    }

    #[test]
    fn colours_stay_where_they_are_wanted_and_end() {
        assert_eq!(strip(Colours::Keep, &[b"\x1b[1;31mred\x1b[0m\x1b[2J"]), "\u{1b}[1;31mred\u{1b}[0m");
        assert_eq!(strip(Colours::Keep, &[b"\x1b[32mgreen"]), "\u{1b}[32mgreen\u{1b}[0m");
        assert_eq!(strip(Colours::Keep, &[b"\x1b[8mhidden\x1b[m"]), "hidden\u{1b}[m");
        assert_eq!(strip(Colours::Keep, &[b"\x1b[>4;1m\x1b[?1mx\x1b[1$my"]), "xy");
    }

    #[test]
    fn text_is_left_as_it_is() {
        let text = "plain\ttext, Grüße, 字, 😀, \u{301}\n";
        assert_eq!(strip(Colours::Drop, &[text.as_bytes()]), text);
        assert_eq!(strip(Colours::Drop, &[b"a\xffb\xe4\xb8x\xf0\x9f"]), "a\u{fffd}b\u{fffd}x\u{fffd}");
    }

    /// Bytes that mean something, in every order that chance brings.
    fn noise(seed: u64) -> Vec<u8> {
        const WORDS: &[&[u8]] = &[
            b"\x1b",
            b"[",
            b"]",
            b"P",
            b"\\",
            b"m",
            b"31",
            b";",
            b"0",
            b"8",
            b"?",
            b"\x07",
            b"\x9b",
            b"\x9c",
            b"\x9d",
            b"\xc2",
            b"\xe4",
            b"\xb8",
            b"\xad",
            b"\xf0\x9f\x98\x80",
            b"\n",
            b"\r",
            b"x",
            b" ",
            b"(",
            b"\x18",
            b"\xff",
        ];
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % WORDS.len() as u64).unwrap()
        };
        (0..24).flat_map(|_| WORDS[next()].iter().copied()).collect()
    }

    #[test]
    fn it_does_not_matter_where_the_stream_is_cut() {
        for seed in 1..400 {
            let bytes = noise(seed);
            for colours in [Colours::Drop, Colours::Keep] {
                let whole = strip(colours, &[&bytes]);
                for at in 0..bytes.len() {
                    let (one, two) = bytes.split_at(at);
                    assert_eq!(strip(colours, &[one, two]), whole, "{} at {at}", bytes.escape_ascii());
                }
                let single: Vec<&[u8]> = bytes.chunks(1).collect();
                assert_eq!(strip(colours, &single), whole, "{}", bytes.escape_ascii());
            }
        }
    }

    #[test]
    fn nothing_that_a_terminal_obeys_remains() {
        for seed in 1..4000 {
            let bytes = noise(seed);
            let plain = strip(Colours::Drop, &[&bytes]);
            let obeyed = |found: char| found.is_control() && !matches!(found, '\n' | '\t');
            assert!(!plain.contains(obeyed), "{}", bytes.escape_ascii());
            let mut rest = strip(Colours::Keep, &[&bytes]).replace('\r', "");
            while let Some((before, after)) = rest.split_once("\u{1b}[") {
                let (parameters, after) = after.split_once('m').unwrap();
                assert!(
                    parameters.chars().all(|c| c.is_ascii_digit() || matches!(c, ';' | ':')),
                    "{parameters}"
                );
                rest = format!("{before}{after}");
            }
            assert!(!rest.contains(obeyed), "{}", bytes.escape_ascii());
            // Stripping twice is stripping once.
            assert_eq!(strip(Colours::Drop, &[plain.as_bytes()]), plain);
        }
    }
}
