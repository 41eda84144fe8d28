//! Whatever a program says, and wherever it is cut, no terminal obeys what remains, and it stays within its bounds.

#![no_main]

use herm_sandbox::output::{Cap, Colours, Limit, Strip};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (usize, &[u8])| {
    let (at, bytes) = input;
    let strip = |pieces: &[&[u8]]| {
        let (mut strip, mut out) = (Strip::new(Colours::Drop), Vec::new());
        for piece in pieces {
            strip.push(piece, &mut out);
        }
        strip.finish(&mut out);
        String::from_utf8(out).expect("what remains is text")
    };
    let (one, two) = bytes.split_at(at % (bytes.len() + 1));
    let whole = strip(&[bytes]);
    assert_eq!(strip(&[one, two]), whole);
    assert!(!whole.contains(|found: char| found.is_control() && !matches!(found, '\n' | '\t')));

    for limit in [Limit::Ends(100), Limit::Head(100)] {
        let mut cap = Cap::new(limit);
        cap.push(one);
        cap.push(two);
        assert!(cap.finish().text.chars().count() <= 100);
    }
});
