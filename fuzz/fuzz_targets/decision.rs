//! A refused command is refused through any nesting of wrappers, and mentioning it is free.

#![no_main]

use herm_test::judge::Judge;
use herm_test::wrap::{FLOOR, MENTIONS, WRAPPERS};
use libfuzzer_sys::fuzz_target;

/// How deeply wrappers nest.
const DEPTH: usize = 4;

fuzz_target!(|choices: &[u8]| {
    let Some((first, rest)) = choices.split_first() else { return };
    let pick = |choice: u8, count: usize| usize::from(choice) % count;
    let judge = Judge::new();
    let mut text = FLOOR[pick(*first, FLOOR.len())].0.to_owned();
    for choice in rest.iter().take(DEPTH) {
        text = (WRAPPERS[pick(*choice, WRAPPERS.len())].1)(&text);
    }
    assert_eq!(judge.decision(&text), "deny", "{text}");
    for (name, mention) in MENTIONS {
        assert_eq!(judge.decision(&mention(&text)), "allow", "{name}: {text}");
    }
});
