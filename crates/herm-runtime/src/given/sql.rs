//! Statements for a database in what a tool is given.

use herm::call::Exec;
use herm_adapters::keys;
use herm_shell::Lang;
use serde_json::{Map, Value};

use super::found::Found;

/// Finds what a database would be told: what is named for it, and what stands where questions do and reads like it.
pub(super) fn find(found: &mut Found, fields: &Map<String, Value>) {
    for (key, field) in fields {
        let items = field.as_array().map_or_else(|| std::slice::from_ref(field), Vec::as_slice);
        for text in items.iter().filter_map(Value::as_str) {
            if is_meant(found, key, text) {
                found.run(Exec::new(text, Lang::Sql));
            }
        }
    }
}

/// Whether a text under a key is for a database.
pub(super) fn is_meant(found: &Found, key: &str, text: &str) -> bool {
    let is_asked = keys::is_query(key) || found.name.asks_database() && keys::is_command(key);
    let is_told = found.name.asks_database() || !found.name.searches() && reads_so(text);
    keys::is_sql(key) || is_asked && is_told
}

/// Whether a text reads like statements, and not like a sentence that begins with the same word.
fn reads_so(text: &str) -> bool {
    uncommented(text).split(';').any(|statement| {
        let words: Vec<String> = statement.split_whitespace().map(str::to_ascii_uppercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        is_statement(&words)
    })
}

/// The text without what a database passes over.
fn uncommented(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let mut parts = Vec::new();
    for (at, part) in lines.join("\n").split("/*").enumerate() {
        let rest = if at == 0 { part } else { part.split_once("*/").map_or("", |(_, rest)| rest) };
        parts.push(rest.to_owned());
    }
    parts.join(" ")
}

fn is_statement(words: &[&str]) -> bool {
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    match words {
        ["ALTER" | "CREATE" | "DROP", kind, ..] => KINDS.contains(kind),
        ["DELETE", "FROM", _, next, ..] => AFTER_TABLE.contains(next),
        ["UPDATE", rest @ ..] => rest.iter().take(4).any(|word| *word == "SET"),
        ["SELECT", rest @ ..] => has(&["FROM"]) || rest.iter().any(|word| word.contains('(')),
        ["GRANT" | "REVOKE", ..] => has(&["ON"]) && has(&["TO", "FROM"]),
        ["ATTACH", "DATABASE", ..]
        | ["COPY", _, "FROM" | "TO", ..]
        | ["DELETE", "FROM", _]
        | ["INSERT" | "MERGE" | "REPLACE", "INTO", ..]
        | ["LOAD", "DATA", ..]
        | ["TRUNCATE", "TABLE", ..]
        | ["TRUNCATE", _]
        | ["WITH", _, "AS", ..] => true,
        _ => false,
    }
}

const KINDS: &[&str] = &[
    "COLUMN",
    "DATABASE",
    "EXTENSION",
    "FUNCTION",
    "INDEX",
    "OR",
    "PROCEDURE",
    "ROLE",
    "SCHEMA",
    "SEQUENCE",
    "SYSTEM",
    "TABLE",
    "TABLESPACE",
    "TEMP",
    "TEMPORARY",
    "TRIGGER",
    "TYPE",
    "UNIQUE",
    "USER",
    "VIEW",
];

const AFTER_TABLE: &[&str] = &["AS", "LIMIT", "ORDER", "RETURNING", "USING", "WHERE"];

#[cfg(test)]
mod tests {
    use super::reads_so;

    #[test]
    fn statements_are_told_from_sentences() {
        for text in [
            "DROP TABLE users",
            "delete from users",
            "DELETE FROM users WHERE true",
            "select 1; drop database x",
            "UPDATE users SET a = 1",
            "SELECT pg_read_file('/etc/shadow')",
            "COPY t TO PROGRAM 'id'",
            "-- a word\n/* and\nmore */ drop/**/table users",
        ] {
            assert!(reads_so(text), "{text}");
        }
        for text in [
            "how to rm -rf /",
            "delete from my memory what I said",
            "drop it",
            "update the docs",
            "select a good name",
            "create a file",
            "with love",
        ] {
            assert!(!reads_so(text), "{text}");
        }
    }
}
