//! A command that no shell reads, as words.

/// The words of a command: blanks separate, quotes and backslashes keep together, nothing is expanded. `None` if a quote
/// is not closed.
pub(super) fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => quoted(&mut letters, word.get_or_insert_default())?,
            '"' => double_quoted(&mut letters, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(letters.next()?),
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

fn quoted(letters: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        match letters.next()? {
            '\'' => return Some(()),
            letter => word.push(letter),
        }
    }
}

fn double_quoted(letters: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        match letters.next()? {
            '"' => return Some(()),
            '\\' => match letters.next()? {
                letter @ ('"' | '\\') => word.push(letter),
                letter => word.extend(['\\', letter]),
            },
            letter => word.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_posix_quotes_them() {
        for (command, words) in [
            ("a  b\tc\n", vec!["a", "b", "c"]),
            ("'a b' \"c d\" e\\ f", vec!["a b", "c d", "e f"]),
            ("a'b'\"c\"d ''", vec!["abcd", ""]),
            (r#""a\"b\\c\n""#, vec![r#"a"b\c\n"#]),
            ("$HOME `x` $(y) a;b|c #d", vec!["$HOME", "`x`", "$(y)", "a;b|c", "#d"]),
            ("", vec![]),
        ] {
            assert_eq!(split(command).unwrap(), words, "{command}");
        }
    }

    #[test]
    fn what_is_not_closed_is_no_command() {
        for command in ["'a", "\"a", "a\\", "\"a\\"] {
            assert_eq!(split(command), None, "{command}");
        }
    }
}
