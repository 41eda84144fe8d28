//! Texts: how objects turn into them, and their methods.

use super::decode::{self, Codec};
use super::object::MAX_CHOICES;
use super::{Arguments, Interpreter, Object, append, hole, joined};
use crate::filters::decode::utf16;
use crate::filters::encode;
use crate::value::{Piece, Provenance, Value};

/// How long a piece of a value reads.
pub(super) fn piece_length(piece: &Piece) -> usize {
    match piece {
        Piece::Literal(text) | Piece::Glob(text) => text.len(),
        Piece::Hole(_) => 1,
    }
}

/// What a part of a text costs, however short it is.
const PART: usize = 1;
/// How many bytes of a list that is written out are copied for one step.
const LISTED: usize = 64;

impl Interpreter<'_> {
    /// An object as text.
    pub(in crate::python) fn text_of(&mut self, object: &Object) -> Value {
        self.value_to(object, 3)
    }

    fn value_to(&mut self, object: &Object, depth: u32) -> Value {
        match object {
            Object::Text(value) | Object::Path(value) => (**value).clone(),
            Object::Bytes(bytes, provenance) => {
                Value::literal(String::from_utf8_lossy(bytes)).from(*provenance)
            }
            Object::Int(number) => Value::literal(number.to_string()),
            Object::Bool(truth) => Value::literal(if *truth { "True" } else { "False" }),
            Object::None => Value::literal("None"),
            Object::Unknown(unknown) => hole(&unknown.shown, unknown.provenance),
            Object::List(id) | Object::Tuple(id) => {
                let items = self.heap.items(*id).to_vec();
                self.listed("[", &items, "]", depth)
            }
            Object::Dict(id) => {
                let entries = self.heap.entries(*id).iter();
                let items: Vec<Object> =
                    entries.flat_map(|(key, value)| [key.clone(), value.clone()]).collect();
                self.listed("{", &items, "}", depth)
            }
            Object::Library(name) if &**name == "os.environ" => self.environment(),
            Object::Library(name) => hole(name, Provenance::NONE),
            Object::Thing(id) => self.thing_value(*id),
            Object::Method(method) => {
                let unknown = self.method_value(&method.0, &method.1);
                hole(&unknown_shown(&unknown), self.provenance(&unknown))
            }
            Object::OneOf(choices) => match choices.first() {
                Some(first) if depth > 0 => {
                    let provenance = self.provenance(object);
                    let first = self.value_to(&first.clone(), 0);
                    hole(&first.shown(), provenance)
                }
                Some(_) | None => hole("one of several", Provenance::NONE),
            },
            Object::Instance(_) => hole("an object", self.provenance(object)),
            Object::Class(_) | Object::Function(_) | Object::Partial(_) => {
                hole("a function", Provenance::NONE)
            }
        }
    }

    fn listed(&mut self, open: &str, items: &[Object], close: &str, depth: u32) -> Value {
        if depth == 0 || !self.spend(items.len()) {
            return hole("a list", Provenance::NONE);
        }
        let mut value = Value::literal(open);
        for (place, item) in items.iter().enumerate() {
            if place > 0 {
                value.push_str(", ");
            }
            let text = matches!(item, Object::Text(_));
            let item = self.value_to(item, depth - 1);
            // What is nested is copied once more at every level.
            if !self.spend(item.size() / LISTED) {
                break;
            }
            value.push(&if text { quoted(&item) } else { item });
        }
        value.push_str(close);
        value
    }

    /// Several objects as one text; each may be one of several.
    pub(super) fn concatenate(&mut self, parts: &[Object]) -> Object {
        let mut texts = vec![Value::default()];
        for part in parts {
            // It becomes a text of its own, and then a part of the whole.
            if !self.spend(PART) || !self.spend_on(part) || !self.spend_on(part) {
                break;
            }
            let choices: Vec<Value> = part.real_choices().map(|choice| self.text_of(choice)).collect();
            texts = extended(texts, &choices);
        }
        texts.into_iter().map(Object::value).reduce(Object::or).unwrap_or_else(|| Object::text(""))
    }

    /// The same object, from where `source` came too.
    pub(super) fn tainted(&self, object: Object, source: &Object) -> Object {
        let provenance = self.provenance(source);
        match object {
            Object::Text(value) => Object::value((*value).clone().from(provenance)),
            other => other,
        }
    }

    pub(in crate::python) fn repr(&mut self, object: &Object) -> Object {
        let value = self.text_of(object);
        match object {
            Object::Text(_) | Object::Unknown(_) => Object::value(quoted(&value)),
            Object::Bytes(..) => {
                let mut text = Value::literal("b");
                text.push(&quoted(&value));
                Object::value(text)
            }
            _ => Object::value(value),
        }
    }

    /// Methods of text and bytes.
    pub(super) fn text_method(&mut self, receiver: &Object, name: &str, arguments: &Arguments) -> Object {
        let provenance = self.provenance(receiver);
        let known = receiver.known_text();
        let given = |place: usize| arguments.plain.get(place).and_then(Object::known_text);
        let made = |text: String| rebuilt(receiver, text, provenance);
        match (name, known) {
            ("format", Some(text)) => {
                let object = self.format(&text, arguments);
                self.tainted(object, receiver)
            }
            ("format_map", Some(text)) => self.format_map(&text, receiver, arguments.plain.first()),
            ("join", Some(text)) => {
                self.join(&text, arguments.plain.first(), matches!(receiver, Object::Bytes(..)))
            }
            ("decode", _) => Self::decode(receiver, arguments),
            ("encode", _) => self.encode(receiver, arguments),
            ("hex", _) => match receiver {
                Object::Bytes(bytes, from) => Object::value(Value::literal(encode::hex(bytes)).from(*from)),
                other => self.unknown_from("a text", other),
            },
            ("replace", Some(text)) => match (given(0), given(1)) {
                (Some(old), Some(new)) if text.len() * (new.len() + 1) < super::MAX_TEXT => {
                    made(text.replace(&old, &new))
                }
                _ => self.unknown_from("a text", receiver),
            },
            ("strip", Some(text)) => made(trimmed(&text, given(0)).to_owned()),
            ("lstrip", Some(text)) => made(trimmed_start(&text, given(0)).to_owned()),
            ("rstrip", Some(text)) => made(trimmed_end(&text, given(0)).to_owned()),
            ("removeprefix", Some(text)) => {
                made(given(0).and_then(|prefix| text.strip_prefix(&*prefix)).unwrap_or(&text).to_owned())
            }
            ("removesuffix", Some(text)) => {
                made(given(0).and_then(|suffix| text.strip_suffix(&*suffix)).unwrap_or(&text).to_owned())
            }
            ("lower" | "casefold", Some(text)) => made(text.to_lowercase()),
            ("upper", Some(text)) => made(text.to_uppercase()),
            ("swapcase", Some(text)) => made(text.chars().map(swapped).collect()),
            ("capitalize" | "title", Some(text)) => {
                let mut letters = text.chars();
                let first: String =
                    letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
                made(first + &letters.as_str().to_lowercase())
            }
            ("zfill", Some(text)) => made(filled(&text, arguments.plain.first().and_then(Object::int))),
            ("split" | "rsplit", Some(text)) => self.split(&text, given(0), provenance),
            ("splitlines", Some(text)) => {
                let lines =
                    text.lines().map(|line| Object::value(Value::literal(line).from(provenance))).collect();
                self.heap.list(lines)
            }
            ("partition" | "rpartition", Some(text)) => self.partition(name, &text, given(0), provenance),
            ("translate", Some(text)) => self.translate(receiver, &text, arguments.plain.first()),
            ("maketrans", _) => self.maketrans(arguments),
            ("fromhex", _) => {
                decode::object(Codec::Hex, &arguments.plain.first().cloned().unwrap_or(Object::None))
            }
            ("find" | "index", Some(text)) if arguments.plain.len() == 1 => {
                let at = given(0).and_then(|wanted| text.find(&wanted)).and_then(|at| text.get(..at));
                let at = at.and_then(|before| i64::try_from(before.chars().count()).ok());
                at.map_or_else(|| Object::unknown("a place", Provenance::NONE), Object::Int)
            }
            ("startswith" | "endswith" | "isdigit" | "find" | "index" | "count" | "isalpha", _) => {
                Object::unknown("a test", Provenance::NONE)
            }
            ("strip" | "rstrip" | "lstrip" | "lower" | "upper" | "replace", None) => receiver.clone(),
            ("split" | "splitlines" | "rsplit", None) => match receiver {
                Object::Text(value) => {
                    let words = super::processes::split_words(value).into_iter().map(Object::value).collect();
                    self.heap.list(words)
                }
                other => self.unknown_from("words", other),
            },
            _ => {
                let shown = self.text_of(receiver).shown();
                self.unknown_from(&shown, receiver)
            }
        }
    }

    fn partition(&mut self, name: &str, text: &str, separator: Option<String>, from: Provenance) -> Object {
        let separator = separator.unwrap_or_default();
        let found =
            if name == "partition" { text.split_once(&separator) } else { text.rsplit_once(&separator) };
        let (before, after) = found.unwrap_or((text, ""));
        let parts = [before, &separator, after].map(|part| Object::value(Value::literal(part).from(from)));
        self.heap.tuple(parts.to_vec())
    }

    fn join(&mut self, separator: &str, items: Option<&Object>, bytes: bool) -> Object {
        let Some(items) = items else { return Object::None };
        let Some(elements) = self.elements(items) else { return self.unknown_from("a joined text", items) };
        let mut parts = Vec::with_capacity(elements.len() * 2);
        for (place, element) in elements.into_iter().enumerate() {
            if place > 0 && !separator.is_empty() {
                parts.push(Object::text(separator));
            }
            parts.push(element);
        }
        let known: Option<String> = parts.iter().map(Object::known_text).collect();
        let provenance = parts.iter().fold(Provenance::NONE, |sum, part| sum | self.provenance(part));
        match known {
            Some(text) if bytes => Object::Bytes(text.into_bytes().into(), provenance),
            Some(text) => Object::value(Value::literal(text).from(provenance)),
            None => self.concatenate(&parts),
        }
    }

    fn split(&mut self, text: &str, separator: Option<String>, provenance: Provenance) -> Object {
        let word = |word: &str| Object::value(Value::literal(word).from(provenance));
        let words: Vec<Object> = match separator {
            Some(separator) if !separator.is_empty() => text.split(separator.as_str()).map(word).collect(),
            Some(_) | None => text.split_whitespace().map(word).collect(),
        };
        self.spend(words.len());
        self.heap.list(words)
    }

    fn decode(receiver: &Object, arguments: &Arguments) -> Object {
        let codec = arguments.get(0, "encoding").and_then(Object::known_text);
        if let Some(codec) = codec.as_deref().and_then(Codec::named) {
            return decode::object(codec, receiver);
        }
        match receiver {
            Object::Bytes(bytes, from) => {
                let text = if codec.as_deref().is_some_and(decode::is_wide) {
                    utf16(bytes)
                } else {
                    Some(String::from_utf8_lossy(bytes).into_owned())
                };
                match text {
                    Some(text) => Object::value(Value::literal(text).from(*from)),
                    None => Object::unknown("decoded text", *from),
                }
            }
            other => other.clone(),
        }
    }

    fn encode(&mut self, receiver: &Object, arguments: &Arguments) -> Object {
        let codec = arguments.get(0, "encoding").and_then(Object::known_text);
        if let Some(codec) = codec.as_deref().and_then(Codec::named) {
            return decode::encoded(codec, receiver);
        }
        match receiver.known_text() {
            Some(text) if codec.as_deref().is_some_and(decode::is_wide) => {
                let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                Object::Bytes(bytes.into(), self.provenance(receiver))
            }
            Some(text) => Object::Bytes(text.into_bytes().into(), self.provenance(receiver)),
            None => receiver.clone(),
        }
    }

    /// `str.maketrans("abc", "xyz")`, as a dictionary.
    pub(in crate::python) fn maketrans(&mut self, arguments: &Arguments) -> Object {
        match arguments.plain.as_slice() {
            [Object::Dict(id)] => Object::Dict(*id),
            [from, to, ..] => {
                let (from, to) = (from.known_text().unwrap_or_default(), to.known_text().unwrap_or_default());
                let entries =
                    from.chars().zip(to.chars()).map(|(one, other)| (Object::text(one), Object::text(other)));
                let entries = entries.collect();
                self.heap.dict(entries)
            }
            _ => Object::unknown("a table", Provenance::NONE),
        }
    }

    fn translate(&mut self, receiver: &Object, text: &str, table: Option<&Object>) -> Object {
        let Some(Object::Dict(id)) = table else { return self.unknown_from("a text", receiver) };
        let entries: std::collections::HashMap<String, String> = self
            .heap
            .entries(*id)
            .iter()
            .filter_map(|(key, value)| {
                let key = key.known_text().or_else(|| letter(key.int()?))?;
                let value = value.known_text().or_else(|| letter(value.int()?)).unwrap_or_default();
                Some((key, value))
            })
            .collect();
        let changed = text
            .chars()
            .map(|letter| entries.get(&letter.to_string()).cloned().unwrap_or_else(|| letter.to_string()));
        rebuilt(receiver, changed.collect(), self.provenance(receiver) | Provenance::DECODED)
    }
}

/// `text.zfill(width)`.
fn filled(text: &str, width: Option<i64>) -> String {
    let width = width.and_then(|width| usize::try_from(width).ok()).unwrap_or(0);
    format!("{}{text}", "0".repeat(width.min(4096).saturating_sub(text.len())))
}

/// Any one of several texts.
pub(in crate::python) fn any_text(choices: &[Value]) -> Value {
    let provenance = choices.iter().fold(Provenance::NONE, |sum, choice| sum | choice.provenance);
    hole("one of several", provenance)
}

/// Each text with each choice after it. A single choice is added in place, so that long texts are not copied.
fn extended(mut texts: Vec<Value>, choices: &[Value]) -> Vec<Value> {
    if let [only] = choices {
        for text in &mut texts {
            append(text, only);
        }
        return texts;
    }
    if texts.len() * choices.len() > MAX_CHOICES {
        return extended(texts, &[any_text(choices)]);
    }
    let longer = texts.iter().flat_map(|text| choices.iter().map(move |choice| joined(text, choice)));
    longer.collect()
}

fn letter(code: i64) -> Option<String> {
    u32::try_from(code).ok().and_then(char::from_u32).map(String::from)
}

fn unknown_shown(object: &Object) -> String {
    if let Object::Unknown(unknown) = object { unknown.shown.clone() } else { String::new() }
}

/// A text of the kind that `receiver` is.
fn rebuilt(receiver: &Object, text: String, provenance: Provenance) -> Object {
    match receiver {
        Object::Bytes(..) => Object::Bytes(text.into_bytes().into(), provenance),
        _ => Object::value(Value::literal(text).from(provenance)),
    }
}

/// A value as Python's `repr` writes it.
fn quoted(value: &Value) -> Value {
    let mut text = Value { pieces: Vec::new(), provenance: value.provenance };
    text.push_str("'");
    for piece in &value.pieces {
        match piece {
            Piece::Literal(plain) => {
                let escaped = plain
                    .replace('\\', "\\\\")
                    .replace('\'', "\\'")
                    .replace('\n', "\\n")
                    .replace('\r', "\\r")
                    .replace('\t', "\\t");
                text.push_str(&escaped);
            }
            Piece::Glob(_) | Piece::Hole(_) => text.pieces.push(piece.clone()),
        }
    }
    text.push_str("'");
    text
}

fn trimmed(text: &str, letters: Option<String>) -> &str {
    trimmed_start(trimmed_end(text, letters.clone()), letters)
}

fn trimmed_start(text: &str, letters: Option<String>) -> &str {
    match letters {
        Some(letters) => text.trim_start_matches(|letter| letters.contains(letter)),
        None => text.trim_start(),
    }
}

fn trimmed_end(text: &str, letters: Option<String>) -> &str {
    match letters {
        Some(letters) => text.trim_end_matches(|letter| letters.contains(letter)),
        None => text.trim_end(),
    }
}

fn swapped(letter: char) -> char {
    if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}
