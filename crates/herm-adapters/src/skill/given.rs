//! What a model gives a sheet, put into its text as Claude Code does.

use super::head::Head;

/// The text with what is given in it. Nothing where it cannot be told which word of it goes where.
pub(super) fn put_in(text: &str, given: Option<&str>, head: &Head) -> Option<String> {
    let Some(given) = given else { return Some(text.to_owned()) };
    let names = head.names("arguments");
    if !head.is_clear() && head.may_have(&["arguments"]) {
        return None;
    }
    let words = words(given);
    let mut put = String::new();
    let mut is_put = false;
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        put.push_str(before);
        rest = after;
        let Some((place, length)) = Place::at(after, &names) else {
            put.push('$');
            continue;
        };
        // A backslash alone keeps it as it is, and goes.
        if before.ends_with('\\') && !before.ends_with("\\\\") {
            put.pop();
            put.push('$');
            continue;
        }
        let value = match place {
            Place::All => Some(given.to_owned()),
            Place::Named(number) => Some(words.as_ref()?.get(number).cloned().unwrap_or_default()),
            Place::Word(number) => words.as_ref()?.get(number).cloned(),
        };
        let Some(value) = value else {
            put.push('$');
            continue;
        };
        put.push_str(&value);
        is_put = true;
        rest = after.get(length..).unwrap_or_default();
    }
    put.push_str(rest);
    if !is_put && !given.is_empty() {
        put.push_str("\n\nARGUMENTS: ");
        put.push_str(given);
    }
    Some(put)
}

/// What stands after a `$`.
enum Place {
    All,
    Named(usize),
    Word(usize),
}

impl Place {
    /// With how many bytes it takes.
    fn at(text: &str, names: &[String]) -> Option<(Self, usize)> {
        let is_end =
            |rest: &str| !rest.starts_with(|c: char| c == '[' || c == '_' || c.is_ascii_alphanumeric());
        let own =
            names.iter().enumerate().filter(|(_, name)| text.strip_prefix(name.as_str()).is_some_and(is_end));
        if let Some((number, name)) = own.max_by_key(|(_, name)| name.len()) {
            return Some((Self::Named(number), name.len()));
        }
        if let Some(rest) = text.strip_prefix("ARGUMENTS") {
            let index = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(index, _)| index);
            let number = index.and_then(|index| Some((number(index)?, index.len())));
            let whole = (Self::All, "ARGUMENTS".len());
            return Some(number.map_or(whole, |(number, length)| {
                (Self::Word(number), "ARGUMENTS[]".len().saturating_add(length))
            }));
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = text.split_at_checked(digits)?;
        let is_apart = !rest.starts_with(|c: char| c == '_' || c.is_ascii_alphanumeric());
        Some((Self::Word(number(digits).filter(|_| is_apart)?), digits.len()))
    }
}

fn number(digits: &str) -> Option<usize> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(usize::MAX))
}

/// The words of what is given. Nothing where it takes a shell to tell them apart.
fn words(given: &str) -> Option<Vec<String>> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "_-./,:=@%+".contains(c);
    given.chars().all(is_plain).then(|| given.split_ascii_whitespace().map(str::to_owned).collect())
}
