//! Writes YAML.

use super::super::item::Item;

/// The lines of a member.
pub(super) fn block_member(key: &str, value: &Item, indent: usize) -> Vec<String> {
    let blanks = " ".repeat(indent);
    let name = text(key);
    match value {
        Item::Map(pairs) if !pairs.is_empty() => {
            let inner = pairs.iter().flat_map(|(key, value)| block_member(key, value, indent + 2));
            [format!("{blanks}{name}:")].into_iter().chain(inner).collect()
        }
        Item::List(items) if !items.is_empty() => {
            let inner = items.iter().flat_map(|item| block_item(item, indent + 2));
            [format!("{blanks}{name}:")].into_iter().chain(inner).collect()
        }
        Item::Flag(_) | Item::List(_) | Item::Map(_) | Item::Null | Item::Number(_) | Item::Text(_) => {
            vec![format!("{blanks}{name}: {}", flow(value))]
        }
    }
}

/// The lines of an item, with its dash.
pub(super) fn block_item(item: &Item, indent: usize) -> Vec<String> {
    let blanks = " ".repeat(indent);
    let pairs = item.pairs();
    if pairs.is_empty() {
        return vec![format!("{blanks}- {}", flow(item))];
    }
    let lines = pairs.iter().flat_map(|(key, value)| block_member(key, value, indent + 2));
    let dashed = |(number, line): (usize, String)| match line.strip_prefix(&format!("{blanks}  ")) {
        Some(rest) if number == 0 => format!("{blanks}- {rest}"),
        Some(_) | None => line,
    };
    lines.enumerate().map(dashed).collect()
}

/// A value in brackets, on one line.
pub(super) fn flow(item: &Item) -> String {
    match item {
        Item::Flag(flag) => flag.to_string(),
        Item::List(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Item::Map(pairs) => {
            let parts: Vec<_> =
                pairs.iter().map(|(key, value)| format!("{}: {}", text(key), flow(value))).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Item::Null => "null".to_owned(),
        Item::Number(number) => number.clone(),
        Item::Text(words) => text(words),
    }
}

/// A text as it is where that can be taken for nothing else, in quotes otherwise.
fn text(words: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._- ".contains(&byte);
    let begins = words.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'/');
    let reserved = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_word = reserved.contains(&words.to_ascii_lowercase().as_str());
    if begins && !is_word && !words.ends_with(' ') && words.bytes().all(is_plain) {
        return words.to_owned();
    }
    serde_json::Value::from(words).to_string()
}

/// Lines with their ends.
pub(super) fn joined(lines: &[String], newline: &str) -> String {
    lines.iter().flat_map(|line| [line, newline]).collect()
}
