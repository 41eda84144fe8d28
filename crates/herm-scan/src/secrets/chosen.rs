//! Whether a value is one that a person chose: words, names, sentences, in any language, with a sign here and there.
//!
//! Behind a name that can mean nothing but a password everything is one that is not something else: a type, a state, a label, a
//! sentence about passwords, the name of another value.

use std::borrow::Cow;

use super::bytes::{ALNUM, BLANK, DASH, DIGIT, DOT, LETTER, LOWER, UPPER, WORD, between, byte, contains, is};
use super::clue;
use super::letters::random;
use super::lexicon;
use super::list::List;
use super::name::{Strength, is_name_of_password};
use super::plausible::{is_location, is_pin, is_secret, is_uuid, stands_for_something};

/// How a value stands beside its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// In quotes, in a cell or in an element.
    Quoted,
    /// All that is left of its line.
    Line,
    /// A word among others.
    Word,
}

/// Whether a value is what a name says before it.
pub(super) fn is_chosen(value: &[u8], strength: Strength, manner: Manner) -> bool {
    match strength {
        Strength::Password => is_password(value, manner),
        Strength::Secret => {
            is_secret(value) && !is_uuid(value) && !(manner != Manner::Quoted && is_statement(value))
        }
        Strength::Pin => is_pin(value),
        Strength::Authorization | Strength::Weak => false,
    }
}

/// Whether a value is one that a person made up for a secret: it has something that words do not have.
pub(super) fn is_made_secret(value: &[u8], manner: Manner) -> bool {
    let is_one = is_marked(value) && (lexicon::digits(value) > 0 || has_sign(value));
    let is_sentence = manner == Manner::Quoted && value.split(|byte| *byte == b' ').count() >= 3;
    value.len() >= 8 && (is_one || is_sentence) && is_password(value, manner)
}

/// Several words, as a program has them behind a name: its type and its value.
fn is_statement(value: &[u8]) -> bool {
    value.iter().any(|byte| is(*byte, BLANK)) || is_code(value)
}

fn is_password(value: &[u8], manner: Manner) -> bool {
    if value.len() < SHORTEST
        || value.len() > LONGEST
        || stands_for_something(value)
        || is_location(value)
        || is_label(value)
        || is_formatted(value)
        || manner != Manner::Quoted && (begins_with_quote(value) || is_field(value))
        || !value.iter().any(|byte| is(*byte, ALNUM) || *byte >= 0x80)
    {
        return false;
    }
    if value.iter().any(|byte| is(*byte, BLANK)) {
        return manner != Manner::Word && is_phrase(value);
    }
    match manner {
        Manner::Quoted => !is_talk(value),
        Manner::Line => !is_talk(value) && !is_code(value),
        Manner::Word => is_odd(value) && !is_talk(value) && !is_code(value),
    }
}

/// Nobody's password is shorter or longer.
const SHORTEST: usize = 5;
const LONGEST: usize = 256;

/// Whether quotes of typography open a value: what they enclose is read by itself.
pub(super) fn begins_with_quote(value: &[u8]) -> bool {
    matches!(value, [0xe2, 0x80, 0x98..=0x9f, ..] | [0xc2, 0xab | 0xbb, ..] | [0xe3, 0x80, 0x8c | 0x8e, ..])
}

/// Whether another field stands where a value would: `password= port=5432`.
pub(super) fn is_field(value: &[u8]) -> bool {
    let name = super::run(value, 0, LETTER | DASH | super::bytes::UNDERSCORE);
    name > 1 && byte(value, name) == b'=' && value.len() > name + 1 && byte(value, name + 1) != b'='
}

/// What a program fills in: `%s`, `{name}`, `:password`.
fn is_formatted(value: &[u8]) -> bool {
    let inner = between(value, 1, value.len().saturating_sub(1));
    let is_filled = |open, close| {
        byte(value, 0) == open
            && value.last() == Some(&close)
            && inner.iter().all(|byte| is(*byte, WORD | DOT | DASH | BLANK))
    };
    is_filled(b'{', b'}')
        || is_filled(b'[', b']')
        || is_filled(b'<', b'>')
        || is_filled(b'(', b')')
        || is_filled(b'%', b'%')
        || is_filled(b'_', b'_')
        || contains(value, b"{{")
        || has_gap(value)
        || contains(value, b"%(")
        || value.starts_with(b":") && inner.iter().all(|byte| is(*byte, WORD))
        || value.starts_with(b"@") && inner.iter().all(|byte| is(*byte, WORD | DOT | DASH) || *byte == b'/')
        || value.iter().filter(|byte| matches!(byte, b'*')).count() * 2 > value.len()
}

/// Whether a program fills in a text here: `%s` as a word of its own.
fn has_gap(value: &[u8]) -> bool {
    let is_letter = |at: Option<usize>| at.is_some_and(|at| is(byte(value, at), ALNUM) && at < value.len());
    let gaps = value.windows(2).enumerate().filter(|(_, two)| matches!(two, [b'%', b's' | b'd' | b'v']));
    gaps.map(|(at, _)| at).any(|at| !is_letter(at.checked_sub(1)) && !is_letter(Some(at + 2)))
}

/// Whether a word says what stands here or how it is: `required`, `Passwort`.
pub(super) fn is_label(value: &[u8]) -> bool {
    let value = &*unescaped(value);
    let word = lexicon::plain(&lexicon::small(value));
    STATES.has(&word)
        || is_name_of_password(&word)
        || lexicon::at(&lexicon::small(value), 0).is_some_and(|(end, _)| end == value.len())
        || !value.is_ascii() && clue::all(value).any(|clue| clue.start == 0 && clue.end == value.len())
}

/// A text whose letters beyond ASCII are escaped: `Contrase\\u00f1a`.
fn unescaped(value: &[u8]) -> Cow<'_, [u8]> {
    if !contains(value, b"\\u0") {
        return Cow::Borrowed(value);
    }
    let text = String::from_utf8_lossy(value);
    let mut parts = text.split("\\u");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_at_checked(4).unwrap_or((part, ""));
        whole.extend(u32::from_str_radix(digits, 16).ok().and_then(char::from_u32));
        whole.push_str(rest);
    }
    Cow::Owned(whole.into_bytes())
}

/// Several words that nobody says about a password.
fn is_phrase(value: &[u8]) -> bool {
    let ends = matches!(value.last(), Some(b'.' | b'?' | b':')) || value.ends_with("\u{2026}".as_bytes());
    let is_code =
        value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'<' | b'=' | b';' | b'|' | b'$' | b'`'))
            || matches!(value.first(), Some(b'*' | b'&' | b'['))
            || matches!(value.last(), Some(b',' | b'\\'))
            || contains(value, b"://")
            || contains(value, b", ");
    let words = || value.split(|byte| is(*byte, BLANK)).filter(|word| !word.is_empty());
    let is_word = |word: &[u8]| word.iter().any(|byte| is(*byte, ALNUM) || *byte >= 0x80);
    !ends
        && !is_code
        && value.len() >= 8
        && (2..=8).contains(&words().count())
        && words().filter(|word| is_word(word)).count() >= 2
        && !is_about(value)
}

/// Whether several words speak about passwords.
pub(super) fn is_about(value: &[u8]) -> bool {
    let is_talk = |word: &[u8]| {
        let word = lexicon::plain(&lexicon::small(word));
        TALK.has(&word) || STATES.has(&word)
    };
    speaks(value)
        || value.split(|byte| !is(*byte, ALNUM) && *byte < 0x80).filter(|word| !word.is_empty()).any(is_talk)
}

/// Whether a name of a secret stands in a value.
pub(super) fn speaks(value: &[u8]) -> bool {
    clue::all(value).any(|clue| clue.word.max(clue.strength).is_some_and(|said| said >= Strength::Secret))
        || lexicon::speaks(value)
}

/// Whether a word between a name and a value says something about the secret.
pub(super) fn is_talk_word(word: &[u8]) -> bool {
    let word = lexicon::plain(&lexicon::small(word));
    TALK.has(&word)
        || STATES.has(&word)
            && !matches!(
                word.as_slice(),
                b"username"
                    | b"user"
                    | b"email"
                    | b"account"
                    | b"external"
                    | b"global"
                    | b"local"
                    | b"system"
                    | b"vault"
            )
}

/// One word that says what a password is, how it is or where it comes from.
fn is_talk(value: &[u8]) -> bool {
    let word = value.strip_suffix(b"!").unwrap_or(value);
    let word = lexicon::plain(&lexicon::small(word));
    let has_digits = lexicon::digits(value) > 0;
    STATES.has(&word)
        || TALK.has(&word)
        || !has_digits && !has_sign(value) && !boasts(&word) && speaks(value)
        || is_number(value)
}

/// Whether a password says that it is one: `supersecretpassword`.
fn boasts(word: &[u8]) -> bool {
    let begins = ["super", "mega", "ultra", "very", "top", "mein", "notmy", "streng", "mysecret", "mysuper"];
    let is_plain = word.iter().all(|byte| is(*byte, LETTER));
    is_plain && begins.iter().any(|begin| word.starts_with(begin.as_bytes()))
}

/// A number, a time, a version: digits and signs, and few of them.
fn is_number(value: &[u8]) -> bool {
    let has_letter = value.iter().any(|byte| is(*byte, LETTER) || *byte >= 0x80);
    let is_plain = value.iter().all(|byte| is(*byte, DIGIT));
    !has_letter && (!is_plain || value.len() < 6)
}

/// Whether a word is a name in a program: of names that programs have, or with the end of a type.
fn is_code(value: &[u8]) -> bool {
    let is_name = value.iter().all(|byte| is(*byte, WORD | DOT | DASH));
    let parts = || value.split(|byte| matches!(byte, b'_' | b'.' | b'-')).flat_map(humps);
    let is_type = || TYPES.has(&last_hump(value).to_ascii_lowercase());
    let ends =
        matches!(value.last(), Some(b',' | b';' | b'(' | b'{' | b'[' | b')' | b'}' | b']' | b':' | b'\\'));
    let calls = value.iter().any(|byte| matches!(byte, b'(' | b'<' | b'[' | b'{'))
        || contains(value, b"::")
        || contains(value, b"->");
    let is_constant = is_name
        && value.contains(&b'_')
        && value.iter().all(|byte| is(*byte, UPPER | DIGIT) || *byte == b'_');
    let shouts = is_constant && (lexicon::digits(value) == 0 || speaks(value));
    let is_of_program =
        || !random(value) && parts().any(|part| CODE.has(&without_number(part).to_ascii_lowercase()));
    ends || calls
        || shouts
        || matches!(byte(value, 0), b'&' | b'*')
        || value.starts_with(b"__")
        || is_name && (is_of_program() || is_type())
}

/// A word without the number behind it.
fn without_number(word: &[u8]) -> &[u8] {
    let end = word.iter().rposition(|byte| !is(*byte, DIGIT)).map_or(0, |last| last + 1);
    between(word, 0, end)
}

/// The words of a name in camel case.
fn humps(part: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = part;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let hump = |pair: &[u8]| matches!(pair, [one, two] if is(*one, LOWER) && is(*two, UPPER));
        let end = rest.windows(2).position(hump).map_or(rest.len(), |at| at + 1);
        let (word, later) = rest.split_at_checked(end)?;
        rest = later;
        Some(word)
    })
}

fn last_hump(value: &[u8]) -> &[u8] {
    humps(value).last().unwrap_or_default()
}

/// Whether a word has something that words of sentences do not have: a digit, a sign, a hump, a letter of another alphabet.
pub(super) fn is_marked(value: &[u8]) -> bool {
    let inner = between(value, 1, value.len().saturating_sub(1));
    let joined = inner.iter().filter(|byte| matches!(byte, b'_' | b'-' | b'.' | b',' | b';')).count();
    let hump = value.windows(2).any(|pair| matches!(pair, [one, two] if is(*one, LOWER) && is(*two, UPPER)));
    lexicon::digits(value) > 0 || has_sign(value) || hump || joined > 0
}

/// Whether a word has something that neither words nor names in programs have.
fn is_odd(value: &[u8]) -> bool {
    lexicon::digits(value) > 0 || has_sign(value)
}

/// A sign that neither names nor paths have.
fn has_sign(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"*").unwrap_or(value);
    let value = value.strip_suffix(b"*").unwrap_or(value);
    let is_sign = |byte: &u8| b"!@#$%^&*+?~=|\\".contains(byte);
    let letters = value.iter().filter(|byte| is(**byte, LETTER | DIGIT) || **byte >= 0x80).count();
    value.iter().any(is_sign) && letters >= 4
}

/// Words that stand where a password would: states, types, names of fields.
static STATES: List = List::new(
    "\
    latest stable absent accepted active always any array ask asked auto automatic available base64 bearer binary blank bool boolean bytes \
    bytea cached cert certificate char clear cleartext configured correct crypt custom date declined default defined delete deleted \
    denied disabled dummy email empty enabled encoded encrypted expired external false fail failed failure field file float form forbidden \
    generated global granted hash hashed hex hidden ignored inherit inherited input int integer interactive internal invalid ipsec \
    kerberos label ldap list local manual masked match matched md5 missing mismatch mixed mock must \
    needed never nil no none null number numeric object off ok on opaque optional other pbkdf2 plain plaintext present private \
    prompt protected provided public pubkey publickey query random readonly redacted rejected removed renewed replaced required reset \
    returned revoked rotated rotate same sample saved scram sensitive set sha sha1 sha256 sha512 short shown skip skipped slice some stdin \
    stored str string strong system tbd text todo true type uint8array unchanged undefined unknown unset unspecified unused updated user \
    username valid value varchar vault verified void weak wrong yes \
    erforderlich pflichtfeld ungultig gultig falsch richtig leer keins keine kein gesetzt geandert unbekannt verborgen versteckt \
    obligatoire requis requise invalide incorrect aucun vide cache masque \
    obligatorio requerido requerida invalido incorrecta ninguna ninguno vacio oculta \
    obbligatoria obbligatorio errata nessuna vuota nascosta verplicht ongeldig geen leeg verborgen obrigatoria obrigatorio nenhuma vazia \
    wymagane nieprawidlowe brak puste ukryte kravs pakravd ogiltigt tomt ingen mangler skjult zorunlu gecersiz bos gizli",
);

/// Words of sentences, labels and buttons about passwords.
static TALK: List = List::new(
    "\
    added argon2 bcrypt cost deprecated fixed lowered raised renamed scrypt abgelaufen account actuelle actual aktuelles aendern again afficher already altere andern ungueltig anmelden anzeigen attempts authenticate \
    authentication authentifizierung before bestatigen bestatigt between bitte cambiar cannot caracteres caratteri change changed characters \
    character choose confirm confirma confirmar confirmation conferma confirme confirmer confirmez contain contains correct credential credentials \
    current describes description digits digite dimenticata eingeben enter entered entrez esqueceu falsch fehlt forgot forgotten geandert geben \
    generate hasła herhaal hide how incorrect inserisci introduce introduzca invalid leading least length letters login logging logon \
    match matches maximum may mehr mindestens minimum minimal mismatch missing modifier mostrar must needed needs \
    neues nicht notwendig nouveau nueva nuevo nuova obligatoire oublie oubliee olvidada olvidado olvidaste optional overeen \
    please por potwierdz powtorz prompt provide provided read repeat repeta repetez repetir repeter repita repite required requires requis reset retype \
    ripeti saisir saisissez see short should show sign signin specify stimmen stimmt strength strictly strong supplied supports tekens \
    too toon type typed uberein update updated used username using valid validate vergessen vergeten verify veuillez visible voer weak \
    which whose wiederholen wijzigen will wrong wymagane your zeichen zmien znakow zurucksetzen zuruecksetzen",
);

/// Parts of names that programs give to what a password comes from.
static CODE: List = List::new(
    "\
    arg args argv attr attrs auth body buf buffer bytes callback cb cfg client conf config const context ctx creds current data db decrypted default dict \
    digest element encoded encrypted entry env environ event expected field fields file form func generated get getenv hash hashed helper index info input \
    item json kwargs line lookup maybe model msg node null obj opt option options opts param params parsed parser payload plain prefix prop props \
    ptr query raw read req request res response result row salt scope self service session setting settings source state str string \
    struct temp text this tmp token tokens type user userdata util utils val validator value values var vars vault widget",
);

/// What the names of types end with.
static TYPES: List = List::new(
    "\
    array bool boolean bytes char config field handle hash id input int key kind list map model object option optional path props provider ref \
    schema spec str string text type validator value vec",
);
