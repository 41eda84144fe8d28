//! Functions and methods that compute a text from others, language by language.
//!
//! A result is exactly what the interpreter yields, or unknown. Interpreters differ in what they take for a letter as soon as
//! a text is not ASCII, so such texts are only joined; each function here is compared with the real one (`oracle`).

mod coding;
mod formats;
mod javascript;
mod lua;
mod packing;
mod parts;
mod perl;
mod php;
mod ruby;
mod sets;

use super::Val;
use super::val::{LIST_MOST, TEXT_MOST};
use crate::lang::Lang;
use crate::value::{Provenance, Value};

pub(super) use formats::formatted;
pub(super) use sets::{translated, without};

/// What a function yields.
enum Yield {
    /// A text that was not readable before.
    Decoded(String),
    List(Vec<String>),
    Number(i64),
    Numbers(Vec<i64>),
    Text(String),
    /// Anything else that is known.
    Val(Val),
}

type Compute = fn(&str, &Given<'_>) -> Option<Yield>;

/// The names that a language has for what computes texts, and what computes them.
type Known = (Lang, &'static [&'static str], Compute);

const FUNCTIONS: &[Known] = &[
    (Lang::JavaScript, javascript::FUNCTIONS, javascript::function),
    (Lang::Lua, lua::FUNCTIONS, lua::function),
    (Lang::Perl, perl::FUNCTIONS, perl::function),
    (Lang::Php, php::FUNCTIONS, php::function),
    (Lang::Ruby, ruby::FUNCTIONS, ruby::function),
];

const METHODS: &[Known] = &[
    (Lang::JavaScript, javascript::METHODS, javascript::method),
    (Lang::Lua, lua::METHODS, lua::method),
    (Lang::Ruby, ruby::METHODS, ruby::method),
];

/// Computes the yield of a function of the language, if it is one that computes texts.
pub(in crate::scripts) fn function(lang: Lang, path: &str, arguments: &[Val]) -> Option<Val> {
    computed(FUNCTIONS, lang, path, arguments)
}

/// Computes the yield of a method of a text, a number or a list, if it is one that computes texts. The first argument is what it is a method of.
pub(super) fn method(lang: Lang, name: &str, arguments: &[Val]) -> Option<Val> {
    computed(METHODS, lang, name, arguments)
}

fn computed(known: &[Known], lang: Lang, name: &str, arguments: &[Val]) -> Option<Val> {
    let (_, names, compute) = known.iter().find(|known| known.0 == lang)?;
    let is_called =
        |own: &&&str| if lang == Lang::Php { own.eq_ignore_ascii_case(name) } else { **own == name };
    names.iter().find(is_called).map(|own| given(own, arguments, *compute))
}

fn given(name: &str, arguments: &[Val], compute: Compute) -> Val {
    let origin = arguments.iter().fold(Provenance::NONE, |all, argument| all | argument.provenance());
    let text = |text: String, origin| Val::value(Value::literal(text).from(origin));
    match compute(name, &Given(arguments)) {
        Some(Yield::Decoded(decoded)) if decoded.len() <= TEXT_MOST => {
            text(decoded, origin | Provenance::DECODED)
        }
        Some(Yield::Text(plain)) if plain.len() <= TEXT_MOST => text(plain, origin),
        Some(Yield::List(items)) if items.len() <= LIST_MOST => {
            Val::list(items.into_iter().map(|item| text(item, origin)).collect())
        }
        Some(Yield::Numbers(items)) if items.len() <= LIST_MOST => {
            Val::list(items.into_iter().map(Val::Number).collect())
        }
        Some(Yield::Number(number)) => Val::Number(number),
        Some(Yield::Val(val)) => val,
        Some(Yield::Decoded(_) | Yield::List(_) | Yield::Numbers(_) | Yield::Text(_)) | None => {
            Val::unknown(name, origin)
        }
    }
}

/// What a function was given.
struct Given<'a>(&'a [Val]);

impl Given<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn val(&self, index: usize) -> Option<&Val> {
        self.0.get(index)
    }

    /// A text of ASCII alone; numbers are written out.
    fn text(&self, index: usize) -> Option<String> {
        plain(self.0.get(index)?)
    }

    /// The same where it is really a text.
    fn word(&self, index: usize) -> Option<String> {
        self.val(index).filter(|val| matches!(val, Val::Text(_))).and_then(plain)
    }

    /// The first argument, of functions that take one.
    fn only(&self) -> Option<String> {
        self.text(0).filter(|_| self.count() == 1)
    }

    fn number(&self, index: usize) -> Option<i64> {
        self.0.get(index)?.number()
    }

    /// A number, or nothing where it was not given.
    #[expect(clippy::option_option, reason = "an argument that is not there is not one that is not known")]
    fn optional(&self, index: usize) -> Option<Option<i64>> {
        if self.count() <= index { Some(None) } else { self.number(index).map(Some) }
    }

    fn items(&self, index: usize) -> Option<&[Val]> {
        match self.0.get(index)? {
            Val::List(items) => Some(items.as_slice()),
            Val::Function(_)
            | Val::Handle(_)
            | Val::Name(..)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_) => None,
        }
    }

    /// The texts of a list, all of them known.
    fn texts(&self, index: usize) -> Option<Vec<String>> {
        self.items(index)?.iter().map(plain).collect()
    }

    /// Everything from `index` on, lists flattened.
    fn flat(&self, index: usize) -> Vec<Val> {
        self.0.iter().skip(index).flat_map(Val::items).collect()
    }
}

/// The text of ASCII that a value is known to be.
fn plain(val: &Val) -> Option<String> {
    match val {
        Val::Text(_) | Val::Number(_) => val.known().filter(|text| text.is_ascii() && !text.contains('\0')),
        Val::Function(_) | Val::Handle(_) | Val::List(_) | Val::Name(..) | Val::OneOf(_) | Val::Pair(_) => {
            None
        }
    }
}

/// The text of a regular expression that finds nothing but this text.
fn literal_regex(val: &Val) -> Option<String> {
    let Val::Name(name, _) = val else { return None };
    let text = name.strip_prefix(super::change::REGEX)?;
    (!text.contains(super::change::SPECIAL) && text.is_ascii()).then(|| text.to_owned())
}

/// What is joined: texts as far as they are known, with holes between them. Lists within lists are written in ways of their own.
fn joined(separator: &Value, items: &[Val]) -> Option<Yield> {
    let mut whole = Value::default();
    for (index, item) in items.iter().enumerate() {
        if matches!(item, Val::List(_) | Val::Pair(_) | Val::Function(_) | Val::OneOf(_)) {
            return None;
        }
        if index > 0 {
            whole.push(separator);
        }
        whole.push(&item.plain());
        if super::val::size(&whole) > TEXT_MOST {
            return None;
        }
    }
    Some(Yield::Val(Val::value(whole)))
}

/// A text with its first letter changed.
fn with_first(text: &str, change: fn(&char) -> char) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| change(&first)).into_iter().chain(letters).collect()
}

fn reversed(text: &str) -> String {
    text.chars().rev().collect()
}

fn characters(text: &str) -> Vec<String> {
    text.chars().map(String::from).collect()
}

/// The letter of a number that means the same in every language.
fn letter(number: i64) -> Option<char> {
    u8::try_from(number).ok().filter(|byte| (1..128).contains(byte)).map(char::from)
}

/// Letters by their numbers. An item of a list that is not known which may be each of them, one after the other.
fn letters(numbers: &[Val]) -> Option<Yield> {
    if let [Val::List(items)] = numbers {
        let text: Option<String> = items.iter().map(|number| number.number().and_then(letter)).collect();
        let text = Val::value(Value::literal(text?).from(Provenance::DECODED));
        return Some(Yield::Val(text.either(&Val::unknown("letter", Provenance::DECODED))));
    }
    let text: Option<String> = numbers.iter().map(|number| number.number().and_then(letter)).collect();
    text.map(Yield::Decoded)
}

fn code(text: &str) -> Option<Yield> {
    text.chars().next().map(|first| Yield::Number(i64::from(u32::from(first))))
}

fn count(number: usize) -> Option<Yield> {
    i64::try_from(number).ok().map(Yield::Number)
}

/// A text as often as that.
fn repeated(text: &str, times: i64) -> Option<Yield> {
    let times = usize::try_from(times).ok()?;
    (text.len().saturating_mul(times) <= 4096).then(|| Yield::Text(text.repeat(times)))
}

/// A text made as long as `width` by what stands before and after it.
fn padded(text: &str, width: i64, pad: &str, share: Share) -> Option<Yield> {
    let width = usize::try_from(width).unwrap_or(0).min(4096);
    let missing = width.saturating_sub(text.len());
    if pad.is_empty() && missing > 0 {
        return None;
    }
    let (before, after) = match share {
        Share::After => (0, missing),
        Share::Before => (missing, 0),
        Share::Both => (missing / 2, missing - missing / 2),
    };
    let run = |length: usize| pad.chars().cycle().take(length).collect::<String>();
    Some(Yield::Text(format!("{}{text}{}", run(before), run(after))))
}

/// Where a text is made longer.
#[derive(Clone, Copy)]
enum Share {
    After,
    Before,
    Both,
}
