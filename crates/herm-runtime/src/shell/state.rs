//! What a shell was left with, as text.
//!
//! After each call a shell tells what it has become. It may tell anything: whatever ran in it may have redefined the very words
//! that it tells it with. So it is read as shell text, and kept only if there is nothing in it but definitions without a single expansion.
//! The judge reads the same text before the next call that the shell runs before it.

use std::collections::{BTreeMap, BTreeSet};

use herm_sandbox::shell::Account;
use herm_shell::ast::{Command, CommandKind, Item, Part, Pipeline, Word};
use herm_shell::fuel::Fuel;
use herm_shell::reader;

/// What a shell was left with, compared to one that nobody has used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// What defines variables, functions, aliases and settings.
    pub(crate) definitions: String,
    /// What sets options, in one line.
    pub(crate) options: String,
}

/// What was told, piece by piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    settings: BTreeSet<String>,
    variables: BTreeMap<String, String>,
    functions: BTreeMap<String, String>,
    attributes: BTreeMap<String, String>,
    aliases: BTreeMap<String, String>,
    mask: String,
    options: BTreeSet<String>,
}

/// The longest definitions that are kept.
const LONGEST: usize = 256 * 1024;

/// How much reading an account may take.
const WORK: u32 = 2_000_000;

impl Told {
    /// Reads an account. Nothing when there is more in it than definitions.
    pub(crate) fn read(account: &Account) -> Option<Self> {
        let mut options = switches(&account.options, "set", &["-o", "+o"], OPTIONS)?;
        if account.letters.contains('x') {
            options.insert("set -o xtrace".to_owned());
        }
        Some(Self {
            settings: switches(&account.settings, "shopt", &["-s", "-u"], SETTINGS)?,
            variables: named(&account.variables, variable)?,
            functions: named(&account.functions, function)?,
            attributes: named(&account.attributes, attribute)?,
            aliases: named(&account.aliases, alias)?,
            mask: mask(&account.mask)?.to_owned(),
            options,
        })
    }

    /// Functions that a shell could not be told the rest with.
    pub(crate) fn in_the_way(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(String::as_str).filter(|name| IN_THE_WAY.contains(name))
    }

    /// What is different from `usual`.
    ///
    /// Functions come late, so that none takes the place of what defines the rest, and aliases are switched on last, so that nothing of
    /// this is read with them. Where they are off, they mean nothing, and are not kept.
    pub(crate) fn since(&self, usual: &Self) -> State {
        let expands = |line: &&String| line.as_str() == EXPANDS;
        let settings = self.settings.difference(&usual.settings);
        let (late, early): (Vec<_>, Vec<_>) = settings.partition(expands);
        let aliases = if self.settings.contains(EXPANDS) { Some(&self.aliases) } else { None };
        let is_gone = |name: &&String| !self.variables.contains_key(*name);
        let unset = usual.variables.keys().filter(is_gone).map(|name| format!("unset -v {name}"));
        let is_fit = |name: &String| !IN_THE_WAY.contains(&name.as_str());
        let functions = self.functions.iter().filter(|(name, _)| is_fit(name)).map(|(_, text)| text.clone());
        let attributes =
            self.attributes.iter().filter(|(name, text)| is_fit(name) && !text.starts_with("declare -f "));
        let lines: Vec<String> = early
            .into_iter()
            .cloned()
            .chain(unset)
            .chain(news(&self.variables, &usual.variables))
            .chain((self.mask != usual.mask).then(|| self.mask.clone()))
            .chain(aliases.into_iter().flat_map(|aliases| news(aliases, &usual.aliases)))
            .chain(functions)
            .chain(attributes.map(|(_, text)| format!("builtin {text}")))
            .chain(late.into_iter().map(|line| format!("builtin {line}")))
            .collect();
        let ended = |line: String| line + "\n";
        let options = self.options.difference(&usual.options).map(|line| format!("\\builtin {line}; "));
        State { definitions: lines.into_iter().map(ended).collect(), options: options.collect() }
    }
}

/// Switches aliases on.
const EXPANDS: &str = "shopt -s expand_aliases";

impl State {
    /// Whether it is more than is read before every call.
    pub(crate) fn is_too_much(&self) -> bool {
        self.definitions.len() > LONGEST
    }

    /// All of it, as the judge reads it.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.definitions, self.options)
    }
}

fn news(now: &BTreeMap<String, String>, before: &BTreeMap<String, String>) -> impl Iterator<Item = String> {
    now.iter().filter(|(name, text)| before.get(*name) != Some(text)).map(|(_, text)| text.clone())
}

/// Builtins that a call is begun with: a function in place of one would come between what is judged and what is run.
const IN_THE_WAY: &[&str] = &["builtin", "eval"];

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

/// Options that are kept.
const OPTIONS: &[&str] = &[
    "allexport",
    "braceexpand",
    "errexit",
    "errtrace",
    "noclobber",
    "noglob",
    "nounset",
    "physical",
    "pipefail",
];

/// More options that are kept.
const SETTINGS: &[&str] = &[
    "assoc_expand_once",
    "dotglob",
    "expand_aliases",
    "extglob",
    "failglob",
    "globasciiranges",
    "globskipdots",
    "globstar",
    "inherit_errexit",
    "lastpipe",
    "localvar_inherit",
    "localvar_unset",
    "nocaseglob",
    "nocasematch",
    "nullglob",
    "patsub_replacement",
    "xpg_echo",
];

/// What a command defines.
enum Definition {
    /// Something of this name, which is kept.
    Kept(String),
    /// Something that is not kept.
    Left,
}

/// Commands that define something, by the name of that. Nothing when one of them does anything else.
fn named(text: &str, define: fn(&Command) -> Option<Definition>) -> Option<BTreeMap<String, String>> {
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
fn variable(command: &Command) -> Option<Definition> {
    let [declare, flags, value] = words(command)? else { return None };
    let is_declaration = plain(declare) == Some("declare") && plain(flags)?.starts_with('-');
    if !is_declaration || !plain(flags)?.chars().all(|letter| letter == '-' || letter.is_ascii_alphabetic()) {
        return None;
    }
    let Some(Part::Bare(first)) = value.parts.first() else { return None };
    let name: String =
        first.chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
    let rest = first.get(name.len()..)?;
    if name.is_empty() || !(rest.is_empty() || rest.starts_with('=')) {
        return None;
    }
    Some(if OWN.contains(&name.as_str()) { Definition::Left } else { Definition::Kept(name) })
}

/// `name () { … }`.
fn function(command: &Command) -> Option<Definition> {
    let CommandKind::Function { name, .. } = &command.kind else { return None };
    Some(Definition::Kept(name.clone()))
}

/// `declare -fx name`.
fn attribute(command: &Command) -> Option<Definition> {
    let [declare, flags, name] = words(command)? else { return None };
    let is_declaration = plain(declare) == Some("declare") && plain(flags)?.starts_with("-f");
    is_declaration.then(|| plain(name).map(|name| Definition::Kept(name.to_owned())))?
}

/// `alias name='text'`.
fn alias(command: &Command) -> Option<Definition> {
    let (alias, rest) = words(command)?.split_first()?;
    let (value, dashes) = rest.split_last()?;
    let is_one = plain(alias) == Some("alias")
        && (dashes.is_empty() || dashes.len() == 1 && plain(dashes.first()?) == Some("--"));
    let Some(Part::Bare(first)) = value.parts.first() else { return None };
    let name = first.split_once('=').map(|(name, _)| name.to_owned())?;
    is_one.then_some(Definition::Kept(name))
}

/// The words of a command that has nothing but words, which nothing happens to.
fn words(command: &Command) -> Option<&[Word]> {
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
fn mask(text: &str) -> Option<&str> {
    let line = text.strip_suffix('\n')?;
    let digits = line.strip_prefix("umask ")?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(line)
}

/// `set -o name` or `shopt -s name`, a line each. Only those that are kept are.
fn switches(text: &str, program: &str, ways: &[&str], kept: &[&str]) -> Option<BTreeSet<String>> {
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

#[cfg(test)]
mod tests;
