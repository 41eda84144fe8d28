//! Patterns over commands: `sudo *`, `git push *`, `rm -rf *`.
//!
//! A pattern is a list of words: the program, then its arguments. `*`, `?` and `[a-z]` work within a word, a lone `*`
//! stands for any number of words, and the program alone stands for the program with any arguments. What is matched
//! are invocations after expansion, so `sud\o ls`, `/usr/bin/sudo ls` and `bash -c 'sudo ls'` are all `sudo *`.

use herm_shell::Value;
use herm_shell::analysis::Invocation;

use super::glob::{self, Glob};

/// A pattern over commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    program: String,
    arguments: Vec<String>,
}

impl Words {
    /// Reads a pattern; `None` when it is empty.
    #[must_use]
    pub fn new(written: &str) -> Option<Self> {
        let mut words = written.split_whitespace().map(str::to_owned);
        let program = words.next()?;
        Some(Self { program, arguments: words.collect() })
    }

    /// Whether a rule that tightens means this invocation. When in doubt it does: options match wherever they stand
    /// and however they are bundled, further arguments may follow, options before the sub-command do not matter.
    #[must_use]
    pub fn concern(&self, run: &Invocation) -> bool {
        let arguments: Vec<_> = run.arguments.iter().map(Value::shown).collect();
        let from_subcommand =
            run.subcommands.first().and_then(|sub| arguments.iter().position(|word| word == sub));
        let tail = arguments.get(from_subcommand.unwrap_or(0)..).unwrap_or_default();
        self.names(run) && (self.loosely(&arguments) || self.loosely(tail))
    }

    /// Whether an entry of the allow-list covers this invocation. When in doubt it does not: every word must match in
    /// its place, only a lone `*` covers what is not known, and `..` leads nowhere unless it is written.
    #[must_use]
    pub fn cover(&self, run: &Invocation) -> bool {
        self.names(run)
            && usual(run, &self.program)
            && (self.arguments.is_empty() || self.exactly(&run.arguments))
    }

    /// Whether it stands for one command with just these arguments.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        !self.arguments.is_empty() && !self.arguments.iter().any(|word| word.contains(['*', '?', '[']))
    }

    /// Whether the whole text of a command looks like the pattern, as Hermes matches its deny rules.
    #[must_use]
    pub fn match_text(&self, text: &str) -> bool {
        let pattern = std::iter::once(&self.program).chain(&self.arguments).map(|word| word.to_lowercase());
        let text: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
        Glob::text(&pattern.collect::<Vec<_>>().join(" ")).matches(&text.join(" "))
    }

    fn names(&self, run: &Invocation) -> bool {
        let name = if self.program.contains('/') { run.called.as_str() } else { &run.program };
        glob::matches(&self.program.to_lowercase(), &name.to_lowercase())
    }

    fn loosely(&self, arguments: &[String]) -> bool {
        let (options, operands): (Vec<&str>, Vec<&str>) =
            self.arguments.iter().map(String::as_str).partition(|word| is_option(word));
        let given: Vec<_> = arguments.iter().map(String::as_str).filter(|word| !is_option(word)).collect();
        let operands: Vec<_> = operands.into_iter().chain(["*"]).collect();
        options.iter().all(|option| present(option, arguments))
            && sequence(&operands, &given, |p, w| glob::matches(p, w))
    }

    fn exactly(&self, arguments: &[Value]) -> bool {
        let pattern: Vec<_> = self.arguments.iter().map(String::as_str).collect();
        sequence(&pattern, arguments, covered)
    }
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

/// Whether an option is given, as it is or with its letters spread over bundles.
fn present(option: &str, arguments: &[String]) -> bool {
    let bundles = || arguments.iter().filter_map(|argument| letters(argument));
    let spread = |wanted: &str| wanted.chars().all(|letter| bundles().any(|bundle| bundle.contains(letter)));
    arguments.iter().any(|argument| glob::matches(option, argument)) || letters(option).is_some_and(spread)
}

/// The letters of a bundle of short options: `rf` of `-rf`.
fn letters(word: &str) -> Option<&str> {
    word.strip_prefix('-').filter(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphabetic()))
}

fn covered(pattern: &str, value: &Value) -> bool {
    let word = value.shown();
    let climbs = |text: &str| text.split('/').any(|part| part == "..");
    !value.has_hole() && (!climbs(&word) || climbs(pattern)) && glob::matches(pattern, &word)
}

/// A file of that name in some other directory is another program.
fn usual(run: &Invocation, pattern: &str) -> bool {
    let directories = ["/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/"];
    let own = |directory: &&str| run.called.strip_prefix(*directory).is_some_and(|name| !name.contains('/'));
    pattern.contains('/') || !run.called.contains('/') || directories.iter().any(own)
}

/// Whether a list of words matches a list of patterns, where a lone `*` takes any number of them.
fn sequence<T>(patterns: &[&str], words: &[T], fits: impl Fn(&str, &T) -> bool) -> bool {
    let mut states = vec![false; patterns.len() + 1];
    if let Some(first) = states.first_mut() {
        *first = true;
    }
    skip(patterns, &mut states);
    for word in words {
        let mut next = vec![false; states.len()];
        for (at, pattern) in patterns.iter().enumerate().filter(|(at, _)| states.get(*at) == Some(&true)) {
            let star = *pattern == "*";
            if let Some(state) = next.get_mut(if star { at } else { at + 1 }) {
                *state |= star || fits(pattern, word);
            }
        }
        skip(patterns, &mut next);
        states = next;
    }
    states.last().copied().unwrap_or(false)
}

fn skip(patterns: &[&str], states: &mut [bool]) {
    for (at, _) in patterns.iter().enumerate().filter(|(_, pattern)| **pattern == "*") {
        if states.get(at) == Some(&true)
            && let Some(state) = states.get_mut(at + 1)
        {
            *state = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use herm_shell::{Provenance, Realm, Span};

    use super::*;

    fn run(called: &str, arguments: Vec<Value>) -> Invocation {
        Invocation {
            program: Rc::from(called.rsplit('/').next().unwrap()),
            called: called.to_owned(),
            arguments,
            subcommands: Vec::new(),
            described: true,
            within: None,
            hooked: false,
            realm: Realm::Here,
            privileged: false,
            environment: Vec::new(),
            span: Span::default(),
        }
    }

    fn command(text: &str) -> Invocation {
        let mut words = text.split(' ');
        run(words.next().unwrap(), words.map(Value::literal).collect())
    }

    fn pattern(text: &str) -> Words {
        Words::new(text).unwrap()
    }

    #[test]
    fn a_rule_that_tightens_matches_generously() {
        for (rule, text) in [
            ("sudo *", "sudo ls"),
            ("sudo *", "/usr/bin/sudo ls"),
            ("sudo *", "sudo"),
            ("SUDO", "sudo ls -l"),
            ("rm -rf *", "rm -r -f x"),
            ("rm -rf *", "rm x -fr"),
            ("git push --force", "git push origin main --force"),
            ("git push", "git push"),
        ] {
            assert!(pattern(rule).concern(&command(text)), "{rule}: {text}");
        }
        for (rule, text) in [("sudo *", "ls sudo"), ("rm -rf *", "rm -r x"), ("git push", "git pull")] {
            assert!(!pattern(rule).concern(&command(text)), "{rule}: {text}");
        }
    }

    #[test]
    fn options_before_the_subcommand_do_not_hide_it() {
        let push = Invocation { subcommands: vec!["push"], ..command("git -C elsewhere push origin") };
        assert!(pattern("git push *").concern(&push));
        assert!(!pattern("git push *").cover(&push));
    }

    #[test]
    fn the_allow_list_covers_only_what_it_says() {
        for (entry, text) in
            [("rm", "rm -r x"), ("rm -r build", "rm -r build"), ("make *", "make"), ("rm b/*", "/bin/rm b/c")]
        {
            assert!(pattern(entry).cover(&command(text)), "{entry}: {text}");
        }
        for (entry, text) in [
            ("rm -r build", "rm -r build /etc"),
            ("rm -r build", "rm -rf build"),
            ("rm b/*", "rm b/../../etc"),
            ("rm", "./rm -r x"),
            ("git *", "rm -r x"),
        ] {
            assert!(!pattern(entry).cover(&command(text)), "{entry}: {text}");
        }
    }

    #[test]
    fn what_is_not_known_is_covered_by_a_lone_star_only() {
        let unknown = || Value::unknown("$x", Provenance::NONE);
        assert!(!pattern("rm b*").cover(&run("rm", vec![unknown()])));
        assert!(pattern("rm *").cover(&run("rm", vec![unknown()])));
    }
}
