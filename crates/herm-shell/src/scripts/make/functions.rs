//! The functions of make.

use super::Make;
use super::expand::Use;
use super::lines::outside_brackets;
use super::text::{ANY, globbed, has_mark, may_be};

impl Make<'_> {
    /// What a call becomes; `None` if there is no such function.
    pub(super) fn function(&mut self, function: &str, arguments: &str, usage: Use<'_>) -> Option<String> {
        let result = match function {
            "shell" => match usage {
                Use::List => {
                    let command = self.expand(arguments, Use::Recipe(None));
                    self.output(&command)
                }
                Use::Recipe(_) => format!("$({})", self.expand(arguments, usage)),
            },
            "file" => {
                let arguments = self.expand(arguments, usage);
                self.file(&arguments)
            }
            "info" | "warning" | "error" => {
                let _ = self.expand(arguments, Use::List);
                String::new()
            }
            "if" | "or" | "and" => self.choice(function, arguments, usage),
            "foreach" => self.foreach(arguments, usage),
            "call" => self.call(arguments, usage),
            "eval" => {
                let text = self.expand(arguments, Use::Recipe(usage.making()));
                let open = self.open.take();
                self.nested(&text);
                self.open = open;
                String::new()
            }
            "value" => {
                self.variables.get(arguments.trim()).map_or_else(String::new, |own| own.recipe.clone())
            }
            "origin" | "flavor" => ANY.to_string(),
            "strip" => {
                let whole = self.expand(arguments, usage);
                return Some(whole.trim().to_owned());
            }
            _ => return self.words(function, arguments, usage),
        };
        Some(result)
    }

    /// Functions over lists of names.
    fn words(&mut self, function: &str, arguments: &str, usage: Use<'_>) -> Option<String> {
        if !WORDS.contains(&function) {
            return None;
        }
        let making = usage.making().cloned();
        let mut parts = Vec::new();
        let mut rest = Some(arguments);
        while let Some(text) = rest.filter(|_| parts.len() < 4) {
            let (part, more) = outside_brackets(text, ',');
            // What the shell would put in is not words yet.
            let recipe = making.as_ref().map(|making| self.recipe(part, Some(making)));
            let known = recipe.filter(|text| !text.contains('$'));
            parts.push(known.unwrap_or_else(|| self.list(part)));
            rest = more;
        }
        let part = |at: usize| parts.get(at).map_or("", String::as_str);
        let each = |text: &str, one: &dyn Fn(&str) -> String| {
            text.split_whitespace().map(one).collect::<Vec<_>>().join(" ")
        };
        Some(match function {
            "wildcard" => globbed(part(0)),
            "subst" if part(0).is_empty() => part(2).to_owned(),
            "subst" => part(2).replace(part(0), part(1)),
            "patsubst" => patsubst(part(0).trim(), part(1).trim(), part(2)),
            "filter" => filter(part(0), part(1), Keep::Fitting),
            "filter-out" => filter(part(0), part(1), Keep::Others),
            "addprefix" => each(part(1), &|word| format!("{}{word}", part(0))),
            "addsuffix" => each(part(1), &|word| format!("{word}{}", part(0))),
            "dir" => each(part(0), &|word| {
                word.rsplit_once('/')
                    .map_or_else(|| "./".to_owned(), |(directory, _)| format!("{directory}/"))
            }),
            "notdir" => each(part(0), &|word| word.rsplit('/').next().unwrap_or(word).to_owned()),
            "basename" => {
                each(part(0), &|word| word.rsplit_once('.').map_or(word, |(start, _)| start).to_owned())
            }
            "suffix" => each(part(0), &|word| {
                word.rsplit_once('.').map_or(String::new(), |(_, end)| format!(".{end}"))
            }),
            "abspath" | "realpath" | "sort" => each(part(0), &str::to_owned),
            "firstword" => part(0).split_whitespace().next().unwrap_or_default().to_owned(),
            "lastword" => part(0).split_whitespace().last().unwrap_or_default().to_owned(),
            "findstring" if has_mark(part(1)) => ANY.to_string(),
            "findstring" => if part(1).contains(part(0)) { part(0) } else { "" }.to_owned(),
            _ => ANY.to_string(),
        })
    }

    /// `$(if …)`, `$(or …)`, `$(and …)`. Where it is not known which, each of them may be: one after the other.
    fn choice(&mut self, function: &str, arguments: &str, usage: Use<'_>) -> String {
        let (first, rest) = outside_brackets(arguments, ',');
        let rest = rest.unwrap_or_default();
        let condition = self.expand(first.trim(), Use::List);
        let blank = condition.trim().is_empty();
        if has_mark(&condition) {
            let (then, otherwise) = outside_brackets(rest, ',');
            self.guessed = true;
            let chosen = if self.guess == super::Guess::True { then } else { otherwise.unwrap_or_default() };
            return if function == "if" { self.expand(chosen, usage) } else { ANY.to_string() };
        }
        match (function, blank) {
            ("if", false) => self.expand(outside_brackets(rest, ',').0, usage),
            ("if", true) => self.expand(outside_brackets(rest, ',').1.unwrap_or_default(), usage),
            ("or", true) | ("and", false) if !rest.is_empty() => self.choice(function, rest, usage),
            _ => condition.trim().to_owned(),
        }
    }

    fn foreach(&mut self, arguments: &str, usage: Use<'_>) -> String {
        let (name, rest) = outside_brackets(arguments, ',');
        let (words, body) = outside_brackets(rest.unwrap_or_default(), ',');
        let (name, words) = (self.list(name), self.list(words));
        let body = body.unwrap_or_default();
        let each = words.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut results = Vec::new();
        for word in each {
            if !self.spend(word.len()) {
                break;
            }
            results.push(self.with(&[(name.trim().to_owned(), word)], |make| make.expand(body, usage)));
        }
        results.join(" ")
    }

    /// `$(call name,one,two)`: the variable, with `$(1)` and `$(2)`.
    fn call(&mut self, arguments: &str, usage: Use<'_>) -> String {
        let (name, mut rest) = outside_brackets(arguments, ',');
        let name = self.expand(name.trim(), usage);
        let mut given = vec![("0".to_owned(), name.clone())];
        while let Some(text) = rest.filter(|_| given.len() < 16) {
            let (one, more) = outside_brackets(text, ',');
            given.push((given.len().to_string(), self.expand(one, usage)));
            rest = more;
        }
        if let Some(result) =
            self.function(&name, arguments.split_once(',').map_or("", |(_, rest)| rest), usage)
        {
            return result;
        }
        let Some(body) = self.variables.get(&name).map(|variable| variable.recipe.clone()) else {
            return String::new();
        };
        self.with(&given, |make| make.expand(&body, usage))
    }

    /// Does something with variables that hold for it alone.
    fn with<T>(&mut self, given: &[(String, String)], inner: impl FnOnce(&mut Self) -> T) -> T {
        let mut before = Vec::new();
        for (name, value) in given {
            let variable = super::Variable { recipe: value.replace('$', "$$"), list: Some(value.clone()) };
            before.push((name.clone(), self.variables.insert(name.clone(), variable)));
        }
        let result = inner(self);
        for (name, earlier) in before {
            match earlier {
                Some(earlier) => self.variables.insert(name, earlier),
                None => self.variables.remove(&name),
            };
        }
        result
    }
}

const WORDS: &[&str] = &[
    "abspath",
    "addprefix",
    "addsuffix",
    "basename",
    "dir",
    "filter",
    "filter-out",
    "findstring",
    "firstword",
    "intcmp",
    "join",
    "lastword",
    "let",
    "notdir",
    "patsubst",
    "realpath",
    "sort",
    "subst",
    "suffix",
    "wildcard",
    "word",
    "wordlist",
    "words",
    "guile",
];

/// Each word that fits a pattern becomes what stands beside it. One that only may fit stands there both ways.
pub(super) fn patsubst(from: &str, to: &str, words: &str) -> String {
    let (start, end) = from.split_once('%').unwrap_or((from, ""));
    let changed = |stem: &str| to.replacen('%', stem, 1);
    let one = |word: &str| {
        let stem = word.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
        match stem {
            Some(stem) if from.contains('%') => changed(stem),
            None if has_mark(word) && may_be(word, from) => format!("{word} {}", changed(&ANY.to_string())),
            Some("") => to.to_owned(),
            Some(_) | None => word.to_owned(),
        }
    };
    words.split_whitespace().map(one).collect::<Vec<_>>().join(" ")
}

/// Which words a filter leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Fitting,
    Others,
}

/// Words of which that is not known stay.
fn filter(patterns: &str, words: &str, keep: Keep) -> String {
    let fits = |word: &str| {
        patterns.split_whitespace().any(|pattern| match pattern.split_once('%') {
            Some((start, end)) => {
                word.len() >= start.len() + end.len() && word.starts_with(start) && word.ends_with(end)
            }
            None => pattern == word,
        })
    };
    let stays = |word: &&str| has_mark(word) || has_mark(patterns) || fits(word) == (keep == Keep::Fitting);
    words.split_whitespace().filter(stays).collect::<Vec<_>>().join(" ")
}
