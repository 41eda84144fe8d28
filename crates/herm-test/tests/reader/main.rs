//! The reader against bash, and against another reader of bash.

mod brush;
mod fixtures;
mod ours;

use herm_test::{bash, corpora};

/// How many of a thousand texts that bash accepts ours may refuse.
const REFUSED_PER_THOUSAND: usize = 2;

#[test]
fn fixtures_are_read_as_bash_does() {
    let texts: Vec<_> = fixtures::VALID.iter().map(ToString::to_string).collect();
    let refused = refused(&texts);
    assert!(refused.is_empty(), "refused: {refused:#?}");
    let invalid: Vec<_> = fixtures::INVALID.iter().map(ToString::to_string).collect();
    let accepted: Vec<_> = invalid.iter().filter(|text| ours::normal(text).is_some()).collect();
    assert!(accepted.is_empty(), "accepted: {accepted:#?}");
    assert!(!bash::accepts_each(&invalid).contains(&true));
}

#[test]
fn fixtures_have_the_structure_that_brush_sees() {
    let texts = fixtures::VALID.iter().map(ToString::to_string);
    let different = different(texts.filter(|text| !fixtures::BRUSH_DIFFERS.contains(&text.as_str())));
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn corpora_are_read_as_bash_does() {
    let texts = inputs();
    let refused = refused(&texts);
    assert!(refused.len() * 1000 <= texts.len() * REFUSED_PER_THOUSAND, "refused: {refused:#?}");
}

#[test]
fn corpora_have_the_structure_that_both_oracles_see() {
    let different = different(inputs().into_iter());
    assert!(different.is_empty(), "{}: {}", different.len(), different.join("\n"));
}

/// What bash accepts and our reader does not.
fn refused(texts: &[String]) -> Vec<&String> {
    let verdicts = bash::accepts_each(texts);
    let accepted = texts.iter().zip(verdicts).filter_map(|(text, accepted)| accepted.then_some(text));
    accepted.filter(|text| ours::normal(text).is_none()).collect()
}

/// Both structures of what both readers accept and see differently, unless bash itself reads it otherwise than brush does.
fn different(texts: impl Iterator<Item = String>) -> Vec<String> {
    let pairs = texts.filter_map(|text| Some((ours::normal(&text)?, brush::normal(&text)?, text)));
    let unequal = pairs.filter(|(ours, brush, text)| ours != brush && oracles_agree(text, brush));
    unequal.map(|(ours, brush, text)| format!("--- {text}\n  ours: {ours}\n brush: {brush}")).collect()
}

/// Whether brush sees the same structure in what bash prints of a text as in the text.
fn oracles_agree(text: &str, structure: &str) -> bool {
    bash::reprinted(text).and_then(|text| brush::normal(&text)).as_deref() == Some(structure)
}

/// The commands of the labelled cases, if they are here.
fn inputs() -> Vec<String> {
    let mut inputs = corpora::inputs("commands_");
    inputs.retain(|input| !input.contains('\0'));
    inputs
}
