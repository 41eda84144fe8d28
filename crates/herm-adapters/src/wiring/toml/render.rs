//! Writes TOML.

use super::super::item::Item;

/// The lines of a table, or of a list of tables, with those inside it.
pub(super) fn tables(path: &[String], value: &Item) -> Vec<String> {
    let name = path.iter().map(|key| name(key)).collect::<Vec<_>>().join(".");
    match value {
        Item::List(items) => {
            items.iter().flat_map(|item| table(&format!("[[{name}]]"), path, item)).collect()
        }
        Item::Map(_) => table(&format!("[{name}]"), path, value),
        Item::Flag(_) | Item::Null | Item::Number(_) | Item::Text(_) => Vec::new(),
    }
}

fn table(header: &str, path: &[String], value: &Item) -> Vec<String> {
    let is_table = |value: &Item| match value {
        Item::List(items) => items.iter().all(|item| matches!(item, Item::Map(_))),
        Item::Map(_) => true,
        Item::Flag(_) | Item::Null | Item::Number(_) | Item::Text(_) => false,
    };
    let (inner, own): (Vec<_>, Vec<_>) = value.pairs().iter().partition(|(_, value)| is_table(value));
    // A table that only holds tables needs no header, unless it is one of a list.
    let is_needed = header.starts_with("[[") || !own.is_empty() || inner.is_empty();
    let mut lines: Vec<String> = is_needed.then(|| header.to_owned()).into_iter().collect();
    lines.extend(own.iter().map(|(key, value)| pair(key, value)));
    for (key, value) in inner {
        let path: Vec<String> = path.iter().cloned().chain([key.clone()]).collect();
        lines.extend(tables(&path, value));
    }
    lines
}

/// A line that says one thing.
pub(super) fn pair(key: &str, item: &Item) -> String {
    format!("{} = {}", name(key), value(item))
}

/// A value on one line.
pub(super) fn value(item: &Item) -> String {
    match item {
        Item::Flag(flag) => flag.to_string(),
        Item::List(items) => format!("[{}]", items.iter().map(value).collect::<Vec<_>>().join(", ")),
        Item::Map(pairs) => {
            let parts: Vec<_> = pairs.iter().map(|(key, value)| pair(key, value)).collect();
            format!("{{ {} }}", parts.join(", "))
        }
        Item::Null => String::new(),
        Item::Number(number) => number.clone(),
        Item::Text(text) => quoted(text),
    }
}

fn name(key: &str) -> String {
    let is_bare =
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if is_bare { key.to_owned() } else { quoted(key) }
}

/// What JSON writes in quotes, TOML reads.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
