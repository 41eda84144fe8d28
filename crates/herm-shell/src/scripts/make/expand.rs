//! References to variables, and what they become.
//!
//! In a *list* (targets, what they need, conditions) a text becomes names, with marks for what is not known. In a *recipe* it
//! becomes shell text: what make would ask the machine for stands there as the shell's own substitution or variable, so
//! that the shell's reader knows where it comes from.

use super::rules::Making;
use super::text::ANY;
use super::wanted::Given;
use super::{Make, TEXT_MOST};

/// Where a text is expanded.
#[derive(Clone, Copy)]
pub(super) enum Use<'u> {
    List,
    Recipe(Option<&'u Making>),
}

impl<'u> Use<'u> {
    pub(super) fn making(self) -> Option<&'u Making> {
        match self {
            Self::List => None,
            Self::Recipe(making) => making,
        }
    }
}

impl Make<'_> {
    /// The text as a list of names.
    pub(super) fn list(&mut self, text: &str) -> String {
        self.expand(text, Use::List)
    }

    /// The text as it is handed to the shell.
    pub(super) fn recipe(&mut self, text: &str, making: Option<&Making>) -> String {
        self.expand(text, Use::Recipe(making))
    }

    pub(super) fn expand(&mut self, text: &str, usage: Use<'_>) -> String {
        if !text.contains('$') {
            return text.to_owned();
        }
        let expanded = self.deeper(|make| make.expand_parts(text, usage));
        expanded.unwrap_or_else(|| ANY.to_string())
    }

    fn expand_parts(&mut self, text: &str, usage: Use<'_>) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            if out.len() > TEXT_MOST || !self.spend(before.len()) {
                out.push(ANY);
                return out;
            }
            let (reference, remaining) = reference(after);
            match reference {
                Reference::Dollar => out.push('$'),
                Reference::Name(name) => out.push_str(&self.reference(name, usage)),
            }
            rest = remaining;
        }
        out.push_str(rest);
        out
    }

    fn reference(&mut self, name: &str, usage: Use<'_>) -> String {
        if let Some((function, arguments)) = name.split_once([' ', '\t'])
            && let Some(result) = self.function(function, arguments.trim_start(), usage)
        {
            return result;
        }
        let name = self.expand(name, usage);
        if let Some(making) = usage.making()
            && let Some(own) = automatic(&name, making)
        {
            return own;
        }
        if let Some((name, (from, to))) =
            name.split_once(':').and_then(|(name, change)| Some((name, change.split_once('=')?)))
        {
            let words = self.variable(name, Use::List);
            let (from, to) = if from.contains('%') {
                (from.to_owned(), to.to_owned())
            } else {
                (format!("%{from}"), format!("%{to}"))
            };
            return super::functions::patsubst(&from, &to, &words);
        }
        self.variable(&name, usage)
    }

    /// What a variable becomes.
    pub(super) fn variable(&mut self, name: &str, usage: Use<'_>) -> String {
        match self.wanted.variable(name) {
            Some(Given::Text(text)) => {
                let text = text.to_owned();
                return self.expand(&text, usage);
            }
            Some(Given::Unknown) => return unknown(name, usage),
            None => {}
        }
        let specific = usage.making().and_then(|making| self.specific_to(&making.target, name));
        if let Some(value) = specific {
            return self.expand(&value, usage);
        }
        match self.variables.get(name) {
            Some(variable) => match (&variable.list, usage) {
                (Some(list), Use::List) => list.clone(),
                (None, Use::List) | (_, Use::Recipe(_)) => {
                    let text = variable.recipe.clone();
                    self.expand(&text, usage)
                }
            },
            None => self.inherited(name, usage),
        }
    }

    fn specific_to(&self, target: &str, name: &str) -> Option<String> {
        let own = self.specific.get(target)?;
        let (_, value) = own.iter().rev().find(|(own, _)| own == name)?;
        // `NAME += more` refers to what the makefile says for all.
        let outer = self.variables.get(name).map_or("", |variable| &variable.recipe);
        Some(value.replace(&format!("$({name})"), outer))
    }

    /// A variable that the makefile does not set: make's own, or one of the environment.
    fn inherited(&mut self, name: &str, usage: Use<'_>) -> String {
        let own = OWN.iter().find(|(own, _)| *own == name);
        if let Some((_, value)) = own {
            return (*value).to_owned();
        }
        match usage {
            Use::Recipe(_) if is_plain(name) => unknown(name, usage),
            Use::List if self.sink.changes_variable(name) => ANY.to_string(),
            Use::List | Use::Recipe(_) => String::new(),
        }
    }
}

/// What make sets by itself.
const OWN: &[(&str, &str)] = &[
    ("MAKE", "make"),
    ("CURDIR", "."),
    ("RM", "rm -f"),
    ("AR", "ar"),
    ("AS", "as"),
    ("CC", "cc"),
    ("CXX", "g++"),
    ("CPP", "cc -E"),
    ("FC", "f77"),
    ("LEX", "lex"),
    ("YACC", "yacc"),
    ("SHELL", "/bin/sh"),
    ("OUTPUT_OPTION", ""),
    ("MAKEFILE_LIST", "Makefile"),
];

/// What is only known when it runs: the shell's own variable of this name, or anything.
fn unknown(name: &str, usage: Use<'_>) -> String {
    match usage {
        Use::Recipe(_) if is_plain(name) => format!("${{{name}}}"),
        Use::List | Use::Recipe(_) => ANY.to_string(),
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// `$@`, `$<` and their like.
fn automatic(name: &str, making: &Making) -> Option<String> {
    let mut letters = name.chars();
    let words: Vec<&str> = match letters.next()? {
        '@' => vec![making.target.as_str()],
        '<' => making.needs.first().map(String::as_str).into_iter().collect(),
        '^' | '+' | '?' => making.needs.iter().map(String::as_str).collect(),
        '*' => vec![making.stem.as_str()],
        '%' | '|' => Vec::new(),
        _ => return None,
    };
    let part: fn(&str) -> &str = match letters.as_str() {
        "" => |word| word,
        "D" => directory,
        "F" => file,
        _ => return None,
    };
    Some(words.into_iter().map(part).collect::<Vec<_>>().join(" "))
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(directory, _)| directory)
}

fn file(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, file)| file)
}

#[derive(Clone, Copy)]
enum Reference<'t> {
    Dollar,
    Name(&'t str),
}

/// The reference after a dollar, and what follows it.
fn reference(after: &str) -> (Reference<'_>, &str) {
    let Some(first) = after.chars().next() else { return (Reference::Dollar, after) };
    let (open, close) = match first {
        '(' => ('(', ')'),
        '{' => ('{', '}'),
        '$' => return (Reference::Dollar, after.get(1..).unwrap_or_default()),
        other => {
            let (letter, rest) = after.split_at_checked(other.len_utf8()).unwrap_or((after, ""));
            return (Reference::Name(letter), rest);
        }
    };
    let mut depth = 0_u32;
    for (at, c) in after.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                let inner = after.get(1..at).unwrap_or_default();
                return (Reference::Name(inner), after.get(at + 1..).unwrap_or_default());
            }
        }
    }
    (Reference::Name(after.get(1..).unwrap_or_default()), "")
}
