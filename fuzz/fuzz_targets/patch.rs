//! Whatever is handed in as a patch, it is read and applied or an error; and one that is applied to nothing leaves nothing behind that it did not bring.

#![no_main]

use herm_adapters::amend::{What, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|given: (&str, &str)| {
    let (patch, before) = given;
    let Ok(amendments) = read(patch) else { return };
    for amendment in amendments {
        assert!(!amendment.path.is_empty());
        let Ok(after) = amendment.what.apply(before) else { continue };
        if let What::Update(hunks) = &amendment.what {
            let brought: usize = hunks.iter().flat_map(|hunk| &hunk.lines).map(|(_, line)| line.len() + 2).sum();
            assert!(after.len() <= before.len() + brought + 1);
        }
    }
});
