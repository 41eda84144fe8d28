//! The forms in which a server may send a secret back.

use super::base64;

/// A secret as it is, as addresses and JSON write it, as digits, and encoded behind whatever stands before it.
pub(super) fn of(secret: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = vec![secret.to_vec()];
    forms.extend([Case::Lower, Case::Upper].into_iter().flat_map(|case| {
        [
            each(secret, |byte| if is_plain(byte) { vec![byte] } else { case.digits("%", byte) }),
            each(secret, |byte| if is_markup(byte) { case.digits("\\u00", byte) } else { vec![byte] }),
            each(secret, |byte| case.digits("", byte)),
        ]
    }));
    forms.push(each(secret, |byte| if byte == b'/' { b"\\/".to_vec() } else { vec![byte] }));
    for before in 0..3 {
        let coded = encoded(secret, before);
        forms.push(each(&coded, |byte| vec![url_safe(byte)]));
        forms.push(coded);
    }
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// How digits above nine are written.
#[derive(Clone, Copy)]
enum Case {
    Lower,
    Upper,
}

impl Case {
    fn digits(self, before: &str, byte: u8) -> Vec<u8> {
        match self {
            Self::Lower => format!("{before}{byte:02x}"),
            Self::Upper => format!("{before}{byte:02X}"),
        }
        .into_bytes()
    }
}

fn each(bytes: &[u8], write: impl Fn(u8) -> Vec<u8>) -> Vec<u8> {
    bytes.iter().flat_map(|byte| write(*byte)).collect()
}

/// What addresses leave as it is.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// What writers of JSON escape for the sake of pages that it is put into.
fn is_markup(byte: u8) -> bool {
    b"\"&'+/<=>".contains(&byte)
}

/// The letters that depend on the secret alone where so many bytes, or three more, stand before it. One at each end may depend on what is
/// beside it as well.
fn encoded(secret: &[u8], before: usize) -> Vec<u8> {
    let whole: Vec<u8> = std::iter::repeat_n(0, before).chain(secret.iter().copied()).collect();
    let letters = (8 * before).div_ceil(6)..8 * whole.len() / 6;
    base64::encode(&whole).as_bytes().get(letters).unwrap_or_default().to_vec()
}

fn url_safe(letter: u8) -> u8 {
    match letter {
        b'+' => b'-',
        b'/' => b'_',
        letter => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::super::veil::Veil;
    use super::*;

    #[test]
    fn it_is_hidden_however_it_comes_back() {
        let secret = b"se/cr+et<1>";
        let hidden = |text: &str| Veil::new(of(secret)).hide_all(text.as_bytes()).contains(&b'*');
        for text in [
            "x se/cr+et<1> y",
            "se%2Fcr%2Bet%3C1%3E",
            "se%2fcr%2bet%3c1%3e",
            r"se\/cr+et<1>",
            r"se\u002fcr\u002bet\u003c1\u003e",
            "73652f63722b65743c313e",
            "73652F63722B65743C313E",
        ] {
            assert!(hidden(text), "{text}");
        }
        for user in ["", "x:", "me:", "git:", "user:", "someone@example.com:"] {
            for rest in ["", "!", "!!", "and more"] {
                let coded = base64::encode(format!("{user}se/cr+et<1>{rest}").as_bytes());
                assert!(hidden(&coded), "{user}{rest}: {coded}");
                assert!(hidden(&coded.replace('+', "-").replace('/', "_")), "{user}{rest}: {coded}");
            }
        }
        assert!(!hidden("nothing of it: se/cr, et<1>"));
    }
}
