//! What a shell was left with, as text.
//!
//! After each call a shell tells what it has become. It may tell anything: whatever ran in it may have redefined the very words
//! that it tells it with. So it is read as shell text, and kept only if there is nothing in it but definitions without a single expansion.
//! The judge reads the same text before the next call that the shell runs before it.

use std::collections::{BTreeMap, BTreeSet};

use herm_sandbox::shell::Account;

use super::definition::{alias, attribute, function, mask, named, switches, variable};

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

    /// All of it, as the judge reads it before a call.
    ///
    /// A call that does nothing but unset variables starts nobody who would obey them, so it is read without: what nobody could
    /// unset would be minded for ever.
    pub(crate) fn text(&self, call: &str) -> String {
        let unset = if self.leaves_unset_alone() { unset(call) } else { Vec::new() };
        let stays = |line: &&str| !defined(line).is_some_and(|name| unset.contains(&name));
        let definitions: String = self.definitions.split_inclusive('\n').filter(stays).collect();
        format!("{definitions}{}", self.options)
    }

    /// Whether `unset` is the builtin, and nothing is run beside it.
    fn leaves_unset_alone(&self) -> bool {
        let mut lines = self.definitions.lines().filter(|line| !line.starts_with("unset -v "));
        lines.all(|line| !line.contains("unset")) && !self.options.contains("xtrace")
    }
}

/// The variables that a call unsets, if that is all that it does.
fn unset(call: &str) -> Vec<&str> {
    let is_name = |word: &&str| {
        let begins = word.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
        begins && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let mut words = call.split_ascii_whitespace();
    let names: Vec<&str> = match (words.next(), call.trim().contains('\n')) {
        (Some("unset"), false) => words.skip_while(|word| *word == "-v").collect(),
        _ => Vec::new(),
    };
    if names.iter().all(is_name) { names } else { Vec::new() }
}

/// The plain variable that a line defines. Unsetting another kind, such as a name for a part of a list, may run what stands in it.
fn defined(line: &str) -> Option<&str> {
    let rest = ["declare -- ", "declare -x "].iter().find_map(|word| line.strip_prefix(word))?;
    rest.trim_end().split('=').next()
}

fn news(now: &BTreeMap<String, String>, before: &BTreeMap<String, String>) -> impl Iterator<Item = String> {
    now.iter().filter(|(name, text)| before.get(*name) != Some(text)).map(|(_, text)| text.clone())
}

/// Builtins that a call is begun with: a function in place of one would come between what is judged and what is run.
const IN_THE_WAY: &[&str] = &["builtin", "eval"];

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

#[cfg(test)]
mod tests;
