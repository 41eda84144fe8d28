//! Makes text from outside harmless to look at.

use std::borrow::Cow;

/// Text in which every character that could deceive the eye or drive the terminal is written out.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        Cow::Borrowed(text)
    } else {
        text.chars().map(character).collect::<String>().into()
    }
}

/// One character, written out where it must be.
pub(crate) fn character(character: char) -> Cow<'static, str> {
    match character {
        '\n' => "\\n".into(),
        '\r' => "\\r".into(),
        '\t' => "\\t".into(),
        plain if is_plain(plain) => plain.to_string().into(),
        other => format!("\\u{{{:x}}}", u32::from(other)).into(),
    }
}

fn is_plain(character: char) -> bool {
    character == ' ' || !(character.is_control() || character.is_whitespace() || is_invisible(character))
}

/// Characters that have no shape of their own or change the order of others.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_drives_a_terminal_is_written_out() {
        assert_eq!(escape("a\x1b[31mb\n"), "a\\u{1b}[31mb\\n");
        assert_eq!(escape("\u{9b}2J\u{7f}"), "\\u{9b}2J\\u{7f}");
    }

    #[test]
    fn what_deceives_the_eye_is_written_out() {
        assert_eq!(escape("a\u{202e}b\u{200b}c\u{e0041}"), "a\\u{202e}b\\u{200b}c\\u{e0041}");
        assert_eq!(escape("a\u{a0}b"), "a\\u{a0}b");
    }

    #[test]
    fn letters_of_all_scripts_stay() {
        assert_eq!(escape("grüße 日本語 🙂"), "grüße 日本語 🙂");
    }
}
