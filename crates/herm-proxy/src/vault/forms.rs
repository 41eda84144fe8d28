//! The forms in which a server may send a secret back.

use super::base64;

/// What may stand at each place of a secret, before each letter is spelled in one way or another: two letters where a form has two of them
/// for the same, and twice the same one otherwise.
pub(super) type Form = Vec<[u8; 2]>;

/// A secret as it is, as digits, and encoded behind whatever stands before it.
pub(super) fn of(secret: &[u8]) -> Vec<Form> {
    let mut forms = vec![secret.iter().map(|letter| [*letter; 2]).collect(), digits(secret)];
    forms.extend((0..3).map(|before| {
        encoded(secret, before).into_iter().map(|letter| [letter, url_safe(letter)]).collect()
    }));
    forms
}

/// Bytes as hexadecimal digits, in either case.
fn digits(bytes: &[u8]) -> Form {
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = halves.filter_map(|half| char::from_digit(u32::from(half), 16));
    digits
        .filter_map(|digit| u8::try_from(digit).ok())
        .map(|digit| [digit, digit.to_ascii_uppercase()])
        .collect()
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

    fn hides(secret: &[u8], text: &str) -> bool {
        let hidden = Veil::new(of(secret)).hide_all(text.as_bytes());
        assert_eq!(hidden.len(), text.len(), "{text}");
        hidden.contains(&b'*')
    }

    #[test]
    fn it_is_hidden_however_it_comes_back() {
        let hidden = |text: &str| hides(b"se/cr+et<1>", text);
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
                // An encoded secret is put into addresses and JSON like any other text.
                assert!(hidden(&coded.replace('+', "%2B").replace('/', "%2f")), "{user}{rest}: {coded}");
                assert!(hidden(&coded.replace('/', r"\/")), "{user}{rest}: {coded}");
            }
        }
        assert!(!hidden("nothing of it: se/cr, et<1>"));
    }

    #[test]
    fn it_is_hidden_as_libraries_write_it() {
        for (secret, texts) in [
            (
                "ab+cd/efGH12==",
                &[
                    // Python's `quote`, and `quote` that leaves nothing
                    "ab%2Bcd/efGH12%3D%3D",
                    "ab%2Bcd%2FefGH12%3D%3D",
                    // JSON of .NET and PHP
                    r"ab\u002Bcd/efGH12==",
                    r"ab+cd\/efGH12==",
                    // pages, and strings in the scripts of pages
                    "ab+cd&#x2F;efGH12&#x3D;&#x3D;",
                    "ab&plus;cd&sol;efGH12&equals;&equals;",
                    r"ab\x2Bcd\x2FefGH12\x3D\x3D",
                ][..],
            ),
            (
                r#"p"q\r&s<t/u v"#,
                &[
                    // plain JSON, JSON of Go, JSON that minds everything
                    r#"p\"q\\r&s<t/u v"#,
                    r#"p\"q\\r\u0026s\u003ct/u v"#,
                    r"p\u0022q\u005cr\u0026s\u003ct\u002fu v",
                    // pages of Python, Go, PHP, and of those who are thorough
                    "p&quot;q\\r&amp;s&lt;t/u v",
                    "p&#34;q\\r&amp;s&lt;t/u v",
                    "p&#x22;q&#x5C;r&#38;s&#60;t&#47;u&#32;v",
                    // forms
                    "p%22q%5Cr%26s%3Ct%2Fu+v",
                    "p%22q%5cr%26s%3ct/u%20v",
                ][..],
            ),
        ] {
            for text in texts {
                assert!(hides(secret.as_bytes(), &format!("<{text}>")), "{text}");
            }
        }
    }

    #[test]
    fn what_is_only_like_it_stays() {
        for text in [
            "ab%2Ccd/efGH12%3D%3D",
            "ab%2Bcd/efGH12%3D",
            "ab\\u012Bcd/efGH12==",
            "ab&amp;cd/efGH12==",
            "ab cd/efGH12==",
            "\\ab+cd/efGH12=",
            "ab%252Bcd/efGH12==",
        ] {
            assert!(!hides(b"ab+cd/efGH12==", text), "{text}");
        }
    }
}
