//! The functions of make.

use super::Make;
use super::expand::{Use, marked};
use super::layout::outside_brackets;
use super::text::{ANY, globbed, has_mark, may_be};
use super::ways::Variable;

impl Make<'_> {
    /// What a call becomes; `None` if there is no such function.
    pub(super) fn function(&mut self, function: &str, arguments: &str, usage: Use<'_>) -> Option<String> {
        let result = match function {
            "shell" => match usage {
                Use::List | Use::Lines(_) => {
                    let command = self.expand(arguments, Use::Recipe(usage.making()));
                    self.output(&command)
                }
                Use::Recipe(_) => {
                    // Make runs it whatever the shell makes of the text around it.
                    let command = self.expand(arguments, usage);
                    let _ = self.output(&command);
                    format!("$({command})")
                }
            },
            "file" => {
                let arguments = self.expand(arguments, usage);
                self.file(&arguments)
            }
            "info" | "warning" | "error" => {
                let _ = self.expand(arguments, usage);
                String::new()
            }
            "if" | "or" | "and" => self.choice(function, arguments, usage),
            "foreach" => self.foreach(arguments, usage),
            "call" => self.call(arguments, usage),
            "eval" => {
                let text = self.expand(arguments, Use::Lines(usage.making()));
                let open = self.open.take();
                self.nested(&text);
                self.open = open;
                String::new()
            }
            "value" => {
                let name = self.list(arguments);
                let own = self.variables.get(name.trim()).filter(|own| own.others.is_empty());
                own.map_or_else(|| ANY.to_string(), |own| own.first.recipe.clone())
            }
            "origin" | "flavor" => ANY.to_string(),
            "strip" => {
                let whole = self.expand(arguments, usage);
                return Some(whole.split_whitespace().collect::<Vec<_>>().join(" "));
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
        let before = std::mem::take(&mut self.unsure);
        let mut parts = Vec::new();
        let mut rest = Some(arguments);
        while let Some(text) = rest.filter(|_| parts.len() < 4) {
            let (part, more) = outside_brackets(text, ',');
            parts.push(self.names(part, usage));
            rest = more;
        }
        let has_marks = parts.iter().any(|part| has_mark(part));
        let sure = !self.unsure && !has_marks;
        self.unsure |= before || matches!(function, "wildcard" | "realpath");
        let directory = self.directory();
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
            "abspath" | "realpath" => each(part(0), &|word| absolute(word, &directory)),
            "sort" => {
                let mut words: Vec<&str> = part(0).split_whitespace().collect();
                words.sort_unstable();
                words.dedup();
                words.join(" ")
            }
            "firstword" | "lastword" if has_marks => ANY.to_string(),
            "firstword" => part(0).split_whitespace().next().unwrap_or_default().to_owned(),
            "lastword" => part(0).split_whitespace().last().unwrap_or_default().to_owned(),
            "findstring" | "word" | "wordlist" | "words" if !sure => ANY.to_string(),
            "word" => nth(part(1), part(0), part(0)),
            "wordlist" => nth(part(2), part(0), part(1)),
            "words" => part(0).split_whitespace().count().to_string(),
            "findstring" => if part(1).contains(part(0)) { part(0) } else { "" }.to_owned(),
            _ => ANY.to_string(),
        })
    }

    /// `$(if …)`, `$(or …)`, `$(and …)`. Where it is not known which, each of them may be.
    fn choice(&mut self, function: &str, arguments: &str, usage: Use<'_>) -> String {
        let (first, rest) = outside_brackets(arguments, ',');
        let first = first.trim();
        let Some(condition) = self.surely(first, usage) else {
            return self.either(function, first, rest, usage);
        };
        let blank = condition.trim().is_empty();
        match (function, blank, rest) {
            ("if", _, _) => self.expand(chosen(rest, !blank), usage),
            ("or", true, Some(rest)) | ("and", false, Some(rest)) => self.choice(function, rest, usage),
            _ => self.expand(first, usage).trim().to_owned(),
        }
    }

    /// A choice of which it is not known how it comes out: on the way that is gone, or else all of it.
    fn either(&mut self, function: &str, first: &str, rest: Option<&str>, usage: Use<'_>) -> String {
        let mut results = Vec::new();
        let way = self.pick(first, 2);
        self.unsure |= way.is_none();
        for holds in [true, false] {
            if way.is_some_and(|way| (way == 0) != holds) {
                continue;
            }
            results.push(match (function, holds, rest) {
                ("if", _, _) => self.expand(chosen(rest, holds), usage),
                ("or", false, Some(rest)) | ("and", true, Some(rest)) => self.choice(function, rest, usage),
                ("or", true, _) | ("and", true, None) => self.expand(first, usage),
                _ => String::new(),
            });
        }
        results.join(" ")
    }

    fn foreach(&mut self, arguments: &str, usage: Use<'_>) -> String {
        let (name, rest) = outside_brackets(arguments, ',');
        let (words, body) = outside_brackets(rest.unwrap_or_default(), ',');
        let name = self.list(name);
        let before = std::mem::take(&mut self.unsure);
        let mut words = self.names(words, usage);
        if self.unsure && words.trim().is_empty() {
            words = ANY.to_string();
        }
        self.unsure |= before;
        let body = body.unwrap_or_default();
        let each = words.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut results = Vec::new();
        for word in each {
            if !self.spend(word.len()) {
                break;
            }
            results.push(self.with(&[(name.trim().to_owned(), word)], true, |make| make.expand(body, usage)));
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
            let value = self.expand(one, usage);
            given.push((given.len().to_string(), value));
            rest = more;
        }
        if let Some(result) =
            self.function(&name, arguments.split_once(',').map_or("", |(_, rest)| rest), usage)
        {
            return result;
        }
        self.with(&given, matches!(usage, Use::Lines(_)), |make| make.variable(&name, usage))
    }

    /// Does something with variables that hold for it alone.
    fn with<T>(&mut self, given: &[(String, String)], lines: bool, inner: impl FnOnce(&mut Self) -> T) -> T {
        let mut before = Vec::new();
        for (name, value) in given {
            // What the shell puts in is not words yet; what is read next as lines is.
            let list = if lines { value.clone() } else { marked(value) };
            let variable = Variable::new(&value.replace('$', "$$"), Some(list));
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

/// What `$(if)` becomes, after its condition.
fn chosen(rest: Option<&str>, holds: bool) -> &str {
    let (then, otherwise) = outside_brackets(rest.unwrap_or_default(), ',');
    if holds { then } else { otherwise.unwrap_or_default() }
}

/// A path from the root on. What `.` and `..` in it lead to stays the same.
fn absolute(path: &str, directory: &str) -> String {
    if path.starts_with('/') || path.starts_with([ANY, '~']) {
        return path.to_owned();
    }
    let rest = path.trim_start_matches("./");
    if matches!(rest, "" | ".") { directory.to_owned() } else { format!("{directory}/{rest}") }
}

/// The words from one number to another.
fn nth(words: &str, from: &str, to: &str) -> String {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let (Some(from), Some(to)) = (number(from), number(to)) else { return ANY.to_string() };
    let words = words.split_whitespace().take(to).skip(from.saturating_sub(1));
    words.collect::<Vec<_>>().join(" ")
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
