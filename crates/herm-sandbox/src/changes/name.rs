//! Names as people may see them.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A path with everything escaped that is not plainly visible: control characters, what turns text around, bytes that are
/// no text. A backslash is doubled, so that two names are never shown alike.
#[must_use]
pub fn safe(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        for character in chunk.valid().chars() {
            push(&mut shown, character);
        }
        shown.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    shown
}

/// A line of a text with the same care; tabs stay.
pub(crate) fn safe_line(line: &str) -> String {
    let mut shown = String::new();
    for character in line.chars() {
        match character {
            '\t' | '\\' => shown.push(character),
            _ => push(&mut shown, character),
        }
    }
    shown
}

fn push(shown: &mut String, character: char) {
    match character {
        '\'' | '"' => shown.push(character),
        _ if is_hidden(character) => shown.extend(character.escape_unicode()),
        _ => shown.extend(character.escape_debug()),
    }
}

/// Characters that have no width or change the direction, and that the standard library counts as printable or not
/// depending on what stands before them.
fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn hostile_names_are_harmless_and_distinct() {
        let name = |bytes: &[u8]| safe(Path::new(OsStr::from_bytes(bytes)));
        assert_eq!(name(b"src/a b.rs"), "src/a b.rs");
        assert_eq!(name("Größe 字".as_bytes()), "Größe 字");
        assert_eq!(name(b"a\nb"), "a\\nb");
        assert_eq!(name(b"a\\nb"), "a\\\\nb");
        assert_eq!(name(b"\xff\x1b[31m"), "\\xff\\u{1b}[31m");
        assert_eq!(name("a\u{202e}txt.exe".as_bytes()), "a\\u{202e}txt.exe");
        assert_eq!(name("a\u{200b}".as_bytes()), "a\\u{200b}");
    }

    #[test]
    fn lines_keep_their_tabs_and_backslashes() {
        assert_eq!(safe_line("\tif \"a\\n\" \x1b]0;x\x07"), "\tif \"a\\n\" \\u{1b}]0;x\\u{7}");
    }
}
