//! Whether a value can be a secret at all, or only stands for one.

use super::bytes::{
    ALNUM, ANY_HEX, BASE64, Bytes, DIGIT, DOT, LETTER, LOWER, UPPER, WORD, between, byte, contains, from,
    head, is,
};
use super::chosen;
use super::letters::{entropy, oddness, random};
use super::list::List;

/// What takes the place of a secret.
pub(crate) const REDACTED: &str = "[REDACTED]";

/// How a value was written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// Without quotes, right after an equals sign, as shells and `.env` files have it.
    Bare,
    /// In quotes.
    Quoted,
    /// Without quotes, as YAML and prose have it.
    Plain,
}

/// Whether the body of a token with a known beginning is more than an example.
pub(crate) fn is_token(body: &[u8]) -> bool {
    !is_placeholder(body) && entropy(body) >= 2.5 && (oddness(body) >= 14 || random(body))
}

/// Whether a value is what a token, a key or a secret looks like.
pub(crate) fn is_secret(value: &[u8]) -> bool {
    if is_noise(value) {
        return true;
    }
    let long = value.len() >= 10 && !stands_for_something(value) && !is_location(value);
    long && entropy(value) >= 2.5 && (random(value) || is_long_number(value) || is_uuid(value))
}

/// Whether a value is so random that a word which only may mean a secret is enough beside it.
pub(crate) fn is_surely_secret(value: &[u8]) -> bool {
    let mixed = value.iter().any(|byte| is(*byte, DIGIT)) && value.iter().any(|byte| is(*byte, LETTER));
    value.len() >= 20 && mixed && is_secret(value) && !is_uuid(value) && entropy(value) >= 3.0
}

/// Whether a value is what a password looks like.
pub(crate) fn is_password(value: &[u8], writing: Writing) -> bool {
    if value.len() < 6
        || stands_for_something(value)
        || is_location(value)
        || value.contains(&b' ')
        || chosen::is_label(value)
    {
        return false;
    }
    let is_name = writing == Writing::Plain && is_identifier(value);
    let odd = random(value) || has_symbol(value) || has_digit(value) && !is_name;
    entropy(value) >= 1.5 && (odd || writing == Writing::Bare)
}

/// Whether a value is what a password of several words looks like. Only where it must be one: so look sentences, too.
pub(crate) fn is_passphrase(value: &[u8]) -> bool {
    value.len() >= 12 && value.contains(&b' ') && !stands_for_something(value) && !is_location(value)
}

/// Whether a value is what a password of several common words looks like: `correct horse battery staple`. Sentences have
/// capitals, signs and little words.
pub(crate) fn is_words(value: &[u8]) -> bool {
    let words = || value.split(|byte| *byte == b' ');
    let is_word = |word: &[u8]| {
        (3..=10).contains(&word.len()) && word.iter().all(|byte| is(*byte, LOWER)) && !LITTLE.contains(&word)
    };
    (4..=8).contains(&words().count()) && words().all(is_word) && !stands_for_something(value)
}

/// Whether a value in quotes reads like a password of several words rather than like a sentence about one: `my dog ate 3 lemons`.
/// Such sentences say what to do with it, or end as sentences do.
pub(crate) fn is_phrase(value: &[u8]) -> bool {
    let words = || value.split(|byte| !is(*byte, LETTER | DIGIT)).filter(|word| !word.is_empty());
    let is_about = |word: &[u8]| ABOUT.has(word.to_ascii_lowercase().as_slice());
    let ends = value.last().is_some_and(|last| matches!(last, b'.' | b'?' | b':'));
    is_worded(value)
        && !ends
        && !chosen::is_about(value)
        && (2..=12).contains(&words().count())
        && !words().any(is_about)
}

/// Whether a text in quotes without blanks is letters of both cases with signs between that no name, path or list of options has:
/// `Tiger,Lily;Pond`.
pub(crate) fn is_spiked(value: &[u8]) -> bool {
    let count = |is_in: fn(&u8) -> bool| value.iter().filter(|byte| is_in(byte)).count();
    let inner = between(value, 1, value.len().saturating_sub(1));
    let has_sign = inner
        .iter()
        .any(|byte| matches!(byte, b',' | b';' | b'!' | b'#' | b'&' | b'|' | b'~' | b'^' | b'+' | b'='));
    value.len() >= 8
        && has_sign
        && count(u8::is_ascii_uppercase) > 0
        && count(u8::is_ascii_lowercase) > 2
        && !value.iter().any(|byte| matches!(byte, b' ' | b'(' | b'{' | b'[' | b'<' | b'$' | b'%' | b'\\'))
        && !stands_for_something(value)
        && !is_location(value)
}

/// Whether a value of several words can be a password.
pub(crate) fn is_worded(value: &[u8]) -> bool {
    let is_code = value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'<' | b'=' | b';'));
    (8..=80).contains(&value.len()) && value.contains(&b' ') && !is_code && !stands_for_something(value)
}

/// Whether a value is a number that somebody types.
pub(crate) fn is_pin(value: &[u8]) -> bool {
    (4..=12).contains(&value.len()) && value.iter().all(|byte| is(*byte, DIGIT)) && entropy(value) > 0.0
}

/// What sentences and labels about passwords say.
static ABOUT: List = List::new(
    "\
    account again api app auth authentication bad be been cannot change changed character characters choose \
    confirm contain contains copied correct create credential credentials current database default did does doesn don email \
    empty enter error expired expires failed field file forgot forgotten generate hidden hide incorrect input \
    invalid is key least length log login long match matches may minimum missing mismatch must name needed \
    none null old only optional passphrase passphrases passwd password passwords please prompt repeat \
    required reset retype rotate same save secrets see set short should show sign strength string strong \
    token tokens too type unknown unset updated use used username valid verify weak will wrong your",
);

/// Whether a value is the words of a phrase that opens a wallet: twelve or more short ones, none of which sentences are made of.
pub(crate) fn is_mnemonic(value: &[u8]) -> bool {
    let words = || value.split(|byte| *byte == b' ');
    let is_word = |word: &[u8]| (3..=8).contains(&word.len()) && word.iter().all(|byte| is(*byte, LOWER));
    let count = words().count();
    (12..=25).contains(&count) && words().all(is_word) && !words().any(|word| LITTLE.contains(&word))
}

/// Words that sentences have, and what they are about where they speak of passwords.
const LITTLE: &[&[u8]] = &[
    b"about",
    b"all",
    b"and",
    b"any",
    b"are",
    b"bad",
    b"but",
    b"can",
    b"cannot",
    b"change",
    b"confirm",
    b"current",
    b"does",
    b"enter",
    b"field",
    b"for",
    b"forgot",
    b"from",
    b"has",
    b"have",
    b"invalid",
    b"least",
    b"match",
    b"must",
    b"new",
    b"not",
    b"old",
    b"only",
    b"password",
    b"passwords",
    b"please",
    b"required",
    b"reset",
    b"same",
    b"set",
    b"should",
    b"that",
    b"the",
    b"this",
    b"too",
    b"use",
    b"used",
    b"user",
    b"was",
    b"when",
    b"will",
    b"with",
    b"wrong",
    b"you",
    b"your",
];

/// Whether a value is words with dashes between.
pub(crate) fn is_hyphenated(value: &[u8]) -> bool {
    let is_word = |word: &[u8]| word.len() >= 3 && word.iter().all(|byte| is(*byte, LOWER));
    let says = |word: &[u8]| super::name::strength(word).is_some() || LITTLE.contains(&word);
    let words = || value.split(|byte| *byte == b'-');
    value.len() >= 10
        && words().count() >= 2
        && words().all(is_word)
        && !words().any(says)
        && !is_placeholder(value)
}

/// Names of things in programs, which may hold digits: `self.digest_v2`, `PASS_THROUGH_32`.
fn is_identifier(value: &[u8]) -> bool {
    let joined = value.contains(&b'_') || value.contains(&b'.');
    joined && value.iter().all(|byte| is(*byte, WORD | DOT))
}

/// A number as programs write it: `0x4000000D_u32`, `709u32`.
fn is_literal(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"-").unwrap_or(value);
    let (number, prefix) = value.strip_prefix(b"0x").map_or((value, false), |number| (number, true));
    let digits = number.iter().take_while(|byte| is(**byte, if prefix { ANY_HEX } else { DIGIT })).count();
    let suffix = from(number, digits);
    let typed = matches!(suffix.strip_prefix(b"_").unwrap_or(suffix), [b'u' | b'i' | b'f' | b'L' | b'U', ..]);
    (1..=16).contains(&digits) && (typed && suffix.len() <= 6 || prefix && suffix.is_empty())
}

/// Whether what stands between a user and a host can be a password: nobody writes a word there but a password.
pub(crate) fn is_url_password(value: &[u8]) -> bool {
    value.len() >= 4 && !stands_for_something(value) && entropy(value) >= 1.0
}

/// Whether what follows the name of an authorisation can be a credential.
pub(crate) fn is_credential(value: &[u8]) -> bool {
    let long = value.len() >= 8 && !stands_for_something(value) && entropy(value) >= 2.5;
    let path_of_names = value.contains(&b'.') || value.contains(&b'_');
    long && (random(value) || has_digit(value) && !path_of_names || value.ends_with(b"="))
}

/// Whether it may be a name with a number, like those of algorithms.
pub(crate) fn is_plain(value: &[u8]) -> bool {
    !random(value) && !has_symbol(value)
}

fn has_digit(value: &[u8]) -> bool {
    value.iter().any(|byte| is(*byte, DIGIT))
}

/// A symbol between letters that no name has there.
fn has_symbol(value: &[u8]) -> bool {
    let symbol =
        |byte: &u8| matches!(byte, b'!' | b'@' | b'#' | b'%' | b'^' | b'&' | b'*' | b'+' | b'?' | b'~');
    let inner = between(value, 1, value.len().saturating_sub(1));
    inner.iter().any(symbol) && value.first().is_some_and(|byte| is(*byte, ALNUM))
}

/// Whether a value is of so many kinds of signs that nobody wrote it: `x1$!V,^@7Pq{+|8z}L0<a#Rk>w`.
fn is_noise(value: &[u8]) -> bool {
    let value = head(value);
    if value.len() < 20 {
        return false;
    }
    let count = |is_in: fn(&u8) -> bool| value.iter().filter(|byte| is_in(byte)).count();
    let signs = count(u8::is_ascii_punctuation);
    let mut kinds: Vec<u8> = value.iter().copied().filter(u8::is_ascii_punctuation).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.len() >= 4
        && count(u8::is_ascii_uppercase) > 2
        && count(u8::is_ascii_lowercase) > 2
        && count(u8::is_ascii_digit) > 1
        && count(|byte| *byte == b' ') * 10 <= value.len()
        && signs * 5 >= value.len()
        && signs * 3 <= value.len() * 2
        && !contains(value, b"()")
        && !contains(value, b"://")
}

/// A number this long is no count, no port and no time in seconds.
fn is_long_number(value: &[u8]) -> bool {
    value.len() >= 14 && value.iter().all(|byte| is(*byte, DIGIT))
}

/// Whether it is a UUID.
pub(crate) fn is_uuid(value: &[u8]) -> bool {
    let place = |(at, byte): (usize, &u8)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => is(*byte, ANY_HEX),
    };
    value.len() == 36 && value.iter().enumerate().all(place)
}

/// A path or an address: what is secret in it, its own table finds.
pub(crate) fn is_location(value: &[u8]) -> bool {
    let starts = |start: &&[u8]| value.starts_with(start);
    let is_path = [&b"/"[..], b"./", b"../", b"~/"].iter().any(starts) && !is_base64(value);
    is_path || contains(head(value), b"://") || is_chain_address(value)
}

/// Base64 that happens to begin with a slash: it is as mixed behind each slash as no path is.
fn is_base64(value: &[u8]) -> bool {
    let has = |set| value.iter().any(|byte| is(*byte, set));
    let of_base64 = value.iter().all(|byte| is(*byte, BASE64));
    let longest = value.split(|byte| *byte == b'/').map(<[u8]>::len).max().unwrap_or_default();
    let part = value.split(|byte| *byte == b'/').find(|part| part.len() == longest).unwrap_or_default();
    of_base64
        && value.len() >= 20
        && value.len().is_multiple_of(4)
        && has(DIGIT)
        && has(LOWER)
        && has(UPPER)
        && longest >= 10
        && random(part)
}

/// The address of an account or a contract, which everybody may know: `0x` and forty hexadecimal digits.
fn is_chain_address(value: &[u8]) -> bool {
    value
        .strip_prefix(b"0x")
        .is_some_and(|digits| digits.len() == 40 && digits.iter().all(|byte| is(*byte, ANY_HEX)))
}

/// Whether a value is one that somebody made up, where its name says plainly that it is secret: letters and digits, or a sign.
pub(crate) fn is_made_up(value: &[u8]) -> bool {
    let mixed = value.iter().any(|byte| is(*byte, LETTER)) && (has_digit(value) || has_symbol(value));
    value.len() >= 8 && mixed && !is_identifier(value) && is_password(value, Writing::Quoted)
}

/// A variable, a template, a word in place of a secret, or one that was taken out already.
pub(crate) fn stands_for_something(value: &[u8]) -> bool {
    let dummy = |dummy: &&[u8]| value.eq_ignore_ascii_case(dummy);
    is_reference(value)
        || is_sealed_elsewhere(value)
        || is_placeholder(value)
        || is_literal(value)
        || DUMMIES.iter().any(dummy)
}

/// What only another key opens, and what a document fills in: sealed secrets, `!vault`, `!Ref Name`.
fn is_sealed_elsewhere(value: &[u8]) -> bool {
    let is_sealed =
        value.len() >= 200 && value.starts_with(b"Ag") && value.iter().all(|byte| is(*byte, BASE64));
    is_sealed
        || TAGS.iter().any(|tag| {
            value.strip_prefix(tag.as_bytes()).is_some_and(|rest| rest.is_empty() || rest.starts_with(b" "))
        })
}

/// Tags of YAML before what is encrypted or found elsewhere.
const TAGS: &[&str] = &[
    "!vault",
    "!secret",
    "!Ref",
    "!Sub",
    "!GetAtt",
    "!ImportValue",
    "!env",
    "!env_var",
    "!include",
    "!reference",
    "!encrypted",
    "!decrypt",
];

/// What a program fills in: `$NAME`, `${NAME}`, `$(command)`, `{{ name }}`, `%NAME%`, `<name>`.
fn is_reference(value: &[u8]) -> bool {
    let (first, second) = (byte(value, 0), byte(value, 1));
    let dollar = first == b'$' && (is(second, LETTER) || matches!(second, b'{' | b'(' | b'_'));
    let positional = first == b'$' && value.len() <= 3;
    let enclosed = |open, close| first == open && value.last() == Some(&close);
    let template =
        ["${", "$(", "{{", "<%", "%(", "#{"].iter().any(|open| contains(head(value), open.as_bytes()));
    dollar
        || positional
        || template
        || enclosed(b'%', b'%')
        || enclosed(b'<', b'>')
        || enclosed(b'{', b'}') && !is_sealed(value)
        || matches!(first, b'<' | b'(')
        || first == b'{' && !is_sealed(value)
}

/// Base64 in braces, as Maven encrypts passwords.
fn is_sealed(value: &[u8]) -> bool {
    let inner = value.strip_prefix(b"{").and_then(|value| value.strip_suffix(b"=}"));
    inner.is_some_and(|inner| inner.len() >= 12 && inner.iter().all(|byte| is(*byte, BASE64)))
}

/// What people write where a secret would stand.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    let head = head(value);
    let bytes = Bytes::of(head);
    PLACEHOLDERS.iter().any(|word| bytes.have(word) && contains(head, word))
}

const PLACEHOLDERS: &[&[u8]] = &[
    b"abcdefghij",
    b"xxxx",
    b"****",
    b"....",
    b"..[",
    b"\xe2\x80\xa6",
    b"[redacted",
    b"<redacted",
    b"example",
    b"placeholder",
    b"your-",
    b"your_",
    b"_here",
    b"-here",
    b"changeme",
    b"change-me",
    b"change_me",
    b"replace-",
    b"replace_",
    b"insert_",
    b"insert-",
];

/// Passwords that are none.
const DUMMIES: &[&[u8]] = &[
    b"changeit",
    b"default",
    b"disabled",
    b"enabled",
    b"example",
    b"false",
    b"hidden",
    b"nil",
    b"none",
    b"null",
    b"optional",
    b"pass",
    b"passwd",
    b"password",
    b"postgres",
    b"prompt",
    b"pwd",
    b"required",
    b"sample",
    b"secret",
    b"string",
    b"test",
    b"token",
    b"true",
    b"undefined",
    b"unset",
    b"user",
];

/// Whether it is the fingerprint of a public key: forty hexadecimal digits in capitals.
pub(crate) fn is_fingerprint(value: &[u8]) -> bool {
    value.len() == 40 && value.iter().all(|byte| is(*byte, ANY_HEX) && !is(*byte, LOWER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_secret_is_none() {
        for value in [
            "${TOKEN_FROM_VAULT9}",
            "$TOKEN9f86d081884c7d",
            "{{ .Values.token9f86 }}",
            "<9f86d081884c7d659a>",
            "xxxxxxxx9f86d081884c7d",
            "your-api-key-9f86d081",
            "9f86d081884c[REDACTED]",
            "aaaaaaaaaa1111111111",
            "/var/lib/9f86d081884c7d",
        ] {
            assert!(!is_secret(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn a_password_is_no_word_unless_it_can_be_nothing_else() {
        assert!(is_password(b"letmein", Writing::Bare));
        assert!(!is_password(b"letmein", Writing::Plain));
        assert!(!is_password(b"required", Writing::Bare));
        assert!(is_password(b"hunter2", Writing::Plain));
        assert!(is_password(b"corr3ct!horse", Writing::Quoted));
        assert!(!is_password(b"Enter your passw0rd", Writing::Quoted));
    }
}
