//! Patches as `diff -u` writes them lead from one text to the other.

#![expect(clippy::indexing_slicing, reason = "a test that finds nothing there has failed")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::process::Command;

use herm_adapters::amend::read;

/// Numbers that are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// A text of few different lines, so that parts of it are alike. Some end in another way.
    fn text(&mut self) -> Vec<String> {
        let lines = ["", "a", "b", "-- a", "++ b", "@@ -1 +1 @@", "\\ x", "*** End Patch", " a", "ü\r"];
        (0..self.below(24)).map(|_| lines[usize::try_from(self.below(10)).unwrap()].to_owned()).collect()
    }

    /// The same with a few changes.
    fn changed(&mut self, lines: &[String]) -> Vec<String> {
        let mut changed = lines.to_vec();
        for _ in 0..=self.below(3) {
            let at = usize::try_from(self.below(changed.len() as u64 + 1)).unwrap();
            match self.below(3) {
                0 => changed.insert(at, format!("new {}", self.below(3))),
                1 if at < changed.len() => drop(changed.remove(at)),
                _ if at < changed.len() => changed[at] = format!("other {}", self.below(3)),
                _ => {}
            }
        }
        changed
    }

    fn joined(&mut self, lines: &[String]) -> String {
        let end = if lines.is_empty() || self.below(4) == 0 { "" } else { "\n" };
        lines.join("\n") + end
    }
}

/// What `diff -u` says, with the names that herm reads.
fn difference(before: &str, after: &str) -> String {
    let place = std::env::temp_dir().join(format!("herm-amend-{}", std::process::id()));
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("before"), before).unwrap();
    fs::write(place.join("after"), after).unwrap();
    let output = Command::new("diff")
        .args(["-u", "--label", "a/f", "--label", "b/f", "before", "after"])
        .current_dir(&place)
        .output()
        .unwrap();
    fs::remove_dir_all(place).unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_diff_writes_is_applied_as_it_is_meant() {
    let mut random = Random(7);
    let mut applied = 0;
    for turn in 0..400 {
        let lines = random.text();
        let (before, changed) = (random.joined(&lines), random.changed(&lines));
        let after = random.joined(&changed);
        // Ends of lines are taken from the file, so that a patch for a file of another kind would not be what it seems.
        if before == after || before.starts_with("ü\r") {
            continue;
        }
        let patch = difference(&before, &after);
        let amendments = read(&patch).unwrap_or_else(|error| panic!("{turn}: {error}\n{patch}"));
        let made =
            amendments[0].what.apply(&before).unwrap_or_else(|misfit| panic!("{turn}: {misfit}\n{patch}"));
        assert_eq!(made, after, "{turn}:\n{patch}");
        applied += 1;
    }
    assert!(applied > 300, "{applied}");
}
