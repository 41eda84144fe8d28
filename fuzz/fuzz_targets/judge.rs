//! Any text at all gets an answer.

#![no_main]

use herm_test::judge::Judge;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = Judge::new().decision(text);
});
