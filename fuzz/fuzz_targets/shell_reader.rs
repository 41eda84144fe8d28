//! No text makes the reader panic, overflow or run on.

#![no_main]

use herm_shell::fuel::Fuel;
use herm_shell::reader::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let reading = read(text, &Fuel::new(100_000));
    assert!(reading.problems.iter().all(|problem| problem.span.start <= problem.span.end));
});
