//! Words for passwords, keys and numbers that somebody types, in languages whose letters are not those of ASCII.
//!
//! They are found as bytes, wherever they stand in a word: languages decline them and run them together. Words that ASCII can
//! write stand beside the English ones in `name`.

use std::borrow::Cow;

use super::bytes::{ALNUM, DASH, DIGIT, DOT, WORD, byte, from, is};
use super::name::{Strength, may_be_foreign};

use Strength::{Password, Pin, Secret};

/// What each word says. All letters are small.
pub(super) const WORDS: &[(&str, Strength)] = &[
    // Latin letters with marks.
    ("traseña", Password),
    ("hasł", Password),
    ("jelszó", Password),
    ("kennwört", Password),
    ("lösen", Password),
    ("şifre", Password),
    ("šifr", Password),
    ("passwört", Password),
    ("mật khẩu", Password),
    ("mật mã", Password),
    ("lykilorð", Password),
    ("slaptažod", Password),
    ("fjalëkalim", Password),
    ("kata sandi", Password),
    ("kata laluan", Password),
    ("código pin", Pin),
    ("wlan-schlüssel", Password),
    ("wlan-schluessel", Password),
    ("wifi-schlüssel", Password),
    ("netzwerkschlüssel", Password),
    ("schlüssel", Secret),
    ("clé", Secret),
    // Cyrillic.
    ("парол", Password),
    ("лозинк", Password),
    ("нууц үг", Password),
    ("құпиясөз", Password),
    ("құпия сөз", Password),
    ("кодовое слово", Password),
    ("кодова дума", Password),
    ("секретн", Secret),
    ("ключ", Secret),
    ("türcode", Pin),
    ("tørkode", Pin),
    ("dörrkod", Pin),
    ("bestätigungscode", Pin),
    ("код подтверждения", Pin),
    ("код доступа", Pin),
    ("код от ", Pin),
    ("код для входа", Pin),
    ("пин-код", Pin),
    ("пін-код", Pin),
    ("пинкод", Pin),
    // Greek.
    ("κωδικός πρόσβασης", Password),
    ("κωδικού πρόσβασης", Password),
    ("κωδικος προσβασης", Password),
    ("κωδικός", Password),
    ("κωδικό", Password),
    ("συνθηματικ", Password),
    ("μυστικ", Secret),
    ("κλειδί", Secret),
    // Chinese, Japanese, Korean.
    ("密码", Password),
    ("密碼", Password),
    ("口令", Password),
    ("密钥", Secret),
    ("密鑰", Secret),
    ("令牌", Secret),
    ("パスワード", Password),
    ("パスフレーズ", Password),
    ("パスコード", Password),
    ("合言葉", Password),
    ("暗証番号", Pin),
    ("秘密鍵", Secret),
    ("비밀번호", Password),
    ("비번", Password),
    ("암호", Password),
    ("패스워드", Password),
    ("비밀키", Secret),
    ("토큰", Secret),
    // Arabic, Persian, Urdu.
    ("كلمة المرور", Password),
    ("كلمة مرور", Password),
    ("كلمة السر", Password),
    ("كلمه السر", Password),
    ("الرقم السري", Pin),
    ("رمز عبور", Password),
    ("گذرواژه", Password),
    ("کلمه عبور", Password),
    ("پاس ورڈ", Password),
    // Hebrew.
    ("סיסמ", Password),
    ("קוד סודי", Pin),
    // Of India.
    ("पासवर्ड", Password),
    ("कूटशब्द", Password),
    ("পাসওয়ার্ড", Password),
    ("கடவுச்சொல்", Password),
    ("పాస్‌వర్డ్", Password),
    // Others.
    ("รหัสผ่าน", Password),
    ("գաղտնաբառ", Password),
    ("პაროლი", Password),
    ("ລະຫັດຜ່ານ", Password),
    ("ពាក្យសម្ងាត់", Password),
    ("የይለፍ ቃል", Password),
];

/// The first four bytes of a word, as they are looked for.
pub(super) const fn first_four(word: &str) -> [u8; 4] {
    match word.as_bytes() {
        [one, two, three, four, ..] => [*one | 0x20, *two | 0x20, *three | 0x20, *four | 0x20],
        _ => [0; 4],
    }
}

/// A line whose letters are small where that matters, byte for byte as long.
pub(super) fn small_line(line: &[u8]) -> Cow<'_, [u8]> {
    // Words in ASCII are read as names, in any case.
    let is_plain = line.is_ascii()
        && !line.windows(4).any(|four| {
            matches!(
                four,
                [b'k' | b'K' | b'w' | b'W', b'a' | b'A' | b'l' | b'L', b't' | b'T' | b'a' | b'A', _]
            )
        });
    if is_plain { Cow::Borrowed(line) } else { Cow::Owned(small(line)) }
}

/// A text whose letters are small, byte for byte as long.
pub(super) fn small(line: &[u8]) -> Vec<u8> {
    let mut small = line.to_ascii_lowercase();
    for at in 1..small.len() {
        if let Some([first, second]) = small.get_mut(at - 1..=at) {
            (*first, *second) = small_pair(*first, *second);
        }
    }
    small
}

/// The small letter of two bytes: Latin with marks, Greek and Cyrillic.
fn small_pair(first: u8, second: u8) -> (u8, u8) {
    match (first, second) {
        (0xc3, 0x80..=0x9e) if second != 0x97 => (first, second + 0x20),
        (0xc4 | 0xc5, 0x80..=0xb6 | 0xb9..=0xbe) => (first, small_of_two(first, second)),
        (0xce, 0x91..=0x9f) => (0xce, second + 0x20),
        (0xce, 0xa0..=0xab) => (0xcf, second - 0x20),
        (0xd0, 0x90..=0x9f) => (0xd0, second + 0x20),
        (0xd0, 0xa0..=0xaf) => (0xd1, second - 0x20),
        (0xd0, 0x80..=0x8f) => (0xd1, second + 0x10),
        _ => (first, second),
    }
}

/// Where capitals and small letters take turns: capitals are even up to `ķ`, odd from there to `ň`, even up to `ŷ`, odd at the end.
fn small_of_two(first: u8, second: u8) -> u8 {
    let is_odd = matches!((first, second), (0xc4 | 0xc5, 0xb9..) | (0xc5, ..=0x88));
    if (second & 1 == 1) == is_odd { second + 1 } else { second }
}

/// The word that stands at a position of a line in small letters: where it ends, and what it says.
pub(super) fn at(line: &[u8], at: usize) -> Option<(usize, Strength)> {
    let rest = from(line, at);
    if !may_be_foreign(rest) {
        return None;
    }
    let (word, strength) = WORDS.iter().find(|(word, _)| rest.starts_with(word.as_bytes()))?;
    let end = at + word.len();
    // Languages decline such words, except for those that write no blanks.
    let is_declined = byte(word.as_bytes(), 0) < 0xe2;
    Some((if is_declined { word_end(line, end) } else { end }, *strength))
}

/// Whether a word of the list may begin at a position.
pub(super) fn may_begin(line: &[u8], at: usize) -> bool {
    may_be_foreign(from(line, at))
}

/// Whether a byte belongs to a letter that is not in ASCII, rather than to a sign.
pub(super) fn is_foreign(line: &[u8], at: usize) -> bool {
    if byte(line, at) < 0x80 {
        return false;
    }
    let start = (0..3).map(|back| at.saturating_sub(back)).find(|at| byte(line, *at) >= 0xc0).unwrap_or(at);
    match (byte(line, start), byte(line, start + 1)) {
        (0xc2 | 0xe2, _) => false,
        (0xe3, second) => !(second == 0x80 || second == 0x83 && byte(line, start + 2) == 0xbb),
        (0xef, second) => second < 0xbc,
        _ => true,
    }
}

/// Where the word ends that goes on at a position.
fn word_end(line: &[u8], at: usize) -> usize {
    (at..line.len()).find(|at| !is(byte(line, *at), ALNUM) && !is_foreign(line, *at)).unwrap_or(line.len())
}

/// Where the word begins that goes on before a position.
pub(super) fn word_start(line: &[u8], at: usize) -> usize {
    let most = at.saturating_sub(48);
    (most..at)
        .rev()
        .find(|at| !is(byte(line, *at), WORD | DASH | DOT) && !is_foreign(line, *at))
        .map_or(most, |at| at + 1)
}

/// A name in ASCII, as far as letters with marks have one without: `Contraseña` is `Contrasena`.
pub(super) fn plain(name: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(name.len());
    let mut at = 0;
    while at < name.len() {
        let here = byte(name, at);
        let (letter, length) = match (here, byte(name, at + 1)) {
            (0xc3, second) => (unmarked(second), 2),
            (0xc4, 0x80..=0x85) => (b'a', 2),
            (0xc4, 0x86..=0x8d) => (b'c', 2),
            (0xc4, 0x8e..=0x91) => (b'd', 2),
            (0xc4, 0x92..=0x9b) => (b'e', 2),
            (0xc4, 0xa8..=0xb1) => (b'i', 2),
            (0xc5, 0x81..=0x82) => (b'l', 2),
            (0xc5, 0x83..=0x88) => (b'n', 2),
            (0xc5, 0x8c..=0x91) => (b'o', 2),
            (0xc5, 0x9a..=0xa1) => (b's', 2),
            (0xc5, 0xa8..=0xb3) => (b'u', 2),
            (0xc5, 0xb9..=0xbe) => (b'z', 2),
            _ => (here, 1),
        };
        plain.push(letter);
        at += length;
    }
    plain
}

/// The letter of `À` to `ÿ` without its mark.
fn unmarked(second: u8) -> u8 {
    match second | 0x20 {
        0xa0..=0xa6 => b'a',
        0xa7 => b'c',
        0xa8..=0xab => b'e',
        0xac..=0xaf => b'i',
        0xb0 => b'd',
        0xb1 => b'n',
        0xb2..=0xb6 | 0xb8 => b'o',
        0xb9..=0xbc => b'u',
        _ => b'y',
    }
}

/// Whether a word in a text says that it is about a secret, in any of these languages.
pub(super) fn speaks(text: &[u8]) -> bool {
    if text.is_ascii() {
        return false;
    }
    let small = small(text);
    (0..small.len()).any(|place| byte(&small, place) >= 0x80 && place_speaks(&small, place))
}

/// Whether a word of the list has its first letter beyond ASCII here.
fn place_speaks(line: &[u8], place: usize) -> bool {
    let begins = |back: usize| place.checked_sub(back).is_some_and(|start| at(line, start).is_some());
    (0..10).any(begins)
}

/// How many digits a text has.
pub(super) fn digits(text: &[u8]) -> usize {
    text.iter().take(256).filter(|byte| is(**byte, DIGIT)).count()
}
