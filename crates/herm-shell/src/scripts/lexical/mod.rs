//! The net below the readers: words of code that start, delete or end something, and of which nothing came.
//!
//! A reader says what it recognised, and is silent about the rest: a function that is handed over or stored, a name that is
//! looked up, syntax that it does not know. Here the words of the code are compared with what was reported. A word that nothing
//! accounts for is said to be not followed. What only speaks of it is left alone: comments, strings, definitions, imports.

mod atoms;
mod heard;
mod plain;
mod position;
#[cfg(test)]
mod tests;
mod vocabulary;

use atoms::{Atom, Kind};
pub(crate) use heard::Heard;
use vocabulary::Word;

use super::languages;
use crate::lang::Lang;

/// The first word of `text` that nothing accounts for.
pub(crate) fn unaccounted(lang: Lang, text: &str, heard: &Heard) -> Option<String> {
    let php = (lang == Lang::Php).then(|| languages::php_code(text));
    let text = php.as_deref().unwrap_or(text);
    let words = vocabulary::of(lang);
    let open = if words.is_empty() { Vec::new() } else { open_words(lang, words, text, heard) };
    if open.is_empty() {
        return None;
    }
    let atoms = match languages::profile(lang) {
        Some(profile) => atoms::scanned(profile, text),
        None => plain::atoms(lang, text),
    };
    let found = (0..atoms.len()).find(|at| {
        let atom = atoms.get(*at);
        atom.is_some_and(|atom| open.binary_search(&atom.at).is_ok()) && means_it(lang, words, &atoms, *at)
    })?;
    atoms.get(found).map(|atom| atom.text.clone().into_owned())
}

/// Where words of the vocabulary stand that nothing accounts for. Most code has none, and need not be cut into tokens once more.
fn open_words(lang: Lang, words: &[Word], text: &str, heard: &Heard) -> Vec<u32> {
    let mut found = Vec::new();
    let joins =
        |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii() || extends(lang, byte);
    let bytes = text.as_bytes();
    let mut sweep = heard.sweep(lang);
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let length = rest.iter().take_while(|byte| joins(**byte)).count();
        let name = rest.get(..length).unwrap_or_default();
        let is_listed =
            |word: &&Word| word.name.len() == length && word.name.as_bytes().eq_ignore_ascii_case(name);
        let start = u32::try_from(at).unwrap_or(u32::MAX);
        if let Some(word) = words.iter().find(is_listed).filter(|_| length > 1)
            && !sweep.accounts_for(start, word.outcome)
        {
            found.push(start);
        }
        at += length.max(1);
    }
    found
}

/// Characters besides letters that names of a language hold.
pub(super) fn extends(lang: Lang, byte: u8) -> bool {
    lang == Lang::R && byte == b'.' || lang == Lang::PowerShell && byte == b'-'
}

/// Whether an atom is a word that means what its language takes it for, and is not only spoken of.
fn means_it(lang: Lang, words: &[Word], atoms: &[Atom<'_>], at: usize) -> bool {
    let Some(atom) = atoms.get(at) else { return false };
    let ignores_case = matches!(lang, Lang::Php | Lang::PowerShell);
    let is_word =
        |word: &&Word| word.name == atom.text || ignores_case && word.name.eq_ignore_ascii_case(&atom.text);
    words.iter().filter(is_word).any(|word| match atom.kind {
        Kind::Word | Kind::Reference => {
            position::is_owned(lang, word.owner, atoms, at)
                && !position::is_spoken_of(lang, atoms, at)
                && !position::is_own_method(lang, atoms, at)
        }
        Kind::Text => position::is_looked_up(lang, word, atoms, at),
        Kind::Mark | Kind::Variable | Kind::Value => false,
    })
}
