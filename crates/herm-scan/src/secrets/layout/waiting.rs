//! Names whose values stand on lines below them.

use super::super::bytes::{
    ALNUM, BLANK, DASH, DIGIT, LOWER, QUOTE, WORD, between, byte, contains, from, is, run,
};
use super::super::chosen::{Manner, is_chosen, is_marked};
use super::super::name::{Strength, strength};
use super::super::saying::Open;
use super::super::{clue, sentence};
use super::Span;
use super::pair::{NAMES, Pair, VALUES, alone, is_name, is_one_of, numbered, plausible};
use super::{codes, command, positional};

/// The name whose value has not come yet, if there is one.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    named: Option<Named>,
    /// What a command shows, and for how many lines more.
    shown: Option<(Strength, u8)>,
    /// How far the line is indented that goes by.
    indent: usize,
}

/// A name whose value has not come yet.
#[derive(Clone, Copy, Debug)]
struct Named {
    strength: Strength,
    place: Place,
    /// How far its line is indented.
    indent: usize,
    /// How many lines it is waited for.
    lines: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Alone on its line, without a sign: the sign must follow.
    Sign,
    /// The next line that is not empty.
    Below,
    /// The same, if it is one word: a sentence has announced it.
    Told,
    /// Several of a list that a heading has announced: codes, or words of a phrase.
    Listed,
    /// After `value`.
    Value,
    /// All lines that are indented further than the name.
    Block,
    /// The elements of a list, one a line.
    Items,
    /// A text in quotes on the next line.
    Wrapped,
    /// Texts in quotes on the lines below: a call takes them.
    Arguments,
    /// A text in quotes on the next line that no name looks like: the next that a call takes.
    Default,
    /// The last word of the next line: what somebody answers.
    Answer,
}

/// How many lines may stand between a name and its value.
const WAIT: u8 = 3;

/// The most lines of a list, of a text or of the output of a command.
const MANY: u8 = 64;

/// What a line was for those that wait.
pub(super) enum Step {
    /// It was the value, or gave a name that waits now: nothing more is in it.
    Done(Option<Span>),
    /// It may be anything.
    Open,
}

impl Waiting {
    pub(super) fn is_open(&self) -> bool {
        self.named.is_some() || self.shown.is_some()
    }

    /// Reads the next line.
    pub(super) fn read(&mut self, line: &[u8]) -> Step {
        let named = self.named.take();
        self.indent = indent(line);
        if let Some(found) = self.output(line) {
            return Step::Done(Some(found));
        }
        if line.is_empty() {
            self.named = named
                .filter(|named| named.lines > 0 && named.place.outlasts_empty_lines())
                .map(Named::one_less);
            return Step::Done(None);
        }
        if let Some(named) = named.filter(|named| named.place == Place::Arguments) {
            return self.argument(line, named);
        }
        if let Some(found) = named.and_then(|named| self.listed(line, named)) {
            return Step::Done(Some(found));
        }
        if self.announced(line) || self.opened(line) {
            return Step::Open;
        }
        let Some(start) = line.iter().position(|byte| is(*byte, ALNUM) || matches!(byte, b':' | b'<' | b'.'))
        else {
            return Step::Open;
        };
        match Pair::read(line, start) {
            Some(pair) => self.pair(line, &pair, named),
            None => self.without_pair(line, named),
        }
    }

    /// A word that a sentence has announced, or one of a list of them: more of the same kind may follow.
    fn listed(&mut self, line: &[u8], named: Named) -> Option<Span> {
        let found = match named.place {
            Place::Told => told(line, named.strength),
            Place::Listed => codes::read(line),
            Place::Block if indent(line) > named.indent && named.lines > 0 => text(line, named.strength),
            Place::Items if named.lines > 0 => item(line, named.strength),
            Place::Below if line.trim_ascii_start().starts_with(b"- ") => item(line, named.strength),
            Place::Below if named.strength == Strength::Password => positional::account(line),
            Place::Wrapped if is_quoted(line) => text(line, named.strength),
            Place::Below
            | Place::Sign
            | Place::Value
            | Place::Block
            | Place::Items
            | Place::Wrapped
            | Place::Arguments => None,
            Place::Answer => answer(line),
            Place::Default => next_argument(line, named.strength),
        }?;
        if matches!(named.place, Place::Answer | Place::Default) {
            return Some(found);
        }
        let lines = if matches!(named.place, Place::Block | Place::Items) { named.lines - 1 } else { 0 };
        let is_item = named.place == Place::Below && line.trim_ascii_start().starts_with(b"- ");
        let (place, lines) = if is_item { (Place::Items, MANY) } else { (named.place, lines) };
        self.named = Some(Named { place, lines, ..named }).filter(|named| named.place != Place::Wrapped);
        Some(found)
    }

    /// A text on a line of its own that a call takes whose name speaks of credentials, up to the bracket that closes it.
    fn argument(&mut self, line: &[u8], named: Named) -> Step {
        let start = indent(line);
        if named.lines == 0 || byte(line, start) == b')' || start <= named.indent {
            return Step::Open;
        }
        self.named = Some(named.one_less());
        let text = Open::read(line, start).and_then(|open| open.inner(line)).filter(|(start, end)| {
            let value = between(line, *start, *end);
            let has = |set| value.iter().any(|byte| is(*byte, set));
            let is_sturdy =
                is_marked(value) && has(DIGIT) && value.iter().any(|byte| b"!@#$%^&*+?~".contains(byte));
            value.len() >= 16 && is_chosen(value, Strength::Secret, Manner::Quoted)
                || is_sturdy && is_chosen(value, Strength::Password, Manner::Quoted)
        });
        text.map_or(Step::Open, |(start, end)| Step::Done(Some((start, end, "secret"))))
    }

    /// What a command shows that was asked for a secret.
    fn output(&mut self, line: &[u8]) -> Option<Span> {
        if let Some(strength) = command::asks_for(line) {
            self.shown = Some((strength, MANY));
            return None;
        }
        let (strength, lines) = self.shown?;
        self.shown =
            Some((strength, lines.saturating_sub(1))).filter(|_| lines > 1 && !command::is_prompt(line));
        self.shown.filter(|_| command::is_bare(line))?;
        let found = told(line, strength);
        let fits = |span: &Span| {
            strength == Strength::Password
                && (is_first(lines) || is_marked_word(between(line, span.0, span.1)))
        };
        found.or_else(|| text(line, strength).filter(fits))
    }

    /// Whether a line ends with a name and what opens its value: `passphrase: |-`, `"tokens": [`, `api_key: Some(`.
    fn opened(&mut self, line: &[u8]) -> bool {
        if let Some(callee) = line.strip_suffix(b"(") {
            let name = between(callee, super::super::run_back(callee, callee.len(), WORD, 64), callee.len());
            let speaks = CREDENTIALS.iter().any(|word| contains(name, word));
            if speaks && !callee.trim_ascii_start().starts_with(b"def ") {
                self.named = Some(Named {
                    strength: Strength::Secret,
                    place: Place::Arguments,
                    indent: indent(line),
                    lines: ARGUMENTS,
                });
                return true;
            }
        }
        let opens = OPENS
            .iter()
            .find_map(|(end, place)| line.strip_suffix(end.as_bytes()).map(|rest| (rest, *place)));
        let Some((rest, place)) = opens else { return false };
        let rest = if place == Place::Below { line } else { rest };
        // `["password"]=>` opens no text, and a bar may end a row.
        if matches!(place, Place::Block) && !matches!(rest.last(), Some(b' ' | b':')) {
            return false;
        }
        let rest = rest.trim_ascii_end();
        // What JSON has in braces are fields of their own.
        if line.ends_with(b"{") && !rest.ends_with(b"=") {
            return false;
        }
        let sign =
            rest.iter().rposition(|byte| !matches!(byte, b':' | b'=' | b'>')).map_or(0, |last| last + 1);
        if sign == rest.len() {
            return false;
        }
        let name = between(rest, 0, sign);
        let name = between(
            name,
            0,
            name.iter()
                .rposition(|byte| !is(*byte, BLANK | QUOTE) && *byte != b']')
                .map_or(0, |last| last + 1),
        );
        let clue = clue::all(name).last().filter(|clue| clue.end == name.len());
        let Some(strength) = clue.and_then(|clue| clue.strength).filter(|said| *said >= Strength::Secret)
        else {
            return false;
        };
        let lines = if place == Place::Below { WAIT } else { MANY };
        self.named = Some(Named { strength, place, indent: indent(line), lines });
        true
    }

    /// Whether a sentence or a command announces something for the lines below.
    fn announced(&mut self, line: &[u8]) -> bool {
        let place = if line.ends_with(b"UGFzc3dvcmQ6") {
            // A server of mail asks for the password so.
            Some((Strength::Secret, Place::Answer))
        } else if line.starts_with(b"untrusted comment:") && line.ends_with(b"secret key") {
            Some((Strength::Secret, Place::Told))
        } else if codes::is_heading(line) {
            Some((Strength::Secret, Place::Listed))
        } else if let Some(strength) = sentence::broken(line) {
            Some((strength, Place::Told))
        } else if matches!(line.last(), Some(b':' | b'.' | b'!')) {
            sentence::announced(line).map(|strength| (strength, Place::Told))
        } else {
            None
        };
        if let Some((strength, place)) = place {
            self.wait(strength, place);
        }
        place.is_some()
    }

    fn without_pair(&mut self, line: &[u8], named: Option<Named>) -> Step {
        match named {
            Some(Named { strength, place: Place::Below, indent: outer, .. }) => {
                let found = alone(line, strength);
                Step::Done(
                    found
                        .or_else(|| text(line, strength).filter(|_| indent(line) > outer || is_quoted(line))),
                )
            }
            Some(Named { strength, place: Place::Sign, .. }) if matches!(line.trim_ascii(), b":" | b"=") => {
                self.wait(strength, Place::Below);
                Step::Done(None)
            }
            Some(named) if named.place == Place::Value && named.lines > 0 => {
                self.named = Some(named.one_less());
                Step::Done(None)
            }
            Some(_) | None => {
                self.name_alone(line.trim_ascii());
                Step::Open
            }
        }
    }

    fn pair(&mut self, line: &[u8], pair: &Pair, named: Option<Named>) -> Step {
        let (name, value) = (pair.name(line), pair.value(line));
        if is_one_of(name, NAMES) {
            if let Some(strength) = strength(value).filter(|_| is_name(value)) {
                self.wait(strength, Place::Value);
            }
            return Step::Done(None);
        }
        if let Some(named) = named.filter(|named| named.place == Place::Value) {
            if is_one_of(name, VALUES) {
                // One takes the place of the other: `"…" -> "…"`.
                let fits = plausible(value, named.strength)
                    || value.windows(6).position(|arrow| arrow == b"\" -> \"").is_some_and(|arrow| {
                        plausible(between(value, 0, arrow), named.strength)
                            || plausible(from(value, arrow + 6), named.strength)
                    });
                return Step::Done(fits.then(|| pair.span("secret")));
            }
            self.named = (named.lines > 0).then(|| named.one_less());
        }
        // What a heading announces may have a heading of its own: `chpasswd:`, then `list: |`.
        let below = named.filter(|named| named.place == Place::Below && named.lines > 0);
        let said = strength(name).filter(|strength| *strength >= Strength::Secret);
        if pair.is_open(line)
            && let Some(strength) = said.or(below.map(|named| named.strength))
        {
            self.wait(strength, Place::Below);
        } else if value == b"{"
            && let Some(strength) = said
        {
            self.wait(strength, Place::Value);
        } else if self.named.is_none() {
            self.named = below.map(Named::one_less);
        }
        Step::Open
    }

    fn wait(&mut self, strength: Strength, place: Place) {
        self.named = Some(Named { strength, place, indent: self.indent, lines: WAIT });
    }

    /// A name in quotes, whose sign is on the next line; `variable "db_password" {`.
    fn name_alone(&mut self, line: &[u8]) {
        let strong = |name: &[u8]| strength(name).filter(|strength| *strength >= Strength::Secret);
        // `/cfg/api/token` of a store, `[*] DefaultPassword` of a dump.
        let is_path = line.starts_with(b"/") && !line.contains(&b' ');
        let path = Some(line).filter(|_| is_path).and_then(|line| line.rsplit(|byte| *byte == b'/').next());
        if let Some(strength) = path.or_else(|| line.strip_prefix(b"[*] ")).and_then(strong) {
            self.wait(strength, Place::Below);
        } else if let Some(name) = element(line) {
            if let Some(strength) = strong(name) {
                self.wait(strength, Place::Below);
            }
        } else if let Some(rest) = line.strip_prefix(b"variable \"") {
            let end = run(rest, 0, WORD | DASH);
            if let Some(strength) = strength(between(rest, 0, end)) {
                self.wait(strength, Place::Value);
            }
        } else if let Some(name) = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\","))
            && is_name(name)
            && let Some(strength) = strong(name)
        {
            self.wait(strength, Place::Default);
        } else if let Some(rest) = line.strip_prefix(b"<key>").and_then(|line| line.strip_suffix(b"</key>")) {
            if let Some(strength) = strength(rest) {
                self.wait(strength, Place::Value);
            }
        } else if let Some(name) = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\""))
            && !name.contains(&b' ')
            && is_name(name)
            && let Some(strength) = strong(name)
        {
            self.wait(strength, Place::Sign);
        }
    }
}

impl Named {
    fn one_less(self) -> Self {
        Self { lines: self.lines.saturating_sub(1), ..self }
    }
}

impl Place {
    fn outlasts_empty_lines(self) -> bool {
        matches!(self, Self::Below | Self::Told | Self::Listed | Self::Block | Self::Items | Self::Wrapped)
    }
}

/// What a line ends with behind a name and its sign, and where the value is then.
const OPENS: &[(&str, Place)] = &[
    (">-", Place::Block),
    (">+", Place::Block),
    (">", Place::Block),
    ("|-", Place::Block),
    ("|+", Place::Block),
    ("|", Place::Block),
    ("[", Place::Items),
    ("Array(", Place::Items),
    ("array(", Place::Items),
    ("Some(", Place::Wrapped),
    ("(", Place::Wrapped),
    (":", Place::Below),
    ("=", Place::Below),
    ("{", Place::Items),
];

/// What the names of calls have in them that take credentials.
const CREDENTIALS: &[&[u8]] = &[b"credential", b"password", b"secret", b"token", b"login", b"basicauth"];

/// The most lines of what a call takes.
const ARGUMENTS: u8 = 8;

/// How far a line is indented.
fn indent(line: &[u8]) -> usize {
    run(line, 0, BLANK)
}

/// Whether a line has one text in quotes and nothing more.
fn is_quoted(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let line = line.strip_suffix(b",").unwrap_or(line);
    line.len() > 2 && is(*line.first().unwrap_or(&b' '), QUOTE) && line.first() == line.last()
}

/// Whether it is the first line that a command shows.
fn is_first(lines: u8) -> bool {
    lines == MANY
}

/// One word that is none of a sentence.
fn is_marked_word(value: &[u8]) -> bool {
    !value.contains(&b' ') && is_marked(value)
}

/// All of a line that belongs to a text.
fn text(line: &[u8], strength: Strength) -> Option<Span> {
    let start = indent(line);
    let quote = usize::from(is(byte(line, start), QUOTE));
    let end = line
        .iter()
        .rposition(|byte| !is(*byte, BLANK) && *byte != b',' && !(quote > 0 && is(*byte, QUOTE)))?
        + 1;
    let (start, end) = (start + quote, end.max(start + quote));
    let manner = if quote > 0 { Manner::Quoted } else { Manner::Line };
    is_chosen(between(line, start, end), strength, manner).then_some((start, end, "secret"))
}

/// The element of a list on a line of its own: a text in quotes, a word behind a dash, some bytes of a key.
fn item(line: &[u8], strength: Strength) -> Option<Span> {
    let start = run(line, 0, BLANK);
    let dash = if from(line, start).starts_with(b"- ") { 2 } else { 0 };
    let inner = from(line, start + dash);
    let bytes = inner.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).filter(|part| !part.is_empty());
    let is_number =
        |part: &[u8]| part.len() <= 4 && (part.starts_with(b"0x") || part.iter().all(u8::is_ascii_digit));
    if bytes.clone().count() >= 1 && bytes.clone().all(is_number) {
        return Some((start + dash, line.len(), "secret"));
    }
    let (from, end, kind) = text(inner, strength)?;
    let value = between(inner, from, end);
    let is_text = is_quoted(inner) || dash > 0;
    let fits = is_marked(value) || value.contains(&b' ');
    (is_text && fits).then_some((start + dash + from, start + dash + end, kind))
}

/// The text that a call takes behind a name, on a line of its own: no name of another one.
fn next_argument(line: &[u8], strength: Strength) -> Option<Span> {
    let (start, end) = Open::read(line, indent(line))?.inner(line)?;
    let value = between(line, start, end);
    let has = |set| value.iter().any(|byte| is(*byte, set));
    let is_odd = has(DIGIT) && has(LOWER) && !has(super::super::bytes::UNDERSCORE | super::super::bytes::DOT);
    (is_odd && is_chosen(value, strength, Manner::Quoted)).then_some((start, end, "secret"))
}

/// What somebody answers in Base64: the last word of a line.
fn answer(line: &[u8]) -> Option<Span> {
    let line = line.trim_ascii_end();
    let start = line.iter().rposition(|byte| is(*byte, BLANK)).map_or(0, |blank| blank + 1);
    let is_encoded = from(line, start).iter().all(|byte| is(*byte, super::super::bytes::BASE64));
    (is_encoded && line.len() - start >= 4).then_some((start, line.len(), "password"))
}

/// The only word of a line below a sentence that has announced it.
fn told(line: &[u8], strength: Strength) -> Option<Span> {
    let found = alone(line, strength)?;
    let word = between(line, found.0, found.1);
    (!word.contains(&b' ') && sentence::is_given(word, strength)).then_some(found)
}

/// The name of an element whose value follows on the next line: `["password"]=>` of PHP, `1) "requirepass"` of Redis.
fn element(line: &[u8]) -> Option<&[u8]> {
    let php = line.strip_prefix(b"[\"").filter(|_| line.ends_with(b"]=>"));
    let name = php.or_else(|| from(line, numbered(line)?).strip_prefix(b"\""))?;
    let end = name.iter().position(|byte| *byte == b'"')?;
    let is_whole = php.is_some() || end + 1 == name.len();
    is_whole.then(|| between(name, 0, end))
}
