//! Commands that define something and do nothing else.

use std::collections::{BTreeMap, BTreeSet};

use herm_shell::ast::{Command, CommandKind, Item, Part, Pipeline, Word};
use herm_shell::fuel::Fuel;
use herm_shell::reader;

/// What a command defines.
#[derive(Debug)]
pub(super) enum Definition {
    /// Something of this name, which is kept.
    Kept(String),
    /// Something that is not kept.
    Left,
}

/// Commands that define something, by the name of that. Nothing when one of them does anything else.
pub(super) fn named(
    text: &str,
    define: fn(&Command) -> Option<Definition>,
) -> Option<BTreeMap<String, String>> {
    let reading = reader::read(text, &Fuel::new(WORK));
    if !reading.problems.is_empty() {
        return None;
    }
    let items = reading.list.items;
    let starts: Vec<u32> = items.iter().filter_map(start).collect();
    // Each goes up to where the next one begins: the body of a here-document stands behind its command.
    let ends = starts.iter().copied().skip(1).chain([u32::try_from(text.len()).ok()?]);
    let mut found = BTreeMap::new();
    for (item, (start, end)) in items.iter().zip(starts.iter().zip(ends)) {
        let [(_, Pipeline { commands, negated: false, timed: false, .. })] = item.pipelines.as_slice() else {
            return None;
        };
        let [command] = commands.as_slice() else { return None };
        if item.background || !command.redirects.is_empty() {
            return None;
        }
        if let Definition::Kept(name) = define(command)? {
            let written = text.get(usize::try_from(*start).ok()?..usize::try_from(end).ok()?)?;
            found.insert(name, written.trim_end_matches('\n').to_owned());
        }
    }
    (starts.len() == items.len()).then_some(found)
}

fn start(item: &Item) -> Option<u32> {
    item.pipelines.first().map(|(_, pipeline)| pipeline.span.start)
}

/// `declare -x NAME="value"`.
pub(super) fn variable(command: &Command) -> Option<Definition> {
    let [declare, flags, value] = words(command)? else { return None };
    let flags = flags_of(plain(flags)?, "Aacilnrtux-")?;
    if plain(declare) != Some("declare") {
        return None;
    }
    let shape = Shape::of(value);
    let name: String = shape.outline.chars().take_while(|letter| is_word(*letter)).collect();
    let is_name = name.starts_with(|first: char| !first.is_ascii_digit());
    if !is_name || !shape.is_value(shape.outline.get(name.len()..)?, flags) {
        return None;
    }
    Some(if OWN.contains(&name.as_str()) { Definition::Left } else { Definition::Kept(name) })
}

/// The letters of an option, if it has no others.
fn flags_of<'a>(option: &'a str, known: &str) -> Option<&'a str> {
    option.strip_prefix('-').filter(|flags| flags.chars().all(|letter| known.contains(letter)))
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// How a word is put together: what stands bare in it, with [`QUOTED`] for each text in quotes.
#[derive(Debug)]
struct Shape {
    outline: String,
    quoted: Vec<String>,
}

/// A sign that never stands bare.
const QUOTED: char = '\'';

impl Shape {
    fn of(word: &Word) -> Self {
        let mut shape = Self { outline: String::new(), quoted: Vec::new() };
        for part in &word.parts {
            match part {
                Part::Bare(text) => shape.outline.push_str(text),
                // The reader has the brackets of subscripts as such.
                Part::Quoted(text) if text == "[" || text == "]=" => shape.outline.push_str(text),
                Part::Arithmetic(_)
                | Part::Command(..)
                | Part::DoubleQuoted(_)
                | Part::Parameter(_)
                | Part::Process(..)
                | Part::Quoted(_) => {
                    shape.outline.push(QUOTED);
                    shape.quoted.push(text(part));
                }
            }
        }
        shape
    }

    /// Whether `rest` gives a variable with these flags a value without working anything out. Subscripts of plain arrays, integers and
    /// references are expressions to bash, and expressions can hold commands.
    fn is_value(&self, rest: &str, flags: &str) -> bool {
        let is_number =
            |text: &String| text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
        let is_name = |text: &String| text.chars().all(is_word);
        let plain = match flags {
            _ if flags.contains('i') => self.quoted.iter().all(is_number),
            _ if flags.contains('n') => self.quoted.iter().all(is_name),
            _ => true,
        };
        plain && (rest.is_empty() || rest == "='" || is_list(rest, flags))
    }
}

/// `=([0]='…' [1]='…')`. The keys of an associative array are texts, and nothing but that.
fn is_list(rest: &str, flags: &str) -> bool {
    let Some(inner) = rest.strip_prefix("=(").and_then(|rest| rest.strip_suffix(')')) else { return false };
    inner.split_whitespace().all(|element| {
        let key = element.strip_prefix('[').and_then(|element| element.strip_suffix("]='"));
        key.is_some_and(|key| {
            let is_number = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
            is_number || flags.contains('A') && !key.is_empty()
        })
    })
}

/// What an inert part says.
fn text(part: &Part) -> String {
    match part {
        Part::Bare(text) | Part::Quoted(text) => text.clone(),
        Part::DoubleQuoted(parts) => parts.iter().map(text).collect(),
        Part::Arithmetic(_) | Part::Command(..) | Part::Parameter(_) | Part::Process(..) => String::new(),
    }
}

/// `name () { … }`.
pub(super) fn function(command: &Command) -> Option<Definition> {
    let CommandKind::Function { name, .. } = &command.kind else {
        // Bash tells the attributes of a function behind it; they are told once more by themselves.
        return attribute(command).map(|_| Definition::Left);
    };
    Some(Definition::Kept(name.clone()))
}

/// `declare -fx name`.
pub(super) fn attribute(command: &Command) -> Option<Definition> {
    let [declare, flags, name] = words(command)? else { return None };
    let flags = flags_of(plain(flags)?, "frtx")?;
    let is_declaration = plain(declare) == Some("declare") && flags.starts_with('f');
    is_declaration.then(|| plain(name).map(|name| Definition::Kept(name.to_owned())))?
}

/// `alias name='text'`.
pub(super) fn alias(command: &Command) -> Option<Definition> {
    let (alias, rest) = words(command)?.split_first()?;
    let (value, dashes) = rest.split_last()?;
    let is_one = plain(alias) == Some("alias")
        && (dashes.is_empty() || dashes.len() == 1 && plain(dashes.first()?) == Some("--"));
    let Some(Part::Bare(first)) = value.parts.first() else { return None };
    let name = first.split_once('=').map(|(name, _)| name.to_owned())?;
    is_one.then_some(Definition::Kept(name))
}

/// The words of a command that has nothing but words, which nothing happens to.
pub(super) fn words(command: &Command) -> Option<&[Word]> {
    let CommandKind::Simple { assignments, words } = &command.kind else { return None };
    let inert = assignments.is_empty() && words.iter().all(|word| word.parts.iter().all(is_inert));
    inert.then_some(words.as_slice())
}

fn is_inert(part: &Part) -> bool {
    match part {
        Part::Bare(_) | Part::Quoted(_) => true,
        Part::DoubleQuoted(parts) => parts.iter().all(is_inert),
        Part::Arithmetic(_) | Part::Command(..) | Part::Parameter(_) | Part::Process(..) => false,
    }
}

/// A word that is as it was written.
fn plain(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Bare(text)] => Some(text),
        _ => None,
    }
}

/// `umask 0022`.
pub(super) fn mask(text: &str) -> Option<&str> {
    let line = text.strip_suffix('\n')?;
    let digits = line.strip_prefix("umask ")?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(line)
}

/// `set -o name` or `shopt -s name`, a line each. Only those that are kept are.
pub(super) fn switches(text: &str, program: &str, ways: &[&str], kept: &[&str]) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        let (Some(first), Some(way), Some(name), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return None;
        };
        if first != program || !ways.contains(&way) {
            return None;
        }
        if kept.contains(&name) {
            found.insert(line.to_owned());
        }
    }
    Some(found)
}

/// Variables that a shell sets by itself, or that would change how it is told anything.
const OWN: &[&str] = &[
    "BASH",
    "BASHOPTS",
    "BASHPID",
    "BASH_ALIASES",
    "BASH_ARGC",
    "BASH_ARGV",
    "BASH_ARGV0",
    "BASH_CMDS",
    "BASH_COMMAND",
    "BASH_COMPAT",
    "BASH_EXECUTION_STRING",
    "BASH_LINENO",
    "BASH_MONOSECONDS",
    "BASH_REMATCH",
    "BASH_SOURCE",
    "BASH_SUBSHELL",
    "BASH_TRAPSIG",
    "BASH_VERSINFO",
    "BASH_VERSION",
    "BASH_XTRACEFD",
    "COMP_WORDBREAKS",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTCMD",
    "LINENO",
    "OPTERR",
    "OPTIND",
    "PIPESTATUS",
    "POSIXLY_CORRECT",
    "PPID",
    "PWD",
    "RANDOM",
    "SECONDS",
    "SHELLOPTS",
    "SHLVL",
    "SRANDOM",
    "UID",
    "_",
];

/// How much reading an account may take.
const WORK: u32 = 2_000_000;
