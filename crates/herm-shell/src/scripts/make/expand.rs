//! References to variables, and what they become.
//!
//! In a *list* (targets, what they need, conditions) a text becomes names, with marks for what is not known. In a *recipe* it
//! becomes shell text: what make would ask the machine for stands there as the shell's own substitution or variable, so
//! that the shell's reader knows where it comes from.

use super::rules::Making;
use super::text::{ANY, has_mark, may_be};
use super::wanted::Given;
use super::ways::Way;
use super::{Make, TEXT_MOST};
use crate::gap::{Position, Reason};
use crate::lang::Lang;

/// Where a text is expanded.
#[derive(Clone, Copy)]
pub(super) enum Use<'u> {
    List,
    Recipe(Option<&'u Making>),
    /// As lines of a makefile, which are read next.
    Lines(Option<&'u Making>),
}

impl<'u> Use<'u> {
    pub(super) fn making(self) -> Option<&'u Making> {
        match self {
            Self::List => None,
            Self::Recipe(making) | Self::Lines(making) => making,
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

    /// The text as a list of names, for the target that is being made where one is.
    pub(super) fn names(&mut self, text: &str, usage: Use<'_>) -> String {
        match usage.making() {
            Some(making) => marked(&self.expand(text, Use::Lines(Some(making)))),
            None => self.list(text),
        }
    }

    pub(super) fn expand(&mut self, text: &str, usage: Use<'_>) -> String {
        if !text.contains('$') {
            return text.to_owned();
        }
        let expanded = self.deeper(|make| make.expand_parts(text, usage));
        expanded.unwrap_or_else(|| {
            if !self.spent {
                self.sink.gap(Position::Code, Reason::Depth, Lang::Make.name());
            }
            ANY.to_string()
        })
    }

    fn expand_parts(&mut self, text: &str, usage: Use<'_>) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            let (reference, remaining) = reference(after);
            if out.len() > TEXT_MOST || !self.spend(before.len() + after.len() - remaining.len()) {
                if !self.spent {
                    self.sink.gap(Position::Code, Reason::Size, Lang::Make.name());
                }
                out.push(ANY);
                return out;
            }
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
        let whole = super::layout::joined(name);
        let name = whole.as_str();
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
            let own = usage.making().and_then(|making| automatic(name, making));
            let words = own.unwrap_or_else(|| match usage.making() {
                Some(making) => marked(&self.variable(name, Use::Lines(Some(making)))),
                None => self.variable(name, Use::List),
            });
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
        if self.wanted.environment && !self.variables.is_empty() && self.sink.changes_variable(name) {
            return unknown(name, usage);
        }
        match self.wanted.variable(name).filter(|_| !self.overridden.contains(name)) {
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
        let Some(variable) = self.variables.get(name) else { return self.inherited(name, usage) };
        let (ways, unsure) = (1 + variable.others.len(), variable.unsure);
        self.unsure |= unsure;
        if ways == 1 {
            let way = variable.first.clone();
            return self.way(name, &way, usage);
        }
        let ways: Vec<Way> = variable.ways().cloned().collect();
        if let Some(way) = self.pick(name, ways.len()).and_then(|which| ways.get(which)) {
            return self.way(name, way, usage);
        }
        self.unsure = true;
        let all: Vec<String> = ways.iter().map(|way| self.way(name, way, usage)).collect();
        all.join(" ")
    }

    fn way(&mut self, name: &str, way: &Way, usage: Use<'_>) -> String {
        match (&way.list, usage) {
            _ if way.unset => self.inherited(name, usage),
            (Some(list), Use::List | Use::Lines(_)) => list.clone(),
            (None, Use::List | Use::Lines(_)) | (_, Use::Recipe(_)) => self.expand(&way.recipe, usage),
        }
    }

    /// What a variable is for a target: its own, or that of a target which needs it.
    fn specific_to(&mut self, target: &str, name: &str) -> Option<String> {
        let value = self.own_of(target, name).or_else(|| {
            let above = self.above.get(target)?.clone();
            let mut values: Vec<String> = above.iter().filter_map(|above| self.own_of(above, name)).collect();
            values.dedup();
            // It may also be needed by a target without one.
            let which = self.pick(&format!("{target}: {name}"), values.len() + 1)?;
            (which < values.len()).then(|| values.swap_remove(which))
        })?;
        // `NAME += more` refers to what the makefile says for all.
        let reference = format!("$({name})");
        if !value.contains(&reference) {
            return Some(value);
        }
        let ways: Vec<Way> =
            self.variables.get(name).map_or_else(Vec::new, |own| own.ways().cloned().collect());
        let which = if ways.len() > 1 { self.pick(name, ways.len()).unwrap_or(0) } else { 0 };
        Some(value.replace(&reference, ways.get(which).map_or("", |way| &way.recipe)))
    }

    /// What the makefile says that a variable is for a target alone, or for those that look like it.
    pub(super) fn own_of(&self, target: &str, name: &str) -> Option<String> {
        let last = |own: &Vec<(String, String)>| {
            own.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.clone())
        };
        self.specific.get(target).and_then(last).or_else(|| {
            let mut fitting: Vec<_> = self.specific.iter().filter(|(own, _)| fits(target, own)).collect();
            fitting.sort_by_key(|(own, _)| std::cmp::Reverse(own.len()));
            fitting.into_iter().find_map(|(_, own)| last(own))
        })
    }

    /// A variable that the makefile does not set: make's own, or one of the environment.
    fn inherited(&mut self, name: &str, usage: Use<'_>) -> String {
        if !name.is_empty() && name.chars().all(|letter| letter.is_ascii_digit()) {
            return String::new();
        }
        if let Some(value) = self.own(name) {
            self.unsure = true;
            return self.expand(&value, usage);
        }
        let home = self.sink.home();
        // Names of targets are needed before a shell could say it.
        if name == "HOME" && !matches!(usage, Use::Recipe(_)) && !home.contains(char::is_whitespace) {
            return home;
        }
        unknown(name, usage)
    }

    /// What make says by itself, as far as it can be told; the environment may say otherwise.
    fn own(&self, name: &str) -> Option<String> {
        match name {
            "MAKECMDGOALS" if !self.wanted.anything => Some(self.wanted.targets.join(" ")),
            "CURDIR" => Some(self.directory()),
            _ => OWN.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned()),
        }
    }

    /// The directory that make runs in, as one word.
    pub(super) fn directory(&self) -> String {
        let known = self.sink.directory().filter(|path| !path.contains(char::is_whitespace));
        known.unwrap_or_else(|| ANY.to_string())
    }
}

/// The text with marks for what is yet to be put in.
pub(super) fn marked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        out.push(ANY);
        (_, rest) = reference(after);
    }
    out.push_str(rest);
    out
}

/// What make sets by itself.
const OWN: &[(&str, &str)] = &[
    ("MAKE", "make"),
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
    ("OUTPUT_OPTION", "-o $@"),
    ("COMPILE.c", "$(CC) $(CFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"),
    ("COMPILE.cc", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"),
    ("COMPILE.cpp", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"),
    ("LINK.c", "$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)"),
    ("LINK.cc", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)"),
    ("LINK.cpp", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)"),
    ("LINK.o", "$(CC) $(LDFLAGS) $(TARGET_ARCH)"),
    ("MAKEFILE_LIST", "Makefile"),
];

/// What is only known when it runs: the shell's own variable of this name, or anything.
fn unknown(name: &str, usage: Use<'_>) -> String {
    match usage {
        Use::Recipe(_) if is_plain(name) => format!("${{{name}}}"),
        Use::Lines(_) if is_plain(name) => format!("$({name})"),
        Use::List | Use::Lines(_) | Use::Recipe(_) => ANY.to_string(),
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
        '|' => making.before.iter().map(String::as_str).collect(),
        '%' => Vec::new(),
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

/// Whether a target looks like a pattern.
pub(super) fn fits(target: &str, pattern: &str) -> bool {
    pattern.split_once('%').is_some_and(|(start, end)| {
        let plain =
            target.len() >= start.len() + end.len() && target.starts_with(start) && target.ends_with(end);
        plain || has_mark(target) && may_be(target, pattern)
    })
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(directory, _)| directory)
}

fn file(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, file)| file)
}

#[derive(Clone, Copy)]
pub(super) enum Reference<'t> {
    Dollar,
    Name(&'t str),
}

/// The reference after a dollar, and what follows it.
pub(super) fn reference(after: &str) -> (Reference<'_>, &str) {
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
