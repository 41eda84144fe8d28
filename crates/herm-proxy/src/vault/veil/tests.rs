use super::super::{base64, forms};
use super::*;

fn veil(values: &[&[u8]]) -> Veil {
    Veil::new(values.iter().map(|value| value.iter().map(|letter| [*letter; 2]).collect()).collect())
}

/// What comes out of pieces.
fn in_pieces<'a>(veil: &mut Veil, pieces: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut out: Vec<u8> = pieces.flat_map(|piece| veil.hide(piece)).collect();
    out.extend(veil.rest());
    out
}

#[test]
fn a_value_is_found_however_it_is_cut() {
    let text = b"x=SECRET;y=SECSECRETRET;&#83;%45%43\\u0052ET;SECRE";
    let expected = b"x=******;y=SEC******RET;*******************;SECRE";
    let mut veil = veil(&[b"SECRET", b"OTHER-VALUE"]);
    for size in 1..text.len() {
        assert_eq!(in_pieces(&mut veil, text.chunks(size)), expected, "{size}");
    }
}

#[test]
fn only_what_may_become_a_value_is_held_back() {
    let mut secret = veil(&[b"SECRET"]);
    assert_eq!(secret.hide(b"data: x\n\n"), b"data: x\n\n");
    assert_eq!(secret.hide(b"data: SEC"), b"data: ");
    assert_eq!(secret.hide(b"OND\n"), b"SECOND\n");
    assert_eq!(secret.hide(b"SSECRE"), b"S");
    assert_eq!(secret.hide(b"T"), b"******");
    assert_eq!(secret.hide(b"a & b, %20 &quot;"), b"a & b, %20 &quot;");
    assert_eq!(secret.hide(b"100 %"), b"100 ");
    assert_eq!(secret.hide(b" &am"), b"% ");
    assert_eq!(secret.hide(b"p; \\"), b"&amp; ");
    assert_eq!(secret.hide(b"n"), b"\\n");
    assert_eq!(secret.rest(), b"");
    assert_eq!(veil(&[b""]).hide(b"abc & %"), b"abc & %");
}

#[test]
fn values_that_overlap_are_all_hidden() {
    let both = veil(&[b"abcd&", b"amp;wxyz", b"cdcdcd"]);
    assert_eq!(both.hide_all(b"abcd&amp;wxyz"), b"*************");
    assert_eq!(both.hide_all(b"cdcdcdcd."), b"********.");
    // What looks like a spelling may be meant as it stands, and the other way round.
    let percent = veil(&[b"a%41bc", b"x\\u0041y", b"+ +"]);
    assert_eq!(percent.hide_all(b"a%41bc a%2541bc aAbc"), b"****** ******** aAbc");
    assert_eq!(percent.hide_all(br"x\u0041y x\\u0041y xAy"), b"******** ********* xAy");
    assert_eq!(percent.hide_all(b"+ +.%2B+%2b"), b"***.*******");
}

#[test]
fn a_value_that_repeats_itself_costs_no_more_than_its_length() {
    let forms = forms::of(&[b'a'; 64]);
    let steps: usize = forms.iter().map(Vec::len).sum();
    let mut veil = Veil::new(forms);
    for _ in 0..1000 {
        veil.hide(b"aaaa%61%61aaaa%61a&#97;aaaa61616161YWFhYWFh");
        assert!(veil.begun.iter().all(|ways| ways.len() <= steps));
        assert!(veil.held.len() <= 3 * 128 * LONGEST, "{}", veil.held.len());
    }
    veil.hide(b".");
    assert_eq!(veil.held, b"");
}

/// A generator (xorshift), the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }

    fn of(&mut self, alphabet: &[u8], length: usize) -> Vec<u8> {
        (0..length).map(|_| alphabet[self.below(alphabet.len())]).collect()
    }

    /// One of the ways to write a letter.
    fn spelled(&mut self, letter: u8) -> Vec<u8> {
        let zeros = "0".repeat(self.below(5));
        let mut ways = vec![
            vec![letter],
            format!("%{letter:02x}").into_bytes(),
            format!("%{letter:02X}").into_bytes(),
            format!("%u{letter:04X}").into_bytes(),
            format!("\\u{letter:04x}").into_bytes(),
            format!("\\u{letter:04X}").into_bytes(),
            format!("\\x{letter:02x}").into_bytes(),
            format!("&#{zeros}{letter};").into_bytes(),
            format!("&#x{zeros}{letter:x};").into_bytes(),
            format!("&#X{zeros}{letter:X};").into_bytes(),
        ];
        if letter == b' ' || letter.is_ascii_punctuation() {
            ways.push(vec![b'\\', letter]);
        }
        if letter == b' ' {
            ways.push(b"+".to_vec());
        }
        let names = spelling::NAMES.iter().filter(|(_, named)| *named == letter);
        ways.extend(names.map(|(name, _)| format!("&{name};").into_bytes()));
        ways.swap_remove(self.below(ways.len()))
    }

    /// The text in pieces of whatever size.
    fn hidden(&mut self, secret: &[u8], text: &[u8]) -> Vec<u8> {
        let mut veil = Veil::new(forms::of(secret));
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let most = if self.below(2) == 0 { 3 } else { rest.len() };
            let (piece, after) = rest.split_at(self.below(most.min(rest.len()) + 1));
            pieces.push(piece);
            rest = after;
        }
        let hidden = in_pieces(&mut veil, pieces.into_iter());
        assert_eq!(hidden, veil.hide_all(text), "{}", String::from_utf8_lossy(text));
        hidden
    }

    fn secret(&mut self) -> Vec<u8> {
        let length = 8 + self.below(40);
        let graphic: Vec<u8> = (b' '..=b'~').collect();
        let alphabet: &[u8] = match self.below(4) {
            0 => b"%&;\\+ #xu0126amp",
            1 => b"aA",
            _ => &graphic,
        };
        self.of(alphabet, length)
    }
}

const ROUNDS: usize = 1000;

/// Letters that no secret has, and letters that may belong to spellings.
const FOREIGN: &[u8] = b"\x80\xc3\xff\n\t\0";
const HARD: &[u8] = b"%&;\\+ #xu0126amp\xff";

#[test]
fn no_secret_survives_whatever_is_spelled_how_and_cut_where() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for round in 0..ROUNDS {
        let secret = random.secret();
        let spelled: Vec<u8> = secret.iter().flat_map(|letter| random.spelled(*letter)).collect();
        let around = if round % 2 == 0 { FOREIGN } else { HARD };
        let (before, after) = (random.below(40), random.below(40));
        let (before, after) = (random.of(around, before), random.of(around, after));
        let text = [&before[..], &spelled, &after].concat();
        let hidden = random.hidden(&secret, &text);
        let stars = b"*".repeat(spelled.len());
        let covered = &hidden[before.len()..before.len() + spelled.len()];
        assert_eq!(covered, stars, "{:?} in {:?}", String::from_utf8_lossy(&secret), text);
        if around == FOREIGN {
            assert_eq!(hidden, [before, stars, after].concat());
        }
    }
}

#[test]
fn no_encoded_secret_survives_either() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..ROUNDS {
        let secret = random.secret();
        let (before, after) = (random.below(7), random.below(7));
        let whole = [random.of(b"user:", before), secret.clone(), random.of(b"more!", after)].concat();
        let letters = (8 * before).div_ceil(6)..8 * (before + secret.len()) / 6;
        let mut text = Vec::new();
        let mut expected = Vec::new();
        for (place, letter) in base64::encode(&whole).bytes().enumerate() {
            let spelled = random.spelled(letter);
            expected.extend(if letters.contains(&place) {
                vec![b'*'; spelled.len()]
            } else {
                spelled.clone()
            });
            text.extend(spelled);
        }
        assert_eq!(random.hidden(&secret, &text), expected, "{secret:?}");
    }
}

#[test]
fn what_differs_in_one_letter_is_left_as_it_is() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    for _ in 0..ROUNDS {
        let length = 8 + random.below(40);
        // Without the marks, which the spelling of the wrong letter may begin with.
        let secret = random.of(b"ghijklmnopqrstuvwxyz+/<>\"' =", length);
        let wrong = random.below(secret.len());
        let text: Vec<u8> = secret
            .iter()
            .enumerate()
            .flat_map(|(place, letter)| random.spelled(if place == wrong { b'Z' } else { *letter }))
            .collect();
        assert_eq!(random.hidden(&secret, &text), text, "{:?}", String::from_utf8_lossy(&secret));
    }
}
