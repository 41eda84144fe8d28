//! Understanding stops at least what plain patterns stop.

use herm_test::corpora;
use herm_test::judge::Judge;
use herm_test::patterns;
use herm_test::wrap::{FLOOR, WRAPPERS};

#[test]
fn dangerous_command_that_a_pattern_catches_is_stopped() {
    let commands = corpora::inputs("commands_malicious");
    if commands.is_empty() {
        eprintln!("skipped: no labelled commands lie beside the repository");
        return;
    }
    let allowed = allowed(commands.iter().map(String::as_str));
    let new: Vec<_> = allowed.iter().filter(|(_, command)| !LOOKED_AT.contains(&digest(command))).collect();
    assert!(new.is_empty(), "a pattern stops what the judge allows:\n{new:#?}");
}

#[test]
fn wrapped_floor_command_that_a_pattern_catches_is_stopped() {
    let wrapped = FLOOR.iter().flat_map(|(command, _)| WRAPPERS.iter().map(|(_, wrap)| wrap(command)));
    let commands: Vec<String> = wrapped.collect();
    let allowed = allowed(commands.iter().map(String::as_str));
    assert!(allowed.is_empty(), "a pattern stops what the judge allows:\n{allowed:#?}");
}

/// The commands that a pattern catches and the judge allows, each with the pattern's name.
fn allowed<'a>(commands: impl Iterator<Item = &'a str>) -> Vec<(&'static str, &'a str)> {
    let (judge, patterns) = (Judge::new(), patterns::all());
    let caught = commands.filter_map(|command| {
        let pattern = patterns.iter().find(|pattern| pattern.catches(command))?;
        Some((pattern.name, command))
    });
    caught.filter(|(_, command)| judge.decision(command) == "allow").collect()
}

/// Labelled commands that somebody looked at and that do no harm as they are written, by digest: `xargs -i{}` whose command has no
/// operand, an assignment whose name is none (so that no such program is found), and SQL that is cut in two for want of quotes.
const LOOKED_AT: &[u64] = &[0x6f1f_8b45_95d0_5600, 0xe957_3608_fdae_f8aa, 0xa094_b68a_cec9_19d1];

/// A digest of a text (FNV-1a), since the labelled commands themselves are not part of this repository.
fn digest(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
