//! What people and programs see.

pub(crate) mod changes;
pub(crate) mod colour;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod escape;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod matter;
pub(crate) mod policy;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod scanner;
pub(crate) mod underline;
pub(crate) mod width;

/// `1 test`, `2 tests`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// "`a`", "`a` or `b`", "`a`, `b` or `c`".
pub(crate) fn either(words: &[&str]) -> String {
    let ticked: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match ticked.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
