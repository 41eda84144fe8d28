//! Settings that are written otherwise than herm writes them, and what each agent makes of them.

use std::fs;

use crate::client::Client;
use crate::stage::Stage;

/// What an agent makes of such a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    /// It asks herm.
    Asks,
    /// It does not, and runs what is refused.
    Skips,
    /// It does not start.
    Stops,
}

/// A file, how it is changed once herm is asked, and what comes of it.
pub(crate) struct Way {
    /// Below the home.
    pub(crate) file: &'static str,
    pub(crate) written: fn(before: &str) -> String,
    pub(crate) reads: Reads,
}

/// Tries each way. Where the agent passes herm over, `herm doctor` says so; where it does not, all is well.
pub(crate) fn tried(client: &'static Client, ways: &[Way]) {
    for way in ways {
        let stage = Stage::new(client);
        stage.place.config("approvals: {deny: ['touch forbidden']}\n");
        stage.wire();
        let before = fs::read_to_string(stage.place.home().join(way.file)).unwrap_or_else(|_| "{}\n".into());
        let after = (way.written)(&before);
        stage.settings(way.file, &after);
        let run = stage.run(&[(client.shell)("touch allowed"), (client.shell)("touch forbidden")]);
        let reads = match ["allowed", "forbidden"].map(|name| stage.place.work(name).exists()) {
            [true, false] => Reads::Asks,
            [_, true] => Reads::Skips,
            [false, false] => Reads::Stops,
        };
        assert_eq!(reads, way.reads, "`{}`: {after}\n{}", way.file, run.story);
        let rows = stage.doctor();
        let is_told = rows.iter().any(|row| row["state"] == "missing");
        assert!(reads == Reads::Stops || is_told == (reads == Reads::Skips), "{after}\n{rows:?}");
        stage.is_left();
    }
}

pub(crate) fn commented(before: &str) -> String {
    format!("// Mine.\n{}", before.replacen('{', "{ /* Mine,\n too. */", 1))
}

pub(crate) fn with_mark(before: &str) -> String {
    format!("\u{feff}{before}")
}

/// A comma behind the last of its entries, of which there must be one.
pub(crate) fn with_comma(before: &str) -> String {
    let (entries, rest) = before.rsplit_once('}').unwrap();
    format!("{},\n}}{rest}", entries.trim_end())
}

/// Its entries as they were, and then `hooks` once more, in which nothing stands.
pub(crate) fn with_hooks_again(before: &str) -> String {
    let (entries, rest) = before.rsplit_once('}').unwrap();
    format!("{},\n\"hooks\": {{}}\n}}{rest}", entries.trim_end())
}
