//! What the name of a value says about it.

use super::bytes::{ALNUM, DASH, DIGIT, DOT, LETTER, LOWER, QUOTE, SPACE, UPPER, WORD, from, is};
use super::lexicon::{self, first_four};
use super::list::List;

/// How much a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// A number that somebody types: `PIN`, `PUK`.
    Pin,
    /// It may be a secret: `key`, `sig`.
    Weak,
    /// An authorisation: a scheme, then a credential.
    Authorization,
    /// A token, a key, a secret.
    Secret,
    /// A password, which may be a word.
    Password,
}

/// The longest name that is looked at.
pub(crate) const LONGEST: usize = 64;

/// What a name says; `None` when its value is no secret.
pub(crate) fn strength(name: &[u8]) -> Option<Strength> {
    if !may_say(name) {
        return None;
    }
    let mut words = Words { name, at: 0 };
    let mut said: Option<Strength> = None;
    let mut word = Lower::default();
    let (mut is_public, mut is_shared) = (false, false);
    loop {
        let last = word;
        let Some(next) = words.next() else { return said };
        // What follows an authorisation says what it is about.
        said = said.filter(|said| *said != Strength::Authorization);
        word = next;
        is_shared |= matches!(word.as_bytes(), b"wireless" | b"wifi" | b"wlan" | b"wpa");
        is_public |= PUBLIC.has(last.as_bytes()) && word.as_bytes() == b"key";
        if is_public && word.as_bytes() == b"token" {
            // What names a public key is as public: `PublicKeyToken`.
        } else if is_shared && word.as_bytes() == b"key" {
            said = Some(Strength::Password);
        } else if let Some(strength) = says(word.as_bytes(), last.as_bytes()) {
            said = said.max(Some(strength));
        } else if said == Some(Strength::Pin) {
            // Of a word this short, nothing may follow: `PIN_SETTINGS`.
            said = said.filter(|_| word.as_bytes() == b"code");
        } else if NEUTRAL.has(word.as_bytes()) || last.as_bytes() == b"key" && word.as_bytes() == b"hash" {
            said = None;
        }
    }
}

/// Whether a part of a word stands in a name without which it says nothing. Most names have none.
fn may_say(name: &[u8]) -> bool {
    ends_like_password(name)
        || name.windows(3).enumerate().any(|(at, three)| begins_part(three) && is_part(name, at))
}

/// `db_pw`
fn ends_like_password(name: &[u8]) -> bool {
    matches!(name, [.., b'p' | b'P', b'w' | b'W'])
}

/// Where the name begins that ends at a position; and whether it may say something, which is seldom.
///
/// Names are of any length, which no processor can foresee: so a name is walked through only once.
pub(super) fn ending(text: &[u8], end: usize) -> (usize, bool) {
    let name = text.get(end.saturating_sub(LONGEST)..end).unwrap_or_default();
    let (mut start, mut may_say, mut three) = (end, ends_like_password(name), 0);
    for byte in name.iter().rev().take_while(|byte| is(**byte, WORD | DASH | DOT)) {
        three = three >> 5 | usize::from(byte & 31) << 10;
        may_say |= is_marked(three);
        start -= 1;
    }
    (start, may_say)
}

/// Where in a text the parts of words begin without which a name says nothing.
pub(super) fn parts(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut three = 0;
    let begins = move |(at, byte): (usize, &u8)| {
        three = (three << 5 | usize::from(byte & 31)) & 0x7fff;
        let start = at.checked_sub(2).filter(|_| is_marked(three))?;
        is_part(text, start).then_some(start)
    };
    text.iter().enumerate().filter_map(begins)
}

fn begins_part(three: &[u8]) -> bool {
    is_marked(three.iter().fold(0, |three, byte| three << 5 | usize::from(byte & 31)))
}

/// Whether something that says something begins with three letters, of which each has five bits.
fn is_marked(three: usize) -> bool {
    PARTS_BEGIN.get(three >> 6).is_some_and(|bits| bits >> (three & 63) & 1 != 0)
}

/// A letter is small with this bit, and nothing else becomes one.
fn is_part(text: &[u8], at: usize) -> bool {
    let rest = from(text, at);
    let Some(three) = rest.first_chunk().map(|three: &[u8; 3]| three.map(|byte| byte | 0x20)) else {
        return false;
    };
    let next = rest.get(3).copied();
    let goes_on = next.is_some_and(|next| is(next, LOWER) && next != b's');
    if !goes_on && ENDING_NUMBERS.contains(&number(three, 0)) {
        return true;
    }
    let Some(last) = next.map(|next| next | 0x20) else { return false };
    let [one, two, three] = three;
    let (four, wanted) = ([one, two, three, last], number([one, two, three], last));
    may_be_part(four)
        && (PART_NUMBERS.contains(&wanted) && is_whole(four, text, at) || FOREIGN_NUMBERS.contains(&wanted))
}

/// Four bytes that are compared at once.
const fn number([one, two, three]: [u8; 3], four: u8) -> u32 {
    u32::from_le_bytes([one, two, three, four])
}

static ENDING_NUMBERS: [u32; ENDINGS.len()] = numbers(ENDINGS);
static PART_NUMBERS: [u32; PARTS.len()] = numbers(PARTS);
static FOREIGN_NUMBERS: [u32; FOREIGN_PARTS] = numbers(&foreign());

#[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
const fn numbers<const LENGTH: usize, const COUNT: usize>(parts: &[[u8; LENGTH]]) -> [u32; COUNT] {
    let (mut numbers, mut at) = ([0; COUNT], 0);
    while at < COUNT {
        let part = parts[at].as_slice();
        numbers[at] = number([part[0], part[1], part[2]], if LENGTH > 3 { part[3] } else { 0 });
        at += 1;
    }
    numbers
}

/// Whether four letters, which common words have as well, go on as the word does that says something: `license`, but not `slice`.
fn is_whole(four: [u8; 4], text: &[u8], at: usize) -> bool {
    let rest = from(text, at + 4);
    let goes_on = |endings: &[&str]| {
        endings.iter().any(|ending| {
            rest.get(..ending.len()).is_some_and(|part| part.eq_ignore_ascii_case(ending.as_bytes()))
        })
    };
    match &four {
        b"lice" | b"lose" => goes_on(&["n"]),
        b"cove" => goes_on(&["ry"]),
        b"clea" => goes_on(&["rt", "r_t", "r-t", "r t"]),
        b"sess" => goes_on(&["i"]),
        b"phra" => goes_on(&["se"]),
        b"scra" => goes_on(&["tch"]),
        b"bear" => goes_on(&["er"]),
        b"cook" => goes_on(&["ie"]),
        b"tras" => goes_on(&["en"]),
        // An author is nobody who may do something.
        b"auth" => !goes_on(&["or"]) || goes_on(&["oriz", "oris"]),
        b"pass" => !goes_on(&["a", "i", "ed", "en", "er", "es", "eng"]),
        b"valu" => is_plain_value(text, at),
        _ => true,
    }
}

/// `plaintext_value`, `insecureValue`, and the heading of a column.
fn is_plain_value(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let word = before.strip_suffix(b"_").or_else(|| before.strip_suffix(b"-")).unwrap_or(before);
    let word = word.get(word.len().saturating_sub(4)..).unwrap_or_default();
    let is_apart = |two: &[u8]| matches!(two, [b' ' | b'|' | b'\t' | b',', ..]);
    let behind = text.get(at + 5..).unwrap_or_default();
    let is_heading = matches!(before, [.., b' ' | b'|', b' '] | [.., b'\t' | b',' | b';' | b'|'])
        && (is_apart(behind) || behind.first().is_none_or(|byte| *byte == b'\n'));
    word.eq_ignore_ascii_case(b"text") || word.eq_ignore_ascii_case(b"cure") || is_heading
}

/// Whether four letters may be those of a part; if not, they surely are not.
fn may_be_part(four: [u8; 4]) -> bool {
    let bit = hash_of(four);
    PARTS_HASHED.get(bit >> 6).is_some_and(|bits| bits >> (bit & 63) & 1 != 0)
}

/// One bit for the hash of each part.
static PARTS_HASHED: [u64; 64] = hashed(&foreign(), hashed(PARTS, [0; 64]));

/// Whether a word may be one of another language; if not, it surely is not.
pub(super) fn may_be_foreign(word: &[u8]) -> bool {
    let four = word.first_chunk().map(|four: &[u8; 4]| four.map(|byte| byte | 0x20));
    four.map(hash_of)
        .is_some_and(|bit| FOREIGN_HASHED.get(bit >> 6).is_some_and(|bits| bits >> (bit & 63) & 1 != 0))
}

static FOREIGN_HASHED: [u64; 64] = hashed(&foreign(), [0; 64]);

const fn hash_of(four: [u8; 4]) -> usize {
    (u32::from_le_bytes(four).wrapping_mul(0x9e37_79b1) >> 20) as usize
}

#[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
const fn hashed(parts: &[[u8; 4]], mut table: [u64; 64]) -> [u64; 64] {
    let mut part = 0;
    while part < parts.len() {
        let bit = hash_of(parts[part]);
        table[bit >> 6] |= 1 << (bit & 63);
        part += 1;
    }
    table
}

/// What most of the words have in them that say something.
const PARTS: &[[u8; 4]] = &[
    *b"auth", *b"bear", *b"clav", *b"cook", *b"pwge", *b"clea", *b"encr", *b"totp", *b"cove", *b"cred",
    *b"gang", *b"gehe", *b"hasl", *b"hesl", *b"hitz", *b"hmac", *b"jels", *b"kata", *b"keyg", *b"keym",
    *b"kenn", *b"khau", *b"kode", *b"larm", *b"lasa", *b"lice", *b"lose", *b"lozi", *b"lyki", *b"mnem",
    *b"nuss", *b"paro", *b"pass", *b"pasw", *b"phra", *b"pinc", *b"salt", *b"schl", *b"scra", *b"secr",
    *b"seed", *b"segr", *b"senh", *b"sess", *b"sifr", *b"gsco", *b"scod", *b"rcod", *b"rkod", *b"skod",
    *b"teus", *b"ugfz", *b"slap", *b"snmp", *b"toke", *b"tras", *b"up c", *b"valu", *b"wall", *b"woor",
    *b"zapo",
];

/// The same of words in other letters.
const FOREIGN_PARTS: usize = lexicon::WORDS.len() + CAPITALS.len();

/// Letters whose capitals look like nothing of their small ones.
const CAPITALS: &[&str] = &["Şifre", "Šifra", "Секретный", "СЕКРЕТНЫЙ", "ΚΩΔ", "Συνθ", "Мυστ", "Μυστ"];

#[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
const fn foreign() -> [[u8; 4]; FOREIGN_PARTS] {
    let mut parts = [[0; 4]; lexicon::WORDS.len() + CAPITALS.len()];
    let mut at = 0;
    while at < lexicon::WORDS.len() {
        parts[at] = first_four(lexicon::WORDS[at].0);
        at += 1;
    }
    while at < parts.len() {
        parts[at] = first_four(CAPITALS[at - lexicon::WORDS.len()]);
        at += 1;
    }
    parts
}

/// What the others end with, except for an `s`.
const ENDINGS: &[[u8; 3]] = &[
    *b"\x7fpw", *b" pw", *b"-pw", *b"cvc", *b"cvv", *b"jwt", *b"key", *b"mdp", *b"otp", *b"pat", *b"pin",
    *b"psk", *b"puk", *b"pwd", *b"sid",
];

/// One bit for the first three letters of each.
static PARTS_BEGIN: [u64; 512] = marked(&foreign(), marked(ENDINGS, marked(PARTS, [0; 512])));

#[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
const fn marked<const LENGTH: usize>(parts: &[[u8; LENGTH]], mut table: [u64; 512]) -> [u64; 512] {
    let mut part = 0;
    while part < parts.len() {
        let [one, two, three, ..] = parts[part].as_slice() else { return table };
        let place = ((*one & 31) as usize) << 10 | ((*two & 31) as usize) << 5 | (*three & 31) as usize;
        table[place >> 6] |= 1 << (place & 63);
        part += 1;
    }
    table
}

/// Whether the letters of a name end with the last two of a service. Most do not.
pub(super) fn ends_like_service(name: &[u8]) -> bool {
    let letters = name.iter().rposition(|byte| is(*byte, LETTER)).unwrap_or_default();
    let bit = |one: &u8, two: &u8| {
        SERVICES_END.get(usize::from(one & 31)).is_some_and(|bits| bits >> (two & 31) & 1 != 0)
    };
    matches!(name.get(..=letters), Some([.., one, two]) if bit(one, two))
}

/// For each letter but the last of a service, one bit for each that may follow.
static SERVICES_END: [u32; 32] = services_end();

#[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
const fn services_end() -> [u32; 32] {
    let (list, mut table, mut at) = (SERVICE_NAMES.as_bytes(), [0; 32], 2);
    while at <= list.len() {
        if at == list.len() || list[at] == b' ' {
            table[(list[at - 2] & 31) as usize] |= 1 << (list[at - 1] & 31);
        }
        at += 1;
    }
    table
}

/// Whether the last word of a name is a service whose keys are kept under its name alone.
pub(super) fn is_service(name: &[u8]) -> bool {
    SERVICES.has(Words { name, at: 0 }.last().unwrap_or_default().as_bytes())
}

/// Whether the last word of a name is a signature, a code or a link, which opens something only as part of an address.
pub(super) fn is_signature(name: &[u8]) -> bool {
    IN_ADDRESS.has(Words { name, at: 0 }.last().unwrap_or_default().as_bytes())
}

/// What an address calls that lets somebody in who knows it.
static IN_ADDRESS: List =
    List::new("code confirm invite link magic otk otp reset sig signature ticket verify");

/// Whether the word that goes on is the name of a resource: `arn:aws:secretsmanager:…:secret:name`.
pub(super) fn is_of_resource(before: &[u8]) -> bool {
    let near = from(before, before.len().saturating_sub(NEAR));
    let start = near.iter().rposition(|byte| is(*byte, SPACE | QUOTE)).map_or(0, |blank| blank + 1);
    let word = from(near, start);
    before.ends_with(b":") && word.windows(4).any(|part| part == b"arn:")
}

/// Whether what stands before a name says that its value is a digest: `checksum/secret: …`, `SHA512 (keys.img) = …`, the keys of
/// certificates.
pub(super) fn is_of_digest(before: &[u8]) -> bool {
    let near = from(before, before.len().saturating_sub(NEAR));
    let joined = near.strip_suffix(b"/").or_else(|| near.strip_suffix(b".")).unwrap_or_default();
    let word = joined.rsplit(|byte| !is(*byte, ALNUM)).next().unwrap_or_default();
    let of_file = near.strip_suffix(b"(").map(<[u8]>::trim_ascii_end).unwrap_or_default();
    let method = of_file.rsplit(|byte| is(*byte, SPACE)).next().unwrap_or_default();
    DIGESTS.iter().any(|digest| digest.eq_ignore_ascii_case(word) || digest.eq_ignore_ascii_case(method))
        || near.windows(10).any(|part| part == b"X.509 cert")
}

/// Whether a name and a sign stand here that say as much as what stands before: `token=token=…` has one value, which the last gives.
pub(super) fn is_named_again(text: &[u8], at: usize, said: Strength) -> bool {
    let near = text.get(at..text.len().min(at + LONGEST)).unwrap_or_default();
    // Signs may stand between: `?token=`, `--token=`, `[`, `"`.
    let signs = near.iter().take(4).take_while(|byte| byte.is_ascii_punctuation() || **byte == b' ').count();
    let near = from(near, signs);
    let end = near.iter().position(|byte| !is(*byte, WORD | DASH | DOT)).unwrap_or(near.len());
    let (name, rest) = near.split_at_checked(end).unwrap_or_default();
    let gives = matches!(rest, [b'=' | b':' | b'>', next, ..] if !matches!(next, b'=' | b':' | b'\n'));
    gives && name.len() > 1 && strength(name).is_some_and(|again| again >= said)
}

/// How far back a line is looked at.
const NEAR: usize = 128;

/// Words for what a file or a text is summed up to, and methods for it.
const DIGESTS: &[&[u8]] = &[
    b"checksum",
    b"checksums",
    b"digest",
    b"fingerprint",
    b"hash",
    b"etag",
    b"md5",
    b"sha1",
    b"sha224",
    b"sha256",
    b"sha384",
    b"sha512",
    b"blake2b",
    b"blake2s",
    b"blake3",
    b"rmd160",
    b"sm3",
    b"crc32",
];

/// Whether a name says plainly that its value is secret: `JWT_SECRET`, `secret_key`, `clientSecret`, `SIGNING_KEY`.
pub(super) fn is_sure(name: &[u8]) -> bool {
    let words = Words { name, at: 0 };
    let mut last = Lower::default();
    let mut is_secret = false;
    for word in words {
        let (said, before) = (word.as_bytes(), last.as_bytes());
        is_secret = match said {
            b"secret" | b"secretkey" | b"privatekey" => true,
            b"key" => {
                matches!(before, b"secret" | b"signing" | b"encryption" | b"master" | b"private" | b"jwt")
            }
            b"base" | b"value" | b"prod" | b"production" => is_secret,
            _ => false,
        };
        last = word;
    }
    is_secret
}

/// What a word says after another.
fn says(word: &[u8], last: &[u8]) -> Option<Strength> {
    let singular = word.strip_suffix(b"s").unwrap_or(word);
    // The last letter of `dbpass` makes no plural.
    let ends = |ending: &&str| [singular, word].iter().any(|word| word.ends_with(ending.as_bytes()));
    match singular {
        b"key" | b"token" if PUBLIC.has(last) && last != b"host" => None,
        b"key" | b"secret" if SHARED.has(last) => Some(Strength::Password),
        b"key" if OPENING.has(last) => Some(Strength::Secret),
        b"id" if last == b"secret" => Some(Strength::Secret),
        b"text" if last == b"clear" => Some(Strength::Secret),
        b"key" if last == b"host" => Some(Strength::Pin),
        b"material" | b"content" if last == b"key" => Some(Strength::Password),
        b"community" if COMMUNITIES.contains(&last) => Some(Strength::Password),
        b"salt" if SALTED.has(last) => Some(Strength::Secret),
        b"value" if matches!(last, b"insecure" | b"plaintext") => Some(Strength::Password),
        b"code" | b"kod" | b"koodi" | b"kode" if last.ends_with(b"alarm") || last.ends_with(b"larm") => {
            Some(Strength::Pin)
        }
        b"alarmcode" | b"larmkod" | b"alarmkode" => Some(Strength::Pin),
        b"authorization" => Some(Strength::Authorization),
        _ if SHORT.contains(&word) || ends_like_secret(word) && PASSWORDS.iter().any(ends) => {
            Some(Strength::Password)
        }
        _ if word == b"pass" || word.ends_with(b"pass") && ends_in_pass(word) => Some(Strength::Password),
        _ if PINS.contains(&word) || opens(word) => Some(Strength::Pin),
        _ if ends_like_secret(word) && SECRETS.iter().any(ends) => Some(Strength::Secret),
        _ if WEAK.iter().any(|weak| weak.as_bytes() == singular) => Some(Strength::Weak),
        _ => None,
    }
}

/// Words may be run together: `PGPASSWORD`, `authtoken`.
const PASSWORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "passwort",
    "passord",
    "pwd",
    "masterauth",
    "psk",
    "kennwort",
    "contrasena",
    "contrasenya",
    "motdepasse",
    "senha",
    "wachtwoord",
    "losenord",
    "adgangskode",
    "salasana",
    "jelszo",
    "parola",
    "haslo",
    "heslo",
    "sifre",
    "rootpw",
    "bindpw",
    "userpw",
    "adminpw",
    "authtok",
    "contrasinal",
    "fjalekalim",
    "hasla",
    "hesla",
    "jelszava",
    "jelszavam",
    "keymaterial",
    "kodeord",
    "lozinka",
    "lykilord",
    "matkhau",
    "parool",
    "pasahitza",
    "paswoord",
    "presharedkey",
    "slaptazodis",
    "tunnussana",
    "wpakey",
    "zaporka",
];

/// Whether a word ends with the last two letters of one that says something, but for an `s`. Most do not.
fn ends_like_secret(word: &[u8]) -> bool {
    let is_one = |word: &[u8]| match word {
        [.., one, two] => {
            SECRETS_END.get(usize::from(one & 31)).is_some_and(|bits| bits >> (two & 31) & 1 != 0)
        }
        _ => false,
    };
    is_one(word) || word.strip_suffix(b"s").is_some_and(is_one)
}

/// For each letter but the last of such a word, one bit for each that may follow.
static SECRETS_END: [u32; 32] = ends_of(SECRETS, ends_of(PASSWORDS, [0; 32]));

#[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
const fn ends_of(list: &[&str], mut table: [u32; 32]) -> [u32; 32] {
    let mut at = 0;
    while at < list.len() {
        if let [.., one, two] = list[at].as_bytes() {
            table[(*one & 31) as usize] |= 1 << (*two & 31);
        }
        at += 1;
    }
    table
}

/// Whether a word in small letters is nothing but a word for a password.
pub(super) fn is_name_of_password(word: &[u8]) -> bool {
    PASSWORDS.iter().any(|name| name.as_bytes() == word)
}

/// Too short to be looked for inside other words.
const SHORT: &[&[u8]] = &[b"pw", b"mdp", b"passe", b"clave", b"sifra"];

/// Names of numbers that somebody types.
const PINS: &[&[u8]] = &[b"pin", b"pincode", b"puk", b"otp", b"cvv", b"cvc"];

/// Whether a word that ends in `pass` is one run together of what a password is for: `dbpass`, but neither `compass` nor `ioctlspass`.
fn ends_in_pass(word: &[u8]) -> bool {
    let kind = word.strip_suffix(b"pass").unwrap_or_default();
    FOR_PASS.has(kind)
}

/// What passwords are for, where a name runs the words together.
static FOR_PASS: List = List::new(
    "admin api app auth become bind cert client control db deststore email ftp host http imap jks key keystore ldap login mail master my mysql p12 pg \
    pop postgres private proxy rabbit redis require root server srcstore shared smtp sql ssh ssl store sudo svn trust truststore user vault web wifi",
);

const SECRETS: &[&str] = &[
    "token",
    "secret",
    "geheimnis",
    "schlussel",
    "schluessel",
    "mnemonic",
    "seedphrase",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "authkey",
    "credential",
    "cred",
    "jwt",
    "bearer",
];

const WEAK: &[&str] = &[
    "authorization",
    "key",
    "auth",
    "oauth",
    "session",
    "sessionid",
    "jsessionid",
    "phpsessid",
    "license",
    "encrypt",
    "totp",
    "sid",
    "pat",
];

/// What makes a key one that opens something.
static OPENING: List = List::new(
    "\
    access account admin aes api app auth cipher client crypto deploy des encryption hmac in license master merchant nonce private secret security \
    server service session shared signing ssh storage",
);

/// What makes a key one that people share and therefore choose.
static SHARED: List = List::new(
    "eap ike ipsec isakmp l2tp network ppp pppoe preshared psk radius shared tacacs vpn wep wifi wireless wlan wpa",
);

/// Whether a word is one run together of what a code opens and the word for it: `Zugangscode`, `portkod`.
fn opens(word: &[u8]) -> bool {
    let stem = [&b"code"[..], b"kod", b"kode", b"koden"].iter().find_map(|end| word.strip_suffix(*end));
    stem.is_some_and(|stem| OPENED.has(stem))
}

/// What such a code opens, or what it is for.
static OPENED: List = List::new(
    "alarm anmelde bestatigungs bestaetigungs bevestigings deur dor eingangs einmal einladungs engangs freischalt haustur login pin poort port \
    safe sicherheits sikkerhets sakerhets tor tresor tuer tur uberweisungs verificatie beveiligings toegangs adgangs zahlen zugangs zugriffs",
);

/// Whose community is a password: who knows it may read or write a device.
const COMMUNITIES: &[&[u8]] = &[b"snmp", b"ro", b"rw", b"read", b"write", b"trap"];

/// What a salt is for that nobody may know.
static SALTED: List = List::new("app auth cookie encryption hash in nonce secret session ticket");

/// What makes a key one that everybody may know.
static PUBLIC: List = List::new(
    "\
    bucket cache composite config continuation cursor dedupe dict foreign group hash hot idempotency index lookup map natural \
    next object page partition primary pub public publishable registry schema search sequence shortcut socket \
    site sort translation trusted unique",
);

/// What turns a name for a secret into the name of something about it.
static NEUTRAL: List = List::new(
    "\
    age alg authentication authority breach cracker checker encoder encryptor generator guard hasher hashers hashing history strategy algorithm alias at budget char chars class code codes column count date dir directory duration \
    encryption \
    enabled encoding endpoint env error errors exp expires expiry expiration field file filename fingerprint \
    format function handler header help helper hint host id identity ids index interval issuer kind label len length \
    lifetime limit link list location manager max message mgr min mode model name names option options page \
    param parameter parser path pattern placeholder policy position prefix prompt provider ref reference \
    refs regex request required reset results rule rules scope scopes selector service size source span state status \
    stdin store strength suffix text time timeout title ttl type types uri url urls usage used valid \
    validator variable var version view",
);

/// Whether a word makes of a name for a secret one of something about it.
pub(super) fn is_neutral(word: &[u8]) -> bool {
    NEUTRAL.has(&word.to_ascii_lowercase())
}

/// Services whose keys are kept under their names alone.
static SERVICES: List = List::new(SERVICE_NAMES);

const SERVICE_NAMES: &str = "\
    adafruit adobe airtable algolia anthropic artifactory asana beamer bittrex codecov cohere coinbase \
    confluent contentful datadog droneci dropbox etsy fastly finicity finnhub flickr freshbooks gitter \
    heroku hubspot intercom jfrog kraken kucoin launchdarkly linkedin mailchimp mailgun mapbox mattermost \
    meraki messagebird netlify newrelic nytimes okta openai plaid rapidapi sendbird sentry snyk sonar \
    sourcegraph squarespace sumologic travisci trello twilio twitch twitter typeform yandex zendesk";

/// A word in small letters.
#[derive(Clone, Copy, Default)]
struct Lower {
    bytes: [u8; 24],
    length: usize,
}

impl Lower {
    /// The end of a long word is what says most.
    fn new(word: &[u8]) -> Self {
        let mut lower = Self::default();
        let word = word.get(word.len().saturating_sub(lower.bytes.len())..).unwrap_or_default();
        for (to, from) in lower.bytes.iter_mut().zip(word) {
            *to = from.to_ascii_lowercase();
        }
        lower.length = word.len();
        lower
    }

    fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

/// The words of a name: `DB_PASSWORD`, `dbPassword`, `db-password` and `DBPassword` have two, digits at the end are none.
struct Words<'a> {
    name: &'a [u8],
    at: usize,
}

impl Iterator for Words<'_> {
    type Item = Lower;

    fn next(&mut self) -> Option<Lower> {
        let rest = self.name.get(self.at..)?;
        let start = self.at + rest.iter().position(|byte| is(*byte, ALNUM) && !is(*byte, DIGIT))?;
        let word = self.name.get(start..)?;
        let end = word.windows(3).position(splits).map_or_else(|| tail(word), |at| at + 1);
        self.at = start + end;
        word.get(..end).map(Lower::new)
    }
}

/// Whether a word ends after the first of three bytes.
fn splits(three: &[u8]) -> bool {
    match three {
        [one, two, three] => {
            let hump = is(*one, LOWER) && is(*two, UPPER);
            let shout = is(*one, UPPER) && is(*two, UPPER) && is(*three, LOWER);
            hump || shout || !is(*two, ALNUM) || is(*two, DIGIT)
        }
        _ => false,
    }
}

/// Where a word ends in whose first bytes nothing splits it.
fn tail(word: &[u8]) -> usize {
    match word {
        [.., last] if !is(*last, ALNUM) || is(*last, DIGIT) => word.len() - 1,
        [.., one, last] if is(*one, LOWER) && is(*last, UPPER) => word.len() - 1,
        _ => word.len(),
    }
    .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn says_of(names: &[&str], expected: Option<Strength>) {
        for name in names {
            assert_eq!(strength(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn names_of_secrets_are_known_in_every_spelling() {
        let secrets = [
            "GITHUB_TOKEN",
            "githubToken",
            "x-api-key",
            "apikey",
            "OPENAIAPIKEY",
            "client_secret",
            "AWSToken",
        ];
        says_of(&secrets, Some(Strength::Secret));
        says_of(
            &["SecretAccessKey", "aws_secret_access_key", "token2", "TOKEN_PROD"],
            Some(Strength::Secret),
        );
        says_of(
            &["DB_PASSWORD", "PGPASSWORD", "dbPassword", "db_pass", "MYSQL_PWD"],
            Some(Strength::Password),
        );
        says_of(&["Proxy-Authorization", "authorization"], Some(Strength::Authorization));
        says_of(&["key", "JSESSIONID"], Some(Strength::Weak));
        assert!(is_service(b"my_sourcegraph") && !is_service(b"sourcegraph_version"));
    }

    #[test]
    fn every_word_has_its_part() {
        let short = [SHORT, PINS, &[b"pass"]].into_iter().flatten().copied();
        let long = [PASSWORDS, SECRETS, WEAK].into_iter().flatten().map(|word| word.as_bytes());
        for word in short.chain(long) {
            assert!(may_say(word), "{}", word.escape_ascii());
        }
    }

    #[test]
    fn names_about_secrets_are_not_secret() {
        says_of(
            &["TOKEN_URL", "tokenType", "password_file", "passwordVariable", "credentialsId", "key_id"],
            None,
        );
        says_of(
            &["public_key", "cacheKey", "primary-key", "tokenizer", "keyboard", "secretary", "author"],
            None,
        );
        says_of(
            &["Authentication-Results", "accessor", "monkey", "compass", "bypass_checks", "trace_id"],
            None,
        );
    }
}
