//! Values that are secret because of the name they are given: `TOKEN=…`, `"password": "…"`, `<secret>…</secret>`.

use super::Found;
use super::bytes::{
    ALNUM, ANY_HEX, BASE64, BLANK, DASH, DIGIT, DOT, EQUALS, LETTER, LOWER, NEWLINE, QUOTE, SPACE, STOP,
    UPPER, URL64, WORD, before, between, byte, from, is, run, run_back,
};
use super::chosen::{Manner, begins_with_quote, is_chosen, is_field, is_marked};
use super::letters::random;
use super::name::{self, LONGEST, Strength, ends_like_service, is_service, is_signature, strength};
use super::plausible::{
    Writing, is_credential, is_fingerprint, is_hyphenated, is_made_up, is_password, is_phrase, is_pin,
    is_plain, is_secret, is_spiked, is_surely_secret, is_worded, is_words,
};
use super::sentence;
use super::spoken;
use super::value::{self, Value};

/// The value after a sign that stands here.
pub(super) fn find(text: &[u8], at: usize) -> Option<Found> {
    let mut sign = Sign::read(text, at)?;
    let strength = sign.strength(text)?;
    if name::is_named_again(text, run(text, sign.end, BLANK | QUOTE), strength) {
        return None;
    }
    let is_constant = sign.needs_quotes && is_constant(text, sign.name);
    sign.needs_quotes &= !is_constant;
    if let Some(found) = changed(text, &sign, strength) {
        return Some(found);
    }
    if first_length(text, sign.end) < shortest(text, &sign, strength) {
        return None;
    }
    let writing = sign.writing(text);
    let value =
        value::after(text, sign.end, writing).filter(|value| !begins_with_quote(from(text, value.start)))?;
    // What a variable stands for is known when it is filled in.
    let is_variable = sign.needs_quotes && byte(text, value.start) == b'$';
    if is_variable || value.start > sign.end && is_field(value.of(text)) {
        return None;
    }
    let value = if sign.is_in_form(text) { up_to_next_field(text, value) } else { value };
    if is_constant && strength == Strength::Password && is_password(value.of(text), Writing::Bare) {
        return Some(Found { start: value.start, end: value.end, kind: "password" });
    }
    judge(text, strength, value, sign.needs_quotes)
        .or_else(|| made_up(text, &sign, writing, value))
        .or_else(|| worded(text, &sign, strength, value))
        .or_else(|| hyphenated(text, &sign, strength, value))
}

/// Whether a name in quotes is that of a constant: `define('DB_PASSWORD', '…')`.
fn is_constant(text: &[u8], name: usize) -> bool {
    let Some(name) = Name::before(text, name) else { return false };
    let open = run_back(text, name.start, BLANK | QUOTE, 8);
    between(text, 0, open).ends_with(b"define(")
}

/// Both values where one takes the place of the other: `password = "…" -> "…"`.
fn changed(text: &[u8], sign: &Sign, strength: Strength) -> Option<Found> {
    if byte(text, sign.end - 1) != b'=' || sign.needs_quotes {
        return None;
    }
    let old = value::after(text, sign.end, Writing::Plain)?;
    let arrow = old.end + usize::from(old.writing == Writing::Quoted);
    let new = from(text, arrow)
        .strip_prefix(b" -> ")
        .and_then(|_| value::after(text, arrow + 4, Writing::Plain))?;
    if new.writing != Writing::Quoted {
        return None;
    }
    let new = judge(text, strength, new, false)?;
    let start = judge(text, strength, old, false).map_or(new.start, |old| old.start);
    Some(Found { start, ..new })
}

/// Words with dashes between, as the whole of a line whose name has several words: `root_password: letmein-pirate`.
fn hyphenated(text: &[u8], sign: &Sign, strength: Strength, value: Value) -> Option<Found> {
    let name = Name::before(text, sign.name)?;
    let is_setting =
        strength == Strength::Password && byte(text, sign.end - 1) == b':' && name.end == sign.name;
    let begins = line_before(text, name.start).iter().all(|byte| is(*byte, BLANK));
    let is_compound = between(text, name.start, name.end).iter().any(|byte| matches!(byte, b'_' | b'-'));
    let ends = is(byte(text, run(text, value.end, BLANK)), NEWLINE);
    let fits = is_setting && begins && is_compound && ends && value.writing == Writing::Plain;
    (fits && is_hyphenated(value.of(text))).then_some(Found {
        start: value.start,
        end: value.end,
        kind: "password",
    })
}

/// A value that somebody made up, under a name that can mean nothing else: `JWT_SECRET=mysupersecretkey2024`.
fn made_up(text: &[u8], sign: &Sign, writing: Writing, value: Value) -> Option<Found> {
    let name = Name::before(text, sign.name)?;
    let is_sure = !sign.needs_quotes && name::is_sure(between(text, name.start, name.end));
    let is_written = writing == Writing::Bare || value.writing == Writing::Quoted;
    let fits = is_sure && is_written && !value::is_expression(text, &value) && is_made_up(value.of(text));
    fits.then_some(Found { start: value.start, end: value.end, kind: "secret" })
}

/// A password with blanks as the value of a variable: `DB_PASSWORD="secret with spaces"`. Whoever names a text so has no sentence
/// in it.
fn worded(text: &[u8], sign: &Sign, strength: Strength, value: Value) -> Option<Found> {
    let name = Name::before(text, sign.name)?;
    let shouts = between(text, name.start, name.end);
    let is_variable = shouts.contains(&b'_') && !shouts.iter().any(|byte| is(*byte, LOWER));
    let is_given = strength == Strength::Password && name.end == sign.name && !sign.needs_quotes;
    let fits = is_variable && is_given && value.writing == Writing::Quoted && is_worded(value.of(text));
    fits.then_some(Found { start: value.start, end: value.end, kind: "password" })
}

/// Whether the name is part of that of a resource, or the value a digest by what stands before it.
fn is_of_other(text: &[u8], name: usize) -> bool {
    let line = line_before(text, name);
    name::is_of_resource(line) || name::is_of_digest(line)
}

/// A field of a form ends where the next one begins.
fn up_to_next_field(text: &[u8], value: Value) -> Value {
    if value.writing == Writing::Quoted {
        return value;
    }
    let next = |at: &usize| {
        let blanks = if byte(text, *at) == b';' { BLANK } else { 0 };
        let name = run(text, *at + 1, WORD | DASH | DOT | blanks);
        name > *at + 1 && byte(text, name) == b'='
    };
    let mut signs = (value.start..value.end).filter(|at| matches!(byte(text, *at), b'&' | b';'));
    let end = signs.find(next).unwrap_or(value.end);
    Value { end, ..value }
}

/// No value is shorter.
const SHORTEST: usize = 6;

/// The scheme before a credential may be shorter: `Basic …`.
const SCHEME: usize = 4;

/// The value of a name that says little is longer.
const LONG: usize = 20;

/// How long the first word of a value is at least: a passphrase may begin with any word.
fn shortest(text: &[u8], sign: &Sign, strength: Strength) -> usize {
    let is_quoted = is(before(text, value::start(text, sign.end)), QUOTE);
    match strength {
        Strength::Password | Strength::Secret if is_quoted => 1,
        Strength::Authorization | Strength::Pin => SCHEME,
        Strength::Password | Strength::Secret | Strength::Weak => SHORTEST,
    }
}

/// How long a value is that begins after blanks and a quote, as far as that matters.
fn first_length(text: &[u8], at: usize) -> usize {
    let start = value::start(text, at);
    let stops = SPACE | QUOTE | if start == at { 0 } else { STOP };
    from(text, start).iter().take(LONG).take_while(|byte| !is(**byte, stops)).count()
}

/// The value after an option: `--token VALUE`.
pub(super) fn option(text: &[u8], at: usize) -> Option<Found> {
    let end = run(text, at, WORD | DASH);
    if !is(byte(text, end), BLANK) || end - at > LONGEST {
        return None;
    }
    let strength = strength(between(text, at, end))?;
    let value = value::word(text, end)?;
    if byte(text, value.start) == b'-' {
        return None;
    }
    let chosen = || {
        strength == Strength::Password
            && is_marked(value.of(text))
            && is_chosen(value.of(text), strength, Manner::Line)
    };
    let found = judge(text, strength, value, false);
    found.or_else(|| chosen().then_some(Found { start: value.start, end: value.end, kind: "password" }))
}

/// The value after a word of a sentence: `failed with key VALUE`, `Bearer VALUE`.
pub(super) fn phrase(text: &[u8], at: usize) -> Option<Found> {
    let near = spoken::of_device(text, at).or_else(|| after_word(text, at));
    near.or_else(|| sentence::at_end(text, at))
}

fn after_word(text: &[u8], at: usize) -> Option<Found> {
    let end = run(text, at, ALNUM);
    if byte(text, end) != b' ' {
        return None;
    }
    let start = run_back(text, at, WORD | DASH | DOT, LONGEST);
    let name = between(text, start, end);
    // Of `tool login VALUE` the value says all.
    let strength = if name == b"login" { Strength::Weak } else { strength(name)? };
    let mut value = value::word(text, end)?;
    if name == b"password" && is_behind_user(text, start) {
        value = value::up_to_blank(text, value);
    }
    let secret = value.of(text);
    let sure = match strength {
        Strength::Secret => is_secret(secret) && secret.len() >= 16,
        Strength::Password => {
            let line = line_before(text, start);
            let is_given = spoken::is_directive(line) && is_password(secret, Writing::Bare);
            let is_sql =
                value.writing == Writing::Quoted && name == b"PASSWORD" && is_password(secret, Writing::Bare);
            name == b"password" && is_of_netrc(text, start, &value) || is_given || is_sql
        }
        Strength::Weak | Strength::Authorization | Strength::Pin => false,
    };
    let found = (sure
        || name != b"PASS" && is_surely_secret(secret) && !speaks_of_cache(line_before(text, start)))
        && !is_fingerprint(secret)
        && !value::is_expression(text, &value);
    found.then_some(Found { start: value.start, end: value.end, kind: "secret" })
}

/// What stands on the line before a position, as far as it is near.
fn line_before(text: &[u8], at: usize) -> &[u8] {
    let near = between(text, at.saturating_sub(LINE), at);
    near.rsplit(|byte| is(*byte, NEWLINE)).next().unwrap_or_default()
}

/// Keys of caches are hashes, and open nothing.
fn speaks_of_cache(line: &[u8]) -> bool {
    line.windows(5).any(|word| word.eq_ignore_ascii_case(b"cache"))
}

/// Whether what a `key` names is the place of a file or what a cache has been made from: words, and a hash or a number.
fn is_key_of_store(value: &[u8]) -> bool {
    let parts = || value.split(|byte| matches!(byte, b'/' | b'-' | b'_'));
    let is_word = |part: &[u8]| part.len() >= 3 && part.iter().all(|byte| is(*byte, LETTER)) && !random(part);
    let is_plain = |part: &[u8]| part.len() < 32 || part.iter().all(|byte| is(*byte, ANY_HEX | DOT | LOWER));
    let is_path = value.contains(&b'/') && !value.iter().any(|byte| matches!(byte, b'+' | b'='));
    parts().count() > 1 && parts().next().is_some_and(is_word) && (is_path || parts().all(is_plain))
}

/// How far back a line is looked at.
const LINE: usize = 256;

/// Whether a password stands where a `.netrc` has it: behind its user, or on a line of its own.
fn is_of_netrc(text: &[u8], name: usize, value: &Value) -> bool {
    let secret = value.of(text);
    if is_behind_user(text, name) {
        return is_password(secret, Writing::Bare);
    }
    let alone = is(byte(text, run(text, value.end, BLANK)), NEWLINE);
    line_before(text, name).trim_ascii().is_empty()
        && alone
        && secret.len() >= 8
        && is_password(secret, Writing::Plain)
        && !is_plain(secret)
}

/// Whether a user stands before a name, as a `.netrc` has it: `login ann password …`.
fn is_behind_user(text: &[u8], name: usize) -> bool {
    let line = line_before(text, name);
    let mut before = line.rsplit(|byte| is(*byte, BLANK)).filter(|word| !word.is_empty());
    before.next().is_some() && matches!(before.next(), Some(b"login" | b"user" | b"account"))
}

/// Whether the value of a name is what its name says.
fn judge(text: &[u8], strength: Strength, value: Value, needs_quotes: bool) -> Option<Found> {
    if needs_quotes && value.writing != Writing::Quoted || value::is_expression(text, &value) {
        return None;
    }
    let value = past_scheme(text, value);
    let value = if strength == Strength::Authorization { past_any_scheme(text, value) } else { value };
    let secret = value.of(text);
    let (kind, found) = match strength {
        Strength::Authorization => ("authorization", is_credential(secret)),
        Strength::Pin => ("pin", is_pin(secret)),
        // Next to one another stand the words of a list as well.
        Strength::Password if needs_quotes => {
            ("password", is_password(secret, Writing::Plain) && !is_plain(secret))
        }
        // Constants of programs are numbers with a type before and a stop behind.
        Strength::Password
            if value.writing == Writing::Plain && is_number(secret) && byte(text, value.end) == b';' =>
        {
            ("password", false)
        }
        Strength::Password => {
            let is_one = is_password(secret, value.writing);
            (
                "password",
                is_one
                    || value.writing == Writing::Quoted
                        && (is_words(secret) || is_phrase(secret) || is_spiked(secret)),
            )
        }
        Strength::Secret => ("secret", is_secret(secret)),
        Strength::Weak => {
            ("secret", is_surely_secret(secret) && !is_fingerprint(secret) && !is_key_of_store(secret))
        }
    };
    found.then_some(Found { start: value.start, end: value.end, kind })
}

fn is_number(value: &[u8]) -> bool {
    value.iter().all(|byte| is(*byte, DIGIT))
}

/// What comes after `Bearer` and its like.
fn past_scheme(text: &[u8], value: Value) -> Value {
    let word = run(text, value.start, ALNUM | DASH);
    let scheme = between(text, value.start, word);
    let known = SCHEMES.iter().any(|name| name.eq_ignore_ascii_case(scheme)) && byte(text, word) == b' ';
    if !known {
        return value;
    }
    let start = run(text, word, BLANK);
    match value.writing {
        Writing::Quoted => Value { start: start.min(value.end), ..value },
        Writing::Bare | Writing::Plain => value::after(text, start, Writing::Plain).unwrap_or(value),
    }
}

const SCHEMES: &[&[u8]] = &[
    b"apikey",
    b"api-token",
    b"basic",
    b"bearer",
    b"bot",
    b"key",
    b"negotiate",
    b"ntlm",
    b"splunk",
    b"ssws",
    b"token",
];

/// What comes after a scheme that nobody has heard of, if it can be nothing but a credential.
fn past_any_scheme(text: &[u8], value: Value) -> Value {
    let word = run(text, value.start, ALNUM | DASH);
    if byte(text, word) != b' ' || is_credential(between(text, value.start, word)) {
        return value;
    }
    let next = value::after(text, word, Writing::Plain);
    next.filter(|next| next.end - next.start >= 16 && is_secret(next.of(text))).unwrap_or(value)
}

/// What stands between a name and a value.
struct Sign {
    /// Where the name ends; quotes, brackets and blanks may follow.
    name: usize,
    /// One past the sign.
    end: usize,
    /// Whether it compares or lists rather than gives: then only a text in quotes can be meant.
    needs_quotes: bool,
}

impl Sign {
    fn read(text: &[u8], at: usize) -> Option<Self> {
        let (back, length, needs_quotes) = match (before(text, at), byte(text, at), byte(text, at + 1)) {
            (b':', b':', _) | (_, b':', b':') | (b'=' | b'<' | b'>', b'=', _) => return None,
            (_, b'>', _) if !opens_element(text, at) => return None,
            (_, b':', b'=') | (_, b'=', b'>') => (0, 2, false),
            (_, b'=', b'=') => (0, run(text, at, EQUALS) - at, true),
            (b'!', b'=', _) => (1, 1, true),
            (b'?' | b'+' | b'|', b'=', _) => (1, 1, false),
            (_, b':' | b'=' | b'>', _) => (0, 1, false),
            (last, b',', _) if is(last, QUOTE) => (0, 1, true),
            _ => return None,
        };
        Some(Self { name: at - back, end: at + length, needs_quotes })
    }

    /// Whether it gives a field of a form in small letters, as addresses and bodies of requests have them: `a=b&c=d`.
    fn is_in_form(&self, text: &[u8]) -> bool {
        byte(text, self.end - 1) == b'='
    }

    /// What the name says, or the name that it is the type of: `token: str = …`.
    fn strength(&self, text: &[u8]) -> Option<Strength> {
        let name = Name::before(text, self.name)?;
        let said = name.strength(text).or_else(|| self.says_little(text, &name));
        let said = said.or_else(|| self.says_as_type(text, name.start));
        let said = said.or_else(|| says_as_pair(text, &name));
        let said = said.filter(|_| !is_of_other(text, name.start));
        let said = said.or_else(|| self.says_as_account(text, &name));
        let said = said.or_else(|| self.says_as_jwk(text, &name));
        // The token of a badge is in every README, and a key that is an identifier is public.
        let before = between(text, 0, name.start);
        said.filter(|_| {
            !before.ends_with(b".svg?")
                && !before.ends_with(b"did:")
                && !before.ends_with(b"public ")
                && !before.ends_with(b"Public ")
        })
    }

    /// A service, or a signature in an address, if something long follows.
    fn says_little(&self, text: &[u8], name: &Name) -> Option<Strength> {
        let query = matches!(before(text, name.start), b'?' | b'&');
        let name = between(text, name.start, name.end);
        let says = (ends_like_service(name) || query)
            && self.is_mixed(text)
            && (is_service(name) || query && is_signature(name));
        says.then_some(Strength::Weak)
    }

    /// The first key of an account, which is encoded: `"primaryKey": "…=="`.
    fn says_as_account(&self, text: &[u8], name: &Name) -> Option<Strength> {
        let name = between(text, name.start, name.end);
        let is_one = [&b"primaryKey"[..], b"primary_key", b"primaryMasterKey"].contains(&name);
        let start = value::start(text, self.end);
        let end = run(text, start, BASE64);
        (is_one && end - start >= 40 && before(text, end) == b'=').then_some(Strength::Secret)
    }

    /// The private part of a key in JSON: `"d": "…"`.
    fn says_as_jwk(&self, text: &[u8], name: &Name) -> Option<Strength> {
        let is_short = name.end - name.start <= 2 && byte(text, self.end - 1) == b':' && name.end < self.name;
        let is_one = is_short
            && [&b"d"[..], b"p", b"q", b"k", b"dp", b"dq", b"qi"]
                .contains(&between(text, name.start, name.end));
        let start = value::start(text, self.end);
        let end = if is_one { run(text, start, URL64) } else { start };
        (end - start >= 42 && random(between(text, start, end))).then_some(Strength::Secret)
    }

    fn says_as_type(&self, text: &[u8], start: usize) -> Option<Strength> {
        if byte(text, self.end - 1) != b'=' {
            return None;
        }
        let pointer = usize::from(matches!(before(text, start), b'&' | b'*'));
        let typed = run_back(text, start - pointer, BLANK, 4);
        let annotates = before(text, typed) == b':' && typed > 0;
        if annotates { Name::before(text, typed - 1)?.strength(text) } else { None }
    }

    /// Whether a long value follows with a digit in it.
    fn is_mixed(&self, text: &[u8]) -> bool {
        first_length(text, self.end) >= LONG && from(text, self.end).iter().take(64).any(u8::is_ascii_digit)
    }

    /// An assignment of a shell has no blanks, and its name is in capitals or begins the line.
    fn writing(&self, text: &[u8]) -> Writing {
        let (start, end) = match Name::before(text, self.name) {
            Some(name) if name.end == self.name && byte(text, self.end - 1) == b'=' => (name.start, name.end),
            _ => return Writing::Plain,
        };
        let shouts =
            between(text, start, end).iter().all(|byte| is(*byte, UPPER) || !byte.is_ascii_alphabetic());
        let apart = matches!(before(text, start), b' ' | b'\t' | b'"' | b'\'' | b';' | b'\n');
        let begins = before(text, start) == b'\n' && !matches!(from(text, start), [b'-', ..]);
        if matches!(before(text, start), b';' | b'&') && is_list_of_fields(text, self.end) {
            return Writing::Bare;
        }
        if begins || apart && (shouts || is_word_of_shell(text, self.end)) {
            Writing::Bare
        } else {
            Writing::Plain
        }
    }
}

/// Whether a field of a connection follows that another one, or the end of the text, ends: `Password=Sunny;Encrypt=true"`.
fn is_list_of_fields(text: &[u8], at: usize) -> bool {
    let near = between(text, at, text.len().min(at + WORD_OF_SHELL));
    let end = near.iter().position(|byte| is(*byte, SPACE | QUOTE) || matches!(byte, b';' | b'&'));
    let is_plain = |byte: &u8| !matches!(byte, b'(' | b')' | b'{' | b'[' | b'<' | b'>');
    end.is_some_and(|end| near.iter().take(end).all(is_plain))
}

/// Whether one word follows up to a blank or a quote, with no sign of a language in it: `host=db password=letmein`.
fn is_word_of_shell(text: &[u8], at: usize) -> bool {
    let near = between(text, at, text.len().min(at + WORD_OF_SHELL));
    let end = near.iter().position(|byte| is(*byte, SPACE | QUOTE)).unwrap_or(near.len());
    let is_plain = |byte: &u8| is(*byte, WORD | DASH | DOT) || b"!@#%^*+?~$:/".contains(byte);
    end < WORD_OF_SHELL && near.iter().take(end).all(is_plain)
}

/// The longest such word.
const WORD_OF_SHELL: usize = 128;

/// The name of a value.
struct Name {
    start: usize,
    end: usize,
    may_say: bool,
}

impl Name {
    /// The name that ends here, before blanks, quotes and brackets.
    fn before(text: &[u8], at: usize) -> Option<Self> {
        let mut end = before_escape(text, run_back(text, at, BLANK, 16));
        for _ in 0..3 {
            if !is(before(text, end), QUOTE) && !matches!(before(text, end), b']' | b')' | b'\\') {
                break;
            }
            end -= 1;
        }
        let (start, may_say) = name::ending(text, end);
        // The last part of a path is no name: `/etc/passwd`.
        let names = start < end && is(before(text, end), ALNUM) && before(text, start) != b'/';
        names.then_some(Self { start, end, may_say })
    }

    fn strength(&self, text: &[u8]) -> Option<Strength> {
        if self.may_say { strength(between(text, self.start, self.end)) } else { None }
    }
}

/// Where the escape begins that ends at a position and changes a colour: `ESC [0m`.
fn before_escape(text: &[u8], at: usize) -> usize {
    if before(text, at) != b'm' {
        return at;
    }
    let near = between(text, at.saturating_sub(16), at - 1);
    let codes = near.iter().rev().take_while(|byte| is(**byte, DIGIT) || **byte == b';').count();
    let start = at - 1 - codes;
    if between(text, 0, start).ends_with(b"\x1b[") { start - 2 } else { at }
}

/// What the name says that stands beside a value: `"name": "API_KEY", "value": …`, `<add key="ApiKey" value=…`.
fn says_as_pair(text: &[u8], name: &Name) -> Option<Strength> {
    if !between(text, name.start, name.end).eq_ignore_ascii_case(b"value") {
        return None;
    }
    let named = Name::before(text, skip_back(text, name.start))?;
    let sign = skip_back(text, named.start);
    let is_name = |name: Name| {
        let name = between(text, name.start, name.end);
        name.eq_ignore_ascii_case(b"name") || name.eq_ignore_ascii_case(b"key")
    };
    let gives =
        matches!(before(text, sign), b'=' | b':') && Name::before(text, sign - 1).is_some_and(is_name);
    if gives { named.strength(text) } else { None }
}

/// Where what stands between two strings begins that ends here.
fn skip_back(text: &[u8], end: usize) -> usize {
    let between = between(text, end.saturating_sub(8), end).iter().rev();
    end - between.take_while(|byte| is(**byte, BLANK | QUOTE) || matches!(byte, b',' | b'\\')).count()
}

/// `<password>`, but neither `->` nor `a > b`.
fn opens_element(text: &[u8], at: usize) -> bool {
    let start = run_back(text, at, WORD | DASH | DOT, LONGEST);
    start < at && before(text, start) == b'<' && byte(text, at + 1) != b' '
}
