//! Codes that open something, as sentences give them: `Use the code 482913 to confirm`, `Le code du portail est le B4471`.
//!
//! Everything has a code: a program that ends, a country, a product. So words beside it must say that this one opens a door, an
//! account or a safe.

use super::Found;
use super::bytes::{ALNUM, BLANK, DIGIT, NEWLINE, UPPER, between, byte, from, is, run};
use super::lexicon;
use super::nearby::{introduces, is_article};

/// How far a sentence is looked at on either side.
const SENTENCE: usize = 120;

/// The most words between the word and its code.
const WORDS: usize = 9;

/// How the words begin that say what the code opens, in letters without marks.
const OPENED: &[&[u8]] = &[
    // Accounts.
    b"verif",
    b"confirm",
    b"bestatig",
    b"bestaetig",
    b"potwierd",
    b"bekraft",
    b"weryfik",
    b"bevestig",
    b"onay",
    b"dogrul",
    b"overen",
    b"securi",
    b"segur",
    b"sicher",
    b"sicurez",
    b"beveilig",
    b"one-time",
    b"einmal",
    b"engang",
    b"login",
    b"log-in",
    b"sign-in",
    b"signin",
    b"signing",
    b"anmeld",
    b"connexion",
    b"logowan",
    b"2fa",
    b"mfa",
    b"two-factor",
    b"two-step",
    b"otp",
    b"sms",
    b"authenti",
    b"pairing",
    b"passcode",
    // Doors.
    b"access",
    b"acces",
    b"acceso",
    b"zugang",
    b"toegang",
    b"dostep",
    b"adgang",
    b"door",
    b"doors",
    b"gate",
    b"garage",
    b"lobby",
    b"entry",
    b"entrance",
    b"elevator",
    b"keypad",
    b"lockbox",
    b"padlock",
    b"lock",
    b"unlock",
    b"safe",
    b"vault",
    b"alarm",
    b"allarm",
    b"disarm",
    b"panel",
    b"building",
    b"front",
    b"tur",
    b"haustur",
    b"tor",
    b"tresor",
    b"schloss",
    b"eingang",
    b"portail",
    b"portillon",
    b"porte",
    b"immeuble",
    b"entree",
    b"digicode",
    b"coffre",
    b"cadenas",
    b"puerta",
    b"portal",
    b"porton",
    b"caja",
    b"porta",
    b"cancello",
    b"portone",
    b"cassaforte",
    b"cofre",
    b"portao",
    b"deur",
    b"poort",
    b"kluis",
    b"hek",
    b"dorr",
    b"port",
    b"larm",
    b"dor",
    b"drzwi",
    b"brama",
    b"bramy",
    b"domofon",
    b"furtk",
    b"sejf",
    b"ovi",
    b"ovikoodi",
    b"kapu",
    b"apartment",
    b"airbnb",
];

/// The words right before it that make it another code.
const OTHERS: &[&[u8]] = &[
    b"error",
    b"exit",
    b"status",
    b"return",
    b"http",
    b"response",
    b"result",
    b"country",
    b"area",
    b"zip",
    b"postal",
    b"dialing",
    b"dial",
    b"source",
    b"product",
    b"item",
    b"color",
    b"colour",
    b"reason",
    b"reply",
    b"failure",
    b"exception",
    b"fault",
    b"event",
    b"diagnostic",
    b"language",
    b"currency",
    b"airport",
    b"char",
    b"character",
    b"scan",
    b"virtual",
    b"machine",
    b"byte",
    b"op",
    b"device",
    b"vendor",
    b"of",
    b"this",
    b"these",
    b"existing",
    b"new",
    b"our",
    b"dead",
    b"test",
    b"example",
    b"sample",
    b"fehler",
    b"statut",
    b"postleitzahl",
    b"discount",
    b"promo",
    b"coupon",
    b"voucher",
    b"stop",
    b"bug",
    b"close",
    b"win32",
    b"errno",
    b"sqlstate",
    b"sqlca",
    b"smtp",
    b"termination",
    b"signal",
];

/// The code that the word speaks of that begins here.
pub(super) fn read(text: &[u8], at: usize) -> Option<Found> {
    let line = line_start(text, at);
    let before = lexicon::plain(&lexicon::small(between(text, line, at)));
    let last = before.rsplit(|byte| is(*byte, BLANK)).find(|word| !word.is_empty()).unwrap_or_default();
    if OTHERS.contains(&trimmed(last)) {
        return None;
    }
    let near = between(text, at, text.len().min(at + SENTENCE));
    let near = near.split(|byte| is(*byte, NEWLINE)).next().unwrap_or_default();
    let (start, end) =
        behind(near).map(|(start, end)| (at + start, at + end)).or_else(|| ahead(text, line, at))?;
    let after = lexicon::plain(&lexicon::small(near));
    let is_sure = from(text, at).starts_with(b"TAN");
    (is_sure || opens(&before) || opens(&after)).then_some(Found { start, end, kind: "code" })
}

/// Where the sentence begins that a position is in.
fn line_start(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(SENTENCE);
    let near = between(text, from, at);
    near.iter().rposition(|byte| is(*byte, NEWLINE)).map_or(from, |newline| from + newline + 1)
}

/// Whether a word says that something is opened.
fn opens(sentence: &[u8]) -> bool {
    let is_one = |word: &[u8]| {
        OPENED.iter().any(|begin| if begin.len() <= 4 { word == *begin } else { word.starts_with(begin) })
    };
    let words = || sentence.split(|byte| !is(*byte, ALNUM) && *byte != b'-').filter(|word| !word.is_empty());
    let is_way = |(one, two): (&[u8], &[u8])| {
        matches!((one, two), (b"log" | b"sign" | b"logging" | b"signing", b"in") | (b"one", b"time"))
    };
    words().any(is_one) || words().zip(words().skip(1)).any(is_way)
}

/// The code among the words behind.
fn behind(near: &[u8]) -> Option<(usize, usize)> {
    let mut at = run(near, 0, ALNUM);
    let mut last: &[u8] = b"";
    let mut was_introduced = false;
    for count in 0..WORDS {
        at = run(near, at, BLANK);
        let end = at + from(near, at).iter().position(|byte| is(*byte, BLANK)).unwrap_or(near.len() - at);
        let word = between(near, at, end);
        if let Some((start, stop)) = code(near, at, end)
            && (count == 0 || introduces(last) || was_introduced && is_article(last))
        {
            return Some((start, stop));
        }
        was_introduced = introduces(last);
        // The next sentence is about something else.
        if word.is_empty() || end > at + 2 && word.ends_with(b".") {
            return None;
        }
        (last, at) = (word, end);
    }
    None
}

/// The code that stands before the words that say what it is: `482913 is your verification code`.
fn ahead(text: &[u8], line: usize, at: usize) -> Option<(usize, usize)> {
    let sentence = between(text, line, at);
    let verb =
        [&b" is your "[..], b" is the ", b" ist Ihr", b" ist dein", b" est votre ", b" es tu ", b" es su "]
            .iter()
            .find_map(|verb| sentence.windows(verb.len()).position(|part| part == *verb))?;
    let start =
        between(sentence, 0, verb).iter().rposition(|byte| is(*byte, BLANK)).map_or(0, |blank| blank + 1);
    code(text, line + start, line + verb)
}

/// A word without the signs around it.
fn trimmed(word: &[u8]) -> &[u8] {
    let start = word.iter().position(|byte| is(*byte, ALNUM)).unwrap_or(word.len());
    let end = word.iter().rposition(|byte| is(*byte, ALNUM)).map_or(start, |end| end + 1);
    between(word, start, end)
}

/// Where the code is in a word: four to eight digits, with a letter or two before or after them, in two groups, with a key that
/// ends it.
fn code(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let is_edge = |byte: u8| !is(byte, ALNUM) && byte != b'*' && byte != b'#';
    let start = (start..end).find(|at| !is_edge(byte(text, *at)))?;
    let end = (start..end).rev().find(|at| !is_edge(byte(text, *at)))? + 1;
    let inner = between(text, start, end);
    let digits = inner.iter().filter(|byte| is(**byte, DIGIT)).count();
    let letters = inner.iter().filter(|byte| is(**byte, UPPER)).count();
    let signs = inner.iter().filter(|byte| matches!(byte, b'#' | b'*' | b'-')).count();
    let is_one = (4..=8).contains(&digits)
        && letters <= 2
        && signs <= 3
        && digits + letters + signs == inner.len()
        && !is_date(inner);
    // `482 913`: two groups of the same length.
    let next = end + 1;
    let second = run(text, next, DIGIT);
    if digits == 3
        && inner.len() == 3
        && byte(text, end) == b' '
        && second == next + 3
        && !is(byte(text, second), ALNUM)
    {
        return Some((start, second));
    }
    is_one.then_some((start, end))
}

/// `2024-06`, `2024-06-14`
fn is_date(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| *byte == b'-');
    let year = parts
        .next()
        .is_some_and(|part| part.len() == 4 && (part.starts_with(b"19") || part.starts_with(b"20")));
    year && parts.next().is_some_and(|part| part.len() == 2)
}
